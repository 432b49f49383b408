//! One entry of a list of servers, in any dialect, as a target.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use http::{HeaderMap, HeaderName};
use serde_json::{Map, Value};

use super::expanded::Expanded;
use super::fields::{Fields, kind};
use super::file::{LARGEST_SMALL, read};
use super::header::{is_reserved, sensitive};
use super::parse::{OLD_TRANSPORT, place_of};
use super::servers::{Entry, is_disabled};
use super::variables::Variables;
use super::{Loaded, NamedBy, Program, RemoteUrl, Secret, Target, TargetError, environment_file, ignored};

/// The target that the entry describes; `file` is canonical, `named` is how the person wrote it.
pub(super) fn load(
    entry: &Entry<'_>,
    file: &Path,
    named: &Path,
    variables: &Variables<'_>,
    notes: Vec<String>,
) -> Result<Loaded, TargetError> {
    let place = place_of(named, entry.name);
    let Some(members) = entry.value.as_object() else {
        let (expected, found) = ("an object".to_owned(), kind(entry.value).to_owned());
        return Err(TargetError::Value { place, expected, found });
    };
    let mut reader = Reader { fields: Fields::new(place, members), variables, notes };
    reader.refuse_what_is_not_done()?;
    for key in ["disabled", "enabled"] {
        reader.fields.boolean(key)?;
    }
    if is_disabled(entry.value) {
        let note = format!("{}: disabled in its file; used because it was named", reader.fields.place);
        reader.notes.push(note);
    }
    let named_by = NamedBy::File { path: file.to_owned(), entry: entry.name.to_owned() };
    let transport = reader.transport()?;
    let command = reader.fields.take("command");
    let url = reader.url()?;
    let target = match (command, url) {
        (Some(_), Some(_)) => return Err(reader.mismatch("`command` or a URL", "both")),
        (None, None) => return Err(reader.nothing()),
        (Some(_), None) if transport == Some(Transport::Http) => {
            return Err(reader.mismatch("a URL, as the type is HTTP", "`command`"));
        }
        (None, Some(_)) if transport == Some(Transport::Stdio) => {
            return Err(reader.mismatch("`command`, as the type is `stdio`", "a URL"));
        }
        (Some(command), None) => Target::Program(reader.program(command, named_by)?),
        (None, Some(url)) => reader.remote(url, transport, named_by)?,
    };
    let startup_timeout = reader.seconds("startup_timeout_sec")?;
    let call_timeout = reader.seconds("tool_timeout_sec")?;
    let Reader { fields, mut notes, .. } = reader;
    notes.extend(ignored::notes(&fields.place, fields.rest()));
    Ok(Loaded { target, notes, startup_timeout, call_timeout })
}

/// What an entry's `type` says.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Transport {
    Http,
    Stdio,
}

struct Reader<'a> {
    fields: Fields<'a>,
    variables: &'a Variables<'a>,
    notes: Vec<String>,
}

impl Reader<'_> {
    fn refuse_what_is_not_done(&mut self) -> Result<(), TargetError> {
        for (key, what) in [
            ("headersHelper", "a program that makes headers is not run; give them with `--header`"),
            ("bearer_token", "Codex does not read it; name a variable in `bearer_token_env_var`"),
        ] {
            if self.fields.take(key).is_some() {
                return Err(TargetError::Unsupported { place: self.fields.at(key), what: what.to_owned() });
            }
        }
        // Zed: `custom` is written out, the others come out of an extension.
        match self.fields.text("source")? {
            None | Some("custom") => Ok(()),
            Some(_) => {
                let what = "only the extension of the editor knows its program".to_owned();
                Err(TargetError::Unsupported { place: self.fields.at("source"), what })
            }
        }
    }

    fn transport(&mut self) -> Result<Option<Transport>, TargetError> {
        let (kind, transport) = (self.fields.text("type")?, self.fields.text("transport")?);
        let (key, Some(word)) = (if kind.is_some() { "type" } else { "transport" }, kind.or(transport)) else {
            return Ok(None);
        };
        let place = self.fields.at(key);
        let plain: String = word.to_ascii_lowercase().chars().filter(|letter| !matches!(letter, '-' | '_')).collect();
        let what = match plain.as_str() {
            "stdio" => return Ok(Some(Transport::Stdio)),
            "http" | "streamablehttp" => return Ok(Some(Transport::Http)),
            "sse" => {
                "the HTTP+SSE transport of 2024-11-05 is not spoken; ask the server's documentation for its streamable \
                 HTTP address, and write `http` here"
            }
            "ws" | "wss" | "websocket" => "MCP does not run over WebSocket; the transports are `stdio` and `http`",
            _ => {
                let expected = "`stdio`, `http` or `streamable-http`".to_owned();
                return Err(TargetError::Value { place, expected, found: "another word".to_owned() });
            }
        };
        Err(TargetError::Unsupported { place, what: what.to_owned() })
    }

    /// The URL, under the name that the entry's host has for it.
    fn url(&mut self) -> Result<Option<(&'static str, Expanded)>, TargetError> {
        let mut found = None;
        for key in ["url", "httpUrl", "serverUrl"] {
            let Some(text) = self.fields.text(key)? else { continue };
            if let Some((other, _)) = found {
                return Err(self.mismatch("one URL", &format!("`{other}` and `{key}`")));
            }
            found = Some((key, self.variables.expand(text, &self.fields.at(key), &mut self.notes)?));
        }
        Ok(found)
    }

    fn remote(
        &mut self,
        (key, url): (&'static str, Expanded),
        transport: Option<Transport>,
        named_by: NamedBy,
    ) -> Result<Target, TargetError> {
        let url =
            RemoteUrl::expanded(&url).map_err(|reason| TargetError::Url { place: self.fields.at(key), reason })?;
        let is_certain = transport.is_some() || key == "httpUrl";
        if url.looks_like_the_old_transport() && !is_certain {
            self.notes.push(format!("{}: {OLD_TRANSPORT}", self.fields.at(key)));
        }
        let mut headers = HeaderMap::new();
        for key in ["headers", "http_headers"] {
            for (name, text) in self.fields.named_texts(key)? {
                let value = self.expand(text, &format!("{key}.{name}"))?;
                self.header(&mut headers, key, name, &value)?;
            }
        }
        for (name, variable) in self.fields.named_texts("env_http_headers")? {
            let value = self.variable(variable, &format!("env_http_headers.{name}"))?;
            self.header(&mut headers, "env_http_headers", name, &value)?;
        }
        if let Some(variable) = self.fields.text("bearer_token_env_var")? {
            let value = format!("Bearer {}", self.variable(variable, "bearer_token_env_var")?);
            self.header(&mut headers, "bearer_token_env_var", "authorization", &value)?;
        }
        Ok(Target::Remote { url, headers, named_by, lent: self.variables.lent.take() })
    }

    fn header(&mut self, headers: &mut HeaderMap, key: &str, name: &str, value: &str) -> Result<(), TargetError> {
        let place = self.fields.at(&format!("{key}.{name}"));
        let Ok(parsed) = HeaderName::from_bytes(name.as_bytes()) else {
            let (expected, found) = ("the name of a header".to_owned(), "another text".to_owned());
            return Err(TargetError::Value { place, expected, found });
        };
        if is_reserved(&parsed) {
            self.notes.push(format!("{place} not sent: the protocol sets it"));
            return Ok(());
        }
        let Some(value) = sensitive(value) else {
            let expected = "the value of a header".to_owned();
            let found = "a text with a character that no header may hold".to_owned();
            return Err(TargetError::Value { place, expected, found });
        };
        if headers.insert(parsed, value).is_some() {
            self.notes.push(format!("{place} replaces another value of this header"));
        }
        Ok(())
    }

    fn program(&mut self, command: &Value, named_by: NamedBy) -> Result<Program, TargetError> {
        // An older form of Zed's has everything in `command`.
        let nested = command.as_object().map(|members| Fields::new(self.fields.at("command"), members));
        let (name, mut arguments, nested_environment) = match nested {
            Some(mut nested) => {
                let Some(name) = nested.text("path")? else {
                    return Err(self.mismatch("`command.path`", "nothing"));
                };
                let found = (name, nested.texts("args")?, nested.object("env")?);
                self.notes.extend(ignored::notes(&nested.place, nested.rest()));
                found
            }
            None => match command.as_str() {
                Some(name) => (name, Vec::new(), None),
                None => return Err(self.fields.wrong("command", "a string", command)),
            },
        };
        arguments.extend(self.fields.texts("args")?);
        let workspace = self.variables.workspace;
        let name = self.expand(name, "command")?;
        // A bare name is looked for in `PATH`; a path is made whole, so that what is trusted is what is started.
        let is_relative_path = name.contains('/') && Path::new(&name).is_relative() && !name.starts_with('~');
        let mut argv = vec![if is_relative_path { workspace.join(&name).into_os_string() } else { name.into() }];
        for (index, argument) in arguments.into_iter().enumerate() {
            argv.push(self.expand(argument, &format!("args[{index}]"))?.into());
        }
        if argv.iter().any(|word: &OsString| word.as_encoded_bytes().contains(&0)) {
            return Err(self.mismatch("a command", "a zero byte in it, which no program can be given"));
        }
        let directory = self.directory()?;
        let environment = self.environment(nested_environment)?;
        Ok(Program { argv, environment, directory, named_by })
    }

    fn directory(&mut self) -> Result<PathBuf, TargetError> {
        let workspace = self.variables.workspace;
        let Some(text) = self.fields.text("cwd")? else { return Ok(workspace.to_owned()) };
        let directory = workspace.join(self.expand(text, "cwd")?);
        if directory.is_dir() {
            return Ok(directory);
        }
        let (expected, found) = ("a directory".to_owned(), "a path that is none".to_owned());
        Err(TargetError::Value { place: self.fields.at("cwd"), expected, found })
    }

    fn environment(&mut self, nested: Option<&Map<String, Value>>) -> Result<BTreeMap<String, Secret>, TargetError> {
        let mut environment = BTreeMap::new();
        if let Some(text) = self.fields.text("envFile")? {
            let path = self.variables.workspace.join(self.expand(text, "envFile")?);
            environment = environment_file::read(&read(&path, LARGEST_SMALL)?).map_err(|line| {
                let reason = "expected `NAME=value`".to_owned();
                TargetError::Syntax { path, format: "environment file", line, reason }
            })?;
        }
        for element in self.fields.take("env_vars").and_then(Value::as_array).into_iter().flatten() {
            let name = element.as_str().or_else(|| element.get("name")?.as_str());
            let Some(name) = name else { return Err(self.fields.wrong("env_vars", "names of variables", element)) };
            if let Some(value) = self.variables.of_environment(name) {
                environment.insert(name.to_owned(), Secret::new(value));
            } else {
                let note = format!("{}: `{}` is not set", self.fields.at("env_vars"), haft_diag::escape(name));
                self.notes.push(note);
            }
        }
        for (name, value) in nested.into_iter().chain(self.fields.object("env")?).flatten() {
            let key = format!("env.{name}");
            let value = match value {
                Value::String(text) => self.expand(text, &key)?,
                Value::Bool(_) | Value::Number(_) => value.to_string(),
                Value::Null => {
                    self.notes.push(format!("{} is null, so it is not set", self.fields.at(&key)));
                    continue;
                }
                Value::Array(_) | Value::Object(_) => return Err(self.fields.wrong(&key, "a string", value)),
            };
            if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
                return Err(self.mismatch("variables that a program can be given", "one with `=` or a zero byte"));
            }
            environment.insert(name.clone(), Secret::new(value));
        }
        Ok(environment)
    }

    fn seconds(&mut self, key: &'static str) -> Result<Option<Duration>, TargetError> {
        let Some(value) = self.fields.take(key) else { return Ok(None) };
        let duration = value.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        duration.map(Some).ok_or_else(|| self.fields.wrong(key, "seconds", value))
    }

    fn expand(&mut self, text: &str, key: &str) -> Result<String, TargetError> {
        Ok(self.variables.expand(text, &self.fields.at(key), &mut self.notes)?.into_text())
    }

    fn variable(&self, name: &str, key: &str) -> Result<String, TargetError> {
        self.variables.of_environment(name).ok_or_else(|| TargetError::Unset {
            place: self.fields.at(key),
            variable: name.to_owned(),
            remedy: format!("set it first: `export {}=…`", haft_diag::escape(name)),
        })
    }

    fn nothing(&self) -> TargetError {
        let near = self
            .fields
            .rest()
            .into_iter()
            .find_map(|key| haft_diag::nearest(key, ["command", "url"]).map(|near| (key, near)));
        match near {
            Some((key, near)) => {
                let found = format!("neither; did `{}` mean `{near}`?", haft_diag::escape(key));
                self.mismatch("`command` or `url`", &found)
            }
            None => self.mismatch("`command` or `url`", "neither"),
        }
    }

    fn mismatch(&self, expected: &str, found: &str) -> TargetError {
        TargetError::Value { place: self.fields.place.clone(), expected: expected.to_owned(), found: found.to_owned() }
    }
}
