use super::*;

fn script(folder: &Path, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::create_dir_all(folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn world(path: &str, home: &Path) -> World {
    let mut world = World::for_tests();
    world.env = [("PATH", path), ("HOME", home.to_str().unwrap())]
        .map(|(name, value)| (name.into(), value.into()))
        .into();
    world
}

#[test]
fn each_project_has_names_of_its_own() {
    let [here, there] = ["/a/My App", "/b/My App"].map(|root| collections(Path::new(root)));
    assert_ne!(here, there);
    assert!(here[0].0.starts_with("my-app-") && here[0].0.ends_with("-memory"), "{here:?}");
    assert_eq!(here[1].1, Path::new("/a/My App/knowledge"));
}

#[test]
fn nothing_inside_the_project_is_run() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().join("p");
    script(&root.join("node_modules/.bin"), "qmd", "true");
    let inside = root.join("node_modules/.bin");
    let path = format!("{}:node_modules/.bin:.", inside.display());
    assert_eq!(find(&world(&path, temp.path()), &root), None);
    // Nor behind a link that leads into it.
    let links = temp.path().join("links");
    std::fs::create_dir_all(&links).unwrap();
    std::os::unix::fs::symlink(inside.join("qmd"), links.join("qmd")).unwrap();
    assert_eq!(find(&world(links.to_str().unwrap(), temp.path()), &root), None);
    script(&temp.path().join("bin"), "qmd", "true");
    let path = format!("{path}:{}", temp.path().join("bin").display());
    assert_eq!(find(&world(&path, temp.path()), &root), Some(temp.path().join("bin/qmd")));
}

#[test]
fn an_old_node_is_named_and_nothing_is_installed() {
    let temp = tempfile::tempdir().unwrap();
    let bin = temp.path().join("bin");
    script(&bin, "node", "echo v20.20.2");
    script(&bin, "npm", "touch \"$HOME/installed\"");
    let mut world = world(bin.to_str().unwrap(), temp.path());
    let asked = SetUp { install: true, dry_run: false };
    let lines = set_up(&mut world, &temp.path().join("p"), asked);
    assert_eq!(lines.len(), 1);
    assert!(lines[0].contains("needs Node 22 or newer and this is v20.20.2"), "{lines:?}");
    assert!(!temp.path().join("installed").exists());
}

#[test]
fn collections_are_added_once() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().join("p");
    std::fs::create_dir_all(root.join("memory")).unwrap();
    let bin = temp.path().join("bin");
    script(
        &bin,
        "qmd",
        "case \"$2\" in list) /bin/cat \"$HOME/list\";; *) echo \"$@\" >> \"$HOME/list\";; esac",
    );
    std::fs::write(temp.path().join("list"), "").unwrap();
    let mut world = world(bin.to_str().unwrap(), temp.path());
    let planned = SetUp { install: false, dry_run: true };
    let lines = set_up(&mut world, &root, planned);
    assert!(lines[0].ends_with("-memory` would be added"), "{lines:?}");
    assert_eq!(std::fs::read_to_string(temp.path().join("list")).unwrap(), "");
    assert_eq!(set_up(&mut world, &root, SetUp::default()).len(), 1);
    assert_eq!(set_up(&mut world, &root, SetUp::default()).len(), 0);
    let calls = std::fs::read_to_string(temp.path().join("list")).unwrap();
    let name = &collections(&root)[0].0;
    assert_eq!(
        calls,
        format!("collection add {}/memory --name {name} --mask **/*.md\n", root.display())
    );
}

/// A world with a qmd that takes its time, a project, and what qmd was called with: `+` when a call begins, `-` when
/// it ends.
fn slow_qmd() -> (tempfile::TempDir, World, PathBuf, impl Fn() -> String) {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().join("p");
    std::fs::create_dir_all(root.join("memory")).unwrap();
    let bin = temp.path().join("bin");
    script(&bin, "qmd", "echo +$1 >> \"$HOME/calls\"; /bin/sleep 0.4; echo -$1 >> \"$HOME/calls\"");
    let world = world(bin.to_str().unwrap(), temp.path());
    let calls = temp.path().join("calls");
    let told = move || std::fs::read_to_string(&calls).unwrap_or_default().replace('\n', " ");
    (temp, world, root, told)
}

/// Waits until nothing is indexed any more.
fn settle(root: &Path) {
    let file = std::fs::File::open(root.join("memory").join(layout::QMD)).unwrap();
    file.lock().unwrap();
}

#[test]
fn vectors_are_made_when_the_index_is_done_and_never_twice_at_a_time() {
    let (_temp, world, root, calls) = slow_qmd();
    let search = SearchConfig::default();
    let started = Instant::now();
    for _ in 0..5 {
        assert_eq!(refresh(&world, &root, &search, true), None);
    }
    assert!(started.elapsed() < Duration::from_millis(350), "a hook waits for nothing");
    settle(&root);
    // Five changes, two rounds: the second is for what came while the first was at work.
    assert_eq!(calls(), "+update -update +embed -embed +update -update +embed -embed ");
}

#[test]
fn by_hand_the_index_is_waited_for_and_vectors_are_not() {
    let (_temp, world, root, calls) = slow_qmd();
    assert_eq!(refresh(&world, &root, &SearchConfig::default(), false), None);
    assert!(calls().starts_with("+update -update "), "{}", calls());
    assert!(!calls().contains("-embed"), "{}", calls());
    settle(&root);
    let search = SearchConfig { vector: false, ..SearchConfig::default() };
    assert_eq!(refresh(&world, &root, &search, false), None);
    settle(&root);
    assert_eq!(calls(), "+update -update +embed -embed +update -update ");
    let off = SearchConfig { enabled: false, ..SearchConfig::default() };
    assert_eq!(refresh(&world, &root, &off, false), None);
    assert_eq!(calls().matches("+update").count(), 2);
}

#[test]
fn an_index_that_fails_is_told_and_gets_no_vectors() {
    let (temp, world, root, calls) = slow_qmd();
    script(&temp.path().join("bin"), "qmd", "echo +$1 >> \"$HOME/calls\"; exit 3");
    let trouble = refresh(&world, &root, &SearchConfig::default(), false);
    assert_eq!(trouble.as_deref(), Some("qmd: `qmd update` failed"));
    settle(&root);
    assert_eq!(calls(), "+update ");
}

#[test]
fn npm_installed_a_search_engine_nobody_asked_for() {
    let temp = tempfile::tempdir().unwrap();
    let bin = temp.path().join("bin");
    script(&bin, "node", "echo v24.1.0");
    script(&bin, "npm", "echo \"$@\" >> \"$HOME/npm\"");
    let mut world = world(bin.to_str().unwrap(), temp.path());
    let npm = || std::fs::read_to_string(temp.path().join("npm")).unwrap_or_default();
    let root = temp.path().join("p");
    assert_eq!(set_up(&mut world, &root, SetUp::default()), Vec::<String>::new());
    let lines = set_up(&mut world, &root, SetUp { install: true, dry_run: true });
    assert!(lines[0].contains("would be installed, `npm install --global"), "{lines:?}");
    assert_eq!(npm(), "");
    set_up(&mut world, &root, SetUp { install: true, dry_run: false });
    assert_eq!(npm(), "install --global --fetch-retries=1 @tobilu/qmd\n");
}
