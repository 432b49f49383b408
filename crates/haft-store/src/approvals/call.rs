//! What an approval is for: this caller, this tool as it is now, these arguments.

use crate::Digest;

/// A call as an approval sees it. Names of origin, never the name under which a tool is shown.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "whoever makes one names every part; a new part must not be forgotten")]
pub struct Call<'a> {
    /// A text that no other subject has; it is stored as a digest.
    pub principal: &'a str,
    /// Where the tool comes from. If the name can come to stand for another server (another command, another address), say
    /// here which one it is, too: a grant is bound to this text, and not to what a [`Request`](super::Request) shows of
    /// the server.
    pub source: &'a str,
    /// The tool's name there.
    pub tool: &'a str,
    /// The digest of the tool's definition: a changed definition is another tool.
    pub definition: Digest,
    /// The final arguments as canonical JSON text (`haft_schema::canonical`); a person is shown this text.
    pub arguments: &'a str,
}

/// What a grant is bound to: all parts of a [`Call`] in one digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Binding {
    principal: Digest,
    whole: Digest,
}

impl Call<'_> {
    /// What a grant for this call is bound to.
    pub fn binding(&self) -> Binding {
        let principal = hash("haft-store 1 principal", &[self.principal.as_bytes()]);
        let arguments = hash("haft-store 1 arguments", &[self.arguments.as_bytes()]);
        let parts: [&[u8]; 5] = [
            principal.as_bytes(),
            self.source.as_bytes(),
            self.tool.as_bytes(),
            self.definition.as_bytes(),
            arguments.as_bytes(),
        ];
        Binding { principal, whole: hash("haft-store 1 binding", &parts) }
    }
}

impl Binding {
    /// The digest of the principal alone.
    pub const fn principal(&self) -> Digest {
        self.principal
    }

    /// The digest of everything.
    pub const fn digest(&self) -> Digest {
        self.whole
    }

    #[cfg(feature = "sqlite")]
    pub(super) const fn from_parts(principal: Digest, whole: Digest) -> Self {
        Self { principal, whole }
    }
}

// Arguments may carry secrets, and `{:?}` ends up in logs.
impl std::fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call")
            .field("source", &self.source)
            .field("tool", &self.tool)
            .field("definition", &self.definition)
            .finish_non_exhaustive()
    }
}

/// Each part goes in with its length, so that no two lists of parts feed the same bytes.
fn hash(context: &str, parts: &[&[u8]]) -> Digest {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        // A usize has 64 bits at most.
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_part_of_a_call_counts() {
        let call =
            Call { principal: "p", source: "s", tool: "t", definition: Digest::from_bytes([1; 32]), arguments: "{}" };
        let others = [
            Call { principal: "q", ..call },
            Call { source: "", tool: "st", ..call },
            Call { source: "st", tool: "", ..call },
            Call { tool: "u", ..call },
            Call { definition: Digest::from_bytes([2; 32]), ..call },
            Call { arguments: "[]", ..call },
            call,
        ];
        let found: BTreeSet<Binding> = others.iter().map(Call::binding).collect();
        assert_eq!(found.len(), others.len());
        assert_eq!(call.binding(), Call { ..call }.binding());
        assert_eq!(format!("{:?}", Call { arguments: "s3cret", principal: "s3cret", ..call }).find("s3cret"), None);
    }
}
