use std::fmt::Write as _;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn merge(sides: &[&str]) -> String {
    let sides: Vec<&[u8]> = sides.iter().map(|side| side.as_bytes()).collect();
    String::from_utf8(union(&sides, &|_| false).unwrap()).unwrap()
}

fn block(session: &str, from: u64, to: u64, time: Option<&str>, words: &str) -> String {
    let heading =
        time.map(|time| format!("## Session — 2026-03-15 {time}\n\n")).unwrap_or_default();
    format!(
        "<!-- hipocampus:session {session} {from}-{to} -->\n{heading}**User:** {words}\n<!-- hipocampus:end {session} {to} -->\n"
    )
}

#[test]
fn both_sides_stand_once_and_in_the_order_they_were_written() {
    let common = "# 2026-03-15\n\n## Plan [project]\n- a\n";
    let ours = format!("{common}\n## Ours one\n- b\n\n## Ours two\n- c\n");
    let theirs = format!("{common}\n## Theirs\n- d\n");
    let merged = merge(&[&ours, &theirs]);
    assert_eq!(merged, merge(&[&theirs, &ours]));
    let at = |words: &str| {
        assert_eq!(merged.matches(words).count(), 1, "{words} in {merged}");
        merged.find(words).unwrap()
    };
    assert!(at("# 2026-03-15") < at("## Plan") && at("## Plan") < at("## Theirs"));
    assert!(at("## Ours one") < at("## Ours two"));
}

#[test]
fn blocks_stand_at_their_time_and_go_on_where_they_did() {
    let ours = block("a", 0, 9, Some("10:00:00"), "one")
        + &block("a", 9, 20, None, "two")
        + "\n## Note\n- x\n";
    let theirs = block("b", 0, 9, Some("09:00:00"), "three");
    let merged = merge(&[&ours, &theirs]);
    assert_eq!(merged, format!("{theirs}\n{ours}"));
    // A block that another clone imported in one piece.
    let whole = "<!-- hipocampus:session a 0-20 -->\n## Session — 2026-03-15 10:00:00\n\n**User:** one\n**User:** two\n<!-- hipocampus:end a 20 -->\n";
    let note = format!("{}## Note\n- x\n", marker::write_at("2026-03-15 10:00:00"));
    assert_eq!(merge(&[&ours, whole]), format!("{whole}\n{note}"));
    assert_eq!(merge(&[&merged, whole]), format!("{theirs}\n{whole}\n{note}"));
}

#[test]
fn a_time_gives_an_entry_its_place() {
    let at = |time: &str| marker::write_at(&format!("2026-03-15 {time}"));
    let ours = block("a", 0, 9, Some("10:00:00"), "one")
        + "\n"
        + &at("12:00:00")
        + "## Late\n- x\n\n## Below it\n- y\n";
    let theirs = block("b", 0, 9, Some("11:00:00"), "two");
    let merged = merge(&[&ours, &theirs]);
    let place = |words: &str| merged.find(words).unwrap();
    assert!(place("two") < place("## Late") && place("## Late") < place("## Below it"), "{merged}");
    assert_eq!(merge(&[&merged, &ours, &theirs]), merged);
}

#[test]
fn what_somebody_added_to_an_entry_takes_its_place() {
    let merged = merge(&["## A\n- x\n\n## B\n- y\n", "## A\n- x\n- more\n\n## B\n- y\n"]);
    assert_eq!(merged.matches("- x").count(), 1, "{merged}");
    assert_eq!(merged.matches("## B").count(), 1, "{merged}");
    assert!(merged.contains("- x\n- more\n"), "{merged}");
    // The same twice in one log is meant.
    assert_eq!(merge(&["## A\n- x\n\n## A\n- x\n", "## A\n- x\n"]), "## A\n- x\n\n## A\n- x\n");
}

#[test]
fn what_one_side_took_out_or_rewrote_stays_so() {
    let base = "# d\n\n## A\n- x\n\n## B\n- y\n";
    let check = |ours: &str, theirs: &str, has: &[&str], lacks: &[&str]| {
        for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
            let sides = [base, ours, theirs].map(str::as_bytes);
            let merged = super::merge(sides[0], sides[1], sides[2], &|_| false).unwrap();
            let merged = String::from_utf8(merged).unwrap();
            assert!(has.iter().all(|words| merged.matches(words).count() == 1), "{merged}");
            assert!(!lacks.iter().any(|words| merged.contains(words)), "{merged}");
        }
    };
    let added = format!("{base}\n## C\n- z\n");
    check(
        "# d\n\n## A\n- x\n\n## B, rewritten\n- v\n",
        &added,
        &["## A", "rewritten", "## C"],
        &["- y"],
    );
    check("# d\n\n## B\n- y\n\n## D\n", &added, &["## B", "## C", "## D"], &["## A"]);
    check(&added, &added.replace("## C", "## E"), &["## A", "## B", "## C", "## E"], &[]);
}

#[test]
fn rewriting_an_entry_moves_nothing_below_it() {
    for n in 0..40 {
        let base = format!("# d\n\n## A {n}\n- x\n\n## B {n}\n\n## C {n}\n\n## D {n}\n");
        let ours = base.replace(&format!("## B {n}\n"), &format!("## B {n}, rewritten\n"));
        let theirs = format!("{base}\n## E {n}\n");
        let merge = |ours: &str, theirs: &str| {
            let sides = [&base, ours, theirs].map(str::as_bytes);
            super::merge(sides[0], sides[1], sides[2], &|_| false).unwrap()
        };
        let merged = merge(&ours, &theirs);
        assert_eq!(merged, merge(&theirs, &ours));
        let merged = String::from_utf8(merged).unwrap();
        let left = merged.replace(&format!("## E {n}\n"), "");
        assert_eq!(
            left.split_whitespace().collect::<Vec<_>>(),
            ours.split_whitespace().collect::<Vec<_>>()
        );
    }
}

#[test]
fn what_another_log_lacks_is_counted() {
    let log = block("a", 0, 9, Some("10:00:00"), "one") + "\n## Note\n- x\n\n## More\n";
    assert_eq!(count_missing(log.as_bytes(), b"## Note\n- x\n"), 2);
    assert_eq!(count_missing(log.as_bytes(), log.as_bytes()), 0);
}

#[test]
fn a_conflict_left_behind_is_mended() {
    let log = "# d\n\n<<<<<<< HEAD\n## A\n- x\n=======\n## B\n- y\n>>>>>>> b\n";
    let mended = String::from_utf8(mended(log.as_bytes()).unwrap()).unwrap();
    assert!(mended.starts_with("# d\n\n## "));
    for words in ["## A\n- x\n", "## B\n- y\n"] {
        assert_eq!(mended.matches(words).count(), 1, "{mended}");
    }
    assert_eq!(mended.matches("<<<").count() + mended.matches("===").count(), 0);
    assert_eq!(super::mended(b"## A\n=======\n- x\n"), None);
}

#[test]
fn what_was_forgotten_stays_away_and_what_hung_on_it_keeps_its_place() {
    let ours = block("a", 0, 9, Some("10:00:00"), "secret") + "\n## Note\n- x\n";
    let theirs = block("b", 0, 9, Some("09:00:00"), "one")
        + "\n"
        + &block("c", 0, 9, Some("11:00:00"), "two");
    let forgotten = |item: LogPart<'_>| matches!(item, LogPart::Block { session: "a", .. });
    let filtered = union(&[ours.as_bytes()], &forgotten).unwrap();
    let later = union(&[&filtered, theirs.as_bytes()], &forgotten).unwrap();
    let at_once = union(&[ours.as_bytes(), theirs.as_bytes()], &forgotten).unwrap();
    assert_eq!(String::from_utf8_lossy(&later), String::from_utf8_lossy(&at_once));
    let text = String::from_utf8(later).unwrap();
    assert!(!text.contains("secret"));
    assert!(text.find("one") < text.find("## Note") && text.find("## Note") < text.find("two"));
}

/// A log that somebody wrote: what is in it, and how it is set off.
#[derive(Debug, Clone)]
enum Wrote {
    Entry(u8, u8),
    Loose(u8),
    Timed(u8, u8),
    Block(u8, u8, u8, bool),
}

fn wrote() -> impl Strategy<Value = Wrote> {
    prop_oneof![
        3 => (0..40_u8, 0..3_u8).prop_map(|(n, more)| Wrote::Entry(n, more)),
        1 => (0..6_u8).prop_map(Wrote::Loose),
        2 => (0..40_u8, 0..24_u8).prop_map(|(n, hour)| Wrote::Timed(n, hour)),
        3 => (0..4_u8, 0..4_u8, 1..3_u8, any::<bool>())
            .prop_map(|(session, from, length, headed)| Wrote::Block(session, from, length, headed)),
    ]
}

fn log(wrote: &[Wrote]) -> String {
    let mut text = String::new();
    for one in wrote {
        if !text.is_empty() {
            text.push('\n');
        }
        let words = match one {
            Wrote::Entry(n, more) => {
                format!("## entry {n}\n{}", "- more\n".repeat(usize::from(*more)))
            }
            Wrote::Loose(n) if text.trim_end().ends_with("-->") || text.is_empty() => {
                format!("loose {n}\n")
            }
            Wrote::Loose(_) => String::new(),
            Wrote::Timed(n, hour) => {
                marker::write_at(&format!("2026-03-15 {hour:02}:30:00"))
                    + &format!("## timed {n}\n- x\n")
            }
            Wrote::Block(session, from, length, headed) => {
                let words: Vec<String> =
                    (*from..from + length).map(|n| format!("turn {n}")).collect();
                let time = format!("{:02}:0{session}:00", 8 + from);
                let (from, to) = (u64::from(*from) * 10, u64::from(from + length) * 10);
                let name = format!("s{session}");
                block(&name, from, to, headed.then_some(&*time), &words.join("\n**User:** "))
            }
        };
        text.push_str(&words);
    }
    text
}

/// What somebody does in a clone in the course of a day.
#[derive(Debug, Clone)]
enum Did {
    /// appends an entry by hand
    Entry(u8),
    /// saves one with its time
    Timed(u8, u8),
    /// imports so many more turns of a session
    Turns(u8, u8),
    /// adds to the entry at the end of the log
    More(u8),
}

fn did() -> impl Strategy<Value = Did> {
    prop_oneof![
        3 => any::<u8>().prop_map(Did::Entry),
        2 => (any::<u8>(), 0..24_u8).prop_map(|(n, hour)| Did::Timed(n, hour)),
        3 => (0..3_u8, 1..3_u8).prop_map(|(session, turns)| Did::Turns(session, turns)),
        1 => any::<u8>().prop_map(Did::More),
    ]
}

/// The log that comes of it. Every clone has the same transcripts of `shared` sessions, and others of its own.
fn day(common: &[Did], clone: &str, own: &[Did], shared: u8) -> String {
    let mut text = String::from("# 2026-03-15\n");
    let mut reached: HashMap<String, u64> = HashMap::new();
    let all = common.iter().map(|did| ("", did)).chain(own.iter().map(|did| (clone, did)));
    for (clone, did) in all {
        match did {
            Did::Entry(n) => _ = write!(text, "\n## entry {n}{clone}\n- x\n"),
            Did::Timed(n, hour) => {
                _ = write!(
                    text,
                    "\n{}## timed {n}{clone}\n- x\n",
                    marker::write_at(&format!("2026-03-15 {hour:02}:30:00"))
                );
            }
            Did::More(n) if !text.trim_end().ends_with("-->") => _ = writeln!(text, "- more {n}"),
            Did::More(_) => {}
            Did::Turns(session, turns) => {
                let name = if *session < shared {
                    format!("s{session}")
                } else {
                    format!("s{session}{clone}")
                };
                let from = reached.get(&name).copied().unwrap_or(0);
                let to = from + u64::from(*turns);
                let words: Vec<String> =
                    (from..to).map(|n| format!("turn {n} of {name}")).collect();
                let end = format!("<!-- hipocampus:end {name} {from} -->\n");
                let goes_on = from > 0 && text.ends_with(&end);
                let time = format!("{:02}:{:02}:0{session}", from / 60 + 8, from % 60);
                text += if goes_on { "" } else { "\n" };
                text += &block(
                    &name,
                    from,
                    to,
                    (!goes_on).then_some(&*time),
                    &words.join("\n**User:** "),
                );
                reached.insert(name, to);
            }
        }
    }
    text
}

fn parts_of(log: &str) -> Vec<Vec<u8>> {
    let mut parts = parts(log.as_bytes());
    parts.sort();
    parts
}

#[test]
fn a_row_of_blocks_that_overlap_is_read_as_the_row_it_is() {
    use Did::{Entry, Turns};
    let common = [Turns(0, 1)];
    let [a, b, c] = [
        ("a", &[Turns(0, 1), Turns(0, 2)][..]),
        ("b", &[Turns(0, 2), Turns(0, 2), Entry(0)]),
        ("c", &[Entry(0), Turns(0, 2)]),
    ]
    .map(|(name, own)| day(&common, name, own, 1));
    let all = merge(&[&a, &b, &c]);
    assert_eq!(merge(&[&merge(&[&a, &b]), &c]), all);
    assert_eq!(merge(&[&merge(&[&c, &a]), &b]), all);
    assert_eq!(merge(&[&merge(&[&b, &c]), &a]), all);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn three_clones_end_at_the_same_bytes(
        common in vec(did(), 0..6),
        clones in [vec(did(), 0..8), vec(did(), 0..8), vec(did(), 0..8)],
        shared in 0..3_u8,
    ) {
        let [a, b, c] = ["a", "b", "c"].map(|name| {
            let own = &clones[usize::from(name.as_bytes()[0] - b'a')];
            day(&common, name, own, shared)
        });
        let all = merge(&[&a, &b, &c]);
        prop_assert_eq!(&merge(&[&merge(&[&a, &b]), &c]), &all);
        prop_assert_eq!(&merge(&[&merge(&[&c, &a]), &b]), &all);
        prop_assert_eq!(&merge(&[&merge(&[&b, &c]), &merge(&[&a, &c])]), &all);
        prop_assert_eq!(&merge(&[&all, &b]), &all);
        prop_assert_eq!(&merge(&[&all]), &all);
        // Nothing lost, nothing doubled.
        for line in [&a, &b, &c].into_iter().flat_map(|log| log.lines()).filter(|line| !line.starts_with("<!--") && !line.starts_with("## Session")) {
            prop_assert!(all.lines().any(|other| other == line), "{} in\n{}", line, all);
        }
        let mut parts = parts_of(&all);
        let before = parts.len();
        parts.dedup();
        let doubled = before - parts.len();
        let meant = [&a, &b, &c].into_iter().map(|log| {
            let mut parts = parts_of(log);
            let before = parts.len();
            parts.dedup();
            before - parts.len()
        });
        prop_assert!(doubled <= meant.sum::<usize>());
    }

    #[test]
    fn any_log_can_be_merged(a in vec(wrote(), 0..12), b in vec(wrote(), 0..12)) {
        let (a, b) = (log(&a), log(&b));
        let merged = merge(&[&a, &b]);
        prop_assert_eq!(&merged, &merge(&[&b, &a]));
        prop_assert_eq!(&merged, &merge(&[&merged, &merged]));
        prop_assert_eq!(&merged, &merge(&[&merged]));
        let is_said = |line: &&str| !line.starts_with("<!--") && !line.starts_with("## Session") && !line.is_empty();
        for line in a.lines().chain(b.lines()).filter(is_said) {
            prop_assert!(merged.lines().any(|other| other == line), "{} in\n{}", line, merged);
        }
    }

    #[test]
    fn one_writers_order_stays(names in proptest::sample::subsequence((0..200_u8).collect::<Vec<_>>(), 0..20).prop_shuffle()) {
        let a = log(&names.iter().map(|n| Wrote::Entry(*n, 1)).collect::<Vec<_>>());
        prop_assert_eq!(&merge(&[&a]), &a);
        let merged = merge(&[&a, "## somebody else's\n- x\n"]);
        let ours = merged.replace("## somebody else's\n- x\n", "");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        prop_assert_eq!(words(&ours), words(&a));
    }

    #[test]
    fn any_text_can_be_merged(a in "[#<>!~`\\-\n a-c\r\t]{0,200}", b in "[#<>=`\n a]{0,200}") {
        let merged = merge(&[&a, &b]);
        prop_assert_eq!(&merged, &merge(&[&b, &a]));
        prop_assert_eq!(&merged, &merge(&[&merged]));
    }
}

#[test]
fn the_order_of_sides_does_not_matter() {
    let (ours, theirs) = (b"# d\n\n## A\n- x\n".as_slice(), b"# d\n\n## B\n- y\n".as_slice());
    let merged = union(&[ours, theirs], &|_| false).unwrap();
    assert_eq!(merged, union(&[theirs, ours], &|_| false).unwrap());
    assert_eq!(merged.len(), b"# d\n\n## A\n- x\n\n## B\n- y\n".len());
}
