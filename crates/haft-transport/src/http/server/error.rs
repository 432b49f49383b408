//! How serving HTTP fails.

use std::io;

use super::address::Address;

/// Why an endpoint does not serve.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The address cannot be listened at; `source` says whether it is taken.
    #[error("cannot listen at `{address}`")]
    Bind {
        /// The address.
        address: Address,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// Everybody on the network could call the tools.
    #[error(
        "`{address}` can be reached from other machines, and this server does not ask who is calling; give it a token, or listen at 127.0.0.1"
    )]
    OpenToTheNetwork {
        /// The address.
        address: Address,
    },
    /// No runtime or thread to serve with.
    #[error("cannot start to serve")]
    Start {
        /// What is missing.
        #[source]
        source: io::Error,
    },
}
