//! Sealing what a client carries between two rounds of a call: it can neither read, change, nor use it elsewhere.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

const NONCE_BYTES: usize = 24;
const EXPIRY_BYTES: usize = 8;

/// The keys of a server for sealed state and for cursors.
pub(crate) struct Seal {
    cipher: XChaCha20Poly1305,
    /// What earlier keys have sealed is still opened.
    earlier: Vec<XChaCha20Poly1305>,
    mac_key: [u8; 32],
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal")
    }
}

impl Seal {
    /// Seals with the first of these keys, or with one of its own where there is none; opens with each of them.
    pub(crate) fn new(keys: &[[u8; 32]]) -> Result<Self, getrandom::Error> {
        let key = if let Some(key) = keys.first() {
            *key
        } else {
            let mut key = [0; 32];
            getrandom::fill(&mut key)?;
            key
        };
        let cipher =
            |key: &[u8; 32]| XChaCha20Poly1305::new(&blake3::derive_key("haft 2026-11 request state", key).into());
        Ok(Self {
            cipher: cipher(&key),
            earlier: keys.iter().skip(1).map(cipher).collect(),
            mac_key: blake3::derive_key("haft 2026-11 cursors", &key),
        })
    }

    /// Seals `content` for a while; only [`Self::open`] with the same `binding` gets it back.
    pub(crate) fn close(&self, content: &[u8], binding: &[u8], lifetime: Duration) -> Option<String> {
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).ok()?;
        let expiry = now().saturating_add(lifetime.as_secs());
        let mut plain = expiry.to_be_bytes().to_vec();
        plain.extend_from_slice(content);
        let payload = Payload { msg: &plain, aad: binding };
        let sealed = self.cipher.encrypt(XNonce::from_slice(&nonce), payload).ok()?;
        let mut bytes = nonce.to_vec();
        bytes.extend_from_slice(&sealed);
        Some(URL_SAFE_NO_PAD.encode(bytes)).filter(|state| state.len() <= LONGEST)
    }

    /// Opens what was sealed with the same binding and has not expired.
    pub(crate) fn open(&self, sealed: &str, binding: &[u8]) -> Option<Vec<u8>> {
        self.open_at(sealed, binding, now())
    }

    fn open_at(&self, sealed: &str, binding: &[u8], now: u64) -> Option<Vec<u8>> {
        if sealed.len() > LONGEST {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE_BYTES)?;
        let open = |cipher: &XChaCha20Poly1305| {
            cipher.decrypt(XNonce::from_slice(nonce), Payload { msg: sealed, aad: binding }).ok()
        };
        let mut plain = open(&self.cipher).or_else(|| self.earlier.iter().find_map(open))?;
        let expiry = u64::from_be_bytes(plain.get(..EXPIRY_BYTES)?.try_into().ok()?);
        (now <= expiry).then(|| plain.split_off(EXPIRY_BYTES))
    }

    /// A cursor that only this server can have made.
    pub(crate) fn cursor(&self, place: &str) -> String {
        let mac = blake3::keyed_hash(&self.mac_key, place.as_bytes());
        let mut bytes = mac.as_bytes().iter().copied().take(MAC_BYTES).collect::<Vec<_>>();
        bytes.extend_from_slice(place.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The place that a cursor of this server names.
    pub(crate) fn place(&self, cursor: &str) -> Option<String> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let place = std::str::from_utf8(bytes.get(MAC_BYTES..)?).ok()?;
        (self.cursor(place) == cursor).then(|| place.to_owned())
    }
}

const MAC_BYTES: usize = 8;
/// State travels in every round; clients need not carry more.
const LONGEST: usize = 256 * 1024;

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_state_opens_only_unchanged_with_its_binding_and_in_time() {
        let seal = Seal::new(&[]).unwrap();
        let sealed = seal.close(b"state", b"ci/tool", Duration::from_mins(1)).unwrap();
        assert_eq!(seal.open(&sealed, b"ci/tool").as_deref(), Some(&b"state"[..]));
        assert_eq!(seal.open(&sealed, b"ci/other"), None);
        assert_eq!(seal.open(&format!("{sealed}-TAMPERED"), b"ci/tool"), None);
        let other = if sealed[40..].starts_with('_') { "-" } else { "_" };
        assert_eq!(seal.open(&format!("{}{other}{}", &sealed[..40], &sealed[41..]), b"ci/tool"), None);
        assert_eq!(seal.open("", b"ci/tool"), None);
        assert!(seal.open_at(&sealed, b"ci/tool", now() + 59).is_some());
        assert_eq!(seal.open_at(&sealed, b"ci/tool", now() + 62), None);
        assert_eq!(Seal::new(&[]).unwrap().open(&sealed, b"ci/tool"), None);
        assert_eq!(
            Seal::new(&[[7; 32]]).unwrap().place(&Seal::new(&[[7; 32]]).unwrap().cursor("a")),
            Some("a".to_owned())
        );
    }

    #[test]
    fn what_an_earlier_key_sealed_opens_until_the_key_is_gone() {
        let (first, second) = ([1; 32], [2; 32]);
        let sealed = Seal::new(&[first]).unwrap().close(b"state", b"", Duration::from_mins(1)).unwrap();
        assert_eq!(Seal::new(&[second, first]).unwrap().open(&sealed, b"").as_deref(), Some(&b"state"[..]));
        assert_eq!(Seal::new(&[second]).unwrap().open(&sealed, b""), None);
        assert_eq!(Seal::new(&[first]).unwrap().open(&"A".repeat(LONGEST + 1), b""), None);
    }

    #[test]
    fn a_cursor_is_refused_unless_this_server_made_it() {
        let seal = Seal::new(&[]).unwrap();
        assert_eq!(seal.place(&seal.cursor("tool")), Some("tool".to_owned()));
        for bad in ["", "bogus", "AAAAAAAAAAB0b29s", &Seal::new(&[]).unwrap().cursor("tool")] {
            assert_eq!(seal.place(bad), None, "{bad}");
        }
    }
}
