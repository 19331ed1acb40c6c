//! Any bytes: no panic, twice is once, JSON stays JSON. `cargo fuzz run -s none redact`

#![no_main]

use hipocampus::redact::Redactor;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let redactor = Redactor::standard();
    let once = redactor.redact(text).bytes;
    assert_eq!(redactor.redact(&once).bytes, once);
    let lines = redactor.redact_jsonl(text).bytes;
    assert_eq!(redactor.redact_jsonl(&lines).bytes, lines);
    if serde_json::from_slice::<serde_json::Value>(text).is_ok() {
        serde_json::from_slice::<serde_json::Value>(&once).expect("still JSON");
        serde_json::from_slice::<serde_json::Value>(&lines).expect("still JSON");
    }
});
