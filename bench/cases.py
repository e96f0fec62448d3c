"""All the cases, in the order in which they are run."""

from __future__ import annotations

from . import (
    bids,
    bots,
    client_paint,
    client_start,
    holding,
    keeping,
    lasting,
    loops,
    moves,
    pings,
    private,
    returning,
    starting,
    whole,
)
from .rows import Case

CASES: tuple[Case, ...] = (
    Case("bids", bids.bids, 8),
    Case("no_game", bids.no_game, 1),
    Case("pings", pings.pings, 1),
    Case("memory", bids.memory, 2.5),
    Case("curve", bids.curve, 4),
    Case("openspiel", moves.openspiel, 4),
    Case("boardgame", moves.boardgame, 3),
    Case("wire", moves.wire, 2),
    Case("bots", bots.bots, 0.5),
    Case("journal", keeping.acts, 4),
    Case("entries", keeping.alone, 1),
    Case("sizes", keeping.sizes, 1),
    Case("recovery", keeping.recovery, 3),
    Case("holding", holding.holding, 4),
    Case("returning", returning.returning, 7),
    Case("lasting", lasting.lasting, 2),
    Case("start", starting.run, 3),
    Case("tls_memory", private.memory, 2),
    Case("tls_bids", private.bids, 5),
    Case("tls_deal", private.deal, 1),
    Case("loops", loops.loops, 6),
    Case("client_start", client_start.start, 9),
    Case("client_memory", client_start.memory, 9),
    Case("client_rest", client_start.rest, 10),
    Case("client_keys", client_paint.keys, 4),
    Case("client_updates", client_paint.updates, 6),
    Case("client_repaints", client_paint.repaints, 6),
    Case("client_reveals", client_paint.reveals, 4),
    Case("whole", whole.whole, 7),
)
