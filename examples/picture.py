#!/usr/bin/env python3
"""Draws what `examples/first-minute.sh` prints, as it prints it, into `examples/first-minute.svg`.

    examples/picture.py            builds the program first
    examples/picture.py --check    writes nothing, and fails where the picture is another one
    HIPOCAMPUS=PATH examples/picture.py
"""

import html
import pathlib
import subprocess
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS, SIZE, LEADING, MARGIN = 112, 13, 19, 18
STYLE = """
  .back { fill: #f6f8fa } .text { fill: #1f2328 } .dim { fill: #656d76 } .ask { fill: #0550ae; font-weight: bold } .rule { fill: #953800 }
  @media (prefers-color-scheme: dark) {
    .back { fill: #161b22 } .text { fill: #e6edf3 } .dim { fill: #8b949e } .ask { fill: #79c0ff } .rule { fill: #ffa657 }
  }
"""


def look(line):
    if line.startswith("$ "):
        return "ask"
    if "[user," in line or "[feedback," in line:
        return "rule"
    return "dim" if line.startswith("  ...") or line.startswith("#") else "text"


def rows_of(line):
    """An answer is wrapped, any other line is cut."""
    if len(line) <= COLUMNS:
        return [line]
    if line.startswith("  "):
        return textwrap.wrap(line.strip(), COLUMNS, initial_indent="  ", subsequent_indent="  ")
    return [line[: COLUMNS - 1] + "…"]


def main():
    said = subprocess.run([HERE / "first-minute.sh"], check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [row for line in said.strip().splitlines() for row in rows_of(line)]
    width, height = int(COLUMNS * SIZE * 0.602) + 2 * MARGIN, len(lines) * LEADING + 2 * MARGIN
    rows = [
        f'  <text class="{look(line)}" x="{MARGIN}" y="{MARGIN + (number + 1) * LEADING - 5}">{html.escape(line)}</text>'
        for number, line in enumerate(lines)
        if line
    ]
    picture = "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        f' font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="{SIZE}" xml:space="preserve">',
        "  <title>Six weeks of logs become an index, and a question is answered from it</title>",
        f"  <style>{STYLE}  </style>",
        f'  <rect class="back" width="{width}" height="{height}" rx="8"/>',
        *rows,
        "</svg>",
        "",
    ])
    file = HERE / "first-minute.svg"
    if "--check" not in sys.argv:
        file.write_text(picture)
    elif file.read_text() != picture:
        sys.exit(f"{file} is not what the program prints now: run `just picture`")


main()
