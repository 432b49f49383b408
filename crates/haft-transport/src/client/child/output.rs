//! Reads lines from a program that may write anything.

use haft_child::Output;
use tokio::sync::watch;
use tokio::time::{Duration, sleep};

use crate::client::inbox::{Slot, Unread};
use crate::client::{Excerpt, Incoming, shape::Shape};
use crate::lines::{Line, Lines};

/// Why reading ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum Over {
    /// Nothing more is written.
    End,
    TooLarge,
    Unread,
}

/// Puts each line into the inbox, as long as there is room.
///
/// Once `is_over` says that the program is gone, a pipe that somebody else still holds open is read only until it falls
/// silent.
pub(super) async fn read(mut output: Output, limit: usize, slot: &Slot, is_over: watch::Receiver<bool>) -> Over {
    let mut lines = Lines::new(limit);
    loop {
        let count = read_some(&mut output, lines.room(), is_over.clone()).await;
        lines.filled(count);
        while let Some(line) = lines.next() {
            let Line::Text(text) = line else { return Over::TooLarge };
            if slot.put(sort(text)).await.is_err() {
                return Over::Unread;
            }
        }
        if count == 0 {
            return match finish(&mut lines, slot).await {
                Ok(()) => Over::End,
                Err(Unread) => Over::Unread,
            };
        }
    }
}

/// The number of bytes; 0 at the end, which an unreadable pipe has reached as well.
pub(super) async fn read_some(output: &mut Output, buffer: &mut [u8], mut is_over: watch::Receiver<bool>) -> usize {
    let silence = async {
        // The program cannot be gone unnoticed: who would say so is gone as well then.
        drop(is_over.wait_for(|is_over| *is_over).await);
        sleep(QUIET).await;
    };
    tokio::select! {
        biased;
        count = output.read(buffer) => count.unwrap_or(0),
        () = silence => 0,
    }
}

/// What stands after the last line break is a message only if it is a whole one.
async fn finish(lines: &mut Lines, slot: &Slot) -> Result<(), Unread> {
    match lines.finish() {
        Some(Line::Text(text)) => {
            let incoming = match sort(text) {
                Incoming::Noise(excerpt) => Incoming::Noise(excerpt.cut(true)),
                other => other,
            };
            slot.put(incoming).await
        }
        _ => Ok(()),
    }
}

/// A log may begin with `[` or `{` as well, so the whole line is looked at.
fn sort(line: &[u8]) -> Incoming {
    if Shape::of(line).is_some() {
        Incoming::Message { bytes: line.to_vec(), request: None, head: None }
    } else {
        Incoming::Noise(Excerpt::of(line))
    }
}

/// How long a pipe whose program is gone may be silent before it is given up.
const QUIET: Duration = Duration::from_millis(200);
