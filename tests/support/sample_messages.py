"""One sensible message of each kind: what the golden frames and the document show."""

from __future__ import annotations

from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol import views as v
from perudo_protocol.ruleset import STANDARD, to_wire
from perudo_protocol.vocabulary import Bid, Call, Phase, Player

from . import vectors

CLIENT: tuple[m.ClientMessage, ...] = (
    m.Hello(versions=(1,), client="my-client 0.1", name="Ana", key=vectors.RETURN_HASH),
    m.Make(
        id=1,
        name="Ana's table",
        preset="classic",
        options={"turn_seconds": 30},
        lock=m.Lock(salt=vectors.SALT, key=vectors.KEY),
    ),
    m.Join(id=2, table=1),
    m.Watch(id=3, table=1),
    m.Leave(id=4),
    m.Resume(versions=(1,), client="my-client 0.1", person=3, nonce=vectors.CLIENT_NONCE),
    m.Prove(proof=vectors.RETURN_PROOF),
    m.Back(id=20),
    m.MoreTime(id=21, game=1),
    m.Pause(id=22, on=True),
    m.SetReady(id=5, game=1, round=2),
    m.Start(id=6),
    m.Rematch(id=7),
    m.AddBot(id=8),
    m.RemoveBot(id=9, seat=2),
    m.Kick(id=10, person=4),
    m.HandOver(id=11, person=3),
    m.Say(id=12, phrase="nice_bluff"),
    m.PlaceBid(id=13, game=1, round=2, number=1, quantity=5, face=4),
    m.Dudo(id=14, game=1, round=2, number=2),
    m.SpotOn(id=15, game=1, round=2, number=2),
    m.Unlock(id=16, table=0, nonce=vectors.ANSWERED, proof=vectors.PROOF),
    m.Promise(game=1, promise=vectors.PROMISES[0]),
    m.Entropy(
        game=1,
        round=1,
        attempt=0,
        entropy=vectors.ENTROPIES[0],
        promise=vectors.NEXT_PROMISE,
    ),
    m.Pong(now=81000),
)

SEATS = (
    v.SeatView(name="Ana", player=Player.PERSON, person=1, dice=5),
    v.SeatView(name="Bo", player=Player.PERSON, person=3, dice=5),
    v.SeatView(name="Cup", player=Player.BOT, dice=5),
)


EVENTS: tuple[ev.AnyEvent, ...] = (
    ev.People(
        host=1,
        seats=SEATS[:2],
        watchers=(v.Person(person=5, name="Di", waiting=True),),
        sent_away=4,
    ),
    ev.Ready(seat=1, ready=True),
    ev.Started(game=1, dice=5, proof=vectors.GAME),
    ev.Thrown(dice=(v.Throw(0, 6), v.Throw(1, 6), v.Throw(2, 1))),
    ev.NextSet(opener=0, palifico=False, resume=95000),
    ev.Committed(round=1, attempt=0, commitments=vectors.COMMITMENTS, promises=vectors.PROMISES),
    ev.Opened(entropies=vectors.ENTROPIES),
    ev.Dealt(round=1, opener=1, palifico=False),
    ev.TurnSet(
        seat=0,
        deadline=141000,
        least=(3, 0, 0, 0, 5, 5),
        most=(5, 0, 0, 0, 5, 5),
        dudo=(0,),
        spot_on=(0,),
    ),
    ev.BidPlaced(seat=2, bid=Bid(5, 4)),
    ev.TimedOut(seat=0),
    ev.TimeGiven(seat=0),
    ev.Paused(until=681000),
    ev.Called(
        seat=0,
        call=Call.DUDO,
        count=4,
        right=True,
        cups=vectors.HANDS,
        seeds=vectors.SEEDS,
        chain=vectors.T1,
    ),
    ev.DieLost(seat=2),
    ev.DieGained(seat=0),
    ev.SeatLeft(seat=1),
    ev.DiceCleared(seat=1),
    ev.WentOut(seat=2, place=3),
    ev.Won(
        winner=0,
        tallies=(v.Tally(9, 2, 1, 4, 3), v.Tally(8, 3, 2, 2, 1), v.Tally(7, 1, 1, 1, 0)),
        chain=vectors.T1,
    ),
)

_TURN = ((3, 0, 0, 0, 5, 5), (5, 0, 0, 0, 5, 5), (0,), (0,))

VIEW = v.TableView(
    table=1,
    name="Ana's table",
    rules=to_wire(STANDARD),
    rev=17,
    host=1,
    seats=SEATS,
    watchers=(v.Person(person=5, name="Di", waiting=True),),
    phase=Phase.BIDDING,
    game=1,
    round=1,
    opener=1,
    ladder=(v.Placed(1, Bid(2, 4)),),
    turn=v.Turn(
        seat=2,
        deadline=141000,
        least=(1, 3, 3, 3, 2, 2),
        most=(15, 15, 15, 15, 15, 15),
        dudo=(2,),
        spot_on=(2,),
    ),
    throws=((v.Throw(0, 6), v.Throw(1, 6), v.Throw(2, 1)), (v.Throw(0, 2), v.Throw(1, 5))),
    you=1,
    hand=vectors.HANDS[0],
    seed=vectors.SEEDS[0],
    proof=v.Proof(
        game=vectors.GAME,
        chain=vectors.T0,
        round=1,
        attempt=0,
        commitments=vectors.COMMITMENTS,
        promises=vectors.PROMISES,
        entropies=vectors.ENTROPIES,
    ),
)

SERVER: tuple[m.AsSent, ...] = (
    m.Welcome(
        version=1,
        server="perudo-server 0.1.0",
        name="At home",
        person=1,
        you="Ana",
        now=12000,
        join=("192.168.1.20:7654",),
    ),
    m.Challenge(table=0, salt=vectors.SALT, nonce=vectors.ASKED, cost=15),
    m.Tables(
        tables=(
            m.TableLine(
                table=1,
                name="Ana's table",
                rules={"spot_on": False},
                people=2,
                bots=1,
                seats=6,
                watchers=1,
                playing=True,
                locked=True,
            ),
        )
    ),
    m.View(view=VIEW),
    m.Update(rev=18, events=(EVENTS[14], EVENTS[4])),
    m.Brief(rev=18, by=m.Raised(2, 5, 4, 0, 141000, *_TURN)),
    m.OwnHand(round=1, dice=vectors.HANDS[0], seed=vectors.SEEDS[0]),
    m.Said(person=3, name="Bo", text="I have seen worse"),
    m.Away(reason="left"),
    m.Done(re=1),
    m.Refused(re=13, reason="not_higher"),
    m.Error(error="version", detail="this server speaks version 1", versions=(1,)),
    m.Ping(now=81000),
    m.Bye(reason="shutdown"),
    m.Nonce(nonce=vectors.SERVER_NONCE),
    m.Notice(notice="storage_full"),
    m.Redirect(place="192.168.1.21:7654", pin="vpqeMN7nHIyQ8SI2h0J-CWXGvm3SndEnRkhgIp8JFd0"),
)
