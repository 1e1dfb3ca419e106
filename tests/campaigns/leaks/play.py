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
    of: Sequence["Look"] = ()
    """The kinds of requests to choose from; all by default."""


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
            if self.dice.random() < 0.3:  # refused, unless the move told nobody anything
                await self.ask("take back", player, "DELETE", self.to(f"/moves/{self.version}", player))
            if self.terms.bots:
                await self.leave_or_return()
            for viewer in self.watchers:
                for look in self.dice.sample(self.terms.of or LOOKS, self.terms.looks):
                    await self.look(look, viewer)
                if self.has_channels:
                    for said in self.dice.sample(SAID, self.terms.said):
                        await self.say(said, viewer)

    async def leave_or_return(self) -> None:
        """Now and then one of several players leaves, until the next time."""
        if self.gone is not None:
            player, self.gone = self.gone, None
            await self.ask("come back", player, "POST", self.to("/seats", player), {})
        elif self.people > 1 and self.dice.random() < 0.3:
            self.gone = player = self.dice.choice(self.players)
            await self.ask("leave", player, "DELETE", self.to(f"/seats/{player.seat}", player, running="true"))

    async def look(self, look: "Look", viewer: Viewer) -> None:
        method, path, body, headers = look(self, viewer)
        answer = await self.session.ask(look.__name__, viewer, method, path, body, **headers)
        if path == self.to("", viewer):
            self.etags[viewer] = answer.headers.get("etag", "*")

    @property
    def has_channels(self) -> bool:
        return self.terms.channels and not self.invite

    @property
    def name(self) -> str:
        """The name of the game in the play channel."""
        return f"{self.terms.ruleset}/{self.id}"

    async def say(self, said: "Said", viewer: Viewer) -> None:
        await self.session.say(f"{said.__name__} over the channel", viewer, said(self, viewer))

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


def the_game(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("", viewer))


def the_game_if_it_has_changed(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("", viewer), headers={"If_None_Match": table.etags.get(viewer, "*")})


def the_game_without_its_body(table: Table, viewer: Viewer) -> Ask:
    return Ask("HEAD", table.to("", viewer))


def an_earlier_version(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("", viewer, at=table.dice.randint(1, table.version)))


def a_version_to_come(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("", viewer, at=table.version + 1))


def the_game_as_a_bystander(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("", viewer, as_="bystander", at=table.dice.randint(1, table.version)))


def the_game_as_another_seat(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("", viewer, as_=table.elsewhere(viewer)))


def the_game_laid_open(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("", viewer, as_="all"))


def legal_moves(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("/moves", viewer))


def legal_moves_of_another_seat(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("/moves", viewer, as_=table.elsewhere(viewer)))


def a_page_of_events(table: Table, viewer: Viewer) -> Ask:
    after = table.dice.randint(0, table.version)
    return Ask("GET", table.to("/events", viewer, after=after, limit=table.dice.choice((1, 3, 100))))


def events_as_a_bystander(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("/events", viewer, as_="bystander", after=max(0, table.version - 5)))


def events_as_another_seat(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("/events", viewer, as_=table.elsewhere(viewer)))


def events_as_lines(table: Table, viewer: Viewer) -> Ask:
    after = table.dice.randint(0, table.version)
    return Ask("GET", table.to("/events", viewer, after=after), headers={"Accept": "application/x-ndjson"})


def the_game_with_its_tally(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("", viewer, with_="tally"))


def the_game_by_its_invite(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", f"{table.path}/events", headers={"Invite": table.invite or "none"} if viewer.token else {})


def events_with_patches(table: Table, viewer: Viewer) -> Ask:
    after = table.dice.randint(0, table.version)
    return Ask("GET", table.to("/events", viewer, after=after, with_="patch,tally"))


def patches_as_lines(table: Table, viewer: Viewer) -> Ask:
    after = table.dice.randint(0, table.version)
    query = {"with_": "patch", "after": after}
    return Ask("GET", table.to("/events", viewer, **query), headers={"Accept": "application/x-ndjson"})


def the_record(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("/record", viewer))


def the_record_as_a_bystander(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("/record", viewer, as_="bystander"))


def the_record_laid_open(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("/record", viewer, as_="all"))


def the_audit(table: Table, viewer: Viewer) -> Ask:
    return Ask("GET", table.to("/audit", viewer))


def a_branch(table: Table, viewer: Viewer) -> Ask:
    return Ask("POST", table.to("/branches", viewer), {"at": table.dice.randint(1, table.version)})


def an_illegal_move(table: Table, viewer: Viewer) -> Ask:
    return Ask("POST", table.to("/moves", viewer), table.illegal(viewer))


def a_move_for_another_seat(table: Table, viewer: Viewer) -> Ask:
    return Ask("POST", table.to("/moves", viewer, as_=table.elsewhere(viewer)), table.illegal(viewer))


def a_move_on_a_stale_table(table: Table, viewer: Viewer) -> Ask:
    return Ask("POST", table.to("/moves", viewer), table.illegal(viewer), {"If_Match": f'"1.{viewer.seat or 0}"'})


def what_is_no_move(table: Table, viewer: Viewer) -> Ask:
    return Ask("POST", table.to("/moves", viewer), table.dice.choice((b"{", b"[]", {"type": "peek"}, {"slot": 1})))


def the_last_move_again(table: Table, viewer: Viewer) -> Ask:
    key, move = table.keyed.get(-1 if viewer.seat is None else viewer.seat, ("move-0", {"type": "nonsense"}))
    return Ask("POST", table.to("/moves", viewer), move, {"Idempotency_Key": key})


def another_move_under_its_key(table: Table, viewer: Viewer) -> Ask:
    key, _ = table.keyed.get(-1 if viewer.seat is None else viewer.seat, ("move-0", None))
    return Ask("POST", table.to("/moves", viewer), table.illegal(viewer), {"Idempotency_Key": key})


def a_take_back(table: Table, viewer: Viewer) -> Ask:
    return Ask("DELETE", table.to(f"/moves/{table.version}", viewer))


def an_undo_by_agreement(table: Table, viewer: Viewer) -> Ask:
    return Ask("POST", table.to("/votes", viewer), {"on": "undo", "yes": True})


def a_rematch(table: Table, viewer: Viewer) -> Ask:
    return Ask(table.dice.choice(("GET", "POST")), table.to("/rematch", viewer), {})


def time_for_oneself(table: Table, viewer: Viewer) -> Ask:
    return Ask("POST", table.to("/time", viewer), {"seat": max(viewer.seat or 0, 0), "seconds": 5})


def a_seat(table: Table, viewer: Viewer) -> Ask:
    return Ask("POST", table.to("/seats", viewer), {"seat": table.dice.randrange(table.terms.seats)})


def no_seat(table: Table, viewer: Viewer) -> Ask:
    return Ask("DELETE", table.to(f"/seats/{viewer.seat or 0}", viewer))


def a_cancellation(table: Table, viewer: Viewer) -> Ask:
    return Ask("DELETE", table.to("", viewer))


def the_lobby(table: Table, viewer: Viewer) -> Ask:  # noqa: ARG001
    return Ask("GET", f"/v1/games?{table.dice.choice(('', 'status=running', f'ruleset={table.terms.ruleset}'))}")


def my_turns(table: Table, viewer: Viewer) -> Ask:  # noqa: ARG001
    return Ask("GET", "/v1/games?acting=me")


def a_profile(table: Table, viewer: Viewer) -> Ask:  # noqa: ARG001
    return Ask("GET", f"/v1/players/{table.dice.choice(table.ids)}")


def the_own_profile(table: Table, viewer: Viewer) -> Ask:  # noqa: ARG001
    return Ask("GET", "/v1/players/me")


def the_standings(table: Table, viewer: Viewer) -> Ask:  # noqa: ARG001
    return Ask("GET", f"/v1/standings/{table.terms.ruleset}")


def the_metrics(table: Table, viewer: Viewer) -> Ask:  # noqa: ARG001
    return Ask("GET", "/metrics")


def the_ruleset(table: Table, viewer: Viewer) -> Ask:  # noqa: ARG001
    return Ask("GET", f"/v1/rulesets/{table.terms.ruleset}")


def what_may_be_asked(table: Table, viewer: Viewer) -> Ask:
    return Ask("OPTIONS", table.to("/moves", viewer))


LOOKS: tuple[Look, ...] = (
    the_game, the_game_if_it_has_changed, the_game_without_its_body, an_earlier_version, a_version_to_come,
    the_game_as_a_bystander, the_game_as_another_seat, the_game_laid_open, legal_moves, legal_moves_of_another_seat,
    a_page_of_events, events_as_a_bystander, events_as_another_seat, events_as_lines, events_with_patches,
    patches_as_lines, the_game_with_its_tally, the_game_by_its_invite,
    the_record, the_record_as_a_bystander, the_record_laid_open, the_audit, a_branch,
    an_illegal_move, a_move_for_another_seat, a_move_on_a_stale_table, what_is_no_move, a_take_back,
    an_undo_by_agreement, a_rematch, time_for_oneself,
    the_last_move_again, another_move_under_its_key, a_seat, no_seat, a_cancellation,
    the_lobby, my_turns, a_profile, the_own_profile, the_standings, the_metrics, the_ruleset, what_may_be_asked,
)  # fmt: skip
"""All kinds of requests during a game."""


# --- kinds of requests in the play channel ----------------------------------------------------------------------------

Said: TypeAlias = Callable[[Table, Viewer], Json]


def own_moves(table: Table, viewer: Viewer) -> Json:  # noqa: ARG001
    return {"type": "legal_moves", "game": table.name}


def moves_of_another_seat(table: Table, viewer: Viewer) -> Json:
    return {"type": "legal_moves", "game": table.name, "as": table.elsewhere(viewer)}


def not_a_legal_move(table: Table, viewer: Viewer) -> Json:
    return {"type": "move", "game": table.name, "move": table.illegal(viewer)}


def a_stale_move(table: Table, viewer: Viewer) -> Json:
    return {"type": "move", "game": table.name, "move": table.illegal(viewer), "version": 1}


def the_same_move_again(table: Table, viewer: Viewer) -> Json:
    key, move = table.keyed.get(-1 if viewer.seat is None else viewer.seat, ("move-0", {"type": "nonsense"}))
    return {"type": "move", "game": table.name, "move": move, "key": key}


def a_follow_as_another_seat(table: Table, viewer: Viewer) -> Json:
    return {"type": "follow", "game": table.name, "as": table.elsewhere(viewer), "patch": True}


def a_follow_laid_open(table: Table, viewer: Viewer) -> Json:  # noqa: ARG001
    return {"type": "follow", "game": table.name, "as": "all"}


def a_follow_from_an_earlier_version(table: Table, viewer: Viewer) -> Json:  # noqa: ARG001
    after = table.dice.randint(0, table.version)
    return {"type": "follow", "game": table.name, "after": after, "patch": table.dice.random() < 0.5}


def a_seat_over_the_channel(table: Table, viewer: Viewer) -> Json:  # noqa: ARG001
    return {"type": "join", "game": table.name}


def an_early_move_taken_back(table: Table, viewer: Viewer) -> Json:  # noqa: ARG001
    return {"type": "take_back", "game": table.name, "version": 1}


def a_vote_on_nothing(table: Table, viewer: Viewer) -> Json:  # noqa: ARG001
    return {"type": "vote", "game": table.name, "on": "abort", "yes": False}


def a_rematch_over_the_channel(table: Table, viewer: Viewer) -> Json:  # noqa: ARG001
    return {"type": "rematch", "game": table.name}


SAID: Sequence[Said] = (
    own_moves, moves_of_another_seat, not_a_legal_move, a_stale_move, the_same_move_again, a_follow_as_another_seat,
    a_follow_laid_open, a_follow_from_an_earlier_version, a_seat_over_the_channel,
    an_early_move_taken_back, a_vote_on_nothing, a_rematch_over_the_channel,
)  # fmt: skip
