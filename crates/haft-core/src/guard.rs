//! What stands between a call and its run: a policy, and where approvals live.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use haft_policy::{Belief, Caller, Claims, Decision, Facts, Hints, Origin, Policy, ShadowReport, Tier};
use haft_store::audit::AuditLog;
use haft_store::{MemoryStore, Moment, Store};

use crate::catalogue::Entry;
use crate::principal::{Assurance, Principal};

/// Decides on every call before it runs, and asks where the policy says so.
///
/// # Example
///
/// ```
/// use haft_core::{Guard, Server, ToolSet};
/// use haft_policy::Policy;
///
/// # fn main() -> Result<(), haft_core::BuildError> {
/// let tools = ToolSet::new("tickets", "1.0", Vec::new());
/// let server = Server::builder(tools).guard(Guard::new(Policy::default())).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Guard {
    pub(crate) policy: Policy,
    /// What was granted and what was used; of this process, unless somebody brings another one.
    pub(crate) store: Arc<dyn Store>,
    /// Whether a person can answer what is put into the store.
    pub(crate) reaches_people: bool,
    /// How long a question to a person stands, and how long the yes to it counts.
    pub(crate) ticket_lifetime: Duration,
    pub(crate) audit: Option<Arc<AuditLog>>,
    /// What rules that are only tried would have done.
    shadow: Arc<Mutex<ShadowReport>>,
    /// Whether some rule hides tools.
    hides: bool,
    /// Whether a decision depends on the tool alone.
    is_plain: bool,
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("policy", &self.policy).finish_non_exhaustive()
    }
}

impl Guard {
    /// A guard with a policy. Clients that can show a question to their person are asked; nobody else is.
    pub fn new(policy: Policy) -> Self {
        let mut rules = Tier::ALL.iter().flat_map(|tier| policy.rules(*tier)).peekable();
        Self {
            is_plain: rules.peek().is_none() && !policy.has_shadow(),
            hides: rules.any(|placed| placed.rule.hides()),
            policy,
            store: Arc::new(MemoryStore::default()),
            reaches_people: false,
            ticket_lifetime: Duration::from_hours(1),
            audit: None,
            shadow: Arc::default(),
        }
    }

    /// The same with a store whose questions a person sees and answers on a way of their own.
    #[must_use]
    pub fn with_approvals(mut self, store: Arc<dyn Store>) -> Self {
        self.store = store;
        self.reaches_people = true;
        self
    }

    /// The same, with every decision, run and outcome on record. While nothing can be written, only calls of tools that
    /// change nothing go on.
    #[must_use]
    pub fn with_audit(mut self, log: Arc<AuditLog>) -> Self {
        self.audit = Some(log);
        self
    }

    /// What rules that are only tried would have done so far, in all servers that this guard or a clone of it stands in.
    pub fn shadow_report(&self) -> ShadowReport {
        self.shadow.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts what was decided and what would have been.
    pub(crate) fn count(&self, decision: &Decision) {
        self.shadow.lock().unwrap_or_else(PoisonError::into_inner).record(decision);
    }

    /// The policy.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Whether the decision on a tool is the same for every call.
    pub(crate) const fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether callers may see different sets of tools.
    pub(crate) const fn hides(&self) -> bool {
        self.hides
    }

    /// Whether a caller gets to see a tool.
    pub(crate) fn sees(&self, entry: &Entry, principal: &Principal) -> bool {
        !self.hides || self.policy.sees(&facts(entry, principal))
    }
}

/// What is known of a call of this tool by this caller, but for the arguments.
pub(crate) fn facts<'a>(entry: &'a Entry, principal: &'a Principal) -> Facts<'a> {
    let source = entry.id.source.as_str();
    let belief = if source == Origin::LOCAL { Belief::Own } else { Belief::Untrusted };
    let claims = Claims::new(Hints::from(&entry.shown.annotations), belief);
    let assurance = match principal.assurance {
        Assurance::Anonymous => haft_policy::Assurance::Anonymous,
        Assurance::Client => haft_policy::Assurance::Client,
        Assurance::Person => haft_policy::Assurance::Person,
    };
    let caller = Caller::new(&principal.subject, &principal.groups, assurance);
    Facts::new(Origin::new(source, entry.id.name.as_str()), claims, caller)
}

/// The time, for the store.
pub(crate) fn now() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment::from_millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
