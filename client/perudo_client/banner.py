"""What stands over everything else for a while: paused, storage full, away, connection lost."""

from __future__ import annotations

from .i18n import _
from .model import Model
from .words import clock_text, storage_line


def banner(model: Model, now: float, *, keys: bool = True) -> str:
    """Say what holds up the game, or us; the empty text when nothing does.

    With `keys` it says which key helps, without them which word.
    """
    if model.storage_full:
        return storage_line(full=True)
    if model.stood_in:
        if keys:
            return _("You were away; a bot plays for you. Press b to come back.")
        return _("You were away; a bot plays for you. Type back to come back.")
    left = model.away_left(model.my_seat, now)
    if left is not None:
        text = _("You count as away: press b, or a bot plays for you in {time}.")
        if not keys:
            text = _("You count as away: type back, or a bot plays for you in {time}.")
        return text.format(time=clock_text(left))
    return _paused(model, now, keys)


def _paused(model: Model, now: float, keys: bool) -> str:
    left = model.pause_left(now)
    if left is None:
        return ""
    text = _("The host has paused the game. It goes on in {time} at the latest.")
    if model.am_host:
        text = _("You have paused the game. It goes on in {time} at the latest; p: now.")
        if not keys:
            text = _("You have paused the game. It goes on in {time} at the latest; type go on.")
    return text.format(time=clock_text(left))


def lost_lines(
    model: Model, *, away: float, next_try: float, stopping: bool, sent_on: str = ""
) -> list[str]:
    """Say that the connection is lost, when we try again, and how long our seat is kept.

    `sent_on` says where the server has sent us, if that is why we are on our way.
    """
    if sent_on:
        first = sent_on
    elif stopping:
        first = _("The server has stopped.")
    else:
        first = _("The connection is lost.")
    if next_try > 0:
        then = _("Next try in {seconds} s.").format(seconds=max(1, round(next_try)))
    else:
        then = _("Trying again...")
    why = [_("Its disk may be full.")] if model.storage_full else []
    return [first, *why, then, *_seat_lines(model, away, stopping)]


def _seat_lines(model: Model, away: float, stopping: bool) -> list[str]:
    if not model.seated:
        return []
    if stopping:
        return [_("If it starts again, you have your seat back.")]
    left = model.rules.away_seconds - away
    if left > 0 and not model.keeps:
        text = _("Your seat is kept for {time} if the server runs on.")
        return [text.format(time=clock_text(left))]
    if left > 0:
        return [_("Your seat is kept for {time}.").format(time=clock_text(left))]
    if model.rules.on_leave == "bot" and not model.between_games:
        return [_("The seat may have been given to a bot by now; you can have it back.")]
    return [_("Your seat is not kept any longer.")]
