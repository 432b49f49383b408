//! Which tools there are: built from sources and transforms, swapped as a whole, listed from ready bytes.

mod digest;
mod entry;
mod listing;
mod transform;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

pub(crate) use entry::Entry;
pub use entry::{SourceId, ToolId, Visibility};
use listing::Listings;
pub use transform::Transform;

use crate::build::BuildError;
use crate::guard::Guard;
use crate::profile::View;
use crate::tool::Tool;

/// All tools, sorted by the name under which they are shown.
pub(crate) struct Catalogue {
    entries: Vec<Arc<Entry>>,
    index: HashMap<String, Arc<Entry>>,
    sources: Vec<(SourceId, Vec<Arc<dyn Tool>>)>,
    transforms: Vec<Transform>,
    listings: Listings,
    /// Changes whenever what is shown changes.
    shown: u64,
    /// Whether some tools are not for everybody.
    is_restricted: bool,
}

impl Catalogue {
    pub(crate) fn build(
        sources: Vec<(SourceId, Vec<Arc<dyn Tool>>)>,
        transforms: Vec<Transform>,
    ) -> Result<Self, BuildError> {
        transform::check_names(&sources, &transforms)?;
        Self::rebuild(sources, transforms, &HashMap::new())
    }

    /// The same with more tools of a source.
    pub(crate) fn with_tools(&self, source: SourceId, tools: Vec<Arc<dyn Tool>>) -> Result<Self, BuildError> {
        let mut sources = self.sources.clone();
        match sources.iter_mut().find(|(known, _)| *known == source) {
            Some((_, known)) => known.extend(tools),
            None => sources.push((source, tools)),
        }
        Self::rebuild(sources, self.transforms.clone(), &self.index)
    }

    /// The same without the tool that is shown under a name, and whether there was one.
    pub(crate) fn without(&self, name: &str) -> (Self, bool) {
        let gone = self.index.get(name);
        let sources = self
            .sources
            .iter()
            .map(|(source, tools)| {
                let kept = tools.iter().filter(|tool| !gone.is_some_and(|entry| entry.is(tool))).map(Arc::clone);
                (source.clone(), kept.collect())
            })
            .collect();
        let entries = self.entries.iter().filter(|entry| entry.shown.name.as_str() != name).map(Arc::clone).collect();
        (Self::of(entries, sources, self.transforms.clone()), gone.is_some())
    }

    /// Looks up a tool that the principal may see.
    pub(crate) fn find(&self, name: &str, viewer: View<'_>) -> Option<&Arc<Entry>> {
        self.index.get(name).filter(|entry| viewer.includes(entry))
    }

    /// The tools that a principal may see, in the order of the list.
    pub(crate) fn visible<'v>(&'v self, viewer: View<'v>) -> impl Iterator<Item = &'v Arc<Entry>> {
        self.entries.iter().filter(move |entry| viewer.includes(entry))
    }

    /// A number that changes whenever what the principal sees changes.
    pub(crate) fn fingerprint(&self, viewer: View<'_>) -> u64 {
        if self.is_filtered(viewer) {
            let mut hasher = DefaultHasher::new();
            self.visible(viewer).for_each(|entry| entry.shown_digest.as_bytes().hash(&mut hasher));
            hasher.finish()
        } else {
            self.shown
        }
    }

    /// Whether a viewer sees something else than everybody.
    pub(crate) fn is_filtered(&self, viewer: View<'_>) -> bool {
        self.is_restricted || viewer.profile.is_some() || viewer.guard.is_some_and(Guard::hides)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.shown.name.as_str().to_owned()).collect()
    }

    fn rebuild(
        sources: Vec<(SourceId, Vec<Arc<dyn Tool>>)>,
        transforms: Vec<Transform>,
        known: &HashMap<String, Arc<Entry>>,
    ) -> Result<Self, BuildError> {
        let mut entries: Vec<Arc<Entry>> = Vec::new();
        let known: HashMap<usize, &Arc<Entry>> =
            known.values().map(|entry| (Arc::as_ptr(&entry.tool).addr(), entry)).collect();
        for (source, tools) in &sources {
            for tool in tools {
                let kept = known.get(&Arc::as_ptr(tool).addr()).filter(|entry| entry.id.source == *source);
                // What was compiled once is not compiled again, as long as no transform could have changed it.
                match kept {
                    Some(entry) if transforms.is_empty() => entries.push(Arc::clone(entry)),
                    _ => {
                        if let Some(draft) = transform::apply(source, tool, &transforms)? {
                            entries.push(Arc::new(draft.compile(kept.map(AsRef::as_ref))?));
                        }
                    }
                }
            }
        }
        entries.sort_by(|left, right| left.shown.name.cmp(&right.shown.name));
        if let Some(pair) = entries.array_windows::<2>().find(|[left, right]| left.shown.name == right.shown.name) {
            return Err(BuildError::Duplicate { name: pair[0].shown.name.to_string() });
        }
        Ok(Self::of(entries, sources, transforms))
    }

    fn of(entries: Vec<Arc<Entry>>, sources: Vec<(SourceId, Vec<Arc<dyn Tool>>)>, transforms: Vec<Transform>) -> Self {
        let index = entries.iter().map(|entry| (entry.shown.name.as_str().to_owned(), Arc::clone(entry))).collect();
        let mut hasher = DefaultHasher::new();
        for entry in &entries {
            entry.shown_digest.as_bytes().hash(&mut hasher);
        }
        let is_restricted = entries.iter().any(|entry| entry.visibility != Visibility::Everybody);
        Self {
            index,
            sources,
            transforms,
            listings: Listings::default(),
            shown: hasher.finish(),
            is_restricted,
            entries,
        }
    }
}
