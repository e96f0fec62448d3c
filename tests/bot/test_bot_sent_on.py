"""A bot over the network goes where its server sends it, and not everywhere."""

from __future__ import annotations

import pytest

from perudo_bot.joining import JoinPlan
from perudo_bot.unlocking import Unlocker
from perudo_protocol import messages as m
from perudo_protocol.elsewhere import Elsewhere
from perudo_protocol.returning import SIZE
from tests.bot.test_bot_back import WELCOME, Visit
from tests.support.scripted_server import BOT, met, table

THERE = Elsewhere("93.184.216.35", 7654)
"""Far enough for a link in memory, which has no address."""
PLACE = f"{THERE.host}:{THERE.port}"


async def sent() -> Visit:
    """Sit down, be sent on, and arrive."""
    visit = Visit()
    await visit.sit()
    visit.server.say(m.Redirect(place=PLACE))
    assert visit.guest.journey.next() == THERE
    await visit.pass_time(1)
    return visit


async def test_it_goes_there_as_who_it_is() -> None:
    visit = await sent()
    (resume,) = visit.server.said(m.Resume)
    assert resume.person == BOT
    visit.server.say(m.Nonce(nonce=b"n" * SIZE))
    assert visit.server.said(m.Prove)
    assert visit.lines == ["joined table 3", f"the server sends us on to {PLACE}"]


@pytest.mark.parametrize("place", ["127.0.0.1:7654", "192.168.1.2:7654", "localhost:7654", "x"])
async def test_it_ends_where_it_should_not_go(place: str) -> None:
    visit = Visit()
    await visit.sit()
    visit.server.say(m.Redirect(place=place))
    assert visit.guest.over.done()
    assert visit.guest.confused.startswith("sent on: ")
    assert len(visit.servers) == 1


async def test_nobody_is_greeted_there() -> None:
    for word in ("bad_proof", "name_taken", "version"):
        visit = await sent()
        visit.server.say(m.Error(error=word, detail=""))
        assert visit.server.said(m.Hello) == []
        await visit.pass_time(2)
        assert not visit.guest.over.done()
        assert visit.guest.journey.next() is None
        assert len(visit.servers) == 3


async def test_no_join_words_are_said_there() -> None:
    visit = Visit()
    visit.guest._unlocker = Unlocker("blue fox rain")
    await visit.sit()
    visit.server.say(m.Redirect(place=PLACE))
    visit.guest.journey.next()
    await visit.pass_time(1)
    visit.server.say(m.Challenge(table=0, salt=b"s" * 32, nonce=b"n" * 32, cost=15))
    assert visit.server.said(m.Unlock) == []


async def test_a_bot_of_the_house_is_not_sent_anywhere() -> None:
    server, bot = met(join=JoinPlan(None, lambda line: None))
    server.say(WELCOME, m.View(view=table()), m.Redirect(place=PLACE))
    assert bot.view is not None
    assert not server.is_lost
