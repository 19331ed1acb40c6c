//! The npm packages, made by `npm/build.mjs`, installed by npm without a network, and run by node.

use std::fs;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use crate::support::required;

/// A home with a project and the packages of this build.
struct Place {
    temp: tempfile::TempDir,
}

/// The packages, made once: the wrapper and the one that carries the program.
fn packages() -> &'static [PathBuf] {
    static MADE: OnceLock<(tempfile::TempDir, Vec<PathBuf>)> = OnceLock::new();
    let (_, made) = MADE.get_or_init(|| {
        let out = tempfile::tempdir().unwrap();
        let mut build = Command::new("node");
        build.arg("npm/build.mjs").current_dir(env!("CARGO_MANIFEST_DIR"));
        build.arg("--binary").arg(small(out.path())).args(["--platform", &platform()]);
        build.arg("--out").arg(out.path());
        // Packing changes nothing about what is in it, and compressing a debug build well takes long.
        let output = build.env("npm_config_cache", out.path().join("cache")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let made = String::from_utf8(output.stdout).unwrap();
        let made: Vec<PathBuf> = made.lines().map(PathBuf::from).collect();
        assert_eq!(made.len(), 2, "{made:?}");
        (out, made)
    });
    made
}

/// The program without what a debugger reads, three quarters of it, which npm would pack and unpack again and again.
fn small(folder: &Path) -> PathBuf {
    let (whole, small) = (PathBuf::from(env!("CARGO_BIN_EXE_hipocampus")), folder.join("small"));
    let stripped = Command::new("strip").arg("-o").arg(&small).arg(&whole).output();
    if stripped.is_ok_and(|output| output.status.success()) { small } else { whole }
}

fn platform() -> String {
    let os = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let cpu = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    format!("{os}-{cpu}")
}

fn name() -> String {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("npm/package.json");
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(manifest).unwrap()).unwrap();
    manifest["name"].as_str().unwrap().to_owned()
}

impl Place {
    /// `None` where node and npm are not installed; see [`required`].
    fn new() -> Option<Self> {
        let works = |program: &str| {
            let output = Command::new(program).arg("--version").output();
            output.is_ok_and(|output| output.status.success())
        };
        if !required(works("node") && works("npm"), "node and npm") {
            return None;
        }
        let place = Self { temp: tempfile::tempdir().unwrap() };
        for folder in ["home", "project"] {
            fs::create_dir(place.path(folder)).unwrap();
        }
        Some(place)
    }

    fn path(&self, below: &str) -> PathBuf {
        self.temp.path().join(below)
    }

    fn project(&self) -> PathBuf {
        self.path("project")
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.project()).stdin(Stdio::null());
        for name in ["CLAUDE_PROJECT_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME", "HIPOCAMPUS_BINARY"] {
            command.env_remove(name);
        }
        // A registry that is out of reach, whatever the settings of the machine.
        command.env("npm_config_registry", "http://127.0.0.1:9/").env("npm_config_offline", "true");
        command.env("npm_config_cache", self.path("home/.npm")).env("HOME", self.path("home"));
        command.env("npm_config_userconfig", self.path("home/.npmrc"));
        command.env("npm_config_update_notifier", "false");
        command
    }

    /// Installs the packages in a folder, as a project's dependencies are.
    fn install(&self, prefix: &str) -> PathBuf {
        let prefix = self.path(prefix);
        fs::create_dir_all(&prefix).unwrap();
        let mut npm = self.command("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(&prefix).args(packages());
        good(&npm.output().unwrap());
        prefix.join("node_modules/.bin/hipocampus")
    }

    /// The commands of the hooks that `init` put into the project.
    fn hooks(&self) -> Vec<(String, String)> {
        let file = fs::read(self.project().join(".claude/settings.local.json")).unwrap();
        let file: serde_json::Value = serde_json::from_slice(&file).unwrap();
        let events = file["hooks"].as_object().unwrap();
        let command = |entry: &serde_json::Value| {
            entry[0]["hooks"][0]["command"].as_str().unwrap().to_owned()
        };
        events.iter().map(|(event, entry)| (event.clone(), command(entry))).collect()
    }

    /// A session of Claude Code, and what its hook is handed about it.
    fn conversation(&self) -> String {
        let path = self.path("home/session.jsonl");
        let cwd = self.project();
        let record = |role: &str, content: serde_json::Value, id: u32| {
            serde_json::json!({
                "type": role, "uuid": format!("u{id}"), "sessionId": "abc", "cwd": cwd,
                "timestamp": format!("2026-03-15T10:00:0{id}.000Z"),
                "message": {"id": format!("m{id}"), "role": role, "content": content},
            })
            .to_string()
        };
        let reply = serde_json::json!([{"type": "text", "text": "in the service office"}]);
        let lines = [
            record("user", "where do the page tables come from".into(), 1),
            record("assistant", reply, 2),
        ];
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        serde_json::json!({
            "session_id": "abc", "transcript_path": path, "cwd": cwd, "hook_event_name": "PreCompact",
        })
        .to_string()
    }
}

#[track_caller]
fn good(output: &Output) -> String {
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}\n{out}{err}", output.status);
    out
}

/// Gives a process its input while its output is read.
fn fed(mut child: Child, input: Vec<u8>) -> Output {
    let mut stdin = child.stdin.take().unwrap();
    let feeding = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    output
}

#[test]
fn hooks_outlive_the_cache_that_init_was_run_from() {
    let Some(place) = Place::new() else { return };
    let mut npx = place.command("npm");
    npx.args(["exec", "--yes", "--offline"]);
    npx.args(packages().iter().map(|path| format!("--package={}", path.display())));
    npx.args(["--", "hipocampus", "init", "--no-search", "--platform", "claude-code"]);
    let said = good(&npx.output().unwrap());
    let data =
        if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
    let bin = fs::canonicalize(place.path("home")).unwrap().join(data).join("hipocampus/bin");
    let copy = place.path("home").join(data).join("hipocampus/bin");
    let copy = copy.join(env!("CARGO_PKG_VERSION")).join("hipocampus");
    assert!(said.contains(&format!("  + {} (a copy", copy.display())), "{said}");
    // Nothing of npm's is left.
    assert!(place.path("home/.npm/_npx").is_dir(), "this was no run of npx's kind");
    fs::remove_dir_all(place.path("home/.npm")).unwrap();
    let hooks = place.hooks();
    assert_eq!(hooks.len(), 6, "{hooks:?}");
    for (event, command) in hooks {
        assert!(command.contains(copy.to_str().unwrap()), "{command}");
        let mut shell = place.command("sh");
        shell.arg("-c").arg(&command).stdin(Stdio::piped()).stdout(Stdio::piped());
        shell.stderr(Stdio::piped()).env("HIPOCAMPUS_NOW", "2026-03-15T14:02:11+01:00");
        let output = fed(shell.spawn().unwrap(), place.conversation().into_bytes());
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{event}");
        good(&output);
    }
    let log = fs::read_to_string(place.project().join("memory/2026-03-15.md")).unwrap();
    assert_eq!(log.matches("**User:** where do the page tables come from\n").count(), 1, "{log}");
    // Who leaves is told where the copy is; it stays, for other projects.
    let said = good(&place.command(&copy).arg("uninstall").output().unwrap());
    assert!(said.contains("has copies of this program (") && copy.exists(), "{said}");
    assert!(bin.exists());
}

#[test]
fn npx_runs_what_a_project_depends_on() {
    let Some(place) = Place::new() else { return };
    place.install("project");
    let mut npx = place.command("npx");
    npx.args(["--no-install", "hipocampus", "init", "--no-search", "--platform", "codex"]);
    good(&npx.output().unwrap());
    let hooks = fs::read_to_string(place.project().join(".codex/hooks.json")).unwrap();
    assert!(!hooks.contains("node_modules") && hooks.contains("PreCompact"), "{hooks}");
    let said =
        good(&place.command("npx").args(["--no-install", "hipocampus", "-V"]).output().unwrap());
    assert!(said.starts_with(concat!("hipocampus ", env!("CARGO_PKG_VERSION"))), "{said}");
    // As `server.json` has it started.
    let mut serve = place.command("npx");
    serve.args(["--no-install", "hipocampus", "mcp"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let hello = serde_json::json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    });
    let said = good(&fed(serve.spawn().unwrap(), format!("{hello}\n").into_bytes()));
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["result"]["serverInfo"]["name"], "hipocampus");
}

#[test]
fn the_wrapper_ends_as_the_program_does() {
    let Some(place) = Place::new() else { return };
    let program = place.install("prefix");
    let code = |args: &[&str]| place.command(&program).args(args).output().unwrap().status.code();
    assert_eq!(code(&["--version"]), Some(0));
    assert_eq!(code(&["status"]), Some(1));
    assert_eq!(code(&["nonsense"]), Some(2));
    // More than a pipe holds, there and back.
    let text = "the page tables come from the service office\n".repeat(300_000).into_bytes();
    let mut redact = place.command(&program);
    redact.args(["redact"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let output = fed(redact.spawn().unwrap(), text.clone());
    assert!(output.status.success() && output.stdout == text, "{} bytes", output.stdout.len());
    // A signal reaches the program, and tells how it ended.
    let echo = place.path("echo");
    fs::write(&echo, "#!/bin/sh\necho ready\nexec sleep 60\n").unwrap();
    good(&Command::new("chmod").arg("+x").arg(&echo).output().unwrap());
    for (name, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        let mut wrapped = place.command(&program);
        wrapped.env("HIPOCAMPUS_BINARY", &echo).stdout(Stdio::piped());
        let mut child = wrapped.spawn().unwrap();
        let mut ready = [0; 6];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
        let pid = child.id().to_string();
        good(&Command::new("kill").args(["-s", name, &pid]).output().unwrap());
        assert_eq!(child.wait().unwrap().signal(), Some(number), "{name}");
    }
}

#[test]
fn a_program_of_ones_own_and_a_missing_one() {
    let Some(place) = Place::new() else { return };
    let program = place.install("prefix");
    let own = place.path("own");
    fs::write(&own, "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 7\n").unwrap();
    good(&Command::new("chmod").arg("+x").arg(&own).output().unwrap());
    let mut wrapped = place.command(&program);
    let output = wrapped.env("HIPOCAMPUS_BINARY", &own).args(["a b", "$c", ""]).output().unwrap();
    assert_eq!((output.status.code(), &*output.stdout), (Some(7), &b"a b|$c||"[..]));
    let mut wrapped = place.command(&program);
    let output = wrapped.env("HIPOCAMPUS_BINARY", "/nowhere/hipocampus").output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.starts_with("error: `/nowhere/hipocampus` cannot be run:"), "{err}");
    let carrier = format!("{}-{}", name(), platform());
    fs::remove_dir_all(place.path("prefix/node_modules").join(&carrier)).unwrap();
    let output = place.command(&program).arg("-V").output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.starts_with(&format!("error: `{carrier}` ")), "{err}");
    assert!(err.contains("hint: install again without `--omit=optional`"), "{err}");
}
