//! Words that say what kind of thing a sentence tells: why, what was decided, what was done, what is left.
//!
//! For the languages that most people write in. In others a passage is weighed by its words and its place alone.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::LazyLock;

use crate::memory::topics::{is_cjk_letter, is_cyrillic, small_letters};
use crate::order::InOrder as _;
use crate::text::behind;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cue {
    Open,
    /// what was done or came of it
    Change,
    /// why something is as it is
    Cause,
    /// what was settled, wanted or forbidden
    Decision,
}

const CAUSE: &str = "because|root cause|cause found|cause:|reason:|caused by|the cause|so that|turned out|turns out|the problem|the issue is|the bug|\
the reason|due to|that's why|which is why|which means|culprit|only happens|the fix|explains why|confirmed|\
weil|ursache|grund|deshalb|problem war|parce que|la cause|à cause|porque|debido a|la causa|causado|por causa|\
потому|причин|из-за|оказал|проблема|поэтому|так как|виноват|дело в том|следстви|ошибка в том|因为|原因|由于|问题是|导致|所以|ため|原因は|問題は|なので|때문|원인|문제는|이유|\
liegt daran|vient de|el motivo|se debe|por eso|o motivo|por isso|perché|il motivo|a causa|dovuto a";

const DECISION: &str = "decided|decision|we will|we'll|agreed|instead of|rather than|chose|chosen|going with|settled on|\
must not|must be|must never|should be|should not|shouldn't|never|always|do not|don't|prefer|recommend|recommendation|\
the plan|trade-off|from now on|no exceptions|under no circumstances|going forward|dont|we want|i want|i don't want|the rule|rule:|rule for|rule from|new rule|only when|no longer|by default|policy|\
entschieden|beschlossen|statt|immer|niemals|décidé|au lieu|plutôt|toujours|jamais|decidido|decidimos|en vez de|\
siempre|nunca|em vez de|sempre|реши|решен|вместо|всегда|никогда|договорил|соглас|утверд|выбрал|остав|не трога|нельзя|впредь|отныне|запрещ|не надо|не нужно|обязательно|по умолчанию|откат|отказал|отлож|не больше|не раньше|не позже|决定|决策|改用|而不是|必须|不要|总是|采用|推荐|严禁|禁止|一律|不许|不准|务必|以后都|以后不|今后|永远不|绝不|\
決定|決めた|代わりに|必ず|常に|しない|方針|絶対に|今後は|これからは|してはいけない|결정|대신|항상|절대|하기로|앞으로는|반드시|금지|정책|\
nie|verworfen|standardmäßig|darf nicht|muss|künftig|ab jetzt|ab sofort|regel:|regla:|regra:|règle|regola:|правило:|规则:|规则：|规矩|ルール|규칙|il faut|doit|désormais|dorénavant|par défaut|retenu|écarté|hay que|por defecto|no se debe|descarté|a partir de ahora|de ahora en adelante|por padrão|a partir de agora|daqui pra frente|deciso|d'ora in poi|invece di|di default|não deve|non deve";

const CHANGE: &str = "changed|fixed|added|removed|renamed|replaced|moved|now uses|now |implemented|updated|created|deleted|\
merged|deployed|released|migrated|refactored|extracted|switched|rewrote|passes|passing|works|done|shipped|introduced|\
bottom line|in short|summary|result|verdict|\
geändert|behoben|hinzugefügt|entfernt|ersetzt|jetzt|corrigé|ajouté|supprimé|remplacé|maintenant|modifié|cambiado|\
arreglado|añadido|agregado|eliminado|ahora|corrigido|adicionado|removido|agora|исправ|добав|удален|удалён|\
замен|теперь|измен|готово|сделал|поправил|починил|убрал|удалил|перенёс|перенес|вынес|переписал|обновил|итог|выкатил|修复|修改|添加|删除|增加|替换|现在|完成|実装|修正|追加|削除|変更|完了|수정|추가|삭제|변경|완료|구현|이제|\
umgesetzt|erledigt|ausgerollt|korrigiert|umgestellt|gelöscht|déployé|créé|arreglé|hecho|cambié|agregué|corregí|desplegado|actualizado|ya no|corrigi|feito|alterado|mudei|criado|atualizado|aggiunto|rimosso|sostituito|modificato|aggiornato";

const OPEN: &str = "todo|next step|next steps|remaining|blocked|still need|not yet|open question|pending|follow-up|\
to be done|later|left to do|deferred|out of scope|offen|nächste|ausstehend|à faire|reste à|prochaine|pendiente|\
falta|próximo|pendente|остал|следующ|нужно|пока нет|открытый вопрос|не сделан|не провер|ждём|ждем|待办|下一步|剩余|尚未|未完成|残り|次は|未対応|保留|남은|다음|미완|보류|\
noch nicht|fehlt|en attente|pas encore|queda|quedan|todavía no|ainda não|aguardando|manca|da fare|in sospeso|non ancora";

/// What a text tells, by the strongest cue in it.
pub(crate) fn cue(text: &str) -> Option<Cue> {
    static ALL: LazyLock<Finder> = LazyLock::new(Finder::new);
    if text.is_ascii() {
        ALL.strongest_in_ascii(text)
    } else if text.contains(is_foreign_capital) {
        // These are capitals, too.
        ALL.strongest(&lower(text))
    } else {
        ALL.strongest(text)
    }
}

fn is_foreign_capital(c: char) -> bool {
    !c.is_ascii() && !is_cjk_letter(c) && c.is_uppercase()
}

/// [`str::to_lowercase`], without a look at its tables for the letters that nearly all CJK text is made of.
fn lower(text: &str) -> String {
    // How this one is written depends on what stands around it.
    if text.contains('Σ') {
        return text.to_lowercase();
    }
    let mut lower = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            lower.push(c.to_ascii_lowercase());
        } else if is_cjk_letter(c) {
            lower.push(c);
        } else {
            lower.extend(c.to_lowercase());
        }
    }
    lower
}

/// How many bits of each byte are looked at to tell whether a cue begins: those that tell letters apart, whatever their case.
const BITS: u32 = 5;
const SLOTS: usize = 1 << (3 * BITS);

/// A cue and what it tells.
struct Known {
    /// see [`Finder::slot`]
    slot: u16,
    /// its last byte, by which most texts that only begin like it are told apart
    last: u8,
    word: &'static str,
    kind: Cue,
}

/// Finds cues, and knows what each of them tells. Walks over a text by three bytes at a time, which takes less than half of
/// what an automaton takes, since hardly any three begin a cue.
struct Finder {
    /// by [`Finder::slot`] of three bytes, a bit: whether a cue begins so
    begins: Box<[u64; SLOTS / 64]>,
    /// where the cues of a slot begin, where there are any
    first: Vec<u16>,
    /// the cues by slot, the longest first
    cues: Vec<Known>,
}

/// The bit that tells small letters of ASCII from capitals.
const CASE: u8 = 0x20;

impl Finder {
    fn new() -> Self {
        let lists = [
            (CAUSE, Cue::Cause),
            (DECISION, Cue::Decision),
            (CHANGE, Cue::Change),
            (OPEN, Cue::Open),
        ];
        let mut cues: Vec<Known> = Vec::new();
        for (list, kind) in lists {
            let words = list.split('|').map(str::trim).filter(|word| !word.is_empty());
            cues.extend(words.map(|word| {
                let slot = word.bytes().take(3).fold(0, Self::slot);
                Known { slot, last: word.as_bytes()[word.len() - 1] | CASE, word, kind }
            }));
        }
        cues.order_by_key(|cue| (cue.slot, Reverse(cue.word.len())));
        let mut begins = Box::new([0; SLOTS / 64]);
        let mut first = vec![0; SLOTS];
        let mut from: u16 = 0;
        for same in cues.chunk_by(|one, next| one.slot == next.slot) {
            let slot = same[0].slot;
            begins[usize::from(slot >> 6)] |= 1 << (slot & 63);
            first[usize::from(slot)] = from;
            from += u16::try_from(same.len()).unwrap_or(u16::MAX);
        }
        Self { begins, first, cues }
    }

    /// What three bytes are looked up by, once a further one is read.
    fn slot(before: u16, byte: u8) -> u16 {
        (before << BITS | u16::from(byte & 31)) & ((1 << (3 * BITS)) - 1)
    }

    fn begins(&self, slot: u16) -> bool {
        self.begins[usize::from(slot >> 6)] >> (slot & 63) & 1 != 0
    }

    /// Of a text of ASCII. No cue of these languages begins inside a word, so most places are not looked at.
    fn strongest_in_ascii(&self, text: &str) -> Option<Cue> {
        let bytes = text.as_bytes();
        let mut search = Search::new(self, text);
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            if !byte.is_ascii_alphanumeric() {
                at += 1;
                continue;
            }
            let rest = &bytes[at..];
            if let Some(three) = rest.first_chunk::<3>() {
                let slot = three.iter().copied().fold(0, Self::slot);
                if self.begins(slot) && search.is_over_at(at, slot) {
                    break;
                }
            }
            let small = small_letters(rest);
            let others = rest[small..].iter().take_while(|byte| byte.is_ascii_alphanumeric());
            at += small + others.count();
        }
        search.strongest
    }

    /// Of a text in lower case.
    fn strongest(&self, text: &str) -> Option<Cue> {
        let mut search = Search::new(self, text);
        let mut slot = 0;
        for (last, byte) in text.bytes().enumerate() {
            slot = Self::slot(slot, byte);
            if self.begins(slot) && last >= 2 && search.is_over_at(last - 2, slot) {
                break;
            }
        }
        search.strongest
    }
}

/// What is known of the cues of a text while it is walked over.
struct Search<'t> {
    finder: &'t Finder,
    text: &'t str,
    strongest: Option<Cue>,
    /// where the last cue ends
    done: usize,
}

impl<'t> Search<'t> {
    fn new(finder: &'t Finder, text: &'t str) -> Self {
        Self { finder, text, strongest: None, done: 0 }
    }

    /// Looks for a cue that begins at a place with three bytes of this slot. Of cues that overlap, the first counts, and the
    /// longest of those that begin with it. Tells whether none that follows can be stronger.
    fn is_over_at(&mut self, start: usize, slot: u16) -> bool {
        if start < self.done {
            return false;
        }
        let bytes = self.text.as_bytes();
        let rest = &bytes[start..];
        let stands = |cue: &Known| {
            let there = rest.get(..cue.word.len());
            there.is_some_and(|there| {
                there[there.len() - 1] | CASE == cue.last
                    && there.eq_ignore_ascii_case(cue.word.as_bytes())
            })
        };
        let begun = &self.finder.cues[usize::from(self.finder.first[usize::from(slot)])..];
        let mut begun = begun.iter().take_while(|cue| cue.slot == slot);
        let Some(Known { word, kind, .. }) = begun.find(|cue| stands(cue)) else { return false };
        self.done = start + word.len();
        let touches = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let is_part = if word.is_ascii() {
            touches(bytes[..start].last()) || touches(bytes.get(self.done))
        } else {
            // Words of Russian end in many ways, but begin in one.
            word.starts_with(is_cyrillic) && self.text[..start].ends_with(char::is_alphanumeric)
        };
        if !is_part {
            self.strongest = self.strongest.max(Some(*kind));
        }
        self.strongest == Some(Cue::Decision)
    }
}

/// How an assistant begins a sentence that only says what it will do next, or is only polite.
const NARRATION: &str = "\
let me |let's |i'll |i’ll |i will |i'm going to|i am going to|i'm now|i’m now|i'm checking|i'm reading|now i|\
now let|next, i|next i|first, let|first i|i need to|i see |found it|got it|understood|excellent|good catch|\
wait, |wait - |i apologize|i want to check|looking at|let’s |great|perfect|sure|certainly|of course|absolutely|\
you're welcome|you’re welcome|i hope|feel free|happy to|i'd be happy|i’d be happy|i'd love|good luck|enjoy|\
have fun|would you like|do you want me|want me to|say the word|just say the word|if you want, i|\
if you'd like, i|if you’d like, i|if you like, i|thank|good question|reading |checking |searching |exploring |\
running the|i now have a complete |i have a complete picture|i have a comprehensive understanding|\
i have a clear picture|i have a clear understanding|i have a full picture|посмотрю|смотрю|проверю|проверяю|\
сначала посмотр|сначала провер|сначала проч|давайте посмотр|давай посмотр|сейчас посмотр|сейчас провер|читаю |\
ищу |запускаю|прогоняю|прогоню|прикину|прикидываю|изучу|изучаю|начну с|начинаю|хорошо,|понял|отлично|конечно|\
спасибо|пожалуйста|рад |хотите,|хочешь,|если хотите, я|если хочешь, я|дайте знать|让我|我来|我先|先看|先拿|先跑|先读|先查|先检查|现在改 |现在看|现在跑|接下来改|接下来修改|接下来看|跑一下|看一下|好的，|まず|では、|확인해 보겠습니다|\
먼저 |ich schaue|ich sehe mir|ich prüfe|ich lese|ich suche|ich starte|ich messe|lass mich|gern|gute frage|\
guter punkt|verstanden|alles klar|je regarde|je vais |je vérifie|je lis |je cherche|je lance|je commence|voyons|\
d'accord|bien sûr|compris|parfait|bonne question|avec plaisir|voy a |reviso |miro |busco |veamos|déjame|dejame|\
entendido|perfecto|buena pregunta|con gusto|vou |deixa eu|deixe-me|verificando|perfeito|boa pergunta|vediamo|\
fammi |lasciami|capito|perfetto|buona domanda|明白|没问题|了解|わかりました|承知|알겠습니다|네,|claro,|claro.|certo,|certo.";

/// Steps that an assistant takes next, where what they are done to follows: `Now add the handler`, not `Now test runs take 3 s`.
const STEPS: &str = "add update remove refactor create write fix run check verify test build replace move wire skip implement \
    rename";
const OBJECTS: &str =
    "the a an it all both these those this that them each every some more another our my its their";
fn is_next_step(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_now = words.next().is_some_and(|word| word.eq_ignore_ascii_case("now"));
    let mut is_of = |list: &str| {
        let word = words.next().unwrap_or_default();
        word.starts_with('`') || list.split_whitespace().any(|known| known == word)
    };
    is_now
        && (is_name(behind(text, "now ").unwrap_or_default()) || (is_of(STEPS) && is_of(OBJECTS)))
}

/// Whether a text is the name of a file or a part of the code and nothing else.
fn is_name(text: &str) -> bool {
    let text = text.trim_end_matches(['.', ':', '。', '：']);
    text.len() > 2 && text.matches('`').count() == 2 && text.starts_with('`') && text.ends_with('`')
}

/// Whether a sentence of an assistant tells what it is about to do, or nothing.
pub(crate) fn is_narration(sentence: &str) -> bool {
    static BEGINNINGS: LazyLock<Beginnings> = LazyLock::new(|| Beginnings::new(NARRATION));
    let text = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    BEGINNINGS.begin(text) || is_next_step(text)
}

/// What texts may begin with, in any case, by the first byte: most texts begin with none of it.
pub(super) struct Beginnings(Vec<Vec<&'static str>>);

impl Beginnings {
    /// `starts` are set apart by `|`; a blank at the end of one has to be there.
    pub(super) fn new(starts: &'static str) -> Self {
        let mut by_first = vec![Vec::new(); 256];
        for start in starts.split('|') {
            if let Some(first) = start.as_bytes().first() {
                by_first[usize::from(first.to_ascii_lowercase())].push(start);
            }
        }
        Self(by_first)
    }

    /// Whether a text begins with one of these.
    pub(super) fn begin(&self, text: &str) -> bool {
        let small: String;
        let text = if text.starts_with(|c: char| !c.is_ascii() && c.is_uppercase()) {
            small = text.chars().take(LONGEST_BEGINNING).flat_map(char::to_lowercase).collect();
            &small
        } else {
            text
        };
        let Some(first) = text.as_bytes().first() else { return false };
        self.0[usize::from(first.to_ascii_lowercase())].iter().any(|start| {
            let begins = |(begin, rest): (&str, &str)| {
                // `If you want, it can be turned off` is no offer of the assistant's.
                let ends = !start.ends_with(" i") || !rest.starts_with(char::is_alphanumeric);
                begin.eq_ignore_ascii_case(start) && ends
            };
            text.split_at_checked(start.len()).is_some_and(begins)
        })
    }
}

/// No beginning that is looked for in other letters than ASCII has more characters.
const LONGEST_BEGINNING: usize = 32;

/// Go-aheads and thanks, in lower case and without marks.
const GO_AHEADS: &str = "yes|y|please|yep|yup|yeah|ok|okay|sure|no|nope|thanks|thank you|thank you very much|thx|ty|great|perfect|\
cool|nice|go|go ahead|go on|go for it|proceed|continue|please continue|please proceed|carry on|do it|do that|yes please|\
please do|yes do it|thats the one|that's the one|that's it|begin|yes begin|sort of|kind of|more or less|sounds good|looks good|lgtm|got it|good|done|next|try again|again|resume|keep going|commit|commit it|\
hi|hello|hey|morning|good morning|bye|haha|hahaha|lol|moin|hallo|guten morgen|bonjour|salut|hola|buenas|buen dia|\
buenos dias|buenos días|oi|bom dia|boa tarde|ciao|buongiorno|ja|nein|danke|weiter|bitte|mach weiter|oui|non|merci|continue|vas-y|d'accord|sí|si|gracias|sigue|\
continúa|adelante|vale|sim|não|obrigado|obrigada|continua|\
mach|mach das|mach so|passt|genau|gut|super|perfekt|einverstanden|klar|alles klar|jo|jup|top|danke dir|gerne|tschau|bis morgen|\
vas y|on y va|parfait|nickel|c'est bon|merci beaucoup|très bien|ça marche|ça roule|allez|fais-le|à demain|\
más o menos|mais ou menos|plus ou moins|so ungefähr|вроде|dale|hacelo|hazlo|listo|genial|perfecto|bueno|bien|de acuerdo|claro|metele|seguí|segui|seguí con eso|sigue así|muchas gracias|jaja|jajaja|kkk|kkkk|mdr|\
pode ir|pode|manda|manda ver|beleza|blz|valeu|vlw|isso|isso aí|certo|perfeito|ótimo|otimo|boa|bora|vai|segue|faz isso|\
va bene|perfetto|procedi|ottimo|grazie|grazie mille|sì|bene|fatto|\
да|нет|спасибо|хорошо|давай|давай делай|ну давай|делай|сделай|продолжай|дальше|ок|окей|ага|угу|поехали|вперед|вперёд|кати|катим|мержи|коммить|\
супер|класс|круто|отлично|понял|понятно|ясно|верно|все верно|всё верно|все|всё|точно|правильно|согласен|согласна|норм|ладно|пусть|спс|благодарю|\
привет|доброе утро|добрый день|пока|ну|а|можно|пожалуйста|да пожалуйста|\
是|好|好的|谢谢|继续|可以|行|行吧|也行|都行|懂了|明白了|同意|没意见|听你的|说得对|有道理|嗯嗯|好吧|继续吧|没问题|可以的|辛苦了|收到|嗯|早|早上好|哈哈|哈哈哈|\
对|はい|いいえ|ありがとう|ありがとうございます|続けて|お願いします|お願い|お願いね|よろしく|よろしくお願いします|おけ|了解|了解です|それで進めて|進めて|大丈夫|おはよう|おはようございます|네|예|아니요|안녕하세요|감사합니다|고마워|계속|계속해|좋아|좋아요|진행해|응|ㅇㅇ|ㅋㅋ|ㅎㅎ";

/// Whether somebody only says that it may go on, or thanks.
pub(crate) fn is_go_ahead(text: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> =
        LazyLock::new(|| GO_AHEADS.split('|').map(str::trim).collect());
    if text.len() > 64 {
        return false;
    }
    let known = |text: &str| KNOWN.contains(text);
    // Each of the clauses, or each word of one.
    let mark = |c: char| !(c.is_alphanumeric() || c.is_whitespace() || c == '\'' || c == '-');
    text.to_lowercase().split(mark).all(|clause| {
        let words: Vec<&str> = clause.split_whitespace().collect();
        words.is_empty() || known(&words.join(" ")) || words.iter().all(|word| known(word))
    })
}

/// A text without the go-aheads that it begins with: `ok, dale. ` of `ok, dale. the crane stays`.
pub(super) fn behind_go_ahead(text: &str) -> &str {
    /// In bytes. Longer ones are no go-aheads.
    const CLAUSE: usize = 32;
    const MARKS: [char; 8] = [',', '.', '!', ';', '，', '。', '、', '！'];
    let mut rest = text;
    while let Some(at) = rest.find(MARKS).filter(|at| *at > 0 && *at < CLAUSE) {
        let (clause, behind) = rest.split_at(at);
        let behind = behind.trim_start_matches(MARKS);
        // `ok.json` is a name.
        let is_apart = !clause.is_ascii() || behind.is_empty() || behind.starts_with(' ');
        if !is_apart || !is_go_ahead(clause) {
            break;
        }
        rest = behind.trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_cue_counts() {
        fn check(text: &str, expect: Option<Cue>) {
            assert_eq!(cue(text), expect, "{text}");
        }
        check("The parser fails because the index is stale.", Some(Cue::Cause));
        check("Fixed: we will use cookies instead of tokens.", Some(Cue::Decision));
        check("Added a test.", Some(Cue::Change));
        check("TODO: the migration", Some(Cue::Open));
        check("An addedness of nowhere.", None);
        check("배포는 하지 않기로 결정했다", Some(Cue::Decision));
        check("原因は索引の不整合", Some(Cue::Cause));
        check("Исправлена ошибка входа", Some(Cue::Change));
        check("La causa era el índice", Some(Cue::Cause));
        check("Потому он и падает", Some(Cue::Cause));
        check("Der Kran darf nicht starten", Some(Cue::Decision));
        check("Il faut garder la grue 4", Some(Cue::Decision));
        check("Se debe a la balanza", Some(Cue::Cause));
        check("Corrigi a balança", Some(Cue::Change));
        check("Manca ancora la gru", Some(Cue::Open));
        check("Оставляем 1.23", Some(Cue::Decision));
        // Neither was anything left.
        check("Поставил порт 9464", None);
        check("Доставка стоит 300", None);
        check("", None);
    }

    #[test]
    fn go_aheads_at_the_beginning_are_left_out() {
        fn check(text: &str, expect: &str) {
            assert_eq!(behind_go_ahead(text), expect, "{text}");
        }
        check("ok, dale. the crane stays", "the crane stays");
        check("Perfekt! der Kran bleibt", "der Kran bleibt");
        check("可以，客服那边我说", "客服那边我说");
        check("no crane is left open, ever", "no crane is left open, ever");
        check("ok.json has the tides", "ok.json has the tides");
        check("thanks.", "");
        check("the crane, ok, stays", "the crane, ok, stays");
    }

    /// As a search finds them that compares each cue at every place.
    fn plainly(text: &str) -> Option<Cue> {
        let lists = [
            (CAUSE, Cue::Cause),
            (DECISION, Cue::Decision),
            (CHANGE, Cue::Change),
            (OPEN, Cue::Open),
        ];
        let cues: Vec<(&str, Cue)> = lists
            .into_iter()
            .flat_map(|(list, kind)| list.split('|').map(move |word| (word.trim(), kind)))
            .collect();
        let text = text.to_lowercase();
        let touches = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let (mut at, mut strongest) = (0, None);
        while at < text.len() {
            let (before, rest) = text.as_bytes().split_at(at);
            // Inside a word of ASCII no cue begins that counts, nor one that hides another.
            let is_inside = text.is_ascii() && touches(before.last()) && touches(rest.first());
            let stands = |(word, _): &&(&str, Cue)| !is_inside && rest.starts_with(word.as_bytes());
            let Some((word, kind)) = cues.iter().filter(stands).max_by_key(|(word, _)| word.len())
            else {
                at += 1;
                continue;
            };
            let is_part = if word.is_ascii() {
                touches(before.last()) || touches(rest.get(word.len()))
            } else {
                word.starts_with(is_cyrillic) && text[..at].ends_with(char::is_alphanumeric)
            };
            if !is_part {
                strongest = strongest.max(Some(*kind));
            }
            at += word.len();
        }
        strongest
    }

    proptest::proptest! {
        #[test]
        fn cues_are_those_that_a_plain_search_finds(at in proptest::collection::vec(0..1000_usize, 0..4), between in "(| |, |x|al|Σ|İ|É|한)") {
            let all: Vec<&str> = [CAUSE, DECISION, CHANGE, OPEN].iter().flat_map(|list| list.split('|')).collect();
            let mut text = between.clone();
            for at in at {
                let word = all[at % all.len()];
                text += if at % 3 == 0 { word.trim() } else { word };
                text += &between;
            }
            proptest::prop_assert_eq!(cue(&text), plainly(&text), "{}", text);
            let loud = text.to_uppercase();
            proptest::prop_assert_eq!(cue(&loud), plainly(&loud), "{}", loud);
        }
    }

    #[test]
    fn go_aheads_say_nothing() {
        for text in [
            "Yes, please continue.",
            "ok",
            "👍",
            "proceed",
            "네, 좋아요!",
            "thanks, go ahead",
            "好的，谢谢",
            "Да, спасибо!",
            "ну давай, делай",
            "Ага, всё верно",
            "ок. кати",
            "ja, mach weiter",
            "passt, danke dir",
            "dale, seguí con eso",
            "ok, vas-y",
            "pode ir, valeu",
            "va bene, grazie",
            "没问题，继续吧",
            "了解です。お願い",
        ] {
            assert!(is_go_ahead(text), "{text}");
        }
        for text in [
            "Yes, drop the prefix index",
            "commit the parser",
            "계속 실패한다",
            "давай 10",
            "да, но марат против",
            "ja, aber nur den Kran",
            "dale 10",
            "isso não serve",
        ] {
            assert!(!is_go_ahead(text), "{text}");
        }
    }

    #[test]
    fn what_is_about_to_be_done_is_not_told() {
        assert!(is_narration("Let me look at the parser."));
        assert!(is_narration("**Now I'll run the tests.**"));
        assert!(is_narration("If you want, I can turn it off."));
        assert!(is_narration("I now have a complete picture."));
        assert!(is_narration("Now add the handler to the model."));
        assert!(is_narration("Now `flow_meter.c`."));
        assert!(!is_narration("Now `flow_meter.c` reads the crane."));
        assert!(is_narration("接下来修改 `payload.c`。"));
        assert!(!is_narration("接下来还要补上吊车的测试。"));
        assert!(is_narration("Now update `gates.rs` for it."));
        assert!(!is_narration("Now test runs take 3 s rather than 30, since the cache is warm."));
        assert!(!is_narration("I have a clear reproduction: the lock is taken twice."));
        assert!(is_narration("Посмотрю, где это вызывается."));
        assert!(is_narration("СНАЧАЛА ПРОВЕРЮ слоты."));
        assert!(!is_narration("Слот держит WAL с 22 января."));
        assert!(is_narration("Ich schaue mir den Kran an."));
        assert!(is_narration("Voy a revisar la balanza."));
        assert!(is_narration("Je regarde les pesées."));
        assert!(!is_narration("Ich habe den Kran gesperrt."));
        assert!(!is_narration("Certificat renouvelé, la grue répond."));
        assert!(!is_narration("The tests pass now."));
        assert!(!is_narration("If you want, it can be turned off with `--no-tide`."));
        assert!(!is_narration("Now it works, because the gate is shut."));
        assert!(!is_narration("人"));
    }
}
