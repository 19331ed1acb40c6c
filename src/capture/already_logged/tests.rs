use super::*;

#[test]
fn records_known_by_their_id_have_no_other_key() {
    let id = "8c0f7c2e-1f0a-4c55-9a3e-0b0a6a3f1d11";
    for said in [
        format!(
            r#"{{"type":"user","uuid":"{id}","sessionId":"s","timestamp":"2026-03-15T14:02:11Z","message":{{"role":"user","content":"go"}}}}"#
        ),
        format!(
            r#"{{"type":"assistant","uuid":"{id}","sessionId":"s","timestamp":"2026-03-15T14:02:11Z","message":{{"id":"m","role":"assistant","content":[{{"type":"text","text":"gone"}}]}}}}"#
        ),
    ] {
        let (piece, session) = transcript::piece_of_session(said.as_bytes()).unwrap();
        assert_eq!(keys(&piece).collect::<Vec<_>>(), [hash(id)], "{said}");
        let known = transcript::known_by_id(said.as_bytes());
        assert_eq!(known, Some((id.to_owned(), session)));
    }
    // A message of OpenCode is known by its words, too.
    let whole = format!(
        r#"{{"info":{{"id":"{id}","role":"user"}},"parts":[{{"type":"text","text":"\"uuid\""}}]}}"#
    );
    assert_eq!(transcript::known_by_id(whole.as_bytes()), None);
}

#[test]
fn turns_match_in_order() {
    fn check(logged: &str, came: &str, new: &str) {
        let turns = |text: &str| text.bytes().map(u64::from).collect::<Vec<_>>();
        let old = in_order(&turns(logged), &turns(came));
        let found: String = came.chars().zip(old).filter(|(_, old)| !old).map(|(c, _)| c).collect();
        assert_eq!(found, new, "{logged} {came}");
    }
    check("", "ab", "ab");
    check("ab", "abcd", "cd");
    check("ab", "ab", "");
    // The same words again are a turn of their own.
    check("ab", "abab", "ab");
    check("aaaa", "aaaaa", "a");
    // Pruned: the beginning is gone.
    check("abcdef", "efgh", "gh");
    check("abcdef", "cd", "");
    check("abcdef", "abc", "");
    // A summary or another oddity in front or in between.
    check("abcdef", "Xefg", "Xg");
    check("abcdef", "abcXefg", "Xg");
    // A new session that begins the same way.
    check("abcd", "axy", "axy");
    check("abcd", "", "");
    check("abcd", "xyz", "xyz");
}

fn backup(records: &[String]) -> Backup {
    let mut backups = Backups::default();
    for record in records {
        backups.line(record.as_bytes(), &[]);
    }
    backups.all()
}

#[test]
fn records_are_known_by_id_else_by_role_time_and_words() {
    let line = |uuid: &str, time: &str, text: &str| {
        format!(
            r#"{{"type":"user",{uuid}"timestamp":"2026-03-15T{time}Z","message":{{"role":"user","content":"{text}"}}}}"#
        )
    };
    let long = r#""uuid":"35beac09-778b-412b-9af5-beebeedf2e75","#;
    let records = [
        line(long, "10:00:00", "a"),
        line(r#""uuid":"u1","#, "10:00:00", "b"),
        line("", "10:00:00", "c"),
        "{\"type\":\"user\",\"mess".to_owned(),
    ];
    let backup = backup(&records);
    let check = |uuid: &str, time: &str, text: &str, expect: bool| {
        let piece = transcript::piece(line(uuid, time, text).as_bytes()).unwrap();
        assert_eq!(backup.knows(&piece), expect, "{uuid} {time} {text}");
    };
    check(long, "11:00:00", "redacted since", true);
    check(r#""uuid":"u1","#, "10:00:00", "b", true);
    check(r#""uuid":"u1","#, "11:00:00", "b", false);
    check(r#""uuid":"u1","#, "10:00:00", "another session", false);
    check("", "10:00:00", "c", true);
    check("", "10:00:01", "c", false);
    // An id that is not known tells a record of its own, whatever it says.
    check(r#""uuid":"0c0cb2a4-2d0b-4b0e-8f6c-7d2f1b6a9e11","#, "10:00:00", "a", false);
    let said = |time: &str, text: &str| {
        backup.said(&transcript::piece(line("", time, text).as_bytes()).unwrap())
    };
    assert_eq!(said("10:08:00", "c"), Some(true));
    assert_eq!(said("12:00:00", "c"), Some(false));
    assert_eq!(said("10:08:00", "never"), None);
}

#[test]
fn records_are_known_by_their_owners() {
    let line = |session: &str, text: &str| {
        let session = if session.is_empty() {
            String::new()
        } else {
            format!("\"sessionId\":\"{session}\",")
        };
        format!(
            r#"{{"type":"user",{session}"timestamp":"2026-03-15T10:00:00Z","message":{{"role":"user","content":"{text}"}}}}"#
        )
    };
    let mut owned = Owned::default();
    for (session, text) in [("a", "x"), ("a", "both"), ("b", "both"), ("", "y"), ("a", "x")] {
        owned.line(line(session, text).as_bytes());
    }
    owned.line(b"no record");
    let check = |names: &[&str], text: &str, expect: (bool, bool, bool)| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut backups = Backups::default();
        for (session, text) in [("a", "x"), ("a", "both"), ("b", "both"), ("", "y")] {
            backups.line(line(session, text).as_bytes(), &names);
        }
        let piece = transcript::piece(line("q", text).as_bytes()).unwrap();
        let Ownership { own, others, unattributed } = owned.whose(&piece, &names);
        assert_eq!((own, others, unattributed), expect, "{names:?} {text}");
        let Backups { own, others, unattributed } = backups;
        let known = [&own, &others, &unattributed].map(|backup| backup.knows(&piece));
        assert_eq!(known, [expect.0, expect.1, expect.2], "{names:?} {text}");
    };
    check(&["a"], "x", (true, false, false));
    check(&["b"], "x", (false, true, false));
    check(&["a"], "both", (true, true, false));
    check(&["c"], "both", (false, true, false));
    check(&["a"], "y", (false, false, true));
    check(&["a"], "new", (false, false, false));
}

#[test]
fn words_alone_are_never_known() {
    let check = |fields: &str, expect: (bool, bool)| {
        let line =
            format!(r#"{{{fields}"type":"user","message":{{"role":"user","content":"ok"}}}}"#);
        let backup = backup(std::slice::from_ref(&line));
        let piece = transcript::piece(line.as_bytes()).unwrap();
        assert_eq!((backup.knows(&piece), backup.holds(&piece)), expect, "{fields}");
    };
    check("", (false, true));
    check(r#""uuid":"u1","#, (false, true));
    check(r#""uuid":"35beac09-778b-412b-9af5-beebeedf2e75","#, (true, true));
    check(r#""timestamp":"2026-03-15T10:00:00Z","#, (true, true));
}
