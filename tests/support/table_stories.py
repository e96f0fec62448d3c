"""Whole histories of a table, told by numbers: the same numbers give the same public history."""

from __future__ import annotations

import io
import logging
from typing import Any

from hypothesis import strategies as st

from perudo_protocol import messages as m
from perudo_protocol.ruleset import CHOICES, SWITCH
from perudo_protocol.vocabulary import FACES, Bid, Phase
from perudo_server.log import TextLines

from .fair_table import FairHouse, FairPeer
from .house import ChosenDice


def options() -> st.SearchStrategy[dict[str, Any]]:
    """Any options that the rules of the game turn on; no clock, so that histories stand still."""
    free: dict[str, Any] = {}
    for name, choice in CHOICES.items():
        if choice is SWITCH:
            free[name] = st.booleans()
        elif choice.words:
            free[name] = st.sampled_from(choice.words)
    free["start_dice"] = st.integers(1, 5)
    free["turn_seconds"] = st.sampled_from([0, 60])
    return st.fixed_dictionaries({}, optional=free)


class Story:
    """People play, and take part in the draws, by numbers drawn beforehand."""

    def __init__(
        self, rules: dict[str, Any], players: int, dice: ChosenDice, *, holds: bool = False
    ) -> None:
        """Sit down, start, and be ready for the first round; may hold all entropy back."""
        self.house = FairHouse()
        self.house.lobby.dice = dice
        self.log = io.StringIO()
        handler = logging.StreamHandler(self.log)
        handler.setFormatter(TextLines())
        own = logging.Logger("perudo.stories", logging.DEBUG)  # no other test hears this one
        own.addHandler(handler)
        self.house.log = self.house.lobby.log = own
        self.peers = self.house.fair_table(*[f"P{n}" for n in range(players)], **rules)
        for peer in self.peers:
            peer.holds = holds
        self.watcher = self.house.peer("Watcher")
        self.house.ask(self.watcher, m.Watch, table=1)
        self.house.ask(self.peers[0], m.Start)
        self.house.ready(self.peers)

    @property
    def here(self) -> list[FairPeer]:
        return [peer for peer in self.peers if peer.view is not None]

    def step(self, number: int) -> None:
        """Do one thing that the number stands for, judged by public facts alone."""
        at = self.watcher.at
        if at.turn is None:
            if at.phase in (Phase.THROW, Phase.REVEAL):
                self.house.ready(self.here)
            return
        who = next((p for p in self.here if p.seat == at.turn.seat), None)
        if who is None:
            self.house.clock.advance(61)
            return
        options = who.at.options_for(who.seat)
        bids = [
            Bid(q, face)
            for face in FACES
            for q in range(options.least[face - 1], options.most[face - 1] + 1)
            if q
        ]
        kind, rest = number % 12, number // 12
        if kind == 0 and options.may_dudo:
            self.house.act(who, m.Dudo)
        elif kind == 1 and options.may_spot_on:
            self.house.act(who, m.SpotOn)
        elif kind == 2 and len(self.here) > 1:
            leaver = self.here[rest % len(self.here)]
            self.house.ask(leaver, m.Leave)
        elif kind == 3:
            self.house.clock.advance(61)
        elif kind == 4:
            self.house.ask(who, m.Say, text="hm")
        elif bids:
            bid = bids[(rest % 7) % len(bids)]
            assert self.house.bid(who, *bid) == "done"
        elif options.may_dudo:
            self.house.act(who, m.Dudo)
