//! `[policy]`: rules and pins, in a manifest or in a file of their own.

mod cases;
mod hints;
mod place;
mod rule;

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use haft_policy::{Mode, Pin, RuleSet, ToolPattern};

use crate::file;
use crate::report::{ManifestErrors, Report};
use crate::table::{Fields, Keys};

pub use cases::{load_cases, parse_cases};

/// Reads a file with nothing but `[policy]`: the administrator's or the user's.
///
/// A file that does not exist says nothing.
///
/// # Errors
///
/// When there is a file and it cannot be read, and as for [`parse_policy`].
pub fn load_policy(path: &Path) -> Result<RuleSet, ManifestErrors> {
    // A link to nothing is a file that somebody meant to be there.
    if fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        return Ok(RuleSet::default());
    }
    parse_policy(&file::read(path, "the policy")?, path)
}

/// Reads the text of a policy file that stands at `path`.
///
/// # Errors
///
/// Everything that is wrong, with its place: syntax, unknown keys, values of a wrong type, patterns and conditions that
/// cannot be used.
pub fn parse_policy(text: &str, path: &Path) -> Result<RuleSet, ManifestErrors> {
    let mut report = Report::new(path.display().to_string(), text);
    let set = file::document(text, &mut report).map(|root| {
        let fields = Fields::open(root.get_ref(), 0..0, &FILE_KEYS, &mut report);
        read(&fields, &mut report)
    });
    report.finish()?;
    Ok(set.unwrap_or_default())
}

/// Reads the `policy` of a file.
pub(crate) fn read(file: &Fields<'_, '_>, report: &mut Report) -> RuleSet {
    let mut set = RuleSet::default();
    let Some(fields) = file.table("policy", &KEYS, report) else { return set };
    set.mode = match fields.choice("mode", &["enforce", "shadow"], report) {
        Some("enforce") => Some(Mode::Enforce),
        Some(_) => Some(Mode::Shadow),
        None => None,
    };
    for (table, place) in fields.tables("rule", "[[policy.rule]]", report) {
        let Some(rule) = rule::read(table, place.clone(), report) else { continue };
        let is_named_twice = rule.name.is_some() && set.rules.iter().any(|earlier| earlier.name == rule.name);
        if let Some(name) = rule.name.as_ref().filter(|_| is_named_twice) {
            report.error(place, format!("two rules are named `{name}`"));
        }
        set.rules.push(rule);
    }
    for (table, place) in fields.tables("pin", "[[policy.pin]]", report) {
        let fields = Fields::open(table, place, &PIN_KEYS, report);
        let tools = read_patterns(&fields, report);
        fields.require("hints", report);
        if let (Some(tools), Some(hints)) = (tools, hints::read_pins(&fields, "hints", report)) {
            set.pins.push(Pin::new(tools, hints));
        }
    }
    set
}

/// The `tools` of a rule or a pin.
fn read_patterns(fields: &Fields<'_, '_>, report: &mut Report) -> Option<Vec<ToolPattern>> {
    fields.require("tools", report);
    let mut patterns = Some(Vec::new());
    for (text, place) in fields.strings("tools", report)? {
        match ToolPattern::parse(text) {
            Ok(pattern) => patterns.iter_mut().for_each(|patterns| patterns.push(pattern.clone())),
            Err(error) => {
                report.error(place, error.to_string());
                patterns = None;
            }
        }
    }
    patterns
}

const FILE_KEYS: Keys = Keys::new("a policy file", &["policy"]);
const KEYS: Keys = Keys::new("`[policy]`", &["mode", "rule", "pin"]);
const PIN_KEYS: Keys = Keys::new("a pin", &["tools", "hints"]);
