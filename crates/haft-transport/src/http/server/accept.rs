//! Which media types a client takes, and which one it sends.

/// Whether a client takes each of the two media types of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) json: bool,
    pub(super) events: bool,
}

/// The `Accept` headers of a request, as they are read one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AcceptHeader {
    json: Preference,
    events: Preference,
    is_present: bool,
}

/// The most specific range that matches a media type, and whether it lets it through (RFC 9110, section 12.5.1).
#[derive(Clone, Copy, Debug, Default)]
struct Preference {
    precision: u8,
    is_acceptable: bool,
}

impl Preference {
    const fn note(&mut self, precision: u8, is_acceptable: bool) {
        if precision > self.precision {
            *self = Self { precision, is_acceptable };
        }
    }
}

impl AcceptHeader {
    /// Reads one header of this name; there may be several.
    pub(super) fn read(&mut self, value: &[u8]) {
        self.is_present = true;
        if matches!(value, b"application/json, text/event-stream" | b"text/event-stream, application/json") {
            self.json.note(3, true);
            self.events.note(3, true);
            return;
        }
        for range in value.split(|byte| *byte == b',') {
            let mut parts = range.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
            let name = parts.next().unwrap_or_default();
            let is_acceptable = !parts.any(is_weight_of_zero);
            let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
            if is(b"*/*") {
                self.json.note(1, is_acceptable);
                self.events.note(1, is_acceptable);
            } else if is(b"application/*") {
                self.json.note(2, is_acceptable);
            } else if is(b"text/*") {
                self.events.note(2, is_acceptable);
            } else if is(JSON) {
                self.json.note(3, is_acceptable);
            } else if is(b"text/event-stream") {
                self.events.note(3, is_acceptable);
            }
        }
    }

    /// What the client takes; without the header, anything.
    pub(super) const fn accepts(self) -> Accepts {
        if !self.is_present {
            return Accepts { json: true, events: true };
        }
        Accepts { json: self.json.is_acceptable, events: self.events.is_acceptable }
    }
}

/// Whether a body of this type is read: JSON, which is UTF-8 whether it says so or not.
pub(super) fn is_json(content_type: &[u8]) -> bool {
    if content_type == JSON {
        return true;
    }
    let mut parts = content_type.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
    parts.next().unwrap_or_default().eq_ignore_ascii_case(JSON)
        && parts.all(|parameter| match parameter.split_at_checked(b"charset=".len()) {
            Some((name, charset)) if name.eq_ignore_ascii_case(b"charset=") => {
                [&b"utf-8"[..], b"\"utf-8\"", b"utf8"].iter().any(|known| charset.eq_ignore_ascii_case(known))
            }
            _ => true,
        })
}

/// `q=0`, however many digits it has.
fn is_weight_of_zero(parameter: &[u8]) -> bool {
    match parameter.split_at_checked(2) {
        Some((name, weight)) => {
            name.eq_ignore_ascii_case(b"q=")
                && !weight.is_empty()
                && weight.iter().all(|byte| matches!(byte, b'0' | b'.'))
        }
        None => false,
    }
}

const JSON: &[u8] = b"application/json";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_specific_range_decides_and_a_weight_of_zero_refuses() {
        for (headers, json, events) in [
            (&[][..], true, true),
            (&["application/json, text/event-stream"], true, true),
            (&["text/event-stream, application/json"], true, true),
            (&["application/json,text/event-stream;q=0.5"], true, true),
            (&["application/json", "text/event-stream"], true, true),
            (&["*/*"], true, true),
            (&["application/*"], true, false),
            (&["text/*;q=0.1"], false, true),
            (&["Application/JSON"], true, false),
            (&["text/event-stream"], false, true),
            (&["application/json;q=0, */*"], false, true),
            (&["*/*, application/json;q=0.000"], false, true),
            (&["*/*;q=0, application/json"], true, false),
            (&["application/json; charset=utf-8; q=1.0"], true, false),
            (&["text/html, image/png"], false, false),
            (&[""], false, false),
            (&["application/jsonx"], false, false),
        ] {
            let mut header = AcceptHeader::default();
            for value in headers {
                header.read(value.as_bytes());
            }
            assert_eq!(header.accepts(), Accepts { json, events }, "{headers:?}");
        }
    }

    #[test]
    fn a_body_is_json_in_utf_8_or_it_is_not_read() {
        for (content_type, expected) in [
            ("application/json", true),
            ("Application/Json", true),
            ("application/json; charset=utf-8", true),
            ("application/json;charset=\"UTF-8\"", true),
            ("application/json; profile=x", true),
            ("application/json; charset=latin1", false),
            ("text/plain", false),
            ("application/json-seq", false),
            ("application/x-www-form-urlencoded", false),
            ("", false),
        ] {
            assert_eq!(is_json(content_type.as_bytes()), expected, "{content_type}");
        }
    }
}
