//! `.github/release/release.py` and `.github/release/install.sh`, on a release that lies in a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::required;

/// A home, and a release made of this build.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Option<Self> {
        let has = |program: &str| {
            Command::new(program)
                .arg("--version")
                .output()
                .is_ok_and(|output| output.status.success())
        };
        if !required(has("python3") && has("curl") && has("tar"), "python3, curl and tar") {
            return None;
        }
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir(place.path("home")).unwrap();
        // Small, and all that the installer asks of a program.
        let program = place.path("program");
        fs::write(&program, "#!/bin/sh\necho \"hipocampus 0.0.0 $*\"\n").unwrap();
        good(&Command::new("chmod").arg("+x").arg(&program).output().unwrap());
        place.release(&["archive", "--target", &target(), "--binary", program.to_str().unwrap()]);
        place.release(&["sums"]);
        Some(place)
    }

    fn path(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    fn release(&self, args: &[&str]) -> String {
        let mut command = Command::new("python3");
        command
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/release/release.py"))
            .args(args);
        good(&command.arg("--out").arg(self.path("out")).output().unwrap())
    }

    fn install(&self) -> Output {
        let mut command = Command::new("sh");
        command.arg(self.path("out/install.sh")).env("HOME", self.path("home"));
        command.env("HIPOCAMPUS_RELEASES", format!("file://{}", self.path("out").display()));
        command.env_remove("HIPOCAMPUS_DIR").output().unwrap()
    }
}

fn target() -> String {
    let cpu = if cfg!(target_arch = "aarch64") { "aarch64" } else { "x86_64" };
    let system = if cfg!(target_os = "macos") { "apple-darwin" } else { "unknown-linux-musl" };
    format!("{cpu}-{system}")
}

#[track_caller]
fn good(output: &Output) -> String {
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{err}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_installer_puts_the_program_of_a_release_in_place() {
    let Some(place) = Place::new() else { return };
    let program = place.path("home/.local/bin/hipocampus");
    let said = good(&place.install());
    assert!(said.contains(&format!("in {}", program.display())), "{said}");
    assert!(said.contains("next: put ") && said.contains("hipocampus init"), "{said}");
    assert_eq!(good(&Command::new(&program).arg("x").output().unwrap()), "hipocampus 0.0.0 x\n");
    // Once more is an upgrade.
    fs::write(&program, "an older one").unwrap();
    good(&place.install());
    assert_eq!(fs::read(&program).unwrap(), fs::read(place.path("program")).unwrap());
}

#[test]
fn an_archive_that_is_not_the_one_of_the_release_is_not_installed() {
    let Some(place) = Place::new() else { return };
    let archive = fs::read_dir(place.path("out")).unwrap().map(|entry| entry.unwrap().path());
    let archive =
        archive.into_iter().find(|path| path.to_string_lossy().ends_with(".tar.gz")).unwrap();
    let mut bytes = fs::read(&archive).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&archive, bytes).unwrap();
    let output = place.install();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && err.contains("is not what SHA256SUMS says"), "{err}");
    fs::remove_file(place.path("out/SHA256SUMS")).unwrap();
    let err = String::from_utf8_lossy(&place.install().stderr).into_owned();
    assert!(err.contains("hint: try again later; nothing was changed"), "{err}");
    assert!(!place.path("home/.local").exists());
}

#[test]
fn an_archive_is_the_same_for_the_same_inputs_and_has_everything() {
    let Some(place) = Place::new() else { return };
    let name = format!("hipocampus-{}-{}", env!("CARGO_PKG_VERSION"), target());
    let archive = place.path("out").join(format!("{name}.tar.gz"));
    let before = fs::read(&archive).unwrap();
    let program = place.path("program").display().to_string();
    place.release(&["archive", "--target", &target(), "--binary", &program]);
    assert_eq!(fs::read(&archive).unwrap(), before);
    let list = good(&Command::new("tar").arg("-tzf").arg(&archive).output().unwrap());
    for file in [
        "hipocampus",
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "completions/_hipocampus",
        "man/hipocampus.1",
    ] {
        assert!(list.lines().any(|line| line == format!("{name}/{file}")), "{file}: {list}");
    }
    // A formula without an archive for each platform says so.
    place.release(&["formula"]);
    let formula = fs::read_to_string(place.path("out/hipocampus.rb")).unwrap();
    assert!(formula.contains("version \"") && formula.contains("@DARWIN_"), "{formula}");
}
