//! What may stand behind `haft serve`.

use std::path::PathBuf;

use clap::Args;
use haft_transport::http::Address;

/// Serve the tools of a manifest to MCP clients of any protocol revision.
///
/// Started by a client, with a pipe on stdin, it speaks over stdin and stdout. Started in a terminal, it serves HTTP on
/// this machine at port 7878 and prints how clients connect. `--stdio` and `--http` choose by themselves.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Serve {
    /// The manifest, or its directory. Without it: the haft.toml here, or in the nearest directory above.
    pub(crate) file: Option<PathBuf>,

    /// Serve the one client that started this, over stdin and stdout.
    #[arg(long, conflicts_with_all = ["http", "no_auth", "token_file", "allow_host", "allow_origin"])]
    pub(crate) stdio: bool,

    /// Serve HTTP at this address, such as 127.0.0.1:7878; port 0 takes one that is free.
    #[arg(long, value_name = "ADDR")]
    pub(crate) http: Option<Address>,

    /// Serve HTTP to everybody who reaches the address: any program of any user of this machine can call the tools.
    /// Web pages still cannot. Refused for an address that other machines reach.
    #[arg(long, conflicts_with = "token_file")]
    pub(crate) no_auth: bool,

    /// Read the token that HTTP clients must send from this file. Without it: `HAFT_TOKEN`; without that, on this
    /// machine only, a random token that is kept for the next start.
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,

    /// A name in `Host` that HTTP clients may use for this server, such as `tools.example.com`; may be repeated.
    /// On this machine's own addresses, its names come on top; elsewhere every name is taken until one is given.
    #[arg(long, value_name = "HOST", value_parser = host)]
    pub(crate) allow_host: Vec<String>,

    /// An origin of web pages that may use this server, such as `https://app.example.com`; may be repeated.
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub(crate) allow_origin: Vec<String>,

    /// Write every decision, run and outcome to an audit log in the state folder.
    #[arg(long)]
    pub(crate) audit: bool,

    /// Write the audit log to this directory instead.
    #[arg(long, value_name = "DIR")]
    pub(crate) audit_dir: Option<PathBuf>,

    /// Keep what outlives a start, such as the token, in this directory instead of the user's state folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,
}

/// An origin as browsers send it; anything else would never match.
fn origin(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let rest = rest.ok_or("an origin begins with `https://` or `http://`")?;
    host(rest).map_err(|_| "an origin is a scheme and a host, such as `https://app.example.com`, and nothing else")?;
    Ok(text.to_owned())
}

/// A host, with a port or without, as it stands in the `Host` of a request.
fn host(text: &str) -> Result<String, String> {
    let (name, port) = match text.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (text, None),
    };
    let is_name = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._[]:".contains(&byte))
        && (name.starts_with('[') && name.ends_with(']') || !name.contains(['[', ']', ':']));
    if is_name && port.is_none_or(|port| port.parse::<u16>().is_ok()) {
        Ok(text.to_owned())
    } else {
        Err("a host is a name or an address, such as `tools.example.com` or `10.0.0.7:7878`".to_owned())
    }
}

const EXAMPLES: &str = "\
Examples:
  haft serve                               the manifest here or above, over stdio or HTTP
  haft serve tools/haft.toml --stdio       for a client that starts its servers
  haft serve --http 127.0.0.1:9000         for clients that connect
  HAFT_TOKEN=… haft serve --http 0.0.0.0:7878 --allow-host tools.example.com

SIGTERM or Ctrl-C lets running calls end for up to 10 seconds and exits with 0; a second one exits at once.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_request_can_match_is_refused() {
        for good in ["https://app.example.com", "http://localhost:3000", "http://[::1]:80"] {
            assert!(origin(good).is_ok(), "{good}");
        }
        for bad in ["foo", "*", "https://app.example.com/", "https://", "null", "ftp://x", "https://a b"] {
            assert!(origin(bad).is_err(), "{bad}");
        }
        for good in ["tools.example.com", "10.0.0.7:7878", "[::1]", "[::1]:80", "localhost"] {
            assert!(host(good).is_ok(), "{good}");
        }
        for bad in ["http://x", "a/b", "*", "x:99999", "", ":80", "::1"] {
            assert!(host(bad).is_err(), "{bad}");
        }
    }
}
