//! `hipocampus flush`: saves an entry somebody hands over, or what is new in the latest session.

use std::io::Read;
use std::path::Path;

use crate::capture::hook_input::HookInput;
use crate::capture::{Redact, checkpoint, private};
use crate::cli::FlushArgs;
use crate::disk::{Folder, Held, Lock, Memory};
use crate::error::{Exit, Problem};
use crate::hooks::told;
use crate::import::{self, sessions};
use crate::layout;
use crate::project::{self, Project};
use crate::refresh::{by_hand, due, tree};
use crate::save_entry::{LIMIT, save_entry};
use crate::text::counted;
use crate::user_memory;
use crate::world::World;

/// `hipocampus flush`, then what `hipocampus compact` does.
pub(crate) fn run(args: &FlushArgs, dir: Option<&Path>, world: &mut World) -> anyhow::Result<Exit> {
    let dir = user_memory::or_user(args.user, dir, world)?;
    let project = project::find(&project::start(world, dir.as_deref(), None)?)?;
    let redactor = project.redactor()?;
    let memory = Memory::make(&project.root, project.config.share)?;
    tree::begin_clean(&memory, redactor.version());
    let lock = save(&project, memory.folder(), args, world, &redactor)?;
    let exit = by_hand::after_capture(&project, &memory, world, &lock)?;
    if lock.held().is_some() && !args.has_no_skill {
        tell_what_is_due(&project, &memory, world)?;
    }
    Ok(exit)
}

/// Says that a summary is due, once a session.
fn tell_what_is_due(project: &Project, memory: &Memory, world: &mut World) -> anyhow::Result<()> {
    let now = world.now()?;
    let due = due::ask(project, memory, now)?;
    if due.due && told::is_news(memory.folder(), told::session(world), now) {
        writeln!(
            world.out,
            "hipocampus flush: a summary is due ({}; {}); follow the `hipocampus-compaction` skill when convenient",
            due.reason,
            due::price(project, memory, now)
        )?;
    }
    Ok(())
}

/// Saves what was handed over, or what is new. Returns the lock, so that nothing comes between this and compaction.
/// Fails when there is nothing to save, or it cannot be written.
fn save(
    project: &Project,
    memory: &Folder,
    args: &FlushArgs,
    world: &mut World,
    redact: &dyn Redact,
) -> anyhow::Result<Lock> {
    let entry = handed_over(args, world)?;
    if user_memory::is_at(world, &project.root) {
        let entry = entry.as_deref().ok_or_else(no_sessions)?;
        user_memory::check_types(entry)?;
    }
    let Some(entry) = entry else {
        let lock = by_hand::take_lock(memory, world.patience)?;
        let Some(alone) = lock.held() else {
            let name = memory.path().join(layout::LOCK);
            let why = lock.refusal(&name.to_string_lossy()).unwrap_or_default();
            return Err(Problem::new(why)
                .hint("the session stays where it is; nothing was imported")
                .into());
        };
        import_latest(&project.root, memory, alone, world, redact)?;
        return Ok(lock);
    };
    save_entry(project, memory, &entry, world, redact)
}

/// The user's memory has entries alone.
fn no_sessions() -> Problem {
    Problem::usage("nothing to save: no session enters your own memory")
        .hint("give an entry with `-m TEXT`, or `-` to read stdin")
}

/// The entry given on the command line or on stdin; `None` if neither was asked for.
fn handed_over(args: &FlushArgs, world: &mut World) -> anyhow::Result<Option<Vec<u8>>> {
    let topic = args.topic.as_deref().map(private::in_text);
    let (topic, kind) = (topic.as_deref().filter(|topic| !topic.trim().is_empty()), args.kind);
    let entry = match (&args.message, args.stdin.as_deref()) {
        (Some(words), _) => {
            checkpoint::entry(&private::in_text(words), topic, kind).map(String::into_bytes)
        }
        (None, Some("-")) => {
            let words = read_stdin(world)?;
            let words = match std::str::from_utf8(&words) {
                Ok(text) => private::in_text(text).into_owned().into_bytes(),
                Err(_) => words,
            };
            if (topic.is_some() || kind.is_some()) && checkpoint::begins_with_a_heading(&words) {
                let what = "the text has headings of its own, so `--topic` and `--type` have no place; nothing was saved";
                let hint = "write topic and type into the headings, like `## Topic [user]`, or leave the headings out";
                return Err(Problem::usage(what).hint(hint).into());
            }
            checkpoint::entry_with_headings(&words, topic, kind)
        }
        (None, Some(other)) => {
            let problem = Problem::usage(format!("unexpected argument `{other}`"));
            return Err(problem.hint("give the text with `-m TEXT`, or `-` to read stdin").into());
        }
        (None, None) if args.topic.is_some() || args.kind.is_some() => {
            let problem = Problem::usage("a topic or type, but nothing to save");
            return Err(problem.hint("give the text with `-m TEXT`, or `-` to read stdin").into());
        }
        (None, None) => return Ok(None),
    };
    let nothing = || Problem::usage("nothing to save: the text is empty");
    Ok(Some(entry.ok_or_else(nothing)?))
}

fn read_stdin(world: &mut World) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(stdin) = world.stdin.take() {
        stdin.take(LIMIT + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > LIMIT {
        let problem = Problem::new(format!("more than {LIMIT} bytes came on stdin"));
        return Err(problem.hint("save it in parts; nothing was written").into());
    }
    Ok(bytes)
}

fn import_latest(
    root: &Path,
    memory: &Folder,
    alone: &Held,
    world: &mut World,
    redact: &dyn Redact,
) -> anyhow::Result<()> {
    let Some(session) = sessions::of_project(root, world, 0).next() else {
        writeln!(world.out, "hipocampus flush: no session of this project found")?;
        // Whoever pipes an entry in and forgets the `-` believes that it is saved.
        writeln!(world.err, "hint: `-m TEXT` saves an entry, `-` reads one from stdin")?;
        return Ok(());
    };
    let hook = HookInput {
        transcript_path: Some(session.path.to_string_lossy().into_owned()),
        ..HookInput::default()
    };
    let outcome = import::import(memory, alone, &hook, world, redact, None)?;
    for note in &outcome.notes {
        writeln!(world.err, "hipocampus: {}", redact.text(&note.to_string()))?;
    }
    let turns = counted(outcome.turns, "new turn");
    writeln!(world.out, "hipocampus flush: {turns} from the latest session")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use super::*;
    use crate::capture::hide::Hide;
    use crate::memory::entry::EntryType;
    use crate::state::CompactionState;
    use std::fs;

    fn run(root: &Path, args: &FlushArgs, stdin: &'static str) -> anyhow::Result<bool> {
        let mut world = World::for_tests();
        world.env.insert("HIPOCAMPUS_NOW".into(), "2026-03-15T14:02:11+01:00".into());
        world.env.insert("HOME".into(), root.as_os_str().to_owned());
        world.stdin = Some(Box::new(stdin.as_bytes()));
        let memory = Folder::open(&root.join("memory")).unwrap();
        let project = project::open(root)?;
        Ok(save(&project, &memory, args, &mut world, &Hide)?.held().is_some())
    }

    #[test]
    fn an_entry_is_appended_redacted_and_counted() {
        let dir = tempfile::tempdir().unwrap();
        let memory = dir.path().join("memory");
        fs::create_dir(&memory).unwrap();
        let log = memory.join("2026-03-15.md");
        fs::write(&log, "# 2026-03-15\n- no newline").unwrap();
        let args = FlushArgs {
            message: Some("the password is hunter2".into()),
            topic: Some("Access".into()),
            kind: Some(EntryType::Reference),
            ..FlushArgs::default()
        };
        assert!(run(dir.path(), &args, "").unwrap());
        let args = FlushArgs { stdin: Some("-".into()), ..FlushArgs::default() };
        assert!(run(dir.path(), &args, "## Style [user]\n- terse\n").unwrap());
        assert_eq!(
            fs::read_to_string(&log).unwrap(),
            "# 2026-03-15\n- no newline\n\n## Access [reference]\n\nthe password is [REDACTED:test]\n\n## Style [user]\n- terse\n"
        );
        let state = fs::read(memory.join(layout::STATE)).unwrap();
        assert_eq!(CompactionState::parse(&state).unwrap().unwrap().checkpoints(), 2);
    }

    #[test]
    fn nothing_to_save_is_a_slip_and_writes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("memory")).unwrap();
        for args in [
            FlushArgs { message: Some(" \n".into()), ..FlushArgs::default() },
            FlushArgs { stdin: Some("-".into()), ..FlushArgs::default() },
            FlushArgs { stdin: Some("text".into()), ..FlushArgs::default() },
            FlushArgs { topic: Some("T".into()), ..FlushArgs::default() },
            FlushArgs {
                stdin: Some("-".into()),
                topic: Some("with headings".into()),
                ..FlushArgs::default()
            },
            FlushArgs {
                stdin: Some("-".into()),
                kind: Some(EntryType::User),
                ..FlushArgs::default()
            },
        ] {
            let words = if args.kind.or(args.topic.as_ref().map(|_| EntryType::User)).is_some() {
                "\n## A heading\n- x\n"
            } else {
                ""
            };
            let error = run(dir.path(), &args, words).unwrap_err();
            assert_eq!(error.downcast_ref::<Problem>().unwrap().exit, Exit::Usage, "{args:?}");
        }
        assert_eq!(fs::read_dir(dir.path().join("memory")).unwrap().count(), 0);
    }

    #[test]
    fn without_text_the_latest_session_is_imported() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir(root.join("memory")).unwrap();
        assert!(run(&root, &FlushArgs::default(), "").unwrap());
        let slug = root.to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let folder = root.join(".claude/projects").join(slug);
        fs::create_dir_all(&folder).unwrap();
        let cwd = root.to_string_lossy();
        let line = format!(
            "{{\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u\",\"cwd\":\"{cwd}\",\"message\":{{\"role\":\"user\",\"content\":\"from the session\"}}}}\n"
        );
        fs::write(folder.join("s.jsonl"), line).unwrap();
        for _ in 0..2 {
            assert!(run(&root, &FlushArgs::default(), "").unwrap());
        }
        let log = fs::read_to_string(root.join("memory/2026-03-15.md")).unwrap();
        assert_eq!(log.matches("**User:** from the session").count(), 1);
    }
}
