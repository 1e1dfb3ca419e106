/** The first choice where two tables of a deal differ: what the seat saw, what each chose, and the way to both films. */

import { html, nothing } from "../core/html.js";
import { houseNames } from "../core/house.js";
import { told } from "../core/talk.js";
import { labelled } from "../core/words.js";
import { position } from "../table/mini.js";
import { tableOf } from "../tables/index.js";
import { api, more, ruleset } from "./page.js";

/**
 * @import { Schemas, Say } from "../core/types.js"
 * @typedef {Schemas["PairingResource"]} Pairing
 * @typedef {Pairing["tables"][number]} Table
 * @typedef {{ same: number, legal: number, drawn: Node | null, chosen: { name: string, text: string, film: string }[] }} Parting
 */

/**
 * @param {Pairing} deal @param {[Table, Table]} tables  Two that are revealed. @param {string | null} code @param {Say} say
 * @returns {Promise<Parting>}  Without `chosen` no choice differs.
 */
export async function parted(deal, tables, code, say) {
  const [one, other] = tables;
  const { body } = await api.request(`pairings/${deal.id}/difference`, {
    query: { one: one.number, other: other.number },
    headers: { Invite: code },
  });
  const { same, legal, seat, versions } = body;
  if (versions === null) return { same, legal: 0, drawn: null, chosen: [] };
  const [{ own }, table, deck] = await Promise.all([
    ruleset(deal.ruleset),
    tableOf(deal.ruleset),
    api.request(`rulesets/${deal.ruleset}/decks/${deal.deck}`).then((answer) => answer.body),
    more(),
  ]);
  const speech = labelled(say, own);
  const chosen = await Promise.all(tables.map(async (at, index) => {
    const path = `games/${at.game?.replace("/v1/games/", "")}`, headers = { Invite: at.invite ?? null };
    const query = { after: versions[index], limit: 1 };
    const { items: [{ event }] } = (await api.request(`${path}/events`, { query, headers })).body;
    const house = houseNames(at.seats.map(({ bot }) => bot ?? null), own.bots);
    const names = at.seats.map(({ player }, number) => player?.name ?? house[number] ?? "");
    const text = table ? told(event, { table, deck, labels: own, names, say: speech }) : event.type;
    return { name: names[seat] ?? "", text, film: filmOf(at, versions[index], seat) };
  }));
  const seen = await api.request(`games/${one.game?.replace("/v1/games/", "")}`, {
    query: { at: versions[0], as: seat },
    headers: { Invite: one.invite ?? null },
  });
  return { same, legal, drawn: table ? position(seen.body.view, seat, { table, deck, say: speech }) : null, chosen };
}

/** The game as it was before the choice. @param {Table} at @param {number} version @param {number} seat */
const filmOf = (at, version, seat) =>
  `table?g=${at.game?.replace("/v1/games/", "")}#invite=${at.invite}&v=${version}&as=${seat}`;

/** @param {Parting} parting @param {Say} say */
export const shown = ({ same, legal, drawn, chosen }, say) =>
  html`<section class="panel parting"><h2>${say("same.parting")}</h2>
    <p>${chosen.length ? say(same ? "same.alike" : "same.alike_none", { count: same }) : say("same.no_difference")}</p>
    ${drawn ?? nothing}
    ${
    chosen.length
      ? html`
        <ul>${chosen.map(({ name, text, film }) =>
          html`<li><span>${text}</span> <a class="btn small" href=${film} aria-label=${`${
            say("same.from_here")
          }: ${name}`}>${say("same.from_here")}</a></li>`
        )}</ul>
        <p class="soft">${say("same.legal", { count: legal })}</p>
      `
      : nothing
  }</section>`;
