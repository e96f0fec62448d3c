"""Every byte of whole games, kept on its way: what it tells, and to whom.

Real server processes, real connections; people, watchers, late comers, leavers, a rematch.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import pytest

from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.codec import decode_client, encode
from perudo_protocol.framing import TO_SERVER, FrameReader
from perudo_protocol.pins import read_pin
from perudo_protocol.vocabulary import Phase
from tests.support.fair_table import checked
from tests.support.recorder import Evening, Line, WirePlayer, recorder
from tests.support.servers import server

NAMES = (
    *("Anabel", "Beatriz", "Caetano", "Duarte", "Eduarda"),
    *("Fabiana", "Gilberto", "Henrique", "Isadora", "Joaquim"),
)
PLENTY = {
    "PERUDO_ACT_BURST": "100000",
    "PERUDO_FRAME_BURST": "100000",
    "PERUDO_SHARE_BURST": "100000",
    "PERUDO_BOT_SECONDS": "0",
}


async def two_games(evening: Evening, players: int, dice: int) -> None:
    """Play a game, in which somebody watches, comes late, leaves, and is lost, and a rematch."""
    people = [await evening.come(name) for name in NAMES[:players]]
    host = people[0]
    options = {"max_players": 10, "start_dice": dice}
    await evening.ask(host, m.Make, name="Recorded table", options=options)
    for player in people[1:]:
        await evening.ask(player, m.Join, table=host.at.table)
    watcher = await evening.come("Watcher")
    await evening.ask(watcher, m.Watch, table=host.at.table)
    await evening.ask(host, m.Start)
    await evening.until(lambda: watcher.at.round >= 2)
    late = await evening.come("Late comer")
    await evening.ask(late, m.Join, table=host.at.table)
    if players > 2:
        await evening.ask(people[1], m.Leave)
        assert people[2].link is not None
        people[2].link.abort()
    await evening.until(lambda: watcher.at.phase is Phase.OVER)
    await evening.ask(host, m.Say, text="Once more, everybody")
    await evening.ask(host, m.Rematch)
    told = [host, watcher, late]
    await evening.until(
        lambda: all(one.at.phase is Phase.OVER and one.at.game == 2 for one in told)
    )
    assert late.seat >= 0
    await evening.part()


def assert_a_deal_is_one_round_trip(line: Line) -> None:
    """Between commitment and dice one message goes to the server, and the hand is the next."""
    steps = [message for message in line.messages() if isinstance(message, m.Update | m.OwnHand)]
    hands = [at for at, step in enumerate(steps) if isinstance(step, m.OwnHand)]
    for at in hands:
        dealt = steps[at - 1]
        assert isinstance(dealt, m.Update)
        assert [type(event) for event in dealt.events] == [ev.Opened, ev.Dealt, ev.TurnSet]
    answers = [e for e in sent(line) if isinstance(e, m.Entropy)]
    assert len({(e.game, e.round, e.attempt) for e in answers}) == len(answers) >= len(hands)


class Secret(NamedTuple):
    """What only one person may hold until it is told to all."""

    owner: str
    value: bytes


def sent(line: Line) -> list[m.ClientMessage]:
    """Give all messages to the server."""
    reader = FrameReader(TO_SERVER)
    reader.feed(bytes(line.to_server))
    found = []
    while (payload := reader.next()) is not None:
        found.append(decode_client(payload))
    return found


def secrets_of(evening: Evening) -> list[Secret]:
    """Give every seed that somebody was handed, and all entropy that somebody opened."""
    found = []
    for name in evening.people:
        line = evening.line(name)
        hands = (e.seed for e in line.messages() if isinstance(e, m.OwnHand))
        opened = (e.entropy for e in sent(line) if isinstance(e, m.Entropy))
        found += [Secret(name, value) for value in (*hands, *opened)]
    return found


def told_to_all(message: m.ServerMessage) -> set[bytes]:
    """Give what a message of the public story uncovers: seeds of a call, entropy of a draw."""
    match message:
        case m.Update(events=events):
            calls = (event.seeds for event in events if isinstance(event, ev.Called))
            draws = (event.entropies for event in events if isinstance(event, ev.Opened))
            return {value for values in (*calls, *draws) for value in values}
        case m.View(view=view):
            seeds = () if view.reveal is None else view.reveal.seeds
            return {*seeds, *view.proof.entropies}
        case _:
            return set()


def assert_nothing_is_told_too_early(evening: Evening, hidden: list[Secret]) -> None:
    """No secret is in the bytes to anybody else before the message that uncovers it to all."""
    assert len({secret.value for secret in hidden}) == len(hidden)
    for name in evening.people:
        line = evening.line(name)
        frames = zip(line.frames(), line.messages(), strict=True)
        uncovered: dict[bytes, int] = {}
        for (at, _), message in frames:
            for value in told_to_all(message):
                uncovered.setdefault(value, at)
        for secret in hidden:
            first = bytes(line.to_client).find(secret.value)
            if first >= 0 and secret.owner != name:
                assert uncovered.get(secret.value, math.inf) <= first


def assert_dice_are_only_where_they_may_be(name: str, player: WirePlayer, line: Line) -> None:
    """A hand is the viewer's own; a cup of others stands in a reveal alone.

    That a frame holds no other field than these messages have is seen where they are decoded.
    """
    own: dict[tuple[int, int], m.OwnHand] = {}
    game = 0
    for message in line.messages():
        match message:
            case m.OwnHand(round=number):
                assert name != "Watcher"
                own[game, number] = message
            case m.View(view=view):
                game = view.game
                mine = own.get((game, view.round))
                assert (view.hand, view.seed) == ((), b"") or mine is not None
                assert view.reveal is None or view.phase in (Phase.REVEAL, Phase.OVER)
            case m.Update(events=events):
                for event in events:
                    game = event.game if isinstance(event, ev.Started) else game
    for moment, hand in own.items():
        shown = [e for e in called(line.messages(), moment) if e.seeds]
        for event in shown:
            assert hand.dice in event.cups
            assert hand.seed in event.seeds


def called(messages: list[m.ServerMessage], moment: tuple[int, int]) -> list[ev.Called]:
    """Give the call that ended a round of a game, if one did."""
    found, game, round_ = [], 0, 0
    for message in messages:
        for event in message.events if isinstance(message, m.Update) else ():
            match event:
                case ev.Started():
                    game = event.game
                case ev.Dealt(number):
                    round_ = number
                case ev.Called() if (game, round_) == moment:
                    found.append(event)
    return found


@pytest.mark.parametrize(("players", "dice"), [(2, 3), (6, 2), (10, 1)])
async def test_nobody_is_sent_anothers_dice_or_seed(
    tmp_path: Path, players: int, dice: int
) -> None:
    with server(tmp_path, "--log-level", "debug", **PLENTY) as running:
        async with recorder(running.port) as kept:
            evening = Evening(kept)
            await two_games(evening, players, dice)
        log = running.log()
    hidden = secrets_of(evening)
    assert len(hidden) > 4 * players
    assert_nothing_is_told_too_early(evening, hidden)
    for name, player in evening.people.items():
        assert_dice_are_only_where_they_may_be(name, player, evening.line(name))
        assert_a_deal_is_one_round_trip(evening.line(name))
    stories = [checked(evening.line(name).messages()) for name in (NAMES[0], "Watcher")]
    assert stories[0] == stories[1]
    assert len({round_.draw.game for round_ in stories[0]}) == 2
    for secret in hidden:
        assert secret.value.hex() not in log
        assert repr(secret.value)[2:-1] not in log
    # A seed that the watcher was told at the very beginning would be seen.
    early = encode(m.OwnHand(round=1, dice=(1,), seed=hidden[0].value))
    evening.line("Watcher").to_client[:0] = early
    with pytest.raises(AssertionError):
        assert_nothing_is_told_too_early(evening, hidden)


# What a stranger on the wire can read ---------------------------------------------------------

READABLE = (
    *("Beatriz", "Recorded table", "recorded", "Watcher", "Once more", "perudo-server"),
    *("welcome", "update", "people", "commit", "promise", "entropy", "start_dice"),
)


async def test_with_tls_nothing_on_the_wire_can_be_read(tmp_path: Path) -> None:
    """The same evening over a plain line and over TLS: all words are there, and none is."""
    read: dict[bool, set[str]] = {}
    for private in (False, True):
        home = tmp_path / str(private)
        home.mkdir()
        with server(home, *(["--tls"] if private else []), **PLENTY) as running:
            pin = running.places[0].partition("#")[2]
            async with recorder(running.port) as kept:
                evening = Evening(kept, read_pin(pin) if private else b"")
                await two_games(evening, 2, 2)
        bytes_ = b"".join(bytes(line.to_server + line.to_client) for line in kept.lines)
        read[private] = {word for word in READABLE if word.encode() in bytes_}
        for player in evening.people.values():
            assert private == bool(player.link and player.link.certificate)
    assert read == {False: set(READABLE), True: set()}
