//! JSON Pointers (RFC 6901), built while walking and cut where a hostile name would make them huge.

/// A JSON Pointer that grows and shrinks with a walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pointer(String);

impl Pointer {
    /// Starts from a pointer that is already written.
    pub(crate) fn at(pointer: &str) -> Self {
        Self(pointer.to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }

    /// Steps into the member `name`.
    pub(crate) fn push(&mut self, name: &str) {
        self.0.push('/');
        let mut length = 0;
        for character in name.chars() {
            length += 1;
            if length > LONGEST_NAME {
                self.0.push('…');
                return;
            }
            match character {
                '~' => self.0.push_str("~0"),
                '/' => self.0.push_str("~1"),
                _ => self.0.push(character),
            }
        }
    }

    /// Steps into the element `index`.
    pub(crate) fn push_index(&mut self, index: usize) {
        self.0.push('/');
        self.0.push_str(&index.to_string());
    }

    /// How long the pointer is now, to come back to with [`Pointer::truncate`].
    pub(crate) fn mark(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn truncate(&mut self, mark: usize) {
        self.0.truncate(mark);
    }

    /// The pointer of a member of this place.
    pub(crate) fn member(&self, name: &str) -> String {
        let mut pointer = self.clone();
        pointer.push(name);
        pointer.0
    }
}

/// Longer names are cut: a pointer is for orientation, and the name came from outside.
const LONGEST_NAME: usize = 64;

#[cfg(test)]
mod tests {
    use super::Pointer;

    #[test]
    fn names_are_escaped_and_cut() {
        let mut pointer = Pointer::default();
        pointer.push("a/b~c");
        assert_eq!(pointer.as_str(), "/a~1b~0c");
        let mark = pointer.mark();
        pointer.push_index(12);
        assert_eq!(pointer.as_str(), "/a~1b~0c/12");
        pointer.truncate(mark);
        pointer.push(&"x".repeat(100_000));
        assert_eq!(pointer.as_str().chars().count(), 9 + 1 + 64);
        assert!(pointer.into_string().ends_with("x…"));
        assert_eq!(Pointer::default().member(""), "/");
    }
}
