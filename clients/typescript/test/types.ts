// What has to compile, and what must not: `tsc` checks this file.

import { Client, problems, type schema } from "../src/index.js";

export async function typed(client: Client): Promise<string> {
  const table = await client.open("skyjo", { seats: 2, options: { target_points: 30 } });
  // @ts-expect-error there is no such option
  await client.open("skyjo", { seats: 2, options: { target: 30 } });
  for await (const turn of table.turns()) {
    const discard: number[] = turn.view.discard;
    for (const item of turn.events) {
      if (item.event.type === "swapped") return `${item.event.slot} ${discard.length}`;
    }
    const move = turn.legalMoves[0];
    switch (move?.type) {
      case "flip":
      case "swap":
        await turn.play({ type: move.type, slot: move.slot });
        break;
      case "draw":
      case "take":
      case "toss":
        await turn.play(move);
    }
    // @ts-expect-error a swap needs a slot
    await turn.play({ type: "swap" });
    // @ts-expect-error a move of another ruleset
    await turn.play({ type: "show", start: 0, count: 1 });
  }
  const game: schema.SkyjoGame = await table.game();
  return `${game.result?.winners[0]}`;
}

export async function untyped(client: Client, ruleset: string): Promise<schema.GameView | null> {
  const table = await client.open(ruleset, { seats: 2 });
  for await (const { view, legalMoves, play } of table.turns()) {
    const move = legalMoves[0];
    if (move) await play(move);
    return view;
  }
  return null;
}

export function refused(error: unknown): number | null {
  return error instanceof problems.IllegalMove ? error.document.legal_moves.length : null;
}
