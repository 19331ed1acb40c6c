//! The texts in `templates/`, and their rendering.

use tera::{Context, Tera};

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
pub struct Reader<'a> {
    /// the clients that read the file
    pub platforms: Vec<&'static Platform>,
    /// whether vectors are made for the search engine
    pub vector: bool,
    /// the absolute path of the program
    pub program: &'a str,
    /// `YYYY-MM-DD`
    pub today: &'a str,
    /// the tenant, for its own files
    pub tenant: Option<&'a str>,
}

/// The templates, ready to be rendered.
pub struct Templates(Tera);

impl Templates {
    /// Reads all of them.
    pub fn load() -> Self {
        let mut tera = Tera::default();
        let added = tera.add_raw_templates(FILES.iter().copied());
        #[cfg(test)]
        let added = added.and(tera.add_raw_templates(MADE_UP));
        debug_assert!(added.is_ok(), "{added:?}");
        Self(tera)
    }

    /// One text. A template that cannot be rendered is a mistake that the tests find; it gives nothing.
    pub fn render(&self, name: &str, reader: &Reader<'_>) -> String {
        let rendered = self.0.render(name, &context(reader));
        debug_assert!(rendered.is_ok(), "{rendered:?}");
        rendered.unwrap_or_default()
    }
}

fn context(reader: &Reader<'_>) -> Context {
    let any = |holds: &dyn Fn(&Platform) -> bool| reader.platforms.iter().any(|row| holds(row));
    let imports = any(&|row| row.loads == Loads::Imports);
    let imports = if imports {
        reader
            .platforms
            .iter()
            .find(|row| row.loads == Loads::Imports)
            .map_or_else(Vec::new, |row| {
                row.hot_files().iter().map(|file| format!("@{file}")).collect()
            })
    } else {
        Vec::new()
    };
    let mirrored = any(&|row| row.memory_file == MemoryFile::Mirrors);
    let mut context = Context::new();
    context.insert("imports", &imports.join("\n"));
    context.insert("profile", &any(&|row| row.seeds.contains(&"USER.md")));
    context.insert("mirrored", &mirrored);
    let section = format!("{}\n{}", mirror::HEADING, mirror::END);
    context.insert("mirror", if mirrored { section.as_str() } else { "" });
    context.insert("vector", &reader.vector);
    context.insert("program_json", &serde_json::Value::from(reader.program).to_string());
    context.insert("today", reader.today);
    context.insert("tenant", reader.tenant.unwrap_or_default());
    context.insert("version", env!("CARGO_PKG_VERSION"));
    context
}

#[cfg(test)]
mod tests;
