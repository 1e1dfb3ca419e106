"""What a bot of ours is asked at a game of a service: the JSON of a client as our types."""

from collections.abc import Sequence
from typing import Any, get_args

import msgspec

from agents.table import Question, Rules
from domain.fairness.chance import Chance


def question(rules: Rules, choice: Any, dice: Chance, *, looks_back: bool) -> Question:
    """`choice`: one of `stammtisch_client.bot`. `looks_back`: with all events that stand."""
    opened = choice.seen[0]["event"]
    deck = rules.deck_of(msgspec.convert(opened["deck"], rules.deck.data_type))
    return Question(
        rules,
        msgspec.convert(choice.view, rules.state, dec_hook=lambda *_: deck),  # a view has only the name of the deck
        choice.seat,
        msgspec.convert(choice.legal_moves, list[rules.move]),  # type: ignore[name-defined]
        rules.initial(opened["seats"], msgspec.convert(opened["options"], rules.options), deck),
        standing_events(rules, choice.seen) if looks_back else (),
        dice,
    )


def standing_events(rules: Rules, items: Sequence[Any]) -> list[Any]:
    """The events of the ruleset, without those of moves that were taken back."""
    types = {kind.__struct_config__.tag for kind in get_args(rules.event)}
    standing: list[Any] = []
    for item in items:
        if item["event"]["type"] == "taken_back":
            standing = [each for each in standing if each["version"] <= item["event"]["to"]]
        elif item["event"]["type"] in types:
            standing.append(item)
    return msgspec.convert([item["event"] for item in standing], list[rules.event])  # type: ignore[name-defined]
