"""All commands of a game at random, over REST and over the play channel. The model is the domain: it decides each
command on the log, and the service must record and answer the same.

A rule takes a row of the table of operations. Which entry a request comes through is chance, and so is whether it is
repeated, with the same key, through either.
"""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import Phase, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from msgspec import UNSET
from msgspec.structs import replace

from domain import game as domain
from domain.fairness.chance import seal
from domain.game import Game, timekeeping, undo
from domain.game.commands import Command, GiveTime, Join, Leave, Move, Ready, TakeBack, TimeOut, Vote
from domain.game.log import Stored, note_movers
from domain.game.questions import CannotVote
from domain.rulesets import RULESETS
from projections.header import choosing
from service.api.operations import GAME, OPERATIONS, Operation
from service.api.resources import game_clock
from service.databases import open_store
from service.games.errors import Blocked, TooManyGames
from service.games.games import MAX_MISSED
from service.settings import read
from tests.openapi.chance import no_chance
from tests.service.conftest import KINDS
from tests.support import clocks
from tests.support.channels import ChannelClient, channel, game_name
from tests.support.clients import Caller, Json, done, fewest
from tests.support.clocks import WallClock
from tests.support.listening import over_http

ROWS = {row.command: row for row in OPERATIONS if row.command is not None and not row.makes_game}
NAMES = ("Ann", "Bob", "Cem", "Dora", "Emil", "Eve", "")
"""The players: Ann opens the games, Eve never has a seat, and a caller without a name has no token."""
SEATED = NAMES[:-2]

REFUSALS = {
    domain.NotSeated: (403, "not-seated"), domain.NotOpener: (403, "not-opener"), domain.Reserved: (409, "reserved"),
    domain.NotWaiting: (409, "not-waiting"), domain.NotRunning: (409, "not-running"),
    domain.SeatTaken: (409, "seat-taken"), domain.AlreadySeated: (409, "already-seated"),
    domain.CannotRejoin: (409, "cannot-return"), domain.CannotGrant: (409, "cannot-give-time"),
    domain.NotUndoable: (409, "not-undoable"), CannotVote: (409, "cannot-vote"),
    domain.TooRestless: (409, "too-restless"), domain.IllegalMove: (409, "illegal-move"),
    TooManyGames: (409, "too-many-games"), Blocked: (403, "blocked-by-player"),
    domain.StaleChoice: (412, "stale-decision"),
    domain.OutOfTime: (409, "out-of-time"), domain.WrongSeal: (409, "wrong-seal"),
    domain.CannotReady: (409, "cannot-ready"), domain.SeatsFixed: (409, "seats-fixed"),
}  # fmt: skip
OF_A_MOVE = (domain.NotSeated, domain.IllegalMove, domain.StaleChoice, domain.OutOfTime)


class Model:
    """A game by its log: all that the domain needs to decide."""

    def __init__(self, rules: domain.Rules, game_id: str, log: Sequence[Stored[Any, Any]]) -> None:
        self.rules, self.log = rules, log
        self.game = Game(game_id)
        self.made: list[undo.Made] = []
        self.moved = set[int]()
        self.choices: dict[int, tuple[Any, int]] = {}
        """By seat the legal moves that it has, and the version since which this choice exists."""
        note_movers(self.moved, set(), log)
        for append in appends(log):
            self.game = domain.fold(rules, self.game, [entry.event for entry in append])
            undo.note(self.made, append)
            acting = domain.to_act(rules, self.game)
            movers = {each.by for each in append if type(each.event) not in domain.LIFECYCLE}
            for seat in range(len(self.game.players)):
                legal = domain.legal(rules, self.game, seat) if seat in acting else None
                if seat in movers or legal != self.choices.get(seat, (None, 0))[0]:
                    self.choices[seat] = legal, self.game.version

    def choosing(self, player: str) -> int | None:
        return choosing(self.game.seats_of(player), domain.to_act(self.rules, self.game))

    def choice_changed(self, seat: int, version: int) -> bool:
        return self.choices.get(seat, (None, 0))[1] > version

    def revealed_nothing(self) -> bool:
        latest = self.made[-1]
        return undo.revealed_nothing(
            self.rules, latest, len(self.game.players), lambda viewer: self.seen(viewer, latest.to).state
        )

    def seen(self, viewer: int | None, upto: int | None = None) -> Game:
        events = [domain.redact(self.rules, entry.event, viewer) for entry in self.log[:upto]]
        return domain.fold(self.rules, Game(self.game.id), events)

    def decided(self, by: str | None, command: Command) -> list[Any]:
        """The events that follow, with the choices of bots."""
        decided = domain.decide(self.rules, self.game, by, command, self)
        bots = domain.seeing(self.rules, self.game, self.seen)
        return list(domain.with_bots(self.rules, decided, bots).events)

    def named(self, player: str, command: Command) -> Command:
        """A move with the seat that it is for, unless the player has several."""
        own = self.game.seats_of(player)
        return replace(command, seat=own[0]) if isinstance(command, Move) and len(own) == 1 else command

    def overdue(self, at: int) -> tuple[int, ...]:
        times = timekeeping.fold(self.log)
        return () if times is None else times.overdue(at)

    def hides_from(self, player: str) -> bool:
        """Whether the player needs an invite to find the game."""
        members = {*self.game.players, *self.game.kept, domain.agreed(self.game).opener}
        return domain.agreed(self.game).private and player not in members


def appends(log: Sequence[Stored[Any, Any]]) -> Iterator[Sequence[Stored[Any, Any]]]:
    begin = 0
    for end, entry in enumerate(log, 1):
        if not entry.more:
            yield log[begin:end]
            begin = end


MEMBERS = {"type", "title", "status", "detail"}
"""What every problem has."""
OVER = st.sampled_from(["rest", "channel"])
SELDOM = st.integers(0, 7).map(lambda number: number == 7)


class Request(NamedTuple):
    """A command as a caller sends it. `as_` and `key`: None without."""

    who: str
    command: Command
    key: str | None
    invited: bool
    as_: int | None = None


class Answer(NamedTuple):
    """What both entries say: the status, the type of the problem or "", and with which end of the log."""

    status: int
    problem: str
    version: int = 0
    head: str = ""
    replayed: bool = False


class Table(NamedTuple):
    """A game, its players by name, and both entries to it."""

    path: str
    invite: str
    callers: dict[str, Caller]
    channels: dict[str, ChannelClient]
    problems: list[Json]
    """All that were answered."""

    async def ask(self, request: Request, over: str) -> Answer:
        return await (self.over_rest(request) if over == "rest" else self.over_channel(request))

    async def over_rest(self, request: Request) -> Answer:
        fields = msgspec.to_builtins(request.command)
        headers = {} if request.key is None else {"Idempotency-Key": request.key}
        query: Json = {"invite": self.invite} if request.invited else {}
        method, path, in_url = "POST", "/moves", ("move", "seat", "decided_on")
        if isinstance(request.command, Move):
            body = fields["move"]
            query |= {} if request.as_ is None else {"as": request.as_}
            if request.command.decided_on is not None:
                headers["If-Match"] = f'"{request.command.decided_on}.0"'
        else:
            row = ROWS[type(request.command)]
            method, path, in_url = row.method, row.path, row.in_url
            path = path.removeprefix(GAME).replace(":str", "").format(**fields)
            body = {name: value for name, value in fields.items() if name not in in_url}
            query |= {"running": "true"} if fields.get("running") else {}
        caller = self.callers[request.who]
        sent = {} if method == "DELETE" else {"body": body}
        answer = await caller.send(method, self.path + path, headers=headers, **sent, **query)
        found = answer.json()
        if answer.status_code != 200:
            self.problems.append(found)
            return Answer(answer.status_code, found["type"])
        shown = found["game"] if isinstance(request.command, Move) else found
        assert shown == await caller.look(self.path, **query)
        return Answer(200, "", found["version"], found["head"], "idempotency-replayed" in answer.headers)

    async def over_channel(self, request: Request) -> Answer:
        fields = msgspec.to_builtins(request.command)
        if isinstance(request.command, Move):
            kind, answered = "move", "moved"
            fields = {"move": fields["move"], "version": fields["decided_on"], "as_": request.as_}
        else:
            row = ROWS[type(request.command)]
            if row.answer is None:
                return await self.over_rest(request)
            kind, answered = row.message, row.answer.type
        if request.key is not None:
            fields["key"] = request.key
        if request.invited:
            fields["invite"] = self.invite
        answer = await self.channels[request.who].ask(kind, game=game_name(self.path), **fields)
        if answer["type"] == "problem":
            self.problems.append(answer["problem"])
            return Answer(answer["problem"]["status"], answer["problem"]["type"])
        assert (answer["type"], answer["game"]) == (answered, game_name(self.path))
        return Answer(200, "", answer["version"], answer["head"], answer["replayed"])


class Commands(RuleBasedStateMachine):
    """One game and all that its players ask."""

    folder: Path
    wall: WallClock

    def __init__(self) -> None:
        super().__init__()
        self.house, self.runner = AsyncExitStack(), asyncio.Runner()
        self.runner.run(self.move_in())

    async def move_in(self) -> None:
        """A new service, in which nothing is left to chance: a game that goes wrong can be played again."""
        self.house.enter_context(no_chance())
        database = Path(self.house.enter_context(TemporaryDirectory(dir=self.folder)), "games.db")
        service = await self.house.enter_async_context(over_http(database))
        self.callers = {name: await service.guest(name) for name in NAMES if name} | {"": service.stranger}
        self.channels = {
            name: await self.house.enter_async_context(channel(caller)) for name, caller in self.callers.items()
        }
        self.stored = open_store(read({}, database=database), KINDS)
        self.house.push_async_callback(self.stored.stop)
        self.settled = False

    # --- what the service does ---

    def run(self, doing: Any) -> Any:
        return self.runner.run(doing)

    def model(self, upto: int | None = None) -> Model:
        return Model(self.rules, self.game_id, self.log[:upto])

    def update(self) -> Model:
        self.log = self.run(self.stored.read(self.game_id))
        return self.model()

    def ask(self, request: Request, *, over: str) -> Answer:
        note(f"over {over}: {request}")
        answer: Answer = self.run(self.table.ask(request, over))
        return answer

    # --- what the model expects ---

    def send(self, request: Request, *, over: str) -> None:
        self.settled, before = False, self.model()
        key = (request.who, request.key)
        command = request.command
        said = (command.move, request.as_) if isinstance(command, Move) else command
        answer = self.ask(request, over=over)
        now = self.update()
        player = self.callers[request.who].id
        known = self.done.get(key) if request.key else None
        early = self.refused_early(before, request, player)
        if early is not None or known is not None:
            assert now.log == before.log, "nothing has happened"
            if early is not None:
                assert answer == Answer(*early)
            elif known is not None and known[0] == said:
                self.same(answer, known[1], request, over)
            else:
                assert answer == Answer(422, "idempotency-key-reused")
            self.settled = True
            return
        at, meant = self.wall.time_ns() // 1000, domain.as_meant(before.game, request.command)
        added = list(appends(now.log))[len(list(appends(before.log))) :]
        while overdue := before.overdue(at):
            assert [entry.event for entry in added[0]] == before.decided(None, TimeOut(overdue))
            before = self.model(added.pop(0)[-1].version)
        try:
            events = before.decided(player, before.named(player, meant))
        except tuple(REFUSALS) as refusal:
            assert (answer, added) == (Answer(*REFUSALS[type(refusal)]), [])
            allowed = OF_A_MOVE if isinstance(request.command, Move) else ROWS[type(request.command)].refuses
            assert isinstance(refusal, allowed)
            self.explained(before, refusal, request)
        else:
            assert [entry.event for append in added for entry in append] == events
            last = now.log[-1]
            self.same(answer, Answer(200, "", last.version, last.head), request, over)
            self.done[key] = said, answer._replace(replayed=True)
        self.settled = True

    def explained(self, model: Model, refusal: Exception, request: Request) -> None:
        """The problem says what the player may know of the refusal, and nothing else."""
        told = {name: value for name, value in self.table.problems[-1].items() if name not in MEMBERS}
        if isinstance(refusal, domain.IllegalMove):
            legal, since = model.choices.get(refusal.seat, (None, 0))
            moves = msgspec.json.decode(msgspec.json.encode(legal or []))
            expected = {"version": model.game.version, "decision": since if legal else None, "legal_moves": moves}
        elif isinstance(refusal, domain.StaleChoice):
            caller, after = self.callers[request.who], request.command.decided_on  # type: ignore[union-attr]
            seen = {"after": after, "as_": refusal.seat, "invite": self.invite}
            missed = self.run(caller.events(self.path, **seen)) if after <= len(self.log) else []
            expected = {"version": model.game.version, "missed": missed[:MAX_MISSED]}
        else:
            told.pop("game", None)  # over REST, to players who are too late
            expected = {name: value for name, value in vars(refusal).items() if not name.startswith("__")}
        assert told == expected

    def same(self, answer: Answer, expected: Answer, request: Request, over: str) -> None:
        """Over REST the answer to any command but a move is the game as it is now, also to a repeated one."""
        if not isinstance(request.command, Move) and (over == "rest" or ROWS[type(request.command)].answer is None):
            expected = expected._replace(version=self.log[-1].version, head=self.log[-1].head)
        assert answer == expected

    def refused_early(self, model: Model, request: Request, player: str) -> tuple[int, str] | None:
        """The problem of a request that is no matter of decisions."""
        if not request.who:
            return 401, "unauthenticated"
        if model.hides_from(player) and not request.invited:
            return 404, "not-found"
        if isinstance(request.command, Move):
            own = model.game.seats_of(player)
            if not own or (request.as_ is not None and request.as_ not in own):
                return 403, "not-seated"
        return None

    # --- rules ---

    @initialize(
        ruleset=st.sampled_from([*RULESETS]), extra=st.integers(0, 1), private=st.booleans(),
        absent=st.sampled_from(["random/1", "abort"]), mode=st.sampled_from(["none", "free", "agreed", "agreed"]),
        clock=st.booleans(), kind=st.sampled_from(["waiting", "sealed", "begun", "begun", "begun", "hotseat"]),
        bot=st.booleans(), kept=st.booleans(),
    )  # fmt: skip
    def open(
        self, ruleset: str, extra: int, private: bool, absent: str, mode: str, clock: bool, kind: str, bot: bool,
        kept: bool,
    ) -> None:  # fmt: skip
        self.rules = RULESETS[ruleset]
        size = min(fewest(ruleset) + extra, max(self.rules.seats))
        ann, *others = (self.callers[name] for name in SEATED)
        seats: list[Any] = ["me", *["open"] * (size - 1)]
        if bot and size > 2:
            seats[-1] = "random/1"
        if kept:
            seats[1] = {"player": others[0].id}
        terms: Json = {"seats": seats, "private": private, "undo": mode, "absent": absent}
        if clock:
            terms["clock"] = {"bank": 3600, "increment": 60}
        if kind == "sealed":
            terms["sealed"] = True
        if kind == "hotseat":
            terms = {"seats": size, "private": private, "undo": mode, "hotseat": True}
        self.done: dict[tuple[str, str | None], tuple[Any, Answer]] = {}
        self.sent: list[Request] = []
        self.past: list[Any] = []
        """The moves that were tried."""
        opened = self.run(ann.post(f"/v1/games/{ruleset}", terms))
        self.game_id, self.path = done(opened, 201)["id"], opened.json()["links"]["self"]
        self.invite = opened.json().get("invite", "none")
        self.table = Table(self.path, self.invite, self.callers, self.channels, [])
        self.update()
        if kind == "begun":
            for name in SEATED[1 : size - (bot and size > 2)]:
                self.send(Request(name, Join(), None, invited=True), over="rest")
        for name in ("Ann", "Eve"):
            self.run(self.channels[name].did("follow", game=game_name(self.path), invite=self.invite))
        self.settled = True

    @rule(data=st.data(), row=st.sampled_from([*ROWS.values()]), over=OVER, anybody=SELDOM)
    def command(self, data: st.DataObject, row: Operation, over: str, anybody: bool) -> None:
        model = self.model()
        running, present = model.game.status == "running", [seat for seat in model.game.players if seat]
        if (row.command is Leave and running and data.draw(st.booleans())) or (
            row.command is Join and running and not model.game.gone
        ):
            row = ROWS[data.draw(st.sampled_from([GiveTime, TakeBack, TakeBack, Vote, Vote]))]
        makers = [made for made in model.made if made.seat is not None]
        version, who = st.integers(1, len(self.log) + 1), data.draw(st.sampled_from(SEATED))
        if row.command in (TakeBack, Vote) and makers:
            made = makers[-1]
            version, who = st.just(made.last), self.at(made.seat) if row.command is TakeBack else who
        elif row.command is not Join and len(present) > 0:
            drawn = data.draw(st.sampled_from(present))
            who = next((name for name in SEATED if self.callers[name].id == drawn), who)
        if anybody:
            who = data.draw(st.sampled_from(NAMES))
        own, seat = self.seats_of(model, who), st.integers(0, len(model.game.players))
        if own and row.command is Leave and not anybody:
            seat = st.sampled_from(own)
        strategies: dict[type[Any], Any] = {
            Join: st.builds(self.joining, st.none() | seat, st.sampled_from(["", "salt"]), SELDOM),
            Ready: st.builds(Ready, st.sampled_from(["", "salt"])),
            Leave: st.builds(Leave, seat, st.integers(0, 3).map(bool) if running else st.booleans()),
            GiveTime: st.builds(GiveTime, seat, st.sampled_from([1, 30, 3600, 3601])),
            TakeBack: st.builds(TakeBack, version),
            Vote: st.builds(
                Vote,
                st.sampled_from(["abort", "undo", "undo", "undo"]),
                st.integers(0, 4).map(bool),
                st.none() | (seat if model.game.question is None else st.just(model.game.question.seat)),
            ),
        }
        self.begin(data, who, data.draw(strategies.get(row.command, st.builds(row.command))), over)

    def joining(self, seat: int | None, entropy: str, wrong: bool) -> Join:
        """With entropy or its seal, as the terms say unless it is `wrong`."""
        if (domain.agreed(self.model().game).sealed is UNSET) != wrong:
            return Join(seat, entropy)
        return Join(seat, seal=seal(self.game_id, seat or 0, entropy))

    @rule(data=st.data(), over=OVER, anybody=SELDOM, late=SELDOM)
    def move(self, data: st.DataObject, over: str, anybody: bool, late: bool) -> None:
        model = self.model()
        acting = [seat for seat, (legal, _) in model.choices.items() if legal]
        if not acting:
            return
        seat = data.draw(st.sampled_from(acting))
        legal, since = model.choices[seat]
        who = data.draw(st.sampled_from(NAMES)) if anybody else self.at(seat)
        decided_on = data.draw(st.integers(1, len(self.log) + 2) if late else st.sampled_from([None, since]))
        as_ = seat if len(self.seats_of(model, who)) > 1 or data.draw(st.booleans()) else None
        chosen = data.draw(st.sampled_from(data.draw(st.sampled_from([legal, legal, self.past or legal]))))
        self.past.append(chosen)
        self.begin(data, who, Move(chosen, as_, decided_on), over, as_)

    def begin(self, data: st.DataObject, who: str, command: Command, over: str, as_: int | None = None) -> None:
        fresh = str(len(self.sent))
        key, invited = data.draw(st.sampled_from([None, fresh, fresh, fresh, "k"])), data.draw(st.integers(0, 3)) > 0
        self.sent.append(Request(who, command, key, invited, as_))
        self.send(self.sent[-1], over=over)

    @rule(data=st.data(), over=OVER)
    def repeat(self, data: st.DataObject, over: str) -> None:
        if keyed := [request for request in self.sent if request.key and (request.who, request.key) in self.done]:
            self.send(keyed[-1 - data.draw(st.integers(0, min(2, len(keyed) - 1)))], over=over)

    @rule(long=SELDOM)
    def wait(self, long: bool) -> None:
        running = self.model().game.status == "running"  # a sealed game expires while it waits
        self.wall.sleep(10_000 if long and running else 1)

    def at(self, seat: int | None) -> str:
        """The player at the seat."""
        players = self.model().game.players
        return next((name for name in SEATED if seat is not None and players[seat] == self.callers[name].id), "Eve")

    def seats_of(self, model: Model, name: str) -> Collection[int]:
        return model.game.seats_of(self.callers[name].id)

    # --- what is shown ---

    @invariant()
    def everybody_sees_the_game_of_the_model(self) -> None:
        model = self.model()
        now, name = model.game, NAMES[len(self.sent) % len(NAMES)]
        caller = self.callers[name]
        seen = self.run(caller.look(self.path, invite=self.invite))
        own = now.seats_of(caller.id)
        you = choosing(own, domain.to_act(self.rules, now))
        assert (seen["version"], seen["status"], seen["you"]) == (now.version, now.status, you)
        assert [each["player"] and each["player"]["id"] for each in seen["seats"]] == [*now.players]
        assert seen["to_act"] == [*domain.to_act(self.rules, now)]
        legal = [] if you is None else domain.legal(self.rules, now, you)
        assert seen["legal_moves"] == msgspec.json.decode(msgspec.json.encode(legal))
        assert seen["decision"] == (model.choices[you][1] if legal else None)
        free = undo.free_undo(now, model, you)
        assert seen.get("undo", msgspec.UNSET) == free
        times = timekeeping.fold(self.log)
        shown = None if times is None else msgspec.json.decode(msgspec.json.encode(game_clock(times)))
        assert seen.get("clock") == shown
        question = now.question
        assert (seen.get("vote") is None) == (question is None)
        if question is not None:
            assert (seen["vote"]["on"], seen["vote"]["yes"]) == (question.on, [*question.yes])

    def teardown(self) -> None:
        try:
            for name in ("Ann", "Eve") if self.settled else ():
                self.run(self.follows_to_the_end(name))
        finally:
            self.run(self.house.aclose())
            self.runner.close()

    async def follows_to_the_end(self, name: str) -> None:
        """A channel has received all events, and with the last ones what its player can do now."""
        mine, caller = self.channels[name], self.callers[name]
        last, items, state, seats = self.log[-1].version, list[Json](), {}, None
        while state.get("version") != last:
            message = await mine.next()
            items += message.get("items", [])
            state = message if message["type"] == "state" else state
            seats = message.get("seats", seats)
        audit = done(await caller.get(f"{self.path}/audit", invite=self.invite))
        assert False not in [check["ok"] for check in audit["checks"]], audit
        if state["status"] in ("waiting", "running"):
            own = self.model().game.seats_of(caller.id)
            as_ = own[0] if own else "bystander"
            seen = await caller.look(self.path, as_=as_, invite=self.invite)
            assert all(seen[name] == value for name, value in state.items() if name in seen and name != "seats"), (
                state,
                seen,
            )
            assert items == await caller.events(self.path, as_=as_, invite=self.invite)


def test_both_entries_decide_as_the_domain_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clocks.no_sweeps(monkeypatch)
    Commands.folder = tmp_path
    for Commands.wall in clocks.set_forward(monkeypatch):
        few = settings().max_examples // 4
        how = settings(max_examples=few, stateful_step_count=30, phases=[Phase.generate])
        run_state_machine_as_test(Commands, settings=how)
