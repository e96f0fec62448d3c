// The bytes of a bid at a table of six, by a real boardgame.io server and its own clients:
// `node acts.js BIDS [--delta]`. All clients connect through a proxy that counts what passes, both
// ways, over the loopback; they use websockets from the start, which is the cheapest of its ways.
//
// Counted from when all have seen the deal: the act of one player, and what all six are told of it.
// `--delta` asks for patches instead of whole states (`deltaState`, which is off by default).
"use strict";

const net = require("net");
const { Server } = require("boardgame.io/server");
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { perudo } = require("./game.js");

const PEOPLE = 6;
const DICE = 6;
const BOUND = 20_000;
const bids = Number(process.argv[2]);
const game = { ...perudo(DICE), deltaState: process.argv.includes("--delta") };
const passed = { up: 0, down: 0 };
console.log = console.info = console.error; // its server talks; the figures alone are for stdout

function listening(server) {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server.address().port));
  });
}

function proxy(port) {
  return net.createServer((client) => {
    const server = net.connect(port, "127.0.0.1");
    client.on("data", (data) => ((passed.up += data.length), server.write(data)));
    server.on("data", (data) => ((passed.down += data.length), client.write(data)));
    for (const [one, other] of [[client, server], [server, client]]) {
      one.on("close", () => other.destroy());
      one.on("error", () => other.destroy());
    }
  });
}

async function until(what, said) {
  const end = Date.now() + BOUND;
  while (!said()) {
    if (Date.now() > end) throw new Error(`waited too long for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function main() {
  const server = Server({ games: [game], origins: "*" });
  const { appServer } = await server.run({ port: 0 });
  const port = await listening(proxy(appServer.address().port));
  const multiplayer = SocketIO({
    server: `http://127.0.0.1:${port}`,
    socketOpts: { transports: ["websocket"] },
  });
  const clients = [...Array(PEOPLE).keys()].map((seat) => {
    const client = Client({ game, numPlayers: PEOPLE, playerID: `${seat}`, multiplayer, debug: false });
    client.start();
    return client;
  });
  const connected = () => clients.every((client) => client.getState()?.isConnected);
  await until("the deal", connected);
  await new Promise((resolve) => setTimeout(resolve, 200)); // who has come is told to all
  const mine = Object.keys(clients[2].getState().G.cups);
  if (mine.join() !== "2") throw new Error(`seat 2 sees the cups of ${mine}`);
  const before = { ...passed };
  let done = 0;
  for (let quantity = 1; done < bids; quantity++) {
    for (let face = 2; face <= 6 && done < bids; face++) {
      clients[done % PEOPLE].moves.bid(quantity, face);
      done++;
      const told = () => clients.every((client) => client.getState().G.ladder.length === done);
      await until(`bid ${done}`, told);
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 100)); // its own echo to the bidder comes last
  const found = { bids: done, up: passed.up - before.up, down: passed.down - before.down };
  process.stdout.write(`${JSON.stringify(found)}\n`);
  process.exit(0);
}

main().catch((wrong) => {
  process.stderr.write(`${wrong.stack}\n`);
  process.exit(1);
});
