//! Feeds the `definition` decoder with whatever the fuzzer finds. Run it with `cargo fuzz run definition`.
#![no_main]

#[path = "../decoders.rs"]
mod decoders;

libfuzzer_sys::fuzz_target!(|data: &[u8]| decoders::definition(data));
