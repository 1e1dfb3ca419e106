"""A game that its seats, a bystander with a token and one without a token play and read."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlencode

from tests.campaigns.leaks.session import Json, Session, Viewer
from tests.support.clients import any_of, done


class Terms(NamedTuple):
    """The game to play, its length, and the requests between the moves."""

    ruleset: str
    seats: int
    seed: int
    moves: int = 20
    looks: int = 3
    """Number of requests of each viewer after each move."""
    said: int = 1
    """The same over the play channel."""
    channels: bool = True
    """Whether every viewer has a play channel. Private games have none."""
    private: bool = False
    hotseat: bool = False
    bots: int = 0
    """Bots play so many seats, the last ones. Between the moves players leave and come back."""
    clock: bool = False
    """Whether the game has a clock. It is too long to run out: then bots would choose by what their seats see."""
    of: Sequence[str] = ()
    """The kinds of requests to choose from, by their names; all by default."""


STRANGER = Viewer("a stranger", None)
EVERY_SEAT = -2
"""The seat of a hotseat player, who may see all cards: only bystanders must not tell the worlds apart."""


class Table:
    """A running game, with everything that requests about it need."""

    def __init__(self, session: Session, terms: Terms) -> None:
        self.session, self.terms, self.dice = session, terms, Random(terms.seed)
        self.path, self.id = "", ""
        self.players: list[Viewer] = []
        self.ids: list[str] = []
        self.invite = ""
        self.seen: list[Json] = []
        """All moves that were legal at some time."""
        self.legal: dict[int, list[Json]] = {}
        """The legal moves of each seat."""
        self.keyed: dict[int, tuple[str, Json]] = {}
        """The last move of each seat and its idempotency key."""
        self.gone: Viewer | None = None
        """The player who has left."""
        self.etags: dict[Viewer, str] = {}
        """The last ETag of the game for each viewer."""

    @property
    def version(self) -> int:
        return self.session.version

    @property
    def earlier(self) -> int:
        """Some version so far, or 0."""
        return self.dice.randint(0, self.version)

    @property
    def watchers(self) -> list[Viewer]:
        return [*self.players, self.eve, STRANGER]

    async def begin(self) -> None:
        """Seat all players and open the streams."""
        names = [f"Player {seat}" for seat in range(self.terms.seats)]
        if self.terms.hotseat:
            guests = [await self.guest(names[0], EVERY_SEAT)]
        else:
            guests = [await self.guest(name, seat) for seat, name in enumerate(names[: self.people])]
        self.players, self.eve = guests, await self.guest("Eve", None)
        opening = {"seats": self.seats, "private": self.terms.private, "hotseat": self.terms.hotseat}
        if self.terms.clock and not self.terms.hotseat:
            opening["clock"] = {"bank": 86_400, "increment": 5, "delay": 1}
        game = done(await self.ask("open", guests[0], "POST", f"/v1/games/{self.terms.ruleset}", opening), 201)
        self.path, self.id, self.invite = game["links"]["self"], game["id"], game.get("invite", "")
        for viewer in self.watchers:
            await self.session.follow(viewer, self.to("/events", viewer))
            await self.session.follow(viewer, self.to("/events", viewer, with_="patch,tally"))
            if self.has_channels:
                await self.session.open_channel(viewer, self.name)
        for player in guests[1:]:
            await self.ask("sit down", player, "POST", self.to("/seats", player, invite=self.invite), {"entropy": ""})

    @property
    def people(self) -> int:
        """The number of seats that are not a bot's."""
        return self.terms.seats - self.terms.bots

    @property
    def seats(self) -> Any:
        """Who plays, as in the request to open the game."""
        if not self.terms.bots:
            return self.terms.seats
        return ["me", *["open"] * (self.people - 1), *["careful/1"] * self.terms.bots]

    async def guest(self, name: str, seat: int | None) -> Viewer:
        answer = await self.ask("register", STRANGER, "POST", "/v1/players", {"name": name})
        guest = done(answer, 201)
        self.ids.append(guest["id"])
        return Viewer(name, seat, guest["token"])

    async def ask(self, what: str, viewer: Viewer, method: str, path: str, body: Any = None, **headers: str) -> Any:
        return await self.session.ask(what, viewer, method, path, body, **headers)

    def to(self, below: str, viewer: Viewer, **query: Any) -> str:
        """A path below the game. The bystander with a token uses the invite of a private game."""
        if self.invite and viewer.token and viewer.seat is None:
            query.setdefault("invite", self.invite)
        asked = {name.rstrip("_"): value for name, value in query.items() if value != ""}
        return f"{self.path}{below}" + (f"?{urlencode(asked)}" if asked else "")

    async def play(self) -> None:
        """Make random moves; after each one every viewer sends requests."""
        await self.begin()
        for number in range(self.terms.moves):
            acting = await self.look_at_moves()
            if not acting:
                return
            seat = self.dice.choice(acting)
            chosen, key = any_of(self.legal[seat], self.dice), f"move-{number}"
            player = self.players[0 if self.terms.hotseat else seat]
            self.keyed[EVERY_SEAT if self.terms.hotseat else seat] = key, chosen
            done(await self.ask("move", player, "POST", self.to("/moves", player), chosen, Idempotency_Key=key))
            if self.dice.random() < 0.3:  # refused, unless the move revealed nothing
                await self.ask("take back", player, "DELETE", self.to(f"/moves/{self.version}", player))
            if self.terms.bots:
                await self.leave_or_return()
            for viewer in self.watchers:
                for look in self.dice.sample(self.terms.of or [*LOOKS], self.terms.looks):
                    await self.look(look, viewer)
                if self.has_channels:
                    for said in self.dice.sample([*SAID], self.terms.said):
                        await self.say(said, viewer)

    async def leave_or_return(self) -> None:
        """Now and then one of several players leaves, until the next time."""
        if self.gone is not None:
            player, self.gone = self.gone, None
            await self.ask("come back", player, "POST", self.to("/seats", player), {})
        elif self.people > 1 and self.dice.random() < 0.3:
            self.gone = player = self.dice.choice(self.players)
            await self.ask("leave", player, "DELETE", self.to(f"/seats/{player.seat}", player, running="true"))

    async def look(self, look: str, viewer: Viewer) -> None:
        method, path, body, headers = LOOKS[look](self, viewer)
        answer = await self.session.ask(look, viewer, method, path, body, **headers)
        if path == self.to("", viewer):
            self.etags[viewer] = answer.headers.get("etag", "*")

    @property
    def has_channels(self) -> bool:
        return self.terms.channels and not self.invite

    @property
    def name(self) -> str:
        """The name of the game in the play channel."""
        return f"{self.terms.ruleset}/{self.id}"

    async def say(self, said: str, viewer: Viewer) -> None:
        kind, fields = SAID[said]
        message = {"type": kind, "game": self.name, **fields(self, viewer)}
        await self.session.say(f"{said} over the channel", viewer, message)

    async def look_at_moves(self) -> list[int]:
        """The seats that have legal moves."""
        self.legal.clear()
        for player in self.players:
            answer = done(await self.ask("legal moves", player, "GET", self.to("/moves", player)))
            self.legal[answer["seat"]] = answer["legal_moves"]
            self.seen += [move for move in answer["legal_moves"] if move not in self.seen]
        return [seat for seat, moves in self.legal.items() if moves]

    def illegal(self, viewer: Viewer) -> Json:
        """A move that was legal once, but not for the viewer before the last move."""
        seats = self.legal if viewer.seat == EVERY_SEAT else {viewer.seat}
        mine = [move for seat, moves in self.legal.items() if seat in seats for move in moves]
        return self.dice.choice([move for move in self.seen if move not in mine] or [{"type": "nonsense"}])

    def last(self, viewer: Viewer) -> tuple[str, Json]:
        """The viewer's last move and its idempotency key; for bystanders a move that is none."""
        return self.keyed.get(-1 if viewer.seat is None else viewer.seat, ("move-0", {"type": "nonsense"}))

    def elsewhere(self, viewer: Viewer) -> int:
        """A seat other than the viewer's."""
        if self.terms.hotseat:
            return self.dice.randrange(self.terms.seats)
        return self.dice.choice([seat for seat in range(self.terms.seats) if seat != viewer.seat])


# --- kinds of requests ----------------------------------------------------------------------------------------------


class Ask(NamedTuple):
    """A request; `headers` with underscores for hyphens."""

    method: str
    path: str
    body: Any = None
    headers: dict[str, str] = {}


Look: TypeAlias = Callable[[Table, Viewer], Ask]


def get(below: str = "", *, lines: bool = False, **query: Callable[[Table, Viewer], Any]) -> Look:
    """A read of the game, or of what is below it."""
    return lambda table, viewer: Ask(
        "GET", table.to(below, viewer, **{name: of(table, viewer) for name, of in query.items()}),
        headers={"Accept": "application/x-ndjson"} if lines else {},
    )  # fmt: skip


def move(body: Callable[[Table, Viewer], Any], **headers: Callable[[Table, Viewer], str]) -> Look:
    return lambda table, viewer: Ask(
        "POST", table.to("/moves", viewer), body(table, viewer),
        {name: of(table, viewer) for name, of in headers.items()},
    )  # fmt: skip


def always(value: Any) -> Callable[[Table, Viewer], Any]:
    return lambda *_: value


def earlier(table: Table, _: Viewer) -> int:
    return table.earlier


def up_to_now(table: Table, _: Viewer) -> int:
    return table.dice.randint(1, table.version)


def key(table: Table, viewer: Viewer) -> str:
    return table.last(viewer)[0]


BYSTANDER, ALL, PATCH = always("bystander"), always("all"), always("patch")

LOOKS: dict[str, Look] = {
    "the game": get(),
    "the game if it has changed": lambda table, viewer: Ask(
        "GET", table.to("", viewer), headers={"If_None_Match": table.etags.get(viewer, "*")}
    ),
    "the game without its body": lambda table, viewer: Ask("HEAD", table.to("", viewer)),
    "an earlier version": get(at=up_to_now),
    "a version to come": get(at=lambda table, _: table.version + 1),
    "the game as a bystander": get(as_=BYSTANDER, at=up_to_now),
    "the game as another seat": get(as_=Table.elsewhere),
    "the game laid open": get(as_=ALL),
    "legal moves": get("/moves"),
    "legal moves of another seat": get("/moves", as_=Table.elsewhere),
    "a page of events": get("/events", after=earlier, limit=lambda table, _: table.dice.choice((1, 3, 100))),
    "events as a bystander": get("/events", as_=BYSTANDER, after=lambda table, _: max(0, table.version - 5)),
    "events as another seat": get("/events", as_=Table.elsewhere),
    "events as lines": get("/events", lines=True, after=earlier),
    "the game with its tally": get(with_=always("tally")),
    "the game by its invite": lambda table, viewer: Ask(
        "GET", f"{table.path}/events", headers={"Invite": table.invite or "none"} if viewer.token else {}
    ),
    "events with patches": get("/events", after=earlier, with_=always("patch,tally")),
    "patches as lines": get("/events", lines=True, with_=PATCH, after=earlier),
    "events after the last one": get(
        "/events", after=lambda table, _: table.version + table.dice.choice((0, 1, 10**9, 10**30))
    ),
    "the film": get("/film"),
    "the record": get("/record"),
    "the record as a bystander": get("/record", as_=BYSTANDER),
    "the record laid open": get("/record", as_=ALL),
    "the audit": get("/audit"),
    "a branch": lambda table, viewer: Ask("POST", table.to("/branches", viewer), {"at": up_to_now(table, viewer)}),
    "an illegal move": move(Table.illegal),
    "a move for another seat": lambda table, viewer: Ask(
        "POST", table.to("/moves", viewer, as_=table.elsewhere(viewer)), table.illegal(viewer)
    ),
    "a move on a stale table": move(Table.illegal, If_Match=lambda _, viewer: f'"1.{viewer.seat or 0}"'),
    "what is no move": move(lambda table, _: table.dice.choice((b"{", b"[]", {"type": "peek"}, {"slot": 1}))),
    "the last move again": move(lambda table, viewer: table.last(viewer)[1], Idempotency_Key=key),
    "another move under its key": move(Table.illegal, Idempotency_Key=key),
    "a take back": lambda table, viewer: Ask("DELETE", table.to(f"/moves/{table.version}", viewer)),
    "an answer to nobody's question": lambda table, viewer: Ask(
        "POST", table.to("/votes", viewer), {"on": "abort", "yes": True, "asked_by": table.elsewhere(viewer)}
    ),
    "an undo by agreement": lambda table, viewer: Ask("POST", table.to("/votes", viewer), {"on": "undo", "yes": True}),
    "a rematch": lambda table, viewer: Ask(table.dice.choice(("GET", "POST")), table.to("/rematch", viewer), {}),
    "time for oneself": lambda table, viewer: Ask(
        "POST", table.to("/time", viewer), {"seat": max(viewer.seat or 0, 0), "seconds": 5}
    ),
    "a seat": lambda table, viewer: Ask(
        "POST", table.to("/seats", viewer), {"seat": table.dice.randrange(table.terms.seats)}
    ),
    "no seat": lambda table, viewer: Ask("DELETE", table.to(f"/seats/{viewer.seat or 0}", viewer)),
    "a cancellation": lambda table, viewer: Ask("DELETE", table.to("", viewer)),
    "the lobby": lambda table, _: Ask(
        "GET", f"/v1/games?{table.dice.choice(('', 'status=running', f'ruleset={table.terms.ruleset}'))}"
    ),
    "my turns": lambda *_: Ask("GET", "/v1/games?acting=me"),
    "a profile": lambda table, _: Ask("GET", f"/v1/players/{table.dice.choice(table.ids)}"),
    "the own profile": lambda *_: Ask("GET", "/v1/players/me"),
    "the standings": lambda table, _: Ask("GET", f"/v1/standings/{table.terms.ruleset}"),
    "the metrics": lambda *_: Ask("GET", "/metrics"),
    "the ruleset": lambda table, _: Ask("GET", f"/v1/rulesets/{table.terms.ruleset}"),
    "what may be asked": lambda table, viewer: Ask("OPTIONS", table.to("/moves", viewer)),
}
"""All kinds of requests during a game."""

Said: TypeAlias = tuple[str, Callable[[Table, Viewer], Json]]

SAID: dict[str, Said] = {
    "own moves": ("legal_moves", always({})),
    "moves of another seat": ("legal_moves", lambda table, viewer: {"as": table.elsewhere(viewer)}),
    "not a legal move": ("move", lambda table, viewer: {"move": table.illegal(viewer)}),
    "a stale move": ("move", lambda table, viewer: {"move": table.illegal(viewer), "version": 1}),
    "the same move again": (
        "move", lambda table, viewer: {"move": table.last(viewer)[1], "key": table.last(viewer)[0]}
    ),
    "a follow as another seat": ("follow", lambda table, viewer: {"as": table.elsewhere(viewer), "patch": True}),
    "a follow laid open": ("follow", always({"as": "all"})),
    "a follow from an earlier version": (
        "follow", lambda table, _: {"after": table.earlier, "patch": table.dice.random() < 0.5}
    ),
    "a follow from a later version": (
        "follow", lambda table, _: {"after": table.version + table.dice.choice((0, 1, 10**9))}
    ),
    "a seat over the channel": ("join", always({})),
    "an early move taken back": ("take_back", always({"version": 1})),
    "a vote on nothing": ("vote", always({"on": "abort", "yes": False})),
    "a rematch over the channel": ("rematch", always({})),
}  # fmt: skip
"""All kinds of messages over the play channel: their types, and their fields besides the game."""
