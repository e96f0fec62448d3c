"""The table that a run prints, and the file that it can leave for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from statistics import median

from .rows import Row, Size

HEAD = ("what", "floor", "ours", "ratio (min–max)", "goal", "")


def figure(value: float) -> str:
    """Write a figure with three digits that count."""
    if value != value or value in (float("inf"), float("-inf")):
        return "–"
    if value and abs(value) < 0.001:
        return f"{value:.1e}"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}"


def spread(values: Sequence[float]) -> str:
    """Write a median with its least and its most."""
    if not values:
        return ""
    if len(values) == 1:
        return figure(values[0])
    return f"{figure(median(values))} ({figure(min(values))}–{figure(max(values))})"


def cells(row: Row, size: Size) -> tuple[str, ...]:
    """Give a row's cells as text."""
    goal, verdict = "", ""
    if row.goal is not None:
        limit = row.goal.limit * (1 if row.goal.at_least else size.slack)
        limit = row.goal.limit / size.slack if row.goal.at_least else limit
        sign = "≥" if row.goal.at_least else "≤"
        goal = f"{sign} {figure(limit)}" + (f" {row.unit}" if row.goal.alone else "")
        verdict = row.verdict(size)
    bare = f"{figure(median(row.floor))} {row.unit}" if row.floor else ""
    own = median(row.ours)
    shown = figure(own) if row.floor else spread(row.ours)
    return row.what, bare, f"{shown} {row.unit}", spread(row.ratios), goal, verdict


def table(rows: Sequence[Row], size: Size) -> str:
    """Write all rows as a table in Markdown, which reads well as plain text too."""
    lines = [HEAD, *(cells(row, size) for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(HEAD))]
    written = [_line(line, widths) for line in lines]
    written.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    notes = [f"- {row.what}: {row.note}" for row in rows if row.note]
    return "\n".join([*written, "", *notes]) if notes else "\n".join(written)


def _line(line: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
    return "| " + " | ".join(padded) + " |"


def page(
    rows: Sequence[Row],
    size: Size,
    machine: dict[str, str],
    missing: Sequence[str],
    end: str,
    words: str,
) -> str:
    """Write all that a run found, which was begun with these words, as a page in Markdown."""
    head = f"# Measured on {machine['date']}\n\n`{words}`"
    stood = [f"- {name}: {value}" for name, value in machine.items() if name != "date"]
    left_out = [f"- left out: {line}" for line in missing]
    head += "; how to read it: [README.md](README.md)."
    parts = [head, "\n".join(stood), table(rows, size), "\n".join(left_out), f"**{end}**"]
    return "\n\n".join(part for part in parts if part) + "\n"


def as_json(rows: Sequence[Row], size: Size, machine: dict[str, str]) -> str:
    """Write all rows for a program."""
    return json.dumps(
        {
            "machine": machine,
            "size": size.value,
            "rows": [
                {
                    "case": row.case,
                    "what": row.what,
                    "unit": row.unit,
                    "floor": row.floor,
                    "ours": row.ours,
                    "ratios": row.ratios,
                    "goal": None if row.goal is None else row.goal._asdict(),
                    "kept": row.kept(size),
                    "note": row.note,
                }
                for row in rows
            ],
        },
        indent=1,
    )
