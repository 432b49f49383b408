//! Faults of the protocol: what went wrong, told apart before any revision has its say about codes.

use std::fmt;

use serde_json::value::RawValue;

/// Numbers of JSON-RPC errors (2026-07-28, basic: error codes).
pub mod code {
    /// The body is not JSON.
    pub const PARSE: i32 = -32_700;
    /// The body is JSON, but no request.
    pub const INVALID_REQUEST: i32 = -32_600;
    /// No such method, or one that is not advertised.
    pub const METHOD_NOT_FOUND: i32 = -32_601;
    /// The parameters do not have the method's shape.
    pub const INVALID_PARAMS: i32 = -32_602;
    /// The server failed.
    pub const INTERNAL: i32 = -32_603;
    /// No such resource; only in revisions before 2026-07-28.
    pub const RESOURCE_NOT_FOUND: i32 = -32_002;
    /// A header and the body disagree.
    pub const HEADER_MISMATCH: i32 = -32_020;
    /// The request did not declare a capability that the answer needs.
    pub const MISSING_CAPABILITY: i32 = -32_021;
    /// The version that the request names is not served.
    pub const UNSUPPORTED_VERSION: i32 = -32_022;
}

/// What went wrong with a message, before a revision gives it a code and a status.
///
/// Texts never contain values that the peer sent, except names of tools, methods and URIs.
#[derive(Debug)]
#[non_exhaustive]
pub enum Fault {
    /// Too much at once; the same message may be sent again after so many seconds.
    Busy {
        /// Whether the caller alone is over its own rate.
        rate: bool,
        /// Seconds to wait before the next attempt.
        retry_after: u32,
    },
    /// A header is missing, malformed, or says something else than the body.
    HeaderMismatch {
        /// Which header, and how.
        message: String,
    },
    /// The server failed; the log has more under this reference.
    Internal {
        /// What the log calls this failure.
        reference: String,
    },
    /// The parameters do not have the shape that the method wants.
    InvalidParams {
        /// Which parameter, and what was expected.
        message: String,
    },
    /// JSON, but not a JSON-RPC message that is served here.
    InvalidRequest {
        /// What is wrong with the message.
        message: String,
    },
    /// The `_meta` of a stateless request lacks a field or has a malformed one.
    MalformedMeta {
        /// Which field, and what was expected.
        message: String,
    },
    /// No such method, or one that this server does not advertise.
    MethodNotFound {
        /// The method that was asked for.
        method: String,
    },
    /// The answer needs something that the request did not declare it can do.
    MissingCapability {
        /// A `ClientCapabilities` object with what is needed.
        required: Box<RawValue>,
    },
    /// The body is not JSON text in UTF-8.
    Parse {
        /// Where the text stops being JSON.
        message: String,
    },
    /// No such resource, or none that this caller may read.
    ResourceNotFound {
        /// The URI that was asked for.
        uri: String,
    },
    /// No such tool, or none that this caller may see: the two answer alike.
    UnknownTool {
        /// The name that was asked for.
        name: String,
        /// A visible tool with nearly that name.
        suggestion: Option<String>,
    },
    /// The request names a version that is not served.
    UnsupportedVersion {
        /// The version that was asked for.
        requested: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy { rate: true, retry_after } => {
                write!(f, "too many calls from this caller; try again in {retry_after} s")
            }
            Self::Busy { rate: false, retry_after } => {
                write!(f, "the server is busy; try again in {retry_after} s")
            }
            Self::HeaderMismatch { message } | Self::InvalidParams { message } | Self::MalformedMeta { message } => {
                f.write_str(message)
            }
            Self::Internal { reference } => {
                write!(f, "internal error; the server's log explains it under reference {reference}")
            }
            Self::InvalidRequest { message } => write!(f, "not a valid request: {message}"),
            Self::MethodNotFound { method } => write!(f, "no method named `{}`", shortened(method)),
            Self::MissingCapability { required } => {
                write!(f, "the request has to declare these client capabilities: {required}")
            }
            Self::Parse { message } => write!(f, "not JSON: {message}"),
            Self::ResourceNotFound { uri } => write!(f, "no resource at `{}`", shortened(uri)),
            Self::UnknownTool { name, suggestion: None } => write!(f, "no tool named `{}`", shortened(name)),
            Self::UnknownTool { name, suggestion: Some(nearest) } => {
                write!(f, "no tool named `{}`; did you mean `{nearest}`?", shortened(name))
            }
            Self::UnsupportedVersion { requested } => {
                write!(f, "protocol version `{}` is not served", shortened(requested))
            }
        }
    }
}

impl std::error::Error for Fault {}

/// A name as an error repeats it: bounded, whatever was sent.
fn shortened(name: &str) -> String {
    const LIMIT: usize = 128;
    match name.char_indices().nth(LIMIT) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_repeats_no_more_of_a_name_than_a_person_reads() {
        let fault = Fault::MethodNotFound { method: "é".repeat(10_000) };
        assert!(fault.to_string().chars().count() < 200);
    }
}
