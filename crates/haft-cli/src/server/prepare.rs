//! From a target to something that can be connected to: trust is checked, the manifest is read, headers are complete.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use haft_client::Endpoint;
use haft_client::target::{NamedBy, Program, Target, TrustStore, trust};
use haft_core::Principal;
use haft_diag::Diagnostic;
use haft_manifest::Manifest;
use haft_policy::{Belief, RuleSet};
use haft_transport::client::{Launch, Remote};
use http::header;

use super::named::{Named, unusable};
use super::token;
use crate::arguments::Reach;
use crate::failure::Failure;
use crate::{environment, person, serve, state};

/// Something to connect to.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) named: Named,
    pub(crate) endpoint: Endpoint,
    /// What the project says that the tools belong to.
    pub(crate) rules: RuleSet,
    /// Whether what the server says of its tools is taken as true.
    pub(crate) belief: Belief,
    /// What a person should know.
    pub(crate) warnings: Vec<String>,
}

/// Makes a target ready. Nothing is started yet.
pub(crate) fn prepare(named: Named, reach: &Reach) -> Result<Prepared, Failure> {
    check_trust(&named, reach.state.as_deref())?;
    // A command that a person types is that person's word for what it says.
    let belief = if person::is_here() { Belief::Believed } else { Belief::Untrusted };
    let (endpoint, rules, belief, warnings) = match &named.target {
        Target::Manifest { path, .. } => {
            let manifest = Manifest::load(path, &environment::variable)?;
            let rules = manifest.policy().clone();
            let server = serve::build(manifest, haft_core::Identify::anonymous(), path, None)?;
            (Endpoint::Memory(server, Arc::new(Principal::anonymous())), rules, Belief::Own, Vec::new())
        }
        Target::Program(program) => (Endpoint::Program(launch(program)?), RuleSet::default(), belief, Vec::new()),
        Target::Remote { url, headers, .. } => {
            let mut remote = Remote::new(url.uri().to_string());
            let mut warnings = Vec::new();
            for (name, value) in headers {
                remote.headers.push((name.clone(), value.clone()));
            }
            if !headers.contains_key(header::AUTHORIZATION)
                && let Some(value) = token::of_local_server(url, reach.state.as_deref())
            {
                remote.headers.push((header::AUTHORIZATION, value));
            } else if !headers.is_empty() && token::is_in_the_clear(url) {
                warnings.push(format!("headers go to `{url}` without encryption; whoever is between can read them"));
            }
            (Endpoint::Http(remote), RuleSet::default(), belief, warnings)
        }
        Target::Tools(path) => {
            let message = "saved tools can be listed, but nobody is there to ask";
            let hint = "name the server that they come from";
            return Err(Diagnostic::error(message).in_file(path.display().to_string()).hint(hint).into());
        }
        _ => return Err(Diagnostic::error("this kind of target cannot be connected to").into()),
    };
    Ok(Prepared { named, endpoint, rules, belief, warnings })
}

/// What is trusted, and where it is kept.
pub(crate) fn grants(state: Option<&Path>) -> Result<TrustStore, Failure> {
    let root = match state {
        Some(state) => state.to_owned(),
        None => state::root("name a folder with `--state DIR`")?,
    };
    Ok(TrustStore::new(&root))
}

fn check_trust(named: &Named, state: Option<&Path>) -> Result<(), Failure> {
    let needs_none = match &named.target {
        Target::Manifest { is_discovered, .. } => !is_discovered,
        Target::Program(program) => program.named_by == NamedBy::CommandLine,
        // A file could have any variable sent to anybody.
        Target::Remote { named_by, lent, .. } => *named_by == NamedBy::CommandLine || lent.is_empty(),
        _ => true,
    };
    if needs_none {
        return Ok(());
    }
    match grants(state)?.check(&named.target) {
        Ok(trust::Standing::NeedsTrust(question)) => {
            let mut diagnostic = Diagnostic::error("this needs to be trusted first");
            for line in question.lines {
                diagnostic = diagnostic.note(line);
            }
            let hint = format!("`{}` asks whether to trust it", named.again("trust"));
            Err(diagnostic.hint(hint).into())
        }
        Ok(_) => Ok(()),
        Err(error) => Err(Diagnostic::from_error(&error).into()),
    }
}

/// How the program is started: with its own variables over a few of ours.
fn launch(program: &Program) -> Result<Launch, Failure> {
    let search_path = environment::variable("PATH").unwrap_or_default();
    let path = program.resolve(search_path.as_ref()).map_err(|error| unusable(&error))?;
    let mut launch = Launch::new(path, absolute(&program.directory));
    launch.arguments = program.argv.iter().skip(1).cloned().collect();
    launch.environment = environment::for_programs();
    for (name, value) in &program.environment {
        launch.environment.retain(|(known, _)| known != name.as_str());
        launch.environment.push((OsString::from(name), OsString::from(value.expose())));
    }
    Ok(launch)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
