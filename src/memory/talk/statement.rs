//! Single sentences that can be read without what stands around them, for ROOT.md.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::cues::{Beginnings, behind_go_ahead};
use super::main_clause::main_clause;
use super::passage::{Cutter, Passage, Sayer};
use super::standing_rule::{asks_to_replace, is_standing_rule, joined_rule, replacement};
use super::telegram::plain;
use super::telling::{telling, wide};
use super::terms::Rarity;
use super::turns::Turn;
use super::withdrawn::withdraws;
use crate::memory::hashed::Hashed;
use crate::memory::tokens::cost;
use crate::text::behind;

/// What a statement may be long, in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 16..=170;
/// The most characters of a rule for all times, which is one sentence however much it rules.
pub(super) const LONGEST_RULE: usize = 240;
/// What such a rule is worth more than what else a person says.
const RULE: u64 = 3;
/// The most statements of an entry, and how many such rules it may have beyond them.
const MOST: usize = 12;
const MORE_RULES: usize = 8;
/// Sentences that begin so speak of something that was named before.
const POINTING: &str = "\
it |it's|it’s|its |this |that |that's|that’s|these |those |they |he |she |это |этот |эта |эти |он |она |оно |они |\
es |c'est |ça |cela |eso |esto |ese |esa |isso |isto |esse |essa |questo |questa |这|那|它|他|她|跟他|跟她|问他|问她|让他|让她|\
给他|给她|等他|等她|これ|それ|あれ|この|その|이건|그건|\
이것|그것";
/// Sentences that begin so go on with, answer or point to something said before.
const DANGLING: &str = "\
so |but |and |also|then |which |both |here |here's|here’s|there |yes|no,|no |right|good|ok|done|two |to |for example|e.g.|\
note:|otherwise|or |once |same |line |lines |at line |re: |tool use: |hmm |hmm,|hmm.|and..|oh,|там |тут |здесь |но |и |а |\
да, |нет, |так что |тогда |иначе |например|und |aber |also |dann |ja,|nein|dort |außerdem|et |mais |donc |alors |non,|ici |\
y |pero |entonces |así que|ahí |ah |e |mas |então |entao |não,|aí |è |ma |quindi |allora |qui |但|所以|然后|而且|嗯|ここ|そこ|\
うん|あー|はい|でも|じゃあ|だから|그래서|하지만|그리고|sí,|sí |sì,|sì |sim,|oui,|oui |uff |uff,|uff.|好,|好，|好的|对,|对，|哈哈|哈,|哈，";

/// What a path has in it that leads to something on one machine only.
const OF_A_HOME: [&str; 2] = ["/Users/", "/home/"];

/// What a person asks for rather than states.
const REQUESTS: &str = "\
can you|could you|please|let's|let’s|i'd like|i’d like|i want you|help me|i need you|i'm looking for|tell me|\
show me|give me|what |how |why |do you|would you|is there|are there|can i|can we|should we|should i|\
i was wondering|address |check |look |diff |explain |implement it|make it|make that|do it|do that|fix it|\
fix that|merge |go ahead|можешь|можно ли|давай|сделай|проверь|посмотри|глянь|объясни|расскажи|напиши|покажи|\
помоги|что |как |почему |зачем |где |сколько |какой |какая |какие |kannst du|könntest du|bitte |mach |mach's|\
schau |schau'|zeig |gib mir|erklär|was |wie |warum |wieso |welche|wann |lass uns|prüf |schreib |peux-tu|peux tu|\
tu peux|est-ce |pourquoi|comment |quel |quelle |qu'est-ce|fais |vas-y|lance |vérifie |verifie |corrige |dis-moi|\
on peut |puedes|podés|podes|por favor|porfa|qué |cómo |por qué|cuál |cuándo |dónde |fijate|fíjate|mira |arreglá|\
arreglalo|haz |hazlo|hacé |hacelo|dame |decime|dime |pasame|pásame|muéstrame|avisale|subilo|revisa |revisá|dale|\
metele|seguí|pode |você pode|qual |como |por que |quando |onde |quanto |faz |faça |me dá|me da |me mostra|\
mostra |verifica |confere |arruma |puoi|potresti|per favore|come mai|perché |quale |dove |fammi|mostrami|spiega|\
controlla |correggi |dammi|帮我|看看|你看|能不能|是不是|要不要|怎么|为什么|先别|해 줘|왜 |어떻게 |explica |donne |montre |explique |\
regarde |arregla |请你|请把|请帮|mostrame ";

/// How one asks in languages whose verb stands at the end.
const ASKED: [&str; 24] = [
    "ください",
    "下さい",
    "お願いします",
    "お願い",
    "ますか",
    "ませんか",
    "でしょうか",
    "해줘",
    "해 줘",
    "주세요",
    "して",
    "みて",
    "頼みます",
    "頼む",
    "くれ",
    "かな",
    "だよね",
    "吗",
    "呢",
    "吧",
    "一下",
    "까",
    "나요",
    "줘",
];

static POINTS: LazyLock<Beginnings> = LazyLock::new(|| Beginnings::new(POINTING));
static DANGLES: LazyLock<Beginnings> = LazyLock::new(|| Beginnings::new(DANGLING));
static REQUESTING: LazyLock<Beginnings> = LazyLock::new(|| Beginnings::new(REQUESTS));
static HTTP: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("http"));
static LET_ME: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(" let me "));
static ITSELF: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(" I"));

/// Adds the sentences of an entry's turns that can stand alone, in order.
pub(crate) fn add_statements<'a>(
    found: &mut Vec<Passage<'a>>,
    turns: &[Turn<'_, 'a>],
    cutter: &mut Cutter<'a>,
) {
    let before = found.len();
    found.extend(cutter.sentences(turns, alone).filter_map(|mut passage| {
        // Who says it where counts in what it tells.
        passage.factor = 16;
        let left = beside_answer(&passage)?.len();
        let answer = passage.text.len() - left;
        passage.text = &passage.text[answer..];
        if answer > 0 && passage.sayer == Sayer::Person {
            passage.is_rule = is_standing_rule(passage.text);
        }
        let idle = match passage.sayer {
            Sayer::Person => {
                (REQUESTING.begin(&plain(passage.text))
                    && !passage.is_rule
                    && !asks_to_replace(passage.text))
                    || is_asked_last(passage.text)
                    || answers_by_number(passage.text)
                    || is_of_compiler(passage.text, passage.is_named)
            }
            Sayer::Other => !passage.is_rule && tells_of_itself(passage.text),
        };
        ((passage.words.len() > 2 || passage.is_rule) && !idle).then_some(passage)
    }));
    only_once_in_an_exchange(found, before);
}

/// What a person has ruled in words that can be read by themselves is not told again in those of the reply. Looks at what was found
/// from `first` on.
fn only_once_in_an_exchange(found: &mut Vec<Passage<'_>>, first: usize) {
    // What a document rules is for the task that it describes.
    let by_person = |passage: &&Passage<'_>| {
        passage.is_rule && passage.sayer == Sayer::Person && !passage.is_of_document()
    };
    let ruled: Vec<usize> =
        found[first..].iter().filter(by_person).map(|rule| rule.exchange).collect();
    let mut at = first;
    while let Some(passage) = found.get_mut(at) {
        let is_again = passage.is_rule
            && passage.sayer == Sayer::Other
            && ruled.binary_search(&passage.exchange).is_ok();
        passage.is_rule &= !is_again;
        if is_again && tells_of_itself(passage.text) {
            found.remove(at);
        } else {
            at += 1;
        }
    }
}

/// What of a sentence can stand alone: all of it, or what a long one says first.
fn alone(text: &str, person: bool) -> Option<&str> {
    let text = if person { text } else { behind_report(text) };
    let rules = || {
        [joined_rule, replacement].iter().any(|of| of(text).is_some_and(stands_alone))
            || is_long_rule(text)
    };
    if stands_alone(text) || (person && rules()) {
        return Some(text);
    }
    let is_long = text.len() > *LENGTHS.end() && text.chars().count() > *LENGTHS.end();
    let main = if is_long { main_clause(text, *LENGTHS.end()) } else { None };
    main.filter(|main| stands_alone(main))
}

/// A text without the word that says that something is done: `Done: the crane has a lamp`.
fn behind_report(text: &str) -> &str {
    const REPORTS: [&str; 18] = [
        "done",
        "fixed",
        "built",
        "ready",
        "erledigt",
        "fertig",
        "gemacht",
        "fait",
        "c'est fait",
        "hecho",
        "listo",
        "feito",
        "pronto",
        "fatto",
        "готово",
        "сделано",
        "完了",
        "完成",
    ];
    /// In bytes, more than the longest has.
    const LONGEST: usize = 24;
    let begins = &text.as_bytes()[..text.len().min(LONGEST)];
    // Of a mark of more bytes, the first tells enough.
    let Some(end) = begins.iter().position(|byte| matches!(byte, b':' | 0xe2 | 0xef)) else {
        return text;
    };
    let word = text[..end].trim_end();
    let told = text[end..].trim_start_matches([':', '：', '—', '–']);
    let is_apart =
        told.len() < text.len() - end && (text[end..].starts_with('：') || told.starts_with(' '));
    let is_report = is_apart && REPORTS.contains(&&*word.to_lowercase());
    if is_report { told.trim_start() } else { text }
}

/// What a passage says behind a go-ahead that it begins with. `None` where it only answers what was said before it: all such
/// an assistant says, and what is short of a person's and settles nothing: `perfect, I'll tell Ada`.
fn beside_answer<'p>(passage: &'p Passage<'_>) -> Option<&'p str> {
    /// So many characters have room for more than that.
    const LONG: usize = 48;
    let bare = behind_go_ahead(passage.text);
    if bare.len() == passage.text.len() {
        return Some(bare);
    }
    let is_long = bare.chars().count() + wide(bare) >= LONG;
    let tells = passage.sayer == Sayer::Person && (is_long || passage.cue.is_some());
    (tells && stands_alone(bare)).then_some(bare)
}

/// Whether the last word of a text asks for something.
fn is_asked_last(text: &str) -> bool {
    if text.is_ascii() {
        return false;
    }
    let text = text.trim_end_matches(['。', '.', '！', '!', ' ']);
    ASKED.iter().any(|end| text.ends_with(end))
}

/// `src/gate.rs:12:4: unused winch`: a remark of a compiler, which a person pasted, under their name or not.
fn is_of_compiler(text: &str, is_named: bool) -> bool {
    let text = text.split_once(": ").map_or(text, |(_, said)| if is_named { said } else { text });
    let place = text.split(' ').next().and_then(|word| word.strip_suffix(':'));
    let mut parts = place.into_iter().flat_map(|place| place.rsplitn(3, ':'));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    parts.next().is_some_and(is_number)
        && parts.next().is_some_and(is_number)
        && parts.next().is_some_and(|file| file.contains('.'))
}

/// Whether a text can be read without what stands around it.
pub(super) fn stands_alone(text: &str) -> bool {
    stands_alone_within(text, LENGTHS)
}

/// Whether a text is too long for a statement but for a rule for all times.
fn is_long_rule(text: &str) -> bool {
    let longer = LENGTHS.end() + 1..=LONGEST_RULE;
    text.len() >= *longer.start() && stands_alone_within(text, longer) && is_standing_rule(text)
}

/// Whether what somebody wrote down, of at most so many characters, can be read without what stands around it. There, `no crane
/// at night` answers nothing.
pub(super) fn can_stand_alone(text: &str, most: usize) -> bool {
    let rest = behind(text, "no ").unwrap_or(text);
    stands_alone_within(rest, *LENGTHS.start()..=most - (text.len() - rest.len()))
}

fn stands_alone_within(text: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    let length = text.chars().count();
    length + wide(text) >= *lengths.start()
        && length <= *lengths.end()
        && !text.ends_with([':', '?', '？', '…', ','])
        && !text.starts_with([
            '→', '(', '…', '[', '<', '/', '@', '"', '“', '+', '#', '-', '·', '✅', '❌',
        ])
        && !text.starts_with(is_pictograph)
        && !names_by_number(text)
        && !(text.contains('/') && OF_A_HOME.iter().any(|home| text.contains(home)))
        && is_balanced(text)
        && !has_address(text)
        && !text.contains("[REDACTED")
        && (!DANGLES.begin(text) || forbids(text))
        && (!POINTS.begin(text) || withdraws(text))
        && !behind_label(text).is_some_and(|told| POINTS.begin(told))
}

/// Whether the address of a page stands in a text; `no http call` has none.
fn has_address(text: &str) -> bool {
    HTTP.find_iter(text.as_bytes()).any(|at| {
        let rest = &text[at + "http".len()..];
        rest.strip_prefix('s').unwrap_or(rest).starts_with("://")
    })
}

/// Whether a text that begins with `no` answers nothing but rules something out: `no new crane without asking me first`.
fn forbids(text: &str) -> bool {
    behind(text, "no ").is_some() && is_standing_rule(text)
}

/// What stands behind the name of an item of a list, as in `Reliable - They do not depend on the clock`.
fn behind_label(text: &str) -> Option<&str> {
    const WORDS: usize = 3;
    let (name, told) = [" - ", " – ", " — "].iter().find_map(|dash| text.split_once(dash))?;
    (name.split(' ').count() <= WORDS).then_some(told)
}

/// Whether no code and no aside is cut in a text, and no tag stands in it.
fn is_balanced(text: &str) -> bool {
    let (mut ticks, mut open, mut closed) = (0_u32, 0_u32, 0_u32);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'`' => ticks += 1,
            b'(' => open += 1,
            b')' => closed += 1,
            b'<' if !is_placeholder(&text[..at], &text[at + 1..]) => return false,
            b'>' if !text[..at].contains('<') => return false,
            _ => {}
        }
    }
    ticks.is_multiple_of(2) && open == closed
}

/// Whether what an angle bracket opens stands for a part of a path, as in `fixtures/<issue number>/`.
fn is_placeholder(before: &str, behind: &str) -> bool {
    let name = behind.split_once('>').map(|(name, _)| name);
    before.ends_with(['/', '-', '_'])
        && name.is_some_and(|name| !name.contains(|c: char| !(c.is_alphanumeric() || c == ' ')))
}

/// Whether an assistant speaks of its own work rather than of the subject's: `the files are here, so I can read them`, `now
/// the tests`.
fn tells_of_itself(text: &str) -> bool {
    const OF_ITSELF: [&str; 5] = [" I can ", " I'll ", " I’ll ", " I will ", " I need "];
    let bytes = text.as_bytes();
    bytes.get(..4).is_some_and(|begins| begins.eq_ignore_ascii_case(b"now "))
        || LET_ME.find(bytes).is_some()
        || (ITSELF.find(bytes).is_some() && OF_ITSELF.iter().any(|part| text.contains(part)))
}

/// Whether a text names something by its number in a list that stands elsewhere: `MIP #2`, not `PR #2`.
fn names_by_number(text: &str) -> bool {
    const KNOWN: [&str; 6] = ["pr", "issue", "pull", "mr", "bug", "request"];
    text.match_indices('#').any(|(at, _)| {
        let is_number = text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
        if !is_number || !text[..at].ends_with(' ') {
            return false;
        }
        let before = text[..at].split_whitespace().next_back().unwrap_or("");
        let before = before.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        !KNOWN.contains(&&*before)
    })
}

/// Whether a person says something of the points of a list that stands elsewhere: `1 and 2, skip 3`, `q4: yes`, `b yes`.
fn answers_by_number(text: &str) -> bool {
    const ANSWERS: [&str; 27] = [
        "yes", "no", "ok", "and", "is", "are", "fine", "good", "skip", "leave", "later", "do",
        "out", "agreed", "but", "ja", "nein", "oui", "non", "sim", "sí", "si", "não", "да", "нет",
        "und", "y",
    ];
    let Some((first, rest)) = text.split_once(char::is_whitespace) else { return false };
    let point = first.trim_end_matches([',', ':', ')', '!', '.']);
    let number = point.strip_prefix(['q', 'Q']).unwrap_or(point);
    let is_number = (1..=2).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    let is_letter = matches!(point.as_bytes(), [b'a'..=b'e' | b'A'..=b'E']);
    let next = rest.split([' ', ',', '.', ':', '!']).next().unwrap_or_default().to_lowercase();
    let is_answered = point.len() < first.len() || ANSWERS.contains(&&*next);
    (is_number && (number.len() < point.len() || is_answered)) || (is_letter && is_answered)
}

/// A sign that programs put before lines of their output.
fn is_pictograph(c: char) -> bool {
    matches!(u32::from(c), 0x2100..=0x2bff | 0x1f000..)
}

/// One of an entry's statements, chosen.
pub(crate) struct Chosen {
    /// its place among them
    pub(crate) at: usize,
    /// compares those of one day
    pub(crate) weight: u32,
    /// what makes it worth more than its words do, in 1/256: what it tells, and how much is said beside it
    pub(crate) quality: u32,
}

/// The best of an entry's statements, best first: what says much in few words of what the entry is about, and what no
/// better one says already.
pub(crate) fn best(statements: &[Passage<'_>], rarity: &Rarity) -> Vec<Chosen> {
    let all: usize = statements.iter().map(|statement| statement.words.len()).sum();
    let mut often: HashMap<u64, u64, Hashed> =
        HashMap::with_capacity_and_hasher(all, Hashed::default());
    for statement in statements {
        let times = if statement.sayer == Sayer::Person { 3 } else { 1 };
        for word in statement.words {
            *often.entry(*word).or_default() += times;
        }
    }
    let count = statements.len();
    let mut words = Vec::with_capacity(all);
    let weighed: Vec<Weighed> = (0..count)
        .map(|at| {
            let quality = telling(&statements[at], at, count);
            Weighed::of(&statements[at], quality, rarity, &often, &mut words)
        })
        .collect();
    let mut told: HashSet<u64, Hashed> =
        HashSet::with_capacity_and_hasher(often.len(), Hashed::default());
    let all = weighed.iter().enumerate();
    let mut queue: BinaryHeap<(u32, Reverse<usize>)> =
        all.map(|(at, statement)| (statement.weight(&words, &told), Reverse(at))).collect();
    let mut chosen = Vec::with_capacity(MOST);
    // What a statement weighs only ever falls, so the first that still weighs what it did is the best.
    while let Some((before, Reverse(at))) = queue.pop() {
        let weight = weighed[at].weight(&words, &told);
        if weight < before {
            queue.push((weight, Reverse(at)));
            continue;
        }
        if weight == 0 || chosen.len() == MOST {
            break;
        }
        told.extend(statements[at].words);
        chosen.push(Chosen { at, weight, quality: weighed[at].quality });
    }
    // Who does not read a rule breaks it, however little it says.
    let left = |at: &usize| weighed[*at].is_rule && chosen.iter().all(|chosen| chosen.at != *at);
    let rules: Vec<usize> = (0..count).filter(left).take(MORE_RULES).collect();
    chosen.extend(rules.into_iter().map(|at| Chosen {
        at,
        weight: 1,
        quality: weighed[at].quality,
    }));
    chosen
}

/// A statement with what does not change while others are chosen.
struct Weighed {
    /// where its words stand among those of all, with what they weigh
    words: Range<usize>,
    /// see [`Chosen::quality`]
    quality: u32,
    /// what makes it worth more than its words: its quality, and in notes what its label says
    worth: u64,
    /// what it costs, in tokens
    room: u64,
    /// see [`Passage::is_rule`]
    is_rule: bool,
}

impl Weighed {
    fn of(
        statement: &Passage<'_>,
        quality: u32,
        rarity: &Rarity,
        often: &HashMap<u64, u64, Hashed>,
        words: &mut Vec<(u64, u64)>,
    ) -> Self {
        let weight = |word: &u64| {
            let often = often.get(word).copied().unwrap_or(1).min(25).isqrt();
            (*word, u64::from(rarity.weight(*word)) * often)
        };
        let is_rule = statement.is_rule;
        let from = words.len();
        words.extend(statement.words.iter().map(weight));
        Self {
            words: from..words.len(),
            quality,
            worth: u64::from(quality * statement.factor) * if is_rule { RULE } else { 1 },
            room: u64::from(cost(statement.text).to_tokens()) + 8,
            is_rule,
        }
    }

    /// What its words weigh, those told already less, by its quality and by how much room it takes.
    fn weight(&self, words: &[(u64, u64)], told: &HashSet<u64, Hashed>) -> u32 {
        let news: u64 = words[self.words.clone()]
            .iter()
            .map(|(word, weight)| weight * if told.contains(word) { 1 } else { 8 } / 8)
            .sum();
        u32::try_from(news * self.worth / self.room / 16).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::memory::talk::passage::Role;

    #[test]
    fn a_person_does_not_say_what_a_compiler_prints() {
        fn check(text: &str, is_named: bool, expect: bool) {
            assert_eq!(is_of_compiler(text, is_named), expect, "{text}");
        }
        check("src/gate.rs:12:4: the winch is never used", false, true);
        check("Ada: src/gate.rs:12:4: the winch is never used", true, true);
        check("src/gate.rs:42: the winch must never be used", false, false);
        check("example.com:443: the winch is here", false, false);
        check("gate.rs: the winch is never used", false, false);
        check("12:30:10: the winch is stuck", false, false);
        check("gate.rs::: the winch is stuck", false, false);
        check("gate.rs:12:4 has the winch", false, false);
    }

    #[test]
    fn what_is_asked_at_the_end_is_no_statement() {
        for text in [
            "月のインフラ費の見積もりを出してください。",
            "港の表を直してもらえますか",
            "부두 표를 다시 만들어 주세요",
            "표를 정리해줘",
        ] {
            assert!(is_asked_last(text), "{text}");
        }
        for text in ["予約は2回まで変更できます。", "요금은 4,900원으로 한다.", "Please"]
        {
            assert!(!is_asked_last(text), "{text}");
        }
    }

    #[test]
    fn what_a_person_asks_for_is_no_statement_in_any_common_language() {
        for text in [
            "kannst du den Kran sperren",
            "mach bitte den Kran zu",
            "peux-tu fermer la grue",
            "pasame la lista de balanzas",
            "pode fechar a balança",
            "puoi chiudere la gru",
            "帮我看看秤的日志",
        ] {
            assert!(REQUESTING.begin(text), "{text}");
        }
        for text in [
            "Machbar ist nur der kleine Kran",
            "Données de la grue en UTC",
            "Explicación: la balanza estaba en UTC",
            "请求超时是三秒",
        ] {
            assert!(!REQUESTING.begin(text), "{text}");
        }
        assert!(POINTS.begin("Eso pasa porque la balanza manda dos veces"));
        for text in ["Síntoma: la balanza manda dos veces", "Simple crane rule", "对账只看总数"]
        {
            assert!(!POINTS.begin(text) && !DANGLES.begin(text), "{text}");
        }
    }

    #[test]
    fn of_an_answer_what_it_settles_is_left() {
        fn check(person: bool, text: &str, expect: Option<&str>) {
            let sayer = if person { Sayer::Person } else { Sayer::Other };
            let arena = Bump::new();
            let passage = Passage { sayer, ..Passage::again(text, Role::Said, &arena) };
            assert_eq!(beside_answer(&passage), expect, "{text}");
        }
        check(true, "perfeito, levo assim pra Ada", None);
        check(true, "可以，客服那边我说", None);
        check(
            true,
            "ok, we use cookies instead of tokens",
            Some("we use cookies instead of tokens"),
        );
        check(
            true,
            "perfekt. der Kran hat übrigens immer noch keine Lampe, Ada fragt nochmal nach",
            Some("der Kran hat übrigens immer noch keine Lampe, Ada fragt nochmal nach"),
        );
        check(true, "the crane has no lamp", Some("the crane has no lamp"));
        check(false, "Good, the crane is there and we use it instead of the winch", None);
    }

    #[test]
    fn of_a_sentence_is_told_what_can_stand_alone() {
        fn check(person: bool, text: &str, expect: Option<&str>) {
            assert_eq!(alone(text, person), expect, "{text}");
        }
        let crane =
            "The crane of the north quay lifts with the new winch that the yard has sent in May";
        let lamp = "it has a red lamp on each of its arms now, and a horn that is heard as far as the lighthouse";
        check(false, &format!("{crane}; {lamp}"), Some(crane));
        check(false, &format!("{crane}, and {lamp}"), None);
        check(false, &format!("{crane}; {lamp}, but not at night"), None);
        check(false, crane, Some(crane));
        check(false, "Done: the crane has a red lamp", Some("the crane has a red lamp"));
        check(false, "Erledigt: der Kran hat eine Lampe", Some("der Kran hat eine Lampe"));
        check(false, "Done with the crane, it has a lamp", None);
        check(
            true,
            "and from now on no crane without a lamp",
            Some("and from now on no crane without a lamp"),
        );
        check(
            true,
            "that rule about the two keys is gone",
            Some("that rule about the two keys is gone"),
        );
        check(true, "that crane has two keys by now", None);
    }

    #[test]
    fn a_rule_may_be_longer_than_what_else_is_told() {
        let long = "all secrets of the harbour are changed every ninety days, they live in the safe below the crane, \
            they are in no log and in no letter, and they are told to nobody on the telephone either";
        assert!(!stands_alone(long) && !is_long_rule(long));
        assert!(is_long_rule(&format!("rule from me: {long}")));
        assert!(!is_long_rule(&format!("rule from me: {long}, {long}")));
        assert!(!is_long_rule("rule from me: secrets are changed"));
    }

    #[test]
    fn what_a_person_says_of_points_of_a_list_cannot_be_read_alone() {
        for text in [
            "1 yes 2 yes 3 yes but mail only",
            "q4 by the number of the crane",
            "3 is a wish, put it to the others",
            "b yes all of it",
            "a, but only till the 20th of march",
            "5: with the old winch",
        ] {
            assert!(answers_by_number(text), "{text}");
        }
        for text in ["7 cranes soon", "a louder horn", "14 minutes a run", "9 pairs since january"]
        {
            assert!(!answers_by_number(text), "{text}");
        }
    }

    #[test]
    fn statements_can_be_read_alone() {
        for text in [
            "It fails because of that here.",
            "Why does the parser fail?",
            "→ src/a.rs:3 has the parser",
            "✨ The harbour tool is installed and ready",
            "Worktree is up at /home/jo/harbour, main checkout untouched",
            "Both tests of MIP #2 fail on the parser",
            "Reliable - They do not depend on the clock",
            "At line 12, the parser is made but never used",
            "ok",
            "no crane stood on the pier in march",
        ] {
            assert!(!stands_alone(text), "{text}");
        }
        assert!(!stands_alone("the page says <b>parser</b> where it fails"));
        assert!(!stands_alone("a berth > 5 fails in the parser"));
        assert!(stands_alone("each ship has its papers under berths/<berth number>/ship.md"));
        assert!(stands_alone("The parser fails because the index is stale."));
        assert!(stands_alone("no new crane without asking me first"));
        assert!(stands_alone("The parser fails since PR #12 went in."));
        assert!(stands_alone("Reliable - no test depends on the clock"));
        assert!(stands_alone("The tests pass on every branch - so the gate can go"));
        assert!(stands_alone("原因是每次都重新读取全部文本"));
        assert!(stands_alone("인증 토큰을 갱신하지 않기로 결정했다. 다음 주에 다시 본다."));
    }
}
