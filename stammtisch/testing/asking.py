"""The law of prompts and texts: what a seat is asked can be filled from its view, and every table can be told."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain import game as aggregate
from domain.codec import encode
from domain.schemas import schemas
from domain.telling import OPTIONAL, PLACEHOLDER, Table, Teller, has_content, value_at
from stammtisch.testing.broken import Fault
from stammtisch.testing.playing import Play

EVERY = 5
"""The step between the positions that are checked."""


def prompts(play: Play) -> None:
    """Every placeholder of the question outside of brackets has a value, and no other prompt has as many conditions.
    The table as text has a sentence of its own for each legal move."""
    rules = play.rules
    document = {"labels": msgspec.to_builtins(rules.labels), "schemas": schemas(rules)}
    tellers = {language: Teller(document, language) for language in rules.labels}
    for number in range(0, len(play.games), EVERY):
        for seat in aggregate.to_act(rules, play.games[number]):
            view = play.views[seat][number]
            plain, legal = plainly(view.state), plainly([*aggregate.legal(rules, view, seat)])
            for language, teller in tellers.items():
                if why := next(unfilled(Table(teller, plain, seat, (), {}), legal), None):
                    raise Fault(f"{language}/prompts: {why}", play.at(number), seat)
                try:
                    told = teller.tell(plain, seat, legal)
                except KeyError as error:
                    raise Fault(f"{language}: {error} has no label", play.at(number), seat) from None
                if len({*told.moves}) < len(legal):
                    raise Fault(f"{language}: two legal moves have one sentence", play.at(number), seat)


def unfilled(table: Table, legal: Any) -> Iterator[str]:
    scope = {**table.view, "you": table.seat, "legal": legal}
    ranked = table.prompts(scope)
    if not ranked:
        return
    (*rank, key), *others = ranked
    for *other, named in others:
        if other == rank:
            yield f"{key!r} and {named!r} are asked with as many conditions"
    for _, path, kind in PLACEHOLDER.findall(OPTIONAL.sub("", table.labels["prompts"][key]["ask"])):
        if kind != "can" and not has_content(value_at(scope, path), kind or "amount"):
            yield f"{key!r} has nothing to show for {path!r}"


def plainly(value: Any) -> Any:
    return msgspec.json.decode(encode(value))
