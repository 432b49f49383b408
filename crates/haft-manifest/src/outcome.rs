//! What a program wrote and how it ended, as the result of a call.

use haft_child::{Captured, Ending, Finished};
use haft_core::{CallOutcome, ToolError};
use haft_schema::Tree;
use haft_wire::model::{Content, ToolResult};
use serde_json::value::RawValue;

use crate::command::{Command, Form};
use crate::quantity::{show_duration, show_size};

/// The result of a run.
pub(crate) fn outcome(command: &Command, finished: &Finished) -> CallOutcome {
    match finished.ending {
        Ending::Exited(status) if command.ok_exit.contains(&status) => succeeded(command, finished),
        Ending::OutputLimit if command.form != Some(Form::Json) => cut(command, finished),
        ending => CallOutcome::Failed(failed(command, finished, &how(command, ending))),
    }
}

fn succeeded(command: &Command, finished: &Finished) -> CallOutcome {
    let output = command.conceal(&finished.stdout.bytes);
    match command.form {
        Some(Form::Json) => match data(&output) {
            Ok(result) => CallOutcome::Done(result),
            Err(what) => CallOutcome::Failed(failed(command, finished, &what)),
        },
        Some(Form::Text) | None => CallOutcome::Done(text(command, &output)),
    }
}

/// The output as text; what is no text is said to be none.
fn text(command: &Command, output: &[u8]) -> ToolResult {
    let (text, replaced) = readable(output);
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let mut result = ToolResult::text(if output.is_empty() { command.empty.as_str() } else { text });
    if replaced > 0 {
        result.content.push(Content::text(format!(
            "The output is not all text: {replaced} invalid UTF-8 sequences are shown as U+FFFD."
        )));
    }
    result
}

fn data(output: &[u8]) -> Result<ToolResult, String> {
    let text = str::from_utf8(output).map_err(|_| "the command's output is no JSON: it is not UTF-8".to_owned())?;
    let tree = Tree::parse(text.trim()).map_err(|error| format!("the command's output is no JSON: {error}"))?;
    // Written again, because a message of the protocol may stand on a single line only.
    let value = RawValue::from_string(tree.to_json()).map_err(|_| "the command's output is no JSON".to_owned())?;
    Ok(ToolResult::structured(value))
}

/// The output up to the limit. A program that only reads lost nothing when it was stopped there.
fn cut(command: &Command, finished: &Finished) -> CallOutcome {
    let bytes = &finished.stdout.bytes;
    let shown = match bytes.iter().rposition(|byte| *byte == b'\n') {
        Some(end) => bytes.get(..=end).unwrap_or_default(),
        None => whole_characters(bytes),
    };
    let mut result = text(command, &command.conceal(shown));
    let limit = show_size(command.limits.stdout as u64);
    result.content.push(Content::text(format!(
        "The output was cut after {} bytes: the command wrote more than {limit} and was stopped. Ask for less.",
        shown.len()
    )));
    if command.is_read_only { CallOutcome::Done(result) } else { CallOutcome::Failed(ToolError::with_result(result)) }
}

fn how(command: &Command, ending: Ending) -> String {
    match ending {
        Ending::Exited(status) => format!("the command ended with exit status {status}"),
        Ending::Killed => "the command was ended before it was done".to_owned(),
        Ending::OutputLimit => {
            let limit = show_size(command.limits.stdout as u64);
            format!("the command wrote more than {limit} and was stopped; ask for less")
        }
        Ending::Signalled(signal) => format!("the command was ended by signal {signal}"),
        Ending::TimedOut => {
            let limit = show_duration(command.limits.timeout);
            format!("the command did not end within {limit} and was stopped; ask for less")
        }
        _ => "the command did not end as it should".to_owned(),
    }
}

/// How it failed, and the last that it said.
fn failed(command: &Command, finished: &Finished, how: &str) -> ToolError {
    let mut message = how.to_owned();
    for (name, captured, part) in [("stderr", &finished.stderr, Part::Last), ("stdout", &finished.stdout, Part::First)]
    {
        let bytes = command.conceal(&captured.bytes);
        let (shown, of_which) = excerpt(&bytes, captured, part);
        if !shown.is_empty() {
            message.extend(["\n", name, &of_which, ":\n", &shown]);
        }
    }
    ToolError::tell(message)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    First,
    Last,
}

/// The beginning or the end of an output, and what it is when it is not all.
fn excerpt(bytes: &[u8], captured: &Captured, part: Part) -> (String, String) {
    let start = if part == Part::Last { bytes.len().saturating_sub(EXCERPT) } else { 0 };
    let end = (start + EXCERPT).min(bytes.len());
    let shown = whole_characters(bytes.get(start..end).unwrap_or_default());
    let (text, replaced) = readable(shown);
    let is_all = shown.len() == bytes.len() && !captured.truncated();
    let word = if part == Part::Last { "last" } else { "first" };
    let of_which = match (is_all, replaced) {
        (true, 0) => String::new(),
        (true, _) => " (not all UTF-8)".to_owned(),
        (false, 0) => format!(" (the {word} {} bytes)", shown.len()),
        (false, _) => format!(" (the {word} {} bytes, not all UTF-8)", shown.len()),
    };
    (text.trim_end().to_owned(), of_which)
}

/// The bytes without the characters at both ends that a cut went through.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    let is_inside = |byte: &&u8| (**byte & 0xC0) == 0x80;
    let start = bytes.iter().take_while(is_inside).count().min(3);
    let bytes = bytes.get(start..).unwrap_or_default();
    match str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.get(..error.valid_up_to()).unwrap_or_default(),
        _ => bytes,
    }
}

/// The bytes as text, and how many sequences in them are none.
fn readable(bytes: &[u8]) -> (String, usize) {
    let mut text = String::with_capacity(bytes.len());
    let mut replaced = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
            replaced += 1;
        }
    }
    (text, replaced)
}

/// Hosts cut the text of an error; the cause should be in what they keep.
const EXCERPT: usize = 4000;
