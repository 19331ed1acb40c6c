//! The texts in `templates/`, and their rendering by tera.

use std::sync::LazyLock;

use serde::Serialize;
use tera::Tera;

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
    "cline/hipocampus.js",
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

/// Whom a text is for, and what is in it.
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
    /// where the memory of a private project lies, or nothing in a text for all of them
    pub private: Option<&'a str>,
}

/// One text.
///
/// # Panics
/// If there is no such template or it does not render: a mistake in this program, and better than an empty skill.
pub fn render(name: &str, context: &TemplateContext<'_>) -> String {
    let values = tera::Context::from_serialize(&Values::of(context));
    values
        .and_then(|values| TEMPLATES.render(name, &values))
        .unwrap_or_else(|error| panic!("the template `{name}` does not render: {error}"))
}

/// All templates, read on first use: most runs render none.
static TEMPLATES: LazyLock<Tera> = LazyLock::new(|| {
    let mut tera = Tera::new();
    let files = FILES.iter();
    #[cfg(test)]
    let files = files.chain(&MADE_UP);
    let read = tera.add_raw_templates(files.copied());
    read.unwrap_or_else(|error| panic!("a template cannot be read: {error}"));
    tera
});

/// What the names in a template stand for.
#[derive(Serialize)]
struct Values<'a> {
    /// the lines that import the hot files, for a client that knows imports
    imports: String,
    /// whether there are files about the user
    profile: bool,
    /// whether MEMORY.md repeats the index
    mirrored: bool,
    /// the section of MEMORY.md for it, or nothing
    mirror: String,
    /// the path of the program as a string of JSON
    program_json: String,
    /// `YYYY-MM-DD`
    today: &'a str,
    tenant: Option<&'a str>,
    /// where paths of the section start, in words
    place: String,
    /// whether the text is for private projects
    private: bool,
    version: &'static str,
}

impl<'a> Values<'a> {
    fn of(context: &TemplateContext<'a>) -> Self {
        let any = |holds: fn(&Platform) -> bool| context.platforms.iter().any(|row| holds(row));
        let importing = context.platforms.iter().find(|row| row.loads == Loads::Imports);
        let imports: Vec<String> = importing.map_or_else(Vec::new, |row| {
            row.hot_files().iter().map(|file| format!("@{file}")).collect()
        });
        let mirrored = any(|row| row.memory_file == MemoryFile::Mirrors);
        let section = format!("{}\n{}", mirror::HEADING, mirror::END);
        Self {
            imports: imports.join("\n"),
            profile: any(|row| row.seeds.contains(&"USER.md")),
            mirrored,
            mirror: if mirrored { section } else { String::new() },
            program_json: serde_json::Value::from(context.program).to_string(),
            today: context.today,
            tenant: context.tenant,
            place: context
                .private
                .map_or_else(|| "this file's folder".to_owned(), |place| format!("`{place}`")),
            private: context.private.is_some(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

#[cfg(test)]
mod tests;
