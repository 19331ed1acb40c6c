//! Sessions that an agent has deleted, as far as it still has what the person typed: `history.jsonl` of Claude Code and
//! of Codex. Each becomes a session of one speaker, called after its first prompt, with [`PROMPTS_ONLY`] behind it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use serde_json::{Value, json};

use super::{KeptAs, LIMIT, Owner, Past, PastSessions, codex, home};
use crate::disk::{self, Memory, StoreError};
use crate::git_program;
use crate::layout;
use crate::markdown::form::PROMPTS_ONLY;
use crate::platform::{Store, id_of};
use crate::text::{counted, grouped, json_lines, lossy};
use crate::world::{LocalTime, World};

/// The file, in the folder of either agent.
const HISTORY: &str = "history.jsonl";
/// The most bytes of a paste that is kept in a file of its own.
const PASTE: u64 = 16 * 1024 * 1024;
/// The most characters of the title that is made of a prompt.
const TITLE: usize = 50;
/// A prompt whose first line has fewer bytes may be in a log by chance.
const TELLING: usize = 16;

/// Something that the person typed.
#[derive(Debug, Clone)]
struct Prompt {
    time: DateTime<Utc>,
    text: String,
    /// subjects and hashes of the commits that followed on that day
    commits: Vec<(String, String)>,
}

/// What an agent has of one session.
#[derive(Debug)]
struct Typed {
    agent: Store,
    id: String,
    path: PathBuf,
    cwd: String,
    prompts: Vec<Prompt>,
    /// whether the agent has its transcript, too
    is_kept: bool,
}

/// How many sessions there were, and what of them is in no transcript and no log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Deleted {
    sessions: usize,
    since: NaiveDate,
    lost: usize,
    messages: usize,
    agents: Vec<&'static str>,
}

impl Deleted {
    /// `641 sessions since 2025-09, 497 deleted by Claude Code: 5,621 of your messages can come back`
    pub(crate) fn told(&self) -> String {
        let number = |count: usize| grouped(u64::try_from(count).unwrap_or(u64::MAX));
        let plural = if self.sessions == 1 { "" } else { "s" };
        let messages = if self.messages == 1 { "message" } else { "messages" };
        format!(
            "{} session{plural} since {}, {} deleted by {}: {} of your {messages} can come back with `hipocampus import --deleted`",
            number(self.sessions),
            self.since.format("%Y-%m"),
            number(self.lost),
            self.agents.join(" and "),
            number(self.messages),
        )
    }
}

/// What is there of sessions that were deleted; `None` where none was. `is_known` tells which sessions the logs have.
pub(crate) fn deleted(
    root: &Path,
    world: &World,
    is_known: &dyn Fn(&str) -> bool,
) -> Option<Deleted> {
    let local = world.local().ok()?;
    let whose = Owner { root, from: &[], gone: &[] };
    let mut all = typed(&whose, world, &mut PastSessions::default());
    let off = crate::hooks::off::of_project(root);
    all.retain(|it| !off.contains(&it.id));
    let logs = ByDay::new(root);
    let is_lost = |it: &&Typed| !it.is_kept && !is_known(&it.id) && !logs.have(it, &local);
    let lost: Vec<&Typed> = all.iter().filter(is_lost).collect();
    let first = all.iter().filter_map(|it| it.prompts.first()).map(|it| it.time).min()?;
    let agents: BTreeSet<&str> = lost.iter().map(|it| name_of(it.agent)).collect();
    (!lost.is_empty()).then(|| Deleted {
        sessions: all.len(),
        since: local(first).date(),
        lost: lost.len(),
        messages: lost.iter().map(|it| it.prompts.len()).sum(),
        agents: agents.into_iter().collect(),
    })
}

/// Adds the deleted sessions of the project, with the commits of their days. `is_begun` tells which ones an import has
/// begun with before: these are in the logs, and are gone on with.
pub(super) fn find(
    whose: &Owner<'_>,
    world: &World,
    wants: &dyn Fn(&str) -> bool,
    is_begun: &dyn Fn(&str) -> bool,
    found: &mut PastSessions,
) {
    let Ok(local) = world.local() else { return };
    let mut all = typed(whose, world, found);
    let logs = ByDay::new(whose.root);
    all.retain(|it| {
        !it.is_kept && wants(id_of(it.agent)) && (is_begun(&it.id) || !logs.have(it, &local))
    });
    add_commits(&mut all, whose.root, world, &local);
    found.sessions.extend(all.into_iter().map(|typed| {
        let last = typed.prompts.last().and_then(|it| it.time.timestamp_nanos_opt());
        let kept = KeptAs::Prompts(typed.path.clone(), records(&typed));
        let title = Some(title(&typed.prompts));
        Past { title, ..Past::new(id_of(typed.agent), typed.id, kept, last.unwrap_or_default()) }
    }));
}

/// The sessions of the project of which prompts are left, each with at least one.
fn typed(whose: &Owner<'_>, world: &World, found: &mut PastSessions) -> Vec<Typed> {
    let mut all = of_claude_code(whose, world, found);
    all.extend(of_codex(whose, world, found));
    for typed in &mut all {
        typed.prompts.sort_by_key(|prompt| prompt.time);
    }
    all
}

/// The lines of a history as JSON; none where there is no such file. What keeps it from being read is told.
fn lines(path: &Path, found: &mut PastSessions) -> Vec<Value> {
    if !disk::is_there(path) {
        return Vec::new();
    }
    match disk::read_stored(path, LIMIT) {
        Ok(bytes) => json_lines(&bytes),
        Err(why) => {
            found.pass_over(Some(path), &why);
            Vec::new()
        }
    }
}

/// `{display, pastedContents, timestamp, project, sessionId}`, the time in milliseconds.
fn of_claude_code(whose: &Owner<'_>, world: &World, found: &mut PastSessions) -> Vec<Typed> {
    let Some(home) = home(world, "CLAUDE_CONFIG_DIR", ".claude") else { return Vec::new() };
    let path = home.join(HISTORY);
    let mut owned: HashMap<String, bool> = HashMap::new();
    let mut all: BTreeMap<String, Typed> = BTreeMap::new();
    for line in lines(&path, found) {
        let text = |key: &str| line[key].as_str();
        let (Some(display), Some(cwd), Some(id)) =
            (text("display"), text("project"), text("sessionId").filter(|id| !id.is_empty()))
        else {
            continue;
        };
        let Some(time) = line["timestamp"].as_i64().and_then(DateTime::from_timestamp_millis)
        else {
            continue;
        };
        if !*owned.entry(cwd.to_owned()).or_insert_with(|| whose.owns(Path::new(cwd))) {
            continue;
        }
        let text = with_pastes(display, &line["pastedContents"], &home.join("paste-cache"));
        let new = || Typed {
            agent: Store::ClaudeCode,
            id: id.to_owned(),
            path: path.clone(),
            cwd: cwd.to_owned(),
            prompts: Vec::new(),
            is_kept: false,
        };
        let session = all.entry(id.to_owned()).or_insert_with(new);
        if is_said(&text) {
            session.prompts.push(Prompt { time, text, commits: Vec::new() });
        }
    }
    let kept = transcripts(&home.join("projects"));
    let mut all: Vec<Typed> = all.into_values().collect();
    all.retain(|it| !it.prompts.is_empty());
    for typed in &mut all {
        typed.is_kept = kept.contains(&typed.id);
    }
    all
}

/// The ids of all transcripts that Claude Code has, whosever they are.
fn transcripts(projects: &Path) -> BTreeSet<String> {
    let folders = disk::names(projects).into_iter().map(|name| projects.join(name));
    let names = folders.flat_map(|folder| disk::names(&folder));
    names.filter_map(|name| name.strip_suffix(".jsonl").map(str::to_owned)).collect()
}

/// `{session_id, ts, text}`, the time in seconds. Which folder a session was held in, Codex keeps elsewhere.
fn of_codex(whose: &Owner<'_>, world: &World, found: &mut PastSessions) -> Vec<Typed> {
    let Some(home) = home(world, "CODEX_HOME", ".codex") else { return Vec::new() };
    let path = home.join(HISTORY);
    let mut all: BTreeMap<String, Vec<Prompt>> = BTreeMap::new();
    for line in lines(&path, found) {
        let (Some(id), Some(text)) = (line["session_id"].as_str(), line["text"].as_str()) else {
            continue;
        };
        let time = line["ts"].as_i64().and_then(|ts| DateTime::from_timestamp(ts, 0));
        if let Some(time) = time.filter(|_| is_said(text)) {
            let prompt = Prompt { time, text: text.to_owned(), commits: Vec::new() };
            all.entry(id.to_owned()).or_default().push(prompt);
        }
    }
    if all.is_empty() {
        return Vec::new();
    }
    let kept = codex::rollouts(&home);
    let folders = codex::folders(world, &home);
    let mut sessions = Vec::new();
    let mut unplaced = 0;
    for (id, prompts) in all {
        let is_kept = kept.contains(&id);
        match folders.get(&id) {
            Some(cwd) if whose.owns(Path::new(cwd)) => sessions.push(Typed {
                agent: Store::Codex,
                path: path.clone(),
                cwd: cwd.clone(),
                prompts,
                is_kept,
                id,
            }),
            Some(_) => {}
            None => unplaced += usize::from(!is_kept),
        }
    }
    if unplaced > 0 {
        let sessions_of = counted(unplaced, "deleted session");
        let why = format!(
            "{sessions_of} of Codex cannot be placed: nothing tells in which project they were held"
        );
        found.passed_over.push(crate::plan::Note::remark(path.display().to_string(), why));
    }
    sessions
}

/// Whether a prompt is words: no command without arguments, and nothing for a shell.
fn is_said(text: &str) -> bool {
    let text = text.trim();
    let is_command = text.strip_prefix('/').is_some_and(|name| {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
        !name.is_empty() && name.chars().all(is_name)
    });
    !text.is_empty() && !is_command && !text.starts_with('!')
}

/// A prompt with what was pasted in the place of `[Pasted text #1 +12 lines]`, as the transcript has it, where that is
/// still there.
fn with_pastes(display: &str, pasted: &Value, cache: &Path) -> String {
    let Some(pasted) = pasted.as_object() else { return display.to_owned() };
    let mut out = String::with_capacity(display.len());
    let mut rest = display;
    while let Some(at) = rest.find('[') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let pasted = placeholder(from).and_then(|(id, length)| {
            let paste = pasted.get(id).filter(|it| it["type"] == "text")?;
            Some((content(paste, cache)?, length))
        });
        if let Some((text, length)) = pasted {
            out.push_str(&text);
            rest = &from[length..];
        } else {
            out.push('[');
            rest = &from[1..];
        }
    }
    out.push_str(rest);
    out
}

/// The number of a placeholder that a text begins with, and its length in bytes.
fn placeholder(text: &str) -> Option<(&str, usize)> {
    let begins = ["[Pasted text #", "[...Truncated text #"];
    let rest = begins.iter().find_map(|begin| text.strip_prefix(begin))?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let end = text.find(']')? + 1;
    (digits > 0 && end < 80).then(|| (&rest[..digits], end))
}

/// What was pasted: beside the prompt, or in a file that is called by its hash.
fn content(paste: &Value, cache: &Path) -> Option<String> {
    if let Some(text) = paste["content"].as_str() {
        return Some(text.to_owned());
    }
    let hash = paste["contentHash"].as_str()?;
    let is_hash = hash.len() == 16 && hash.bytes().all(|it| it.is_ascii_hexdigit());
    let path = is_hash.then(|| cache.join(format!("{hash}.txt")))?;
    disk::read_stored(&path, PASTE).ok().map(|bytes| lossy(&bytes).into_owned())
}

/// What the session is called: its first prompt with a few words, as far as there is room.
fn title(prompts: &[Prompt]) -> String {
    let first_line = |prompt: &Prompt| prompt.text.trim().lines().next().map(str::to_owned);
    let lines: Vec<String> = prompts.iter().filter_map(first_line).collect();
    let line = lines.iter().find(|line| line.split_whitespace().count() > 2).or(lines.first());
    let mut title = String::new();
    for word in line.map(String::as_str).unwrap_or_default().split_whitespace() {
        if title.chars().count() + word.chars().count() >= TITLE {
            title.push('…');
            break;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
    }
    format!("{title} {PROMPTS_ONLY}").trim_start().to_owned()
}

/// The session as Claude Code would have written it, a record for each prompt. Commits are there as git prints them.
fn records(typed: &Typed) -> Vec<String> {
    let record = |prompt: &Prompt| {
        let mut content = vec![json!({"type": "text", "text": prompt.text})];
        if !prompt.commits.is_empty() {
            let named = |(hash, subject): &(String, String)| format!("[git {hash}] {subject}");
            let named: Vec<String> = prompt.commits.iter().map(named).collect();
            let printed =
                format!("{}\n {} changed", named.join("\n"), counted(named.len(), "commit"));
            content.push(json!({"type": "tool_result", "content": printed}));
        }
        json!({
            "type": "user",
            "sessionId": typed.id,
            "timestamp": prompt.time.to_rfc3339_opts(SecondsFormat::Millis, true),
            "cwd": typed.cwd,
            "message": {"role": "user", "content": content},
        })
        .to_string()
    };
    typed.prompts.iter().map(record).collect()
}

/// Puts each commit of this user below the last prompt before it on its day, else the first one after it.
fn add_commits(all: &mut [Typed], root: &Path, world: &World, local: &LocalTime) {
    let mut prompts: Vec<&mut Prompt> = all.iter_mut().flat_map(|it| &mut it.prompts).collect();
    if prompts.is_empty() {
        return;
    }
    prompts.sort_by_key(|prompt| prompt.time);
    let day = |time: DateTime<Utc>| local(time).date();
    let days: Vec<NaiveDate> = prompts.iter().map(|prompt| day(prompt.time)).collect();
    for (time, hash, subject) in commits(root, world) {
        let today = day(time);
        let (first, end) =
            (days.partition_point(|day| *day < today), days.partition_point(|day| *day <= today));
        if first == end {
            continue;
        }
        let before = prompts[first..end].partition_point(|prompt| prompt.time <= time);
        prompts[first + before.saturating_sub(1)].commits.push((hash, subject));
    }
}

/// The commits of this user in the project's git log, oldest first; none without git.
fn commits(root: &Path, world: &World) -> Vec<(DateTime<Utc>, String, String)> {
    // Git's own folder, where the memory of a private project is, has no work tree.
    let folder = crate::project::shown(root);
    let git = |arguments: &[&str]| {
        let output = git_program::output(world, &folder, arguments).ok()?;
        Some(lossy(&output).trim_end().to_owned())
    };
    let Some(email) = git(&["config", "user.email"]).filter(|email| !email.is_empty()) else {
        return Vec::new();
    };
    let author = format!("--author={email}");
    let wanted = ["--no-merges", "--reverse", "--fixed-strings", "--format=%at %h %s", &author];
    let arguments = [&["log"][..], &wanted, &["--", "."]].concat();
    let log = git(&arguments).unwrap_or_default();
    let commit = |line: &str| {
        let mut parts = line.splitn(3, ' ');
        let time = DateTime::from_timestamp(parts.next()?.parse().ok()?, 0)?;
        Some((time, parts.next()?.to_owned(), parts.next()?.to_owned()))
    };
    let mut commits: Vec<_> = log.lines().filter_map(commit).collect();
    commits.sort_by_key(|(time, ..)| *time);
    commits
}

/// The logs of a memory, to find words in that were captured under another session.
struct ByDay(Option<Memory>);

impl ByDay {
    fn new(root: &Path) -> Self {
        Self(Memory::open(root).ok().flatten())
    }

    /// Whether logs of its days have half of the prompts or more, by their first lines. A short line tells nothing.
    fn have(&self, typed: &Typed, local: &LocalTime) -> bool {
        let Some(memory) = &self.0 else { return false };
        let mut logs: HashMap<NaiveDate, String> = HashMap::new();
        let first = |text: &str| text.trim().lines().next().unwrap_or_default().to_owned();
        let (mut telling, mut here) = (0_usize, 0_usize);
        for prompt in &typed.prompts {
            let line = first(&prompt.text);
            if line.len() < TELLING {
                continue;
            }
            let day = local(prompt.time).date();
            let log =
                logs.entry(day).or_insert_with(|| memory.folder().text(&layout::log_name(day)));
            telling += 1;
            here += usize::from(log.contains(&line));
        }
        here > 0 && here * 2 >= telling
    }
}

fn name_of(store: Store) -> &'static str {
    crate::platform::by_id(id_of(store)).map_or("", |row| row.name)
}

/// The folder of each session that Codex has in a table.
pub(super) fn threads(state: &Path) -> Result<HashMap<String, String>, StoreError> {
    disk::read_database(state, |database| {
        let mut folders = HashMap::new();
        if database.has("threads", &["id", "cwd"]) {
            database.rows("threads", &mut |row| {
                let text = |name: &str| row.text(name).map(std::borrow::Cow::into_owned);
                folders.extend(text("id").zip(text("cwd")));
                ControlFlow::Continue(())
            })?;
        }
        Ok(folders)
    })
}
