//! What a person decides by: first what haft knows, then what the server says.

use haft_client::Tool;
use haft_diag::{Diagnostic, escape};
use haft_policy::{Decision, Verdict};
use haft_schema::{canonical, canonical_for_people};

use crate::failure::Failure;
use crate::policy::{effect, origin, unheeded};
use crate::server::Named;

/// A call, to be looked at; escaped.
#[derive(Debug)]
pub(super) struct Card {
    server: String,
    tool: String,
    digest: String,
    arguments: String,
    hints: String,
    all_hints: String,
    decision: String,
    description: String,
    explain: String,
}

impl Card {
    pub(super) fn new(
        named: &Named,
        name: &str,
        tool: &Tool,
        arguments: &str,
        decision: &Decision,
    ) -> Result<Self, Failure> {
        let definition = tool.definition();
        let unreadable = |error: haft_schema::TreeError| Failure::from(Diagnostic::from_error(&error));
        // The digest of a definition: BLAKE3 over it with sorted keys, numbers as written.
        let canonical = canonical(definition.raw.get()).map_err(unreadable)?;
        let hints = &decision.hints;
        let unheeded = unheeded(tool, hints);
        let note = if unheeded.is_empty() { String::new() } else { format!("; not believed: {}", unheeded.join(", ")) };
        let description = definition.description.as_deref().unwrap_or_default();
        Ok(Self {
            server: named.identity(),
            tool: escape(name).into_owned(),
            digest: blake3::hash(canonical.as_bytes()).to_hex().to_string(),
            arguments: canonical_for_people(arguments).map_err(unreadable)?,
            hints: format!("{} ({}{note})", effect(hints), origin(hints)),
            all_hints: hints.to_string(),
            decision: decided(decision),
            description: description.lines().take(MOST_LINES).map(shortened).collect(),
            explain: named.again_with("policy explain", &definition.name),
        })
    }

    /// The tool, as a policy knows it.
    pub(super) fn tool(&self) -> &str {
        &self.tool
    }

    /// How to have the decision explained.
    pub(super) fn explain(&self) -> &str {
        &self.explain
    }

    /// What stands above the question whether the call may be made.
    pub(super) fn for_question(&self) -> String {
        let said = if self.description.is_empty() {
            String::new()
        } else {
            format!("the server says of the tool:\n{}", self.description)
        };
        format!("\n{}hints      {}\n{}{said}", self.request(), self.hints, self.rule())
    }

    /// What would be sent, and what is decided.
    pub(super) fn for_dry_run(&self) -> String {
        format!("{}{}hints\n{}", self.request(), self.rule(), self.all_hints)
    }

    fn request(&self) -> String {
        let Self { server, tool, digest, arguments, .. } = self;
        let arguments = arguments.trim_end().replace('\n', "\n           ");
        format!("server     {server}\ntool       {tool}\ndefinition {digest}\narguments  {arguments}\n")
    }

    fn rule(&self) -> String {
        format!("decision   {}\n", self.decision)
    }
}

/// In a terminal, whom a rule would ask is whoever sits there.
fn decided(decision: &Decision) -> String {
    match (&decision.shadow, decision.verdict) {
        (None, Verdict::Ask(_)) => format!("ask: {}", decision.basis),
        _ => decision.for_person().to_string(),
    }
}

fn shortened(line: &str) -> String {
    let text: String = escape(line).chars().take(LONGEST_LINE).collect();
    let more = if text.len() < line.len() { "…" } else { "" };
    format!("  | {text}{more}\n")
}

/// What a stranger says must not push what haft says off the screen.
const MOST_LINES: usize = 6;
const LONGEST_LINE: usize = 200;
