//! `haft call`: one call of one tool of any server, under the policy.

mod answers;
mod card;
mod consent;
mod files;
mod output;
mod progress;
mod request;

use std::process::ExitCode;
use std::sync::Arc;

use haft_client::{CallOptions, ClientError, Tool};
use haft_diag::Diagnostic;
use haft_policy::{Belief, Decision};
use haft_schema::Tree;

use crate::arguments::Call;
use crate::failure::Failure;
use crate::person;
use crate::policy::{Judge, load};
use crate::printer::{self, Printer};
use crate::server::{self, Connected, Prepared};
use answers::Terminal;
use card::Card;
use consent::Consent;
use progress::{Bar, Clears};

pub(crate) use request::{Given, completed, words};

/// Calls. The code is 1 when the tool fails or the call is refused.
pub(crate) fn run(call: &Call, printer: Printer) -> Result<ExitCode, Failure> {
    let words = words("call", &call.words, !call.command.is_empty())?;
    let given = Given::read(words.arguments, call.args.as_deref())?;
    let named = server::resolve(words.target.as_deref(), &call.command, &call.reach)?;
    let prepared = server::prepare(named, &call.reach)?;
    printer.warnings(&prepared.warnings);
    let has_person = person::is_here();
    let judge = Judge::new(load(prepared.rules.clone())?, prepared.named.source(), prepared.belief, has_person);
    let bar = Bar::new();
    let mut options = server::options(&prepared.named, &call.reach);
    if has_person && !call.dry_run {
        // Nothing is declared that nobody could answer.
        options.answers = Some(Arc::new(Terminal::new(prepared.named.identity(), Arc::clone(&bar))));
        options.opens_urls = true;
    }
    let attempt = Attempt { call, prepared: &prepared, judge: &judge, printer, bar };
    server::with_client(&prepared, options, async |connected| attempt.make(connected, &words.tool, &given).await)
}

/// One call, from its words to its outcome.
struct Attempt<'a> {
    call: &'a Call,
    prepared: &'a Prepared,
    judge: &'a Judge,
    printer: Printer,
    bar: Arc<Bar>,
}

impl Attempt<'_> {
    async fn make(&self, connected: &Connected, name: &str, given: &Given) -> Result<ExitCode, Failure> {
        let explain = |error: &ClientError| server::explain(error, &self.prepared.named);
        let tool = connected.client.tool(name).await.map_err(|error| explain(&error))?;
        let arguments = self.arguments(&tool, given)?;
        let tree = Tree::parse(&arguments).map_err(|error| Diagnostic::from_error(&error))?;
        let decision = self.judge.decide(&tool, &tree);
        let card = Card::new(&self.prepared.named, &self.judge.name(&tool), &tool, &arguments, &decision)?;
        if self.call.dry_run {
            printer::data(&card.for_dry_run())?;
            return Ok(ExitCode::SUCCESS);
        }
        match consent::given(&decision, card, self.judge, self.printer).await {
            Consent::Person => {
                // Time went by: what the server told meanwhile is heard before the call, which is for this tool alone.
                drop(connected.client.tools().await.map_err(|error| explain(&error))?);
            }
            Consent::Refused => return Ok(ExitCode::FAILURE),
            Consent::Rule => {}
        }
        let _clears = Clears(&self.bar);
        let outcome = connected.client.call(name, &arguments, &self.options(&tool, &decision)).await;
        self.bar.clear();
        match outcome {
            Ok(returned) => output::print(self.call, name, &returned, self.printer),
            Err(error) => {
                // What came all the same is not lost.
                if let ClientError::Result { returned, .. } | ClientError::ResultMissing { returned, .. } = &error {
                    output::print(self.call, name, returned, self.printer)?;
                    self.printer.failure(&explain(&error));
                    return Ok(ExitCode::FAILURE);
                }
                Err(explain(&error))
            }
        }
    }

    /// The final arguments: what is decided about is what is sent.
    fn arguments(&self, tool: &Tool, given: &Given) -> Result<String, Failure> {
        let arguments = given.arguments(tool)?;
        if self.call.no_check && self.prepared.belief != Belief::Own {
            return Ok(arguments);
        }
        let named = &self.prepared.named;
        let explain = |error: ClientError| server::explain(&error, named);
        let name = || tool.definition().name.clone();
        let schema = tool
            .input()
            .map_err(|error| explain(ClientError::Schema { tool: name(), which: "input", source: error.clone() }))?;
        let tree = Tree::parse(&arguments).map_err(|error| Diagnostic::from_error(&error))?;
        schema.check(&tree).map_err(|problems| explain(ClientError::Arguments { tool: name(), problems }))?;
        Ok(completed(tool, &arguments, self.prepared.belief))
    }

    fn options(&self, tool: &Tool, decision: &Decision) -> CallOptions {
        let mut options = CallOptions::default();
        options.checks_arguments = !self.call.no_check;
        options.checks_result = !self.call.no_check;
        options.is_idempotent = decision.hints.idempotent.value;
        options.definition = Some(tool.definition().raw.clone());
        options.timeout = self.call.reach.timeout;
        let bar = Arc::clone(&self.bar);
        options.progress = Some(Arc::new(move |progress| bar.show(progress)));
        options
    }
}
