//! Feeds the `header` decoder with whatever the fuzzer finds. Run it with `cargo fuzz run header`.
#![no_main]

#[path = "../decoders.rs"]
mod decoders;

libfuzzer_sys::fuzz_target!(|data: &[u8]| decoders::header(data));
