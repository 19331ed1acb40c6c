//! The texts in `templates/`, and their rendering.

use crate::platform::{Loads, MemoryFile, Platform};
use crate::splice::mirror;

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../templates/", $name)))),*]
    };
}

/// Every template by its path below `templates/`.
pub const FILES: &[(&str, &str)] = embedded![
    "protocol.md",
    "skills/core.md",
    "skills/compaction.md",
    "skills/recall.md",
    "skills/search.md",
    "skills/flush.md",
    "seeds/SCRATCHPAD.md",
    "seeds/WORKING.md",
    "seeds/TASK-QUEUE.md",
    "seeds/MEMORY.md",
    "seeds/USER.md",
    "seeds/ROOT.md",
    "run.js",
    "opencode/hipocampus.js",
    "openclaw/hook/HOOK.md",
    "openclaw/hook/handler.js",
    "openclaw/plugin/openclaw.plugin.json",
    "openclaw/plugin/package.json",
    "openclaw/plugin/index.js",
];

/// Those of the client that only the tests know.
#[cfg(test)]
const MADE_UP: [(&str, &str); 2] = [
    ("made-up/plugin.js", include_str!("../tests/fixtures/made-up/plugin.js")),
    ("made-up/notes.md", include_str!("../tests/fixtures/made-up/notes.md")),
];

/// Whom a text is for, and what stands in it.
#[derive(Debug, Clone, Default)]
pub struct TemplateContext<'a> {
    /// the clients that read the file
    pub platforms: Vec<&'static Platform>,
    /// the absolute path of the program
    pub program: &'a str,
    /// `YYYY-MM-DD`
    pub today: &'a str,
    /// the tenant, for its own files
    pub tenant: Option<&'a str>,
}

/// One text.
///
/// # Panics
/// If there is no such template or it does not render: a mistake in this program, and better than an empty skill.
pub fn render(name: &str, context: &TemplateContext<'_>) -> String {
    let text = template(name).and_then(|text| render::render(text, FILES, &values(context)));
    text.unwrap_or_else(|| panic!("the template `{name}` does not render"))
}

fn template(name: &str) -> Option<&'static str> {
    let files = FILES.iter();
    #[cfg(test)]
    let files = files.chain(&MADE_UP);
    let mut named = files.filter(|(file, _)| *file == name);
    named.next().map(|(_, text)| *text)
}

fn values(context: &TemplateContext<'_>) -> [(&'static str, String); 8] {
    let any = |holds: &dyn Fn(&Platform) -> bool| context.platforms.iter().any(|row| holds(row));
    let yes = |holds: bool| if holds { "true".to_owned() } else { String::new() };
    let importing = context.platforms.iter().find(|row| row.loads == Loads::Imports);
    let imports: Vec<String> = importing.map_or_else(Vec::new, |row| {
        row.hot_files().iter().map(|file| format!("@{file}")).collect()
    });
    let mirrored = any(&|row| row.memory_file == MemoryFile::Mirrors);
    let section = format!("{}\n{}", mirror::HEADING, mirror::END);
    [
        ("imports", imports.join("\n")),
        ("profile", yes(any(&|row| row.seeds.contains(&"USER.md")))),
        ("mirrored", yes(mirrored)),
        ("mirror", if mirrored { section } else { String::new() }),
        ("program_json", serde_json::Value::from(context.program).to_string()),
        ("today", context.today.to_owned()),
        ("tenant", context.tenant.unwrap_or_default().to_owned()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
    ]
}

mod render;
#[cfg(test)]
mod tests;
