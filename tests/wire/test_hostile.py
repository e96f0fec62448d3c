"""A short siege of a real server, with all attacks and without measuring delays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.soak.attacks import ATTACKS

ROOT = Path(__file__).parents[2]


def test_a_quiet_table_plays_on_under_every_attack() -> None:
    """The server lives, each attack ends as it should, and memory is bounded."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak.hostile", "--quick"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=115,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("all goals kept\n")
    assert all(f"\n{name} " in done.stdout for name in ATTACKS)
