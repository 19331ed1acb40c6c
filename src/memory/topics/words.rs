//! Cuts text into the words that may become keywords.
//!
//! What nobody would look for is passed over: numbers, hashes, paths, addresses, and whatever has
//! too many digits or letters to be a word. One pass over bytes; only text that is not ASCII is
//! looked at by character.

use super::lexicon::{Lexicon, Shape};

/// Longer runs of letters are encoded data, not words. In bytes.
const LONGEST_WORD: usize = 28;
/// The longest run of CJK characters that is shown as it stands; a clause is cut where its script changes.
const LONGEST_RUN: usize = 8;

/// Passes every word of `text` that is no stop word to `found`, as its number in the lexicon. CJK
/// text yields, besides what can be shown, its bigrams.
pub(super) fn scan(text: &str, lexicon: &mut Lexicon, found: &mut impl FnMut(u32)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        // Punctuation in front belongs to no word; a slash or a dot may begin a path.
        if CLASS[usize::from(bytes[at])] & (OTHER | SPACE) != 0 {
            at += 1;
            continue;
        }
        let start = at;
        // Most words are nothing but small letters.
        at += small_letters(&bytes[at..]);
        let mut end = at;
        let (mut seen, mut pending) = (if at > start { LOWER } else { 0 }, 0);
        while at < bytes.len() {
            let class = CLASS[usize::from(bytes[at])];
            if class & SPACE != 0 {
                break;
            }
            at += 1;
            pending |= class;
            // Nor does punctuation behind.
            if class & (LETTER | DIGIT | FOREIGN) != 0 {
                seen |= pending;
                pending = 0;
                end = at;
            }
        }
        if seen & !LOWER == 0 {
            if (3..=LONGEST_WORD).contains(&(end - start)) && bytes.get(end) != Some(&b'/') {
                push(lexicon, &text[start..end], Shape::Word, found);
            }
        } else if bytes.get(end) != Some(&b'/') {
            chunk(&text[start..end], seen, lexicon, found);
        }
    }
}

const LOWER: u8 = 1;
const UPPER: u8 = 2;
const LETTER: u8 = LOWER | UPPER;
const DIGIT: u8 = 4;
/// `/`, `\`, `@`, `.`: may make a path, an address or a file name
const PLACE: u8 = 8;
const FOREIGN: u8 = 16;
/// `_`, `'`: part of a word that stands around them
const INNER: u8 = 32;
const OTHER: u8 = 64;
const SPACE: u8 = 128;

const CLASS: [u8; 256] = {
    let mut class = [OTHER; 256];
    let mut byte: u8 = 255;
    loop {
        class[byte as usize] = match byte {
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            b'/' | b'\\' | b'@' | b'.' => PLACE,
            b'_' | b'\'' => INNER,
            b' ' | b'\t' | b'\n' | b'\r' | 0x0c => SPACE,
            128.. => FOREIGN,
            _ => OTHER,
        };
        if byte == 0 {
            break class;
        }
        byte -= 1;
    }
};

/// How many small letters the bytes begin with. Tests eight at a time: nearly every byte of a text comes by here.
#[inline]
pub(crate) fn small_letters(bytes: &[u8]) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const TOP: u64 = 0x80 * EACH;
    let (blocks, _) = bytes.as_chunks::<8>();
    for (block, number) in blocks.iter().zip(0..) {
        let block = u64::from_le_bytes(*block);
        // Adding what is missing to 0x80 sets the top bit of every byte that is not below a letter.
        let plain = block & !TOP;
        let from_a = plain + (0x80 - u64::from(b'a')) * EACH;
        let past_z = plain + (0x7f - u64::from(b'z')) * EACH;
        let others = !(from_a & !past_z & !block) & TOP;
        if others != 0 {
            return number * 8 + others.trailing_zeros() as usize / 8;
        }
    }
    let rest = bytes.len() / 8 * 8;
    rest + bytes[rest..].iter().take_while(|byte| byte.is_ascii_lowercase()).count()
}

/// One stretch without white space, with the classes of all its bytes.
fn chunk(text: &str, seen: u8, lexicon: &mut Lexicon, found: &mut impl FnMut(u32)) {
    if seen & (LETTER | FOREIGN) == 0 || (seen & PLACE != 0 && is_place(text)) {
        return;
    }
    if seen & FOREIGN != 0 {
        return foreign_chunk(text, lexicon, found);
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let mut seen = 0;
        let start = at;
        while at < bytes.len() && CLASS[usize::from(bytes[at])] & (LETTER | DIGIT | INNER) != 0 {
            seen |= CLASS[usize::from(bytes[at])];
            at += 1;
        }
        if seen & LETTER != 0 {
            ascii_word(&text[start..at], seen, lexicon, found);
        }
        at += 1;
    }
}

fn ascii_word(word: &str, seen: u8, lexicon: &mut Lexicon, found: &mut impl FnMut(u32)) {
    let mut word = word;
    if seen & INNER != 0 {
        word = word.trim_matches(['_', '\'']);
        word = word.strip_suffix("'s").or_else(|| word.strip_suffix("'S")).unwrap_or(word);
    }
    if word.len() < 2 || word.len() > LONGEST_WORD || (seen & DIGIT != 0 && is_code(word)) {
        return;
    }
    if seen & UPPER == 0 || !shown_in_lower_case(word.as_bytes()) {
        let initials = word.len() > 2 || word.bytes().all(|byte| byte.is_ascii_uppercase());
        let shouted = seen & UPPER != 0 && lexicon.is_stop(&word.to_ascii_lowercase());
        if initials && !shouted {
            push(lexicon, word, Shape::Word, found);
        }
        return;
    }
    let mut buffer = [0; LONGEST_WORD];
    let buffer = &mut buffer[..word.len()];
    buffer.copy_from_slice(word.as_bytes());
    buffer.make_ascii_lowercase();
    if let Ok(lower) = std::str::from_utf8(buffer)
        && lower.len() > 2
    {
        push(lexicon, lower, Shape::Word, found);
    }
}

/// Capitals inside a word are part of its name (`OAuth`, `JWT`); one in front is mostly grammar, and long
/// words in capitals are shouting.
fn shown_in_lower_case(word: &[u8]) -> bool {
    let capitals = word.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    match capitals {
        0 => false,
        1 => word[0].is_ascii_uppercase(),
        _ => capitals == word.len() && word.len() > 6,
    }
}

/// Numbers with a unit, hashes, keys: a word with digits is a name only if it begins with a letter
/// and changes between letters and digits at most twice (`k8s`, `gpt4`, `utf8`).
fn is_code(word: &str) -> bool {
    let bytes = word.as_bytes();
    if !bytes[0].is_ascii_alphabetic() {
        return true;
    }
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let hex = bytes.len() >= 7 && bytes.iter().all(u8::is_ascii_hexdigit);
    let changes =
        bytes.windows(2).filter(|w| w[0].is_ascii_digit() != w[1].is_ascii_digit()).count();
    hex || changes > 2 || digits > 4
}

/// Endings that make `name.ending` the name of a file rather than two words or a product.
const ENDINGS: [&str; 44] = [
    "bak", "bat", "c", "cc", "cfg", "conf", "cpp", "cs", "css", "csv", "go", "gz", "h", "hpp",
    "html", "ini", "ipynb", "java", "jpeg", "jpg", "json", "jsonl", "jsx", "kt", "lock", "log",
    "md", "mjs", "pdf", "php", "png", "py", "rb", "rs", "sh", "sql", "svg", "toml", "ts", "tsx",
    "txt", "xml", "yaml", "yml",
];

/// A path, a file name, a web or mail address.
pub(crate) fn is_place(text: &str) -> bool {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '/' | '.' | '~'));
    if text.contains("://") || text.starts_with("www.") {
        return true;
    }
    let slashes = text.bytes().filter(|byte| matches!(byte, b'/' | b'\\')).count();
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    let name =
        name.split(':').next().unwrap_or(name).trim_end_matches(|c: char| !c.is_alphanumeric());
    let ending = name.rsplit_once('.').map(|(stem, ending)| (!stem.is_empty(), ending));
    let is_file = ending.is_some_and(|(named, ending)| named && ENDINGS.contains(&ending));
    let is_mail = text
        .split_once('@')
        .is_some_and(|(who, host)| !who.is_empty() && host.contains('.') && !host.starts_with('.'));
    is_file
        || is_mail
        || slashes > 1
        || (slashes == 1
            && (text.starts_with(['/', '.', '~']) || text.ends_with('/') || ending.is_some()))
}

#[inline]
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3130}'..='\u{318f}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// [`char::is_alphanumeric`], whose tables are slow for the scripts that need it most.
pub(crate) fn is_alphanumeric(c: char) -> bool {
    is_cjk_letter(c) || c.is_alphanumeric()
}

/// Whether a character is one of the letters that nearly all CJK text is made of, told without a table.
pub(crate) fn is_cjk_letter(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{4e00}'..='\u{9ffc}' | 'ぁ'..='ゖ' | 'ァ'..='ヺ')
}

fn foreign_chunk(text: &str, lexicon: &mut Lexicon, found: &mut impl FnMut(u32)) {
    let joins = |c: char| is_alphanumeric(c) || matches!(c, '\'' | '’' | '_' | 'ー');
    for run in text.split(|c: char| !joins(c)).filter(|run| !run.is_empty()) {
        if run.chars().any(is_cjk) {
            cjk_run(run, lexicon, found);
        } else if run.is_ascii() {
            let seen = run.bytes().fold(0, |seen, byte| seen | CLASS[usize::from(byte)]);
            if seen & LETTER != 0 {
                ascii_word(run, seen, lexicon, found);
            }
        } else {
            let word = run.replace('’', "'").to_lowercase();
            let word = word.strip_suffix("'s").unwrap_or(&word).trim_matches(['_', '\'']);
            let letters = word.chars().filter(|c| c.is_alphabetic()).count();
            let plain = word.chars().next().is_some_and(char::is_alphabetic);
            if plain && letters > 2 && letters <= LONGEST_WORD {
                push(lexicon, word, Shape::Word, found);
            }
        }
    }
}

/// A run of letters with CJK among them: its bigrams, and what of it can be shown.
fn cjk_run(run: &str, lexicon: &mut Lexicon, found: &mut impl FnMut(u32)) {
    // Room for most runs, without asking for memory.
    let (mut short, mut long) = ([(0, ' '); 24], Vec::new());
    let count = run.chars().count();
    let chars = if let Some(short) = short.get_mut(..count) {
        short.iter_mut().zip(run.char_indices()).for_each(|(room, c)| *room = c);
        &*short
    } else {
        long.extend(run.char_indices());
        &long[..]
    };
    for pair in chars.windows(2) {
        let ((at, first), (second_at, second)) = (pair[0], pair[1]);
        if is_cjk(first) && is_cjk(second) {
            push(lexicon, &run[at..second_at + second.len_utf8()], Shape::Bigram, found);
        }
    }
    let latin = run.trim_end_matches(is_cjk);
    if latin.len() > 2 && latin.is_ascii() && latin.len() < run.len() {
        let seen = latin.bytes().fold(0, |seen, byte| seen | CLASS[usize::from(byte)]);
        if seen & LETTER != 0 {
            return ascii_word(latin, seen, lexicon, found);
        }
    }
    // `4일로`, `300달러`: an amount.
    if chars.len() < 2 || !chars.iter().all(|(_, c)| is_cjk(*c)) {
        return;
    }
    if chars.len() <= LONGEST_RUN {
        return push(lexicon, run, Shape::Segment, found);
    }
    for segment in chars.chunk_by(|a, b| script(a.1) == script(b.1)) {
        let (first, last) = (segment[0], segment[segment.len() - 1]);
        let long_enough = (2..=2 * LONGEST_RUN).contains(&segment.len());
        if script(first.1) != Script::Hiragana && long_enough {
            push(lexicon, &run[first.0..last.0 + last.1.len_utf8()], Shape::Segment, found);
        }
    }
}

#[derive(PartialEq, Eq)]
enum Script {
    Hiragana,
    Katakana,
    Other,
}

fn script(c: char) -> Script {
    match c {
        '\u{3040}'..='\u{309f}' => Script::Hiragana,
        '\u{30a0}'..='\u{30ff}' => Script::Katakana,
        _ => Script::Other,
    }
}

fn push(lexicon: &mut Lexicon, word: &str, shape: Shape, found: &mut impl FnMut(u32)) {
    if let Some(number) = lexicon.number(word, shape) {
        found(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut lexicon = Lexicon::default();
        let mut words = Vec::new();
        scan(text, &mut lexicon, &mut |word| words.push(word));
        let shown = words.into_iter().filter(|word| lexicon.shape(*word) != Shape::Bigram);
        shown.map(|word| lexicon.text(word).to_owned()).collect()
    }

    proptest::proptest! {
        #[test]
        fn small_letters_are_counted_as_one_by_one(bytes in "[a-z]{0,20}[`a-z{A-Z\u{e9}\u{0}\u{7f}]{0,12}") {
            let bytes = bytes.as_bytes();
            let expect = bytes.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
            proptest::prop_assert_eq!(small_letters(bytes), expect);
        }
    }

    #[test]
    fn words_are_what_one_would_look_for() {
        fn check(text: &str, expect: &[&str]) {
            assert_eq!(found(text), expect, "{text}");
        }
        check("The Tokenizer's cache, please!", &["tokenizer", "cache"]);
        check("OAuth JWT PostgreSQL IMPORTANT YOU Don't", &["OAuth", "JWT", "PostgreSQL"]);
        check("k8s gpt4 utf8 p99 3d 300ms v2 1940s", &["k8s", "gpt4", "utf8", "p99"]);
        check("commit 9d905d543 or 0b1c2d3e-aaaa-4bbb", &["commit", "aaaa"]);
        check("src/auth/mod.rs:12 ./run.sh ~/x lib/ a/b.c C:\\x\\y", &[]);
        check("https://example.org/a?b=c, mail ada@example.org.", &["mail"]);
        check("client/server and/or main.rs: Node.js", &["client", "server", "node"]);
        check("`is_ancestor_pos()` _emphasis_ re-index", &["is_ancestor_pos", "emphasis", "index"]);
        check("naïve café’s Ωμέγα", &["naïve", "café", "ωμέγα"]);
        check(&"x".repeat(40), &[]);
        check("", &[]);
    }

    #[test]
    fn cjk_is_shown_by_token_and_counted_by_bigram() {
        fn check(text: &str, expect: &[&str]) {
            assert_eq!(found(text), expect, "{text}");
        }
        check("토큰을 갱신했다. API를 4일로", &["토큰을", "갱신했다", "API"]);
        check(
            "検索インデックスの再構築を実施、遅延",
            &["検索", "インデックス", "再構築", "実施", "遅延"],
        );
        check("缓存策略，监控已加", &["缓存策略", "监控已加"]);
        let mut lexicon = Lexicon::default();
        let mut bigrams = Vec::new();
        scan("토큰을 토큰이", &mut lexicon, &mut |word| bigrams.push(word));
        bigrams.retain(|word| lexicon.shape(*word) == Shape::Bigram);
        let texts: Vec<&str> = bigrams.iter().map(|word| lexicon.text(*word)).collect();
        assert_eq!(texts, ["토큰", "큰을", "토큰", "큰이"]);
    }

    #[test]
    fn letters_are_those_of_the_standard_library() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
        }
    }

    #[test]
    fn one_stem_has_one_number() {
        let mut lexicon = Lexicon::default();
        let mut stem = |word: &str| {
            let mut numbers = Vec::new();
            scan(word, &mut lexicon, &mut |word| numbers.push(word));
            lexicon.stem(numbers[0])
        };
        assert_eq!(stem("deploy"), stem("Deployed"));
        assert_eq!(stem("deploys"), stem("deploying"));
        assert_eq!(stem("tidy"), stem("tidiness"));
        assert_ne!(stem("deploy"), stem("employ"));
        // A word that was only a stem before.
        assert_eq!(stem("hapni"), stem("hapni"));
    }
}
