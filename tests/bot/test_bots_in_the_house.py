"""Bots seated by the real server, over the link in memory: whole games, stand-ins, rate limits."""

from __future__ import annotations

import random

import pytest

from perudo_bot.brain import Brain
from perudo_bot.comeback import CallLater
from perudo_bot.runner import BotPlayer
from perudo_protocol import messages as m
from perudo_protocol.codec import decode_server
from perudo_protocol.framing import TO_CLIENT, FrameReader
from perudo_protocol.ruleset import to_wire
from perudo_protocol.vocabulary import Phase, Player
from tests.support.bot_games import any_rules
from tests.support.house import HouseOfTests, Peer

HOURS = 20 * 3600.0


class Overheard(BotPlayer):
    """A bot that also keeps what the server refused it."""

    def __init__(self, name: str, seconds: float, call_later: CallLater | None, seed: int) -> None:
        super().__init__(name, Brain(random.Random(seed)), seconds, call_later=call_later)
        self.refused: list[str] = []
        self._overheard = FrameReader(TO_CLIENT)

    def received(self, data: bytes) -> None:
        self._overheard.feed(data)
        while (payload := self._overheard.next()) is not None:
            message = decode_server(payload)
            if isinstance(message, m.Refused):
                self.refused.append(message.reason)
        super().received(data)


@pytest.fixture
def bots(monkeypatch: pytest.MonkeyPatch) -> list[Overheard]:
    """Every bot that the house will seat, as it comes."""
    seated: list[Overheard] = []

    def bring(name: str, seconds: float, call_later: CallLater | None = None) -> BotPlayer:
        seated.append(Overheard(name, seconds, call_later, len(seated)))
        return seated[-1]

    monkeypatch.setattr("perudo_server.house_bots.house_bot", bring)
    return seated


def begin(house: HouseOfTests, *names: str, bots: int, seed: int, **options: object) -> list[Peer]:
    """Start a game with drawn dice."""
    rng = random.Random(seed)
    house.dice.faces.extend(rng.choices(range(1, 7), k=20_000))
    return house.game(*names, bots=bots, **options)


def over(house: HouseOfTests, peer: Peer) -> None:
    """Let time pass until the game is over."""
    house.clock.until(lambda: peer.at.phase is Phase.OVER, HOURS)


@pytest.mark.parametrize("seconds", [0.0, 1.5])
@pytest.mark.parametrize("seed", range(4))
def test_whole_games_with_one_who_sleeps_and_one_who_goes(
    bots: list[Overheard], seed: int, seconds: float
) -> None:
    """Ana never moves, Zoe goes in mid-round; the server's usual rate limits hold for bots too."""
    house = HouseOfTests(bot_seconds=seconds, act_burst=10)
    changes = {**to_wire(any_rules(random.Random(seed))), "turn_seconds": 20, "on_leave": "bot"}
    ana, zoe = begin(house, "Ana", "Zoe", bots=3, seed=seed, **changes)
    house.drop(zoe)
    assert [seat.player for seat in ana.at.seats].count(Player.STAND_IN) == 1
    over(house, ana)
    assert len(bots) in (4, 5)  # Ana is away by and by, and a bot plays on for her too
    assert {reason for bot in bots for reason in bot.refused} <= {"stale"}


def test_a_stand_in_moves_at_once_where_it_is_in_turn(bots: list[Overheard]) -> None:
    """Without a clock nothing but the stand-in can move the game on."""
    house = HouseOfTests()
    peers = begin(house, "Ana", "Zoe", bots=0, seed=3, turn_seconds=0)
    house.clock.until(lambda: peers[0].at.phase is Phase.BIDDING, 60)
    now = peers[0].at.turn
    assert now is not None
    goes = next(peer for peer in peers if peer.seat == now.seat)
    stays = next(peer for peer in peers if peer is not goes)
    house.drop(goes)
    house.clock.until(lambda: bool(stays.at.ladder), 10)
    assert stays.at.ladder[0].seat == now.seat
    assert [bot.refused for bot in bots] == [[]]


def test_bots_are_ready_for_a_rematch(bots: list[Overheard]) -> None:
    house = HouseOfTests()
    (ana,) = begin(house, "Ana", bots=2, seed=5, turn_seconds=10)
    over(house, ana)
    house.clock.advance(10)
    assert house.ask(ana, m.Rematch) == "done"
    over(house, ana)
    assert ana.at.game == 2
    assert all(reason == "stale" for bot in bots for reason in bot.refused)


@pytest.mark.parametrize("clock", [0, 60])
def test_a_bot_waits_while_the_host_pauses_and_then_plays_on(
    bots: list[Overheard], clock: int
) -> None:
    house = HouseOfTests([6, 1], bot_seconds=1.0)
    (ana,) = begin(house, "Ana", bots=1, seed=5, turn_seconds=clock)
    house.clock.until(lambda: ana.at.turn is not None, 60)
    assert ana.at.turn is not None
    if ana.at.turn.seat == ana.seat:
        assert house.bid(ana, ana.at.turn.least[5], 6) == "done"
    stood = ana.at.ladder
    assert house.ask(ana, m.Pause, on=True) == "done"
    house.clock.advance(60)
    assert (ana.at.ladder, ana.at.phase) == (stood, Phase.BIDDING)
    assert house.ask(ana, m.Pause, on=False) == "done"
    house.clock.advance(10)
    assert ana.at.turn is None or ana.at.turn.seat == ana.seat
    assert bots[0].refused == []
