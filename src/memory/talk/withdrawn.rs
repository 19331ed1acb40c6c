//! What takes a rule back: `forget my rule about the crane`, `あれは撤回`.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::negation::negates;
use super::standing_rule::{any_listed, has_one, has_part, plain};

/// What takes back what somebody said, where a text says that they did.
const TAKEN_BACK: &str = "i take that back|i take it back|i'm taking that back|nehme ich zurück|lo retiro|je retire ce que|retiro o que|ritiro quello|\
беру свои слова назад|беру назад";
const SAID: &str = "i said|i told you|i asked you|i had said|ich hatte gesagt|ich habe gesagt|ich sagte|dije|había dicho|j'avais dit|j'ai dit|eu disse|eu falei|\
avevo detto|ho detto|я говорил|я сказал";
/// The same in scripts without blanks between words.
const PARTS_TAKEN_BACK: &str = "撤回|作废|作廢|철회";
const PARTS_SAID: &str = "って言った|と言った|あれは|それは|说过|我说的|之前说|말했|말한|했던";
/// What takes back a rule that a text names. With a negation it does not: `don't forget my rule`.
const OVER: &str = "forget|scrap|scrapped|withdrawn|withdraw|revoked|revoke|vergiss|vergesst|vergessen|aufgehoben|gestrichen|hinfällig|olvida|\
olvidate|olvídate|olvidar|anula|anulada|derogada|oublie|oubliez|oublier|annulée|abandonnée|esquece|esquecer|esqueça|revogada|dimentica|abolita|\
annullata|забудь|забудьте|отменяется|отменяю|отменяем|отменено|снимаем|снимаю|is gone|is dead|is over";
/// What does so with a negation in it.
const NO_LONGER: &str = "is no longer a rule|no longer holds|no longer applies|doesn't hold anymore|doesn't apply anymore|holds no more|gilt nicht mehr|\
fällt weg|ist weg|ya no vale|ya no rige|ne vaut plus|ne tient plus|não vale mais|non vale più|больше не действует|больше не нужно";
const PARTS_OVER: &str =
    "取消|废除|不再适用|不算了|廃止|なしにし|をやめ|はなしで|취소|폐지|없던 걸로|없애";
/// How somebody begins who says what would be.
const IF: [&str; 12] = [
    "if ",
    "when ",
    "unless ",
    "wenn ",
    "falls ",
    "si ",
    "se ",
    "если ",
    "如果",
    "もし",
    "만약",
    "quand ",
];

/// How a text names a rule that people have given, rather than one of a program: `the firewall rule is gone`.
const RULE: &str = "my rule|our rule|your rule|that rule|this rule|the rule about|the rule with|the rule on|the rule of|the rule for|the rule that|the rule we|\
meine regel|unsere regel|diese regel|die regel mit|die regel zu|die regel für|mi regla|nuestra regla|esa regla|la regla de|la regla del|\
ma règle|notre règle|cette règle|la règle de|la règle du|la règle sur|minha regra|nossa regra|essa regra|a regra de|a regra do|a regra da|\
la mia regola|questa regola|la regola di|la regola del|правило про|правило о|это правило|моё правило|мое правило|наше правило";
/// The same with a capital or without one, of which it is not known at once that they are the same letter.
const RULE_IN_RUSSIAN: &str = "равил";
const PARTS_RULE: &str = "规则|规矩|规定|ルール|규칙";
const PARTS_THAT_RULE: &str = "这条规|那条规|这个规|那个规";

/// What no text takes a rule back without.
pub(super) const OF_WITHDRAWAL: [&str; 5] =
    [TAKEN_BACK, RULE, RULE_IN_RUSSIAN, PARTS_TAKEN_BACK, PARTS_RULE];

/// Whether a text takes back a rule that was given before. The rule still stands where it was told: who reads both knows which
/// one holds, and who misses one breaks it.
pub(super) fn withdraws(text: &str) -> bool {
    static MAY: LazyLock<AhoCorasick> = LazyLock::new(|| any_listed(&OF_WITHDRAWAL));
    // Hardly any sentence has one of these.
    if !MAY.is_match(text) || text.ends_with(['?', '？']) {
        return false;
    }
    let text = plain(text);
    if IF.iter().any(|word| text.starts_with(word)) {
        return false;
    }
    in_words(&text) || (!text.is_ascii() && in_parts(&text))
}

/// The same of languages with blanks between their words.
fn in_words(text: &str) -> bool {
    let names_a_rule = has_one(text, RULE);
    if names_a_rule && has_one(text, NO_LONGER) {
        return true;
    }
    let is_taken_back = has_one(text, TAKEN_BACK) && (names_a_rule || has_one(text, SAID));
    is_taken_back || (names_a_rule && OVER.split('|').any(|word| is_said(text, word)))
}

/// Whether a word, or several, stands in a text without a negation right before or behind it. Farther off, what negates in one
/// language means something else in another one: `no front`.
fn is_said(text: &str, word: &str) -> bool {
    const BEFORE: usize = 2;
    text.match_indices(word).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        let apart = |c: char| !(c.is_alphanumeric() || c == '\'');
        let is_whole = !before.ends_with(|c| !apart(c)) && !behind.starts_with(|c| !apart(c));
        let mut near = before.rsplit(apart).filter(|word| !word.is_empty()).take(BEFORE);
        let next = behind.split(apart).find(|word| !word.is_empty());
        is_whole && !near.any(negates) && !next.is_some_and(negates)
    })
}

/// The same of Chinese, Japanese and Korean, where a word for what is over may as well be part of a name: `取消规则`, the rules for
/// cancelling.
fn in_parts(text: &str) -> bool {
    const DENIED: &str = "不要|别取消|勿|ないで|하지 마|지 마";
    if has_part(text, DENIED) || text.contains(['：']) || text.contains(": ") {
        return false;
    }
    let first = |parts: &str| parts.split('|').filter_map(|part| text.find(part)).min();
    let is_over = match (first(PARTS_RULE), first(PARTS_OVER)) {
        (Some(rule), Some(over)) => rule < over || has_part(text, PARTS_THAT_RULE),
        _ => false,
    };
    let is_said = || has_part(text, PARTS_SAID) || has_part(text, PARTS_RULE);
    is_over || (has_part(text, PARTS_TAKEN_BACK) && is_said())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_taken_back() {
        for text in [
            "forget my rule about the crane, it costs two days",
            "the rule with the two keys is gone",
            "that rule no longer applies on the quay",
            "i said two keys, i take that back",
            "die regel mit dem Kran gilt nicht mehr",
            "vergiss die Regel mit dem Kran",
            "aquela minha regra de avisar no cais, pode esquecer",
            "la règle de la grue ne vaut plus",
            "olvida la regla de la grúa",
            "правило про кран больше не действует",
            "最初に「必ず二回測れ」って言ったけど、あれは撤回",
            "吊车的那条规矩取消",
            "크레인 규칙은 취소합니다",
        ] {
            assert!(withdraws(text), "{text}");
        }
        for text in [
            "forget the crane, look at the winch",
            "the rule about the crane holds",
            "the crane is off",
            "the firewall rule is gone since the update",
            "a rule of the linter is off",
            "rule: two keys for the crane",
            "is the rule with the crane gone?",
            "cancel the crane",
            "don't forget my rule about the two keys of the crane",
            "please never forget that rule about the keys",
            "vergiss nicht die Regel mit dem Kran",
            "não esquecer a regra do guindaste",
            "не забудь правило про кран",
            "不要取消这条规则",
            "if that rule no longer holds we have a bug",
            "actually i take that back, the cranes are fine",
            "in the linter this rule is off by default",
            "发票作废以后不能再修改金额",
            "消息撤回功能要支持两分钟内撤回",
            "订单取消规则：下单后30分钟内可以取消",
            "예약 취소 규칙은 24시간 전까지 무료",
            "동의 철회 시 데이터를 삭제해야 한다",
            "このルールは例外なしで守ってください",
            "ルール: 夜の作業はやめてください",
        ] {
            assert!(!withdraws(text), "{text}");
        }
    }
}
