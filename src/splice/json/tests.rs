use serde_json::json;

use super::*;

#[test]
fn a_slip_has_a_place() {
    #[track_caller]
    fn check_at(text: &[u8], expect: (usize, usize)) {
        let slip = check(text).unwrap_err();
        assert_eq!((slip.line, slip.column), expect, "{slip:?}");
    }
    check_at(b"{\n  \"a\": 1\n", (1, 1));
    check_at(b"{\n  \"a\": tru\n}", (2, 8));
    check_at(b"{\n  \"a\" 1\n}", (2, 7));
    check_at("{\"한\": }".as_bytes(), (1, 7));
    check_at(b"{}\n{}", (2, 1));
    check_at(b"{'a': 1}", (1, 2));
    check_at(b"{\"a\": \"\xff\"}", (1, 8));
    for fine in ["", " \n", "{}", "\u{feff}{ // c\n}", "[1,]", "3"] {
        assert!(check(fine.as_bytes()).is_ok(), "{fine:?}");
    }
}

#[test]
fn what_was_appended_comes_out_again() {
    #[track_caller]
    fn round(text: &str, expect: &str) {
        let with = append(text, &[JsonKey::Name("a")], None, &json!("x"));
        assert_eq!(with, expect);
        let root = parse(&with).unwrap().unwrap();
        let Value::Array(array) = look(&root, &[JsonKey::Name("a")]).unwrap() else { panic!() };
        let last = array.elements.len() - 1;
        assert_eq!(remove(&with, &[JsonKey::Name("a"), JsonKey::Index(last)]), text);
    }
    round(r#"{"a":[]}"#, r#"{"a":["x"]}"#);
    round(r#"{"a":["b","c"]}"#, r#"{"a":["b","c","x"]}"#);
    round(r#"{"a": ["b", "c"]}"#, r#"{"a": ["b", "c", "x"]}"#);
    round("{\n \"a\": []\n}", "{\n \"a\": [\n  \"x\"\n ]\n}");
    round("{\n\t\"a\": [\n\t\t1.0\n\t]\n}", "{\n\t\"a\": [\n\t\t1.0,\n\t\t\"x\"\n\t]\n}");
    round(
        "{\r\n  \"a\": [\r\n    1\r\n  ]\r\n}",
        "{\r\n  \"a\": [\r\n    1,\r\n    \"x\"\r\n  ]\r\n}",
    );
    round(
        "{\n  \"a\": [\n    1, // one\n  ]\n}",
        "{\n  \"a\": [\n    1, // one\n    \"x\",\n  ]\n}",
    );
    round(
        "{\n  \"a\": [\n    1 // one, two\n  ]\n}",
        "{\n  \"a\": [\n    1, // one, two\n    \"x\"\n  ]\n}",
    );
    round("{\"a\": [1 /* , */ ]}", "{\"a\": [1, /* , */ \"x\" ]}");
    round("{\"a\": [ 1 , ]}", "{\"a\": [ 1 , \"x\", ]}");
    round("{\"a\": [1 // c\n]}", "{\"a\": [1, // c\n\"x\"\n]}");
}

#[test]
fn removing_leaves_the_neighbours_alone() {
    #[track_caller]
    fn take(text: &str, index: usize, expect: &str) {
        assert_eq!(remove(text, &[JsonKey::Index(index)]), expect, "{text}");
    }
    take("[1, 2, 3]", 0, "[2, 3]");
    take("[1, 2, 3]", 1, "[1, 3]");
    take("[1, 2, 3]", 2, "[1, 2]");
    take("[1, 2, 3,]", 2, "[1, 2,]");
    take("[\n  1,\n  2, // two\n  3\n]", 1, "[\n  1,\n  // two\n  3\n]");
    take("[ 1 ]", 0, "[]");
    take("[ /* c */ 1 ]", 0, "[ /* c */ ]");
    take("[ // c\n 1 ]", 0, "[ // c\n ]");
    take("[1, // one\n 2]", 1, "[1 // one\n]");
    assert_eq!(remove(r#"{"a": 1, "b": 2}"#, &[JsonKey::Name("a")]), r#"{"b": 2}"#);
    assert_eq!(remove("{}", &[JsonKey::Name("a")]), "{}");
}

#[test]
fn an_empty_file_of_braces_is_laid_out() {
    let with = append("{}\n", &[], Some("a"), &json!({"b": [1, "c"]}));
    assert_eq!(with, "{\n  \"a\": {\n    \"b\": [\n      1,\n      \"c\"\n    ]\n  }\n}\n");
    assert_eq!(remove(&with, &[JsonKey::Name("a")]), "{}\n");
    assert_eq!(append("{\"x\":1}", &[], Some("a"), &json!([1, 2])), "{\"x\":1, \"a\": [1, 2]}");
}

#[test]
fn slashes_in_a_string_are_no_comment() {
    #[track_caller]
    fn check(line: &str, expect: bool) {
        let text = format!("[{line}\n]");
        let found = tokens(&text, 0..text.len());
        let found = found.iter().any(|token| matches!(token.token, Token::CommentLine(_)));
        assert_eq!(found, expect, "{line}");
    }
    check(r#""https://a.b/c""#, false);
    check(r#""a\"//b", 1"#, false);
    check(r#""a\\" // b"#, true);
    check("1 /* // */ , 2", false);
    check("1 // c", true);
    let text = "{\"$schema\": \"https://a.b/c\"}";
    let with = append(text, &[], Some("hooks"), &json!({}));
    assert_eq!(remove(&with, &[JsonKey::Name("hooks")]), text);
}
