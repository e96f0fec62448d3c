"""Entries of journals as servers once wrote them: they must be understood for ever.

Each file under `tests/server/journals/` called `evening-N.txt` holds the entries of a house, one a
line (number, stream, moment, body in hex), and below an empty line what everybody there saw when
the server ended, as JSON. Such a file is never changed. When entries grow, add one more:

    python -m tests.support.old_journals
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from perudo_protocol import messages as m
from perudo_protocol.lock import SIZE
from perudo_server import entries as n
from perudo_server import view
from perudo_server.journal_entry import Entry
from perudo_server.lobby import Lobby

from .house import HouseOfTests, KeptJournal, Peer

FOLDER = Path(__file__).parents[1] / "server" / "journals"


class _House(HouseOfTests):
    keys = True

    def __init__(self) -> None:
        super().__init__([6, 1, 1, *[1, 2, 3, 4, 5, 6] * 200], tables_per_address=9)
        self.journal = KeptJournal(self.clock)
        self.lobby = self._open()


def evening() -> _House:
    """Play at several tables, and leave them in all kinds of states."""
    house = _House()
    house.lobby.keep(n.HOUSE, n.Counted(0, 0, 0))
    house.lobby.keep(n.HOUSE, n.Leased(1))
    ana, bo, cy = house.game("Ana", "Bo", "Cy", turn_seconds=30)
    house.ask(house.peer("Dora"), m.Join, table=1)
    house.bid(ana, 2, 3)
    house.act(bo, m.Dudo)
    house.ready([ana, bo, cy])
    house.drop(cy)
    house.clock.advance(61)  # a bot plays on for Cy
    house.ask(ana, m.Pause, on=True)
    _locked_lobby(house)
    _over(house)
    house.clock.settle()
    return house


def _locked_lobby(house: _House) -> None:
    eva = house.peer("Eva")
    lock = m.Lock(salt=bytes(SIZE), key=bytes([1]) * SIZE)
    house.ask(eva, m.Make, name="Locked", lock=lock, options={"start_dice": 3})
    house.ask(eva, m.AddBot)


def _over(house: _House) -> None:
    fay = house.peer("Fay")
    house.ask(fay, m.Make, name="Short", options={"start_dice": 1, "turn_seconds": 10})
    gus = house.peer("Gus")
    house.ask(gus, m.Join, table=fay.at.table)
    house.ask(fay, m.Start)
    house.ready([fay, gus])
    while fay.at.turn is not None:
        who: Peer = (fay, gus)[fay.at.turn.seat]
        done = house.act(who, m.Dudo) if fay.at.ladder else house.bid(who, 1, 2)
        assert done == "done"
        house.ready([p for p in (fay, gus) if p.at.phase == "reveal" and p.mine.dice])


def pictures(lobby: Lobby) -> dict[str, Any]:
    """Give what everybody at each table sees, by table and name, and what nobody sees: who may
    come in, and who was sent away."""
    found: dict[str, Any] = {}
    for table in lobby.tables:
        for person in [*table.roster.people(), None]:
            name = f"{table.name}: {'everybody' if person is None else person.name}"
            seen = msgspec.to_builtins(view.build(table, person), builtin_types=(bytes,))
            found[name] = json.loads(json.dumps(seen, default=_hex))
        found[f"{table.name}: locked"] = table.bolt is not None
        found[f"{table.name}: sent away"] = sorted(table.banned)
    return found


def _hex(value: object) -> str:
    assert isinstance(value, bytes)
    return f"0x{value.hex()}"


def written(house: _House) -> str:
    """Give the text of such a file."""
    assert isinstance(house.journal, KeptJournal)
    rows = [f"{e.seq} {e.stream} {e.at} {e.body.hex()}" for e in house.journal.durable]
    return "\n".join(rows) + "\n\n" + json.dumps(pictures(house.lobby), indent=1) + "\n"


def read(path: Path) -> tuple[list[Entry], dict[str, Any]]:
    """Read such a file: the entries, and what everybody saw."""
    rows, seen = path.read_text(encoding="utf-8").split("\n\n", 1)
    parts = [row.split(" ") for row in rows.splitlines()]
    entries = [Entry(int(n), int(s), float(at), bytes.fromhex(body)) for n, s, at, body in parts]
    return entries, json.loads(seen)


def every() -> list[Path]:
    """Give all such files."""
    return sorted(FOLDER.glob("evening-*.txt"))


if __name__ == "__main__":
    text = written(evening())
    if all(path.read_text(encoding="utf-8") != text for path in every()):
        new = FOLDER / f"evening-{len(every()) + 1}.txt"
        new.write_text(text, encoding="utf-8", newline="\n")
        sys.stdout.write(f"{new.name}\n")
