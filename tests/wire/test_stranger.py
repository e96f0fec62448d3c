"""A client written from `protocol/README.md` alone: sockets, four bytes of length, msgpack.

It uses nothing of this project, knows no rules, and plays whole games against the real server.
"""

from __future__ import annotations

import select
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgpack
import pytest

from tests.support.servers import server


class Stranger:
    """Greets, keeps of the view what it needs, and always does the least that is legal."""

    def __init__(self, place: str, name: str) -> None:
        host, _, port = place.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=20)
        self.name = name
        self.buffer = b""
        self.id = 0
        self.person = 0
        self.join: list[str] = []
        self.readied: dict[str, int] = {}
        self.table: int | None = None
        self.tables: list[dict[str, Any]] = []
        self.view: dict[str, Any] = {}
        self.answers: dict[int, str] = {}
        self.order: list[str] = []
        self.hands: list[list[int]] = []
        self.send(type="hello", versions=[1], client="stranger 1", name=name)

    def __enter__(self) -> Stranger:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, **message: Any) -> int:
        if message["type"] not in ("hello", "pong"):
            self.id += 1
            message["id"] = self.id
        data = msgpack.packb(message)
        self.socket.sendall(len(data).to_bytes(4, "big") + data)
        return self.id

    def read(self) -> dict[str, Any]:
        """Read one message, and take from it what a client must."""
        while len(self.buffer) < 4 or len(self.buffer) < 4 + self._length():
            more = self.socket.recv(65536)
            assert more, "the server has closed the connection"
            self.buffer += more
        end = 4 + self._length()
        message: dict[str, Any] = msgpack.unpackb(self.buffer[4:end])
        self.buffer = self.buffer[end:]
        self.take(message)
        return message

    def _length(self) -> int:
        return int.from_bytes(self.buffer[:4], "big")

    def take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind != "ping":
            self.order.append(kind)
        match kind:
            case "ping":
                self.send(type="pong", now=message["now"])
            case "welcome":
                self.person = message["person"]
                self.join = message["join"]
            case "tables":
                self.tables = message["tables"]
            case "view":
                self.view = message["view"]
            case "hand":
                self.hands.append(message["dice"])
            case "done":
                self.answers[message["re"]] = "done"
            case "refused":
                self.answers[message["re"]] = message["reason"]
            case "bid":
                seat, quantity, face, *turn = message["by"]
                events = [["bid", seat, [quantity, face]], ["turn", *turn]]
                self.take({"type": "update", "rev": message["rev"], "events": events})
            case "update":
                assert message["rev"] == self.view["rev"] + 1
                self.view["rev"] = message["rev"]
                for event in message["events"]:
                    self.fold(*event)

    def fold(self, word: str, *rest: Any) -> None:
        """Change the view by one event; only what this client looks at."""
        view = self.view
        match word:
            case "people":
                view["host"], view["seats"], view["watchers"] = rest[:3]
            case "start":
                view.update(phase="throw", game=rest[0], round=0, winner=-1, ladder=[])
            case "deal":
                view.update(phase="bidding", round=rest[0], ladder=[], turn=None)
            case "turn":
                view["turn"] = list(rest)
            case "bid":
                view["ladder"] = [*view["ladder"], list(rest)]
            case "call":
                view.update(phase="reveal", turn=None)
                assert len(rest[4]) == len(view["seats"])
            case "over":
                view.update(phase="over", winner=rest[0], turn=None)

    def ask(self, **message: Any) -> str:
        """Send a request and read on until it is answered."""
        number = self.send(**message)
        while number not in self.answers:
            self.read()
        return self.answers[number]

    @property
    def seat(self) -> int:
        return next(n for n, s in enumerate(self.view["seats"]) if s["person"] == self.person)

    def move(self) -> None:
        """Do what the view asks of this seat now."""
        view = self.view
        stamp = {"game": view["game"], "round": view["round"]}
        if view["phase"] in ("throw", "reveal") and self.readied != stamp:
            # The next round may begin between our reading and our asking: then it is stale.
            self.readied = stamp
            assert self.ask(type="ready", **stamp) in ("done", "stale", "game_on")
        elif view["turn"] and view["turn"][0] == self.seat:
            _, _, least, _, dudo, _ = view["turn"]
            act = {**stamp, "number": len(view["ladder"])}
            faces = [face for face in range(6, 0, -1) if least[face - 1]]
            if self.seat in dudo and (len(view["ladder"]) > 3 or not faces):
                assert self.ask(type="dudo", **act) == "done"
            else:
                bid = {"quantity": least[faces[0] - 1], "face": faces[0]}
                assert self.ask(type="bid", **act, **bid) == "done"
        elif len(self.buffer) > 4 or select.select([self.socket], [], [], 0.01)[0]:
            self.read()


def play(players: list[Stranger]) -> int:
    """Play until somebody has won; give the winner."""
    for _ in range(5000):
        for player in players:
            if player.view["phase"] != "over":
                player.move()
        if all(player.view["phase"] == "over" for player in players):
            return int(players[0].view["winner"])
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("bots", [0, 2])
def test_a_stranger_plays_whole_games(tmp_path: Path, bots: int) -> None:
    """Greeting, tables, table, game, rematch, goodbye, with what the page says and no more."""
    with (
        server(tmp_path, "--bot-seconds", "0", PERUDO_ACT_BURST="9999") as running,
        ExitStack() as stack,
    ):
        ana, bia = (
            stack.enter_context(Stranger(running.places[0], name)) for name in ("Ana", "Bia")
        )
        made = {"type": "make", "name": "Here", "options": {"start_dice": 2}}
        assert ana.ask(**made) == "done"
        while not bia.tables:
            bia.read()
        assert bia.ask(type="join", table=bia.tables[0]["table"]) == "done"
        for _ in range(bots):
            assert ana.ask(type="add_bot") == "done"
        assert bia.ask(type="start") == "not_host"
        assert ana.ask(type="start") == "done"
        winner = play([ana, bia])
        assert 0 <= winner < 2 + bots
        assert ana.ask(type="rematch") == "done"
        while bia.view["phase"] == "over":
            bia.read()
        play([ana, bia])
        for hand in ana.hands + bia.hands:
            assert 1 <= len(hand) <= 2
            assert all(1 <= die <= 6 for die in hand)
        assert ana.order[:2] == ["welcome", "tables"]
        assert ana.join == running.places
        assert bia.ask(type="leave") == "done"
        assert running.end() == 0
        assert "Traceback" not in running.log()


def test_the_answer_is_the_last_of_what_a_request_causes(tmp_path: Path) -> None:
    """`make`: view, then done; a deal: update, then hand."""
    with (
        server(tmp_path, "--bot-seconds", "0", PERUDO_ACT_BURST="9999") as running,
        ExitStack() as stack,
    ):
        ana = stack.enter_context(Stranger(running.places[0], "Ana"))
        assert ana.ask(type="make", name="Here") == "done"
        assert ana.order[-2:] == ["view", "done"]
        ana.ask(type="add_bot")
        ana.ask(type="start")
        ana.ask(type="ready", game=ana.view["game"], round=0)
        while not ana.hands:
            ana.read()
        assert ana.order[ana.order.index("hand") - 1] == "update"
