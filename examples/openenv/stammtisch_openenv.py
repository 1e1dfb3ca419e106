"""One seat against house players as an OpenEnv environment: reset, step, state.

An observation is the table as text with numbered moves; an action is a number. `RULESET`, `OPPONENTS` and `PORT` are
read from the environment.
"""

from hashlib import sha256
from os import environ, urandom
from typing import Any

from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from agents.bots import bot_named
from agents.external import table_as_text
from agents.search import ahead
from agents.table import Bot, Table
from domain.rulesets import RULESETS

AGENT = 0
"""The seat of the agent."""
GAMES_AT_ONCE = 16


class CardAction(Action):
    number: int = Field(ge=1, description="The number of one of the listed moves.")


class CardObservation(Observation):
    text: str = Field(description="The table before the choice, with numbered moves; after the end, the points.")
    moves: int = Field(description="The number of listed moves; 0 after the end.")


class CardState(State):
    ruleset: str = ""
    points: list[float] = Field(default_factory=list, description="By seat, after the end; more is better.")


def learner(_: object) -> int:
    raise AssertionError("the seat of the agent is asked through `step`")


class CardEnvironment(Environment[CardAction, CardObservation, CardState]):
    """Seat 1 is the agent's. The reward comes at the end: its points ahead of the mean of the others."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self.rules = RULESETS[environ["RULESET"]]
        self.opponents = environ.get("OPPONENTS", "careful,careful").split(",")
        self.table: Table | None = None
        self._state = CardState(ruleset=self.rules.name)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> CardObservation:
        """The same seed gives the same deals and the same opponents' dice."""
        secret = urandom(32) if seed is None else sha256(f"openenv {seed}".encode()).digest()
        bots = [Bot(learner, looks_back=True), *[bot_named(self.rules, name) for name in self.opponents]]
        self.table = Table(self.rules, self.rules.options(**self.rules.board), bots, secret)
        self._state = CardState(episode_id=episode_id or self.table.id, step_count=0, ruleset=self.rules.name)
        return self._observed(self.table)

    def step(self, action: CardAction, **_: Any) -> CardObservation:
        """Raises ValueError without a running game and for a number that is not listed; nothing changes then."""
        table = self.table
        if table is None or table.result is not None:
            raise ValueError("No game is running: reset first.")
        legal = table.question().legal
        if action.number > len(legal):
            raise ValueError(f"There is no move {action.number}: they are numbered from 1 to {len(legal)}.")
        self._state.step_count += 1
        table.move(legal[action.number - 1])
        return self._observed(table)

    def _observed(self, table: Table) -> CardObservation:
        """What the agent sees when it has the next choice, or the end."""
        while table.acting not in (AGENT, None):
            question = table.question()
            table.move(question.legal[table.bots[question.seat].choose(question)])
        if table.result is None:
            question = table.question()
            return CardObservation(
                text=table_as_text(question, "en"), moves=len(question.legal), done=False, reward=0.0
            )
        standing = self.rules.standing(table.state)
        points = self._state.points = [float(each) for each in standing]
        return CardObservation(
            text=f"The game is over. Points by seat: {points}.", moves=0, done=True, reward=ahead(standing, AGENT)
        )

    @property
    def state(self) -> CardState:
        return self._state


app = create_fastapi_app(
    CardEnvironment, CardAction, CardObservation,
    max_concurrent_envs=GAMES_AT_ONCE, env_name="stammtisch", state_cls=CardState,
)  # fmt: skip


def main() -> None:
    """Serve on loopback: the protocol has no logins."""
    import uvicorn

    uvicorn.run(app, host="127.0.0.1", port=int(environ.get("PORT", "8000")), log_level="warning")


if __name__ == "__main__":
    main()
