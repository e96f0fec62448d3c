"""The door: who is turned away costs little, and a server without room for one more goes on."""

from __future__ import annotations

import re
import socket
from pathlib import Path

from perudo_protocol import messages as m
from tests.support.servers import BOUND, server, server_behind
from tests.wire.test_limits_talk import answers, last_word

FEW = ("sh", "-c", 'ulimit -n 48; exec "$@"', "sh")


def test_who_is_turned_away_hears_why_and_is_counted_in_one_line(tmp_path: Path) -> None:
    with server(tmp_path, PERUDO_CONNECTIONS="1") as running:
        guest = running.guest("Ana")
        assert {last_word(running.call()) for _ in range(40)} == {"too_many"}
        assert answers(guest, [m.Leave(id=1)]) == ["not_at_table"]
        assert running.end() == 0
        lines = re.findall(r"turned_away count=(\d+)", running.log())
        assert sum(map(int, lines)) == 40
        assert len(lines) < 10
        assert "connection_failed" not in running.log()


def test_a_server_out_of_files_goes_on_and_lets_in_again(tmp_path: Path) -> None:
    """Whom the system has no room for waits; who is in is served; later there is room again."""
    with server_behind(FEW, tmp_path) as running:
        guest = running.guest("Ana")
        crowd = [socket.create_connection(("127.0.0.1", running.port), BOUND) for _ in range(60)]
        running.log_with("cannot_accept")
        assert answers(guest, [m.Leave(id=1)]) == ["not_at_table"]
        for each in crowd:
            each.close()
        assert isinstance(running.call().greet("Bia"), m.Welcome)
        assert answers(guest, [m.Leave(id=2)]) == ["not_at_table"]
