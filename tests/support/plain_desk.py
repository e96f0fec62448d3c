"""A plain client on a wire that only keeps what is sent; answers come from the test."""

from __future__ import annotations

from perudo_client.endings import Closed
from perudo_client.plain import Plain
from perudo_client.plan import Plan
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol import views as v
from perudo_protocol.ruleset import ruleset, to_wire
from perudo_protocol.vocabulary import Player
from tests.support import sample_views

ME, BO = 1, 2
WELCOME = m.Welcome(version=1, server="s 1", name="Home", person=ME, you="Ana", now=0, keeps=True)
LOBBY = v.TableView(
    table=4,
    name="Friday",
    rules=to_wire(ruleset()),
    rev=0,
    host=ME,
    seats=(v.SeatView("Ana", Player.PERSON, ME), v.SeatView("Bo", Player.PERSON, BO)),
    you=ME,
)


class Desk:
    """A plain client on a wire that only keeps what is sent; answers come from the test."""

    certificate = b""
    peer = "192.168.1.20"

    def __init__(
        self,
        plan: Plan = Plan.LOOK,
        table: int = 0,
        odds: bool = False,
        secret: str = "",
        may_ask: bool = True,
    ) -> None:
        self.lines: list[str] = []
        self.complaints: list[str] = []
        self.sent: list[m.ClientMessage] = []
        self.names: list[str] = []
        self.taken = 0
        self.now = 0.0
        self.closed = False
        self.code: int | None = None
        self.plain = Plain(
            tell=self.lines.append,
            complain=self.complaints.append,
            on_end=self._ended,
            clock=lambda: self.now,
            plan=plan,
            table=table,
            name="Ana",
            with_odds=odds,
            on_taken=self._taken,
            secret=secret,
            may_ask=may_ask,
        )
        self.plain.wire = self

    def _ended(self, code: int) -> None:
        assert self.code is None, "it ends once"
        self.code = code

    def _taken(self) -> None:
        self.taken += 1

    # The wire

    def send(self, message: m.ClientMessage) -> None:
        self.sent.append(message)

    def greet(self, name: str) -> None:
        self.names.append(name)

    def close(self) -> None:
        self.closed = True
        self.plain.lost(Closed.BY_US)

    # The test's hands

    def hear(self, *messages: m.ServerMessage) -> list[str]:
        """Give the lines that these messages bring."""
        before = len(self.lines)
        for message in messages:
            self.plain.hear(message)
        return self.lines[before:]

    def told(self, *events: ev.AnyEvent) -> list[str]:
        view = self.plain.model.view
        assert view is not None
        return self.hear(m.Update(rev=view.rev + 1, events=events))

    def type(self, *lines: str) -> list[str]:
        before = len(self.lines)
        for line in lines:
            self.plain.typed(line)
        return self.lines[before:]

    def asked(self, line: str) -> m.ClientMessage:
        """Type a line, and give the request that it made, answered at once."""
        before = len(self.sent)
        self.type(line)
        (request,) = self.sent[before:]
        assert isinstance(request, m.Request)
        self.hear(m.Done(re=request.id))
        return request


def greeted() -> Desk:
    desk = Desk()
    desk.hear(WELCOME, m.Tables(tables=sample_views.tables()))
    return desk


def seated(view: v.TableView = LOBBY) -> Desk:
    desk = greeted()
    desk.hear(m.View(view=view))
    return desk


def playing(odds: bool = False) -> Desk:
    """Ana is to open round 1."""
    desk = Desk(odds=odds)
    desk.hear(WELCOME, m.Tables(tables=sample_views.tables()), m.View(view=LOBBY))
    desk.told(ev.Started(1, 5), ev.Thrown((v.Throw(0, 6), v.Throw(1, 2))), ev.NextSet(0, False, 9))
    desk.told(ev.Dealt(1, 0, False), turn(0))
    desk.hear(m.OwnHand(round=1, dice=(1, 2, 2, 4, 6)))
    return desk


def turn(seat: int, least: tuple[int, ...] = (0, 1, 1, 1, 1, 1)) -> ev.TurnSet:
    caller = (seat,)
    return ev.TurnSet(seat, 30_000, least, (10,) * 6, caller, caller)
