//! The name of a ticket: too many to guess, and fit to be read aloud and typed.

use std::fmt;
use std::io;
use std::str::FromStr;

use crate::private::random;

/// The name of a ticket: 140 random bits as 28 digits in groups of four, such as `7K3F-9QXA-…`.
///
/// Read without regard to case and hyphens; `O` is read as `0`, `I` and `L` as `1`, and `U` is no digit, so that
/// what a person copies from a screen is what was meant. Wherever one is asked for, its first group is enough while no
/// other ticket begins with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TicketId([u8; DIGITS]);

/// The text is not the name of a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TicketIdError {
    /// A character that is no digit.
    #[error("`{}` does not occur in ticket ids", character.escape_default())]
    Character {
        /// The character.
        character: char,
    },
    /// Too few or too many digits.
    #[error("a ticket id has {DIGITS} digits, and {FEWEST} at least name one; this has {found}")]
    Length {
        /// How many there are.
        found: usize,
    },
}

impl TicketId {
    pub(super) fn new() -> io::Result<Self> {
        let bytes: [u8; DIGITS] = random()?;
        // 32 divides 256, so each digit is as likely as any other.
        Ok(Self(bytes.map(|byte| ALPHABET.get(usize::from(byte % 32)).copied().unwrap_or(b'0'))))
    }

    /// The digits without hyphens: the stored form.
    pub(super) fn digits(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// The digits of an id or of its beginning, as they are stored.
pub(super) fn prefix(text: &str) -> Result<String, TicketIdError> {
    let mut digits = String::with_capacity(DIGITS);
    let mut found = 0;
    for character in text.trim().chars().filter(|character| *character != '-') {
        let digit = match character.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            digit if u8::try_from(digit).is_ok_and(|digit| ALPHABET.contains(&digit)) => digit,
            _ => return Err(TicketIdError::Character { character }),
        };
        found += 1;
        if found <= DIGITS {
            digits.push(digit);
        }
    }
    if (FEWEST..=DIGITS).contains(&found) { Ok(digits) } else { Err(TicketIdError::Length { found }) }
}

impl FromStr for TicketId {
    type Err = TicketIdError;

    fn from_str(text: &str) -> Result<Self, TicketIdError> {
        let digits = prefix(text)?;
        let bytes = digits.as_bytes().try_into();
        bytes.map(Self).map_err(|_| TicketIdError::Length { found: digits.len() })
    }
}

impl fmt::Display for TicketId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, digit) in self.0.iter().enumerate() {
            if index > 0 && index % GROUP == 0 {
                f.write_str("-")?;
            }
            write!(f, "{}", char::from(*digit))?;
        }
        Ok(())
    }
}

impl fmt::Debug for TicketId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Crockford's digits: none looks like another.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const DIGITS: usize = 28;
const GROUP: usize = 4;
/// Digits that name a ticket while no other begins with them.
const FEWEST: usize = GROUP;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_a_person_types_it() {
        let id = TicketId::new().unwrap();
        let text = id.to_string();
        assert_eq!(text.len(), 34);
        for typed in [&text, &text.to_lowercase(), &text.replace('-', ""), &format!("  {text}\n")] {
            assert_eq!(typed.parse(), Ok(id), "{typed}");
        }
        assert_eq!(prefix("oi-l7").unwrap(), "0117");
        assert_ne!(TicketId::new().unwrap(), id);
    }

    #[test]
    fn what_is_no_id_is_refused() {
        for (text, expected) in [
            ("", TicketIdError::Length { found: 0 }),
            ("7K3", TicketIdError::Length { found: 3 }),
            (&"7".repeat(1000), TicketIdError::Length { found: 1000 }),
            ("7K3U", TicketIdError::Character { character: 'U' }),
            ("7K3é", TicketIdError::Character { character: 'é' }),
            ("7K3%", TicketIdError::Character { character: '%' }),
        ] {
            assert_eq!(prefix(text), Err(expected));
        }
        assert_eq!("7K3F".parse::<TicketId>(), Err(TicketIdError::Length { found: 4 }));
    }
}
