//! From credentials to a principal.

use std::fmt;
use std::sync::Arc;

use crate::principal::Principal;

/// What a transport saw of a caller's credentials.
#[derive(Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "transports fill it in, and a new credential concerns them all")]
pub struct Credentials<'a> {
    /// The token of `Authorization: Bearer`.
    pub bearer: Option<&'a str>,
    /// The user at the other end of a local socket.
    pub uid: Option<u32>,
}

impl fmt::Debug for Credentials<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("bearer", &self.bearer.map(|_| "[secret]")).field("uid", &self.uid).finish()
    }
}

/// How callers are told apart.
#[derive(Clone, Debug)]
pub struct Identify {
    anonymous: Arc<Principal>,
    serves_anonymous: bool,
    tokens: Vec<(blake3::Hash, Arc<Principal>)>,
    uids: Vec<(u32, Arc<Principal>)>,
}

impl Identify {
    /// Everybody is served and nobody is known.
    pub fn anonymous() -> Self {
        Self {
            anonymous: Arc::new(Principal::anonymous()),
            serves_anonymous: true,
            tokens: Vec::new(),
            uids: Vec::new(),
        }
    }

    /// Nobody is served, until a token or a user is added.
    pub fn nobody() -> Self {
        Self { serves_anonymous: false, ..Self::anonymous() }
    }

    /// Whoever holds this bearer token is this principal. Only a digest of the token is kept.
    #[must_use]
    pub fn with_token(mut self, token: &str, principal: Principal) -> Self {
        self.serves_anonymous = false;
        self.tokens.push((blake3::hash(token.as_bytes()), Arc::new(principal)));
        self
    }

    /// The user of this number on a local socket is this principal.
    #[must_use]
    pub fn with_uid(mut self, uid: u32, principal: Principal) -> Self {
        self.serves_anonymous = false;
        self.uids.push((uid, Arc::new(principal)));
        self
    }

    /// Whether callers without credentials are served.
    pub const fn serves_anonymous(&self) -> bool {
        self.serves_anonymous
    }

    /// Finds out who is calling.
    ///
    /// # Errors
    ///
    /// When the caller has to say who it is and did not, or said something that nobody knows.
    pub fn identify(&self, credentials: &Credentials<'_>) -> Result<Arc<Principal>, Unauthenticated> {
        if self.serves_anonymous {
            return Ok(Arc::clone(&self.anonymous));
        }
        let by_uid = credentials.uid.and_then(|uid| self.uids.iter().find(|(known, _)| *known == uid));
        if let Some((_, principal)) = by_uid {
            return Ok(Arc::clone(principal));
        }
        let Some(token) = credentials.bearer else { return Err(Unauthenticated::Missing) };
        let digest = blake3::hash(token.as_bytes());
        // Digests are compared in constant time, and every one of them is.
        let mut found = None;
        for (known, principal) in &self.tokens {
            if *known == digest {
                found = Some(principal);
            }
        }
        found.map(Arc::clone).ok_or(Unauthenticated::Unknown)
    }
}

/// Why a caller is not served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unauthenticated {
    /// There were no credentials.
    Missing,
    /// Nobody has these credentials.
    Unknown,
}

impl fmt::Display for Unauthenticated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "this server wants `Authorization: Bearer` with its token",
            Self::Unknown => "nobody has this token",
        })
    }
}

impl std::error::Error for Unauthenticated {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_is_who_its_credentials_say_and_nobody_else() {
        let identify = Identify::nobody()
            .with_token("secret", Principal::client("token", "ci"))
            .with_uid(1000, Principal::person("uid", "1000"));
        let who =
            |bearer, uid| identify.identify(&Credentials { bearer, uid }).map(|principal| principal.subject.clone());
        assert_eq!(who(Some("secret"), None), Ok("ci".to_owned()));
        assert_eq!(who(None, Some(1000)), Ok("1000".to_owned()));
        assert_eq!(who(None, None), Err(Unauthenticated::Missing));
        assert_eq!(who(Some("secre"), Some(0)), Err(Unauthenticated::Unknown));
        assert_eq!(Identify::nobody().identify(&Credentials::default()), Err(Unauthenticated::Missing));
        assert!(!format!("{:?}", Credentials { bearer: Some("secret"), uid: None }).contains("\"secret\""));
    }
}
