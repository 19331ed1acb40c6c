//! Which tables and indexes there are, from the statements that made them.

use super::record::{Value, values};

/// A table whose rows have numbers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    /// its first page
    pub(super) root: u32,
    /// the columns that are stored, in order
    pub(super) columns: Vec<String>,
    /// the column that stands for the row's number
    pub(super) number: Option<usize>,
}

impl Table {
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }
}

/// An index over all rows of a table, in ascending order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Index {
    pub(super) table: String,
    pub(super) root: u32,
    /// its first column
    pub(super) first: String,
}

pub(super) struct SchemaEntry {
    is_table: bool,
    name: String,
    table: String,
    root: u32,
    sql: String,
}

/// Reads a row of the schema; `None` for what has no pages or no statement of its own.
pub(super) fn entry(payload: &[u8]) -> Option<SchemaEntry> {
    let values = values(payload).ok()?;
    let text = |at: usize| match values.get(at)? {
        Value::Text(bytes) => String::from_utf8(bytes.to_vec()).ok(),
        _ => None,
    };
    let Value::Int(root) = values.get(3)? else { return None };
    let is_table = match text(0)?.as_str() {
        "table" => true,
        "index" => false,
        _ => return None,
    };
    let root = u32::try_from(*root).ok().filter(|root| *root > 0)?;
    Some(SchemaEntry { is_table, name: text(1)?, table: text(2)?, root, sql: text(4)? })
}

/// The tables and indexes that can be read here.
pub(super) fn sort(entries: Vec<SchemaEntry>) -> (Vec<Table>, Vec<Index>) {
    let (mut tables, mut indexes) = (Vec::new(), Vec::new());
    for entry in entries {
        if entry.is_table {
            tables.extend(table(entry));
        } else {
            indexes.extend(index(entry));
        }
    }
    (tables, indexes)
}

fn table(entry: SchemaEntry) -> Option<Table> {
    let tokens = tokens(&entry.sql);
    let (parts, rest) = parts(&tokens)?;
    // Such a table is kept as an index.
    if rest.windows(2).any(|two| two[0].is("WITHOUT") && two[1].is("ROWID")) {
        return None;
    }
    let (mut columns, mut number) = (Vec::new(), None);
    for part in parts {
        let constraint = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"];
        let first = part.first()?;
        if constraint.iter().any(|word| first.is(word)) {
            continue;
        }
        let computed = part.iter().any(|token| token.is("AS"));
        if computed && !part.iter().any(|token| token.is("STORED")) {
            continue;
        }
        let is_number = part.get(1).is_some_and(|kind| kind.is("INTEGER"))
            && part.windows(2).any(|two| two[0].is("PRIMARY") && two[1].is("KEY"));
        if is_number {
            number = Some(columns.len());
        }
        columns.push(first.text.clone());
    }
    Some(Table { name: entry.name, root: entry.root, columns, number })
}

fn index(entry: SchemaEntry) -> Option<Index> {
    let tokens = tokens(&entry.sql);
    let (parts, rest) = parts(&tokens)?;
    // Only a plain column, and all rows.
    let [first] = parts.first()?.as_slice() else { return None };
    rest.is_empty().then(|| Index {
        table: entry.table,
        root: entry.root,
        first: first.text.clone(),
    })
}

/// A word, name or sign of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Token {
    text: String,
    quoted: bool,
}

impl Token {
    fn is(&self, word: &str) -> bool {
        !self.quoted && self.text.eq_ignore_ascii_case(word)
    }
}

/// What is between the first pair of parentheses, cut at its commas, and what follows it. Of
/// parentheses further in the first one stays, without what is in them.
fn parts(tokens: &[Token]) -> Option<(Vec<Vec<Token>>, &[Token])> {
    let start = tokens.iter().position(|token| token.is("("))?;
    let (mut parts, mut depth) = (vec![Vec::new()], 0_u32);
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token {
            token if token.is("(") => {
                depth += 1;
                // So that a call is not read as a name.
                if depth == 2 {
                    parts.last_mut()?.push(token.clone());
                }
            }
            token if token.is(")") => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((parts, &tokens[index + 1..]));
                }
            }
            token if token.is(",") && depth == 1 => parts.push(Vec::new()),
            token if depth == 1 => parts.last_mut()?.push(token.clone()),
            _ => {}
        }
    }
    None
}

fn tokens(sql: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = sql.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' | '`' | '\'' | '[' => {
                let close = if first == '[' { ']' } else { first };
                let (text, end) = quoted(rest, close);
                tokens.push(Token { text, quoted: true });
                end
            }
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            c if is_word(c) => {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                tokens.push(Token { text: rest[..end].to_owned(), quoted: false });
                end
            }
            c => {
                tokens.push(Token { text: c.to_string(), quoted: false });
                c.len_utf8()
            }
        };
        rest = rest[end..].trim_start();
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The text in quotes, in which the closing one stands doubled, and where it ends.
fn quoted(text: &str, close: char) -> (String, usize) {
    let mut found = String::new();
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        if letter != close {
            found.push(letter);
        } else if close != ']' && letters.next_if(|(_, next)| *next == close).is_some() {
            found.push(close);
        } else {
            return (found, at + close.len_utf8());
        }
    }
    (found, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(is_table: bool, sql: &str) -> SchemaEntry {
        SchemaEntry { is_table, name: "t".into(), table: "t".into(), root: 2, sql: sql.into() }
    }

    #[test]
    fn columns_are_read_from_the_statement() {
        fn check(sql: &str, expect: Option<(&[&str], Option<usize>)>) {
            let found = table(made(true, sql));
            let found = found
                .as_ref()
                .map(|it| (it.columns.iter().map(String::as_str).collect::<Vec<_>>(), it.number));
            assert_eq!(found, expect.map(|(columns, number)| (columns.to_vec(), number)), "{sql}");
        }
        check(
            "CREATE TABLE t (a TEXT PRIMARY KEY, b INT DEFAULT (1, 2))",
            Some((&["a", "b"], None)),
        );
        check(
            "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, x)",
            Some((&["id", "x"], Some(0))),
        );
        check(
            "CREATE TABLE t (`order` text, \"a \"\"b\"\"\" text, [c d] text, -- no, column\n e /* , f */)",
            Some((&["order", "a \"b\"", "c d", "e"], None)),
        );
        check(
            "CREATE TABLE t (a, CONSTRAINT pk PRIMARY KEY (a, b), b, CHECK (a IN ('x,y', 'z')), FOREIGN KEY (a) REFERENCES o(p)) STRICT",
            Some((&["a", "b"], None)),
        );
        check(
            "CREATE TABLE t (a, v INT GENERATED ALWAYS AS (a + 1) VIRTUAL, s INT AS (a) STORED, z)",
            Some((&["a", "s", "z"], None)),
        );
        check("CREATE TABLE t (a PRIMARY KEY, b) WITHOUT ROWID", None);
        check("CREATE TABLE t (a", None);
    }

    #[test]
    fn only_plain_indexes_over_all_rows_are_used() {
        fn check(sql: &str, expect: Option<&str>) {
            let found = index(made(false, sql)).map(|index| index.first);
            assert_eq!(found.as_deref(), expect, "{sql}");
        }
        check("CREATE INDEX i ON t (session_id, time DESC)", Some("session_id"));
        check("CREATE UNIQUE INDEX `i` ON `t` (`a`)", Some("a"));
        check("CREATE INDEX i ON t (a DESC)", None);
        check("CREATE INDEX i ON t (a COLLATE NOCASE)", None);
        check("CREATE INDEX i ON t (a) WHERE b = 1", None);
        check("CREATE INDEX i ON t (lower(a))", None);
    }
}
