//! A policy: the rules of up to three tiers over a default table.

use std::fmt;
use std::sync::Arc;

use crate::condition::Held;
use crate::decision::{Basis, Decision, Row, Shadow};
use crate::effective::EffectiveHints;
use crate::facts::{Belief, Facts, Origin};
use crate::hints::Hints;
use crate::pattern::ToolPattern;
use crate::rule::Rule;
use crate::verdict::{Approver, Verdict};

/// Decides what becomes of calls. Without rules it is the default table.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    project: Layer,
    user: Layer,
    admin: Layer,
}

/// What one tier brought.
#[derive(Clone, Debug, Default)]
struct Layer {
    mode: Option<Mode>,
    /// Shared with the decisions that name them.
    rules: Vec<Arc<PlacedRule>>,
    pins: Vec<Pin>,
}

/// Whose rules they are, the one that nobody overrules last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "what a tier may do is decided here, for all of them")]
pub enum Tier {
    /// Whoever wrote the project: may only tighten.
    Project,
    /// Whoever runs haft.
    User,
    /// Whoever administers the machine.
    Admin,
}

/// What one tier brings.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RuleSet {
    /// Whether its rules are enforced; nothing said is [`Mode::Enforce`].
    pub mode: Option<Mode>,
    /// Its rules; their order decides nothing but which of two equally strict ones is named.
    pub rules: Vec<Rule>,
    /// What it says about tools. A pin holds in either mode.
    pub pins: Vec<Pin>,
}

/// Whether rules act or are only tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "rules act or they do not")]
pub enum Mode {
    /// They act.
    #[default]
    Enforce,
    /// Decisions say what they would have done: [`Decision::shadow`].
    ///
    /// The default table is tried, too, where administrator or user say this and neither says [`Mode::Enforce`].
    Shadow,
}

/// What an operator says about the hints of tools.
///
/// The administrator's go before the user's, and those before [`Claims::pins`](crate::Claims::pins). A project's may only
/// tighten. Where two of a tier contradict each other, the stricter holds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pin {
    /// The tools: those that any of these finds.
    pub tools: Vec<ToolPattern>,
    /// The hints.
    pub hints: Hints,
}

/// A rule and where it stands.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlacedRule {
    /// Whose it is.
    pub tier: Tier,
    /// Its place among the rules of its tier, from 1.
    pub position: usize,
    /// The rule.
    pub rule: Rule,
}

impl Policy {
    /// The same with what a tier brings; more for a tier that has something comes behind it.
    ///
    /// Of two modes for one tier, [`Mode::Enforce`] holds.
    #[must_use]
    pub fn with(mut self, tier: Tier, set: RuleSet) -> Self {
        let layer = match tier {
            Tier::Project => &mut self.project,
            Tier::User => &mut self.user,
            Tier::Admin => &mut self.admin,
        };
        for rule in set.rules {
            layer.rules.push(Arc::new(PlacedRule { tier, position: layer.rules.len() + 1, rule }));
        }
        layer.mode = match (layer.mode, set.mode) {
            (Some(Mode::Enforce), _) | (_, Some(Mode::Enforce)) => Some(Mode::Enforce),
            (one, other) => one.or(other),
        };
        layer.pins.extend(set.pins);
        self
    }

    /// Decides on a call.
    pub fn decide(&self, facts: &Facts<'_>) -> Decision {
        let views = Views::of(self, facts);
        let whole = self.weigh(facts, &views, Extent::Whole);
        if !self.has_shadow() {
            return Decision::new(whole, views.project, None);
        }
        let enforced = self.weigh(facts, &views, Extent::Enforced);
        let shadow = (enforced.verdict != whole.verdict).then(|| Box::new(Shadow::from(whole)));
        Decision::new(enforced, views.project, shadow)
    }

    /// Whether somebody gets to see a tool: `false` where every call of it by this caller is denied by a rule.
    ///
    /// Rules with a condition on arguments, or on whether somebody can be asked, hide nothing; nor do rules that are
    /// only tried. Of the facts, neither the arguments nor the interactivity count.
    pub fn sees(&self, facts: &Facts<'_>) -> bool {
        let views = Views::of(self, facts);
        let hides = |tier: Tier, placed: &Arc<PlacedRule>| {
            placed.rule.hides() && views.of_tier(tier).iter().any(|hints| placed.rule.held(facts, hints) == Held::Yes)
        };
        !Tier::ALL
            .into_iter()
            .filter(|tier| self.is_enforced(*tier))
            .any(|tier| self.rules(tier).iter().any(|placed| hides(tier, placed)))
    }

    /// The rules of a tier, in their order.
    pub fn rules(&self, tier: Tier) -> &[Arc<PlacedRule>] {
        &self.layer(tier).rules
    }

    /// The rules that can never change a decision: what a project allows.
    pub fn idle(&self) -> impl Iterator<Item = &PlacedRule> {
        let rules = self.rules(Tier::Project).iter().map(AsRef::as_ref);
        rules.filter(|placed: &&PlacedRule| placed.rule.verdict == Verdict::Allow)
    }

    /// The rules that are about none of these tools, most likely because a name in them is wrong.
    pub fn unused<'p>(&'p self, tools: &'p [Origin<'p>]) -> impl Iterator<Item = &'p PlacedRule> {
        let rules = Tier::ALL.into_iter().rev().flat_map(|tier| self.rules(tier)).map(AsRef::as_ref);
        rules.filter(|placed: &&PlacedRule| !tools.iter().any(|tool| placed.rule.is_about(*tool)))
    }

    /// Whether anything is only tried.
    pub fn has_shadow(&self) -> bool {
        Tier::ALL.into_iter().any(|tier| !self.is_enforced(tier)) || !self.is_table_enforced()
    }

    const fn layer(&self, tier: Tier) -> &Layer {
        match tier {
            Tier::Project => &self.project,
            Tier::User => &self.user,
            Tier::Admin => &self.admin,
        }
    }

    #[inline]
    fn pins(&self, tier: Tier, origin: Origin<'_>) -> Hints {
        let pins = &self.layer(tier).pins;
        // Nearly always: what is behind is not worth its call.
        if pins.is_empty() {
            return Hints::default();
        }
        let found = pins.iter().filter(|pin| pin.tools.iter().any(|pattern| pattern.matches(origin)));
        found.fold(Hints::default(), |hints, pin| hints.strictest(pin.hints))
    }

    fn is_enforced(&self, tier: Tier) -> bool {
        self.layer(tier).mode != Some(Mode::Shadow)
    }

    /// A project cannot switch the table off, and nobody can over the head of an operator who wants it enforced.
    fn is_table_enforced(&self) -> bool {
        let modes = [Tier::User, Tier::Admin].map(|tier| self.layer(tier).mode);
        modes.contains(&Some(Mode::Enforce)) || !modes.contains(&Some(Mode::Shadow))
    }

    fn weigh(&self, facts: &Facts<'_>, views: &Views, extent: Extent) -> Weighed {
        let mut weighed = self.operators(facts, views, extent);
        if views.is_tightened {
            // Over a rule that asks for a strict hint and allows, a tightened hint could loosen: so both are weighed.
            weighed.tighten(self.operators(facts, &Views::only(views.project), extent));
        }
        if let Some(project) = self.strictest(Tier::Project, facts, &views.project, extent) {
            weighed.tighten(project);
        }
        weighed
    }

    /// What administrator, user and table say.
    fn operators(&self, facts: &Facts<'_>, views: &Views, extent: Extent) -> Weighed {
        let mut strictest = self.strictest(Tier::Admin, facts, &views.admin, extent);
        if views.is_pinned_by_user {
            strictest = Weighed::stricter(strictest, self.strictest(Tier::Admin, facts, &views.user, extent));
        }
        strictest = Weighed::stricter(strictest, self.strictest(Tier::User, facts, &views.user, extent));
        strictest.unwrap_or_else(|| {
            if extent == Extent::Enforced && !self.is_table_enforced() {
                return Weighed { verdict: Verdict::Allow, basis: Basis::Default(Row::NotEnforced) };
            }
            table(facts.claims.belief, &views.user)
        })
    }

    /// The strictest matching rule of a tier, the first of several.
    #[inline]
    fn strictest(&self, tier: Tier, facts: &Facts<'_>, hints: &EffectiveHints, extent: Extent) -> Option<Weighed> {
        let has_none = self.rules(tier).is_empty();
        if has_none || (extent == Extent::Enforced && !self.is_enforced(tier)) {
            return None;
        }
        self.strictest_of(tier, facts, hints)
    }

    fn strictest_of(&self, tier: Tier, facts: &Facts<'_>, hints: &EffectiveHints) -> Option<Weighed> {
        let mut strictest: Option<Weighed> = None;
        for placed in self.rules(tier) {
            let (verdict, is_evaluated) = match placed.rule.held(facts, hints) {
                Held::No => continue,
                Held::Unevaluable => (Verdict::Deny, false),
                Held::Yes => (placed.rule.verdict, true),
            };
            if strictest.as_ref().is_none_or(|known| verdict > known.verdict) {
                let rule = Arc::clone(placed);
                let basis = if is_evaluated { Basis::Rule(rule) } else { Basis::Unevaluable(rule) };
                strictest = Some(Weighed { verdict, basis });
            }
        }
        strictest
    }
}

impl Tier {
    /// All tiers, the one that may least first.
    pub const ALL: [Self; 3] = [Self::Project, Self::User, Self::Admin];

    /// Whose it is, in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Project => "the project's policy",
            Self::User => "the user's policy",
            Self::Admin => "the administrator's policy",
        }
    }
}

impl RuleSet {
    /// These rules, enforced.
    pub fn new(rules: impl IntoIterator<Item = Rule>) -> Self {
        Self { mode: None, rules: rules.into_iter().collect(), pins: Vec::new() }
    }

    /// The same with a mode.
    #[must_use]
    pub fn in_mode(mut self, mode: Mode) -> Self {
        self.mode = Some(mode);
        self
    }

    /// The same with a pin more.
    #[must_use]
    pub fn with_pin(mut self, pin: Pin) -> Self {
        self.pins.push(pin);
        self
    }
}

impl Pin {
    /// These hints for the tools that any of these patterns finds.
    pub fn new(tools: impl IntoIterator<Item = ToolPattern>, hints: Hints) -> Self {
        Self { tools: tools.into_iter().collect(), hints }
    }
}

impl fmt::Display for PlacedRule {
    /// Names the rule: "rule `no-files` of the project's policy".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.rule.name {
            Some(name) => write!(f, "rule `{}` of {}", haft_diag::escape(name), self.tier.words()),
            None => write!(f, "rule {} of {}", self.position, self.tier.words()),
        }
    }
}

/// What was decided, before it is told.
#[derive(Clone, Debug)]
pub(crate) struct Weighed {
    pub(crate) verdict: Verdict,
    pub(crate) basis: Basis,
}

impl Weighed {
    fn tighten(&mut self, other: Self) {
        if other.verdict > self.verdict {
            *self = other;
        }
    }

    /// The stricter of two, the first of equal ones.
    fn stricter(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(mut one), Some(other)) => {
                one.tighten(other);
                Some(one)
            }
            (one, other) => one.or(other),
        }
    }
}

/// Which rules are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Those that act.
    Enforced,
    /// Those that are only tried, too.
    Whole,
}

/// The hints as each tier sees them, so that the pins of a lower tier lead round no rule of a higher one: a rule that
/// matches without them matches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Views {
    admin: EffectiveHints,
    user: EffectiveHints,
    pub(crate) project: EffectiveHints,
    is_pinned_by_user: bool,
    is_tightened: bool,
}

impl Views {
    pub(crate) fn of(policy: &Policy, facts: &Facts<'_>) -> Self {
        let claims = &facts.claims;
        let [of_project, of_user, of_admin] = Tier::ALL.map(|tier| policy.pins(tier, facts.origin));
        let mut views = Self::only(EffectiveHints::of(claims, of_admin.or(claims.pins), Hints::default()));
        let pins = of_admin.or(of_user).or(claims.pins);
        if !of_user.is_empty() {
            views.user = EffectiveHints::of(claims, pins, Hints::default());
            views.project = views.user;
            views.is_pinned_by_user = true;
        }
        if !of_project.is_empty() {
            views.project = EffectiveHints::of(claims, pins, of_project);
            views.is_tightened = true;
        }
        views
    }

    #[inline]
    const fn only(hints: EffectiveHints) -> Self {
        Self { admin: hints, user: hints, project: hints, is_pinned_by_user: false, is_tightened: false }
    }

    /// The hints that the rules of a tier are matched with: one is enough.
    pub(crate) const fn of_tier(&self, tier: Tier) -> [&EffectiveHints; 3] {
        match tier {
            Tier::Project => [&self.project; 3],
            Tier::User => [&self.user, &self.user, &self.project],
            Tier::Admin => [&self.admin, &self.user, &self.project],
        }
    }
}

/// What holds where no rule of administrator or user matches.
fn table(belief: Belief, hints: &EffectiveHints) -> Weighed {
    let (verdict, row) = if hints.read_only.value {
        (Verdict::Allow, Row::ReadOnly)
    } else if belief == Belief::Own && !hints.destructive.value {
        (Verdict::Allow, Row::OwnAdditive)
    } else {
        (Verdict::Ask(Approver::Client), Row::Otherwise)
    };
    Weighed { verdict, basis: Basis::Default(row) }
}
