//! A yes for ever: a rule for exactly one call, at the end of the user's policy file.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use haft_diag::{Diagnostic, escape};
use haft_store::Ticket;
use serde_json::Value;

use crate::environment;
use crate::failure::Failure;

/// A rule that is ready to be added.
pub(super) struct Rule {
    path: PathBuf,
    shown: String,
    after: String,
}

/// The user's policy with a rule for the call of a ticket.
pub(super) fn of(ticket: &Ticket) -> Result<Rule, Failure> {
    let folder = environment::configuration_folder().ok_or_else(|| {
        Failure::from(Diagnostic::error("no place for the policy: neither `XDG_CONFIG_HOME` nor `HOME` is set"))
    })?;
    let path = folder.join("haft/policy.toml");
    let shown = escape(&path.to_string_lossy()).into_owned();
    let rule = rule(ticket).map_err(|why| failed(&shown, "no rule can be written for this call", why))?;
    let before = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(&shown, "the policy cannot be read", error.to_string())),
    };
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    let after = format!("{before}{gap}\n{rule}");
    // A file that would not load is not written.
    haft_manifest::parse_policy(&after, &path).map_err(Failure::from)?;
    Ok(Rule { path, shown, after })
}

impl Rule {
    /// Adds the rule, and says where.
    pub(super) fn write(self) -> Result<String, Failure> {
        write(&self.path, &self.after)
            .map_err(|error| failed(&self.shown, "the policy cannot be written", error.to_string()))?;
        Ok(self.shown)
    }
}

fn failed(path: &str, what: &str, cause: String) -> Failure {
    Failure::from(Diagnostic::error(what.to_owned()).in_file(path.to_owned()).cause(cause))
}

/// Whether a condition can say exactly this value: other numbers than whole ones of 64 bits are compared as the nearest
/// that a machine has, and would let other calls run.
fn is_exact(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(is_exact),
        Value::Number(number) => number.as_i64().is_some(),
        Value::Object(members) => members.values().all(is_exact),
        Value::Bool(_) | Value::Null | Value::String(_) => true,
    }
}

/// The rule: this tool, with these arguments and no others.
fn rule(ticket: &Ticket) -> Result<String, String> {
    let arguments: Value = serde_json::from_str(&ticket.arguments).map_err(|_| {
        "its arguments have characters that cannot be shown as they are, so they cannot be copied".to_owned()
    })?;
    if !is_exact(&arguments) {
        let why = "its arguments have numbers that are no whole ones of 64 bits, which a rule cannot name exactly";
        return Err(why.to_owned());
    }
    let arguments: toml::Value =
        toml::Value::try_from(&arguments).map_err(|_| "its arguments hold a null, which TOML has not".to_owned())?;
    let is_literal = |text: &str| !text.contains(['*', '?']);
    if !is_literal(&ticket.source) || !is_literal(&ticket.tool) {
        return Err("its name would be a pattern".to_owned());
    }
    let mut condition = toml::Table::new();
    condition.insert("const".to_owned(), arguments);
    let mut when = toml::Table::new();
    when.insert("args".to_owned(), toml::Value::Table(condition));
    let mut rule = toml::Table::new();
    let text = |text: String| toml::Value::String(text);
    rule.insert("name".to_owned(), text(format!("approved-{}", ticket.id.to_string().to_lowercase())));
    rule.insert("tools".to_owned(), text(format!("{}.{}", ticket.source, ticket.tool)));
    rule.insert("then".to_owned(), text("allow".to_owned()));
    rule.insert("when".to_owned(), toml::Value::Table(when));
    let mut policy = toml::Table::new();
    policy.insert("rule".to_owned(), toml::Value::Array(vec![toml::Value::Table(rule)]));
    let mut file = toml::Table::new();
    file.insert("policy".to_owned(), toml::Value::Table(policy));
    toml::to_string(&file).map_err(|error| error.to_string())
}

/// Writes beside and renames, so that nobody reads a part.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let draft = path.with_extension(format!("toml.{}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&draft, path)
}
