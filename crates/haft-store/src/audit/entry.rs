//! A record as it stands in the log.

use haft_diag::escape;
use serde::{Deserialize, Serialize};

use super::keys::Keys;
use super::{Event, Record, Values};
use crate::Moment;

/// A record as it stands in the log. All texts are escaped: no character in them moves a cursor, hides or turns.
///
/// What an event does not have is absent. What a newer haft added is passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Entry {
    /// Its number in the log of its writer, from 1 on without gaps.
    #[serde(skip_serializing)]
    pub seq: u64,
    /// When it happened, as RFC 3339 in UTC.
    pub time: String,
    /// Which writer wrote it.
    pub writer: String,
    /// `approval`, `decision`, `intent`, `note` or `outcome`.
    pub event: String,
    /// What ties the records of one call together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// Who calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    /// Where the tool comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The tool's name there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The digest of the tool's definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// The keyed digest of the canonical arguments: equal for equal arguments within one folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// The canonical arguments, where they are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<String>,
    /// Of a decision: `allow`, `ask` or `deny`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// Of a decision: the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Of an approval: `asked`, `denied`, `granted` or `spent`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// Of an approval: the ticket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    /// Of an approval: who.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Of an outcome: how the call ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Of an outcome: microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_us: Option<u64>,
    /// Of a note: what the log says of itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Entry {
    pub(super) fn of(record: &Record<'_>, writer: &str, keys: &Keys, values: Values) -> Self {
        let mut entry = Self {
            time: record.time.to_string(),
            writer: writer.to_owned(),
            call: Some(shown(record.call, LONGEST_TEXT)),
            principal: Some(shown(record.principal, LONGEST_TEXT)),
            source: Some(shown(record.source, LONGEST_TEXT)),
            tool: Some(shown(record.tool, LONGEST_TEXT)),
            definition: record.definition.map(|digest| digest.to_string()),
            arguments: record.arguments.map(|arguments| keys.arguments(arguments).to_string()),
            ..Self::default()
        };
        if values == Values::Written {
            entry.values = record.arguments.map(|arguments| shown(arguments, LONGEST_VALUES));
        }
        match record.event {
            Event::Approval { step, ticket, by } => {
                "approval".clone_into(&mut entry.event);
                entry.step = Some(step.name().to_owned());
                entry.ticket = Some(shown(ticket, LONGEST_TEXT));
                entry.by = Some(shown(by, LONGEST_TEXT));
            }
            Event::Decision { verdict, rule } => {
                "decision".clone_into(&mut entry.event);
                entry.verdict = Some(verdict.name().to_owned());
                entry.rule = Some(shown(rule, LONGEST_TEXT));
            }
            Event::Intent => "intent".clone_into(&mut entry.event),
            Event::Outcome { outcome, elapsed } => {
                "outcome".clone_into(&mut entry.event);
                entry.outcome = Some(outcome.name().to_owned());
                entry.elapsed_us = Some(u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX));
            }
        }
        entry
    }

    pub(super) fn note(time: Moment, writer: &str, text: &str) -> Self {
        Self {
            time: time.to_string(),
            writer: writer.to_owned(),
            event: "note".to_owned(),
            text: Some(shown(text, LONGEST_TEXT)),
            ..Self::default()
        }
    }

    /// The members after `seq`, which is known only when the record has its place.
    pub(super) fn rest_of_line(&self) -> String {
        // Numbers and strings under fixed names: nothing of which the serializer could say no to.
        let object = serde_json::to_string(self).unwrap_or_default();
        object.strip_prefix('{').unwrap_or_default().to_owned()
    }

    /// The record in a line, if it is one.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let mut entry: Self = serde_json::from_str(line).ok()?;
        // Whoever wrote the file need not have escaped; a second time changes nothing.
        for text in [&mut entry.time, &mut entry.writer, &mut entry.event] {
            *text = escape(text).into_owned();
        }
        let texts = [
            &mut entry.call,
            &mut entry.principal,
            &mut entry.source,
            &mut entry.tool,
            &mut entry.definition,
            &mut entry.arguments,
            &mut entry.values,
            &mut entry.verdict,
            &mut entry.rule,
            &mut entry.step,
            &mut entry.ticket,
            &mut entry.by,
            &mut entry.outcome,
            &mut entry.text,
        ];
        for text in texts.into_iter().flatten() {
            *text = escape(text).into_owned();
        }
        Some(entry)
    }
}

/// A whole line, with its end.
pub(super) fn line(seq: u64, rest: &str) -> String {
    format!("{RECORD}{seq},{rest}\n")
}

/// A text that is harmless to read and not longer than a line can take; where it is cut, it says so.
fn shown(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return escape(text).into_owned();
    }
    let kept = text.get(..text.floor_char_boundary(longest)).unwrap_or_default();
    format!("{}… ({} bytes in all)", escape(kept), text.len())
}

/// What every line of a record begins with.
pub(super) const RECORD: &str = "{\"seq\":";
/// Bytes of a text; a name or an id is far shorter.
const LONGEST_TEXT: usize = 4096;
/// Bytes of arguments.
const LONGEST_VALUES: usize = 64 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters_and_says_so() {
        assert_eq!(shown("abc", 3), "abc");
        assert_eq!(shown("aüb", 2), "a… (4 bytes in all)");
        assert_eq!(shown("a\nb", 2), "a\\n… (3 bytes in all)");
    }
}
