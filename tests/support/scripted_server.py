"""A server that says what a test tells it to say: the other end of a bot's link."""

from __future__ import annotations

import random
from itertools import count
from typing import Any, TypeVar

from perudo_bot.brain import Brain, Choice
from perudo_bot.runner import BotPlayer
from perudo_protocol.codec import decode_client, encode
from perudo_protocol.framing import TO_SERVER, FrameReader
from perudo_protocol.link import Link, memory_links
from perudo_protocol.messages import ClientMessage, FromServer, Refused, Update
from perudo_protocol.ruleset import STANDARD, to_wire
from perudo_protocol.story import AnyEvent, BidPlaced, Dealt, TurnSet
from perudo_protocol.views import SeatView, TableView, Turn
from perudo_protocol.vocabulary import Bid, Call, Phase, Player

from .held_clock import HeldClock

Message = TypeVar("Message")

LEAST = (0, 1, 1, 1, 1, 1)
MOST = (0, 10, 10, 10, 10, 10)
BOT = 7
"""The bot's number on this server."""


class ScriptedServer:
    """Keeps what a bot says, and says nothing by itself."""

    def __init__(self) -> None:
        self.heard: list[ClientMessage] = []
        self.link: Link | None = None
        self.is_lost = False
        self.clock = HeldClock()
        self._reader = FrameReader(TO_SERVER)
        self._revs = count(1)

    def meet(self, bot: BotPlayer) -> None:
        """Join a bot to this server and let it greet."""
        memory_links(self, bot, self.clock.soon)
        self.clock.settle()

    def opened(self, link: Link) -> None:
        self.link = link

    def received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (payload := self._reader.next()) is not None:
            self.heard.append(decode_client(payload))

    def drained(self) -> None:
        pass

    def lost(self) -> None:
        self.is_lost = True

    def say(self, *messages: FromServer) -> None:
        """Send messages in one piece, and let the bot hear them, but no time pass."""
        assert self.link is not None
        self.link.write(b"".join(map(encode, messages)))
        self.clock.settle()

    def tell(self, *events: AnyEvent) -> None:
        """Send an update."""
        self.say(Update(rev=next(self._revs), events=events))

    def said(self, kind: type[Message]) -> list[Message]:
        """Give what the bot said of this kind."""
        return [message for message in self.heard if isinstance(message, kind)]

    @property
    def last(self) -> ClientMessage:
        """The last thing that the bot said."""
        return self.heard[-1]


class Scripted(Brain):
    """A brain that does what a test says, and keeps what it was shown."""

    def __init__(self, *choices: Choice, out_of_turn: Call | None = None) -> None:
        super().__init__(random.Random(1))
        self.choices = list(choices)
        self.out_of_turn = out_of_turn
        self.shown: list[TableView] = []

    def choose(self, view: TableView) -> Choice:
        self.shown.append(view)
        return self.choices.pop(0) if len(self.choices) > 1 else self.choices[0]

    def interject(self, view: TableView) -> Call | None:
        self.shown.append(view)
        return self.out_of_turn


def met(seconds: float = 0.0, **values: Any) -> tuple[ScriptedServer, BotPlayer]:
    """Give a server and a bot that has greeted it; its time is the server's held clock."""
    server = ScriptedServer()
    brain = values.pop("brain", None) or Brain(random.Random(1))
    bot = BotPlayer("Bia", brain, seconds, call_later=server.clock.later, **values)
    server.meet(bot)
    return server, bot


def table(**changes: Any) -> TableView:
    """Give a view of a table in the lobby: a person in seat 0, the bot in seat 1."""
    values: dict[str, Any] = {
        "table": 3,
        "name": "table",
        "rules": to_wire(STANDARD),
        "rev": 0,
        "host": 5,
        "seats": (SeatView("Ana", Player.PERSON, 5, 5), SeatView("Bia", Player.BOT, BOT, 5)),
        "you": BOT,
    }
    return TableView(**{**values, **changes})


def turn(seat: int, standing: bool = False) -> Turn:
    """Give a turn in which every bid from ones on is legal, and dudo once a bid stands."""
    calls = (seat,) if standing else ()
    return Turn(seat, 0, LEAST, MOST, calls, calls)


def bidding(**changes: Any) -> TableView:
    """Give a view in mid-round: game 4, round 2, the bot opens with a hand of its own."""
    values: dict[str, Any] = {
        "phase": Phase.BIDDING,
        "game": 4,
        "round": 2,
        "opener": 1,
        "turn": turn(1),
        "hand": (2, 2, 3, 5, 1),
    }
    return table(**{**values, **changes})


def dealt(number: int, opener: int) -> tuple[AnyEvent, ...]:
    """Give the events of a deal."""
    return Dealt(number, opener, palifico=False), turn_event(turn(opener))


def bid(seat: int, text: str) -> tuple[AnyEvent, ...]:
    """Give the events of a bid, the other seat in turn after it."""
    return BidPlaced(seat, Bid.parse(text)), turn_event(turn(1 - seat, standing=True))


def turn_event(now: Turn) -> TurnSet:
    """Give a turn as an event."""
    return TurnSet(now.seat, now.deadline, now.least, now.most, now.dudo, now.spot_on)


def wait(server: ScriptedServer, seconds: float = 0.0) -> None:
    """Let time pass."""
    server.clock.advance(seconds)


def refuse(server: ScriptedServer, reason: str) -> None:
    """Refuse the last thing that the bot asked for."""
    server.say(Refused(re=server.last.id, reason=reason))  # type: ignore[union-attr]
    wait(server)
