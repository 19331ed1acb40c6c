//! What becomes of a ROOT.md that a model or a person has edited.

use super::*;

#[test]
fn the_machine_rebuilds_what_is_its_own() {
    let before = cache(&[("2026-03-01", "## auth\n- jwt\n")]);
    let after = cache(&[("2026-03-01", "## auth\n- jwt\n"), ("2026-03-02", "## billing\n- tax\n")]);
    let first = plan_root(None, &before, day("2026-03-02"), 3000).bytes;
    assert_eq!(plan_root(Some(&first), &before, day("2026-03-02"), 3000).bytes, first);
    let rebuilt = plan_root(None, &after, day("2026-03-03"), 3000).bytes;
    let windows = String::from_utf8(first.clone()).unwrap().replace('\n', "\r\n");
    let torn = &first[..first.len() - 9];
    let zeros = [torn, &[0; 9]].concat();
    for existing in [&first[..], torn, &zeros, b"", b" \n"] {
        let torn_now = existing.len() == torn.len();
        let cache = if torn_now { &before } else { &after };
        let plan = plan_root(Some(existing), cache, day("2026-03-03"), 3000);
        assert!(!plan.theirs, "{}", String::from_utf8_lossy(existing));
        if !torn_now {
            assert_eq!(plan.bytes, rebuilt);
        }
    }
    assert!(!plan_root(Some(windows.as_bytes()), &after, day("2026-03-03"), 3000).theirs);
    let stub = "---\ntype: root\nstatus: tentative\nlast-updated: 2026-03-11\ntenant: acme\n---\n\n## Active Context (recent ~7 days)\n<!-- Current work and priorities -->\n\n## Recent Patterns\n<!-- Cross-cutting insights -->\n\n## Historical Summary\n<!-- High-level timeline -->\n\n## Topics Index\n<!-- topic: keywords, references -->\n";
    let plan = plan_root(Some(stub.as_bytes()), &after, day("2026-03-12"), 3000);
    assert!(
        !plan.theirs
            && text(&plan).contains("last-updated: 2026-03-12\ntenant: acme\nfingerprint: ")
    );
    assert!(text(&plan).contains("- billing [project, 10d]"));
}

const MODEL: &str = "---\r\ntype: root\r\nstatus: tentative\r\nlast-updated: 2026-01-01\r\nmood: calm # mine\r\n---\r\n\r\n## Active Context (recent ~7 days)\r\n- billing: tax rounding, Ada reviews\r\n\r\n## Decisions\r\n- chose $& over $1 — reason   \r\n```\r\n- auth [project, 1d]: in a fence\r\n```\r\n\r\n## Topics Index\r\n- Auth [project, 0d]: jwt, cookies → knowledge/auth.md\r\n- clawy.pro [project, 30d]: k8s\r\n- wiki [reference, 30d]: runbooks\r\n- style [feedback]: terse\r\n\r\n## Zuletzt\r\nprose stays";

#[test]
fn a_clock_that_was_wrong_leaves_no_wrong_ages() {
    let cache = cache(&[("2026-01-05", "## auth\n- jwt\n## fresh\n- words\n")]);
    let on = |text: &[u8], today: &str| plan_root(Some(text), &cache, day(today), 700).bytes;
    let old = MODEL.replace("30d]: k8s", "9000d]: k8s");
    for model in [MODEL, &old] {
        for today in ["2026-01-05", "2026-02-01", "2027-01-01"] {
            let right = on(model.as_bytes(), today);
            for wrong in ["2020-01-01", "2025-12-31", "2026-01-01", "2040-01-01"] {
                let went = on(&right, wrong);
                assert_eq!(on(&went, wrong), went, "{wrong}");
                let back = on(&went, today);
                let found = String::from_utf8(back).unwrap();
                assert_eq!(found, String::from_utf8(right.clone()).unwrap(), "{today} {wrong}");
                for line in ageless(model) {
                    assert!(ageless(&found).contains(&line), "{line}");
                }
            }
        }
    }
}

/// Every line, ages taken out.
fn ageless(text: &str) -> Vec<String> {
    let age = regex::Regex::new(r", \d+d(, \?)?\]").unwrap();
    text.lines()
        .filter(|line| !line.starts_with("last-updated") && !line.starts_with("fingerprint"))
        .filter(|line| !line.starts_with("lines-of-machine"))
        .map(|line| age.replace(line, "]").into_owned())
        .collect()
}

#[test]
fn a_models_file_survives_a_hundred_days() {
    let mut cache = cache(&[(
        "2026-01-01",
        "## auth\n- jwt\n## wiki [reference]\n- url\n## style [feedback]\n- rule: terse\n",
    )]);
    let mut bytes = MODEL.as_bytes().to_vec();
    let start = day("2026-01-01");
    for passed in 1..=100 {
        let today = start + chrono::Days::new(passed);
        if passed % 5 == 0 {
            cache.insert(
                today,
                0,
                &format!(
                    "## novelty v{passed} {}\n- findings\n",
                    if passed % 2 == 0 { "ant" } else { "bee" }
                ),
                Depth::Sentences,
            );
        }
        if passed == 50 {
            cache.insert(today, 1, "## AUTH [project]\n- sessions\n", Depth::Sentences);
        }
        let plan = plan_root(Some(&bytes), &cache, today, 700);
        assert!(plan.theirs);
        assert_eq!(
            plan_root(Some(&plan.bytes), &cache, today, 700).bytes,
            plan.bytes,
            "day {passed}"
        );
        bytes = plan.bytes;
        let now = String::from_utf8(bytes.clone()).unwrap();
        assert!(tokens::count(&now) <= 700);
        let lines = ageless(&now);
        for line in ageless(MODEL) {
            assert!(lines.contains(&line), "day {passed}: {line}\n{now}");
        }
        let auth = if passed < 50 { passed } else { passed - 50 };
        assert!(now.contains(&format!("- Auth [project, {auth}d]: jwt")), "{now}");
        assert!(now.contains(&format!("- clawy.pro [project, {}d]: k8s", 30 + passed)), "{now}");
        let doubt = if passed > 30 { ", ?" } else { "" };
        assert!(now.contains(&format!("- wiki [reference, {passed}d{doubt}]: runbooks")), "{now}");
        assert!(now.contains("- auth [project, 1d]: in a fence"));
        assert!(!now.replace("\r\n", "").contains('\n'));
        assert_eq!(now.matches("author: agent").count(), 1);
        if passed % 5 == 0 && passed != 50 {
            let (_, added) = now.split_once("<!-- hipocampus:added -->\r\n").unwrap();
            assert!(added.contains(&format!("- novelty v{passed}")), "{now}");
            assert!(now.contains("terse\r\n<!-- hipocampus:added -->"), "{now}");
        }
    }
    // No room for ours: everything of theirs stands, and the overrun is told.
    let plan = plan_root(Some(&bytes), &cache, day("2026-04-11"), 100);
    assert!(plan.standing.over > 0 && plan.notes.len() == 1 && plan.notes[0].contains("over"));
    let now = text(&plan);
    assert!(!now.contains("hipocampus:added"));
    assert_eq!(
        ageless(&now).iter().filter(|line| *line != "author: agent").count(),
        ageless(MODEL).len()
    );
    assert!(now.ends_with("prose stays"));
}

#[test]
fn a_byte_order_mark_before_their_text_stays() {
    let cache = cache(&[("2026-03-01", "## auth\n- jwt\n")]);
    let theirs = "\u{feff}## My notes\n- mine\n";
    let first = plan_root(Some(theirs.as_bytes()), &cache, day("2026-03-02"), 3000).bytes;
    assert!(String::from_utf8_lossy(&first).contains(theirs));
    let second = plan_root(Some(&first), &cache, day("2026-03-03"), 3000).bytes;
    assert_eq!(String::from_utf8_lossy(&second).matches('\u{feff}').count(), 1);
}

#[test]
fn lines_written_below_the_marker_are_theirs() {
    let cache = cache(&[("2026-03-01", "## auth\n- jwt\n## billing\n- tax\n")]);
    let theirs = "---\ntype: root\n---\n\n## Topics Index\n- mine [project, 0d]";
    let first = plan_root(Some(theirs.as_bytes()), &cache, day("2026-03-02"), 3000).bytes;
    let first = String::from_utf8(first).unwrap();
    assert!(first.contains("- mine [project, 0d]\n<!-- hipocampus:added -->\n- "), "{first}");
    assert!(first.contains("- auth [project, 1d]") && !first.ends_with('\n'));
    let appended = format!("{first}\n- noted by hand\n");
    let second = plan_root(Some(appended.as_bytes()), &cache, day("2026-03-02"), 3000);
    assert!(
        text(&second)
            .contains("- mine [project, 0d]\n- noted by hand\n<!-- hipocampus:added -->\n"),
        "{}",
        text(&second)
    );
    assert_eq!(text(&second).matches("- auth [").count(), 1);
    // One of ours reworded: all of them are theirs now, and nothing is said twice.
    let reworded = first.replace("- auth [project, 1d]", "- auth (important) [project, 1d]");
    let third = text(&plan_root(Some(reworded.as_bytes()), &cache, day("2026-03-02"), 3000));
    assert!(third.contains("- auth (important) [project, 1d]"));
    assert_eq!(
        (third.matches("- auth").count(), third.matches("- billing [").count()),
        (1, 1),
        "{third}"
    );
}

#[test]
fn an_edit_of_the_machines_file_is_theirs_for_good() {
    let cache = cache(&[("2026-03-01", "## auth\n- jwt\n")]);
    let machine = text(&plan_root(None, &cache, day("2026-03-02"), 3000));
    let edited =
        machine.replace("## Recent Patterns\n", "## Recent Patterns\n- everything is a queue\n");
    let plan = plan_root(Some(edited.as_bytes()), &cache, day("2026-03-04"), 3000);
    assert!(plan.theirs && text(&plan).contains("author: agent\n"));
    let undone = text(&plan).replace("- everything is a queue\n", "");
    let plan = plan_root(Some(undone.as_bytes()), &cache, day("2026-03-04"), 3000);
    assert!(plan.theirs);
    assert!(text(&plan).contains("- auth [project, 3d]"));
}
