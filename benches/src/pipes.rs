//! Drives a stdio server: batches that fill the pipe, and single round trips.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use crate::Result;
use crate::case::Case;
use crate::load::{Answer, Number, Request, Round};

/// The two pipes of one server.
#[derive(Debug)]
pub struct Pipes {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    request: Request,
    answer: Answer,
    sample: String,
    line: Vec<u8>,
    serial: u32,
}

impl Pipes {
    /// Takes the pipes of a server and learns what a right answer looks like.
    pub fn open(case: Case, mut input: ChildStdin, mut output: BufReader<ChildStdout>) -> Result<Self> {
        let mut request = Request::line(case);
        input.write_all(request.numbered(Number::FIRST))?;
        let mut line = Vec::new();
        output.read_until(b'\n', &mut line)?;
        let answer = Answer::learn(case, &line)?;
        let sample = String::from_utf8_lossy(&line).into_owned();
        Ok(Self { input, output, request, answer, sample, line, serial: 0 })
    }

    /// The line that the server gave as its first answer.
    pub fn sample(&self) -> &str {
        &self.sample
    }

    /// Asks `size` calls in one write and waits for their answers, in any order, for as long as `duration`.
    pub fn batches(&mut self, size: u32, duration: Duration) -> Result<Round> {
        let mut nanoseconds = Vec::with_capacity(1 << 17);
        let mut questions = Vec::new();
        let mut answered = Vec::new();
        let started = Instant::now();
        while started.elapsed() < duration {
            questions.clear();
            for serial in 0..size {
                questions.extend_from_slice(self.request.numbered(Number::of_serial(self.serial.wrapping_add(serial))));
            }
            answered.clear();
            answered.resize(size as usize, false);
            let asked = Instant::now();
            self.input.write_all(&questions)?;
            for _ in 0..size {
                let offset = self.take()?;
                match answered.get_mut(offset as usize) {
                    Some(seen) if !*seen => *seen = true,
                    _ => return Err("an answer to no open call".into()),
                }
                nanoseconds.push(u32::try_from(asked.elapsed().as_nanos()).unwrap_or(u32::MAX));
            }
            self.serial = self.serial.wrapping_add(size);
        }
        Ok(Round::new(started.elapsed(), nanoseconds))
    }

    /// Reads one answer, checks it, and tells how many calls after the first of its batch it belongs to.
    fn take(&mut self) -> Result<u32> {
        self.line.clear();
        if self.output.read_until(b'\n', &mut self.line)? == 0 {
            return Err("the server ended".into());
        }
        let number = self.answer.number(&self.line).ok_or("an answer without a number")?;
        if !self.answer.is(number, &self.line) {
            return Err(format!("not the answer to the call: {}", String::from_utf8_lossy(&self.line)).into());
        }
        Ok(number.since(Number::of_serial(self.serial)))
    }
}
