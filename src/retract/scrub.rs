//! What `scrub` is going to do: the redaction rules of today over everything that is written already.
//!
//! Twice over all of it: what any text proves to be a secret is a secret in every other one, also in those before.

use std::collections::BTreeMap;

use super::contents::Contents;
use super::nodes::is_remade;
use super::retraction::{Retraction, ToStep};
use crate::Problem;
use crate::capture::narrow::narrowed_lines;
use crate::capture::redact::{Redacted, Redactor, Remembered};
use crate::layout;
use crate::markdown::marker::marker;
use crate::meaning::page::mirror::section;
use crate::meaning::page::owner::is_programs;
use crate::memory::frontmatter::Document;
use crate::memory::last_copy;
use crate::memory::node::{NodeFacts, as_written, with_body, with_key};
use crate::plan::{Change, Step, hash};
use crate::text::{lines, lossy};

/// How many secrets each rule finds.
pub(crate) type Counts = BTreeMap<String, usize>;

/// What `scrub` does, and what it found.
pub(crate) struct Scrubbing {
    pub(crate) plan: Retraction,
    /// by rule, over all files that change
    pub(crate) counts: Counts,
    /// what was proven, to be known again
    pub(crate) known: Remembered,
}

/// Plans it. `known` is what was proven before.
pub(crate) fn plan(
    contents: &Contents<'_>,
    redactor: &Redactor,
    known: Remembered,
) -> Result<Scrubbing, Problem> {
    let mut scrubber = Scrubber {
        contents,
        redactor,
        out: Scrubbing { plan: Retraction::default(), counts: Counts::new(), known },
    };
    scrubber.learn()?;
    scrubber.logs()?;
    scrubber.texts()?;
    scrubber.nodes()?;
    Ok(scrubber.out)
}

struct Scrubber<'s, 'a> {
    contents: &'s Contents<'a>,
    redactor: &'s Redactor,
    out: Scrubbing,
}

impl Scrubber<'_, '_> {
    /// Takes note of everything that any text proves.
    fn learn(&mut self) -> Result<(), Problem> {
        let logs = self.contents.logs.iter().map(|(_, path)| (path, false));
        let all: Vec<_> =
            logs.chain(self.contents.backups.iter().map(|(_, path)| (path, true))).collect();
        for (index, (path, json)) in all.iter().enumerate() {
            crate::progress::tick(|| format!("reading file {} of {}", index + 1, all.len()));
            let bytes = self.contents.read(path)?;
            let redacted = self.redacted(&bytes, *json);
            for (value, rule) in &redacted.proven {
                self.out.known.add(value, rule);
            }
        }
        Ok(())
    }

    fn redacted<'t>(&self, text: &'t [u8], json: bool) -> Redacted<'t> {
        if json { self.redactor.redact_jsonl(text) } else { self.redactor.redact(text) }
    }

    /// A text without its secrets; `None` where there are none.
    fn clean(&self, text: &[u8], json: bool) -> Option<Vec<u8>> {
        let redacted = self.redacted(text, json);
        let hidden = self.redactor.hide(&redacted.bytes, &self.out.known);
        (*hidden != *text).then(|| hidden.into_owned())
    }

    /// The same of a log, whose marker lines are no text.
    fn clean_log(&self, log: &[u8]) -> Option<Vec<u8>> {
        let clean = self.clean(log, false)?;
        if markers(&clean) == markers(log) {
            return Some(clean);
        }
        let (mut out, mut part) = (Vec::with_capacity(log.len()), Vec::new());
        let put = |out: &mut Vec<u8>, part: &mut Vec<u8>| {
            out.extend_from_slice(&self.clean(part, false).unwrap_or_else(|| part.clone()));
            part.clear();
        };
        for line in log.split_inclusive(|byte| *byte == b'\n') {
            if marker(lossy(line).trim_end_matches('\n')).is_some() {
                put(&mut out, &mut part);
                out.extend_from_slice(line);
            } else {
                part.extend_from_slice(line);
            }
        }
        put(&mut out, &mut part);
        (out != log).then_some(out)
    }

    fn logs(&mut self) -> Result<(), Problem> {
        for (day, path) in &self.contents.logs {
            let log = self.contents.read(path)?;
            if let Some(with) = self.clean_log(&log) {
                self.count(path, &log, &with);
                let change = Change::Replace { was: hash(&log), with };
                let step = Step::to_log(path, change, "secrets").private(true);
                self.out.plan.logs.steps.push(step);
                self.out.plan.days.insert(*day);
            }
        }
        for (_, path) in &self.contents.backups {
            let backup = self.contents.read(path)?;
            let clean = self.clean(&backup, true);
            // What earlier versions kept of each record.
            let with = narrowed_lines(clean.as_deref().unwrap_or(&backup)).or(clean);
            if let Some(with) = with {
                self.file(path, &backup, with, Step::to_log);
            }
        }
        Ok(())
    }

    fn texts(&mut self) -> Result<(), Problem> {
        let log = layout::in_memory(layout::LOG);
        let copies = self.contents.copies.iter().chain([&log]).map(|path| (path.as_str(), true));
        let hot = layout::HOT_FILES.iter().map(|(path, _)| (*path, false));
        for (path, ours) in hot.chain(copies).collect::<Vec<_>>() {
            let Some(text) = self.contents.read_if_there(path)? else { continue };
            if let Some(with) = self.clean(&text, false) {
                let step: ToStep = if ours { Step::to_log } else { Step::to_users_file };
                self.file(path, &text, with, step);
            }
        }
        let root = layout::root_path();
        if let Some(text) = self.contents.read_if_there(&root)?
            && !is_programs(&text)
        {
            let head = Document::parse(&text).above_body().len();
            self.part(&root, &text, head..text.len());
        }
        if let Some(text) = self.contents.read_if_there(layout::MEMORY_MD)?
            && let Some(part) = section(&text).ok().flatten()
        {
            self.part(layout::MEMORY_MD, &text, part);
        }
        Ok(())
    }

    /// A file of which only a part is looked through.
    fn part(&mut self, path: &str, text: &[u8], part: std::ops::Range<usize>) {
        if let Some(clean) = self.clean(&text[part.clone()], false) {
            let with = [&text[..part.start], &clean, &text[part.end..]].concat();
            self.file(path, text, with, Step::to_users_file);
        }
    }

    fn nodes(&mut self) -> Result<(), Problem> {
        let contents = self.contents;
        for (period, path) in &contents.nodes {
            let file = contents.read(path)?;
            let touched = self.out.plan.touches(*period);
            let clean = self.node(&file);
            let is_remade = is_remade(&file, &|path| contents.has(path));
            if !(clean.is_some() || touched && is_remade) {
                continue;
            }
            self.out.plan.make_again(*period, contents);
            let was = hash(&file);
            let change = match clean {
                Some(with) if !is_remade => {
                    self.count(path, &file, &with);
                    Change::Replace { was, with }
                }
                _ => {
                    self.out.plan.row(path, "made again".to_owned(), Vec::new());
                    Change::Delete { was }
                }
            };
            let step = Step::new(path, change, "secrets").synced().private(true);
            self.out.plan.before.steps.push(step);
        }
        Ok(())
    }

    /// A node without its secrets; a generated one stays generated.
    fn node(&self, file: &[u8]) -> Option<Vec<u8>> {
        let document = Document::parse(file);
        let body = document.body();
        let clean = match last_copy::split(body) {
            Some((kept, below)) => {
                let text = last_copy::text(kept);
                let top = self.clean(text, false);
                let bottom = self.clean(below, false);
                (top.is_some() || bottom.is_some()).then(|| {
                    let top = top.map_or_else(|| kept.to_vec(), |text| last_copy::marked(&text));
                    [&top[..], bottom.as_deref().unwrap_or(below)].concat()
                })
            }
            None => self.clean_log(body),
        };
        let topics = document.line("topics").map(str::trim);
        let topics = topics.and_then(|topics| self.clean(topics.as_bytes(), false));
        if clean.is_none() && topics.is_none() {
            return None;
        }
        let mut out = clean.map_or_else(|| file.to_vec(), |body| with_body(file, &body));
        if topics.is_some() {
            // A mark has brackets, and a list of topics looks like one with a mark in it.
            out = with_key(&out, "topics", "[]");
        }
        if NodeFacts::of(file).is_as_written() {
            out = as_written(&out);
        }
        Some(out)
    }

    fn file(&mut self, path: &str, text: &[u8], with: Vec<u8>, step: ToStep) {
        self.count(path, text, &with);
        self.out.plan.replace(path, text, with, (step, "secrets"));
    }

    /// Counts what goes of a file, by the marks that came.
    fn count(&mut self, path: &str, before: &[u8], after: &[u8]) {
        let (old, mut new) = (marks(before), marks(after));
        for (rule, count) in old {
            let left = new.get(&rule).copied().unwrap_or(0);
            new.insert(rule, left.saturating_sub(count));
        }
        new.retain(|_, count| *count > 0);
        let what = if new.is_empty() { "narrowed".to_owned() } else { told(&new) };
        self.out.plan.row(path, what, Vec::new());
        for (rule, count) in new {
            *self.out.counts.entry(rule).or_default() += count;
        }
    }
}

fn markers(log: &[u8]) -> Vec<String> {
    let text = lossy(log);
    lines(&text).filter(|line| marker(line).is_some()).map(str::to_owned).collect()
}

/// How many marks of each rule a text has.
fn marks(text: &[u8]) -> Counts {
    let mut counts = Counts::new();
    let text = lossy(text);
    for part in text.split("[REDACTED:").skip(1) {
        let rule = part.split(']').next().unwrap_or_default();
        *counts.entry(rule.trim().to_owned()).or_default() += 1;
    }
    counts
}

/// `aws-access-key 2, jwt 1`, the most first.
pub(crate) fn told(counts: &Counts) -> String {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let each = counts.into_iter().map(|(rule, count)| format!("{rule} {count}"));
    each.collect::<Vec<_>>().join(", ")
}

/// The file that says under which rules everything was last looked through.
pub(crate) fn record(version: u64) -> Vec<u8> {
    format!("{version:016x}\n").into_bytes()
}

/// Whether what is written may hold secrets that the rules of today would find: they are other ones than those under
/// which it was looked through last, if it ever was.
pub(crate) fn is_due(record: Option<&[u8]>, version: u64) -> bool {
    let text = record.map(lossy).unwrap_or_default();
    u64::from_str_radix(text.trim(), 16).ok() != Some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_changed_since_the_last_look_are_told() {
        assert!(!is_due(Some(&record(7)), 7));
        assert!(is_due(Some(&record(6)), 7) && is_due(None, 7));
        assert!(is_due(Some(b""), 7) && is_due(Some(b"\0\0"), 7));
    }

    #[test]
    fn marks_are_counted_by_rule() {
        let counts = marks(b"[REDACTED:jwt] a [REDACTED:password][REDACTED:jwt] [REDACTED]");
        assert_eq!(told(&counts), "jwt 2, password 1");
    }
}
