//! `--header 'Name: value'`: a header to send, whose value need not stand on the command line.
//!
//! Other users of the machine can read the arguments of every process. So a secret stands in a variable or in a
//! file, and the header says where: `Authorization: Bearer ${TOKEN}` (in single quotes, or the shell puts the value
//! in place), or `Authorization: @token.txt`, which is the whole value. A value that begins with an `@` of its own
//! has two; `$${` is a `${`.

use std::fmt;
use std::io;
use std::path::PathBuf;

use haft_diag::escape;
use http::{HeaderName, HeaderValue};
use thiserror::Error;

use super::error::shown;
use super::file::{LARGEST_SMALL, read};
use super::surroundings::Surroundings;
use super::{Target, TargetError};

/// A header and its value, which is not printed.
#[derive(Clone)]
pub struct HeaderFlag {
    name: HeaderName,
    value: HeaderValue,
}

impl HeaderFlag {
    /// Reads `Name: value`, `Name: … ${VARIABLE} …` or `Name: @file`.
    ///
    /// # Errors
    ///
    /// When it is none of these, when the variable or the file is missing, and for names that the protocol sets.
    pub fn parse(text: &str, surroundings: &Surroundings<'_>) -> Result<Self, HeaderError> {
        let (name, value) = text.split_once(':').ok_or(HeaderError::NoColon)?;
        let name = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| HeaderError::Name)?;
        if is_reserved(&name) {
            return Err(HeaderError::Reserved { name: name.as_str().to_owned() });
        }
        let value = match value.trim().strip_prefix('@') {
            Some(literal) if literal.starts_with('@') => expand(&name, literal, surroundings)?,
            Some(file) => {
                let path = surroundings.base.join(file);
                let text = read(&path, LARGEST_SMALL).map_err(|error| HeaderError::file(&name, path, error))?;
                text.trim_end_matches(['\r', '\n']).to_owned()
            }
            None => expand(&name, value.trim(), surroundings)?,
        };
        let value = sensitive(&value).ok_or_else(|| HeaderError::Value { name: name.as_str().to_owned() })?;
        Ok(Self { name, value })
    }
}

impl fmt::Debug for HeaderFlag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "HeaderFlag({}: …)", self.name)
    }
}

impl Target {
    /// The same target, which sends these headers, too; they go before those of a file.
    ///
    /// # Errors
    ///
    /// When there are headers and the target is not a URL, which has no headers to send.
    pub fn with_headers(mut self, flags: Vec<HeaderFlag>) -> Result<Self, HeaderError> {
        match &mut self {
            Self::Remote { headers, .. } => {
                for flag in &flags {
                    headers.remove(&flag.name);
                }
                for flag in flags {
                    headers.append(flag.name, flag.value);
                }
            }
            _ if flags.is_empty() => {}
            _ => return Err(HeaderError::NotRemote),
        }
        Ok(self)
    }
}

/// A header that cannot be sent. No message holds its value.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// What stands before the colon is no name.
    #[error("the name of a header has letters, digits and `-` only")]
    Name,
    /// There is no colon.
    #[error("a header is written `Name: value`")]
    NoColon,
    /// A program reads no headers.
    #[error("headers are for servers that are named by a URL")]
    NotRemote,
    /// The protocol, or the connection, sets this one.
    #[error("the header `{name}` is not for a person to set")]
    Reserved {
        /// The name.
        name: String,
    },
    /// The file is too large or is not text.
    #[error("the header `{name}` cannot have the content of `{}`", shown(path))]
    Unfit {
        /// The name.
        name: String,
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("the header `{name}` comes from `{}`, which cannot be read", shown(path))]
    Unreadable {
        /// The name.
        name: String,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The variable is not set.
    #[error("the header `{name}` uses `${{{}}}`, which is not set", escape(variable))]
    Unset {
        /// The name.
        name: String,
        /// The variable.
        variable: String,
    },
    /// The value has a line break or a control character.
    #[error("the value of the header `{name}` holds a character that no header may hold")]
    Value {
        /// The name.
        name: String,
    },
}

impl HeaderError {
    fn file(name: &HeaderName, path: PathBuf, error: TargetError) -> Self {
        let name = name.as_str().to_owned();
        match error {
            TargetError::Unreadable { source, .. } => Self::Unreadable { name, path, source },
            _ => Self::Unfit { name, path },
        }
    }
}

/// Whether the protocol or the connection decides on this header.
pub(super) fn is_reserved(name: &HeaderName) -> bool {
    RESERVED.contains(&name.as_str()) || name.as_str().starts_with("mcp-")
}

/// The value, marked so that it is not printed.
pub(super) fn sensitive(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn expand(name: &HeaderName, text: &str, surroundings: &Surroundings<'_>) -> Result<String, HeaderError> {
    let mut output = String::new();
    let mut rest = text;
    while let Some((literal, tail)) = rest.split_once("${") {
        if let Some(literal) = literal.strip_suffix('$') {
            output.push_str(literal);
            output.push_str("${");
            rest = tail;
            continue;
        }
        output.push_str(literal);
        let Some((variable, after)) = tail.split_once('}') else {
            output.push_str("${");
            rest = tail;
            continue;
        };
        let value = (surroundings.environment)(variable);
        let unset = || HeaderError::Unset { name: name.as_str().to_owned(), variable: variable.to_owned() };
        output.push_str(&value.ok_or_else(unset)?);
        rest = after;
    }
    output.push_str(rest);
    Ok(output)
}

const RESERVED: [&str; 10] = [
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "keep-alive",
    "last-event-id",
    "te",
    "transfer-encoding",
    "upgrade",
];
