//! A server that is being put together, and served.

use std::any::Any;
use std::sync::Arc;

use haft_core::{Guard, Identify, Limits, ServerBuilder, Tool, ToolSet, Transform};
use haft_transport::http::{Endpoint, HttpOptions};
#[cfg(unix)]
use haft_transport::stdio::PipeOptions;

use crate::error::{Error, Result};

/// A server that is being put together; [`Self::serve_stdio`], [`Self::serve_http`] or [`Self::build`] ends that.
///
/// # Example
///
/// ```
/// use haft::{Server, tool, tools};
///
/// /// Adds two numbers. Use it for sums; not for dates.
/// #[tool(read_only, open_world = false)]
/// async fn add(left: i64, right: i64) -> String {
///     (left + right).to_string()
/// }
///
/// # fn main() -> haft::Result {
/// let server = Server::new(tools![add]).instructions("Sums of whole numbers.").build()?;
/// assert_eq!(server.tool_names(), ["add"]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a server does nothing until it is served"]
pub struct Server(ServerBuilder);

impl Server {
    /// A server with these tools, open to everybody who reaches its transport.
    pub fn new(tools: ToolSet) -> Self {
        Self(haft_core::Server::builder(tools))
    }

    /// The name that the server gives as its own; without it, the name of the crate in which `tools!` stands.
    pub fn name(self, name: impl Into<String>) -> Self {
        Self(self.0.name(name))
    }

    /// The version that the server gives as its own; without it, the version of the crate in which `tools!` stands.
    pub fn version(self, version: impl Into<String>) -> Self {
        Self(self.0.version(version))
    }

    /// A title for people.
    pub fn title(self, title: impl Into<String>) -> Self {
        Self(self.0.title(title))
    }

    /// What the model should know about the server as a whole.
    pub fn instructions(self, instructions: impl Into<String>) -> Self {
        Self(self.0.instructions(instructions))
    }

    /// How callers are told apart.
    pub fn identify(self, identify: Identify) -> Self {
        Self(self.0.identify(identify))
    }

    /// What decides on calls before they run: `Guard::new(Policy::default())` lets run what only reads or only adds, and
    /// asks about everything else. Without a guard, every call that fits its schema runs.
    pub fn guard(self, guard: Guard) -> Self {
        Self(self.0.guard(guard))
    }

    /// Bounds on everything that a peer could make large, many or slow.
    pub fn limits(self, limits: Limits) -> Self {
        Self(self.0.limits(limits))
    }

    /// Lets tools return links to contents that the client reads later ([`Context::link`](crate::Context::link)).
    pub fn links(self, serves_links: bool) -> Self {
        Self(self.0.links(serves_links))
    }

    /// Something that tools share, as a parameter of type [`State`](crate::State); one value for each type.
    pub fn state<T: Any + Send + Sync>(self, value: T) -> Self {
        Self(self.0.state(value))
    }

    /// Adds a tool that is no function under `#[tool]`, such as a [`RawTool`](crate::RawTool).
    pub fn tool(self, tool: impl Tool) -> Self {
        Self(self.0.tool(Arc::new(tool)))
    }

    /// Reshapes what is shown; transforms apply in the order in which they are added.
    pub fn transform(self, transform: Transform) -> Self {
        Self(self.0.transform(transform))
    }

    /// A named view of the catalogue with the tools of these names, to serve at a path of its own
    /// ([`BuiltServer::profile`](crate::BuiltServer::profile)).
    pub fn profile(self, name: impl Into<String>, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(self.0.profile(name, tools))
    }

    /// The key that seals what clients carry between two rounds of a call. Servers that answer for each other need the
    /// same one; without it, each process makes its own.
    pub fn state_key(self, key: [u8; 32]) -> Self {
        Self(self.0.state_key(key))
    }

    /// A key that was [`Self::state_key`] before: what it sealed is good until that expires.
    pub fn earlier_state_key(self, key: [u8; 32]) -> Self {
        Self(self.0.earlier_state_key(key))
    }

    /// Serves the client that started this program, over stdin and stdout, until it closes stdin or the program is told
    /// to end.
    ///
    /// What the program prints meanwhile goes to stderr, so that it cannot get between the messages.
    ///
    /// # Errors
    ///
    /// When the server cannot be built, or the client did not read.
    #[cfg(unix)]
    pub async fn serve_stdio(self) -> Result {
        haft_transport::stdio::serve_stdio(self.build()?, PipeOptions::default()).await?;
        Ok(())
    }

    /// Serves over HTTP at an address such as `127.0.0.1:7878` and the path `/mcp`, until the program is told to end.
    ///
    /// An address that other machines reach is only served with [`Self::identify`]. For other paths, names or bounds,
    /// use [`Self::build`] with [`Endpoint`] or [`HttpService`](crate::HttpService).
    ///
    /// # Errors
    ///
    /// When the server cannot be built, or the address is taken, is none, or is open to a network that nobody guards.
    pub async fn serve_http(self, address: &str) -> Result {
        let server = self.build()?;
        let endpoint = Endpoint::bind(&address.parse()?, HttpOptions::default())?;
        let end = told_to_end().map_err(Error::Signal)?;
        endpoint.serve(server, end).await?;
        Ok(())
    }

    /// Puts the server together, to serve it in another way: mounted in axum, or in memory.
    ///
    /// # Errors
    ///
    /// When two tools have one name, or a schema cannot be served.
    pub fn build(self) -> Result<haft_core::Server> {
        Ok(self.0.build()?)
    }
}

/// Is ready when the program is told to end: by `SIGTERM`, or by a person at its terminal.
#[cfg(unix)]
fn told_to_end() -> std::io::Result<impl Future<Output = ()> + Send> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Is ready when the program is told to end by a person at its terminal.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on unix, where it can fail")]
fn told_to_end() -> std::io::Result<impl Future<Output = ()> + Send> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
