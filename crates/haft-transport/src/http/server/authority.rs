//! Which names this server answers to, and which pages of the web may talk to it.
//!
//! A page that rebinds the name of its own server to this machine sends its own name in `Host` and in `Origin`: so both
//! are compared with lists, name by name (2025-11-25 and later, transports: security).

use std::net::IpAddr;

use super::heads::Heads;
use super::options::HttpOptions;

/// The lists that requests are compared with.
#[derive(Clone, Debug)]
pub(super) struct Authorities {
    hosts: Hosts,
    origins: Vec<String>,
    proxies: Vec<IpAddr>,
}

/// The names of this server.
#[derive(Clone, Debug)]
enum Hosts {
    /// Any: whoever can reach it has to say who it is, or is on this machine anyway.
    Any,
    /// Those that mean this machine itself, and these.
    ThisMachineAnd(Vec<String>),
    /// These.
    Only(Vec<String>),
}

/// How a request is refused before anything else of it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    Host,
    Origin,
}

impl Authorities {
    /// For a server on a loopback address, or one whose address is not known.
    pub(super) fn of_this_machine(options: &HttpOptions) -> Self {
        Self::new(Hosts::ThisMachineAnd(options.hosts.clone()), options)
    }

    /// For a server that other machines can reach, where every caller says who it is.
    pub(super) fn of_network(options: &HttpOptions) -> Self {
        let hosts = if options.hosts.is_empty() { Hosts::Any } else { Hosts::Only(options.hosts.clone()) };
        Self::new(hosts, options)
    }

    /// For a socket in the file system, which has no name that anybody could rebind.
    pub(super) fn of_socket_file(options: &HttpOptions) -> Self {
        Self::new(Hosts::Any, options)
    }

    fn new(hosts: Hosts, options: &HttpOptions) -> Self {
        Self { hosts, origins: options.origins.clone(), proxies: options.proxies.clone() }
    }

    /// Checks the names that a request is sent to and comes from.
    pub(super) fn check(&self, heads: &Heads<'_>, target: Option<&str>, client: Option<IpAddr>) -> Result<(), Foreign> {
        let host = self.host(heads, target, client).ok_or(Foreign::Host)?;
        if !self.hosts.contain(host) {
            return Err(Foreign::Host);
        }
        let Some(origin) = heads.origin else { return Ok(()) };
        let origin = origin.to_str().map_err(|_| Foreign::Origin)?;
        if self.is_allowed_origin(origin, host) { Ok(()) } else { Err(Foreign::Origin) }
    }

    /// The name that the client used: what a proxy says it was, where the proxy is one of ours.
    fn host<'a>(&self, heads: &Heads<'a>, target: Option<&'a str>, client: Option<IpAddr>) -> Option<&'a str> {
        let is_from_proxy = client.is_some_and(|address| self.proxies.contains(&address.to_canonical()));
        if is_from_proxy && let Some(forwarded) = forwarded_host(heads) {
            return Some(forwarded);
        }
        target.or_else(|| heads.host.and_then(|host| host.to_str().ok()))
    }

    fn is_allowed_origin(&self, origin: &str, host: &str) -> bool {
        if self.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin)) {
            return true;
        }
        let Some(authority) = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")) else {
            return false;
        };
        match &self.hosts {
            // Any name would do, so the page's own name proves nothing.
            Hosts::Any => false,
            Hosts::Only(_) => authority.eq_ignore_ascii_case(host),
            // A page that this very port served, by whatever name of this machine.
            Hosts::ThisMachineAnd(_) => {
                authority.eq_ignore_ascii_case(host)
                    || is_this_machine(authority) && is_this_machine(host) && split(authority).1 == split(host).1
            }
        }
    }
}

impl Hosts {
    fn contain(&self, host: &str) -> bool {
        match self {
            Self::Any => true,
            Self::ThisMachineAnd(names) => is_this_machine(host) || is_listed(host, names),
            Self::Only(names) => is_listed(host, names),
        }
    }
}

/// A listed name without a port stands for every port of it.
fn is_listed(host: &str, names: &[String]) -> bool {
    names.iter().any(|name| {
        name.eq_ignore_ascii_case(host) || (split(name).1.is_none() && name.eq_ignore_ascii_case(split(host).0))
    })
}

/// `localhost`, `127.0.0.1` and `[::1]`, with any port: a forwarded port has another number on the other side.
fn is_this_machine(host: &str) -> bool {
    THIS_MACHINE.iter().any(|name| match host.split_at_checked(name.len()) {
        Some((start, rest)) => start.eq_ignore_ascii_case(name) && is_port_or_nothing(rest),
        None => false,
    })
}

fn is_port_or_nothing(rest: &str) -> bool {
    match rest.as_bytes() {
        [] => true,
        [b':', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// A name and the port after it.
fn split(authority: &str) -> (&str, Option<&str>) {
    let name_end = authority.rfind(']').map_or(0, |bracket| bracket + 1);
    match authority.get(name_end..).and_then(|rest| rest.rfind(':')) {
        Some(colon) => {
            let (name, port) = authority.split_at(name_end + colon);
            (name, port.get(1..))
        }
        None => (authority, None),
    }
}

/// What the nearest proxy says: the last element, for it appends.
fn forwarded_host<'a>(heads: &Heads<'a>) -> Option<&'a str> {
    let last = |value: &'a http::HeaderValue| value.to_str().ok()?.rsplit(',').next().map(str::trim);
    if let Some(forwarded) = heads.forwarded.and_then(last) {
        let pairs = forwarded.split(';').filter_map(|pair| pair.split_once('='));
        let mut hosts = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("host"));
        if let Some((_, host)) = hosts.next() {
            return Some(host.trim().trim_matches('"'));
        }
    }
    heads.forwarded_host.and_then(last)
}

/// What every machine calls itself.
const THIS_MACHINE: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderName, HeaderValue};

    use super::*;

    struct Case {
        authorities: Authorities,
        client: Option<IpAddr>,
    }

    impl Case {
        fn check(&self, headers: &[(&'static str, &'static str)]) -> Result<(), Foreign> {
            let headers: HeaderMap = headers
                .iter()
                .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
                .collect();
            let heads = Heads::read(&headers).unwrap();
            self.authorities.check(&heads, None, self.client)
        }
    }

    #[test]
    fn on_loopback_only_this_machine_is_answered_to() {
        let case = Case { authorities: Authorities::of_this_machine(&HttpOptions::default()), client: None };
        for host in ["localhost", "localhost:7878", "LocalHost:1", "127.0.0.1", "127.0.0.1:7878", "[::1]", "[::1]:7878"]
        {
            assert_eq!(case.check(&[("host", host)]), Ok(()), "{host}");
        }
        for host in [
            "evil.example.com",
            "evil.example.com:7878",
            "localhost.evil.example.com",
            "127.0.0.1.evil.example.com",
            "localhost:",
            "localhost:x",
            "localhost.",
            "127.0.0.2",
            "::1",
            "[::2]:7878",
            "",
        ] {
            assert_eq!(case.check(&[("host", host)]), Err(Foreign::Host), "{host}");
        }
        assert_eq!(case.check(&[]), Err(Foreign::Host));
    }

    #[test]
    fn pages_are_heard_from_the_servers_own_port_and_from_listed_origins() {
        let mut options = HttpOptions::default();
        options.origins.push("https://inspector.example".to_owned());
        let case = Case { authorities: Authorities::of_this_machine(&options), client: None };
        let check = |origin| case.check(&[("host", "127.0.0.1:7878"), ("origin", origin)]);
        for origin in [
            "http://127.0.0.1:7878",
            "http://localhost:7878",
            "http://[::1]:7878",
            "https://inspector.example",
            "HTTPS://Inspector.Example",
        ] {
            assert_eq!(check(origin), Ok(()), "{origin}");
        }
        for origin in [
            "null",
            "",
            "http://evil.example.com",
            "http://evil.example.com:7878",
            "http://127.0.0.1",
            "http://localhost:3000",
            "http://localhost.evil.example:7878",
            "file://127.0.0.1:7878",
            "https://inspector.example:8443",
            "http://inspector.example",
        ] {
            assert_eq!(check(origin), Err(Foreign::Origin), "{origin}");
        }
    }

    #[test]
    fn a_server_on_the_network_has_the_names_it_is_given() {
        let mut options = HttpOptions::default();
        let open = Case { authorities: Authorities::of_network(&options), client: None };
        assert_eq!(open.check(&[("host", "anything.example")]), Ok(()));
        let same = [("host", "anything.example"), ("origin", "http://anything.example")];
        assert_eq!(open.check(&same), Err(Foreign::Origin));

        options.hosts.push("mcp.example.com".to_owned());
        let named = Case { authorities: Authorities::of_network(&options), client: None };
        let same = [("host", "mcp.example.com"), ("origin", "https://mcp.example.com")];
        assert_eq!(named.check(&same), Ok(()));
        assert_eq!(named.check(&[("host", "MCP.example.com:443")]), Ok(()));
        assert_eq!(named.check(&[("host", "localhost")]), Err(Foreign::Host));
    }

    #[test]
    fn only_a_known_proxy_says_what_the_name_was() {
        let mut options = HttpOptions::default();
        options.hosts.push("mcp.example.com".to_owned());
        options.proxies.push(IpAddr::from([10, 0, 0, 1]));
        let mut case =
            Case { authorities: Authorities::of_network(&options), client: Some(IpAddr::from([10, 0, 0, 1])) };
        let forwards = [
            [("host", "backend:8080"), ("x-forwarded-host", "mcp.example.com")],
            [("host", "backend:8080"), ("x-forwarded-host", "evil.example, mcp.example.com")],
            [("host", "backend:8080"), ("forwarded", "for=1.2.3.4;Host=\"mcp.example.com\";proto=https")],
        ];
        for headers in &forwards {
            assert_eq!(case.check(headers), Ok(()), "{headers:?}");
        }
        let forged = [("host", "mcp.example.com"), ("x-forwarded-host", "evil.example")];
        assert_eq!(case.check(&forged), Err(Foreign::Host));

        case.client = Some(IpAddr::from([10, 0, 0, 2]));
        for headers in &forwards {
            assert_eq!(case.check(headers), Err(Foreign::Host), "{headers:?}");
        }
        assert_eq!(case.check(&forged), Ok(()));
    }
}
