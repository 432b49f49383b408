//! From the text of a target to what it means.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf, absolute};

use super::document::Document;
use super::entry::load;
use super::error::shown;
use super::inputs::Input;
use super::surroundings::Surroundings;
use super::variables::Variables;
use super::{Loaded, NamedBy, Program, RemoteUrl, Target, TargetError, servers};

impl Target {
    /// What `text` names: a URL, a file, a folder with a `haft.toml`, or `file#entry`.
    ///
    /// # Errors
    ///
    /// When there is no such thing, when it is nothing to connect to, and when an entry uses a variable that is not
    /// set or something that haft does not do.
    pub fn parse(text: &str, surroundings: &Surroundings<'_>) -> Result<Loaded, TargetError> {
        if text.is_empty() {
            // In a script that is a variable without a value, and not the folder that it would be as a path.
            let (place, expected) = ("the target".to_owned(), "a file or a URL".to_owned());
            return Err(TargetError::Value { place, expected, found: "an empty text".to_owned() });
        }
        if text.contains("://") && !surroundings.base.join(text).exists() {
            return remote(text);
        }
        let (path, entry) = split_entry(text, &surroundings.base);
        if path.is_dir() {
            return if entry.is_some() { Err(TargetError::NotAFile { path }) } else { folder(path) };
        }
        if path.try_exists().is_ok_and(|exists| !exists) {
            return Err(TargetError::NoFile { path, looks_like_url: begins_with_a_host(text) });
        }
        let value = match Document::read(&path)? {
            Document::Servers(value) => value,
            Document::Manifest | Document::Tools if entry.is_some() => {
                let found = "it lists no servers, so `#` picks nothing".to_owned();
                return Err(TargetError::UnknownContent { path, found });
            }
            Document::Manifest => return Ok(Loaded::new(Self::Manifest { path, is_discovered: false })),
            Document::Tools => return Ok(Loaded::new(Self::Tools(path))),
        };
        let canonical = path.canonicalize().map_err(|source| TargetError::Unreadable { path: path.clone(), source })?;
        let entry = servers::pick(&value, &path, entry.as_deref())?;
        let mut notes = Vec::new();
        let inputs = Input::read(value.get("inputs").or_else(|| value.get("mcp")?.get("inputs")), &mut notes);
        let variables = Variables {
            surroundings,
            workspace: workspace_of(&canonical),
            inputs: &inputs,
            is_expanded: entry.is_expanded,
            lent: RefCell::default(),
        };
        load(&entry, &canonical, &path, &variables, notes)
    }

    /// The `haft.toml` in the directory of `surroundings` or the nearest one above.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn discover(surroundings: &Surroundings<'_>) -> Result<Loaded, TargetError> {
        let base = absolute(&surroundings.base).unwrap_or_else(|_| surroundings.base.clone());
        let found = base.ancestors().map(|folder| folder.join(MANIFEST)).find(|path| path.is_file());
        let path = found.ok_or(TargetError::NoManifest { folder: base })?;
        Ok(Loaded::new(Self::Manifest { path, is_discovered: true }))
    }

    /// The program that stands after `--`; it gets no variables beside those that every program gets.
    ///
    /// # Errors
    ///
    /// When nothing stands there.
    pub fn command(argv: Vec<OsString>, surroundings: &Surroundings<'_>) -> Result<Loaded, TargetError> {
        if argv.is_empty() {
            let (place, expected) = ("after `--`".to_owned(), "a command".to_owned());
            return Err(TargetError::Value { place, expected, found: "nothing".to_owned() });
        }
        Ok(Loaded::new(Self::Program(Program {
            argv,
            environment: BTreeMap::new(),
            directory: surroundings.base.clone(),
            named_by: NamedBy::CommandLine,
        })))
    }
}

fn remote(text: &str) -> Result<Loaded, TargetError> {
    // The text stays out of the message: the query of a URL often holds a key.
    let place = || "the URL cannot be used".to_owned();
    let url = RemoteUrl::parse(text).map_err(|reason| TargetError::Url { place: place(), reason })?;
    let mut notes = Vec::new();
    if url.looks_like_the_old_transport() {
        notes.push(OLD_TRANSPORT.to_owned());
    }
    let (headers, lent) = (http::HeaderMap::new(), BTreeSet::new());
    let target = Target::Remote { url, headers, named_by: NamedBy::CommandLine, lent };
    Ok(Loaded { notes, ..Loaded::new(target) })
}

fn folder(path: PathBuf) -> Result<Loaded, TargetError> {
    let manifest = path.join(MANIFEST);
    if manifest.is_file() {
        return Ok(Loaded::new(Target::Manifest { path: manifest, is_discovered: false }));
    }
    let lists = LISTS.iter().map(|name| path.join(name)).filter(|list| list.is_file()).collect();
    Err(TargetError::EmptyFolder { folder: path, lists })
}

/// The file and the entry of `file#entry`. A `#` can belong to either name: the first split whose file exists wins.
fn split_entry(text: &str, base: &Path) -> (PathBuf, Option<String>) {
    let whole = base.join(text);
    if whole.exists() {
        return (whole, None);
    }
    let splits = || text.match_indices('#').filter_map(|(index, _)| Some((text.get(..index)?, text.get(index + 1..)?)));
    let existing = splits().find(|(file, _)| !file.is_empty() && base.join(file).exists());
    match existing.or_else(|| splits().next()) {
        Some((file, entry)) => (base.join(file), Some(entry.to_owned())),
        None => (whole, None),
    }
}

/// `localhost:7878/mcp` and `x.example/mcp`, but no `./x.json`.
fn begins_with_a_host(text: &str) -> bool {
    let (first, has_more) = text.split_once('/').map_or((text, false), |(first, _)| (first, true));
    let has_port = first.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let has_dot = !first.starts_with('.') && first.contains('.');
    has_port || (has_dot && has_more)
}

/// The folder that a file of servers is about: its own, or the one above when editors keep it in a folder of theirs.
/// Relative paths of an entry begin there, and so does its program.
fn workspace_of(file: &Path) -> &Path {
    let folder = file.parent().unwrap_or(file);
    let is_of_an_editor = folder.file_name().and_then(|name| name.to_str()).is_some_and(|name| EDITORS.contains(&name));
    if is_of_an_editor { folder.parent().unwrap_or(folder) } else { folder }
}

/// The name of an entry's file and the entry, for messages.
pub(super) fn place_of(path: &Path, entry: &str) -> String {
    format!("`{}#{}`", shown(path), haft_diag::escape(entry))
}

pub(super) const OLD_TRANSPORT: &str = "the address looks like one of the HTTP+SSE transport of 2024-11-05, which haft \
    does not speak; servers mostly have a streamable HTTP address beside it, often ending in `/mcp`";

const MANIFEST: &str = "haft.toml";
const LISTS: [&str; 4] = [".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", "mcp.json"];
const EDITORS: [&str; 10] =
    [".amazonq", ".codex", ".cursor", ".gemini", ".kiro", ".roo", ".vs", ".vscode", ".windsurf", ".zed"];
