// node load.cjs PORT SEATS PEOPLE MATCHES SECONDS: random matches. PEOPLE 1: one client plays all seats of a match.
// Otherwise each seat has a client. Each client has a web socket of its own, is sent the state after every move, and
// moves as soon as a seat of its own is to act. Prints what tests/bench/load.py prints.

const { io } = require('socket.io-client');
const { legal } = require('./skyjo.cjs');

const [port, seats, people, matches, seconds] = process.argv.slice(2).map(Number);
const run = `${process.pid}`;
const until = performance.now() + seconds * 1000;
const taken = [];

class Client {
  constructor(table, seat) {
    this.table = table;
    this.seat = seat;
    this.sent = undefined;
    this.waiting = undefined;
    this.socket = io(`http://127.0.0.1:${port}/skyjo`, { transports: ['websocket'], forceNew: true });
    this.connected = new Promise((done) => this.socket.on('connect', done));
    this.socket.on('connect_error', table.fail);
    this.socket.on('sync', (id, { state }) => id === table.match && this.synced(state));
    this.socket.on('update', (id, state) => id === table.match && this.next(state));
  }

  sync() {
    this.sent = undefined;
    this.socket.emit('sync', this.table.match, String(this.seat), undefined, seats);
  }

  synced(state) {
    if (this.seat + 1 < people) this.table.clients[this.seat + 1].sync();
    this.next(state);
  }

  next(state) {
    const now = performance.now();
    if (this.sent !== undefined && state._stateID > this.sent.stateID) {
      taken.push(now - this.sent.at);
      clearTimeout(this.waiting);
      this.sent = undefined;
    }
    if (now >= until) this.table.done();
    else if (state.ctx.gameover !== undefined) this.table.over();
    else if (this.sent === undefined) this.act(state);
  }

  act(state) {
    const { seat, moves } = legal(state.G);
    if (people > 1 && seat !== this.seat) return;
    const [type, ...args] = moves[Math.floor(Math.random() * moves.length)];
    const playerID = String(seat);
    const action = { type: 'MAKE_MOVE', payload: { type, args, playerID } };
    // A move that the server does not like is dropped without a word.
    const lost = () => this.table.fail(new Error(`no answer to ${type} in ${this.table.match}`));
    this.waiting = setTimeout(lost, 10_000);
    this.sent = { at: performance.now(), stateID: state._stateID };
    this.socket.emit('update', action, state._stateID, this.table.match, playerID);
  }

  close() {
    clearTimeout(this.waiting);
    this.socket.close();
  }
}

class Table {
  constructor(number) {
    this.number = number;
    this.games = 0;
    this.finished = new Promise((done, fail) => {
      this.end = done;
      this.fail = fail;
    });
    this.clients = Array.from({ length: people }, (_, seat) => new Client(this, seat));
  }

  open() {
    this.match = `${run}-${this.number}-${this.games++}`;
    this.clients[0].sync(); // creates the match; the next client is synchronized when it exists
  }

  over() {
    if (this.match === `${run}-${this.number}-${this.games - 1}`) this.open();
  }

  done() {
    this.clients.forEach((client) => client.close());
    this.end();
  }
}

async function main() {
  const tables = Array.from({ length: matches }, (_, number) => new Table(number));
  await Promise.all(tables.flatMap((table) => table.clients.map((client) => client.connected)));
  tables.forEach((table) => table.open());
  await Promise.all(tables.map((table) => table.finished));
  taken.sort((a, b) => a - b);
  const at = (part) => taken[Math.floor(part * (taken.length - 1))] / 1000;
  console.log(JSON.stringify({ answered: taken.length, seconds, p50: at(0.5), p99: at(0.99) }));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
