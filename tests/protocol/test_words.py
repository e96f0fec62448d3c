"""The server's own words, versions and errors: what is promised never to change."""

from __future__ import annotations

from importlib.metadata import version as installed

import pytest

from perudo_protocol import errors, version
from perudo_protocol.vocabulary import Refusal
from perudo_protocol.words import AwayReason, ByeReason, Denial, ErrorWord, NoticeWord


def test_words_of_the_server_never_change() -> None:
    assert " ".join(Denial) == (
        "no_table table_full at_table not_at_table not_host not_seated game_on no_game too_few "
        "no_such_person no_such_seat not_a_bot yourself bad_name name_taken bad_option "
        "too_many_tables kicked slow_down empty bad_phrase no_clock no_more_time not_away paused "
        "paused_enough "
        "storage_full locked wrong_secret too_many_tries"
    )
    assert " ".join(ErrorWord) == (
        "bad_frame bad_message version bad_name name_taken not_greeted too_many slow_greeting "
        "slow_frame bad_proof flood too_many_tries"
    )
    assert " ".join(ByeReason) == "shutdown dead taken_over"
    assert " ".join(NoticeWord) == "storage_full storage_back"
    assert " ".join(AwayReason) == "left kicked closed"


@pytest.mark.parametrize(
    "word", [*Refusal, *Denial, *ErrorWord, *ByeReason, *AwayReason, *NoticeWord]
)
def test_a_word_is_small_letters_that_fit_a_message(word: str) -> None:
    assert word.replace("_", "").isalpha()
    assert word == word.lower()
    assert len(word) <= 64


def test_each_error_has_the_word_that_is_sent() -> None:
    assert errors.BadFrame.word == errors.FrameTooLarge.word == ErrorWord.BAD_FRAME
    assert errors.BadMessage.word == ErrorWord.BAD_MESSAGE
    assert issubclass(errors.FrameTooLarge, errors.BadFrame)
    assert issubclass(errors.ForeignProtocol, errors.BadFrame)
    assert issubclass(errors.BadFrame, errors.ProtocolError)
    assert issubclass(errors.BadMessage, errors.ProtocolError)
    assert not issubclass(errors.BadMessage, errors.BadFrame)


@pytest.mark.parametrize(
    ("theirs", "spoken"),
    [((1,), 1), ((3, 2, 1), 1), ((1, 99), 1), ((2,), None), ((0, -1), None)],
)
def test_the_newest_version_that_both_speak(theirs: tuple[int, ...], spoken: int | None) -> None:
    assert version.common(theirs) == spoken


def test_the_newest_version_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version, "VERSIONS", (3, 2, 1))
    assert version.common((1, 2)) == 2
    assert version.common((2, 3, 4)) == 3


def test_the_program_is_of_the_version_that_is_installed() -> None:
    assert version.program_version() == installed("perudo")
