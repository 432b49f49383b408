//! Whether a call may be made: what the policy decides, and what the person says.

use haft_diag::Diagnostic;
use haft_policy::{Decision, Verdict};

use super::card::Card;
use crate::person;
use crate::policy::Judge;
use crate::printer::{self, Printer};

/// Who lets a call be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    /// A person who saw it.
    Person,
    /// Nobody.
    Refused,
    /// A rule, or the default table.
    Rule,
}

/// Finds out, and says why not. No flag and no environment consents: only a rule does, or a person who sees the call.
pub(super) async fn given(decision: &Decision, card: Card, judge: &Judge, printer: Printer) -> Consent {
    let explain = format!("`{}` says what decides", card.explain());
    let because = decision.basis.to_string();
    match decision.verdict {
        Verdict::Allow => Consent::Rule,
        Verdict::Deny => {
            let message = format!("the call of `{}` is refused: {because}", card.tool());
            printer.diagnostic(&Diagnostic::error(message).hint(explain));
            Consent::Refused
        }
        Verdict::Ask(_) if !judge.has_person() => {
            let message = format!("the call of `{}` has to be asked about, and nobody is here to ask", card.tool());
            let hint =
                format!("call it in a terminal, or let a rule of {} allow it; {}", crate::policy::user_file(), explain);
            printer.diagnostic(&Diagnostic::error(message).cause(because).hint(hint));
            Consent::Refused
        }
        Verdict::Ask(_) => {
            let tool = card.tool().to_owned();
            let asked = person::patiently(move || {
                printer::tell(&card.for_question());
                person::agrees("make this call?")
            });
            if asked.await == Some(true) {
                return Consent::Person;
            }
            printer.diagnostic(&Diagnostic::error(format!("the call of `{tool}` was not agreed to")));
            Consent::Refused
        }
    }
}
