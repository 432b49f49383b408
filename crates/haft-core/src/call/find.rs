//! The tool of a name, if the caller may see it.

use std::sync::Arc;

use haft_wire::Fault;

use crate::catalogue::{Catalogue, Entry};
use crate::profile::View;

/// A tool that the caller may not see is answered byte for byte like one that does not exist.
pub(super) fn find<'c>(catalogue: &'c Catalogue, name: &str, viewer: View<'_>) -> Result<&'c Arc<Entry>, Fault> {
    catalogue.find(name, viewer).ok_or_else(|| {
        let visible = catalogue.visible(viewer).map(|entry| entry.shown.name.as_str());
        let suggestion = haft_diag::nearest(name, visible).map(ToOwned::to_owned);
        Fault::UnknownTool { name: name.to_owned(), suggestion }
    })
}
