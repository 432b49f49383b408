//! Descriptions from doc comments.

use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::{Attribute, Error, Expr, ExprLit, Lit, Meta, Result};

use crate::keys::ungrouped;

/// The text of the doc comments among these attributes, without what only lays out the source; with where it begins.
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
    Ok(begin.map(|begin| (lines.join("\n").trim().to_owned(), begin)))
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
        check("/// One\n/// sentence.\n///\n/// * a\n///   b  \nfn a() {}", Some("One\nsentence.\n\n* a\n  b"));
        check("/** One.\n Two. */\nfn a() {}", Some("One.\nTwo."));
        check("#[doc = \"One.\"] #[inline] #[doc = \"Two.\"] fn a() {}", Some("One.\nTwo."));
        check("///\n///  \nfn a() {}", Some(""));
    }
}
