use proptest::prelude::*;

use super::*;

const LOG: &str = "# day\n\n## Queues [project]\n- decision: a range\n\n\
    <!-- hipocampus:session s 0-90 -->\n## Session — 2026-03-15 14:02:11 — where to moor\n\n\
    **User:** where to moor, she asked\n\n**Assistant:** at the pool\n[tools: Bash]\n\n**User:** ok\n\
    <!-- hipocampus:end s 90 -->\n<!-- hipocampus:session s 90-99 -->\nand goes on\n\
    <!-- hipocampus:end s 99 -->\n\n## Talk\nUser: hello\nAssistant: pool and page\nUser: bye\n";

fn day() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 3, 15).unwrap()
}

fn words(text: &str) -> LiteralWords {
    LiteralWords::of(text).unwrap()
}

#[test]
fn whole_entries_and_turns_go_and_everything_else_stays() {
    #[track_caller]
    fn check(needle: &str, gone: &[&str]) {
        let cut = cut(LOG.as_bytes(), day(), Selection::Words(&words(needle))).unwrap();
        let mut expect = LOG.to_owned();
        for gone in gone {
            assert!(expect.contains(gone), "{gone:?}");
            expect = expect.replace(gone, "");
        }
        assert_eq!(String::from_utf8(cut.bytes).unwrap(), expect, "{needle}");
    }
    check("a range", &["## Queues [project]\n- decision: a range\n\n"]);
    check("Bash", &["**Assistant:** at the pool\n[tools: Bash]\n\n"]);
    check("pool and", &["Assistant: pool and page\n"]);
    check("she asked", &["**User:** where to moor, she asked\n\n", " — where to moor"]);
    check("goes on", &["and goes on\n"]);
    check("Talk", &["## Talk\nUser: hello\nAssistant: pool and page\nUser: bye\n"]);
    check("# day", &["# day\n\n"]);
    assert_eq!(cut(LOG.as_bytes(), day(), Selection::Words(&words("nowhere"))), None);
    assert_eq!(cut(LOG.as_bytes(), day(), Selection::Words(&words("hipocampus:end"))), None);
}

#[test]
fn the_last_turn_of_a_block_leaves_no_gap() {
    let log = "<!-- hipocampus:session s 0-9 -->\n**User:** a\n\n**User:** b\n<!-- hipocampus:end s 9 -->\n";
    let cut = cut(log.as_bytes(), day(), Selection::Words(&words("b"))).unwrap();
    assert_eq!(String::from_utf8(cut.bytes).unwrap(), log.replace("\n**User:** b\n", ""));
}

#[test]
fn a_session_goes_with_its_marker_lines() {
    let cut = cut(LOG.as_bytes(), day(), Selection::Sessions(&["s".to_owned()])).unwrap();
    let (before, after) = (LOG.find("<!--").unwrap(), LOG.find("## Talk").unwrap());
    let expect = [&LOG[..before], &LOG[after..]].concat();
    assert_eq!(String::from_utf8(cut.bytes).unwrap(), expect);
    let blocks: Vec<_> = cut
        .gone
        .iter()
        .filter_map(|gone| match &gone.kind {
            GoneKind::Block { range, .. } => Some(range.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(blocks, [0..90, 90..99]);
}

#[test]
fn what_was_forgotten_goes_again_where_it_came_back() {
    let mut forgotten = Forgotten::new(1);
    let first = cut(LOG.as_bytes(), day(), Selection::Words(&words("page"))).unwrap();
    forgotten.add(ForgottenId::entry(day(), &first.gone[0].text));
    let said = cut(LOG.as_bytes(), day(), Selection::Words(&words("at the pool"))).unwrap();
    let GoneKind::Said { session, role } = &said.gone[0].kind else { panic!() };
    forgotten.add(ForgottenId::turn(session, role.seed(), &said.gone[0].text));
    forgotten.add_range("s", 90..99);
    let cut = cut(LOG.as_bytes(), day(), Selection::Buried(&forgotten)).unwrap();
    let text = String::from_utf8(cut.bytes).unwrap();
    for gone in ["page", "at the pool", "goes on", "90-99"] {
        assert!(!text.contains(gone), "{gone}: {text}");
    }
    for kept in ["0-90", "she asked", "User: bye", "a range"] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    assert_eq!(super::cut(text.as_bytes(), day(), Selection::Buried(&forgotten)), None);
}

proptest! {
    /// Lines of any kind in any order: what is left says nothing of it, and every other line stands.
    #[test]
    fn nothing_that_says_it_is_left(picks in prop::collection::vec((0_usize..9, 0_usize..3), 0..40)) {
        let lines = [
            "## W [user]", "- W", "**User:** W", "**Assistant:** W", "User: W", "",
            "<!-- hipocampus:session s 0-9 -->", "<!-- hipocampus:end s 9 -->", "```",
        ];
        let names = ["plain", "zebra99", "other"];
        let mut log = String::new();
        for (line, name) in &picks {
            log.push_str(&lines[*line].replace('W', names[*name]));
            log.push('\n');
        }
        let (units, _) = super::units::units(log.as_bytes());
        let whole: String = units.iter().map(|unit| &log[unit.range.clone()]).collect();
        prop_assert_eq!(&whole, &log);
        let needle = words("zebra99");
        match super::cut(log.as_bytes(), day(), Selection::Words(&needle)) {
            None => prop_assert!(!log.contains("zebra99")),
            Some(cut) => {
                let left = String::from_utf8(cut.bytes).unwrap();
                prop_assert!(!left.contains("zebra99"), "{}", left);
                prop_assert_eq!(super::cut(left.as_bytes(), day(), Selection::Words(&needle)), None);
            }
        }
    }
}
