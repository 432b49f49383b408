//! The key of a folder, and what is derived from it.

use std::io;
use std::path::Path;

use super::AuditError;
use super::folder::unusable;
use crate::{Digest, private};

/// The key of a folder.
#[derive(Clone)]
pub(super) struct Keys {
    arguments: [u8; 32],
    batch: [u8; 32],
    head: [u8; 32],
}

impl Keys {
    /// The key that is kept in `folder`; a new one where there is none.
    pub(super) fn kept_or_new(folder: &Path) -> Result<Self, AuditError> {
        let path = folder.join(NAME);
        let random = private::random::<32>().map_err(unusable(&path))?;
        private::make(&path, &random).map_err(unusable(&path))?;
        Self::kept(folder)
    }

    /// The key that is kept in `folder`.
    pub(super) fn kept(folder: &Path) -> Result<Self, AuditError> {
        let path = folder.join(NAME);
        let kept = private::small(&path).map_err(unusable(&path))?;
        let key: [u8; 32] = kept
            .try_into()
            .map_err(|_| unusable(&path)(io::Error::new(io::ErrorKind::InvalidData, "not a key of 32 bytes")))?;
        Ok(Self {
            arguments: blake3::derive_key("haft-audit 1 arguments", &key),
            batch: blake3::derive_key("haft-audit 1 end of batch", &key),
            head: blake3::derive_key("haft-audit 1 head", &key),
        })
    }

    /// The digest of arguments: nobody without the key can try out what they were.
    pub(super) fn arguments(&self, canonical: &str) -> Digest {
        blake3::keyed_hash(&self.arguments, canonical.as_bytes()).into()
    }

    /// The code of a line that ends a batch.
    pub(super) fn batch(&self, line: &[u8]) -> Digest {
        blake3::keyed_hash(&self.batch, line).into()
    }

    /// The code of a head.
    pub(super) fn head(&self, line: &[u8]) -> Digest {
        blake3::keyed_hash(&self.head, line).into()
    }
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keys").finish_non_exhaustive()
    }
}

const NAME: &str = "key";
