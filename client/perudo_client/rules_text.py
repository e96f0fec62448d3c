"""The rules page, generated from a table's own options, with the examples of the old texts."""

from __future__ import annotations

from typing import NamedTuple

from perudo_protocol.ruleset import Ruleset

from .i18n import _
from .option_words import option_sentence


class Section(NamedTuple):
    """One part of the page: a title, and its sentences in order."""

    title: str
    sentences: list[str]


def rules_text(rules: Ruleset) -> list[Section]:
    """Give the rules of a table with these options."""
    sections = [
        _the_game(rules),
        _bids(rules),
        _raises(rules),
        _dudo(rules),
    ]
    if rules.spot_on:
        sections.append(_spot_on(rules))
    sections.append(_next_round(rules))
    if rules.palifico != "off":
        sections.append(_palifico(rules))
    sections.append(_table(rules))
    sections.append(_proof())
    return sections


def _the_game(rules: Ruleset) -> Section:
    return Section(
        _("The game"),
        [
            option_sentence("start_dice", rules.start_dice),
            option_sentence("first_player", rules.first_player),
            _("Everybody shakes their dice under a cup and looks at their own dice only."),
            _("In turn, clockwise, each player raises the bid or calls it."),
            _("A call uncovers all dice, and somebody loses a die."),
            _("Who has no dice left is out; the last player with dice wins."),
        ],
    )


def _bids(rules: Ruleset) -> Section:
    sentences = [
        _("A bid is a number and a face: at least so many of all dice in play show it."),
        option_sentence("wild_aces", rules.wild_aces),
    ]
    if rules.wild_aces:
        sentences += [
            _("1 2 3 5 5 are two twos, two threes, one four, three fives or one six."),
            _("A bid on aces counts the aces alone."),
            option_sentence("open_aces", rules.open_aces),
        ]
    sentences.append(_("No bid is higher than the number of dice in play."))
    return Section(_("Bids"), sentences)


def _raises(rules: Ruleset) -> Section:
    sentences = [option_sentence("raising", rules.raising), _raise_example(rules)]
    if rules.wild_aces:
        sentences += [
            _("To bid on aces, half the number is enough, rounded up."),
            _("After 7 fives one may bid 4 aces."),
            _("To go back from aces to another face, bid twice the number and one more."),
            _("After 4 aces one may bid 9 twos, and after 3 aces 7 fours."),
        ]
    return Section(_("Raising"), sentences)


def _raise_example(rules: Ruleset) -> str:
    if rules.raising == "standard":
        return _("After 7 fives one may bid 9 fives, 8 twos or 7 sixes.")
    if rules.raising == "no_lower_face":
        return _("After 7 fives one may bid 9 fives, 8 sixes or 7 sixes, but not 8 twos.")
    return _("After 7 fives one may bid 9 fives or 7 sixes, but neither 8 sixes nor 8 twos.")


def _dudo(rules: Ruleset) -> Section:
    return Section(
        _("Dudo"),
        [
            _("Dudo means: I doubt it. All dice are shown and counted."),
            _("If there are as many as bid, or more, the doubter loses a die."),
            _("If there are fewer, the bidder loses a die."),
            option_sentence("dudo_by", rules.dudo_by),
        ],
    )


def _spot_on(rules: Ruleset) -> Section:
    sentences = [
        _("Spot-on means: there are exactly so many, neither more nor fewer."),
        option_sentence("spot_on_reward", rules.spot_on_reward),
        _("A wrong spot-on costs the caller a die."),
    ]
    if rules.spot_on_reward != "bidder":
        sentences.append(_("Nobody ever has more dice than at the start."))
    sentences += [
        option_sentence("spot_on_by", rules.spot_on_by),
        option_sentence("spot_on_heads_up", rules.spot_on_heads_up),
    ]
    if rules.palifico != "off":
        sentences.append(option_sentence("spot_on_palifico", rules.spot_on_palifico))
    return Section(_("Spot-on"), sentences)


def _next_round(rules: Ruleset) -> Section:
    sentences = [_("Who lost a die opens the next round.")]
    if rules.spot_on and rules.spot_on_reward == "regain":
        sentences.append(_("If nobody lost one, the caller opens."))
    sentences.append(_("If that player is out, the next one with dice opens, clockwise."))
    return Section(_("The next round"), sentences)


def _palifico(rules: Ruleset) -> Section:
    sentences = [
        option_sentence("palifico", rules.palifico),
        _("That player opens, and may open on aces too."),
        _("For this round aces are not wild: after a bid on fives only fives count."),
        option_sentence("palifico_change", rules.palifico_change),
    ]
    if rules.palifico_change == "nobody":
        sentences.append(_("After 2 fives one may bid 3 fives, 4 fives or more, or call."))
    sentences.append(option_sentence("palifico_heads_up", rules.palifico_heads_up))
    return Section(_("Palifico"), sentences)


def _table(rules: Ruleset) -> Section:
    sentences = [
        option_sentence("max_players", rules.max_players),
        option_sentence("turn_seconds", rules.turn_seconds),
    ]
    if rules.turn_seconds:
        sentences.append(
            _("When time is up, the standing bid is doubted; without one, 1 two is bid.")
        )
    sentences.append(option_sentence("on_leave", rules.on_leave))
    return Section(_("At this table"), sentences)


def _proof() -> Section:
    """Say what the check of the dice proves and what not; no more than it does."""
    return Section(
        _("Dice that you can check"),
        [
            _(
                "Before each round the server commits itself to a seed for each seat; then the"
                " program of each player with dice adds random bytes, its share (bots give"
                " none); the dice follow from both."
            ),
            _(
                "Your program checks every deal and every reveal: ✓ says that every die that was"
                " shown so far follows from what was promised."
            ),
            _(
                "~ says the same, but your own share is not in this round's dice: you watch, are"
                " out, have just come, or it came too late."
            ),
            _(
                "Beside it stand six digits. Compare them aloud after the same reveal: they are the"
                " same for all, unless the server tells different stories."
            ),
            _(
                "This proves: with your own share in, the server, even with all other players its"
                " puppets, could neither choose nor bias any seat's dice."
            ),
            _("It does not prove that the server does not look or tell: it knows all dice."),
            _("It does not prove that nobody forced a re-roll, but each one is told in the story."),
            _(
                "It proves neither that all are told the same story, without the spoken check, nor"
                " that a player's program is honest."
            ),
        ],
    )
