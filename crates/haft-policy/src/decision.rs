//! What was decided, and why, in words for whoever has to know.

use std::fmt;
use std::sync::Arc;

use haft_diag::escape;

use crate::effective::EffectiveHints;
use crate::policy::{PlacedRule, Weighed};
use crate::verdict::Verdict;

/// What becomes of a call, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decision {
    /// What becomes of it.
    pub verdict: Verdict,
    /// What decided so.
    pub basis: Basis,
    /// The hints that hold of the tool.
    pub hints: EffectiveHints,
    /// What would have been decided, were everything enforced; only where that differs.
    pub shadow: Option<Box<Shadow>>,
}

/// What would have been decided.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shadow {
    /// What would have become of the call.
    pub verdict: Verdict,
    /// What would have decided so.
    pub basis: Basis,
}

/// What a decision rests on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Basis {
    /// A row of the default table.
    Default(Row),
    /// A rule.
    Rule(Arc<PlacedRule>),
    /// A rule with a condition that could not be evaluated, so that it denies.
    Unevaluable(Arc<PlacedRule>),
}

/// A row of the default table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Row {
    /// The table is only tried, so that everything is allowed.
    NotEnforced,
    /// Everything that no other row is about is asked about.
    Otherwise,
    /// An own tool that does not destroy is allowed.
    OwnAdditive,
    /// A tool that only reads, by a pin, a believed claim or an own definition, is allowed.
    ReadOnly,
}

/// A decision in words for a model: it names the rule and its reason, and no way round it.
#[derive(Clone, Copy, Debug)]
pub struct ForModel<'a>(&'a Decision);

/// A decision in words for a person.
#[derive(Clone, Copy, Debug)]
pub struct ForPerson<'a>(&'a Decision);

impl Decision {
    pub(crate) fn new(weighed: Weighed, hints: EffectiveHints, shadow: Option<Box<Shadow>>) -> Self {
        Self { verdict: weighed.verdict, basis: weighed.basis, hints, shadow }
    }

    /// The words for a model, one line.
    pub const fn for_model(&self) -> ForModel<'_> {
        ForModel(self)
    }

    /// The words for a person, one line.
    pub const fn for_person(&self) -> ForPerson<'_> {
        ForPerson(self)
    }
}

impl From<Weighed> for Shadow {
    fn from(weighed: Weighed) -> Self {
        Self { verdict: weighed.verdict, basis: weighed.basis }
    }
}

impl Basis {
    /// The rule, if one decided.
    pub fn rule(&self) -> Option<&PlacedRule> {
        match self {
            Self::Default(_) => None,
            Self::Rule(rule) | Self::Unevaluable(rule) => Some(rule),
        }
    }

    /// The name by which records and tables of expected decisions call it: the rule's name, its number where it has
    /// none, or the name of the table's row.
    pub fn name(&self) -> String {
        match self.rule() {
            Some(PlacedRule { rule, position, .. }) => rule.name.clone().unwrap_or_else(|| position.to_string()),
            None => self.row().map(Row::name).unwrap_or_default().to_owned(),
        }
    }

    const fn row(&self) -> Option<Row> {
        match self {
            Self::Default(row) => Some(*row),
            Self::Rule(_) | Self::Unevaluable(_) => None,
        }
    }
}

impl Row {
    /// The name in records: `default:read-only`, `default:own-additive`, `default:otherwise`, `default:not-enforced`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotEnforced => "default:not-enforced",
            Self::Otherwise => "default:otherwise",
            Self::OwnAdditive => "default:own-additive",
            Self::ReadOnly => "default:read-only",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::NotEnforced => "the default policy is not enforced",
            Self::Otherwise => "by default a tool that may change something is asked about",
            Self::OwnAdditive => "by default an own tool that does not destroy is allowed",
            Self::ReadOnly => "by default a tool that is known to read only is allowed",
        }
    }
}

impl fmt::Display for Basis {
    /// Names the rule or the row; with the rule's reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default(row) => f.write_str(row.words()),
            Self::Rule(rule) => {
                write!(f, "{rule}")?;
                reason(rule, f)
            }
            Self::Unevaluable(rule) => write!(f, "{rule}: its condition could not be evaluated for these arguments"),
        }
    }
}

impl fmt::Display for ForModel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let begin = match self.0.verdict {
            Verdict::Allow => "allowed",
            Verdict::Ask(_) => "approval is required",
            Verdict::Deny => "refused",
        };
        match &self.0.basis {
            // Which hints would be enough is for the operator to know.
            Basis::Default(_) => write!(f, "{begin} by the default policy"),
            Basis::Rule(rule) => {
                write!(f, "{begin} by {rule}")?;
                reason(rule, f)
            }
            // What made it impossible is a way to try the next arguments.
            Basis::Unevaluable(rule) => write!(f, "{begin} by {rule}"),
        }
    }
}

impl fmt::Display for ForPerson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.verdict, self.0.basis)?;
        match &self.0.shadow {
            Some(shadow) => write!(f, " (enforced it would be {}: {})", shadow.verdict, shadow.basis),
            None => Ok(()),
        }
    }
}

fn reason(placed: &PlacedRule, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &placed.rule.reason {
        Some(reason) => write!(f, ": {}", escape(reason)),
        None => Ok(()),
    }
}
