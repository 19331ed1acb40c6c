//! Rules that a person gives for all times, rather than for what is being done: `we never query the primary`.
//!
//! For the languages that most people write in. In others no sentence is known for one.

use std::borrow::Cow;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::cues::{Cue, cue};
use super::stress::is_stressed;
use super::withdrawn::{OF_WITHDRAWAL, withdraws};
use crate::text::behind;

/// What joins a sentence to the one before it and says nothing itself.
const JOINING: &str = "also |and |but |oh |oh, |ah |ah, |so |plus |ok |no, |nope, |und |aber |ach |nein, |y |pero |et |mais |\
non, |e |mas |não, |ma |и |но |а |also, |и, |и ещё |и еще |нет, |außerdem |además |inoltre |それと|それから|あと、|よし、|じゃあ、|では、|不，|不,|不是，|不是,|好，|好的，|行，|嗯，|\
就这么定：|就这么定，|いや、|아니, |좋아, ";

/// What leads to a rule, and as often to what happens: `dann immer derselbe Fehler`.
const LEADING: &str =
    "then |dann |alors |donc |entonces |así que |então |entao |allora |quindi |тогда |так что ";

/// What a sentence has in it that is joined to another one, and a rule. It may hold for now.
const RULING: &str = "never|always|from now on|don't|don’t|dont|do not|must not|no exceptions|nie|niemals|immer|ab jetzt|nunca|\
siempre|jamais|toujours|sempre|mai|никогда|всегда|нельзя|künftig|in future|non più|désormais";

/// What says that something takes the place of what was settled before.
const REPLACING: &str = "instead|replaces|rather than|statt|anstatt|stattdessen|en vez de|en lugar de|au lieu de|plutôt que|\
em vez de|no lugar de|invece di|al posto di|вместо";
const PARTS_REPLACING: &str = "改成|改用|换成|而不是|代わりに|ではなく|대신|말고";

/// How somebody asks for it.
const WISHING: &str = "please |let's |let’s |lets |bitte |lass uns |lasst uns |por favor |vamos a |s'il te plaît |vamos |\
per favore |давай |пожалуйста |请|我们";

/// Words that make a clause a rule where it begins with one, or where it says before it whom the rule holds for: in
/// English right before it.
const ADVERBS: [(&str, Duty); 2] = [
    ("never|always", Duty::Before("we|you|nobody|must|shall|may")),
    (
        "nie|niemals|immer|nunca|jamás|siempre|jamais|toujours|sempre|mai|никогда|всегда",
        Duty::Anywhere(
            "wir|ihr|du|man|niemand|darf|dürfen|soll|sollen|muss|müssen|wird|werden|nosotros|nadie|se|debe|deben|hay que|\
             on ne|on n|nous|personne|il faut|doit|doivent|nós|a gente|ninguém|deve|devem|nessuno|si|devono|мы|надо|нужно|\
             должен|должна|должны",
        ),
    ),
];

/// What makes `we never …` what would be, or why: `but then we never get anything out`.
const TELLING_JOINTS: &str = "then|otherwise|or|why|if|because|since|when|until|how";

/// Where whom a rule holds for stands.
enum Duty {
    Before(&'static str),
    Anywhere(&'static str),
}

impl Duty {
    /// Whether it stands in what is before the adverb.
    fn stands_in(&self, before: &str) -> bool {
        match self {
            Self::Before(words) => {
                let mut words_before = before.split_whitespace().rev();
                let last = words_before.next().unwrap_or_default();
                let joint = words_before.next().unwrap_or_default();
                lists(words, last) && !lists(TELLING_JOINTS, joint)
            }
            Self::Anywhere(words) => has_one(before, words),
        }
    }
}

/// What is a rule wherever it stands.
const RULES: &str = "new habit please|new rule please|from now on|from here on|no exceptions|under no circumstances|don't ever|do not ever|dont ever|never ever|not ever|\
no matter what|don't want to see another|dont want to see another|don't wanna see another|dont wanna see another|\
will ich nicht mehr sehen|will ich nie wieder sehen|no quiero volver a ver|ne veux plus voir|\
não quero mais ver|non voglio più vedere|не хочу больше видеть|больше не хочу видеть|non negotiable|non-negotiable|without asking me|without asking first|ask me first|only by my hand|by my hand only|only with my ok|not without my ok|nur mit meinem ok|\
solo por mi mano|solo con mi permiso|só com o meu ok|только моими руками|and nowhere else|has no business|\
have no business|that's the rule|thats the rule|is never to|are never to|make it a habit|make that a habit|make it a rule|make that a rule|\
as a principle|on principle|holds for everything|goes for everything|applies to everything|for the whole project|gonna be how|how its gonna be|how it's gonna be|\
how it's going to be|für das ganze projekt|im ganzen projekt|fürs ganze projekt|gilt für alles|gilt überall|grundsätzlich|en todo el proyecto|para todo el proyecto|\
dans tout le projet|pour tout le projet|em todo o projeto|para todo o projeto|in tutto il progetto|per tutto il progetto|для всего проекта|во всём проекте|во всем проекте|навсегда|насовсем|para siempre|vale pra sempre|vale para sempre|für alle zeiten|une fois pour toutes|per sempre|ohne mich zu fragen|ohne zu fragen|ohne ausnahme|ausnahmslos|nicht verhandelbar|\
ein für alle mal|nichts verloren|nichts zu suchen|sin preguntarme|sin preguntar|sin excepción|sin excepciones|\
no negociable|sans me demander|sans demander|sans exception|non négociable|sem me perguntar|sem perguntar|sem exceção|inegociável|\
senza chiedermi|senza chiedere|senza eccezioni|non negoziabile|без спроса|не спросив|без исключений|раз и навсегда|\
ab jetzt|ab sofort|künftig|auf keinen fall|de ahora en adelante|de ahora en más|a partir de ahora|a partir de hoy|desde ahora|bajo ningún concepto|désormais|dorénavant|\
à partir de maintenant|en aucun cas|a partir de agora|daqui pra frente|daqui para frente|de agora em diante|de jeito nenhum|\
d'ora in poi|d'ora in avanti|in nessun caso|впредь|отныне|нельзя|запрещено|ни в коем случае|с этого момента";

/// What makes a clause a rule that forbids something; without that it tells what somebody did.
const CONSENT: &str = "without my consent|without my say-so|unless i say so|unless i tell you to|ohne meine zustimmung|sin mi permiso|sans mon accord|\
sem a minha permissão|sem minha permissão|senza il mio permesso|без моего согласия";

/// What is a rule wherever it stands, in languages without blanks between words, or that bend them at the end.
const PARTS: &str = "整个项目|全项目|プロジェクト全体|ないこと|전체 프로젝트|프로젝트 전체|从今天起|先问我|没有例外|死规矩|例外なく|例外なし|예외 없이|먼저 물어|绝对不|绝不|决不|永远不|一律|严禁|禁止|不许|不准|以后都|以后不|今后|从今以后|从现在起|务必|\
絶対に|今後は|これからは|してはいけない|してはならない|절대|금지|앞으로는|반드시|하면 안";

/// From now on, where it begins a clause and something is asked for in it, but not `以后再说`: that is for later.
const FROM_NOW_ON: &str = "以后";
const ASKED_FROM_NOW_ON: [char; 10] = ['请', '用', '要', '都', '别', '得', '必', '凡', '每', '只'];
const LATER: [char; 4] = ['再', '会', '可', '有'];

/// From now on, in Korean, where it begins a clause: a rule where something is asked for at the end, or proposed (`…자`, which ends
/// nouns, too).
const FUTURE: &str = "앞으로 |이제부터 |지금부터 |오늘부터 ";
const PROPOSED: char = '자';

/// What may as well tell how things are, as `항상 실패한다` does: a rule only where something is asked for at the end.
const PARTS_OF_WISHES: &str = "必ず|毎回|항상|언제나|무조건";
const WISHES: &str = "こと|ください|下さい|して|ように|せよ|しろ|것|세요|하자|해라|해줘|해 줘|합시다|지마|지 마|지도 마|말아줘|말아 줘";

/// What makes a text a rule that forbids something, or says `always`, where it is a clause of its own: `no telemetry, ever`, `we
/// never deploy on fridays, full stop`.
const EMPHASES: &str = "ever|never|full stop|period|punkt|niemals|nunca|никогда|jamais|point final|punto final|ponto final|e basta|punto e basta|и точка|\
nowhere|nirgends|nirgendwo|nulle part|en ningún lado|em lugar nenhum|da nessuna parte|нигде";
/// The one that needs no mark before it: `the gate sends nothing full stop`.
const STRESS: &str = " full stop";
/// What such a clause stands behind, and a blank.
const EMPHASIS_BEHIND: [char; 5] = [',', ';', '.', '–', '—'];
const FORBIDDING: &str = "no|not|never|nothing|nobody|none|don't|dont|doesn't|doesnt|isn't|isnt|always|only|nicht|kein|keine|keinen|nie|\
nichts|niemand|immer|nur|nunca|siempre|nada|ne|pas|aucun|toujours|não|nenhum|sempre|solo|non|nessun|mai|не|нет|никогда|никаких|\
всегда|только";

/// What a person calls a rule in front of a colon, there one of the first three words: `rule for the crane: …`.
const LABELS: &str = "rule|rules|policy|principle|generally|regel|regeln|grundsatz|prinzip|regla|regra|règle|principe|regola|правило|принцип";
const LABEL_PARTS: &str = "规则|规矩|规定|原则|ルール|方針|原則|규칙|원칙";
/// What may stand before one.
const BEFORE_LABELS: &str =
    "great |good |ok |okay |right |yes |fine |cool |gut |ja |vale |bon |хорошо |так |да ";

/// What rules everything out but what is named behind it: `nothing is changed by hand except in a dry run`. In English only beside a
/// verb: `no output without the flag` tells how things are.
const NONE: &str = "no|nothing|nobody|no one|none";
const OF_NONE: &str = "is|are|gets|get|goes|go|comes|come|may|shall|will|must|leaves|merges|ships|enters|lands|touches|deploys";
const NONE_ELSEWHERE: &str = "kein|keine|keinen|nichts|niemand|ningún|ninguna|nada|nadie|aucun|aucune|rien|personne|nenhum|nenhuma|\
ninguém|nessun|nessuna|niente|никаких|никто|ничего|ни один|ни одна|ни одной";
const UNLESS: &str = "without|except|unless|ohne|außer|sin|salvo|excepto|sans|sauf|sem|exceto|senza|tranne|без|кроме";
/// What rules out all of it by itself: `no ship may wait for the tide`, `nothing is ever painted again`.
const MAY: &str = "may|must|shall";
const EVER: &str = "is ever|are ever|be ever|may ever|gets ever|ever gets";

/// From when on, where a clause begins with it, and whom or what it then rules.
const FROM_WHEN: [&str; 2] = ["from today ", "from tomorrow "];
const WHOM: &str = "each|every|all|any|no|we|you|only|nobody|everybody|everyone";

/// How Russian says that something is done no more; where `we` do it, that is a rule.
const NO_MORE: &str = "больше не ";
const WE_DO: [&str; 5] = ["ем", "ём", "им", "емся", "имся"];

/// What no rule is without that neither is called one nor rules everything out.
static TELLTALES: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(telltales()));

/// What no text is called a rule without, which stands in many others.
static LABELLED: LazyLock<AhoCorasick> = LazyLock::new(|| any_listed(&NAMES_OF_RULES));
const NAMES_OF_RULES: [&str; 2] = [LABELS, LABEL_PARTS];

/// What no clause rules everything out without: what it is that goes, and a word behind that.
static RULED_OUT: LazyLock<[AhoCorasick; 2]> = LazyLock::new(|| {
    let none = NONE.split('|').chain(NONE_ELSEWHERE.split('|'));
    [any_of(behind_none()), any_of(none.map(|word| Cow::Owned(format!("{word} "))))]
});

/// What no text rules or takes a rule back without, one way or another, but where its last sentence only stresses the others.
static OF_ANY_KIND: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let lists = [&NAMES_OF_RULES[..], &OF_WITHDRAWAL].concat();
    any_of(telltales().chain(behind_none()).chain(in_lists(&lists)))
});

fn telltales() -> impl Iterator<Item = Cow<'static, str>> {
    let adverbs = ADVERBS.iter().map(|(adverbs, _)| *adverbs);
    let lists = [RULES, CONSENT, PARTS, FUTURE, FROM_NOW_ON, PARTS_OF_WISHES, AS_OF_NOW, NO_MORE];
    let words = adverbs.chain(lists).chain(FROM_WHEN).flat_map(|list| list.split('|'));
    // By themselves they stand in too many other words, as `ever` does in `every`.
    let apart = |emphasis| EMPHASIS_BEHIND.map(|mark| Cow::Owned(format!("{mark} {emphasis}")));
    let emphases = EMPHASES.split('|').flat_map(apart).chain([Cow::Borrowed(STRESS)]);
    words.map(Cow::Borrowed).chain(emphases)
}

fn behind_none() -> impl Iterator<Item = Cow<'static, str>> {
    let behind = UNLESS.split('|').chain(MAY.split('|')).chain(["ever"]);
    behind.map(|word| Cow::Owned(format!(" {word} ")))
}

/// What no text says without it that something takes the place of something else.
static REPLACERS: LazyLock<AhoCorasick> =
    LazyLock::new(|| any_of(REPLACING.split('|').map(Cow::Borrowed)));

/// Finds any of the words and parts of these lists, which are set apart by `|`.
pub(super) fn any_listed(lists: &[&str]) -> AhoCorasick {
    any_of(in_lists(lists))
}

fn in_lists<'w>(lists: &[&'w str]) -> impl Iterator<Item = Cow<'w, str>> {
    lists.iter().flat_map(|list| list.split('|')).map(Cow::Borrowed)
}

fn any_of<'w>(words: impl Iterator<Item = Cow<'w, str>>) -> AhoCorasick {
    let words = words.map(|word| word.into_owned().into_bytes());
    let built = AhoCorasick::builder().ascii_case_insensitive(true).build(words);
    built.expect("some words are not too many")
}

/// What makes a wish that something takes the place of something else a rule: alone it says as well how things are.
const AS_OF_NOW: &str = "as of now|as of today|as of tomorrow|starting now|starting today|effective immediately|ab heute|\
ab morgen|desde hoy|dès aujourd'hui|a partir de amanhã|da oggi|с сегодняшнего дня|с завтрашнего дня";

/// How somebody begins who only names a rule, and what tells that it goes on to say something of it.
const RULES_NAMED: &str = "the rule with |the rule about |the rule on |the rule of |the rule for |the rule that |the rule we |\
die regel mit |die regel für |die regel zu |la regla de |la regla del |la règle de |la règle du |la règle sur |a regra de |\
a regra do |a regra da |la regola di |la regola del |правило о |правило про ";
const SAYS: &str = "is|are|was|stays|stands|holds|goes|must|should|says|applies|means|gilt|bleibt|ist|vale|es|sigue|queda|est|\
vaut|reste|é|fica|è|resta|теперь|остаётся|остается";

/// What tells that a clause is of the past or of one person's plans.
const PASSING: &str = "was|were|has been|have been|i'll|i will|haben|hat|hast|hatte|hatten|war|waren|wurde|wurden|habe|ha sido|\
estaba|era|había|était|estava|foi|tinha|stato|был|была|было|были";

/// What tells that it holds for a while only.
const FOR_A_WHILE: &str = "yet|for now|today|this time|right now|erstmal|vorerst|heute|por ahora|hoy|pour l'instant|\
aujourd'hui|por enquanto|hoje|per ora|oggi|пока|сегодня";
const PARTS_FOR_A_WHILE: &str = "暂时|暂且|とりあえず|今のところ|일단|당분간";

/// What tells that somebody only guesses.
const GUESSED: &str = "presumably|maybe|perhaps|vermutlich|vielleicht|quizás|quizá|tal vez|peut-être|talvez|forse|наверное|\
может быть|возможно";
const PARTS_GUESSED: &str = "也许|大概|たぶん|おそらく|아마";

/// What stands behind `never` or `always` where it tells what was, or says something else.
const TOLD: &str = "another|the|this|after|during|when|around|wenn|nach|cuando|quand|quando|когда|had|been|worked|came|got|saw|did|ran|went|knew|made|told|said|thought|felt|took|gave|found|kept|heard|meant|\
seen|mind|again";

/// Whether a word, or several, stands in a text in small letters.
fn has(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(char::is_alphanumeric)
            && !text[at + word.len()..].starts_with(char::is_alphanumeric)
    })
}

/// Whether a word is one of these, set apart by `|`.
pub(super) fn lists(words: &str, word: &str) -> bool {
    words.split('|').any(|listed| listed == word)
}

/// Whether one of these words, set apart by `|`, stands in a text in small letters.
pub(super) fn has_one(text: &str, words: &str) -> bool {
    words.split('|').any(|word| has(text, word))
}

/// Whether one of these parts, set apart by `|`, stands anywhere in a text in small letters, as where words have no blanks
/// between them.
pub(super) fn has_part(text: &str, parts: &str) -> bool {
    parts.split('|').any(|part| text.contains(part))
}

/// Whether a text in small letters has one of these words, or one of these parts.
pub(super) fn says(text: &str, words: &str, parts: &str) -> bool {
    has_one(text, words) || has_part(text, parts)
}

/// What is left of a text behind what joins it to the one before it. `None` where nothing does.
fn behind_joining(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(told) = JOINING.split('|').find_map(|word| behind(rest, word)) {
        rest = told;
    }
    (rest.len() < text.len()).then_some(rest)
}

/// What somebody only does not know is no rule: `I don't think so`.
const OF_MINDS: &str = "think|know|see|remember|care|understand|get|mind|have";

/// Whether a text says that something takes the place of something else: `take the winch instead`.
pub(crate) fn replaces(text: &str) -> bool {
    // Hardly any sentence has one. Capitals of other scripts are not known to be the same letters there.
    if text.is_ascii() && !REPLACERS.is_match(text) {
        return false;
    }
    says(&text.to_lowercase(), REPLACING, PARTS_REPLACING)
}

/// Whether a text asks for something to take the place of something else: `let's say 48 hours instead of 24`. Who asks why
/// something stands in the place of another thing has settled nothing.
pub(super) fn asks_to_replace(text: &str) -> bool {
    let bare = behind_joining(text).unwrap_or(text);
    WISHING.split('|').any(|word| behind(bare, word).is_some()) && replaces(bare)
}

/// What of a text that says so can be read by itself: `we use the winch instead` of `no crane any more, we use the winch
/// instead`.
pub(super) fn replacement(text: &str) -> Option<&str> {
    if !replaces(text) {
        return None;
    }
    match behind(text, "no ") {
        Some(rest) => rest.split_once(", ").map(|(_, rest)| rest),
        None => behind_joining(text),
    }
}

/// The rule that a text joins to what stands before it, and that can be read without that: `also dont deploy after eight`.
pub(super) fn joined_rule(text: &str) -> Option<&str> {
    if let Some(rest) = LEADING.split('|').find_map(|word| behind(text, word)) {
        let small = rest.to_lowercase();
        return (has_one(&small, RULES) || is_called_a_rule(&small)).then_some(rest);
    }
    let rest = behind_joining(text)?;
    let rules = |word: &str| {
        rest.match_indices(word).any(|(at, _)| {
            let behind = &rest[at + word.len()..];
            let next = behind.split_whitespace().next().unwrap_or_default();
            !rest[..at].ends_with(char::is_alphanumeric)
                && !behind.starts_with(char::is_alphanumeric)
                && !lists(OF_MINDS, next)
        })
    };
    (RULING.split('|').any(rules) || is_standing_rule(rest)).then_some(rest)
}

/// Words of a text that only says how strictly something holds that was said before it; some are parts of such phrases.
const STRESSING: &str = "no|any|without|exceptions|exception|under|circumstances|matter|what|non|negotiable|every|time|always|ever|never|please|\
really|full|stop|period|and|for|good|or|not|ohne|ausnahme|ausnahmslos|jedes|mal|jedesmal|immer|bitte|wirklich|sin|excepción|excepciones|\
siempre|cada|vez|por|favor|sans|toujours|chaque|fois|sem|exceção|sempre|ogni|volta|senza|eccezioni|без|исключений|всегда|каждый|раз";

/// Whether what a person says holds for all times: `never deploy on a friday`, but not `the flag is never read`. So does it that
/// a rule holds no more.
pub(crate) fn is_standing_rule(text: &str) -> bool {
    let small = if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(plain(text)) };
    let rules_or_withdraws = || (rules(&small) && !only_stresses(text)) || withdraws(text);
    // One search instead of three for most sentences.
    (OF_ANY_KIND.is_match(&*small) && rules_or_withdraws()) || is_stressed(text)
}

/// A text in small letters, with the apostrophe that the lists here have.
pub(super) fn plain(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}

/// Whether a text says nothing but how strictly something holds: `every time, no exceptions`.
pub(super) fn only_stresses(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.all(|word| lists(STRESSING, word))
}

/// Whether a text, in small letters where they are not of ASCII, rules something, whatever it says beside.
fn rules(text: &str) -> bool {
    let has_telltale = TELLTALES.is_match(text);
    let may_be_called_one = text.contains([':', '：']) && LABELLED.is_match(text);
    let may_be_ruled_out = || RULED_OUT.iter().all(|words| words.is_match(text));
    if !(has_telltale || may_be_called_one || may_be_ruled_out()) {
        return false;
    }
    let text = text.to_ascii_lowercase();
    if may_be_called_one && is_called_a_rule(&text) {
        return true;
    }
    if !has_telltale {
        return clauses(&text).any(|(_, clause)| is_ruled_out(clause));
    }
    if !text.is_ascii()
        && (has_part(&text, PARTS)
            || ((has_part(&text, PARTS_OF_WISHES) || begins_with_future(&text))
                && ends_with_wish(&text))
            || is_from_now_on(&text))
    {
        return true;
    }
    if (has_one(&text, AS_OF_NOW) && asks_to_replace(&text)) || is_emphatic(&text) {
        return true;
    }
    clauses(&text).any(|(place, clause)| {
        if begins_now(clause) || is_ruled_out(clause) {
            return true;
        }
        // Behind a comma, two words only say how something is: `23 days differ, always VAT`.
        let is_whole = place == 0 || clause.split_whitespace().count() > 2;
        let needs_consent = || has_one(clause, CONSENT) && has_one(clause, FORBIDDING);
        !is_passing(clause)
            && (has_one(clause, RULES) || needs_consent() || (is_whole && is_ruled(clause)))
    })
}

/// The most bytes of what the name of a file ends with, and words as short as that which begin a clause.
const ENDING: usize = 5;
const NO_ENDINGS: &str =
    "never|from|no|not|we|dont|don|only|so|and|but|nie|immer|ab|nur|nunca|mai|ne|не|и";

/// Whether what stands behind a dot is of one word with what stands before it, as in `crane.json`, but not in `ok.never lift`.
fn begins_with_ending(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    (1..=ENDING).contains(&end) && !lists(NO_ENDINGS, &text[..end])
}

/// The clauses of a text, and where they stand, without what joins them to others.
fn clauses(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let ends = |(at, c): (usize, char)| match c {
        ',' | ';' | ':' | '(' | '–' | '—' => true,
        '.' => !begins_with_ending(&text[at + 1..]),
        _ => false,
    };
    let mut from = 0;
    let ends = text.char_indices().filter(move |at| ends(*at)).map(Some).chain([None]);
    let clauses = ends.map(move |end| match end {
        Some((at, c)) => &text[std::mem::replace(&mut from, at + c.len_utf8())..at],
        None => &text[from..],
    });
    clauses.enumerate().map(|(place, clause)| {
        let clause = clause.trim();
        let clause = behind_joining(clause).unwrap_or(clause);
        (place, clause.strip_prefix("please ").unwrap_or(clause))
    })
}

/// Whether a clause in small letters rules out what it names for good.
fn is_ruled_out(clause: &str) -> bool {
    rules_out(clause) && !is_passing(clause)
}

/// Whether a clause in small letters rules something from today on.
fn begins_now(clause: &str) -> bool {
    let ruled = FROM_WHEN.iter().find_map(|when| clause.strip_prefix(when));
    ruled.is_some_and(|ruled| lists(WHOM, ruled.split(' ').next().unwrap_or_default()))
}

/// Whether a clause in small letters rules out all of something, or all but what it names, or says in Russian that `we` do it no
/// more.
fn rules_out(clause: &str) -> bool {
    let behind_one = |words: &str| {
        words.split('|').find_map(|word| clause.strip_prefix(word)?.strip_prefix(' '))
    };
    let before_unless = |rest: &str| {
        let ends = UNLESS.split('|').filter_map(|word| rest.find(&format!(" {word} ")));
        ends.min()
    };
    let is_verb = |word: &str| lists(OF_NONE, word);
    let no_more = |at: usize| {
        let verb = clause[at + NO_MORE.len()..].split(|c: char| !c.is_alphabetic()).next();
        verb.is_some_and(|verb| verb != "можем" && WE_DO.iter().any(|end| verb.ends_with(end)))
    };
    let rules = |rest: &str| {
        before_unless(rest).is_some_and(|end| rest[..end].split(' ').any(is_verb))
            || rest.split(' ').skip(1).any(|word| lists(MAY, word))
            || has_one(rest, EVER)
            || (rest.starts_with("in ") && has(rest, "ever"))
    };
    behind_one(NONE).is_some_and(rules)
        || behind_one(NONE_ELSEWHERE).is_some_and(|rest| before_unless(rest).is_some())
        || clause.find(NO_MORE).is_some_and(no_more)
}

/// Whether nothing but `never`, `always` and the like settles something in a text, and these tell how things are: `she always
/// asks me whether it is hard`. So does what somebody does not know, or care about, and who only names a rule.
pub(crate) fn only_tells(text: &str) -> bool {
    let text = text.to_lowercase();
    let names = |rule: &str| text.starts_with(rule);
    if RULES_NAMED.split('|').any(names) && !text.contains(':') && !has_one(&text, SAYS) {
        return true;
    }
    let is_adverb = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        ADVERBS.iter().any(|(adverbs, _)| lists(adverbs, bare))
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let tells = |at: usize| match words[at] {
        "don't" | "don’t" | "dont" => words
            .get(at + 1)
            .is_some_and(|verb| lists(OF_MINDS, verb.trim_matches(|c: char| !c.is_alphanumeric()))),
        // `It should never reload` asks for something.
        word => is_adverb(word) && (at == 0 || words[at - 1] != "should"),
    };
    let rest: Vec<&str> = (0..words.len()).filter(|at| !tells(*at)).map(|at| words[at]).collect();
    rest.len() < words.len()
        && cue(&rest.join(" ")) != Some(Cue::Decision)
        && !is_standing_rule(&text)
}

/// Whether what a person settles holds for a while only, or is a guess: `don't touch the cranes for now`.
pub(crate) fn is_for_now(text: &str) -> bool {
    let text = text.to_lowercase();
    says(&text, FOR_A_WHILE, PARTS_FOR_A_WHILE) || says(&text, GUESSED, PARTS_GUESSED)
}

/// Whether a clause in small letters does not say what will hold.
fn is_passing(clause: &str) -> bool {
    [PASSING, FOR_A_WHILE].iter().any(|words| has_one(clause, words))
}

/// Whether a clause asks for something from now on: `以后请用分为单位`.
fn is_from_now_on(text: &str) -> bool {
    text.split(['，', ',', '。', ' ', '；', '：', ':']).any(|clause| {
        clause
            .strip_prefix(FROM_NOW_ON)
            .is_some_and(|rest| !rest.starts_with(LATER) && rest.contains(ASKED_FROM_NOW_ON))
    })
}

/// Whether a clause begins with `앞으로`, from now on, or a word like it; elsewhere it is a place: to the front.
fn begins_with_future(text: &str) -> bool {
    let begins = |clause: &str| FUTURE.split('|').any(|word| clause.trim_start().starts_with(word));
    text.split([',', '.', '。', '!']).any(begins)
}

fn ends_with_wish(text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    if text.ends_with(PROPOSED) && begins_with_future(text) {
        return true;
    }
    WISHES.split('|').any(|wish| text.ends_with(wish))
}

/// Whether a text in small letters calls itself a rule.
fn is_called_a_rule(text: &str) -> bool {
    const LABEL: usize = 48;
    let text = behind_joining(text).unwrap_or(text);
    let Some((label, rule)) = text.split_once([':', '：']) else { return false };
    let label = BEFORE_LABELS.split('|').find_map(|word| label.strip_prefix(word)).unwrap_or(label);
    let label = behind_joining(label).unwrap_or(label);
    let named = |word: &str| lists(LABELS, word);
    let in_cjk = || has_part(label, LABEL_PARTS);
    let bare = |word: &str| named(word.trim_end_matches(','));
    let is_about = ["about ", "regarding ", "re "].iter().any(|word| label.starts_with(word));
    let is_label = !is_about && label.split_whitespace().take(3).any(bare) || in_cjk();
    label.len() <= LABEL && is_label && !rule.trim().is_empty()
}

/// Whether a text in small letters forbids something, or asks for it always, with emphasis behind it.
fn is_emphatic(text: &str) -> bool {
    let clauses = text.split(EMPHASIS_BEHIND).map(str::trim).filter(|clause| !clause.is_empty());
    let clauses: Vec<&str> = clauses.collect();
    let is_emphasis = |clause: &&str| lists(EMPHASES, clause.trim_end_matches('!'));
    let bare = text.trim_end_matches(['.', '!']);
    let is_stressed = || {
        let last = bare.strip_suffix(STRESS).and_then(|rest| rest.rsplit([',', ';']).next());
        last.is_some_and(|last| has_one(last, FORBIDDING) && !last.ends_with(" no"))
    };
    let forbids = |clause: &&str| has_one(clause, FORBIDDING) && !is_passing(clause);
    let begins = clauses
        .split_first()
        .is_some_and(|(first, rest)| forbids(first) && rest.iter().any(is_emphasis));
    // `Long runs go to the big crane, not to this one, ever`
    let ends = || match clauses[..] {
        [first, .., before, last] => {
            let denies = before.split(' ').next().is_some_and(|word| lists(FORBIDDING, word));
            denies && forbids(&before) && is_emphasis(&last) && !is_passing(first)
        }
        _ => false,
    };
    begins || ends() || is_stressed()
}

/// Whether a clause says what one does always or never.
fn is_ruled(clause: &str) -> bool {
    let of_adverb = |adverb: &str, duty: &Duty| {
        clause.match_indices(adverb).any(|(at, _)| {
            let (before, behind) = (&clause[..at], &clause[at + adverb.len()..]);
            let begins = before.is_empty() && behind.starts_with(' ');
            let joins = before.ends_with(' ') && (behind.is_empty() || behind.starts_with(' '));
            let mut words = behind.split_whitespace();
            let next = words.next().unwrap_or_default();
            // `Never again a crane without a lamp` rules, `it never came again` tells.
            let next = if begins && next == "again" { words.next().unwrap_or(next) } else { next };
            (begins || (joins && duty.stands_in(before))) && !is_told(next)
        })
    };
    ADVERBS.iter().any(|(adverbs, duty)| adverbs.split('|').any(|adverb| of_adverb(adverb, duty)))
}

/// Whether the word behind `never` or `always` tells what was, or how it goes on.
fn is_told(word: &str) -> bool {
    let goes_on = word.len() > 6 && (word.ends_with("ing") || word.ends_with("ndo"));
    let is_past = word.ends_with("ed") && !word.ends_with("eed");
    goes_on || is_past || lists(TOLD, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_may_be_joined_to_what_was_said() {
        let joined = |text| joined_rule(text).is_some();
        assert_eq!(joined_rule("also dont deploy after eight"), Some("dont deploy after eight"));
        assert!(joined("ah and before anybody asks: we never query the primary"));
        assert!(joined("Und die Waage wird nie nachts geeicht"));
        assert!(joined("and generally: berths in metres, no matter what"));
        assert!(joined("then a rule: that winch does not run again without a test first"));
        assert!(joined("好，就这么定：重量一律用公斤"));
        assert!(!joined("also the deployment is after eight"));
        assert!(!joined("but I don't know why the scale stops"));
        assert!(joined("but I don't want the scale to stop"));
        assert!(!joined("we never query the primary"));
    }

    #[test]
    fn what_takes_the_place_of_something_can_be_read_by_itself() {
        let check = |text, expect| assert_eq!(replacement(text), expect, "{text}");
        check("no crane any more, we use the winch instead", Some("we use the winch instead"));
        check("so let's say 48 hours instead of 24", Some("let's say 48 hours instead of 24"));
        check("нет, вместо крана лебёдка", Some("вместо крана лебёдка"));
        check("不，改成四十八小时", Some("改成四十八小时"));
        check("no crane any more, it fell", None);
        check("use the winch instead of the crane", None);

        assert!(asks_to_replace("So let's say forty-eight hours, instead of the twenty-four"));
        assert!(asks_to_replace("please take the winch instead"));
        assert!(!asks_to_replace("can you see why it takes the winch instead of the crane"));
        assert!(!asks_to_replace("let's look at the winch"));
    }

    #[test]
    fn an_adverb_alone_settles_nothing_where_it_tells() {
        for text in [
            "mila always asks me whether it is hard",
            "in a whole year he never said it",
            "the job never ends on the second run",
            "Der Kran steht immer links",
            "el job nunca terminó",
            "касса никогда не открывается",
            "The rule with the 24 hours at the pier",
            "die Regel mit dem Kran",
            "3 of 10000 ships, i dont care",
            "I don't know which berth",
        ] {
            assert!(only_tells(text), "{text}");
        }
        for text in [
            "we never query the primary",
            "it should never reload",
            "the job never ends, so we decided to split it",
            "don't reload it, it never helps",
            "the crane is left of the pier",
            "it must always be sorted",
            "the rule for the pier is 48 hours",
            "the rule for the pier: 48 hours",
        ] {
            assert!(!only_tells(text), "{text}");
        }
    }

    #[test]
    fn what_holds_for_a_while_or_is_guessed_is_not_settled() {
        for text in [
            "Don't touch the other cranes for now",
            "no results, so it shouldn't be there (yet)",
            "Presumably we are polling rather than watching",
            "Fasst die Waage vorerst nicht an",
            "no toques la grúa por ahora",
            "пока не трогай кран",
            "暂时不要改吊车",
            "とりあえずクレーンは触らないで",
            "일단 크레인은 그대로 두자",
        ] {
            assert!(is_for_now(text), "{text}");
        }
        for text in [
            "we want all berths in one table",
            "don't want the crane's log twice",
            "use the tide table instead of the forecast",
            "the berth is named Maybelle, not Mabel",
            "不要改吊车",
        ] {
            assert!(!is_for_now(text), "{text}");
        }
    }

    #[test]
    fn a_standing_rule_holds_for_all_times() {
        for text in [
            "never deploy the crane on a friday",
            "never seed the primary",
            "always set the tenant before you read",
            "Always use tabs, never spaces",
            "ah and before anybody asks: we never query the primary",
            "the berth numbers must never be reused",
            "from now on every migration gets a down script",
            "new habit please: read the scale twice before you tell me it is right",
            "no exceptions, the scale is read twice",
            "the scale is read twice, no exceptions",
            "no camera on the pier, ever, not even for a day",
            "the scale doesn't reset itself, full stop, not for anybody",
            "rule, for good: berths in metres",
            "new berths only go to the north quay and nowhere else",
            "no new crane without asking me first",
            "the tide gauge is read twice, no matter what",
            "british spelling in the log, that's the rule from here on",
            "keine neuen Kräne ohne mich zu fragen",
            "ni una grúa más sin preguntarme",
            "никаких новых кранов без спроса",
            "所有的秤都要校准,没有例外",
            "rule for the whole harbour btw: i leave the primary alone and so do you",
            "and a new rule: berths are never named after ships",
            "规矩:周五不发版",
            "デプロイの前に必ずバックアップを取ること",
            "크레인 표는 항상 먼저 백업하세요.",
            "for the vega customers, always send the invoice as pdf",
            "please always run the linter first",
            "Don’t ever push to the release branch",
            "Und die Waage wird nie nachts geeicht",
            "wir deployen freitags nie",
            "So let's say forty-eight hours, instead of the twenty-four, as of now",
            "ab sofort nur noch mit Ticket",
            "nunca desplegamos los viernes",
            "a partir de agora todo preço em centavos",
            "on ne touche jamais la prod le vendredi",
            "d'ora in poi solo UTC nei log",
            "никогда не трогай таблицу причалов",
            "以后都用分为单位",
            "以后请用中文回答",
            "吊车好了，以后浸泡测试用12月的曲线",
            "de ahora en más no toques la tabla",
            "生产库禁止直接改数据",
            "本番では絶対に流さない",
            "앞으로는 커밋 메시지를 한국어로",
            "great and as a principle: in the log it's metres only",
            "ok principle here: better no berth than a wrong one",
            "policy: a new crane needs my ok beforehand",
            "new law for me and for you: nothing is moved by hand except in a dry run",
            "let's make it a habit: whoever leaves the quay writes the log",
            "grain is never to share a hold with coal",
            "no new crane comes in without a line in CRANES.md",
            "nothing is moved by hand in the harbour except in a dry run",
            "no ship in this harbour may wait for the tide",
            "nothing in this harbour ever moves the crane, not even a storm",
            "no berth that a ship has is ever painted again",
            "yes and generally: test with the papers of real ships",
            "quede escrito ya para siempre, en los dos idiomas",
            "From today each entry begins with the number of the berth",
            "no ranking of crews, not even inside, never",
            "no camera on the pier as long as I run it, and the gate sends nothing full stop",
            "ни одного крана без проверки, никаких весов без пломбы",
            "весов без пломбы больше не ставим",
            "эту таблицу не трогаем, для всего проекта",
            "個人データはどのログにも出さないこと",
            "それと、潮の時刻は必ず UTC で保存してください",
            "앞으로 크레인 표에 직접 쓰지 마세요",
            "keep it like this, the crane is moved only by my hand",
            "então fica combinado: nenhum guindaste novo sem me perguntar antes",
            "anything that lifts shows me the load first. every crane, always",
            "and never again a crane without a lamp, i dont care which",
            "以后凡是动了吊车，就校准一遍",
            "no winch on the pier anymore, nowhere, also not on the quay",
            "then a rule: that winch does not run again without a test first",
            "nothing new goes into the yard or crane.json unless ive said yes to it first",
            "anything over 20 tons goes to the big crane, not here, ever",
            "i really dont wanna see another rope without a mark on this pier",
            "ok.never lift at night",
            "версии лебёдок без моего согласия не трогаешь, сначала спроси",
            "앞으로 크레인 시험 결과를 보여주기 전에는 고쳤다고 하지마",
            "이제부터 크레인은 밤에 옮기지 말자",
        ] {
            assert!(is_standing_rule(text), "{text}");
        }
    }

    #[test]
    fn what_tells_or_holds_for_a_while_is_no_standing_rule() {
        for text in [
            // Of what, another sentence says.
            "every time, no exceptions",
            "ohne Ausnahme, immer",
            "i want to see another crane with a lamp",
            "이제부터 시작이다",
            "지금부터 크레인이 움직인다",
            "i looked at the crane, it was not there, ever",
            "кран висит уже час, он не отвечает, никогда",
            "somebody moved the crane without my consent",
            "users never want to see a spinner when the crane is moved",
            "The flag is defined on the watch command but never read in RunE",
            "it starts high and never gets to 0",
            "hmm that never worked for me",
            "And the enabled flag was never quite right",
            "never mind, the scale is fine",
            "don't touch the crane for now",
            "the job always failed on the second run",
            "we never had that problem",
            "das hat noch nie funktioniert",
            "der Kran steht immer links",
            "o job nunca terminou",
            "the primary is slow",
            "the crane stops every second day, always after lunch",
            "is that the best tide table ever",
            "always another test",
            "lowercase start, no full stop",
            "I would like four days but then we never get anything out",
            "about rule no crane at night: what does it say",
            "as of now the winch runs instead of the crane",
            "nine ships were late, sempre envolvendo o mesmo cais",
            "nine ships are late, always involving the same berth",
            "of 64 days 23 differ, always tide, never wind",
            "the firewall has a rule: port 7 is open",
            "the arrows can never do anything useful in the search",
            "we should always show it",
            "I'll look for the other crane from now on",
            "my grandpa, who is 78, always told me to wait",
            "it depends on always having the lock",
            "these messages are nevertheless sent",
            "このジョブは必ず三時に落ちる",
            "두 번째 실행은 항상 실패한다",
            "我不得不重启服务",
            "这个以后再说，先用旧的",
            "以后会用新的吊车",
            "no output without the flag",
            "nothing happens without a berth",
            "nothing ever happens on the pier",
            "no idea, that may be the tide",
            "the crane has a principle: it lifts",
            "from today the quay is closed",
            "from here we see the whole quay",
            "больше не работает",
            "вход больше не нужен",
            "we left no crane without a lamp",
            "the winch is used only by me on the quay",
            "das Boot wird nur von mir benutzt",
            "dann immer derselbe Fehler an der Winde",
            "então sempre dá erro no guindaste",
            "a grua fica parada para sempre",
            "크레인을 앞으로 이동하게 해줘",
            "The second crane of the yard does not lift. Every time.",
            "never again had that",
            "never again",
            "it never again lifted",
        ] {
            assert!(!is_standing_rule(text), "{text}");
        }
    }
}
