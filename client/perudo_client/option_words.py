"""The options of a table and the presets in words: a title, a short value and a sentence each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perudo_protocol.ruleset import CHOICES, PRESETS, Ruleset, from_wire, preset_of

from .i18n import _, ngettext, pgettext

Value = bool | int | str


def option_title(name: str) -> str:
    """Name an option, as over a field of a form."""
    titles = {
        "raising": _("Raising"),
        "open_aces": _("Opening on aces"),
        "wild_aces": _("Wild aces"),
        "dudo_by": _("Who may doubt"),
        "spot_on": _("Spot-on"),
        "spot_on_by": _("Who may call spot-on"),
        "spot_on_reward": _("Reward of a right spot-on"),
        "spot_on_palifico": _("Spot-on in palifico"),
        "spot_on_heads_up": _("Spot-on with two left"),
        "palifico": _("Palifico"),
        "palifico_heads_up": _("Palifico with two left"),
        "palifico_change": _("Face in palifico"),
        "start_dice": _("Dice at the start"),
        "max_players": _("Seats"),
        "first_player": _("Who begins"),
        "turn_seconds": _("Time for a turn"),
        "away_seconds": _("Lost connection"),
        "on_leave": _("When a player leaves"),
    }
    return titles.get(name, name)


def option_value(name: str, value: Value) -> str:
    """Give an option's value in a word or two, as in a list to choose from."""
    if isinstance(value, bool):
        return pgettext("option", "on") if value else pgettext("option", "off")
    if isinstance(value, int):
        return _number_value(name, value)
    words = {
        "raising.standard": pgettext("option", "standard"),
        "raising.no_lower_face": pgettext("option", "no lower face"),
        "raising.one_axis": pgettext("option", "one of the two"),
        "dudo_by.turn": pgettext("option", "in turn"),
        "dudo_by.any": pgettext("option", "anyone"),
        "spot_on_by.turn": pgettext("option", "in turn"),
        "spot_on_by.any": pgettext("option", "anyone"),
        "spot_on_reward.both": pgettext("option", "both"),
        "spot_on_reward.regain": pgettext("option", "regain a die"),
        "spot_on_reward.bidder": pgettext("option", "bidder loses"),
        "palifico.every": pgettext("option", "every time"),
        "palifico.once": pgettext("option", "once a player"),
        "palifico.off": pgettext("option", "never"),
        "palifico_change.nobody": pgettext("option", "never changes"),
        "palifico_change.one_die": pgettext("option", "with one die"),
        "first_player.roll": pgettext("option", "highest throw"),
        "first_player.random": pgettext("option", "at random"),
        "on_leave.bot": pgettext("option", "a bot plays on"),
        "on_leave.ghost": pgettext("option", "nobody plays on"),
    }
    return words.get(f"{name}.{value}", value)


def _number_value(name: str, value: int) -> str:
    if not name.endswith("_seconds"):
        return str(value)
    if value == 0:
        return _("no clock")
    return ngettext("{count} second", "{count} seconds", value).format(count=value)


def option_sentence(name: str, value: Value) -> str:
    """Say in a whole sentence what a value of an option means."""
    if isinstance(value, bool):
        return _switch_sentence(name, value)
    if isinstance(value, int):
        return _number_sentence(name, value)
    return _word_sentence(name, value)


def _switch_sentence(name: str, on: bool) -> str:
    sentences = {
        "open_aces": (
            _("A round may open on aces."),
            _("A normal round never opens on aces."),
        ),
        "wild_aces": (
            _("Aces are wild: they count for every face."),
            _("Aces are not wild: an ace is the lowest plain face."),
        ),
        "spot_on": (
            _("A bid may be called spot-on: exactly right."),
            _("There is no spot-on: a bid is raised or doubted."),
        ),
        "spot_on_palifico": (
            _("Spot-on is allowed in palifico too."),
            _("There is no spot-on in palifico."),
        ),
        "spot_on_heads_up": (
            _("Spot-on is allowed with two players left too."),
            _("There is no spot-on with two players left."),
        ),
        "palifico_heads_up": (
            _("Palifico is played with two players left too."),
            _("There is no palifico with two players left."),
        ),
    }
    return sentences[name][0 if on else 1]


def _number_sentence(name: str, value: int) -> str:
    match name:
        case "start_dice":
            text = ngettext(
                "Everybody starts with {count} die.",
                "Everybody starts with {count} dice.",
                value,
            )
        case "max_players":
            text = ngettext("At most {count} plays.", "At most {count} play.", value)
        case "turn_seconds" if value == 0:
            text = _("There is no clock: take your time.")
        case "turn_seconds":
            text = ngettext(
                "Each turn lasts {count} second at most.",
                "Each turn lasts {count} seconds at most.",
                value,
            )
        case _:
            text = ngettext(
                "A seat is kept {count} second for a player who is away.",
                "A seat is kept {count} seconds for a player who is away.",
                value,
            )
    return text.format(count=value)


def _word_sentence(name: str, value: str) -> str:
    sentences = {
        "raising.standard": _(
            "A raise is more dice with any face, or as many dice with a higher face."
        ),
        "raising.no_lower_face": _(
            "A raise goes up in number, in face, or in both; neither of them may fall."
        ),
        "raising.one_axis": _("A raise goes up either in number or in face, never in both."),
        "dudo_by.turn": _("Only the player in turn may doubt."),
        "dudo_by.any": _("Anyone with dice may doubt at any time, except the bidder."),
        "spot_on_by.turn": _("Only the player in turn may call spot-on."),
        "spot_on_by.any": _("Anyone with dice may call spot-on at any time, except the bidder."),
        "spot_on_reward.both": _(
            "A right spot-on costs the bidder a die and gives one back to the caller."
        ),
        "spot_on_reward.regain": _("A right spot-on gives a die back to the caller."),
        "spot_on_reward.bidder": _("A right spot-on costs the bidder a die."),
        "palifico.every": _("Palifico is played each time a player falls from two dice to one."),
        "palifico.once": _(
            "Palifico is played the first time a player falls from two dice to one."
        ),
        "palifico.off": _("Palifico is never played."),
        "palifico_change.nobody": _("The face never changes in palifico."),
        "palifico_change.one_die": _("Players with one die may change the face in palifico."),
        "first_player.roll": _("The highest throw of one die begins."),
        "first_player.random": _("Who begins is drawn at random."),
        "on_leave.bot": _("A bot plays on for a player who leaves."),
        "on_leave.ghost": _("Nobody plays on for a player who leaves: the dice go out."),
    }
    return sentences[f"{name}.{value}"]


def preset_title(name: str) -> str:
    """Name a preset."""
    titles = {
        "standard": pgettext("rules", "standard"),
        "classic": pgettext("rules", "classic"),
        "cacho": pgettext("rules", "cacho"),
        "club": pgettext("rules", "club"),
        "strict": pgettext("rules", "strict"),
    }
    return titles.get(name, name)


def preset_sentence(name: str) -> str:
    """Say in a sentence what a preset is."""
    sentences = {
        "standard": _("The usual game, with spot-on and palifico."),
        "classic": _("The oldest way: raise or doubt, without spot-on."),
        "cacho": _("As in cacho: a round may open on aces."),
        "club": _("As in clubs: anyone may call spot-on, and it only gives a die back."),
        "strict": _("Raise the number or the face, never both; without spot-on."),
    }
    return sentences.get(name, name)


def rules_name(rules: Ruleset) -> str:
    """Name a table's rules in short: `standard rules`, or `own rules` for no preset."""
    preset = preset_of(rules)
    if not preset:
        return _("own rules")
    return _("{preset} rules").format(preset=preset_title(preset))


def preset_of_words(rules: Ruleset) -> str:
    """Say in a sentence what kind of rules these are."""
    preset = preset_of(rules)
    return preset_sentence(preset) if preset else _("This table has rules of its own.")


def rules_sentences(rules: Ruleset) -> list[str]:
    """Say what differs from the preset `standard`, a sentence for each option."""
    return [option_sentence(name, value) for name, value in rules.changes().items()]


def values_of(name: str) -> list[Value]:
    """Give the values of an option to choose from, in their order; a few steps for numbers."""
    choice = CHOICES[name]
    if choice.words == ("off", "on"):
        return [False, True]
    if choice.words:
        return list(choice.words)
    if choice.most <= 20:
        return list(range(choice.least, choice.most + 1))
    steps = (0, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1200, 3600)
    return [n for n in steps if choice.least <= n <= choice.most or (n == 0 and choice.zero)]


def known(rules: Mapping[str, Any]) -> Ruleset:
    """Read the options of a line of the list of tables; only what differs is in it."""
    return from_wire({name: value for name, value in rules.items() if name in CHOICES})


PRESET_NAMES = tuple(PRESETS)
