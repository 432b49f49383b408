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

#[test]
fn one_process_has_a_conversation_of_each_era_at_the_same_time() {
    play("both-eras.txt", "example-weather", "example-weather");
}

#[test]
fn ids_of_every_type_come_back_on_the_line_of_their_answer() {
    play("ids.txt", "example-weather", "example-weather");
}

#[test]
fn a_line_that_is_no_message_hinders_none_that_follow() {
    play("malformed.txt", "example-weather", "example-weather");
}

#[test]
fn arrays_of_messages_are_answered_in_2025_03_26() {
    play("batches-2025-03-26.txt", "example-weather", "example-weather");
}

#[test]
fn arrays_of_messages_are_refused_since_2025_06_18() {
    play("no-batches-2025-06-18.txt", "example-weather", "example-weather");
}

#[test]
fn subscriptions_on_a_pipe_are_acknowledged_told_apart_and_cancelled() {
    play("listen-2026-07-28.txt", "example-weather", "example-weather");
}
