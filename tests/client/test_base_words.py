"""Every word of the protocol, every option and every page of help has its sentence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from perudo_client import happenings as h
from perudo_client import option_words, plain_words, reasons
from perudo_client.address import Address
from perudo_client.endings import Closed, Trouble
from perudo_client.rules_text import rules_text
from perudo_protocol import messages as m
from perudo_protocol import views as v
from perudo_protocol.ruleset import CHOICES, PRESETS, SWITCH, Ruleset, ruleset
from perudo_protocol.vocabulary import Bid, Refusal
from perudo_protocol.words import AwayReason, ByeReason, Denial, ErrorWord
from tests.support import sample_views

BID = m.PlaceBid(id=1, game=1, round=1, number=1, quantity=3, face=4)


def is_sentence(text: str) -> bool:
    """Say whether a text is one whole sentence or more, with nothing left to fill in."""
    return bool(text) and text[0] not in " ,;" and text[-1] in ".!?" and not set("{}") & set(text)


def refused(word: str, view: v.TableView | None = None, detail: str = "") -> str:
    return reasons.refused(h.RequestRefused(BID, word, detail, view))


# Reasons -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", [*Refusal, *Denial])
def test_every_refusal_has_a_sentence_at_a_table_and_at_none(word: str) -> None:
    for view in (None, sample_views.six(), sample_views.lobby(), sample_views.reveal()):
        sentence = refused(word, view)
        assert is_sentence(sentence)
        assert word not in sentence.split() or word in ("disabled", "empty", "paused")


def test_who_is_too_early_is_not_told_to_be_too_late() -> None:
    assert "Too late" in refused(Refusal.STALE, sample_views.six())
    assert refused(Refusal.STALE, sample_views.reveal()).startswith("No round is being bid now.")


@pytest.mark.parametrize("word", list(ErrorWord))
def test_every_error_has_a_sentence(word: str) -> None:
    assert is_sentence(reasons.error(h.ErrorHappened(word, "", (2, 3))))


def test_the_sentences_of_different_words_differ() -> None:
    sentences = [refused(word, sample_views.six()) for word in (*Refusal, *Denial)]
    assert len(set(sentences)) == len(sentences)


@pytest.mark.parametrize("word", list(ByeReason))
def test_every_goodbye_has_a_sentence(word: str) -> None:
    assert is_sentence(reasons.goodbye(word))


@pytest.mark.parametrize("word", list(AwayReason))
def test_every_way_from_a_table_has_a_sentence(word: str) -> None:
    assert is_sentence(reasons.away(word))


@pytest.mark.parametrize("trouble", list(Trouble))
def test_every_way_not_to_connect_has_a_sentence(trouble: Trouble) -> None:
    assert "ana" in reasons.cannot_connect(trouble, Address("ana"))
    assert is_sentence(reasons.cannot_connect(trouble, Address("ana")))


def test_an_end_is_said_once() -> None:
    assert is_sentence(reasons.closed(Closed.GONE))
    assert is_sentence(reasons.closed(Closed.NONSENSE))
    assert reasons.closed(Closed.BY_US) == reasons.closed(Closed.TOLD) == ""


def test_the_words_of_a_newer_server_are_shown_as_they_are() -> None:
    assert refused("eclipse", None, "come back {tomorrow}") == (
        "The server says: eclipse (come back {tomorrow})."
    )
    assert reasons.goodbye("eclipse") == reasons.away("eclipse") == "The server says: eclipse."
    assert "eclipse" in reasons.error(h.ErrorHappened("eclipse", "", ()))


def test_both_versions_are_named() -> None:
    sentence = reasons.error(h.ErrorHappened("version", "", (7, 8)))
    assert "7, 8" in sentence
    assert "version 1 " in sentence


def test_the_least_bid_is_named_where_it_helps() -> None:
    view = sample_views.six()
    assert refused("not_higher", view) == "That is not higher: the least bid on fours is 6."
    top = sample_views.top()
    assert refused("not_higher", top) == ("No bid is higher than this one: it can only be called.")
    locked = refused("not_higher", sample_views.palifico())
    assert locked == "That is not higher: no bid on fours is possible now."
    assert "threes" in refused("face_locked", sample_views.palifico())
    assert "17 dice" in refused("above_table", view)
    assert "Caio" in refused("not_your_turn", sample_views.waiting())


def test_what_is_wrong_with_an_option_is_said_as_the_server_does() -> None:
    assert "turn_seconds is 0 or 10" in refused("bad_option", None, "turn_seconds is 0 or 10")


# Options and rules -------------------------------------------------------------------------------


def every_value() -> Iterator[tuple[str, option_words.Value]]:
    for name, choice in CHOICES.items():
        values: list[option_words.Value]
        if choice is SWITCH:
            values = [False, True]
        elif choice.words:
            values = list(choice.words)
        else:
            values = [choice.least, choice.most, *([0] if choice.zero else [])]
        for value in values:
            yield name, value


@pytest.mark.parametrize(("name", "value"), list(every_value()))
def test_every_value_of_every_option_has_a_sentence(name: str, value: option_words.Value) -> None:
    assert is_sentence(option_words.option_sentence(name, value))
    assert option_words.option_value(name, value)
    assert "_" not in option_words.option_value(name, value)
    assert option_words.option_title(name) != name


def test_sentences_of_different_values_differ() -> None:
    found = [option_words.option_sentence(name, value) for name, value in every_value()]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("name", list(CHOICES))
def test_the_values_to_choose_from_are_values_of_the_option(name: str) -> None:
    values = option_words.values_of(name)
    assert len(values) >= 2
    for value in values:
        assert ruleset("standard", {name: value})
    default = getattr(Ruleset(), name)
    assert default in values


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_preset_is_worded(preset: str) -> None:
    assert is_sentence(option_words.preset_sentence(preset))
    assert option_words.preset_sentence(preset) != preset
    assert option_words.rules_name(ruleset(preset)) == f"{preset} rules"


def test_rules_of_ones_own_are_called_so() -> None:
    own = ruleset("club", {"start_dice": 3})
    assert option_words.rules_name(own) == "own rules"
    assert "Everybody starts with 3 dice." in option_words.rules_sentences(own)


def test_the_rules_page_is_whole_for_every_mix_of_options() -> None:
    names = ("wild_aces", "spot_on", "palifico", "raising", "spot_on_reward", "palifico_change")
    worded = [("off", "on") if CHOICES[n] is SWITCH else CHOICES[n].words for n in names]
    for mix in product(*worded):
        values = {
            n: v == "on" if CHOICES[n] is SWITCH else v for n, v in zip(names, mix, strict=True)
        }
        for section in rules_text(ruleset("standard", values)):
            assert section.title
            assert section.sentences
            assert all(is_sentence(sentence) for sentence in section.sentences)


def test_the_rules_page_says_what_this_table_plays() -> None:
    def page(rules: Ruleset) -> str:
        return " ".join(s for section in rules_text(rules) for s in section.sentences)

    standard = page(ruleset())
    assert "4 aces" in standard
    assert "8 twos" in standard
    assert "Spot-on" in standard
    classic = page(ruleset("classic"))
    assert "spot-on" not in classic.lower()
    assert "palifico" not in page(ruleset("classic", {"palifico": "off"})).lower()
    plain = page(ruleset("standard", {"wild_aces": False}))
    assert "4 aces" not in plain
    assert "8 twos" not in page(ruleset("standard", {"raising": "one_axis"})).replace(
        "neither 8 sixes nor 8 twos", ""
    )


# The plain client's pages ------------------------------------------------------------------------


def test_the_plain_pages_are_whole_sentences() -> None:
    views = (
        sample_views.six(),
        sample_views.ten(),
        sample_views.reveal(),
        sample_views.throw(),
        sample_views.over(),
        sample_views.lobby(),
        sample_views.palifico(),
        sample_views.top(),
    )
    for view in views:
        options = view.options_for(view.my_seat)
        pages = [
            plain_words.status_lines(view, options),
            plain_words.turn_lines(view, options, 30.0) if view.turn else [],
            plain_words.arrival_lines(view, ruleset("club")),
            plain_words.cups_lines(view),
            plain_words.bids_lines(view),
            plain_words.over_lines(view),
            [plain_words.odds_line(view, Bid(3, 4))],
        ]
        for line in (line for page in pages for line in page):
            assert is_sentence(line), line
    for line in (*plain_words.help_lines(), *plain_words.tables_lines(sample_views.tables())):
        assert is_sentence(line), line
    assert plain_words.phrases_lines()
    assert is_sentence(plain_words.tables_lines([])[0])
    assert plain_words.seconds_line(None) != plain_words.seconds_line(1.2) == "1 second left."


def test_nothing_is_promised_that_is_not_so() -> None:
    """A seat is kept for so long for whoever is away, which says nothing of leaving."""
    sentence = option_words.option_sentence("away_seconds", 30)
    assert "30 seconds" in sentence
    assert "is kept" in sentence
    assert "leav" not in sentence
