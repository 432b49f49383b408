//! The definition of a tool.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::annotations::Annotations;
use super::name::{InvalidToolName, ToolName};

/// What a server publishes of a tool. Schemas and members that are not known here stay as they came.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name that calls it.
    pub name: ToolName,
    /// A title for people.
    pub title: Option<String>,
    /// What the model decides by.
    pub description: Option<String>,
    /// JSON Schema of the arguments; its root says `"type": "object"`.
    pub input_schema: Box<RawValue>,
    /// JSON Schema of the structured result.
    pub output_schema: Option<Box<RawValue>>,
    /// Hints about what the tool does.
    pub annotations: Annotations,
    /// Icons, an array.
    pub icons: Option<Box<RawValue>>,
    /// `_meta` of the tool, an object.
    pub meta: Option<Box<RawValue>>,
    /// Members that this library does not know, as they came.
    pub other: Vec<(String, Box<RawValue>)>,
}

impl ToolDefinition {
    /// A tool with a name and a schema of its arguments.
    pub fn new(name: ToolName, input_schema: Box<RawValue>) -> Self {
        Self {
            name,
            title: None,
            description: None,
            input_schema,
            output_schema: None,
            annotations: Annotations::default(),
            icons: None,
            meta: None,
            other: Vec::new(),
        }
    }

    /// Reads a definition as `tools/list` has it.
    ///
    /// # Errors
    ///
    /// When the text is no JSON object, a member has another type than the protocol gives it, or the name is no
    /// [`ToolName`].
    pub fn from_json(text: &str) -> Result<Self, InvalidDefinition> {
        let members: Members = serde_json::from_str(text).map_err(InvalidDefinition::Json)?;
        let member = |name| members.0.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        let name: String = read("name", member("name").ok_or(InvalidDefinition::Missing("name"))?)?;
        let name = ToolName::parse(&name).map_err(InvalidDefinition::Name)?;
        let input_schema = member("inputSchema").ok_or(InvalidDefinition::Missing("inputSchema"))?.clone();
        let mut tool = Self::new(name, object("inputSchema", input_schema)?);
        for (key, value) in members.0 {
            match key.as_str() {
                // `execution` is of 2025-11-25 alone, for a form of tasks that is not served.
                "name" | "inputSchema" | "execution" => {}
                "title" => tool.title = Some(read("title", &value)?),
                "description" => tool.description = Some(read("description", &value)?),
                "outputSchema" => tool.output_schema = Some(object("outputSchema", value)?),
                "annotations" => tool.annotations = annotations(&value)?,
                "icons" if value.get().starts_with('[') => tool.icons = Some(value),
                "icons" => return Err(InvalidDefinition::Type { member: "icons", expected: "an array" }),
                "_meta" => tool.meta = Some(object("_meta", value)?),
                _ => tool.other.push((key, value)),
            }
        }
        Ok(tool)
    }
}

/// Why a text is no tool definition.
#[derive(Debug)]
#[non_exhaustive]
pub enum InvalidDefinition {
    /// The text is no JSON object.
    Json(serde_json::Error),
    /// A member that every tool has is missing.
    Missing(&'static str),
    /// The name is none that hosts accept.
    Name(InvalidToolName),
    /// A member has another type than the protocol gives it.
    Type {
        /// The member.
        member: &'static str,
        /// What it has to be.
        expected: &'static str,
    },
}

impl fmt::Display for InvalidDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(_) => f.write_str("the tool definition is no JSON object"),
            Self::Missing(member) => write!(f, "the tool definition has no `{member}`"),
            Self::Name(error) => error.fmt(f),
            Self::Type { member, expected } => write!(f, "`{member}` has to be {expected}"),
        }
    }
}

impl std::error::Error for InvalidDefinition {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Json(error) => Some(error),
            Self::Missing(_) | Self::Name(_) | Self::Type { .. } => None,
        }
    }
}

trait Named: for<'de> Deserialize<'de> {
    const EXPECTED: &'static str;
}

impl Named for String {
    const EXPECTED: &'static str = "a string";
}

impl Named for bool {
    const EXPECTED: &'static str = "true or false";
}

fn read<T: Named>(member: &'static str, value: &RawValue) -> Result<T, InvalidDefinition> {
    serde_json::from_str(value.get()).map_err(|_| InvalidDefinition::Type { member, expected: T::EXPECTED })
}

fn object(member: &'static str, value: Box<RawValue>) -> Result<Box<RawValue>, InvalidDefinition> {
    if value.get().starts_with('{') {
        Ok(value)
    } else {
        Err(InvalidDefinition::Type { member, expected: "an object" })
    }
}

fn annotations(value: &RawValue) -> Result<Annotations, InvalidDefinition> {
    let members: Members = serde_json::from_str(value.get())
        .map_err(|_| InvalidDefinition::Type { member: "annotations", expected: "an object" })?;
    let mut annotations = Annotations::default();
    for (key, value) in members.0 {
        match key.as_str() {
            "title" => annotations.title = Some(read("title", &value)?),
            "readOnlyHint" => annotations.read_only = Some(read("readOnlyHint", &value)?),
            "destructiveHint" => annotations.destructive = Some(read("destructiveHint", &value)?),
            "idempotentHint" => annotations.idempotent = Some(read("idempotentHint", &value)?),
            "openWorldHint" => annotations.open_world = Some(read("openWorldHint", &value)?),
            _ => annotations.other.push((key, value)),
        }
    }
    Ok(annotations)
}

/// The members of an object in their order, values raw.
pub(crate) struct Members(Vec<(String, Box<RawValue>)>);

impl Members {
    pub(crate) fn into_inner(self) -> Vec<(String, Box<RawValue>)> {
        self.0
    }

    /// The members of a value; what is no object has none.
    pub(crate) fn read(raw: &RawValue) -> Vec<(String, Box<RawValue>)> {
        serde_json::from_str::<Self>(raw.get()).map(|members| members.0).unwrap_or_default()
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry::<String, Box<RawValue>>()? {
                    if members.iter().any(|(known, _): &(String, _)| *known == member.0) {
                        return Err(serde::de::Error::custom(format_args!("`{}` stands twice", member.0)));
                    }
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_keeps_what_it_does_not_know() {
        let tool = ToolDefinition::from_json(
            r#"{"name":"a","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"x":1},"future":[1.50]}"#,
        )
        .unwrap();
        assert_eq!(tool.annotations.read_only, Some(true));
        assert_eq!(tool.annotations.destructive, None);
        assert_eq!(tool.annotations.other.len(), 1);
        assert_eq!(tool.other.first().map(|(key, value)| (key.as_str(), value.get())), Some(("future", "[1.50]")));
    }

    #[test]
    fn what_is_no_definition_says_which_member_is_wrong() {
        for (text, expected) in [
            ("[]", "the tool definition is no JSON object"),
            (r#"{"inputSchema":{}}"#, "the tool definition has no `name`"),
            (r#"{"name":"a"}"#, "the tool definition has no `inputSchema`"),
            (r#"{"name":"a","inputSchema":null}"#, "`inputSchema` has to be an object"),
            (r#"{"name":"a b","inputSchema":{}}"#, "tool name `a b` has a character outside of `A-Z a-z 0-9 _ - .`"),
            (
                r#"{"name":"a","inputSchema":{},"annotations":{"readOnlyHint":1}}"#,
                "`readOnlyHint` has to be true or false",
            ),
        ] {
            assert_eq!(ToolDefinition::from_json(text).unwrap_err().to_string(), expected);
        }
    }
}
