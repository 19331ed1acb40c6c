//! The lists of words that scanners go by: `rules/words.toml`, which `build/redaction.rs` makes tables of.

include!(concat!(env!("OUT_DIR"), "/redaction_words.rs"));
