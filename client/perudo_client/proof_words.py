"""What the check of the dice has found, in sentences; faults have theirs in `faults`."""

from __future__ import annotations

from perudo_protocol.fairness import digits
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT

from .faults import Fault, found
from .findings import Anew, Checked, Excused, Finding, Gap, Unshown, Without
from .i18n import _
from .proving import Mark
from .words import listed, plain_name

MARK_SIGNS = {
    Mark.NOTHING: "",
    Mark.NONE: "?",
    Mark.CHECKED: "✓",
    Mark.UNSHARED: "~",
    Mark.GAPPED: "~",
    Mark.FAILED: "✗",
}
"""The mark where there is room for one cell alone."""


def finding_line(view: TableView, finding: Finding) -> str:
    """Word a finding for the log."""
    match finding:
        case Checked(chain=chain):
            return _("The dice are checked: {digits}.").format(digits=digits(chain))
        case Unshown(chain=chain):
            text = _("The round ended without a call: {digits}.")
            return text.format(digits=digits(chain))
        case Anew():
            return _anew(view, finding.left_out)
        case Excused():
            return _(
                "Your share came late, since this computer slept or was cut off: the dice are drawn"
                " anew."
            )
        case Gap(number):
            text = _("Not all that came before round {round} was seen; it could not be checked.")
            return text.format(round=number)
        case Without():
            return _("Your own share is not in the dice of this round.")
        case Fault():
            return found(view, finding)


def _anew(view: TableView, left_out: tuple[int, ...]) -> str:
    if len(left_out) == 1:
        if left_out[0] == view.my_seat:
            return _("Your share did not come: the dice are drawn anew.")
        text = _("{name}'s share did not come: the dice are drawn anew.")
        return text.format(name=plain_name(view, left_out[0]))
    names = listed(plain_name(view, seat) for seat in left_out)
    return _("The shares of {names} did not come: the dice are drawn anew.").format(names=names)


def round_line(view: TableView, finding: Finding) -> str:
    """Word a finding for `--verify`, with its round."""
    match finding:
        case Checked(number, seats, dice, chain, shared):
            text = _("round {round}: {seats} seats, {dice} dice, checked, chain {digits}{share}")
            share = _without_share(view, shared)
            told = {"round": number, "seats": seats, "dice": dice, "digits": digits(chain)}
            return text.format(**told, share=share)
        case Unshown(number, chain, shared):
            text = _("round {round}: not shown, it ended without a call, chain {digits}{share}")
            share = _without_share(view, shared)
            return text.format(round=number, digits=digits(chain), share=share)
        case Fault():
            return found(view, finding)
        case _:
            line = finding_line(view, finding)
            return _("round {round}: {sentence}").format(round=finding.round, sentence=line)


def _without_share(view: TableView, shared: bool) -> str:
    if shared:
        return ""
    if view.my_seat == NO_SEAT:
        return _("; not played by you, so your share is not in them")
    return _("; your own share is not in them")


def mark_text(mark: Mark, chain: bytes) -> str:
    """Write the mark that stands at the table: how far the dice are proven."""
    match mark:
        case Mark.NOTHING:
            return ""
        case Mark.NONE:
            return _("no proof")
        case Mark.CHECKED:
            return f"✓ {digits(chain)}"
        case Mark.UNSHARED | Mark.GAPPED:
            return f"~ {digits(chain)}"
        case Mark.FAILED:
            return _("✗ not proven")


def mark_line(mark: Mark, chain: bytes) -> list[str]:
    """Say the same in a sentence, for lines of text; nothing where there is nothing to say."""
    match mark:
        case Mark.NOTHING:
            return []
        case Mark.NONE:
            return [_("This server offers no proof of its dice.")]
        case Mark.CHECKED:
            text = _("The dice are checked. The digits to compare are {digits}.")
            return [text.format(digits=digits(chain))]
        case Mark.UNSHARED:
            text = _(
                "The dice are checked, but your own share is not in those of this round."
                " The digits to compare are {digits}."
            )
            return [text.format(digits=digits(chain))]
        case Mark.GAPPED:
            text = _(
                "The dice that were shown are checked; what you did not see of this game is taken"
                " on trust. The digits to compare are {digits}."
            )
            return [text.format(digits=digits(chain))]
        case Mark.FAILED:
            return [_("The dice of this game are not proven.")]


def evidence_line(path: str) -> str:
    """Say where the evidence is; `path` is empty where no games are saved."""
    if path:
        return _("The evidence is saved: {path}").format(path=path)
    return _("No evidence is saved: saving games is turned off, or did not work.")
