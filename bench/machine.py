"""What a run stood on: a figure without this means little."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HERE = Path(__file__).parent
BOUND = 10.0
"""Seconds that a program may take to say its version."""
PACKAGES = ("msgpack", "msgspec", "textual", "rich", "cryptography", "uvloop", "open_spiel")


def machine() -> dict[str, str]:
    """Give the machine and the versions."""
    found = {
        "commit": _said("git", "-C", str(HERE), "describe", "--always", "--dirty") or "unknown",
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "system": f"{platform.system()} {platform.release()}",
        "processor": f"{_processor()}, {len(os.sched_getaffinity(0))} used",
        "memory": f"{_memory():.1f} GiB",
        "load before": f"{os.getloadavg()[0]:.1f}",
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    if node := _said("node", "--version"):
        found["node"] = node.removeprefix("v")
    package_of = HERE / "boardgame" / "node_modules" / "boardgame.io" / "package.json"
    if package_of.is_file():
        found["boardgame.io"] = json.loads(package_of.read_text(encoding="utf-8"))["version"]
    return found


def _said(*command: str) -> str:
    """Give what a program says in one line; empty where it is not here, or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=BOUND, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def _memory() -> float:
    """Give the machine's memory in GiB."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1024**3


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
