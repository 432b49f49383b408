//! A terminal with the binary in it, and what a person sees and types.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::binary::{Folder, Guard, until};

/// The binary with a terminal for stdin, stdout and stderr.
pub(crate) struct Terminal {
    child: Guard,
    keyboard: File,
    screen: Arc<Mutex<String>>,
    /// Ends when nobody can print any more and everything was read.
    reader: JoinHandle<()>,
}

impl Terminal {
    /// Starts the binary in a terminal of 80 columns.
    pub(crate) fn start(folder: &Folder, arguments: &[&str]) -> Self {
        Self::start_with(folder, arguments, &[])
    }

    /// The same, with variables.
    pub(crate) fn start_with(folder: &Folder, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let master: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let size = Winsize { ws_row: 40, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).unwrap();
        let no_terminal_of_ours = rustix::fs::OFlags::NOCTTY.bits().cast_signed();
        let mut options = OpenOptions::new();
        let slave = options.read(true).write(true).custom_flags(no_terminal_of_ours).open(name.to_str().unwrap());
        let slave = slave.unwrap();
        let mut command = folder.haft(arguments);
        command.envs(variables.iter().copied());
        for (index, end) in [0, 1, 2].map(|_| slave.try_clone().unwrap()).into_iter().enumerate() {
            match index {
                0 => command.stdin(Stdio::from(end)),
                1 => command.stdout(Stdio::from(end)),
                _ => command.stderr(Stdio::from(end)),
            };
        }
        let child = Guard(command.spawn().unwrap());
        drop((command, slave));
        let keyboard = File::from(master);
        let screen = Arc::new(Mutex::new(String::new()));
        let (mut output, seen) = (keyboard.try_clone().unwrap(), Arc::clone(&screen));
        let reader = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The last end that is closed ends the reading with an error.
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                seen.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..count]));
            }
        });
        Self { child, keyboard, screen, reader }
    }

    /// Waits until this was printed.
    pub(crate) fn wait_for(&self, text: &str) {
        until(text, || self.screen.lock().unwrap().contains(text));
    }

    /// Types a line.
    pub(crate) fn type_line(&mut self, text: &str) {
        writeln!(self.keyboard, "{text}").unwrap();
    }

    /// Presses Ctrl-C, as far as the binary can tell.
    pub(crate) fn interrupt(&self) {
        self.child.signal(Signal::INT);
    }

    /// The exit code, and everything that was on the screen, in lines.
    pub(crate) fn finish(mut self) -> (Option<i32>, String) {
        let code = self.child.code();
        // What was printed last may still be on its way.
        until("the screen was read to its end", || self.reader.is_finished());
        (code, self.screen.lock().unwrap().replace("\r\n", "\n"))
    }
}
