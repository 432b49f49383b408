//! Whole conversations as files: what a client writes, and what it has to read.
//!
//! A line `> …` is written to the server as it stands; `< …` is a JSON message that has to be read, in any order within
//! a run of such lines. The string `«any»` in an expected message stands for any value, and `…` at the end of a string
//! for any rest. Other lines are comments.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

/// How long a test waits for one message.
const PATIENCE: Duration = Duration::from_secs(20);

/// One turn of a conversation.
#[derive(Debug)]
enum Turn {
    Read(Vec<(usize, Value)>),
    Write(String),
}

/// A conversation.
#[derive(Debug)]
pub struct Transcript {
    turns: Vec<Turn>,
}

impl Transcript {
    /// Reads a conversation.
    ///
    /// # Panics
    ///
    /// When an expected line is no JSON.
    pub fn parse(text: &str) -> Self {
        let mut turns: Vec<Turn> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if let Some(written) = line.strip_prefix("> ") {
                turns.push(Turn::Write(written.to_owned()));
            } else if let Some(expected) = line.strip_prefix("< ") {
                let expected = serde_json::from_str(expected)
                    .unwrap_or_else(|error| panic!("line {} is no JSON: {error}", number + 1));
                match turns.last_mut() {
                    Some(Turn::Read(messages)) => messages.push((number + 1, expected)),
                    _ => turns.push(Turn::Read(vec![(number + 1, expected)])),
                }
            }
        }
        assert!(!turns.is_empty(), "a transcript without a turn shows nothing");
        Self { turns }
    }

    /// Plays the client's part against a program over stdin and stdout, then closes stdin and waits for its end.
    ///
    /// # Panics
    ///
    /// When the program answers something else, too much or nothing, or does not end well.
    pub fn play(&self, command: &mut Command) {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut input = child.stdin.take().expect("stdin is piped");
        let output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        for turn in &self.turns {
            match turn {
                Turn::Write(line) => writeln!(input, "{line}").expect("the program reads"),
                Turn::Read(expected) => read(expected, &lines),
            }
        }
        drop(input);
        if let Ok(line) = lines.recv_timeout(PATIENCE) {
            panic!("nobody expected this message: {line}");
        }
        let status = child.wait().expect("the program ends");
        assert!(status.success(), "the program ended with {status}");
    }
}

/// Takes as many messages as are expected and pairs them up.
fn read(expected: &[(usize, Value)], lines: &mpsc::Receiver<String>) {
    let mut open: Vec<&(usize, Value)> = expected.iter().collect();
    while !open.is_empty() {
        let Ok(line) = lines.recv_timeout(PATIENCE) else {
            panic!("no message came for line {}: {}", open[0].0, open[0].1);
        };
        let got: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("no JSON came: {error}: {line}"));
        if let Some(position) = open.iter().position(|(_, wanted)| matches(wanted, &got)) {
            open.remove(position);
        } else {
            let mut text = format!("none of the expected messages came, but\n  {got}\nexpected were\n");
            for (number, wanted) in open {
                writeln!(text, "  line {number}: {wanted}").expect("a string takes text");
            }
            panic!("{text}");
        }
    }
}

/// Whether a message is as expected.
pub fn matches(wanted: &Value, got: &Value) -> bool {
    match (wanted, got) {
        (Value::String(any), _) if any == "«any»" => true,
        (Value::String(wanted), Value::String(got)) => match wanted.strip_suffix('…') {
            Some(beginning) => got.starts_with(beginning),
            None => wanted == got,
        },
        (Value::Array(wanted), Value::Array(got)) => {
            wanted.len() == got.len() && wanted.iter().zip(got).all(|(wanted, got)| matches(wanted, got))
        }
        (Value::Object(wanted), Value::Object(got)) => {
            wanted.len() == got.len()
                && wanted.iter().all(|(key, wanted)| got.get(key).is_some_and(|got| matches(wanted, got)))
        }
        (wanted, got) => wanted == got,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_wildcard_matches_anything_and_nothing_else_does() {
        assert!(matches(&json!({"a": "«any»", "b": "x…"}), &json!({"a": [1], "b": "xyz"})));
        for (wanted, got) in [
            (json!({"a": 1}), json!({"a": 1, "b": 2})),
            (json!({"a": 1, "b": "«any»"}), json!({"a": 1})),
            (json!([1, 2]), json!([1])),
            (json!(1), json!("1")),
        ] {
            assert!(!matches(&wanted, &got), "{wanted} {got}");
        }
    }
}
