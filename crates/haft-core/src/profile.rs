//! Profiles: named views of the catalogue, and who looks through one.

use crate::catalogue::Entry;
use crate::guard::Guard;
use crate::principal::Principal;

/// A named view: of all tools, those that it lists. Visibility still counts on top of it.
#[derive(Debug)]
pub(crate) struct Profile {
    pub(crate) name: String,
    pub(crate) tools: Vec<String>,
}

/// Who looks, through which profile. A tool outside of the view does not exist for the viewer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'v> {
    pub(crate) principal: &'v Principal,
    pub(crate) profile: Option<&'v Profile>,
    pub(crate) guard: Option<&'v Guard>,
}

impl View<'_> {
    pub(crate) fn includes(self, entry: &Entry) -> bool {
        entry.visibility.includes(self.principal)
            && self.profile.is_none_or(|profile| profile.tools.iter().any(|name| name == entry.shown.name.as_str()))
            && self.guard.is_none_or(|guard| guard.sees(entry, self.principal))
    }
}
