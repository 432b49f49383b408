//! Feeds the `message` decoder with whatever the fuzzer finds. Run it with `cargo fuzz run message`.
#![no_main]

#[path = "../decoders.rs"]
mod decoders;

libfuzzer_sys::fuzz_target!(|data: &[u8]| decoders::message(data));
