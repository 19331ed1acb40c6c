//! Runs of the program as a user whom permissions stop, also where the tests run as root.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::desk::is_root;
use crate::support::{required, scratch};

/// The user and group that own nothing.
const NOBODY: u32 = 65534;

/// A project and a home of a user without privileges.
pub(crate) struct Nobody {
    dir: TempDir,
}

/// How a run ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Nobody {
    /// `None` where the tests run as root and cannot become anybody else.
    pub(crate) fn new() -> Option<Self> {
        let can = !is_root() || Command::new("setpriv").arg("--version").output().is_ok();
        if !required(can, "setpriv, since the tests run as root") {
            return None;
        }
        let nobody = Self { dir: scratch() };
        for folder in ["p/memory", "home"] {
            fs::create_dir_all(nobody.dir.path().join(folder)).unwrap();
        }
        nobody.write("hipocampus.config.json", "{}\n");
        nobody.own();
        Some(nobody)
    }

    /// A file of the project.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join("p").join(path)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(path), text).unwrap();
        if is_root() {
            chown(self.path(path), Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }

    pub(crate) fn mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.path(path), Permissions::from_mode(mode)).unwrap();
    }

    /// The permissions of a file.
    pub(crate) fn mode_of(&self, path: &str) -> u32 {
        fs::metadata(self.path(path)).unwrap().permissions().mode() & 0o7777
    }

    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_default()
    }

    /// Gives all of it to the user.
    fn own(&self) {
        fn own(path: &Path) {
            chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
            if path.is_dir() && !path.is_symlink() {
                for entry in fs::read_dir(path).unwrap() {
                    own(&entry.unwrap().path());
                }
            }
        }
        if is_root() {
            own(self.dir.path());
        }
    }

    /// A command that this user starts in the project.
    pub(crate) fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = if is_root() {
            let id = NOBODY.to_string();
            let mut command = Command::new("setpriv");
            command.args([&format!("--reuid={id}"), &format!("--regid={id}"), "--clear-groups"]);
            command.arg(program);
            command
        } else {
            Command::new(program)
        };
        command.args(args).current_dir(self.path("")).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.dir.path().join("home"));
        command.env("HIPOCAMPUS_NOW", "2026-03-15T14:02:11+01:00");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        ran(self.command(&program(), args).output().unwrap())
    }

    /// A hook with this on stdin.
    pub(crate) fn hook(&self, args: &[&str], input: &serde_json::Value) -> Ran {
        ran(self.spawn_hook(&program(), args, input).wait_with_output().unwrap())
    }

    pub(crate) fn spawn_hook(
        &self,
        program: &str,
        args: &[&str],
        input: &serde_json::Value,
    ) -> std::process::Child {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), input.to_string()).unwrap();
        let mut command = self.command(program, args);
        command.stdin(fs::File::open(file.path()).unwrap()).spawn().unwrap()
    }
}

fn ran(output: Output) -> Ran {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The program where every user can start it.
pub(crate) fn program() -> String {
    static COPY: OnceLock<TempDir> = OnceLock::new();
    let copy = COPY.get_or_init(|| {
        let dir = scratch();
        fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
        let to = dir.path().join("hipocampus");
        fs::copy(env!("CARGO_BIN_EXE_hipocampus"), &to).unwrap();
        fs::set_permissions(&to, Permissions::from_mode(0o755)).unwrap();
        dir
    });
    copy.path().join("hipocampus").to_str().unwrap().to_owned()
}
