//! How places are printed: for a person, an agent or a program.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;

use crate::search::{Place, Query, SearchedText, short};
use crate::status_report::screen::columns;
use crate::terminal::{Paint, print_value, safe};
use crate::world::World;

/// Lines of a place on a terminal, below the first.
const LINES: usize = 2;

/// A place that was found, and the text it is in.
pub(super) struct Hit {
    pub(super) source: SearchedText,
    pub(super) place: Place,
}

/// Results for a person or an agent: the place, which has the date, and the title on one line, each sentence below.
pub(super) fn print(found: &[Hit], query: &Query, world: &mut World) -> Result<()> {
    let paint = Paint::of(world);
    let width = world.out_is_terminal.then(|| world.columns.unwrap_or(80));
    // Where a terminal ends, the best one stands last.
    let found: Vec<&Hit> =
        if width.is_some() { found.iter().rev().collect() } else { found.iter().collect() };
    for Hit { source, place } in found {
        let path = format!("{}:{}", safe(&source.place()), place.line);
        let date = source.date_beside_path().map(|date| format!("{date}  ")).unwrap_or_default();
        let name = safe(if place.title.is_empty() { &place.time } else { &place.title });
        let id = place.session.as_deref().map(|id| safe(short(id))).unwrap_or_default();
        let taken = columns(&date) + columns(&path) + columns(&id) + 4;
        let name = match width {
            Some(width) => wrapped(&name, width.saturating_sub(taken).max(8)).into_iter().next(),
            None => Some(name),
        };
        let mut head = format!("{date}{}", paint.dim(&path));
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            let _ = write!(head, "  {}", paint.bold(&name));
        }
        if !id.is_empty() {
            let _ = write!(head, "  {}", paint.dim(&id));
        }
        writeln!(world.out, "{head}")?;
        let excerpt = safe(&place.excerpt.replace('\n', width.map_or("\n", |_| " ")));
        let mut rows = match width {
            Some(width) => wrapped(&excerpt, width.saturating_sub(3)),
            None => excerpt.lines().map(str::to_owned).collect(),
        };
        if width.is_some() && rows.len() > LINES {
            rows.truncate(LINES);
            rows.last_mut().into_iter().for_each(|row| row.push('…'));
        }
        for row in rows {
            writeln!(world.out, "  {}", highlighted(&row, query, paint))?;
        }
    }
    Ok(())
}

/// A text in rows of at most `width` columns, cut between words; a word that is longer, where it has to be.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    let mut left = width;
    for word in text.split_whitespace() {
        let room = columns(word);
        if room + 1 > left && left < width {
            rows.push(String::new());
            left = width;
        }
        for letter in word.chars().chain([' ']) {
            let room = columns(letter.encode_utf8(&mut [0; 4]));
            if room > left {
                rows.push(String::new());
                left = width;
            }
            left -= room.min(left);
            rows.last_mut().into_iter().for_each(|row| row.push(letter));
        }
    }
    rows.iter().map(|row| row.trim_end().to_owned()).filter(|row| !row.is_empty()).collect()
}

/// The words that were looked for in bold.
fn highlighted(text: &str, query: &Query, paint: Paint) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for place in query.places_in(text) {
        out.push_str(&text[at..place.start]);
        out.push_str(&paint.bold(&text[place.clone()]));
        at = place.end;
    }
    out.push_str(&text[at..]);
    out
}

#[derive(Serialize)]
struct JsonHit<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<&'a str>,
    date: String,
    path: &'a str,
    line: usize,
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    excerpt: &'a str,
    score: f64,
}

pub(super) fn print_json(found: &[Hit], world: &mut World) -> Result<()> {
    let rows: Vec<JsonHit<'_>> = found
        .iter()
        .map(|Hit { source, place }| JsonHit {
            project: source.project.as_deref(),
            date: source.date.to_string(),
            path: &source.path,
            line: place.line,
            title: &place.title,
            session: place.session.as_deref(),
            excerpt: &place.excerpt,
            score: (f64::from(place.score) * 1000.0).round() / 1000.0,
        })
        .collect();
    print_value(world, &rows)?;
    Ok(())
}
