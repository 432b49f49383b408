//! Facts about a call in, decision and reason out; the security boundary, readable alone.
//!
//! [`Facts`] say what is called, what its server claims of it and who vouches for that, with which final arguments, for
//! whom. A [`Policy`] holds the [`Rule`]s of up to three [`Tier`]s over a default table, and says [`Verdict::Allow`],
//! [`Verdict::Ask`] or [`Verdict::Deny`], and why. Nothing here does I/O, reads a clock or waits.
//!
//! # The decision
//!
//! 1. The hints are worked out: [`EffectiveHints`].
//! 2. The strictest matching rule of administrator and user counts, whichever of the two it is from. Where none matches,
//!    the default table does: a tool that only reads and that is pinned, own or believed is allowed; an own tool that
//!    does not destroy is allowed; everything else is asked about. So an `allow` of theirs lifts the table's question.
//! 3. The project may only tighten: its `ask` and `deny` count where they are stricter, its `allow` never does.
//!
//! A condition on arguments that cannot be evaluated denies, whatever its rule would say.
//!
//! # Example
//!
//! ```
//! use haft_policy::{Belief, Caller, Claims, Facts, Hints, Origin, Policy, Rule, RuleSet, Tier, ToolPattern, Verdict};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let claims = Claims::new(Hints { read_only: Some(true), ..Hints::default() }, Belief::Believed);
//! let facts = Facts::new(Origin::new("files", "read_file"), claims, Caller::anonymous());
//! assert_eq!(Policy::default().decide(&facts).verdict, Verdict::Allow);
//!
//! let rule = Rule::new([ToolPattern::parse("files.*")?], Verdict::Deny).named("no-files").because("not on this host");
//! let policy = Policy::default().with(Tier::Project, RuleSet::new([rule]));
//! let decision = policy.decide(&facts);
//! assert_eq!(decision.verdict, Verdict::Deny);
//! assert_eq!(
//!     decision.for_model().to_string(),
//!     "refused by rule `no-files` of the project's policy: not on this host"
//! );
//! # Ok(())
//! # }
//! ```

mod case;
mod condition;
mod decision;
mod effective;
mod explanation;
mod facts;
mod hints;
mod keywords;
mod pattern;
mod policy;
mod rule;
mod shadow;
mod verdict;

pub use case::{Case, CaseFailure, Expectation};
pub use condition::{ArgumentCondition, ConditionError};
pub use decision::{Basis, Decision, ForModel, ForPerson, Row, Shadow};
pub use effective::{Effective, EffectiveHints, HintSource};
pub use explanation::{Explanation, NearMiss};
pub use facts::{Assurance, Belief, Caller, Claims, Facts, Origin};
pub use hints::{Hint, Hints};
pub use pattern::{InvalidPattern, ToolPattern};
pub use policy::{Mode, Pin, PlacedRule, Policy, RuleSet, Tier};
pub use rule::{Condition, HintCondition, HintConditions, Rule, Who};
pub use shadow::{ShadowCount, ShadowReport};
pub use verdict::{Approver, Verdict};
