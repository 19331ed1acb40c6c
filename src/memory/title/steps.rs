//! What a prompt says before what it asks for: what is to be read first, and how things are.

use std::cmp::Reverse;
use std::path::Path;

use super::paths::{is_path, with_short_paths};
use super::prose::{Sentence, begins_with_a_wish, begins_with_one, without_lead};
use super::weigh;
use crate::memory::topics::is_cjk;

/// How a clause begins that has an agent look around before the work.
const PREPARES: &str = "read|re-read|reread|start by reading|explore|look at|look into|look around|look through|look over|\
have a look at|take a look at|check out|learn about|learn how|study|skim|scan|go through|understand|get familiar with|\
familiarize yourself with|familiarise yourself with|get an overview of|lies|lies dir|schau dir|sieh dir|lis|regarde|étudie|\
lee|mira|estudia|leia|olhe|olha|estude|leggi|guarda|studia|прочитай|прочти|изучи|посмотри|глянь|ознакомься с";
/// What the work follows behind.
const THEN: [&str; 15] = [
    " then ",
    " and now ",
    " and after that ",
    ", after that ",
    " dann ",
    " danach ",
    " puis ",
    " ensuite ",
    " luego ",
    " y después ",
    " depois ",
    " poi ",
    " потом ",
    " затем ",
    "然后",
];
/// How such a clause begins in Chinese, which sets no blanks.
const PREPARES_IN_CHINESE: [&str; 8] =
    ["先读", "先看", "读", "看", "阅读", "先阅读", "查看", "了解"];
/// How it ends where the verb stands last, in Japanese and Korean.
const VERBS_AT_END: [&str; 9] = [
    "を読んでから、",
    "を読んだ上で、",
    "を読んで、",
    "を見てから、",
    "を見て、",
    "を確認して、",
    "읽고 나서 ",
    "읽고 ",
    "살펴보고 ",
];

/// How somebody begins who comes from how things are to what is wanted.
const WISHES: &str = "now it's time to|now its time to|it's time to|now we want to|now i want to|now i want you to|now we'd like to|\
now i'd like to|now we need to|now i need to|now i need you to|now let's|now lets|and now let's|so now we|so now i|so now let's|\
jetzt wollen wir|jetzt möchte ich|jetzt will ich|jetzt brauchen wir|nun wollen wir|nun möchte ich|maintenant je veux|\
maintenant on veut|maintenant il faut|ahora quiero|ahora queremos|ahora necesito|ahora hay que|agora quero|agora queremos|\
agora preciso|agora vamos|ora voglio|ora vogliamo|adesso voglio|теперь хочу|теперь хотим|теперь надо|теперь нужно|теперь давай";
const WISHES_IN_CJK: [&str; 8] =
    ["现在我想", "现在想", "现在要", "现在需要", "今度は", "そこで今回", "이제 ", "이번에는 "];

/// How somebody begins who has an agent go on with a plan that was made before, and what a plan is called.
const GOES_ON: &str = "go on with|carry on with|continue with|continue|proceed with|keep going with|on with|back to|start with|begin with|next step of|\
weiter mit|mach weiter mit|mach mit|fang mit|continue avec|on continue avec|reprends|sigue con|seguí con|continúa con|retoma|\
continua com|segue com|continue com|retome|continua con|riprendi|продолжай|продолжи|продолжаем|дальше по";
const PLANS: [&str; 12] = [
    "plan",
    "plans",
    "plano",
    "piano",
    "план",
    "плану",
    "плана",
    "планом",
    "roadmap",
    "todo",
    "checklist",
    "checkliste",
];
const GOES_ON_IN_CJK: [&str; 6] = ["続け", "続き", "继续", "接着", "계속", "이어서"];
const PLANS_IN_CJK: [&str; 4] = ["計画", "プラン", "计划", "계획"];

/// Whether a token names a file of Markdown that may hold a plan.
fn is_text(token: &str) -> bool {
    const OTHERS: [&str; 5] = ["readme", "agents", "claude", "changelog", "contributing"];
    let path = Path::new(token);
    let name = path.file_stem().map(|name| name.to_string_lossy().to_lowercase());
    path.extension().is_some_and(|of| of == "md")
        && name.is_some_and(|name| !OTHERS.contains(&&*name))
}

/// The name of a file of Markdown without the ending that stands right behind it in some languages: `river.md의`.
fn without_ending(token: &str) -> &str {
    match token.rfind(".md").map(|at| token.split_at(at + ".md".len())) {
        Some((name, rest)) if !rest.starts_with(|c: char| c.is_ascii_alphanumeric()) => name,
        _ => token,
    }
}

/// What a prompt is called that only has an agent go on with a plan: after the file that the reply says the plan is in.
pub(super) fn goes_on(prompt: &str, reply: &str) -> Option<String> {
    const LONG: usize = 64;
    const LONG_IN_CJK: usize = 16;
    let first = prompt.lines().map(str::trim).find(|line| !line.is_empty())?;
    let first = first.trim_end_matches(['.', '!', '。', ' ']);
    let in_cjk = first.chars().any(is_cjk);
    let is_long = if in_cjk { first.chars().count() > LONG_IN_CJK } else { first.len() > LONG };
    if is_long {
        return None;
    }
    let lower = first.to_lowercase();
    let has_word = || lower.split(|c: char| !c.is_alphanumeric()).any(|word| PLANS.contains(&word));
    let has_part = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
    let is_plan = (begins_with_one(without_lead(first), GOES_ON) && has_word())
        || (has_part(&GOES_ON_IN_CJK) && has_part(&PLANS_IN_CJK));
    // What it says of the plan says what it is about.
    if !is_plan || (!in_cjk && weigh::strength(first, &weigh::Echo::of("")) > 1.5) {
        return None;
    }
    let named: Vec<&str> = reply
        .split(|c: char| c.is_whitespace() || c == '`')
        .map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()))
        .map(without_ending)
        .filter(|token| is_text(token))
        .collect();
    let is_plan = |file: &&&str| {
        ["plan", "todo", "roadmap"].iter().any(|name| file.to_lowercase().contains(name))
    };
    let plan = named.iter().find(is_plan).or_else(|| named.first())?;
    Some(format!("{first} ({})", with_short_paths(plan)))
}

/// How a sentence begins that tells how things are.
const TELLS: &str = "we|we've|we're|i|i've|i'm|the|there|there's|it|it's|this|our|my|in|currently|right now|so far|with|at|for|\
on|from|a|an|all|some|as|wir|ich|der|die|das|es|bisher|nous|on|je|le|la|les|il|tenemos|tengo|el|los|hay|temos|tenho|o|os|há|\
abbiamo|ho|у нас|мы|я|есть|сейчас|目前|我们|现在|今|現在|지금|현재";

/// What of a sentence asks for something, where it has an agent look at things first: `fix the winch` of `read @notes.md and
/// then fix the winch`.
pub(super) fn behind_preparation(sentence: &str) -> Option<&str> {
    let prepares = |text: &str| {
        begins_with_one(text, PREPARES)
            || PREPARES_IN_CHINESE.iter().any(|verb| text.starts_with(verb))
    };
    let own = without_lead(sentence);
    // The first of them; of two that begin in one place the longer.
    let behind = |marks: &[&str]| {
        let found = marks.iter().filter_map(|mark| Some((own.find(mark)?, mark.len())));
        found.min_by_key(|(at, length)| (*at, Reverse(*length))).map(|(at, length)| at + length)
    };
    let then = if prepares(sentence) || prepares(own) { behind(&THEN) } else { None };
    let at = then.or_else(|| behind(&VERBS_AT_END));
    let rest = own[at?..].trim_start_matches([' ', '，', ',', '、']);
    Some(behind_preparation(rest).unwrap_or_else(|| without_lead(rest)))
}

/// Where what is wanted begins, if all that stands before it tells how things are: `we have an api that runs. now it's time to
/// deploy it`.
pub(super) fn wish(sentences: &[Sentence<'_>]) -> Option<usize> {
    let at = sentences.iter().position(|sentence| wished(sentence.text).is_some())?;
    let tells = |text: &str| {
        let own = without_lead(text);
        !begins_with_a_wish(text) && begins_with_one(own, TELLS)
    };
    sentences[..at].iter().all(|sentence| tells(sentence.text)).then_some(at)
}

/// What a sentence says that comes to what is wanted, without files that are named in front of it.
pub(super) fn wished(sentence: &str) -> Option<&str> {
    let mut rest = sentence;
    while let Some((first, behind)) = rest.split_once(' ')
        && (first.starts_with('@') || is_path(first))
    {
        rest = behind.trim_start();
    }
    let begins =
        begins_with_one(rest, WISHES) || WISHES_IN_CJK.iter().any(|wish| rest.starts_with(wish));
    begins.then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::title::prose::sentences;

    #[test]
    fn what_is_to_be_read_first_is_passed_over() {
        let check = |sentence: &str, expect: Option<&str>| {
            assert_eq!(behind_preparation(sentence), expect, "{sentence}");
        };
        check("read @README.md and @docs/winch.md then plan the brake", Some("plan the brake"));
        check("explore the harbour, then can you please drop the winch", Some("drop the winch"));
        check("learn about how @apps/crane/ works and then add a brake", Some("add a brake"));
        check("please read a.md, then look at b.md and then fix the brake", Some("fix the brake"));
        check("take a look at the winch and then mend its brake", Some("mend its brake"));
        check("read @a.md and now let's plan the brake", Some("plan the brake"));
        check("Lies dir die Notizen durch und dann bau die Bremse", Some("bau die Bremse"));
        check("прочитай заметки и потом почини тормоз", Some("почини тормоз"));
        check("先看一下 docs/winch.md，然后修好刹车", Some("修好刹车"));
        check("docs/winch.md を読んで、ブレーキを直す", Some("ブレーキを直す"));
        check("메모를 읽고 나서 브레이크를 고쳐", Some("브레이크를 고쳐"));
        check("read the notes on the winch", None);
        check("mend the winch and then grease the brake", None);
    }

    #[test]
    fn who_goes_on_with_a_plan_means_that_of_the_reply() {
        let check = |prompt: &str, reply: &str, expect: Option<&str>| {
            assert_eq!(goes_on(prompt, reply).as_deref(), expect, "{prompt} / {reply}");
        };
        let reply =
            "I take it you mean `docs/plans/winch.md`, and begin at step 2 of docs/winch.go.";
        let named = Some("go on with the plan from yesterday (docs/plans/winch.md)");
        check("go on with the plan from yesterday", reply, named);
        check("go on with the plan from yesterday.\n\nthe brake stays", reply, named);
        check(
            "昨日の計画の続きをお願い",
            reply,
            Some("昨日の計画の続きをお願い (docs/plans/winch.md)"),
        );
        check("weiter mit dem plan", reply, Some("weiter mit dem plan (docs/plans/winch.md)"));
        check("go on with the plan from yesterday", "Step 2 is done.", None);
        let long = "I have read docs/README.md, NOTES.md and PLAN.md, and begin at step 2.";
        check("continue with the plan", long, Some("continue with the plan (PLAN.md)"));
        check("go on with the plan for the brake of the crane", reply, None);
        check("the plan of the pier goes on", reply, None);
    }

    #[test]
    fn how_things_are_is_told_before_what_is_wanted() {
        let check = |prompt: &str, expect: Option<usize>| {
            assert_eq!(wish(&sentences(prompt)), expect, "{prompt}");
        };
        check(
            "We have a winch that runs. The old brake is in use. Now it's time to fit the new one.",
            Some(2),
        );
        check(
            "In the harbour we have a winch. @docs/winch.md now we want to fit a brake.",
            Some(1),
        );
        check("У нас есть лебёдка. Теперь надо поставить тормоз.", Some(1));
        check("Fix the winch. Now we need to fit a brake.", None);
        check("I want to mend the winch. Now let's fit a brake.", None);
        check("We have a winch that runs.", None);
        check("we have a winch at fly.io. it runs. now it's time to fit a brake.", Some(1));
    }
}
