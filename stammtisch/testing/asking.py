"""The law of prompts: what a seat is asked can be filled from its view, and is one question."""

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
    """Every placeholder of the question outside of brackets has a value, and no other prompt has as many conditions."""
    rules = play.rules
    document = {"labels": msgspec.to_builtins(rules.labels), "schemas": schemas(rules)}
    tellers = {language: Teller(document, language) for language in rules.labels if rules.labels[language].prompts}
    for number in range(0, len(play.games) if tellers else 0, EVERY):
        for seat in aggregate.to_act(rules, play.games[number]):
            view = play.views[seat][number]
            plain, legal = plainly(view.state), plainly([*aggregate.legal(rules, view, seat)])
            for language, teller in tellers.items():
                if why := next(unfilled(Table(teller, plain, seat, (), {}), legal), None):
                    raise Fault(f"{language}/prompts: {why}", play.at(number), seat)


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
