"""The command line: one sentence where something is wrong, and the right exit code."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.theme import BUILTIN_THEMES

import perudo_bot.cli
from perudo_client import cli, plain_run
from perudo_client.address import Address
from perudo_client.bot_seat import BotSeat
from perudo_client.config import DEFAULTS, ClientOptions, Settings, save
from perudo_client.naming import MOST_CELLS, default_name, numbered
from perudo_client.theme_names import NAMES
from perudo_client.themes import OURS


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No settings of this machine's user, and no terminal."""
    for name in DEFAULTS:
        monkeypatch.delenv(f"PERUDO_CLIENT_{name.upper()}", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> list[ClientOptions]:
    """The options with which the plain client was run."""
    ran: list[ClientOptions] = []

    def remember(options: ClientOptions) -> int:
        ran.append(options)
        return 0

    monkeypatch.setattr(plain_run, "run_plain", remember)
    return ran


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--bogus"], "unrecognized arguments: --bogus"),
        (["a", "b"], "unrecognized arguments: b"),
        (["ana:port"], "1 to 65535"),
        (["http://ana"], "perudo://"),
        (["ana", "--table", "x"], "a table is a number"),
        (["ana", "--table", "0"], "a table is a number"),
        (["ana", "--table", "1", "--watch", "2"], "not allowed with"),
        (["--table", "1"], "need the ADDRESS"),
        (["--watch", "1"], "need the ADDRESS"),
        (["ana", "--demo"], "takes no ADDRESS"),
        (["--bot"], "needs the ADDRESS"),
        (["--bot", "--demo"], "do not go together"),
        (["ana", "--bot", "--watch", "1"], "does not watch"),
        (["--pla"], "unrecognized arguments: --pla"),
        (["--verify", "x", "--forget", "y"], "--verify and --forget do not go together"),
        (["ana", "--verify", "x"], "--verify and ADDRESS do not go together"),
        (["--verify", "x", "--table", "1"], "--verify and --table do not go together"),
        (["--forget", "x", "--bot"], "--forget and --bot do not go together"),
        (["--forget", "x", "--secret", "blue-fox"], "--forget and --secret do not"),
        (["--demo", "--secret", "blue-fox"], "--demo and --secret do not go together"),
        (["--demo", "--table", "3"], "--demo and --table do not go together"),
        (["ana/4", "--table", "5"], "names table 4"),
        (["ana/4", "--watch", "5"], "names table 4"),
        (["ana", "--bot-seconds", "1"], "--bot-seconds is for --bot"),
        (["--plain", "--secret", "blue-fox"], "--secret needs the ADDRESS"),
        (["--secret", "blue", "fox", "rain", "ana"], "with hyphens: --secret blue-fox-rain"),
        (["ana", "--secret", "blue", "fox"], "with hyphens: --secret blue-fox-rain"),
        (["ana", "--secret", "blue"], "with hyphens: --secret blue-fox-rain"),
        (["ana", "--secret", ""], "at least 6 letters"),
        (["ana", "--secret", "blue-fox", "--bogus"], "unrecognized arguments: --bogus"),
        (["--theme", "pink"], "--theme (one of dark, light, perudo-dark, perudo-light, "),
        (["--language", "xx"], "--language (one of en"),
    ],
)
def test_a_bad_option_is_said_in_one_sentence(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 64
    out, complaint = capsys.readouterr()
    assert out == ""
    assert complaint.startswith("perudo-client: ")
    assert complaint.count("\n") == 1
    assert says in complaint


def test_the_version_names_the_protocol_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.endswith("(protocol 1)\n")


def test_help_names_every_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(code in text for code in ("64", "69", "70", "76", "78", "130"))


def test_options_reach_the_client(run: list[ClientOptions], home: Path) -> None:
    arguments = "ana:7000 --name Bo --table 3 --ascii --no-motion --theme nord --no-bell --odds"
    assert cli.main(arguments.split()) == 0
    (options,) = run
    assert (options.address, options.table, options.watch) == (Address("ana", 7000), 3, 0)
    assert options.settings == Settings(
        name="Bo", ascii=True, motion=False, theme="nord", bell=False, odds=True
    )
    assert options.config_path == home / "perudo" / "client.toml"


def test_without_a_terminal_it_is_plain(run: list[ClientOptions]) -> None:
    assert cli.main([]) == 0
    assert run[0].plain
    assert run[0].address is None


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("term", "arguments", "drawn"),
    [
        ("xterm-256color", [], True),
        ("xterm-256color", ["ana:7000"], True),
        ("xterm-256color", ["--demo"], True),
        ("xterm-256color", ["--plain"], False),
        ("dumb", [], False),
    ],
)
def test_on_a_terminal_that_can_more_a_screen_is_drawn(
    run: list[ClientOptions],
    monkeypatch: pytest.MonkeyPatch,
    term: str,
    arguments: list[str],
    drawn: bool,
) -> None:
    import perudo_client.app

    screens: list[ClientOptions] = []

    def draw(options: ClientOptions) -> int:
        screens.append(options)
        return 0

    monkeypatch.setattr(perudo_client.app, "run_app", draw)
    monkeypatch.setattr(sys, "stdin", _Terminal())
    monkeypatch.setattr(sys, "stdout", _Terminal())
    monkeypatch.setenv("TERM", term)
    assert cli.main(arguments) == 0
    assert (len(screens), len(run)) == ((1, 0) if drawn else (0, 1))


def test_a_flag_counts_before_the_environment_and_that_before_the_file(
    run: list[ClientOptions], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home / "mine.toml"
    save(path, Settings(name="File", theme="nord", bell=False))
    monkeypatch.setenv("PERUDO_CLIENT_NAME", "Environment")
    monkeypatch.setenv("PERUDO_CLIENT_THEME", "dracula")
    assert cli.main(["--config", str(path), "--name", "Flag"]) == 0
    settings = run[0].settings
    assert (settings.name, settings.theme, settings.bell) == ("Flag", "dracula", False)


def test_a_bad_file_of_ones_own_is_a_notice(run: list[ClientOptions], home: Path) -> None:
    (home / "perudo").mkdir()
    (home / "perudo" / "client.toml").write_text("name = ")
    assert cli.main([]) == 0
    assert "defaults are used" in run[0].notice
    assert run[0].settings == Settings()


def test_a_bad_file_that_was_named_ends_it(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "bad.toml").write_text("name = ")
    assert cli.main(["--config", str(home / "bad.toml")]) == 78
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1
    assert "default" not in complaint, "it ends, and uses none"


def test_a_bad_environment_ends_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PERUDO_CLIENT_BELL", "loud")
    assert cli.main([]) == 78
    assert "bell" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("PERUDO_CLIENT_THEME", "pink", "theme (one of dark, light, perudo-dark"),
        ("PERUDO_CLIENT_LANGUAGE", "xx", "language (one of en"),
        ("PERUDO_SECRET", "blue", "at least 6 letters"),
    ],
)
def test_a_value_of_the_environment_that_is_none_is_said(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    value: str,
    says: str,
) -> None:
    monkeypatch.setenv(name, value)
    assert cli.main(["ana"]) == 78
    complaint = capsys.readouterr().err
    assert says in complaint
    assert complaint.count("\n") == 1


@pytest.mark.parametrize("line", ['theme = "pink"', 'language = "xx"'])
def test_a_value_of_the_file_that_is_none_is_said(
    home: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "bad.toml").write_text(line)
    assert cli.main(["--config", str(home / "bad.toml")]) == 78
    assert "(one of " in capsys.readouterr().err


@pytest.mark.parametrize("short", ["dark", "light"])
def test_our_themes_have_short_names(
    run: list[ClientOptions], home: Path, monkeypatch: pytest.MonkeyPatch, short: str
) -> None:
    assert cli.main(["--theme", short]) == 0
    monkeypatch.setenv("PERUDO_CLIENT_THEME", short)
    assert cli.main([]) == 0
    monkeypatch.delenv("PERUDO_CLIENT_THEME")
    (home / "mine.toml").write_text(f'theme = "{short}"')
    assert cli.main(["--config", str(home / "mine.toml")]) == 0
    assert [each.settings.theme for each in run] == [f"perudo-{short}"] * 3


def test_the_names_of_themes_are_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    ours = {theme.name for theme in OURS}
    assert set(NAMES) == {"dark", "light"} | ours | set(BUILTIN_THEMES)
    assert cli.main(["--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert all(name in told.replace("- ", "-") for name in NAMES)


def test_a_country_of_a_language_is_fine(run: list[ClientOptions]) -> None:
    assert cli.main(["--language", "en_GB"]) == 0
    assert run[0].settings.language == "en_GB"


def test_a_bot_is_run_without_a_screen(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """The name in the file is the player's own, not the bot's."""
    ran: list[tuple[object, ...]] = []

    def remember(
        host: str,
        port: int,
        *,
        name: str,
        table: int | None,
        seconds: float,
        certificate: bytes,
        known: Callable[[str, int], bytes],
        secret: str,
        keeper: BotSeat,
    ) -> int:
        assert (certificate, secret, known("ana", 1)) == (b"", "", b"")
        assert keeper.left() is None
        ran.append((host, port, name, table, seconds))
        return 69

    monkeypatch.setattr(perudo_bot.cli, "run", remember)
    save(home / "perudo" / "client.toml", Settings(name="Ana"))
    assert cli.main(["ana/4", "--bot"]) == 69
    assert cli.main(["ana:1", "--bot", "--name", "Bia"]) == 69
    assert ran == [("ana", 7654, "Bot", 4, 1.5), ("ana", 1, "Bia", None, 1.5)]


def test_an_error_of_the_program_is_a_sentence_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_options: ClientOptions) -> int:
        raise RuntimeError("\x1b[2J")

    monkeypatch.setattr(plain_run, "run_plain", broken)
    assert cli.main([]) == 70
    complaint = capsys.readouterr().err
    assert complaint == "perudo-client: An error in this program ended it (RuntimeError).\n"


def test_ctrl_c_before_anything_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_options: ClientOptions) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(plain_run, "run_plain", interrupted)
    assert cli.main([]) == 130
    assert capsys.readouterr().err == ""


def test_the_plain_client_loads_no_screen_and_no_server() -> None:
    """`textual` costs a third of a second; the server is another program."""
    code = (
        "import sys, perudo_client.cli, perudo_client.plain_run;"
        "print([name for name in ('textual', 'rich', 'perudo_server') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "[]\n"


# Names -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("user", "name"),
    [
        ("ana", "ana"),
        ("", "player"),
        ("a" * 40, "a" * MOST_CELLS),
        ("漢" * 20, "漢" * (MOST_CELLS // 2)),
        ("\x1b[2J", "[2J"),
    ],
)
def test_the_name_of_this_computers_user_is_cut_to_what_servers_take(
    monkeypatch: pytest.MonkeyPatch, user: str, name: str
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: user)
    assert default_name() == name


def test_a_user_without_a_name_is_a_player(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert default_name() == "player"


def test_a_number_behind_a_name_stays_within_what_servers_take() -> None:
    assert numbered("ana", 2) == "ana 2"
    assert numbered("a" * 16, 12) == "a" * 13 + " 12"
    assert numbered("漢" * 8, 2) == "漢" * 7 + " 2"
