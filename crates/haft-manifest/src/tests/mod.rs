//! Manifests as their authors meet them: what is refused, and what a call comes to.

mod calls;
mod conversation;
mod errors;
mod hostile;
mod placing;
mod policies;
mod served;

use std::path::Path;

use crate::{Manifest, ManifestErrors};

/// Reads a manifest as if it stood in the directory of this crate, with a few variables set.
fn parse(text: &str) -> Result<Manifest, ManifestErrors> {
    Manifest::parse(text, Path::new("haft.toml"), &environment)
}

fn environment(name: &str) -> Option<String> {
    let value = match name {
        "PATH" => "/usr/bin:/bin",
        "LANG" => "C.UTF-8",
        "HOME" => "/home/somebody",
        "FOLDER" => "src",
        "API_TOKEN" => "a-long-secret",
        _ => return None,
    };
    Some(value.to_owned())
}

/// A manifest with one tool, of which `rest` is everything but name and description.
fn one_tool(rest: &str) -> String {
    format!("[server]\nname = \"s\"\n\n[[tool]]\nname = \"t\"\ndescription = \"Does it.\"\n{rest}\n")
}
