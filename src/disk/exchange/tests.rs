#![expect(clippy::disallowed_methods, reason = "tests of effects")]

use std::io::Write as _;

use super::*;

fn folder() -> (tempfile::TempDir, Folder) {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder::open(dir.path()).unwrap();
    (dir, folder)
}

fn put(folder: &Folder, name: &str, text: &str) {
    folder.replace(name, text.as_bytes(), Write::default()).unwrap();
}

fn get(folder: &Folder, name: &str) -> Option<String> {
    folder.read_if_there(name).unwrap().map(|(bytes, _)| String::from_utf8(bytes).unwrap())
}

fn names(folder: &Folder) -> Vec<String> {
    let mut names: Vec<_> =
        folder.list(|_| true).unwrap().into_iter().map(|entry| entry.name).collect();
    names.sort();
    names
}

fn exchange(folder: &Folder, name: &str, was: &str, bytes: &str) -> bool {
    let done = folder
        .exchange(name, hash(was.as_bytes()), bytes.as_bytes(), Write::default(), false)
        .unwrap();
    assert!(done.displaced.is_none_or(|displaced| displaced.settle().unwrap().is_none()));
    done.stamp.is_some()
}

#[test]
fn an_exchange_takes_place_only_against_the_text_it_was_made_from() {
    let (_dir, folder) = folder();
    put(&folder, "M.md", "old");
    assert!(exchange(&folder, "M.md", "old", "new"));
    assert_eq!(get(&folder, "M.md").as_deref(), Some("new"));
    assert!(!exchange(&folder, "M.md", "old", "newer"));
    assert_eq!(get(&folder, "M.md").as_deref(), Some("new"));
    assert!(!exchange(&folder, "none.md", "", "x"));
    assert_eq!(names(&folder), ["M.md"]);
}

/// A file as somebody has it open who adds to it.
fn opened(dir: &tempfile::TempDir, name: &str) -> File {
    std::fs::OpenOptions::new().append(true).open(dir.path().join(name)).unwrap()
}

#[test]
fn what_is_added_to_a_text_on_its_way_out_is_kept() {
    let (dir, folder) = folder();
    put(&folder, "M.md", "old\n");
    let mut theirs = opened(&dir, "M.md");
    let done = folder.exchange("M.md", hash(b"old\n"), b"new\n", Write::default(), false).unwrap();
    theirs.write_all(b"late\n").unwrap();
    assert_eq!(get(&folder, "M.md").as_deref(), Some("new\n"));
    assert_eq!(done.displaced.unwrap().settle().unwrap(), None);
    assert_eq!(get(&folder, "M.md").as_deref(), Some("new\nlate\n"));
    assert_eq!(names(&folder), ["M.md"]);
}

#[test]
fn what_is_added_to_a_text_that_has_to_go_back_is_kept() {
    let (dir, folder) = folder();
    put(&folder, "M.md", "theirs\n");
    let done = folder.exchange("M.md", hash(b"old\n"), b"new\n", Write::default(), false).unwrap();
    assert!(done.stamp.is_none());
    let aside = names(&folder).into_iter().find(|name| name.ends_with(SUFFIX)).unwrap();
    opened(&dir, &aside).write_all(b"late\n").unwrap();
    assert_eq!(done.displaced.unwrap().settle().unwrap(), None);
    assert_eq!(get(&folder, "M.md").as_deref(), Some("theirs\nlate\n"));
    assert_eq!(names(&folder), ["M.md"]);
}

#[test]
fn a_text_that_was_rewritten_on_its_way_out_gets_a_name_of_its_own() {
    let (dir, folder) = folder();
    put(&folder, "M.md", "old\n");
    let theirs = std::fs::OpenOptions::new().write(true).open(dir.path().join("M.md"));
    let done = folder.exchange("M.md", hash(b"old\n"), b"new\n", Write::default(), false).unwrap();
    theirs.unwrap().write_all(b"rewritten\n").unwrap();
    assert!(done.displaced.unwrap().settle().unwrap().is_some());
    let kept = format!("M.md.{:016x}.recovered", hash(b"rewritten\n"));
    assert_eq!(names(&folder), ["M.md", kept.as_str()]);
    assert_eq!(get(&folder, &kept).as_deref(), Some("rewritten\n"));
}

#[test]
fn a_log_that_grew_is_replaced_and_keeps_what_came() {
    let check = |now: &str, expect: Option<&str>| {
        let (_dir, folder) = folder();
        put(&folder, "L.md", now);
        let how = Write::default();
        let done = folder.exchange("L.md", hash(b"a\nb\n"), b"b\n", how, true).unwrap();
        assert_eq!(done.stamp.is_some(), expect.is_some(), "{now:?}");
        assert!(done.displaced.unwrap().settle().unwrap().is_none());
        assert_eq!(get(&folder, "L.md").as_deref(), Some(expect.unwrap_or(now)), "{now:?}");
        assert_eq!(names(&folder), ["L.md"]);
    };
    check("a\nb\n", Some("b\n"));
    check("a\nb\nc\n", Some("b\nc\n"));
    check("a\nb\nc", Some("b\nc"));
    check("a\nx\nc\n", None);
    check("a\n", None);
}

#[test]
fn a_log_that_is_taken_away_leaves_what_came() {
    let check = |now: &str, taken: bool, expect: Option<&str>| {
        let (dir, folder) = folder();
        put(&folder, "L.md", now);
        let mut theirs = opened(&dir, "L.md");
        let displaced = folder.take_away("L.md", hash(b"a\n")).unwrap();
        assert_eq!(displaced.is_some(), taken, "{now:?}");
        if taken {
            theirs.write_all(b"late\n").unwrap();
        }
        assert!(displaced.is_none_or(|it| it.settle().unwrap().is_none()));
        assert_eq!(get(&folder, "L.md").as_deref(), expect, "{now:?}");
    };
    check("a\n", true, Some("late\n"));
    check("a\nb\n", true, Some("b\nlate\n"));
    check("x\n", false, Some("x\n"));
    let (_dir, folder) = folder();
    put(&folder, "L.md", "a\n");
    folder.take_away("L.md", hash(b"a\n")).unwrap().unwrap().settle().unwrap();
    assert!(names(&folder).is_empty());
}

#[test]
fn a_file_is_removed_only_if_it_is_what_was_expected() {
    let (_dir, folder) = folder();
    put(&folder, "M.md", "theirs");
    assert!(!folder.remove_unchanged("M.md", hash(b"ours")).unwrap());
    assert!(!folder.remove_unchanged("none.md", hash(b"")).unwrap());
    assert_eq!(names(&folder), ["M.md"]);
    assert!(folder.remove_unchanged("M.md", hash(b"theirs")).unwrap());
    assert!(names(&folder).is_empty());
}

#[test]
fn what_a_killed_exchange_left_is_put_right() {
    let aside = format!(".M.md.{:016x}-{:016x}{SUFFIX}", hash(b"old"), hash(b"new"));
    let check = |left: &str, current: &str, expect: &[(&str, &str)]| {
        let (_dir, folder) = folder();
        put(&folder, &aside, left);
        put(&folder, "M.md", current);
        folder.recover().unwrap();
        let found: Vec<_> = names(&folder)
            .into_iter()
            .map(|name| (name.clone(), get(&folder, &name).unwrap()))
            .collect();
        let expect: Vec<_> =
            expect.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        assert_eq!(found, expect, "{left} {current}");
    };
    check("new", "old", &[("M.md", "old")]);
    check("new", "theirs", &[("M.md", "theirs")]);
    check("old", "new", &[("M.md", "new")]);
    check("theirs", "new", &[("M.md", "theirs")]);
    check("", "new", &[("M.md", "new")]);
    check("\0\0\0", "new", &[("M.md", "new")]);
    let kept = format!("M.md.{:016x}.recovered", hash(b"theirs"));
    check("theirs", "later", &[("M.md", "later"), (&kept, "theirs")]);
    // What came late to the old text is below the new one, once.
    check("old\nlate", "new", &[("M.md", "new\nlate")]);
    check("old\nlate", "new\nlate", &[("M.md", "new\nlate")]);
    check("old\nlate", "new\nmore", &[("M.md", "new\nmore\nlate")]);
}
