//! What an agent quotes in a reply is no entry and no rule: it may come from a page that it read.

use std::borrow::Cow;

use super::entry::EntryType;

/// The labels that only the entry of a rule has.
const OF_RULES: [&str; 2] = ["rule", "how-to-apply"];

/// Tells of the lines of a reply, in their order, which belong to an entry that is quoted there: a heading with a type,
/// the list below it, and items that only a rule has.
#[derive(Debug, Default)]
pub(crate) struct Quoted {
    in_entry: bool,
}

impl Quoted {
    /// Whether the next line does.
    pub(crate) fn holds(&mut self, line: &str) -> bool {
        let text = line.trim_start_matches([' ', '\t', '>', '\\']).trim_end();
        if text.is_empty() {
            return self.in_entry;
        }
        if names_a_type(text) {
            self.in_entry = true;
            return true;
        }
        let item = text.strip_prefix(['-', '*', '+', '•']).filter(|item| item.starts_with(' '));
        self.in_entry &= item.is_some() || line.starts_with([' ', '\t']);
        self.in_entry || item.is_some_and(is_of_a_rule)
    }
}

/// A reply without what it quotes.
pub(crate) fn own_words(reply: &str) -> Cow<'_, str> {
    if !reply.contains(']') && !OF_RULES.iter().any(|label| reply.contains(label)) {
        return Cow::Borrowed(reply);
    }
    let mut quoted = Quoted::default();
    let own: String = reply.split_inclusive('\n').filter(|line| !quoted.holds(line)).collect();
    if own.len() == reply.len() { Cow::Borrowed(reply) } else { Cow::Owned(own) }
}

/// Whether a line ends in the type of an entry: `## Deploy [project]`.
fn names_a_type(text: &str) -> bool {
    let title = text.trim_end_matches(['#', '*', '_', ' ']);
    let named = title.strip_suffix(']').and_then(|title| title.rsplit_once(" ["));
    named.is_some_and(|(_, word)| EntryType::parse(word).is_some())
}

fn is_of_a_rule(item: &str) -> bool {
    let Some((label, _)) = item.split_once(':') else { return false };
    let label = label.trim_matches(['*', '_', '`', ' ']);
    OF_RULES.iter().any(|known| known.eq_ignore_ascii_case(label))
}
