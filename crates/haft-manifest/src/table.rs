//! Strict reading of TOML tables: every key is known, every value has its type, every fault has its place.

use std::ops::Range;

use haft_diag::{Diagnostic, nearest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::report::Report;

/// A value with its place in the file.
pub(crate) type Value<'i> = Spanned<DeValue<'i>>;

/// The keys of one table.
#[derive(Debug)]
pub(crate) struct Fields<'t, 'i> {
    table: &'t DeTable<'i>,
    place: Range<usize>,
    what: &'static str,
    /// Keys that are there in another spelling.
    misspelt: Vec<&'static str>,
}

/// The keys that a table takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys {
    /// The table as a message calls it.
    pub(crate) what: &'static str,
    pub(crate) known: &'static [&'static str],
    /// Keys that mean something to a later version.
    pub(crate) later: &'static [&'static str],
    /// A table in this one, and its keys, which are easily put one level too high.
    pub(crate) below: Option<(&'static str, &'static [&'static str])>,
}

impl Keys {
    /// A table whose keys are all that there is to know of it.
    pub(crate) const fn new(what: &'static str, known: &'static [&'static str]) -> Self {
        Self { what, known, later: &[], below: None }
    }
}

impl<'t, 'i> Fields<'t, 'i> {
    /// Opens the table and reports every key that it does not take.
    pub(crate) fn open(table: &'t DeTable<'i>, place: Range<usize>, keys: &Keys, report: &mut Report) -> Self {
        let mut misspelt = Vec::new();
        for (key, key_place, _) in entries(table) {
            if keys.known.contains(&key) {
                continue;
            }
            if keys.later.contains(&key) {
                report.error(key_place, format!("`{key}` is not served by this version"));
                continue;
            }
            let diagnostic = Diagnostic::error(format!("unknown key `{key}`"));
            let meant = nearest(key, keys.known.iter().copied());
            let meant = meant.and_then(|meant| keys.known.iter().find(|known| **known == meant).copied());
            let diagnostic = match (meant, keys.below) {
                (_, Some((below, known))) if known.contains(&key) => {
                    diagnostic.label(format!("belongs into `{below}`"))
                }
                (Some(meant), _) => diagnostic.label(format!("did you mean `{meant}`?")),
                (None, _) => diagnostic.note(format!("{} takes {}", keys.what, list(keys.known))),
            };
            misspelt.extend(meant);
            report.add(key_place, diagnostic);
        }
        Self { table, place, what: keys.what, misspelt }
    }

    pub(crate) fn find(&self, key: &str) -> Option<&'t Value<'i>> {
        self.table.get(key)
    }

    /// The value of a key that has to be there. A misspelt one was reported already.
    pub(crate) fn require(&self, key: &str, report: &mut Report) -> Option<&'t Value<'i>> {
        let value = self.find(key);
        if value.is_none() && !self.misspelt.contains(&key) {
            report.error(self.place.clone(), format!("{} has no `{key}`", self.what));
        }
        value
    }

    pub(crate) fn string(&self, key: &str, report: &mut Report) -> Option<&'t str> {
        self.find(key).and_then(|value| string(key, value, report))
    }

    /// A string that says something.
    pub(crate) fn text(&self, key: &str, report: &mut Report) -> Option<&'t str> {
        let value = self.find(key)?;
        let text = string(key, value, report)?;
        if text.trim().is_empty() {
            report.error(value.span(), format!("`{key}` is empty"));
            return None;
        }
        Some(text)
    }

    pub(crate) fn boolean(&self, key: &str, report: &mut Report) -> Option<bool> {
        let value = self.find(key)?;
        let boolean = value.get_ref().as_bool();
        if boolean.is_none() {
            expected(key, "true or false", value, report);
        }
        boolean
    }

    /// An integer of at least `least`.
    pub(crate) fn count(&self, key: &str, least: u32, report: &mut Report) -> Option<u32> {
        let value = self.find(key)?;
        let count = integer(value.get_ref()).and_then(|count| u32::try_from(count).ok());
        let count = count.filter(|count| *count >= least);
        if count.is_none() {
            expected(key, &format!("an integer of at least {least}"), value, report);
        }
        count
    }

    pub(crate) fn array(&self, key: &str, report: &mut Report) -> Option<&'t [Value<'i>]> {
        let value = self.find(key)?;
        let array = value.get_ref().as_array();
        if array.is_none() {
            expected(key, "an array", value, report);
        }
        array.map(|array| &**array)
    }

    /// One of a few words.
    pub(crate) fn choice(&self, key: &str, words: &[&'static str], report: &mut Report) -> Option<&'static str> {
        let value = self.find(key)?;
        choice(key, value, words, report)
    }

    /// A string or an array of strings, each with its place. Nothing, with a report, for an empty array.
    pub(crate) fn strings(&self, key: &str, report: &mut Report) -> Option<Vec<(&'t str, Range<usize>)>> {
        let value = self.find(key)?;
        let one = std::slice::from_ref(value);
        let values = match value.get_ref() {
            DeValue::Array(values) if values.is_empty() => {
                report.error(value.span(), format!("`{key}` is empty"));
                return None;
            }
            DeValue::Array(values) => &**values,
            DeValue::String(_) => one,
            _ => {
                expected(key, "a string or an array of strings", value, report);
                return None;
            }
        };
        let strings = values.iter().map(|value| Some((string(key, value, report)?, value.span())));
        strings.collect::<Vec<_>>().into_iter().collect()
    }

    /// The tables of an array of tables; `form` is how one is written.
    pub(crate) fn tables(&self, key: &str, form: &str, report: &mut Report) -> Vec<(&'t DeTable<'i>, Range<usize>)> {
        let Some(value) = self.find(key) else { return Vec::new() };
        let Some(values) = value.get_ref().as_array() else {
            expected(key, &format!("an array of tables: `{form}`"), value, report);
            return Vec::new();
        };
        values.iter().filter_map(|value| Some((table(key, value, report)?, value.span()))).collect()
    }

    /// The table of a key, opened.
    pub(crate) fn table(&self, key: &str, keys: &Keys, report: &mut Report) -> Option<Self> {
        let value = self.find(key)?;
        let table = table(key, value, report)?;
        Some(Self::open(table, value.span(), keys, report))
    }

    /// Where the table stands: what is missing is reported there.
    pub(crate) fn place(&self) -> Range<usize> {
        self.place.clone()
    }
}

/// The entries of a table in the order of the file.
pub(crate) fn entries<'t, 'i>(table: &'t DeTable<'i>) -> Vec<(&'t str, Range<usize>, &'t Value<'i>)> {
    let mut entries: Vec<_> = table.iter().map(|(key, value)| (key.get_ref().as_ref(), key.span(), value)).collect();
    entries.sort_by_key(|(_, place, _)| place.start);
    entries
}

pub(crate) fn string<'t>(key: &str, value: &'t Value<'_>, report: &mut Report) -> Option<&'t str> {
    let string = value.get_ref().as_str();
    if string.is_none() {
        expected(key, "a string", value, report);
    }
    string
}

/// One of a few words.
pub(crate) fn choice(
    key: &str,
    value: &Value<'_>,
    words: &[&'static str],
    report: &mut Report,
) -> Option<&'static str> {
    let text = string(key, value, report)?;
    let known = words.iter().find(|word| **word == text).copied();
    if known.is_none() {
        let diagnostic = Diagnostic::error(format!("`{key}` has to be one of {}", list(words)));
        let meant = nearest(text, words.iter().copied());
        report.add(
            value.span(),
            match meant {
                Some(meant) => diagnostic.label(format!("did you mean `{meant}`?")),
                None => diagnostic,
            },
        );
    }
    known
}

pub(crate) fn table<'t, 'i>(key: &str, value: &'t Value<'i>, report: &mut Report) -> Option<&'t DeTable<'i>> {
    let table = value.get_ref().as_table();
    if table.is_none() {
        expected(key, "a table", value, report);
    }
    table
}

/// The integer, if the value is one that fits.
pub(crate) fn integer(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// Reports that a value has the wrong type.
pub(crate) fn expected(key: &str, expected: &str, value: &Value<'_>, report: &mut Report) {
    report.error(value.span(), format!("`{key}` has to be {expected}, not {}", kind(value.get_ref())));
}

/// Names in backticks, with commas.
pub(crate) fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

const fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "this string",
        DeValue::Integer(_) => "this integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
