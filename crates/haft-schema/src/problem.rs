//! What is wrong with a value, said so that a model can correct it.

use std::borrow::Cow;
use std::fmt;

use haft_diag::escape;

/// One way in which a value does not fit.
///
/// It names the place, what was expected there and the kind that came, but never the value that came.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The JSON Pointer of the place; of the missing member, when one is missing. Very long names in it are cut.
    pub pointer: String,
    /// What was expected, in words, such as "an integer from 1 to 100".
    pub expected: String,
    /// The kind of the value that came, as of [`Tree::kind`](crate::Tree::kind); `nothing` for a missing member.
    pub found: &'static str,
    /// The name or value of the schema that was probably meant.
    pub suggestion: Option<String>,
    /// The keyword of the schema that was not satisfied.
    pub keyword: &'static str,
    /// Among how many alternatives (`anyOf`, `oneOf`) this problem belongs to the closest; zero if there was no choice.
    pub alternatives: usize,
    /// What came, in words: `a larger integer`.
    got: Cow<'static, str>,
    /// The values that the schema allows here, where it lists them.
    pub(crate) allowed: Vec<String>,
}

/// The problems of one value, all of them up to a limit.
///
/// Displayed, it is a text for a model: one line for each problem, and a smallest valid example where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problems {
    /// The problems in the order in which they were found, at least one.
    pub list: Vec<Problem>,
    /// Whether there may be more than are listed.
    pub more: bool,
    /// A smallest value that the schema accepts, as JSON text.
    pub example: Option<String>,
}

impl Problem {
    /// How many problems are listed at most.
    pub const MOST: usize = 20;

    pub(crate) fn new(pointer: String, keyword: &'static str, expected: String, found: &'static str) -> Self {
        let got = match keyword {
            "type" => article(found),
            _ => adjective(keyword, found),
        };
        Self { pointer, expected, found, suggestion: None, keyword, alternatives: 0, got, allowed: Vec::new() }
    }

    /// A member that has to be there and is not.
    pub(crate) fn missing(pointer: String, keyword: &'static str, expected: String) -> Self {
        Self::new(pointer, keyword, expected, "nothing")
    }

    pub(crate) fn suggest(mut self, suggestion: Option<impl Into<String>>) -> Self {
        self.suggestion = suggestion.map(Into::into);
        self
    }

    pub(crate) fn got(mut self, got: impl Into<Cow<'static, str>>) -> Self {
        self.got = got.into();
        self
    }

    /// Puts the place below another.
    pub(crate) fn below(mut self, parent: &str) -> Self {
        self.pointer.insert_str(0, parent);
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            f.write_str("the whole value: ")?;
        } else {
            write!(f, "`{}`: ", escape(&self.pointer))?;
        }
        match (self.keyword, self.expected.as_str()) {
            ("required" | "dependentRequired", "") => f.write_str("required, missing")?,
            ("required" | "dependentRequired", expected) => write!(f, "required, missing ({expected})")?,
            (UNKNOWN_PROPERTY, expected) => {
                f.write_str("unknown property")?;
                if self.suggestion.is_none() {
                    write!(f, ", expected {expected}")?;
                }
            }
            (_, expected) => write!(f, "expected {expected}, got {}", self.got)?,
        }
        if let Some(suggestion) = &self.suggestion {
            write!(f, "; did you mean `{suggestion}`?")?;
        }
        if self.alternatives > 1 {
            write!(f, " (closest of {} alternatives)", self.alternatives)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.list.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}- {problem}")?;
        }
        if self.more {
            f.write_str("\n- there may be more problems than these")?;
        }
        if let Some(example) = &self.example {
            write!(f, "\nSmallest valid example: {example}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// The kind with its article.
pub(crate) fn article(kind: &'static str) -> Cow<'static, str> {
    Cow::Borrowed(match kind {
        "null" => "null",
        "boolean" => "a boolean",
        "integer" => "an integer",
        "number" => "a number",
        "string" => "a string",
        "array" => "an array",
        "object" => "an object",
        other => other,
    })
}

/// A value of the right kind that is still wrong.
fn adjective(keyword: &str, kind: &'static str) -> Cow<'static, str> {
    let adjective = match keyword {
        "minimum" | "exclusiveMinimum" => "a smaller",
        "maximum" | "exclusiveMaximum" => "a larger",
        "minLength" | "minItems" => "a shorter",
        "maxLength" | "maxItems" => "a longer",
        "minProperties" => "a smaller",
        "maxProperties" => "a larger",
        _ if kind == "null" => return Cow::Borrowed("null"),
        _ => "another",
    };
    Cow::Owned(format!("{adjective} {kind}"))
}

/// The keyword under which unknown properties are reported, whichever keyword of the schema refuses them.
pub(crate) const UNKNOWN_PROPERTY: &str = "additionalProperties";

#[cfg(test)]
mod tests {
    use super::{Problem, Problems, UNKNOWN_PROPERTY};

    fn check(problem: &Problem, expected: &str) {
        assert_eq!(problem.to_string(), expected);
    }

    #[test]
    fn a_problem_reads_as_one_line() {
        let new =
            |keyword, expected: &str, found| Problem::new("/limit".to_owned(), keyword, expected.to_owned(), found);
        check(&new("type", "an integer", "string"), "`/limit`: expected an integer, got a string");
        check(&new("maximum", "at most 100", "integer"), "`/limit`: expected at most 100, got a larger integer");
        check(
            &new("enum", "one of `a`, `b`", "string").suggest(Some("a")),
            "`/limit`: expected one of `a`, `b`, got another string; did you mean `a`?",
        );
        check(&Problem::missing("/q".to_owned(), "required", String::new()), "`/q`: required, missing");
        check(
            &Problem::missing("/q".to_owned(), "required", "a string".to_owned()),
            "`/q`: required, missing (a string)",
        );
        check(&new(UNKNOWN_PROPERTY, "only `q`", "string"), "`/limit`: unknown property, expected only `q`");
        check(
            &new(UNKNOWN_PROPERTY, "only `q`", "string").suggest(Some("q")),
            "`/limit`: unknown property; did you mean `q`?",
        );
        check(
            &Problem::new(String::new(), "type", "an object".to_owned(), "array").below(""),
            "the whole value: expected an object, got an array",
        );
    }

    #[test]
    fn a_name_from_outside_cannot_break_the_line() {
        let problem = Problem::new("/a\n- `/b`".to_owned(), "type", "null".to_owned(), "object").below("/x");
        check(&problem, r"`/x/a\n- `/b``: expected null, got an object");
    }

    #[test]
    fn problems_read_as_a_list_with_an_example() {
        let problem = Problem::missing("/q".to_owned(), "required", "a string".to_owned());
        let problems =
            Problems { list: vec![problem.clone(), problem], more: true, example: Some(r#"{"q":"..."}"#.to_owned()) };
        assert_eq!(
            problems.to_string(),
            "- `/q`: required, missing (a string)\n- `/q`: required, missing (a string)\n\
             - there may be more problems than these\nSmallest valid example: {\"q\":\"...\"}"
        );
    }
}
