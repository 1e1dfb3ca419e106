// Skyjo for boardgame.io, of the same shape as ours: the same moves, in the same order, with the same secrets.
// Whose turn it is stands in G, and everybody is active: cheaper than the framework's own phases and turns.

const { INVALID_MOVE, ActivePlayers } = require('boardgame.io/core');

const SLOTS = 12;
const ROWS = 3;
const TARGET = 100;

const copies = (card) => (card === -2 ? 5 : card === 0 ? 15 : 10);
const DECK = [];
for (let card = -2; card <= 12; card++) DECK.push(...Array(copies(card)).fill(card));

const sum = (cards) => cards.reduce((total, card) => total + card, 0);
const faceUp = (layout) => layout.filter((slot) => slot && slot.up).map((slot) => slot.card);
const allUp = (layout) => layout.every((slot) => !slot || slot.up);

function deal(G, random) {
  const cards = random.Shuffle(DECK);
  for (let seat = 0; seat < G.layouts.length; seat++) {
    G.layouts[seat] = cards.splice(0, SLOTS).map((card) => ({ card, up: false }));
  }
  Object.assign(G, { discard: cards.splice(0, 1), draw: cards, phase: 'setup', turn: null, finisher: null });
}

function begin(G, seat) {
  G.turn = seat;
  G.phase = 'choose';
}

function clearColumns(G, layout) {
  for (let first = 0; first < SLOTS; first += ROWS) {
    const column = layout.slice(first, first + ROWS);
    if (column.every((slot) => slot && slot.up && slot.card === column[0].card)) {
      G.discard.push(...column.map((slot) => slot.card));
      layout.fill(null, first, first + ROWS);
    }
  }
}

function endTurn(G, seat, random) {
  clearColumns(G, G.layouts[seat]);
  if (G.finisher === null && allUp(G.layouts[seat])) G.finisher = seat;
  const following = (seat + 1) % G.layouts.length;
  if (following !== G.finisher) begin(G, following);
  else endRound(G, random);
}

function endRound(G, random) {
  for (const layout of G.layouts) {
    for (const slot of layout) if (slot) slot.up = true;
    clearColumns(G, layout);
  }
  const points = G.layouts.map((layout) => sum(faceUp(layout)));
  const own = points[G.finisher];
  const beaten = points.some((other, seat) => seat !== G.finisher && other <= own);
  if (beaten && own > 0) points[G.finisher] = 2 * own;
  G.totals = G.totals.map((total, seat) => total + points[seat]);
  G.starter = G.finisher;
  if (Math.max(...G.totals) >= TARGET) G.phase = 'over';
  else deal(G, random);
}

function endSetup(G) {
  const shown = G.layouts.map(faceUp);
  if (shown.some((cards) => cards.length < 2)) return;
  const better = (a, b) => sum(shown[a]) - sum(shown[b]) || Math.max(...shown[a]) - Math.max(...shown[b]);
  const seats = shown.map((_, seat) => seat);
  begin(G, G.starter !== null ? G.starter : seats.reduce((best, seat) => (better(seat, best) > 0 ? seat : best)));
}

const onTurn = (G, playerID, phase) => G.turn === Number(playerID) && G.phase === phase;

const moves = {
  flip({ G, playerID, random }, number) {
    const seat = Number(playerID);
    const slot = G.layouts[seat][number];
    const setup = G.phase === 'setup' && faceUp(G.layouts[seat]).length < 2;
    if (!slot || slot.up || !(setup || onTurn(G, playerID, 'flip'))) return INVALID_MOVE;
    slot.up = true;
    if (setup) endSetup(G);
    else endTurn(G, seat, random);
  },
  draw({ G, playerID, random }) {
    if (!onTurn(G, playerID, 'choose')) return INVALID_MOVE;
    if (!G.draw.length) {
      const top = G.discard.pop();
      G.draw = random.Shuffle(G.discard);
      G.discard = [top];
    }
    Object.assign(G, { held: G.draw.pop(), heldFrom: 'draw', phase: 'place' });
  },
  take({ G, playerID }) {
    if (!onTurn(G, playerID, 'choose')) return INVALID_MOVE;
    Object.assign(G, { held: G.discard.pop(), heldFrom: 'discard', phase: 'place' });
  },
  swap({ G, playerID, random }, number) {
    const seat = Number(playerID);
    const slot = G.layouts[seat][number];
    if (!slot || !onTurn(G, playerID, 'place')) return INVALID_MOVE;
    G.discard.push(slot.card);
    G.layouts[seat][number] = { card: G.held, up: true };
    Object.assign(G, { held: null, heldFrom: null });
    endTurn(G, seat, random);
  },
  toss({ G, playerID }) {
    if (!onTurn(G, playerID, 'place') || G.heldFrom !== 'draw') return INVALID_MOVE;
    G.discard.push(G.held);
    Object.assign(G, { held: null, heldFrom: null, phase: 'flip' });
  },
};

// Secrets stripped: face-down cards, the draw pile, and a drawn card from everybody but who holds it.
function playerView({ G, playerID }) {
  const back = (slot) => (slot && !slot.up ? { card: null, up: false } : slot);
  const sees = G.heldFrom !== 'draw' || G.turn === Number(playerID);
  return {
    ...G,
    layouts: G.layouts.map((layout) => layout.map(back)),
    draw: G.draw.map(() => null),
    held: sees ? G.held : null,
  };
}

// What the seat to act may do, told from its view; in `setup` the first seat that still has to turn up a card.
function legal(G) {
  if (G.phase === 'setup') {
    const seat = G.layouts.findIndex((layout) => faceUp(layout).length < 2);
    return { seat, moves: numbers(G.layouts[seat], (slot) => !slot.up).map((number) => ['flip', number]) };
  }
  const layout = G.layouts[G.turn];
  if (G.phase === 'choose') return { seat: G.turn, moves: [['draw'], ['take']] };
  if (G.phase === 'flip') return { seat: G.turn, moves: numbers(layout, (slot) => !slot.up).map((n) => ['flip', n]) };
  const swaps = numbers(layout, () => true).map((number) => ['swap', number]);
  return { seat: G.turn, moves: G.heldFrom === 'draw' ? [...swaps, ['toss']] : swaps };
}

const numbers = (layout, fits) => layout.flatMap((slot, number) => (slot && fits(slot) ? [number] : []));

const Skyjo = {
  name: 'skyjo',
  setup({ ctx, random }) {
    const G = { layouts: Array(ctx.numPlayers).fill([]), totals: Array(ctx.numPlayers).fill(0) };
    Object.assign(G, { starter: null, held: null, heldFrom: null });
    deal(G, random);
    return G;
  },
  turn: { activePlayers: ActivePlayers.ALL },
  moves,
  playerView,
  endIf: ({ G }) => (G.phase === 'over' ? { totals: G.totals } : undefined),
  disableUndo: true,
};

module.exports = { Skyjo, legal };
