//! Who is calling.

use std::fmt;

/// Whoever makes a request: policy, visibility, rates and state are bound to this, never to a connection.
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Principal {
    /// Who vouches for the subject, such as `token`, `uid` or an issuer's URL; empty for nobody.
    pub issuer: String,
    /// The subject under that issuer.
    pub subject: String,
    /// The groups that the issuer puts the subject in.
    pub groups: Vec<String>,
    /// How much is known of the subject.
    pub assurance: Assurance,
}

impl Principal {
    /// Somebody of whom nothing is known.
    pub const fn anonymous() -> Self {
        Self { issuer: String::new(), subject: String::new(), groups: Vec::new(), assurance: Assurance::Anonymous }
    }

    /// A client program that an issuer vouches for.
    pub fn client(issuer: impl Into<String>, subject: impl Into<String>) -> Self {
        Self { issuer: issuer.into(), subject: subject.into(), groups: Vec::new(), assurance: Assurance::Client }
    }

    /// A person that an issuer vouches for.
    pub fn person(issuer: impl Into<String>, subject: impl Into<String>) -> Self {
        Self { assurance: Assurance::Person, ..Self::client(issuer, subject) }
    }

    /// The same with groups.
    #[must_use]
    pub fn with_groups(mut self, groups: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.groups = groups.into_iter().map(Into::into).collect();
        self
    }

    /// Whether two requests come from the same subject, whatever its groups are now.
    pub fn is_same_subject(&self, other: &Self) -> bool {
        self.assurance == other.assurance && self.issuer == other.issuer && self.subject == other.subject
    }

    /// A text that no other subject has, to bind state to.
    pub(crate) fn binding(&self) -> String {
        format!("{:?}\n{:?}\n{:?}", self.assurance, self.issuer, self.subject)
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.assurance {
            Assurance::Anonymous => f.write_str("anonymous"),
            Assurance::Client | Assurance::Person => write!(f, "{}:{}", self.issuer, self.subject),
        }
    }
}

/// How much is known of a principal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Assurance {
    /// Nothing.
    Anonymous,
    /// Which program.
    Client,
    /// Which person.
    Person,
}
