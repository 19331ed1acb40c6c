//! What of a turn is prose: sentences, without pasted output, fenced text and marks of images; and what a client writes
//! where a person would have spoken.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::pasted::is_pasted;
use super::paths;
use super::steps;
use crate::markdown::fence;
use crate::memory::topics::{is_cjk, is_common};
use crate::text;

/// What a prompt may begin with and does not ask for.
const LEADS: &str = "\
meanwhile|anyway|right.|right,|right so|hiya|yo.|yo,|yo!|re.|ah|ahh|ahh ok|aha|lol|haha|hm.|uf,|ostras,|vale,|venga,|oye,|ben,|tiens,|dis,|the actual thing.|the main thing.|different thing.|thanks.|thanks,|thx.|thx,|спс.|спс,|спасибо.|спасибо,|вопрос.|\
next thing|sort of.|sort of,|kind of.|kind of,|not really.|not really,|more or less.|mais ou menos.|más o menos.|plus ou moins.|so ungefähr.|вроде.|back.|i'm back|im back|one more thing|new topic|other topic|hmm|hmmm|hm|ouch|oops|ugh|argh|yup|yep|no man|nope|nice|cool|ok|okay|so|now|well|hey|hi|hello|alright|great|please|and|but|then|\
next|also|yes|right now|let's|lets|just|first|finally|take a look at|have a look at|look at|can you please|\
could you please|can you|could you|would you|will you|can we|could we|i'd like you to|i'd like to|\
i would like you to|i would like to|we'd like|we'd like to|we'd also like|we'd also like to|i'd also like to|\
i want you to|i want to|i need you to|i need to|we want to|we need to|we are going to|we have to|you should|\
you need to|i'm going to|i am going to|i'm trying to|i am trying to|i'm looking to|i am looking to|we're going to|we're trying to|\
we're looking to|we are trying to|we are looking to|it's time to|its time to|\
help me to|help me|seems like|seems|maybe|our goal here is to|our goal is to|the goal is to|my goal is to|\
morning|good morning|good evening|good afternoon|привет|здравствуй|здравствуйте|доброе утро|добрый день|\
добрый вечер|доброе|утро|всем привет|срочно|блин|слушай|смотри|глянь|короче|кстати|так|так и есть|суть|ну|да|\
нет|ага|ок|окей|ладно|хорошо|отлично|супер|верно|точно|согласен|и|а|но|еще|ещё|теперь|тогда|давай|давайте|\
сделай так чтобы|пожалуйста|плиз|надо|надо бы|нужно|хочу|хочу чтобы|хотелось бы|можешь|можно ли|мне нужно|\
мне надо|нам нужно|нам надо|помоги|помоги понять|moin|hallo|servus|guten morgen|guten tag|und|aber|jetzt|dann|\
bitte|ja|nein|gut|danke|passt|kannst du|kannst du bitte|könntest du|ich möchte|ich will|ich brauche|wir müssen|\
wir wollen|wir brauchen|lass uns|anderes thema|neues thema|nächstes thema|kurze frage|noch was|bonjour|salut|\
coucou|alors|et|mais|bon|donc|oui|non|merci|peux-tu|peux tu|tu peux|est-ce que tu peux|j'aimerais|je voudrais|\
je veux|il faut|il faudrait|on doit|question rapide|dernier truc|autre sujet|d'accord|hola|buenas|buenos dias|\
buenos días|buen dia|buen día|buenas tardes|y|pero|bueno|ahora|dale|listo|puedes|podés|podes|me podés|quiero|\
quiero que|necesito|necesito que|hay que|tenemos que|por favor|porfa|sí|si|genial|perfecto|gracias|otra cosa|\
urgente|voltei|oi|olá|bom dia|boa tarde|boa noite|agora|então|entao|pode|você pode|quero|quero que|preciso|preciso que|\
precisamos|temos que|sim|não|nao|beleza|certo|outra coisa|ciao|buongiorno|allora|ma|puoi|potresti|vorrei|voglio|\
dobbiamo|bisogna|per favore|sì|perfetto";

/// How a clause begins that asks for something.
const WANTS: &str = "we'd like|we'd also like|i'd like|i'd also like|we want|i want|we need|i need|we should|let's|lets|\
can you|could you|can we|could we|please";

/// What people tell an agent that they or another one did, before they say what is to be done now.
const REPORTED: [&str; 15] = [
    "addressed",
    "attached",
    "clicked",
    "committed",
    "created",
    "implemented",
    "opened",
    "pasted",
    "pushed",
    "restarted",
    "resumed",
    "reverted",
    "selected",
    "undid",
    "uploaded",
];

/// How sentences of a reply begin that speak of the work, of what it may be, or of something said before rather than of
/// what came of it.
#[rustfmt::skip]
const ASIDES: [&str; 52] = [
    "i", "i'm", "i'll", "i've", "let", "let's", "now", "good", "great", "perfect", "done", "you",
    "you're", "your", "here", "here's", "looks", "ok", "yes", "no", "all", "both", "it", "it's",
    "they", "those", "these", "that", "that's", "this", "there", "also", "but", "if", "so",
    "however", "since", "because", "want", "would", "shall", "should", "more", "must", "maybe",
    "might", "perhaps", "possibly", "probably", "seems", "previously", "note",
];

/// How a reply begins that says what it is about to do.
const INTENTS: [&str; 7] =
    ["let me", "now let me", "i'll", "i will", "i'm going to", "going to", "now i'll"];

/// How somebody begins who says that the matter follows.
const MATTERS: &str = "\
the actual thing|actual thing|the main thing|main thing|the proper thing|proper thing|the real thing|real thing|the real question|real question|\
the real topic|real topic|now the real|to the point|today's topic|today:|heute:|今天的事|今日の件|aujourd'hui:|hoy:|hoje:|oggi:|сегодня:|what i actually wanted|what i really wanted|本題|で本題|今日の本題|\
で今日の本題|言归正传|说正事|正事|正题|본론|по делу|к делу|теперь к делу|собственно|на самом деле хотел|zur sache|zum eigentlichen|\
das eigentliche|eigentlich wollte ich|eigentlich geht es um|der eigentliche punkt|le vrai sujet|en fait je voulais|al grano|\
a lo que vengo|en realidad quería|na verdade eu queria|o que eu queria|in realtà volevo|\
теперь то, ради чего пришёл|теперь то, ради чего я пришёл|теперь то, ради чего|то, ради чего пришёл|то, ради чего я пришёл|то, ради чего|接着说正事|那说正事|回到正题|実は本題|本題は|本題です";
/// How somebody begins who comes from something else to it.
const TURNS: &str = "\
different thing|different topic|new topic|next topic|now the other|\
different matter|other thing|another thing|something else|separate thing|meanwhile|anyway|anyways|back to the|\
now to the|on to the|さて|それはさておき|それはそうと|それより|別件|话说回来|换个话题|另一件事|\
그건 그렇고|다른 얘기|я не за этим|но я не за этим|другое|другая тема|кстати о главном|anderes thema|\
andere sache|was anderes|jetzt zu|nun zu|zurück zu|autre chose|autre sujet|bref|revenons|otra cosa|otro tema|\
cambiando de tema|outra coisa|outro assunto|mudando de assunto|voltando|altra cosa|altro argomento|tornando a";
/// How somebody begins who says that the matter comes later.
const FIRSTS: &str = "\
before anything else|before we start|before we begin|before i forget|first a quick|first, a quick|quick one|quick thing first|quick question first|\
one quick thing|one thing first|one thing before|a git question first|git question first|kurz vorab|vorab|vorweg|bevor wir anfangen|erstmal kurz|\
eine sache vorab|bevor ich's vergesse|avant tout|avant de commencer|d'abord une petite|primero una cosa|antes de nada|antes que nada|\
antes de empezar|primeiro uma coisa|antes de mais nada|antes de tudo|prima una cosa|prima di tutto una|сначала мелочь|сначала одно|сперва мелочь|\
пока не забыл|先に一つ|まず一つだけ|本題の前に|먼저 하나|시작하기 전에|先说个小事|先说一件小事|先问一句|先问个小问题";
/// What somebody says before that who ends with it: `then new topic`.
const THENS: [&str; 7] = ["then ", "and then ", "dann ", "und dann ", "danach ", "потом ", "然后"];
/// How somebody begins who answers what was asked some time ago, or passes on news.
const ANSWERING: &str = "\
heads up|fyi|for the record|just so you know|zur info|nur zur info|pour info|para que sepas|para tu información|per info|к сведению|\
answer to your question|answering your question|to answer your question|to your question|to your other question|re your question|\
regarding your question|as for your question|about your question|on your question|you asked|zu deiner frage|auf deine frage|\
du hattest gefragt|du hast gefragt|pour ta question|à ta question|sur ta question|tu m'as demandé|tu avais demandé|a tu pregunta|\
sobre tu pregunta|me preguntaste|sobre a tua pergunta|sobre sua pergunta|você perguntou|alla tua domanda|mi avevi chiesto|\
на твой вопрос|по твоему вопросу|ты спрашивал|你上次问|你昨天问|你之前问|回答你的问题|昨日の質問|この前の質問|先日の質問|네 질문";

/// What a sentence comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Turn {
    /// only something else: `different topic: …`
    Else,
    /// what it calls the matter: `the actual thing: …`
    Matter,
}

/// What a sentence comes to from what was said before it.
pub(super) fn turn(sentence: &str) -> Option<Turn> {
    let begins = |beginnings| begins_so(sentence, beginnings);
    let other = || begins(TURNS).then_some(Turn::Else);
    begins(MATTERS).then_some(Turn::Matter).or_else(other)
}

/// Whether the sentences of a prompt say that the matter comes later: `quick one: …`, `…. then new topic`.
pub(super) fn leaves_matter_for_later(sentences: &[Sentence<'_>]) -> bool {
    let announces = |one: &Sentence<'_>| begins_so(one.text, FIRSTS);
    // Who begins sentences without a capital has several in one.
    let last = sentences.last().map(|last| last.text.trim_end_matches(['.', '!']));
    let last = last.and_then(|last| last.rsplit(['.', '?', '!']).next()).map(str::trim_start);
    let last = last.and_then(|last| THENS.iter().find_map(|then| text::behind(last, then)));
    sentences.iter().take(2).any(announces) || last.is_some_and(|last| turn(last).is_some())
}

/// A sentence without the words that call it the matter: `the pump leaks` of `proper thing: the pump leaks`.
pub(super) fn without_matter(sentence: &str) -> &str {
    let own = without_lead(sentence);
    let behind = MATTERS.split('|').filter_map(|matter| after(own, matter));
    let behind = behind.min_by_key(|rest| rest.len());
    let is_whole = |rest: &&str| {
        let mut words = rest.split_whitespace();
        let first = words.next().unwrap_or_default();
        !["is", "was", "are", "ist", "war", "est", "es", "è", "é"].contains(&first)
            && words.next().is_some()
    };
    behind.filter(is_whole).unwrap_or(sentence)
}

/// Whether a sentence answers what was asked some time ago, `answer to your question from monday: …`, or passes on news:
/// `heads up, …`.
pub(super) fn answers_earlier(sentence: &str) -> bool {
    begins_so(sentence, ANSWERING)
}

/// Whether a prompt does, and says nothing on another line.
pub(super) fn only_answers_earlier(prompt: &str) -> bool {
    let mut lines = prompt.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.next().is_some_and(answers_earlier) && lines.next().is_none()
}

/// Whether a sentence begins with one of some beginnings, set apart by `|`, perhaps behind words that lead to what it says.
fn begins_so(sentence: &str, beginnings: &str) -> bool {
    /// No beginning has more characters.
    const LONGEST: usize = 32;
    let lower =
        |text: &str| text.chars().take(LONGEST).flat_map(char::to_lowercase).collect::<String>();
    let begins = |text: String| {
        beginnings.split('|').any(|beginning| {
            let behind = text.strip_prefix(beginning);
            behind.is_some_and(|rest| {
                !beginning.is_ascii() || !rest.starts_with(char::is_alphanumeric)
            })
        })
    };
    begins(lower(sentence)) || begins(lower(without_lead(sentence)))
}

/// The name and the arguments of a slash command; `None` where a line is none.
fn slash(line: &str) -> Option<(&str, &str)> {
    let (name, arguments) = line.strip_prefix('/')?.split_once(' ').unwrap_or((&line[1..], ""));
    let named = !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'));
    named.then_some((name, arguments))
}

/// The arguments of a slash command; `None` where a line is none.
pub(super) fn command(line: &str) -> Option<&str> {
    slash(line).map(|(_, arguments)| arguments)
}

/// Commands of clients that are about the client.
#[rustfmt::skip]
const ABOUT_CLIENTS: [&str; 33] = [
    "agents", "approvals", "clear", "compact", "config", "context", "copy", "cost", "doctor",
    "effort", "exit", "export", "fast", "help", "hooks", "login", "logout", "mcp", "memory", "model",
    "models", "new", "permissions", "quit", "resume", "rewind", "sessions", "share", "status",
    "theme", "undo", "usage", "vim",
];
/// And those behind which the name of a choice may stand.
const CHOICES: [&str; 3] = ["effort", "model", "theme"];

/// Whether a prompt is nothing but a command that is about the client: `/help`, `/model opus`.
pub(super) fn is_about_client(prompt: &str) -> bool {
    slash(prompt).is_some_and(|(name, choice)| {
        let may_choose = CHOICES.contains(&name) && !choice.contains(char::is_whitespace);
        ABOUT_CLIENTS.contains(&name) && (choice.is_empty() || may_choose)
    })
}

/// What the expansion of a command calls its subject: `title:`, a tab and the name, as programs print it.
pub(super) fn subject(prompt: &str) -> Option<&str> {
    let mut lines = prompt.lines().take(16);
    let name = lines.find_map(|line| line.split_once("title:\t"))?.1.trim();
    (!name.is_empty()).then_some(name)
}

/// What the expansion of a command gives as its task: the first sentence below `## Your task`.
pub(super) fn task(prompt: &str) -> Option<String> {
    let mut lines = prompt.lines().map(|line| line.trim_start_matches(['\\', '#', ' ']));
    lines.find(|line| line.eq_ignore_ascii_case("your task"))?;
    let first = lines.find(|line| !line.trim().is_empty())?;
    let first = sentences(first).first()?.text;
    (first.split(' ').count() > 2).then(|| first.to_owned())
}

/// Whether a sentence of a reply tells what came of something.
pub(super) fn tells(sentence: &str) -> bool {
    let first = sentence.split([' ', ',', '.', ':', '!']).next().unwrap_or_default();
    let aside = ASIDES.contains(&first.to_lowercase().replace('’', "'").as_str());
    let begins = sentence.chars().next().is_some_and(|c| !c.is_lowercase());
    let long = sentence.split_whitespace().count() >= 4;
    let guess =
        [" I ", " probably ", " maybe ", " perhaps "].iter().any(|word| sentence.contains(word));
    begins && long && !aside && !guess && !sentence.contains(['→', '|'])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sentence<'a> {
    pub(super) text: &'a str,
    pub(super) place: Place,
    /// the line of the turn that it stands in
    pub(super) line: usize,
    /// whether it leads to what stands below it
    pub(super) introduces: bool,
}

/// Where in a turn a sentence stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// among what its person says
    Prose,
    /// behind something pasted, of which it may be more
    BehindPaste,
    /// in quotes on a line of its own
    Quote,
    /// in a list
    Item,
    /// in what a line above it leads to, up to the next empty line
    Shown,
    /// in one of several ways that are offered, of which one may be taken
    Choice,
}

/// The sentences of a turn's prose, in their order.
pub(super) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let (mut pasted, mut after_paste) = (false, false);
    let (mut shown, mut offered) = (Shown::No, false);
    let fenced = fence::code_lines(text);
    for (number, line) in text.lines().enumerate() {
        if fenced.get(number).is_some_and(|code| *code) {
            shown = Shown::No;
            continue;
        }
        let line = line.trim().trim_start_matches('\\');
        pasted = !line.is_empty() && (pasted || is_pasted(line));
        after_paste |= pasted;
        shown = shown.at(line);
        offered = !line.is_empty() && (offered || offers(line));
        if !pasted && !is_image(line) && (!after_paste || is_prose(line)) {
            let quoted = line.len() > 1
                && line.starts_with(['"', '“', '„', '«'])
                && line.ends_with(['"', '”', '“', '»']);
            let item = without_bullet(line);
            let place = match item.len() < line.len() && !line.starts_with('#') {
                _ if shown == Shown::Yes && !is_prose(line) => Place::Shown,
                _ if after_paste => Place::BehindPaste,
                _ if quoted => Place::Quote,
                _ if offered => Place::Choice,
                true => Place::Item,
                false => Place::Prose,
            };
            split(item, &mut |text| {
                if !is_pasted(text) {
                    found.push(Sentence { text, place, line: number, introduces: false });
                }
            });
            if let (Some(last), true) = (found.last_mut(), leads_on(line)) {
                last.introduces = true;
            }
        }
    }
    found
}

/// Whether a line begins one of several ways that are offered: `**Option 1 — …`, `Approach B: …`, or what speaks for or
/// against it.
fn offers(line: &str) -> bool {
    const WAYS: [&str; 7] =
        ["option", "approach", "alternative", "variant", "variante", "вариант", "ansatz"];
    let line = without_bullet(line).trim_start_matches(['*', '_', ' ']).to_lowercase();
    let mut words = line.split([' ', ':', '.', ')', '*', '-']);
    let first = words.next().unwrap_or_default();
    let mark = words.next().unwrap_or_default();
    let is_mark = |c: char| c.is_ascii_digit() || c.is_ascii_lowercase();
    let counted = mark.chars().count() == 1 && mark.chars().all(is_mark);
    (WAYS.contains(&first) && counted) || matches!(first, "pros" | "cons")
}

/// Whether a line is in what another one leads to: `it says:`, perhaps an empty line, then what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    No,
    /// the line before leads on
    Next,
    Yes,
}

impl Shown {
    fn at(self, line: &str) -> Self {
        match (self, line.is_empty()) {
            (Self::Next, true) => Self::Next,
            (Self::Next | Self::Yes, false) => Self::Yes,
            (Self::No, false) if leads_on(line) => Self::Next,
            _ => Self::No,
        }
    }
}

fn leads_on(line: &str) -> bool {
    line.ends_with([':', '：'])
}

/// The beginning of the list that a line leads to which ends in these words: `three things:`, below it `1. …`.
pub(super) fn first_item<'a>(prompt: &'a str, words: &str) -> Option<&'a str> {
    let mut lines = prompt.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .find(|line| leads_on(line) && line.trim_end_matches([':', '：', ' ']).ends_with(words))?;
    let next = lines.next()?;
    let item = without_bullet(next);
    let is_item = item.len() < next.len() && !next.starts_with('#') && !is_pasted(item);
    sentences(item).first().map(|first| first.text).filter(|_| is_item)
}

/// Whether a line reads like something a person says: it ends like a sentence, small words hold it together, or most of its
/// letters are Chinese, Japanese or Korean, which have no such words and which hardly any program prints.
fn is_prose(line: &str) -> bool {
    let letters = || line.chars().filter(|c| c.is_alphabetic());
    let in_cjk = || letters().filter(|c| is_cjk(*c)).count() * 2 > letters().count();
    if !line.is_ascii() && in_cjk() {
        return true;
    }
    let plain = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let all = line.split_whitespace().count();
    let common = line.split_whitespace().filter(|word| is_common(&plain(word))).count();
    let ends = line.ends_with(['.', '?', '!', '。', '？', '！']) && !line.ends_with("..");
    ends || common * 10 >= all * 3
}

/// Whether a sentence cannot be understood without the one before it, speaks to the agent about itself, or says where
/// something lies.
pub(super) fn refers(sentence: &str) -> bool {
    let lower: String = sentence.chars().take(24).flat_map(char::to_lowercase).collect();
    let begins = [
        "it ",
        "it's ",
        "this ",
        "that ",
        "they ",
        "these ",
        "those ",
        "you are ",
        "result of ",
        "what do you think,",
        "was meinst du,",
        "was denkst du,",
        "t'en penses quoi,",
        "tu en penses quoi,",
        "qu'en penses-tu,",
        "qué te parece,",
        "qué opinas,",
        "o que acha,",
        "cosa ne pensi,",
        "что думаешь,",
        "the remaining ",
        "the rest ",
        "the other ",
        "the same ",
        "это ",
        "этот ",
        "эта ",
        "эти ",
        "он ",
        "она ",
        "они ",
        "оно ",
        "такое ",
        "их ",
        "там ",
        "тут ",
    ];
    begins.iter().any(|word| lower.starts_with(word)) || only_says_where(sentence)
}

/// Whether a sentence only says where something lies: `the log is here: …`, `the service is at ../service`.
pub(super) fn only_says_where(sentence: &str) -> bool {
    const AT: [&str; 5] = [" is at ", " is in ", " are at ", " are in ", " lives in "];
    let place = AT.iter().find_map(|words| sentence.split_once(words)).map(|(_, place)| place);
    let is_place = |place: &str| {
        let place = place.trim_matches(['`', '.', ',']);
        !place.contains(' ') && paths::is_path(place)
    };
    sentence.contains(" here: ") || place.is_some_and(is_place)
}

/// Whether a sentence that leads to what stands below it speaks of that alone: `you get output like this:`.
pub(super) fn points_down(sentence: &str) -> bool {
    #[rustfmt::skip]
    const DOWN: [&str; 52] = [
        "this", "these", "that", "those", "following", "follows", "below", "here", "output", "log", "logs", "says",
        "error", "errors", "message", "is", "are", "so", "folgendes", "folgende", "das", "dies", "folgt", "hier",
        "suit", "suivant", "suivante", "suivants", "ceci", "ça", "ca", "esto", "siguiente", "siguientes", "aquí", "asi",
        "así", "isso", "segue", "seguinte", "seguintes", "assim", "questo", "seguente", "seguenti", "così", "это",
        "этого", "вот", "так", "следующее", "такое",
    ];
    let last = sentence.rsplit(' ').next().unwrap_or_default().to_lowercase();
    DOWN.contains(&last.trim_matches(|c: char| !c.is_alphanumeric()))
        || ["如下", "这样", "这个", "こう", "これ", "以下"].iter().any(|end| last.ends_with(end))
}

/// Whether a sentence tells what was done: `I selected …`, `another agent implemented …`.
pub(super) fn reports(sentence: &str) -> bool {
    let (mut by, lower) = (false, sentence.to_lowercase().replace('’', "'"));
    lower.split(' ').take(5).filter(|word| !matches!(*word, "just" | "have")).any(|word| {
        let reported = by && REPORTED.contains(&word);
        by = matches!(word, "i" | "i've" | "we" | "we've" | "agent");
        reported
    })
}

/// Whether a sentence begins with what its matter depends on: `When …, the parser stops`.
pub(super) fn begins_with_circumstance(sentence: &str) -> bool {
    let first = sentence.split(' ').next().unwrap_or_default().to_lowercase();
    let circumstances = [
        "when",
        "whenever",
        "if",
        "while",
        "after",
        "before",
        "once",
        "since",
        "wenn",
        "quand",
        "cuando",
        "когда",
        "если",
    ];
    circumstances.contains(&&*first)
}

/// Whether a sentence only names things, one after the other: `Claude, Cursor and Codex`.
pub(super) fn lists(sentence: &str) -> bool {
    let parts = sentence.split([',', '、', '，']);
    parts.clone().count() > 2
        && parts
            .flat_map(str::split_whitespace)
            .all(|word| matches!(word, "and" | "or" | "&") || !is_common(&word.to_lowercase()))
}

/// Whether a sentence begins with nothing but how many things follow: `three things today`, `zwei Fragen`, `三件事`.
pub(super) fn counts_things(sentence: &str) -> bool {
    const NUMBERS: &str = "two three four five several couple few zwei drei vier fünf paar dos tres cuatro deux trois quatre dois \
        três quatro due tre quattro две два три четыре пару";
    const THINGS: &str = "things thing questions issues points items topics tasks jobs ones bits sachen dinge fragen punkte \
        themen cosas preguntas temas choses questions sujets coisas perguntas temas cose domande вещи вещей вопроса вопросов \
        задачи задач пункта";
    const CJK: [&str; 8] =
        ["三件事", "两件事", "几件事", "三个问题", "两个问题", "3点", "3つ", "三つ"];
    let lower = sentence.to_lowercase();
    let mut words = lower.split_whitespace().map(|word| word.trim_matches([',', ':', '.']));
    let counted = words.next().is_some_and(|word| {
        let digit = word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_digit());
        digit || text::lists(NUMBERS, word)
    });
    let named = words.take(2).any(|word| text::lists(THINGS, word));
    counted && named || CJK.iter().any(|begins| lower.starts_with(begins))
}

/// Whether a sentence adds something to what was said before it: `also, …`, `плюс …`, `außerdem …`.
pub(super) fn adds(sentence: &str) -> bool {
    const WORDS: [&str; 22] = [
        "plus",
        "also",
        "additionally",
        "besides",
        "btw",
        "p.s",
        "ps",
        "плюс",
        "ещё",
        "еще",
        "также",
        "кстати",
        "außerdem",
        "ausserdem",
        "übrigens",
        "además",
        "también",
        "aussi",
        "além",
        "também",
        "inoltre",
        "anche",
    ];
    const CJK: [&str; 9] =
        ["また", "あと", "それと", "ついでに", "另外", "还有", "顺便", "그리고", "참고로"];
    let first = sentence.split([' ', ',', ':']).next().unwrap_or_default().to_lowercase();
    WORDS.contains(&first.trim_end_matches('.'))
        || CJK.iter().any(|begins| sentence.starts_with(begins))
}

/// Whether half of a sentence is numbers and ids: what somebody copied, not what they ask.
pub(super) fn is_data(sentence: &str) -> bool {
    let (mut all, mut counted) = (0, 0);
    for word in sentence.split_whitespace() {
        all += 1;
        counted += usize::from(word.chars().any(|c| c.is_ascii_digit()) && !word.contains('#'));
    }
    counted > 2 && counted * 2 >= all
}

fn is_image(line: &str) -> bool {
    if !line.starts_with('[') {
        return false;
    }
    let line = line.to_lowercase();
    let marks = ["[image", "[pasted text", "[document]"];
    marks.iter().any(|mark| line.starts_with(mark)) && line.ends_with(']')
}

fn without_bullet(line: &str) -> &str {
    let text = line.trim_start_matches('#');
    let text = ["- ", "* ", "+ "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = text.len() - digits.len();
    let rest = digits.strip_prefix(". ").or_else(|| digits.strip_prefix(") "));
    match rest {
        Some(rest) if (1..=3).contains(&number) => rest.trim(),
        _ => lettered(text).unwrap_or(text).trim(),
    }
}

/// What stands behind the mark of an item that no digit counts: `b) `, `三、`, `（三）`, `③`.
fn lettered(text: &str) -> Option<&str> {
    const NUMERALS: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];
    let mut rest = text.chars();
    let first = rest.next()?;
    match first {
        'a'..='z' => rest.as_str().strip_prefix(") "),
        '①'..='⑳' => Some(rest.as_str()),
        '（' | '(' => rest.as_str().trim_start_matches(NUMERALS).strip_prefix(['）', ')']),
        _ if NUMERALS.contains(&first) => {
            rest.as_str().trim_start_matches(NUMERALS).strip_prefix('、')
        }
        _ => None,
    }
}

/// Cuts a line into its sentences: where one ends and no small letter follows, or what comes to a wish, at a semicolon, a
/// dash, at a colon before a capital, behind a path before a capital, and where `, but` or `, so` leads to what is wanted.
fn split<'a>(line: &'a str, found: &mut impl FnMut(&'a str)) {
    let mut from = 0;
    let mut chars = line.char_indices().peekable();
    let mut push = |part: &'a str| {
        let part = part.trim_matches([' ', '\t', '-', '–', '—', '*', '#']);
        let part = part.trim_end_matches([
            ' ', '.', ':', ';', ',', '!', '?', '。', '！', '？', '：', '；', '，', '、',
        ]);
        if !part.is_empty() {
            found(part);
        }
    };
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let rest = &line[end..];
        let closing = rest.trim_start_matches(['"', '”', '’', ')', '*', '`']);
        let spaced = closing.starts_with(' ');
        let next = closing.trim_start().chars().next();
        let small = next.is_none_or(char::is_lowercase);
        let capital = next.is_some_and(char::is_uppercase);
        // A name that was cut, and its closing quote.
        let is_cut = rest.starts_with(['"', '”', '’', '`']) && line[..at].ends_with("..");
        let ends = !is_cut
            && match c {
                '。' | '！' | '？' | '…' => true,
                '.' | '!' | '?' => spaced && (!small || leads_on_small(&line[..end], rest)),
                ';' => spaced,
                ':' => spaced && capital,
                '—' | '–' => spaced && line[..at].ends_with(' '),
                ',' => rest.strip_prefix(' ').is_some_and(turns_to_a_wish),
                ' ' => capital && ends_with_path(&line[from..at]),
                _ => false,
            };
        if ends {
            let end = line.len() - closing.len();
            push(&line[from..end]);
            from = end;
            while chars.peek().is_some_and(|(at, _)| *at < from) {
                chars.next();
            }
        }
    }
    push(&line[from..]);
}

/// Whether a word ends a sentence of somebody who begins the next without a capital, and is not cut short: `vs.`, `т.е.`, or
/// behind an article a number as German writes it: `den 2. testimport`.
pub(super) fn ends_sentence(before: &str, word: &str) -> bool {
    const CUT: [&str; 16] = [
        "etc", "approx", "incl", "esp", "resp", "misc", "max", "min", "fig", "usw", "bzw", "evtl",
        "ggf", "напр", "руб", "тыс",
    ];
    // Of two letters these are whole, others may be cut short: `no. 5`, `ca.`, `г.`.
    const WHOLE: [&str; 40] = [
        "it", "me", "us", "we", "he", "so", "do", "go", "up", "on", "in", "is", "be", "to", "am",
        "pm", "ok", "by", "of", "at", "an", "ab", "zu", "da", "du", "es", "um", "wo", "ja", "ya",
        "tú", "là", "ça", "её", "их", "им", "да", "он", "мы", "вы",
    ];
    const COUNTS: [&str; 20] = [
        "der", "die", "das", "den", "dem", "des", "am", "im", "vom", "zum", "zur", "beim", "ab",
        "bis", "seit", "vor", "nach", "mitte", "ende", "anfang",
    ];
    let Some(word) = word.strip_suffix('.') else { return word.ends_with(['!', '?']) };
    let is_ordinal = word.bytes().all(|byte| byte.is_ascii_digit());
    if is_ordinal && COUNTS.contains(&&*before.to_lowercase()) {
        return false;
    }
    let word = word.trim_matches(['(', ')', '"', '\'', '`', '«', '»', '?', '!']);
    let whole = word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '\'' | '/'));
    whole
        && (word.chars().count() > 2
            || word.chars().all(char::is_numeric)
            || WHOLE.contains(&&*word.to_lowercase()))
        && !CUT.contains(&&*word.to_lowercase())
}

/// Whether such a sentence ends before the blank at this place.
pub(in crate::memory) fn ends_sentence_before(text: &str, at: usize) -> bool {
    let mut words = text[..at].rsplit(' ');
    let last = words.next().unwrap_or_default();
    ends_sentence(words.next().unwrap_or_default(), last)
}

/// Whether a sentence begins with a small letter behind a text: what is wanted behind how things are, or behind a word with
/// `...` what is asked or wished.
fn leads_on_small(text: &str, rest: &str) -> bool {
    const ASKS: [&str; 6] = ["how", "why", "what", "where", "which", "who"];
    let trails_off = |text: &str| text.ends_with(char::is_alphanumeric);
    let first = rest.split_whitespace().next().unwrap_or_default();
    let trails = text.strip_suffix("...").is_some_and(trails_off);
    (trails && (ASKS.contains(&first) || begins_with_a_wish(rest.trim_start())))
        || steps::wished(rest.trim_start()).is_some()
        || turn(rest.trim_start()) == Some(Turn::Matter)
}

/// Whether a sentence turns from how things are to what is wanted: `but we'd also like …`.
pub(super) fn turns_to_a_wish(sentence: &str) -> bool {
    let wish = ["but ", "so "].iter().find_map(|word| sentence.strip_prefix(word));
    wish.is_some_and(begins_with_a_wish)
}

pub(super) fn begins_with_a_wish(text: &str) -> bool {
    begins_with_one(text, WANTS)
}

/// Whether a sentence says what somebody is after: `I am trying to …`.
pub(super) fn tells_an_aim(sentence: &str) -> bool {
    const AIMS: &str = "i'm trying to|i am trying to|we're trying to|we are trying to|my goal is to|our goal is to|\
the goal is to|ich versuche|wir versuchen|j'essaie de|j'essaye de|estoy intentando|estou tentando|sto cercando di|пытаюсь|я пытаюсь";
    begins_with_one(sentence, AIMS)
}

/// Whether the last word of a text is the path of a file that has no full stop behind it.
fn ends_with_path(text: &str) -> bool {
    let last = text.rsplit(' ').next().unwrap_or_default().trim_matches('`');
    let named = last.rsplit('/').next().is_some_and(|name| name.chars().skip(1).any(|c| c == '.'));
    paths::is_path(last) && named && !last.ends_with(['.', ','])
}

/// What a sentence of a reply says it is about to do, or did: `fix the brake` of `Let me fix the brake`.
pub(super) fn undertaken(sentence: &str) -> Option<&str> {
    const DOERS: [&str; 4] = ["i", "i've", "we", "we've"];
    const DONE: [&str; 13] = [
        "built", "cut", "found", "gave", "made", "put", "ran", "rewrote", "set", "split", "sent",
        "took", "wrote",
    ];
    let did = |doer: &&str| {
        let rest = after(sentence, doer)?;
        let first = rest.split(' ').next().unwrap_or_default();
        (first.ends_with("ed") || DONE.contains(&first)).then_some(rest)
    };
    let intended = INTENTS.iter().find_map(|lead| after(sentence, lead));
    intended.or_else(|| DOERS.iter().find_map(did))
}

/// A sentence without a greeting and whom it is for: `bom dia, Lívia. …`, `hi Claude, …`.
fn without_greeting(sentence: &str) -> &str {
    const GREETINGS: &str = "hi|hey|hello|dear|good morning|good afternoon|good evening|moin|hallo|guten morgen|guten tag|\
bonjour|salut|bonsoir|hola|buenas|buenos días|buenos dias|buenas tardes|oi|olá|ola|bom dia|boa tarde|boa noite|ciao|\
buongiorno|buonasera|привет|здравствуй|здравствуйте|доброе утро|добрый день|добрый вечер";
    const NAMES: usize = 2;
    let behind = |greeting| {
        let rest = begun(sentence, greeting)?;
        if rest.is_empty() { Some(rest) } else { set_off(rest) }
    };
    let Some(rest) = GREETINGS.split('|').find_map(behind) else { return sentence };
    let end = rest.find(['.', ',', '!', ':', '?']).unwrap_or(rest.len());
    let (name, behind) = rest.split_at(end);
    let is_name = name.split_whitespace().count() <= NAMES
        && (behind.len() < 2 || behind[1..].starts_with(char::is_whitespace));
    if is_name { behind.get(1..).unwrap_or_default().trim_start() } else { sentence }
}

/// A sentence without the words that lead to what it asks for.
pub(in crate::memory) fn without_lead(sentence: &str) -> &str {
    static BY_FIRST: LazyLock<HashMap<char, Vec<&str>>> = LazyLock::new(|| {
        let mut leads: HashMap<char, Vec<&str>> = HashMap::new();
        for lead in LEADS.split('|') {
            if let Some(first) = lead.chars().next() {
                leads.entry(first).or_default().push(lead);
            }
        }
        leads
    });
    let mut rest = without_greeting(sentence);
    loop {
        let first = rest.chars().next().and_then(|c| c.to_lowercase().next());
        let near = first.and_then(|first| BY_FIRST.get(&first)).into_iter().flatten();
        let lead = near.filter_map(|lead| after(rest, lead)).min_by_key(|rest| rest.len());
        match lead {
            Some(shorter) if shorter.split_whitespace().count() > 1 => rest = shorter,
            _ => return rest,
        }
    }
}

/// What follows some words that a text begins with, in any case, if they end there.
pub(super) fn after<'a>(text: &'a str, lead: &str) -> Option<&'a str> {
    set_off(begun(text, lead)?)
}

/// A text without the marks that set it off from what it stands behind; `None` where nothing does.
fn set_off(rest: &str) -> Option<&str> {
    const MARKS: [char; 6] = [' ', ',', '.', '…', '!', ':'];
    rest.starts_with(MARKS).then(|| rest.trim_start_matches(MARKS))
}

/// What follows some words that a text begins with, in any case, whatever that begins with. Looks at no more of it: the text may be a
/// whole line, and there are many such words.
fn begun<'a>(text: &'a str, lead: &str) -> Option<&'a str> {
    let end = text.char_indices().nth(lead.chars().count()).map_or(text.len(), |(at, _)| at);
    let (beginning, rest) = text.split_at(end);
    let is_lead = |beginning: &str| {
        beginning.eq_ignore_ascii_case(lead)
            || (!beginning.is_ascii() && beginning.to_lowercase() == lead)
    };
    let is_there =
        is_lead(beginning) || (beginning.contains('’') && is_lead(&beginning.replace('’', "'")));
    is_there.then_some(rest)
}

/// Whether a text begins with one of some beginnings, set apart by `|`, as [`after`] finds them.
pub(super) fn begins_with_one(text: &str, beginnings: &str) -> bool {
    beginnings.split('|').any(|beginning| after(text, beginning).is_some())
}
