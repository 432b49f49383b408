//! Starts the binary in a folder of its own, with nothing of the developer's surroundings.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use expect_test::Expect;
use tempfile::TempDir;

/// A folder with a manifest in it, and the home of whoever serves it.
pub(crate) struct Folder {
    folder: TempDir,
}

impl Folder {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder with a `haft.toml`.
    pub(crate) fn with(manifest: &str) -> Self {
        let folder = Self::empty();
        folder.write("haft.toml", manifest);
        folder
    }

    /// A folder with a server of one tool, `t`, that runs a script.
    pub(crate) fn with_script(script: &str, keys: &str) -> Self {
        let folder = Self::with(&format!(
            "[server]\nname = \"scripted\"\n\n[[tool]]\nname = \"t\"\ndescription = \"Runs a script.\"\n\
             annotations = {{ destructive = false }}\n\
             command = {{ argv = [\"sh\", \"./script\"], {keys} }}\n"
        ));
        folder.write("script", script);
        folder
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    /// The binary, to be started in this folder.
    pub(crate) fn haft(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_haft"));
        command.args(arguments).current_dir(self.path()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", self.path().join("home"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the binary to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Finished {
        self.finish(self.haft(arguments))
    }

    /// Runs a command to its end.
    pub(crate) fn finish(&self, mut command: Command) -> Finished {
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).unwrap();
            text.replace(self.path().to_str().unwrap(), "$FOLDER")
        };
        Finished { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The processes that wrote their number into `pids`.
    pub(crate) fn pids(&self) -> Vec<String> {
        self.read("pids").lines().map(str::to_owned).collect()
    }

    /// Waits until so many processes have said that they run.
    pub(crate) fn wait_for_pids(&self, count: usize) {
        until("the processes run", || self.pids().len() >= count);
    }

    /// Waits until none of these processes is there any more.
    pub(crate) fn wait_until_gone(&self) {
        until("no process is left", || self.pids().iter().all(|pid| !is_running(pid)));
    }
}

/// What a run printed, and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finished {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Finished {
    /// Compares everything.
    pub(crate) fn check(&self, expected: &Expect) {
        let code = self.code.map_or_else(|| "none".to_owned(), |code| code.to_string());
        expected.assert_eq(&format!("exit code: {code}\nstdout:\n{}stderr:\n{}", self.stdout, self.stderr));
    }
}

/// A child that does not outlive its test.
pub(crate) struct Guard(pub(crate) Child);

impl Guard {
    /// Waits for its end, but not for ever; the exit code.
    pub(crate) fn code(&mut self) -> Option<i32> {
        let mut status = None;
        until("the server ends", || {
            status = self.0.try_wait().unwrap();
            status.is_some()
        });
        status.and_then(|status| status.code())
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_raw(self.0.id().try_into().unwrap()).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Waits for a condition, but not for ever.
pub(crate) fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}");
        // bounded: by the assertion above
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A zombie runs no more.
fn is_running(pid: &str) -> bool {
    let status = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    status.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

/// Writes all of it, in the background, so that a reader that stops cannot hold the test up.
pub(crate) fn write_in_background(mut stdin: std::process::ChildStdin, text: String) {
    std::thread::spawn(move || drop(stdin.write_all(text.as_bytes())));
}

/// How long anything may take on a machine that does other things, too.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);
