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
    private,
    returning,
    starting,
    whole,
)
from .rows import Case

CASES: tuple[Case, ...] = (
    Case("bids", bids.bids, 12),
    Case("memory", bids.memory, 5),
    Case("curve", bids.curve, 5),
    Case("openspiel", moves.openspiel, 6),
    Case("boardgame", moves.boardgame, 6),
    Case("wire", moves.wire, 5),
    Case("bots", bots.bots, 1),
    Case("journal", keeping.acts, 5),
    Case("entries", keeping.alone, 1),
    Case("sizes", keeping.sizes, 2),
    Case("recovery", keeping.recovery, 6),
    Case("holding", holding.holding, 6),
    Case("returning", returning.returning, 5),
    Case("lasting", lasting.lasting, 4),
    Case("start", starting.run, 4),
    Case("tls_memory", private.memory, 2),
    Case("tls_bids", private.bids, 5),
    Case("tls_deal", private.deal, 2),
    Case("loops", loops.loops, 5),
    Case("client_start", client_start.start, 12),
    Case("client_memory", client_start.memory, 7),
    Case("client_rest", client_start.rest, 10),
    Case("client_keys", client_paint.keys, 7),
    Case("client_updates", client_paint.updates, 9),
    Case("client_repaints", client_paint.repaints, 8),
    Case("client_reveals", client_paint.reveals, 6),
    Case("whole", whole.whole, 12),
)
