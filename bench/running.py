"""Measure: `python -m bench [--quick] [--only NAME] [--json FILE]`."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path

from .cases import CASES
from .machine import machine
from .processes import open_many_files
from .report import as_json, page, table
from .rows import Case, Missing, Row, Size


def main() -> int:
    """Run the cases, print their table, and give 0 if every goal is kept, else 1.

    Where nothing at all could be measured, no goal is kept either.
    """
    asked = _parser().parse_args()
    size = Size.QUICK if asked.quick else Size.FULL
    for file in (asked.json, asked.page):
        if file is not None and (why := _cannot_write(file)):
            print(f"bench: {file} cannot be written ({why}); give another file", file=sys.stderr)
            return 2
    about = machine()
    open_many_files()
    rows: list[Row] = []
    missing: list[str] = []
    broken: list[str] = []
    try:
        for case in CASES:
            if not asked.only or case.name in asked.only:
                _run(case, size, rows, missing, broken)
    except KeyboardInterrupt:  # what was measured by then is worth its table
        broken.append("stopped before its end")
    print()
    print(table(rows, size))
    print()
    print("; ".join(f"{name} {value}" for name, value in about.items()))
    for line in missing:
        print(f"left out: {line}")
    broken += [row.what for row in rows if not row.kept(size)]
    end = f"not kept: {'; '.join(broken)}" if broken else _kept(rows)
    if asked.json is not None:
        asked.json.write_text(as_json(rows, size, about), encoding="utf-8")
    if asked.page is not None:
        words = " ".join(["python -m bench", *(["--quick"] if asked.quick else [])])
        words += "".join(f" --only {name}" for name in asked.only or ())
        asked.page.write_text(page(rows, size, about, missing, end, words), encoding="utf-8")
    print(end)
    return 1 if broken or not rows else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="Measure what this program costs, as ratios against a bare floor.",
    )
    parser.add_argument("--quick", action="store_true", help="two minutes, goals with more slack")
    names = [case.name for case in CASES]
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        choices=names,
        help=f"only this; can be given again: {', '.join(names)}",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write a page in Markdown, too")
    return parser


def _cannot_write(file: Path) -> str:
    """Say why a file cannot be written; found out before anything is measured for it."""
    try:
        with file.open("a", encoding="utf-8"):
            return ""
    except OSError as wrong:
        return wrong.strerror or type(wrong).__name__


def _run(case: Case, size: Size, rows: list[Row], missing: list[str], broken: list[str]) -> None:
    """Add what a case brings, also if it ends before its time."""
    began = time.monotonic()
    try:
        rows.extend(case.run(size))  # those before it breaks down are kept
    except Missing as wrong:
        missing.append(f"{case.name}: {wrong}")
    except Exception:  # whatever it is, the other cases are worth their table
        traceback.print_exc()
        broken.append(f"{case.name} broke down")
    print(f"{case.name}: {time.monotonic() - began:.1f} s", file=sys.stderr, flush=True)


def _kept(rows: list[Row]) -> str:
    goals = sum(row.goal is not None for row in rows)
    if not rows:
        return "nothing was measured"
    if not goals:
        return "nothing here has a goal"
    return f"all {goals} goals kept" if goals > 1 else "the one goal is kept"
