//! Drives an HTTP server with `tools/call` over keep-alive connections, one call in flight on each, and checks every byte of every answer.

mod answer;
mod connection;
mod request;

pub use answer::Answer;
#[cfg(test)]
pub use request::body;
pub use request::{Number, Request};

use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use clap::Args;
use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};

use crate::Result;
use crate::case::Case;
use crate::cores;
use crate::statistics::percentile;
use connection::Connection;

#[derive(Args)]
pub struct Options {
    /// Where the server listens
    address: SocketAddr,
    #[command(flatten)]
    case: Case,
    #[arg(long, default_value_t = 32)]
    connections: usize,
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Core to run on; by default the first
    #[arg(long)]
    core: Option<usize>,
}

/// `bench load`: one round against a server that somebody else started.
pub fn run(options: &Options) -> Result<()> {
    let core = match options.core {
        Some(core) => core,
        None => cores::Cores::choose()?.client,
    };
    cores::pin(core)?;
    let mut load = Load::open(options.address, options.case, options.connections)?;
    let mut round = load.run(Until::Elapsed(Duration::from_secs_f64(options.seconds)))?;
    let (median, tail) = round.latency();
    println!(
        "{}: {:.0} requests/s, p50 {median:?}, p99 {tail:?}, {} calls, no errors",
        options.case,
        round.rate(),
        round.calls
    );
    println!("answer: {}", load.sample());
    Ok(())
}

/// Open connections to one server.
#[derive(Debug)]
pub struct Load {
    poll: OwnedFd,
    connections: Vec<Connection>,
    sample: String,
    /// What the next call is told apart by.
    serial: u32,
}

/// When a round ends.
#[derive(Clone, Copy, Debug)]
pub enum Until {
    Calls(u64),
    Elapsed(Duration),
}

impl Until {
    fn is_over(self, calls: u64, started: Instant) -> bool {
        match self {
            Self::Calls(wanted) => calls >= wanted,
            Self::Elapsed(duration) => started.elapsed() >= duration,
        }
    }
}

/// What one round saw.
#[derive(Debug, Default)]
pub struct Round {
    pub calls: u64,
    pub elapsed: Duration,
    nanoseconds: Vec<u32>,
}

impl Round {
    pub fn new(elapsed: Duration, nanoseconds: Vec<u32>) -> Self {
        Self { calls: nanoseconds.len() as u64, elapsed, nanoseconds }
    }

    /// Takes another round into this one, as if they had been one.
    pub fn absorb(&mut self, other: Self) {
        self.calls += other.calls;
        self.elapsed += other.elapsed;
        self.nanoseconds.extend(other.nanoseconds);
    }

    /// Calls per second.
    pub fn rate(&self) -> f64 {
        self.calls as f64 / self.elapsed.as_secs_f64()
    }

    /// Median and 99th percentile of the time from question to answer.
    pub fn latency(&mut self) -> (Duration, Duration) {
        self.nanoseconds.sort_unstable();
        let at = |per_mille| Duration::from_nanos(percentile(&self.nanoseconds, per_mille).into());
        (at(500), at(990))
    }
}

impl Load {
    /// Connects `count` times, shakes hands where the form wants it, and learns what a right answer looks like.
    pub fn open(address: SocketAddr, case: Case, count: usize) -> Result<Self> {
        let mut first = connection::Exchange::connect(address)?;
        let session = first.shake_hands(case.form)?;
        let request = Request::http(case, address, session.as_deref());
        let (answer, sample) = first.learn(case, request.clone())?;
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let mut connections = Vec::with_capacity(count);
        for index in 0..count {
            let connection = Connection::open(address, request.clone(), answer.clone())?;
            epoll::add(&poll, connection.socket(), epoll::EventData::new_u64(index as u64), epoll::EventFlags::IN)?;
            connections.push(connection);
        }
        Ok(Self { poll, connections, sample, serial: 0 })
    }

    /// The body that the server gave as its first answer.
    pub fn sample(&self) -> &str {
        &self.sample
    }

    /// Asks on every connection, and again as soon as it answered. An answer that is wrong ends the run.
    pub fn run(&mut self, until: Until) -> Result<Round> {
        let mut nanoseconds = Vec::with_capacity(1 << 17);
        let started = Instant::now();
        for connection in &mut self.connections {
            connection.ask(self.serial)?;
            self.serial = self.serial.wrapping_add(1);
        }
        let mut open = self.connections.len();
        let mut asked = open as u64;
        let mut events: Vec<epoll::Event> = Vec::with_capacity(open);
        while open > 0 {
            events.clear();
            epoll::wait(&self.poll, spare_capacity(&mut events), Some(&PATIENCE))?;
            if events.is_empty() {
                return Err("the server did not answer in time".into());
            }
            for event in &events {
                let index = usize::try_from(event.data.u64())?;
                let connection = self.connections.get_mut(index).ok_or("an event for no connection")?;
                let Some(latency) = connection.answer()? else {
                    continue;
                };
                nanoseconds.push(u32::try_from(latency.as_nanos()).unwrap_or(u32::MAX));
                if until.is_over(asked, started) {
                    open -= 1;
                } else {
                    connection.ask(self.serial)?;
                    self.serial = self.serial.wrapping_add(1);
                    asked += 1;
                }
            }
        }
        Ok(Round::new(started.elapsed(), nanoseconds))
    }
}

const PATIENCE: Timespec = Timespec { tv_sec: 20, tv_nsec: 0 };

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;
    use crate::case::CASES;
    use crate::floor;

    #[test]
    fn a_round_asks_as_often_as_wanted_on_all_connections() {
        for case in CASES {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
            let address = listener.local_addr().expect("an address");
            // The called tool is one of two; the server ends with the process.
            std::thread::spawn(move || floor::http::listen(listener, floor::call::Tools::new(case.tool, 2)));
            let mut load = Load::open(address, case, 3).expect("connections");
            let round = load.run(Until::Calls(100)).expect("right answers");
            assert_eq!(round.calls, 100, "{case}");
        }
    }
}
