//! `args.NAME`: one argument of a tool, its schema, and what its values are placed as.

use std::ops::Range;

use haft_diag::{Diagnostic, nearest};
use haft_schema::{CompileOptions, SchemaError, Tree};
use serde_json::value::RawValue;
use toml::de::{DeTable, DeValue};

use crate::json;
use crate::manifest::Origin;
use crate::report::Report;
use crate::table::{Fields, Keys, Value, entries, expected, list, string, table};
use crate::within::Within;

/// An argument as the rest of the tool sees it.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Whether the value is an array of that kind.
    pub(crate) is_array: bool,
    pub(crate) presence: Presence,
    /// Whether a value may begin with `-` where a program could take it for an option.
    pub(crate) allows_dash: bool,
    /// Its JSON Schema.
    pub(crate) schema: String,
    pub(crate) place: Range<usize>,
}

/// Whether there is a value when the program starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// A call that has none gets the default.
    Defaulted,
    /// A call may come without.
    Optional,
    /// A call without is refused.
    Required,
}

/// What one value is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Boolean,
    Integer,
    Number,
    /// A path beneath a directory.
    Path(Within),
    Text,
}

impl Argument {
    /// A text of which nothing else is known.
    pub(crate) fn unknown(name: &str, place: Range<usize>) -> Self {
        Self {
            name: name.to_owned(),
            kind: Kind::Text,
            is_array: false,
            presence: Presence::Required,
            allows_dash: false,
            schema: String::new(),
            place,
        }
    }
}

/// Reads `args`, in the order of the file.
pub(crate) fn read_all(tool: &Fields<'_, '_>, origin: &Origin<'_>, report: &mut Report) -> Vec<Argument> {
    let Some(arguments) = tool.find("args").and_then(|value| table("args", value, report)) else {
        return Vec::new();
    };
    let mut read_arguments = Vec::new();
    for (name, place, value) in entries(arguments) {
        if !is_name(name) {
            let message = format!("an argument cannot be named `{name}`");
            report.add(place, Diagnostic::error(message).note("1 to 64 of `A-Z a-z 0-9 _ - .`"));
            continue;
        }
        let argument = table(name, value, report).and_then(|table| read(name, place.clone(), table, origin, report));
        // What is wrong with it was said; that it is not there would be wrong.
        read_arguments.push(argument.unwrap_or_else(|| Argument::unknown(name, place)));
    }
    read_arguments
}

/// The JSON Schema of an object of these arguments. Nothing else is taken.
pub(crate) fn object_schema(arguments: &[Argument]) -> String {
    if arguments.is_empty() {
        return r#"{"type":"object","additionalProperties":false}"#.to_owned();
    }
    let quote = |argument: &Argument| json::quote(&argument.name);
    let properties: Vec<String> =
        arguments.iter().map(|argument| format!("{}:{}", quote(argument), argument.schema)).collect();
    let required: Vec<String> =
        arguments.iter().filter(|argument| argument.presence == Presence::Required).map(quote).collect();
    let required = if required.is_empty() { String::new() } else { format!(r#""required":[{}],"#, required.join(",")) };
    format!(r#"{{"type":"object","properties":{{{}}},{required}"additionalProperties":false}}"#, properties.join(","))
}

fn read(
    name: &str,
    place: Range<usize>,
    table: &DeTable<'_>,
    origin: &Origin<'_>,
    report: &mut Report,
) -> Option<Argument> {
    let fields = Fields::open(table, place.clone(), &KEYS, report);
    let type_name = type_name(&fields, &TYPES, report)?;
    let mut schema = Schema::new(type_name);
    schema.text("description", &fields, report);
    let kind = if type_name == "array" {
        let items = fields.require("items", report)?;
        let items = Fields::open(self::table("items", items, report)?, items.span(), &ITEM_KEYS, report);
        let item_type = self::type_name(&items, &ITEM_TYPES, report)?;
        let mut item_schema = Schema::new(item_type);
        item_schema.text("description", &items, report);
        let kind = scalar(item_type, &items, &mut item_schema, origin, report)?;
        refuse_foreign_keys(item_type, &items, report);
        schema.add("items", &item_schema.finish(&items, report));
        kind
    } else {
        scalar(type_name, &fields, &mut schema, origin, report)?
    };
    refuse_foreign_keys(type_name, &fields, report);
    schema.count("minItems", "min_items", &fields, report);
    schema.count("maxItems", "max_items", &fields, report);
    schema.sample("default", &fields, report);
    schema.samples("examples", &fields, report);
    Some(Argument {
        name: name.to_owned(),
        kind,
        is_array: type_name == "array",
        presence: presence(&fields, report),
        allows_dash: fields.boolean("allow_dash", report).unwrap_or(false),
        schema: schema.finish(&fields, report),
        place,
    })
}

fn presence(fields: &Fields<'_, '_>, report: &mut Report) -> Presence {
    let required = fields.boolean("required", report);
    match (required, fields.find("default")) {
        (Some(true), Some(default)) => {
            report.error(default.span(), "what is required has no use for a `default`");
            Presence::Defaulted
        }
        (_, Some(_)) => Presence::Defaulted,
        (Some(false), None) => Presence::Optional,
        (Some(true) | None, None) => Presence::Required,
    }
}

/// The name under `type`, if it is one of these.
fn type_name(fields: &Fields<'_, '_>, types: &[&'static str], report: &mut Report) -> Option<&'static str> {
    let value = fields.require("type", report)?;
    let text = string("type", value, report)?;
    let known = types.iter().find(|known| **known == text).copied();
    if known.is_none() {
        let mut diagnostic = Diagnostic::error(format!("no type named `{text}`"));
        if let Some(meant) = nearest(text, types.iter().copied()) {
            diagnostic = diagnostic.label(format!("did you mean `{meant}`?"));
        }
        report.add(value.span(), diagnostic.note(format!("the types are {}", list(types))));
    }
    known
}

/// What an argument and the elements of an array have in common.
fn scalar(
    type_name: &'static str,
    fields: &Fields<'_, '_>,
    schema: &mut Schema,
    origin: &Origin<'_>,
    report: &mut Report,
) -> Option<Kind> {
    schema.samples("enum", fields, report);
    if let Some(pattern) = fields.string("pattern", report) {
        schema.add("pattern", &json::quote(pattern));
    }
    schema.count("minLength", "min_length", fields, report);
    schema.count("maxLength", "max_length", fields, report);
    schema.number("minimum", fields, report);
    schema.number("maximum", fields, report);
    Some(match type_name {
        "boolean" => Kind::Boolean,
        "integer" => Kind::Integer,
        "number" => Kind::Number,
        "path" => Kind::Path(Within::read(fields, origin, report)?),
        _ => Kind::Text,
    })
}

/// Keys that mean something, but nothing to this type.
fn refuse_foreign_keys(type_name: &str, fields: &Fields<'_, '_>, report: &mut Report) {
    for (key, types) in MEANT_FOR {
        if let Some(value) = fields.find(key)
            && !types.contains(&type_name)
        {
            let message = format!("`{key}` means nothing to type `{type_name}`");
            report.add(value.span(), Diagnostic::error(message).note(format!("it is for {}", list(types))));
        }
    }
}

/// What hosts take as the name of a property.
fn is_name(name: &str) -> bool {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    (1..=64).contains(&name.len()) && name.bytes().all(is_known)
}

/// A JSON Schema under construction.
#[derive(Debug)]
struct Schema {
    text: String,
    /// Keywords whose values have to fit the schema.
    samples: Vec<&'static str>,
}

impl Schema {
    fn new(type_name: &str) -> Self {
        let json_type = if type_name == "path" { "string" } else { type_name };
        Self { text: format!(r#"{{"type":"{json_type}""#), samples: Vec::new() }
    }

    fn add(&mut self, keyword: &str, json: &str) {
        for part in [",\"", keyword, "\":", json] {
            self.text.push_str(part);
        }
    }

    fn text(&mut self, keyword: &str, fields: &Fields<'_, '_>, report: &mut Report) {
        if let Some(text) = fields.text(keyword, report) {
            self.add(keyword, &json::quote(text));
        }
    }

    fn json(&mut self, keyword: &str, fields: &Fields<'_, '_>, report: &mut Report) {
        if let Some(json) = fields.find(keyword).and_then(|value| json::from_toml(value, report)) {
            self.add(keyword, &json);
        }
    }

    /// A value that has to fit.
    fn sample(&mut self, keyword: &'static str, fields: &Fields<'_, '_>, report: &mut Report) {
        self.samples.push(keyword);
        self.json(keyword, fields, report);
    }

    /// Values that each have to fit.
    fn samples(&mut self, keyword: &'static str, fields: &Fields<'_, '_>, report: &mut Report) {
        let Some(elements) = fields.array(keyword, report) else { return };
        if elements.is_empty() {
            let place = fields.find(keyword).map_or_else(|| fields.place(), Value::span);
            report.error(place, format!("`{keyword}` is empty"));
        }
        self.sample(keyword, fields, report);
    }

    fn count(&mut self, keyword: &str, key: &str, fields: &Fields<'_, '_>, report: &mut Report) {
        if let Some(count) = fields.count(key, 0, report) {
            self.add(keyword, &count.to_string());
        }
    }

    fn number(&mut self, keyword: &str, fields: &Fields<'_, '_>, report: &mut Report) {
        let Some(value) = fields.find(keyword) else { return };
        match value.get_ref() {
            DeValue::Integer(_) | DeValue::Float(_) => self.json(keyword, fields, report),
            _ => expected(keyword, "a number", value, report),
        }
    }

    /// The schema as text. That it can be served, and that its own values fit it, is found out here.
    fn finish(mut self, fields: &Fields<'_, '_>, report: &mut Report) -> String {
        self.text.push('}');
        let Ok(source) = RawValue::from_string(self.text.clone()) else { return self.text };
        match haft_schema::Schema::compile(&source, &CompileOptions::default()) {
            Ok(schema) => self.refuse_unfit(&schema, fields, report),
            Err(error) => {
                let (keyword, cause) = match &error {
                    SchemaError::Default { problem, .. } => ("default", problem.clone()),
                    SchemaError::Pattern { reason, .. } => ("pattern", reason.clone()),
                    _ => ("type", error.to_string()),
                };
                let place = fields.find(keyword).map_or_else(|| fields.place(), Value::span);
                let message = format!("this value of `{keyword}` cannot be served");
                report.add(place, Diagnostic::error(message).cause(cause));
            }
        }
        self.text
    }

    fn refuse_unfit(&self, schema: &haft_schema::Schema, fields: &Fields<'_, '_>, report: &mut Report) {
        for keyword in &self.samples {
            let Some(value) = fields.find(keyword) else { continue };
            let elements = match value.get_ref().as_array() {
                Some(elements) if *keyword != "default" => &**elements,
                _ => std::slice::from_ref(value),
            };
            for element in elements {
                // What is no JSON was reported where the schema was put together.
                let Some(json) = json::from_toml(element, &mut Report::new(String::new(), "")) else { continue };
                let Ok(tree) = Tree::parse(&json) else { continue };
                if let Err(problems) = schema.check(&tree) {
                    let diagnostic = Diagnostic::error(format!("this value of `{keyword}` does not fit the argument"));
                    let reasons = problems.list.iter().map(ToString::to_string);
                    report.add(element.span(), reasons.fold(diagnostic, Diagnostic::cause));
                }
            }
        }
    }
}

const TYPES: [&str; 6] = ["string", "integer", "number", "boolean", "path", "array"];
const ITEM_TYPES: [&str; 5] = ["string", "integer", "number", "boolean", "path"];

const KEYS: Keys = Keys::new(
    "an argument",
    &[
        "type",
        "description",
        "required",
        "default",
        "examples",
        "enum",
        "pattern",
        "min_length",
        "max_length",
        "minimum",
        "maximum",
        "within",
        "except",
        "items",
        "min_items",
        "max_items",
        "allow_dash",
    ],
);

const ITEM_KEYS: Keys = Keys::new(
    "`items`",
    &["type", "description", "enum", "pattern", "min_length", "max_length", "minimum", "maximum", "within", "except"],
);

const MEANT_FOR: [(&str, &[&str]); 12] = [
    ("enum", &["string", "integer", "number"]),
    ("pattern", &["string", "path"]),
    ("min_length", &["string", "path"]),
    ("max_length", &["string", "path"]),
    ("minimum", &["integer", "number"]),
    ("maximum", &["integer", "number"]),
    ("within", &["path"]),
    ("except", &["path"]),
    ("items", &["array"]),
    ("min_items", &["array"]),
    ("max_items", &["array"]),
    ("allow_dash", &["string", "array"]),
];
