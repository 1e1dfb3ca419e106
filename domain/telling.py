"""The table as text: what a seat sees, what has happened since its last choice, and its legal moves, numbered.

A pure function for every ruleset. It reads plain JSON as the API returns it: the document of the ruleset (schemas with
their marks, labels), the seat's view, its legal moves and the events since. It contains no code of any ruleset and
imports the standard library only: the client has a copy of this file, which `python -m clients.build` writes.

The text follows from the view, so it contains no card that the seat does not see. It contains no name of a person
unless `names` are given.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Json = Any

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "seat": "Seat {n}", "you": "you", "all": "All seats", "title": "{title}, you are seat {n} of {of}",
        "round": "round {n}", "worth": "counts {n} now", "since": "Since your last choice:", "table": "The table:",
        "choices": "Your choice: {ask}", "wait": "You have no choice now.", "acting": "To act: {who}",
        "over": "The game is over. Won by: {who}", "lost": "The game is over. Nobody has won.", "down": "face down",
        "nothing": "empty", "back": "?", "gap": "--", "more": "{n} more", "row": "row {n}", "backs": "{n} face down",
        "yes": "yes", "of": "{who}'s", "earlier": "{n} earlier events are left out",
    },
    "de": {
        "seat": "Platz {n}", "you": "du", "all": "Alle Plätze", "title": "{title}, du hast Platz {n} von {of}",
        "round": "Runde {n}", "worth": "zählt jetzt {n}", "since": "Seit deinem letzten Zug:", "table": "Der Tisch:",
        "choices": "Du bist dran: {ask}", "wait": "Du bist jetzt nicht dran.", "acting": "Am Zug: {who}",
        "over": "Das Spiel ist aus. Gewonnen: {who}", "lost": "Das Spiel ist aus. Niemand hat gewonnen.",
        "down": "verdeckt", "nothing": "leer", "back": "?", "gap": "--", "more": "{n} weitere", "row": "Reihe {n}",
        "backs": "{n} verdeckt", "yes": "ja", "of": "{who}s", "earlier": "{n} frühere Ereignisse fehlen hier",
    },
}  # fmt: skip
"""The words of the text that no ruleset has, by language."""

LATEST = 10
"""The number of cards of an open pile that are listed, the top ones."""
ELSEWHERE = ("options", "deck", "phase", "turn", "rounds", "round", "winners", "pending")
"""Fields of views that other parts of the text report: the title, the question, the events."""
ALIKE = 4
"""From this many moves of a kind on, those that differ in one field share a line, and rising numbers are a range."""

PLACEHOLDER = re.compile(r"{(!?)([\w.()-]+)(?::([a-z_]+))?}")
OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
CONDITION = re.compile(r"(!?)([^:=]+)(?::([a-z_]+))?(?:=(.+))?")


def plain_name(name: str, most: int = 24) -> str:
    """A name of a stranger on one line of at most `most` characters, without quotes, brackets, control and format
    characters.
    """
    text = "".join(c if unicodedata.category(c)[0] not in "CZ" else " " for c in unicodedata.normalize("NFKC", name))
    return " ".join(re.sub(r"[\"'`<>\[\]{}«»“”„⟦⟧]", "", text).split())[:most] or "?"


@dataclass(frozen=True)
class Told:
    """A table as text."""

    text: str
    moves: tuple[str, ...]
    """The legal moves as sentences, all different. Move number n of the text is item n - 1."""


class Teller:
    """Writes the tables of a ruleset in one language.

    `ruleset`: the document of `GET /v1/rulesets/{ruleset}`. `cards`: names of cards by id, for decks that have some.
    """

    def __init__(self, ruleset: Json, language: str = "en", cards: Mapping[str, str] | None = None) -> None:
        self.labels, self.words = ruleset["labels"][language], WORDS[language]
        self.cards = cards or {}
        self.view, self.move = Schema(ruleset["schemas"]["view"]), Schema(ruleset["schemas"]["move"])

    def tell(
        self,
        view: Json,
        seat: int | None,
        legal: Sequence[Json] = (),
        events: Iterable[Json] = (),
        *,
        names: Sequence[str] = (),
        to_act: Sequence[int] = (),
        tally: Json = None,
        most: int = 1500,
    ) -> Told:
        """The table as `seat` sees it; None: a bystander.

        `events`: those since the seat's last choice. `to_act`: the seats that have a move. `tally`: what the cards
        count now, as in the API. `most`: bytes; the oldest events are left out until the text fits, the table and the
        moves never are.
        """
        table, words = Table(self, view, seat, names, tally or {}), self.words
        head = table.title()
        lines = ["", words["table"], *table.lines()]
        moves: tuple[str, ...] = ()
        if (winners := view.get("winners")) is not None:
            lines += ["", table.over(winners)]
        elif legal:
            moves = table.moves(legal)
            lines += ["", words["choices"].format(ask=table.question(legal)), *table.numbered(legal, moves)]
        else:
            lines += ["", words["wait"]]
            if to_act:
                lines.append(words["acting"].format(who=", ".join(map(table.who, to_act))))
        quiet = frozenset(self.labels.get("quiet", ()))
        happened = [text for event in events if event["type"] not in quiet and (text := table.event(event))]
        room = most - len("\n".join([head, *lines]).encode())
        return Told("\n".join([head, *self._since(counted(happened), room), *lines]), moves)

    def _since(self, happened: Sequence[str], room: int) -> list[str]:
        """The events that have room, in bytes."""
        if not happened:
            return []
        earlier = self.words["earlier"]
        room -= len(self.words["since"].encode()) + len(earlier) + 6
        kept: list[str] = []
        for text in reversed(happened):
            room -= len(text.encode()) + 3
            if room < 0:
                break
            kept.insert(0, f"- {text}")
        left = len(happened) - len(kept)
        return ["", self.words["since"], *([f"- {earlier.format(n=left)}"] if left else []), *kept]


class Schema:
    """A JSON Schema with the marks of `docs/labels.md`."""

    def __init__(self, root: Json) -> None:
        self.root, self._defs = root, root.get("$defs", {})

    def solved(self, schema: Json) -> Json:
        """The schema that a reference names, with the keywords beside the reference."""
        while "$ref" in schema:
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**self._defs[schema["$ref"].rpartition("/")[2]], **beside}
        return schema

    def variants(self, schema: Json) -> list[Json]:
        """The members of a union without null; another schema itself."""
        schema = self.solved(schema)
        members = next((schema[key] for key in ("anyOf", "oneOf") if key in schema), [schema])
        return [each for member in members if (each := self.solved(member)).get("type") != "null"]

    def mark(self, schema: Json, key: str) -> Any:
        """The value of the mark at the schema or at a member of its union; None if it has none."""
        at = (self.solved(schema), *self.variants(schema))
        return next((each[key] for each in at if key in each), None)

    def item(self, schema: Json) -> Json | None:
        """The schema of the items; None if it is no array."""
        return next((each["items"] for each in self.variants(schema) if each.get("items")), None)

    @cached_property
    def seats(self) -> frozenset[str]:
        """The fields of nested objects that are seats, or lists of seats."""
        properties = [field for each in self._defs.values() for field in each.get("properties", {}).items()]
        return frozenset(name for name, schema in properties if self.mark(self.item(schema) or schema, "x-seat"))

    @cached_property
    def fields(self) -> dict[str, Json]:
        """The properties of the schema of an object."""
        return dict(self.solved(self.root)["properties"])

    @cached_property
    def kinds(self) -> dict[str, Json]:
        """The properties by `type`, of a union of tagged objects."""
        found = {}
        for each in self.variants(self.root):
            named = each["properties"]["type"]
            found[named["const"] if "const" in named else named["enum"][0]] = each["properties"]
        return found


class Table:
    """The text about one view."""

    def __init__(self, teller: Teller, view: Json, seat: int | None, names: Sequence[str], tally: Json) -> None:
        self.teller, self.labels, self.words = teller, teller.labels, teller.words
        self.view, self.seat, self.names = view, seat, [plain_name(name) for name in names]
        self.points, self.values = tally.get("points") or [], tally.get("values") or {}
        fields = teller.view.fields
        self.by_seat = [name for name, schema in fields.items() if teller.view.mark(schema, "x-by-seat")]
        self.seats = max((len(view[name]) for name in self.by_seat if view.get(name)), default=len(names) or 1)
        self.state = str((view.get("pending") or {}).get("kind") or view.get("phase"))

    def who(self, seat: int) -> str:
        notes = [self.words["you"]] * (seat == self.seat) + self.names[seat : seat + 1]
        named = self.words["seat"].format(n=seat + 1)
        return f"{named} ({', '.join(notes)})" if notes else named

    def title(self) -> str:
        title = str(self.labels["title"])
        if self.seat is not None:
            title = self.words["title"].format(title=title, n=self.seat + 1, of=self.seats)
        if isinstance(number := self.view.get("round"), int):
            title += ", " + self.words["round"].format(n=number)
        return title + "."

    def over(self, winners: Sequence[int]) -> str:
        return self.words["over"].format(who=", ".join(map(self.who, winners))) if winners else self.words["lost"]

    # --- events and values ---

    def event(self, event: Json) -> str:
        """The sentence of the labels; empty if they have none, as for events of the life of a game."""
        return self.filled(self.labels["sentences"].get(event["type"], ""), event)

    def filled(self, template: str, value: Json) -> str:
        """The template of the labels with what is at its paths."""

        def shown(found: re.Match[str]) -> str:
            absent, path, kind = found.groups()
            return "" if absent else self._shown(path.rpartition(".")[2], kind, value_at(value, path))

        def part(found: re.Match[str]) -> str:
            named = PLACEHOLDER.findall(found[1])
            return found[1] if all(self._applies(value, *each) for each in named) else ""

        return PLACEHOLDER.sub(shown, OPTIONAL.sub(part, template))

    def _applies(self, value: Json, absent: str, path: str, kind: str | None) -> bool:
        """Whether there is something to show at the path, or, if `absent`, nothing."""
        found = value_at(value, path)
        return has_content(self._able(found or ()) if kind == "can" else found, kind or "") != bool(absent)

    def holds(self, condition: str, value: Json) -> bool:
        """`path`, `path:kind` or `path=value`, with `!` before it: does not."""
        found = CONDITION.fullmatch(direct(condition, value) or "")
        if found is None:
            return condition.startswith("!")
        absent, path, kind, wanted = found.groups()
        if wanted is None:
            return self._applies(value, absent, path, kind)
        several = there if isinstance(there := value_at(value, path), list) else [there]
        return (wanted in map(key_of, several)) != bool(absent)

    def _able(self, types: Sequence[str]) -> str:
        """What can be done: the words for these types of moves, in the order of the labels."""
        named = self.labels["values"].get("can", {}).items()
        return ", ".join(dict.fromkeys(word for kind, word in named if kind in types))

    def _shown(self, field: str, kind: str | None, value: Json) -> str:
        match kind:
            case "by_seat":
                return ", ".join(f"{self.who(seat)} {number}" for seat, number in enumerate(value))
            case "count":
                return str(len(value or ()))
            case "card" | "number" | "word" | "named":
                return str(self.labels["cards"]["hidden"]) if value is None else self.face(value)
            case "cards":
                return self.run(value)
            case "sum":
                return " + ".join(map(self.face, value))
            case "can":
                return self._able(value)
            case "of":
                return self.words["of"].format(who=self.who(value))
        several = value if isinstance(value, list) else [value]
        return ", ".join(dict.fromkeys(self._value(field, kind, each) for each in several))

    def _value(self, field: str, kind: str | None, value: Json) -> str:
        match kind:
            case "seat":
                return self.who(value)
            case "ordinal":
                return str(value + 1)
            case "place":
                return self.place(field, value)
        key = key_of(value)
        return str(self.labels["values"].get(field, {}).get(key, key))

    def place(self, field: str, index: int) -> str:
        place = self.labels["places"][field]
        column, row = divmod(index, place.get("rows") or 1)
        return str(place["text"].format(number=index + 1, column=column + 1, row=row + 1))

    # --- cards ---

    def face(self, card: Json) -> str:
        if isinstance(card, list):
            return "/".join(map(str, card))
        if isinstance(card, str):
            return str(self.teller.cards.get(card) or self.labels["cards"].get(card, card))
        return str(card)

    def lying(self, card: Json, empty: bool = False) -> str:
        """A card in a zone: bare, or in an object with what else is known of it. `empty`: what null means there."""
        if not isinstance(card, dict):
            return self.words["gap" if empty else "back"] if card is None else self.face(card)
        face = card.get("card")
        notes = [self.words["down"]] if card.get("up") is False and face is not None else []
        notes += self._notes({name: value for name, value in card.items() if name not in ("card", "up")})
        text = self.words["back"] if face is None else self.face(face)
        return f"{text} ({', '.join(notes)})" if notes else text

    def run(self, cards: Sequence[Json], empty: bool = False, path: str = "") -> str:
        """Cards in a row; backs side by side are counted. `path`: their place in the view, for what they count now."""
        parts: list[str] = []
        backs = 0
        for place, card in enumerate([*cards, ...]):
            if card is not ... and (shown := self.lying(card, empty)) == self.words["back"]:
                backs += 1
                continue
            if backs:
                parts.append(self.words["backs"].format(n=backs))
                backs = 0
            if card is not ...:
                worth = self.values.get(f"{path}/{place}")
                parts.append(shown if worth is None else f"{shown}={worth}")
        return (" " if all(" " not in part for part in parts) else ", ").join(parts)

    def pile(self, cards: Sequence[Json], empty: bool) -> str:
        left = len(cards) - LATEST
        if left > 0 and any(card is not None for card in cards):
            return f"{self.run(cards[-LATEST:], empty)} ({self.words['more'].format(n=left)})"
        return self.run(cards, empty)

    def _is_empty(self, field: str) -> bool:
        """Whether null in the zone is an empty place."""
        return self._marks_items(field, "x-empty")

    def _marks_items(self, field: str, key: str) -> bool:
        """Whether the items of the field have the mark, however many lists are around them."""
        schema = self.teller.view
        item = schema.fields[field]
        while (inner := schema.item(item)) is not None:
            item = inner
        return bool(schema.mark(item, key))

    # --- the table ---

    def lines(self) -> list[str]:
        """The centre, the facts that are not at rest, what all seats have alike, then the seats, the own one first."""
        alike = [name for name in self.labels["facts"] if self._is_alike(name)]
        common = [self._fact_of_seat(name, 0) for name in alike if self.view[name][0] not in (None, False)]
        facts = [
            f"{label}: {self.fact(name, value)}"
            for name, label in self.labels["facts"].items()
            if self._is_shared(name) and (value := self.view.get(name)) not in (None, False, [])
        ]
        return [
            *self._centre(),
            *(["; ".join(facts)] if facts else []),
            *([f"{self.words['all']}: {'; '.join(common)}"] if common else []),
            *(line for turn in range(self.seats) for line in self._seat(((self.seat or 0) + turn) % self.seats, alike)),
        ]

    def _is_shared(self, name: str) -> bool:
        return name in self.teller.view.fields and name not in self.by_seat and name not in ELSEWHERE

    def _centre(self) -> Iterator[str]:
        for name, label in self.labels["zones"].items():
            value = self.view.get(name)
            if self._is_shared(name) and value not in (None, []):
                several = self.teller.view.item(self.teller.view.fields[name]) is not None
                text = self.pile(value, self._is_empty(name)) if several else self.face(value)
                yield f"{label}: {text}"

    def _is_alike(self, name: str) -> bool:
        """Whether all seats have the same simple value."""
        values = self.view.get(name) or []
        one = name in self.by_seat and self.seats > 1 and len(values) == self.seats
        return one and not isinstance(values[0], list) and all(each == values[0] for each in values)

    def _seat(self, seat: int, alike: Sequence[str]) -> list[str]:
        facts: list[str] = []
        grids: list[str] = []
        if self.values and seat < len(self.points) and self.points[seat] is not None:
            facts.append(self.words["worth"].format(n=self.points[seat]))
        for name in [*self.labels["facts"], *self.labels["zones"]]:
            values = self.view.get(name) or []
            if name in alike or name not in self.by_seat or seat >= len(values):
                continue
            value = values[seat]
            if name in self.labels["zones"] and isinstance(value, list):
                rows = self._rows(name)
                if rows and value:
                    grids += self._grid(value, rows)
                else:
                    facts.append(f"{self.labels['zones'][name]}: {self._zone(name, seat, value)}")
            elif value not in (None, False):
                facts.append(self._fact_of_seat(name, seat))
        return [f"{self.who(seat)}: {'; '.join(facts)}".rstrip(" :"), *grids] if facts or grids else []

    def _fact_of_seat(self, name: str, seat: int) -> str:
        value = self.view[name][seat]
        label = str(self.labels["facts"].get(name) or self.labels["zones"][name])
        return label if value is True else f"{label} {self.fact(name, value)}"

    def _zone(self, name: str, seat: int, cards: Sequence[Json]) -> str:
        """The cards of a seat; the own ones with their numbers, if moves name them by number."""
        empty = self._is_empty(name)
        if not cards:
            return self.words["nothing"]
        if seat == self.seat and name in self._pointed and any(card is not None for card in cards):
            return " ".join(f"[{n}] {self.lying(card, empty)}" for n, card in enumerate(cards, 1))
        return self.run(cards, empty, f"{name}/{seat}")

    def _grid(self, cards: Sequence[Json], rows: int) -> list[str]:
        shown = [self.lying(card, empty=True) for card in cards]
        wide = max(map(len, shown))
        return [
            f"  {self.words['row'].format(n=row + 1)}: " + "  ".join(each.rjust(wide) for each in shown[row::rows])
            for row in range(rows)
        ]

    def _rows(self, zone: str) -> int | None:
        return (self.labels["places"].get(self._pointed.get(zone, "")) or {}).get("rows")

    @cached_property
    def _pointed(self) -> dict[str, str]:
        """The zones that fields of moves point into, with the field: `layouts` by `slot`."""
        found: dict[str, str] = {}
        for fields in self.teller.move.kinds.values():
            for name, schema in fields.items():
                if path := self.teller.move.mark(schema, "x-at"):
                    found.setdefault(path.partition("/")[0], name)
        return found

    def fact(self, name: str, value: Json) -> str:
        """The value of a field of the view, or of an item of it."""
        several, seats = value if isinstance(value, list) else [value], self._marks_items(name, "x-seat")
        return ", ".join(self.who(each) if seats else self._in_fields(name, each) for each in several)

    def _in_fields(self, name: str, value: Json) -> str:
        if value is True:
            return self.words["yes"]
        if isinstance(value, dict):
            return ", ".join(self._notes(value))
        if isinstance(value, list):
            return ", ".join(self._in_fields(name, each) for each in value)
        if name in self.labels["places"] and isinstance(value, int):
            return self.place(name, value)
        return self.who(value) if name in self.teller.view.seats else self._value(name, None, value)

    def _notes(self, fields: Json) -> list[str]:
        """The fields of an object that are not at rest."""
        return [
            label if value is True else f"{label} {self._in_fields(name, value)}"
            for name, value in fields.items()
            if value is not None and value != [] and (value or name in self.teller.view.seats)
            for label in (self.labels["parts"][name],)
        ]

    # --- moves ---

    def prompts(self, scope: Json) -> list[tuple[bool, int, str]]:
        """Those that can be asked, best first: whether of every state (`*`), the number of conditions, the key."""
        asked = []
        for key, prompt in self.labels.get("prompts", {}).items():
            when, of = prompt.get("when", ()), key.partition(" (")[0]
            if key == self.state or (when and of in (self.state, "*")):
                asked += [(of == "*", len(when), key)] * all(self.holds(each, scope) for each in when)
        return sorted(asked, reverse=True)

    def question(self, legal: Sequence[Json]) -> str:
        """The prompt of the state; without one the name of the decision."""
        scope = {**self.view, "you": self.seat, "legal": legal}
        for *_, key in self.prompts(scope):
            text = self.filled(self.labels["prompts"][key]["ask"], scope)
            return text[:1].upper() + text[1:]
        return str(self.labels["values"].get("kind", {}).get(self.state) or self.labels["phases"].get(self.state, ""))

    def moves(self, legal: Sequence[Json]) -> tuple[str, ...]:
        """A sentence for each legal move, all different: where two are alike, with the ids of cards, then a number."""
        texts = [self._move(move) for move in legal]
        if len(set(texts)) < len(texts):
            alike = {text for text in texts if texts.count(text) > 1}
            texts = [self._move(move, ids=text in alike) for text, move in zip(texts, legal, strict=True)]
        if len(set(texts)) < len(texts):
            texts = [f"{text} #{n}" if texts.count(text) > 1 else text for n, text in enumerate(texts, 1)]
        return tuple(texts)

    def _move(self, move: Json, ids: bool = False) -> str:
        name, parts = str(self.labels["moves"][move["type"]]), self._parts(move, ids)
        return f"{name}: {', '.join(parts)}" if parts else name

    def _parts(self, move: Json, ids: bool = False, bare: bool = False) -> list[str]:
        """The fields of a move that say something. `bare`: without the cards that lie where they point."""
        fields, around = self.teller.move.kinds[move["type"]], {} if bare else move
        return [
            self._field(name, value, fields[name], around, ids)
            for name, value in move.items()
            if name != "type" and value is not None and value != []
            if value is not False or "false" in self.labels["values"].get(name, {})
        ]

    def _field(self, name: str, value: Json, schema: Json, move: Json, ids: bool) -> str:
        if isinstance(value, int) and not isinstance(value, bool):
            if self.teller.move.mark(schema, "x-seat"):
                return self.who(value)
            if name in self.labels["places"]:
                return self.place(name, value) + self._there(schema, move)
            return f"{self.labels['fields'].get(name, name)} {value}{self._there(schema, move)}"
        if isinstance(value, list) and len(value) == 2 and all(isinstance(each, int) for each in value):
            return self.face(value)
        return " ".join(self._named(name, each, ids) for each in (value if isinstance(value, list) else [value]))

    def _named(self, name: str, value: Json, ids: bool) -> str:
        if isinstance(value, dict):
            return ", ".join(
                self._field(key, each, {"x-seat": True} if key in ("seat", "row") else {}, {}, ids)
                for key, each in value.items()
            )
        if not isinstance(value, str) or value in self.labels["values"].get(name, ()):
            return self._value(name, None, value)
        face = self.face(value)
        return f"{face} [{value}]" if ids and face != value else face

    def _there(self, schema: Json, move: Json) -> str:
        """The card at the place that the field points at, in brackets."""
        path, value = self.teller.move.mark(schema, "x-at"), self.view
        if path is None or self.seat is None:
            return ""
        for step in path.split("/"):
            key = self.seat if step == "{you}" else move.get(step[1:-1]) if step.startswith("{") else step
            try:
                value = value[key]
            except (LookupError, TypeError):
                return ""
        return "" if (shown := self.lying(value)) == self.words["back"] else f" ({shown})"

    def numbered(self, legal: Sequence[Json], texts: Sequence[str]) -> list[str]:
        """The moves with their numbers, by kind. Many of a kind that differ in one field share a line."""
        lines: list[str] = []
        for kind in dict.fromkeys(move["type"] for move in legal):
            alike = [(n, move) for n, move in enumerate(legal, 1) if move["type"] == kind]
            grouped = self._grouped(alike) if len(alike) >= ALIKE else []
            lines += grouped or [f"{n}. {texts[n - 1]}" for n, _ in alike]
        return lines

    def _grouped(self, moves: Sequence[tuple[int, Json]]) -> list[str]:
        """Lines of moves that differ in one field only; empty if that saves nothing, or two would look alike."""
        first = moves[0][1]
        fields = [name for name in first if name != "type"]
        if not fields or any(move.keys() != first.keys() for _, move in moves):
            return []
        varies = max(fields, key=lambda name: len({str(move[name]) for _, move in moves}))
        groups: dict[str, list[tuple[int, Json]]] = {}
        for n, move in moves:
            groups.setdefault(str([move[name] for name in fields if name != varies]), []).append((n, move))
        if len(groups) > 2 * len(moves) / 3:
            return []
        lines = []
        for group in groups.values():
            values = [self._short(varies, move) for _, move in group]
            if len(set(values)) < len(values):
                return []
            fixed = self._parts({name: value for name, value in group[0][1].items() if name != varies})
            head = ", ".join([self.labels["moves"][first["type"]], *fixed])
            between = "; " if any("," in value for value in values) else ", "
            listed = between.join(ranges([n for n, _ in group], values))
            lines.append(f"{head}; {self.labels['fields'].get(varies, varies)}: {listed}")
        return lines

    def _short(self, name: str, move: Json) -> str:
        """The value of a field below a heading that names the field."""
        value, schema = move[name], self.teller.move.kinds[move["type"]][name]
        if isinstance(value, int) and not isinstance(value, bool):
            place = self.labels["places"].get(name)
            if place and not place.get("rows"):  # own cards have their numbers in the table
                own = "{you}" in (self.teller.move.mark(schema, "x-at") or "")
                return str(value + 1) + ("" if own else self._there(schema, move))
            if not place:
                return self.who(value) if self.teller.move.mark(schema, "x-seat") else str(value)
        return ", ".join(self._parts({"type": move["type"], name: value}, bare=True)) or self.words["gap"]


def ranges(numbers: Sequence[int], values: Sequence[str]) -> list[str]:
    """`3. 7, 4. 8`; where numbers and values rise by one at least four times, `3-9. 7-13`."""
    found: list[str] = []
    start = 0
    while start < len(numbers):
        end = start + 1
        while end < len(numbers) and _rises(numbers, values, start, end):
            end += 1
        if end - start >= ALIKE:
            found.append(f"{numbers[start]}-{numbers[end - 1]}. {values[start]}-{values[end - 1]}")
        else:
            found += [f"{numbers[n]}. {values[n]}" for n in range(start, end)]
        start = end
    return found


def _rises(numbers: Sequence[int], values: Sequence[str], start: int, end: int) -> bool:
    if not (values[start].isdecimal() and values[end].isdecimal()):
        return False
    return int(values[end]) - int(values[start]) == numbers[end] - numbers[start] == end - start


def counted(lines: Sequence[str]) -> list[str]:
    """Equal lines that follow each other are one, with their number."""
    found: list[tuple[str, int]] = []
    for line in lines:
        if found and found[-1][0] == line:
            found[-1] = line, found[-1][1] + 1
        else:
            found.append((line, 1))
    return [line if n == 1 else f"{line} (x{n})" for line, n in found]


def key_of(value: Json) -> str:
    """The value as a key of the labels' `values`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def direct(path: str, value: Json) -> str | None:
    """The path, with the names or numbers that are at the paths in parentheses; None if there is none."""
    while "(" in path:
        before, _, rest = path.partition("(")
        inner, _, after = rest.partition(")")
        if (found := value_at(value, inner)) is None:
            return None
        path = f"{before}{found}{after}"
    return path


def value_at(value: Json, path: str) -> Json:
    """The value at a path of fields with dots between; None if there is none.

    In a list a number is an item, -1 the last one, and a field those of all items. `(path)` stands for its value.
    """
    if (plain := direct(path, value)) is None:
        return None
    first, _, rest = plain.partition(".")
    if isinstance(value, list):
        if not first.removeprefix("-").isdecimal():
            return [value_at(item, plain) for item in value]
        value = {str(at): item for n, item in enumerate(value) for at in (n, n - len(value))}
    value = value.get(first) if isinstance(value, dict) else None
    return value_at(value, rest) if rest else value


def has_content(value: Json, kind: str) -> bool:
    """Whether a placeholder of a part in brackets has something to show."""
    if value is None or value == []:
        return False
    if kind in ("by_seat", "cards"):
        return any(each is not None and (kind == "cards" or each) for each in value)
    if kind in ("number", "word"):
        return isinstance(value, int if kind == "number" else str)
    return kind not in ("", "can") or bool(value)
