"""The bots of the house: what they are called, and how one is connected."""

from __future__ import annotations

from collections.abc import Container
from typing import Protocol

from perudo_bot.house import house_bot
from perudo_protocol.link import memory_links

from .clock import Clock
from .names import free_name, skeleton
from .people import Person
from .session import Session
from .settings import Settings

BOT_NAMES = ("Bia", "Caio", "Duda", "Gil", "Iara", "Juca", "Lia", "Nando", "Rosa", "Tito", "Zeca")
"""What the house calls its bots; numbers follow where these are taken."""


class House(Protocol):
    """What is needed of the house."""

    clock: Clock
    settings: Settings

    def session(self) -> Session:
        """Give the receiver for a new connection."""


def bot_name(taken: Container[str]) -> str:
    """Give a name for another bot; `taken` are the skeletons of all names here."""
    wanted = next((name for name in BOT_NAMES if skeleton(name) not in taken), BOT_NAMES[0])
    return free_name(wanted, taken)


def bring_in(house: House, bot: Person) -> None:
    """Connect a bot over a link in memory: it gets the very bytes that a person gets."""
    session = house.session()
    bot.come(session)
    session.person = bot
    player = house_bot(bot.name, house.settings.bot_seconds, house.clock.later)
    memory_links(session, player, house.clock.soon)
