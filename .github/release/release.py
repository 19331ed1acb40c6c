#!/usr/bin/env python3
"""What a release is made of, beside the npm packages.

    .github/release/release.py archive --binary PATH --target TRIPLE --out DIR [--runs-here PATH]
    .github/release/release.py sums --out DIR
    .github/release/release.py formula --out DIR

`archive` packs the program with completions, manual pages, licence and texts: `hipocampus-VERSION-TRIPLE.tar.gz`, the
same bytes for the same inputs. Completions and pages are printed by the program itself; where it is for another
system, `--runs-here` names a build of the same sources that runs on this one. `sums` writes `SHA256SUMS` for all
files in DIR and puts the installer beside them. `formula` fills `.github/release/homebrew.rb.in` with the sums.
"""

import argparse
import gzip
import hashlib
import io
import pathlib
import re
import subprocess
import sys
import tarfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
SHELLS = {"bash": "hipocampus.bash", "zsh": "_hipocampus", "fish": "hipocampus.fish"}
# The archives that a formula needs, by the name of the placeholder.
FORMULA = {
    "DARWIN_ARM64": "aarch64-apple-darwin",
    "DARWIN_X64": "x86_64-apple-darwin",
    "LINUX_ARM64": "aarch64-unknown-linux-musl",
    "LINUX_X64": "x86_64-unknown-linux-musl",
}


def version():
    return re.search(r'^version = "(.*)"$', (TOP / "Cargo.toml").read_text(), re.M)[1]


def printed(program, *args):
    return subprocess.run([program, *args], check=True, stdout=subprocess.PIPE).stdout


def contents(binary, runs_here):
    """Path in the archive, mode and bytes of every file."""
    yield "hipocampus", 0o755, binary.read_bytes()
    for name in ["LICENSE", "README.md", "CHANGELOG.md"]:
        yield name, 0o644, (TOP / name).read_bytes()
    for shell, name in SHELLS.items():
        yield f"completions/{name}", 0o644, printed(runs_here, "completions", shell)
    yield "man/hipocampus.1", 0o644, printed(runs_here, "man")


def archive(args):
    stem = f"hipocampus-{version()}-{args.target}"
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, mode, data in contents(args.binary, args.runs_here or args.binary.resolve()):
            info = tarfile.TarInfo(f"{stem}/{name}")
            info.mode, info.size = mode, len(data)
            tar.addfile(info, io.BytesIO(data))
    path = args.out / f"{stem}.tar.gz"
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        packed.write(plain.getvalue())
    print(path)


def sum_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sums(args):
    installer = (TOP / ".github/release/install.sh").read_text()
    (args.out / "install.sh").write_text(installer.replace("VERSION=latest", f"VERSION={version()}"))
    files = sorted(path for path in args.out.iterdir() if path.suffix in {".gz", ".tgz", ".sh"})
    lines = [f"{sum_of(path)}  {path.name}\n" for path in files]
    (args.out / "SHA256SUMS").write_text("".join(lines))
    print(args.out / "SHA256SUMS")


def formula(args):
    text = (TOP / ".github/release/homebrew.rb.in").read_text().replace("@VERSION@", version())
    for name, target in FORMULA.items():
        path = args.out / f"hipocampus-{version()}-{target}.tar.gz"
        if path.exists():
            text = text.replace(f"@{name}@", sum_of(path))
    missing = re.findall(r"@(\w+)@", text)
    (args.out / "hipocampus.rb").write_text(text)
    print(args.out / "hipocampus.rb")
    if missing:
        print(f"not a formula yet, no archive for: {', '.join(missing)}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for run in (archive, sums, formula):
        command = commands.add_parser(run.__name__)
        command.add_argument("--out", type=pathlib.Path, required=True)
        command.set_defaults(run=run)
        if run is archive:
            command.add_argument("--binary", type=pathlib.Path, required=True)
            command.add_argument("--target", required=True)
            command.add_argument("--runs-here", type=pathlib.Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    if getattr(args, "runs_here", None):
        args.runs_here = args.runs_here.resolve()
    args.run(args)


main()
