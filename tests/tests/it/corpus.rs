//! The corpus of the fuzz targets, replayed: no input panics.

use std::fs;

use haft_tests::repository;

#[path = "../../../fuzz/decoders.rs"]
mod decoders;

type Target = fn(&[u8]);

#[test]
fn no_input_of_the_fuzz_corpus_panics() {
    let targets: [(&str, Target); 4] = [
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

#[test]
fn the_scan_of_a_message_agrees_with_serde_json_whatever_byte_is_changed() {
    let folder = repository().join("fuzz/corpus/message");
    for entry in fs::read_dir(&folder).expect("the target has a corpus") {
        let path = entry.expect("the corpus can be listed").path();
        let input = fs::read(&path).expect("the corpus can be read");
        for position in 0..input.len().min(400) {
            for byte in *b"\"\\{}[],: 0eE-+.u\0\x1f\x7f" {
                let mut changed = input.clone();
                changed[position] = byte;
                decoders::message(&changed);
                changed.insert(position, input[position]);
                decoders::message(&changed);
            }
        }
    }
}
