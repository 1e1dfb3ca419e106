"""What a league agrees on before it begins, and the secret from which its deals follow."""

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from agents.bots import UnknownBot, bot_named
from agents.external import Manners
from agents.table import Rules
from domain.game.clock import MAX_BANK
from domain.messages import Value
from domain.player import ID
from domain.registry import RULESETS
from domain.ruleset import InvalidSetup

FILLER = "careful/1"
"""The house player that takes the seats which entrants leave empty."""
HTTP, DESK, PLAYER = "http:", "desk:", "player:"
"""How published terms name a bot that is asked at an address, and how terms name one that comes to the desk, and a
person by the id of their player."""

SHORTEST = 5
"""Seconds that people have to think, at least: a clock of a service has no fewer."""

OURS = re.compile(r"[a-z_]+/[0-9]+|(deep|erring):[0-9]\S*")
"""Bots that make the same choices again from the terms and the secret alone."""

PRINTABLE = "^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
Line: TypeAlias = Annotated[str, Meta(max_length=120, pattern=PRINTABLE)]
"""Text of an operator or an entrant, on one line."""
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60, pattern=PRINTABLE)]


class InvalidTerms(Exception):
    """The terms contradict each other or the ruleset. The message says how."""


class Entrant(Value, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is ranked."""

    name: Name
    bot: Line
    """As in `arena`, or `desk:`."""
    kind: Line = ""
    """What it is, in words: a claim."""
    owner: Line = ""
    """Entrants of one owner never share a table."""
    games: Annotated[int, Meta(ge=1, le=256)] | UnsetType = UNSET
    """The number of games that it plays at once, if it is asked outside of this process. Default: 4, a person 1."""
    entropy: Annotated[str, Meta(max_length=64, pattern="^[ -~]*$")] = ""
    """Chosen by the entrant after the commitment is published."""
    fills: bool = False
    """It is here only so that the tables are full."""

    @property
    def is_asked(self) -> bool:
        """Whether it answers from outside, or by code that is not ours: its answers are kept in the journal."""
        return OURS.fullmatch(self.bot) is None

    @property
    def at_once(self) -> int:
        return self.games if self.games is not UNSET else 1 if self.is_person else 4

    @property
    def is_person(self) -> bool:
        """Whether it is a player of a service, who plays there."""
        return self.bot.startswith(PLAYER)

    @property
    def player(self) -> str:
        """The id of the person's player."""
        return self.bot.removeprefix(PLAYER)

    @property
    def comes(self) -> bool:
        """Whether it comes to the desk."""
        return self.bot == DESK


class Terms(Value, kw_only=True, forbid_unknown_fields=True):
    """The terms of a league, as its TOML file has them. Two files with equal terms and secrets are the same league."""

    title: Name
    ruleset: str
    """The name, or with the version of the rules: `NAME/N`."""
    seats: int
    boards: Annotated[int, Meta(ge=2, le=10_000)]
    """Each has its own deal. Every entrant has one seat of each board."""
    entrant: Annotated[tuple[Entrant, ...], Meta(min_length=2, max_length=60)]
    options: dict[str, Any] = {}
    think: Annotated[float, Meta(gt=0, le=86_400)] = 60.0
    """Seconds for a choice, all attempts together."""
    retries: Annotated[int, Meta(ge=0, le=10)] = 1
    strikes: Annotated[int, Meta(ge=1, le=1_000)] = 3
    at_once: Annotated[int, Meta(ge=1, le=256)] = 16
    """The number of games at once, if anybody is asked outside."""
    sit: Annotated[int, Meta(ge=1, le=30 * 86_400)] | UnsetType = UNSET
    """With people: the seconds for which a table waits until all of them sit. Default: 600."""
    text: Literal["en", "de"] | None = None
    """The language in which bots over HTTP get the table as text, too, and in which the desk speaks."""

    @property
    def manners(self) -> Manners:
        return Manners(self.think, self.retries, self.strikes, self.text)

    @property
    def rules(self) -> Rules:
        return RULESETS[self.ruleset.split("/")[0]]

    @property
    def has_people(self) -> bool:
        """Whether the games are played at a service."""
        return any(each.is_person for each in self.entrant)

    @property
    def tables(self) -> int:
        """Of each board."""
        return len(self.entrant) // self.seats

    @property
    def published(self) -> "Terms":
        """Without addresses, which may contain a password, and without the entropies, which come later."""
        return replace(self, entrant=tuple([replace(public(each), entropy="") for each in self.entrant]))


def public(entrant: Entrant) -> Entrant:
    return replace(entrant, bot=HTTP) if entrant.bot.startswith(("http:", "https:")) else entrant


def read(file: Path) -> Terms:
    """Raises `InvalidTerms` and OSError."""
    try:
        terms = msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Terms)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise InvalidTerms(f"{file}: {error}") from None
    if any(each.bot.startswith((HTTP, "https:")) and not is_address(each.bot) for each in terms.entrant):
        raise InvalidTerms("An address of a bot is not valid: http://HOST:PORT/PATH, without name and password.")
    return checked(terms)


def checked(terms: Terms, *, found: bool = False) -> Terms:
    """The terms with the version of the rules, all options, full names of published bots, and an entrant for each seat.

    `found`: in a league of others, so no code that they name is imported. Raises `InvalidTerms`.
    """
    rules = RULESETS.get(terms.ruleset.split("/")[0])
    if rules is None or terms.ruleset not in (rules.name, rules.rules):
        raise InvalidTerms(f"There is no ruleset {terms.ruleset!r}: {', '.join(RULESETS)}.")
    if rules.teams is not None:
        raise InvalidTerms(f"{rules.name} has partners: an entrant has one seat of a board.")
    if terms.seats not in rules.seats:
        raise InvalidTerms(f"{rules.name} has {rules.seats[0]} to {rules.seats[-1]} seats, not {terms.seats}.")
    options = {**rules.board, **terms.options}
    if unknown := set(options) - set(rules.options.__struct_fields__):
        raise InvalidTerms(f"{min(unknown)!r} is not an option of {rules.name}.")
    try:
        made = msgspec.convert(options, rules.options)
        rules.initial(terms.seats, made, next(iter(rules.decks.values())))
    except (msgspec.ValidationError, InvalidSetup) as error:
        raise InvalidTerms(f"The options are not valid: {error}") from None
    entrants = [
        each if found and each.is_asked else replace(each, bot=full_name(rules, each.bot)) for each in terms.entrant
    ]
    people = [each.player for each in entrants if each.is_person]
    check_people(terms, people)
    # At a service a common deal has two tables at least.
    empty = range(1, max(-len(entrants) % terms.seats, (2 * terms.seats - len(entrants)) * bool(people)) + 1)
    entrants += [Entrant(name=f"{FILLER} ({number})", bot=FILLER, fills=True) for number in empty]
    names = [each.name for each in entrants]
    if len(set(names)) < len(names):
        raise InvalidTerms("Two entrants have the same name.")
    owners = Counter([each.owner for each in entrants if each.owner])
    if owners and max(owners.values()) > len(entrants) // terms.seats:
        raise InvalidTerms("An owner has more entrants than a board has tables, and they never share one.")
    return replace(terms, ruleset=rules.rules, options=options, entrant=tuple(entrants))


def check_people(terms: Terms, people: Sequence[str]) -> None:
    """Raises `InvalidTerms`."""
    if terms.sit is not UNSET and not people:
        raise InvalidTerms("`sit` is for people, and the league has none.")
    if any(not re.fullmatch(ID, each) for each in people):
        raise InvalidTerms(f"A person is `{PLAYER}ID`, with the id of a player of the service.")
    if len({*people}) < len(people):
        raise InvalidTerms("A player is an entrant once.")
    if people and not SHORTEST <= terms.think <= MAX_BANK:
        raise InvalidTerms(f"People have {SHORTEST} to {MAX_BANK} seconds to think.")


def full_name(rules: Rules, bot: str) -> str:
    """The bot with its version, so that the terms say which one plays. Raises `InvalidTerms`."""
    if bot == DESK or bot.startswith((HTTP, "https:", PLAYER)):
        return bot
    try:
        bot_named(rules, bot)
    except UnknownBot as error:
        raise InvalidTerms(str(error)) from None
    return next((full for full in reversed(rules.house) if bot in (full, full.split("/")[0])), bot)


def is_address(url: str) -> bool:
    """Whether it can be asked. Errors about addresses repeat parts of them, and are in the journal."""
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        return False


# --- the secret -------------------------------------------------------------------------------------------------------


def commitment(secret: str) -> str:
    """What is published before the entrants choose their entropies."""
    return sha256(secret.encode()).hexdigest()


def seed_of(terms: Terms, secret: str) -> bytes:
    """From which all deals and the schedule follow: nobody chooses them alone."""
    return sha256("\n".join([secret, *[each.entropy for each in terms.entrant]]).encode()).digest()


def secret_of_board(seed: bytes, board: int) -> bytes:
    return sha256(seed + b"\n" + str(board).encode()).digest()
