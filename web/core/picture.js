// @ts-check
/**
 * The types of a picture, `table.js` of a ruleset: what a page knows of its table. Types only; they stand alone, so an
 * author has a copy beside `table.js` (`stammtisch types`).
 */

/**
 * What the service sends. Their fields belong to the ruleset.
 *
 * @typedef {Record<string, any>} View
 * @typedef {{ type: string, [field: string]: any }} Move
 * @typedef {{ type: string, [field: string]: any }} GameEvent
 * @typedef {{ points: (number | null)[], values?: Record<string, number> }} Tally
 */

/**
 * What is drawn, as data: an element of SVG.
 * @typedef {{ tag: string, attrs: Record<string, string | number>, children: Shape[], text?: string }} Shape
 */

/**
 * A **thing** is what can be clicked, written as a path into the view:
 *
 *     layouts/0/3   place 3 of seat 0's zone `layouts`       draw          a pile, or a zone with a single card
 *     active/2      place 2 of the zone `active`             targets/1     a pile of seat 1
 *     hands/1/gap/4 the gap before card 4 of seat 1's hand (gap/N for N cards is the right end)
 *     rows/2/end    where the next card of that zone would lie
 *     layouts/1/line/c2   a line of a layout
 *
 * @typedef {string} Thing
 */

/** @typedef {any} Card  A card as the view has it: a number, a string, a pair of numbers. */

/**
 * Words in the user's language: `say("column_row", { column: 1, row: 2 })`. The key is looked up in `words/*.json`.
 * @typedef {(key: string, fields?: Record<string, unknown>) => string} Say
 */

/**
 * How a zone of the view is shown.
 *
 * `kind` is one of
 *   - `slots`: places keep their numbers; null is an empty place. A value that is no array is a zone with one card.
 *   - `list`: the order counts, places close up;
 *   - `pile`: a list whose top card (the last one) is shown, with the number of its cards;
 *   - `count`: a number, shown as this number of backs.
 *
 * @typedef {object} Zone
 * @property {"slots" | "list" | "pile" | "count"} kind
 * @property {"seat"} [per]  One for each seat: the view has an array of zones.
 * @property {"back" | "empty"} [nulls]  What null means in an array. Default: `empty` in `slots`, else `back`.
 * @property {"first" | "last"} [top]  Which end of a pile is its top. Default: `last`.
 * @property {number} [rows]  Number of rows of `slots`.
 * @property {"row" | "column"} [flow]  How `slots` are numbered. Default: `row`.
 * @property {boolean} [gaps]  There are things between the cards: `hands/0/gap/3`.
 * @property {boolean} [end]  There is a thing behind the last card: `rows/1/end`.
 * @property {string[]} [lines]  Lines: `layouts/1/line/c2`. Columns are `c0`, `c1` ..., rows `r0`, `r1` ... A click on a
 *   card of a line is a click on the line.
 * @property {string} [by]  The field of the view that names the seat to which the zone belongs now.
 * @property {(view: View) => boolean} [when]  Whether the zone is shown now. Default: always.
 * @property {(view: View) => unknown} [of]  The value of the zone, where it is not the view's field of the same name.
 * @property {"small" | "row" | "fan" | "count" | "hidden"} [mini]  How it is shown at other seats. Default: `small`.
 * @property {string} [weave]  The back of its cards, where it is not that of the table.
 * @property {boolean} [hand]  The hand: large at the bottom.
 * @property {boolean} [sorts]  Users can sort their own cards: the order means nothing to the rules. Not with `gaps`.
 * @property {boolean} [small]  Of less weight than the others.
 * @property {boolean} [token]  Its cards are signs, such as a stone or the trump: nothing flies there.
 * @property {"centre" | "left" | "right"} [at]  Where it is drawn, if not at its seat: in the middle, or beside the own hand.
 * @property {boolean} [grouped]  Equal cards are drawn once, with their number.
 * @property {number} [seen]  The part of a card that stays free where cards overlap.
 * @property {boolean} [takes]  A pile that cards are put onto: a click on it chooses no card.
 * @property {(view: View, chairs: Chair[], say: Say) => string} [caption]
 */

/**
 * What a card looks like. `faces/card.js` draws it as SVG.
 * @typedef {object} Face
 * @property {string} [number]  The large numeral, `"-2"` to `"30"`.
 * @property {string} [turned]  The small number that stands upside down.
 * @property {string} [tint]  The class of the fill, such as `t3` (cards.css).
 * @property {number} [level]  The height of the fill, 0 to 1.
 * @property {string} [stripe]  The letter or sign of the stripe at the left.
 * @property {string} [frame]  `double` ...
 * @property {number} [notches]  The height of the fill as steps in the edge.
 * @property {"plain" | "jagged"} [foot]  A dark card has a foot; that of an attack is jagged.
 * @property {string} [ways]  Where the effect holds: `left`, `right`, else both.
 * @property {boolean} [bar]  Nothing may follow.
 * @property {readonly string[]} [pips]  Glyphs beside the numeral.
 * @property {readonly string[]} [marks]  Glyphs in the lower part.
 * @property {string} [effect]  A short text in the lower part, such as `+2`.
 * @property {string} [glyph]  One large glyph instead of a numeral.
 * @property {string} [text]  Plain text, for cards that have no other face.
 * @property {string} [caption]  The key of the sentence that says what the card does, below `labels.captions.`.
 * @property {(face: Face) => Shape} [draw]  From `faces/`. Default: the text.
 */

/** What a seat got points for, or lost them. @typedef {{ glyph: string, count: number }} Reckoned */

/**
 * What the page knows of a ruleset (`tables/NAME.js`), or what `describe.js` has derived from its schemas.
 *
 * @typedef {object} Table
 * @property {Record<string, Zone>} zones  In the order in which a seat shows them.
 * @property {string[]} centre  The zones in the middle.
 * @property {Record<string, (move: any, you: number, view: any) => Thing[]>} moves
 *   The things that have to be clicked for a move, in any order; repeated things count twice; `[]` is a button.
 * @property {Record<string, readonly unknown[]>} [switches]
 *   Fields of moves that are chosen beforehand and stay, with their values; the first is the default.
 * @property {{ by: string, card: (card: any) => Card }} [turns]  How a chosen card lies while the switch `by` is on.
 * @property {(view: any) => Thing[]} [picked]  Places that a move before has chosen for what is to be decided now.
 * @property {(move: any, view: any, you: number, deck?: any, legal?: any[]) => boolean} [confirm]
 *   Whether a move is asked again: it ends something, or gives up what does not come back.
 * @property {Record<string, (event: any) => Thing[]>} [touches]
 *   Places to light up for an event beyond those where cards came and went.
 * @property {(event: any, before: View) => any} [recall]  The event with the cards that lay at its places, for sentences.
 * @property {(card: Card, deck: any, say: Say) => Face} face
 * @property {(card: Card, say: Say, deck: any) => string} name  For readers: "a 7".
 * @property {(zone: string, index: number, say: Say) => string} [place]  "column 2, row 3". Default: its number.
 * @property {(state: Asking) => Asked} [asked]  What is asked while a move is composed.
 * @property {{ total?: string, rounds?: string, best: "lowest" | "highest", teams?: (view: View) => number[][],
 *   parts?: (view: View) => Record<string, number[]>, why?: (view: View, say: Say) => string,
 *   reckon?: (view: View, seat: number) => Reckoned[], doubled?: string }} score
 *   Fields of the view. `teams`: the seats by team, whose points are the same; they are one line. `parts`: what the points
 *   of each seat come from at the end, beside the rounds, by names in `labels.values.part`. When a round is scored: `why`
 *   it ended, what each seat got its points for, and the word that says why points were `doubled`.
 * @property {(view: View, seat: number, say: Say) => Count[]} [counts]  The numbers on the plate of a seat.
 * @property {string[]} [marks]  Types of events that are marks of the scrubber.
 * @property {string[]} [quiet]  Types of events that are no deed of a seat that has done something else.
 * @property {boolean} private  False: whenever a seat is to act, it sees what a bystander sees.
 * @property {"grids" | "hands" | "marketplace" | "lanes"} [grid]  The plan of the table. Default: one that scrolls.
 * @property {string} [cloth]  The colour of the cloth. Default: `slate`.
 * @property {string} [weave]  The back of the cards.
 * @property {(Face | null)[]} [show]  Cards that stand for the game where none is played; null is a back.
 * @property {(place: Place, value: unknown, deck: any) => { text?: string, glyph?: string, kind?: string }[]} [badges]
 *   Small signs on a card. `value` is what the card counts now, where the service says so.
 */

/**
 * What a prompt depends on.
 * @typedef {object} Asking
 * @property {any} view
 * @property {number} you
 * @property {any} deck
 * @property {Thing[]} clicked
 * @property {any[]} left  The legal moves that the clicks leave.
 * @property {any[]} legal
 * @property {Move | null} confirm  The move that is asked again.
 * @property {GameEvent[]} events  Of the latest move.
 * @property {Tally | null} tally
 *
 * The key of a prompt in the labels, where the state of the view alone does not say it, and what has been chosen: fields
 * beside those of the view.
 * @typedef {{ key?: string | undefined, fields?: Record<string, unknown>, of?: (move: any) => Record<string, unknown>,
 *   meter?: [number, number] }} Asked
 *   `of`: further fields for the button of a move. `meter`: what is paid, and the price.
 */

/**
 * A number on a plate: a sign, the number, and both in words.
 * @typedef {{ glyph: string, count?: number, text: string }} Count
 */

/**
 * A place of a zone, as it is drawn.
 * @typedef {object} Place
 * @property {Thing} thing
 * @property {number} index
 * @property {"face" | "back" | "empty"} state  `back`: nobody sees the face, or only the viewer (`card` is known then).
 * @property {Card | null} card  null if it is unknown or there is none.
 * @property {Record<string, any>} badges  Other fields of the struct: `fresh`, `boost`, `protected_by`.
 */

/**
 * A sentence for the eyes: words, and cards between them.
 * @typedef {(string | { name: string, tint?: string, pips: readonly string[] })[]} Parts
 */

/**
 * A seat and who sits there.
 * @typedef {object} Chair
 * @property {number} seat
 * @property {string} name
 * @property {string | null} player  The id; null: free.
 * @property {boolean | string} face  true: one of the house plays it; else the face that the player has chosen, or "".
 * @property {string} strength  How strong that one is.
 * @property {string} left  That the house plays on for a player who has gone.
 * @property {boolean} own  The viewer plays it.
 * @property {boolean} acting  It is to act.
 * @property {boolean} winner
 * @property {number | null} total  Points so far.
 * @property {Count[]} counts
 * @property {{ text: string, parts: Parts, title?: string } | undefined} deed  What the seat did last, since the own last move; `title`: what it was, in short.
 * @property {string} [presence]  `here`, `away` or `gone`; empty: it is not known, or nobody is meant.
 * @property {string} [since]  When an absent player lost the connection.
 * @property {string} [says]  What the player says now.
 * @property {boolean} [timed]  Its time is limited (pages/clocks.js shows it).
 */

/**
 * An event that is good or bad for a seat, from what everybody sees.
 * @typedef {(event: { type: string, seat?: number, victim?: number, points?: number[], scores?: number[], count: number },
 *   view: { finisher: number | null }) => { seat: number, mood: "good" | "bad" } | null} Momentous
 *
 * The key and the fields of a move in `labels.choices`: what the move does, with its cards. The seat sees the view.
 * @typedef {(move: any, view: any, you: number, deck?: any) => Asked} Choice
 */

export {};
