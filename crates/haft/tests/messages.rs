//! What the compiler says to a tool that cannot be: one file for each kind of mistake, its whole output beside it.
//!
//! `TRYBUILD=overwrite cargo test -p haft --test messages` rewrites the outputs; read the difference.

#[test]
fn each_mistake_has_a_message_that_says_what_to_do() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
