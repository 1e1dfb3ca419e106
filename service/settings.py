"""All settings: environment variables `STAMMTISCH_<NAME>`, read once at the start.

`stammtisch serve --help` and docs/configuration.md are generated from the docstrings here.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from domain.player import NAMESPACE
from service.extension import REGISTERED
from service.field_docs import field_docs
from service.limits import LIMIT, LIMIT_FORM, Limits, assignments, limits, written

T = TypeVar("T")

PREFIX = "STAMMTISCH_"
LIMITS = f"{PREFIX}LIMITS"

Networks = Annotated[
    str,
    Meta(
        pattern=r"^[0-9A-Fa-f.:/, ]*$(?!\n)",
        extra={"form": "a list of addresses or networks with commas, such as `10.0.0.0/8, ::1`"},
    ),
]

LOOPBACK = frozenset(("127.0.0.1", "::1", "localhost"))
"""Values of `host` with which only programs on the same machine reach the service."""


class InvalidSettings(Exception):
    """A setting or a file cannot be used. The message is one line that names it and says what is wrong."""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the service runs."""

    host: str = "127.0.0.1"
    """The address to listen on."""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    """The port to listen on; 0 selects a free port."""
    database: Annotated[str, Meta(min_length=1)] = "stammtisch.db"
    """The database: the path of an SQLite file, also as `sqlite:///PATH`, or a PostgreSQL URL,
    `postgresql://USER:PASSWORD@HOST/NAME`. One service at a time can use an SQLite file, with any number of workers;
    several services can share it if they use the same Redis. A service locks the file `PATH.lock` beside it."""
    redis: Annotated[
        str, Meta(pattern=r"^((redis|rediss|unix)://.*)?$", extra={"form": "a URL, such as `redis://localhost:6379/0`"})
    ] = ""
    """A Valkey or Redis server (7 or newer) for several processes on one database: `redis://HOST:PORT/NUMBER`,
    `rediss://` with TLS, or `unix://PATH`. They share versions and events of games, responses and
    `RATE_LIMIT`. Its content can be lost at any time. Empty: each process asks the database what others did."""
    packages: str = ""
    """The installed packages whose rulesets are offered: names of distributions with commas between them, or `*` for
    all that have some. Their code has all rights of the service, and their pages those of its pages. It is read at the
    start. A ruleset that cannot be loaded is named on standard error and by `/health/ready`; the others are served."""
    decks: str = ""
    """A folder with your own deck files (`*.json`), offered beside the bundled decks. It is read at the start.
    `stammtisch deck check FILE` reports what is wrong with a file."""
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """The number of processes that serve requests, all on the same database."""
    secret: str = ""
    """The key that signs the tokens of guests, at least 32 characters. It may be several keys, one per line: the first
    signs, all are accepted. To change the key, put a new one in front, and remove the old one when its tokens have
    expired. Empty: a key is created at the first start and stored in a file beside the SQLite file, which only its
    owner can read. With PostgreSQL the key must be set: all processes need the same one."""
    issuer_key: str = ""
    """The key that an integrating site signs its players' tokens with: a shared secret of at least 32 characters
    (HS256), or a public key in PEM (RS256, ES256, EdDSA). It may be several keys, one below the other; all are
    accepted. No key of `SECRET` is allowed. Empty: tokens of other issuers are refused."""
    issuer: str = ""
    """The `iss` claim that tokens of the integrating site must have. Empty: any value except `stammtisch`."""
    issuer_namespace: Annotated[
        str,
        Meta(
            pattern=rf"^(?!bot$){NAMESPACE}$(?!\n)",
            extra={"form": "1 to 32 lower-case letters, digits and hyphens, a letter first, such as `site`; not `bot`"},
        ),
    ] = "site"
    """The prefix of the ids of the integrating site's players: `NAMESPACE:SUB`, where `SUB` is the `sub` claim of their
    tokens. 1 to 32 lower-case letters, digits and hyphens, a letter first; not `bot`. Ids stay in the log forever:
    `sub` must be opaque, never an e-mail address or a name. Do not change the namespace later: the same users would
    become other players."""
    rate_limit: Annotated[str, Meta(pattern=LIMIT, extra=LIMIT_FORM)] = "200/400"
    """Requests per second, and the burst after a slash, for each player, or for each address if the request has no
    token. `off` disables this limit and those of addresses and of new guests."""
    limits: Limits = msgspec.field(default_factory=Limits)
    """The [limits](#limits) that differ from their defaults: `NAME=VALUE` with commas between them, such as
    `max_streams=20000, max_connections=20000`."""
    max_cached_mib: Annotated[float, Meta(gt=0, le=1_048_576)] = 400
    """MiB of the games that each process keeps in memory: 40 to 140 KiB each. Others are read from the database when
    they are used."""
    public_url: Annotated[
        str, Meta(pattern=r"^(https?://[^\s?#]+)?$(?!\n)", extra={"form": "a URL, such as `https://games.example.com`"})
    ] = ""
    """The URL at which clients reach the service, such as `https://games.example.com`. Webhooks contain URLs of games
    that start with it, and so do pictures beside shared links. Empty: they contain paths. A service that listens on
    loopback refuses requests for other names than this one and `localhost`."""
    trusted_proxies: Networks = ""
    """Comma-separated addresses or networks of reverse proxies whose `X-Forwarded-For` is trusted. Empty: none. Behind
    a proxy that is not listed, all requests without a token count for one address."""
    cors_origins: Annotated[
        str,
        Meta(
            pattern=r"^(\*|((local|https?://[^\s/,]+)(, *(local|https?://[^\s/,]+))*)?)$",
            extra={"form": "`*`, `local`, or a list of origins with commas, such as `https://example.com`"},
        ),
    ] = "local"
    """Comma-separated origins whose pages may use the API from a browser, or `*` for all. `*` is safe: the service has
    no cookies, and a page has only the tokens that it was given. `local` stands for `http` and `https` on `localhost`,
    `127.0.0.1` and `[::1]` with any port, but only while `HOST` is one of these. Empty: none."""
    guests: Literal["on", "off"] = "on"
    """Whether anybody can register as a guest. `off`: only players with a token of an integrating site, and guests who
    registered before."""
    web: Literal["on", "off"] = "on"
    """Whether the service serves the pages for browsers: the lobby at `/`, and the tables."""
    access_log: bool = True
    """Log each request as a line of JSON on standard output."""
    extended: tuple[Any, ...] = ()
    """The settings of the extensions, each an instance of its type."""

    def of(self, kind: type[T]) -> T:
        """The settings of an extension."""
        return next((each for each in self.extended if isinstance(each, kind)), None) or kind()

    @property
    def uses_postgres(self) -> bool:
        """Whether `database` is the URL of a PostgreSQL database."""
        return self.database.startswith(("postgresql://", "postgres://"))

    @property
    def database_label(self) -> str:
        """The path or URL of the database for messages, quoted, without user and password."""
        return repr(re.sub(r"(?<=//)[^/@]*@|(?<=password=)[^&]*", "...", self.database))

    @property
    def sqlite_path(self) -> Path:
        """The SQLite file of the log. Raises `InvalidSettings` if the database is not a file."""
        path = self.database.removeprefix("sqlite:///")
        if "://" in path:
            raise InvalidSettings(f"{PREFIX}DATABASE: {self.database!r} is neither an SQLite file nor postgresql://...")
        return Path(path)

    @property
    def projections_path(self) -> Path:
        """The SQLite file of the projections, beside the log's. It may be deleted: it is rebuilt from the log."""
        return self.sqlite_path.with_suffix(".projections" + self.sqlite_path.suffix)

    @property
    def key_path(self) -> Path:
        """The file that stores the generated secret if none is set. Raises `InvalidSettings` with PostgreSQL."""
        if self.uses_postgres:
            raise InvalidSettings(
                f"{PREFIX}SECRET: must be set with PostgreSQL, at least 32 characters, such as the output of "
                "`openssl rand -hex 32`"
            )
        return self.sqlite_path.with_suffix(".key")

    def unusable(self, error: Exception, how: str = "used") -> InvalidSettings:
        """What to raise if the database cannot be used, read or migrated."""
        return InvalidSettings(f"{PREFIX}DATABASE: {self.database_label} cannot be {how}: {error}")

    def values(self) -> dict[str, Any]:
        """All settings by name, those of extensions included."""
        found = {name: value for each in (self, *self.extended) for name, value in msgspec.structs.asdict(each).items()}
        del found["extended"]
        return found

    def environment(self) -> dict[str, str]:
        """The settings as environment variables, for child processes."""
        return variables(self.values())


def kinds() -> list[type[Any]]:
    """The types of all settings: those of the service, and those of its extensions."""
    return [Settings, *(each.settings for each in REGISTERED.values() if each.settings is not None)]


def fields() -> list[Any]:
    """Those of all settings, without the limits."""
    return [each for kind in kinds() for each in msgspec.structs.fields(kind) if each.name != "extended"]


def default(field: Any) -> str:
    """The default of a setting or a limit, as it is written."""
    return text(field.default if field.default is not msgspec.NODEFAULT else field.default_factory())


def meanings() -> dict[str, str]:
    return {name: text for kind in kinds() for name, text in field_docs(kind).items()}


def variable(name: str) -> str:
    return PREFIX + name.upper()


def variables(given: Mapping[str, Any]) -> dict[str, str]:
    """These settings as environment variables. Limits may be among them: they are values of the variable `LIMITS`."""
    of_limits = {name: value for name, value in given.items() if name in Limits.__struct_fields__}
    found = {variable(name): text(value) for name, value in given.items() if name not in of_limits}
    if of_limits:
        found[variable("limits")] = ", ".join(f"{name}={text(value)}" for name, value in of_limits.items())
    return found


def read(environment: Mapping[str, str] = os.environ, **given: Any) -> Settings:
    """Read the settings from the environment. `given` values that are not None win, single limits among them. Raises
    `InvalidSettings`."""
    wanted = {name: text(value) for name, value in given.items() if value is not None}
    of_limits = {name: wanted.pop(name) for name in Limits.__struct_fields__ if name in wanted}
    found = {key.removeprefix(PREFIX).lower(): value for key, value in environment.items() if key.startswith(PREFIX)}
    found |= wanted
    chosen = read_limits(found.pop("limits", ""), of_limits)
    try:
        extended = []
        for kind in kinds()[1:]:
            own = {name: found.pop(name) for name in kind.__struct_fields__ if name in found}
            extended.append(msgspec.convert(own, kind, strict=False))
        return msgspec.structs.replace(
            msgspec.convert(found, Settings, strict=False), limits=chosen, extended=tuple(extended)
        )
    except msgspec.ValidationError as error:
        # The message ends with the field: "... - at `$.port`" or "Object contains unknown field `x`".
        name = re.findall(r"`(?:\$\.)?(\w+)`$", str(error))[0]
        if name in Limits.__struct_fields__:
            raise InvalidSettings(f"{variable(name)}: this is a limit, {LIMITS}={name}=VALUE") from None
        if name not in [each.name for each in fields()]:
            raise InvalidSettings(f"{variable(name)}: there is no such setting") from None
        # The value is not repeated: a URL can contain a password.
        raise InvalidSettings(f"{variable(name)}: must be {form(name)}") from None


def read_limits(value: str, given: Mapping[str, str]) -> Limits:
    """The limits of the setting and those that are given, which win. Raises `InvalidSettings`."""
    try:
        return limits(assignments(value) | dict(given))
    except msgspec.ValidationError as error:
        name = re.findall(r"`(?:\$\.)?(\w*)`$", str(error))[0]
        if name not in Limits.__struct_fields__:
            listed = ", ".join(Limits.__struct_fields__)
            raise InvalidSettings(f"{LIMITS}: there is no limit {name!r}: {listed}") from None
        raise InvalidSettings(f"{LIMITS}: {name} must be {form(name)}") from None
    except ValueError:
        raise InvalidSettings(f"{LIMITS}: must be {form('limits')}") from None


def form(name: str) -> str:
    """The values that a setting or a limit can have, in words, with an example."""
    every = [*kinds(), Limits]
    field = next(field for each in every for field in msgspec.inspect.type_info(each).fields if field.name == name)  # type: ignore[attr-defined]
    kind: Any = field.type
    if isinstance(kind, msgspec.inspect.Metadata):
        if kind.extra is not None:
            return str(kind.extra["form"])
        kind = kind.type
    match kind:
        case msgspec.inspect.LiteralType(values):
            return f"one of {', '.join(map(str, values))}"
        case msgspec.inspect.BoolType():
            return "`true` or `false`"
        case msgspec.inspect.StructType():
            return "`NAME=VALUE`, each name once, with commas between them, such as `max_streams=20000`"
        case msgspec.inspect.IntType() | msgspec.inspect.FloatType():
            what = "an integer" if isinstance(kind, msgspec.inspect.IntType) else "a number"
            return f"{what}{_range(kind)}, such as `{field.default}`"
    return "a text that is not empty"


def items(text: str) -> list[str]:
    """Those of a list with commas, as settings have it; none if it is empty."""
    return [item for each in text.split(",") if (item := each.strip())]


def _range(kind: Any) -> str:
    if kind.gt is not None:
        return f" above {kind.gt}, at most {kind.le}"
    if kind.le is not None:
        return f" from {kind.ge} to {kind.le}"
    return f" of at least {kind.ge}"


def text(value: Any) -> str:
    """The value of a setting as it is written in an environment variable."""
    if isinstance(value, Limits):
        return written(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
