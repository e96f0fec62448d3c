"""A table's options: names, values, presets, and a sentence for each mistake."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_protocol.ruleset import (
    CHOICES,
    PRESETS,
    STANDARD,
    SWITCH,
    Choice,
    OptionError,
    Ruleset,
    from_wire,
    preset_of,
    ruleset,
    to_wire,
)


def values(choice: Choice) -> st.SearchStrategy[Any]:
    """Any value that an option may have."""
    if choice is SWITCH:
        return st.booleans()
    if choice.words:
        return st.sampled_from(choice.words)
    numbers = st.integers(choice.least, choice.most)
    return numbers | st.just(0) if choice.zero else numbers


CHANGES = st.fixed_dictionaries({}, optional={n: values(c) for n, c in CHOICES.items()})


def test_every_option_has_its_values_and_its_default_is_one() -> None:
    assert [field.name for field in fields(Ruleset)] == list(CHOICES)
    assert from_wire(to_wire(STANDARD)) == STANDARD == ruleset()


@given(st.sampled_from(sorted(PRESETS)), CHANGES)
def test_a_preset_with_changes_over_it(preset: str, changes: dict[str, Any]) -> None:
    rules = ruleset(preset, changes)
    wanted = {**to_wire(STANDARD), **PRESETS[preset], **changes}
    assert to_wire(rules) == wanted
    assert from_wire(to_wire(rules)) == rules
    assert ruleset("standard", rules.changes()) == rules


def test_presets_are_those_of_the_rules() -> None:
    assert {name: ruleset(name).changes() for name in PRESETS} == {
        "standard": {},
        "classic": {"spot_on": False},
        "cacho": {"open_aces": True},
        "club": {
            "spot_on_by": "any",
            "spot_on_reward": "regain",
            "spot_on_heads_up": False,
            "palifico": "once",
            "palifico_heads_up": False,
            "palifico_change": "one_die",
        },
        "strict": {"raising": "one_axis", "spot_on": False},
    }


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_preset_is_known_again_whatever_the_house_sets(preset: str) -> None:
    assert preset_of(ruleset(preset)) == preset
    house = {"max_players": 10, "turn_seconds": 0, "away_seconds": 10, "first_player": "random"}
    assert preset_of(ruleset(preset, house)) == preset
    assert preset_of(ruleset(preset, {"on_leave": "ghost"})) == preset
    assert preset_of(ruleset(preset, {"wild_aces": False})) == ""


@pytest.mark.parametrize(
    ("preset", "changes", "sentence"),
    [
        (
            "chess",
            {},
            "no preset is called 'chess'; there are standard, classic, cacho, club, strict",
        ),
        (
            "standard",
            {"aces": True},
            "no option is called 'aces'; there are " + ", ".join(CHOICES),
        ),
        ("standard", {"spot_on": 1}, "spot_on is either true or false, not 1"),
        ("standard", {"spot_on": "on"}, "spot_on is either true or false, not 'on'"),
        (
            "standard",
            {"raising": "wild"},
            "raising is one of standard, no_lower_face, one_axis, not 'wild'",
        ),
        ("standard", {"palifico": True}, "palifico is one of every, once, off, not True"),
        ("standard", {"start_dice": 7}, "start_dice is a whole number, 1 to 6, not 7"),
        ("standard", {"start_dice": 0}, "start_dice is a whole number, 1 to 6, not 0"),
        ("standard", {"start_dice": True}, "start_dice is a whole number, 1 to 6, not True"),
        ("standard", {"start_dice": 5.0}, "start_dice is a whole number, 1 to 6, not 5.0"),
        ("standard", {"max_players": 11}, "max_players is a whole number, 2 to 10, not 11"),
        (
            "standard",
            {"turn_seconds": 9},
            "turn_seconds is a whole number, 0 or 10 to 600, not 9",
        ),
        (
            "standard",
            {"away_seconds": 0},
            "away_seconds is a whole number, 10 to 3600, not 0",
        ),
    ],
)
def test_each_mistake_has_its_sentence(
    preset: str, changes: dict[str, object], sentence: str
) -> None:
    with pytest.raises(OptionError) as caught:
        ruleset(preset, changes)
    assert str(caught.value) == sentence


@given(
    st.dictionaries(
        st.sampled_from(sorted(CHOICES)) | st.text(max_size=5),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    )
)
def test_anything_from_the_wire_gives_options_or_an_option_error(values: dict[str, Any]) -> None:
    try:
        rules = from_wire(values)
    except OptionError:
        return
    assert {name: to_wire(rules)[name] for name in values} == values
