//! `argv`: what a program is given, each value an item or a part of one, never re-parsed.

use std::ffi::{OsStr, OsString};
use std::ops::Range;

use haft_diag::Diagnostic;
use toml::de::DeValue;

use crate::argument::{Argument, Kind, Presence};
use crate::report::Report;
use crate::table::{Fields, Keys, Value, expected, string};
use crate::template::{Template, no_argument};
use crate::values::{Fault, Placed};

/// The items behind the program's name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Argv {
    items: Vec<Item>,
}

/// What vanishes or repeats as a whole.
#[derive(Clone, Debug)]
struct Item {
    /// The argument without which it vanishes: `true` for a flag, any value for another.
    flag: Option<usize>,
    slots: Vec<Slot>,
}

/// One item of a program's arguments.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) template: Template,
    pub(crate) place: Range<usize>,
    /// Whether it stands after `--`, where nothing is an option.
    is_operand: bool,
}

impl Argv {
    /// Reads what follows the program's name.
    pub(crate) fn read(values: &[Value<'_>], arguments: &[Argument], report: &mut Report) -> Self {
        let mut items = Vec::new();
        let mut is_operand = false;
        for value in values {
            let item = match value.get_ref() {
                DeValue::String(text) => read_alone(value, text, is_operand, arguments, report),
                DeValue::Array(parts) => read_group(value, parts, is_operand, arguments, report),
                DeValue::Table(_) => read_flagged(value, is_operand, arguments, report),
                _ => {
                    expected("argv", "strings, arrays of strings and `{ if = …, then = […] }`", value, report);
                    None
                }
            };
            // Within a group that may vanish, `--` promises nothing to what follows the group.
            is_operand |= matches!(value.get_ref(), DeValue::String(text) if text == "--");
            items.extend(item);
        }
        Self { items }
    }

    pub(crate) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.items.iter().flat_map(|item| &item.slots)
    }

    /// The arguments that an item depends on.
    pub(crate) fn flags(&self) -> impl Iterator<Item = usize> {
        self.items.iter().filter_map(|item| item.flag)
    }

    /// The program's arguments for these values.
    ///
    /// The error is every value that a program could take for an option.
    pub(crate) fn fill(&self, arguments: &[Argument], values: &[Placed]) -> Result<Vec<OsString>, Vec<Fault>> {
        let mut filled = Vec::new();
        let mut faults = Vec::new();
        for item in &self.items {
            for round in 0..item.rounds(values) {
                for slot in &item.slots {
                    match slot.fill(round, arguments, values) {
                        Ok(text) => filled.push(text),
                        Err(fault) if faults.contains(&fault) => {}
                        Err(fault) => faults.push(fault),
                    }
                }
            }
        }
        if faults.is_empty() { Ok(filled) } else { Err(faults) }
    }
}

impl Item {
    /// How often the item stands in the arguments of the program.
    fn rounds(&self, values: &[Placed]) -> usize {
        let is_off = |flag: usize| !values.get(flag).is_some_and(Placed::is_on);
        if self.flag.is_some_and(is_off) {
            return 0;
        }
        let placed = self.slots.iter().flat_map(|slot| slot.template.arguments());
        placed.filter_map(|index| values.get(index)).map(Placed::rounds).min().unwrap_or(1)
    }
}

impl Slot {
    fn fill(&self, round: usize, arguments: &[Argument], values: &[Placed]) -> Result<OsString, Fault> {
        let value = |index: usize| values.get(index).map_or(OsStr::new(""), |value| value.in_round(round));
        let filled = self.template.fill(value);
        let leading = self.template.leading_argument().and_then(|index| Some((index, arguments.get(index)?)));
        if let Some((index, argument)) = leading
            && matches!(argument.kind, Kind::Text)
            && !argument.allows_dash
            && !self.is_operand
            && filled.as_encoded_bytes().first() == Some(&b'-')
        {
            let element = values.get(index).is_some_and(Placed::is_many).then_some(round);
            return Err(Fault::new(
                &argument.name,
                element,
                "expected a text that does not begin with `-`, got one that does",
            ));
        }
        Ok(filled)
    }
}

fn read_alone(
    value: &Value<'_>,
    text: &str,
    is_operand: bool,
    arguments: &[Argument],
    report: &mut Report,
) -> Option<Item> {
    let template = Template::read(value, text, arguments, report)?;
    let absent = template
        .arguments()
        .filter_map(|index| arguments.get(index))
        .find(|argument| argument.presence == Presence::Optional && !argument.is_array);
    if let Some(absent) = absent {
        let diagnostic = Diagnostic::error(format!("a call may come without `{}`", absent.name))
            .note("a nested array vanishes whole when its argument is absent: `[\"-n\", \"{n}\"]`");
        report.add(value.span(), diagnostic);
    }
    let slots = vec![Slot { template, place: value.span(), is_operand }];
    refuse_two_arrays(value, &slots, arguments, report);
    Some(Item { flag: None, slots })
}

/// A nested array, which vanishes when one of its arguments is absent and repeats with the elements of an array.
fn read_group(
    value: &Value<'_>,
    parts: &[Value<'_>],
    is_operand: bool,
    arguments: &[Argument],
    report: &mut Report,
) -> Option<Item> {
    let slots = read_slots(parts, is_operand, arguments, report)?;
    if slots.iter().all(|slot| slot.template.literal().is_some()) {
        let diagnostic = Diagnostic::error("a nested array without a value never vanishes");
        report.add(value.span(), diagnostic.note("for a flag write `{ if = \"flag\", then = [\"-i\"] }`"));
    }
    refuse_two_arrays(value, &slots, arguments, report);
    Some(Item { flag: None, slots })
}

/// `{ if = "flag", then = ["-i"] }`.
fn read_flagged(value: &Value<'_>, is_operand: bool, arguments: &[Argument], report: &mut Report) -> Option<Item> {
    let table = value.get_ref().as_table()?;
    let fields = Fields::open(table, value.span(), &FLAG_KEYS, report);
    let condition = fields.require("if", report);
    fields.require("then", report);
    let parts = fields.array("then", report)?;
    if parts.is_empty() {
        report.error(value.span(), "`then` is empty");
    }
    let slots = read_slots(parts, is_operand, arguments, report)?;
    refuse_two_arrays(value, &slots, arguments, report);
    let condition = condition?;
    let name = string("if", condition, report)?;
    let flag = arguments.iter().position(|argument| argument.name == name);
    match flag.and_then(|flag| arguments.get(flag)) {
        Some(argument) if matches!(argument.kind, Kind::Boolean) && !argument.is_array => {}
        Some(_) => report.error(condition.span(), format!("`{name}` is no boolean")),
        None => report.add(condition.span(), no_argument(name, arguments)),
    }
    Some(Item { flag: Some(flag?), slots })
}

fn read_slots(
    parts: &[Value<'_>],
    mut is_operand: bool,
    arguments: &[Argument],
    report: &mut Report,
) -> Option<Vec<Slot>> {
    let mut slots = Vec::new();
    for part in parts {
        let Some(text) = part.get_ref().as_str() else {
            report.error(part.span(), "a nested array has strings only");
            continue;
        };
        let Some(template) = Template::read(part, text, arguments, report) else { continue };
        slots.push(Slot { template, place: part.span(), is_operand });
        is_operand |= text == "--";
    }
    (slots.len() == parts.len()).then_some(slots)
}

/// Two arrays in one item could be paired in more than one way.
fn refuse_two_arrays(value: &Value<'_>, slots: &[Slot], arguments: &[Argument], report: &mut Report) {
    let mut arrays = slots
        .iter()
        .flat_map(|slot| slot.template.arguments())
        .filter(|index| arguments.get(*index).is_some_and(|argument| argument.is_array));
    let first = arrays.next();
    if arrays.any(|other| Some(other) != first) {
        report.error(value.span(), "an item repeats with one array, not with two");
    }
}

const FLAG_KEYS: Keys = Keys::new("an item of `argv`", &["if", "then"]);
