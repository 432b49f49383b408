//! The policy of this machine, this user and this project.

use std::path::Path;

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
    Ok(haft_manifest::load_policy(path)?)
}

const ADMIN: &str = "/etc/haft/policy.toml";
