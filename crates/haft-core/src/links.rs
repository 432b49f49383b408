//! Contents behind links that tools return: unguessable, bounded, for the caller alone, for a while.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use haft_wire::model::ResourceContents;

use crate::principal::Principal;

/// The contents that `resources/read` serves.
#[derive(Debug)]
pub(crate) struct Links {
    most_bytes: usize,
    lifetime: Duration,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: usize,
    /// Oldest first, so what expires first stands in front.
    items: VecDeque<Item>,
}

#[derive(Debug)]
struct Item {
    uri: String,
    owner: Principal,
    contents: ResourceContents,
    bytes: usize,
    expires: Instant,
}

impl Links {
    pub(crate) fn new(most_bytes: usize, lifetime: Duration) -> Self {
        Self { most_bytes, lifetime, kept: Mutex::default() }
    }

    /// Keeps contents for their owner. `None` when they are larger than everything that may be kept.
    pub(crate) fn keep(
        &self,
        owner: &Principal,
        make: impl FnOnce(String) -> (ResourceContents, usize),
    ) -> Option<String> {
        let mut random = [0_u8; 16];
        getrandom::fill(&mut random).ok()?;
        let uri = format!("haft://result/{:032x}", u128::from_be_bytes(random));
        let (contents, bytes) = make(uri.clone());
        if bytes > self.most_bytes {
            return None;
        }
        let now = Instant::now();
        let mut kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.bytes += bytes;
        kept.items.push_back(Item {
            uri: uri.clone(),
            owner: owner.clone(),
            contents,
            bytes,
            expires: now + self.lifetime,
        });
        while kept.bytes > self.most_bytes || kept.items.front().is_some_and(|item| item.expires <= now) {
            let Some(oldest) = kept.items.pop_front() else { break };
            kept.bytes -= oldest.bytes;
        }
        Some(uri)
    }

    /// What is behind a link, if it is the reader's own and still there.
    pub(crate) fn read(&self, uri: &str, reader: &Principal) -> Option<ResourceContents> {
        let kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.items
            .iter()
            .find(|item| item.uri == uri && item.owner.is_same_subject(reader) && item.expires > Instant::now())
            .map(|item| item.contents.clone())
    }
}
