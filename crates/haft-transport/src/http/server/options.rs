//! How streamable HTTP is served.

use std::net::IpAddr;
use std::time::Duration;

/// How streamable HTTP is served.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HttpOptions {
    /// The path that is served; `None` for every path, where a router in front has chosen already.
    pub path: Option<String>,
    /// Names that clients may use for this server in `Host`, with a port or for every port. On a loopback address, the
    /// names of this machine come on top; on any other address, an empty list stands for every name.
    pub hosts: Vec<String>,
    /// Origins of pages that may use this server, such as `https://app.example.com`. Pages that come from the server's own
    /// name and port may anyway.
    pub origins: Vec<String>,
    /// Proxies whose `Forwarded` and `X-Forwarded-Host` are believed.
    pub proxies: Vec<IpAddr>,
    /// How long a client may take to send its headers.
    pub header_timeout: Duration,
    /// Bytes of the headers of a request.
    pub header_bytes: usize,
    /// How long a client may take to send its body.
    pub body_timeout: Duration,
    /// How long a connection may lie idle between two requests.
    pub idle_timeout: Duration,
    /// How long a client may read nothing while something waits for it.
    pub stall_timeout: Duration,
    /// After how much silence a stream shows that it lives.
    pub keep_alive: Duration,
    /// How long requests may go on when the server is to end.
    pub drain: Duration,
    /// Connections at the same time; further ones wait to be accepted.
    pub connections: usize,
    /// Bytes of the events of one stream that are kept for a client that comes back.
    pub replay_stream_bytes: usize,
    /// Bytes that all streams keep together for that; above it, what a client has read is forgotten at once.
    pub replay_bytes: usize,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            path: Some("/mcp".to_owned()),
            hosts: Vec::new(),
            origins: Vec::new(),
            proxies: Vec::new(),
            header_timeout: Duration::from_secs(15),
            header_bytes: 32 * 1024,
            body_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_mins(2),
            stall_timeout: Duration::from_secs(30),
            keep_alive: Duration::from_secs(15),
            drain: Duration::from_secs(10),
            connections: 10_000,
            replay_stream_bytes: 256 * 1024,
            replay_bytes: 64 * 1024 * 1024,
        }
    }
}
