//! The token of a `haft serve` of the same user on this machine.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use haft_client::target::RemoteUrl;
use http::HeaderValue;

use crate::state;

/// The header for a server that this user runs here, if one listens at the URL with a token from the state folder.
pub(super) fn of_local_server(url: &RemoteUrl, named: Option<&Path>) -> Option<HeaderValue> {
    let uri = url.uri();
    if uri.scheme_str() != Some("http") {
        return None;
    }
    let address = loopback(uri.host()?)?;
    let port = uri.port_u16().unwrap_or(80);
    let origin = format!("http://{}", SocketAddr::new(address, port));
    let folders: Vec<PathBuf> = if let Some(folder) = named {
        vec![folder.to_owned()]
    } else {
        let entries = fs::read_dir(state::root("").ok()?).ok()?;
        entries.filter_map(|entry| Some(entry.ok()?.path())).take(MOST_FOLDERS).collect()
    };
    let folder = folders.iter().find(|folder| state::is_announced(folder, port, &origin))?;
    let token = state::kept_token(folder)?;
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.reveal())).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Whether others on the way can read what is sent.
pub(super) fn is_in_the_clear(url: &RemoteUrl) -> bool {
    url.uri().scheme_str() == Some("http") && url.uri().host().and_then(loopback).is_none()
}

fn loopback(host: &str) -> Option<IpAddr> {
    if host.eq_ignore_ascii_case("localhost") {
        return Some(Ipv4Addr::LOCALHOST.into());
    }
    let address: IpAddr = host.trim_matches(['[', ']']).parse().ok()?;
    address.is_loopback().then_some(address)
}

/// More than anybody has manifests.
const MOST_FOLDERS: usize = 10_000;
