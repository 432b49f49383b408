//! Sockets that are listened at.

use std::io;
use std::net::SocketAddr;
#[cfg(unix)]
use std::path::Path;
use std::time::Duration;

use socket2::{Domain, Protocol, Socket, TcpKeepalive, Type};
use tokio::net::{TcpListener, TcpStream};
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};

use super::address::Address;
use super::service::Client;

/// A bound socket; nothing is accepted from it yet.
#[derive(Debug)]
pub(super) enum Bound {
    Tcp(std::net::TcpListener),
    #[cfg(unix)]
    Unix(std::os::unix::net::UnixListener, SocketFile),
}

/// A connection that was accepted, away from any runtime.
#[derive(Debug)]
pub(super) enum Accepted {
    Tcp(std::net::TcpStream),
    #[cfg(unix)]
    Unix(std::os::unix::net::UnixStream),
}

/// A socket that is listened at, inside of a runtime.
#[derive(Debug)]
pub(super) enum Listener {
    Tcp(TcpListener),
    #[cfg(unix)]
    Unix(UnixListener, #[expect(dead_code, reason = "gone with the listener")] SocketFile),
}

/// A connection inside of a runtime.
#[derive(Debug)]
pub(super) enum Stream {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Bound {
    pub(super) fn new(address: &Address) -> io::Result<Self> {
        match address {
            Address::Tcp(address) => bind_tcp(*address).map(Self::Tcp),
            #[cfg(unix)]
            Address::Unix(path) => bind_unix(path),
            #[cfg(not(unix))]
            Address::Unix(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// The port of a TCP socket, once the system chose one.
    pub(super) fn tcp_address(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(listener) => listener.local_addr().ok(),
            #[cfg(unix)]
            Self::Unix(..) => None,
        }
    }

    pub(super) fn listen(self) -> io::Result<Listener> {
        match self {
            Self::Tcp(listener) => TcpListener::from_std(listener).map(Listener::Tcp),
            #[cfg(unix)]
            Self::Unix(listener, file) => Ok(Listener::Unix(UnixListener::from_std(listener)?, file)),
        }
    }
}

impl Listener {
    pub(super) async fn accept(&self) -> io::Result<Stream> {
        match self {
            Self::Tcp(listener) => listener.accept().await.map(|(stream, _)| Stream::Tcp(stream)),
            #[cfg(unix)]
            Self::Unix(listener, _) => listener.accept().await.map(|(stream, _)| Stream::Unix(stream)),
        }
    }
}

impl Stream {
    /// Takes the connection out of its runtime.
    pub(super) fn into_accepted(self) -> io::Result<Accepted> {
        match self {
            Self::Tcp(stream) => stream.into_std().map(Accepted::Tcp),
            #[cfg(unix)]
            Self::Unix(stream) => stream.into_std().map(Accepted::Unix),
        }
    }

    /// What is known of the other end.
    pub(super) fn client(&self) -> Client {
        match self {
            Self::Tcp(stream) => {
                Client { address: stream.peer_addr().ok().map(|address| address.ip().to_canonical()), uid: None }
            }
            #[cfg(unix)]
            Self::Unix(stream) => Client { address: None, uid: stream.peer_cred().ok().map(|peer| peer.uid()) },
        }
    }
}

impl Accepted {
    /// Brings the connection into this runtime.
    pub(super) fn into_stream(self) -> io::Result<Stream> {
        match self {
            Self::Tcp(stream) => TcpStream::from_std(stream).map(Stream::Tcp),
            #[cfg(unix)]
            Self::Unix(stream) => UnixStream::from_std(stream).map(Stream::Unix),
        }
    }
}

fn bind_tcp(address: SocketAddr) -> io::Result<std::net::TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // A server that starts again may have its port back while old connections of it fade; a busy port stays busy.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    notice_the_dead(&socket);
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

/// Connections inherit this: a client that vanished without a word is noticed after a while.
fn notice_the_dead(socket: &Socket) {
    let keepalive = TcpKeepalive::new().with_time(SILENCE);
    if let Err(error) = socket.set_tcp_keepalive(&keepalive) {
        tracing::debug!(%error, "cannot look for connections that are dead");
    }
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::net::sockopt::set_tcp_user_timeout(socket, SILENCE_MILLISECONDS) {
        tracing::debug!(%error, "cannot look for connections that are dead");
    }
}

/// The file of a socket, removed with it.
#[cfg(unix)]
#[derive(Debug)]
pub(super) struct SocketFile(std::path::PathBuf);

#[cfg(unix)]
impl Drop for SocketFile {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.0) {
            tracing::debug!(%error, "cannot remove the socket");
        }
    }
}

#[cfg(unix)]
fn bind_unix(path: &Path) -> io::Result<Bound> {
    use std::fs::{DirBuilder, Permissions, set_permissions};
    use std::os::unix::fs::{DirBuilderExt, FileTypeExt, PermissionsExt};
    use std::os::unix::net::{UnixListener, UnixStream};

    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let is_socket = std::fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket());
    if is_socket {
        match UnixStream::connect(path) {
            // What is left of a server that is gone.
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => std::fs::remove_file(path)?,
            _ => return Err(io::ErrorKind::AddrInUse.into()),
        }
    }
    let listener = UnixListener::bind(path)?;
    let file = SocketFile(path.to_owned());
    set_permissions(path, Permissions::from_mode(0o600))?;
    listener.set_nonblocking(true)?;
    Ok(Bound::Unix(listener, file))
}

/// How long the other end of a connection may be silent before it is looked for.
const SILENCE: Duration = Duration::from_secs(30);
#[cfg(target_os = "linux")]
const SILENCE_MILLISECONDS: u32 = 30_000;
/// Connections that the system holds until they are accepted.
const BACKLOG: i32 = 1024;
