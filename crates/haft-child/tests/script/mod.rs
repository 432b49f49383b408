//! Shell scripts as programs, and what they leave in the system.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use haft_child::{Finished, Program, resolve, run};
use tempfile::TempDir;

pub(crate) const GRACE: Duration = Duration::from_millis(300);

/// A shell script with a place of its own, whose processes can be told from all others.
pub(crate) struct Script {
    folder: TempDir,
    pub(crate) program: Program,
}

impl Script {
    /// `text` may use `hang` (a command to `exec` that never ends), `ready` (says that it is in place) and
    /// `await_ready`.
    pub(crate) fn new(text: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let place = folder.path().display().to_string();
        // A file name that nobody else uses, in the command line of all that must not stay.
        let prelude = format!(
            "place={place}; ready() {{ : > {place}/ready; }}\n\
             await_ready() {{ while ! [ -e {place}/ready ]; do sleep 0.01; done; }}\n"
        );
        fs::write(folder.path().join("hang"), HANG).unwrap();
        let text = text.replace("@hang", &format!("sh {place}/hang"));
        let mut program = shell(&format!("{prelude}{text}"));
        folder.path().clone_into(&mut program.directory);
        program.limits.grace = GRACE;
        program.limits.timeout = Duration::from_secs(20);
        Self { folder, program }
    }

    pub(crate) async fn run(&self) -> Finished {
        run(self.program.clone()).await.unwrap()
    }

    /// The processes of it that still run.
    pub(crate) fn processes(&self) -> Vec<String> {
        let place = self.folder.path().to_str().unwrap();
        let mut found = Vec::new();
        for (folder, stat) in all_processes() {
            let Ok(command) = fs::read(folder.join("cmdline")) else { continue };
            let command = String::from_utf8_lossy(&command).replace('\0', " ");
            let inherited = fs::read(folder.join("environ")).unwrap_or_default();
            let here = fs::read_link(folder.join("cwd")).is_ok_and(|cwd| cwd.starts_with(self.folder.path()));
            if here || command.contains(place) || String::from_utf8_lossy(&inherited).contains(place) {
                found.push(format!("{command} {stat}"));
            }
        }
        found
    }

    pub(crate) fn assert_nothing_left(&self) {
        assert_eq!(self.processes(), Vec::<String>::new());
    }

    pub(crate) async fn ready(&self) {
        until("the script is ready", || self.folder.path().join("ready").exists()).await;
    }
}

/// Ignores what can be ignored, and holds none of the outputs.
const HANG: &str = "trap '' TERM INT HUP; exec >/dev/null 2>&1 </dev/null; while :; do sleep 100; done\n";

pub(crate) fn shell(script: &str) -> Program {
    let path = std::env::var_os("PATH").unwrap();
    let mut program = Program::new(resolve(OsStr::new("sh"), &path, Path::new("/")).unwrap(), "/");
    program.arguments = vec!["-c".into(), script.into()];
    program.environment = vec![("PATH".into(), path)];
    program
}

/// All running processes: the folder and the status line. Zombies do not run.
fn all_processes() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap() {
        let folder = entry.unwrap().path();
        let Ok(stat) = fs::read(folder.join("stat")) else { continue };
        let stat = String::from_utf8_lossy(&stat).into_owned();
        if !stat.contains(") Z ") && !stat.contains(") X ") {
            found.push((folder, stat));
        }
    }
    found
}

/// Our children that nobody waited for.
pub(crate) fn zombies() -> usize {
    let own = std::process::id().to_string();
    let stats = fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read(entry.unwrap().path().join("stat")).ok());
    stats.filter(|stat| String::from_utf8_lossy(stat).contains(&format!(") Z {own} "))).count()
}

pub(crate) async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}");
        // bounded: by the assertion above.
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// How long anything may take on a machine that does other things, too, such as the tests beside it: their zombies are
/// those of this process as well.
const PATIENCE: Duration = Duration::from_secs(20);
