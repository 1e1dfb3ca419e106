"""Looks at games that need not be in memory: the answer lies ready on the board, beside the door of the game."""

from collections import OrderedDict

from litestar.types import ASGIApp

from domain.game import Player, Rules
from service.api.replies import Reply, for_one, matches
from service.api.visits import BYSTANDER, Guest, etag
from service.games import NoSuchGame
from service.noticeboard import Notice, Noticeboard
from service.stammtisch import Stammtisch

REMEMBERED = 10_000
"""Of so many callers and games we remember who looked through whose eyes."""


class ReadyAnswers:
    """To looks at one ruleset's games."""

    def __init__(self, rules: Rules, house: Stammtisch, board: Noticeboard) -> None:
        self._name = rules.name
        self._house = house
        self._board = board
        self._viewers: OrderedDict[tuple[str, str | None, str | None], str] = OrderedDict()

    async def look(
        self, game_id: str, caller: Player | None, wish: str | None, invite: str | None, if_none_match: str | None
    ) -> tuple[Notice, ASGIApp | None]:
        """What the board knows of the game, and the answer unless it has to be made of the game itself.

        Raises `NoSuchGame`, a `Refusal`, `Unavailable`.
        """
        who = game_id, None if caller is None else caller.id, wish
        guessed = self._viewers.get(who, BYSTANDER)  # whose answer it will be is known for certain at the door only
        notice = await self._board.ask(game_id, guessed, self._house.games.version(game_id))
        door, answer = notice.door, notice.answer
        if door is None or not await self._stands(game_id, notice):
            return notice, None
        if door.ruleset != self._name:
            raise NoSuchGame
        guest = Guest(door, caller, invite)
        perspective = guest.perspective(wish)
        viewer = guest.viewer(perspective)
        tag = etag(door.version, viewer)
        if if_none_match is not None and matches(if_none_match, tag):
            return notice, Reply(status=304, headers=for_one(tag))
        if viewer != guessed:
            self._remember(who, viewer)
            again = await self._board.ask(game_id, viewer)
            answer = again.answer if again.confirms(door.version) else None
        if answer is None:
            return notice, None
        self._board.answers += 1
        return notice, Reply(answer, headers=for_one(tag))

    async def _stands(self, game_id: str, notice: Notice) -> bool:
        """Whether the door may be believed; if it was not looked at for long, by the log."""
        if notice.sure or notice.door is None:
            return notice.sure
        stands = await self._house.games.stands(game_id, notice.door)
        if stands:
            await self._board.fill(game_id, notice, notice.door)
        return stands

    def _remember(self, who: tuple[str, str | None, str | None], viewer: str) -> None:
        self._viewers[who] = viewer
        if len(self._viewers) > REMEMBERED:
            self._viewers.popitem(last=False)
