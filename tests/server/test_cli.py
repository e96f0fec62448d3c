"""The command `perudo-server`, as processes: what it says, its exit codes, how it ends."""

from __future__ import annotations

import json
import logging
import re
import signal
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from perudo_protocol.messages import Bye, Welcome
from perudo_protocol.version import program_version
from perudo_server.cli import main
from tests.support.servers import BOUND, Caller, environment, run, server


def loopbacks() -> list[str]:
    """Give this machine's own addresses, one a family."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return ["127.0.0.1"]
    return ["127.0.0.1", "::1"]


def one_sentence(text: str) -> str:
    """Give the only line there is, and see that it is a sentence and no traceback."""
    lines = text.splitlines()
    assert len(lines) == 1, text
    assert re.fullmatch(r"perudo-server: .+\.", lines[0])
    return lines[0]


def test_version(tmp_path: Path) -> None:
    done = run(tmp_path, "--version")
    assert (done.returncode, done.stdout) == (0, f"perudo-server {program_version()}\n")


def test_help_names_every_option_and_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for word in [
        *("--host", "--port", "--name", "--log-level", "--log-format", "--config"),
        *("--bot-seconds", "--reveal-seconds", "--until-eof", "--version", "--show-config"),
        *("PERUDO_PORT", "64", "70", "75", "78"),
    ]:
        assert word in shown


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--prot", "7"], "unrecognized arguments: --prot 7"),
        (["--por", "7"], "unrecognized arguments: --por 7"),
        (["here"], "unrecognized arguments: here"),
        (["--port"], "--port: expected one argument"),
        (["--port", "seven"], "--port is 'seven'; it must be a whole number from 0 to 65535"),
        (["--port", "65536"], "--port is 65536; it must be"),
        (["--port", "1" * 5000], "it must be a whole number"),
        (["--bot-seconds", "nan"], "--bot-seconds is nan; it must be a number from 0 to 60"),
        (["--log-level", "loud"], "it must be one of debug, info, warning, error"),
        (["--log-format", "xml"], "it must be one of text, json"),
        (["--name", "\x1b[31m"], r"--name is '\x1b[31m'; it must be up to 64 visible letters"),
        (["--host", ""], "--host is ['']; it must be"),
    ],
)
def test_a_bad_option_is_one_sentence_and_64(
    options: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(options) == 64
    assert reason in one_sentence(capsys.readouterr().err)


def test_a_bad_file_is_one_sentence_and_78(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text("port = 99999\n")
    done = run(tmp_path, "--config", str(file))
    assert (done.returncode, done.stdout) == (78, "")
    assert "port is 99999; it must be a whole number" in one_sentence(done.stderr)


def test_a_bad_environment_is_one_sentence_and_78(tmp_path: Path) -> None:
    done = run(tmp_path, PERUDO_PORT="x")
    assert (done.returncode, done.stdout) == (78, "")
    assert "PERUDO_PORT is 'x'; it must be a whole number" in one_sentence(done.stderr)


def test_a_port_in_use_is_one_sentence_and_75(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        done = run(tmp_path, "--host", "127.0.0.1", "--port", str(port))
    assert (done.returncode, done.stdout) == (75, "")
    assert f"port {port} is in use" in one_sentence(done.stderr)
    assert "--port" in done.stderr


@pytest.mark.parametrize("host", ["192.0.2.77", "no.such.host.invalid"])
def test_an_address_of_somebody_else_is_one_sentence_and_75(tmp_path: Path, host: str) -> None:
    done = run(tmp_path, "--host", host)
    assert (done.returncode, done.stdout) == (75, "")
    assert host in one_sentence(done.stderr)


def test_an_error_of_the_program_is_one_sentence_and_70(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("perudo_server.app.addresses.listen", broken)
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    monkeypatch.setattr(logging.getLogger(), "level", logging.WARNING)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert main(["--port", "0"]) == 70
    assert "ZeroDivisionError" in one_sentence(capsys.readouterr().err)
    assert main(["--port", "0", "--log-level", "debug"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_show_config_says_where_each_value_comes_from(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text('port = 1001\nname = "Of the file"\nbot_seconds = 2\nhost = ["a", "b"]\n')
    done = run(
        *(tmp_path, "--show-config", "--config", str(file), "--port", "1003"),
        PERUDO_PORT="1002",
        PERUDO_NAME="Of the environment",
        PERUDO_CONFORMANCE="belongs to the tests",
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = [re.sub(" +", " ", line) for line in done.stdout.splitlines()]
    assert "port = 1003 # --port" in lines
    assert 'name = "Of the environment" # PERUDO_NAME' in lines
    assert f"bot_seconds = 2.0 # {file}" in lines
    assert f'host = ["a", "b"] # {file}' in lines
    assert 'log_level = "info" # default' in lines


def test_join_lines_lead_to_the_server(tmp_path: Path) -> None:
    with server(tmp_path, "--name", "Ana's house") as running:
        assert running.title == "Ana's house is open. Join with"
        assert running.places == [f"127.0.0.1:{running.port}"]
        welcome = running.call().greet("Ana")
        assert isinstance(welcome, Welcome)
        assert welcome.name == "Ana's house"


def test_every_address_has_one_port(tmp_path: Path) -> None:
    with server(tmp_path, "--port", "0") as running:
        for number, host in enumerate(loopbacks()):
            running.guest(f"Caller {number}", host)
        assert running.end() == 0
        assert {place.rpartition(":")[2] for place in running.places} == {str(running.port)}


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_tells_the_players_and_ends_with_0(tmp_path: Path, name: str) -> None:
    with server(tmp_path, "--log-format", "json") as running:
        callers = [running.guest(f"Caller {number}") for number in range(3)]
        silent = running.call()
        assert running.end(getattr(signal, name)) == 0
        for caller in callers:
            assert caller.rest()[-1] == Bye(reason="shutdown")
        silent.rest()
        events = [json.loads(line) for line in running.log().splitlines()]
        assert {"stopping", "stopped"} <= {entry["event"] for entry in events}
        assert "Traceback" not in running.log()


def test_the_port_is_free_again_at_once(tmp_path: Path) -> None:
    with server(tmp_path) as first:
        first.guest("Ana")
        assert first.end() == 0
        with server(tmp_path, "--host", "127.0.0.1", "--port", str(first.port)) as second:
            second.guest("Ana")


def test_the_end_of_input_ends_it_when_asked(tmp_path: Path) -> None:
    with server(tmp_path, "--until-eof") as running:
        caller = running.guest("Ana")
        assert running.process.stdin is not None
        running.process.stdin.close()
        assert running.wait() == 0
        assert caller.rest()[-1] == Bye(reason="shutdown")


def test_input_that_has_ended_does_not_matter_otherwise(tmp_path: Path) -> None:
    with server(tmp_path) as running:
        assert running.process.stdin is not None
        running.process.stdin.close()
        running.guest("Ana")
        assert running.end() == 0


def test_nobody_needs_to_read_what_it_says(tmp_path: Path) -> None:
    """Closed standard output and standard error end no game."""
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "perudo_server", "--host", "127.0.0.1"),
            *("--port", str(port), "--log-level", "debug"),
        ],
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stderr.readline()  # it listens
        process.stdout.close()
        process.stderr.close()
        for number in range(3):
            caller = Caller(port)
            assert isinstance(caller.greet(f"Caller {number}"), Welcome)
            caller.socket.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(BOUND) == 0
