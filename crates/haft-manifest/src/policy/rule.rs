//! `[[policy.rule]]`.

use std::ops::Range;

use haft_diag::Diagnostic;
use haft_policy::{Approver, ArgumentCondition, ConditionError, Rule, Verdict, Who};
use haft_schema::SchemaError;
use serde_json::value::RawValue;
use toml::de::{DeTable, DeValue};

use super::place::place_of;
use super::{hints, read_patterns};
use crate::json;
use crate::report::Report;
use crate::table::{Fields, Keys, expected, table};

/// Reads a rule. What is wrong with it is reported, and so no part of it is ever taken for the whole.
pub(super) fn read(table: &DeTable<'_>, place: Range<usize>, report: &mut Report) -> Option<Rule> {
    let fields = Fields::open(table, place, &KEYS, report);
    let tools = read_patterns(&fields, report);
    let verdict = read_verdict(&fields, report);
    let who = read_who(&fields, report);
    let name = read_name(&fields, report);
    let reason = fields.text("reason", report).map(str::to_owned);
    let when = fields.table("when", &WHEN_KEYS, report);
    let arguments = when.as_ref().and_then(|when| read_arguments(when, report));
    let hints = when.as_ref().map(|when| hints::read_conditions(when, report)).unwrap_or_default();
    let interactive = when.as_ref().and_then(|when| when.boolean("interactive", report));

    let mut rule = Rule::new(tools?, verdict?).for_callers(who?).when_hints(hints);
    rule.name = name;
    rule.reason = reason;
    rule.arguments = arguments;
    rule.interactive = interactive;
    Some(rule)
}

/// A name that is told apart from those of rules that have none and from the rows of the default table.
fn read_name(fields: &Fields<'_, '_>, report: &mut Report) -> Option<String> {
    let name = fields.text("name", report)?;
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    if is_number || name.starts_with("default:") {
        let place = fields.find("name").map_or_else(|| fields.place(), toml::Spanned::span);
        report.error(place, "a number, and what begins with `default:`, is no name: decisions call other things so");
        return None;
    }
    Some(name.to_owned())
}

/// `then`, `expect` and the like, with `ask` beside it.
pub(super) fn verdict(key: &str, fields: &Fields<'_, '_>, report: &mut Report) -> Option<Verdict> {
    fields.require(key, report);
    let word = fields.choice(key, &["allow", "ask", "deny"], report)?;
    let approver = fields.choice("ask", &["client", "person"], report);
    if word != "ask"
        && let Some(value) = fields.find("ask")
    {
        report.error(value.span(), format!("`ask` says whom to ask, which is for `{key} = \"ask\"`"));
    }
    Some(match (word, approver) {
        ("allow", _) => Verdict::Allow,
        ("deny", _) => Verdict::Deny,
        (_, Some("person")) => Verdict::Ask(Approver::Person),
        (_, _) => Verdict::Ask(Approver::Client),
    })
}

fn read_verdict(fields: &Fields<'_, '_>, report: &mut Report) -> Option<Verdict> {
    verdict("then", fields, report)
}

/// A group, several, or a table of those that are meant and those that are not.
fn read_who(fields: &Fields<'_, '_>, report: &mut Report) -> Option<Who> {
    let Some(value) = fields.find("who") else { return Some(Who::default()) };
    match value.get_ref() {
        DeValue::String(_) | DeValue::Array(_) => read_groups("who", fields, report).map(Who::any_of),
        DeValue::Table(table) => {
            let fields = Fields::open(table, value.span(), &WHO_KEYS, report);
            let mut who = Who::default();
            for (key, groups) in [("any_of", &mut who.any_of), ("none_of", &mut who.none_of)] {
                if fields.find(key).is_some() {
                    *groups = read_groups(key, &fields, report)?;
                }
            }
            if table.is_empty() {
                report.error(value.span(), "`who` names no group");
            }
            Some(who)
        }
        _ => {
            expected("who", "a group, an array of groups or a table", value, report);
            None
        }
    }
}

/// Groups that have a name: the empty one would be for nobody.
pub(super) fn read_groups(key: &str, fields: &Fields<'_, '_>, report: &mut Report) -> Option<Vec<String>> {
    let mut groups = Vec::new();
    for (group, place) in fields.strings(key, report)? {
        if group.trim().is_empty() {
            report.error(place, format!("a group in `{key}` is empty"));
            return None;
        }
        groups.push(group.to_owned());
    }
    Some(groups)
}

fn read_arguments(when: &Fields<'_, '_>, report: &mut Report) -> Option<ArgumentCondition> {
    let value = when.find("args")?;
    table("args", value, report)?;
    let schema = RawValue::from_string(json::from_toml(value, report)?).ok()?;
    let error = match ArgumentCondition::compile(&schema) {
        Ok(condition) => return Some(condition),
        Err(error) => error,
    };
    let diagnostic = Diagnostic::error("the condition on the arguments cannot be used");
    match error {
        ConditionError::Ignored { pointer, what, .. } => {
            let (what, label) = what.split_once("; ").unwrap_or((&what, ""));
            let diagnostic = Diagnostic::error(what);
            let diagnostic = if label.is_empty() { diagnostic } else { diagnostic.label(label) };
            report.add(place_of(value, &pointer), diagnostic);
        }
        ConditionError::Schema(error) => {
            let place = match &error {
                SchemaError::Invalid { pointer, .. } | SchemaError::Pattern { pointer, .. } => place_of(value, pointer),
                _ => value.span(),
            };
            report.add(place, diagnostic.cause(error.to_string()));
        }
        error => report.add(value.span(), diagnostic.cause(error.to_string())),
    }
    None
}

const KEYS: Keys = Keys {
    what: "a rule",
    known: &["name", "tools", "who", "when", "then", "ask", "reason"],
    later: &[],
    below: Some(("when", WHEN)),
};

const WHEN: &[&str] = &["hints", "args", "interactive"];
const WHEN_KEYS: Keys = Keys::new("`when`", WHEN);
const WHO_KEYS: Keys = Keys::new("`who`", &["any_of", "none_of"]);
