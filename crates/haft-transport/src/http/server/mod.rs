//! The server's end of streamable HTTP.

mod accept;
mod activity;
mod address;
mod authority;
mod body;
mod collect;
mod connection;
mod cors;
mod endpoint;
mod error;
mod future;
mod gate;
mod heads;
mod listener;
mod notices;
mod options;
mod replay;
mod reply;
mod service;
mod sessions;
mod streaming;
mod workers;

pub use address::{Address, UnusableAddress};
pub use body::HttpBody;
pub use endpoint::Endpoint;
pub use error::HttpError;
pub use future::HttpFuture;
pub use options::HttpOptions;
pub use service::{ClientAddress, HttpService};
