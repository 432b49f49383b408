//! A folder with files, and what targets in it mean, as text.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use haft_client::target::{Loaded, Surroundings, Target, TargetError};
use tempfile::TempDir;

/// The variables of every test; a secret is in one of them.
pub(crate) fn variable(name: &str) -> Option<String> {
    let value = match name {
        "HOME" => "/home/anna",
        "TOKEN" => "s3cret",
        "EMPTY" => "",
        "HOST" => "tickets.example",
        "HAFT_INPUT_API_KEY" => "s3cret-from-variable",
        "SCRIPT" => "${TOKEN}",
        _ => return None,
    };
    Some(value.to_owned())
}

/// A temporary folder, free of links.
pub(crate) struct Folder {
    path: PathBuf,
    _folder: TempDir,
}

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        Self { path: folder.path().canonicalize().unwrap(), _folder: folder }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn surroundings(&self) -> Surroundings<'static> {
        Surroundings::new(&self.path, &variable)
    }

    pub(crate) fn parse(&self, text: &str) -> Result<Loaded, TargetError> {
        Target::parse(text, &self.surroundings())
    }

    /// What `text` means: the target, then a line for each note, or the error and its hint. The folder is `~`.
    pub(crate) fn meaning(&self, text: &str) -> String {
        self.written(self.parse(text))
    }

    pub(crate) fn written(&self, loaded: Result<Loaded, TargetError>) -> String {
        let text = match loaded {
            Ok(loaded) => described(&loaded),
            Err(error) => {
                let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
                let hint = error.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
                format!("error: {error}{source}{hint}")
            }
        };
        text.replace(self.path.to_str().unwrap(), "~")
    }
}

fn described(loaded: &Loaded) -> String {
    let mut text = match &loaded.target {
        Target::Manifest { path, is_discovered, .. } => {
            format!("manifest {}{}", path.display(), if *is_discovered { " (discovered)" } else { "" })
        }
        Target::Program(program) => {
            let words: Vec<_> = program.argv.iter().map(|word| word.to_str().unwrap()).collect();
            let variables = program.environment.iter().map(|(name, value)| format!(" {name}={}", value.expose()));
            format!("[{}] in {}{}", words.join("|"), program.directory.display(), variables.collect::<String>())
        }
        Target::Remote { url, headers, .. } => {
            let headers = headers.iter().map(|(name, value)| format!(" {name}: {};", value.to_str().unwrap()));
            format!("{}{}", url.uri(), headers.collect::<String>())
        }
        Target::Tools(path) => format!("tools {}", path.display()),
        other => format!("{other:?}"),
    };
    let notes = loaded.notes.iter().map(|note| format!("note: {note}"));
    if loaded.startup_timeout.is_some() || loaded.call_timeout.is_some() {
        text = format!("{text} start {:?} call {:?}", loaded.startup_timeout, loaded.call_timeout);
    }
    std::iter::once(text).chain(notes).collect::<Vec<_>>().join("\n")
}
