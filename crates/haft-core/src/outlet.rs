//! What a running call sends before its answer, and who is woken for it.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::task::Waker;

/// Messages that wait for the transport; of progress reports only the latest.
#[derive(Debug, Default)]
pub(crate) struct Outlet(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    messages: VecDeque<Vec<u8>>,
    progress: Option<Vec<u8>>,
    last_progress: Option<f64>,
    waker: Option<Waker>,
    is_cancelled: bool,
}

impl Outlet {
    pub(crate) fn send(&self, message: Vec<u8>) {
        let mut waiting = self.lock();
        waiting.messages.push_back(message);
        wake(waiting);
    }

    /// Puts a report in the place of one that nobody took yet; one that does not increase is dropped.
    pub(crate) fn report(&self, progress: f64, encode: impl FnOnce() -> Vec<u8>) {
        let mut waiting = self.lock();
        if !progress.is_finite() || waiting.last_progress.is_some_and(|last| progress <= last) {
            return;
        }
        waiting.last_progress = Some(progress);
        waiting.progress = Some(encode());
        wake(waiting);
    }

    pub(crate) fn take(&self) -> Option<Vec<u8>> {
        let mut waiting = self.lock();
        let progress = waiting.progress.take();
        progress.or_else(|| waiting.messages.pop_front())
    }

    /// Whether there is something to take, or to know.
    pub(crate) fn is_waiting(&self) -> bool {
        let waiting = self.lock();
        waiting.is_cancelled || waiting.progress.is_some() || !waiting.messages.is_empty()
    }

    /// Who is woken when there is something to take or the call is cancelled.
    pub(crate) fn wait(&self, waker: &Waker) {
        let mut waiting = self.lock();
        match &mut waiting.waker {
            Some(known) => known.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
    }

    pub(crate) fn cancel(&self) {
        let mut waiting = self.lock();
        waiting.is_cancelled = true;
        wake(waiting);
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.lock().is_cancelled
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn wake(mut waiting: std::sync::MutexGuard<'_, Waiting>) {
    let waker = waiting.waker.take();
    drop(waiting);
    if let Some(waker) = waker {
        waker.wake();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_progress_the_latest_wins_and_none_goes_back() {
        let outlet = Outlet::default();
        for progress in [1.0, 2.0, 2.0, 1.5, f64::NAN, 3.0] {
            outlet.report(progress, || format!("{progress}").into_bytes());
        }
        assert_eq!(outlet.take().as_deref(), Some(&b"3"[..]));
        assert_eq!(outlet.take(), None);
        outlet.report(3.0, Vec::new);
        assert_eq!(outlet.take(), None);
    }
}
