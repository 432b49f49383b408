//! Whether a server speaks over stdio or HTTP.

use std::io::{self, IsTerminal as _};
use std::net::{Ipv4Addr, SocketAddr};

use haft_diag::Diagnostic;
use haft_transport::http::Address;
use rustix::fs::{FileType, fstat};

use crate::arguments::Serve;
use crate::failure::Failure;

/// How clients reach the server.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// They connect to this address.
    Http(Address),
    /// The one that started it, over stdin and stdout.
    Stdio,
}

/// What was asked for, or what stdin shows of who started us.
pub(super) fn choose(serve: &Serve) -> Result<Way, Failure> {
    let asks_for_http =
        serve.no_auth || serve.token_file.is_some() || !serve.allow_host.is_empty() || !serve.allow_origin.is_empty();
    match &serve.http {
        Some(address) => Ok(Way::Http(address.clone())),
        None if serve.stdio => Ok(Way::Stdio),
        None if asks_for_http || io::stdin().is_terminal() => Ok(Way::Http(standard_address())),
        None if is_pipe() => Ok(Way::Stdio),
        None => {
            let diagnostic = Diagnostic::error("stdin is neither a terminal nor a pipe, so nobody says how to serve");
            Err(diagnostic.hint("`haft serve --http 127.0.0.1:7878` or `haft serve --stdio`").into())
        }
    }
}

/// A pipe or a socket: somebody started us to talk to us.
fn is_pipe() -> bool {
    fstat(rustix::stdio::stdin())
        .is_ok_and(|status| matches!(FileType::from_raw_mode(status.st_mode), FileType::Fifo | FileType::Socket))
}

fn standard_address() -> Address {
    Address::Tcp(SocketAddr::from((Ipv4Addr::LOCALHOST, 7878)))
}
