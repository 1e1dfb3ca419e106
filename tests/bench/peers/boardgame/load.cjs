// node load.cjs PORT SEATS MATCHES SECONDS: random matches, each played by one client over a web socket of its own.
// The client sends the next move when the state after the last one has come. Prints what tests/bench/load.py prints.

const { io } = require('socket.io-client');
const { legal } = require('./skyjo.cjs');

const [port, seats, matches, seconds] = process.argv.slice(2).map(Number);
const run = `${process.pid}`;
const until = performance.now() + seconds * 1000;
const taken = [];

function play(number) {
  return new Promise((done, failed) => {
    const socket = io(`http://127.0.0.1:${port}/skyjo`, { transports: ['websocket'], forceNew: true });
    let match, games = 0, sent, waiting;
    const open = () => {
      match = `${run}-${number}-${games++}`;
      sent = undefined;
      socket.emit('sync', match, '0', undefined, seats);
    };
    const next = (state) => {
      const now = performance.now();
      if (sent !== undefined) taken.push(now - sent);
      clearTimeout(waiting);
      if (now >= until) {
        socket.close();
        done();
      } else if (state.ctx.gameover !== undefined) open();
      else send(state);
    };
    const send = (state) => {
      const { seat, moves } = legal(state.G);
      const [type, ...args] = moves[Math.floor(Math.random() * moves.length)];
      const playerID = String(seat);
      const action = { type: 'MAKE_MOVE', payload: { type, args, playerID } };
      // A move that the server does not like is dropped without a word.
      waiting = setTimeout(() => failed(new Error(`no answer to ${type} in ${match}`)), 10_000);
      sent = performance.now();
      socket.emit('update', action, state._stateID, match, playerID);
    };
    socket.on('connect', open);
    socket.on('connect_error', failed);
    socket.on('sync', (id, { state }) => id === match && next(state));
    socket.on('update', (id, state) => id === match && next(state));
  });
}

async function main() {
  await Promise.all(Array.from({ length: matches }, (_, number) => play(number)));
  taken.sort((a, b) => a - b);
  const at = (part) => taken[Math.floor(part * (taken.length - 1))] / 1000;
  console.log(JSON.stringify({ answered: taken.length, seconds, p50: at(0.5), p99: at(0.99) }));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
