"""Every message of the wire, said by a client or by a server; one union for each direction.

On the wire a message is one msgpack map whose key `type` holds its word. `protocol/README.md`
documents each one. `from_client` and `from_server` say what they hold; others import it from here.
"""

from __future__ import annotations

from .from_client import (
    Act,
    AddBot,
    Back,
    Dudo,
    Entropy,
    FromClient,
    HandOver,
    Hello,
    Join,
    Kick,
    Leave,
    Lock,
    Make,
    MoreTime,
    Pause,
    PlaceBid,
    Pong,
    Promise,
    Prove,
    Rematch,
    RemoveBot,
    Request,
    Resume,
    Say,
    SetReady,
    SpotOn,
    Start,
    Unlock,
    Watch,
)
from .from_server import (
    Away,
    Brief,
    Bye,
    Challenge,
    Done,
    Error,
    FromServer,
    Nonce,
    Notice,
    OwnHand,
    Ping,
    Raised,
    Redirect,
    Refused,
    Said,
    TableLine,
    Tables,
    Update,
    View,
    Welcome,
    in_brief,
    in_full,
)

ClientMessage = (
    Hello
    | Resume
    | Prove
    | Back
    | MoreTime
    | Pause
    | Make
    | Join
    | Watch
    | Leave
    | SetReady
    | Start
    | Rematch
    | AddBot
    | RemoveBot
    | Kick
    | HandOver
    | Say
    | PlaceBid
    | Dudo
    | SpotOn
    | Unlock
    | Promise
    | Entropy
    | Pong
)


ServerMessage = (
    Welcome
    | Nonce
    | Notice
    | Challenge
    | Tables
    | View
    | Update
    | OwnHand
    | Said
    | Away
    | Done
    | Refused
    | Error
    | Ping
    | Redirect
    | Bye
)

AsSent = ServerMessage | Brief
"""What a server sends, before the codec has made updates of their short form."""
