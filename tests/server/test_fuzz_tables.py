"""Several people at several tables ask for whatever they like, in any order, come, go, fall silent
and are lost; whatever they do, the house stays in order.

A machine of hypothesis drives the real lobby over memory links. An exception anywhere ends it.
"""

from __future__ import annotations

import logging
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from perudo_protocol import messages as m
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import FACES, NO_SEAT, Phase, Player
from perudo_server import view
from perudo_server.people import Person
from perudo_server.rules.game import Stage
from tests.support.house import HouseOfTests, Peer

NAMES = ("Ana", "Bob", "Cem", "Dora", "Eva", "Fred")
PEOPLE = 4
"""The rest of the names belong to bots that come from outside."""
OPTIONS: tuple[dict[str, Any], ...] = (
    {"start_dice": 1, "max_players": 3},
    {"start_dice": 1, "on_leave": "ghost", "turn_seconds": 0},
    {"start_dice": 2, "on_leave": "ghost", "dudo_by": "any", "spot_on_by": "any"},
    {"start_dice": 2, "max_players": 4, "first_player": "random", "turn_seconds": 10},
)
ABOUT_SOMEBODY: tuple[type[m.Request], ...] = (m.Kick, m.HandOver)
SOMEBODY = st.integers(0, len(NAMES) - 1)
NUMBER = st.integers(0, 9)
TOO_LATE = {"stale", "not_seated", "no_game", "not_at_table"}
"""What an act is answered that names another moment than the present one."""


class _Errors(logging.Handler):
    """Holds what was logged as an error: things that nobody expected."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(record.getMessage())


class Evening(RuleBasedStateMachine):
    """Everybody does as they please."""

    def __init__(self) -> None:
        super().__init__()
        self.house = HouseOfTests(watchers_per_table=3)
        self.errors = _Errors()
        self.house.log.addHandler(self.errors)
        self.peers: list[Peer | None] = [None] * len(NAMES)
        self.kept: list[dict[str, int]] = []

    @initialize(options=st.sampled_from(OPTIONS))
    def open(self, options: dict[str, Any]) -> None:
        """Begin where there is something to do: three people and a bot of the house at a table."""
        for who in range(PEOPLE):
            self.come(who)
        self.make(0, "Ana's", options)
        for who in (1, 2):
            self.go(who, m.Join, 0)
        self.want(0, m.AddBot)

    # What somebody can do -------------------------------------------------------------------

    @rule(who=SOMEBODY)
    def come(self, who: int) -> None:
        """Connect, if not connected."""
        if self.peers[who] is None:
            peer = self.house.peer(NAMES[who], bot=who >= PEOPLE)
            assert peer.last(m.Welcome).you == NAMES[who]
            self.peers[who] = peer

    @rule(
        who=SOMEBODY,
        name=st.sampled_from(["Ana's", "ANAS", "Other"]),
        options=st.sampled_from(OPTIONS),
    )
    def make(self, who: int, name: str, options: dict[str, Any]) -> None:
        """Open a table."""
        self.ask(who, m.Make, name=name, options=options)

    @rule(who=SOMEBODY, kind=st.sampled_from([m.Join, m.Join, m.Watch]), number=NUMBER)
    def go(self, who: int, kind: type[m.Request], number: int) -> None:
        """Go to a table, or to one that is not there."""
        numbers = [*(table.number for table in self.house.lobby.tables), 9999]
        self.ask(who, kind, table=numbers[number % len(numbers)])

    @rule(
        who=SOMEBODY,
        kind=st.sampled_from([m.Start, m.Start, m.Rematch, m.Rematch, m.AddBot, m.Leave]),
    )
    def want(self, who: int, kind: type[m.Request]) -> None:
        """Ask for something that needs no more words."""
        self.ask(who, kind)

    @rule(kind=st.sampled_from([m.Start, m.Rematch, m.AddBot, m.Leave]), number=NUMBER)
    def host_wants(self, kind: type[m.Request], number: int) -> None:
        """The same, where it is likely to be granted."""
        self.ask(self.a_host(number), kind)

    @rule(kind=st.sampled_from((*ABOUT_SOMEBODY, m.RemoveBot)), host=NUMBER, at=NUMBER)
    def host_moves(self, kind: type[m.Request], host: int, at: int) -> None:
        """Send somebody away, or hand the table over."""
        who = self.a_host(host)
        peer = self.peers[who]
        if peer is None or peer.view is None:
            return
        table = self.house.the_table(peer.at.table)
        here = [person.number for person in table.roster.everybody()]
        if kind is m.RemoveBot:
            self.ask(who, kind, seat=at)
        else:
            self.ask(who, kind, person=here[at % len(here)] if at < 8 else 1000)

    @rule(who=SOMEBODY, person=NUMBER, kind=st.sampled_from(ABOUT_SOMEBODY))
    def presume(self, who: int, person: int, kind: type[m.Request]) -> None:
        """Ask for what only the host may ask for, of anybody."""
        self.ask(who, kind, person=person)

    @rule(who=SOMEBODY, ready=st.booleans())
    def ready(self, who: int, ready: bool) -> None:
        """Be ready for what comes, or take it back."""
        peer = self.peers[who]
        if peer is not None and peer.view is not None:
            self.ask(who, m.SetReady, game=peer.at.game, round=peer.at.round, ready=ready)

    @rule()
    def all_ready(self) -> None:
        """Everybody goes on."""
        for who in range(len(NAMES)):
            self.ready(who, True)

    @rule(
        who=SOMEBODY,
        text=st.sampled_from(["", "hm", "[/]\x1b[2J", "\u202e"]),
        phrase=st.sampled_from(["", "oops", "?"]),
    )
    def say(self, who: int, text: str, phrase: str) -> None:
        """Say something, or nothing."""
        self.ask(who, m.Say, text=text, phrase=phrase)

    @rule(data=st.data(), number=NUMBER, call=st.sampled_from(["", "", "dudo", "spot_on"]))
    def play(self, data: st.DataObject, number: int, call: str) -> None:
        """Move, where it is somebody's turn: mostly as the server offers it."""
        tables = [
            t for t in self.house.lobby.tables if t.play and t.play.game.stage is Stage.BIDDING
        ]
        if not tables:
            return
        table = tables[number % len(tables)]
        assert table.play is not None
        who = self.who_is(table.roster.seats[table.play.game.turn].person)
        peer = None if who is None else self.peers[who]
        if who is None or peer is None:
            return
        options = peer.at.options_for(peer.seat)
        faces = [face for face in FACES if options.least[face - 1]]
        if call == "dudo" and options.may_dudo:
            assert self.ask(who, m.Dudo, **peer.stamp()) == "done"
        elif call == "spot_on" and options.may_spot_on:
            assert self.ask(who, m.SpotOn, **peer.stamp()) == "done"
        elif faces:
            face = data.draw(st.sampled_from(faces))
            bid = {"quantity": options.least[face - 1], "face": face}
            assert self.ask(who, m.PlaceBid, **peer.stamp(), **bid) == "done"

    @rule(
        who=SOMEBODY,
        kind=st.sampled_from([m.Dudo, m.SpotOn, m.PlaceBid]),
        wild=st.integers(-1, 2**64 - 1),
    )
    def interfere(self, who: int, kind: type[m.Act], wild: int) -> None:
        """Act whoever's turn it is; a bid of any number."""
        peer = self.peers[who]
        if peer is not None and peer.view is not None:
            bid = {"quantity": wild % 2**63, "face": wild % 9 - 1} if kind is m.PlaceBid else {}
            self.ask(who, kind, **peer.stamp(), **bid)

    @rule(who=SOMEBODY)
    def keep(self, who: int) -> None:
        """Put a moment by, for an act that comes late."""
        peer = self.peers[who]
        if peer is not None and peer.view is not None:
            self.kept.append(peer.stamp())

    @precondition(lambda self: self.kept)
    @rule(who=SOMEBODY, kind=st.sampled_from([m.Dudo, m.SpotOn, m.PlaceBid]), number=NUMBER)
    def act_late(self, who: int, kind: type[m.Act], number: int) -> None:
        """What names another moment than the present one is never done."""
        peer, stamp = self.peers[who], self.kept[number % len(self.kept)]
        if peer is None:
            return
        late = peer.view is None or stamp != peer.stamp() or peer.at.phase is not Phase.BIDDING
        bid = {"quantity": 1, "face": 2} if kind is m.PlaceBid else {}
        answer = self.ask(who, kind, **stamp, **bid)
        assert not late or answer in TOO_LATE | {"not_playing", "not_your_turn"}

    @rule(who=SOMEBODY)
    def drop(self, who: int) -> None:
        """Lose the connection."""
        peer = self.peers[who]
        if peer is not None:
            self.house.drop(peer)

    @rule(who=SOMEBODY)
    def fall_silent(self, who: int) -> None:
        """Answer nothing any more."""
        peer = self.peers[who]
        if peer is not None:
            peer.answers_pings = False

    @rule(seconds=st.sampled_from([0, 0.5, 4, 6, 13, 61]))
    def wait(self, seconds: float) -> None:
        """Let time pass, in which bots move and clocks run out."""
        self.house.clock.advance(seconds)

    # How it is done -------------------------------------------------------------------------

    def ask(self, who: int, kind: type[m.Request], **fields: Any) -> str:
        """Ask, and see that there is just one answer."""
        peer = self.peers[who]
        if peer is None or peer.is_lost:
            return "gone"
        before = len(peer.all(m.Done)) + len(peer.all(m.Refused))
        answer = self.house.ask(peer, kind, **fields)
        assert len(peer.all(m.Done)) + len(peer.all(m.Refused)) == before + 1
        return answer

    def a_host(self, number: int) -> int:
        """Choose the host of a table; somebody, where there is no table."""
        tables = self.house.lobby.tables
        host = tables[number % len(tables)].roster.host if tables else None
        return self.who_is(host) or 0

    def who_is(self, person: Person | None) -> int | None:
        if person is None or person.ours:
            return None
        return NAMES.index(person.name)

    def here(self) -> list[tuple[Peer, Person]]:
        """Give everybody who is connected, seen from both sides."""
        people = {person.number: person for person in self.house.lobby.register.people.values()}
        found = []
        for who, peer in enumerate(self.peers):
            if peer is not None and peer.is_lost:
                self.peers[who] = None
            elif peer is not None:
                found.append((peer, people[peer.last(m.Welcome).person]))
        return found

    # What stays so --------------------------------------------------------------------------

    @invariant()
    def nothing_unexpected_is_logged(self) -> None:
        assert self.errors.heard == []

    @invariant()
    def each_table_has_one_host_who_is_a_person_there(self) -> None:
        for table in self.house.lobby.tables:
            assert table.roster.host in table.roster.people()
            assert not table.roster.host.bot

    @invariant()
    def everybody_is_in_one_place(self) -> None:
        """Where the person's own mark says, once; and nobody is told of two of the same number."""
        placed = [(p, t) for t in self.house.lobby.tables for p in t.roster.everybody()]
        assert all(person.table == table.number for person, table in placed)
        assert len({id(person) for person, _ in placed}) == len(placed)
        away = [p for p in self.house.lobby.register.people.values() if not p.table]
        assert len(away) + len(placed) == len(self.house.lobby.register.people)

    @invariant()
    def what_was_told_adds_up_to_the_view(self) -> None:
        for peer, person in self.here():
            if person.table:
                built = view.build(self.house.the_table(person.table), person)
                assert different(peer.at, built) == {}
            else:
                assert peer.view is None
                assert peer.last(m.Tables) == self.house.lobby._listing.message()

    @invariant()
    def nobody_sees_dice_of_others_before_the_call(self) -> None:
        """The story holds cups in calls alone, and a hand is that of the own seat."""
        for peer, person in self.here():
            play = self.house.the_table(person.table).play if person.table else None
            if play is not None:
                at, game = peer.at, play.game
                assert at.reveal is None or game.stage is not Stage.BIDDING
                assert at.hand in ((), game.cups[peer.seat] if peer.seat != NO_SEAT else ())

    @invariant()
    def no_bot_of_the_house_is_left_over(self) -> None:
        bots = [p for t in self.house.lobby.tables for p in t.roster.everybody() if p.ours]
        assert self.house.lobby.sessions == len(self.here()) + len(bots)

    @invariant()
    def every_game_goes_on_by_itself(self) -> None:
        """A round is awaited for a bounded time, and a turn too where the table has a clock."""
        now = self.house.clock.now()
        for table in self.house.lobby.tables:
            play = table.play
            if play is None:
                continue
            if play.game.stage is Stage.DEALING:
                assert now < play.resume <= now + 12
            elif play.game.stage is Stage.BIDDING and table.rules.turn_seconds:
                assert now < play.deadline <= now + table.rules.turn_seconds
            assert (play.game.stage is Stage.OVER) != play.on
            players = [Player(seat.player) for seat in table.roster.seats]
            assert Player.NOBODY not in [players[s] for s in play.game.playing] or not play.on

    def teardown(self) -> None:
        """When everybody has gone, nothing is left."""
        self.house.log.removeHandler(self.errors)
        for peer, _ in self.here():
            self.house.drop(peer)
        assert self.house.lobby.tables == ()
        assert self.house.lobby.sessions == 0
        assert not self.house.lobby.register.names


def different(one: TableView, other: TableView) -> dict[str, tuple[Any, Any]]:
    """Give the fields in which two views differ."""
    pairs = {name: (getattr(one, name), getattr(other, name)) for name in one.__struct_fields__}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


TestEvening = Evening.TestCase
TestEvening.settings = settings(
    max_examples=50,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
