//! Questions of a server, put to the person at the prompt.

mod field;

use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use haft_client::{Answer, Answers, Asked};
use haft_diag::escape;
use serde_json::{Map, Value};

use super::progress::Bar;
use crate::sheet::Sheet;
use crate::{person, printer};
use field::{Field, Given};

/// Asks in the terminal during one call.
#[derive(Debug)]
pub(super) struct Terminal {
    /// What the server is, for a person; escaped.
    identity: String,
    bar: Arc<Bar>,
    /// How often the server asked in this call.
    asked: AtomicUsize,
}

impl Terminal {
    pub(super) fn new(identity: String, bar: Arc<Bar>) -> Self {
        Self { identity, bar, asked: AtomicUsize::new(0) }
    }
}

impl Answers for Terminal {
    fn answer<'a>(&'a self, asked: &'a Asked) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        self.bar.clear();
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        if number >= MOST_QUESTIONS {
            if number == MOST_QUESTIONS {
                printer::tell(&format!(
                    "\n{} asked {MOST_QUESTIONS} times in this call; what else it asks is cancelled\n",
                    self.identity
                ));
            }
            return Box::pin(ready(Answer::Cancel));
        }
        let (asked, identity) = (asked.clone(), self.identity.clone());
        Box::pin(async move { person::patiently(move || ask(&asked, &identity)).await.unwrap_or(Answer::Cancel) })
    }
}

fn ask(asked: &Asked, identity: &str) -> Answer {
    let mut text = Sheet::new(format!("\n{identity}, which calls itself `{}`, asks:\n", escape(&asked.server)));
    for line in asked.message().lines().take(MOST_LINES) {
        text.add(&format!("  | {}\n", escape(line)));
    }
    printer::tell(&text.to_string());
    match asked.url() {
        Some(url) => visit(url),
        None => form(asked.schema()),
    }
}

/// The whole address, for the person to judge; nothing is opened.
fn visit(url: &str) -> Answer {
    printer::tell(&format!("it wants you to visit this address, which haft does not open:\n  {}\n", escape(url)));
    match choice("agree to visit it yourself?") {
        Choice::Answer => Answer::Accept(Map::new()),
        Choice::Cancel => Answer::Cancel,
        Choice::Decline => Answer::Decline,
    }
}

fn form(schema: Option<&Value>) -> Answer {
    let fields = Field::all(schema);
    if !fields.is_empty() {
        let names: Vec<String> = fields.iter().map(|field| format!("`{}`", escape(&field.name))).collect();
        printer::tell(&format!("it asks for {}\n", names.join(", ")));
    }
    match choice("answer?") {
        Choice::Answer => {}
        Choice::Cancel => return Answer::Cancel,
        Choice::Decline => return Answer::Decline,
    }
    let mut content = Map::new();
    for field in fields {
        match field.ask() {
            Given::End => return Answer::Cancel,
            Given::Nothing => {}
            Given::Value(value) => drop(content.insert(field.name, value)),
        }
    }
    Answer::Accept(content)
}

enum Choice {
    Answer,
    Cancel,
    Decline,
}

/// Nothing is the answer of somebody who closes the question.
fn choice(question: &str) -> Choice {
    for _ in 0..MOST_ATTEMPTS {
        let Some(answer) = person::line(&format!("{question} [y]es, [n]o, [c]ancel (default): ")) else { break };
        match answer.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => return Choice::Answer,
            "n" | "no" => return Choice::Decline,
            "" | "c" | "cancel" => break,
            _ => {}
        }
    }
    Choice::Cancel
}

const MOST_ATTEMPTS: usize = 5;
const MOST_LINES: usize = 20;
/// More than a call has reason to ask; nobody goes on saying no a thousand times.
const MOST_QUESTIONS: usize = 20;
