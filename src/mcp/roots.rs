//! The folders that a client works in, which it names as URIs.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

use percent_encoding::percent_decode_str;

/// The folder of a `file:` URI on this machine.
pub(super) fn folder(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = percent_decode_str(path).collect::<Vec<u8>>();
    path.starts_with(b"/").then(|| PathBuf::from(OsString::from_vec(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_a_folder_of_this_machine() {
        #[track_caller]
        fn check(uri: &str, expect: Option<&str>) {
            assert_eq!(folder(uri), expect.map(PathBuf::from), "{uri}");
        }
        check("file:///home/mara/skerry", Some("/home/mara/skerry"));
        check("file://localhost/srv", Some("/srv"));
        check("file:///a%20b/%C3%A9%25", Some("/a b/é%"));
        check("file://server/share", None);
        check("https://example.org/a", None);
        check("/home/mara", None);
    }
}
