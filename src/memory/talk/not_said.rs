//! Turns of persons that are no words of theirs: the text of a skill, a prompt that was cut off and sent again.

use super::turns::Turn;
use crate::memory::title::is_text_of_skill;

/// In fewer words than this somebody may well say the same twice.
const WORDS: usize = 6;
/// How many turns on a prompt is sent again: pictures may stand between, and few people try more often.
const TURNS: usize = 4;

/// Whether the turn at a place tells nothing that its person says there.
pub(super) fn is_not_said(turns: &[Turn<'_>], at: usize) -> bool {
    let (turn, after) = (&turns[at], &turns[at + 1..]);
    turn.voice.is_person() && (is_of_skill(turn) || is_sent_again(turn, after))
}

/// Clients hand over what a skill says as if the user had typed it.
fn is_of_skill(turn: &Turn<'_>) -> bool {
    let first = turn.lines.iter().map(|line| line.text.trim()).find(|text| !text.is_empty());
    first.is_some_and(is_text_of_skill)
}

/// Whether the same person says the same again, or more, before anybody answers. The last word may be cut.
fn is_sent_again(turn: &Turn<'_>, after: &[Turn<'_>]) -> bool {
    let mut again = after.iter().take(TURNS).take_while(|later| later.voice == turn.voice);
    again.any(|later| begins_with(later, turn))
}

/// Whether a turn begins with the words of another one, of which the last may be cut.
fn begins_with(turn: &Turn<'_>, other: &Turn<'_>) -> bool {
    let mut others = words(other).peekable();
    let mut count = 0;
    for word in words(turn) {
        let Some(expect) = others.next() else { break };
        count += 1;
        let is_last = others.peek().is_none();
        if word != expect && !(is_last && word.starts_with(expect)) {
            return false;
        }
    }
    others.next().is_none() && count >= WORDS
}

fn words<'t>(turn: &'t Turn<'_>) -> impl Iterator<Item = &'t str> {
    turn.lines.iter().flat_map(|line| line.text.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::entry::EntryLine;
    use crate::memory::talk::Voice;

    fn turn<'a>(voice: Voice<'a>, text: &'a str) -> Turn<'a> {
        Turn { voice, lines: text.lines().map(|text| EntryLine { text, code: false }).collect() }
    }

    #[test]
    fn a_prompt_sent_again_is_said_once() {
        fn check(first: &str, between: Option<(Voice<'_>, &str)>, second: &str, expect: bool) {
            let mut turns = vec![turn(Voice::User, first)];
            turns.extend(between.map(|(voice, text)| turn(voice, text)));
            turns.push(turn(Voice::User, second));
            assert_eq!(is_not_said(&turns, 0), expect, "{first} / {second}");
            assert!(!is_not_said(&turns, turns.len() - 1), "{second}");
        }
        let whole = "The gate stays open at low tide.\n\nMend it in @docs/gates.md first.";
        let cut = "The gate stays open at low tide.\n\nMend it in @doc";
        check(cut, None, whole, true);
        check(whole, None, whole, true);
        check(cut, Some((Voice::User, "[Image: the gate]")), whole, true);
        check(cut, Some((Voice::Assistant, "I look at it.")), whole, false);
        check(cut, Some((Voice::Name("Ada"), "I look at it.")), whole, false);
        check("Mend the gate", None, "Mend the gate of the dock", false);
        check("The gate stays open at high tide.", None, whole, false);
        check(whole, None, cut, false);
        check("", None, whole, false);
    }

    #[test]
    fn the_text_of_a_skill_is_nobodys() {
        let turns =
            [turn(Voice::User, "\nBase directory for this skill: /s/tide\n\n# Tide\n\nAsk first.")];
        assert!(is_not_said(&turns, 0));
        let turns = [turn(Voice::Assistant, "Base directory for this skill: /s/tide")];
        assert!(!is_not_said(&turns, 0));
    }
}
