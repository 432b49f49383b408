//! Policies by the hundred, the same ones in every run.

use haft_policy::{
    Approver, Hint, HintCondition, HintConditions, Hints, Mode, Pin, Rule, RuleSet, ToolPattern, Verdict, Who,
};

use crate::{STATES, condition, rule};

pub(crate) const VERDICTS: [Verdict; 4] =
    [Verdict::Allow, Verdict::Ask(Approver::Client), Verdict::Ask(Approver::Person), Verdict::Deny];

/// A generator of numbers (splitmix64), good enough to mix cases.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap()
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub(crate) fn hints(&mut self) -> Hints {
        let mut hints = Hints::default();
        for hint in Hint::ALL {
            hints.set(hint, self.pick(&STATES));
        }
        hints
    }

    /// Hints, or none at all.
    pub(crate) fn pins(&mut self) -> Hints {
        let hints = self.hints();
        self.pick(&[Hints::default(), hints])
    }

    pub(crate) fn rule(&mut self) -> Rule {
        let tools = self.pick(&["*", "files.*", "write", "read"]);
        let verdict = self.pick(&VERDICTS);
        let mut rule = rule(tools, verdict);
        if self.below(3) > 0 {
            let mut hints = HintConditions::default();
            for _ in 0..=self.below(2) {
                let wanted = [HintCondition::Absent, HintCondition::Is(false), HintCondition::Is(true)];
                hints.set(self.pick(&Hint::ALL), Some(self.pick(&wanted)));
            }
            rule = rule.when_hints(hints);
        }
        match self.below(8) {
            0 => rule.when_arguments(condition(r#"{"required":["path"]}"#)),
            1 => rule.when_interactive(self.below(2) == 0),
            2 => rule.for_callers(Who::any_of(["ops"])),
            3 => rule.for_callers(Who::none_of(["ops"])),
            _ => rule,
        }
    }

    /// Up to three rules and up to two pins, enforced.
    pub(crate) fn set(&mut self) -> RuleSet {
        let rules: Vec<Rule> = (0..self.below(4)).map(|_| self.rule()).collect();
        let mut set = RuleSet::new(rules);
        for _ in 0..self.below(3) {
            let tools = self.pick(&["*", "files.write", "read"]);
            set = set.with_pin(Pin::new([ToolPattern::parse(tools).unwrap()], self.hints()));
        }
        set
    }

    pub(crate) fn mode(&mut self) -> Option<Mode> {
        self.pick(&[None, Some(Mode::Enforce), Some(Mode::Shadow)])
    }
}
