//! The two dialects of JSON Schema that are spoken here.

use serde_json::Value;

use crate::SchemaError;

/// A dialect of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a new dialect changes what every match has to do")]
pub enum Dialect {
    /// Draft-07, `http://json-schema.org/draft-07/schema#`.
    Draft07,
    /// 2020-12, `https://json-schema.org/draft/2020-12/schema`; also that of a schema without `$schema`.
    Draft202012,
}

impl Dialect {
    /// The dialect that a schema declares. Without `$schema` it is 2020-12.
    ///
    /// # Errors
    ///
    /// When the schema declares another dialect.
    pub fn of(schema: &Value) -> Result<Self, SchemaError> {
        match schema.get("$schema") {
            None => Ok(Self::Draft202012),
            Some(Value::String(declared)) => {
                Self::named(declared).ok_or_else(|| SchemaError::UnknownDialect { dialect: declared.clone() })
            }
            Some(_) => Err(SchemaError::invalid("/$schema", "expected the URI of a dialect")),
        }
    }

    fn named(uri: &str) -> Option<Self> {
        let uri = uri.strip_suffix('#').unwrap_or(uri);
        match uri {
            "https://json-schema.org/draft/2020-12/schema" => Some(Self::Draft202012),
            // The URI has http; some generators write https.
            "http://json-schema.org/draft-07/schema" | "https://json-schema.org/draft-07/schema" => Some(Self::Draft07),
            _ => None,
        }
    }

    /// The name that people use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft07 => "draft-07",
            Self::Draft202012 => "2020-12",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Dialect;
    use serde_json::json;

    #[test]
    fn the_dialect_is_read_from_the_schema() {
        for (schema, expected) in [
            (json!({}), Ok(Dialect::Draft202012)),
            (json!(true), Ok(Dialect::Draft202012)),
            (json!({"$schema": "https://json-schema.org/draft/2020-12/schema"}), Ok(Dialect::Draft202012)),
            (json!({"$schema": "http://json-schema.org/draft-07/schema#"}), Ok(Dialect::Draft07)),
            (json!({"$schema": "http://json-schema.org/draft-07/schema"}), Ok(Dialect::Draft07)),
            (
                json!({"$schema": "http://json-schema.org/draft-04/schema#"}),
                Err("dialect `http://json-schema.org/draft-04/schema#` is not supported; use 2020-12 or draft-07"),
            ),
            (json!({"$schema": 7}), Err("schema is not valid at `/$schema`: expected the URI of a dialect")),
        ] {
            let dialect = Dialect::of(&schema).map_err(|error| error.to_string());
            assert_eq!(dialect, expected.map_err(str::to_owned), "{schema}");
        }
    }
}
