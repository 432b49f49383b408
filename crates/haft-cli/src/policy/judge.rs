//! Decisions about the tools of one server.

use haft_client::Tool;
use haft_policy::{
    Assurance, Belief, Caller, Claims, Decision, EffectiveHints, Explanation, Facts, Hint, HintSource, Hints, Origin,
    Policy,
};
use haft_schema::Tree;

/// Decides about the tools of one server, called by whoever runs this.
#[derive(Debug)]
pub(crate) struct Judge {
    policy: Policy,
    source: String,
    belief: Belief,
    subject: String,
    has_person: bool,
}

impl Judge {
    pub(crate) fn new(policy: Policy, source: String, belief: Belief, has_person: bool) -> Self {
        let subject = format!("uid {}", rustix::process::getuid().as_raw());
        Self { policy, source, belief, subject, has_person }
    }

    /// Whether somebody can be asked.
    pub(crate) const fn has_person(&self) -> bool {
        self.has_person
    }

    /// Decides about a call with these arguments.
    pub(crate) fn decide(&self, tool: &Tool, arguments: &Tree<'_>) -> Decision {
        self.policy.decide(&self.facts(tool).with_arguments(arguments))
    }

    /// Explains what becomes of a call, with arguments or whatever they are.
    pub(crate) fn explain<'t>(&'t self, tool: &'t Tool, arguments: Option<&'t Tree<'t>>) -> Explanation {
        let facts = self.facts(tool);
        self.policy.explain(&match arguments {
            Some(arguments) => facts.with_arguments(arguments),
            None => facts,
        })
    }

    /// The hints that hold of a tool.
    pub(crate) fn hints(&self, tool: &Tool) -> EffectiveHints {
        self.policy.decide(&self.facts(tool)).hints
    }

    /// Whether calls of the tool can be allowed at all.
    pub(crate) fn sees(&self, tool: &Tool) -> bool {
        self.policy.sees(&self.facts(tool))
    }

    /// The tool as patterns see it.
    pub(crate) fn name(&self, tool: &Tool) -> String {
        format!("{}.{}", self.source, tool.definition().name)
    }

    fn facts<'t>(&'t self, tool: &'t Tool) -> Facts<'t> {
        let definition = tool.definition();
        let assurance = if self.has_person { Assurance::Person } else { Assurance::Client };
        let facts = Facts::new(
            Origin::new(&self.source, &definition.name),
            Claims::new(Hints::from(&definition.annotations), self.belief),
            Caller::new(&self.subject, &[], assurance),
        );
        if self.has_person { facts.interactive() } else { facts }
    }
}

/// What a tool may do, in a word or two.
pub(crate) fn effect(hints: &EffectiveHints) -> String {
    let kind = match (hints.read_only.value, hints.destructive.value) {
        (true, _) => "read-only",
        (false, true) => "destructive",
        (false, false) => "additive",
    };
    let idempotent = if hints.idempotent.value && !hints.read_only.value { ", idempotent" } else { "" };
    let open_world = if hints.open_world.value { ", open-world" } else { "" };
    format!("{kind}{idempotent}{open_world}")
}

/// Where the first word of [`effect`] comes from.
pub(crate) fn origin(hints: &EffectiveHints) -> &'static str {
    let deciding = if hints.read_only.value { hints.read_only } else { hints.destructive };
    word(deciding.source)
}

fn word(source: HintSource) -> &'static str {
    match source {
        HintSource::Believed => "claimed",
        HintSource::Contradicted => "contradicted",
        HintSource::Implied => "implied",
        HintSource::Own => "own",
        HintSource::Pin => "pinned",
        HintSource::SpecDefault => "default",
        HintSource::Tightened => "tightened",
        _ => "other",
    }
}

/// What a definition says of the tool that does not hold; empty when everything that it says holds.
pub(crate) fn unheeded(tool: &Tool, hints: &EffectiveHints) -> Vec<&'static str> {
    let said = Hints::from(&tool.definition().annotations);
    let differs = |hint: Hint| said.get(hint).is_some_and(|value| value != hints.get(hint).value);
    let name = |hint: Hint| match (hint, said.get(hint).unwrap_or_default()) {
        (Hint::ReadOnly, true) => "read-only",
        (Hint::ReadOnly, false) => "not read-only",
        (Hint::Destructive, true) => "destructive",
        (Hint::Destructive, false) => "additive",
        (Hint::Idempotent, true) => "idempotent",
        (Hint::Idempotent, false) => "not idempotent",
        (Hint::OpenWorld, true) => "open-world",
        (Hint::OpenWorld, false) => "closed-world",
    };
    Hint::ALL.into_iter().filter(|hint| differs(*hint)).map(name).collect()
}
