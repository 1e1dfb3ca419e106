"""Games in which players take back moves and vote, decided as the service does."""

from contextlib import suppress
from random import Random
from typing import Any

from msgspec import UNSET, UnsetType

from domain import game as aggregate
from domain.game import LIFECYCLE, Decision, Game, Matter, NotUndoable, undo
from domain.game.clock import Clock
from domain.game.questions import CannotVote
from domain.game.undo import Made
from domain.ruleset import Seat, Viewer
from tests.kit import doing
from tests.kit.clocked import Clocked
from tests.kit.laws import Rules
from tests.kit.seats import person


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
