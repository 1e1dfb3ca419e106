"""All settings: environment variables `STAMMTISCH_<NAME>`, read once at start. This is their one documented place."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from domain.player import NAMESPACE

PREFIX = "STAMMTISCH_"

LIMIT = r"^(off|[1-9][0-9]{0,6}(\.[0-9]+)?(/[1-9][0-9]{0,6})?)$"
"""How a limit is written."""


class InvalidSettings(Exception):
    """A setting cannot be used. The message names the variable and what is wrong."""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the service runs."""

    host: Annotated[str, Meta(description="The address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="The port to listen on; 0 takes a free one.")] = 8000
    database: Annotated[
        str,
        Meta(
            min_length=1,
            description="Where games are kept: the path of an SQLite file, also as `sqlite:///PATH`, or a PostgreSQL "
            "database, `postgresql://USER:PASSWORD@HOST/NAME`. Only one service can use an SQLite file, with any "
            "number of workers, or several services with the same Redis; each locks the file `PATH.lock` beside it.",
        ),
    ] = "stammtisch.db"
    postgres_pool_size: Annotated[
        int,
        Meta(
            ge=2, le=100,
            description="How many connections to PostgreSQL each process keeps for the log; for what is queried, such "
            "as the lobby, it opens as many again when there is need.",
        ),
    ] = 5  # fmt: skip
    writer: Annotated[
        Literal["auto", "process", "thread"],
        Meta(
            description="What writes to the SQLite file: a `process` of its own beside each that serves, with which "
            "many moves at once are faster where there is a core for it, or a `thread`. `auto`: a process where there "
            "are more cores than `WORKERS`. A database on a server is written to by a thread."
        ),
    ] = "auto"
    redis: Annotated[
        str,
        Meta(
            pattern=r"^((redis|rediss|unix)://.*)?$",
            description="Where processes on one database tell each other how far their games have come, count requests "
            "together and keep answers ready: `redis://HOST:PORT/NUMBER`, `rediss://` with TLS, `unix://PATH`. Nothing "
            "is lost with what is kept there. Empty: each process reads what the others have done in the database.",
        ),
    ] = ""
    eventstore_module: Annotated[
        str,
        Meta(
            description="Another persistence module of the eventsourcing library, which then keeps the log; its own "
            "variables are read from the environment, and `STAMMTISCH_DATABASE` keeps what is queried and what may "
            "change, such as the invites of private games."
        ),
    ] = ""
    decks: Annotated[
        str,
        Meta(
            description="A folder with deck files (`*.json`) of your own, which games can be opened with beside the "
            "decks that come with us. It is read at the start; `stammtisch deck check FILE` says what is wrong with a "
            "file."
        ),
    ] = ""
    workers: Annotated[int, Meta(ge=1, le=64, description="How many processes serve, all on the same database.")] = 1
    secret: Annotated[
        str,
        Meta(
            description="What guests' tokens are signed with, at least 32 characters. Of several, one a line, the "
            "first signs and all are believed: to change it put a new one in front, and drop the old one when its "
            "tokens have expired. Without any a secret is made at the first start and kept in a file that only its "
            "owner can read, beside the SQLite file or, with "
            "PostgreSQL, in the working directory. Processes on several machines need the same one: set it there."
        ),
    ] = ""
    issuer_key: Annotated[
        str,
        Meta(
            description="What an integrating site signs its players' tokens with: a shared secret of at least 32 "
            "characters (HS256), or a public key in PEM (RS256, ES256, EdDSA); or several, one below the other, each "
            "of which is believed; none of them may be one of `SECRET`. Empty: no foreign tokens."
        ),
    ] = ""
    issuer: Annotated[
        str, Meta(description="The `iss` claim that tokens of the integrating site must carry; empty: any but ours.")
    ] = ""
    issuer_namespace: Annotated[
        str,
        Meta(
            pattern=rf"^{NAMESPACE}$(?!\n)",
            description="What the ids of the integrating site's players begin with: `NAMESPACE:SUB`, with the `sub` "
            "claim of their tokens. 1 to 32 lower-case letters, digits and hyphens, a letter first. Ids stay in the "
            "log of all games for ever: `sub` must be opaque, never an e-mail address or a name. Choose the namespace "
            "once: under another one the same users are other players.",
        ),
    ] = "site"
    token_days: Annotated[int, Meta(ge=1, le=3650, description="How long a guest's token is valid.")] = 365
    rate_limit: Annotated[
        str,
        Meta(
            pattern=LIMIT,
            description="Requests per second for each player, or address where nobody is signed in; after a slash how "
            "many may come at once: `200/400`. `off` turns the limit off.",
        ),
    ] = "200/400"
    open_games: Annotated[
        int,
        Meta(
            ge=1, le=1000,
            description="How many games that are not over a player may have: games at which they sit, whoever opened "
            "them, and games that they opened, whether or not they sit there. A player at the limit can go on playing, "
            "but can neither open another game nor sit down at one. One process never exceeds it. With several "
            "processes a player can exceed it by the games that they get from the other processes in the half second "
            "before these are counted.",
        ),
    ] = 500  # fmt: skip
    waiting_days: Annotated[
        float,
        Meta(
            gt=0, le=3650,
            description="How many days a game waits for its players. If it has not begun by then it is aborted with "
            "the cause `expired`.",
        ),
    ] = 7  # fmt: skip
    longest: Annotated[
        int,
        Meta(
            ge=50,
            description="After how many events a new game is aborted if it is not over, with the cause `longest`. "
            "Each game keeps the number that it was opened with.",
        ),
    ] = 50_000  # fmt: skip
    storage: Annotated[
        int,
        Meta(
            ge=1,
            description="How many MiB of the database the games that a player opened may take, branches included. "
            "A player at the limit can neither open a game nor a branch. Events that a game gets after its opening "
            "count when it is over.",
        ),
    ] = 1024  # fmt: skip
    max_connections: Annotated[
        int,
        Meta(
            ge=1,
            description="How many connections of clients each process keeps open at once; whoever comes beyond that is "
            "answered 503. Where the limit of open files allows less, it is less.",
        ),
    ] = 12_000
    client_timeout: Annotated[
        float,
        Meta(
            ge=1, le=3600,
            description="Seconds that a client may take to send a request, and to read on in what it was sent, before "
            "its connection is cut.",
        ),
    ] = 20  # fmt: skip
    trusted_proxies: Annotated[
        str,
        Meta(
            pattern=r"^[0-9A-Fa-f.:/, ]*$",
            description="The addresses or networks, with commas between them, of reverse proxies whose "
            "`X-Forwarded-For` says where a request comes from. Empty: nobody is believed. Behind a proxy that is not "
            "named here all requests without a token count as those of one address.",
        ),
    ] = ""
    address_limit: Annotated[
        str,
        Meta(
            pattern=LIMIT,
            description="The same for each address, whoever calls from there; /64 networks of IPv6 count as one.",
        ),
    ] = "1000/2000"
    guest_limit: Annotated[
        str, Meta(pattern=LIMIT, description="The same for new guests from an address. Off where `RATE_LIMIT` is off.")
    ] = "1/60"
    cors_origins: Annotated[
        str,
        Meta(
            pattern=r"^(\*|(https?://[^\s/,]+(, *https?://[^\s/,]+)*)?)$",
            description="The origins, with commas between them, whose pages may use the API from a browser, or `*` for "
            "all. No harm comes of `*`: the service has no cookies, and a page has only the tokens that it was given.",
        ),
    ] = ""
    cached_games: Annotated[int, Meta(ge=1, description="How many games each process keeps in memory.")] = 10_000
    max_streams: Annotated[int, Meta(ge=1, description="How many live streams each process keeps open at once.")] = (
        10_000
    )
    caller_streams: Annotated[
        int, Meta(ge=1, description="How many of them a player may have, or an address where nobody is signed in.")
    ] = 500
    address_streams: Annotated[
        int,
        Meta(
            ge=1,
            description="How many of them an address may have, whoever calls from there, but no fewer than "
            "`CALLER_STREAMS`; /64 networks of IPv6 count as one.",
        ),
    ] = 2_000
    access_log: Annotated[bool, Meta(description="Whether each request is logged, as a line of JSON on stdout.")] = True
    shutdown_timeout: Annotated[
        int, Meta(ge=1, le=300, description="After SIGTERM: how long accepted requests may take to finish.")
    ] = 10

    @property
    def on_a_server(self) -> bool:
        """Whether the database is PostgreSQL, at the URL `database`."""
        return self.database.startswith(("postgresql://", "postgres://"))

    @property
    def place(self) -> str:
        """The database as it may be told: without its password."""
        return repr(re.sub(r"(?<=//)[^/@]*@|(?<=password=)[^&]*", "...", self.database))

    @property
    def sqlite_path(self) -> Path:
        """The file of the log. Raises `InvalidSettings` where the database is none."""
        path = self.database.removeprefix("sqlite:///")
        if "://" in path:
            raise InvalidSettings(f"{PREFIX}DATABASE: {self.database!r} is neither an SQLite file nor postgresql://...")
        return Path(path)

    @property
    def projections_path(self) -> Path:
        """The file of the projections, beside the log's. It may be deleted: it is made again from the log."""
        return self.sqlite_path.with_suffix(".projections" + self.sqlite_path.suffix)

    @property
    def key_path(self) -> Path:
        """The file that keeps the secret when none is set."""
        return Path("stammtisch.key") if self.on_a_server else self.sqlite_path.with_suffix(".key")

    def environment(self) -> dict[str, str]:
        """The variables that say the same, for processes that are started from this one."""
        return {variable(name): text(value) for name, value in msgspec.structs.asdict(self).items()}


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + name.upper()


def read(environment: Mapping[str, str] = os.environ, **given: Any) -> Settings:
    """The settings of the environment; `given` ones win. Raises `InvalidSettings`."""
    found = {key.removeprefix(PREFIX).lower(): value for key, value in environment.items() if key.startswith(PREFIX)}
    found |= {name: text(value) for name, value in given.items() if value is not None}
    try:
        return msgspec.convert(found, Settings, strict=False)
    except msgspec.ValidationError as error:
        # Where the fault is comes last: "... - at `$.port`", or it is "Object contains unknown field `x`".
        name = re.search(r"`(?:\$\.)?(\w+)`$", str(error))
        at = variable(name[1]) + ": " if name else ""
        raise InvalidSettings(at + str(error).partition(" - at ")[0]) from None


def text(value: Any) -> str:
    """A setting as it is written in the environment."""
    return str(value).lower() if isinstance(value, bool) else str(value)
