//! The little language of the templates: `{{ name }}`, `{% if name %}`, `{% else %}`, `{% endif %}`,
//! `{% include "file" %}`, and `-` inside of a brace, which takes the white space beside it. It is a part of Jinja, so
//! that editors know it; an engine for all of Jinja would be a tenth of the program.

/// What the names in a template stand for. One that stands for nothing counts as false.
pub(super) type Values = [(&'static str, String)];

/// A template with its names filled in. `None` where it has an unknown name, file or tag, or an `if`
/// without its end.
pub(super) fn render(
    template: &str,
    files: &[(&'static str, &'static str)],
    values: &Values,
) -> Option<String> {
    let value = |name: &str| values.iter().find(|(it, _)| *it == name).map(|(_, value)| value);
    let mut text = String::new();
    // Of each `if` around: whether it stands in a part that is shown, and whether its condition holds.
    let mut around: Vec<(bool, bool)> = Vec::new();
    let mut rest = template;
    let mut eats = false;
    loop {
        let shown = around.last().is_none_or(|(shown, holds)| *shown && *holds);
        let tag = next_tag(rest)?;
        let mut before = tag.as_ref().map_or(rest, |tag| tag.before);
        if eats {
            before = before.trim_start();
        }
        if tag.as_ref().is_some_and(|tag| tag.eats_before) {
            before = before.trim_end();
        }
        if shown {
            text.push_str(before);
        }
        let Some(tag) = tag else { break };
        let words: Vec<&str> = tag.inside.split_whitespace().collect();
        match (tag.is_value, words.as_slice()) {
            (true, [name]) => {
                let value = value(name)?;
                if shown {
                    text.push_str(value);
                }
            }
            (false, ["if", name]) => around.push((shown, !value(name)?.is_empty())),
            (false, ["else"]) => {
                let (_, holds) = around.last_mut()?;
                *holds = !*holds;
            }
            (false, ["endif"]) => drop(around.pop()?),
            (false, ["include", name]) => {
                let name = name.strip_prefix('"')?.strip_suffix('"')?;
                let (_, file) = files.iter().find(|(it, _)| *it == name)?;
                if shown {
                    text.push_str(&render(file, files, values)?);
                }
            }
            _ => return None,
        }
        (rest, eats) = (tag.after, tag.eats_after);
    }
    around.is_empty().then_some(text)
}

/// A tag and what stands around it.
struct Tag<'a> {
    before: &'a str,
    inside: &'a str,
    after: &'a str,
    is_value: bool,
    eats_before: bool,
    eats_after: bool,
}

/// The first tag of a text, if it has one; `None` outside of the option where it is not closed.
#[expect(
    clippy::option_option,
    reason = "a text without a tag is no mistake, one that is not closed is"
)]
fn next_tag(text: &str) -> Option<Option<Tag<'_>>> {
    let begin = [text.find("{{"), text.find("{%")].into_iter().flatten().min();
    let Some(begin) = begin else { return Some(None) };
    let is_value = text[begin..].starts_with("{{");
    let (inside, after) = text[begin + 2..].split_once(if is_value { "}}" } else { "%}" })?;
    let (inside, eats_before) = inside.strip_prefix('-').map_or((inside, false), |it| (it, true));
    let (inside, eats_after) = inside.strip_suffix('-').map_or((inside, false), |it| (it, true));
    let before = &text[..begin];
    Some(Some(Tag { before, inside, after, is_value, eats_before, eats_after }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &[(&str, &str)] = &[("part", "[{{ a }}]\n"), ("open", "{% if a %}")];

    #[track_caller]
    fn check(template: &str, expect: Option<&str>) {
        let values = [("a", "A".to_owned()), ("b", "B {{ a }} ".to_owned()), ("no", String::new())];
        assert_eq!(render(template, FILES, &values).as_deref(), expect, "{template:?}");
    }

    #[test]
    fn names_conditions_and_files_are_filled_in() {
        check("", Some(""));
        check("x { y } % } {", Some("x { y } % } {"));
        check("x {{ a }}{{a}} y", Some("x AA y"));
        // What a name stands for is no template.
        check("{{ b }}\n", Some("B {{ a }} \n"));
        check("1{% if a %}2{% endif %}3", Some("123"));
        check("1{% if no %}2{% endif %}3", Some("13"));
        check("{% if a %}2{% else %}3{% endif %}", Some("2"));
        check("{% if no %}2{% else %}3{% endif %}", Some("3"));
        check("{% if no %}{% if a %}1{% else %}2{% endif %}{% else %}3{% endif %}", Some("3"));
        check("{% if a %}{% if no %}1{% else %}2{% endif %}{% else %}3{% endif %}", Some("2"));
        check("{% include \"part\" %}.", Some("[A]\n."));
    }

    #[test]
    fn a_dash_takes_the_white_space_of_the_template_only() {
        check("x \n{%- if a %} y {% endif -%}\n z", Some("x y z"));
        check("{{ b -}} \n .", Some("B {{ a }} ."));
        check("{{ b }}{{- a }}", Some("B {{ a }} A"));
        check("x {% if no -%} \n y {%- endif %} z", Some("x  z"));
    }

    #[test]
    fn a_mistake_in_a_template_gives_nothing() {
        for template in [
            "{{ a",
            "{% if a }}",
            "{{ c }}",
            "{% if c %}{% endif %}",
            "{% if a %}",
            "{% endif %}",
            "{% else %}",
            "{% for a %}",
            "{{ a b }}",
            "{% include \"open\" %}",
            "{% include \"none\" %}",
            "{% include part %}",
        ] {
            check(template, None);
        }
        check("{% if no %}{{ c }}{% endif %}", None);
    }
}
