"""How often one may be wrong about join words before nothing more is judged.

Who guesses may have many addresses, and must not by that have many tries; nor may he, by using up
the tries of all, keep friends out. So for each door, within a minute:

- an address that has known the words of this door before has its own few tries, whatever others do;
- any other shares the few of its neighbourhood, and the many of the door;
- when those of the door are used up, a neighbourhood that has not been wrong for `QUIET` seconds is
  still heard once, as many of these again; this machine's own is heard as ever.

So a door bears a known number of guesses a minute from however many addresses, and to keep out even
a newcomer who types the words right takes hundreds of addresses.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict, deque
from functools import lru_cache
from typing import TypeVar

from .clock import Clock

MINUTE = 60.0
QUIET = 600.0
"""Seconds without a wrong answer after which a neighbourhood counts as new."""
MOST_ADDRESSES = 4096
"""So many addresses are remembered; beyond, the one longest quiet is dropped."""
LOOPBACK = "loopback"

_Key = TypeVar("_Key")
_Times = deque[float]


class Tries:
    """Who was wrong and when, and who was right."""

    def __init__(self, most: int, in_all: int, clock: Clock) -> None:
        """Allow so many wrong answers a minute of one address, and so many in all at one door."""
        self._most = most
        self._in_all = in_all
        self._clock = clock
        self._wrong: OrderedDict[str, _Times] = OrderedDict()
        self._doors: dict[int, tuple[_Times, _Times]] = {}
        self._known: OrderedDict[tuple[int, str], _Times] = OrderedDict()

    def __len__(self) -> int:
        """Say how much is remembered."""
        return len(self._wrong) + len(self._doors) + len(self._known)

    def left(self, door: int, address: str) -> bool:
        """Say whether one more answer at this door may be judged."""
        known = self._known.get((door, exact(address)))
        if known is not None:
            return self._few(known, self._most)
        place = neighbourhood(address)
        times = self._wrong.get(place)
        if times is not None and not self._few(times, self._most):
            return False
        if place == LOOPBACK:
            return True
        usual, late = self._doors.get(door, ((), ()))
        if self._few(usual, self._in_all):
            return True
        is_new = times is None or times[-1] <= self._clock.now() - QUIET
        return is_new and self._few(late, self._in_all)

    def wrong(self, door: int, address: str) -> None:
        """Remember a wrong answer."""
        now = self._clock.now()
        known = self._known.get((door, exact(address)))
        if known is not None:
            known.append(now)
            return
        place = neighbourhood(address)
        if place != LOOPBACK:
            usual, late = self._doors.setdefault(
                door, (deque(maxlen=self._in_all), deque(maxlen=self._in_all))
            )
            (usual if self._few(usual, self._in_all) else late).append(now)
        _touched(self._wrong, place, self._most).append(now)

    def right(self, door: int, address: str) -> None:
        """Remember that the words of this door are known at this address."""
        _touched(self._known, (door, exact(address)), self._most)

    def forget(self, door: int) -> None:
        """Forget a door that is no more."""
        self._doors.pop(door, None)
        for key in [key for key in self._known if key[0] == door]:
            del self._known[key]

    def _few(self, times: _Times | tuple[()], most: int) -> bool:
        return sum(when > self._clock.now() - MINUTE for when in times) < most


def _touched(kept: OrderedDict[_Key, _Times], key: _Key, most: int) -> _Times:
    """Give the times of a key, which is now the last to be dropped."""
    times = kept.setdefault(key, deque(maxlen=most))
    kept.move_to_end(key)
    if len(kept) > MOST_ADDRESSES:
        kept.popitem(last=False)
    return times


@lru_cache(MOST_ADDRESSES)
def exact(address: str) -> str:
    """Give an address as itself, but this machine's own as one."""
    place, _scope = _read(address)
    return LOOPBACK if place is not None and place.is_loopback else address


@lru_cache(MOST_ADDRESSES)
def neighbourhood(address: str) -> str:
    """Give what counts as one address: of IPv6 the network, since one machine has all of it.

    The addresses of a link are one network on each interface; this machine's own are one address.
    """
    place, scope = _read(address)
    if place is None:
        return address
    if place.is_loopback:
        return LOOPBACK
    if place.version == 4:
        return str(place)
    network = str(ipaddress.ip_network((int(place), 64), strict=False))
    return f"{network}%{scope}" if place.is_link_local else network


def _read(address: str) -> tuple[ipaddress.IPv4Address | ipaddress.IPv6Address | None, str]:
    """Read an address and its interface; IPv4 in the clothes of IPv6 is IPv4."""
    text, _sign, scope = address.partition("%")
    try:
        place = ipaddress.ip_address(text)
    except ValueError:
        return None, ""
    if place.version == 6 and place.ipv4_mapped is not None:
        return place.ipv4_mapped, ""
    return place, scope
