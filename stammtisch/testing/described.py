"""The law of descriptions: somebody who has nothing but the description of a ruleset finds what happened.

Verifiers that do not know the rules check games in this way, and refuse a game that the description does not fit.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from domain import game as aggregate
from domain.codec import encode
from domain.description import Description
from domain.description import description as text_of
from domain.fairness.chance import Chance, Dealer
from domain.game import LIFECYCLE, Game
from domain.messages import Dealing, Drawing
from domain.ruleset import step_of
from domain.stand_in import backs
from stammtisch.testing.broken import Fault
from stammtisch.testing.playing import ID, Play, first_difference, tag_of


def description(play: Play) -> None:
    """The draws of the description give each deal, and its hidden fields are what a bystander does not see."""
    told = msgspec.json.decode(text_of(play.rules), type=Description)
    secret, game = bytes.fromhex(play.events[0].secret), Game(ID)
    for number, (event, public) in enumerate(zip(play.events, play.seen[None], strict=True)):
        if isinstance(event, Dealing):
            kind = step_of(event)
            stream = secret, ID, game.entropies, kind, game.deals.get(kind, 0)
            if why := undrawn(told.draws[kind], plain(event), Dealer(*stream), play.table.seats):
                drawn = Watched(Dealer(*stream))
                play.rules.deal(game.state, drawn)
                raise Fault(f"{why}; `deal` drew: {', '.join(drawn.what) or 'nothing'}", play.event(number))
        if type(event) not in LIFECYCLE:
            expected = hidden(told.hidden.get(tag_of(event), {}), plain(event))
            if expected != plain(public):
                raise Fault(f"by the description {first_difference(expected, plain(public))}", play.event(number), None)
        game = aggregate.evolve(play.rules, game, event)


def plain(event: Any) -> Any:
    return msgspec.json.decode(encode(event))


def hidden(fields: dict[str, int], event: dict[str, Any]) -> dict[str, Any]:
    """The event with null in the hidden fields."""
    return event | {name: backs(event[name], depth) for name, depth in fields.items() if name in event}


class Watched:
    """Chance that notes what is drawn."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.what: list[str] = []

    def below(self, n: int) -> int:
        self.what.append(f"below {n}")
        return self.chance.below(n)

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        self.what.append(f"a shuffle of {len(items)}")
        return self.chance.shuffled(items)


def undrawn(draws: Sequence[Drawing], event: Any, chance: Chance, seats: int) -> str | None:
    """What of the event does not follow from the random numbers, drawn as the description says; None: all follows."""
    drawn = set[tuple[Any, ...]]()
    for draw in draws:
        paths = draw.shuffle or (str(draw.at),)
        for seat in range(seats if "{seat}" in "".join(paths) else 1):
            found = list[Any]()
            for path in paths:
                try:
                    places = [*at(event, path.replace("{seat}", str(seat)).split("/"))]
                except (LookupError, TypeError, ValueError):
                    return f"nothing is at {path!r}"
                if twice := [place for place, _ in places if place in drawn]:
                    return f"{'/'.join(map(str, twice[0]))} is drawn twice"
                drawn.update([place for place, _ in places])
                found += [value for _, value in places]
            if found != again(draw, found, chance, seats):
                return f"{', '.join(paths)}: these values do not follow from the secret"
    return None


def again(draw: Drawing, found: Sequence[Any], chance: Chance, seats: int) -> list[Any]:
    """The cards in the order, or the lot, that the random numbers give."""
    if draw.below is not UNSET:
        return [chance.below(seats if draw.below == "seats" else int(draw.below))]
    if not draw.turned:
        return [*chance.shuffled(found)]
    return [card[::-1] if chance.below(2) else card for card in chance.shuffled([sorted(card) for card in found])]


def at(value: Any, steps: Sequence[str], place: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The places that the path leads to, in their order, each with what is there."""
    if not steps:
        yield place, value
        return
    step: Any = int(steps[0]) if isinstance(value, list) and steps[0] != "*" else steps[0]
    for key in range(len(value)) if step == "*" else (step,):
        yield from at(value[key], steps[1:], (*place, key))
