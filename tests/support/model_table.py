"""Ana's model: greeted, at a table, in a round; and what the server may say there."""

from __future__ import annotations

from msgspec.structs import replace

from perudo_client import happenings as h
from perudo_client.model import Model
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol import views as v
from perudo_protocol.ruleset import ruleset, to_wire
from perudo_protocol.vocabulary import Player

ME, BO = 1, 3


def greeted() -> Model:
    model = Model()
    model.apply(
        m.Welcome(version=1, server="perudo-server 1", name="Home", person=ME, you="Ana", now=5000),
        100.0,
    )
    return model


def seated(**changes: object) -> Model:
    """Ana's model at her table, in the lobby with Bo unless changed."""
    model = greeted()
    model.apply(m.View(view=lobby(**changes)), 100.0)
    return model


def lobby(**changes: object) -> v.TableView:
    view = v.TableView(
        table=4,
        name="Friday",
        rules=to_wire(ruleset()),
        rev=0,
        host=ME,
        seats=(v.SeatView("Ana", Player.PERSON, ME), v.SeatView("Bo", Player.PERSON, BO)),
        you=ME,
    )
    return replace(view, **changes)


def told(model: Model, *events: ev.AnyEvent) -> list[h.Happening]:
    assert model.view is not None
    return model.apply(m.Update(rev=model.view.rev + 1, events=events), 100.0)


def dealt(model: Model) -> None:
    """Begin a game and its first round; it is Ana's turn to open."""
    told(
        model, ev.Started(1, 5), ev.Thrown((v.Throw(0, 6), v.Throw(1, 2))), ev.NextSet(0, False, 9)
    )
    told(model, ev.Dealt(1, 0, False), turn(0))
    model.apply(m.OwnHand(round=1, dice=(1, 2, 2, 4, 6)), 100.0)


def turn(seat: int, least: tuple[int, ...] = (0, 1, 1, 1, 1, 1)) -> ev.TurnSet:
    caller = (seat,)
    return ev.TurnSet(seat, 65_000, least, (10,) * 6, caller, caller)


def kinds(happened: list[h.Happening]) -> list[type]:
    return [type(each) for each in happened]
