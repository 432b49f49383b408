//! What the parser takes and refuses, beside `serde_json` as the second opinion.

use serde_json::Value;

use crate::Tree;

fn refused(text: &str, expected: &str) {
    assert_eq!(Tree::parse(text).unwrap_err().to_string(), expected, "{text:?}");
}

#[test]
fn text_that_is_no_json_is_refused_with_its_place() {
    refused("", "not JSON at byte 0: expected a value");
    refused(" nul", "not JSON at byte 1: expected a value");
    refused("[1,]", "not JSON at byte 3: expected a value");
    refused("[1 2]", "not JSON at byte 3: expected `,` or `]`");
    refused("{\"a\":1,}", "not JSON at byte 7: expected a member name");
    refused("{a:1}", "not JSON at byte 1: expected a member name");
    refused("{\"a\" 1}", "not JSON at byte 5: expected `:`");
    refused("{\"a\":1", "not JSON at byte 6: expected `,` or `}`");
    refused("1 2", "not JSON at byte 2: expected the end");
    refused("01", "not JSON at byte 1: expected the end");
    refused("-", "not JSON at byte 1: expected a digit");
    refused("1.", "not JSON at byte 2: expected a digit");
    refused("1e+", "not JSON at byte 3: expected a digit");
    refused("+1", "not JSON at byte 0: expected a value");
    refused("NaN", "not JSON at byte 0: expected a value");
    refused("\"a", "not JSON at byte 2: expected the end of a string");
    refused("\"a\nb\"", "not JSON at byte 2: expected the end of a string");
    refused("\"12345678\u{1}\"", "not JSON at byte 9: expected the end of a string");
    refused("\"\\x\"", "not JSON at byte 1: expected an escape");
    refused("\"\\u12g4\"", "not JSON at byte 5: expected four hexadecimal digits");
    refused("\"\\", "not JSON at byte 1: expected an escape");
    refused("\u{feff}1", "not JSON at byte 0: expected a value");
    refused("'a'", "not JSON at byte 0: expected a value");
    refused("[1]//", "not JSON at byte 3: expected the end");
}

#[test]
fn a_name_that_stands_twice_is_refused_at_every_depth() {
    refused(r#"{"a":1,"a":1}"#, "`/a` stands twice");
    refused(r#"{"x":[0,{"a":1,"b":2,"\u0061":3}]}"#, "`/x/1/a` stands twice");
    refused(r#"{"a/b":{"":1,"":2}}"#, "`/a~1b/` stands twice");
    let names: Vec<String> = (0..1000).map(|index| format!("\"k{index}\":0")).collect();
    refused(&format!("{{{},\"k500\":1}}", names.join(",")), "`/k500` stands twice");
}

#[test]
fn half_of_a_surrogate_pair_is_refused() {
    refused(r#""\ud800""#, "half of a surrogate pair at byte 1");
    refused(r#"{"a":"xx\udc00"}"#, "half of a surrogate pair at byte 8");
    refused(r#""\ud83d\u0041""#, "half of a surrogate pair at byte 1");
    refused(r#"{"\ud800":1}"#, "half of a surrogate pair at byte 2");
    assert_eq!(Tree::parse(r#""\ud83d\ude00""#).unwrap().as_str(), Some("😀"));
}

#[test]
fn nesting_is_bounded() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(Tree::parse(&nested(Tree::MAX_DEPTH)).unwrap().depth(), 128);
    refused(&nested(Tree::MAX_DEPTH + 1), "nested deeper than 128 levels");
    refused(&"[".repeat(100_000), "nested deeper than 128 levels");
    refused(&"{\"a\":".repeat(100_000), "nested deeper than 128 levels");
    refused(&"[{\"a\":".repeat(100), "nested deeper than 128 levels");
}

#[test]
fn large_and_odd_values_are_taken_as_they_are() {
    let long = "ü".repeat(1 << 20);
    assert_eq!(Tree::parse(&format!("\"{long}\"")).unwrap().as_str(), Some(long.as_str()));
    assert_eq!(Tree::parse(r#""a\u0000b""#).unwrap().as_str(), Some("a\0b"));
    for text in ["1e999999", "-1e999999", "1e-999999", "1180591620717411303424", "-0", "1E+2"] {
        assert_eq!(Tree::parse(text).unwrap().to_json(), text);
    }
    for (text, value) in [("9223372036854775807", i64::MAX), ("-9223372036854775808", i64::MIN), ("0", 0), ("-1", -1)] {
        assert!(matches!(Tree::parse(text), Ok(Tree::Integer(parsed)) if parsed == value), "{text}");
    }
    assert!(matches!(Tree::parse("18446744073709551615"), Ok(Tree::Unsigned(u64::MAX))));
    assert!(matches!(Tree::parse("18446744073709551616"), Ok(Tree::Float(_))));
    assert!(matches!(Tree::parse("-9223372036854775809"), Ok(Tree::Float(_))));
}

/// Pieces that are put together at random: most texts are no JSON, some nearly are, some are.
const PIECES: [&str; 40] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\n",
    "\"",
    "\"a\"",
    "\"b\":",
    "\"a\":1",
    "null",
    "true",
    "fals",
    "false",
    "0",
    "1",
    "-",
    "12",
    ".5",
    "e3",
    "E-2",
    "1.0",
    "\"\\u0041\"",
    "\"\\n\"",
    "\\",
    "\"\\ud83d\\ude00\"",
    "ü",
    "\"ü€😀\"",
    "\t",
    "\u{1}",
    "[]",
    "{}",
    "[1,2]",
    "{\"c\":[]}",
    "18446744073709551615",
    "\"x\":{",
    "],",
    "\"1234567\\\"89\"",
];

#[test]
fn texts_put_together_at_random_are_read_as_serde_json_reads_them() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap() % bound
    };
    let mut taken = 0;
    for _ in 0..200_000 {
        let text: String = (0..=next(9)).map(|_| PIECES[next(PIECES.len())]).collect();
        let ours = Tree::parse(&text);
        let theirs: Result<Value, _> = serde_json::from_str(&text);
        match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) => {
                taken += 1;
                assert!(ours.equals(theirs), "{text:?}");
                assert_eq!(Tree::parse(&ours.to_json()).as_ref(), Ok(ours), "{text:?}");
            }
            (Err(_), Err(_)) => {}
            (Err(crate::TreeError::DuplicateKey { .. }), Ok(_)) => {}
            // A number beyond the doubles is JSON all the same.
            (Ok(ours), Err(theirs)) if theirs.to_string().contains("out of range") => {
                assert!(ours.to_value().is_err(), "{text:?}");
            }
            _ => panic!("{text:?}: {ours:?} but {theirs:?}"),
        }
    }
    assert!(taken > 5000, "only {taken} of the texts were JSON");
}
