//! The sentences of a section that answer a question.

use super::collect::Only;
use super::query::Query;
use super::rank::Rarity;
use super::terms::MOST;
use super::voice::{Voice, Voices};
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
    cost: Cost,
    terms: Vec<u8>,
    score: f32,
    turn: usize,
}

fn g(name: &str, default: f32) -> f32 {
    #[allow(clippy::disallowed_methods)]
    std::env::var(format!("W_{name}")).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// Chooses sentences that cost at most `budget`.
pub(super) fn choose(section: &str, query: &Query, rarity: &Rarity, only: Only, budget: Cost) -> Excerpt {
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

/// What a sentence is worth: its own terms, those of its neighbours, the question it replies to, words that conclude.
fn weigh(sentences: &mut [Sentence], rarity: &Rarity) {
    let own: Vec<f32> = sentences
        .iter()
        .map(|sentence| sentence.terms.iter().map(|term| rarity.chunk[usize::from(*term)]).sum())
        .collect();
    let at = |index: usize, by: isize| {
        index.checked_add_signed(by).and_then(|index| own.get(index)).copied().unwrap_or(0.0)
    };
    let (n1, n2, asked_w, cue) = (g("N1", 0.5), g("N2", 0.25), g("XASKED", 0.3), g("CUE", 0.3));
    let mut asked = 0.0_f32;
    let mut turn = usize::MAX;
    let mut depth = 0;
    for index in 0..sentences.len() {
        let (before, rest) = sentences.split_at_mut(index);
        let sentence = &mut rest[0];
        if sentence.turn != turn {
            turn = sentence.turn;
            depth = 0;
            if sentence.voice == Voice::User {
                asked = 0.0;
            }
        }
        if sentence.voice == Voice::User {
            asked = asked.max(own[index]);
        }
        let mut score = own[index]
            + n1 * (at(index, -1) + at(index, 1))
            + n2 * (at(index, -2) + at(index, 2));
        if sentence.voice == Voice::Agent {
            #[expect(clippy::cast_precision_loss, reason = "a handful")]
            let decay = 1.0 / (1.0 + 0.1 * depth as f32);
            score += asked_w * asked * decay;
        }
        if concludes(&sentence.text) {
            score *= 1.0 + cue;
        }
        let _ = before;
        sentence.score = score;
        depth += 1;
    }
}

/// Words with which a reply comes to its point.
fn concludes(text: &str) -> bool {
    const CUES: [&str; 26] = [
        "because", "root cause", "the issue", "the problem", "fixed", "decided", "decision", "instead", "so that", "therefore",
        "now ", "should", "must", "only", "will ", "caused", "chose", "agreed", "→", "왜냐하면", "결정", "때문에", "потому",
        "решили", "причина", "weil",
    ];
    let lower = text.to_lowercase();
    CUES.iter().any(|cue| lower.contains(cue))
}

/// Takes the most valuable sentence for its price, again and again; what was said already counts less.
fn pick(sentences: &[Sentence], rarity: &Rarity, budget: Cost) -> Vec<usize> {
    let (seen_w, price_p, far) = (g("SEEN", 0.5), g("PRICE", 0.5), g("FAR", 0.02));
    let mut left = budget;
    let mut picked: Vec<usize> = Vec::new();
    let mut covered = [false; MOST];
    let mut open: Vec<usize> = (0..sentences.len()).collect();
    // Only the best can be picked; looking at all of them again and again would take too long in a long section.
    open.sort_by(|a, b| sentences[*b].score.total_cmp(&sentences[*a].score).then(a.cmp(b)));
    open.truncate(200);
    let mut anchor = None;
    loop {
        let worth = |index: usize| {
            let sentence = &sentences[index];
            let old: f32 = sentence
                .terms
                .iter()
                .filter(|term| covered[usize::from(**term)])
                .map(|term| rarity.chunk[usize::from(*term)])
                .sum();
            #[expect(clippy::cast_precision_loss, reason = "a price")]
            let price = (sentence.cost.0.max(800) as f32 / 100.0).powf(price_p);
            #[expect(clippy::cast_precision_loss, reason = "a distance")]
            let distance = anchor.map_or(0.0, |anchor: usize| anchor.abs_diff(index) as f32);
            (sentence.score - seen_w * old) / price / (1.0 + far * distance)
        };
        let best = open
            .iter()
            .copied()
            .filter(|index| sentences[*index].cost <= left)
            .max_by(|a, b| worth(*a).total_cmp(&worth(*b)).then(b.cmp(a)));
        let Some(best) = best.filter(|best| worth(*best) > 0.0) else { break };
        anchor.get_or_insert(best);
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
    let mut voices = Voices::new();
    let mut from = 0;
    let mut turn = 0;
    let mut last = None;
    for end in memchr::memchr_iter(b'\n', section.as_bytes()).chain([section.len()]) {
        let line = &section[from..end];
        let (voice, words) = voices.line(line);
        let is_title = from == 0 && line.starts_with('#');
        if words > 0 && voice != Voice::Nobody || last != Some(voice) {
            turn += 1;
        }
        last = Some(voice);
        if voice != Voice::Nobody && !is_title && only.hears(voice) {
            for (at, text) in in_line(&line[words..]) {
                let text = plain(text);
                if text.chars().any(char::is_alphanumeric) {
                    let cost = cost(&text) + Cost(50);
                    sentences.push(Sentence { at: from + words + at, text, voice, cost, terms: Vec::new(), score: 0.0, turn });
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
