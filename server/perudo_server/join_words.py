"""Join words that the server makes: four easy words, to be read out to friends.

One of 256 words four times over is 32 bits: with the work that each try costs, enough against
whoever overheard an answer, and far too many for the few tries a minute that a server allows.
"""

from __future__ import annotations

import secrets

WORDS = tuple(
    """
    acorn actor album alley amber angel ankle apple apron arch arrow atlas attic autumn badge
    bagel bakery balloon bamboo banjo barn basil basket beach beaver bell berry bishop blanket
    blossom bonfire bottle branch bread bridge brook bubble bucket bugle butter cabin cactus camel
    candle canoe canyon carpet carrot castle cedar cello chalk cherry chess circus clay clock
    cloud clover cobalt coffee comet compass copper coral cotton cousin cradle crayon cricket
    crown cube curtain cushion daisy dancer dawn delta desert diamond dinner dolphin donkey dragon
    drum eagle echo eclipse elbow elm engine fabric falcon feather fern fiddle field figure finch
    flag flute forest fossil fountain fox frost galaxy garden garlic gate giant ginger glove goose
    granite grape guitar hammer harbor harvest hazel hedge helmet heron hill honey horizon hotel
    igloo indigo island ivory jacket jasmine jewel journey juggler jungle kayak kettle kitchen
    kiwi koala ladder lagoon lantern lava lemon letter lilac lizard lobster magnet mango maple
    marble meadow melon meteor mirror mitten moon mosaic museum napkin nectar needle nephew north
    nutmeg oasis ocean olive onion opal orbit orchid otter owl oyster paddle panda paper pebble
    pencil penguin pepper piano pigeon pillow pilot planet plum pocket poem pretzel pumpkin puzzle
    quartz quilt rabbit radio raft rainbow raven ribbon river robin ruby salmon sandal scarf
    school scooter shadow shell silver sister spider sponge squirrel statue sugar summer sunset
    swan tablet tailor teapot temple thunder ticket tiger toast tomato tractor tulip tunnel turtle
    umbrella uncle vanilla velvet village violin volcano waffle wagon walnut whale window winter
    yogurt zebra zigzag zipper
    """.split()  # noqa: SIM905 - a list of quoted words is no better to read
)
"""The words; a new one may stand in for another, and nothing else depends on which there are."""
HOW_MANY = 4


def make_words() -> str:
    """Give new join words, such as `amber-canoe-otter-plum`."""
    return "-".join(secrets.choice(WORDS) for _ in range(HOW_MANY))
