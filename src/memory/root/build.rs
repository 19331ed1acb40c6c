//! Fills the four sections of ROOT.md.

use super::active::Active;
use super::board::Board;
use super::patterns::Patterns;
use super::subjects::Subjects;
use super::{gaps, history, index, lines, user_topics};
use crate::memory::tokens::{Cost, cost};

/// What the machine has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RootText {
    /// the file without its head
    pub(super) body: String,
    /// topics that stand on some line
    pub(super) shown: usize,
    /// topics that stand on none
    pub(super) not_shown: usize,
}

/// Shares of the page in percent.
const ACTIVE: u32 = 12;
const PATTERNS: u32 = 3;
/// of Recent Patterns for what holds for all times
const RULES: u32 = 22;
/// of the Topics Index, for sections that have a topic, and for those that have none
const TOPICS: u32 = 25;
const WORDS: u32 = 2;

/// What is to be written.
#[derive(Clone, Copy)]
pub(super) struct Order {
    pub(super) cap: Cost,
    /// what of the cap the head will take
    pub(super) head: Cost,
    /// whether the machine has an Active Context: what has no line there has one elsewhere
    pub(super) active: bool,
}

/// Writes ROOT.md without its head. A function of the logs, the day of their ages and the order alone.
pub(super) fn build(subjects: &Subjects<'_>, order: Order) -> RootText {
    let Order { cap, head, active: has_active } = order;
    let skeleton = compose(&[], &[], &[], &[], 999_999_999);
    let page = cap - head - cost(&skeleton);
    let mut board = Board::new(subjects, page);
    let kept = user_topics::lines(&mut board);
    let page = board.left.min(page);
    let mut active = Active::new(&board);
    if has_active {
        active.fill(&mut board, page.share(ACTIVE));
    }
    let mut patterns = Patterns::default();
    patterns.keep_rules(&mut board, page.share(RULES));
    patterns.fill(&mut board, page.share(PATTERNS));
    let mut index = index::TopicsIndex::new(&board);
    let share = index_share(subjects);
    let mut topics = kept;
    topics.extend(index.fill(&mut board, page.share(share)));
    let (mut history, gap) = told(&mut board, cap);
    let left = board.left;
    topics.extend(index.fill(&mut board, left));
    if has_active {
        let left = board.left;
        active.fill(&mut board, left);
    }
    let left = board.left;
    patterns.keep_rules(&mut board, left);
    let left = board.left;
    patterns.fill(&mut board, left);
    // Whatever has no line by now gets none.
    let line = gaps::line(&board);
    if let Some(line) = line.filter(|line| cost(line) + cost("\n") <= board.left + gap) {
        history.push(line);
    }
    let not_shown = board.not_shown();
    let body = compose(&active.lines(), &patterns.lines, &history, &topics, not_shown);
    RootText { shown: subjects.topics.len() - not_shown, not_shown, body }
}

/// The lines of the summary, and what is kept for one that names the days without a line: nothing where each has one.
fn told(board: &mut Board<'_, '_>, cap: Cost) -> (Vec<String>, Cost) {
    let gap = gaps::reserve().min(board.left);
    let mut kept = Cost::default();
    let mut sayings = history::Sayings::new();
    loop {
        let mut page = board.clone();
        page.left = page.left - kept;
        let lines = history::lines(&mut page, cap, gap - kept, &mut sayings);
        if kept == gap || gaps::line(&page).is_none() {
            *board = page;
            return (lines, kept);
        }
        kept = gap;
    }
}

/// A session without a topic has little to index but its words, and those cost less in the summary: the more
/// recent sections have topics, the larger the index.
fn index_share(subjects: &Subjects<'_>) -> u32 {
    WORDS + (TOPICS - WORDS) * subjects.titled_percent() / 100
}

fn compose(
    active: &[String],
    patterns: &[String],
    history: &[String],
    topics: &[String],
    not_shown: usize,
) -> String {
    let mut body = String::new();
    let sections = [
        (lines::ACTIVE, active),
        (lines::PATTERNS, patterns),
        (lines::HISTORY, history),
        (lines::INDEX, topics),
    ];
    for (heading, section) in sections {
        if !body.is_empty() {
            body.push('\n');
        }
        body.push_str(heading);
        body.push('\n');
        for line in section {
            body.push_str(line);
            body.push('\n');
        }
    }
    if let Some(line) = lines::not_shown(not_shown) {
        body.push('\n');
        body.push_str(&line);
        body.push('\n');
    }
    body
}
