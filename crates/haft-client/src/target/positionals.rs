//! Which word of `haft call` is the target, which the tool, which an argument.

use haft_diag::escape;
use thiserror::Error;

/// The words before `--`, told apart.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct Positionals {
    /// The target, unless the `haft.toml` here or above or the command after `--` is meant.
    pub target: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// `key=value` and the like.
    pub arguments: Vec<String>,
}

/// Words that do not fit `[TARGET] TOOL [key=value…] [-- command args…]`.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum PositionalsError {
    /// Arguments without a tool.
    #[error("no tool is named before the arguments")]
    NoTool,
    /// What stands where the tool should is a target.
    #[error("no tool is named; `{}` is a target", escape(target))]
    OnlyTarget {
        /// The word; without what follows a `?`, which may be a key.
        target: String,
    },
    /// A target beside a command.
    #[error(
        "`{}` is one word too many: the command after `--` is the target, so only TOOL stands before it",
        escape(word)
    )]
    TargetAndCommand {
        /// The word after the first.
        word: String,
    },
    /// A word that is no argument, after the tool.
    #[error("`{}` is no argument; arguments are written `key=value`", escape(word))]
    UnexpectedWord {
        /// The word.
        word: String,
    },
}

/// Tells the words before `--` apart; `has_command` says that a command follows.
///
/// With a command, the first word is the tool. Without, two words are target and tool, one is the tool. What comes
/// after the tool is an argument and has a `=`.
///
/// # Errors
///
/// When a word has no place, or when there are arguments and no tool.
pub fn split_positionals(words: &[String], has_command: bool) -> Result<Positionals, PositionalsError> {
    let Some((first, others)) = words.split_first() else { return Ok(Positionals::default()) };
    let second = others.first().filter(|word| !is_argument(word));
    let (target, tool, arguments) = match (second, has_command) {
        (Some(word), true) => return Err(PositionalsError::TargetAndCommand { word: word.clone() }),
        // The target may hold a `=`: many URLs do.
        (Some(tool), false) => (Some(first.clone()), tool, others.get(1..).unwrap_or_default()),
        (None, _) => (None, first, others),
    };
    if tool.contains("://") {
        let target = tool.split('?').next().unwrap_or_default().to_owned();
        return Err(PositionalsError::OnlyTarget { target });
    }
    if is_argument(tool) {
        return Err(PositionalsError::NoTool);
    }
    if let Some(word) = arguments.iter().find(|word| !is_argument(word)) {
        return Err(PositionalsError::UnexpectedWord { word: word.clone() });
    }
    Ok(Positionals { target, tool: Some(tool.clone()), arguments: arguments.to_vec() })
}

fn is_argument(word: &str) -> bool {
    word.contains('=')
}
