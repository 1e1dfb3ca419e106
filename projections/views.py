"""A game as each of its viewers has seen it develop: `evolve` folded over the viewer's redacted events."""

from collections.abc import Sequence
from typing import Any

from domain import game
from domain.game import Game, Rules
from domain.log import Entry
from domain.ruleset import Viewer


class Views:
    """The views of one game. Each is brought up to date when it is asked for, from where it was last seen."""

    __slots__ = ("_blank", "_rules", "_seen")

    def __init__(self, rules: Rules, game_id: str) -> None:
        self._rules = rules
        self._blank = Game(game_id)
        self._seen: dict[Viewer, Game] = {}

    def behind(self, viewer: Viewer) -> int:
        """The version up to which the viewer's view is kept; entries from the next one on are needed to go on."""
        return self._seen.get(viewer, self._blank).version

    def of(self, viewer: Viewer, log: Sequence[Entry[Any]]) -> Game:
        """The view after the last entry of `log`, or a later one. The log must reach back to what is kept."""
        seen = self._seen.get(viewer, self._blank)
        behind = log[-1].version - seen.version
        if behind > 0:
            assert behind <= len(log), "the log does not reach back to the view"
            seen = self._seen[viewer] = view(self._rules, seen, log[-behind:], viewer)
        return seen

    def catch_up(self, log: Sequence[Entry[Any]]) -> None:
        """Bring every kept view up to the end of `log`, so that its older entries may be forgotten."""
        for viewer in self._seen:
            self.of(viewer, log)


def view(rules: Rules, seen: Game, log: Sequence[Entry[Any]], viewer: Viewer) -> Game:
    """What the viewer knows after these entries, who knew `seen` before them."""
    return game.fold(rules, seen, [game.redact(rules, entry.event, viewer) for entry in log])
