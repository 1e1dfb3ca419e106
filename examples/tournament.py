"""A tournament over the REST API: Swiss, knock-out or round robin, of a game for two, with byes and absent players.

    python -m examples.tournament URL TOKEN --name monday --game RULESET --system swiss --rounds 4 PLAYER...

It needs the extra `tournament`. The program keeps nothing: each round is one pairing, whose key follows from the name
and the round, so it is opened once. Stop the program at any step and start it again with the same arguments: it goes
through the rounds from the first one, finds what is there, and goes on.
"""

import sys
import time
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, TypeAlias

import httpx
from caissify_pairings import generate_pairings

Json: TypeAlias = dict[str, Any]
Pair: TypeAlias = tuple[str, str]

TRIES = 60
"""How often a request is sent that fails for a while. Everything here can be repeated."""
PAUSE = 0.5
"""Seconds between two looks at a round."""


class Service:
    def __init__(self, url: str, token: str) -> None:
        self.http = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=30)

    def ask(self, method: str, path: str, **more: Any) -> Json:
        for attempt in range(TRIES):
            try:
                answer = self.http.request(method, path, **more)
            except httpx.TransportError:
                answer = None
            if answer is not None and answer.status_code not in (429, 502, 503, 504):
                answer.raise_for_status()
                found: Json = answer.json()
                return found
            wait = None if answer is None else answer.headers.get("Retry-After")
            time.sleep(float(wait or min(5, 0.2 * 2**attempt)))
        raise SystemExit("the service is away")

    def round(self, key: str, game: str, pairs: Sequence[Pair], *, same: bool, sit: float) -> Json:
        """The round with this key when it is over. It is opened unless it was."""
        (known, *_) = self.ask("GET", "/v1/pairings", params={"key": key})["items"] or [None]
        if known is None:
            until = datetime.now(UTC) + timedelta(seconds=sit)
            body = {
                "ruleset": game, "name": key, "deal": "same" if same else "own",
                "sit_until": until.isoformat(timespec="microseconds").replace("+00:00", "Z"),
                "tables": [[{"player": one}, {"player": two}] for one, two in pairs],
            }  # fmt: skip
            known = self.ask("POST", "/v1/pairings", json=body, headers={"Idempotency-Key": key})
        while (found := self.ask("GET", f"/v1/pairings/{known['id']}"))["state"] not in ("over", "cancelled"):
            time.sleep(PAUSE)
        return found


class Got(NamedTuple):
    one: float
    two: float


def got(table: Json) -> Got:
    """A win is 1 point, a tie half of one. Somebody who did not sit down, or left, has none; the other one wins."""
    if "points" in table:
        one, two = table["points"]
        if one is None or two is None:
            return Got(float(one is not None), float(two is not None))
        return Got(1, 0) if one > two else Got(0, 1) if two > one else Got(0.5, 0.5)
    first, second = [seat["sitting"] for seat in table["seats"]]
    return Got(0.5, 0.5) if first and second else Got(float(first), float(second))


class Score:
    """Everybody's points, and what the pairing of the next round needs."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players, self.number = players, {player: n for n, player in enumerate(players, 1)}
        self.points = defaultdict[str, float](float)
        self.met = defaultdict[str, list[str]](list)
        self.seats = defaultdict[str, list[str]](list)
        self.floats = defaultdict[str, list[str]](list)
        self.byes = defaultdict[str, int](int)
        self.left = list(players)
        """Those who have won all rounds of a knock-out. A tie is won by the one who entered first."""

    def add(self, pairs: Sequence[Pair], bye: str | None, tables: Sequence[Json]) -> None:
        before, winners = dict(self.points), list[str]()
        for (one, two), table in zip(pairs, tables, strict=True):
            points = got(table)
            for player, other, mine, seat in ((one, two, points.one, "white"), (two, one, points.two, "black")):
                self.points[player] += mine
                self.met[player].append(other)
                self.seats[player].append(seat)
                gap = before.get(player, 0) - before.get(other, 0)
                self.floats[player].append("down" if gap > 0 else "up" if gap < 0 else "none")
            first = points.one > points.two or (points.one == points.two and self.number[one] < self.number[two])
            winners.append(one if first else two)
        if bye is not None:
            self.points[bye] += 1
            self.byes[bye] += 1
            self.floats[bye].append("down")
            winners.append(bye)
        self.left = winners

    def buchholz(self, player: str) -> float:
        """The points of those whom the player has met."""
        return sum(self.points[other] for other in self.met[player])

    def ranked(self) -> list[str]:
        return sorted(self.players, key=lambda each: (-self.points[each], -self.buchholz(each), self.number[each]))


def drawn(system: str, score: Score, number: int, rounds: int) -> tuple[list[Pair], str | None]:
    """The pairs of the round, and who has a bye. The same results give the same pairs."""
    if system == "knockout":
        field, half = score.left, len(score.left) // 2
        return list(zip(field[:half], field[::-1], strict=False)), field[half] if len(field) % 2 else None
    players = [
        {
            "id": score.number[each], "name": each, "score": score.points[each], "rating": 0,
            "bye_count": score.byes[each], "starting_number": score.number[each], "color_hist": score.seats[each],
            "float_history": score.floats[each],
        }
        for each in score.players
    ]  # fmt: skip
    met = {tuple(sorted((score.number[one], score.number[two]))) for one in score.players for two in score.met[one]}
    made = generate_pairings(
        system="dutch" if system == "swiss" else "round_robin", players=players, previous_pairings=met,
        round_number=number, total_rounds=rounds,
    )  # fmt: skip
    name = dict(enumerate(score.players, 1))
    found = [(each.get("white_id"), each.get("black_id")) for each in made]
    pairs = [(name[one], name[two]) for one, two in found if one and two]
    seated = {player for pair in pairs for player in pair}
    return pairs, next((each for each in score.players if each not in seated), None)


def parser() -> ArgumentParser:
    made = ArgumentParser(prog="python -m examples.tournament", description="Run a tournament over the REST API.")
    made.add_argument("url")
    made.add_argument("token", help="of the organiser, who need not play")
    made.add_argument("--name", required=True, help="begins the keys of all rounds")
    made.add_argument("--game", required=True, help="a ruleset for two")
    made.add_argument("--system", choices=("swiss", "knockout", "robin"), default="swiss")
    made.add_argument("--rounds", type=int, default=4, help="of a Swiss tournament")
    made.add_argument("--same", action="store_true", help="all tables of a round play the same deal")
    made.add_argument("--sit", type=float, default=600, help="seconds that a table waits for its players")
    made.add_argument("players", nargs="+", help="ids, the strongest first")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    service, score = Service(given.url, given.token), Score(given.players)
    size = len(given.players)
    rounds = {"knockout": (size - 1).bit_length(), "robin": size - 1 + size % 2}.get(given.system, given.rounds)
    for number in range(1, rounds + 1):
        pairs, bye = drawn(given.system, score, number, rounds)
        key = f"{given.name}-{given.system}-{number}"
        found = service.round(key, given.game, pairs, same=given.same, sit=given.sit)
        score.add(pairs, bye, found["tables"])
        print(f"round {number}: {len(pairs)} tables{', a bye' if bye else ''}", flush=True)  # noqa: T201
    ranked = score.ranked()
    if given.system == "knockout":
        ranked = score.left + [each for each in ranked if each not in score.left]
    for place, player in enumerate(ranked, 1):
        print(f"{place:3} {player} {score.points[player]:g} {score.buchholz(player):g}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
