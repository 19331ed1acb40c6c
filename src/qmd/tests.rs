use super::*;

fn script(folder: &Path, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::create_dir_all(folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn world(path: &str, home: &Path) -> World {
    let mut world = World::of_process();
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
    let lines = set_up(&mut world, &temp.path().join("p"));
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
    assert_eq!(set_up(&mut world, &root).len(), 1);
    assert_eq!(set_up(&mut world, &root).len(), 0);
    let calls = std::fs::read_to_string(temp.path().join("list")).unwrap();
    let name = &collections(&root)[0].0;
    assert_eq!(
        calls,
        format!("collection add {}/memory --name {name} --mask **/*.md\n", root.display())
    );
}

#[test]
fn a_hook_does_not_wait_for_the_index() {
    let temp = tempfile::tempdir().unwrap();
    let bin = temp.path().join("bin");
    script(&bin, "qmd", "/bin/sleep 1; echo $1 >> \"$HOME/done\"");
    let world = world(bin.to_str().unwrap(), temp.path());
    let search = Search { vector: false, ..Search::default() };
    let started = Instant::now();
    assert_eq!(refresh(&world, temp.path().join("p").as_path(), &search, true), None);
    assert!(started.elapsed() < Duration::from_millis(900));
    assert_eq!(refresh(&world, temp.path().join("p").as_path(), &search, false), None);
    assert!(started.elapsed() >= Duration::from_secs(1));
    let off = Search { enabled: false, ..Search::default() };
    assert_eq!(refresh(&world, temp.path(), &off, false), None);
}
