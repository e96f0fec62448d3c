"""What raises what, a second time: clause by clause from the two seed texts, without any rank.

It answers one question for the tests, so that `perudo_server.rules.bidding` is compared with
something that was written another way. The sentences quoted are those of the texts.
"""

from __future__ import annotations

from math import ceil

from perudo_protocol.ruleset import Ruleset
from perudo_protocol.vocabulary import Bid


def may_bid(
    rules: Ruleset, palifico: bool, standing: Bid | None, table: int, own: int, new: Bid
) -> bool:
    """Say whether `new` may follow, with `table` dice in play and `own` of them one's own."""
    if not 1 <= new.quantity <= table or not 1 <= new.face <= 6:
        return False  # D4 the bid limit is the dice in play; D5
    if standing is None:
        return may_open(rules, palifico, new)
    if palifico:
        return may_raise_in_palifico(rules, standing, own, new)
    if not rules.wild_aces:
        return may_raise_plain_aces(rules, standing, new)
    return may_raise(rules, standing, new)


def may_open(rules: Ruleset, palifico: bool, new: Bid) -> bool:
    """Judge an opening."""
    if new.face != 1:
        return True
    if palifico:
        return True  # S1.26 "quem começa pode apostar nos Pacos"
    if not rules.wild_aces:
        return True  # "an ace is the lowest plain face ... may open"
    return rules.open_aces  # S1.10 "Este não deve ser sobre o número de Pacos."


def may_raise(rules: Ruleset, standing: Bid, new: Bid) -> bool:
    """Judge a raise in a normal round with wild aces."""
    if standing.face == 1 and new.face == 1:
        return new.quantity > standing.quantity  # S2.18 "increase the quantity"
    if standing.face == 1:
        # S1.16 "é preciso multiplicar por dois e adicionar um"
        return new.quantity >= standing.quantity * 2 + 1
    if new.face == 1:
        # S2.16 "can halve the quantity of dice, rounding upwards ... at least"
        return new.quantity >= ceil(standing.quantity / 2)
    return may_raise_faces(rules, standing, new)


def may_raise_faces(rules: Ruleset, standing: Bid, new: Bid) -> bool:
    """Judge a raise between two faces of 2-6, as each `raising` has it."""
    more = new.quantity > standing.quantity
    same = new.quantity == standing.quantity
    if rules.raising == "one_axis":  # exactly one of the two rises, by any amount
        return (more and new.face == standing.face) or (same and new.face > standing.face)
    if rules.raising == "no_lower_face":  # neither number nor face may fall
        return (more or same) and new.face >= standing.face and new != standing
    # S2.15 "if a player increases the quantity, he can choose any number"
    # S2.13 "or the die number (e.g. five Threes to five Sixes)"
    return more or (same and new.face > standing.face)


def may_raise_plain_aces(rules: Ruleset, standing: Bid, new: Bid) -> bool:
    """Judge a raise in a normal round in which aces are the lowest plain face."""
    if 1 not in (standing.face, new.face):
        return may_raise_faces(rules, standing, new)
    more = new.quantity > standing.quantity
    return more or (new.quantity == standing.quantity and new.face > standing.face)


def may_raise_in_palifico(rules: Ruleset, standing: Bid, own: int, new: Bid) -> bool:
    """Judge a raise in palifico."""
    if new.face == standing.face:
        return new.quantity > standing.quantity  # S1.27 "3 cinco, 4 cinco ou mais"
    if rules.palifico_change == "nobody" or own != 1:
        return False  # S1.25 "não pode mais ser alterado"
    if new.face > standing.face:  # D23 the order is then (q, f), ace lowest
        return new.quantity >= standing.quantity
    return new.quantity > standing.quantity
