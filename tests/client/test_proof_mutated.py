"""An honest game with one thing changed in what one client hears: found, or harmless."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from perudo_client.findings import Checked
from perudo_client.model import Model
from perudo_client.proving import Mark
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.errors import BadMessage
from tests.support.fair_house import FairHouse

OF_DICE = ev.Started | ev.Committed | ev.Opened | ev.Dealt | ev.Called | ev.Won


@cache
def recorded(players: int) -> tuple[tuple[m.ServerMessage, ...], tuple[bytes, ...]]:
    """Give what Ana hears of three honest rounds, from the start, and what she draws."""
    house = FairHouse()
    names = [f"P{number}" for number in range(players)]
    clients = house.clients(*names, turn_seconds=0, start_dice=2)
    ana = clients[0]
    heard: list[m.ServerMessage] = [ana.last(m.Welcome), m.View(view=ana.at)]

    def record(message: m.ServerMessage) -> list[m.ServerMessage]:
        heard.append(message)
        return [message]

    ana.twist = record
    house.begin(clients)
    house.play_out(clients, 3)
    return tuple(heard), tuple(ana.drawn)


def replayed(heard: tuple[m.ServerMessage, ...], drawn: tuple[bytes, ...]) -> tuple[Model, Any]:
    """Let a model hear it; gives its checked rounds with their dice."""
    left = iter(drawn)
    model = Model(lambda: next(left, bytes(32)))
    dice: dict[int, Any] = {}
    for message in heard:
        for happening in model.apply(message, 0.0):
            finding = getattr(happening, "finding", None)
            if isinstance(finding, Checked):
                assert model.view is not None
                assert model.view.reveal is not None
                dice[finding.round] = model.view.reveal.cups, finding.shared, finding.chain
    return model, dice


def other(value: Any, rng: random.Random) -> Any:
    """Give a value with one thing in it changed."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1 if value < 6 else value - 1
        case bytes():
            return rng.choice([b"", rng.randbytes(32)])
        case str():
            return value[:-1] + ("0" if value[-1:] != "0" else "1")
        case tuple() if value:
            place = rng.randrange(len(value))
            return (*value[:place], other(value[place], rng), *value[place + 1 :])
        case tuple():
            return (0,)
        case _:
            return value


def changed(message: m.ServerMessage, rng: random.Random) -> m.ServerMessage:
    if isinstance(message, m.OwnHand):
        name = rng.choice(["dice", "seed"])
        return replace(message, **{name: other(getattr(message, name), rng)})
    assert isinstance(message, m.Update)
    events = list(message.events)
    place = rng.choice([n for n, event in enumerate(events) if isinstance(event, OF_DICE)])
    what = rng.random()
    if what < 0.15:
        del events[place]
    elif what < 0.3:
        events.insert(place, events[place])
    else:
        event = events[place]
        name = rng.choice(event.__struct_fields__)
        events[place] = replace(event, **{name: other(getattr(event, name), rng)})
    return replace(message, events=tuple(events))


def tells_dice(message: m.ServerMessage) -> bool:
    if isinstance(message, m.Update):
        return any(isinstance(event, OF_DICE) for event in message.events)
    return isinstance(message, m.OwnHand)


@pytest.mark.parametrize("players", [2, 3])
def test_one_change_is_found_or_harmless(players: int) -> None:
    heard, drawn = recorded(players)
    model, right = replayed(heard, drawn)
    assert model.proving.fault is None
    assert len(right) == 3
    places = [number for number, message in enumerate(heard) if tells_dice(message)]
    rng, found = random.Random(players), 0
    for _ in range(400):
        place = rng.choice(places)
        twisted = (*heard[:place], changed(heard[place], rng), *heard[place + 1 :])
        try:
            model, dice = replayed(twisted, drawn)
        except BadMessage:
            continue
        found += model.proving.fault is not None
        if model.proving.fault is None:
            silent = model.mark is Mark.NONE and not dice  # nothing is claimed to be proven
            assert silent or dice == right, (place, heard[place], twisted[place])
    assert found > 200
