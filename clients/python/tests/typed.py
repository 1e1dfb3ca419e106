"""What has to type-check, and what must not: `mypy` and `pyright` check this file, nothing runs it."""

from typing import assert_type

from stammtisch_client import AsyncClient, Client, models, problems
from stammtisch_client.rulesets import SCOUT, SKYJO


async def asynchronous(client: AsyncClient) -> None:
    table = await client.open(SKYJO, 2, options=models.SkyjoOptionsInput(target_points=30))
    assert_type(await table.game(), models.SkyjoGame)
    async for turn in table.turns():
        assert_type(turn.view, models.SkyjoView)
        assert_type(turn.legal_moves[0], models.SkyjoMove)
        await turn.play(models.SkyjoSwapMove(slot=turn.legal_moves.index(models.SkyjoDrawMove())))
        await turn.play(models.ScoutKeepMove())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def synchronous(client: Client) -> None:
    table = client.table(SCOUT, "id")
    for item in table.events():
        match item.event:
            case models.ScoutScoutedEvent(seat=seat):
                assert_type(seat, int)
            case _:
                pass
    try:
        table.play(models.ScoutKeepMove())
    except problems.IllegalMove as illegal:
        assert_type(illegal.document, models.IllegalMoveProblem)
