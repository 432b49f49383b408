//! The policy of this machine, this user and this project.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use haft_diag::Diagnostic;
use haft_policy::{Policy, RuleSet, Tier};

use crate::environment;
use crate::failure::Failure;

/// Reads the administrator's and the user's file, and takes what the project says.
pub(crate) fn load(project: RuleSet) -> Result<Policy, Failure> {
    let mut policy = Policy::default().with(Tier::Project, project).with(Tier::Admin, read(Path::new(ADMIN))?);
    if let Some(folder) = environment::configuration_folder() {
        policy = policy.with(Tier::User, read(&folder.join("haft/policy.toml"))?);
    }
    Ok(policy)
}

/// Where the user's file is, for a hint.
pub(crate) fn user_file() -> String {
    match environment::configuration_folder() {
        Some(folder) => format!("`{}`", haft_diag::escape(&folder.join("haft/policy.toml").to_string_lossy())),
        None => format!("`{ADMIN}`"),
    }
}

/// Reads one file; none is none.
pub(crate) fn read(path: &Path) -> Result<RuleSet, Failure> {
    guarded(path)?;
    Ok(haft_manifest::load_policy(path)?)
}

const ADMIN: &str = "/etc/haft/policy.toml";

/// Refuses a file that others can write: it would let them allow what runs here. Whether there is one is for the reader
/// to say.
fn guarded(path: &Path) -> Result<(), Failure> {
    let Ok(metadata) = fs::metadata(path) else { return Ok(()) };
    let is_ours = [0, rustix::process::geteuid().as_raw()].contains(&metadata.uid());
    if is_ours && metadata.mode() & 0o022 == 0 {
        return Ok(());
    }
    let diagnostic = Diagnostic::error("others can write this policy, so what it allows counts for nothing");
    Err(diagnostic.in_file(path.display().to_string()).hint("`chmod go-w` it, and see whose it is").into())
}
