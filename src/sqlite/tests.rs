#![expect(clippy::disallowed_methods, reason = "tests of effects")]

use std::cell::RefCell;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;

use super::*;
use crate::disk::read_database;

/// Lets Python's `sqlite3` do something to `db.sqlite`; `script` has the connection as `c`.
fn python(dir: &Path, script: &str) {
    let whole = format!(
        "import sqlite3, os, sys\nc = sqlite3.connect('db.sqlite', isolation_level=None)\n{script}\nsys.stdout.flush()\nos._exit(0)\n"
    );
    let run = Command::new("python3").current_dir(dir).args(["-c", &whole]).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

/// What is asked of a database, as text.
fn told(dir: &Path, table: &str, wanted: Option<&str>) -> Result<Vec<String>, String> {
    read_database(&dir.join("db.sqlite"), |database| {
        let mut rows = Vec::new();
        let tell = |row: &Row<'_>| {
            let cell = |name: &str| match row.get(name) {
                Value::Null => "-".to_owned(),
                Value::Int(number) => number.to_string(),
                Value::Real(number) => number.to_string(),
                Value::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                Value::Blob(bytes) => format!("{bytes:?}"),
            };
            ["id", "who", "what", "late"].map(cell).join("|")
        };
        match wanted {
            Some(who) => database.rows_with(table, "who", who, &mut |row| rows.push(tell(row)))?,
            None => database.rows(table, &mut |row| {
                rows.push(tell(row));
                ControlFlow::Continue(())
            })?,
        }
        Ok(rows)
    })
    .map_err(|error| crate::disk::describe(&error))
}

const MAKE: &str = "c.execute('create table t (id integer primary key, who text, what)')\n";

#[test]
fn rows_are_read_from_the_main_file_and_from_the_log() {
    let dir = tempfile::tempdir().unwrap();
    // Killed before it could put the log back: all of it is there alone.
    python(
        dir.path(),
        &format!(
            "c.execute('pragma journal_mode=wal')\nc.execute('pragma wal_autocheckpoint=0')\n{MAKE}
c.execute(\"insert into t values (1, 'a', 'one'), (-7, 'b', 2.5), (300, 'a', x'00ff'), (4, null, -129)\")
c.execute('alter table t add column late')
c.execute(\"insert into t values (5, 'é', 140737488355328, 0)\")
c.execute('begin'); c.execute(\"insert into t values (6, 'a', 'never', 0)\"); c.execute(\"update t set what = 'never'\")"
        ),
    );
    let names = |dir: &Path| {
        let mut names: Vec<_> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name(), entry.metadata().unwrap().modified().unwrap()))
            .collect();
        names.sort();
        names
    };
    let before = names(dir.path());
    let all =
        ["-7|b|2.5|-", "1|a|one|-", "4|-|-129|-", "5|é|140737488355328|0", "300|a|[0, 255]|-"];
    assert_eq!(told(dir.path(), "t", None).unwrap(), all);
    assert_eq!(told(dir.path(), "t", Some("a")).unwrap(), ["1|a|one|-", "300|a|[0, 255]|-"]);
    assert_eq!(names(dir.path()), before);
    python(dir.path(), "c.execute('pragma journal_mode=delete')");
    assert_eq!(told(dir.path(), "t", None).unwrap(), all);
}

#[test]
fn long_rows_and_deep_trees_are_read() {
    let dir = tempfile::tempdir().unwrap();
    python(
        dir.path(),
        &format!(
            "c.execute('pragma page_size=512')\nc.execute('pragma auto_vacuum=2')\n{MAKE}
c.execute('create index i on t (who)')
c.execute('begin')
for n in range(5000): c.execute('insert into t values (?, ?, ?)', (n, 'w%d' % (n % 7) * (1 + n % 90), 'x' * (n % 1700)))
c.execute('commit')"
        ),
    );
    let all = told(dir.path(), "t", None).unwrap();
    assert_eq!(all.len(), 5000);
    for (number, row) in all.iter().enumerate() {
        let who = format!("w{}", number % 7).repeat(1 + number % 90);
        assert_eq!(*row, format!("{number}|{who}|{}|-", "x".repeat(number % 1700)));
    }
    let who = "w3".repeat(1 + 10);
    let expect: Vec<&String> = all.iter().filter(|row| row.contains(&format!("|{who}|"))).collect();
    assert!(expect.len() > 3);
    assert_eq!(told(dir.path(), "t", Some(&who)).unwrap().iter().collect::<Vec<_>>(), expect);
    assert!(told(dir.path(), "t", Some("nobody")).unwrap().is_empty());
}

#[test]
fn what_is_none_is_refused_in_words() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("db.sqlite");
    let check = |bytes: &[u8], expect: &str| {
        std::fs::write(&file, bytes).unwrap();
        assert_eq!(told(dir.path(), "t", None).unwrap_err(), expect);
    };
    check(b"", "it has no table `t` as this version knows it");
    check(b"no", "it is cut: a page that it names is not there");
    check(&[b'x'; 4096], "it is no SQLite database");
    std::fs::remove_file(&file).unwrap();
    python(
        dir.path(),
        &format!("{MAKE}c.execute(\"insert into t values (1, 'a', '{}')\")", "x".repeat(9000)),
    );
    let whole = std::fs::read(&file).unwrap();
    check(&whole[..whole.len() - 4096], "it is cut: a page that it names is not there");
    let newer = |at: usize, value: u8| {
        let mut bytes = whole.clone();
        bytes[at] = value;
        bytes
    };
    check(&newer(19, 3), "it is of a newer format of SQLite");
    check(&newer(59, 2), "its text is not UTF-8");
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", &file).unwrap();
    assert_eq!(told(dir.path(), "t", None).unwrap_err(), "it is a link");
}

/// A file whose bytes a test holds.
struct Held(RefCell<Vec<u8>>, u64);

impl Bytes for Held {
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let (bytes, at) = (self.0.borrow(), usize::try_from(at).unwrap());
        let part = bytes.get(at..at + into.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        into.copy_from_slice(part);
        Ok(())
    }

    fn mark(&self) -> io::Result<Mark> {
        Ok(Mark { size: self.0.borrow().len() as u64, written: i128::from(self.1) })
    }
}

fn sample() -> (Vec<u8>, Vec<u8>) {
    let dir = tempfile::tempdir().unwrap();
    python(
        dir.path(),
        &format!(
            "c.execute('pragma page_size=512')\n{MAKE}c.execute('create index i on t (who)')
for n in range(60): c.execute('insert into t values (?, ?, ?)', (n, 'w%d' % (n % 5), 'x' * (n * 30)))
c.execute('pragma journal_mode=wal')\nc.execute('pragma wal_autocheckpoint=0')
for n in range(60, 80): c.execute('insert into t values (?, ?, ?)', (n, 'w1', 'y' * n))"
        ),
    );
    let read = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
    (read("db.sqlite"), read("db.sqlite-wal"))
}

#[test]
fn a_writer_that_puts_pages_back_is_noticed() {
    let (main, wal) = sample();
    let mut database = Database::open(Held(main.into(), 1), Some(Held(wal.into(), 1))).unwrap();
    assert!(database.is_as_it_was().unwrap());
    // More commits at the end of the log do not concern us.
    database.wal.as_ref().unwrap().0.borrow_mut().extend([7; 1000]);
    assert!(database.is_as_it_was().unwrap());
    // Begun anew, it has another salt.
    database.wal.as_ref().unwrap().0.borrow_mut()[16] ^= 1;
    assert!(!database.is_as_it_was().unwrap());
    database.wal.as_ref().unwrap().0.borrow_mut()[16] ^= 1;
    database.main.1 = 2;
    assert!(!database.is_as_it_was().unwrap());
}

#[test]
fn no_damage_makes_it_fall_over() {
    let (main, wal) = sample();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let hits = proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6);
    let strategy = (hits, any::<prop::sample::Index>(), any::<bool>());
    let done = runner.run(&strategy, |(hits, cut, with_log)| {
        let mut bytes = main.clone();
        for (at, value) in hits {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        bytes.truncate(bytes.len() - cut.index(700));
        let log = with_log.then(|| Held(wal.clone().into(), 1));
        if let Ok(database) = Database::open(Held(bytes.into(), 1), log) {
            let mut count = 0;
            let _ = database.rows("t", &mut |_| {
                count += 1;
                ControlFlow::Continue(())
            });
            let _ = database.rows_with("t", "who", "w1", &mut |_| count += 1);
            prop_assert!(count < 100_000);
        }
        Ok(())
    });
    done.unwrap();
}
