//! A rule: conditions that all have to hold, and what becomes of a call then.

use std::fmt;

use crate::condition::{ArgumentCondition, Held};
use crate::effective::EffectiveHints;
use crate::facts::{Facts, Origin};
use crate::hints::Hint;
use crate::pattern::ToolPattern;
use crate::verdict::Verdict;

/// A rule of a policy. What is not said holds always.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rule {
    /// The name that decisions and reports call it by.
    pub name: Option<String>,
    /// The tools that it is about: those that any of these finds.
    pub tools: Vec<ToolPattern>,
    /// The callers that it is about.
    pub who: Who,
    /// Whether it is only about calls in which somebody can, or cannot, be asked.
    pub interactive: Option<bool>,
    /// The hints that it is about.
    pub hints: HintConditions,
    /// The arguments that it is about.
    pub arguments: Option<ArgumentCondition>,
    /// What becomes of such a call.
    pub verdict: Verdict,
    /// Why, for whoever is refused or asked, a model too.
    pub reason: Option<String>,
}

/// The callers that a rule is about, by their groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Who {
    /// The caller is in at least one of these, where there are any.
    pub any_of: Vec<String>,
    /// The caller is in none of these.
    pub none_of: Vec<String>,
}

/// The hints that a rule is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the protocol has these four")]
pub struct HintConditions {
    /// On `read_only`.
    pub read_only: Option<HintCondition>,
    /// On `destructive`.
    pub destructive: Option<HintCondition>,
    /// On `idempotent`.
    pub idempotent: Option<HintCondition>,
    /// On `open_world`.
    pub open_world: Option<HintCondition>,
}

/// What has to hold of a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a hint has three states")]
pub enum HintCondition {
    /// Nobody said it. For `ask` and `deny` a claim that is not believed counts as not said, for `allow` as said, so that
    /// no such claim loosens anything.
    Absent,
    /// It has this effective value, whether somebody said so or the protocol reads it so.
    Is(bool),
}

/// One of the conditions of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Condition {
    /// On the arguments, `when.args`.
    Arguments,
    /// On a hint, in `when.hints`.
    Hint(Hint),
    /// On whether somebody can be asked, `when.interactive`.
    Interactive,
    /// On the tool, `tools`.
    Tools,
    /// On the caller, `who`.
    Who,
}

impl Rule {
    /// A rule about the tools that any of these patterns finds.
    pub fn new(tools: impl IntoIterator<Item = ToolPattern>, verdict: Verdict) -> Self {
        Self {
            name: None,
            tools: tools.into_iter().collect(),
            who: Who::default(),
            interactive: None,
            hints: HintConditions::default(),
            arguments: None,
            verdict,
            reason: None,
        }
    }

    /// The same with a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The same with a reason.
    #[must_use]
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// The same for these callers only.
    #[must_use]
    pub fn for_callers(mut self, who: Who) -> Self {
        self.who = who;
        self
    }

    /// The same for tools with such hints only.
    #[must_use]
    pub fn when_hints(mut self, hints: HintConditions) -> Self {
        self.hints = hints;
        self
    }

    /// The same for such arguments only.
    #[must_use]
    pub fn when_arguments(mut self, condition: ArgumentCondition) -> Self {
        self.arguments = Some(condition);
        self
    }

    /// The same only where somebody can, or cannot, be asked.
    #[must_use]
    pub fn when_interactive(mut self, interactive: bool) -> Self {
        self.interactive = Some(interactive);
        self
    }

    /// Whether all conditions hold; the one that may be impossible to evaluate is looked at only where it decides.
    #[inline]
    pub(crate) fn held(&self, facts: &Facts<'_>, hints: &EffectiveHints) -> Held {
        for condition in Condition::ORDER {
            match self.condition_held(condition, facts, hints) {
                Held::Yes => {}
                other => return other,
            }
        }
        Held::Yes
    }

    /// Whether one condition holds, and whether that can be said.
    pub(crate) fn condition_held(&self, condition: Condition, facts: &Facts<'_>, hints: &EffectiveHints) -> Held {
        let holds = match condition {
            Condition::Arguments => return self.arguments_held(facts),
            Condition::Hint(hint) => self.hint_holds(hint, facts, hints),
            Condition::Interactive => self.interactive.is_none_or(|wanted| wanted == facts.is_interactive),
            Condition::Tools => self.is_about(facts.origin),
            Condition::Who => self.who.includes(facts.caller.groups),
        };
        if holds { Held::Yes } else { Held::No }
    }

    pub(crate) fn is_about(&self, tool: Origin<'_>) -> bool {
        self.tools.iter().any(|pattern| pattern.matches(tool))
    }

    /// Whether it refuses every call of its tools by its callers, so that the tools need not be shown to them.
    pub const fn hides(&self) -> bool {
        matches!(self.verdict, Verdict::Deny) && self.arguments.is_none() && self.interactive.is_none()
    }

    fn arguments_held(&self, facts: &Facts<'_>) -> Held {
        match (&self.arguments, facts.arguments) {
            (None, _) => Held::Yes,
            (Some(condition), Some(arguments)) => condition.held(arguments),
            (Some(_), None) if self.verdict == Verdict::Allow => Held::No,
            (Some(_), None) => Held::Yes,
        }
    }

    fn hint_holds(&self, hint: Hint, facts: &Facts<'_>, hints: &EffectiveHints) -> bool {
        match self.hints.get(hint) {
            None => true,
            Some(HintCondition::Is(value)) => hints.get(hint).value == value,
            Some(HintCondition::Absent) => {
                let is_claimed = self.verdict == Verdict::Allow && facts.claims.vendor.get(hint).is_some();
                hints.said.get(hint).is_none() && !is_claimed
            }
        }
    }
}

impl HintConditions {
    /// What has to hold of one hint.
    #[inline]
    pub const fn get(&self, hint: Hint) -> Option<HintCondition> {
        match hint {
            Hint::Destructive => self.destructive,
            Hint::Idempotent => self.idempotent,
            Hint::OpenWorld => self.open_world,
            Hint::ReadOnly => self.read_only,
        }
    }

    /// Says what has to hold of one hint, or that nothing has to.
    pub const fn set(&mut self, hint: Hint, condition: Option<HintCondition>) {
        match hint {
            Hint::Destructive => self.destructive = condition,
            Hint::Idempotent => self.idempotent = condition,
            Hint::OpenWorld => self.open_world = condition,
            Hint::ReadOnly => self.read_only = condition,
        }
    }
}

impl Who {
    /// Whoever is in at least one of these groups.
    pub fn any_of(groups: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { any_of: groups.into_iter().map(Into::into).collect(), none_of: Vec::new() }
    }

    /// Whoever is in none of these groups.
    pub fn none_of(groups: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { any_of: Vec::new(), none_of: groups.into_iter().map(Into::into).collect() }
    }

    /// Whether somebody in these groups is meant.
    pub fn includes(&self, groups: &[String]) -> bool {
        (self.any_of.is_empty() || self.any_of.iter().any(|group| groups.contains(group)))
            && !self.none_of.iter().any(|group| groups.contains(group))
    }
}

impl Condition {
    /// The cheap ones first; what may not be evaluable last, so that it is asked only where it decides.
    pub(crate) const ORDER: [Self; 8] = [
        Self::Tools,
        Self::Interactive,
        Self::Hint(Hint::ReadOnly),
        Self::Hint(Hint::Destructive),
        Self::Hint(Hint::Idempotent),
        Self::Hint(Hint::OpenWorld),
        Self::Who,
        Self::Arguments,
    ];
}

impl fmt::Display for Condition {
    /// The key of a policy file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments => f.write_str("when.args"),
            Self::Hint(hint) => write!(f, "when.hints.{}", hint.name()),
            Self::Interactive => f.write_str("when.interactive"),
            Self::Tools => f.write_str("tools"),
            Self::Who => f.write_str("who"),
        }
    }
}
