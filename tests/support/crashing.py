"""The client with an error in it: run it as a module, and press `?`."""

from __future__ import annotations

import sys

from perudo_client import cli
from perudo_client.app import PerudoApp


def crash(self: PerudoApp) -> None:
    """Do what no program should."""
    _hand = (1, 2, 3)
    _ = 1 // 0


if __name__ == "__main__":
    PerudoApp.action_rules = crash  # type: ignore[method-assign]
    sys.exit(cli.main([]))
