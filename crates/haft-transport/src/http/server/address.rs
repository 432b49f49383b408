//! Where a server listens.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

/// Where a server listens: `127.0.0.1:7878`, `[::1]:7878`, `localhost:7878`, or `unix:/run/user/1000/haft.sock`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a listener has to serve each of these")]
pub enum Address {
    /// A port of an address of this machine; port 0 is any that is free.
    Tcp(SocketAddr),
    /// A socket in the file system.
    Unix(PathBuf),
}

impl Address {
    /// Whether other machines can reach it.
    pub fn is_on_network(&self) -> bool {
        match self {
            Self::Tcp(address) => !address.ip().to_canonical().is_loopback(),
            Self::Unix(_) => false,
        }
    }
}

impl FromStr for Address {
    type Err = UnusableAddress;

    fn from_str(text: &str) -> Result<Self, UnusableAddress> {
        if let Some(path) = text.strip_prefix("unix:") {
            return if path.is_empty() { Err(UnusableAddress) } else { Ok(Self::Unix(PathBuf::from(path))) };
        }
        // A name is not looked up: it could be anything, on anybody's machine.
        if let Some(port) = text.strip_prefix("localhost:") {
            let port = port.parse().map_err(|_| UnusableAddress)?;
            return Ok(Self::Tcp(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port)));
        }
        text.parse().map(Self::Tcp).map_err(|_| UnusableAddress)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(f, "{address}"),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

/// A text that names no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnusableAddress;

impl fmt::Display for UnusableAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an address with a port such as `127.0.0.1:7878`, or `unix:` and a path")
    }
}

impl std::error::Error for UnusableAddress {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_numbers_or_a_path_and_knows_whom_it_is_open_to() {
        for (text, shown, is_on_network) in [
            ("127.0.0.1:7878", "127.0.0.1:7878", false),
            ("localhost:0", "127.0.0.1:0", false),
            ("[::1]:7878", "[::1]:7878", false),
            ("[::ffff:127.0.0.1]:1", "[::ffff:127.0.0.1]:1", false),
            ("0.0.0.0:7878", "0.0.0.0:7878", true),
            ("[::]:7878", "[::]:7878", true),
            ("192.168.1.2:7878", "192.168.1.2:7878", true),
            ("unix:/run/haft.sock", "unix:/run/haft.sock", false),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.to_string(), shown);
            assert_eq!(address.is_on_network(), is_on_network, "{text}");
        }
        for text in ["", "7878", "127.0.0.1", "example.com:80", "unix:", "localhost:x", "localhost"] {
            assert_eq!(text.parse::<Address>(), Err(UnusableAddress), "{text}");
        }
    }
}
