"""What stands in a server's journal, read while the server is dead, and what players were told held
against it.

The files are copied first, so that the next server finds them as the last one left them.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from perudo_protocol import story as ev
from perudo_protocol.ruleset import from_wire
from perudo_protocol.views import SeatView, TableView
from perudo_protocol.vocabulary import Phase, Player
from perudo_server import entries as n
from perudo_server.journal_entry import Entry
from perudo_server.journal_file import SqliteStore
from perudo_server.play import Play
from perudo_server.ruled import event_of
from perudo_server.settings import Settings
from perudo_server.view import committed, tell
from tests.support.held_clock import HeldClock
from tests.support.house import ChosenDice

from .evening import Answer, Move, Told, act_of

PRIVATE = (ev.People, ev.Ready, ev.TurnSet, ev.TimeGiven, ev.Paused)
"""Events of a table that are no steps of its game."""


class Broken(Exception):
    """The journal and what was told do not go together."""


def read(data: Path, after: int = 0) -> list[Entry]:
    """Give the entries of a dead server's journal after this number."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "data"
        shutil.copytree(data, copy)
        store = SqliteStore.open(copy, "normal")
        try:
            found: list[Entry] = []
            while more := store.log(found[-1].seq if found else after):
                found += more
            return found
        finally:
            store.close()


class GameStory:
    """The public story of one game as the journal has it."""

    def __init__(self, began: n.Began, rules: dict[str, Any]) -> None:
        self.number = began.game
        self._play = Play(
            began.game,
            from_wire(rules),
            began.seats,
            clock=HeldClock(),
            dice=ChosenDice(),
            settings=Settings(),
            tell_all=lambda _: None,
            hand_out=lambda: None,
            keep=lambda _: None,
            proof=began.proof,
        )
        seats = (SeatView(name="", player=Player.PERSON),) * began.seats
        start = TableView(table=1, name="", rules={}, rev=0, host=0, seats=seats)
        dice = self._play.game.rules.start_dice
        self.steps: list[ev.AnyEvent] = [ev.Started(began.game, dice, began.proof)]
        self.views: list[TableView] = [ev.fold(start, self.steps[0])]
        """The picture after each step."""
        self.moves: dict[Move, int] = {}
        """All that was done, each with the person in the seat; 0 when time was up."""
        self._by_clock = False

    @property
    def over(self) -> bool:
        """Say whether somebody has won."""
        return self.views[-1].phase is Phase.OVER

    def acts_of(self, people: set[int]) -> list[Move]:
        """Give what these people did by themselves."""
        return [move for move, person in self.moves.items() if person in people]

    def take(self, entry: n.AnyEntry, seated: Sequence[int]) -> None:
        """Go on with an entry of the game; `seated` are the people by their seats."""
        drawing = self._play.drawing
        self._play.restored(entry)
        if isinstance(entry, n.Drawn):
            self._step(committed(self._play.record.proof))
        elif isinstance(entry, n.Ruled):
            if entry.event == "dealt" and drawing is not None:
                self._step(ev.Opened(drawing.opened))
            told = tell(event_of(entry), self._play)
            if told is not None:
                self._note_move(told, seated)
                self._step(told)

    def _note_move(self, told: ev.AnyEvent, seated: Sequence[int]) -> None:
        view = self.views[-1]
        if isinstance(told, ev.BidPlaced | ev.Called):
            what = told.bid if isinstance(told, ev.BidPlaced) else told.call
            move = Move(view.game, view.round, len(view.ladder), told.seat, what)
            self.moves[move] = 0 if self._by_clock else seated[told.seat]
        self._by_clock = isinstance(told, ev.TimedOut)

    def _step(self, event: ev.AnyEvent) -> None:
        self.steps.append(event)
        self.views.append(ev.fold(self.views[-1], event))


class Chronicle:
    """All that was ever read of a journal."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.answers: dict[tuple[int, int], list[tuple[n.Answered, Entry]]] = {}
        self.games: dict[int, GameStory] = {}
        self.tables: set[int] = set()
        self.people: set[int] = set()
        self._rules: dict[int, dict[str, Any]] = {}
        self._on: dict[int, GameStory] = {}
        self._seated: dict[int, list[int]] = {}

    @property
    def last(self) -> int:
        """Give the number of the last entry that was read."""
        return self.entries[-1].seq if self.entries else 0

    def take(self, entries: Iterable[Entry]) -> None:
        """Go on reading."""
        for entry in entries:
            if entry.seq != self.last + 1:
                raise Broken(f"entry {entry.seq} follows entry {self.last}")
            self.entries.append(entry)
            happened = n.decode(entry.body)
            if entry.stream == n.HOUSE:
                self._house(entry, happened)
            else:
                self._table(entry.stream, happened)

    def _house(self, entry: Entry, happened: n.AnyEntry) -> None:
        if isinstance(happened, n.Answered):
            found = self.answers.setdefault((happened.person, happened.id), [])
            found.append((happened, entry))
            if len(found) > 1:
                raise Broken(f"{happened.person}'s request {happened.id} was answered twice")
        elif isinstance(happened, n.Came):
            _once(happened.person, self.people, "person")

    def _table(self, table: int, happened: n.AnyEntry) -> None:
        match happened:
            case n.Opened(rules=rules):
                _once(table, self.tables, "table")
                self._rules[table] = rules
            case n.Began(game=game):
                if game in self.games:
                    raise Broken(f"the number of game {game} was given twice")
                self.games[game] = self._on[table] = GameStory(happened, self._rules[table])
            case n.Roster(seats=seats):
                self._seated[table] = [seat.person for seat in seats]
            case n.Over():
                del self._on[table]
            case _ if table in self._on:
                self._on[table].take(happened, self._seated[table])


def _once(number: int, known: set[int], what: str) -> None:
    if number in known:
        raise Broken(f"the number of {what} {number} was given twice")
    known.add(number)


def check_answer(chronicle: Chronicle, answer: Answer) -> None:
    """See that what was acknowledged stands in the journal, once, with what it did."""
    request, reason = answer.request, answer.reason
    found = chronicle.answers.get((answer.person, request.id), [])
    if reason in ("slow_down", "storage_full"):
        return
    if not found:
        raise Broken(f"{request!r} of {answer.person} was answered, and the journal has nothing")
    if found[0][0].reason != reason:
        raise Broken(f"{request!r} was answered {reason!r}, in the journal {found[0][0].reason!r}")
    move = act_of(request, answer.seat)
    if reason or move is None:
        return
    game = chronicle.games.get(move.game)
    if game is None or move not in game.moves:
        raise Broken(f"{request!r} of seat {answer.seat} was done, and is not in the journal")


class Follower:
    """Follows with a finger in the journal what one player was told.

    After a fresh picture there may be several places in the journal that look like it; all of them
    are followed until one is left.
    """

    def __init__(self) -> None:
        self._game = 0
        self._places: set[int] = set()
        self._done = 0
        self.steps = 0

    def follow(self, chronicle: Chronicle, told: Sequence[Told]) -> None:
        """Go on; raises `Broken` where the journal says something else."""
        for game, what in told[self._done :]:
            self._done += 1
            if isinstance(what, PRIVATE) or not game:
                continue
            self.steps += 1
            story = chronicle.games.get(game)
            if story is None:
                raise Broken(f"game {game} was told of, and the journal has none")
            if isinstance(what, TableView):
                self._look(story, what)
            else:
                self._go(story, what)

    def _look(self, story: GameStory, view: TableView) -> None:
        least = min(self._places, default=0) if story.number == self._game else 0
        looks = _public(view)
        self._game = story.number
        self._places = {
            place
            for place in range(least, len(story.views))
            if _public(story.views[place]) == looks
        }
        if not self._places:
            raise Broken(f"nowhere after step {least} does the journal look like {view!r}")

    def _go(self, story: GameStory, event: ev.AnyEvent) -> None:
        if isinstance(event, ev.Started):
            if story.number == self._game:
                raise Broken(f"game {story.number} began twice")
            self._game, self._places = story.number, {-1}
        event = _timeless(event)
        self._places = {
            place + 1
            for place in self._places
            if place + 1 < len(story.steps) and _timeless(story.steps[place + 1]) == event
        }
        if not self._places:
            raise Broken(f"{event!r} of game {story.number} was told, and the journal says else")


def _timeless(event: ev.AnyEvent) -> ev.AnyEvent:
    if isinstance(event, ev.NextSet):
        return replace(event, resume=0)
    if isinstance(event, ev.Started):
        return replace(event, more_time=False)
    return event


def _public(view: TableView) -> tuple[object, ...]:
    names = "game round phase opener palifico ladder throws reveal next winner tallies proof"
    dice = tuple((seat.dice, seat.place) for seat in view.seats)
    return (dice, *(getattr(view, name) for name in names.split()))
