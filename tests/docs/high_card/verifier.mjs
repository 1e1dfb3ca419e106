async function highCard(table, event, dealer) {
  if (event.type === "dealt") {
    const cards = await dealer().shuffled([...table.deck.numbers].sort((a, b) => a - b));
    table.hands = Array.from({ length: table.seats }, (_, seat) => cards.slice(4 * seat, 4 * seat + 4));
    return { hands: table.hands.map((hand) => [...hand]), draw: cards.slice(4 * table.seats) };
  }
  if (event.type === "played")
    return { card: table.hands[event.seat].splice(event.slot, 1)[0] };
  return {};
}

TABLE["high_card/1"] = {
  seats: [2, 4],
  events: roles({ deal: "dealt", own: "played", then: "turn_began round_scored won" }),
  moves: { play: ["slot", { played: { slot: "$slot" } }] },
  acting: roles({ seat: "turn_began" }),
  result: highestWins,
  hidden: { dealt: { hands: 2, draw: 1 } },
  follow: highCard,
};

