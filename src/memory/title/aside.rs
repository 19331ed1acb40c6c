//! Whether what a conversation begins with is what it is about, or something that is soon dealt with before the matter: a thank-you
//! for yesterday, a typo, a question by the way.

use std::collections::{HashMap, HashSet};

use super::prose::Turn;
use super::words::{keys, telling};
use super::{Exchange, prose};
use crate::memory::hashed::Hashed;
use crate::text::start;

/// How many exchanges are looked at, the first one included: what comes later decides no more.
pub(super) const WINDOW: usize = 8;
/// How many others there have to be.
const OTHERS: usize = 2;
/// How long something is that is dealt with by the way, in hundredths of what one of the others takes on average, and how many
/// hundredths of the words of its title may come up in these: the longer it took, the fewer.
const BY_THE_WAY: [(usize, usize); 3] = [(28, 34), (45, 24), (75, 0)];
/// Of so many exchanges, or fewer, a word has to come up in one to come up again; of twice as many in two.
const CHANCE: usize = 4;
/// How many prompts are searched for one that says that the matter follows, and how many of the sentences it begins with.
const TURN_WITHIN: usize = 3;
const TURN_SENTENCES: usize = 4;
/// All others together are so many times as long.
const TIMES: usize = 4;
/// How much of a prompt, and of a reply, is looked at, in bytes. One long reply is not to outweigh all others.
pub(super) const LENGTH: usize = 4 * 1024;

/// How long a prompt is, in characters, that may be no more than small talk.
const SMALL_TALK: usize = 160;
/// How long a reply is, in characters, that tells of no work, and how much of its end is searched for what it asks.
const LITTLE: usize = 400;
const END: usize = 160;
/// What tells that the reply asks so because something is done.
const MORE: &str = "next|else|as nächstes|sonst noch|ensuite|d'autre|algo más|ahora|mais alguma|altro|дальше|ещё|еще|还有|其他|他に|더";
/// How a reply asks what is to be done, because nothing was asked for yet.
const INVITES: &str = "\
what's on the table|what is on the table|where do we start|where shall we start|where should we start|where do you want to start|where would you like to start|\
what shall we|what should we work on|what do you want to work on|what would you like to|what are we working on|what do we start with|\
what can i do for you|what can i help|how can i help|ready when you are|what's first|what is first|what's the plan|what is the plan|\
what do you need|womit fangen wir|womit sollen wir|womit kann ich|was steht an|was liegt an|was machen wir heute|wie kann ich helfen|\
par quoi on commence|on commence par quoi|par quoi commen|que puis-je faire|sur quoi on travaille|qu'est-ce qu'on fait|\
comment puis-je|por dónde empezamos|por donde empezamos|con qué empezamos|qué hacemos hoy|en qué te ayudo|en qué puedo ayudar|\
en qué trabajamos|qué toca hoy|por onde começamos|o que fazemos hoje|em que posso ajudar|da dove cominciamo|da dove iniziamo|\
cosa facciamo oggi|come posso aiutar|с чего начнём|с чего начнем|чем займёмся|чем займемся|чем могу помочь|что делаем сегодня|\
что у нас сегодня|从哪里开始|从哪开始|今天做什么|今天要做什么|需要我做什么|有什么可以帮|先做什么|何から始め|何をしましょう|\
何に取り組|今日は何を|何かお手伝い|무엇부터|뭐부터|무엇을 도와|오늘은 무엇|어디서부터";

/// Which exchanges belong together as the first of some: those up to the first reply.
pub(super) fn first<'e, 'a>(exchanges: &'e [Exchange<'a>]) -> &'e [Exchange<'a>] {
    let answered = exchanges.iter().position(|exchange| !exchange.reply.trim().is_empty());
    &exchanges[..answered.map_or(exchanges.len(), |at| at + 1)]
}

/// Whether the [`first`] of some exchanges, whose own title is given, are an aside, as far as it is known: it is short beside the
/// others, which say hardly a word of its title again.
pub(super) fn is_aside(title: Option<&str>, exchanges: &[Exchange<'_>]) -> bool {
    let window = &exchanges[..exchanges.len().min(WINDOW)];
    let (first, others) = window.split_at(first(window).len());
    // A command, and what is made of it, is what a sitting was begun for.
    if first.iter().any(|one| prose::command(one.prompt.trim_start()).is_some()) {
        return false;
    }
    // Of the last one more may be said as long as no other follows.
    let is_whole = exchanges.len() > WINDOW;
    match turn(window, first.len()) {
        Some(true) => return true,
        Some(false) if !is_whole => return false,
        _ => {}
    }
    let mut again: HashMap<u64, usize, Hashed> = HashMap::default();
    for exchange in others {
        let said: HashSet<u64, Hashed> = beginnings(exchange).into_iter().flat_map(keys).collect();
        for key in said {
            *again.entry(key).or_default() += 1;
        }
    }
    let told: HashSet<u64, Hashed> = telling(title.unwrap_or_default()).collect();
    let repeated = |least: usize| {
        told.iter().filter(|key| again.get(key).is_some_and(|times| *times >= least)).count() * 100
    };
    let may_be =
        |(_, repeats): &(usize, usize), least: usize| repeated(least) <= repeats * told.len();
    // Enough of it has come up, and no prompt that is still to come is searched for the matter.
    if is_whole || others.len() >= TURN_WITHIN {
        let least = WINDOW.div_ceil(CHANCE);
        if !BY_THE_WAY.iter().any(|part| may_be(part, least)) {
            return false;
        }
    }
    let (own, rest) = (size(first), size(others));
    let is_short = |(length, _): &(usize, usize)| own * 100 * others.len() <= length * rest;
    // A word that comes up once in many exchanges may do so by chance.
    let least = others.len().div_ceil(CHANCE);
    let is_by_the_way = || {
        own * TIMES <= rest && BY_THE_WAY.iter().any(|part| is_short(part) && may_be(part, least))
    };
    // Whoever says that the matter comes later may take as long for what comes first as for all the rest.
    let is_announced = || own <= rest && may_be(&BY_THE_WAY[0], least) && says_so(first);
    let is_small_talk =
        || own <= rest && may_be(&BY_THE_WAY[0], least) && asks_for_the_matter(first);
    others.len() >= OTHERS && (is_by_the_way() || is_announced() || is_small_talk())
}

/// Whether little was said, and the reply asks what is to be done.
fn asks_for_the_matter(exchanges: &[Exchange<'_>]) -> bool {
    let [one] = exchanges else { return false };
    let reply = one.reply.trim_end();
    let skipped = reply.char_indices().rev().nth(END - 1).map_or(0, |(at, _)| at);
    let end = reply[skipped..].to_lowercase().replace('’', "'");
    one.prompt.trim().chars().count() <= SMALL_TALK
        && reply.chars().count() <= LITTLE
        && !MORE.split('|').any(|more| end.contains(more))
        && INVITES.split('|').any(|invites| end.contains(invites))
}

/// Whether one of the prompts itself says that the matter comes later.
fn says_so(exchanges: &[Exchange<'_>]) -> bool {
    let mut prompts = exchanges.iter().map(|exchange| start(exchange.prompt, LENGTH));
    prompts.any(|prompt| prose::leaves_matter_for_later(&prose::sentences(prompt)))
}

/// Whether one of the next prompts comes to the matter, with more behind it than before it: `the proper thing: …`. `None` where
/// none does.
fn turn(window: &[Exchange<'_>], first: usize) -> Option<bool> {
    let prompts = window.iter().enumerate().skip(first).take(TURN_WITHIN);
    let mut found = prompts.filter_map(|(at, exchange)| {
        let prompt = start(exchange.prompt, LENGTH);
        let sentences = prose::sentences(prompt);
        let begin = &sentences[..sentences.len().min(TURN_SENTENCES)];
        // Who begins sentences without a capital has several in one.
        let parts = begin.iter().flat_map(|one| one.text.split(". ")).take(TURN_SENTENCES);
        let needed = match parts.filter_map(prose::turn).max()? {
            Turn::Matter => 1,
            Turn::Else => TIMES,
        };
        Some(size(&window[..at]) * needed <= size(&window[at..]))
    });
    found.next()
}

fn beginnings<'e>(exchange: &'e Exchange<'_>) -> [&'e str; 2] {
    [start(exchange.prompt, LENGTH), start(&exchange.reply, LENGTH)]
}

/// In characters, of what is looked at, each run of blanks one: the blocks of a log set what was said apart by empty lines that
/// the conversation does not have.
fn size(exchanges: &[Exchange<'_>]) -> usize {
    let words = exchanges.iter().flat_map(beginnings).flat_map(str::split_whitespace);
    words.map(|word| word.chars().count() + 1).sum()
}
