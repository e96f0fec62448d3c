"""Networks of our own: namespaces of the Linux kernel, and a wire between them that can fail.

Each namespace has one tunnel device, whose other end is ours: what is sent into it are packets that
`Wires` passes on, drops at random, or swallows. So a link can go dead without a word to either end,
which no loopback can do. Needs the rights of root (or CAP_SYS_ADMIN and CAP_NET_ADMIN); nothing is
left behind, for all of it lives as long as the file descriptors do.
"""

from __future__ import annotations

import ctypes
import os
import random
import selectors
import socket
import struct
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv4Address
from typing import TypeVar

Got = TypeVar("Got")

_NEW_NET = 0x40000000
_TUN, _NO_HEADER = 0x0001, 0x1000
_UP = 0x41  # and running
_SET_TUN, _SET_ADDRESS, _SET_MASK, _SET_FLAGS = 0x400454CA, 0x8916, 0x891C, 0x8914
_DEVICE = b"wire"
_MASK = "255.255.0.0"
_LONGEST = 65_536


class NoRights(Exception):
    """This system, or this user, cannot have namespaces; the text says what was refused."""


def in_thread(do: Callable[[], Got]) -> Got:
    """Do something in a thread of its own, whose namespace does not matter afterwards."""
    came: list[Got] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            came.append(do())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return came[0]


class Namespace:
    """A network with one device and one address, on a link that can fail."""

    def __init__(self, address: str) -> None:
        """Make it; raises `NoRights`."""
        self.address = address
        self.cut = False
        """Whether the link swallows all that goes either way."""
        self.mute = False
        """Whether what is said from here is swallowed, so that only TCP's own receipts pass."""
        self.loss = 0.0
        """The part of the packets that get lost, each way."""
        self.packets: Counter[str] = Counter()
        try:
            self._space, self.tunnel = in_thread(_make)
        except OSError as wrong:
            raise NoRights(str(wrong)) from None
        self.move(address)

    def enter(self) -> None:
        """Have this thread, and all that it starts, live in here."""
        _enter(self._space)

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Have this thread live in here for a while: what it starts meanwhile stays."""
        outside = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        try:
            self.enter()
            yield
        finally:
            _enter(outside)
            os.close(outside)

    def move(self, address: str) -> None:
        """Have another address instead, as when a laptop changes the Wi-Fi."""
        with self.inside(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
            ask = control.fileno()
            _ioctl(ask, _SET_ADDRESS, _address(address))
            _ioctl(ask, _SET_MASK, _address(_MASK))
            _ioctl(ask, _SET_FLAGS, struct.pack("16sH", _DEVICE, _UP))
        self.address = address

    def close(self) -> None:
        """Let go of it; it is gone with the last process that lives there."""
        os.close(self.tunnel)
        os.close(self._space)


class Wires:
    """The wires between namespaces: packets go to the one whose address they bear."""

    def __init__(self, seed: int) -> None:
        """Begin; which packets are lost depends on the seed."""
        self._rng = random.Random(seed)
        self._spaces: list[Namespace] = []
        self._wake, self._woken = os.pipe()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._wake, selectors.EVENT_READ, None)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def add(self, address: str) -> Namespace:
        """Make one more namespace, with this address in one network with the others."""
        space = Namespace(address)
        self._spaces.append(space)
        self._selector.register(space.tunnel, selectors.EVENT_READ, space)
        return space

    def close(self) -> None:
        """Take all wires away."""
        os.write(self._woken, b"x")
        self._thread.join()
        self._selector.close()
        for space in self._spaces:
            space.close()
        os.close(self._wake)
        os.close(self._woken)

    def _run(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.data is None:
                    return
                with suppress(BlockingIOError):
                    while True:
                        self._pass_on(key.data, os.read(key.data.tunnel, _LONGEST))

    def _pass_on(self, source: Namespace, packet: bytes) -> None:
        if packet[0] >> 4 != 4:
            return  # the devices' own, of IPv6
        to = str(IPv4Address(packet[16:20]))
        goal = next((space for space in self._spaces if space.address == to), None)
        strange = str(IPv4Address(packet[12:16])) != source.address  # of before it moved
        if goal is None or strange or source.cut or goal.cut or (source.mute and _says(packet)):
            source.packets["swallowed"] += 1
        elif self._rng.random() < source.loss or self._rng.random() < goal.loss:
            source.packets["lost"] += 1
        else:
            source.packets["passed"] += 1
            with suppress(BlockingIOError):
                os.write(goal.tunnel, packet)


@contextmanager
def wires(seed: int = 1) -> Iterator[Wires]:
    """Give wires for a while; raises `NoRights` where there are none to be had."""
    if not sys.platform.startswith("linux"):
        raise NoRights("only Linux has network namespaces")
    Namespace("10.77.255.254").close()  # whether that is allowed
    made = Wires(seed)
    try:
        yield made
    finally:
        made.close()


def _says(packet: bytes) -> bool:
    """Whether a packet of TCP carries more than its headers."""
    start = (packet[0] & 15) * 4
    return packet[9] == socket.IPPROTO_TCP and len(packet) > start + (packet[start + 12] >> 4) * 4


def _make() -> tuple[int, int]:
    """Give a new namespace and the outer end of its tunnel."""
    if not hasattr(ctypes.CDLL(None), "unshare"):
        raise OSError("no unshare")
    _checked("unshare", _NEW_NET)
    space = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    try:
        tunnel = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        try:
            _ioctl(tunnel, _SET_TUN, struct.pack("16sH22x", _DEVICE, _TUN | _NO_HEADER))
        except OSError:
            os.close(tunnel)
            raise
    except OSError:
        os.close(space)
        raise
    return space, tunnel


def _enter(space: int) -> None:
    _checked("setns", space, _NEW_NET)


def _checked(name: str, *arguments: int) -> None:
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _ioctl(file: int, request: int, argument: bytes) -> None:
    import fcntl

    fcntl.ioctl(file, request, argument)


def _address(address: str) -> bytes:
    place = struct.pack("=HH4s8x", socket.AF_INET, 0, socket.inet_aton(address))
    return struct.pack("16s16s8x", _DEVICE, place)
