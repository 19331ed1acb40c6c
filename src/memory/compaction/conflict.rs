//! A node that a merge left with both of its sides in it: it is generated if every other line is.

use std::collections::HashSet;

use crate::markdown::conflict;
use crate::memory::frontmatter::Document;
use crate::memory::node::NodeFacts;
use crate::text::lines;

/// Whether a node with conflict markers has nothing in it but lines that the program wrote. `rebuilt` is what it writes
/// now, `sources` what it writes that from; both are asked for only where the two sides do not tell by themselves.
pub(super) fn is_machines<E>(
    node: &str,
    rebuilt_and_sources: impl FnOnce() -> Result<(String, String), E>,
) -> Result<bool, E> {
    if !conflict::is_in(node) {
        return Ok(false);
    }
    let sides = conflict::sides(node);
    let bodies = sides.each_ref().map(|side| Document::parse(side.as_bytes()).body());
    let written = sides.each_ref().map(|side| NodeFacts::of(side.as_bytes()).is_as_written());
    if written == [true, true] || (bodies[0] == bodies[1] && written.contains(&true)) {
        return Ok(true);
    }
    let (rebuilt, sources) = rebuilt_and_sources()?;
    let known: HashSet<&str> = lines(&rebuilt).chain(lines(&sources)).map(str::trim).collect();
    Ok(bodies.iter().all(|body| {
        let body = String::from_utf8_lossy(body);
        lines(&body).map(str::trim).all(|line| {
            line.is_empty() || known.contains(line) || is_extract(line, &rebuilt, &sources)
        })
    }))
}

/// Whether a line of an extract says only what is in its sources: a bullet with or without its topic, the list of
/// topics, or what every extract says of itself.
fn is_extract(line: &str, rebuilt: &str, sources: &str) -> bool {
    let stands = |text: &str| {
        let text = text.trim().trim_end_matches('…').trim_end();
        text.is_empty() || sources.contains(text) || rebuilt.contains(text)
    };
    let count = |line: &str| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < line.len() && rest.starts_with(" more ") && rest.ends_with(')')
    };
    let typed =
        |item: &str| item.rsplit_once(" [").map_or_else(|| stands(item), |(name, _)| stands(name));
    let text = line.strip_prefix("- ").unwrap_or(line);
    stands(text)
        || line.strip_prefix('(').is_some_and(count)
        || text
            .split_once(": ")
            .is_some_and(|(topic, said)| (topic == "asked" || stands(topic)) && stands(said))
        || (line.ends_with(']') && line.split("], ").all(typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(node: &str, expect: bool) {
        let sources = "# d\n## Auth [project]\n- decision: cookies\n- x: why, and at length\n## Me [user]\n- tea\n";
        let rebuilt = "This node is an extract.\n\n## Topics\nAuth [project], Me [user]\n\n## Key Decisions\n- Auth: cookies\n";
        let both = || Ok::<_, ()>((rebuilt.to_owned(), sources.to_owned()));
        assert_eq!(is_machines(node, both), Ok(expect), "{node}");
    }

    fn conflict(ours: &str, theirs: &str) -> String {
        format!(
            "---\ntype: daily\n---\n\n## Topics\n<<<<<<< HEAD\n{ours}\n=======\n{theirs}\n>>>>>>> b\n"
        )
    }

    #[test]
    fn what_the_sources_say_is_the_machines() {
        check(&conflict("Auth [project]", "Me [user], Auth [project]"), true);
        check(&conflict("- Auth: cookies", "- asked: why, and at…"), true);
        check(&conflict("(3 more in the sources)", "(12 more lines in the log)"), true);
        check(&conflict("- decision: cookies", ""), true);
        check(&conflict("We chose cookies after a long talk.", ""), false);
        check(&conflict("- Auth: cookies", "- Auth: cookies, since they are safer"), false);
        check("## Topics\nAuth [project]\n", false);
    }

    #[test]
    fn sides_that_stand_as_written_are_the_machines() {
        let side = |body: &str| {
            let hash = crate::memory::body::hash_body(body.as_bytes());
            (format!("fingerprint: s:0000000000000001/b:{hash:016x}"), body.to_owned())
        };
        let (ours, theirs) = (side("nobody knows\n"), side("this text\n"));
        let node = |ours: &(String, String), theirs: &(String, String)| {
            let part = |a: &str, b: &str| format!("<<<<<<< HEAD\n{a}\n=======\n{b}\n>>>>>>> b\n");
            let (head, body) = (part(&ours.0, &theirs.0), part(ours.1.trim(), theirs.1.trim()));
            format!("---\ntype: daily\n{head}---\n\n{body}")
        };
        check(&node(&ours, &theirs), true);
        check(&node(&ours, &(theirs.0.clone(), "somebody's text".to_owned())), false);
    }
}
