"""What players type, in four languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_client.typed import Command, Order, Typed, Unclear, parse
from perudo_protocol.vocabulary import FACES, Bid, Call


@pytest.mark.parametrize(
    "line",
    [
        "5 4",
        "5x4",
        "5 x 4",
        "5X4",
        "5×4",
        "5 * 4",
        "5,4",
        "  5   4  ",
        "5 fours",
        "5 four",
        "5 4s",
        "5 × [4]",
        "bid 5 4",
        "5 quatros",
        "aposto 5 quadras",
        "5 cuatros",
        "apuesto 5 4",
        "5 quatre",
        "je mise 5 quatre",
        "5 FOURS!",
        "5 4.",
    ],
)
def test_five_fours(line: str) -> None:
    assert parse(line) == Bid(5, 4)


@pytest.mark.parametrize("face", FACES)
def test_every_face_has_words_in_every_language(face: int) -> None:
    words = {
        1: "ace aces ás ases as paco pacos uns",
        2: "two twos dois duques dos deux",
        3: "three threes três ternos tres trois",
        4: "four fours quatro quadras cuatro quatre",
        5: "five fives cinco quinas cincos cinq",
        6: "six sixes seis senas seises",
    }[face]
    for word in words.split():
        assert parse(f"3 {word}") == Bid(3, face), word


@given(st.integers(1, 999), st.sampled_from(FACES))
def test_every_bid_is_read_as_it_is_written(quantity: int, face: int) -> None:
    bid = Bid(quantity, face)
    assert parse(str(bid)) == bid
    assert parse(f"{quantity} {face}") == bid


@pytest.mark.parametrize("line", ["5 7", "5 0", "5 44", "5 elephants", "0 4", "1000 4", "5x9"])
def test_what_is_no_bid_is_said_to_be_none(line: str) -> None:
    found = parse(line)
    assert isinstance(found, Unclear)
    assert "5 4" in found.sentence


@pytest.mark.parametrize(
    "line",
    ["dudo", "Dudo!", "DUDO", "d", "doubt", "I doubt it", "duvido", "mentira", "je doute", "liar"],
)
def test_dudo(line: str) -> None:
    assert parse(line) is Call.DUDO


@pytest.mark.parametrize(
    "line",
    ["spot on", "spot-on", "Spot on!", "s", "na mosca", "exato", "exacto", "calzo", "tout pile"],
)
def test_spot_on(line: str) -> None:
    assert parse(line) is Call.SPOT_ON


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("help", Order(Command.HELP)),
        ("?", Order(Command.HELP)),
        ("ajuda", Order(Command.HELP)),
        ("rules", Order(Command.RULES)),
        ("règles", Order(Command.RULES)),
        ("say Hello, you!", Order(Command.SAY, "Hello, you!")),
        ("SAY  [b]Ana[/]  Ü.", Order(Command.SAY, "[b]Ana[/]  Ü.")),
        ("tables", Order(Command.TABLES)),
        ("join 3", Order(Command.JOIN, "3")),
        ("/join 3", Order(Command.JOIN, "3")),
        ("watch 3", Order(Command.WATCH, "3")),
        ("make My own table club", Order(Command.MAKE, "My own table club")),
        ("ready", Order(Command.READY)),
        ("prêt", Order(Command.READY)),
        ("não", None),
        ("not ready", Order(Command.UNREADY)),
        ("start", Order(Command.START)),
        ("começar", Order(Command.START)),
        ("bot", Order(Command.BOT)),
        ("add bot", Order(Command.BOT)),
        ("remove bot Bia", Order(Command.UNBOT, "Bia")),
        ("kick Ana Maria", Order(Command.KICK, "Ana Maria")),
        ("hand over Ana", Order(Command.HOST, "Ana")),
        ("rematch", Order(Command.REMATCH)),
        ("leave", Order(Command.LEAVE)),
        ("wait", Order(Command.WAIT)),
        ("quit", Order(Command.QUIT)),
    ],
)
def test_commands(line: str, order: Order | None) -> None:
    found = parse(line)
    assert found == order if order is not None else isinstance(found, Unclear)


def test_every_command_is_typed_by_its_own_name() -> None:
    for command in Command:
        assert parse(command.value) == Order(command)


@pytest.mark.parametrize("line", ["", "   ", ".", "!"])
def test_nothing_typed_is_answered_with_what_can_be(line: str) -> None:
    found = parse(line)
    assert isinstance(found, Unclear)
    assert "help" in found.sentence


@given(st.text(max_size=60))
def test_no_line_whatever_raises(line: str) -> None:
    assert isinstance(parse(line), Typed)
