//! 32 bytes that stand for a text, and their one spelling.

use std::fmt;
use std::str::FromStr;

/// A digest of 256 bits, written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

/// The text is not 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a digest of 64 lower-case hexadecimal digits")]
#[non_exhaustive]
pub struct DigestError;

impl Digest {
    /// Takes the bytes of a digest.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<blake3::Hash> for Digest {
    fn from(hash: blake3::Hash) -> Self {
        Self(hash.into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        // One spelling only: whoever compares texts compares digests.
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(DigestError);
        }
        blake3::Hash::from_hex(text).map(Self::from).map_err(|_| DigestError)
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, DigestError};

    #[test]
    fn a_digest_has_one_spelling() {
        let digest = Digest::from_bytes([0xa0; 32]);
        let text = "a0".repeat(32);
        assert_eq!(digest.to_string(), text);
        assert_eq!(text.parse(), Ok(digest));
        for other in ["", "a0", &text.to_uppercase(), &"g0".repeat(32), &"a0".repeat(33), &"é0".repeat(32)] {
            assert_eq!(other.parse::<Digest>(), Err(DigestError), "{other}");
        }
    }
}
