"""Games in which players take back moves and vote, decided as the service does."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from msgspec import UNSET, UnsetType

from domain import game as aggregate
from domain.game import LIFECYCLE, Decision, Game, Matter, NotUndoable, undo
from domain.game.clock import Clock
from domain.game.commands import AskForHint
from domain.game.questions import CannotVote
from domain.game.undo import Made
from domain.ruleset import Seat, Viewer
from stammtisch.testing import doing
from stammtisch.testing.broken import Fault, Inapplicable
from stammtisch.testing.clocked import Clocked
from stammtisch.testing.playing import ID, Rules, Table, at_random, first_difference, tag
from stammtisch.testing.seats import person


class Undoing(Clocked):
    """A game with the views of everybody and with the appends that can be taken back."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.made: list[Made] = []
        self.bystander: Game | None = None
        self.earlier: dict[Viewer, Game] = {}
        """What the viewers saw before the latest append."""

    def append(self, decision: Decision) -> Decision:
        known = len(self.log)
        if self.bystander is not None:
            self.earlier = {None: self.bystander, **dict(enumerate(self.views))}
        super().append(decision)
        undo.note(self.made, self.log[known:])
        seen = [aggregate.redact(self.rules, event, None) for event in decision.events]
        self.bystander = aggregate.fold(self.rules, self.bystander or Game(self.game.id), seen)
        return decision

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (None, *range(len(self.views)))

    def shown_to(self, viewer: Viewer) -> list[Any]:
        """All events as the viewer has seen them."""
        return [aggregate.redact(self.rules, event, viewer) for event in self.events]

    def seen_by(self, viewer: Viewer) -> Game:
        found = self.bystander if viewer is None else self.views[viewer]
        assert found is not None
        return found

    def before(self, made: Made, viewer: Viewer) -> Any:
        """The table before the move, as the viewer saw it."""
        before = self.earlier.get(viewer)
        if before is not None and before.version == made.to:
            return before.state
        return aggregate.gone_back(self.rules, self.seen_by(viewer), made.to).state

    def free(self, seat: Seat) -> Made | None:
        """The move that the seat can take back now without asking anybody."""
        found = undo.last_move(self.game, self.made, seat)
        if found is None or found is not self.made[-1]:
            return None
        revealed_nothing = undo.revealed_nothing(
            self.rules, found, len(self.game.players), lambda viewer: self.before(found, viewer)
        )
        return found if revealed_nothing else None

    def take_back(self, seat: Seat) -> Decision | None:
        made = self.free(seat)
        if made is None:
            return None
        return self.append(
            doing.take_back(self.rules, self.game, self.made, person(seat), made.last, lambda: True, self.bots)
        )

    def vote(self, seat: Seat, matter: Matter, *, yes: bool = True) -> Decision:
        return self.append(doing.vote(self.rules, self.game, self.made, person(seat), matter, yes=yes, bots=self.bots))

    def ask_for_hint(self, seat: Seat) -> Decision:
        return self.append(doing.act(self.rules, self.game, person(seat), AskForHint(), self.bots))

    def some_vote(self, dice: Random, seat: Seat) -> None:
        question = self.game.question
        matter: Matter = "undo" if question is None else question.on
        with suppress(CannotVote, NotUndoable):
            self.vote(seat, matter, yes=question is None or dice.random() < 0.8)

    def random_command(self, dice: Random) -> None:
        game = self.game
        if game.status == "running" and game.present:
            seat = dice.choice(game.present)
            mover = self.made[-1].seat if self.made else None
            if mover in game.present and dice.random() < 0.4 and self.take_back(mover or 0):
                return
            if aggregate.agreed(game).undo == "agreed" and dice.random() < (0.3 if game.question is None else 0.7):
                self.some_vote(dice, seat)
                return
        super().random_command(dice)


def undoing(
    rules: Rules, *bots: str | None, mode: str | UnsetType = "free", clock: Clock | UnsetType = UNSET, **terms: Any
) -> Undoing:
    """A game that has begun, with these bots (None: a player)."""
    sitting = Undoing(rules)
    sitting.begin(clock, *bots, undo=mode, **terms)
    return sitting


def chosen(sitting: Undoing) -> list[tuple[Seat, Any]]:
    """The moves that stand."""
    standing = aggregate.standing([entry.event for entry in sitting.log])
    return [
        (entry.by, entry.move)
        for entry, stood in zip(sitting.log, standing, strict=True)
        if stood and entry.move is not UNSET and entry.by is not None
    ]


def of_the_rules(events: list[Any]) -> list[Any]:
    return [event for event in events if type(event) not in LIFECYCLE]


# --- the law ---------------------------------------------------------------------------------------------------------


def never_happened(sitting: Undoing) -> None:
    """Law 9. The table of everybody is that of the events that stand, and these are those of the game without it."""
    rules, events = sitting.rules, sitting.events
    at = f"event {len(events)} of the game, {tag(events[-1])}"
    stood = aggregate.stands(events)
    assert aggregate.stands(stood) == stood, "law 12"
    truth = [(sitting.game, events)]
    for now, seen in [*truth, *[(sitting.seen_by(viewer), sitting.shown_to(viewer)) for viewer in sitting.viewers]]:
        without = aggregate.fold(rules, Game(ID), aggregate.stands(seen))
        if (now.state, now.dealt, now.played) != (without.state, without.dealt, without.played):
            raise Fault(f"after all that was taken back: {first_difference(now.state, without.state)}", at)
        if aggregate.fold(rules, Game(ID), seen) != now:
            raise Fault("folding all events again gives another table", at)
    straight = undoing(rules, *_bots(sitting), mode=UNSET, options=sitting.events[0].options)
    for seat, move in chosen(sitting):
        if straight.game.bot_at(seat) is None:
            straight.move(seat, move)
    if (ours := of_the_rules(straight.events)) != (theirs := of_the_rules(stood)):
        raise Fault(f"without the moves that were taken back: {first_difference(tuple(theirs), tuple(ours))}", at)
    for seat in range(len(sitting.views)):
        if sitting.views[seat].state != straight.views[seat].state:
            raise Fault("the view is not that of the game without the moves that were taken back", at, seat)
        if sitting.game.status == straight.game.status:
            moves = [aggregate.legal(rules, game, seat) for game in (sitting.game, straight.game)]
            if moves[0] != moves[1]:
                raise Fault("other legal moves than in the game without what was taken back", at, seat)


def _bots(sitting: Undoing) -> list[str | None]:
    return list(aggregate.bots_of(sitting.events[0])) or [None] * len(sitting.views)


def without_leaving(
    rules: Rules, seed: int, mode: str, most: int, each: Callable[[Undoing], None] = lambda _: None,
    seats: int = 3, options: Any = None,
) -> Undoing:  # fmt: skip
    """A random game in which players move, take back and vote, and nobody leaves. `each` is called again and again."""
    dice = Random(seed)
    last = dice.choice((None, next(iter(rules.bots))))
    sitting = undoing(rules, *[None] * (seats - 1), last, mode=mode, options=options)
    choose = at_random(dice)
    while most and sitting.game.status == "running":
        most -= 1
        each(sitting)
        seat = dice.choice(sitting.game.present)
        mover = sitting.made[-1].seat if sitting.made else None
        if mover is not None and dice.random() < 0.5 and sitting.take_back(mover):
            continue
        if mode == "agreed" and dice.random() < (0.3 if sitting.game.question is None else 0.8):
            sitting.some_vote(dice, seat)
        elif choice := choose(rules, sitting.game):
            sitting.move(*choice)
    return sitting


def of_a_game(rules: Rules, table: Table) -> None:
    """A random game in which moves that revealed nothing are taken back."""
    if table.seats < 2:
        raise Inapplicable("a single player plays alone")
    never_happened(without_leaving(rules, table.seed, "free", 60, seats=table.seats, options=table.options))
