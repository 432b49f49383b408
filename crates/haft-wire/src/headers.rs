//! Header rules of streamable HTTP in 2026-07-28, shared by both ends: standard headers, mirrored arguments, encoding.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::base64;
use crate::error::Fault;

/// What the headers of a request say, as bytes.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "transports fill it in, and a new header concerns them all")]
pub struct HeaderFacts<'a> {
    /// `MCP-Protocol-Version`.
    pub version: Option<&'a [u8]>,
    /// `Mcp-Method`.
    pub method: Option<&'a [u8]>,
    /// `Mcp-Name`.
    pub name: Option<&'a [u8]>,
    /// `Mcp-Session-Id`.
    pub session: Option<&'a [u8]>,
}

impl HeaderFacts<'_> {
    /// Compares `Mcp-Method` and, where the request names something, `Mcp-Name` with the body.
    ///
    /// # Errors
    ///
    /// When a header is missing, is not decodable, or differs.
    pub fn check(&self, method: &str, name: Option<&str>) -> Result<(), Fault> {
        compare("Mcp-Method", self.method, Some(method))?;
        match name {
            None => Ok(()),
            Some(_) => compare("Mcp-Name", self.name, name),
        }
    }
}

/// Compares a header with the value in the body; both absent agree.
///
/// # Errors
///
/// When one is there without the other, the header is not decodable, or the two differ.
pub fn compare(header: &str, sent: Option<&[u8]>, expected: Option<&str>) -> Result<(), Fault> {
    let mismatch = |how: &str| Fault::HeaderMismatch { message: format!("header `{header}` {how}") };
    match (sent, expected) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(mismatch("is missing")),
        (Some(_), None) => Err(mismatch("has no counterpart in the body")),
        (Some(sent), Some(expected)) => {
            // Most values are plain and equal; only others are worth decoding.
            let is_plain = !sent.starts_with(PREFIX.as_bytes()) && sent.iter().all(|byte| matches!(byte, b' '..=b'~'));
            if is_plain && sent == expected.as_bytes() {
                return Ok(());
            }
            let value = decode(sent).ok_or_else(|| mismatch("is malformed"))?;
            if value == expected { Ok(()) } else { Err(mismatch("differs from the body")) }
        }
    }
}

/// Reads a header value: surrounding blanks go, `=?base64?…?=` is decoded strictly.
///
/// `None` for bytes outside of visible ASCII, blank and tab, and for base64 that is not canonical.
pub fn decode(value: &[u8]) -> Option<Cow<'_, str>> {
    let value = value.trim_ascii();
    if !value.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
        return None;
    }
    let text = std::str::from_utf8(value).ok()?;
    match text.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX)) {
        None => Some(Cow::Borrowed(text)),
        Some(encoded) => {
            base64::decode(encoded.as_bytes()).and_then(|bytes| String::from_utf8(bytes).ok()).map(Cow::Owned)
        }
    }
}

/// Writes a header value; what a plain header cannot carry becomes `=?base64?…?=`.
pub fn encode(value: &str) -> Cow<'_, str> {
    let looks_encoded = value.starts_with(PREFIX) && value.ends_with(SUFFIX);
    let is_trimmed = !value.starts_with(' ') && !value.ends_with(' ');
    let is_plain = is_trimmed && !looks_encoded && value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if is_plain {
        Cow::Borrowed(value)
    } else {
        Cow::Owned(format!("{PREFIX}{}{SUFFIX}", base64::encode(value.as_bytes())))
    }
}

/// An argument that HTTP clients mirror into a header (`x-mcp-header`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeaderParam {
    /// The whole name of the header, in lower case: `mcp-param-` and what the schema says.
    pub header: String,
    /// The names of the properties that lead to the argument.
    pub path: Vec<String>,
}

impl HeaderParam {
    /// The arguments that a schema wants mirrored.
    ///
    /// # Errors
    ///
    /// When an annotation is empty or no token, stands twice, is on something else than a string, an integer or a
    /// boolean, or cannot be reached from the root by `properties` alone (2026-07-28, tools: `x-mcp-header`).
    pub fn declared(schema: &RawValue) -> Result<Vec<Self>, InvalidHeaderParam> {
        if !schema.get().contains("x-mcp-header") {
            return Ok(Vec::new());
        }
        let schema: Value = serde_json::from_str(schema.get()).unwrap_or_default();
        let mut found: Vec<Self> = Vec::new();
        let mut reachable = 0;
        collect(&schema, &mut Vec::new(), &mut |path, property| {
            let Some(annotation) = property.get("x-mcp-header") else { return Ok(()) };
            reachable += 1;
            let refuse = |reason| InvalidHeaderParam { path: path.join("/"), reason };
            let name = annotation.as_str().ok_or_else(|| refuse("is no string"))?;
            if name.is_empty() || !name.bytes().all(is_token) {
                return Err(refuse("is no HTTP token"));
            }
            if !matches!(property.get("type").and_then(Value::as_str), Some("string" | "integer" | "boolean")) {
                return Err(refuse("is on something else than a string, an integer or a boolean"));
            }
            let header = format!("mcp-param-{}", name.to_ascii_lowercase());
            if found.iter().any(|param| param.header == header) {
                return Err(refuse("names a header that another argument has"));
            }
            found.push(Self { header, path: path.to_vec() });
            Ok(())
        })?;
        if count(&schema) != reachable {
            let reason = "stands where `properties` alone do not lead";
            return Err(InvalidHeaderParam { path: String::new(), reason });
        }
        Ok(found)
    }
}

/// The headers that mirror these arguments, names in lower case (2026-07-28, tools: `x-mcp-header`).
///
/// What is absent, null, or of another type than can be mirrored has no header.
pub fn mirrored(params: &[HeaderParam], arguments: &RawValue) -> Vec<(String, String)> {
    if params.is_empty() {
        return Vec::new();
    }
    let arguments: Value = serde_json::from_str(arguments.get()).unwrap_or_default();
    let mut headers = Vec::new();
    for HeaderParam { header, path } in params {
        let value = path.iter().try_fold(&arguments, |value, name| value.get(name));
        let text = match value {
            Some(Value::Bool(value)) => value.to_string(),
            Some(Value::Number(number)) => match integer(number) {
                Some(integer) => integer.to_string(),
                None => continue,
            },
            Some(Value::String(text)) => encode(text).into_owned(),
            _ => continue,
        };
        headers.push((header.clone(), text));
    }
    headers
}

/// An integer that every peer can hold, also when it is written with a fraction of zero.
fn integer(number: &serde_json::Number) -> Option<i64> {
    const LARGEST: i64 = (1 << 53) - 1;
    #[expect(clippy::cast_possible_truncation, reason = "integral and within 2^53 is checked first")]
    let integer = match (number.as_i64(), number.as_f64()) {
        (Some(integer), _) => integer,
        (None, Some(float)) if float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0 => float as i64,
        _ => return None,
    };
    (-LARGEST..=LARGEST).contains(&integer).then_some(integer)
}

/// An `x-mcp-header` that no client can honour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidHeaderParam {
    path: String,
    reason: &'static str,
}

impl fmt::Display for InvalidHeaderParam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            write!(f, "an `x-mcp-header` {}", self.reason)
        } else {
            write!(f, "the `x-mcp-header` of `{}` {}", self.path, self.reason)
        }
    }
}

impl std::error::Error for InvalidHeaderParam {}

type Found<'f> = dyn FnMut(&[String], &Value) -> Result<(), InvalidHeaderParam> + 'f;

fn collect(schema: &Value, path: &mut Vec<String>, found: &mut Found<'_>) -> Result<(), InvalidHeaderParam> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return Ok(()) };
    for (name, property) in properties {
        path.push(name.clone());
        found(path, property)?;
        collect(property, path, found)?;
        path.pop();
    }
    Ok(())
}

/// How often the annotation stands anywhere in a schema, data such as `default` and `examples` left out.
fn count(schema: &Value) -> usize {
    match schema {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => {
            usize::from(members.contains_key("x-mcp-header"))
                + members
                    .iter()
                    .filter(|(key, _)| !matches!(key.as_str(), "const" | "default" | "enum" | "examples"))
                    .map(|(_, value)| count(value))
                    .sum::<usize>()
        }
        _ => 0,
    }
}

/// RFC 9110, section 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

const PREFIX: &str = "=?base64?";
const SUFFIX: &str = "?=";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_header_cannot_carry_is_encoded_and_comes_back() {
        for (value, header) in [
            ("Zürich", "=?base64?WsO8cmljaA==?="),
            ("us-west 1", "us-west 1"),
            ("", ""),
            (" a", "=?base64?IGE=?="),
            ("a\tb", "=?base64?YQli?="),
            ("a\r\nX: y", "=?base64?YQ0KWDogeQ==?="),
            ("=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
        ] {
            assert_eq!(encode(value), header);
            assert_eq!(decode(header.as_bytes()).as_deref(), Some(value));
        }
    }

    #[test]
    fn headers_are_compared_after_decoding() {
        let check = |sent: &[u8], expected: &str| compare("Mcp-Name", Some(sent), Some(expected)).is_ok();
        assert!(check(b" get_weather ", "get_weather"));
        assert!(check(b"=?base64?Z2V0?=", "get"));
        assert!(check(b"=?BASE64?Z2V0?=", "=?BASE64?Z2V0?="));
        assert!(check(b"=?base64?Z2V0", "=?base64?Z2V0"));
        assert!(!check(b"=?base64?Z2V0?=", "=?base64?Z2V0?="));
        for bad in [&b"GET"[..], b"=?base64?Z2V?=", b"=?base64?Z2-0?=", b"g\xe9t", b"get\0"] {
            assert!(!check(bad, "get"));
        }
        assert!(compare("Mcp-Name", None, Some("get")).is_err());
        assert!(compare("Mcp-Name", Some(b"get"), None).is_err());
    }

    #[test]
    fn only_annotations_that_every_client_can_honour_are_accepted() {
        let declared = |schema: &str| {
            let raw: &RawValue = serde_json::from_str(schema).unwrap();
            HeaderParam::declared(raw).map(|params| {
                params.into_iter().map(|param| format!("{}={}", param.header, param.path.join("/"))).collect::<Vec<_>>()
            })
        };
        assert_eq!(declared(r#"{"properties":{"a":{"type":"string"}}}"#).unwrap(), Vec::<String>::new());
        assert_eq!(
            declared(r#"{"properties":{"a":{"type":"string","x-mcp-header":"Method"},"b":{"properties":{"c":{"type":"integer","x-mcp-header":"C"}}}}}"#).unwrap(),
            ["mcp-param-method=a", "mcp-param-c=b/c"]
        );
        for bad in [
            r#"{"properties":{"a":{"type":"string","x-mcp-header":""}}}"#,
            r#"{"properties":{"a":{"type":"string","x-mcp-header":"a b"}}}"#,
            r#"{"properties":{"a":{"type":"string","x-mcp-header":7}}}"#,
            r#"{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}"#,
            r#"{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}"#,
            r#"{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}"#,
            r#"{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}"#,
        ] {
            assert!(declared(bad).is_err(), "{bad}");
        }
    }
}
