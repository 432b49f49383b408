//! Descriptions from doc comments.

use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::{Attribute, Error, Expr, ExprLit, Lit, Meta, Result};

use crate::keys::ungrouped;

/// The text of the doc comments among these attributes, without what only lays out the source, so that a comment that is
/// wrapped elsewhere is the same description; with where it begins.
/// Empty text where there is a comment that says nothing, and `None` where there is none.
pub(crate) fn description(attributes: &[Attribute]) -> Result<Option<(String, Span)>> {
    let mut lines = Vec::new();
    let mut begin = None;
    for attribute in attributes {
        let Some(text) = comment(attribute)? else { continue };
        begin.get_or_insert_with(|| attribute.span());
        lines.extend(text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()));
        if text.is_empty() {
            lines.push(String::new());
        }
    }
    Ok(begin.map(|begin| (paragraphs(&lines), begin)))
}

pub(crate) fn is_description(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// `#[doc(hidden)]` and its like say nothing about the tool.
fn comment(attribute: &Attribute) -> Result<Option<String>> {
    let Meta::NameValue(pair) = &attribute.meta else { return Ok(None) };
    if !is_description(attribute) {
        return Ok(None);
    }
    match ungrouped(&pair.value) {
        Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) => Ok(Some(literal.value())),
        other => Err(Error::new_spanned(
            other,
            "this doc comment is not text yet: write a description in words, or `#[tool(description = …)]` with this \
             expression",
        )),
    }
}

/// Joins the lines of each paragraph, as Markdown reads them. Lists, tables, headings, quotes and code keep their lines.
fn paragraphs(lines: &[String]) -> String {
    let mut text = String::new();
    let mut is_code = false;
    let mut can_go_on = false;
    for line in lines {
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        if can_go_on && !is_code && !is_fence && goes_on(line) {
            text.push(' ');
            text.push_str(line.trim_start());
        } else {
            text.push('\n');
            text.push_str(line);
        }
        is_code ^= is_fence;
        can_go_on = !is_fence && !line.is_empty() && !line.starts_with(['#', '|']) && !line.starts_with(INDENTED);
    }
    text.trim().to_owned()
}

/// Whether a line can only be more of the paragraph before it.
fn goes_on(line: &str) -> bool {
    let text = line.trim_start();
    let after_number = text.trim_start_matches(|character: char| character.is_ascii_digit());
    let is_numbered =
        after_number.len() < text.len() && (after_number.starts_with(". ") || after_number.starts_with(") "));
    let begins_a_block = ["- ", "* ", "+ ", "#", ">", "|"].iter().any(|marker| text.starts_with(marker));
    !text.is_empty() && !is_numbered && !begins_a_block && !line.starts_with(INDENTED)
}

/// What makes a line code.
const INDENTED: &str = "    ";

#[cfg(test)]
mod tests {
    use super::*;

    fn check(item: &str, expected: Option<&str>) {
        let item: syn::ItemFn = syn::parse_str(item).unwrap();
        let found = description(&item.attrs).unwrap().map(|(text, _)| text);
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn comments_lose_what_lays_out_the_source() {
        check("fn a() {}", None);
        check("#[doc(hidden)] #[inline] fn a() {}", None);
        check("/// One.\nfn a() {}", Some("One."));
        check("/// One\n/// sentence.\n///\n/// Two.  \nfn a() {}", Some("One sentence.\n\nTwo."));
        check("/** One.\n Two. */\nfn a() {}", Some("One. Two."));
        check("#[doc = \"One.\"] #[inline] #[doc = \"Two.\"] fn a() {}", Some("One. Two."));
        check("///\n///  \nfn a() {}", Some(""));
    }

    #[test]
    fn what_is_no_paragraph_keeps_its_lines() {
        for text in [
            "A:\n* b\n* c",
            "A:\n1. b\n2) c",
            "# A\nB.",
            "| a | b |\n| c | d |",
            "A:\n```\nb\nc\n```\nD.",
            "A:\n\n    b\n    c\n\nD.",
            "A.\n> b",
        ] {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            assert_eq!(paragraphs(&lines), text);
        }
        let lines = ["* a", "  b", "* c"].map(str::to_owned);
        assert_eq!(paragraphs(&lines), "* a b\n* c");
        assert_eq!(paragraphs(&["In 2026".to_owned(), "1 is one.".to_owned()]), "In 2026 1 is one.");
    }
}
