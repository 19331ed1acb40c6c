//! The texts in `templates/`, and their rendering.

use crate::platform::{Loads, Platform};
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

/// Whom a text is for, and what stands in it.
#[derive(Debug, Clone, Default)]
pub struct Reader<'a> {
    /// the clients that read the file
    pub platforms: Vec<&'static Platform>,
    /// the absolute path of the program
    pub program: &'a str,
    /// `YYYY-MM-DD`
    pub today: &'a str,
    /// the tenant, for its own files
    pub tenant: Option<&'a str>,
}

/// One text. A template that cannot be rendered is a mistake that the tests find; it gives nothing.
pub fn render(name: &str, reader: &Reader<'_>) -> String {
    let template = FILES.iter().find(|(file, _)| *file == name);
    let rendered = template.and_then(|(_, text)| render::render(text, FILES, &values(reader)));
    debug_assert!(rendered.is_some(), "{name}");
    rendered.unwrap_or_default()
}

fn values(reader: &Reader<'_>) -> [(&'static str, String); 8] {
    let any = |holds: &dyn Fn(&Platform) -> bool| reader.platforms.iter().any(|row| holds(row));
    let yes = |holds: bool| if holds { "true".to_owned() } else { String::new() };
    let importing = reader.platforms.iter().find(|row| row.loads == Loads::Imports);
    let imports: Vec<String> = importing.map_or_else(Vec::new, |row| {
        row.hot_files().iter().map(|file| format!("@{file}")).collect()
    });
    let openclaw = any(&|row| row.id == "openclaw");
    let section = format!("{}\n{}", mirror::HEADING, mirror::END);
    [
        ("imports", imports.join("\n")),
        ("profile", yes(any(&|row| row.seeds.contains(&"USER.md")))),
        ("openclaw", yes(openclaw)),
        ("mirror", if openclaw { section } else { String::new() }),
        ("program_json", serde_json::Value::from(reader.program).to_string()),
        ("today", reader.today.to_owned()),
        ("tenant", reader.tenant.unwrap_or_default().to_owned()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
    ]
}

mod render;
#[cfg(test)]
mod tests;
