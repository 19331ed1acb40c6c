//! The words that only hold others together, in the languages most people write in beside English.
//!
//! A text that is full of them is in that language, and in it they say nothing about a subject.

use std::collections::HashSet;
use std::sync::LazyLock;

pub(crate) const GERMAN: &str = "\
der die das den dem des ein eine einen einem einer eines und oder aber nicht ist sind war waren wird wurde \
wurden werden worden mit von für auf aus bei nach über zu zum zur im in an am als auch es sie er wir ihr ich \
du man was wer wie wo wann warum welche welcher welches welchen haben hat hatte hatten habe hab hast sich dass \
daß wenn noch nur so um beim vom durch kann können könnte könnten konnte soll sollte sollen sollten muss \
müssen müsste musste will wollen unser unsere unserem unseren mein meine meinen dein deine sein seine seinen \
ihre ihren ihrem ihrer bist seid kein keine keinen keiner nichts doch schon jetzt dann hier dort eben immer \
wieder mehr sehr viel viele vielen alle allen alles andere anderen anderer beide beiden ohne gegen unter \
zwischen während weil damit denn dazu davon dafür daran darauf darin dabei deshalb daher trotzdem sonst etwas \
jemand mir mich dich dir uns euch ihn ihm ihnen diese dieser dieses diesem diesen jede jeder jedes jeden würde \
würden wäre wären hätte hätten gibt gab geht gehen ging macht machen mach gemacht lassen lass heute gestern \
morgen heut bitte danke genau hallo irgendwie eigentlich einfach vielleicht wohl gerade grad zwar sowie bzw \
selbst bereits nämlich nix nen nem bisher sobald zuerst zuletzt dadurch hierfür jeweils ganz";

pub(crate) const FRENCH: &str = "\
le la les un une des du de et ou mais ne pas est sont était étaient etait ont avec pour par sur dans que qui \
quoi quel quelle quels quelles comment pourquoi quand où ce cet cette ces il elle ils elles nous vous je tu on \
se son sa ses notre nos votre vos leur leurs au aux en plus a été être avoir etre fait faire comme si mon ma \
mes ton tes moi toi lui eux cela ça c'est j'ai qu'il qu'on qu'elle n'est n'a d'un d'une l'on donc alors aussi \
très trop peu bien encore déjà deja toujours jamais tout tous toute toutes rien chaque autre autres même sans \
sous entre vers chez depuis avant après pendant parce puis ici là dont avez avons aurait serait sera seront \
peut peux peuvent doit dois faut veut veux vais vont soit sois oui merci bonjour ainsi afin lorsque ceux celle \
celui celles s'il d'abord aujourd'hui demain hier voilà quelques plusieurs";

pub(crate) const SPANISH: &str = "\
el la los las un una uno unos unas de del y o pero no es son era eran fue fueron con por para sobre en que qué \
quién quien cuál cuáles cómo cuándo dónde porque este esta estos estas ese esa esos esas eso esto se su sus \
nuestro nuestra nuestros al más hay ha han hemos había ser estar está están estaba yo tú él ella ellos \
nosotros como si lo le les mi me te nos tu muy también tambien solo sólo entre hasta desde cuando donde cada \
otro otra otros otras mismo misma tiene tienen tengo tenemos tener hace hacer hacen puede pueden puedo podemos \
debe deben voy vamos ahora antes después despues hoy ayer mañana así aquí ahí ahi allí entonces pues aunque \
mientras según tanto menos algo nada alguien nadie alguno alguna ningún ninguna gracias hola buenas vos tenés \
porfa todavía";

pub(crate) const PORTUGUESE: &str = "\
o os as um uma uns umas de do da dos das e ou mas não nao é são era foi foram com por para sobre em no na nos \
nas numa que quem qual quais como quando onde porque este esta esse essa isso isto se seu sua seus suas nosso \
nossa ao aos mais há ser estar está estão tão eu você vocês voce ele ela eles elas nós tem têm tenho temos só \
já também tambem muito muita muitos até sem entre desde cada outro outra outros outras mesmo mesma pelo pela \
pelos pelas faz fazer fica ficou vou vamos pode podem posso deve seja nem agora antes depois hoje ontem amanhã \
assim aqui aí então entao pois embora enquanto menos algo nada alguém ninguém algum alguma nenhum nenhuma sim \
obrigado obrigada aquele aquela aquilo lhe meu minha ainda";

pub(crate) const ITALIAN: &str = "\
il lo la i gli le un uno una di del dello della dei degli delle e o ma non è sono era erano con per su in che \
chi quale quali come quando dove perché perche questo questa questi queste quello quella si suo sua nostro \
nostra al allo alla alle più ha hanno abbiamo essere stato stata stati noi voi loro lui lei cosa anche da dal \
dalla dai dalle nel nello nella nei nelle sul sulla già ancora sempre mai ogni tutto tutti tutta altro altri \
altra stesso stessa senza poi dopo oggi ieri adesso così cosi quindi però mentre molto troppo poco niente \
qualcosa fare fatto può posso deve devo grazie ciao";

pub(crate) const DUTCH: &str = "\
de het een en of maar niet is zijn was waren wordt werd worden met van voor op uit bij naar over te in aan als \
ook dat die dit wie wat waar hoe wanneer waarom welke heeft hebben had er we wij ik je jij u men om door kan \
kunnen moet moeten ons onze mijn deze nog wel dus toch geen meer veel hun haar hem zich zou zouden gaat gaan \
doen doet";

pub(crate) const SWEDISH: &str = "\
och att det som en ett är var av för på med inte till den de om men har hade vi jag du han hon vad vem hur när \
varför vilken vilka där från eller så kan ska skulle blev vår våra sin detta denna";

pub(crate) const TURKISH: &str = "\
ve bir bu için ile ne neden nasıl nerede hangi kim çok daha gibi olan olarak da de mi mı değil ama veya şu biz \
ben sen o var yok oldu sonra önce kadar her";

/// With `ё` and without.
pub(crate) const RUSSIAN: &str = "\
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня \
еще нет о из ему теперь когда даже ну вдруг ли если уже или ни быть был него до вас нибудь опять уж вам ведь там \
потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже \
себе под будет ж тогда кто этот того потому этого какой какая какие каким каком какую совсем ним здесь этом один \
почти мой тем чтобы нее были куда зачем почему сколько который которая которые всех никогда можно при наконец \
два об другой хоть после над больше тот через эти нас про всего них много разве три эту моя наш наши нашем \
хорошо свою этой перед лучше чуть том нельзя такой им более всегда между это сделали сделать её ещё неё моё твой \
твоя твое твоё твои наше нашего нашу ваш ваша ваше ваши свой своя свое своё свои своей своего своих своим сейчас \
щас просто вообще типа че чё чет кажется значит кстати короче пока либо также затем поэтому именно кое каждый \
каждая каждое каждые любой любая любые самый самая самое самые другая другие другое других одна одно одни однако \
иначе хотя пусть пускай давай давайте ладно ок окей ага угу привет спасибо пожалуйста мной тобой ею ими нами \
вами нему нею теми той ту те тех та этих этими этому эта буду будем будут будешь стал стала стало стали мочь \
могу можем могут могла могли нужно нужен нужна нужны хочу хочет хотим хотят нету вон вроде около против вместо \
кроме среди сквозь ради примерно очень сильно слишком лишь тока сразу снова часто редко иногда скоро давно вчера \
сегодня завтра туда сюда оттуда отсюда откуда отчего фух ого ура блин жесть черт чёрт капец две двое трое столько настолько насколько такая такое такие таких таким \
такими такую";

/// Those that are a word of English, a name or something of a program as well: `die`, `var`, `plus`.
const AMBIGUOUS: &str = "\
algo allen am an as ben com come comment con da dal den der des die dir do door dos du e elle en era est et \
fare gab ha haar had han har hat hem her i il in is ist la le les lo ma man mas me men met mi mit morgen na \
nada no non nos o of on ons op os over par pas per plus sem sen ses si sim sin so solo son su sur te tes ton \
tout tu u un van var ve vi war was wat we wel will y";

/// Every list.
const ALL: [&str; 9] =
    [GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, DUTCH, SWEDISH, TURKISH, RUSSIAN];

/// Those that say nothing in any language.
pub(super) fn plain() -> impl Iterator<Item = &'static str> {
    let words = ALL.iter().flat_map(|list| list.split_ascii_whitespace());
    words.filter(|word| !is_ambiguous(word))
}

/// Whether a word in lower case says nothing in one language and something in English or in a program.
pub(crate) fn is_ambiguous(word: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> =
        LazyLock::new(|| AMBIGUOUS.split_ascii_whitespace().collect());
    // Asked of many words, of which most are longer than any of these.
    word.len() <= LONGEST && KNOWN.contains(word)
}

/// The languages in which an ambiguous word says nothing, a bit for each; 0 for every other word.
pub(crate) fn languages_of(word: &str) -> u16 {
    if !is_ambiguous(word) {
        return 0;
    }
    let has = |list: &str| list.split_ascii_whitespace().any(|known| known == word);
    ALL.iter().enumerate().filter(|(_, list)| has(list)).fold(0, |found, (at, _)| found | 1 << at)
}

/// The longest of [`AMBIGUOUS`], in bytes.
const LONGEST: usize = 7;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_listed_twice() {
        for list in ALL.into_iter().chain([AMBIGUOUS]) {
            let mut seen = HashSet::new();
            let twice: Vec<&str> =
                list.split_ascii_whitespace().filter(|word| !seen.insert(*word)).collect();
            assert_eq!(twice, [""; 0]);
        }
    }

    #[test]
    fn what_is_ambiguous_is_a_word_of_some_list_and_short() {
        for word in AMBIGUOUS.split_ascii_whitespace() {
            let listed = |list: &&str| list.split_ascii_whitespace().any(|known| known == word);
            assert!(ALL.iter().any(listed) && word.len() <= LONGEST, "{word}");
            assert!(is_ambiguous(word) && !plain().any(|plain| plain == word), "{word}");
        }
    }
}
