//! The programs that a step needs besides cargo, and how to get those that are missing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::run::{Invocation, RunError, run};

/// A program, found by running it: where it lies and who installed it does not matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Need {
    pub(crate) name: &'static str,
    probe: &'static [&'static str],
    from: Origin,
}

#[derive(Clone, Copy, Debug)]
enum Origin {
    /// Debian packages, separated by spaces.
    Debian(&'static str),
    /// A component of the Rust toolchain in use.
    Rustup(&'static str),
}

/// Programs are missing and this machine is not one where they may be installed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NeedError {
    #[error("missing: {}", .missing.join(", "))]
    Missing { missing: Vec<String>, hints: Vec<String> },
    #[error("still missing after the installation: {}", .missing.join(", "))]
    StillMissing { missing: Vec<String> },
    #[error("`{command}` failed")]
    Install { command: String },
    #[error(transparent)]
    Run(#[from] RunError),
}

impl NeedError {
    /// What a person can do about it, one command a line.
    pub(crate) fn hints(&self) -> &[String] {
        match self {
            Self::Missing { hints, .. } => hints,
            Self::Install { .. } | Self::Run(_) | Self::StillMissing { .. } => &[],
        }
    }
}

/// Makes sure that all of `needs` are there: installs on a Debian machine as root, elsewhere says what is missing.
pub(crate) fn provide(needs: &[Need], root: &Path) -> Result<(), NeedError> {
    let missing = missing(needs, root);
    let installs = installs(&missing);
    if installs.is_empty() {
        return Ok(());
    }
    let may_install = missing.iter().all(|need| match need.from {
        Origin::Debian(_) => is_debian() && is_root(root),
        Origin::Rustup(_) => answers(&["rustup", "--version"], root),
    });
    if !may_install {
        let missing = missing.iter().map(|need| need.name.to_owned()).collect();
        return Err(NeedError::Missing { missing, hints: installs.iter().map(ToString::to_string).collect() });
    }
    for install in installs {
        println!("==> set-up: {install}");
        let status = run(&install.clone().with("DEBIAN_FRONTEND", "noninteractive"), root, &mut |_| {})?;
        if !status.success() {
            return Err(NeedError::Install { command: install.to_string() });
        }
    }
    let missing = self::missing(needs, root);
    if missing.is_empty() {
        Ok(())
    } else {
        Err(NeedError::StillMissing { missing: missing.iter().map(|need| need.name.to_owned()).collect() })
    }
}

/// Whether a program runs and says that all is well.
pub(crate) fn answers(argv: &[&str], root: &Path) -> bool {
    let invocation = Invocation { argv: argv.iter().map(|&word| word.to_owned()).collect(), ..Invocation::new("") };
    invocation.command(root).is_some_and(|mut command| {
        let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().is_ok_and(|status| status.success())
    })
}

fn missing(needs: &[Need], root: &Path) -> Vec<Need> {
    let mut seen = BTreeSet::new();
    needs.iter().filter(|need| seen.insert(need.name) && !answers(need.probe, root)).copied().collect()
}

/// The commands that bring what is missing.
fn installs(missing: &[Need]) -> Vec<Invocation> {
    let mut packages = BTreeSet::new();
    let mut components = BTreeSet::new();
    for need in missing {
        match need.from {
            Origin::Debian(names) => packages.extend(names.split(' ')),
            Origin::Rustup(name) => {
                components.insert(name);
            }
        }
    }
    let listed = |names: BTreeSet<&str>| names.into_iter().collect::<Vec<_>>().join(" ");
    let mut installs = Vec::new();
    if !components.is_empty() {
        installs.push(Invocation::new(&format!("rustup component add {}", listed(components))));
    }
    if !packages.is_empty() {
        installs.push(Invocation::new("apt-get update"));
        let install = format!("apt-get install -y --no-install-recommends {}", listed(packages));
        installs.push(Invocation::new(&install));
    }
    installs
}

fn is_debian() -> bool {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    release.lines().any(|line| {
        let value = line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE="));
        value.is_some_and(|value| value.trim_matches('"').split(' ').any(|name| name == "debian"))
    })
}

fn is_root(root: &Path) -> bool {
    answers(&["sh", "-c", "test \"$(id -u)\" = 0"], root)
}

pub(crate) const CLIPPY: Need =
    Need { name: "clippy", probe: &["cargo", "clippy", "--version"], from: Origin::Rustup("clippy") };
pub(crate) const GIT: Need = debian("git", &["git", "--version"], "git");
pub(crate) const NODE: Need = debian("node", &["node", "--version"], "nodejs");
pub(crate) const NPM: Need = debian("npm", &["npm", "--version"], "npm");
/// Debian's python3 cannot make environments until python3-venv is there; the Python peers want 3.11.
pub(crate) const PYTHON: Need = debian(
    "python3 (3.11 or newer, with venv)",
    &["python3", "-c", "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))"],
    "python3 python3-venv",
);
pub(crate) const RUSTFMT: Need =
    Need { name: "rustfmt", probe: &["cargo", "fmt", "--version"], from: Origin::Rustup("rustfmt") };
pub(crate) const VALGRIND: Need = debian("valgrind", &["valgrind", "--version"], "valgrind");

const fn debian(name: &'static str, probe: &'static [&'static str], packages: &'static str) -> Need {
    Need { name, probe, from: Origin::Debian(packages) }
}

#[cfg(test)]
mod tests {
    use super::{CLIPPY, GIT, Need, PYTHON, answers, debian, installs, missing, provide};

    #[test]
    fn one_installation_brings_all_that_is_missing() {
        let commands: Vec<String> = installs(&[PYTHON, GIT, CLIPPY]).iter().map(ToString::to_string).collect();
        assert_eq!(
            commands,
            [
                "rustup component add clippy",
                "apt-get update",
                "apt-get install -y --no-install-recommends git python3 python3-venv",
            ]
        );
        assert!(installs(&[]).is_empty());
    }

    #[test]
    fn what_runs_is_not_missing_and_what_does_not_is_named_once() {
        let here: Need = debian("sh", &["sh", "-c", "exit 0"], "dash");
        let gone: Need = debian("gone", &["no-such-program-here"], "gone");
        let failing: Need = debian("failing", &["sh", "-c", "exit 1"], "failing");
        let found = missing(&[here, gone, failing, gone], ".".as_ref());
        assert_eq!(found.iter().map(|need| need.name).collect::<Vec<_>>(), ["gone", "failing"]);
        assert!(provide(&[here], ".".as_ref()).is_ok());
        assert!(answers(&["sh", "-c", "exit 0"], ".".as_ref()));
    }
}
