//! Words that stand beside a title which does not say what a conversation is about by itself: somebody may begin with what made
//! them think of the matter, or with `there's a merge conflict here`.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::aside::{LENGTH, WINDOW};
use super::paths::is_path;
use super::prose::{self, Place};
use super::weigh::{self, Echo};
use super::words::{Word, is_id, is_ideograph, is_katakana, keys, telling, words};
use super::{Exchange, LIMIT};
use crate::memory::hashed::Hashed;
use crate::memory::topics::is_cjk;
use crate::text::{start, without_lone_brackets};

/// With fewer exchanges, what comes up in each may do so by chance.
const EXCHANGES: usize = 4;
/// A title says what its sitting is about if its best words together come up again in more than one of so many exchanges. In one
/// of so many or fewer, it says what the sitting only began with.
const TOGETHER: usize = 2;
const BEGUN_WITH: usize = 3;
const BEST: usize = 3;
/// A title of so few words that say what it is about says little, whatever comes up again.
const LITTLE: f64 = 2.0;
/// How many exchanges of such a sitting are looked at.
const BEGINNING: usize = 4;
/// How often a word has to stand there, and in one of how many exchanges.
const OFTEN: usize = 3;
const SPREAD: usize = 4;
/// The most words that stand beside a title, and the most characters of one.
const WORDS: usize = 3;
const LONGEST: usize = 24;
/// Of the title at least so many characters stay.
const KEPT: usize = 48;
/// What comes up in any conversation.
const ANYWHERE: &str = "one two three four five six seven eight nine ten first second third last people thing things true \
win short small hour hours day days minute minutes week weeks month months year years time times evening night piece pieces part parts side way ways \
point tomorrow zwei drei vier fünf erste zweite letzte leute seit statt passt heißt braucht stunde stunden tag tage minute minuten monat monate \
jahr jahre sache sachen teil seite dos tres cuatro gente cosa cosas hora horas día días dia dias minuto minutos mes meses año años vez veces \
parte lado hace necesita llama deux trois quatre gens chose choses heure heures jour jours mois fois partie côté besoin coisa coisas precisa \
preciso chama jeito mês meses ano anos vezes cose ora ore giorno giorni mese volta volte bisogno \
два три четыре люди минут минуты час часа часов день дня дней месяц месяца раз вещь часть 一个 两个 一下 我们 你们 他们 这个 那个 没有 可以 现在 自己 什么 怎么 时候 就是 还有 已经 不能 不用 今回 場合 \
一度 最初 最後 全部 自分 時間 毎日 毎回 今日 昨日 明日";

fn anywhere() -> &'static HashSet<u64, Hashed> {
    static ALL: LazyLock<HashSet<u64, Hashed>> = LazyLock::new(|| keys(ANYWHERE).collect());
    &ALL
}

/// A title, and in brackets behind it the words that the exchanges turn round, where these hardly come back to it or it says
/// little. In front of it where it says only what the sitting began with.
pub(super) fn with_theme(title: String, exchanges: &[Exchange<'_>]) -> String {
    if is_numbered(&title) {
        return title;
    }
    let window = &exchanges[..exchanges.len().min(WINDOW)];
    let (mut theme, mut in_front) = (Vec::new(), false);
    if window.len() >= EXCHANGES {
        let said = Said::of(window);
        let again = said.again(&title);
        if again * TOGETHER <= window.len() {
            theme = said.theme(&title);
            in_front = again * BEGUN_WITH <= window.len() && theme.len() > 1;
        }
    }
    if theme.is_empty() && weigh::strength(&title, &Echo::of("")) <= LITTLE {
        theme = Said::of(&window[..window.len().min(BEGINNING)]).theme(&title);
    }
    let room = |beside: &str| LIMIT.saturating_sub(beside.chars().count() + " ()".len());
    let beside = theme.into_iter().reduce(|beside, word| {
        let longer = format!("{beside}, {word}");
        if room(&longer) < KEPT { beside } else { longer }
    });
    let titled = beside.and_then(|beside| {
        let kept = cut(&title, room(&beside))?;
        Some(if in_front { format!("{beside}: {kept}") } else { format!("{kept} ({beside})") })
    });
    titled.unwrap_or(title)
}

/// A title of at most so many characters. `None` where the end of a word would go.
fn cut(title: &str, limit: usize) -> Option<String> {
    let whole = weigh::shortened(title, limit);
    if whole == title {
        return Some(whole);
    }
    let goes_on = title[whole.len()..].chars().next().is_some_and(is_part_of_word);
    (!goes_on).then(|| without_lone_brackets(weigh::ended_well(&whole)))
}

fn is_part_of_word(c: char) -> bool {
    !is_cjk(c) && (c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.'))
}

/// Whether a title has the number of an issue, or is a command with one: that leads to it, whatever is said there.
fn is_numbered(title: &str) -> bool {
    title.split(' ').any(weigh::is_number)
        || (title.starts_with('/') && title.contains(|c: char| c.is_ascii_digit()))
}

/// Where a word comes up, and how it is written there.
#[derive(Debug, Default)]
struct Uses<'a> {
    /// in how many prompts, replies, and exchanges
    prompts: usize,
    replies: usize,
    exchanges: usize,
    /// and how often
    forms: Vec<(&'a str, usize)>,
}

/// What some exchanges say.
struct Said<'a> {
    exchanges: usize,
    uses: HashMap<u64, Uses<'a>, Hashed>,
}

impl<'a> Said<'a> {
    fn of(window: &'a [Exchange<'_>]) -> Self {
        let mut uses: HashMap<u64, Uses<'a>, Hashed> = HashMap::default();
        for exchange in window {
            let asked = prose::sentences(start(exchange.prompt, LENGTH));
            let own = asked.iter().filter(|one| one.place != Place::Shown);
            let named = own.flat_map(|one| one.text.split_whitespace());
            let prompt = Self::words(named.filter(|token| !is_path(token)), &mut uses);
            let reply = Self::words([start(&exchange.reply, LENGTH)], &mut uses);
            for key in &prompt {
                uses.entry(*key).or_default().prompts += 1;
            }
            for key in &reply {
                uses.entry(*key).or_default().replies += 1;
            }
            for key in prompt.union(&reply) {
                uses.entry(*key).or_default().exchanges += 1;
            }
        }
        Self { exchanges: window.len(), uses }
    }

    /// The words of some texts, and takes note of how they are written. Of Chinese characters two in a row are a word, of
    /// katakana all.
    fn words(
        texts: impl IntoIterator<Item = &'a str>,
        uses: &mut HashMap<u64, Uses<'a>, Hashed>,
    ) -> HashSet<u64, Hashed> {
        let mut found: HashSet<u64, Hashed> = HashSet::default();
        let mut take = |form: &'a str| {
            let mut inside = words(form);
            let one = if form.starts_with(is_katakana) {
                Some(Word::of_katakana(form))
            } else {
                inside.next().filter(|_| inside.next().is_none())
            };
            if let Some(word) = one.filter(|word| !word.routine) {
                found.insert(word.key);
                uses.entry(word.key).or_default().write(form);
            }
        };
        let apart = |c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '_'));
        for run in texts.into_iter().flat_map(|text| text.split(apart)) {
            if !run.contains(|c| is_ideograph(c) || is_katakana(c)) {
                take(run.trim_matches(['\'', '’', '_']));
                continue;
            }
            run.split(|c| !is_katakana(c)).filter(|of| of.chars().count() > 2).for_each(&mut take);
            let places = run.char_indices().zip(run.char_indices().skip(1));
            for ((from, first), (to, second)) in places {
                if is_ideograph(first) && is_ideograph(second) {
                    take(&run[from..to + second.len_utf8()]);
                }
            }
        }
        found
    }

    /// In how many exchanges the best words of a title come up again, all together.
    fn again(&self, title: &str) -> usize {
        let told: HashSet<u64, Hashed> = telling(title).collect();
        let told = told.difference(anywhere());
        let again = |key| self.uses.get(key).map_or(0, |uses| uses.exchanges.saturating_sub(1));
        let mut again: Vec<usize> = told.map(again).collect();
        again.sort_unstable_by(|a, b| b.cmp(a));
        again.truncate(BEST);
        again.iter().sum()
    }

    /// The words that the person and the replies use, those first that stand there most often and in most of both, without
    /// those of the title.
    fn theme(&self, title: &str) -> Vec<String> {
        let told: HashSet<u64, Hashed> = keys(title).collect();
        let rank = |uses: &Uses<'_>| {
            let times: usize = uses.forms.iter().map(|(_, times)| times).sum();
            let is_spread = uses.exchanges * SPREAD >= self.exchanges;
            let is_of_both = uses.prompts > 0 && uses.replies > 0;
            (times >= OFTEN && is_spread && is_of_both)
                .then(|| times * (3 * uses.prompts + 1) * (3 * uses.replies + 1))
        };
        let mut found: Vec<(Reverse<usize>, String)> = self
            .uses
            .iter()
            .filter(|(key, _)| !told.contains(key) && !anywhere().contains(key))
            .filter_map(|(_, uses)| Some((Reverse(rank(uses)?), uses.form()?)))
            .filter(|(_, form)| !form.starts_with(is_katakana) || !title.contains(form.as_str()))
            .collect();
        found.sort_unstable();
        let mut words: Vec<String> = Vec::with_capacity(WORDS);
        for word in joined(found) {
            let is_form_of =
                |known: &String| known.starts_with(&*word) || word.starts_with(known.as_str());
            if words.len() < WORDS && !words.iter().any(is_form_of) {
                words.push(word);
            }
        }
        words
    }
}

/// Words without their ranks. Two that overlap in a Chinese character and have one rank are one word: `小程`, `程序`.
fn joined(ranked: Vec<(Reverse<usize>, String)>) -> Vec<String> {
    let mut all: Vec<(Reverse<usize>, String)> = Vec::new();
    let leads_to = |one: &str, other: &str| {
        let last = one.chars().last().filter(|c| is_ideograph(*c));
        last.is_some() && last == other.chars().next()
    };
    let put = |one: &str, other: &str| one.chars().chain(other.chars().skip(1)).collect();
    for (rank, word) in ranked {
        let mut equal = all.iter_mut().filter(|(known, _)| *known == rank).map(|(_, one)| one);
        match equal.find(|one| leads_to(one, &word) || leads_to(&word, one)) {
            Some(one) if leads_to(one, &word) => *one = put(one, &word),
            Some(one) => *one = put(&word, one),
            None => all.push((rank, word)),
        }
    }
    all.into_iter().map(|(_, word)| word).collect()
}

impl<'a> Uses<'a> {
    fn write(&mut self, form: &'a str) {
        match self.forms.iter_mut().find(|(known, _)| *known == form) {
            Some((_, times)) => *times += 1,
            None => self.forms.push((form, 1)),
        }
    }

    /// How the word is written most often, where it is one that names something. One of three letters is a name where somebody
    /// writes it in capitals or with a number.
    fn form(&self) -> Option<String> {
        let ranked = self.forms.iter().map(|(form, times)| (*times, Reverse(form.len()), *form));
        let (.., most) = ranked.max()?;
        let is_short = most.chars().count() <= 3 && !most.contains(is_ideograph);
        let is_name = |form: &str| {
            form.chars().all(|c| c.is_uppercase() || c.is_numeric())
                && form.chars().any(char::is_alphabetic)
        };
        let form = if is_short {
            self.forms.iter().map(|(form, _)| *form).filter(|form| is_name(form)).max()?
        } else {
            most.split(['\'', '’']).next().unwrap_or_default()
        };
        (form.chars().count() <= LONGEST && !is_id(form)).then(|| form.to_owned())
    }
}
