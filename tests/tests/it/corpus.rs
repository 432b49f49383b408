//! The corpus of the fuzz targets, replayed: no input panics.

use std::fs;

use haft_tests::repository;

#[path = "../../../fuzz/decoders.rs"]
mod decoders;

#[test]
fn no_input_of_the_fuzz_corpus_panics() {
    let targets: [(&str, fn(&[u8])); 4] = [
        ("arguments", decoders::arguments),
        ("definition", decoders::definition),
        ("header", decoders::header),
        ("message", decoders::message),
    ];
    for (target, run) in targets {
        let folder = repository().join("fuzz/corpus").join(target);
        let mut inputs = 0;
        for entry in fs::read_dir(&folder).expect("every target has a corpus") {
            let path = entry.expect("the corpus can be listed").path();
            let input = fs::read(&path).expect("the corpus can be read");
            // The input, and every beginning of it: whatever is cut off somewhere is hostile, too.
            for end in (0..=input.len().min(600)).chain([input.len()]) {
                run(&input[..end]);
            }
            inputs += 1;
        }
        assert!(inputs > 4, "the corpus of `{target}` is gone");
    }
}
