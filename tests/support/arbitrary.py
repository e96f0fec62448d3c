"""Arbitrary messages, built by hypothesis from the schema itself."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st
from msgspec import inspect

from perudo_protocol.messages import ClientMessage, ServerMessage

LONGEST = 4
"""Arrays and texts are as long as this, or as long as the schema demands."""


def client_messages() -> st.SearchStrategy[Any]:
    """Any message that a client may send."""
    return instances(ClientMessage)


def server_messages() -> st.SearchStrategy[Any]:
    """Any message that a server may send."""
    return instances(ServerMessage)


@cache
def instances(kind: Any) -> st.SearchStrategy[Any]:
    """Any value that the schema `kind` allows."""
    return _build(inspect.type_info(kind))


def _build(info: inspect.Type) -> st.SearchStrategy[Any]:
    match info:
        case inspect.Metadata():
            return _build(info.type)
        case inspect.NoneType():
            return st.none()
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType():
            return _whole(info)
        case inspect.FloatType():
            return st.floats(-1e9, 1e9)
        case inspect.AnyType():
            return st.integers(-1, 99)
        case inspect.StrType():
            return st.text(st.characters(codec="utf-8"), max_size=min(20, info.max_length or 20))
        case inspect.BytesType():
            least, most = info.min_length or 0, info.max_length or 32
            return st.binary(min_size=least, max_size=most)
        case inspect.EnumType():
            return st.sampled_from(list(info.cls))
        case inspect.VarTupleType():
            least = info.min_length or 0
            most = max(least, min(LONGEST, info.max_length or LONGEST))
            return st.lists(_build(info.item_type), min_size=least, max_size=most).map(tuple)
        case inspect.DictType():
            pairs = _build(info.key_type), _build(info.value_type)
            return st.dictionaries(*pairs, max_size=LONGEST)
        case inspect.NamedTupleType() | inspect.StructType():
            return st.builds(info.cls, **{f.name: _build(f.type) for f in info.fields})
        case inspect.UnionType():
            return st.one_of([_build(kind) for kind in info.types])
    raise TypeError(f"the schema has a type that this file does not know: {info}")


def _whole(info: inspect.IntType) -> st.SearchStrategy[int]:
    least = info.ge if info.ge is not None else -(2**63)
    most = info.le if info.le is not None else 2**64 - 1
    if info.lt is not None:
        most = info.lt - 1
    return st.integers(least, most)


def kinds(union: Any) -> list[Any]:
    """Give the message types of a union, in the order in which they are written."""
    info = inspect.type_info(union)
    assert isinstance(info, inspect.UnionType)
    return [kind.cls for kind in info.types if isinstance(kind, inspect.StructType)]


def word(kind: Any) -> str:
    """Give the word that stands for a message or event type on the wire."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return str(info.tag)
