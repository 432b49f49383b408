//! What a client said that it can do.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::question::InputRequest;
use crate::jsonrpc::Raw;

/// The capabilities that a client declared, as far as a server of tools needs them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "capabilities are independent flags")]
pub struct ClientCapabilities {
    /// The client can show a form to a person.
    pub elicitation_form: bool,
    /// The client can open a URL for a person.
    pub elicitation_url: bool,
    /// The client lists roots.
    pub roots: bool,
    /// The client samples from a model.
    pub sampling: bool,
}

impl ClientCapabilities {
    /// Reads a `ClientCapabilities` object; `None` when it is no object.
    pub fn read(raw: Raw<'_>) -> Option<Self> {
        #[derive(Deserialize)]
        struct Wire<'a> {
            #[serde(borrow)]
            elicitation: Option<&'a RawValue>,
            #[serde(borrow)]
            roots: Option<&'a RawValue>,
            #[serde(borrow)]
            sampling: Option<&'a RawValue>,
        }
        #[derive(Deserialize)]
        struct Modes<'a> {
            #[serde(borrow)]
            form: Option<&'a RawValue>,
            #[serde(borrow)]
            url: Option<&'a RawValue>,
        }
        let text = raw.get();
        if text == "{}" {
            return Some(Self::default());
        }
        if !text.starts_with('{') {
            return None;
        }
        let wire: Wire<'_> = serde_json::from_str(text).ok()?;
        let elicitation = wire.elicitation.filter(|raw| raw.get().starts_with('{'));
        let modes = elicitation.and_then(|raw| serde_json::from_str::<Modes<'_>>(raw.get()).ok());
        Some(Self {
            // An empty object means forms (2025-11-25, elicitation: capabilities).
            elicitation_form: modes.as_ref().is_some_and(|modes| modes.form.is_some() || modes.url.is_none()),
            elicitation_url: modes.as_ref().is_some_and(|modes| modes.url.is_some()),
            roots: wire.roots.is_some(),
            sampling: wire.sampling.is_some(),
        })
    }

    /// Whether the client declared what `method` with these parameters needs.
    pub fn allow(self, method: &str, params: &RawValue) -> bool {
        match need(method, params) {
            Need::Form => self.elicitation_form,
            Need::Nothing => false,
            Need::Roots => self.roots,
            Need::Sampling => self.sampling,
            Need::Url => self.elicitation_url,
        }
    }

    /// The `ClientCapabilities` object that these requests need beyond what the client declared; `None` for nothing.
    pub fn missing(self, requests: &[InputRequest]) -> Option<Box<RawValue>> {
        let mut missing = Self::default();
        let mut is_open = false;
        for request in requests.iter().filter(|request| !self.allow(&request.method, &request.params)) {
            match need(&request.method, &request.params) {
                Need::Form => missing.elicitation_form = true,
                Need::Nothing => is_open = true,
                Need::Roots => missing.roots = true,
                Need::Sampling => missing.sampling = true,
                Need::Url => missing.elicitation_url = true,
            }
        }
        if missing == Self::default() && !is_open {
            return None;
        }
        let mut object = serde_json::Map::new();
        let mut modes = serde_json::Map::new();
        let want = |map: &mut serde_json::Map<String, Value>, key: &str, is_missing: bool| {
            if is_missing {
                map.insert(key.to_owned(), json!({}));
            }
        };
        want(&mut modes, "form", missing.elicitation_form);
        want(&mut modes, "url", missing.elicitation_url);
        want(&mut object, "roots", missing.roots);
        want(&mut object, "sampling", missing.sampling);
        if !modes.is_empty() {
            object.insert("elicitation".to_owned(), Value::Object(modes));
        }
        serde_json::value::to_raw_value(&object).ok()
    }
}

enum Need {
    Form,
    Nothing,
    Roots,
    Sampling,
    Url,
}

fn need(method: &str, params: &RawValue) -> Need {
    #[derive(Deserialize)]
    struct Mode {
        mode: Option<String>,
    }
    match method {
        "elicitation/create" => {
            let mode = serde_json::from_str::<Mode>(params.get()).ok().and_then(|mode| mode.mode);
            if mode.as_deref() == Some("url") { Need::Url } else { Need::Form }
        }
        "roots/list" => Need::Roots,
        "sampling/createMessage" => Need::Sampling,
        _ => Need::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<ClientCapabilities> {
        ClientCapabilities::read(Raw::parse(text).unwrap())
    }

    #[test]
    fn an_empty_elicitation_capability_means_forms() {
        for (text, form, url) in [
            ("{}", false, false),
            (r#"{"elicitation":{}}"#, true, false),
            (r#"{"elicitation":{"form":{}}}"#, true, false),
            (r#"{"elicitation":{"url":{}}}"#, false, true),
            (r#"{"elicitation":{"form":{},"url":{}},"future":{}}"#, true, true),
        ] {
            let capabilities = read(text).unwrap();
            assert_eq!((capabilities.elicitation_form, capabilities.elicitation_url), (form, url), "{text}");
        }
        for text in ["[]", "null", "7"] {
            assert_eq!(read(text), None);
        }
    }
}
