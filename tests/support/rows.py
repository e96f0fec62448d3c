"""Conformance rows: reading a file of them, and asking the engine what each one says.

A row is one mapping: a kind, the facts that it needs and what to expect. Nothing in a row is
passed over: a kind, a key or an expectation that is not known here is an error. A fact that may
stand on one kind of row may stand on every kind that is about a board.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from perudo_protocol.ruleset import PRESETS, OptionError, Ruleset, ruleset
from perudo_protocol.vocabulary import NO_SEAT, Bid, Call, Options
from perudo_server.rules.actions import Action, Dudo, Leave, PlaceBid, SpotOn, Throw, TimeUp
from perudo_server.rules.counting import count
from perudo_server.rules.events import BidPlaced, Called, DieGained, DieLost, Event
from perudo_server.rules.game import (
    Game,
    PlayerCountError,
    Refused,
    Stage,
    decide,
    evolve_all,
    new_game,
    options_for,
    prepared,
)
from perudo_server.rules.sight import visible_cups
from perudo_server.rules.values import replace

Row = Mapping[str, Any]
Found = dict[str, Any]

VARIABLE = "PERUDO_CONFORMANCE"
DEFAULT = Path(__file__).parent.parent / "rules" / "conformance.yaml"

COMMON = {"id", "clause", "kind", "rules", "expect", "note"}
BOARD = {
    "dice",
    "hands",
    "mode",
    "current_bid",
    "bidder",
    "turn",
    "left",
    "palifico_used",
    "phase",
}


class RowError(ValueError):
    """A row that cannot be run as it stands; the text says why."""


def rows_path() -> Path:
    """Give the file to run: the one that the environment names, else the copy kept here."""
    return Path(os.environ.get(VARIABLE) or DEFAULT)


def load_rows(path: Path) -> list[Row]:
    """Read a conformance file; raise `RowError` when it holds no list of mappings."""
    rows = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(rows, list) or not rows:
        raise RowError(f"{path} holds no rows; a conformance file is a list of mappings")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise RowError(f"row {number} of {path} is no mapping")
    return rows


def check_row(row: Row) -> None:
    """Run one row: raise `RowError` for one not understood, `AssertionError` for a difference."""
    kind = KINDS.get(row.get("kind", ""))
    if kind is None:
        raise RowError(
            f"no kind of row is called {row.get('kind')!r}; there are {', '.join(KINDS)}"
        )
    if unknown := set(row) - COMMON - kind.keys:
        raise RowError(f"a row of kind {row['kind']} knows no {', '.join(sorted(unknown))}")
    if missing := kind.needs - set(row):
        raise RowError(f"a row of kind {row['kind']} needs {', '.join(sorted(missing))}")
    expected = row.get("expect")
    if not isinstance(expected, dict) or not expected:
        raise RowError("a row expects something, or it cannot fail")
    found = kind.run(row)
    if unknown := set(expected) - set(found):
        raise RowError(f"a row of kind {row['kind']} tells no {', '.join(sorted(unknown))}")
    assert {key: found[key] for key in expected} == _plain(expected), row.get("note", "")


def rules_of(row: Row) -> Ruleset:
    """Give the options of a row: a preset's name, or options over `standard`."""
    named = row.get("rules", "standard")
    return ruleset(named) if isinstance(named, str) else ruleset("standard", named)


# Rows about no board ---------------------------------------------------------------------------


def _setup(row: Row) -> Found:
    named = row.get("rules", "standard")
    changes = PRESETS.get(named, {}) if isinstance(named, str) else named
    dice = changes.get("start_dice", 5)
    try:
        game = new_game(rules_of(row), row["players"])
    except (OptionError, PlayerCountError):
        return {"legal": False, "dice_each": dice}
    assert len(game.dice) == row["players"]
    return {"legal": set(game.dice) == {dice}, "dice_each": game.dice[0]}


def _first_player(row: Row) -> Found:
    names = list(row["rolls"])
    game = new_game(rules_of(row), len(names))
    events = decide(game, Throw(tuple(enumerate(row["rolls"].values()))))
    assert not isinstance(events, Refused)
    game = evolve_all(game, events)
    if game.stage is Stage.THROWING:
        return {"starter": None, "reroll": [names[seat] for seat in game.throwing]}
    return {"starter": names[game.opener], "reroll": []}


# Rows about a board ----------------------------------------------------------------------------


class Board:
    """The game that a row describes, and the names of its seats."""

    def __init__(self, row: Row) -> None:
        """Build the game; raise `RowError` for facts that contradict each other."""
        self.row = row
        hands = row.get("hands")
        sizes = row.get("dice") or {name: len(hand) for name, hand in (hands or {}).items()}
        hands = hands or {name: [2] * size for name, size in sizes.items()}
        self.names = list(sizes)
        self.dice = tuple(sizes.values())
        self.cups = tuple(tuple(hands.get(name, ())) for name in self.names)
        if not self.names or tuple(map(len, self.cups)) != self.dice or len(hands) != len(sizes):
            raise RowError("a row about a board gives dice or hands, and the two agree")
        self.gone = frozenset(self.seat(name) for name in row.get("left", ()))
        self.who = self._seat_or_none(row.get("who"))
        self.game = self._game()
        if "who" not in row:
            self.who = self.game.turn

    def seat(self, name: str) -> int:
        """Give the number of a named seat."""
        if name not in self.names:
            raise RowError(f"nobody called {name!r} sits at this board")
        return self.names.index(name)

    def name(self, seat: int) -> str | None:
        """Give the name of a seat, or nothing for none."""
        return None if seat == NO_SEAT else self.names[seat]

    def answers(self) -> int | None:
        """Give the number of the bid that the act names; unchecked where it names none."""
        if "names_bid" not in self.row:
            return None
        standing = len(self.game.ladder)
        if self.row["names_bid"] == self.row.get("current_bid"):
            return standing
        return standing - 1 if standing else 1

    def _seat_or_none(self, name: str | None) -> int:
        """Give a seat's number; one who watches, named or not, has none."""
        return self.names.index(name) if name in self.names else NO_SEAT

    def _game(self) -> Game:
        row = self.row
        game = Game(
            rules_of(row),
            self.dice,
            self.cups,
            gone=self.gone,
            stage=Stage.BIDDING,
            round=1,
            palifico=_word(row, "mode", {"normal": False, "palifico": True}),
            palifico_used=frozenset(self.seat(name) for name in row.get("palifico_used", ())),
        )
        turn = self._turn(game)
        game = replace(game, turn=turn, opener=turn, places=self._places(game))
        game = replace(game, ladder=self._ladder(turn))
        return prepared(_at_phase(game, row))

    def _turn(self, game: Game) -> int:
        """Give who is in turn: as the row says, else who acts, else who follows the bidder."""
        if self.row.get("turn") is not None:
            return self.seat(self.row["turn"])
        if self.row["kind"] in ("bid", "call", "resolve", "minimum") and game.plays(self.who):
            return self.who
        bidder = self.row.get("bidder")
        return game.next_after(NO_SEAT if bidder is None else self.seat(bidder))

    def _ladder(self, turn: int) -> tuple[BidPlaced, ...]:
        if self.row.get("current_bid") is None:
            return ()
        bidder = self.row.get("bidder")
        seat = self._before(turn) if bidder is None else self.seat(bidder)
        return (BidPlaced(seat, Bid(*self.row["current_bid"])),)

    def _before(self, turn: int) -> int:
        """Give the next seat with dice against the clock."""
        back = [(turn - step) % len(self.dice) for step in range(1, len(self.dice) + 1)]
        return next(seat for seat in back if self.dice[seat] > 0)

    def _places(self, game: Game) -> tuple[int, ...]:
        """Give everybody who is out some place, from the last upwards."""
        places, last = [], len(self.names)
        for seat in range(len(self.names)):
            places.append(0 if game.plays(seat) else last)
            last -= not game.plays(seat)
        return tuple(places)


def _at_phase(game: Game, row: Row) -> Game:
    stage = _word(
        row, "phase", {"bidding": Stage.BIDDING, "reveal": Stage.DEALING, "over": Stage.OVER}
    )
    if stage is Stage.BIDDING:
        return game
    winner = game.playing[0] if stage is Stage.OVER and game.playing else NO_SEAT
    return replace(game, stage=stage, turn=NO_SEAT, shown=True, winner=winner)


def _word(row: Row, key: str, words: dict[str, Any]) -> Any:
    """Read a fact that is one of a few words, the first of them where the row is silent."""
    word = row.get(key, next(iter(words)))
    if word not in words:
        raise RowError(f"{key} is one of {', '.join(words)}, not {word!r}")
    return words[word]


def _act(board: Board, action: Action) -> Found:
    """Do it, and tell all that a row of any kind may expect of what it brought."""
    result = decide(board.game, action)
    if isinstance(result, Refused):
        return {**_told(board, board.game, ()), "legal": False, "reason": result.reason.value}
    after = evolve_all(board.game, result)
    return {**_told(board, after, result), "legal": True, "reason": "ok"}


def _told(board: Board, after: Game, events: tuple[Event, ...]) -> Found:
    call = next((e for e in events if isinstance(e, Called)), None)
    bid = next((e.bid for e in events if isinstance(e, BidPlaced)), None)
    next_up = after.stage is Stage.DEALING
    return {
        "count": call.count if call else None,
        "dice_after": dict(zip(board.names, after.dice, strict=True)),
        "lost": [board.name(e.seat) for e in events if isinstance(e, DieLost)],
        "gained": [board.name(e.seat) for e in events if isinstance(e, DieGained)],
        "starter": board.name(after.opener) if next_up else None,
        "next_mode": _mode(after) if next_up else None,
        "mode": _mode(after),
        "game_over": after.stage is Stage.OVER,
        "winner": board.name(after.winner),
        "turn": board.name(after.turn),
        "current_bid": list(after.standing) if after.standing else None,
        "action": call.call.value if call else "bid" if bid else None,
        "bid": list(bid) if bid else None,
        "minimum": _minimum(options_for(after, board.who)),
        "sees": _sees(board, after),
    }


def _mode(game: Game) -> str:
    return "palifico" if game.palifico else "normal"


def _minimum(options: Options) -> dict[str, int | None]:
    return {str(face): least or None for face, least in enumerate(options.least, 1)}


def _sees(board: Board, game: Game) -> dict[str, list[int] | int]:
    seen = visible_cups(game, board.who)
    return {
        name: cup if isinstance(cup, int) else list(cup)
        for name, cup in zip(board.names, seen, strict=True)
    }


def _count(row: Row) -> Found:
    board = Board(row)
    return {"count": count(board.cups, row["face"], board.game.wild)}


def _bid(row: Row) -> Found:
    board, raw = Board(row), row["new_bid"]
    bid = cast(Bid, Bid(*raw) if isinstance(raw, list) and len(raw) == 2 else raw)
    return _act(board, PlaceBid(board.who, bid, board.answers()))


def _call(row: Row) -> Found:
    board = Board(row)
    if _word(row, "call", {call.value: call for call in Call}) is Call.DUDO:
        return _act(board, Dudo(board.who, board.answers()))
    return _act(board, SpotOn(board.who, board.answers()))


def _resolve(row: Row) -> Found:
    found = _call(row)
    assert found["legal"], f"the call is refused: {found['reason']}"
    return found


def _leave(row: Row) -> Found:
    board = Board(row)
    return _act(board, Leave(board.who))


def _timeout(row: Row) -> Found:
    board = Board(row)
    return _act(board, TimeUp(board.who))


def _look(row: Row) -> Found:
    """Ask for the board as it lies, without an act."""
    board = Board(row)
    return _told(board, board.game, ())


@dataclass(frozen=True)
class Kind:
    """How a kind of row is run, and which facts it may and must have."""

    run: Callable[[Row], Found]
    keys: set[str]
    needs: set[str]


KINDS: Mapping[str, Kind] = {
    "setup": Kind(_setup, {"players"}, {"players"}),
    "first_player": Kind(_first_player, {"rolls"}, {"rolls"}),
    "count": Kind(_count, BOARD | {"face"}, {"hands", "face"}),
    "bid": Kind(_bid, BOARD | {"who", "new_bid", "names_bid"}, {"new_bid"}),
    "minimum": Kind(_look, BOARD | {"who"}, set()),
    "call": Kind(_call, BOARD | {"who", "call", "names_bid"}, {"call"}),
    "resolve": Kind(_resolve, BOARD | {"who", "call", "names_bid"}, {"call", "hands"}),
    "leave": Kind(_leave, BOARD | {"who"}, {"who"}),
    "timeout": Kind(_timeout, BOARD | {"who"}, set()),
    "view": Kind(_look, BOARD | {"who"}, {"who", "hands"}),
}


def _plain(expected: Mapping[str, Any]) -> dict[str, Any]:
    """Give the expectations with every key a text, as JSON would have them."""
    return {
        str(key): _plain(value) if isinstance(value, dict) else value
        for key, value in expected.items()
    }
