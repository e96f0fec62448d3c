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
    """Run the cases, print their table, and give 0 if every goal is kept, else 1."""
    asked = _parser().parse_args()
    size = Size.QUICK if asked.quick else Size.FULL
    for file in (asked.json, asked.page):
        if file is not None and not file.parent.is_dir():
            print(f"bench: there is no folder {file.parent} for the file", file=sys.stderr)
            return 2
    about = machine()
    open_many_files()
    rows: list[Row] = []
    missing: list[str] = []
    broken: list[str] = []
    for case in CASES:
        if asked.only and case.name not in asked.only:
            continue
        rows += _run(case, size, missing, broken)
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
        asked.page.write_text(page(rows, size, about, missing, end), encoding="utf-8")
    print(end)
    return 1 if broken else 0


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


def _run(case: Case, size: Size, missing: list[str], broken: list[str]) -> list[Row]:
    """Give what a case brings, also if it ends before its time."""
    began = time.monotonic()
    found: list[Row] = []
    try:
        found.extend(case.rows(size))  # those before it breaks down are kept
    except Missing as wrong:
        missing.append(f"{case.name}: {wrong}")
    except Exception:  # whatever it is, the other cases are worth their table
        traceback.print_exc()
        broken.append(f"{case.name} broke down")
    print(f"{case.name}: {time.monotonic() - began:.1f} s", file=sys.stderr, flush=True)
    return found


def _kept(rows: list[Row]) -> str:
    goals = sum(row.goal is not None for row in rows)
    return f"all {goals} goals kept" if goals else "nothing here has a goal"


if __name__ == "__main__":
    sys.exit(main())
