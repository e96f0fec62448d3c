"""A second checker of saved games, by docs/game-file.md alone: it imports nothing of ours."""

# mypy: ignore-errors
# ruff: noqa: PT018
import hashlib
import hmac
import json

FAIR = "perudo-fair/1"


def raw(part):
    return bytes.fromhex(part[2:]) if part.startswith("0x") else part.encode()


def sha(*parts):
    return "0x" + hashlib.sha256(b"".join(map(raw, parts))).hexdigest()


def pairs(values):
    return "".join(f"{seat}:{values[seat][2:]};" for seat in sorted(values))


def given(values):
    return {seat: value for seat, value in enumerate(values) if value != "0x"}


def roll(ctx, seat, seed, mixed, number):
    out = []
    for k in range(3):
        out += hmac.digest(raw(seed), raw(f"{ctx}|dice|{seat}|{k}|") + raw(mixed), "sha256")
    return [byte % 6 + 1 for byte in out if byte < 252][:number]


def read(data):
    before, *lines, last = "", *data.split(b"\n")
    assert last == b""
    for line in lines:
        text, _, told = line.rpartition(b" ")
        before = hashlib.sha256(before.encode() + text).hexdigest()[:16]
        value = json.loads(text)
        again = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        assert told == before.encode() and again.encode() == text
        yield value


def check(data: bytes) -> None:
    """Raise an exception where anything is wrong with a saved game."""
    head, *steps = read(data)
    view, proof, late = head["view"], head["view"]["proof"], []
    dice = [seat["dice"] for seat in view["seats"]]
    me = next((n for n, seat in enumerate(view["seats"]) if seat["person"] == view["you"]), -1)
    game, chain, n, a, dealt, mixed = proof["game"], proof["chain"], proof["round"], 0, 0, ""
    bid, palifico, over, called = (view["ladder"] or [[0, 0]])[-1][1], view["palifico"], 0, 0
    if n > view["round"] or view["phase"] == "bidding":  # this begins in mid-game
        n, a, shares = n - 1, proof["attempt"] - 1, proof["entropies"]
        late = [["commit", n + 1, a + 1, proof["commitments"], proof["promises"]]]
        late += [["open", shares], ["deal", n + 1, 0, palifico]] if shares else []
        late += [["hand", n + 1, view["hand"], view["seed"]]] if shares and view["hand"] else []
    for word, *x in [*late, *(step for step in steps if isinstance(step, list))]:
        if word == "start":
            game, dice, n, a, chain = x[2], [x[1]] * len(dice), 0, -1, sha(f"{FAIR}|{x[2]}|chain")
        elif word in ("lose", "gain", "clear"):
            assert word != "lose" or dice[x[0]]
            dice[x[0]] = {"lose": dice[x[0]] - 1, "gain": dice[x[0]] + 1}.get(word, 0)
        elif word == "commit":
            assert not dealt and (tuple(x[:2]) in ((n + 1, 0), (n, a + 1)) or late)
            (n, a), commits, promises, late, hand = x[:2], given(x[2]), given(x[3]), [], None
            ctx, under = f"{FAIR}|{game}|{n}|{a}", {s for s, count in enumerate(dice) if count}
            assert set(commits) == under
        elif word == "open":
            mixed = sha(f"{ctx}|mix|{pairs(given(x[0]))}")
            opened = given(x[0]).items()
            assert promises == {s: sha(f"{FAIR}|{game}|entropy|{s}|", e) for s, e in opened}
        elif word == "deal":
            assert x[0] == n and mixed and under == {s for s, count in enumerate(dice) if count}
            dealt, palifico = 1, x[2]
        elif word == "bid":
            bid = x[1]
        elif word in ("hand", "call"):
            mine = word == "hand"
            seeds, cups = ({me: x[2]}, {me: x[1]}) if mine else (given(x[5]), dict(enumerate(x[4])))
            assert dealt and (mine or set(seeds) == under == {s for s in cups if cups[s]})
            for s, seed in seeds.items():
                assert sha(f"{ctx}|commit|{s}|", seed) == commits[s]
                assert roll(ctx, s, seed, mixed, dice[s]) == cups[s]
            if mine:
                hand = cups[me]
            else:
                faces = {bid[1]} | ({1} if view["rules"]["wild_aces"] and not palifico else set())
                n_dice = sum(die in faces for cup in cups.values() for die in cup)
                right = n_dice < bid[0] if x[1] == "dudo" else n_dice == bid[0]
                assert x[2:4] == [n_dice, right] and (me not in under or cups[me] == hand)
        if word in ("call", "over"):
            shown = given(x[5]) if word == "call" else {}
            tail = dealt and f"{ctx}|round|{pairs(commits)}|{mixed[2:]}|{pairs(shown)}"
            chain, dealt, mixed = sha(chain, tail) if dealt else chain, 0, ""
            assert x[6 if word == "call" else 2] == chain
        assert not over
        over, called = word == "over", called or word == "call"
        assert not over or [s for s, count in enumerate(dice) if count] == x[:1]
    assert game and called
