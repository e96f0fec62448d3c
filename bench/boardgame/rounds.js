// Rounds of random legal moves through boardgame.io's reducer, for so many seconds of processor time:
// `node rounds.js SECONDS`. Two players, five dice each. No network, no storage, no views: the
// reducer alone, with its game's `setup` for the dice, and an undo that is switched off.
//
// What is legal is worked out as in our own driver: the spans of all faces, then one of all moves, each
// as likely as any other. Dealing and moving are timed in batches, so that the clock is hardly read.
"use strict";

const fs = require("fs");
const { CreateGameReducer, InitializeGame } = require("boardgame.io/internal");
const { perudo, least } = require("./game.js");

const BATCH = 100;
const game = perudo();
const reducer = CreateGameReducer({ game });

function chosen(state) {
  const { ladder, dice } = state.G;
  const most = dice[0] + dice[1];
  let moves = ladder.length ? 1 : 0;
  const from = [0];
  for (let face = 1; face <= 6; face++) {
    from.push(least(ladder, face));
    moves += Math.max(0, most - from[face] + 1);
  }
  let at = Math.floor(Math.random() * moves);
  for (let face = 1; face <= 6; face++) {
    const span = Math.max(0, most - from[face] + 1);
    if (at < span) return ["bid", [from[face] + at, face]];
    at -= span;
  }
  return ["dudo", []];
}

function step(state) {
  const [type, args] = chosen(state);
  const playerID = state.ctx.currentPlayer;
  const next = reducer(state, { type: "MAKE_MOVE", payload: { type, args, playerID } });
  if (next === state || next._stateID === state._stateID) throw new Error(`${type} ${args} was refused`);
  return next;
}

// Processor time of this thread alone, by the scheduler: the threads that compile and collect garbage
// for it are not counted against it.
function seconds() {
  return Number(fs.readFileSync("/proc/self/schedstat", "utf8").split(" ")[0]) / 1e9;
}

function batch(found) {
  const start = seconds();
  const dealt = [];
  for (let n = 0; n < BATCH; n++) dealt.push(InitializeGame({ game, numPlayers: 2 }));
  const ready = seconds();
  for (let state of dealt) {
    while (!state.ctx.gameover) {
      state = step(state);
      found.moves++;
    }
  }
  found.rounds += BATCH;
  found.dealing += ready - start;
  found.moving += seconds() - ready;
}

const limit = Number(process.argv[2]);
const nothing = () => ({ rounds: 0, moves: 0, dealing: 0, moving: 0 });
const warm = nothing();
do batch(warm); while (warm.dealing + warm.moving < limit / 4); // until its code is compiled
const found = nothing();
do batch(found); while (found.dealing + found.moving < limit);
console.log(JSON.stringify(found));
