//! Lists of tools as ready bytes, and the pages of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use haft_wire::model::{CacheHint, CacheScope};
use haft_wire::{Codec, Fault};

use super::{Catalogue, Entry};
use crate::profile::View;
use crate::server::Shared;

/// Whole lists that were made before, by codec and by what is visible.
#[derive(Default)]
pub(super) struct Listings(Mutex<HashMap<ListKey, Arc<[u8]>>>);

/// The codec, and the fingerprint of what is visible.
type ListKey = (Codec, u64);

/// A page, ready to be sent.
pub(crate) struct Page {
    pub(crate) tools: Arc<[u8]>,
    pub(crate) next_cursor: Option<String>,
    pub(crate) cache: CacheHint,
}

/// Different lists that are kept; there are as many as revisions times sets of groups.
const MOST_LISTS: usize = 256;

impl Catalogue {
    /// The page of tools that begins at a cursor.
    pub(crate) fn page(
        &self,
        server: &Shared,
        codec: Codec,
        viewer: View<'_>,
        cursor: Option<&str>,
    ) -> Result<Page, Fault> {
        let scope = if self.is_filtered(viewer) { CacheScope::Private } else { CacheScope::Public };
        let ttl = u64::try_from(server.limits.list_ttl.as_millis()).unwrap_or(u64::MAX);
        let cache = CacheHint::new(ttl, scope);
        let after = match cursor {
            None => None,
            Some(cursor) => Some(server.seal.place(cursor).ok_or_else(|| Fault::InvalidParams {
                message: "`cursor` is none that this server gave out".to_owned(),
            })?),
        };
        let (None, None) = (&after, server.limits.page_size) else {
            let size = server.limits.page_size.unwrap_or(usize::MAX).max(1);
            let mut rest = self
                .visible(viewer)
                .skip_while(|entry| after.as_deref().is_some_and(|after| entry.shown.name.as_str() <= after));
            let page: Vec<&Arc<Entry>> = rest.by_ref().take(size).collect();
            let more = rest.next().is_some();
            let last = page.last().map(|entry| entry.shown.name.as_str());
            let next_cursor = last.filter(|_| more).map(|name| server.seal.cursor(name));
            return Ok(Page { tools: join(page.into_iter(), codec), next_cursor, cache });
        };
        let key = (codec, if self.is_filtered(viewer) { self.fingerprint(viewer) } else { 0 });
        let mut lists = self.listings.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if lists.len() >= MOST_LISTS && !lists.contains_key(&key) {
            lists.clear();
        }
        let tools = lists.entry(key).or_insert_with(|| join(self.visible(viewer), codec));
        Ok(Page { tools: Arc::clone(tools), next_cursor: None, cache })
    }
}

fn join<'e>(entries: impl Iterator<Item = &'e Arc<Entry>>, codec: Codec) -> Arc<[u8]> {
    let mut bytes = Vec::new();
    for entry in entries {
        if !bytes.is_empty() {
            bytes.push(b',');
        }
        bytes.extend_from_slice(entry.encoded(codec));
    }
    bytes.into()
}
