//! A program that runs until somebody ends it, such as a server that is spoken to over its pipes.

use std::{io, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{ChildStderr, ChildStdin, ChildStdout},
    time::{MissedTickBehavior, interval},
};

use crate::{
    Ending, Program, StartError,
    leader::Leader,
    run::{CLEANING, command, explain, natural},
    warden,
};

/// Starts a program whose pipes are the caller's, and which has no limits but those that the caller sets by ending it.
///
/// [`Program::stdin`] and [`Program::limits`] have no meaning here.
///
/// Must be called within a tokio runtime with I/O and time.
///
/// # Errors
///
/// When the program cannot be started.
pub fn spawn(program: Program) -> Result<Spawned, StartError> {
    let Program { path, arguments, directory, environment, .. } = program;
    let mut command = command(&path, arguments, &directory, environment);
    command.stdin(Stdio::piped());
    let (leader, pipes) = Leader::start(&mut command).map_err(|source| explain(path, directory, source))?;
    Ok(Spawned {
        running: Running { leader },
        stdin: Input { pipe: pipes.stdin },
        stdout: Output(pipes.stdout.map(Pipe::Stdout)),
        stderr: Output(pipes.stderr.map(Pipe::Stderr)),
    })
}

/// A program that was started.
#[derive(Debug)]
#[non_exhaustive]
pub struct Spawned {
    /// The program.
    pub running: Running,
    /// What it reads. It reads the end once this is gone.
    pub stdin: Input,
    /// What it writes. It cannot write any more when nobody reads.
    pub stdout: Output,
    /// What it reports. Likewise.
    pub stderr: Output,
}

/// A program that runs. Dropped, it is killed, and all that it started.
#[derive(Debug)]
pub struct Running {
    leader: Leader,
}

impl Running {
    /// The number of its process.
    pub fn number(&self) -> u32 {
        self.leader.number()
    }

    /// Waits until the program itself has ended. What it started may go on.
    pub async fn exited(&self) {
        let mut cleaning = interval(CLEANING);
        cleaning.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = self.leader.exited() => return,
                _ = cleaning.tick() => warden::reap_orphans(),
            }
        }
    }

    /// Ends what is left of it and of what it started: `SIGTERM`, and after the grace `SIGKILL`.
    ///
    /// What it wrote before can still be read. Somebody should read it meanwhile, for a program that cannot write may
    /// not be able to end.
    pub async fn end(mut self, grace: Duration) -> Ending {
        let status = self.leader.end(grace).await;
        // Without a status it ended, but nobody knows how; or `kill_all` ended it.
        status.filter(|_| !self.leader.killed()).map_or(Ending::Killed, natural)
    }
}

/// What a program reads from.
#[derive(Debug)]
pub struct Input {
    pipe: Option<ChildStdin>,
}

impl Input {
    /// Writes some of the bytes, and says how many. A dropped future has written none.
    ///
    /// # Errors
    ///
    /// When nobody reads any more.
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.pipe {
            Some(pipe) => pipe.write(bytes).await,
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

/// What a program writes to.
#[derive(Debug)]
pub struct Output(Option<Pipe>);

impl Output {
    /// Reads some bytes, and says how many; none at the end. A dropped future has read none.
    ///
    /// # Errors
    ///
    /// When the pipe cannot be read.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Some(Pipe::Stderr(pipe)) => pipe.read(buffer).await,
            Some(Pipe::Stdout(pipe)) => pipe.read(buffer).await,
            None => Ok(0),
        }
    }
}

#[derive(Debug)]
enum Pipe {
    Stderr(ChildStderr),
    Stdout(ChildStdout),
}
