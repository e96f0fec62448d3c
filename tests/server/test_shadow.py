"""Whatever happens at a table: what the journal's entries fold to is what the server has, at every
moment, for everybody at the table."""

from __future__ import annotations

import gc
import logging
import random
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from perudo_bot.runner import BotPlayer
from perudo_protocol import messages as m
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT, Phase
from perudo_server import view
from perudo_server.lobby import Lobby
from perudo_server.outbox import Outbox
from perudo_server.past import Past
from perudo_server.people import Person
from perudo_server.play import Play
from perudo_server.restoring import restore
from perudo_server.session import Session
from perudo_server.settings import Settings
from perudo_server.table import Table
from tests.support.held_clock import HeldClock
from tests.support.house import ChosenDice, HouseOfTests, KeptJournal, Peer

NAMES = ("Ana", "Bo", "Cy", "Di", "Eli")


class House(HouseOfTests):
    """A house whose people can come back, with a journal in memory."""

    keys = True

    def __init__(self, rng: random.Random) -> None:
        super().__init__([rng.randint(1, 6) for _ in range(2000)])
        self.kept = KeptJournal(self.clock)
        self.journal = self.kept
        self.lobby = self._open()


class Walk:
    """Five people do at one table whatever comes into their heads."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.house = House(self.rng)
        self.here: dict[str, Peer] = {}
        self.away: dict[str, Peer] = {}
        self.did: Counter[str] = Counter()
        options: dict[str, Any] = {
            "start_dice": 2,
            "turn_seconds": self.rng.choice([0, 10]),
            "away_seconds": 20,
            "on_leave": self.rng.choice(["bot", "ghost"]),
            "dudo_by": self.rng.choice(["turn", "any"]),
        }
        peers = self.house.table(*NAMES[:3], **options)
        self.here = dict(zip(NAMES, peers, strict=False))

    def step(self) -> None:
        """Do one thing, often one that brings the game on."""
        if not self.here:
            self._back()
            return
        deeds = [self._play] * 8 + [self._ready] * 6 + [self._host] * 3 + [self._wait]
        deeds += [self._drop, self._back, self._back, self._come, self._come, self._small]
        deeds += [self.rng.choice([self._leave, self._crash, self._play])]
        self.rng.choice(deeds)()

    def _ask(self, who: str, kind: type[m.Request], **fields: Any) -> str:
        answer = self.house.ask(self.here[who], kind, **fields)
        self.did[f"{kind.__name__} {answer}" if answer != "done" else kind.__name__] += 1
        return answer

    def _anybody(self) -> str:
        return self.rng.choice(sorted(self.here))

    def _play(self) -> None:
        for name, peer in self.here.items():
            at = peer.view
            if at is None or at.turn is None or at.my_seat != at.turn.seat:
                continue
            options = at.options_for(at.my_seat)
            if options.may_dudo and self.rng.random() < 0.4:
                self._ask(name, m.Dudo, **peer.stamp())
            elif faces := [face for face in range(1, 7) if options.least[face - 1]]:
                face = self.rng.choice(faces)
                bid = {"quantity": options.least[face - 1], "face": face}
                self._ask(name, m.PlaceBid, **bid, **peer.stamp())
            return
        self._wait()

    def _ready(self) -> None:
        for name in sorted(self.here) if self.rng.random() < 0.7 else [self._anybody()]:
            peer = self.here[name]
            if peer.view is not None and peer.seat != NO_SEAT:
                ready = self.rng.random() < 0.85
                self._ask(name, m.SetReady, game=peer.at.game, round=peer.at.round, ready=ready)

    def _host(self) -> None:
        hosts = [n for n, peer in self.here.items() if peer.view and peer.at.host == peer.at.you]
        if not hosts:
            return
        at, (name,) = self.here[hosts[0]].at, hosts
        person = self.rng.choice([seat.person for seat in at.seats] or [0])
        seat = self.rng.randrange(max(1, len(at.seats)))
        between = at.phase in (Phase.LOBBY, Phase.OVER)
        begin: tuple[type[m.Request], dict[str, Any]] = (
            m.Rematch if at.game else m.Start,
            {},
        )
        requests: list[tuple[type[m.Request], dict[str, Any]]] = [
            (m.Pause, {"on": self.rng.random() < 0.5}),
            (m.HandOver, {"person": person}),
            (m.AddBot, {}),
            (m.RemoveBot, {"seat": seat}),
            *[begin] * (8 if between else 0),
        ]
        if self.rng.random() < 0.05:
            requests = [(m.Kick, {"person": person})]
        kind, fields = self.rng.choice(requests)
        self._ask(name, kind, **fields)

    def _small(self) -> None:
        name = self._anybody()
        if (at := self.here[name].view) is not None:
            self._ask(name, self.rng.choice([m.Back, m.Back]))
            self._ask(name, m.MoreTime, game=at.game)

    def _wait(self) -> None:
        self.house.clock.advance(self.rng.choice([0.5, 3, 3, 12, 25]))

    def _drop(self) -> None:
        name = self._anybody()
        self.away[name] = self.here.pop(name)
        self.house.drop(self.away[name])
        self.did["drop"] += 1

    def _back(self) -> None:
        if not self.away:
            return
        name = self.rng.choice(sorted(self.away))
        peer = self.house.come_back(self.away.pop(name))
        if peer.all(m.Welcome):
            self.here[name] = peer
            self.did["back"] += 1
        else:
            self.house.drop(peer)

    def _crash(self) -> None:
        """Have the server killed and started again; everybody who can comes back."""
        self.house.restart()
        assert isinstance(self.house.journal, KeptJournal)
        self.house.kept = self.house.journal
        self.did["crash"] += 1
        for name, old in sorted(self.here.items()):
            peer = self.house.come_back(old)
            if peer.all(m.Welcome):
                self.here[name] = peer
            else:  # had been at no table
                self.house.drop(peer)
                del self.here[name]

    def finish(self) -> None:
        """Have everybody come back and play the game to its end."""
        for _ in range(len(self.away)):
            self._back()
        for _ in range(600):
            tables = self.house.lobby.tables
            if not tables or tables[0].play is None or not tables[0].play.on:
                return
            self._go_on()
            self._ready()
            self._play()
            self.house.clock.advance(3)
        raise AssertionError("the game does not end")

    def all_go(self) -> None:
        """Have everybody leave, and all that was to happen later happen."""
        for _ in range(len(self.away)):
            self._back()
        for name in sorted(self.here):
            self._ask(name, m.Leave)
            self.house.drop(self.here[name])
        self.here.clear()
        self.house.clock.advance(4000)

    def _go_on(self) -> None:
        for name, peer in self.here.items():
            if peer.view is not None and peer.at.paused and peer.at.host == peer.at.you:
                self._ask(name, m.Pause, on=False)

    def _come(self) -> None:
        """Have somebody who is at no table come to it."""
        out = [n for n in NAMES if n not in self.away and (n not in self.here or not self.seen(n))]
        if not out:
            return
        name = self.rng.choice(out)
        if name not in self.here:
            peer = self.house.peer(name)
            if not peer.all(m.Welcome):
                self.house.drop(peer)
                return
            self.here[name] = peer
        tables = self.house.lobby.tables
        if not tables:
            self._ask(name, m.Make, name="Again")
        else:
            kind = self.rng.choice([m.Join, m.Join, m.Watch])
            self._ask(name, kind, table=tables[0].number)

    def seen(self, name: str) -> bool:
        return self.here[name].view is not None

    def _leave(self) -> None:
        self._ask(self._anybody(), m.Leave)


def shadow(house: House) -> Lobby:
    """Give a house restored from what is durable, in which no time has passed."""
    clock = HeldClock()
    clock.advance(house.clock.now() - clock.now())
    lobby = Lobby(Settings(), clock, ChosenDice(), logging.getLogger("perudo.shadow"))
    restore(lobby, Past().take(house.kept.durable))
    return lobby


def pictures(lobby: Lobby) -> dict[tuple[int, int], TableView]:
    """Give what everybody at every table would see now, without what a restart may change."""
    found = {}
    for table in lobby.tables:
        for person in [*table.roster.everybody(), None]:
            at = view.build(table, person)
            seats = tuple(replace(seat, away=0) for seat in at.seats)
            turn = None if at.turn is None else replace(at.turn, deadline=0)
            key = (table.number, person.number if person else 0)
            found[key] = replace(at, rev=0, seats=seats, turn=turn)
    return found


@pytest.mark.parametrize("seed", [2, 4, 7, 8, 10, 11])
def test_the_journal_folds_to_what_the_server_has(seed: int) -> None:
    walk = Walk(seed)
    for number in range(100):
        walk.step()
        walk.house.clock.settle()
        there, folded = pictures(walk.house.lobby), pictures(shadow(walk.house))
        assert folded == there, f"after step {number}"
    walk.finish()


@pytest.mark.parametrize("seed", [500, 501])
def test_nothing_is_left_of_those_who_have_gone(seed: int) -> None:
    walk = Walk(seed)
    for _ in range(100):
        walk.step()
    walk.finish()
    walk.all_go()
    house = walk.house
    del walk
    assert (house.lobby.sessions, house.lobby.tables) == (0, ())
    gc.collect()
    kinds = (Session, Outbox, Person, Table, Play, BotPlayer)
    assert not [each for each in gc.get_objects() if isinstance(each, kinds)]
    assert house.peer("Ana").all(m.Welcome)
