"""The views of a game: `evolve` folded over the redacted events of each viewer."""

from collections.abc import Sequence
from typing import Any

from domain import game
from domain.game import Game, Rules
from domain.game.log import Entry
from domain.ruleset import Viewer


class Views:
    """The cached views of one game. A view is updated when it is read, from its last version on."""

    __slots__ = ("_blank", "_rules", "_seen")

    def __init__(self, rules: Rules, game_id: str) -> None:
        self._rules = rules
        self._blank = Game(game_id)
        self._seen: dict[Viewer, Game] = {}

    def __len__(self) -> int:
        return len(self._seen)

    def behind(self, viewer: Viewer) -> int:
        """The version of the viewer's cached view. Updating it needs the entries after this version."""
        return self.latest(viewer).version

    def of(self, viewer: Viewer, log: Sequence[Entry[Any, Any]]) -> Game:
        """The view after the last entry of `log`, or a later one.

        The log must contain all entries after `behind(viewer)`.
        """
        seen = self.latest(viewer)
        behind = log[-1].version - seen.version
        if behind > 0:
            assert behind <= len(log), "the log does not reach back to the cached view"
            seen = self._seen[viewer] = view(self._rules, seen, log[-behind:], viewer)
        return seen

    def latest(self, viewer: Viewer) -> Game:
        return self._seen.get(viewer, self._blank)

    def keep(self, viewer: Viewer, seen: Game) -> None:
        """Cache this view, unless a later one is cached."""
        if seen.version > self.behind(viewer):
            self._seen[viewer] = seen

    def catch_up(self, log: Sequence[Entry[Any, Any]]) -> None:
        """Update every cached view to the end of `log`, so that older entries can be dropped."""
        for viewer in self._seen:
            self.of(viewer, log)


def view(rules: Rules, seen: Game, log: Sequence[Entry[Any, Any]], viewer: Viewer) -> Game:
    """The view after these entries; `seen` is the view before them."""
    return game.fold(rules, seen, game.shown(rules, [entry.event for entry in log], viewer))
