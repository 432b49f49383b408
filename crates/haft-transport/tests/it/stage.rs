//! A server whose tools do what a test tells them to, step by step.

use std::sync::Arc;
use std::time::Duration;

use haft_core::{Context, Identify, Limits, Principal, Question, RawTool, Server, Tool, ToolError, ToolSet};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::Semaphore;

/// What tools tell the test, and what they wait for.
#[derive(Debug)]
pub struct Stage {
    /// Calls of `hold` and `steps` that began.
    pub started: Semaphore,
    /// Calls that may go on.
    pub gate: Semaphore,
    /// Calls that went to their end.
    pub finished: Semaphore,
    /// Calls that were dropped before.
    pub dropped: Semaphore,
}

impl Stage {
    pub fn new() -> Arc<Self> {
        let none = || Semaphore::new(0);
        Arc::new(Self { started: none(), gate: none(), finished: none(), dropped: none() })
    }

    pub fn server(self: &Arc<Self>) -> Server {
        self.server_with(Identify::anonymous(), Limits::default())
    }

    pub fn server_with(self: &Arc<Self>, identify: Identify, limits: Limits) -> Server {
        let tools = vec![ask(), big(), echo(), self.hold(), self.steps()];
        Server::builder(ToolSet::new("stage", "1.0.0", tools)).identify(identify).limits(limits).build().unwrap()
    }

    /// Waits at the gate.
    fn hold(self: &Arc<Self>) -> Arc<dyn Tool> {
        let stage = Arc::clone(self);
        tool("hold", "{}", move |_, _| {
            let mut run = Run::begin(&stage);
            async move {
                run.pass().await;
                run.finish();
                Ok("held".to_owned())
            }
        })
    }

    /// Reports progress, waits at the gate, and that twice.
    fn steps(self: &Arc<Self>) -> Arc<dyn Tool> {
        let stage = Arc::clone(self);
        tool("steps", "{}", move |_, context: Context| {
            let mut run = Run::begin(&stage);
            async move {
                for step in [1.0, 2.0] {
                    context.progress(step, Some(2.0), Some("step"));
                    run.pass().await;
                }
                run.finish();
                Ok("stepped".to_owned())
            }
        })
    }
}

/// One run of a tool.
struct Run {
    stage: Arc<Stage>,
    is_started: bool,
    is_finished: bool,
}

impl Run {
    fn begin(stage: &Arc<Stage>) -> Self {
        Self { stage: Arc::clone(stage), is_started: false, is_finished: false }
    }

    async fn pass(&mut self) {
        if !std::mem::replace(&mut self.is_started, true) {
            self.stage.started.add_permits(1);
        }
        self.stage.gate.acquire().await.unwrap().forget();
    }

    fn finish(&mut self) {
        self.is_finished = true;
        self.stage.finished.add_permits(1);
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if self.is_started && !self.is_finished {
            self.stage.dropped.add_permits(1);
        }
    }
}

fn tool<F>(
    name: &str,
    properties: &str,
    run: impl Fn(Box<RawValue>, Context) -> F + Send + Sync + 'static,
) -> Arc<dyn Tool>
where
    F: Future<Output = Result<String, ToolError>> + Send + 'static,
{
    let definition = format!(
        r#"{{"name":"{name}","description":"A tool of a test.","inputSchema":{{"type":"object","properties":{properties}}}}}"#
    );
    Arc::new(RawTool::new(&definition, run).unwrap())
}

fn echo() -> Arc<dyn Tool> {
    #[derive(Deserialize)]
    struct Arguments {
        text: String,
    }
    tool("echo", r#"{"text":{"type":"string"}}"#, |arguments, _| async move {
        Ok(serde_json::from_str::<Arguments>(arguments.get())?.text)
    })
}

fn big() -> Arc<dyn Tool> {
    #[derive(Deserialize)]
    struct Arguments {
        bytes: usize,
    }
    tool("big", r#"{"bytes":{"type":"integer"}}"#, |arguments, _| async move {
        Ok("x".repeat(serde_json::from_str::<Arguments>(arguments.get())?.bytes))
    })
}

fn ask() -> Arc<dyn Tool> {
    tool("ask", "{}", |_, context| async move {
        let answered = context.ask("sure", Question::confirm("Sure?"))?;
        Ok(if answered.is_confirmed() { "yes" } else { "no" }.to_owned())
    })
}

/// The usual limits, but for some.
pub fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

pub fn anonymous() -> Arc<Principal> {
    Arc::new(Principal::anonymous())
}

/// Waits until one more has happened.
pub async fn once(event: &Semaphore) {
    times(event, 1).await;
}

/// Waits until so many more have happened.
pub async fn times(event: &Semaphore, count: u32) {
    soon(event.acquire_many(count)).await.unwrap().forget();
}

/// Waits, but not for ever.
pub async fn soon<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(PATIENCE, future).await.unwrap_or_else(|_| panic!("not within {PATIENCE:?}"))
}

const PATIENCE: Duration = Duration::from_secs(10);
