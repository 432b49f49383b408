//! What a right answer looks like, learned from the first one and then required byte by byte.

use serde_json::Value;

use super::request::{DIGITS, Number, WIDTH, places, write_at};
use crate::Result;
use crate::case::{Case, Tool};

/// The body of a right answer.
#[derive(Clone, Debug)]
pub struct Answer {
    expected: Vec<u8>,
    id: usize,
    sums: Vec<usize>,
}

impl Answer {
    /// Reads the answer to the first call, whose meaning is checked here; all later ones are compared with it.
    pub fn learn(case: Case, body: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(body).into_owned();
        let message: Value =
            serde_json::from_slice(body).map_err(|error| format!("the answer is no JSON ({error}): {text}"))?;
        let sum = String::from_utf8(Number::FIRST.sum().to_vec())?;
        let told = match case.tool {
            Tool::Text => message.pointer("/result/content/0/text").and_then(Value::as_str).map(str::to_owned),
            Tool::Structured => message.pointer("/result/structuredContent/sum").map(Value::to_string),
        };
        let failed = message.pointer("/result/isError").and_then(Value::as_bool).unwrap_or(false);
        if failed
            || told.as_deref() != Some(&sum)
            || message.pointer("/id").map(Value::to_string).as_deref() != Some(DIGITS)
        {
            return Err(format!("not the answer to the call: {text}").into());
        }
        let id = match places(body, DIGITS).as_slice() {
            [place] => *place,
            _ => return Err(format!("the id does not stand once in the answer: {text}").into()),
        };
        Ok(Self { expected: body.to_vec(), id, sums: places(body, &sum) })
    }

    pub fn len(&self) -> usize {
        self.expected.len()
    }

    /// Whether `body` is the answer to the call with this number.
    pub fn is(&mut self, number: Number, body: &[u8]) -> bool {
        write_at(&mut self.expected, &[self.id], number.id());
        write_at(&mut self.expected, &self.sums, number.sum());
        self.expected == body
    }

    /// The number of the call that `body` answers.
    pub fn number(&self, body: &[u8]) -> Option<Number> {
        Number::of_id(body.get(self.id..self.id + WIDTH)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Form;

    const CASE: Case = Case { tool: Tool::Text, tools: 1, form: Form::Handshake };

    #[test]
    fn an_answer_is_right_only_with_the_id_and_the_sum_of_its_call() {
        let body = br#"{"jsonrpc":"2.0","id":1234567,"result":{"content":[{"type":"text","text":"6234567"}]}}"#;
        let mut answer = Answer::learn(CASE, body).expect("a right answer");
        let later = String::from_utf8_lossy(body).replace("1234567", "2000000").replace("6234567", "7000000");
        let number = answer.number(later.as_bytes()).expect("a number");
        assert!(answer.is(number, later.as_bytes()));
        assert!(!answer.is(number, later.replace("7000000", "7000001").as_bytes()));
        assert!(!answer.is(number, body));
    }

    #[test]
    fn an_answer_that_tells_of_an_error_or_another_sum_is_not_learned() {
        for body in [
            r#"{"id":1234567,"result":{"isError":true,"content":[{"type":"text","text":"6234567"}]}}"#,
            r#"{"id":1234567,"result":{"content":[{"type":"text","text":"6234568"}]}}"#,
            r#"{"id":1234567,"error":{"code":-32602,"message":"6234567"}}"#,
            r#"{"id":7,"result":{"content":[{"type":"text","text":"6234567"}]}}"#,
            "busy",
        ] {
            assert!(Answer::learn(CASE, body.as_bytes()).is_err(), "{body}");
        }
    }
}
