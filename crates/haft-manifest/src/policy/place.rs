//! Where in a file a part of a value stands that a JSON Pointer names.

use std::ops::Range;

use toml::de::DeValue;

use crate::table::Value;

/// The place of the part; of what is above it, as near as there is.
///
/// A member is shown by its key, for it is the key that is wrong or that says what is.
pub(super) fn place_of(value: &Value<'_>, pointer: &str) -> Range<usize> {
    let mut place = value.span();
    let mut value = value.get_ref();
    for token in pointer.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        let below = match value {
            DeValue::Table(table) => table.get_key_value(token.as_str()).map(|(key, below)| (key.span(), below)),
            DeValue::Array(values) => {
                let below = token.parse().ok().and_then(|index: usize| values.get(index));
                below.map(|below| (below.span(), below))
            }
            _ => None,
        };
        let Some((found, below)) = below else { break };
        place = found;
        value = below.get_ref();
    }
    place
}
