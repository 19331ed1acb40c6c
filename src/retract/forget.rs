//! What `forget` is going to do, as a value: the tombstones, what every file becomes, and what it only names.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use chrono::NaiveDate;

use super::contents::Contents;
use super::cut::{self, Gone, GoneKind, Selection};
use super::in_merges;
use super::literal_words::LiteralWords;
use super::nodes::{self, NodeChange, NodeSelection};
use super::records::{self, GoneTurns};
use super::retraction::{Retraction, ToStep};
use super::rows::{beginnings, said, told};
use super::traces::{TextCut, Traces};
use crate::Problem;
use crate::capture::already_logged::SHIFT;
use crate::capture::block;
use crate::import::kept_by_agents::FoundConversation;
use crate::layout;
use crate::meaning::page::mirror::section;
use crate::meaning::page::owner::is_programs;
use crate::memory::forgotten::{Forgotten, ForgottenId};
use crate::memory::frontmatter::Document;
use crate::memory::period::Period;
use crate::plan::{Change, Step, hash};
use crate::text::counted;

/// What somebody wants to have forgotten.
#[derive(Debug, Clone)]
pub(crate) enum ForgetTarget {
    Day(NaiveDate),
    /// all of a session, by its name in markers
    Session(String),
    /// every turn and entry that says this
    Words(LiteralWords),
    /// what was forgotten before and is there again
    Again(Forgotten),
}

/// Plans it. `found` are sessions that are still there; `tombstones` are those that there are, under a new salt.
pub(crate) fn plan(
    contents: &Contents<'_>,
    what: &ForgetTarget,
    found: &[FoundConversation],
    tombstones: Forgotten,
) -> Result<Retraction, Problem> {
    let sessions = match what {
        ForgetTarget::Session(name) => std::slice::from_ref(name),
        _ => &[],
    };
    let mut planner = Planner {
        contents,
        what,
        sessions,
        out: Retraction { tombstones, ..Retraction::default() },
    };
    let gone = planner.logs()?;
    let telling = planner.telling(&gone)?;
    planner.texts(&telling)?;
    planner.nodes(&telling)?;
    planner.backups(&gone)?;
    planner.tombstones(&gone, found);
    planner.name(&telling);
    Ok(planner.out)
}

struct Planner<'p, 'a> {
    contents: &'p Contents<'a>,
    what: &'p ForgetTarget,
    sessions: &'p [String],
    out: Retraction,
}

/// What goes, by day.
type ByDay = BTreeMap<NaiveDate, Vec<Gone>>;

impl<'p> Planner<'p, '_> {
    /// What goes of the log, the backup or the node of a day.
    fn goes(&self, day: NaiveDate) -> Option<Selection<'p>> {
        match self.what {
            ForgetTarget::Day(gone) => (*gone == day).then_some(Selection::All),
            ForgetTarget::Session(_) => Some(Selection::Sessions(self.sessions)),
            ForgetTarget::Words(words) => Some(Selection::Words(words)),
            ForgetTarget::Again(forgotten) => Some(Selection::Buried(forgotten)),
        }
    }

    fn words(&self) -> Option<&'p LiteralWords> {
        match self.what {
            ForgetTarget::Words(words) => Some(words),
            _ => None,
        }
    }

    fn day(&self) -> Option<NaiveDate> {
        match self.what {
            ForgetTarget::Day(day) => Some(*day),
            _ => None,
        }
    }

    /// Cuts the logs, and tells what goes of them, and of daily nodes that are their last copies.
    fn logs(&mut self) -> Result<ByDay, Problem> {
        let mut gone = ByDay::new();
        for (day, path) in &self.contents.logs {
            let Some(goes) = self.goes(*day) else { continue };
            let log = self.contents.read(path)?;
            let shared = self.contents.project.config.share;
            let cut = if shared { in_merges::cut } else { cut::cut }(&log, *day, goes);
            let is_all = matches!(self.what, ForgetTarget::Day(_));
            // What clones share is left empty, and says nothing any more.
            let is_done = shared && log.trim_ascii().is_empty();
            if cut.is_none() && (!is_all || is_done) {
                continue;
            }
            let (rest, gone_here) = cut.map_or_else(Default::default, |cut| (cut.bytes, cut.gone));
            let was = hash(&log);
            // A file that one clone removes and another one goes on with is a conflict of git's.
            let change = if rest.trim_ascii().is_empty() && !shared {
                Change::Delete { was }
            } else {
                Change::Replace { was, with: rest }
            };
            self.out.row(path, said(&gone_here), beginnings(&gone_here));
            self.out.logs.steps.push(Step::to_log(path, change, "forgotten").private(true));
            self.out.days.insert(*day);
            gone.entry(*day).or_default().extend(gone_here);
        }
        for (period, path) in &self.contents.nodes {
            let Some(Period::Day(day)) = period else { continue };
            let Some(goes) = self.goes(*day) else { continue };
            let file = self.contents.read(path)?;
            let is_copy = crate::memory::node::NodeFacts::of(&file).is_as_written();
            if is_copy && !nodes::is_remade(&file, &|path| self.contents.has(path)) {
                gone.entry(*day).or_default().extend(nodes::gone(&file, *day, goes));
            }
        }
        gone.retain(|_, gone| !gone.is_empty());
        Ok(gone)
    }

    /// What mentions it in texts of others.
    fn telling(&self, gone: &ByDay) -> Result<Traces<'p>, Problem> {
        let mut telling = Traces::new(self.words(), self.day(), self.sessions);
        gone.values().flatten().for_each(|gone| telling.goes(gone));
        for (_, path) in &self.contents.logs {
            let left = self.out.logs.steps.iter().find(|step| step.path == *path);
            match left.map(|step| &step.change) {
                None => telling.stays(&self.contents.read(path)?),
                Some(Change::Replace { with, .. }) => telling.stays(with),
                Some(_) => {}
            }
        }
        Ok(telling)
    }

    /// Hot files, ROOT.md and its copies, our part of MEMORY.md.
    fn texts(&mut self, telling: &Traces<'_>) -> Result<(), Problem> {
        for (path, _) in layout::HOT_FILES {
            let Some(text) = self.contents.read_if_there(path)? else { continue };
            if let Some(cut) = telling.cut(&text, 0..text.len()) {
                self.lines(path, &text, cut, Step::to_users_file);
            }
        }
        for path in self.contents.copies.clone() {
            let text = self.contents.read(&path)?;
            if let Some(cut) = telling.cut(&text, 0..text.len()) {
                self.lines(&path, &text, cut, Step::to_log);
            }
        }
        let root = layout::root_path();
        if let Some(text) = self.contents.read_if_there(&root)? {
            let body = Document::parse(&text).above_body().len();
            let cut = telling.cut(&text, body..text.len());
            match cut {
                Some(cut) if is_programs(&text) => {
                    self.out.row(&root, "written anew".to_owned(), told(&cut));
                }
                Some(cut) => self.lines(&root, &text, cut, Step::to_users_file),
                None => {}
            }
        }
        if let Some(text) = self.contents.read_if_there(layout::MEMORY_MD)? {
            let part = section(&text).ok().flatten();
            if let Some(cut) = part.and_then(|part| telling.cut(&text, part)) {
                self.lines(layout::MEMORY_MD, &text, cut, Step::to_users_file);
            }
        }
        let log = layout::in_memory(layout::LOG);
        if let Some(text) = self.contents.read_if_there(&log)? {
            // Its first line makes it ours.
            let from = memchr::memchr(b'\n', &text).map_or(text.len(), |at| at + 1);
            if let Some(cut) = telling.cut(&text, from..text.len()) {
                self.lines(&log, &text, cut, Step::to_log);
            }
        }
        Ok(())
    }

    fn lines(&mut self, path: &str, text: &[u8], cut: TextCut, step: ToStep) {
        self.out.row(path, counted(cut.lines.len(), "line"), told(&cut));
        self.out.replace(path, text, cut.bytes, (step, "lines that say it"));
    }

    fn nodes(&mut self, telling: &Traces<'_>) -> Result<(), Problem> {
        let contents = self.contents;
        let shared = contents.project.config.share;
        let has = |path: &str| contents.has(path);
        for (period, path) in &contents.nodes {
            let file = contents.read(path)?;
            if shared && file.is_empty() {
                continue;
            }
            // A day goes as a whole, and nothing of the text of another one by its place.
            let goes = match self.what {
                ForgetTarget::Day(_) | ForgetTarget::Again(_) => Selection::Sessions(&[]),
                ForgetTarget::Session(_) => Selection::Sessions(self.sessions),
                ForgetTarget::Words(words) => Selection::Words(words),
            };
            let ask = NodeSelection { goes, day: self.day(), telling };
            // Days come before what lies above them, so one whose node alone is left is known by now.
            let touched = self.out.touches(*period);
            let becomes = nodes::without(&file, *period, &ask);
            let is_remade = nodes::is_remade(&file, &has);
            let was = hash(&file);
            let goes_whole = match &becomes {
                _ if is_remade && (touched || becomes.is_some()) => Some("to be made again"),
                Some(NodeChange::Removed) => Some("forgotten"),
                _ => None,
            };
            let (change, why) = match (goes_whole, &becomes) {
                (Some(why), _) => (nodes::emptied(was, shared), why),
                (None, Some(NodeChange::Shorter { file, lines })) => {
                    let says = lines.iter().map(|(number, line)| format!("{number}: {line}"));
                    self.out.row(path, counted(lines.len(), "line"), says.collect());
                    (Change::Replace { was, with: file.clone() }, "forgotten")
                }
                (None, _) => {
                    if touched && !crate::memory::node::NodeFacts::of(&file).is_as_written() {
                        self.out.in_other_words.push(path.clone());
                    }
                    continue;
                }
            };
            if goes_whole.is_some() {
                let is_gone = !is_remade || matches!(becomes, Some(NodeChange::Removed));
                self.out.row(
                    path,
                    if is_gone { "removed" } else { "made again" }.to_owned(),
                    vec![],
                );
            } else if !crate::memory::node::NodeFacts::of(&file).is_as_written() {
                self.out.in_other_words.push(path.clone());
            }
            self.out.make_again(*period, contents);
            self.out.before.steps.push(Step::new(path, change, why).synced().private(true));
        }
        Ok(())
    }

    fn backups(&mut self, gone: &ByDay) -> Result<(), Problem> {
        // A session past midnight has its records under the day it began, as its turns.
        for (day, path) in &self.contents.backups {
            let Some(goes) = self.goes(*day) else { continue };
            let backup = self.contents.read(path)?;
            let turns = GoneTurns::of(gone.get(day).into_iter().flatten());
            let Some(cut) = records::cut(&backup, goes, &turns) else {
                if let (Selection::All, true) = (goes, backup.is_empty()) {
                    let change = Change::Delete { was: hash(&backup) };
                    self.out.before.steps.push(Step::to_log(path, change, "forgotten"));
                }
                continue;
            };
            let was = hash(&backup);
            let change = if cut.bytes.is_empty() {
                Change::Delete { was }
            } else {
                Change::Replace { was, with: cut.bytes }
            };
            cut.ids.into_iter().for_each(|id| self.out.tombstones.add(id));
            for (session, time) in cut.times {
                self.said(&session, &time);
            }
            self.out.row(path, counted(cut.records, "record"), Vec::new());
            self.out.before.steps.push(Step::to_log(path, change, "forgotten").private(true));
        }
        Ok(())
    }

    /// Notes down when it was said what goes as a whole: a message may come back with another id or time, and nothing
    /// else tells it from one that is new.
    fn said(&mut self, session: &str, time: &RangeInclusive<i64>) {
        let from = match self.what {
            ForgetTarget::Session(name) if name == session => 0,
            ForgetTarget::Day(_) => time.start() - SHIFT.num_milliseconds(),
            _ => return,
        };
        self.out.tombstones.add_time(session, from..=*time.end());
    }

    /// What keeps it from coming back.
    fn tombstones(&mut self, gone: &ByDay, found: &[FoundConversation]) {
        let tombstones = &mut self.out.tombstones;
        for (day, gone) in gone.iter().flat_map(|(day, gone)| gone.iter().map(move |it| (day, it)))
        {
            gone.bury(*day, tombstones);
            if let (ForgetTarget::Words(_), GoneKind::Said { session, role }) =
                (self.what, &gone.kind)
            {
                let words = block::known_by(&gone.text);
                tombstones.add(ForgottenId::turn(session, role.seed(), &words));
            }
        }
        for FoundConversation { session, ranges, ids, time, .. } in found {
            if let Some(time) = time {
                self.said(session, time);
            }
            let tombstones = &mut self.out.tombstones;
            for range in joined(ranges) {
                tombstones.add_range(session, range);
            }
            for id in ids {
                tombstones.add(*id);
            }
        }
    }

    /// Files of others that say it.
    fn name(&mut self, telling: &Traces<'_>) {
        let mut look = |path: &str, text: &[u8], ours: Range<usize>| {
            let parts = [0..ours.start, ours.end..text.len()];
            let cuts = parts.into_iter().filter_map(|part| telling.cut(text, part));
            let lines: Vec<usize> =
                cuts.flat_map(|cut| cut.lines).map(|(number, _)| number).collect();
            if !lines.is_empty() {
                self.out.named.push((path.to_owned(), lines));
            }
        };
        let memory_md = self.contents.glance(layout::MEMORY_MD);
        let ours = section(&memory_md).ok().flatten().unwrap_or(0..0);
        look(layout::MEMORY_MD, &memory_md, ours);
        for path in &self.contents.others {
            look(path, &self.contents.glance(path), 0..0);
        }
    }
}

/// Parts of a transcript as few as can be.
fn joined(ranges: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut ranges = ranges.to_vec();
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}
