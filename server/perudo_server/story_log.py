"""The lines of the log about what happens in a game: ids alone, no dice."""

from __future__ import annotations

from collections.abc import Iterable
from logging import DEBUG, INFO, Logger
from typing import Any, Protocol

from perudo_protocol.story import AnyEvent, BidPlaced, Committed, People, Ready, TurnSet

from .log import event

_SILENT = frozenset((People, Ready, TurnSet))
"""Of these there are no lines."""


class Table(Protocol):
    """What is said of the table."""

    number: int

    @property
    def moment(self) -> tuple[int, int]:
        """The game and the round that are played now."""


def log_story(log: Logger, table: Table, steps: Iterable[AnyEvent]) -> None:
    """Write a line for each step of a table's story.

    Bids, which are more than all else together, at level debug: a line costs what a bid does.
    """
    for step in steps:
        kind = type(step)
        if kind in _SILENT:
            continue
        level = DEBUG if kind is BidPlaced else INFO
        if log.isEnabledFor(level):
            _log(log, level, table, step)


def _log(log: Logger, level: int, table: Table, step: AnyEvent) -> None:
    game, number = table.moment
    fields: dict[str, Any] = {"table": table.number, "game": game, "round": number}
    fields["seat"] = getattr(step, "seat", None)
    if isinstance(step, Committed):
        without = ",".join(map(str, step.left_out))
        fields |= {"round": step.round, "attempt": step.attempt, "left_out": without}
    event(log, str(step.__struct_config__.tag), level, **fields)
