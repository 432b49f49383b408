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

/// Integers are compared as numbers, digit for digit: `42.0` is `42`.
fn same_number(header: &str, sent: Option<&[u8]>, value: &Tree<'_>) -> Result<(), Fault> {
    let expected = match (value.as_i64(), value.as_u64(), value) {
        (Some(integer), _, _) => integer.to_string(),
        (None, Some(integer), _) => integer.to_string(),
        // Beyond what programs count with, only the same digits are the same.
        (None, None, Tree::Float(float)) if float.is_integral() => {
            whole(float.text()).unwrap_or_else(|| float.text().to_owned())
        }
        // Whatever else an argument is, its schema refuses it after this.
        _ => return Ok(()),
    };
    match sent.and_then(haft_wire::headers::decode).and_then(|text| whole(&text)) {
        Some(number) if number == expected => Ok(()),
        _ => compare(header, sent, Some(&expected)),
    }
}

/// The digits of an integer that is written plainly or with a fraction of zeros.
fn whole(text: &str) -> Option<String> {
    let (integer, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = integer.strip_prefix('-').unwrap_or(integer);
    let is_plain = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
        && !fraction.is_empty()
        && fraction.bytes().all(|byte| byte == b'0');
    is_plain.then(|| integer.to_owned())
}
