"""Records of random games of any ruleset, and ways to forge them.

The games are short so that thousands of forgeries can be checked; their options and seats are random, too.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from random import Random
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec import inspect as kinds

from domain import game
from domain.codec import canonical, encode
from domain.fairness import chain, record
from domain.fairness.chance import seal
from domain.fairness.hashes import hmac_sha256
from domain.fairness.record import Record
from domain.fairness.verification import Check, verify
from domain.game import Deal, Decision, Hinted, Rules, SeatTerms, TakenBack
from domain.game.clock import Clock
from domain.game.commands import Abort, Join, Ready, Reveal
from domain.game.log import Stored, written
from domain.game.questions import MOST_QUESTIONS
from domain.ruleset import InvalidSetup, Viewer
from stammtisch.testing import doing, playing, seats
from stammtisch.testing.clocked import Clocked
from stammtisch.testing.laws import ENOUGH
from stammtisch.testing.playing import ID, Table
from stammtisch.testing.seats import Sitting
from stammtisch.testing.undoing import Undoing, undoing

Json = dict[str, Any]
AnyRecord = Record[Any, Any, Any, Any]

TABLE_B = "018f3c2e-7b1a-7c3d-9e4f-00000000b002"
BRANCH = "018f3c2e-7b1a-7c3d-9e4f-00000000b001"


# --- games --------------------------------------------------------------------------------------------------------


NAMES = {"a": "Ann", "z": "Zoë"} | {f"p{seat}": f"Player {seat}" for seat in range(9)}


def log_of(rules: Rules, decisions: Sequence[Decision], game_id: str = ID) -> list[Stored[Any, Any]]:
    """The log that the service would write, with one second between appends."""
    head, log = chain.root(game_id), list[Stored[Any, Any]]()
    for second, decided in enumerate(decisions):
        at = f"2026-11-20T{8 + second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000000Z"
        log += written(rules, decided, head, at)
        head = bytes.fromhex(log[-1].head)
    return log


def record_of(game_id: str, log: Sequence[Stored[Any, Any]], names: Mapping[str, str] = record.NO_NAMES) -> AnyRecord:
    """The complete record of a game that is over."""
    return record.complete(record.of(game_id, log, names))


def seen(rules: Rules, whole: AnyRecord, viewer: Viewer) -> AnyRecord:
    """The redacted record of the complete one."""
    return record.seen(rules, record.hashed(whole), viewer)


def opened(
    rules: Rules, seats: int, player: str = "p0", *, game_id: str = ID, options: Any = None, secret: bytes = b"",
    sit: bool = True, entropy: str = "x", **terms: Any,
) -> Decision:  # fmt: skip
    """The first append of a game."""
    deck, secret = next(iter(rules.decks.values())).data, secret or Random(1).randbytes(32)
    agreed = game.terms(rules, seats, options or rules.options(), deck, player, secret, game.Agreed(**terms))
    return doing.open_game(rules, game_id, agreed, sit=sit, entropy=entropy)


def to_the_end(rules: Rules, dice: Random, *made: Decision) -> list[Decision]:
    """These appends, and random moves while a seat is to act."""
    played, choose = [*made], playing.at_random(dice)
    while choice := choose(rules, played[-1].game):
        played.append(doing.move(rules, played[-1].game, *choice))
    return played


def some_options(rules: Rules, dice: Random) -> Any:
    """Random options; small numbers, with which games tend to be short."""

    def some(kind: Any, default: Any) -> Any:
        match kind:
            case kinds.BoolType():
                return dice.random() < 0.5
            case kinds.LiteralType(values=literals):
                return dice.choice(literals)
            case kinds.IntType(ge=low) if low is not None:
                return dice.randint(low, low + 8)
            case kinds.Metadata(type=inner):
                return some(inner, default)
        return default

    fields = kinds.type_info(rules.options).fields  # type: ignore[attr-defined]
    return rules.options(**{field.name: some(field.type, field.default) for field in fields})


def table(rules: Rules, seats: int, seed: int) -> Table:
    """A random setup with which a game can be played."""
    dice = Random(seed)
    while True:
        options = some_options(rules, dice)
        try:
            rules.initial(seats, options, next(iter(rules.decks.values())))
        except InvalidSetup:
            continue
        return Table(seats=seats, options=options, seed=dice.randrange(2**32), moves=ENOUGH)


@cache
def decisions(rules: Rules, seats: int, seed: int) -> tuple[Decision, ...]:
    at = table(rules, seats, seed)
    return tuple(playing.record(rules, at, playing.at_random(Random(at.seed)))[0])


@cache
def finished(rules: Rules, seats: int, seed: int) -> AnyRecord:
    """The complete record of a random finished game."""
    return record_of(ID, log_of(rules, decisions(rules, seats, seed)), NAMES)


@cache
def eventful(rules: Rules) -> AnyRecord:
    """The game with the most event types out of several games of full length."""
    at = [Table(seats=rules.seats[1], options=rules.options(), seed=seed, moves=ENOUGH) for seed in range(6)]
    played = [playing.record(rules, one, playing.at_random(Random(one.seed)))[0] for one in at]
    kinds = [len({type(event) for decided in one for event in decided.events}) for one in played]
    return record_of(ID, log_of(rules, played[kinds.index(max(kinds))]), NAMES)


@cache
def running(rules: Rules, seats: int, seed: int) -> AnyRecord:
    """The complete record of the first half of a game, as only the server has it while the game runs."""
    played = decisions(rules, seats, seed)
    return record.of(ID, log_of(rules, played[: max(seats + 2, len(played) // 2)]), NAMES)


@cache
def shortest(rules: Rules, seats: int) -> AnyRecord:
    """The game with the fewest events out of several."""
    lengths = [sum(len(decided.events) for decided in decisions(rules, seats, seed)) for seed in range(6)]
    return finished(rules, seats, lengths.index(min(lengths)))


@cache
def branched(rules: Rules, seed: int) -> AnyRecord:
    """A branch of a finished game, played to the end."""
    past = decisions(rules, rules.seats[0], seed)
    half = past[: max(rules.seats[0] + 2, len(past) // 2)]
    events, by, moves = ([each for d in half for each in getattr(d, field)] for field in ("events", "by", "moves"))
    made = to_the_end(rules, Random(seed), game.branch(rules, BRANCH, ID, events, by, moves, "z"))
    return record_of(BRANCH, log_of(rules, made, BRANCH), NAMES)


@cache
def hotseat(rules: Rules, seed: int = 0) -> AnyRecord:
    """A finished hotseat game."""
    dice, options = Random(seed), table(rules, 3, seed).options
    first = opened(rules, 3, "z", options=options, secret=dice.randbytes(32), hotseat=True, longest=50_000)
    return record_of(ID, log_of(rules, to_the_end(rules, dice, first)), NAMES)


@cache
def with_bots(rules: Rules) -> dict[str, AnyRecord]:
    """Games with bots, and games that players leave and come back to, by description."""
    fewest, bot, made, secret = rules.seats[0], "random/1", dict[str, Sitting](), Random(1).randbytes(32)
    for name, bots in (("a bot", [*[None] * (fewest - 1), bot]), ("bots first", [*[bot] * (fewest - 1), None])):
        made[name] = Sitting(rules)
        made[name].open(seats.places(*bots), secret)
    moves = sum(move is not UNSET for move in made["a bot"].play().moves)
    for name, absent in (("gone and back", bot), ("gone", bot), ("gone, aborted", "abort"), ("all gone", bot)):
        made[name] = Sitting(rules)
        made[name].open(seats.places(*[None] * fewest), secret, absent=absent)
        made[name].play(3, min(9, moves // 3))
        made[name].abandon(1)
    made["gone and back"].play(4, min(5, moves // 6)).rejoin(1)
    made["kept"] = declined(rules, secret)
    while left := made["all gone"].game.present:
        made["all gone"].abandon(left[0])
    return {name: record_of(ID, log_of(rules, sitting.play().decisions)) for name, sitting in made.items()}


def declined(rules: Rules, secret: bytes) -> Sitting:
    """All three seats are kept for players: one of them declines, one leaves again, and strangers take these seats."""
    sitting = Sitting(rules)
    kept = tuple(SeatTerms(player=f"p{seat}") for seat in range(3))
    sitting.append(opened(rules, 3, secret=secret, places=kept))
    sitting.append(doing.decline(rules, sitting.game, "p1", 1))
    sitting.append(doing.join(rules, sitting.game, "a", 1, ""))
    sitting.append(doing.leave(rules, sitting.game, "p0", 0))
    sitting.append(doing.join(rules, sitting.game, "z", 0, "y"))
    sitting.append(doing.join(rules, sitting.game, "p2", None, ""))
    return sitting


@cache
def sealed(rules: Rules) -> dict[str, AnyRecord]:
    """Games of three with sealed entropies, whose positions may become puzzles, by description. One of the
    players leaves and comes back with another seal, before anybody is ready."""
    sitting, late = Sitting(rules), Sitting(rules)
    for each in (sitting, late):
        each.append(opened(rules, 3, entropy="", sealed=True, puzzles=True))
        for seat, entropy in ((0, "of 0"), (1, "too early"), (2, "of 2")):
            each.append(doing.act(rules, each.game, f"p{seat}", Join(seat, seal=seal(ID, seat, entropy))))
        each.append(doing.leave(rules, each.game, "p1", 1))
        each.append(doing.act(rules, each.game, "p1", Join(seal=seal(ID, 1, "of 1"))))
        for seat in (2, 0, 1)[: 1 if each is late else 3]:
            each.append(doing.act(rules, each.game, f"p{seat}", Ready(f"of {seat}")))
    late.append(doing.expire(rules, late.game))
    made = {"sealed": sitting.play(), "not ready": late}
    return {name: record_of(ID, log_of(rules, each.decisions), NAMES) for name, each in made.items()}


DEAL = Deal("0190ffff-0000-7000-8000-00000000dea1", "2026-11-20T09:00:00.000000Z", tables=2)


@cache
def with_deal(rules: Rules, other: str = "stopped") -> dict[str, AnyRecord]:
    """Two games of one deal, by description: one that was played to its end, and one that the end of the deal stops.
    Players are named after their table, those of the second one after `other`."""
    made = {}
    for seed, (name, game_id, most) in enumerate((("deal", ID, 2000), ("stopped", TABLE_B, 5))):
        sitting = Sitting(rules, game_id)
        sitting.append(opened(rules, 3, game_id=game_id, sit=False, entropy="", private=True, deal=DEAL))
        for seat in range(3):
            sitting.append(doing.join(rules, sitting.game, f"{other if seed else name} {seat}", seat, ""))
        entries = log_of(rules, sitting.play(seed, most).decisions, game_id)
        for command in (Abort("expired"), Reveal())[sitting.game.status == "finished" :]:
            decided = game.decide(rules, sitting.game, None, command)
            sitting.append(decided)
            entries += written(rules, decided, bytes.fromhex(entries[-1].head), DEAL.until)
        made[name] = record_of(game_id, entries, NAMES)
    return made


@cache
def with_clock(rules: Rules) -> dict[str, AnyRecord]:
    """Games with a clock, by description: players give time, run out of it, and come back."""
    fewest, made = rules.seats[0], dict[str, Clocked]()
    control = Clock(20, increment=2, delay=1, reserve=5)
    for name, absent in (("timed", "random/1"), ("timed out", "random/1"), ("timed, aborted", "abort")):
        made[name] = Clocked(rules).begin(control, *[None] * fewest, absent=absent)
        made[name].later(3.5).grant(1, 0, 7)
    for seed in range(40):
        made["timed"].random_command(Random(seed))
    for name in ("timed out", "timed, aborted"):
        for _ in range(2):  # the second one is in time only because the outage does not count
            made[name].later(2).some_move(Random(1), game.to_act(rules, made[name].game)[0])
            made[name].outage(40)
        made[name].later(60).expire()
    return {name: record_of(ID, sitting.play_out(2).log) for name, sitting in made.items()}


@cache
def with_undo(rules: Rules) -> dict[str, AnyRecord]:
    """Games in which moves are taken back, freely and by agreement, by description."""
    control, made = Clock(60, increment=5, delay=2, reserve=30), dict[str, Undoing]()
    for name, mode, clock in (("free", "free", control), ("agreed", "agreed", control), ("aborted", "agreed", UNSET)):
        for seed in range(20):
            made[name] = undoing(rules, None, None, "random/1", mode=mode, clock=clock)
            made[name].play_out(seed, 400 if name == "agreed" else 120)
            game = made[name].game
            taken = [entry.event.agreed for entry in made[name].log if isinstance(entry.event, TakenBack)]
            asked = name == "aborted" and min(map(game.asked.count, game.present), default=99) >= MOST_QUESTIONS
            status = "running" if name == "aborted" else "finished"
            if game.status == status and (name == "agreed") in taken and not asked:
                break
    present = made["aborted"].game.present
    for seat in sorted(present, key=made["aborted"].game.asked.count):
        if (question := made["aborted"].game.question) is not None and question.on == "undo":
            made["aborted"].vote(seat, "undo", yes=False)
        made["aborted"].vote(seat, "abort")
    return {name: record_of(ID, sitting.log) for name, sitting in made.items()}


@cache
def hinted(rules: Rules) -> AnyRecord:
    """A short game of a player against two bots. The player asks for hints, also after taking a move back."""
    for seed in range(100):
        sitting, dice = undoing(rules, None, "random/1", "random/1", hints=True), Random(seed)
        while sitting.game.status == "running":
            asks, after = dice.random() < 0.2, sitting.later(1).game
            if asks and after.hinted != after.table:
                sitting.ask_for_hint(0)
            elif dice.random() > 0.3 or not sitting.take_back(0):
                sitting.some_move(dice, 0)
        kinds = [type(entry.event) for entry in sitting.log]
        if kinds.count(Hinted) > 1 and TakenBack in kinds and len(kinds) < 400:
            return record_of(ID, sitting.log)
    raise AssertionError("no game has both")


@cache
def quiet(rules: Rules) -> AnyRecord:
    """A short game of three players with all terms, in which everybody just plays."""
    control, found = Clock(60, increment=5, delay=2, reserve=30), list[Undoing]()
    for seed in range(6):
        sitting, dice = Undoing(rules), Random(seed)
        sitting.begin(control, None, None, None, undo="agreed", options=table(rules, 3, seed).options)
        while sitting.game.status == "running":
            sitting.later(1).some_move(dice, game.to_act(rules, sitting.game)[-1])
        found.append(sitting)
    return record_of(ID, min((sitting.log for sitting in found), key=len))


@cache
def weary(rules: Rules) -> AnyRecord:
    """A game in which a seat takes back twenty moves, each of which it makes again."""
    sitting, dice = undoing(rules, None, None, None, mode="agreed"), Random(1)
    while sitting.game.status == "running":
        sitting.later(1).some_move(dice, seat := game.to_act(rules, sitting.game)[-1])
        while (made := sitting.free(seat)) is not None:
            sitting.take_back(seat)
            sitting.later(1).move(seat, made.move)
    return record_of(ID, sitting.log)


@cache
def attacked(rules: Rules) -> AnyRecord:
    """A game in which a defence wards off a pick and a theft. Only Skyjo Action has them."""
    for seed in range(1000):
        found = finished(rules, rules.seats[-1], seed)
        attacks = {type(each.move).__name__ for each in found.events if type(each.event).__name__ == "Blocked"}
        if {"Pick", "Steal"} <= attacks:
            return found
    raise AssertionError("no game has both")


@cache
def aimed(rules: Rules) -> AnyRecord:
    """A game in which abilities aim at cards, also after others have left their slots. Only Scandaroon has them."""
    for seed in range(1000):
        found = finished(rules, rules.seats[-1], seed)
        kinds = [type(each.event).__name__ for each in found.events]
        if {"Used", "Targeted", "Boosted", "Protected", "Removed", "Spent"} <= {*kinds}:
            return found
    raise AssertionError("no game has all")


def given_up(rules: Rules, ann: str = "a") -> AnyRecord:
    """A game aborted because its only player left."""
    first = opened(rules, rules.seats[0], ann, longest=50_000)
    return record_of(ID, log_of(rules, [first, doing.leave(rules, first.game, ann, 0)]), NAMES)


def aborted(rules: Rules) -> dict[str, AnyRecord]:
    """An aborted game for each cause."""
    ann = "a"
    waits, runs = (opened(rules, rules.seats[0], ann, **terms) for terms in ({}, {"hotseat": True, "longest": 14}))
    played = to_the_end(rules, Random(1), runs)
    logs = {
        "left": [waits, doing.leave(rules, waits.game, ann, 0)],
        "cancelled": [waits, doing.cancel(rules, waits.game, ann)],
        "expired": [waits, doing.expire(rules, waits.game)],
        "operator": [*played[:3], doing.stop(rules, played[:3][-1].game)],
        "longest": played,
    }
    return {cause: record_of(ID, log_of(rules, decisions), NAMES) for cause, decisions in logs.items()}


def unusually_aborted(rules: Rules) -> dict[str, AnyRecord]:
    """Aborted games with an uncommon history, by its description."""
    seats, players = rules.seats[0], [str(number) for number in range(rules.seats[0])]
    ann = players[0]

    def full(longest: int) -> list[Decision]:
        made = [opened(rules, seats, ann, longest=longest)]
        for player in players[1:]:
            made.append(doing.join(rules, made[-1].game, player, None, ""))
        return to_the_end(rules, Random(1), *made)

    empty, waits = (opened(rules, seats, ann, sit=sit) for sit in (False, True))
    joined = doing.join(rules, waits.game, players[1], None, "") if seats > 2 else None
    left = doing.leave(rules, joined.game, players[1], 1) if joined else None
    logs = {
        "cancelled, never joined": [empty, doing.cancel(rules, empty.game, ann)],
        "expired, never joined": [empty, doing.expire(rules, empty.game)],
        "expired after a player left": [waits, joined, left, doing.expire(rules, left.game)] if joined and left else [],
        "maximum length 1": full(1),
        "maximum length with several players": full(14),
    }
    return {name: record_of(ID, log_of(rules, decisions), NAMES) for name, decisions in logs.items() if decisions}


def plain(value: Any) -> Any:
    """The value as decoded JSON; for JSON values a copy, much faster than `copy.deepcopy`."""
    return msgspec.json.decode(encode(value))


def verified(forged: Json) -> tuple[Check, ...]:
    """The checks of `verify`."""
    return verify(record.decode(encode(forged)))


def chained_anew(forged: Json) -> Json:
    """The record with all hashes recomputed, as anybody can who knows the secret."""
    rules, found = _typed(forged)
    head, secret = chain.root(found.id), bytes.fromhex(found.secret or "")
    made = plain(forged)
    for version, entry in enumerate(found.events, 1):
        public = game.redact(rules, entry.event, None)
        full = chain.entry(version, entry.at, entry.by, entry.event, entry.more, entry.acting, entry.move)
        shown = chain.entry(version, entry.at, entry.by, public, entry.more, entry.acting)
        head = chain.link(head, secret, version, shown, full).head
        made["events"][version - 1]["version"] = version
    made["head"] = head.hex()
    return made


def rehashed(forged: Json, *, committed: bool = True, like: Json | None = None) -> Json:
    """The record with the commitment (if `committed`), all hashes and all fields beside
    the events recomputed. Unlike `chained_anew` it does not decode the record, so invalid events are possible.

    The heads of the first entries are not computed again if these are those of the record `like`, which saves most of
    the time.
    """
    from tests.verifiers.standalone import python

    module, made = python(), plain(forged)
    entries = made["events"]
    opened = entries[0]["event"]
    secret = bytes.fromhex(opened["secret"] or entries[-1]["event"]["secret"])
    if committed:
        opened["commitment"] = sha256(secret).hexdigest()
    kept = 0
    for entry, known in zip(entries, like["events"] if like else (), strict=False):
        if encode(entry) != encode(known):  # in which 1 and true differ
            break
        kept += 1
    head = _heads(encode(like))[kept] if like and kept else module.first_head(made["id"])
    for version, entry in enumerate(entries[kept:], kept + 1):
        entry["version"] = version
        head = _next_head(head, secret, entry, made["rules"])
    seats = [{"seat": seat, "player": None, "entropy": ""} for seat in range(opened["seats"])]
    for event in (entry["event"] for entry in entries):
        if event["type"] in ("joined", "left", "readied") and event["seat"] in range(opened["seats"]):
            free = (seats[event["seat"]] if event["type"] == "readied" else {"player": None, "entropy": ""}) | event
            seats[event["seat"]] = {name: free[name] for name in ("seat", "player", "entropy")}
    results = [entry["event"]["result"] for entry in entries if entry["event"]["type"] == "ended"]
    told = {name: opened[name] for name in ("ruleset", "rules", "deck", "options", "commitment", "secret")}
    made |= told | {"parent": opened.get("parent"), "head": head.hex(), "seats": seats}
    return made | {"result": results[-1] if results else None}


def heads(whole: Json) -> list[str]:
    """The heads of a complete record."""
    return [head.hex() for head in _heads(encode(whole))[1:]]


@lru_cache(4)
def _heads(text: bytes) -> list[bytes]:
    """The heads of the record with this text, from the one before the first event on."""
    from tests.verifiers.standalone import python

    made = msgspec.json.decode(text)
    secret, heads = bytes.fromhex(made["secret"]), [python().first_head(made["id"])]
    for entry in made["events"]:
        heads.append(_next_head(heads[-1], secret, entry, made["rules"]))
    return heads


def _next_head(head: bytes, secret: bytes, entry: Json, rules: str) -> bytes:
    """The head of the event, from values that need not be valid."""
    from tests.verifiers.standalone import python

    module, shown = python(), dict(entry["event"])
    for name, depth in (module.HIDDEN | module.TABLE[rules]["hidden"]).get(shown["type"], {}).items():
        shown[name] = module.backs(shown[name], depth)
    fields = {name: entry[name] for name in ("version", "at", "by", "more", "acting") if name in entry}
    move = {"move": entry["move"]} if "move" in entry else {}
    full = canonical(fields | {"event": entry["event"]} | move)
    public = sha256(canonical(fields | {"event": shown})).digest()
    salted = sha256(hmac_sha256(secret, f"salt:{entry['version']}".encode()) + full).digest()
    return sha256(head + public + salted).digest()


def regrouped(forged: Json) -> Json:
    """The record with the fields `more` and `acting` that its events need, as a careful forger would write them.

    An append begins with another time, with a move, or with an event that only a command causes. `acting` is that of
    the append's last entry that had one, otherwise that of the append before.
    """
    made = plain(forged)
    appends: list[list[Json]] = []
    for entry in made["events"]:
        if not appends or _begins_append(entry, appends):
            appends.append([])
        appends[-1].append(entry)
    acting, running = list[int](), False
    for append in appends:
        acting = next((entry["acting"] for entry in reversed(append) if "acting" in entry), acting)
        kinds = {entry["event"]["type"] for entry in append}
        running = (running or "begun" in kinds) and not kinds & {"ended", "aborted"}
        for more, entry in enumerate(reversed(append)):
            entry.pop("acting", None)
            entry["more"] = more
        append[-1]["acting"] = acting if running else []
    return made


def _begins_append(entry: Json, appends: list[list[Json]]) -> bool:
    """Whether the next entry is not part of the last append."""
    event, opened = entry["event"], appends[0][0]["event"]
    if entry["at"] != appends[-1][-1]["at"]:
        return True
    if len(appends) == 1:
        if event["type"] == "joined":
            return not opened["hotseat"] and (len(appends[0]) > 1 or event["seat"] != 0)
        if "move" in entry:
            return "parent" not in opened
    alone = event["type"] == "aborted" and event.get("cause") in ("cancelled", "expired", "operator")
    if event["type"] == "gone" and event.get("cause") != "left":
        return bool(appends[-1][-1]["event"]["type"] != "gone")
    return (
        alone
        or event["type"] in ("joined", "left", "gone", "rejoined", "granted", "resumed", "hinted")
        or "move" in entry
    )


def _typed(forged: Json) -> tuple[Rules, AnyRecord]:
    found = record.decode(encode(forged))
    return record.VERSIONS[found.rules], found
