//! The words of a call: which tool of what, with which arguments.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use haft_client::Tool;
use haft_client::arguments::read_arguments;
use haft_client::target::{PositionalsError, split_positionals};
use haft_diag::{Diagnostic, escape};
use haft_policy::Belief;
use haft_schema::Tree;

use crate::failure::Failure;

/// The words before `--`, told apart.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) target: Option<String>,
    pub(crate) tool: String,
    pub(crate) arguments: Vec<String>,
}

/// Tells the words apart; `command` is for the hints.
pub(crate) fn words(command: &str, words: &[String], has_command: bool) -> Result<Words, Failure> {
    let usage = format!("`haft {command} [TARGET] TOOL [key=value…] [-- COMMAND…]`");
    let split = split_positionals(words, has_command).map_err(|error| {
        let hint = match &error {
            PositionalsError::UnexpectedWord { .. } if words.len() > 2 => {
                format!("a value with blanks is one word in quotes; {usage}")
            }
            _ => usage.clone(),
        };
        Failure::from(Diagnostic::from_error(&error).hint(hint))
    })?;
    let Some(tool) = split.tool else { return Err(Diagnostic::error("no tool is named").hint(usage).into()) };
    if split.target.is_none() && !has_command && looks_like_a_target(&tool) {
        let message = format!("no tool is named; `{}` is a target", escape(&tool));
        let shown = escape(&tool);
        return Err(Diagnostic::error(message).hint(format!("`haft list {shown}` prints its tools; {usage}")).into());
    }
    Ok(Words { target: split.target, tool, arguments: split.arguments })
}

fn looks_like_a_target(word: &str) -> bool {
    let path = Path::new(word.split('#').next().unwrap_or_default());
    let is_named_so = path.extension().is_some_and(|extension| extension == "json" || extension == "toml");
    is_named_so || (word.contains('/') && path.exists())
}

/// The arguments as they were given.
#[derive(Debug)]
pub(crate) enum Given {
    /// A JSON object.
    Exact(String),
    /// `key=value` and the like.
    Words(Vec<String>),
}

impl Given {
    /// Takes the words, or reads what `--args` names.
    pub(crate) fn read(words: Vec<String>, exact: Option<&str>) -> Result<Self, Failure> {
        let Some(exact) = exact else { return Ok(Self::Words(words)) };
        if let Some(word) = words.first() {
            let key = word.split('=').next().unwrap_or_default();
            let message = format!("`--args` gives all arguments at once, and `{}` is one more", escape(key));
            return Err(Diagnostic::error(message).hint("put it into the JSON, or leave out `--args`").into());
        }
        let text = match exact.strip_prefix('@') {
            _ if exact == "-" => bounded(io::stdin()).map_err(|error| {
                Failure::from(Diagnostic::error("cannot read the arguments from stdin").cause(error.to_string()))
            })?,
            Some(path) => file(path).map_err(|error| {
                Failure::from(Diagnostic::error("cannot read the arguments").in_file(path).cause(error.to_string()))
            })?,
            None => exact.as_bytes().to_vec(),
        };
        let text = String::from_utf8(text).map_err(|_| Diagnostic::error("the arguments are not UTF-8"))?;
        let text = text.trim().to_owned();
        let tree = Tree::parse(&text).map_err(|error| {
            let diagnostic = Diagnostic::error("`--args` is no JSON").cause(error.to_string());
            Failure::from(diagnostic.hint("a JSON object in single quotes, such as `'{\"path\":\"a.txt\"}'`"))
        })?;
        let kind = tree.kind();
        if tree.as_object().is_none() {
            return Err(Diagnostic::error(format!("`--args` has to be a JSON object, not {kind}")).into());
        }
        drop(tree);
        Ok(Self::Exact(text))
    }

    /// Whether nothing was given.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Words(words) if words.is_empty())
    }

    /// The arguments for a tool, as JSON text.
    pub(crate) fn arguments(&self, tool: &Tool) -> Result<String, Failure> {
        let words = match self {
            Self::Exact(text) => return Ok(text.clone()),
            Self::Words(words) => words,
        };
        // A schema that is no JSON leaves every value a text.
        let schema = serde_json::from_str(tool.definition().input_schema.get()).unwrap_or_default();
        read_arguments(&schema, words, &file).map_err(|error| {
            let name = escape(&tool.definition().name);
            let diagnostic = Diagnostic::error(format!("the arguments cannot be read for `{name}`"));
            error.problems.iter().fold(diagnostic, |diagnostic, problem| diagnostic.note(problem.to_string())).into()
        })
    }
}

/// The final arguments. Only what one serves oneself is known to fill its defaults in.
pub(crate) fn completed(tool: &Tool, arguments: &str, belief: Belief) -> String {
    let filled = || {
        let schema = tool.input().ok().filter(|_| belief == Belief::Own)?;
        schema.fill_defaults(arguments, &Tree::parse(arguments).ok()?)
    };
    filled().unwrap_or_else(|| arguments.to_owned())
}

fn file(path: &str) -> io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    bounded(File::open(path)?)
}

fn bounded(source: impl io::Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other(format!("larger than {} MiB", LARGEST >> 20)));
    }
    Ok(bytes)
}

/// More than a server takes.
const LARGEST: u64 = 64 << 20;
