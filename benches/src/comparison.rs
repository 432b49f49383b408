//! Floor and subject in paired rounds: in each both have the same number of short turns, and only the ratio within a round counts.
//! A shared machine changes its speed from minute to minute, so absolute figures of two runs say nothing.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use crate::Result;
use crate::case::{CASES, Case};
use crate::cores::{Cores, pin};
use crate::load::{Load, Round, Until};
use crate::pipes::Pipes;
use crate::report::{Report, Row, Sample};
use crate::server::{CoreTime, Role, Server, Transport};

#[derive(Args)]
pub struct Options {
    /// 9 rounds instead of 25
    #[arg(long)]
    quick: bool,
    /// Rounds to run, whatever `--quick` says
    #[arg(long)]
    rounds: Option<usize>,
    /// What is compared with the floor; the floor itself shows how much the machine disturbs
    #[arg(long, value_enum, default_value = "haft")]
    subject: Role,
    /// Connections of the HTTP client, each with one call in flight
    #[arg(long, default_value_t = 32)]
    connections: usize,
    /// Writes all rounds to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// `bench`: exit code 1 when the subject is slower than [`LEAST_RATIO`] allows.
pub fn run(options: &Options) -> Result<ExitCode> {
    let cores = Cores::choose()?;
    pin(cores.client)?;
    if cores.are_shared() {
        eprintln!("note: client and server share one core, so the ratios come out better than they are");
    }
    let rounds = options.rounds.unwrap_or(if options.quick { 9 } else { 25 });
    eprintln!("{rounds} paired rounds a row");
    let mut report = Report::new(rounds, options.connections);
    for case in CASES {
        let core = cores.server;
        let open = |role| HttpSide::open(role, case, core, options.connections);
        let row =
            paired(Row::new(Transport::Http, case.to_string()), rounds, open(Role::Floor)?, open(options.subject)?)?;
        report.add(row);
    }
    for (name, size) in [("pipelined", BATCH), ("round trip", 1)] {
        let case = STDIO_CASE;
        // Both ends on one core: a pipe between two measures how fast the other one wakes up.
        let open = |role| StdioSide::open(role, case, cores.client, size);
        let row =
            paired(Row::new(Transport::Stdio, name.to_owned()), rounds, open(Role::Floor)?, open(options.subject)?)?;
        report.add(row);
    }
    println!("{}", report.table());
    let waited = report.most_waited();
    if waited > DISTURBED {
        println!(
            "note: other programs kept a server off its core for {:.0} % of a row's time, so its ratio is rough",
            waited * 100.0
        );
    }
    if let Some(file) = &options.json {
        fs::write(file, report.json()?)?;
    }
    let slow: Vec<&str> = report.slower_than(LEAST_RATIO).collect();
    if slow.is_empty() {
        println!("ok: no HTTP row is below {LEAST_RATIO} of the floor");
        return Ok(ExitCode::SUCCESS);
    }
    println!("too slow: below {LEAST_RATIO} of the floor: {}", slow.join(", "));
    Ok(ExitCode::from(1))
}

/// One server with its client.
trait Side {
    fn round(&mut self, duration: Duration) -> Result<Round>;
    fn server(&self) -> &Server;
    /// The answer to the first call.
    fn answer(&self) -> &str;
    fn stop(self) -> Result<()>;
}

fn paired<S: Side>(mut row: Row, rounds: usize, mut floor: S, mut subject: S) -> Result<Row> {
    if floor.answer() != subject.answer() {
        let (floor, subject) = (floor.answer(), subject.answer());
        return Err(format!("the two do not answer the same:\nfloor:   {floor}\nsubject: {subject}").into());
    }
    floor.round(WARM_UP)?;
    subject.round(WARM_UP)?;
    for _ in 0..rounds {
        let (mut of_floor, mut of_subject) = (Sum::default(), Sum::default());
        // Short turns, so that what else happens on the machine falls on both; neither side is always the first.
        for turn in 0..TURNS {
            if turn % 2 == 0 {
                of_floor.add(&mut floor)?;
                of_subject.add(&mut subject)?;
            } else {
                of_subject.add(&mut subject)?;
                of_floor.add(&mut floor)?;
            }
        }
        row.floor.push(of_floor.sample());
        row.subject.push(of_subject.sample());
    }
    row.floor_memory = floor.server().peak_memory()?;
    row.subject_memory = subject.server().peak_memory()?;
    floor.stop()?;
    subject.stop()?;
    Ok(row)
}

/// All turns that one side had in a round.
#[derive(Default)]
struct Sum {
    round: Round,
    time: CoreTime,
}

impl Sum {
    fn add(&mut self, side: &mut impl Side) -> Result<()> {
        let before = side.server().core_time()?;
        self.round.absorb(side.round(TURN)?);
        let after = side.server().core_time()?;
        self.time.busy += after.busy.saturating_sub(before.busy);
        self.time.waited += after.waited.saturating_sub(before.waited);
        Ok(())
    }

    fn sample(mut self) -> Sample {
        let (median, tail) = self.round.latency();
        Sample {
            calls_per_second: self.round.rate(),
            server_microseconds_per_call: self.time.busy.as_secs_f64() * 1e6 / self.round.calls as f64,
            waited_for_core: self.time.waited.as_secs_f64() / self.round.elapsed.as_secs_f64(),
            median_microseconds: median.as_secs_f64() * 1e6,
            tail_microseconds: tail.as_secs_f64() * 1e6,
        }
    }
}

struct HttpSide {
    server: Server,
    load: Load,
}

impl HttpSide {
    fn open(role: Role, case: Case, core: usize, connections: usize) -> Result<Self> {
        let mut server = Server::start(role, Transport::Http, case, core, &[])?;
        let load = Load::open(server.address()?, case, connections)?;
        Ok(Self { server, load })
    }
}

impl Side for HttpSide {
    fn round(&mut self, duration: Duration) -> Result<Round> {
        self.load.run(Until::Elapsed(duration))
    }

    fn server(&self) -> &Server {
        &self.server
    }

    fn answer(&self) -> &str {
        self.load.sample()
    }

    fn stop(self) -> Result<()> {
        self.server.stop()
    }
}

struct StdioSide {
    server: Server,
    pipes: Pipes,
    size: u32,
}

impl StdioSide {
    fn open(role: Role, case: Case, core: usize, size: u32) -> Result<Self> {
        let mut server = Server::start(role, Transport::Stdio, case, core, &[])?;
        let (input, output) = server.pipes()?;
        let pipes = Pipes::open(case, input, output)?;
        Ok(Self { server, pipes, size })
    }
}

impl Side for StdioSide {
    fn round(&mut self, duration: Duration) -> Result<Round> {
        self.pipes.batches(self.size, duration)
    }

    fn server(&self) -> &Server {
        &self.server
    }

    fn answer(&self) -> &str {
        self.pipes.sample()
    }

    fn stop(self) -> Result<()> {
        drop(self.pipes);
        self.server.stop()
    }
}

/// What haft may lose to the floor over HTTP.
const LEAST_RATIO: f64 = 0.85;
/// Above this part of the time without a core, the reader should know.
const DISTURBED: f64 = 0.1;
/// A round of 0.7 s for each side.
const TURNS: u32 = 10;
const TURN: Duration = Duration::from_millis(70);
const WARM_UP: Duration = Duration::from_millis(300);
/// Questions and answers of one batch fit into a pipe, so neither side waits for the other with a full one.
const BATCH: u32 = 64;
const STDIO_CASE: Case = CASES[0];
