"""Golden games: complete games, frozen. A game that was once played must look the same to every viewer for ever.

A file contains one game as lines of JSON, one for each event: the event, its seat (`by`), the fields `more`, `acting`
and `move` of its entry, the first digits of `head` after it, and in `seen` the first digits of the hash of each view
after it: the full state, a bystander's view, then the seats' in order. The first line also has the game's `id` and the
time `at` of all its events.

`stammtisch check RULESET --golden FOLDER --write` adds the missing games and never changes an existing one. A change of
the rules needs a new version of the ruleset and new games; the old games stay with the old version.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import count, pairwise
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec import inspect as kinds

from domain import game
from domain.codec import encode
from domain.description import description
from domain.fairness import chain
from domain.game import Begun, Decision, Game, Rules
from domain.game.log import Entry, Stored, written
from domain.ruleset import InvalidSetup, Seat, Viewer
from stammtisch.testing import doing
from stammtisch.testing.playing import at_random

AT = "2026-01-01T00:00:00.000000Z"
MOST = 20_000
"""No golden game has more moves."""


class Step(Struct, kw_only=True, omit_defaults=True):
    """A line. `event` stays as it is written: it is read by the types of the game's rules."""

    id: str | UnsetType = UNSET
    at: str | UnsetType = UNSET
    by: Seat | None
    event: msgspec.Raw
    more: int = 0
    acting: tuple[Seat, ...] | UnsetType = UNSET
    move: msgspec.Raw | UnsetType = UNSET
    head: str
    seen: tuple[str, ...]


# --- frozen games -------------------------------------------------------------------------------------------------


class Golden(NamedTuple):
    """A game that was played."""

    rules: Rules
    id: str
    log: Sequence[Stored[Any, Any]]


def folder(rules: Rules, root: Path) -> Path:
    return root / rules.rules.replace("/", "-")


def lines(golden: Golden) -> Iterator[Step]:
    """The game as it is frozen."""
    return lines_of(golden.rules, golden.id, golden.log)


def lines_of(rules: Rules, game_id: str, log: Iterable[Stored[Any, Any]]) -> Iterator[Step]:
    views = dict[Viewer | Literal["all"], Game]()
    for entry in log:
        step = Step(
            by=entry.by, event=msgspec.Raw(encode(entry.event)), more=entry.more, acting=entry.acting,
            move=UNSET if entry.move is UNSET else msgspec.Raw(encode(entry.move)), head=entry.head[:16], seen=(),
        )  # fmt: skip
        if not views:
            assert rules.rules == entry.event.rules
            step.id, step.at = game_id, entry.at
            views = {viewer: Game(game_id) for viewer in ("all", None, *range(entry.event.seats))}
        for viewer, view in views.items():
            shown = entry.event if viewer == "all" else game.redact(rules, entry.event, viewer)
            views[viewer] = game.evolve(rules, view, shown)
        step.seen = tuple([digest(rules, view) for view in views.values()])
        yield step


def digest(rules: Rules, seen: Game) -> str:
    """The first digits of the hash of everything that is served of a view."""
    acting = game.to_act(rules, seen)
    return sha256(encode([seen.status, seen.players, seen.entropies, acting, seen.result, seen.state])).hexdigest()[:8]


def read(rules: Rules, file: Path) -> tuple[Golden, list[Step]]:
    """The game, its hashes computed again, and the lines as they are in the file."""
    steps = steps_of(file)
    game_id, at = str(steps[0].id), str(steps[0].at)
    return golden(rules, game_id, decisions_of(rules, game_id, frozen(rules, steps)), at), steps


def steps_of(file: Path) -> list[Step]:
    return [msgspec.json.decode(line, type=Step) for line in file.read_bytes().splitlines()]


def frozen(rules: Rules, steps: Sequence[Step]) -> Iterator[Entry[Any, Any]]:
    """The entries of these lines. Raises `msgspec.ValidationError`."""
    events, moves = msgspec.json.Decoder(game.event_type(rules)), msgspec.json.Decoder(rules.move)
    for version, step in enumerate(steps, 1):
        yield Entry(
            version=version, at=str(steps[0].at), by=step.by, event=events.decode(step.event), more=step.more,
            acting=step.acting, move=UNSET if step.move is UNSET else moves.decode(step.move),
            public="", secret="", head=step.head,
        )  # fmt: skip


def decisions_of(rules: Rules, game_id: str, log: Iterable[Entry[Any, Any]]) -> Iterator[Decision]:
    """The decisions that were written as these entries: one for each append."""
    after, append = Game(game_id), list[Entry[Any, Any]]()
    for entry in log:
        append.append(entry)
        if not entry.more:
            assert entry.acting is not UNSET
            events, by, moves = zip(*((each.event, each.by, each.move) for each in append), strict=True)
            after = game.fold(rules, after, events)
            yield Decision(after, events, by, moves, entry.acting)
            append.clear()


# --- new games ----------------------------------------------------------------------------------------------------


def plan(rules: Rules) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Names, seats and options: every number of seats, and every class of values of every option."""
    fewest, every = min(rules.seats), classes(rules)
    yield f"{fewest}-seats", fewest, {}
    for option, values in every.items():
        for value in values[1:]:
            text = "-".join(map(str, value)) if isinstance(value, tuple) else value
            yield f"{fewest}-seats-{option}-{text}".lower(), fewest, {option: value}
    for turn, seats in enumerate(number for number in rules.seats if number != fewest):
        options = {name: soon_over(values) or values[turn % len(values)] for name, values in every.items()}
        yield f"{seats}-seats", seats, options


def soon_over(values: list[Any]) -> Any:
    """The minimum: with many seats a long game would take too much space."""
    return min(values) if all(type(value) is int for value in values) else None


def classes(rules: Rules) -> dict[str, list[Any]]:
    """For each option the values that can make a difference, the default first."""
    default = rules.options()
    fields: Any = kinds.type_info(rules.options)
    return {
        field.name: list(dict.fromkeys([getattr(default, field.name), *kinds_of(field.type, field.default)]))
        for field in fields.fields
    }


def kinds_of(kind: kinds.Type, default: Any) -> list[Any]:
    match kind:
        case kinds.Metadata(type=inner):
            return kinds_of(inner, default)
        case kinds.BoolType():
            return [False, True]
        case kinds.LiteralType(values=values):
            return list(values)
        case kinds.NoneType():
            return [None]
        case kinds.UnionType(types=types):
            return [value for one in types for value in kinds_of(one, default)]
        case kinds.VarTupleType(item_type=item):
            return [(value,) for value in kinds_of(item, 0)[:1]]
        case kinds.IntType(ge=least, le=most) if isinstance(default, int):
            # The minimum, and a value large enough for several rounds if it is a target score.
            more = 3 * default if most is None else min(3 * default, most)
            return [value for value in (least, more) if value is not None]
    return []


def play(rules: Rules, name: str, seats: int, options: dict[str, Any]) -> Golden | None:
    """The game of that name; None where the options do not fit the seats."""
    seed = sha256(f"{rules.rules} {name}".encode()).digest()
    dice = Random(seed)
    players = [f"player-{seat}" for seat in range(seats)]
    deck = dice.choice(list(rules.decks.values())).data
    try:
        terms = game.terms(
            rules,
            seats,
            rules.options(**options),
            deck,
            players[0],
            seed,
            game.Agreed(private=dice.random() < 0.3),
        )
    except InvalidSetup:
        return None
    game_id = id_of(seed)
    decisions = [doing.open_game(rules, game_id, terms, sit=True, entropy="the first")]
    if seats > 2:
        decisions.append(doing.join(rules, decisions[-1].game, players[1], 2, "soon gone"))
        decisions.append(doing.leave(rules, decisions[-1].game, players[1], 2))
    for seat in range(1, seats):
        decisions.append(doing.join(rules, decisions[-1].game, players[seat], seat, "~" * seat))
    return golden(rules, game_id, [*decisions, *to_the_end(rules, decisions[-1].game, dice)])


def to_the_end(rules: Rules, running: Game, dice: Random) -> Iterator[Decision]:
    choose = at_random(dice)
    for moves in count():
        if (choice := choose(rules, running)) is None:
            return
        assert moves < MOST, "the game does not end"
        decision = doing.move(rules, running, *choice)
        running = decision.game
        yield decision


def given_up(rules: Rules) -> Golden:
    """A game that all players leave before it begins."""
    seed = sha256(f"{rules.rules} given up".encode()).digest()
    ann = "player-0"
    terms = game.terms(rules, min(rules.seats), rules.options(), next(iter(rules.decks.values())).data, ann, seed)
    opened = doing.open_game(rules, id_of(seed), terms, sit=True, entropy="")
    return golden(rules, opened.game.id, [opened, doing.leave(rules, opened.game, ann, 0)])


def branch(parent: Golden) -> Golden:
    """Another continuation of the game from its middle on."""
    rules, log = parent.rules, parent.log
    begun = next(entry.version for entry in log if isinstance(entry.event, Begun))
    at = next(v for v in range((begun + len(log)) // 2, len(log)) if not log[v - 1].more)
    seed = sha256(f"{rules.rules} branch".encode()).digest()
    events, by, moves = ([getattr(entry, field) for entry in log[:at]] for field in ("event", "by", "move"))
    first = game.branch(rules, id_of(seed), parent.id, events, by, moves, "player-9")
    return golden(rules, first.game.id, [first, *to_the_end(rules, first.game, Random(seed))])


def golden(rules: Rules, game_id: str, decisions: Iterable[Decision], at: str = AT) -> Golden:
    """The game with its log, in the appends that the service would make."""
    log = (*entries(rules, game_id, decisions, at),)
    assert all(after.version == before.version + 1 for before, after in pairwise(log))
    return Golden(rules, game_id, log)


def entries(rules: Rules, game_id: str, decisions: Iterable[Decision], at: str = AT) -> Iterator[Stored[Any, Any]]:
    head = chain.root(game_id)
    for decision in decisions:
        append = written(rules, decision, head, at)
        head = bytes.fromhex(append[-1].head)
        yield from append


def id_of(seed: bytes) -> str:
    """The id of the game with that seed, a UUID of version 8."""
    return str(UUID(int=int.from_bytes(seed[:16], "big") & ~(0xF << 76 | 0x3 << 62) | 8 << 76 | 2 << 62))


def all_games(rules: Rules) -> Iterator[tuple[str, Golden]]:
    """Every golden game of these rules under its name."""
    first: Golden | None = None
    missing = tags(rules)
    for name, seats, options in plan(rules):
        if played := play(rules, name, seats, options):
            first = first or played
            missing -= tags_in(played)
            yield name, played
    assert first is not None
    yield "given-up", given_up(rules)
    yield "branch", branch(first)
    for number in range(200):  # what has not happened yet: games in which it does
        if not missing:
            return
        played = play(rules, f"rare-{number}", rules.seats[number % len(rules.seats)], {})
        if played and missing & tags_in(played):
            missing -= tags_in(played)
            yield f"rare-{number}", played


def tags(rules: Rules) -> set[str]:
    """All events that the ruleset knows."""
    info: Any = kinds.type_info(rules.event)
    return {str(each.tag) for each in getattr(info, "types", (info,))}


def tags_in(played: Golden) -> set[str]:
    return {entry.event.__struct_config__.tag for entry in played.log}


def missing(rules: Rules, root: Path) -> Iterator[tuple[Path, bytes]]:
    """The games that are not frozen yet, and the description of the rules: their files and what they would contain."""
    if not (file := folder(rules, root) / "description.json").exists():
        yield file, description(rules) + b"\n"
    for name, played in all_games(rules):
        file = folder(rules, root) / f"{name}.jsonl"
        if not file.exists():
            yield file, b"".join(msgspec.json.encode(step) + b"\n" for step in lines(played))


def freeze(found: Iterable[tuple[Path, bytes]]) -> list[Path]:
    """Write these files. Existing ones are never changed."""
    added = []
    for file, content in found:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("xb") as new:
            new.write(content)
        added.append(file)
    return added
