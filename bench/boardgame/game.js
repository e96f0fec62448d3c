// One round of Perudo as somebody would write it for boardgame.io: the dice under the cups, bids that
// must rise, and a call that ends it. The bids obey the rules of this product's preset `cacho`
// without spot-on. Who may see what is told by `playerView`, as its documentation has it.
"use strict";

const { INVALID_MOVE } = require("boardgame.io/core");

const ACE = 1;
const DICE = 5;

// The least quantity of a face that is above the standing bid; see server/perudo_server/rules/bidding.py.
function least(ladder, face) {
  if (ladder.length === 0) return 1;
  const standing = ladder[ladder.length - 1];
  let { quantity, face: tier } = standing;
  if (tier === ACE) [quantity, tier] = [2 * quantity, 7];
  if (face === ACE) return Math.floor((quantity + (tier === 7 ? 1 : 0) + 1) / 2);
  return quantity + (face <= tier ? 1 : 0);
}

function count(cups, face) {
  let found = 0;
  for (const hand of Object.values(cups)) {
    for (const die of hand) if (die === face || die === ACE) found++;
  }
  return found;
}

function perudo(dice = DICE) {
  return {
    name: "perudo",
    // A bid cannot be taken back: without this the reducer would keep every state for an undo.
    disableUndo: true,
    setup: ({ ctx, random }) => {
      const cups = {};
      for (const player of ctx.playOrder) cups[player] = random.Die(6, dice);
      return { cups, dice: Array(ctx.numPlayers).fill(dice), ladder: [], loser: null };
    },
    turn: { minMoves: 1, maxMoves: 1 },
    moves: {
      bid: ({ G, playerID }, quantity, face) => {
        const most = G.dice.reduce((sum, number) => sum + number, 0);
        if (!(face >= 1 && face <= 6)) return INVALID_MOVE;
        if (quantity < least(G.ladder, face) || quantity > most) return INVALID_MOVE;
        G.ladder.push({ seat: Number(playerID), quantity, face });
      },
      // Judged where all the dice are: a player's own program cannot do it in advance.
      dudo: {
        move: ({ G, playerID }) => {
          if (G.ladder.length === 0) return INVALID_MOVE;
          const standing = G.ladder[G.ladder.length - 1];
          const right = count(G.cups, standing.face) < standing.quantity;
          G.loser = right ? standing.seat : Number(playerID);
          G.dice[G.loser] -= 1;
        },
        client: false,
      },
    },
    endIf: ({ G }) => (G.loser === null ? undefined : { loser: G.loser }),
    playerView: ({ G, playerID }) => ({
      ...G,
      cups: playerID === null ? {} : { [playerID]: G.cups[playerID] },
    }),
  };
}

module.exports = { perudo, least };
