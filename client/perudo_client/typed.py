"""What a player types: a bid, a call, or a command, in English, Portuguese, Spanish or French.

Bids are `5 4`, `5x4` or `5 fours`: the number in digits, the face also as a word of any of the four
languages. What cannot be read comes back as a sentence that says what would be right.
"""

from __future__ import annotations

import re
from enum import StrEnum
from unicodedata import combining, normalize

from msgspec import Struct

from perudo_protocol.vocabulary import Bid, Call

from .i18n import _


class Command(StrEnum):
    """What may be typed besides bids and calls."""

    HELP = "help"
    RULES = "rules"
    DICE = "dice"
    TABLE = "table"
    TIME = "time"
    ODDS = "odds"
    BIDS = "bids"
    SAY = "say"
    PHRASES = "phrases"
    TABLES = "tables"
    MAKE = "make"
    JOIN = "join"
    WATCH = "watch"
    READY = "ready"
    UNREADY = "unready"
    START = "start"
    BOT = "bot"
    UNBOT = "unbot"
    KICK = "kick"
    HOST = "host"
    REMATCH = "rematch"
    BACK = "back"
    MORE_TIME = "more time"
    PAUSE = "pause"
    GO_ON = "go on"
    LEAVE = "leave"
    WAIT = "wait"
    QUIT = "quit"


class Order(Struct, frozen=True):
    """A command and what was typed after it."""

    command: Command
    rest: str = ""


class Unclear(Struct, frozen=True):
    """Nothing that can be read; the sentence says what would be right."""

    sentence: str


Typed = Bid | Call | Order | Unclear

_FACES = {
    1: "1 1s ace aces one ones paco pacos as ases un uns uno unos",
    2: "2 2s two twos dois duque duques dos doses deux",
    3: "3 3s three threes tres terno ternos treses trois",
    4: "4 4s four fours quatro quatros quadra quadras cuatro cuatros quatre quatres",
    5: "5 5s five fives cinco cincos quina quinas cinq cinqs",
    6: "6 6s six sixes seis sena senas seises sixs",
}
_FACE_OF = {word: face for face, words in _FACES.items() for word in words.split()}

_DUDO = (
    "dudo",
    "d",
    "doubt",
    "i doubt",
    "i doubt it",
    "liar",
    "duvido",
    "mentira",
    "je doute",
    "doute",
    "menteur",
    "mentiroso",
)
_SPOT_ON = (
    "spot on",
    "spot-on",
    "spoton",
    "spot",
    "s",
    "exact",
    "exactly",
    "na mosca",
    "mosca",
    "exato",
    "cravado",
    "exacto",
    "calzo",
    "calza",
    "justo",
    "pile",
    "tout pile",
    "calzado",
)

_COMMANDS = {
    Command.HELP: "help|?|h|commands|ajuda|ayuda|aide",
    Command.RULES: "rules|regras|reglas|regles",
    Command.DICE: "dice|hand|cup|dados|des",
    Command.TABLE: "table|status|who|where|mesa|quem|quien|qui|people|seats",
    Command.TIME: "time|clock|tempo|tiempo|temps",
    Command.ODDS: "odds|chances|probabilidade|probabilidad|chance",
    Command.BIDS: "bids|ladder|lances|apuestas|encheres",
    Command.SAY: "say|t|diga|dizer|decir|dire",
    Command.PHRASES: "phrases|phrase|frases|frase",
    Command.TABLES: "tables|list|mesas|lista|liste",
    Command.MAKE: "make|new|criar|crear|creer",
    Command.JOIN: "join|entrar|unirse|rejoindre",
    Command.WATCH: "watch|assistir|mirar|regarder",
    Command.READY: "ready|r|ok|pronto|listo|pret|next",
    Command.UNREADY: "unready|not ready",
    Command.START: "start|begin|comecar|empezar|commencer",
    Command.BOT: "bot|add bot|addbot",
    Command.UNBOT: "unbot|remove bot|bot off",
    Command.KICK: "kick|expulsar|expulser",
    Command.HOST: "host|hand over|handover|anfitriao|anfitrion|hote",
    Command.REMATCH: "rematch|again|revanche|revancha|otra|outra",
    Command.BACK: "back|come back|i am back|voltei|volvi|de retour",
    Command.MORE_TIME: "more time|moretime|mais tempo|mas tiempo|plus de temps",
    Command.PAUSE: "pause|pausa",
    Command.GO_ON: "go on|goon|continue|continuar|seguir|continuer",
    Command.LEAVE: "leave|sair|dejar|partir",
    Command.WAIT: "wait|esperar|attendre",
    Command.QUIT: "quit|q|exit|bye|salir|quitter|fim",
}
_COMMAND_OF = {word: command for command, words in _COMMANDS.items() for word in words.split("|")}

_BID = re.compile(
    r"(?:bid |i bid |aposto |apuesto |je mise )?"
    r"(?P<many>[0-9]{1,9})\s*(?:x|×|\*|,|\s)\s*\[?(?P<face>[0-9]{1,9}s?|[^\W\d_]+)\]?"
)


def parse(line: str) -> Typed:
    """Read one line; never raises."""
    text = plain(line)
    if not text:
        return Unclear(_("Nothing was typed. Type help for what can be typed."))
    if text in _DUDO:
        return Call.DUDO
    if text in _SPOT_ON:
        return Call.SPOT_ON
    found = _BID.fullmatch(text)
    if found is not None:
        return _bid(found["many"], found["face"])
    return _order(text, line)


def plain(line: str) -> str:
    """Fold case, accents, edges and runs of spaces, and one full stop or call mark at the end."""
    text = " ".join(line.split()).removesuffix("!").removesuffix(".").strip()
    unaccented = (sign for sign in normalize("NFKD", text) if not combining(sign))
    return "".join(unaccented).casefold()


def _bid(many: str, face: str) -> Typed:
    value = _FACE_OF.get(face)
    if value is None:
        text = _("A die shows 1 to 6, not {face}. Type a bid as in 5 4, for five fours.")
        return Unclear(text.format(face=face))
    if not 1 <= int(many) <= 999:
        text = _("{many} is no number for a bid. Type a bid as in 5 4, for five fours.")
        return Unclear(text.format(many=many))
    return Bid(int(many), value)


def _order(text: str, line: str) -> Typed:
    """Find the longest command that the line begins with; the rest stays as it was typed."""
    if text == "?":
        return Order(Command.HELP)
    words = text.split(" ")
    for length in (2, 1):
        command = _COMMAND_OF.get(" ".join(words[:length]).removeprefix("/"))
        if command is not None and len(words) >= length:
            rest = line.strip().split(maxsplit=length)[length:]
            return Order(command, rest[0] if rest else "")
    sentence = _("{text} is no bid and no command. Type a bid as in 5 4, or help.")
    return Unclear(sentence.format(text=repr(line.strip())))
