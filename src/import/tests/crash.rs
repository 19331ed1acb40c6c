//! Whatever a run is cut into, and wherever a run is cut off.

use proptest::prelude::*;

use super::*;

/// A transcript in which sessions end, replies come in parts, and much of it is no session.
fn talk() -> impl Strategy<Value = String> {
    let part = (0_u8..8, 0_i64..500, "[a-c#`~\\-\n]{0,12}", 0..3_usize);
    prop::collection::vec(part, 1..24).prop_map(|parts| {
        let mut time = chrono::DateTime::from_timestamp(1_794_200_000, 0).unwrap();
        let mut content = String::new();
        let mut id = String::from("m");
        for (number, (kind, minutes, text, tools)) in parts.into_iter().enumerate() {
            time += chrono::TimeDelta::minutes(if minutes > 420 { minutes } else { minutes / 100 });
            let stamp = time.format("%Y-%m-%dT%H:%M:%SZ").to_string();
            let text = format!("{number} {text}");
            let tools = &["Bash", "Edit", "Read"][..tools];
            if kind < 3 {
                id = format!("m{number}");
            }
            content += &match kind {
                0 | 1 => user(number, &stamp, &text),
                2 | 3 => reply(number, &id, &stamp, &text, tools),
                4 => reply(number, &id, &stamp, "", tools),
                5 => records::title("ai-title", &text),
                6 => records::summary(number, &stamp, &text),
                _ => "{\"type\":\"mode\",\"sessionId\":\"s\"}\n".to_owned(),
            };
        }
        content
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a place in a short text"
)]
fn within(length: usize, share: f64) -> usize {
    (length as f64 * share) as usize
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_split_into_runs_gives_the_same_log(
        content in talk(),
        splits in prop::collection::vec(0.0..1.0_f64, 0..6),
    ) {
        let whole = Project::new(NOW);
        whole.import_file(&whole.transcript("t.jsonl", content.as_bytes()));
        let parts = Project::new(NOW);
        let mut ends: Vec<usize> = splits
            .into_iter()
            .map(|split| within(content.len(), split))
            .chain([content.len()])
            .collect();
        ends.sort_unstable();
        for end in ends {
            parts.import_file(&parts.transcript("t.jsonl", &content.as_bytes()[..end]));
        }
        prop_assert_eq!(whole.turns(), parts.turns());
        prop_assert_eq!(whole.backup(), parts.backup());
        let days = |project: &Project| {
            project.files(".md").into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        prop_assert_eq!(days(&whole), days(&parts));
    }

    #[test]
    fn whatever_a_crash_leaves_is_completed(
        content in talk(),
        cut in 0.0..=1.0_f64,
        grown in any::<bool>(),
    ) {
        let half = content.lines().count() / 2;
        let before: String = content.split_inclusive('\n').take(half).collect();
        let whole = Project::new(NOW);
        let path = whole.transcript("t.jsonl", before.as_bytes());
        whole.import_file(&path);
        let old = whole.files(".md");
        let old_backup = whole.files(".jsonl");
        fs::write(&path, &content).unwrap();
        whole.import_file(&path);
        let Some((name, new)) = whole.files(".md").into_iter().find(|file| !old.contains(file)) else {
            return Ok(());
        };
        // The state after a crash while the first new block was written, or before its backup was.
        let crashed = Project::new(NOW);
        for (name, text) in old.iter().chain(&old_backup) {
            fs::write(crashed.memory(name), text).unwrap();
        }
        let start = old.iter().find(|file| file.0 == name).map_or(0, |file| file.1.len());
        let end = start + new[start..].find("<!-- hipocampus:end").unwrap();
        let end = end + new[end..].find('\n').unwrap() + 1;
        let cut = start + within(end - start, cut);
        fs::write(crashed.memory(&name), &new.as_bytes()[..cut]).unwrap();
        let more = user(999, "2026-11-19T06:00:00Z", "after the crash");
        let path = crashed.transcript("t.jsonl", content.as_bytes());
        if grown {
            fs::write(&path, format!("{content}{more}")).unwrap();
            fs::write(whole.dir.path().join("t.jsonl"), format!("{content}{more}")).unwrap();
            whole.import_file(&whole.dir.path().join("t.jsonl").to_string_lossy());
        }
        crashed.import_file(&path);
        if !grown {
            prop_assert_eq!(crashed.log(), whole.log());
        }
        let said = |project: &Project| {
            project.turns().lines().filter(|l| !l.contains("(cut short)") && !l.starts_with("<!-")).map(str::to_owned).collect::<Vec<_>>()
        };
        prop_assert_eq!(said(&crashed), said(&whole));
        let sorted = |text: String| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        prop_assert_eq!(sorted(crashed.backup()), sorted(whole.backup()));
        let again = crashed.log();
        crashed.import_file(&path);
        prop_assert_eq!(crashed.log(), again);
    }
}

#[test]
fn a_block_cut_anywhere_is_completed() {
    let time = "2026-11-20T10:00:00Z";
    let first = user(0, time, "first");
    let content = first.clone()
        + &reply(1, "m1", time, "see\n```\n# x\n```", &["Bash"])
        + &reply(2, "m1", time, "", &["Edit"])
        + &user(3, time, "두번째")
        + &user(4, "2026-11-20T18:00:00Z", "evening");
    let whole = Project::new(NOW);
    whole.import_file(&whole.transcript("t.jsonl", first.as_bytes()));
    let (name, old) = whole.files(".md").remove(0);
    let (backup, records) = whole.files(".jsonl").remove(0);
    whole.import_file(&whole.transcript("t.jsonl", content.as_bytes()));
    let new = whole.log();
    let second_block = old.len() + new[old.len()..].find("<!-- hipocampus:end").unwrap() + 32;
    for cut in old.len()..second_block {
        let crashed = Project::new(NOW);
        fs::write(crashed.memory(&name), &new.as_bytes()[..cut]).unwrap();
        fs::write(crashed.memory(&backup), &records).unwrap();
        crashed.import_file(&crashed.transcript("t.jsonl", content.as_bytes()));
        assert_eq!(crashed.log(), new, "cut at {cut}");
        assert_eq!(crashed.backup(), whole.backup(), "cut at {cut}");
    }
}

/// A kill may tear the write of the records, too: what is there of the last one is completed, whether its id is in it
/// or not.
#[test]
fn a_backup_cut_anywhere_is_completed() {
    let time = "2026-11-20T10:00:00Z";
    let content = user(0, time, "first") + &user(1, time, "두번째") + &user(2, time, "third");
    let whole = Project::new(NOW);
    whole.import_file(&whole.transcript("t.jsonl", content.as_bytes()));
    let [(name, log), (backup, records)] = [".md", ".jsonl"].map(|end| whole.files(end).remove(0));
    for cut in 0..records.len() {
        let crashed = Project::new(NOW);
        fs::write(crashed.memory(&name), &log).unwrap();
        fs::write(crashed.memory(&backup), &records.as_bytes()[..cut]).unwrap();
        let path = crashed.transcript("t.jsonl", content.as_bytes());
        crashed.import_file(&path);
        assert_eq!(crashed.backup(), records, "cut at {cut}");
        assert_eq!(crashed.log(), log, "cut at {cut}");
    }
}

#[test]
fn a_torn_block_behind_which_somebody_wrote_is_taken_up_again() {
    let time = "2026-11-20T10:00:00Z";
    let content: String = (0..6).map(|n| user(n, time, &format!("turn {n} END"))).collect();
    let whole = Project::new(NOW);
    whole.import_file(&whole.transcript("t.jsonl", content.as_bytes()));
    let log = whole.log();
    let entry = "\n## Entry [project]\n- KEEP\n";
    let name = "2026-11-20.md";
    for cut in 1..log.len() {
        if !log.is_char_boundary(cut) {
            continue;
        }
        let project = Project::new(NOW);
        fs::write(project.memory(name), format!("{}{entry}", &log[..cut])).unwrap();
        let path = project.transcript("t.jsonl", content.as_bytes());
        project.import_file(&path);
        project.import_file(&path);
        let found = project.log();
        assert!(found.contains(entry), "cut at {cut}");
        for number in 0..6 {
            let turn = format!("**User:** turn {number} END\n");
            // A line that was complete except for its newline may occur twice: that cannot be known.
            let times = found.matches(&turn).count();
            assert!((1..=2).contains(&times), "turn {number}, cut at {cut}: {found}");
            let only_newline_missing = log[..cut].ends_with(turn.trim_end());
            assert!(times == 1 || only_newline_missing, "turn {number}, cut at {cut}: {found}");
        }
    }
}
