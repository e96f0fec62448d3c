"""How much one may send: never more than the burst and what has come since, and never less."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from perudo_server.rate import Rates

GAPS = st.lists(st.integers(0, 3000), max_size=60)


@given(st.integers(1, 20), st.integers(1, 100), GAPS)
def test_there_are_as_many_tokens_as_came(burst: int, rate: int, gaps: list[int]) -> None:
    """Checked in whole numbers: a bucket of `burst * 1000` drops, a token is a thousand of them."""
    rates = Rates((7, 1.0), (burst, float(rate)))
    now, drops = 5_000, burst * 1000
    buckets = rates.full(now / 1000)
    for gap in gaps:
        now, drops = now + gap, min(drops + gap * rate, burst * 1000)
        there = drops >= 1000
        assert rates.has(buckets, 1, now / 1000) is there
        assert rates.take(buckets, 1, now / 1000) is there
        drops -= 1000 * there
    assert buckets[0] == 5.0, "the other kind was touched"


@given(st.floats(0, 1e7), st.sampled_from([0.01, 0.3, 1.0, 5.0, 100.0]))
def test_a_full_bucket_gives_its_burst_at_any_hour(now: float, rate: float) -> None:
    rates = Rates((10, rate))
    buckets = rates.full(now)
    assert [rates.take(buckets, 0, now) for _ in range(11)] == [True] * 10 + [False]
    assert rates.take(buckets, 0, now + 1 / rate + 1e-6)
