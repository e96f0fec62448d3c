"""A stranger's fold, written from `protocol/README.md` alone over plain values, agrees with ours.

Each function below says what the section of its event says, and no more.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from typing import Any

import msgpack
from hypothesis import given
from hypothesis import strategies as st

from perudo_protocol import story as ev
from perudo_protocol import views
from perudo_protocol.codec import encode
from perudo_protocol.framing import HEADER
from perudo_protocol.messages import Update, View
from tests.support.arbitrary import instances, kinds, word
from tests.support.sample_messages import EVENTS, VIEW

Map = dict[str, Any]


def people(
    view: Map, host: int, seats: list[Map], watchers: list[Map], _sent_away: int = 0
) -> None:
    view.update(host=host, seats=seats, watchers=watchers)
    if view["you"] == 0 or all(seat["person"] != view["you"] for seat in seats):
        view.update(hand=[], seed=b"")


def ready(view: Map, seat: int, ready: bool) -> None:
    view["seats"][seat]["ready"] = ready


def start(view: Map, game: int, dice: int, proof: str, more_time: bool) -> None:
    for seat in view["seats"]:
        seat.update(dice=dice, ready=False, place=0, more_time=more_time)
    view.update(phase="throw", game=game, round=0, opener=-1, winner=-1, palifico=False, resume=0)
    view.update(paused=0)
    view.update(ladder=[], throws=[], tallies=[], hand=[], turn=None, reveal=None, next=None)
    first = hashlib.sha256(f"perudo-fair/1|{proof}|chain".encode()).digest()
    view.update(seed=b"", proof={"game": proof, "chain": first, "round": 0, "attempt": 0})
    view["proof"].update(commitments=[], promises=[], entropies=[], left_out=[])


def throw(view: Map, dice: list[Any]) -> None:
    view["throws"].append(dice)


def next_(view: Map, opener: int, palifico: bool, resume: int) -> None:
    view.update(next=[opener, palifico], resume=resume)


def commit(
    view: Map,
    round_: int,
    attempt: int,
    commitments: list[bytes],
    promises: list[bytes],
    left_out: list[int],
) -> None:
    view["resume"] = 0
    view["proof"].update(round=round_, attempt=attempt, commitments=commitments)
    view["proof"].update(promises=promises, left_out=left_out, entropies=[])


def open_(view: Map, entropies: list[bytes]) -> None:
    view["proof"]["entropies"] = entropies


def deal(view: Map, round_: int, opener: int, palifico: bool) -> None:
    view.update(phase="bidding", round=round_, opener=opener, palifico=palifico)
    view.update(ladder=[], hand=[], seed=b"", turn=None, reveal=None, next=None, resume=0)
    for seat in view["seats"]:
        seat["ready"] = False


def turn(view: Map, *items: Any) -> None:
    view["turn"] = list(items)


def bid(view: Map, seat: int, bid: list[int]) -> None:
    view["ladder"].append([seat, bid])


def timeout(_view: Map, _seat: int) -> None:
    pass


def more_time(view: Map, seat: int) -> None:
    view["seats"][seat]["more_time"] = False


def pause(view: Map, until: int) -> None:
    view.update(paused=until)


def call(
    view: Map,
    seat: int,
    call: str,
    count: int,
    right: bool,
    cups: list[Any],
    seeds: list[bytes],
    chain: bytes,
) -> None:
    bidder, standing = view["ladder"][-1]
    view.update(phase="reveal", turn=None)
    view["reveal"] = {
        "caller": seat,
        "call": call,
        "bidder": bidder,
        "bid": standing,
        "count": count,
        "right": right,
        "cups": cups,
        "palifico": view["palifico"],
        "lost": [],
        "gained": [],
        "seeds": seeds,
    }
    view["proof"]["chain"] = chain


def lose(view: Map, seat: int) -> None:
    view["seats"][seat]["dice"] -= 1
    if view["reveal"] is not None:
        view["reveal"]["lost"].append(seat)


def gain(view: Map, seat: int) -> None:
    view["seats"][seat]["dice"] += 1
    if view["reveal"] is not None:
        view["reveal"]["gained"].append(seat)


def left(view: Map, seat: int) -> None:
    view["seats"][seat].update(player="nobody", person=0, ready=False)


def clear(view: Map, seat: int) -> None:
    view["seats"][seat]["dice"] = 0


def out(view: Map, seat: int, place: int) -> None:
    view["seats"][seat]["place"] = place


def over(view: Map, winner: int, tallies: list[Any], chain: bytes) -> None:
    view.update(phase="over", turn=None, next=None, resume=0, winner=winner, tallies=tallies)
    view.update(paused=0)
    view["seats"][winner]["place"] = 1
    view["proof"]["chain"] = chain


FOLDS: dict[str, Callable[..., None]] = {
    fold.__name__.strip("_"): fold
    for fold in (
        *(people, ready, start, throw, next_, commit, open_, deal, turn, bid),
        *(timeout, more_time, pause, call, lose, gain, left, clear, out, over),
    )
}


def plain(message: View | Update) -> Map:
    """Give what a stranger reads from the bytes."""
    value: Map = msgpack.unpackb(encode(message)[HEADER:])
    return value


def as_a_stranger(view: views.TableView, events: tuple[ev.AnyEvent, ...]) -> Map:
    """Fold as the document says."""
    mine: Map = plain(View(view=view))["view"]
    for name, *items in plain(Update(rev=1, events=events))["events"]:
        FOLDS[name](mine, *copy.deepcopy(items))
    return mine


def honest(view: views.TableView, event: ev.AnyEvent) -> bool:
    """Say whether a server may send this event after this view."""
    match event:
        case ev.Called():
            return bool(view.ladder)
        case ev.DieLost(seat):
            return seat < len(view.seats) and view.seats[seat].dice > 0
        case ev.Won(winner=seat):
            return seat < len(view.seats)
        case _:
            return getattr(event, "seat", -1) < len(view.seats)


def test_the_stranger_knows_every_event() -> None:
    assert set(FOLDS) == {word(kind) for kind in kinds(ev.AnyEvent)}


def test_the_sample_story() -> None:
    for event in EVENTS:
        ours = ev.fold(VIEW, event)
        assert as_a_stranger(VIEW, (event,)) == plain(View(view=ours))["view"]


@given(instances(views.TableView), st.lists(instances(ev.AnyEvent), max_size=6))
def test_any_story_gives_the_same_view(view: views.TableView, events: list[ev.AnyEvent]) -> None:
    ours, told = view, []
    for event in events:
        if honest(ours, event):
            told.append(event)
            ours = ev.fold(ours, event)
    assert as_a_stranger(view, tuple(told)) == plain(View(view=ours))["view"]
