//! A list of tools that somebody saved, read as if a server had sent it.

use std::collections::HashSet;
use std::path::Path;

use haft_wire::Codec;
use haft_wire::jsonrpc::Raw;

use crate::target::TargetError;
use crate::target::file::{LARGEST_LIST, read};
use crate::tools::Tools;

impl Tools {
    /// Reads a saved list: an array of tools, an object with `tools`, or the answer to `tools/list`.
    ///
    /// What is no tool is set aside, as in a list that comes from a server.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is no such list.
    pub fn saved(path: &Path) -> Result<Self, TargetError> {
        let text = read(path, LARGEST_LIST)?;
        let text = crate::target::comments::blank(&text);
        let unusable = |reason: String| TargetError::UnknownContent { path: path.to_owned(), found: reason };
        let value: &serde_json::value::RawValue =
            serde_json::from_str(&text).map_err(|error| unusable(error.to_string()))?;
        let list = if value.get().starts_with('[') {
            format!("{{\"tools\":{}}}", value.get())
        } else {
            match serde_json::from_str::<Answer<'_>>(value.get()) {
                Ok(Answer { result: Some(result) }) => result.get().to_owned(),
                _ => value.get().to_owned(),
            }
        };
        let raw = Raw::parse(&list).map_err(|error| unusable(error.to_string()))?;
        // This form reads what the others have, and nothing that they do not.
        let page = Codec::newest_with_handshake().decode_tools(raw).map_err(|error| unusable(error.reason))?;
        let mut tools = Self { pages: 1, ..Self::default() };
        let mut names = HashSet::new();
        for definition in page.tools {
            tools.add(definition, false, &mut names);
        }
        tools.set_aside.extend(page.set_aside);
        if page.next_cursor.is_some() {
            tools.missing = Some("it is one page of a list that goes on".to_owned());
        }
        Ok(tools)
    }
}

#[derive(serde::Deserialize)]
struct Answer<'t> {
    #[serde(borrow)]
    result: Option<&'t serde_json::value::RawValue>,
}
