//! Names of tools, compared while the user's crate compiles.

/// Refuses a name that an earlier tool has. Generated code calls it where a panic is an error of the compiler.
///
/// # Panics
///
/// When the name is taken.
#[track_caller]
pub const fn assert_new(name: &str, earlier: &[&str]) {
    let mut rest = earlier;
    while let Some((first, others)) = rest.split_first() {
        assert!(
            !is_same(name, first),
            "two tools in `tools!` have one name: choose another for one of them with `#[tool(name = \"…\")]`"
        );
        rest = others;
    }
}

/// `==` on `str` is not `const` yet.
const fn is_same(left: &str, right: &str) -> bool {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    while let (Some((one, left_rest)), Some((other, right_rest))) = (left.split_first(), right.split_first()) {
        if *one != *other {
            return false;
        }
        (left, right) = (left_rest, right_rest);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn names_are_the_same_byte_for_byte() {
        for (left, right, expected) in [("a", "a", true), ("", "", true), ("a", "b", false), ("a", "ab", false)] {
            assert_eq!(is_same(left, right), expected, "{left} {right}");
        }
    }
}
