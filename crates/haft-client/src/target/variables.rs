//! `${…}` in a file that lists servers: variables of the environment, of the editor, and what a person is asked for.
//!
//! One reading serves all JSON dialects, as their files do not say whose they are: `${VAR}` and `${VAR:-default}`
//! (Claude Code), `${env:VAR}`, `${workspaceFolder}`, `${workspaceFolderBasename}`, `${userHome}`,
//! `${pathSeparator}`, `${/}`, `${cwd}` (VS Code, Cursor) and `${input:id}` (VS Code). What a variable holds is
//! placed as it is and not read again. Zed and Codex expand nothing, so nothing is expanded in their files.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use super::TargetError;
use super::expanded::Expanded;
use super::inputs::Input;
use super::surroundings::Surroundings;

/// What a text of an entry may refer to.
pub(super) struct Variables<'a> {
    pub(super) surroundings: &'a Surroundings<'a>,
    pub(super) workspace: &'a Path,
    pub(super) inputs: &'a [Input],
    /// Zed and Codex take every text as it stands.
    pub(super) is_expanded: bool,
    /// The variables and inputs of the person that were read so far.
    pub(super) lent: RefCell<BTreeSet<String>>,
}

impl Variables<'_> {
    /// `text` with its variables replaced; `place` is where it stands.
    pub(super) fn expand(&self, text: &str, place: &str, notes: &mut Vec<String>) -> Result<Expanded, TargetError> {
        if !self.is_expanded {
            return Ok(text.to_owned().into());
        }
        if is_bare_variable(text) {
            notes.push(format!("{place}: `{text}` is taken as it stands; a variable is written `${{NAME}}`"));
        }
        let mut output = Expanded::default();
        let mut rest = text;
        while let Some((literal, tail)) = rest.split_once("${") {
            output.push(literal);
            let Some((name, after)) = tail.split_once('}') else {
                output.push("${");
                rest = tail;
                continue;
            };
            if name.contains("${") {
                let what = "a variable inside a variable is not expanded; give one of them a value of its own";
                return Err(TargetError::Unsupported { place: place.to_owned(), what: what.to_owned() });
            }
            let Value { text, lent } = self.value(name, place, notes)?;
            match lent {
                Some(name) => output.push_lent(&text, name),
                None => output.push(&text),
            }
            rest = after;
        }
        output.push(rest);
        Ok(output)
    }

    /// A variable of the person's environment, if it is set.
    pub(super) fn of_environment(&self, name: &str) -> Option<String> {
        let value = (self.surroundings.environment)(name)?;
        self.lent.borrow_mut().insert(name.to_owned());
        Some(value)
    }

    fn value(&self, name: &str, place: &str, notes: &mut Vec<String>) -> Result<Value, TargetError> {
        let shown = format!("${{{name}}}");
        let unset = |remedy: String| TargetError::Unset { place: place.to_owned(), variable: shown.clone(), remedy };
        let export = |variable: &str| format!("set it first: `export {}=…`", haft_diag::escape(variable));
        match name {
            "workspaceFolder" => return Ok(Value::plain(self.workspace.to_string_lossy())),
            "workspaceFolderBasename" => {
                return Ok(Value::plain(self.workspace.file_name().unwrap_or_default().to_string_lossy()));
            }
            "cwd" => return Ok(Value::plain(self.surroundings.base.to_string_lossy())),
            "userHome" => return self.surroundings.home().map(Value::plain).ok_or_else(|| unset(export("HOME"))),
            "pathSeparator" | "/" => return Ok(Value::plain(std::path::MAIN_SEPARATOR.to_string())),
            _ => {}
        }
        let environment = |variable: &str| {
            let text = self.of_environment(variable)?;
            Some(Value { text, lent: Some(variable.to_owned()) })
        };
        if let Some((variable, default)) = name.split_once(":-") {
            // Claude Code documents "if set"; unlike in a shell, a variable that is set to nothing has a value.
            return Ok(environment(variable).unwrap_or_else(|| Value::plain(default)));
        }
        if let Some(id) = name.strip_prefix("input:") {
            let answer = Input::answer(self.inputs, id, self.surroundings, place, notes)?;
            let lent = answer.is_given.then(|| name.to_owned());
            self.lent.borrow_mut().extend(lent.clone());
            return Ok(Value { text: answer.text, lent });
        }
        if let Some(variable) = name.strip_prefix("env:") {
            return environment(variable).ok_or_else(|| unset(export(variable)));
        }
        if !is_variable_name(name) {
            let what = format!("`{}` needs the editor that the file was written for", haft_diag::escape(&shown));
            return Err(TargetError::Unsupported { place: place.to_owned(), what });
        }
        environment(name).ok_or_else(|| unset(export(name)))
    }
}

/// What stands in place of a variable.
struct Value {
    text: String,
    /// The name under which it is the person's.
    lent: Option<String>,
}

impl Value {
    /// What is no secret.
    fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), lent: None }
    }
}

/// Whether a shell could have a variable of this name.
pub(super) fn is_variable_name(name: &str) -> bool {
    let is_inner = |character: char| character.is_ascii_alphanumeric() || character == '_';
    name.chars().all(is_inner) && name.starts_with(|first: char| !first.is_ascii_digit())
}

/// Gemini reads `$NAME`, too; in the other dialects that is just text.
fn is_bare_variable(text: &str) -> bool {
    text.strip_prefix('$').is_some_and(is_variable_name)
}
