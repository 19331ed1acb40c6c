//! Text that a node keeps because nothing else holds it any more: "The last copy" in `spec/compaction.md`.
//!
//! It is above a line with its hash; what has come since is below. A quoted line has the hash of other text.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

use crate::meaning::extract;
use crate::meaning::script::is_cjk;
use crate::memory::body::hash_body;
use crate::memory::hashed::Hashed;
use crate::text::lossy;

/// How the line begins.
const MARK: &str = "<!-- hipocampus:kept ";

/// How it goes on after the hash.
const WORDS: &str = ": the source of what stands above is gone and this is its last copy, so keep it; what has come since \
                     stands below -->";

/// A text with the line below it.
pub(crate) fn marked(text: &[u8]) -> Vec<u8> {
    let mut kept = text.to_vec();
    while !kept.ends_with(b"\n\n") {
        kept.push(b'\n');
    }
    let line = format!("{MARK}{:016x}{WORDS}\n", hash_body(&kept));
    kept.extend_from_slice(line.as_bytes());
    kept
}

/// The kept text of a body, its line included, and what is below. `None` if nothing of it is kept.
pub(crate) fn split(body: &[u8]) -> Option<(&[u8], &[u8])> {
    // Hardly any body has one, and searching forwards is several times faster.
    memchr::memmem::find(body, MARK.as_bytes())?;
    let finder = memchr::memmem::FinderRev::new(MARK);
    finder.rfind_iter(body).find_map(|at| {
        let (above, below) = body.split_at(at);
        let line = format!("{MARK}{:016x}{WORDS}", hash_body(above));
        let rest = below.strip_prefix(line.as_bytes())?;
        let rest = rest.strip_prefix(b"\r").unwrap_or(rest);
        let rest = rest.strip_prefix(b"\n").or_else(|| rest.is_empty().then_some(rest))?;
        Some(body.split_at(body.len() - rest.len()))
    })
}

/// Whether so little of a copy is in a log that the log cannot be what the copy was made from, however it was edited:
/// less than a third of its pairs of words.
pub(crate) fn is_strange_to(log: &[u8], copy: &[u8]) -> bool {
    let (log, copy) = (lossy(log), lossy(copy));
    match common(&log, &copy) {
        (_, 0) => !copy.lines().all(|line| log.contains(line.trim())),
        (found, all) => found * 3 < all,
    }
}

/// The same of an extract. It says little in the words of the log where that has little to say, so it takes more to
/// tell.
pub(crate) fn is_extract_of_another(log: &[u8], extract: &[u8]) -> bool {
    let (found, all) = common(&lossy(log), &lossy(extract));
    all >= 20 && found * 10 < all
}

/// How many pairs of words of a text are in a log, of how many.
fn common(log: &str, text: &str) -> (usize, usize) {
    let known: HashSet<u64, Hashed> = text_lines(log).flat_map(pairs).collect();
    // An extract puts bullets side by side: words of two of them make no pair.
    let pieces = text_lines(text).filter(|line| !is_frame(line)).flat_map(|line| line.split("; "));
    let asked = pieces.flat_map(pairs);
    asked.fold((0, 0), |(found, all), pair| (found + usize::from(known.contains(&pair)), all + 1))
}

/// Whether every line of a text is in a log, or begins one of its lines: a line without an end may have grown.
pub(crate) fn is_whole_in(log: &[u8], text: &[u8]) -> bool {
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        text.split(|byte| *byte == b'\n').map(|line| line.trim_ascii().to_vec()).collect()
    };
    let mut known = lines(log);
    known.sort();
    lines(text).iter().all(|line| {
        let at = known.partition_point(|other| other < line);
        known.get(at).is_some_and(|other| other.starts_with(line))
    })
}

/// The kept text without the line below it.
pub(crate) fn text(kept: &[u8]) -> &[u8] {
    let end = memchr::memmem::rfind(kept, MARK.as_bytes()).unwrap_or(kept.len());
    &kept[..end]
}

/// What a log says that is not in a kept text: all after the longest beginning of it, in whole lines, that
/// is there in one piece. A log is only ever appended to.
pub(crate) fn new_in<'a>(log: &'a [u8], kept: &[u8]) -> &'a [u8] {
    let ends: Vec<usize> =
        memchr::memchr_iter(b'\n', log).map(|at| at + 1).chain([log.len()]).collect();
    // Where a beginning stands, every shorter one does.
    let stands = |end: &usize| memchr::memmem::find(kept, log[..*end].trim_ascii()).is_some();
    let told = ends.partition_point(stands);
    &log[told.checked_sub(1).map_or(0, |last| ends[last])..]
}

fn text_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.starts_with("<!--"))
}

/// Lines that say nothing of their own: headings, which recur, and the sentence above an extract.
fn is_frame(line: &str) -> bool {
    line.starts_with('#') || extract::is_announced_in(line.as_bytes())
}

/// The pairs of neighbouring words of a line. CJK text has no words of its own, so each character is one.
fn pairs(line: &str) -> impl Iterator<Item = u64> {
    let mut words: Vec<u64> = Vec::new();
    for word in line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if word.chars().any(is_cjk) {
            words.extend(word.chars().map(u64::from));
        } else {
            words.push(xxh3_64(word.to_lowercase().as_bytes()));
        }
    }
    let pairs: Vec<u64> = words.windows(2).map(|pair| pair[0].rotate_left(21) ^ pair[1]).collect();
    pairs.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_again_and_a_quotation_is_not() {
        for text in ["a\n", "a", "", "a\n\n", "a\r\n"] {
            let kept = marked(text.as_bytes());
            assert_eq!(split(&kept), Some((&kept[..], &b""[..])), "{text:?}");
            let mut more = kept.clone();
            more.extend_from_slice(b"\nnew\n");
            assert_eq!(split(&more), Some((&kept[..], &b"\nnew\n"[..])), "{text:?}");
            // Kept a second time, with what was below the first line.
            let again = marked(&more);
            assert_eq!(split(&again), Some((&again[..], &b""[..])), "{text:?}");
            let mut quoted = b"- quoted: ".to_vec();
            quoted.extend_from_slice(&more);
            assert_eq!(split(&quoted), None, "{text:?}");
        }
        assert_eq!(split(b"a\n"), None);
    }

    #[test]
    fn only_what_a_log_adds_is_new() {
        fn check(log: &str, kept: &str, expect: &str) {
            assert_eq!(lossy(new_in(log.as_bytes(), kept.as_bytes())), expect, "{log:?}");
        }
        check("a\nb\n", "a\nb\n", "");
        check("a\nb\nc\n", "x\na\nb\ny\n", "c\n");
        check("c\na\n", "a\nb\n", "c\na\n");
        check("a\nb", "a\nb\n", "");
    }

    #[test]
    fn a_log_that_grew_anywhere_holds_all_it_held() {
        fn check(log: &[u8], text: &[u8], whole: bool) {
            assert_eq!(is_whole_in(log, text), whole, "{:?} in {:?}", lossy(text), lossy(log));
        }
        check(b"a\nb\n", b"b\na\n", true);
        check(b"before\nan unfinished line\nafter\n", b"an unfin", true);
        check(b"\xff\xfe bad\n", b"\xff\n", true);
        check(b"a\n", b"a\nb\n", false);
        check(b"a b\n", b"b\n", false);
    }

    #[test]
    fn an_edited_log_is_the_log_and_another_is_not() {
        fn check(log: &str, text: &str, strange: bool) {
            assert_eq!(
                is_strange_to(log.as_bytes(), text.as_bytes()),
                strange,
                "{log:?} of {text:?}"
            );
        }
        let node = "## Auth [project]\n- decision: cookies, because tokens leak\n- next: rotate the keys\n";
        check(node, node, false);
        check(&node.replace("cookies", "sessions"), node, false);
        check("## Auth [project]\n- decision: cookies, because tokens leak\n", node, false);
        check("## Auth [project]\n- decision: another port for the cache\n", node, true);
        check("## Page [project]\n- next: buy a new pool\n", node, true);
        check("x\n", "y\n", true);
        check("x\ny\n", "y\n", false);
        check("- a b\n- a c\n", "- a b; a c; a b; a c\n", false);
        check(
            "## 선석 [project]\n- 결정: 쿠키를 쓴다\n- 추가\n",
            "## 선석 [project]\n- 결정: 쿠키를 쓴다\n",
            false,
        );
        check("- 검색을 고쳤다\n", "## 선석 [project]\n- 결정: 쿠키를 쓴다\n", true);
    }
}
