//! The lines of an `envFile`: `NAME=value`, comments, quotes.

use std::collections::BTreeMap;

use super::Secret;
use super::variables::is_variable_name;

/// The variables of the file; the error is the number of the first line that is none, without its text.
///
/// `export` may stand before a name. A value in single quotes is taken as it stands; in double quotes `\n`, `\t`,
/// `\"` and `\\` are read; without quotes it ends at ` #`. Nothing is expanded, and a value is one line.
pub(super) fn read(text: &str) -> Result<BTreeMap<String, Secret>, usize> {
    let mut variables = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = line.split_once('=').ok_or(index + 1)?;
        let name = name.trim();
        if !is_variable_name(name) {
            return Err(index + 1);
        }
        variables.insert(name.to_owned(), Secret::new(value_of(value.trim()).ok_or(index + 1)?));
    }
    Ok(variables)
}

fn value_of(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix('\'') {
        let (value, after) = rest.split_once('\'')?;
        return is_nothing(after).then(|| value.to_owned());
    }
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(" #").unwrap_or(text.len());
        return Some(text.get(..end).unwrap_or(text).trim_end().to_owned());
    };
    let mut value = String::new();
    let mut characters = quoted.chars();
    loop {
        match characters.next()? {
            '"' => return is_nothing(characters.as_str()).then_some(value),
            '\\' => match characters.next()? {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                't' => value.push('\t'),
                other @ ('"' | '\\' | '$') => value.push(other),
                other => value.extend(['\\', other]),
            },
            other => value.push(other),
        }
    }
}

/// After a closing quote only a comment may stand.
fn is_nothing(after: &str) -> bool {
    let after = after.trim();
    after.is_empty() || after.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn each_line_is_a_variable_a_comment_or_an_error() {
        type Expected = Result<&'static [(&'static str, &'static str)], usize>;
        let cases: [(&str, Expected); 9] = [
            ("A=1\n\n# no\nexport B = two words # why\n", Ok(&[("A", "1"), ("B", "two words")])),
            ("A='x # \\n' # y\r\nB=\"a\\n\\\"\\\\ \\d\"", Ok(&[("A", "x # \\n"), ("B", "a\n\"\\ \\d")])),
            ("A=\nB=a=b#c", Ok(&[("A", ""), ("B", "a=b#c")])),
            ("A=1\nA=2", Ok(&[("A", "2")])),
            ("A=1\nnothing", Err(2)),
            ("1A=1", Err(1)),
            ("A='open", Err(1)),
            ("A=\"open\\", Err(1)),
            ("A=\"x\"y", Err(1)),
        ];
        for (text, expected) in cases {
            let found = read(text);
            let found = found
                .as_ref()
                .map(|found| found.iter().map(|(name, value)| (name.as_str(), value.expose())).collect::<Vec<_>>());
            assert_eq!(found.as_deref().map_err(|line| **line), expected, "{text}");
        }
    }
}
