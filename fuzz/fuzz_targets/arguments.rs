//! Feeds the `arguments` decoder with whatever the fuzzer finds. Run it with `cargo fuzz run arguments`.
#![no_main]

#[path = "../decoders.rs"]
mod decoders;

libfuzzer_sys::fuzz_target!(|data: &[u8]| decoders::arguments(data));
