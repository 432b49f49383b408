//! Bounds on everything that a peer could make large, many or slow.

use std::time::Duration;

/// Bounds of a server as a whole.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one message.
    pub message_bytes: usize,
    /// Calls that run at the same time; above that, the server says that it is busy.
    pub calls_in_flight: usize,
    /// Bytes of large answers that wait to be read, all together; above that, the server says that it is busy.
    pub unsent_bytes: usize,
    /// How long a call may take, where its tool says nothing else.
    pub call_timeout: Duration,
    /// How long a client may take to answer a question in the middle of a call.
    pub ask_timeout: Duration,
    /// Blocking functions that run at the same time.
    pub blocking_threads: usize,
    /// Tools on one page of a list; without it, a list has one page.
    pub page_size: Option<usize>,
    /// How long a client may keep a list.
    pub list_ttl: Duration,
    /// Sessions of the handshake era at the same time.
    pub sessions: usize,
    /// How long a session lives without a request that is answered, or a stream that is open.
    pub session_idle: Duration,
    /// Subscriptions that are open at the same time.
    pub subscriptions: usize,
    /// How long changes of the catalogue are gathered before clients are told.
    pub change_quiet: Duration,
    /// Bytes of contents behind links, all together.
    pub link_bytes: usize,
    /// How long contents behind a link can be read.
    pub link_lifetime: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message_bytes: 4 * 1024 * 1024,
            calls_in_flight: 1024,
            unsent_bytes: 64 * 1024 * 1024,
            call_timeout: Duration::from_mins(1),
            ask_timeout: Duration::from_mins(5),
            blocking_threads: 64,
            page_size: None,
            list_ttl: Duration::from_mins(5),
            sessions: 10_000,
            session_idle: Duration::from_hours(1),
            subscriptions: 10_000,
            change_quiet: Duration::from_millis(20),
            link_bytes: 64 * 1024 * 1024,
            link_lifetime: Duration::from_hours(1),
        }
    }
}

/// Bounds of one tool.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ToolLimits {
    /// How long a call may take; the server's bound where absent.
    pub timeout: Option<Duration>,
    /// Calls of this tool that run at the same time; others wait, within their timeout.
    pub concurrency: Option<usize>,
    /// Calls that one caller may make in such a time.
    pub rate: Option<(u32, Duration)>,
}

impl ToolLimits {
    /// No bounds of its own.
    pub const fn none() -> Self {
        Self { timeout: None, concurrency: None, rate: None }
    }

    /// The same with a timeout.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The same with so many calls at a time.
    #[must_use]
    pub const fn concurrency(mut self, calls: usize) -> Self {
        self.concurrency = Some(calls);
        self
    }

    /// The same with so many calls of one caller in such a time.
    #[must_use]
    pub const fn rate(mut self, calls: u32, within: Duration) -> Self {
        self.rate = Some((calls, within));
        self
    }
}
