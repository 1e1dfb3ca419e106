/**
 * The shapes that core, table, tables and faces share. Types only. Those of table descriptions are in `picture.js`.
 *
 * @typedef {import("./picture.js").Thing} Thing
 * @typedef {import("./picture.js").Card} Card
 * @typedef {import("./picture.js").Say} Say
 * @typedef {import("./picture.js").Zone} Zone
 * @typedef {import("./picture.js").Face} Face
 * @typedef {import("./picture.js").Table} Table
 * @typedef {import("./picture.js").Asking} Asking
 * @typedef {import("./picture.js").Asked} Asked
 * @typedef {import("./picture.js").Choice} Choice
 * @typedef {import("./picture.js").Momentous} Momentous
 * @typedef {import("./picture.js").Count} Count
 * @typedef {import("./picture.js").Reckoned} Reckoned
 * @typedef {import("./picture.js").Place} Place
 * @typedef {import("./picture.js").Parts} Parts
 * @typedef {import("./picture.js").Chair} Chair
 */

/**
 * What the API sends, from its document. The fields of moves, events and views belong to the rulesets: table descriptions
 * know them.
 *
 * @import { components } from "../../clients/typescript/src/schema.ts"
 * @typedef {components["schemas"]} Schemas
 * @typedef {Schemas["GameMove"] & { type: string }} Move
 * @typedef {Schemas["GameEvent"] & { type: string, [field: string]: any }} GameEvent
 * @typedef {Schemas["GameView"] & Record<string, any>} View
 * @typedef {Omit<Schemas["Game"], "legal_moves" | "view"> & { legal_moves: Move[], view: View | null }} Game
 * @typedef {Omit<Schemas["EventItem"], "event"> & { event: GameEvent }} EventItem
 * @typedef {Schemas["Tally"]} Tally
 * @typedef {Schemas["SeatClock"]} SeatClock
 */

/**
 * A zone of a seat or of the centre, as it is drawn.
 * @typedef {object} Area
 * @property {string} id  `layouts/0`, or `draw`.
 * @property {string} name  The key in `Table.zones`.
 * @property {number | null} seat  null: of nobody.
 * @property {Zone} zone
 * @property {Place[]} places  All cards. Of a pile only the top is drawn: the last of `places`.
 */

/**
 * How a thing looks now.
 * @typedef {object} Look
 * @property {boolean} [legal]  It can be clicked: only then it is a button.
 * @property {number} [chosen]  How often it has been clicked.
 * @property {boolean} [pending]  The move it belongs to is under way.
 * @property {boolean} [last]  The last move touched it.
 * @property {boolean} [hint]  It completes what is hovered or focused.
 * @property {string} [label]  Its accessible name: what, where, and what a click does.
 * @property {string} [mark]  What an extension says of it: a class.
 * @property {unknown} [tags]  The same in words, on the card.
 * @property {string} [said]  The same for the ears.
 */

/**
 * A choice that has cost something, on the scrubber.
 * @typedef {object} Loss
 * @property {number} version  Of the position before it.
 * @property {number} height  1 to 3: how much it has cost at least.
 * @property {string} href
 * @property {string} label
 * @property {boolean} now  It is shown.
 * @property {() => void} go
 */

/**
 * @typedef {object} Weighed
 * @property {Loss[]} marks
 * @property {{ version: number, seat: number, made: Move, best: Move }} [at]  The choice that is looked at.
 * @property {(thing: Thing, state: import("./model.js").State, view: View) => Partial<Look>} [look]  What it adds to a thing.
 * @property {() => unknown} [note]  What it says over the table.
 */

/**
 * What is offered by its name: a whole move, or a thing that is not on the table.
 * @typedef {object} Chip
 * @property {string} label
 * @property {Move} [move]  Sent as `{ do: "move" }`.
 * @property {Thing} [thing]  Sent as `{ do: "click" }`.
 * @property {Message} [message]  Sent as it is.
 * @property {boolean} [main]  The main button of the rail.
 * @property {boolean} [quiet]
 */

/**
 * A line of the log.
 * @typedef {object} Line
 * @property {number} version
 * @property {string} who  "" for what nobody did.
 * @property {string} text  For the ears.
 * @property {Parts} parts
 * @property {boolean} mark  A caesura: a round was scored, a last lap began.
 * @property {string} [title]  Of a deed: what it was, without who and what.
 */

/**
 * The scrubber.
 * @typedef {object} Replay
 * @property {number} first
 * @property {number} last
 * @property {number} version  The one that is shown.
 * @property {boolean} playing
 * @property {number} speed
 * @property {boolean} live  There is nothing to go back to.
 * @property {boolean} over  The game is over.
 * @property {{ version: number, label: string, own?: boolean }[]} marks
 * @property {Loss[]} losses  What an extension has found.
 * @property {{ value: string, label: string }[]} perspectives
 * @property {string} perspective
 * @property {boolean} brief  The slider moves: log, scores and marks follow when it stands still.
 */

/**
 * What the rail shows.
 * @typedef {object} Rail
 * @property {string} question  One short line.
 * @property {Line["parts"]} [deed]  In its place, for the eyes: what another seat did.
 * @property {number | null} [mover]  Whose move is shown, or who is waited for.
 * @property {string} spoken  The same for a screen reader, with everything that can be chosen.
 * @property {string} hint  At most one sentence, or "".
 * @property {Chip[]} chips  The moves that are buttons now.
 * @property {{ field: string, label: string, value: unknown, values: { value: unknown, label: string }[] }[]} switches
 * @property {boolean} cancel  Something is chosen that can be taken back.
 * @property {Chip | null} confirm  A move that is asked again.
 * @property {[number, number]} [meter]  What is paid, and the price.
 * @property {boolean} busy  A move is under way.
 */

/**
 * The end of a round.
 * @typedef {object} Sheet
 * @property {string} title
 * @property {number} round
 * @property {number} target  Points that end the game; 0: it ends otherwise.
 * @property {number} most  Where the bars end.
 * @property {boolean} lowered  The table is looked at.
 * @property {string} why  Why the round ended; "" where that goes without saying.
 * @property {{ name: string, face: boolean | string, points: number, before: number, sum: number, half: number, best: boolean,
 *   reckoned: Reckoned[] }[]} rows  The best first. `half`: what was doubled; 0: nothing was.
 */

/**
 * All that a table draws. Rendering is a pure function of it.
 * @typedef {object} Model
 * @property {string} ruleset
 * @property {Table} table
 * @property {Tally | null} tally  What seats and cards count now.
 * @property {Thing | null} hover  The thing under the pointer or in focus.
 * @property {boolean} tapped  A finger chose it: no caption lies beside it, so that the rail says what it does.
 * @property {any} deck  The deck's data, as `GET /v1/rulesets/NAME/decks/DECK` gives them; null until they are here.
 * @property {View} view
 * @property {number | null} you  The seat at the bottom; null: a bystander.
 * @property {Chair[]} chairs
 * @property {Area[]} areas
 * @property {(thing: Thing) => Look} look
 * @property {Rail} rail
 * @property {boolean} aims  In a plan of grids: cards of other seats can be chosen, at once or for a move that is begun.
 * @property {Sheet | null} sheet  A round has been scored.
 * @property {unknown} [aside]  What lies beside the table in place of scores and log.
 * @property {unknown} [over]  What lies above the table.
 * @property {string} [moment]  The class of the room at the end of a game.
 * @property {Line[]} log
 * @property {Replay | null} replay
 * @property {{ heads: string[], rows: { seat: number, name: string, cells: (number | string)[], parts: number[], sum: number,
 *   best: boolean }[], note: string }} scores
 * @property {{ name: string, next: number } | null} curtain  Whom the device is handed to.
 * @property {Say} say  Knows the ruleset's labels as well: `labels.zones.draw`.
 * @property {boolean} sorted  The own cards are shown in the order of the deck.
 * @property {(message: Message) => void} send
 */

/**
 * What the page is told. Clicks on things arrive by delegation: an element with `data-thing` under the table's root.
 * @typedef {{ do: "click", thing: Thing }
 *   | { do: "hover", thing: Thing | null, tapped?: boolean }
 *   | { do: "move", move: Move }
 *   | { do: "confirm", yes: boolean }
 *   | { do: "switch", field: string, value: unknown }
 *   | { do: "cancel" }
 *   | { do: "show", version: number, brief?: boolean }
 *   | { do: "first" } | { do: "back" } | { do: "next" } | { do: "last" } | { do: "play" } | { do: "live" }
 *   | { do: "speed", speed: number }
 *   | { do: "perspective", perspective: string }
 *   | { do: "branch" } | { do: "share" }
 *   | { do: "lift" }
 *   | { do: "sort" }
 *   | { do: "pace", by?: number }
 *   | { do: "skip" } | { do: "retry" }
 *   | { do: "lower", lowered: boolean }
 *   | { do: "next round" }
 *   | { do: "return" } | { do: "go on" } | { do: "again" } | { do: "watch" } | { do: "decline" }} Message
 */

/**
 * Who plays the other seats of a branch.
 * @typedef {object} Guide
 * @property {number} seat  Of the user.
 * @property {(own: string) => string[]} names  By seat. `own`: of the user.
 * @property {(state: import("./model.js").State) => { seat: number, move?: Move } | null} due  The seat that is to move now.
 * @property {(seat: number) => Promise<Move>} asked  What the house would do there.
 * @property {(state: import("./model.js").State) => unknown} note  The banner.
 */

/**
 * What extensions have at places of the pages (`places` of `service/extension.py`). Words are keys, modules are paths
 * below the files of the pages.
 *
 * @typedef {object} Places
 * @property {{ page: string, glyph: string, text: string }[]} [bar]  A page in the bar.
 * @property {{ page: string }[]} [results]  The page with the results of all players of a ruleset: `?ruleset=NAME`.
 * @property {{ module: string, text: string, how: string }[]} [film]  A button that plays a record: `filmOf(record, text,
 *   say)` resolves to the film, or to null.
 * @property {{ ask?: string, title: string, text: string, go: string, href: string }[]} [lobby]  A card with a link. With
 *   `ask`, a path of the API: if that has something, and with the title of its ruleset.
 * @property {{ term: string, when: "anybody" | "alone", ask: string, how?: string, sits?: string, listed?: string }[]} [terms]
 *   A term of games, as a check box of a new table: for anybody, or alone with the house. `sits`, `listed`: the words for
 *   a game with it, for those who sit down.
 * @property {{ name: string, module: string, text: string, term?: string, busy?: string, key?: string }[]} [tools]
 *   A tool in the bar of a table: of a running game with the `term` for those who play it; without, where other people
 *   sit. Its module has `act(asked, state)`, which returns what is wrong, "", or undefined if the game is as before.
 *   `busy`: what it says while it computes; `ui.NAME_hint`: why it is off.
 * @property {{ module: string, sealed?: boolean }[]} [finished]  A panel at the end of a game, with `sealed` also while its
 *   cards are still played elsewhere: `panel(page, path, invite, say)` returns the function that draws it.
 * @property {{ module: string, text: string }[]} [branch]  Who plays the others in a branch that is opened with
 *   `?if=SEAT`: `branchOf(game, seat, words)`.
 * @property {{ module: string, id: string }[]} [player]  A section of the page of a player: `section(element, about)`.
 */

export {};
