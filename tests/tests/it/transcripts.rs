//! Whole conversations with real programs over stdin and stdout.

use std::fs;
use std::process::Command;

use haft_tests::{Transcript, program, repository};

/// Plays a transcript of `tests/transcripts` against a program of this workspace.
fn play(transcript: &str, package: &str, binary: &str) {
    let path = repository().join("tests/transcripts").join(transcript);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Transcript::parse(&text).play(&mut Command::new(program(package, binary)));
}

#[test]
fn weather_answers_the_seeds_messages_in_2025_03_26() {
    play("weather-2025-03-26.txt", "example-weather", "example-weather");
}

#[test]
fn weather_answers_the_seeds_messages_in_2026_07_28() {
    play("weather-2026-07-28.txt", "example-weather", "example-weather");
}
