//! The sentences of a section that answer a question.

use super::collect::Only;
use super::query::Query;
use super::rank::Rarity;
use super::terms::MOST;
use super::voice::{Voice, Voices};
use crate::markdown::fence;
use crate::memory::tokens::{Cost, cost};

/// Sentences longer than this are cut at a clause.
const LONG: Cost = Cost::tokens(45);

/// What is shown of a section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// the sentences in their order, ` … ` where something is left out
    pub(super) text: String,
    /// the byte of the section where the best of them stands
    pub(super) at: usize,
}

struct Sentence {
    at: usize,
    text: String,
    voice: Voice,
    code: bool,
    cost: Cost,
    terms: Vec<u8>,
    score: f32,
    /// a person's turn and the replies to it
    exchange: usize,
}

fn g(name: &str, default: f32) -> f32 {
    #[allow(clippy::disallowed_methods)]
    std::env::var(format!("W_{name}")).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// Chooses sentences that cost at most `budget`.
pub(super) fn choose(
    section: &str,
    query: &Query,
    rarity: &Rarity,
    only: Only,
    budget: Cost,
) -> Excerpt {
    let mut sentences = split(section, only);
    for sentence in &mut sentences {
        query.matcher.find(&sentence.text, &mut |hit| {
            if !sentence.terms.contains(&hit.term) {
                sentence.terms.push(hit.term);
            }
        });
    }
    weigh(&mut sentences, rarity);
    let picked = pick(&sentences, rarity, budget);
    join(&sentences, &picked)
}

/// What a sentence is worth: its own terms, those around it, those of the question that it replies to. What only announces
/// the next step is worth less, and so is code.
fn weigh(sentences: &mut [Sentence], rarity: &Rarity) {
    let total = rarity.total().max(f32::MIN_POSITIVE);
    let share = |terms: &mut dyn Iterator<Item = u8>| {
        let mut seen = [false; MOST];
        terms.for_each(|term| seen[usize::from(term)] = true);
        let seen = seen.iter().zip(rarity.chunk).filter(|(seen, _)| **seen);
        seen.map(|(_, weight)| weight).sum::<f32>() / total
    };
    let own: Vec<f32> =
        sentences.iter().map(|sentence| share(&mut sentence.terms.iter().copied())).collect();
    // What each exchange has, and what its question has.
    let exchanges = sentences.last().map_or(0, |last| last.exchange + 1);
    let mut asked = vec![0.0_f32; exchanges];
    for (sentence, own) in sentences.iter().zip(&own) {
        if sentence.voice == Voice::User {
            asked[sentence.exchange] = asked[sentence.exchange].max(*own);
        }
    }
    let mut whole = vec![0.0_f32; exchanges];
    for exchange in sentences.chunk_by(|a, b| a.exchange == b.exchange) {
        let mut terms = exchange.iter().flat_map(|sentence| sentence.terms.iter().copied());
        whole[exchange[0].exchange] = share(&mut terms);
    }
    let around = |index: usize, by: isize| {
        index.checked_add_signed(by).and_then(|index| own.get(index)).copied().unwrap_or(0.0)
    };
    let w = [g("XOWN", 1.3), g("XB1", 0.35), g("XA1", 0.5), g("XB2", 0.25), g("XA2", 0.2), g("XUCOV", 0.3), g("XWIN", 0.1), g("XEX", 0.05), g("XNARR", 0.3), g("XCODE", 0.4)];
    for (index, sentence) in sentences.iter_mut().enumerate() {
        let wide: f32 = (-4..=4).map(|by| around(index, by)).sum();
        sentence.score = w[0] * own[index]
            + w[1] * around(index, -1)
            + w[2] * around(index, 1)
            + w[3] * around(index, -2)
            + w[4] * around(index, 2)
            + w[5] * asked[sentence.exchange]
            + w[6] * wide
            + w[7] * whole[sentence.exchange]
            - if announces(&sentence.text) { w[8] } else { 0.0 }
            - if sentence.code { w[9] } else { 0.0 };
    }
}

/// Whether a sentence only says what comes next: `Let me look at the tests:`.
fn announces(text: &str) -> bool {
    const BEGINNINGS: [&str; 32] = [
        "let me", "now let me", "let's see", "let's look", "let's check", "now i", "i'll", "i will", "i'm going", "next,", "now ", "first, let", "good.", "good,", "good!",
        "perfect", "great", "ok,", "ok.", "okay", "alright", "time to", "going to", "checking", "looking", "running", "reading",
        "sure", "you're right", "got it", "excellent", "done.",
    ];
    let start: String = text.chars().take(16).flat_map(char::to_lowercase).collect();
    text.ends_with(':') || BEGINNINGS.iter().any(|beginning| start.starts_with(beginning))
}

/// Takes the most valuable sentence for its price, again and again; what was said already counts less.
fn pick(sentences: &[Sentence], rarity: &Rarity, budget: Cost) -> Vec<usize> {
    let (again, price_p, far, floor) = (g("XSEEN", 0.5), g("XPRICE", 0.3), g("XFAR", 0.01), g("XFLOOR", 14.0));
    let total = rarity.total().max(f32::MIN_POSITIVE);
    let mut left = budget;
    let mut picked: Vec<usize> = Vec::new();
    let mut covered = [false; MOST];
    let price = |index: usize| {
        #[expect(clippy::cast_precision_loss, reason = "a price")]
        let tokens = sentences[index].cost.0 as f32 / 100.0;
        tokens.max(floor).powf(price_p)
    };
    // Only the best can be picked; looking at all of them again and again would take too long in a long section.
    let value = |index: &usize| sentences[*index].score / price(*index);
    let mut open: Vec<usize> = (0..sentences.len()).filter(|at| sentences[*at].score > 0.0).collect();
    open.sort_by(|a, b| value(b).total_cmp(&value(a)).then(a.cmp(b)));
    open.truncate(120);
    loop {
        let worth = |index: usize| {
            let sentence = &sentences[index];
            let known = sentence.terms.iter().filter(|term| covered[usize::from(**term)]);
            let old: f32 = known.map(|term| rarity.chunk[usize::from(*term)]).sum();
            #[expect(clippy::cast_precision_loss, reason = "a distance")]
            let distance = picked.first().map_or(0.0, |first| first.abs_diff(index) as f32);
            (sentence.score - again * old / total) / price(index) / (1.0 + far * distance)
        };
        let fits = open.iter().copied().filter(|index| sentences[*index].cost <= left);
        let best = fits.max_by(|a, b| worth(*a).total_cmp(&worth(*b)).then(b.cmp(a)));
        let Some(best) = best.filter(|best| picked.is_empty() || worth(*best) > 0.0) else { break };
        left = left - sentences[best].cost;
        for term in &sentences[best].terms {
            covered[usize::from(*term)] = true;
        }
        open.retain(|index| *index != best);
        picked.push(best);
    }
    picked
}

fn join(sentences: &[Sentence], picked: &[usize]) -> Excerpt {
    let at = picked.first().map_or(0, |first| sentences[*first].at);
    let mut order = picked.to_vec();
    order.sort_unstable();
    let mut text = String::new();
    let mut last: Option<usize> = None;
    for index in order {
        match last {
            Some(last) if last + 1 == index => text.push(' '),
            Some(_) => text.push_str(" … "),
            None => {}
        }
        text.push_str(&sentences[index].text);
        last = Some(index);
    }
    Excerpt { text, at }
}

/// The sentences of a section, the heading left out.
fn split(section: &str, only: Only) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let code = fence::code_lines(section);
    let mut voices = Voices::new();
    let mut from = 0;
    let mut exchange = 0;
    for (number, end) in memchr::memchr_iter(b'\n', section.as_bytes()).chain([section.len()]).enumerate() {
        let line = &section[from..end];
        let (voice, words) = voices.line(line);
        let is_title = from == 0 && line.starts_with('#');
        let code = code.get(number).copied().unwrap_or(false);
        exchange += usize::from(words > 0 && voice == Voice::User);
        if voice != Voice::Nobody && !is_title && only.hears(voice) {
            for (at, text) in in_line(&line[words..]) {
                let text = plain(text);
                if text.chars().any(char::is_alphanumeric) {
                    let cost = cost(&text) + Cost(30);
                    let at = from + words + at;
                    sentences.push(Sentence { at, text, voice, code, cost, terms: Vec::new(), score: 0.0, exchange });
                }
            }
        }
        from = end + 1;
    }
    sentences
}

/// The sentences of a line, long ones in clauses, and where they begin.
fn in_line(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut letters = line.char_indices().peekable();
    let mut price_from = 0;
    while let Some((at, letter)) = letters.next() {
        let end = at + letter.len_utf8();
        let spaced = letters.peek().is_none_or(|(_, next)| next.is_whitespace());
        let stop = matches!(letter, '。' | '！' | '？') || (spaced && matches!(letter, '.' | '!' | '?' | '…'));
        let clause = spaced && matches!(letter, ',' | ';' | ':' | '—' | ')') || matches!(letter, '、' | '，');
        let long = clause && end - price_from > 90 && cost(&line[from..end]) > LONG;
        let endless = end - from > 400 && letter.is_whitespace();
        if stop || long || endless {
            found.push((from, &line[from..end]));
            from = end;
            price_from = end;
        }
    }
    found.push((from, &line[from..]));
    found.retain(|(_, text)| !text.trim().is_empty());
    found
}

/// A sentence without the marks of its markup, which cost a token each and say nothing here.
fn plain(text: &str) -> String {
    let text = text.trim().trim_start_matches(['#', '-', '*', '>', '|', '+', ' ']).trim_end_matches(['|', ' ', '*']);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '`' => {}
            '*' if rest.peek() == Some(&'*') => {
                rest.next();
            }
            '|' => out.push(' '),
            c if c.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    out.trim().to_owned()
}
