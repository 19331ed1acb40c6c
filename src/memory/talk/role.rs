//! Prompts that give the assistant a part to play: what they rule holds while it is played, not from now on.

use std::sync::LazyLock;

use super::cues::Beginnings;
use super::turns::Turn;

/// How such prompts begin. `You are right` and `you are not to deploy` do not.
const PARTS: &str = "\
you are a |you are an |you are the |you are my |you are now |you are going to act|you're a |you're an |you're my |act as |\
please act as |i want you to act|i want you to play|i want you to be |pretend |imagine you|imagine that you|play the role|\
assume the role|take the role|take on the role|let's play |let’s play |lets play |let's roleplay|let's role-play|roleplay|\
role-play|role play|from now on you are |from now on, you are |du bist ein|du bist jetzt |stell dir vor, du |tu so, als |\
spiel die rolle|tu es un |tu es une |agis comme |imagine que tu |fais comme si |eres un |eres una |actúa como |actua como |\
imagina que eres |haz como si |você é um |voce é um |aja como |imagine que você |sei un |agisci come |immagina di essere |\
представь, что ты |представь что ты |веди себя как |ты — |ты опытн|你是一|你现在是|请你扮演|扮演|假设你是|あなたは|당신은 ";

/// Whether a turn begins so.
pub(super) fn gives_a_part(turn: &Turn<'_, '_>) -> bool {
    static BEGINNINGS: LazyLock<Beginnings> = LazyLock::new(|| Beginnings::new(PARTS));
    let mut lines = turn.lines.iter().map(|line| line.text.trim());
    lines.find(|text| !text.is_empty()).is_some_and(|text| BEGINNINGS.begin(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::entry::EntryLine;
    use crate::memory::talk::turns::Voice;

    #[test]
    fn a_part_is_given_in_the_first_words() {
        let check = |text: &str, expect: bool| {
            let lines =
                text.lines().map(|text| EntryLine { text, code: false }).collect::<Vec<_>>();
            let turn = Turn { voice: Voice::User, lines: lines.into() };
            assert_eq!(gives_a_part(&turn), expect, "{text}");
        };
        check("You are a harbour master of 1850. Never speak of steam.", true);
        check("\nLets play a text adventure, rules below:\n1. Always wait for me.", true);
        check("Pretend that you are the crane.", true);
        check("Du bist ein Hafenmeister. Sag nie etwas über Dampf.", true);
        check("Представь, что ты крановщик.", true);
        check("你现在是港口的负责人。", true);
        check("You are right, never deploy on a friday", false);
        check("you are not to deploy on a friday, ever", false);
        check("The crane must never pretend to be a winch.", false);
        check("Play the tape of the berth again", false);
        check("Actually never deploy on a friday", false);
    }
}
