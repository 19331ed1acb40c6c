//! What takes a rule back: `forget my rule about the crane`, `あれは撤回`.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::standing_rule::{any_listed, has_one, has_part};

/// What takes back by itself.
const TAKEN_BACK: &str = "i take that back|i take it back|i'm taking that back|no longer a rule|not a rule anymore|not a rule any more|\
das nehme ich zurück|nehme ich zurück|gilt nicht mehr als regel|lo retiro|retiro lo dicho|je retire ce que|retiro o que eu disse|\
ritiro quello|беру свои слова назад|беру назад";
/// The same in scripts without blanks between words.
const PARTS_TAKEN_BACK: &str = "撤回|作废|作廢|철회";
/// What takes a rule back that a text names.
const OVER: &str = "forget|scrap|scrapped|withdrawn|withdraw|lifted|revoked|revoke|void|vergiss|vergesst|vergessen|aufgehoben|gestrichen|hinfällig|olvida|\
olvidate|olvídate|olvidar|anula|anulada|derogada|oublie|oubliez|oublier|annulée|levée|abandonnée|esquece|esquecer|esqueça|revogada|dimentica|\
dimenticare|abolita|annullata|забудь|забудьте|отменяется|отменяю|отменяем|отменено|снимаем|снимаю|is off|is gone|is dead|is over|no longer holds|no longer applies|doesn't hold anymore|doesn't apply anymore|holds no more|gilt nicht mehr|\
fällt weg|ist weg|ya no vale|ya no rige|ne vaut plus|ne tient plus|não vale mais|caiu|non vale più|больше не действует|больше не нужно";
const PARTS_OVER: &str =
    "取消|废除|不再适用|不算了|廃止|なしにし|なしで|やめ|취소|폐지|없던 걸로|없애";

/// How a text names a rule that people have given, rather than one of a program: `the firewall rule is gone`.
const RULE: &str = "my rule|our rule|your rule|that rule|this rule|the rule about|the rule with|the rule on|the rule of|the rule for|the rule that|the rule we|\
meine regel|unsere regel|diese regel|die regel mit|die regel zu|die regel für|mi regla|nuestra regla|esa regla|la regla de|la regla del|\
ma règle|notre règle|cette règle|la règle de|la règle du|la règle sur|minha regra|nossa regra|essa regra|a regra de|a regra do|a regra da|\
la mia regola|questa regola|la regola di|la regola del|правило про|правило о|это правило|моё правило|мое правило|наше правило";
const PARTS_RULE: &str = "规则|规矩|规定|ルール|규칙";

/// Whether a text takes back a rule that was given before.
pub(crate) fn withdraws(text: &str) -> bool {
    static MAY: LazyLock<AhoCorasick> = LazyLock::new(|| any_listed(&[TAKEN_BACK, RULE]));
    // Hardly any sentence has one of these. Capitals of other scripts are not known to be the same letters there.
    if (text.is_ascii() && !MAY.is_match(text)) || text.ends_with(['?', '？']) {
        return false;
    }
    let text = text.to_lowercase().replace('’', "'");
    let names_a_rule = || has_one(&text, RULE) || has_part(&text, PARTS_RULE);
    let is_over = || has_one(&text, OVER) || has_part(&text, PARTS_OVER);
    has_one(&text, TAKEN_BACK) || has_part(&text, PARTS_TAKEN_BACK) || (names_a_rule() && is_over())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_taken_back() {
        for text in [
            "forget my rule about the crane, it costs two days",
            "the rule with the two keys is off",
            "that rule no longer applies on the quay",
            "i said two keys, i take that back",
            "die regel mit dem Kran gilt nicht mehr",
            "vergiss die Regel mit dem Kran",
            "aquela minha regra do guindaste, pode esquecer",
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
        ] {
            assert!(!withdraws(text), "{text}");
        }
    }
}
