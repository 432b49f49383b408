//! Expected decisions: a table that a policy is tried against.

use std::fmt;

use haft_diag::escape;
use haft_schema::Tree;

use crate::decision::Decision;
use crate::facts::{Assurance, Belief, Caller, Claims, Facts, Origin};
use crate::hints::Hints;
use crate::policy::Policy;
use crate::verdict::Verdict;

/// A call and what a policy is expected to say of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// What the case is called in a report.
    pub name: String,
    /// The source of the tool.
    pub source: String,
    /// The tool's name there.
    pub tool: String,
    /// What its definition says.
    pub hints: Hints,
    /// Whether that is believed.
    pub belief: Belief,
    /// What the operator says about the tool, beside the pins of the policy.
    pub pins: Hints,
    /// The final arguments, JSON text; `None` where they are not known.
    pub arguments: Option<String>,
    /// The groups of the caller.
    pub groups: Vec<String>,
    /// Whether somebody can be asked.
    pub is_interactive: bool,
    /// What is expected.
    pub expected: Expectation,
}

/// What is expected of a decision; what is `None` may be anything.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expectation {
    /// What becomes of the call, and who is asked.
    pub verdict: Verdict,
    /// The name of the deciding rule or row, as of [`Basis::name`](crate::Basis::name).
    pub rule: Option<String>,
    /// Whether the caller gets to see the tool.
    pub is_visible: Option<bool>,
}

/// A case that came out otherwise.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CaseFailure {
    /// What the case is called.
    pub name: String,
    /// What was expected and what came, one line each.
    pub differences: Vec<String>,
}

impl Case {
    /// A call of a tool of which nothing is said, without arguments, by nobody in particular.
    pub fn new(name: impl Into<String>, origin: Origin<'_>, expected: Expectation) -> Self {
        Self {
            name: name.into(),
            source: origin.source.to_owned(),
            tool: origin.tool.to_owned(),
            hints: Hints::default(),
            belief: if origin.source == Origin::LOCAL { Belief::Own } else { Belief::Untrusted },
            pins: Hints::default(),
            arguments: Some("{}".to_owned()),
            groups: Vec::new(),
            is_interactive: false,
            expected,
        }
    }

    /// Tries the case.
    ///
    /// # Errors
    ///
    /// When the policy decides otherwise, or the arguments are none.
    pub fn check(&self, policy: &Policy) -> Result<(), CaseFailure> {
        let arguments = match self.arguments.as_deref().map(Tree::parse).transpose() {
            Ok(arguments) => arguments,
            Err(error) => return Err(self.failure(vec![format!("the arguments cannot be read: {error}")])),
        };
        let caller = Caller::new("", &self.groups, Assurance::Client);
        let claims = Claims::new(self.hints, self.belief).pinned(self.pins);
        let mut facts = Facts::new(Origin::new(&self.source, &self.tool), claims, caller);
        facts.arguments = arguments.as_ref();
        facts.is_interactive = self.is_interactive;
        let differences = self.expected.differences(&policy.decide(&facts), policy.sees(&facts));
        if differences.is_empty() { Ok(()) } else { Err(self.failure(differences)) }
    }

    /// Tries all cases; what is returned failed.
    pub fn check_all<'c>(cases: impl IntoIterator<Item = &'c Self>, policy: &Policy) -> Vec<CaseFailure> {
        cases.into_iter().filter_map(|case| case.check(policy).err()).collect()
    }

    fn failure(&self, differences: Vec<String>) -> CaseFailure {
        CaseFailure { name: self.name.clone(), differences }
    }
}

impl Expectation {
    /// This verdict, whatever it rests on.
    pub const fn new(verdict: Verdict) -> Self {
        Self { verdict, rule: None, is_visible: None }
    }

    fn differences(&self, decision: &Decision, is_visible: bool) -> Vec<String> {
        let mut differences = Vec::new();
        if decision.verdict != self.verdict {
            differences.push(format!("expected `{}`, got `{}`: {}", self.verdict, decision.verdict, decision.basis));
        }
        let rule = decision.basis.name();
        if let Some(expected) = self.rule.as_ref().filter(|expected| **expected != rule) {
            let (expected, rule) = (escape(expected), escape(&rule));
            differences.push(format!("expected a decision by `{expected}`, it was by `{rule}`"));
        }
        match self.is_visible {
            Some(true) if !is_visible => differences.push("expected a tool that is seen, it is hidden".to_owned()),
            Some(false) if is_visible => differences.push("expected a tool that is hidden, it is seen".to_owned()),
            _ => {}
        }
        differences
    }
}

impl fmt::Display for CaseFailure {
    /// The name, and below it each difference, indented; the last line has no line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", escape(&self.name))?;
        for difference in &self.differences {
            write!(f, "\n  {difference}")?;
        }
        Ok(())
    }
}
