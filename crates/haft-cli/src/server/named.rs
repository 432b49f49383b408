//! What a person named, and how they would name it again.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use haft_client::target::{HeaderFlag, NamedBy, RemoteUrl, Surroundings, Target, TargetError};
use haft_diag::{Diagnostic, escape};
use haft_policy::Origin;

use crate::arguments::Reach;
use crate::environment;
use crate::failure::Failure;
use crate::printer;

/// A target, and how to speak of it.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) target: Target,
    /// How long the server may take to start, where its file says so.
    pub(crate) startup_timeout: Option<Duration>,
    /// How long a call may take, where its file says so.
    pub(crate) call_timeout: Option<Duration>,
    /// The words for a command line, escaped, each with a space in front; the command after `--` is left out.
    pub(crate) words: String,
    /// Whether a command after `--` is the target.
    pub(crate) is_command: bool,
}

/// Finds out what is meant: the command, the target, or the manifest here or above.
pub(crate) fn resolve(target: Option<&str>, command: &[OsString], reach: &Reach) -> Result<Named, Failure> {
    let here = here()?;
    let surroundings = surroundings(&here, &reach.input);
    let loaded = match target {
        Some(target) if !command.is_empty() => {
            let message = format!("the command after `--` is the target, and so is `{}`", escape(target));
            return Err(Diagnostic::error(message).hint("leave out one of the two").into());
        }
        Some(target) => Target::parse(target, &surroundings),
        None if command.is_empty() => Target::discover(&surroundings),
        None => Target::command(command.to_vec(), &surroundings),
    };
    let loaded = loaded.map_err(|error| unusable(&error))?;
    for note in &loaded.notes {
        printer::tell(&format!("note: {}\n", escape(note)));
    }
    let flags = reach.header.iter().map(|text| HeaderFlag::parse(text, &surroundings));
    let flags: Vec<HeaderFlag> = flags.collect::<Result<_, _>>().map_err(|error| Diagnostic::from_error(&error))?;
    let target_with_headers = loaded.target.with_headers(flags).map_err(|error| Diagnostic::from_error(&error))?;
    let words = match (&target_with_headers, target) {
        // A query may hold a key.
        (Target::Remote { url, named_by: NamedBy::CommandLine, .. }, _) => format!(" {}", quoted(&url.to_string())),
        (_, Some(target)) => format!(" {}", escape(&quoted(target))),
        (_, None) => String::new(),
    };
    Ok(Named {
        target: target_with_headers,
        startup_timeout: loaded.startup_timeout,
        call_timeout: loaded.call_timeout,
        words,
        is_command: !command.is_empty(),
    })
}

/// Where the process runs.
pub(super) fn here() -> Result<std::path::PathBuf, Failure> {
    environment::current_directory()
        .map_err(|error| Diagnostic::error("the current directory is not known").cause(error.to_string()).into())
}

/// What targets are read with.
pub(crate) fn surroundings<'a>(here: &Path, inputs: &[(String, String)]) -> Surroundings<'a> {
    let surroundings = Surroundings::new(here, &environment::variable);
    inputs.iter().fold(surroundings, |surroundings, (id, value)| surroundings.input(id, value))
}

/// A target that is none, as a person is told.
pub(crate) fn unusable(error: &TargetError) -> Failure {
    let diagnostic = Diagnostic::from_error(error);
    match error.hint() {
        Some(hint) => diagnostic.hint(hint).into(),
        None => diagnostic.into(),
    }
}

impl Named {
    /// The name under which a policy knows the source of its tools, without a dot.
    pub(crate) fn source(&self) -> String {
        let name = match &self.target {
            Target::Manifest { .. } => return Origin::LOCAL.to_owned(),
            Target::Program(program) => {
                if let NamedBy::File { entry, .. } = &program.named_by {
                    entry.clone()
                } else {
                    let name = program.argv.first().map(Path::new).and_then(Path::file_name).unwrap_or_default();
                    name.to_string_lossy().into_owned()
                }
            }
            Target::Remote { url, .. } => return host(url),
            _ => return "saved".to_owned(),
        };
        match name.replace('.', "_") {
            // Nobody else's tools are one's own.
            own if own == Origin::LOCAL => format!("{own}%"),
            name => name,
        }
    }

    /// What the server is, for a person who has to decide about it; escaped.
    pub(crate) fn identity(&self) -> String {
        match &self.target {
            Target::Manifest { path, .. } => format!("the tools of {}", escape(&path.to_string_lossy())),
            Target::Program(program) => {
                if let NamedBy::File { path, entry } = &program.named_by {
                    // Its arguments, which may hold keys, were shown when it was trusted.
                    return format!("{} of {}", escape(entry), escape(&path.to_string_lossy()));
                }
                let words: Vec<String> = program.argv.iter().map(|word| quoted(&word.to_string_lossy())).collect();
                escape(&words.join(" ")).into_owned()
            }
            Target::Remote { url, .. } => url.to_string(),
            Target::Tools(path) => escape(&path.to_string_lossy()).into_owned(),
            _ => "another server".to_owned(),
        }
    }

    /// How to run another command on a tool of the same server, for a hint.
    pub(crate) fn again_with(&self, command: &str, tool: &str) -> String {
        let behind = if self.is_command { " -- …" } else { "" };
        format!("haft {command}{} {}{behind}", self.words, escape(&quoted(tool)))
    }

    /// How to run another command on the same server, for a hint.
    pub(crate) fn again(&self, command: &str) -> String {
        let behind = if self.is_command { " -- …" } else { "" };
        format!("haft {command}{}{behind}", self.words)
    }
}

/// The host in place of dots with `_`, which no host name has that a certificate is for; where one has it all the same,
/// it is written out, so that no two hosts are one source.
fn host(url: &RemoteUrl) -> String {
    let uri = url.uri();
    let host = uri.host().unwrap_or_default().to_ascii_lowercase();
    let is_v6 = host.starts_with('[');
    let host = host.trim_matches(['[', ']']).replace('_', "%5F").replace('.', "_");
    let usual = if uri.scheme_str() == Some("https") { 443 } else { 80 };
    match uri.port_u16() {
        Some(port) if port != usual => format!("{host}:{port}"),
        // So that the last group of an address is not taken for a port.
        _ if is_v6 => format!("{host}:{usual}"),
        _ if host == Origin::LOCAL => format!("{host}%"),
        _ => host,
    }
}

/// A word as a shell would take it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "-_./:=@%+,#~".contains(character);
    if !word.is_empty() && !word.starts_with(['#', '~']) && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(target: &str) -> String {
        let target = Target::parse(target, &Surroundings::new(Path::new("/"), &|_| None)).unwrap().target;
        let named =
            Named { target, startup_timeout: None, call_timeout: None, words: String::new(), is_command: false };
        named.source()
    }

    #[test]
    fn no_two_hosts_are_one_source_and_none_is_ones_own() {
        let cases = [
            ("https://api.example.com/mcp", "api_example_com"),
            ("https://API.example.com:443/mcp?key=x", "api_example_com"),
            ("https://api_example.com/mcp", "api%5Fexample_com"),
            ("http://localhost:7878/mcp", "localhost:7878"),
            ("http://[::1]:7878/mcp", "::1:7878"),
            ("http://[::1]/mcp", "::1:80"),
            ("http://local/mcp", "local%"),
        ];
        for (url, expected) in cases {
            assert_eq!(source(url), expected, "{url}");
        }
    }

    #[test]
    fn words_are_quoted_as_a_shell_needs_it() {
        for (word, expected) in [
            (".mcp.json#files", ".mcp.json#files"),
            ("#x", "'#x'"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("https://x/?a=1&b=2", "'https://x/?a=1&b=2'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
