//! Tokens as the one line of text that a person would write.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Prints tokens with the spaces of ordinary Rust, independent of how the source breaks its lines.
pub(super) fn one_line(tokens: TokenStream) -> String {
    let mut words = Vec::new();
    flatten(tokens, &mut words);
    let mut line = String::new();
    let mut before: Option<&str> = None;
    for (index, word) in words.iter().enumerate() {
        let next = words.get(index + 1).map(String::as_str);
        if word == "," && matches!(next, None | Some(">")) {
            continue;
        }
        if before.is_some_and(|before| is_space_between(before, word)) {
            line.push(' ');
        }
        line.push_str(word);
        before = Some(word);
    }
    line
}

fn flatten(tokens: TokenStream, words: &mut Vec<String>) {
    let mut open = String::new();
    for token in tokens {
        if !open.is_empty() && !matches!(token, TokenTree::Punct(_) | TokenTree::Ident(_)) {
            words.push(std::mem::take(&mut open));
        }
        match token {
            TokenTree::Group(group) => flatten_group(&group, words),
            TokenTree::Ident(ident) if open == "'" => {
                words.push(format!("'{ident}"));
                open.clear();
            }
            TokenTree::Ident(ident) => {
                if !open.is_empty() {
                    words.push(std::mem::take(&mut open));
                }
                words.push(ident.to_string());
            }
            TokenTree::Literal(literal) => words.push(literal.to_string()),
            TokenTree::Punct(punct) => {
                let joined = format!("{open}{}", punct.as_char());
                if !open.is_empty() && !JOINED.contains(&joined.as_str()) {
                    words.push(std::mem::take(&mut open));
                }
                open.push(punct.as_char());
                if punct.spacing() == Spacing::Alone {
                    words.push(std::mem::take(&mut open));
                }
            }
        }
    }
    if !open.is_empty() {
        words.push(open);
    }
}

fn flatten_group(group: &proc_macro2::Group, words: &mut Vec<String>) {
    let (left, right) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::None => return flatten(group.stream(), words),
    };
    words.push(left.to_owned());
    let begin = words.len();
    flatten(group.stream(), words);
    let is_list = words.iter().skip(begin).filter(|word| *word == ",").count() > 1;
    // The comma of `(T,)` makes it a tuple; the last one of a longer list only says that it was broken into lines.
    if is_list && words.last().is_some_and(|word| word == ",") {
        words.pop();
    }
    words.push(right.to_owned());
}

fn is_space_between(before: &str, word: &str) -> bool {
    let after_name = before.ends_with(|last: char| last.is_alphanumeric() || last == '_');
    if ["(", "[", "<", "::", "&", "&&", "*", "!", "#", "?", "."].contains(&before) {
        return false;
    }
    match word {
        "," | ";" | ":" | ")" | "]" | ">" | "." => false,
        "::" => [":", ",", "=", "->", "+"].contains(&before),
        "(" => !(before == ">" || after_name && !["dyn", "for", "impl", "mut", "where"].contains(&before)),
        "<" | "!" => !after_name,
        _ => true,
    }
}

/// Characters that are one operator together; others, the two of `>>` above all, are read apart.
const JOINED: [&str; 6] = ["::", "->", "=>", "..", "..=", "..."];
