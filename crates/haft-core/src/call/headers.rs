//! Arguments that are mirrored into headers have to be the same there (2026-07-28, tools: `x-mcp-header`).

use haft_schema::Tree;
use haft_wire::headers::compare;
use haft_wire::{Asks, Codec, Fault};

use crate::catalogue::Entry;

/// Compares each `Mcp-Param-…` of the tool with its argument. Headers of no argument are nobody's business.
pub(super) fn check<'h>(
    entry: &Entry,
    arguments: &Tree<'_>,
    lookup: &(dyn Fn(&str) -> Option<&'h [u8]> + Sync),
    codec: Codec,
) -> Result<(), Fault> {
    // Only requests that carry everything with them mirror arguments.
    if entry.header_params.is_empty() || codec.asks() != Asks::InResult {
        return Ok(());
    }
    for param in &entry.header_params {
        let value = param.path.iter().try_fold(arguments, |place, name| place.get(name));
        let sent = lookup(&param.header);
        match value {
            None | Some(Tree::Null) => compare(&param.header, sent, None)?,
            Some(Tree::String(text)) => compare(&param.header, sent, Some(text))?,
            Some(Tree::Bool(value)) => compare(&param.header, sent, Some(if *value { "true" } else { "false" }))?,
            Some(number) => same_number(&param.header, sent, number)?,
        }
    }
    Ok(())
}

/// Integers are compared as numbers: `42.0` is `42`.
fn same_number(header: &str, sent: Option<&[u8]>, value: &Tree<'_>) -> Result<(), Fault> {
    let Some(expected) = value.as_f64() else {
        // Whatever else an argument is, its schema will refuse it.
        return Ok(());
    };
    let decoded = sent.and_then(haft_wire::headers::decode).and_then(|text| text.parse::<f64>().ok());
    let agrees = decoded == Some(expected);
    if agrees { Ok(()) } else { compare(header, sent, Some(&format!("{expected}"))) }
}
