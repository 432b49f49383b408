//! A diagnostic as text, with the lines of the file that it is about.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::{Diagnostic, Severity, escape, is_deceptive};

/// Whether rendered text carries colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a terminal shows colours or it does not")]
pub enum Paint {
    /// Characters only.
    #[default]
    Plain,
    /// ANSI colours, for a terminal whose owner did not set `NO_COLOR`.
    Coloured,
}

impl Diagnostic {
    /// The diagnostic as text that ends with a newline.
    ///
    /// First `error:` or `warning:` and the message, with the file, the lines concerned and the notes below; then
    /// `Caused by:` with each cause indented; then, after a blank line, `hint:`. Control characters in any part, the
    /// source too, come out escaped or replaced, so nothing in them acts on the terminal.
    pub fn render(&self, paint: Paint) -> String {
        let renderer = match paint {
            Paint::Plain => Renderer::plain(),
            Paint::Coloured => Renderer::styled(),
        };
        let mut text = renderer.render(&[self.report()]);
        text.push('\n');
        if !self.causes.is_empty() {
            text.push_str("\nCaused by:\n");
            for cause in &self.causes {
                for line in cause.lines() {
                    text.push_str("    ");
                    text.push_str(&escape(line));
                    text.push('\n');
                }
            }
        }
        if let Some(hint) = &self.hint {
            let word = match paint {
                Paint::Plain => "hint:",
                Paint::Coloured => "\u{1b}[1;96mhint:\u{1b}[0m",
            };
            for part in ["\n", word, " ", &escape_lines(hint), "\n"] {
                text.push_str(part);
            }
        }
        text
    }

    fn report(&self) -> Group<'_> {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = Group::with_title(level.primary_title(escape_lines(&self.message)));
        let path = self.path.as_deref().map(escape);
        match (&self.source, &self.span) {
            (Some(source), Some(span)) => {
                let mut place = AnnotationKind::Primary.span(fitting(source, span));
                if let Some(label) = &self.label {
                    place = place.label(escape_lines(label));
                }
                group = group.element(Snippet::source(masked(source)).path(path).annotation(place));
            }
            _ => {
                if let Some(path) = path {
                    group = group.element(Origin::path(path));
                }
            }
        }
        group.elements(self.notes.iter().map(|note| Level::NOTE.message(escape_lines(note))))
    }
}

/// Escapes each line by itself: who wrote the message may break lines, what was put into it may not do more.
fn escape_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(escape).collect();
    lines.join("\n")
}

/// The span moved inside the source and onto character borders; the renderer panics on anything else.
fn fitting(source: &str, span: &Range<usize>) -> Range<usize> {
    let start = source.floor_char_boundary(span.start);
    let end = source.ceil_char_boundary(span.end.min(source.len())).max(start);
    start..end
}

/// The source with deceptive characters replaced by as many question marks as they have bytes, so spans stay right.
fn masked(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut characters = source.chars().peekable();
    while let Some(character) = characters.next() {
        let ends_line = character == '\n' || (character == '\r' && characters.peek() == Some(&'\n'));
        if is_deceptive(character) && !ends_line && character != '\t' {
            text.extend(std::iter::repeat_n('?', character.len_utf8()));
        } else {
            text.push(character);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::{Diagnostic, Paint};

    fn check(diagnostic: &Diagnostic, expected: &str) {
        assert_eq!(diagnostic.render(Paint::Plain), expected);
        let coloured = diagnostic.render(Paint::Coloured);
        assert!(coloured.contains("\u{1b}["), "colours: {coloured:?}");
    }

    #[test]
    fn a_place_in_a_file_is_shown_with_its_line() {
        let source = "[server]\nnmae = \"tickets\"\n";
        let diagnostic = Diagnostic::error("unknown key `nmae`")
            .in_file("haft.toml")
            .at(source, 9..13)
            .label("did you mean `name`?")
            .note("`[server]` takes `name` and `instructions`")
            .hint("`haft schema` prints all keys");
        check(
            &diagnostic,
            "\
error: unknown key `nmae`
 --> haft.toml:2:1
  |
2 | nmae = \"tickets\"
  | ^^^^ did you mean `name`?
  |
  = note: `[server]` takes `name` and `instructions`

hint: `haft schema` prints all keys
",
        );
    }

    #[test]
    fn causes_stand_indented_and_the_hint_last() {
        let diagnostic = Diagnostic::error("cannot read the manifest")
            .in_file("haft.toml")
            .cause("first\nsecond")
            .cause("third")
            .hint("try this");
        check(
            &diagnostic,
            "\
error: cannot read the manifest
--> haft.toml

Caused by:
    first
    second
    third

hint: try this
",
        );
    }

    #[test]
    fn an_error_value_brings_its_sources() {
        #[derive(Debug)]
        struct Outer(std::fmt::Error);
        impl std::fmt::Display for Outer {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("cannot write")
            }
        }
        impl std::error::Error for Outer {
            fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
                Some(&self.0)
            }
        }
        let diagnostic = Diagnostic::from_error(&Outer(std::fmt::Error));
        assert_eq!(diagnostic.message, "cannot write");
        assert_eq!(diagnostic.causes, [std::fmt::Error.to_string()]);
    }

    #[test]
    fn nothing_in_any_part_acts_on_the_terminal() {
        let evil = "a\u{1b}[2J\u{9b}31m\u{202e}b";
        let diagnostic = Diagnostic::warning(evil)
            .in_file(evil)
            .at(format!("x = \"{evil}\"\r\ny\n"), 0..4)
            .label(evil)
            .note(evil)
            .cause(evil)
            .hint(evil);
        let text = diagnostic.render(Paint::Plain);
        assert!(!text.contains(['\u{1b}', '\u{9b}', '\u{202e}', '\r']), "{text:?}");
        assert!(text.contains(r"a\u{1b}[2J"), "{text}");
    }

    #[test]
    fn a_span_that_does_not_fit_is_moved_and_never_panics() {
        for source in ["", "ä", "one\n", "one\ntwo", "\n\n", "é\u{9b}x"] {
            for start in 0..10 {
                for end in 0..12 {
                    let text = Diagnostic::error("m").in_file("f").at(source, start..end).render(Paint::Plain);
                    assert!(text.starts_with("error: m\n"), "{source:?} {start}..{end}: {text}");
                }
            }
        }
    }
}
