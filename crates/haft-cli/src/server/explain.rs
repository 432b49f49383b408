//! What went wrong with a server, as a person is told.

use std::borrow::Cow;

use haft_client::target::Target;
use haft_client::{ClientError, Sent};
use haft_diag::{Diagnostic, escape};
use haft_transport::client::Fault;

use super::named::Named;
use crate::failure::Failure;

/// The error with its causes, whether the tool may have run, and what to try.
pub(crate) fn explain(error: &ClientError, named: &Named) -> Failure {
    let mut diagnostic = Diagnostic::from_error(error);
    for cause in &mut diagnostic.causes {
        // Text of the server's stays on one line.
        *cause = escape(&shortened(cause)).into_owned();
    }
    if let ClientError::Transport { source, .. } = error
        && let Fault::Connect { origin, .. } = &**source
        && let Target::Remote { url, .. } = &named.target
        && !url.to_string().starts_with(origin.as_str())
    {
        // A variable of the person stands in it.
        for cause in &mut diagnostic.causes {
            *cause = cause.replace(origin.as_str(), &url.to_string());
        }
    }
    if let ClientError::Peer { source, .. } = error {
        diagnostic.causes = vec![format!("error {}: {}", source.code, escape(&shortened(&source.message)))];
    }
    // What is wrong with arguments and results is said by haft, and all of it.
    if !matches!(error, ClientError::Arguments { .. } | ClientError::Result { .. }) {
        diagnostic.message = shortened(&diagnostic.message).into_owned();
    }
    let is_call = matches!(method(error), Some("tools/call"));
    if is_call && error.sent() == Sent::Maybe {
        diagnostic = diagnostic.note("the tool may have run");
    }
    match hint(error, named) {
        Some(hint) => diagnostic.hint(hint).into(),
        None => diagnostic.into(),
    }
}

/// As much of a stranger's text as a person reads in an error.
fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= MOST_OF_A_TEXT {
        return text.into();
    }
    let end = text.floor_char_boundary(MOST_OF_A_TEXT);
    format!("{}…", text.get(..end).unwrap_or_default()).into()
}

fn method(error: &ClientError) -> Option<&'static str> {
    match error {
        ClientError::Closed { method, .. }
        | ClientError::Link { method, .. }
        | ClientError::Timeout { method, .. }
        | ClientError::Transport { method, .. }
        | ClientError::Unreadable { method, .. } => Some(method),
        ClientError::Reply(reply) => Some(reply.method),
        _ => None,
    }
}

fn hint(error: &ClientError, named: &Named) -> Option<String> {
    match error {
        ClientError::NeedsInput { .. } => {
            Some("call it in a terminal, where the server's questions can be answered".to_owned())
        }
        ClientError::Schema { which: "input", .. } => Some("`--no-check` sends the arguments as they are".to_owned()),
        ClientError::Timeout { .. } => Some("`--timeout 5m` waits longer".to_owned()),
        ClientError::Unauthorized { status: 401, .. } => {
            Some("`--header 'Authorization: Bearer ${TOKEN}'` sends a token from a variable".to_owned())
        }
        ClientError::UnknownTool { suggestion: None, .. } => {
            Some(format!("`{}` prints what there is", named.again("list")))
        }
        _ => None,
    }
}

const MOST_OF_A_TEXT: usize = 4 << 10;
