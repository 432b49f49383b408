//! The default table and the hints that it is read with, in every state.

use std::fmt::Write as _;

use expect_test::expect;
use haft_policy::{Approver, Belief, Hint, HintSource, Hints, Policy, Verdict};

use crate::{BELIEFS, STATES, all_hints, facts};

const ASK: Verdict = Verdict::Ask(Approver::Client);

fn said(state: Option<bool>) -> &'static str {
    match state {
        None => "-",
        Some(true) => "yes",
        Some(false) => "no",
    }
}

#[test]
fn the_default_table_is_this() {
    let mut table = format!("{:<10}{:<12}{:<10}{:<10}{}\n", "read_only", "destructive", "own", "believed", "untrusted");
    for read_only in STATES {
        for destructive in STATES {
            let _written = write!(table, "{:<10}{:<12}", said(read_only), said(destructive));
            for belief in BELIEFS {
                let hints = Hints { read_only, destructive, ..Hints::default() };
                let decision = Policy::default().decide(&facts(hints, belief));
                let width = if belief == Belief::Untrusted { 0 } else { 10 };
                let _written = write!(table, "{:<width$}", decision.verdict.word());
            }
            table.push('\n');
        }
    }
    expect![[r#"
        read_only destructive own       believed  untrusted
        -         -           ask       ask       ask
        -         no          allow     ask       ask
        -         yes         ask       ask       ask
        no        -           ask       ask       ask
        no        no          allow     ask       ask
        no        yes         ask       ask       ask
        yes       -           allow     allow     ask
        yes       no          allow     allow     ask
        yes       yes         ask       ask       ask
    "#]]
    .assert_eq(&table);
}

/// The same table and the same precedence, written down a second time and differently.
fn expected(claims: Hints, belief: Belief, pins: Hints) -> Verdict {
    // What is said, by those who count, the weaker voice first.
    let claims = if belief == Belief::Untrusted { Hints::default() } else { claims };
    let voices = [claims, pins];
    let last = |hint: Hint| voices.iter().rposition(|voice| voice.get(hint).is_some());
    let value = |hint: Hint| last(hint).map(|voice| voices[voice].get(hint).unwrap());
    let reads = value(Hint::ReadOnly) == Some(true)
        && !(value(Hint::Destructive) == Some(true) && last(Hint::Destructive) >= last(Hint::ReadOnly));
    let adds = value(Hint::Destructive) == Some(false) && belief == Belief::Own;
    if reads || adds { Verdict::Allow } else { ASK }
}

#[test]
fn every_claim_belief_and_pin_is_decided_as_the_table_says() {
    let policy = Policy::default();
    let mut allowed = 0;
    for claims in all_hints() {
        for belief in BELIEFS {
            for pins in all_hints() {
                let mut facts = facts(claims, belief);
                facts.claims = facts.claims.pinned(pins);
                let decision = policy.decide(&facts);
                assert_eq!(decision.verdict, expected(claims, belief, pins), "{claims:?} {belief:?} {pins:?}");
                assert!(policy.sees(&facts) && decision.shadow.is_none());
                allowed += usize::from(decision.verdict == Verdict::Allow);
            }
        }
    }
    // Neither everything nor nothing: 19,683 states in all.
    assert!((3_000..17_000).contains(&allowed), "{allowed}");
}

#[test]
fn each_hint_has_the_value_and_source_that_win() {
    for claims in all_hints() {
        for belief in BELIEFS {
            for pins in all_hints() {
                let mut facts = facts(claims, belief);
                facts.claims = facts.claims.pinned(pins);
                let hints = Policy::default().decide(&facts).hints;
                for hint in Hint::ALL {
                    let effective = hints.get(hint);
                    let (value, source) = match (pins.get(hint), claims.get(hint), belief) {
                        (Some(pin), _, _) => (pin, HintSource::Pin),
                        (None, Some(claim), Belief::Own) => (claim, HintSource::Own),
                        (None, Some(claim), Belief::Believed) => (claim, HintSource::Believed),
                        _ => (hint.strictest(), HintSource::SpecDefault),
                    };
                    match effective.source {
                        HintSource::Implied => {
                            assert!(hints.read_only.value && [Hint::Destructive, Hint::Idempotent].contains(&hint));
                            assert_ne!(effective.value, hint.strictest());
                        }
                        HintSource::Contradicted => {
                            assert!(hint == Hint::ReadOnly && value && !effective.value && hints.destructive.value);
                        }
                        _ => assert_eq!((effective.value, effective.source), (value, source), "{hint:?}"),
                    }
                }
            }
        }
    }
}

#[test]
fn a_pin_beats_every_claim() {
    for pins in all_hints().into_iter().filter(|pins| Hint::ALL.iter().all(|hint| pins.get(*hint).is_some())) {
        for belief in BELIEFS {
            let decide = |claims| {
                let mut facts = facts(claims, belief);
                facts.claims = facts.claims.pinned(pins);
                let decision = Policy::default().decide(&facts);
                (decision.verdict, Hint::ALL.map(|hint| decision.hints.get(hint)))
            };
            let without = decide(Hints::default());
            assert!(all_hints().into_iter().all(|claims| decide(claims) == without), "{pins:?} {belief:?}");
        }
    }
}

#[test]
fn less_trust_is_never_more_lenient_by_default() {
    for claims in all_hints() {
        let [own, believed, untrusted] = BELIEFS.map(|belief| Policy::default().decide(&facts(claims, belief)).verdict);
        assert!(own <= believed && believed <= untrusted && untrusted == ASK, "{claims:?}");
    }
}
