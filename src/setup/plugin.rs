//! The plugin for Claude Code, `.claude-plugin/hipocampus/`. Its hooks fire wherever the client is started; those of a
//! project fire where its settings are read, so that in one place there may be both.

use std::path::{Path, PathBuf};

use super::program;
use crate::splice::{hooks, members};
use crate::{World, disk, project};

/// Set by the plugin's hooks.
const MARK: &str = "HIPOCAMPUS_PLUGIN";
/// The settings whose hooks the client runs.
const SETTINGS: [&str; 2] = [".claude/settings.json", ".claude/settings.local.json"];
/// What runs them; the npm tool's plugin has no such file.
const RUNS: &str = "hooks/run.sh";

/// Whether this run is the plugin's.
pub(crate) fn calls(world: &World) -> bool {
    world.var(MARK).is_some()
}

/// Whether this run is the plugin's, and the client runs a hook of the project's or the user's own settings for the
/// same event.
pub(crate) fn is_doubled(world: &World, event: &str) -> bool {
    if !calls(world) {
        return false;
    }
    let project = world.var("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let home = world.var("HOME").map(PathBuf::from);
    // A client that is started in a subfolder also reads the settings at the top of the repository.
    let top = project.as_deref().and_then(disk::top);
    let folders = project.as_deref().into_iter().chain(home.as_deref()).chain(top);
    let files = folders.flat_map(|folder| SETTINGS.map(|name| folder.join(name)));
    let place = project.as_deref().and_then(project::place_of);
    let private = place.is_some_and(|place| place.private_to().is_some());
    files.filter_map(|file| disk::read_users_file(&file).ok().flatten()).any(|bytes| {
        let found = hooks::find(&bytes, &[]).unwrap_or_default();
        found.iter().any(|hook| {
            hook.event == event
                && !hook.runs.npm
                && hook.runs.private == private
                && is_there(world, &hook.runs.program)
        })
    })
}

fn is_there(world: &World, program: &str) -> bool {
    let path = Path::new(program);
    if path.is_absolute() {
        disk::is_program(path)
    } else {
        !program::on_path(world, program).is_empty()
    }
}

/// Whether an installed plugin is this one, which never does a project's work a second time.
pub(crate) fn is_ours(world: &World, name: &str) -> bool {
    let folder = world.var("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    let folder = folder.or_else(|| Some(Path::new(world.var("HOME")?).join(".claude")));
    let file = folder.map(|folder| folder.join("plugins/installed_plugins.json"));
    let bytes = file.and_then(|file| disk::read_users_file(&file).ok().flatten());
    let list = bytes.and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    let places = list.as_ref().and_then(|list| list["plugins"][name].as_array());
    places.is_some_and(|places| {
        let mut paths = places.iter().filter_map(|place| place["installPath"].as_str());
        !places.is_empty() && paths.all(|path| disk::is_there(&Path::new(path).join(RUNS)))
    })
}

/// Plugins of Claude Code named hipocampus that are enabled, and where.
pub(crate) fn claude_plugins(world: &World, root: &Path) -> Vec<(String, String)> {
    let home = world.var("HOME").map(|home| Path::new(home).join(".claude/settings.json"));
    let files = [root.join(".claude/settings.json"), root.join(".claude/settings.local.json")];
    let mut found = Vec::new();
    for file in files.into_iter().chain(home) {
        let Ok(Some(bytes)) = disk::read_users_file(&file) else { continue };
        for name in members::switched_on(&bytes, "enabledPlugins") {
            if name.split('@').next() == Some("hipocampus")
                && !is_ours(world, &name)
                && !found.iter().any(|(seen, _)| *seen == name)
            {
                found.push((name, file.display().to_string()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "holds files to the platform's row")]

    use serde_json::{Value, json};

    use super::*;
    use crate::platform;

    fn read(path: &str) -> Value {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
    }

    /// To renew the file: `RENEW=1 cargo test --lib plugin`.
    #[test]
    fn its_hooks_are_those_that_init_writes() {
        let row = platform::by_id("claude-code").unwrap();
        let mut events = serde_json::Map::new();
        for event in row.hooks.as_ref().unwrap().events {
            let command = format!("\"${{CLAUDE_PLUGIN_ROOT}}/{RUNS}\" {}", event.arguments);
            let hook = json!({"type": "command", "command": command, "timeout": event.timeout});
            let mut entry = json!({"hooks": [hook]});
            if let Some(matcher) = event.matcher {
                entry["matcher"] = matcher.into();
            }
            events.insert(event.event.to_owned(), json!([entry]));
        }
        let made = json!({"hooks": events});
        if std::env::var_os("RENEW").is_some() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join(".claude-plugin/hipocampus/hooks/hooks.json");
            std::fs::write(path, serde_json::to_string_pretty(&made).unwrap() + "\n").unwrap();
        }
        assert_eq!(read(".claude-plugin/hipocampus/hooks/hooks.json"), made);
    }

    #[test]
    fn its_files_agree() {
        let plugin = read(".claude-plugin/hipocampus/.claude-plugin/plugin.json");
        assert_eq!(plugin["version"], env!("CARGO_PKG_VERSION"));
        let market = read(".claude-plugin/marketplace.json");
        assert_eq!(market["plugins"][0]["name"], plugin["name"]);
        assert_eq!(market["plugins"][0]["description"], plugin["description"]);
    }
}
