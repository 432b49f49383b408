//! Strict standard base64, for header values: padded, canonical, nothing else accepted.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes with the standard alphabet and padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| (word << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for position in 0..4 {
            if position > chunk.len() {
                out.push('=');
            } else {
                let index = (word >> (18 - 6 * position)) & 63;
                out.push(char::from(ALPHABET.get(index as usize).copied().unwrap_or(b'=')));
            }
        }
    }
    out
}

/// Decodes canonical, padded base64; anything else is `None`.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let quads = text.len() / 4;
    for (number, quad) in text.chunks(4).enumerate() {
        let padding = quad.iter().rev().take_while(|byte| **byte == b'=').count();
        if padding > 2 || (padding > 0 && number + 1 != quads) {
            return None;
        }
        let mut word = 0_u32;
        for byte in quad {
            let value = if *byte == b'=' { 0 } else { ALPHABET.iter().position(|letter| letter == byte)? };
            word = (word << 6) | u32::try_from(value).ok()?;
        }
        if quad.iter().take(4 - padding).any(|byte| *byte == b'=') {
            return None;
        }
        let [_, first, second, third] = word.to_be_bytes();
        let bytes = [first, second, third];
        let kept = 3 - padding;
        // Canonical form only: bits that the padding cuts off are zero.
        if bytes.iter().skip(kept).any(|byte| *byte != 0) {
            return None;
        }
        out.extend(bytes.iter().take(kept));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_decodes_to_itself() {
        for text in ["", "f", "fo", "foo", "foob", "fooba", "foobar", "日本", "\u{0}\u{ff}"] {
            assert_eq!(decode(encode(text.as_bytes()).as_bytes()).as_deref(), Some(text.as_bytes()));
        }
        assert_eq!(encode(b"foobar"), "Zm9vYmFy");
    }

    #[test]
    fn anything_but_canonical_padded_base64_is_refused() {
        for bad in ["Zg", "Zg=", "Z===", "Zh==", "Zm9=", "====", "Zg==Zg==", "Zm 9", "Zm9v\n", "Z-9_", "=Zg="] {
            assert_eq!(decode(bad.as_bytes()), None, "{bad}");
        }
    }
}
