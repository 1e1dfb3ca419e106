#!/usr/bin/env python3
"""Verifies the record of a game without trusting its author. It needs Python 3.9 or newer and nothing else.

    python3 stammtisch_verify.py [--head HEX] [--rules FILE]... [--json] FILE...

A file contains one record (stammtisch-record/1), or one record on each line; `-` is standard input. `--head` is a head
that you kept while the game was played: the record must contain it. Only a kept head shows that the end of a game was
cut off before its secret was revealed. `--rules` is the description of a ruleset that is not in the table at the end of
this file. Take it from the author of the ruleset, or compare its hash with the one that they publish: the author of
the description decides what counts as a right shuffle.

Checks of the protocol stammtisch/1:

    shape       the record has exactly the required fields
    header      the fields beside the events match the events
    versions    1, 2, 3, ... without gaps or duplicates
    times       valid dates and times, never decreasing
    appends     which events were added together: none is missing; who has a choice afterwards (`acting`), and that only
                they make choices; where the moves are, and that each fits the event that it caused
    life        the lifecycle of the game: each event is valid when it comes and is caused by the right seat; the seats,
                the beginning, the start of each move, the maximum length, the end and the result fit the events
    clock       in a game with a clock: each player who had run out of time was removed, and nobody else; no choice came
                later than that. It follows from the times of the events and from who had a choice
    public      the hash of every event as a bystander saw it (redacted records)
    secret      the salted hash of every full event (redacted records)
    heads       every event is chained to all events before it; in a complete record, the one with the secret, the
                head follows from all events
    commitment  the hash that was published before the first player joined is that of the secret
    description the game was opened with the description that you gave (--rules, or a ruleset that is not in the table)
    shuffles    every shuffle follows from the secret and the players' entropies, and every card comes from where it
                lay; by a description only the first of the two
    receipt     the record contains the given head (--head)

What is not checked: whether every move was legal and had its consequences, and whether bots chose as their published
functions do. By a description neither who has a choice and what a move causes, nor which cards a shuffle contains,
where a card lies, and the result. The service's own `verify` checks all of these.
What nobody can check without a kept head: docs/verification-limits.md.

Exit status: 0 all checks were made and passed, 1 a check failed, 2 a file cannot be read or the output cannot be
written, 3 no check failed, but not all checks could be made: the game is not over, its ruleset is neither in the table
at the end of this file nor described by --rules, or its record follows another version of the protocol.
"""

import argparse
import copy
import functools
import hashlib
import hmac
import json
import os
import re
import sys
from pathlib import Path

PROTOCOL = "stammtisch/1"
FORMAT = "stammtisch-record/1"

RECORD = {
    "format", "id", "ruleset", "rules", "deck", "options", "seats", "names", "commitment", "secret", "parent", "events",
    "head", "result",
}  # fmt: skip
ENTRY = {"version", "at", "by", "event", "more"}
HASHES = {"public", "secret", "head"}
"""The fields that the entries of redacted records have."""
MAY = {"acting", "move"}
"""The fields that only some entries have."""

HEX = re.compile("[0-9a-f]{64}")
UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{6}Z")
ENTROPY = re.compile("[ -~]{0,64}")


class Wrong(Exception):
    """A check failed. `version`: the first wrong event; None: the failure does not concern one event."""

    def __init__(self, detail, version=None):
        super().__init__(detail)
        self.version = version


class Unknowable(Exception):
    """A check cannot be made with this record. The message says why."""


# --- the protocol -------------------------------------------------------------------------------------------------


def canonical(value):
    """The bytes of RFC 8785. Only objects, arrays, strings, integers, booleans and null can occur."""
    return _text(value).encode("utf-8")


_written = json.encoder.encode_basestring


def _text(value):
    kind = type(value)
    if kind is str:
        return _written(value)
    if kind is int:
        if abs(value) >= 2**53:
            raise Wrong("an integer is not between -2^53 and 2^53")
        return str(value)
    if kind is list:
        return "[" + ",".join([_text(item) for item in value]) + "]"
    if kind is dict:
        # RFC 8785 sorts by UTF-16 code units, which differs from code points beyond U+FFFF.
        keys = sorted(value) if "".join(value).isascii() else sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join([_written(key) + ":" + _text(value[key]) for key in keys]) + "}"
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    raise Wrong(f"a value of type {kind.__name__} cannot occur")


def sha256(data):
    return hashlib.sha256(data).digest()


def mac(key, text):
    return hmac.digest(key, text.encode("utf-8"), "sha256")


def raw(text):
    """The 32 bytes of a hash in hex."""
    if not (isinstance(text, str) and HEX.fullmatch(text)):
        raise Wrong(f"not 32 bytes in lower-case hex: {text!r}")
    return bytes.fromhex(text)


def first_head(game_id):
    return sha256((PROTOCOL + "\n" + game_id).encode("utf-8"))


def hashed(entry, names):
    """The bytes that are hashed: these fields, as far as the entry has them."""
    return canonical({name: entry[name] for name in names if name in entry})


PUBLIC = ("version", "at", "by", "event", "more", "acting")


def public_hash(entry, public_event):
    return sha256(hashed(dict(entry, event=public_event), PUBLIC))


def secret_hash(secret, entry):
    return salted(secret, entry, hashed(entry, (*PUBLIC, "move")))


def salted(secret, entry, text):
    return sha256(mac(secret, "salt:{}".format(entry["version"])) + text)


def next_head(head, public, secret):
    return sha256(head + public + secret)


def seal(game_id, seat, entropy):
    """What fixes the entropy of a seat in a sealed game, in hex."""
    return sha256(f"{PROTOCOL} seal\n{game_id}\n{seat}\n{entropy}".encode()).hex()


def table_key(secret, game_id, entropies):
    return mac(secret, "\n".join([PROTOCOL, game_id] + list(entropies)))


class Words:
    """The random numbers of one dealer step: `stream` is `deal:TYPE:COUNT`."""

    def __init__(self, key, stream):
        self.key, self.stream = key, stream
        self.block, self.left = 0, b""

    def word(self):
        if not self.left:
            self.left = mac(self.key, f"{self.stream}:{self.block}")
            self.block += 1
        word, self.left = int.from_bytes(self.left[:4], "big"), self.left[4:]
        return word

    def below(self, n):
        limit = 2**32 - 2**32 % n
        word = self.word()
        while word >= limit:
            word = self.word()
        return word % n

    def shuffled(self, items):
        cards = sorted(items, key=canonical)
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards


# --- the checks ---------------------------------------------------------------------------------------------------


class Record:
    """The checks of a record. Each returns its detail text, or raises Wrong or Unknowable.

    `descriptions`: those that the user trusts, as `description` returns them. `tables`: what this file knows itself.
    """

    def __init__(self, record, head=None, descriptions=(), tables=None):
        self.record, self.kept_head = record, head
        name = str(record.get("rules")) if isinstance(record, dict) else ""
        self.described = next((each for each in descriptions if each["rules"] == name), None)
        """The description of the ruleset; None if none was given."""
        self.known = (TABLE if tables is None else tables).get(name)
        """The line of TABLE; None if the ruleset is not there."""
        self.table = self.known or (line_of(self.described) if self.described else None)
        """What is known of the ruleset; None if nothing is."""
        self.at = None
        """The version of the current event."""

    def checks(self):
        hashes = ["heads"] if self.whole else ["public", "secret", "heads"]
        names = ["shape", "header", "versions", "times", "appends", "life", *hashes, "commitment", "shuffles"]
        if self.kept_head is not None:
            names.append("receipt")
        if self.described or not self.known:
            names.insert(names.index("shuffles"), "description")
        if self.has_clock():
            names.insert(names.index("life") + 1, "clock")
        for name in names:
            version, ok, self.at = None, False, None
            try:
                detail, ok = getattr(self, name)(), True
            except Wrong as wrong:
                version, detail = wrong.version, str(wrong)
            except Unknowable as reason:
                detail, ok = str(reason), None
            except Exception as error:  # a malformed record fails the check
                detail = f"malformed: {type(error).__name__}: {error}"
                version = self.at
            yield {"name": name, "ok": ok, "version": version, "detail": detail}
            if name == "shape" and not ok:
                return

    def has_clock(self):
        """Whether the terms of the game have a clock. False if the record has no terms: then `shape` fails."""
        try:
            return "clock" in self.opened
        except (KeyError, IndexError, TypeError):
            return False

    def entries(self):
        """The entries with their expected versions."""
        for number, each in enumerate(self.record["events"], 1):
            self.at = number
            yield number, each
        self.at = None

    @property
    def events(self):
        return [each["event"] for each in self.record["events"]]

    @property
    def opened(self):
        return self.record["events"][0]["event"]

    @property
    def whole(self):
        """Whether the record claims to be complete, not redacted."""
        return isinstance(self.record, dict) and self.record.get("secret") is not None

    def known_secret(self):
        """The secret from the events."""
        last = self.events[-1]
        stated = self.opened["secret"] or (last["secret"] if last["type"] == "revealed" else None)
        if stated is None:
            raise Unknowable("the secret is not revealed yet")
        return raw(stated)

    def shape(self):
        record = self.record
        if isinstance(record, dict):
            known("format", record.get("format"), FORMAT)
        if not isinstance(record, dict) or set(record) != RECORD:
            raise Wrong("the record has missing or unknown fields")
        if not isinstance(record["events"], list) or not record["events"]:
            raise Wrong("the record has no events")
        if not isinstance(record["names"], dict) or not all(isinstance(name, str) for name in record["names"].values()):
            raise Wrong("`names` is not an object of texts")
        canonical(record["names"])  # no hash covers them
        for number, each in enumerate(record["events"], 1):
            if self.whole and isinstance(each, dict) and HASHES & set(each):
                raise Wrong("the events of a complete record have no hashes", number)
            if not isinstance(each, dict) or set(each) - MAY != (ENTRY if self.whole else ENTRY | HASHES):
                raise Wrong("the entry has missing or unknown fields", number)
            if not isinstance(each["event"], dict) or not isinstance(each["event"].get("type"), str):
                raise Wrong("the event is not an object with a type", number)
            if (each["event"]["type"] == "opened") != (number == 1):
                raise Wrong("`opened` must be the first event and no other", number)
            if number == 1:
                known("protocol", each["event"].get("protocol"), PROTOCOL)
            for name in sorted(HASHES & set(each)):
                if not (isinstance(each[name], str) and HEX.fullmatch(each[name])):
                    raise Wrong(f"`{name}` is not 32 bytes in lower-case hex", number)
        return "{} of a game by {}".format(FORMAT, record["rules"])

    def header(self):
        record, opened = self.record, self.opened
        expected = {name: opened[name] for name in ("ruleset", "rules", "deck", "options", "commitment", "secret")}
        expected["parent"] = opened.get("parent")
        expected["head"] = record["events"][-1].get("head", record["head"])
        expected["seats"], expected["result"] = self.seats(), None
        for event in self.events:
            if event["type"] == "ended":
                expected["result"] = event["result"]
        for name, value in expected.items():
            if canonical(record[name]) != canonical(value):
                raise Wrong(f"`{name}` differs from the events")
        kinds = [event["type"] for event in self.events]
        if "revealed" in kinds[:-1]:
            raise Wrong("no event can follow `revealed`", kinds.index("revealed") + 2)
        if self.whole and kinds[-1] != "revealed":
            raise Wrong("the secret is visible but the game is not over", len(kinds))
        if kinds[-1] == "revealed":
            if kinds[-2] not in ("ended", "aborted"):
                raise Wrong("`revealed` must follow `ended` or `aborted`", len(kinds))
            if self.whole and self.events[-1]["secret"] != opened["secret"]:
                raise Wrong("`revealed` has another secret than `opened`", len(kinds))
        return "matches the events"

    def seats(self):
        taken = {}
        if not 0 < self.opened["seats"] <= 1000:
            raise Wrong("invalid number of seats", 1)
        for event in self.events:
            if event["type"] == "joined":
                taken[event["seat"]] = {key: event[key] for key in ("seat", "player", "entropy")}
            elif event["type"] == "readied" and event["seat"] in taken:
                taken[event["seat"]]["entropy"] = event["entropy"]
            elif event["type"] == "left" and taken.pop(event["seat"], None) is None:
                raise Wrong("a player leaves an empty seat")
        if not set(taken) <= set(range(self.opened["seats"])):
            raise Wrong("a player takes a seat that does not exist")
        free = {"player": None, "entropy": ""}
        return [taken.get(seat, dict(free, seat=seat)) for seat in range(self.opened["seats"])]

    def versions(self):
        for number, each in self.entries():
            if each["version"] != number or isinstance(each["version"], bool):
                raise Wrong("the version is {!r}".format(each["version"]), number)
        return f"1 to {number}, complete"

    def times(self):
        last = ""
        for number, each in self.entries():
            if not is_time(each["at"]):
                raise Wrong("{!r} is not a valid time".format(each["at"]), number)
            if each["at"] < last:
                raise Wrong("{} is earlier than the event before it".format(each["at"]), number)
            last = each["at"]
        return "never decreasing, up to " + last

    def appends(self):
        appends, count = Appends(self.opened, self.table, self.whole), 0
        for number, each in self.entries():
            try:
                appends.follow(each)
            except Wrong as wrong:
                raise Wrong(str(wrong), number) from None
            count += not each["more"]
        if each["more"]:
            raise Wrong("the record ends within an append: more events must follow", number + 1)
        if self.table is None:
            raise Unknowable("checked in part: this file does not describe {}".format(self.record["rules"]))
        return f"{count} appends, each complete" + ("" if self.known else "; who has a choice is not described")

    def life(self):
        if not UUID.fullmatch(self.record["id"]):
            raise Wrong("the id of the game is not a lower-case UUID", 1)
        life, first = Lifecycle(self.record["id"], self.table), True
        for number, each in self.entries():
            try:
                life.time = each["at"]
                life.follow(first, each["by"], each["event"])
                first = each["more"] == 0
            except Wrong as wrong:
                raise Wrong(str(wrong), number) from None
        life.stop()
        if self.table is None:
            raise Unknowable(
                "checked in part: this file does not describe the events of {}".format(self.record["rules"])
            )
        return f"{number} events in a valid order" + ("" if self.known else "; the result is not described")

    def clock(self):
        dials, append, expired = Dials(self.opened), [], 0
        for number, each in self.entries():
            append.append(each)
            expired += is_expiry(each["event"])
            if each["more"] == 0:
                try:
                    dials.follow(append)
                except Wrong as wrong:
                    raise Wrong(str(wrong), number - len(append) + 1 + wrong.version) from None
                append = []
        return f"players who ran out of time: {expired}; no choice was late"

    def shown(self, event):
        """The event as a bystander sees it."""
        if self.table is None:
            raise Unknowable("this file does not describe what a bystander sees of {}".format(self.record["rules"]))
        hidden = HIDDEN.get(event["type"]) or self.table["hidden"].get(event["type"])
        if not hidden:
            return event
        shown = dict(event)
        for name, depth in hidden.items():
            if name in shown:
                shown[name] = backs(shown[name], depth)
        return shown

    def public(self):
        for number, each in self.entries():
            if public_hash(each, self.shown(each["event"])).hex() != each["public"]:
                raise Wrong("the hash does not match the event as a bystander sees it", number)
        return f"{number} hashes"

    def secret(self):
        secret, skipped = self.known_secret(), 0
        for number, each in self.entries():
            if hides(each["event"]) or (is_chosen(each) and "move" not in each):
                skipped += 1
            elif secret_hash(secret, each).hex() != each["secret"]:
                raise Wrong("the hash does not match the salt and the full event", number)
        if skipped:
            raise Unknowable(f"{skipped} of {number} events are redacted")
        return f"{number} hashes"

    @functools.cached_property
    def computed(self):
        """The heads of a complete record."""
        secret, heads = self.known_secret(), [first_head(self.record["id"])]
        for _, each in self.entries():
            shown = self.shown(each["event"])
            public = hashed(dict(each, event=shown), PUBLIC)
            whole = public if shown is each["event"] and "move" not in each else hashed(each, (*PUBLIC, "move"))
            heads.append(next_head(heads[-1], sha256(public), salted(secret, each, whole)))
        return [head.hex() for head in heads[1:]]

    def heads(self):
        if self.whole:
            if self.computed[-1] != self.record["head"]:
                raise Wrong("`head` does not follow from the events and the secret")
            return f"{len(self.computed)} heads, computed, up to {self.computed[-1]}"
        head = first_head(self.record["id"])
        for number, each in self.entries():
            head = next_head(head, raw(each["public"]), raw(each["secret"]))
            if head.hex() != each["head"]:
                raise Wrong("the head does not match the previous head and the two hashes", number)
        return f"{number} links up to {head.hex()}"

    def commitment(self):
        raw(self.opened["commitment"])
        if sha256(self.known_secret()).hex() != self.opened["commitment"]:
            raise Wrong("is not the hash of the secret", 1)
        return "is the hash of the secret"

    def description(self):
        """Whether the game has the rules that the user trusts."""
        name, hashed = self.record["rules"], raw(self.opened["description"]).hex()
        if self.described is None:
            raise Unknowable(
                f"NOT CHECKED: {name} is not in the table of this file. The game was opened with the description "
                f"sha256:{hashed}. Get it from the author of the ruleset, compare the hash, and give it by --rules"
            )
        own = self.described["sha256"]
        need(own == hashed, f"the game was opened with another description than the one given, sha256:{hashed}")
        return f"the description that was given, sha256:{own}"

    def shuffles(self):
        if self.table is None:
            raise Unknowable("SHUFFLES NOT CHECKED: {} is not in the table of this file".format(self.record["rules"]))
        secret = self.known_secret()
        if not self.whole:
            raise Unknowable("the record is redacted")
        opened, parent = self.opened, self.opened.get("parent")
        # A branch has the deals of its root game, and the games of a deal have them in common.
        game_id = parent["root"] if parent else opened.get("deal", self.record)["id"]
        key = table_key(secret, game_id, [seat["entropy"] for seat in self.seats()])
        steps = []

        def dealer():
            """The random numbers of the step that begins with this event."""
            steps.append(event["type"])
            return Words(key, f"deal:{steps[-1]}:{steps.count(steps[-1]) - 1}")

        table = {"seats": opened["seats"], "deck": opened["deck"], "options": opened["options"]}
        # The tables to which the game goes back. Taking back a move restores the number of the dealer's step as well.
        past = {event["to"]: None for event in self.events if event["type"] == "taken_back"}
        for number, each in self.entries():
            event = each["event"]
            if event["type"] == "taken_back":
                kept, dealt = past[event["to"]]
                table = copy.deepcopy(kept)
                del steps[dealt:]
                continue
            if number - 1 in past:
                past[number - 1] = copy.deepcopy(table), len(steps)
            if self.known and not placed(event):
                raise Wrong("a seat, slot or position is not a non-negative integer", number)
            table["move"], table["by"] = each.get("move"), each["by"]
            try:
                right = self.table["follow"](table, event, dealer)
            except Wrong as wrong:
                raise Wrong(str(wrong), number) from None
            for name, value in right.items():
                if canonical(event[name]) != canonical(value):
                    raise Wrong("`{}` of `{}` differs from the derived value".format(name, event["type"]), number)
        apart = "" if self.known else "; which cards they are, and where they lie, is not described"
        return f"{len(steps)} dealer steps, derived again{apart}"

    def receipt(self):
        heads = self.computed if self.whole else [each["head"] for each in self.record["events"]]
        if self.kept_head not in heads:
            raise Wrong("the given head is not in this record")
        return f"the given head is that of version {heads.index(self.kept_head) + 1}"


def known(what, said, ours):
    """Another version of ours is not wrong: it cannot be checked."""
    if said != ours and isinstance(said, str) and re.fullmatch(ours[:-1] + "[1-9][0-9]*", said):
        raise Unknowable(f"CANNOT BE CHECKED: this file does not know the {what} {said}")
    need(said == ours, f"unknown {what}: {said!r}")


def verify(record, head=None, descriptions=(), tables=None):
    """All checks of a decoded record: name, ok (None: could not be made), first wrong version, detail."""
    return list(Record(record, head, descriptions, tables).checks())


def is_time(text):
    """Whether the text is an existing date and time in UTC with 6 decimals."""
    found = TIME.fullmatch(text)
    if not found:
        return False
    year, month, day = (int(found.group(i)) for i in (1, 2, 3))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return year > 0 and 1 <= month <= 12 and 1 <= day <= days[month - 1]


def backs(value, depth):
    """Cards as a bystander sees them; `depth` is the number of nested lists around them."""
    need(depth == 0 or value is None or isinstance(value, list), "a hidden field is not a list")
    return None if depth == 0 or value is None else [backs(item, depth - 1) for item in value]


PLACES = {"seat", "slot", "column", "start", "position"}


def placed(value):
    """Whether all positions in the value are non-negative integers: Python counts negative ones from the end."""
    if isinstance(value, list):
        return all(map(placed, value))
    if isinstance(value, dict):
        named = [value[name] for name in PLACES & set(value)]
        return all(type(item) is int and item >= 0 for item in named) and placed(list(value.values()))
    return True


def hides(value):
    """Whether the value contains a hidden card (null)."""
    if isinstance(value, (dict, list)):
        return any(hides(item) for item in (value.values() if isinstance(value, dict) else value))
    return value is None


# --- descriptions of rulesets -------------------------------------------------------------------------------------

DESCRIPTION = "stammtisch-rules/1"
FIELDS = {"format", "rules", "seats", "events", "moves", "hidden", "draws"}
NAME = re.compile("[a-z][a-z0-9_]{0,63}")
LARGEST, PATHS, STEPS, DEPTH = 65536, 64, 16, 8
"""Limits of a description: its bytes, the paths of all shuffles, the steps of a path, and the lists around a card."""


def description(content):
    """The description in these bytes, with its hash as `sha256`. Raises ValueError."""
    content = content[:-1] if content.endswith(b"\n") else content
    if len(content) > LARGEST:
        raise ValueError(f"a description has at most {LARGEST} bytes")
    found = parsed(content.decode("utf-8"))
    try:
        known("format", found["format"], DESCRIPTION)
        check_description(found)
    except (Wrong, Unknowable) as error:
        raise ValueError(str(error)) from None
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a description of a ruleset: {error!r}") from None
    return dict(found, sha256=sha256(content).hex())


def check_description(found):
    need(set(found) == FIELDS, "the description has missing or unknown fields")
    need(re.fullmatch("[a-z0-9._-]{1,200}/[1-9][0-9]{0,8}", found["rules"]), "`rules` is not NAME/N")
    least, most = found["seats"]
    need(is_count(least) and is_count(most) and 1 <= least <= most <= 1000, "invalid number of seats")
    for part in ("events", "moves"):
        for kind, names in found[part].items():
            right = isinstance(names, list) and all(map(NAME.fullmatch, [kind, *names])) and kind not in LIFECYCLE
            need(right, f"invalid name of `{part}`, or of a field")
    for kind, fields in found["hidden"].items():
        right = [is_count(depth) and depth <= DEPTH and name in found["events"][kind] for name, depth in fields.items()]
        need(all(right), f"invalid hidden field of `{kind}`")
    paths = 0
    for kind, draws in found["draws"].items():
        need(isinstance(draws, list) and draws and kind in found["events"], "invalid `draws`")
        for draw in draws:
            own = check_draw(draw)
            need(all(path.split("/")[0] in found["events"][kind] for path in own), "a path to an unknown field")
            paths += len(own)
    need(paths <= PATHS, f"a description has at most {PATHS} paths")


def check_draw(draw):
    """The paths of what is drawn."""
    if "below" in draw:
        number = draw["below"]
        need(number == "seats" or (is_count(number) and 0 < number < 2**32), "invalid number of outcomes")
        need(set(draw) == {"below", "at"} and NAME.fullmatch(draw["at"]), "invalid lot")
        return [draw["at"]]
    need(set(draw) - {"turned"} == {"shuffle"} and draw.get("turned", True) is True, "invalid shuffle")
    need(isinstance(draw["shuffle"], list) and draw["shuffle"], "a shuffle without cards")
    for path in draw["shuffle"]:
        steps = path.split("/")
        right = len(steps) <= STEPS and NAME.fullmatch(steps[0])
        need(right and all(re.fullmatch("[*]|{seat}|[a-z0-9_]{1,64}", step) for step in steps), "invalid path")
    return draw["shuffle"]


def line_of(found):
    """The line of TABLE that a description gives. What it does not tell is missing or None."""
    return {
        "seats": found["seats"],
        "events": {kind: DEAL if kind in found["draws"] else TOLD for kind in found["events"]},
        "fields": {kind: set(names) for kind, names in found["events"].items()},
        "moves": {kind: (" ".join([name + "?" for name in names]), None) for kind, names in found["moves"].items()},
        "acting": {},
        "hidden": found["hidden"],
        "follow": functools.partial(follow_draws, found["draws"]),
    }


def follow_draws(draws, table, event, dealer):
    """Compare what the dealer drew for the event with the random numbers of its step. Raises Wrong."""
    if event["type"] in draws:
        words, drawn, seats = dealer(), set(), table["seats"]
        for draw in draws[event["type"]]:
            for seat in range(seats if "{seat}" in "".join(draw.get("shuffle", ())) else 1):
                cards = []
                for path in draw.get("shuffle") or [draw["at"]]:
                    for place, card in found_at(event, path.replace("{seat}", str(seat)).split("/")):
                        need(place not in drawn, f"`{event['type']}`: the description draws a card twice")
                        drawn.add(place)
                        cards.append(card)
                expected = follow_draw(draw, cards, words, seats)
                need(same(cards, expected), "`{}` does not follow from the secret".format(event["type"]))
    return {}


def follow_draw(draw, cards, words, seats):
    """The cards in the order, or the lot, that the random numbers give."""
    if "below" in draw:
        return [words.below(seats if draw["below"] == "seats" else draw["below"])]
    if not draw.get("turned"):
        return words.shuffled(cards)
    pairs = [isinstance(card, list) and len(card) == 2 and all(type(end) is int for end in card) for card in cards]
    need(all(pairs), "a card with two ends is not two integers")
    return [card[::-1] if words.below(2) else card for card in words.shuffled(map(sorted, cards))]


def found_at(value, steps, place=()):
    """The places that the path leads to, in their order, each with what is there."""
    if not steps:
        return [(place, value)]
    if steps[0] == "*" and isinstance(value, list):
        keys = range(len(value))
    elif isinstance(value, list):
        keys = [int(steps[0]) if steps[0].isdigit() else len(value)]
        need(keys[0] < len(value), f"nothing is at `{steps[0]}`")
    else:
        need(isinstance(value, dict) and steps[0] in value, f"nothing is at `{steps[0]}`")
        keys = [steps[0]]
    return [each for key in keys for each in found_at(value[key], steps[1:], (*place, key))]


# --- the lifecycle of a game --------------------------------------------------------------------------------------
#
# The events that every game has. `during`: the statuses in which the event is valid; `then`: the status after it
# (absent: unchanged); `by`: who causes it; `fields`: its required fields, `may`: its optional fields; `starts`: it is
# the first event of an append; all others follow from events of the same append.

LIFECYCLE = {
    "opened": {
        "during": ("new",), "then": "waiting", "by": "nobody",
        "fields": ["protocol", "ruleset", "rules", "description", "seats", "options", "deck", "private", "hotseat",
                   "opener", "commitment", "secret"],
        "may": ["parent", "longest", "places", "absent", "clock", "undo", "rematch_of", "deal", "sealed",
                "puzzles", "hints"],
        "starts": True,
    },
    "joined": {
        "during": ("waiting",), "by": "its seat", "fields": ["seat", "player", "entropy"], "may": ["seal"],
        "starts": True,
    },
    "left": {"during": ("waiting",), "by": "its seat", "fields": ["seat"], "starts": True},
    "declined": {"during": ("waiting",), "by": "its seat", "fields": ["seat"], "starts": True},
    "readied": {"during": ("waiting",), "by": "its seat", "fields": ["seat", "entropy"], "starts": True},
    "begun": {"during": ("waiting",), "then": "running", "by": "nobody"},
    "gone": {"during": ("running",), "fields": ["seat", "moved", "cause"], "may": ["bot"], "starts": True},
    "rejoined": {"during": ("running",), "by": "its seat", "fields": ["seat"], "starts": True},
    "granted": {"during": ("running",), "by": "another seat", "fields": ["seat", "seconds"], "starts": True},
    "resumed": {"during": ("running",), "by": "nobody", "fields": ["milliseconds"], "starts": True},
    "voted": {"during": ("running",), "by": "its seat", "fields": ["seat", "on", "yes"], "may": ["to"], "starts": True},
    "taken_back": {"during": ("running",), "fields": ["seat", "to", "agreed"]},
    "hinted": {"during": ("running",), "by": "its seat", "fields": ["seat"], "starts": True},
    "ended": {"during": ("running",), "then": "finished", "by": "nobody", "fields": ["result"]},
    "aborted": {"then": "aborted", "may": ["cause", "unready"]},
    "revealed": {"during": ("finished", "aborted"), "then": "revealed", "by": "nobody", "fields": ["secret"]},
}  # fmt: skip

ABORTED = {
    "left": {"during": ("waiting",), "by": "the seat that left"},
    "cancelled": {"during": ("waiting",), "by": "nobody", "starts": True},
    "expired": {"during": ("waiting",), "by": "nobody", "starts": True},
    "longest": {"during": ("running",), "by": "nobody"},
    "absent": {"during": ("running",), "by": "nobody"},
    "operator": {"during": ("waiting", "running"), "by": "nobody", "starts": True},
    "agreed": {"during": ("running",), "by": "nobody"},
}
"""What `cause` adds to the line of `aborted`. The cause `left` is never written: the field is absent."""


GONE = {"left": {"by": "its seat"}, "expired": {"by": "nobody"}}
"""What `cause` adds to the line of `gone`."""


def about(event):
    """The line of LIFECYCLE for the event."""
    kind = event["type"]
    if kind == "gone":
        cause = event.get("cause")
        need(isinstance(cause, str) and cause in GONE, "unknown cause")
        return dict(LIFECYCLE[kind], **GONE[cause])
    if kind == "taken_back":
        agreed = event.get("agreed")
        need(isinstance(agreed, bool), "`agreed` is not a boolean")
        return dict(LIFECYCLE[kind], **({"by": "nobody"} if agreed else {"by": "its seat", "starts": True}))
    if kind != "aborted":
        return LIFECYCLE[kind]
    cause = event.get("cause", "left")
    need(isinstance(cause, str) and cause in ABORTED, "unknown cause")
    need(cause != "left" or "cause" not in event, "the cause `left` must be absent")
    return dict(LIFECYCLE[kind], **ABORTED[cause])


def is_chosen(entry):
    """Whether the choice of a seat caused the event."""
    return entry["by"] is not None and entry["event"]["type"] not in LIFECYCLE


def is_expiry(event):
    """Whether a player ran out of time. One append removes all players who have."""
    return event["type"] == "gone" and event.get("cause") == "expired"


class Moves:
    """The latest appends with events of the ruleset that stand: those that can be taken back. Of each append: `mover`
    (None: no player's move), `to`, the version before it, `alone`: whether nothing else than the move is in it, and
    the number of its events of the ruleset."""

    def __init__(self):
        self.made = []

    def follow(self, append):
        kinds = [each["event"]["type"] for each in append]
        if "taken_back" in kinds:
            to = append[kinds.index("taken_back")]["event"]["to"]
            self.made = [made for made in self.made if made["to"] < to]
        events = sum([kind not in LIFECYCLE for kind in kinds])
        if events:
            first, moved = append[0], is_chosen(append[0])
            alone = moved and all(is_chosen(each) and each["by"] == first["by"] for each in append)
            made = {"mover": first["by"] if moved else None, "to": first["version"] - 1, "alone": alone,
                    "events": events}  # fmt: skip
            self.made.append(made)
            del self.made[:-MADE]

    def latest(self, seat):
        """The latest move of the seat."""
        return next((made for made in reversed(self.made) if made["mover"] == seat), {"to": None})

    def since(self, to):
        """The number of events that stand after this version."""
        return sum(made["events"] for made in self.made if made["to"] >= to)


MADE, REACH, UNDOS, QUESTIONS = 64, 256, 20, 10
"""How many appends, and events in them, are considered for an undo; how many moves a seat can take back and questions
it can ask."""

STAND_UPS, ALL_STAND_UPS = 10, 500
"""How often a player, and all players together, can leave a game that has not begun and somebody still joins it."""


class Appends:
    """Which entries were added together by one command, without the rules of moves.

    `table` describes the ruleset; None: it is unknown. `whole`: no move may be missing. `follow` raises Wrong.
    """

    def __init__(self, opened, table, whole):
        self.opened, self.table, self.whole = opened, table, whole
        self.seats = range(opened["seats"])
        self.before = None
        """The previous entry."""
        self.opening = self.running = False
        """Whether this is the first append, and whether the game runs."""
        self.acting, self.movers, self.mover = [], set(), None
        """Who has a choice after the previous append; those that chose in this one, and the last of them."""
        self.moved = False
        """Whether something happened in this append that can give a choice to other seats."""
        self.bots = bots_of(opened)
        """The seats that bots play now."""
        known = (table or {}).get("searches")
        self.patient = {seat for seat in self.bots if known is None or opened["places"][seat]["bot"] in known}
        """Those of bots from the beginning for which the game waits because they search; all, if that is unknown."""
        self.moves, self.begun, self.ends, self.asked = Moves(), [], {}, None
        """The moves that stand, the entries of this append, the choices after each append, and to which version the
        open question would go back."""

    def follow(self, entry):
        need(is_count(entry["more"]), "`more` is not a non-negative integer")
        first = self.before is None or self.before["more"] == 0
        if first:
            self.opening, self.movers, self.mover, self.moved = self.before is None, set(), None, False
            self.begin(entry)
        else:
            self.go_on(entry)
        kind = entry["event"]["type"]
        self.running = kind == "begun" or (self.running and kind not in ("ended", "aborted"))
        if kind in ("gone", "rejoined"):
            self.bots = self.bots - {entry["event"]["seat"]} | ({entry["event"]["seat"]} if kind == "gone" else set())
        self.move(entry, first)
        if kind not in LIFECYCLE:
            self.moved, self.asked = True, None
            if entry["by"] is not None:
                self.mover = entry["by"]
                self.movers.add(self.mover)
        elif kind == "begun":
            self.moved = True
        elif kind not in ("granted", "rejoined", "resumed", "hinted"):  # an open question stays open
            self.undo(entry["event"])
        if kind == "hinted":
            seat = entry["event"]["seat"]
            need(is_count(seat) and seat in self.acting, "a seat without a choice needs no hint")
        if entry["more"]:
            need("acting" not in entry, "only the last event of an append has `acting`")
        else:
            self.choices(entry)
        self.before = entry
        self.begun.append(entry)
        if not entry["more"]:
            self.ends[entry["version"]] = entry["acting"]
            self.moves.follow(self.begun)
            self.begun = []

    def undo(self, event):
        """The seat takes back its latest move, or asks to. Then the same seats have a choice as before the move."""
        asked, self.asked = self.asked, None
        if event["type"] == "voted" and event.get("to") is not None and event["yes"]:
            self.asked = event["to"]
            if same(self.asked, asked):
                return
        elif event["type"] != "taken_back":
            return
        to, own = event["to"], self.moves.latest(event["seat"])
        need(same(own["to"], to) and to in self.ends, "`to` is not the version before the latest move of the seat")
        need(self.moves.since(to) <= REACH, "too much has happened since")
        if event["type"] == "taken_back":
            alone = own is self.moves.made[-1] and own["alone"]
            need(event["agreed"] or alone, "something else has happened since")
            self.acting = self.ends[to]

    def begin(self, entry):
        """The first entry of an append."""
        if is_chosen(entry):
            need(is_count(entry["by"]) and entry["by"] in self.acting, "the seat has no choice")
        else:
            alone = entry["event"]["type"] == "revealed" and "deal" in self.opened
            need(alone or starts(entry["event"]), "the event cannot begin an append")

    def go_on(self, entry):
        """Another entry of the append."""
        before, event, by = self.before, entry["event"], entry["by"]
        need(entry["more"] == before["more"] - 1, "`more` must be one less than before")
        need(entry["at"] == before["at"], "an append has one time")
        if is_chosen(entry) and by in self.bots:
            return  # a bot makes its choice in the append that gives it
        if is_expiry(event) and is_expiry(before["event"]):
            return
        if self.opening and event["type"] == "joined" and not self.opened["hotseat"]:
            opener = same(by, first_seat(self.opened)) and same(event["player"], self.opened["opener"])
            need(before["event"]["type"] == "opened" and opener, "only the opener joins when the game is opened")
        elif self.opening and is_chosen(entry):
            need("parent" in self.opened, "only a branch is opened with choices")
        elif is_chosen(entry):
            need(is_chosen(before) and same(by, before["by"]), "another choice must begin an append")
        else:
            joins = self.opening and event["type"] == "joined"
            need(joins or event["type"] not in LIFECYCLE or not starts(event), "the event must begin an append")

    def move(self, entry, first):
        """The move is on the first event that the choice caused, and fits it."""
        if "move" not in entry:
            goes_on = not first and is_chosen(self.before) and same(entry["by"], self.before["by"])
            need(goes_on or not (self.whole and is_chosen(entry)), "the move is missing")
            return
        may = is_chosen(entry) and (first or self.opening or entry["by"] in self.bots)
        need(may, "only the first event that a choice caused has a move")
        move, event = entry["move"], entry["event"]
        need(isinstance(move, dict) and isinstance(move.get("type"), str), "the move is not an object with a type")
        if self.table:
            need(move["type"] in self.table["moves"], "the ruleset has no such move")
            fields, causes = self.table["moves"][move["type"]]
            names = {name.rstrip("?") for name in fields.split()}
            optional = {name[:-1] for name in fields.split() if name.endswith("?")}
            need(names - optional <= set(move) - {"type"} <= names, "the move has missing or unknown fields")
            if causes is None:
                return
            need(event["type"] in causes, "the move cannot cause this event")
            for name, told in causes[event["type"]].items():
                value = move[name[1:]] if name[0] == "$" else event.get(name)
                need(fits(value, told, move), f"`{name}` differs from the move")

    def choices(self, entry):
        """`acting` of the last entry of an append."""
        need("acting" in entry, "the last event of an append must have `acting`")
        acting, others = entry["acting"], [seat for seat in self.acting if seat not in self.movers]
        need(isinstance(acting, list) and all(is_count(seat) and seat in self.seats for seat in acting), "not seats")
        need(acting == sorted(set(acting)), "`acting` is not in rising order")
        need(bool(acting) == self.running, "a seat must have a choice while the game runs, and only then")
        need(not (self.bots - self.patient) & set(acting), "a bot makes its choice in the append that gives it")
        need(self.moved or not self.running or acting == self.acting, "nothing gives the choice to another seat")
        if self.table and self.running:
            who = self.table["acting"].get(entry["event"]["type"])
            if who:
                need(acting == self.expected(who, entry["event"]), "another seat must have the choice")
            if others and len(others) < len(self.acting) and "result" in self.table:
                need([seat for seat in acting if seat not in self.movers] == others, "the others keep their choices")
        self.acting = acting

    def expected(self, who, event):
        """The seats that have the choice after this event."""
        seat = self.mover if who == MOVER else event.get("seat")
        return list(self.seats) if who == ALL else [(seat + 1) % len(self.seats) if who == NEXT else seat]


def bots_of(opened):
    """The seats that bots play from the beginning."""
    return {seat for seat, place in enumerate(opened.get("places", ())) if "bot" in place}


def first_seat(opened):
    """Where the opener sits down when opening the game: at the seat that is kept for them, else the first open one."""
    places = opened.get("places", [{}])
    kept = [seat for seat, place in enumerate(places) if same(place.get("player"), opened["opener"])]
    return (kept + [seat for seat, place in enumerate(places) if not place] + [None])[0]


def starts(event):
    """Whether the event of LIFECYCLE can be the first of an append."""
    return event["type"] in LIFECYCLE and about(event).get("starts", False)


def fits(value, told, move):
    """Whether the value is what the move tells: `$name` is a field of the move, `#name` a list of that length."""
    if isinstance(told, dict):
        return set(value) == set(told) and all(fits(value[name], told[name], move) for name in told)
    if isinstance(told, list):
        return len(value) == len(told) and all(fits(value[i], each, move) for i, each in enumerate(told))
    if not isinstance(told, str) or told[:1] not in ("$", "#"):
        return same(value, told)
    if told[1:] not in move:
        return True
    return same(len(value) if told[0] == "#" else value, move[told[1:]])


SECOND, MILLISECOND = 1_000_000, 1000
"""Times are whole microseconds."""

GRACE = 2 * SECOND
"""How long after a seat has run out of time its choice is still accepted."""

CLOCK = {"bank": (5, 2_678_400), "increment": (0, 2_678_400), "delay": (0, 86_400), "reserve": (0, 7_776_000)}
"""The fields of a clock with their bounds, in seconds."""


class Dials:
    """What each seat has left of its time. `follow` raises Wrong, with the index of the entry in the append."""

    def __init__(self, opened):
        self.clock = {name: seconds * SECOND for name, seconds in opened["clock"].items()}
        self.banks = [self.clock["bank"]] * opened["seats"]
        self.reserves = [self.clock["reserve"]] * opened["seats"]
        self.since = {}
        """When the choices of the seats that have one arose."""
        self.aborts = opened.get("absent") == "abort"
        self.at, self.past, self.undo = 0, [], "undo" in opened
        """The time of the latest append; and of each move that stands what the seats had left before it."""

    def follow(self, append):
        at, first, after = microseconds(append[0]["at"]), append[0], append[-1]["acting"]
        event, seat = first["event"], first["event"].get("seat")
        if event["type"] == "resumed":
            self.resume(at, event["milliseconds"])
        else:
            self.expire(at, [each["event"]["seat"] for each in append if is_expiry(each["event"])], len(append) - 1)
        gone = [each["event"]["seat"] for each in append if each["event"]["type"] == "gone"]
        mover = first["by"] if is_chosen(first) else None
        if event["type"] in ("rejoined", "granted"):
            for each in (vars(self), *self.past):
                if event["type"] == "rejoined":
                    each["banks"][seat] = max(each["banks"][seat], self.clock["bank"] // 4)
                else:
                    each["reserves"][seat] += event["seconds"] * SECOND
        then = self.moment(first, at) if self.undo else None
        taken = [each["event"] for each in append if each["event"]["type"] == "taken_back"]
        self.at = at
        if taken:
            self.take_back(taken[0], at, after)
        if then and any(each["event"]["type"] not in LIFECYCLE for each in append):
            self.past = [*self.past, then][-MADE:]
        if taken:
            return
        for seat in sorted(self.since):
            if seat == mover or seat not in after:
                self.stop(seat, at, 0 if seat in gone else self.clock["increment"])
        for seat in after:
            self.since.setdefault(seat, at)

    def resume(self, at, milliseconds):
        """Each seat whose time ran while no process of the service could take a move gets that time back."""
        if milliseconds > (at - self.at) // MILLISECOND:
            raise Wrong("more time is given back than has passed", 0)
        for each in (vars(self), *self.past):
            for seat in self.since:
                each["reserves"][seat] += milliseconds * MILLISECOND

    def moment(self, first, at):
        """The dials before an append, for the case that it is taken back."""
        return {"to": first["version"] - 1, "since": self.at, "stopped": at, "dials": dict(self.since),
                "banks": list(self.banks), "reserves": list(self.reserves)}  # fmt: skip

    def take_back(self, event, at, after):
        """The mover goes on with the time that it has used; nobody else is charged, unless their choice has stayed."""
        then = next(then for then in self.past if then["to"] == event["to"])
        self.past = [each for each in self.past if each["to"] < event["to"]]
        dials = {}
        for seat, since in then["dials"].items():
            now = self.since.get(seat)
            if seat == event["seat"]:
                dials[seat] = at - (then["stopped"] - since) - (0 if now is None else at - now)
            elif now == since:
                dials[seat] = since
                then["banks"][seat], then["reserves"][seat] = self.banks[seat], self.reserves[seat]
            else:
                dials[seat] = at - (then["since"] - since)
        self.banks, self.reserves = then["banks"], then["reserves"]
        self.since = {seat: dials.get(seat, at) for seat in after}

    def expire(self, at, gone, last):
        """`gone` are the seats that have run out of time by now, those that did so first come first."""
        over = {seat: self.runs_out(seat) for seat in self.since}
        overdue = sorted((time, seat) for seat, time in over.items() if at >= time + GRACE)
        expected = [seat for _, seat in overdue][: 1 if self.aborts else None]
        for index in range(max(len(gone), len(expected))):
            if index >= len(gone):
                raise Wrong(f"seat {expected[index]} had run out of time before", min(index, last))
            if index >= len(expected) or gone[index] != expected[index]:
                early = gone[index] not in expected
                detail = "had not run out of time" if early else "had not run out of time first"
                raise Wrong(f"seat {gone[index]} {detail}", index)

    def runs_out(self, seat):
        return self.since[seat] + self.clock["delay"] + self.banks[seat] + self.reserves[seat]

    def stop(self, seat, at, increment):
        used = max(0, at - self.since.pop(seat) - self.clock["delay"])
        self.reserves[seat] = max(0, self.reserves[seat] - max(0, used - self.banks[seat]))
        self.banks[seat] = min(self.clock["bank"], max(0, self.banks[seat] - used) + increment)


def microseconds(at):
    """From 1970 to this time. Years are counted from March, so that a leap day is the last."""
    year, month, day, hour, minute, second = (int(at[i:j]) for i, j in
                                              ((0, 4), (5, 7), (8, 10), (11, 13), (14, 16), (17, 19)))  # fmt: skip
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    days = 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day - 719_469
    return (days * 86_400 + hour * 3600 + minute * 60 + second) * SECOND + int(at[20:26])


class Lifecycle:
    """The state of a game without the rules of its moves: who is seated, and which events are valid next.

    `table` describes the ruleset; None: it is unknown. `follow` and `stop` raise Wrong.
    """

    def __init__(self, game_id, table):
        self.id, self.table = game_id, table
        self.status, self.seated, self.opened = "new", {}, None
        self.time, self.deal = "", None
        """When the event happened, and the deal that the game has in common with others."""
        self.bots, self.gone, self.departures, self.moved = set(), set(), [], set()
        """The seats that bots play, those of players who have gone, each departure, and players who made a move."""
        self.kept, self.stood_up = {}, []
        """By seat the player for whom it is kept. The players who left before the game began, once for each time."""
        self.seals, self.ready = {}, set()
        """By seat the seal of its player. The seats that have opened their entropy. Both of sealed games only."""
        self.granted = {}
        """The seconds that each seat was given."""
        self.version, self.longest = 0, None
        """The number of events so far, and the number after which a running game is aborted (None: no limit)."""
        self.due = "opened"
        """The event that must come next, in the same append; None if several can."""
        self.kind = self.by = None
        """Of the previous event: its type, and the seat that caused it."""
        self.points, self.result = [], None
        """The events that carry points, with their versions, and the result that they add up to."""
        self.vote, self.asked, self.undone, self.played = None, [], [], 0
        """The latest question, who asked questions and took back moves, and the number of the ruleset's events."""
        self.hinted = None
        """That number, and how many moves were taken back, when a hint was asked for."""

    def follow(self, first, by, event):
        """`first`: the event is the first one of its append."""
        kind = event["type"]
        need(by is None or is_count(by), "`by` is not a seat")
        need(self.status != "revealed", "no event can follow `revealed`")
        need(not (first and self.is_full()), "`aborted` must follow: the game has its maximum length")
        need(first or kind != "revealed" or not self.deal, "`revealed` must begin an append")
        due = self.due is None or (self.due == kind and (not first or kind == "opened"))
        need(due, f"`{self.due}` must follow in the same append")
        if kind in LIFECYCLE:
            self.happen(about(event), by, event)
        else:
            self.play(kind, first, by, event)
        self.kind, self.by = kind, by
        self.version += 1

    def stop(self):
        need(self.due is None, f"the record ends but `{self.due}` must follow")
        need(not self.is_full(), "the record ends but `aborted` must follow: the game has its maximum length")

    def is_full(self):
        """Whether the game runs and has its maximum length: no append can follow the current one."""
        return self.status == "running" and self.longest is not None and self.version >= self.longest

    def happen(self, line, by, event):
        """Apply an event of LIFECYCLE, by its line."""
        kind = event["type"]
        names = set(event) - set(line.get("may", ()))
        need(names == {"type", *line.get("fields", ())}, f"`{kind}` has missing or unknown fields")
        late = self.deal and kind == "aborted" and event.get("cause") == "expired" and self.time >= self.deal["until"]
        during = (*line["during"], "running") if late else line["during"]
        need(self.status in during, f"`{kind}` is not valid while the game is {self.status}")
        if line["by"] == "another seat":
            need(by in self.seated and by not in self.gone and by != event["seat"], "another player must give the time")
        else:
            expected = {"nobody": None, "its seat": event.get("seat"), "the seat that left": self.by}[line["by"]]
            need(same(by, expected), f"`{kind}` must be caused by {line['by']}")
        self.due = None
        getattr(self, "when_" + kind)(event)
        self.status = line.get("then", self.status)

    def when_opened(self, event):
        self.opened = event
        least, most = self.table["seats"] if self.table else (1, 1000)
        need(is_count(event["seats"]) and least <= event["seats"] <= most, "invalid number of seats")
        need(event["rules"].split("/")[0] == event["ruleset"], "`rules` belongs to another ruleset")
        need(event["deck"]["ruleset"] == event["ruleset"], "the deck belongs to another ruleset")
        raw(event["description"])
        need(isinstance(event["hotseat"], bool) and isinstance(event["private"], bool), "a flag is not a boolean")
        need(is_player(event["opener"]), "the opener is not a valid player")
        if "longest" in event:
            self.longest = event["longest"]
            need(is_count(self.longest) and 1 <= self.longest < 2**53, "`longest` is not a positive integer")
        if "parent" in event:
            parent = event["parent"]
            need(isinstance(parent, dict) and set(parent) == {"id", "at", "root"}, "invalid parent")
            need(event["hotseat"], "a branch must be a hotseat game")
            need(is_uuid(parent["id"]) and is_uuid(parent["root"]), "the id of a parent is not a lower-case UUID")
            need(self.id not in (parent["id"], parent["root"]), "a game cannot be its own parent")
            begun = 4  # `opened`, one `joined` at least (bots do not join), `begun`, a deal
            need(is_count(parent["at"]) and begun <= parent["at"] < 2**53, "a branch must start in a running game")
        if "places" in event or "absent" in event:
            self.places(event)
        if "clock" in event:
            self.timed(event)
        undo = event.get("undo", "free")
        need(isinstance(undo, str) and undo in ("free", "agreed"), "`undo` is neither `free` nor `agreed`")
        need(is_uuid(event.get("rematch_of", self.id)), "the id of the repeated game is not a lower-case UUID")
        if "deal" in event:
            self.deal = event["deal"]
            may = {"id", "until", "tables"} if "tables" in self.deal else {"id", "until"}
            need(isinstance(self.deal, dict) and set(self.deal) == may, "invalid deal")
            need(is_uuid(self.deal["id"]) and is_time(self.deal["until"]), "invalid id or end of the deal")
            tables = self.deal.get("tables", 2)
            need(is_count(tables) and 2 <= tables < 2**53, "a deal has two tables or more")
            alone = event["private"] and not event["hotseat"] and "sealed" not in event
            need(alone, "a game of a deal is private, and neither sealed nor hotseat")
        need(event.get("sealed", True) is True, "`sealed` is true or absent")
        need(not ("sealed" in event and event["hotseat"]), "a hotseat game is not sealed")
        need(event.get("puzzles", True) is True, "`puzzles` is true or absent")
        alone = event["private"] or event["hotseat"]
        need(not ("puzzles" in event and alone), "a game of puzzles is public, and no hotseat game")
        if "hints" in event:
            need(event["hints"] is True, "`hints` is true or absent")
            alone = "places" in event and len(bots_of(event)) == event["seats"] - 1
            need(alone and "deal" not in event, "hints are for a player who is alone with bots")
        if event["hotseat"]:
            self.due = "joined"

    def timed(self, event):
        """The bounds of a clock, in seconds."""
        clock = event["clock"]
        need(isinstance(clock, dict) and set(clock) == set(CLOCK), "the clock has missing or unknown fields")
        for name, (least, most) in CLOCK.items():
            need(is_count(clock[name]) and least <= clock[name] <= most, f"`{name}` of the clock is out of bounds")
        need(not event["hotseat"], "a hotseat game has no clock")
        need("absent" in event, "a clock needs `absent`")

    def places(self, event):
        """Who the seats are for, and who goes on for players who leave the running game."""
        places, absent = event.get("places", [{}] * event["seats"]), event.get("absent", "abort")
        need(not event["hotseat"], "in a hotseat game one player has all seats")
        need(isinstance(absent, str) and absent, "`absent` is neither a bot nor `abort`")
        need(isinstance(places, list) and len(places) == event["seats"], "`places` are not those of the seats")
        for place in places:
            need(isinstance(place, dict) and set(place) <= {"bot", "player"} and len(place) < 2, "invalid place")
            need(all(isinstance(name, str) and name for name in place.values()), "invalid bot or player of a place")
        self.kept = {seat: place["player"] for seat, place in enumerate(places) if "player" in place}
        need(len(set(self.kept.values())) == len(self.kept), "a player has two places")
        self.bots = bots_of(event)
        need(len(self.bots) < len(places), "no seat is for a player")

    def when_joined(self, event):
        seat, player, seats = event["seat"], event["player"], self.opened["seats"]
        need(is_count(seat) and seat < seats, "the seat does not exist")
        need(seat not in self.seated and seat not in self.bots, "the seat is taken")
        need(same(player, self.kept.get(seat, player)), "the seat is kept for another player")
        need(is_player(player), "invalid player")
        self.kept = {other: kept for other, kept in self.kept.items() if kept != player}
        need(isinstance(event["entropy"], str) and ENTROPY.fullmatch(event["entropy"]), "invalid entropy")
        need(
            ("seal" in event) == ("sealed" in self.opened),
            "a seal belongs to each seat of a sealed game, and to no other",
        )
        if "seal" in event:
            raw(event["seal"])
            need(event["entropy"] == "", "in a sealed game no player shows entropy before they are ready")
            self.seals[seat] = event["seal"]
        need(not self.deal or event["entropy"] == "", "in the games of a deal all entropies are empty")
        if self.opened["hotseat"]:
            need(player == self.opened["opener"], "in a hotseat game the opener takes every seat")
            need(seat == len(self.seated), "in a hotseat game the seats are taken in order")
            alike = not self.seated or "parent" in self.opened or event["entropy"] == self.entropy
            need(alike, "in a hotseat game all seats have the same entropy")
            self.entropy = event["entropy"]
        else:
            need(player not in self.seated.values(), "the player has another seat")
            often = self.stood_up.count(player) >= STAND_UPS or len(self.stood_up) >= ALL_STAND_UPS
            need(not often, "the player, or all players together, left the game too often")
        self.seated[seat] = player
        self.due = "begun" if self.is_seated() and not self.seals else "joined" if self.opened["hotseat"] else None

    def when_readied(self, event):
        seat, entropy = event["seat"], event["entropy"]
        need("sealed" in self.opened, "the game is not sealed")
        need(self.is_seated(), "a seat is free")
        need(
            is_count(seat) and seat in self.seals and seat not in self.ready,
            "the seat has opened its entropy, or has none",
        )
        need(isinstance(entropy, str) and ENTROPY.fullmatch(entropy), "invalid entropy")
        need(seal(self.id, seat, entropy) == self.seals[seat], "the entropy is not the one that was sealed")
        self.ready.add(seat)
        self.due = "begun" if self.ready == set(self.seals) else None

    def is_seated(self):
        return len(self.seated) + len(self.bots) == self.opened["seats"]

    def is_deserted(self):
        """Whether nobody is left to play on: no player, or no bot for one who has gone."""
        return self.gone == set(self.seated) or (bool(self.gone) and self.opened["absent"] == "abort")

    def when_gone(self, event):
        seat, absent = event["seat"], self.opened.get("absent")
        need(absent is not None, "the terms let nobody leave a running game")
        need(is_count(seat) and seat in self.seated and seat not in self.gone, "no player can leave this seat")
        need(event["cause"] == "left" or "clock" in self.opened, "without a clock nobody runs out of time")
        bot = event.get("bot", "abort")
        need(same(bot, absent) and ("bot" not in event or bot != "abort"), "another bot than the terms name")
        need(same(event["moved"], seat in self.moved), "`moved` must say whether the player has made a move")
        self.departures.append(seat)
        self.gone, self.bots, self.vote = self.gone | {seat}, self.bots | {seat}, None
        self.due = "aborted" if self.is_deserted() else None

    def when_rejoined(self, event):
        seat = event["seat"]
        need(is_count(seat) and seat in self.gone, "the player has not left this seat")
        need(self.departures.count(seat) < 3, "the player has left this seat for good")
        self.gone, self.bots = self.gone - {seat}, self.bots - {seat}

    def when_granted(self, event):
        seat, seconds = event["seat"], event["seconds"]
        need("clock" in self.opened, "the game has no clock")
        need(is_count(seat) and seat in self.seated and seat not in self.gone, "no player is at this seat")
        bank = self.opened["clock"]["bank"]
        need(is_count(seconds) and 1 <= seconds <= bank, "this much time cannot be given at once")
        self.granted[seat] = self.granted.get(seat, 0) + seconds
        need(self.granted[seat] <= 4 * bank, "this much time cannot be given to one seat")

    def when_resumed(self, event):
        need("clock" in self.opened, "the game has no clock")
        need(is_count(event["milliseconds"]) and event["milliseconds"], "this time cannot be given back")

    def question(self):
        """The open question. A move ends that of an undo."""
        ended = self.vote is None or (self.vote["on"] == "undo" and self.vote["played"] != self.played)
        return None if ended else self.vote

    def is_agreed(self):
        """Whether all players who are present have agreed."""
        question = self.question()
        present = {player for seat, player in self.seated.items() if seat not in self.gone}
        return question is not None and present <= {self.seated[seat] for seat in question["yes"]}

    def when_voted(self, event):
        seat, on, yes, to = event["seat"], event["on"], event["yes"], event.get("to")
        question = self.question()
        need(is_count(seat) and seat in self.seated and seat not in self.gone, "the voter is not at the table")
        need(isinstance(on, str) and on in ("abort", "undo") and isinstance(yes, bool), "invalid vote")
        if question is None:
            need(yes, "there is no question to say no to")
            need(self.asked.count(seat) < QUESTIONS, "the seat has asked too many questions")
            need((on == "undo") == ("to" in event) == is_count(to), "only an undo has `to`")
            need(on == "abort" or self.opened.get("undo") == "agreed", "no move can be taken back by agreement")
            need(on == "abort" or self.undone.count(seat) < UNDOS, "the seat has taken back too many moves")
            self.vote = {"on": on, "to": to, "seat": seat, "yes": [], "played": self.played}
            self.asked.append(seat)
        else:
            need(same([on, to], [question["on"], question["to"]]), "another question is open")
            need(not (yes and seat in question["yes"]), "the seat has agreed already")
        if yes:
            self.vote["yes"].append(seat)
        else:
            self.vote = None
        if self.is_agreed():
            self.due = "aborted" if on == "abort" else "taken_back"

    def when_taken_back(self, event):
        seat, to, agreed = event["seat"], event["to"], event["agreed"]
        need("undo" in self.opened, "the terms let nobody take back a move")
        need(is_count(to) and 0 < to < self.version, "`to` is not an earlier version")
        if agreed:
            question = self.question()
            need(self.kind == "voted" and self.is_agreed() and question["on"] == "undo", "not all players have agreed")
            need(same([seat, to], [question["seat"], question["to"]]), "another move than the question is about")
        else:
            need(is_count(seat) and seat in self.seated and seat not in self.gone, "no player is at this seat")
            need(self.undone.count(seat) < UNDOS, "the seat has taken back too many moves")
        self.undone.append(seat)
        self.vote = None
        self.points = [(version, each) for version, each in self.points if version <= to]

    def when_hinted(self, event):
        seat, about = event["seat"], [self.played, len(self.undone)]
        need("hints" in self.opened, "the game has no hints")
        need(is_count(seat) and seat in self.seated and seat not in self.gone, "no player is at this seat")
        need(self.hinted != about, "the seat has asked for a hint about this choice")
        self.hinted = about

    def when_left(self, event):
        need(is_count(event["seat"]) and event["seat"] in self.seated, "the seat is empty")
        need(not self.ready, "nobody leaves between the first `readied` and `begun`")
        self.seals.pop(event["seat"], None)
        self.stood_up.append(self.seated.pop(event["seat"]))
        self.due = None if self.seated else "aborted"

    def when_declined(self, event):
        need(is_count(event["seat"]) and event["seat"] in self.kept, "the seat is not kept for a player")
        del self.kept[event["seat"]]

    def when_begun(self, _):
        need(self.kind in ("joined", "readied") and self.is_seated(), "a seat is free")
        need(self.ready == set(self.seals), "a seat has not opened its entropy")

    def when_ended(self, event):
        result = event["result"]
        fields = {"scores", "winners"}
        need(isinstance(result, dict) and fields <= set(result) <= fields | {"ranks", "teams"}, "invalid result")
        scores, winners, seats = result["scores"], result["winners"], range(self.opened["seats"])
        need(isinstance(scores, list) and len(scores) == len(seats), "the result needs one score for each seat")
        need(all(type(score) is int for score in scores), "a score is not an integer")
        need(isinstance(winners, list), "invalid result")
        need(all(is_count(seat) and seat in seats for seat in winners), "a winner is not a seat")
        need(winners == sorted(set(winners)), "the winners are not in ascending order")
        if "ranks" in result:
            ranks = result["ranks"]
            need(isinstance(ranks, list) and len(ranks) == len(seats), "the result needs one rank for each seat")
            need(all(is_count(rank) for rank in ranks), "a rank is not a count")
            need(
                not winners or winners == best([-rank for rank in ranks]), "the winners are not those of the first rank"
            )
        if "teams" in result:
            teams = result["teams"]
            need(isinstance(teams, list) and all(isinstance(team, list) for team in teams), "invalid teams")
            need(all(is_count(seat) for team in teams for seat in team), "a seat of a team is not a seat")
            need(sorted(seat for team in teams for seat in team) == list(seats), "a seat is not in exactly one team")
            won = set(winners)
            need(all(set(team) <= won or won.isdisjoint(team) for team in teams), "only a part of a team wins")
        if self.table and "result" in self.table:
            need(self.kind == "won", "`ended` must follow `won`")
            need(same(result, self.result), "the result differs from the events")
        self.due = None if self.deal else "revealed"

    def when_aborted(self, event):
        cause = event.get("cause", "left")
        deserted = self.kind == "left" and not self.seated
        need(deserted == (cause == "left"), "the cause is absent if and only if the last player has left")
        need(cause != "longest" or self.is_full(), "the game does not have its maximum length")
        absent = self.kind == "gone" and self.is_deserted()
        need(absent == (cause == "absent"), "the cause is `absent` if and only if nobody is left to play on")
        agreed = self.kind == "voted" and self.is_agreed() and self.question()["on"] == "abort"
        need(agreed == (cause == "agreed"), "the cause is `agreed` if and only if all players have agreed")
        late = cause == "expired" and bool(self.seals) and self.is_seated()
        need(late == ("unready" in event), "`unready` belongs to sealed games that expire when all seats are taken")
        if late:
            seats = sorted(set(self.seals) - self.ready)
            need(same(event["unready"], seats), "`unready` names the seats that have not opened their entropy")
        self.due = None if self.deal else "revealed"

    def when_revealed(self, event):
        raw(event["secret"])

    def play(self, kind, first, by, event):
        """Apply an event of the ruleset."""
        need(self.status == "running", f"`{kind}` is not valid while the game is {self.status}")
        need(by is None or by < self.opened["seats"], "the seat does not exist")
        another = by in self.bots and by != self.by
        need(not (another and self.is_full()), "`aborted` must follow: the game has its maximum length")
        if by is not None and by not in self.bots:
            self.moved.add(by)
        self.played += 1
        if not self.table:
            return
        need(kind in self.table["events"], f"the ruleset has no event `{kind}`")
        role = self.table["events"][kind]
        if role == DEAL or (by is None and (self.by is not None or self.kind == "begun")):
            need(role == DEAL and by is None, "a dealer step must start here, and no seat causes it")
        elif role == OWN and by is not None:
            need(same(event["seat"], by), "`seat` differs from `by`")
        if "fields" in self.table:
            need(set(event) - {"type"} <= self.table["fields"][kind], f"`{kind}` has unknown fields")
            return
        if by is not None and (first or by != self.by or self.kind in LIFECYCLE):
            need(self.kind != "begun", "a dealer step must follow `begun`")
            need(role in (OWN, MOVE), "a move cannot start with this event")
        if kind == "won":
            self.due, self.result = "ended", self.table["result"]([each for _, each in self.points], event)
        elif kind in ("round_scored", "scored"):
            self.points.append((self.version + 1, event))


def need(right, detail):
    if not right:
        raise Wrong(detail)


def is_count(value):
    return type(value) is int and value >= 0


def is_uuid(value):
    return isinstance(value, str) and UUID.fullmatch(value) is not None


def is_player(value):
    """Whether it can be the id of a player. Who that is, nobody can check."""
    return isinstance(value, str) and value != ""


def same(one, other):
    """Equality in JSON, where 1 and true differ."""
    return canonical(one) == canonical(other)


# --- the command line ---------------------------------------------------------------------------------------------


def unique(pairs):
    """An object without duplicate keys: readers differ in which of two they use."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("duplicate key in an object")
    return made


def refuse(text):
    raise ValueError(f"{text} is not an integer")


def parsed(text):
    """The JSON value in the text. Raises ValueError."""
    return json.loads(text, object_pairs_hook=unique, parse_float=refuse, parse_constant=refuse)


def read(text):
    """The records in the text. Raises ValueError."""
    try:
        return [parsed(text)]
    except ValueError:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) < 2:
            raise
        return [parsed(line) for line in lines]


def status(checks):
    found = [check["ok"] for check in checks]
    return 1 if False in found else 3 if None in found else 0


def same_deal(records):
    """The check of the last record against those before it."""
    first, last = records[0], records[-1]
    one, other = terms_of_deal(first), terms_of_deal(last)
    wrong = [name for name in one if canonical(one[name]) != canonical(other[name])]
    need(not wrong, "another {}".format(", ".join(wrong)))
    need(one["deal"], "the game has no deal")
    before = {seat["player"]: each["id"] for each in records[:-1] for seat in each["seats"] if seat["player"]}
    here = [seat["player"] for seat in last["seats"] if seat["player"] in before]
    twice = [f"{player} played it in {before[player]} too" for player in here]
    return not twice, "; ".join(["the same deal", *twice, parting(first, last)])


def compared(records):
    """The check of the last of the records against those before it; none for the first one."""
    if len(records) < 2:
        return []
    try:
        ok, detail = same_deal(records)
    except Exception as error:  # a malformed record fails the check
        ok, detail = False, str(error) if isinstance(error, Wrong) else f"malformed: {type(error).__name__}: {error}"
    return [{"name": "same-deal", "ok": ok, "version": None, "detail": detail}]


def terms_of_deal(record):
    """What the games of a deal have in common."""
    opened = record["events"][0]["event"]
    names = ["deal", "commitment", "rules", "seats", "options", "deck"]
    found = {name: opened.get(name) for name in names}
    bots = [place.get("bot") for place in opened.get("places", [])]
    return dict(found, bots=bots, entropies=[seat["entropy"] for seat in record["seats"]])


def parting(one, other):
    """The first event of the ruleset that differs."""
    played = [[each for each in record["events"] if each["event"]["type"] not in LIFECYCLE] for record in (one, other)]
    for here, there in map(lambda *pair: pair, *played):
        if canonical(here["event"]) != canonical(there["event"]):
            return "the first difference is version {} here, {} in {}".format(
                there["version"], here["version"], one["id"]
            )
    alike = len(played[0]) == len(played[1])
    return "no event differs" if alike else "one of the games ends before an event differs"


VERDICTS = {
    0: "right: all checks were made",
    1: "WRONG",
    3: "nothing is wrong, but NOT ALL CHECKS COULD BE MADE",
}
DESCRIBED = "right: all checks were made that a description allows"
MARKS = {True: "ok", False: "WRONG", None: "?"}


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0], epilog="The text at the top of this file lists the checks."
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="one record, or one on each line; - is standard input")
    parser.add_argument("--head", help="a head that you kept; the record must contain it")
    parser.add_argument("--rules", metavar="FILE", action="append", default=[], help="a description that you trust")
    parser.add_argument("--same-deal", action="store_true", help="the records are of games of one deal: compare them")
    parser.add_argument("--json", action="store_true", help="one JSON object for each record, with all checks")
    given = parser.parse_args(arguments)
    if sys.stdout is None:  # it was closed before this program started
        complain("standard output: closed")
        return 2
    try:
        worst = verify_files(given)
        sys.stdout.flush()
    except OSError as error:
        silence(sys.stdout)
        if not isinstance(error, BrokenPipeError):  # the reader has closed the pipe
            complain(f"standard output: {error}")
        return 2
    return worst


def verify_files(given):
    """Print the findings; returns the exit status. Raises OSError if the output cannot be written."""
    worst, deals, descriptions = 0, [], []
    for file in given.rules:
        try:
            descriptions.append(description(content(file)))
        except (OSError, ValueError, RecursionError) as error:
            complain(f"{file}: {error}")
            return 2
    for file in given.files:
        try:
            records = read(content(file).decode("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            complain(f"{file}: {error}")
            if given.json:
                write_json(file, None, 2, [], str(error))
            worst = 2
            continue
        for record in records:
            checks = verify(record, given.head, descriptions)
            if given.same_deal:
                deals.append(record)
                checks = checks + compared(deals)
            ended = status(checks)
            name = record.get("id") if isinstance(record, dict) else None
            if given.json:
                write_json(file, name, ended, checks, None)
            else:
                verdict = VERDICTS[ended] if ended or record["rules"] in TABLE else DESCRIBED
                sys.stdout.write(printable(f"{file}: {name}: {verdict}") + "\n")
                for check in checks:
                    where = "" if check["version"] is None else "version {}: ".format(check["version"])
                    line = "  {:6}{:12}{}{}".format(MARKS[check["ok"]], check["name"], where, check["detail"])
                    sys.stdout.write(printable(line) + "\n")
            worst = max(worst, ended, key=[0, 3, 1, 2].index)
    return worst


def write_json(file, name, ended, checks, error):
    """One line; `error` says why the file cannot be read."""
    found = {"file": file, "id": name, "status": ended, "checks": checks, "error": error}
    sys.stdout.write(json.dumps(found).replace("\x7f", "\\u007f") + "\n")


def content(file):
    if file != "-":
        return Path(file).read_bytes()
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read()


def complain(text):
    try:
        sys.stderr.write(printable(text) + "\n")
        sys.stderr.flush()
    except AttributeError:
        pass  # it was closed before this program started; the exit status tells
    except OSError:
        silence(sys.stderr)


def silence(stream):
    """Discard the buffer, which Python would try to write again when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def printable(text):
    """The text with control characters escaped: a record must not control the terminal."""
    return "".join([c if " " <= c <= "~" else c.encode("unicode_escape", "surrogatepass").decode() for c in text])


# --- description of each ruleset ----------------------------------------------------------------------------------
#
# seats:  the minimum and the maximum number of seats.
# events: the role of each event type. DEAL: it starts a dealer step. OWN: a move can start with it, and its `seat`
#         makes the move. MOVE: a move can start with it. THEN: it is a consequence of earlier events.
# moves:  the fields of each move (`?`: optional), and by the type of the first event that it can cause: what the move
#         tells of the event's fields, and the event of the move's (`$name`).
# acting: who has a choice after an append, by the type of its last event, where that is all that matters. ALL: every
#         seat. SEAT: the seat in the event. MOVER: who made the move. NEXT: the seat after the one in the event.
# result: a function of the events that carry points and of `won`. It returns the result that they add up to.
# hidden: the fields of events that are redacted for bystanders, and the number of nested lists around the cards.
# follow: a function of the table (a dict with `seats`, `deck` and `options`), the next event and the dealer. It returns
#         the fields of the event that follow from earlier events, with their expected values. Each call of `dealer()`
#         is the next dealer step and returns its random numbers.

HIDDEN = {"opened": {"secret": 0}}

DEAL, OWN, MOVE, THEN, TOLD = "deal", "own", "move", "then", "told"
ALL, SEAT, MOVER, NEXT = "all", "seat", "mover", "next"


def roles(**named):
    """By event type: its role, from lists of types for each role, `own="drawn taken"`; or who acts after it."""
    return {kind: role for role, kinds in named.items() for kind in kinds.split()}


def added(scored):
    """The sum of the points of each seat."""
    return [sum(each["points"][seat] for each in scored) for seat in range(len(scored[0]["points"]))]


def best(standings):
    """The seats with the best standing."""
    highest = max(standings)
    return [seat for seat, stands in enumerate(standings) if stands == highest]


def lowest_wins(scored, won):
    scores = added(scored)
    need(won["winners"] == best([-score for score in scores]), "the lowest score wins")
    return {"scores": scores, "winners": won["winners"]}


def highest_wins(scored, won):
    scores = added(scored)
    need(won["winners"] == best(scores), "the highest score wins")
    return {"scores": scores, "winners": won["winners"]}


def scandaroon_result(scored, won):
    """The points of all rounds and of the markers at the end. Ties are broken by the points of the rounds, then by
    cards, which are not counted here."""
    rounds, last = added(scored), scored[-1]
    record = last["record"]["seats"] if last["record"] else []
    markers = [(last["no_trump"], 2), (last["pile_first"], 3), (last["pile_second"], 1), (record, 2)]
    scores = [n + sum(worth for seats, worth in markers if seat in seats) for seat, n in enumerate(rounds)]
    need(won["totals"] == scores, "the totals differ from the points")
    highest = set(best([(n, rounds[i]) for i, n in enumerate(scores)]))
    need(won["winners"] and set(won["winners"]) <= highest, "the highest score wins")
    return {"scores": scores, "winners": won["winners"]}


def scopinion_result(scored, won):
    """Ties are broken by hearts."""
    names = ("vault", "showcase", "pairs", "red", "spades")
    last = scored[-1]["breakdown"]
    scores = [sum(each[name] for name in names) for each in last]
    need(won["winners"] == best([(n, last[i]["hearts"]) for i, n in enumerate(scores)]), "the highest score wins")
    return {"scores": scores, "winners": won["winners"]}


def in_slot(table, seat, slot):
    """The card of that slot of a layout, which is None once its column was cleared."""
    card = table["layouts"][seat][slot]
    need(card is not None, "the slot is empty")
    return card


def skyjo(table, event, dealer):
    kind, seat, slot = event["type"], event.get("seat"), event.get("slot")
    if kind == "dealt":
        numbers = table["deck"]["numbers"]
        cards = [n for n in sorted(map(int, numbers)) for _ in range(min(numbers[str(n)], 1000))]
        cards = dealer().shuffled(cards)
        cut = 12 * table["seats"]
        table["layouts"] = [cards[i : i + 12] for i in range(0, cut, 12)]
        table["discard"], table["draw"] = [cards[cut]], cards[cut + 1 :]
        return {"layouts": table["layouts"], "discard": cards[cut], "draw": table["draw"]}
    if kind == "restocked":
        table["draw"], table["discard"] = dealer().shuffled(table["discard"][:-1]), table["discard"][-1:]
        return {"draw": table["draw"]}
    if kind in ("drawn", "taken"):
        need("held" not in table, "a card is held already")
        table["held"] = table["draw" if kind == "drawn" else "discard"].pop()
        return {"card": table["held"]}
    if kind == "tossed":
        card = table.pop("held")
        table["discard"].append(card)
        return {"card": card}
    if kind == "swapped":
        out, card = in_slot(table, seat, slot), table.pop("held")
        table["layouts"][seat][slot] = card
        table["discard"].append(out)
        return {"card": card, "out": out}
    if kind == "flipped":
        return {"card": in_slot(table, seat, slot)}
    if kind == "column_cleared":
        slots = range(event["column"] * 3, event["column"] * 3 + 3)
        cards = [in_slot(table, seat, each) for each in slots]
        need(cards == cards[:1] * 3, "the cards of the column differ")
        for each in slots:
            table["layouts"][seat][each] = None
        table["discard"] += cards
        return {"card": cards[0]}
    if kind == "layouts_revealed":
        return {"cards": [dict(c, card=in_slot(table, c["seat"], c["slot"])) for c in event["cards"]]}
    return {}


def scout(table, event, dealer):
    kind, seat, seats = event["type"], event.get("seat"), table["seats"]
    if kind == "lot_drawn":
        return {"seat": dealer().below(seats)}
    if kind == "dealt":
        chance, printed = dealer(), table["deck"]["cards"]
        cards = [sorted(card) for card in table.get("aside", ())] or [
            card["numbers"] for card in printed if seats in card["players"]
        ]
        cards = [card[::-1] if chance.below(2) else card for card in chance.shuffled(cards)]
        used = {2: 22, 3: 12, 4: 11, 5: 9}[seats]
        hand = 11 if seats == 2 and table["options"]["two_player"] == "official" else used
        table["hands"] = [cards[i : i + hand] for i in range(0, hand * seats, hand)]
        table["aside"] = cards[hand * seats : used * seats]
        return {"hands": table["hands"], "aside": table["aside"]}
    if kind == "oriented" and event["turned"]:
        table["hands"][seat] = [card[::-1] for card in reversed(table["hands"][seat])]
    if kind == "shown":
        shown = slice(event["start"], event["start"] + len(event["cards"]))
        table["active"] = table["hands"][seat][shown]
        del table["hands"][seat][shown]
        return {"cards": table["active"]}
    if kind == "scouted":
        card = table["active"].pop(0 if event["end"] == "left" else -1)
        table["hands"][seat].insert(event["position"], card[::-1] if event["flip"] else card)
        return {"card": card}
    return {}


def lay(table, card, *place):
    """Put a card into an empty place."""
    key = canonical(list(place))
    if key in table["lying"]:
        raise ValueError(f"there lies a card already: {place}")
    table["lying"][key] = card


def look(table, *place):
    return table["lying"][canonical(list(place))]


def lift(table, *place):
    return table["lying"].pop(canonical(list(place)))


SKYJO_ACTIONS = [
    "swap_own", "double_move", "draw_three", "look_line", "remove_one_each", "swap_players", "steal_action",
    "play_discarded_action", "defence",
]  # fmt: skip


def skyjo_action(table, event, dealer):
    """`lying` holds the layouts, the held card, the three cards drawn aside, the open action cards, and the hands, each
    a list of action cards. All other cards are in one of the four piles.
    """
    kind, seat, slot, place, card = [event.get(name) for name in ("type", "seat", "slot", "place", "card")]
    if kind == "dealt":
        chance, deck, cut = dealer(), table["deck"], 12 * table["seats"]
        cards = [n for n in sorted(map(int, deck["numbers"])) for _ in range(min(deck["numbers"][str(n)], 1000))]
        cards = chance.shuffled(cards + ["star"] * min(deck["stars"], 1000))
        # The action cards belong to the same dealer step: they use the words after those of the playing cards.
        actions = [a for a in SKYJO_ACTIONS for _ in range(min(deck["actions"].get(a, 0), 1000))]
        actions = chance.shuffled(actions)
        first = 5 if table["options"]["seed_action_discard"] else 4
        table["lying"] = {}
        for i, each in enumerate(cards[:cut]):
            lay(table, each, "layout", i // 12, i % 12)
        for i, each in enumerate(actions[:4]):
            lay(table, each, "open", i)
        for i in range(table["seats"]):
            lay(table, [], "hand", i)
        table["discard"], table["draw"] = [cards[cut]], cards[cut + 1 :]
        table["action_discard"], table["action_pile"] = actions[4:first], actions[first:]
        return {
            "layouts": [cards[i : i + 12] for i in range(0, cut, 12)], "draw": table["draw"], "discard": cards[cut],
            "open": actions[:4], "action_discard": actions[4:first], "action_pile": table["action_pile"],
        }  # fmt: skip
    if kind == "restocked":
        table["draw"], table["discard"] = dealer().shuffled(table["discard"][:-1]), table["discard"][-1:]
        return {"draw": table["draw"]}
    if kind == "actions_restocked":
        discard = table["action_discard"]
        table["action_pile"], table["action_discard"] = dealer().shuffled(discard[:-1]), discard[-1:]
        return {"action_pile": table["action_pile"]}

    # Playing cards.
    if kind in ("drawn", "drawn_aside", "replaced"):
        to = {"drawn": ["held"], "drawn_aside": ["three", place], "replaced": ["layout", seat, slot]}[kind]
        card = table["draw"].pop()
        lay(table, card, *to)
        return {"card": card}
    if kind == "taken":
        card = table["discard"].pop()
        lay(table, card, "held")
        return {"card": card, "top": table["discard"][-1:]}
    if kind == "kept":
        lay(table, lift(table, "three", place), "held")
    if kind in ("tossed", "dropped"):
        card = lift(table, *(["held"] if kind == "tossed" else ["three", place]))
        table["discard"].append(card)
        return {"card": card}
    if kind == "swapped":
        out, card = lift(table, "layout", seat, slot), lift(table, "held")
        lay(table, card, "layout", seat, slot)
        table["discard"].append(out)
        return {"card": card, "out": out}
    if kind == "flipped":
        return {"card": look(table, "layout", seat, slot)}
    if kind == "line_looked":
        return {"cards": [look(table, "layout", event["owner"], each) for each in event["slots"]]}
    if kind == "exchanged":
        one, other = [["layout", event[name]["seat"], event[name]["slot"]] for name in ("one", "other")]
        first, second = lift(table, *one), lift(table, *other)
        lay(table, first, *other)
        lay(table, second, *one)
    if kind == "removed":
        table["discard"].insert(0, lift(table, "layout", seat, slot))
    if kind == "line_cleared":
        cards = [lift(table, "layout", seat, each) for each in event["slots"]]
        table["discard"] += cards
        return {"cards": cards}
    if kind == "layouts_revealed":
        return {"cards": [dict(c, card=look(table, "layout", c["seat"], c["slot"])) for c in event["cards"]]}

    # Action cards. All are face up: a played card is named and must be in its place.
    if kind == "action_taken":
        source, laid, hand = event["source"], [], look(table, "hand", seat)
        if source == "pile":
            card = table["action_pile"].pop()
        else:
            card = lift(table, "open", source)
            if table["action_pile"]:
                laid = [table["action_pile"].pop()]
                lay(table, laid[0], "open", source)
        hand.append(card)
        return {"card": card, "laid": laid}
    if kind == "action_laid_open":
        card = table["action_pile"].pop()
        lay(table, card, "open", place)
        return {"card": card}
    if kind == "blocked" and table["move"]:
        # The event does not tell what the seat chose. It must have been there, and so must the attack.
        chosen, attack = table["move"], table["action_discard"][-1]
        there = ["layout", seat, chosen["slot"]] if chosen["type"] == "pick" else ["hand", seat]
        need(attack == {"pick": "swap_players", "steal": "steal_action"}[chosen["type"]], "no card attacks this way")
        need(not same(seat, table["by"]), "a seat does not attack itself")
        need(chosen["type"] == "pick" or chosen["card"] in look(table, *there), "the victim does not have the card")
        look(table, *there)
    if kind in ("played", "discarded", "blocked", "stolen"):
        card = "defence" if kind == "blocked" else card
        look(table, "hand", event["victim"] if kind == "stolen" else seat).remove(card)
        table["action_discard"].append(card)
    if kind == "replayed":
        discard = table["action_discard"]
        discard.append(discard.pop(max(i for i, each in enumerate(discard) if each == card)))
    if kind == "effect_lapsed":
        return {"card": table["action_discard"][-1]}
    return {}


SYMBOLS = ["scimitar", "crescent", "turban", "cross_tile"]


def scandaroon(table, event, dealer):
    """`lying` holds the occupied slots of the rows, the number of slots of each row, and the hands. Events name the
    card that is played, exchanged or discarded, and its place; it must be there.
    """
    kind, seat, card, spot = [event.get(name) for name in ("type", "seat", "card", "spot")]
    seats, discard = range(table["seats"]), table.setdefault("discard", [])
    if kind == "prepared":
        chance = dealer()
        table["starter"], table["trumps"] = chance.below(table["seats"]), chance.shuffled(SYMBOLS)
        table["draw"] = chance.shuffled([each["id"] for each in table["deck"]["cards"]])
        table["lying"] = {}
        for i in seats:
            lay(table, [], "hand", i)
            lay(table, 0, "slots", i)
        below, trump = table["trumps"][:-1], table["trumps"][-1]
        return {"starter": table["starter"], "trump": trump, "trump_cards": below, "draw": table["draw"]}
    if kind == "reshuffled":
        table["draw"] = dealer().shuffled(table["draw"] + discard)
        discard.clear()
        return {"draw": table["draw"]}
    if kind == "hands_dealt":
        given, dealt = [len(event["cards"][i]) for i in seats], [[] for _ in seats]
        first = [canonical(i) for i in seats].index(canonical(table["starter"]))
        while any(given):
            for i in [*seats[first:], *seats[:first]]:
                if given[i]:
                    dealt[i].append(table["draw"].pop())
                    given[i] -= 1
        for i in seats:
            look(table, "hand", i).extend(dealt[i])
        return {"cards": dealt}
    if kind == "trump_revealed":
        table["trumps"].insert(0, table["trumps"].pop())
        return {"trump": table["trumps"][-1]}
    if kind == "drawn":
        cards = [table["draw"].pop() for _ in event["cards"]]
        look(table, "hand", seat).extend(cards)
        return {"cards": cards}

    # A card lies there, and stays.
    if kind == "used":
        look(table, "row", seat, event["position"])
    if kind in ("targeted", "protected", "boosted"):
        for each in event["spots"] if kind == "boosted" else [spot]:
            look(table, "row", each["row"], each["position"])

    # From hands.
    if kind == "played":
        look(table, "hand", seat).remove(card)
        lay_last(table, card, event["row"])
    if kind == "exchanged" or (kind == "stone_played" and "position" not in event):
        look(table, "hand", seat).remove(card)
        discard.append(card)

    # From rows.
    if kind == "stone_played" and "position" in event:
        discard.append(lift(table, "row", seat, event["position"]))
        return {"card": discard[-1]}
    if kind == "spent":
        discard.append(lift(table, "row", seat, event["position"]))
    if kind == "removed":
        discard.append(lift(table, "row", spot["row"], spot["position"]))
    if kind in ("returned", "stolen"):
        hand = look(table, "hand", event["to"] if kind == "returned" else seat)
        hand.append(lift(table, "row", spot["row"], spot["position"]))
    if kind == "swapped":
        one, other = [["row", event[name]["row"], event[name]["position"]] for name in ("one", "other")]
        first, second = lift(table, *one), lift(table, *other)
        lay(table, first, *other)
        lay(table, second, *one)
    if kind == "shifted":
        row, to = spot["row"], event["to"]
        card = lift(table, "row", row, spot["position"])
        if canonical(to["row"]) != canonical(row):
            return {"to": {"row": to["row"], "position": lay_last(table, card, to["row"])}}
        slots = range(look(table, "slots", row))
        places = [i for i in slots if canonical(["row", row, i]) in table["lying"] or i == spot["position"]]
        others = [lift(table, "row", row, i) for i in places if i != spot["position"]]
        others.insert([canonical(i) for i in places].index(canonical(to["position"])), card)
        for i in places:
            lay(table, others.pop(0), "row", row, i)
    if kind == "round_scored":
        for each in event["taken"]:
            lift(table, "row", each["row"], each["position"])
    if kind == "table_cleared":
        for row in seats:
            slots = range(lift(table, "slots", row))
            lay(table, 0, "slots", row)
            discard += [lift(table, "row", row, i) for i in slots if canonical(["row", row, i]) in table["lying"]]
        table["starter"] = event["starter"]
    return {}


def lay_last(table, card, row):
    """Put the card into a new slot at the end of the row; returns the slot."""
    slot = lift(table, "slots", row)
    lay(table, slot + 1, "slots", row)
    lay(table, card, "row", row, slot)
    return slot


COLOURS = ["green", "blue", "red", "orange"]


def scopinion(table, event, dealer):
    """`lying` holds the hand, deck, discard, vault and showcase of each seat. Events name the card that a seat plays,
    buys, secures or discards; it must be in the place that it comes from.
    """
    kind, seat, card = [event.get(name) for name in ("type", "seat", "card")]
    if kind == "dealt":
        chance, cards, seats = dealer(), table["deck"]["cards"], table["seats"]
        starter = chance.below(seats)
        sets = [[each["id"] for each in cards if each.get("colour") == colour] for colour in COLOURS]
        decks = [chance.shuffled(each) for each in [each for each in sets if each][:seats]]
        middle = [each["id"] for each in cards if each["kind"] == "central" or each.get("group") == "A"]
        supply = chance.shuffled(middle)
        targets = chance.shuffled([each["id"] for each in cards if each.get("group") == "B"])
        purple = sorted((each for each in cards if each.get("group") == "C"), key=lambda each: -each["value"])
        purple = [each["id"] for each in purple]
        cut, least = len(supply) - {2: 15, 3: 9, 4: 0}[seats], len(targets) - {2: 5, 3: 3, 4: 0}[seats]
        supply, removed, removed_targets = supply[:cut], supply[cut:], targets[least:]
        targets, hands = targets[:least], [each[-2:] for each in decks]
        table["lying"] = {}
        for i in range(seats):
            for name, pile in (("hand", hands[i][::-1]), ("deck", decks[i][:-2])):
                lay(table, pile, name, i)
            for name in ("discard", "vault", "showcase"):
                lay(table, [], name, i)
        table["display"], table["supply"], table["graveyard"] = supply[-3:], supply[:-3], []
        table["targets"], table["purple"], table["covered"] = purple + targets, len(purple), False
        table["stage"] = []
        return {
            "starter": starter, "decks": [each[:-2] for each in decks], "hands": hands, "supply": supply[:-3],
            "display": supply[-3:], "purple": purple, "targets": targets[:-1], "turned": targets[-1:],
            "removed": removed, "removed_targets": removed_targets,
        }  # fmt: skip
    if kind in ("bought", "played", "trashed", "turn_ended"):
        named = {"bought": "laid", "played": "card", "trashed": "by", "turn_ended": "staged"}[kind]
        for each in event[named] if isinstance(event[named], list) else [event[named]]:
            look(table, "hand", seat).remove(each)
            table["stage"].append(each)
    if kind == "bought":
        if card in table["display"]:
            table["display"][table["display"].index(card)] = None
        else:
            card = table["targets"].pop()
            table["covered"] = len(table["targets"]) > table["purple"]
        asked = (table["move"] or {}).get("to")
        need(event["to"] == asked or (asked is None and event["to"] != "showcase"), "the move names another place")
        to = table["stage"] if event["to"] == "stage" else look(table, event["to"], seat)
        to.append(card)
        return {"card": card}
    if kind == "trashed":
        look(table, "hand", seat).remove(card)
        table["graveyard"].append(card)
    if kind == "secured":
        look(table, "hand", seat).remove(card)
        look(table, "vault", seat).append(card)
    if kind == "pik_off_made":
        place = table["display"].index(card)
        table["graveyard"].append(card)
        table["display"][place : place + 1] = cards = table["supply"][-1:] or [None]
        del table["supply"][-1:]
        return {"filled": [each for each in cards if each is not None]}

    # Drawing.
    if kind == "drawn_aside":
        table["aside"] = top(table, event)
        return {"card": table["aside"]}
    if kind == "kept":
        look(table, "hand", seat).append(table["aside"])
    if kind == "rejected":
        table["stage"].append(table["aside"])
        return {"card": table["aside"]}
    if kind == "drawn":
        cards = [top(table, event) for _ in event["cards"]]
        look(table, "hand", seat).extend(cards)
        return {"cards": cards}
    if kind == "shuffled":
        deck = dealer().shuffled(lift(table, "deck", seat) + lift(table, "discard", seat))
        lay(table, deck, "deck", seat)
        lay(table, [], "discard", seat)
        return {"deck": list(deck)}
    if kind == "turn_ended":
        held = [] if (table["move"] or {}).get("hold") is None else [table["move"]["hold"]]
        need(look(table, "hand", seat) == held, "another card was held")
        look(table, "discard", seat).extend(table["stage"])
        drawn = [look(table, "deck", seat).pop() for _ in event["drawn"]]
        look(table, "hand", seat).extend(drawn)
        turned, table["stage"], table["covered"] = table["targets"][-1:] if table["covered"] else [], [], False
        return {"drawn": drawn, "filled": filled(table), "turned": turned}
    if kind == "cards_revealed":
        seats = range(table["seats"])
        return {name + "s": [look(table, name, i) for i in seats] for name in ("hand", "deck", "vault")}
    return {}


def filled(table):
    """Fill the empty places of the display from the supply; returns the cards."""
    cards = []
    for place, card in enumerate(table["display"]):
        if card is None and table["supply"]:
            cards.append(table["supply"].pop())
            table["display"][place] = cards[-1]
    return cards


def top(table, event):
    """Draw a card from the top of the deck or from the bottom of the graveyard."""
    if event["source"] == "deck":
        return look(table, "deck", event["seat"]).pop()
    return table["graveyard"].pop(0)


GRID_MOVES = {
    "flip": ("slot", {"flipped": {"slot": "$slot"}}),
    "draw": ("", {"drawn": {}, "ran_out": {}}),
    "take": ("", {"taken": {}}),
    "swap": ("slot", {"swapped": {"slot": "$slot"}}),
    "toss": ("", {"tossed": {}}),
}
SPOT = {"row": "$row", "position": "$position"}

TABLE = {
    "scandaroon/1": {
        "searches": ["deep/1"],
        "seats": (3, 4),
        "events": roles(
            deal="prepared reshuffled",
            own="boosted drawn exchanged passed played protected removed returned shifted spent stolen stone_played "
            "swapped targeted trump_changed used",
            then="hands_dealt round_scored table_cleared trump_flipped trump_revealed turn_began won",
        ),
        "moves": {
            "play": ("card row", {"played": {"card": "$card", "row": "$row"}}),
            "use": ("position", {"used": {"position": "$position"}}),
            "target": (
                "row position",
                {
                    "boosted": {"spots": [SPOT]},
                    "swapped": {"other": SPOT},
                    **{kind: {"spot": SPOT} for kind in ("targeted", "removed", "returned", "protected", "stolen")},
                },
            ),
            "place": ("position? row?", {"shifted": {"to": SPOT}}),
            "set_trump": ("trump", {"trump_changed": {"trump": "$trump"}}),
            "stone": (
                "symbol card? position?",
                {"stone_played": {"symbol": "$symbol", "card": "$card", "position": "$position"}},
            ),
            "exchange": ("card", {"exchanged": {"card": "$card"}}),
            "stop": ("", {"drawn": {}, "spent": {}}),
            "pass": ("", {"passed": {}}),
        },
        "acting": roles(seat="drawn exchanged stone_played targeted turn_began used"),
        "result": scandaroon_result,
        "hidden": {
            "prepared": {"trump_cards": 1, "draw": 1},
            "reshuffled": {"draw": 1},
            "hands_dealt": {"cards": 2},
            "drawn": {"cards": 1},
        },
        "follow": scandaroon,
    },
    "scopinion/1": {
        "searches": ["deep/1"],
        "seats": (2, 4),
        "events": roles(
            deal="dealt shuffled",
            own="bought kept pik_off_made played rejected secured trashed turn_ended",
            then="cards_revealed drawn drawn_aside end_triggered scored turn_began won",
        ),
        "moves": {
            "buy": ("card pay to", {"bought": {"card": "$card", "how": "pay", "laid": "$pay"}}),
            "triple": ("card by other to", {"bought": {"card": "$card", "how": "triple", "laid": ["$by", "$other"]}}),
            "take": ("card by", {"bought": {"card": "$card", "how": "take", "laid": ["$by"]}}),
            "draw_one": ("by", {"played": {"card": "$by", "function": "draw_one"}}),
            "keep_drawn": ("keep", {"kept": {"$keep": True}, "rejected": {"$keep": False}}),
            "draw_two": ("by", {"played": {"card": "$by", "function": "draw_two"}}),
            "trash": ("card by", {"trashed": {"card": "$card", "by": "$by"}}),
            "secure": ("card", {"secured": {"card": "$card"}}),
            "pik_off": ("card", {"pik_off_made": {"card": "$card"}}),
            "end_turn": ("hold reshuffle", {"turn_ended": {"reshuffle": "$reshuffle"}}),
        },
        "acting": roles(
            seat="bought drawn drawn_aside kept pik_off_made secured trashed turn_began",
            mover="end_triggered",
            next="turn_ended",
        ),
        "result": scopinion_result,
        "hidden": {
            "dealt": {"decks": 2, "hands": 2, "supply": 1, "targets": 1, "removed": 1, "removed_targets": 1},
            "drawn": {"cards": 1},
            "drawn_aside": {"card": 0},
            "secured": {"card": 0},
            "shuffled": {"deck": 1},
            "turn_ended": {"drawn": 1},
        },
        "follow": scopinion,
    },
    "scout/1": {
        "searches": ["deep/1"],
        "seats": (2, 5),
        "events": roles(
            deal="dealt lot_drawn",
            own="oriented scouted shown",
            then="round_scored stuck turn_began won",
        ),
        "moves": {
            "keep": ("", {"oriented": {"turned": False}}),
            "turn": ("", {"oriented": {"turned": True}}),
            "show": ("start count", {"shown": {"start": "$start", "cards": "#count"}}),
            "scout": (
                "end flip position show",
                {"scouted": {"end": "$end", "flip": "$flip", "position": "$position", "show": "$show"}},
            ),
        },
        "acting": roles(all="dealt", seat="scouted turn_began"),
        "result": highest_wins,
        "hidden": {
            "dealt": {"hands": 2, "aside": 1},
            "oriented": {"turned": 0},
            "shown": {"start": 0},
            "scouted": {"flip": 0, "position": 0},
        },
        "follow": scout,
    },
    "skyjo/1": {
        "searches": [],
        "seats": (2, 8),
        "events": roles(
            deal="dealt restocked",
            own="drawn flipped ran_out swapped taken tossed",
            then="column_cleared final_lap_began layouts_revealed round_scored turn_began won",
        ),
        "moves": GRID_MOVES,
        "acting": roles(all="dealt", seat="drawn taken tossed turn_began"),
        "result": lowest_wins,
        "hidden": {"dealt": {"layouts": 2, "draw": 1}, "restocked": {"draw": 1}, "drawn": {"card": 0}},
        "follow": skyjo,
    },
    "skyjo_action/1": {
        "searches": [],
        "seats": (2, 8),
        "events": roles(
            deal="actions_restocked dealt restocked",
            own="action_taken discarded drawn dropped exchanged flipped kept kept_none line_looked lines_kept picked "
            "played replayed stolen swapped taken tossed",
            move="blocked line_cleared pick_skipped ran_out removed",
            then="action_laid_open drawn_aside effect_lapsed final_lap_began layouts_revealed lines_offered "
            "move_began moves_added picks_granted replaced round_scored starter_found turn_began victims_named won",
        ),
        "moves": {
            **GRID_MOVES,
            "take_action": ("source", {"action_taken": {"source": "$source"}, "ran_out": {}}),
            "skip_action": ("", {"pick_skipped": {}}),
            "play": ("card", {"played": {"card": "$card"}}),
            "discard": ("card", {"discarded": {"card": "$card"}}),
            "pick": (
                "seat slot",
                {
                    "picked": {"place": {"seat": "$seat", "slot": "$slot"}},
                    "exchanged": {"other": {"seat": "$seat", "slot": "$slot"}},
                    "removed": {"seat": "$seat", "slot": "$slot"},
                    "blocked": {"seat": "$seat"},
                },
            ),
            "look": ("seat line", {"line_looked": {"owner": "$seat", "line": "$line"}}),
            "keep": ("place", {"kept": {"place": "$place"}}),
            "keep_none": ("", {"kept_none": {}}),
            "drop": ("place", {"dropped": {"place": "$place"}}),
            "steal": ("seat card", {"stolen": {"victim": "$seat", "card": "$card"}, "blocked": {"seat": "$seat"}}),
            "replay": ("card", {"replayed": {"card": "$card"}}),
            "clear_line": ("line", {"line_cleared": {"line": "$line"}}),
            "keep_lines": ("", {"lines_kept": {}}),
        },
        "acting": roles(
            all="dealt",
            seat="drawn drawn_aside dropped kept kept_none lines_offered move_began picked played replayed stolen "
            "swapped taken tossed turn_began",
            mover="replaced victims_named",
        ),
        "result": lowest_wins,
        "hidden": {
            "dealt": {"layouts": 2, "draw": 1, "action_pile": 1},
            "restocked": {"draw": 1},
            "actions_restocked": {"action_pile": 1},
            "drawn": {"card": 0},
            "drawn_aside": {"card": 0},
            "line_looked": {"cards": 1},
        },
        "follow": skyjo_action,
    },
}


if __name__ == "__main__":
    sys.exit(main())
