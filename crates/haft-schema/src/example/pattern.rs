//! A short text that a regular expression matches.

use regex_syntax::hir::{Class, Hir, HirKind};

/// A text that the pattern matches, with at least so many characters if the pattern can stretch.
///
/// Anchors and word borders are passed over, and look-around is not understood: whether the text really fits is for
/// the caller to find out.
pub(super) fn matching(pattern: &str, least: usize) -> Option<String> {
    let expression = regex_syntax::parse(pattern).ok()?;
    let mut text = String::new();
    write(&expression, 0, &mut text)?;
    let length = text.chars().count();
    if length < least {
        // Whatever repeats without limit repeats for as long as it takes.
        text.clear();
        write(&expression, least, &mut text)?;
    }
    Some(text)
}

fn write(expression: &Hir, stretch: usize, text: &mut String) -> Option<()> {
    match expression.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            let holds = |letter: &char| class.iter().any(|range| range.start() <= *letter && *letter <= range.end());
            let plain = LETTERS.into_iter().find(holds);
            text.push(plain.or_else(|| Some(class.iter().next()?.start()))?);
        }
        HirKind::Class(Class::Bytes(_)) => return None,
        HirKind::Repetition(repetition) => {
            let least = usize::try_from(repetition.min).ok()?;
            let most = repetition.max.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
            for _ in 0..least.max(stretch).min(most) {
                write(&repetition.sub, 0, text)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, stretch, text)?,
        HirKind::Concat(parts) => {
            for part in parts {
                write(part, stretch, text)?;
            }
        }
        HirKind::Alternation(branches) => write(branches.first()?, stretch, text)?,
    }
    (text.len() <= LONGEST).then_some(())
}

const LETTERS: [char; 6] = ['a', '0', 'A', '1', '-', '_'];
const LONGEST: usize = 300;

#[cfg(test)]
mod tests {
    use super::matching;

    #[test]
    fn a_pattern_yields_a_text_that_it_matches() {
        for (pattern, least, expected) in [
            (r"^[A-Z][A-Z0-9_]+-\d+(?:-\d+)*$", 0, Some("A0-0")),
            (r"^[0-9a-fA-F]+$", 24, Some("aaaaaaaaaaaaaaaaaaaaaaaa")),
            (r"^(open|closed)$", 0, Some("open")),
            (r"^\w{2,4}$", 3, Some("aaa")),
            (r"^$", 0, Some("")),
            (r"[^a-z]", 0, Some("0")),
            (r"^a{1000}{1000}$", 0, None),
            (r"(", 0, None),
            (r"(?=a)b", 0, None),
        ] {
            assert_eq!(matching(pattern, least).as_deref(), expected, "{pattern}");
        }
    }
}
