"""Playthroughs: whole games as text that a person can read and that a test plays again.

A file begins with `rules:` (a preset's name, `option=value`s) and `players:`. Then come acts, each
on a line of its own, and below each, indented, what it brought:

    throw: Ana 3, Ben 5         the dice for who begins      deal: Ana 1 2 3, Ben 6 6 2
    Ben: 2x3                    a bid                        Ana: dudo
    Ana: spot-on                                             Ana: leaves
    Ana: time is up                                          # a remark

`>` is an event, `!` the reason for a refusal, `=` the game as it is now. To write down a new game,
put its acts into a file and let the rest be filled in, then read every line of it:

    python -m tests.support.playthrough FILE
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, assert_never

from perudo_protocol.ruleset import PRESETS, Ruleset, ruleset
from perudo_protocol.vocabulary import Bid, Call
from perudo_server.rules.actions import (
    Action,
    Deal,
    Draw,
    Dudo,
    Leave,
    PlaceBid,
    SpotOn,
    Throw,
    TimeUp,
)
from perudo_server.rules.events import (
    BidPlaced,
    Called,
    Cleared,
    Dealt,
    DieGained,
    DieLost,
    Event,
    Left,
    NextSet,
    Thrown,
    TimedOut,
    WentOut,
    Won,
)
from perudo_server.rules.game import Game, Refused, Stage, decide, evolve_all, new_game

CALLS = {Call.DUDO: "dudo", Call.SPOT_ON: "spot-on"}


def tell(text: str) -> str:
    """Play the acts of a text and give it with all that they brought, written afresh."""
    lines = [line for line in text.splitlines() if not line.startswith("  ")]
    names = _after(lines, "players").split()
    game = new_game(_rules(_after(lines, "rules")), len(names))
    told = []
    for line in lines:
        told.append(line)
        if line.strip() and not line.startswith(("#", "rules:", "players:")):
            result = decide(game, read_act(line, names))
            if isinstance(result, Refused):
                told.append(f"  ! {result.reason}")
                continue
            game = evolve_all(game, result)
            told += [f"  > {in_words(event, names)}" for event in result]
            told.append(f"  = {state_in_words(game, names)}")
    return "\n".join(told) + "\n"


def read_act(line: str, names: list[str]) -> Action:
    """Read one act; raise `ValueError` for a line that is none."""
    who, _, what = (part.strip() for part in line.partition(":"))
    match who, what:
        case "throw", _:
            return Throw(tuple((names.index(n), d[0]) for n, d in _dice(what)))
        case "draw", _:
            return Draw(names.index(what))
        case "deal", _:
            cups = dict(_dice(what))
            return Deal(tuple(cups.get(name, ()) for name in names))
        case _, "dudo":
            return Dudo(names.index(who))
        case _, "spot-on":
            return SpotOn(names.index(who))
        case _, "leaves":
            return Leave(names.index(who))
        case _, "time is up":
            return TimeUp(names.index(who))
        case _:
            return PlaceBid(names.index(who), Bid.parse(what))


def in_words(event: Event, names: list[str]) -> str:
    """Write one event."""
    match event:
        case Thrown(rolls):
            return "thrown: " + ", ".join(f"{names[seat]} {die}" for seat, die in rolls)
        case NextSet(opener, palifico):
            return f"{names[opener]} opens the next round{', palifico' * palifico}"
        case Dealt(cups):
            return f"dealt: {sum(map(len, cups))} dice"
        case BidPlaced(seat, bid):
            return f"{names[seat]} bids {bid}"
        case TimedOut(seat):
            return f"time is up for {names[seat]}"
        case Called(seat, call, count, right):
            verdict = "right" if right else "wrong"
            return f"{names[seat]} calls {CALLS[call]}: there are {count}, {verdict}"
        case DieLost(seat):
            return f"{names[seat]} loses a die"
        case DieGained(seat):
            return f"{names[seat]} regains a die"
        case Left(seat):
            return f"{names[seat]} leaves"
        case Cleared(seat):
            return f"the dice of {names[seat]} go out"
        case WentOut(seat, place):
            return f"{names[seat]} is out, number {place}"
        case Won(seat):
            return f"{names[seat]} wins"
        case _:
            assert_never(event)


def state_in_words(game: Game, names: list[str]) -> str:
    """Write what a game waits for, and who has how many dice."""
    hands = zip(names, game.dice, strict=True)
    dice = " ".join(f"{name} {count}" for name, count in hands if count)
    mode = ", palifico" * game.palifico
    match game.stage:
        case Stage.THROWING:
            return f"{_list(names[seat] for seat in game.throwing)} must throw; {dice}"
        case Stage.DEALING:
            return f"round {game.round + 1} waits for its dice{mode}; {dice}"
        case Stage.BIDDING:
            standing = f"on {game.standing}" if game.standing else "opening"
            return f"round {game.round}{mode}: {names[game.turn]}'s turn, {standing}; {dice}"
        case Stage.OVER:
            places = sorted(range(len(names)), key=lambda seat: game.places[seat])
            return f"over: {_list(names[seat] for seat in places)}; {dice}"
        case _:
            assert_never(game.stage)


def _rules(text: str) -> Ruleset:
    words = text.split()
    preset = words.pop(0) if words and words[0] in PRESETS else "standard"
    return ruleset(preset, dict(_option(word) for word in words))


def _option(word: str) -> tuple[str, Any]:
    name, _, value = word.partition("=")
    read = {"on": True, "off": False} if name != "palifico" else {}
    return name, int(value) if value.isdecimal() else read.get(value, value)


def _after(lines: list[str], key: str) -> str:
    return next(line for line in lines if line.startswith(f"{key}:")).partition(":")[2].strip()


def _dice(text: str) -> list[tuple[str, tuple[int, ...]]]:
    """Read `Ana 1 2, Ben 3` as names with dice."""
    hands = (part.split() for part in text.split(","))
    return [(name, tuple(map(int, dice))) for name, *dice in hands]


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(tell(path.read_text(encoding="utf-8")), encoding="utf-8")
