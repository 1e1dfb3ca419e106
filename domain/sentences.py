"""Sentences about events, from the templates in a ruleset's labels.

A template contains placeholders: `{path}` or `{path:kind}`. The path is a field of the event; dots lead into nested
fields and into each item of a list. The kind says how the value is shown:

- `seat`: the player's name; `place`: a place by the labels' `places`; `ordinal`: an index + 1;
- `card`: a card; `cards`: a list of cards;
- `by_seat`: one number for each seat, with the names; `count`: the length of a list;
- without a kind: a text of the labels' `values` under the name of the last field, or the value itself.

Several values are joined by commas. A part in brackets is left out if a placeholder in it has nothing to show: null, an
absent field, an empty list, a list of hidden cards; without a kind, or with `by_seat`, also false and zero. A path that
ends with `.card` is the card that lay at a place before: an event has it only where a frontend has added it.
"""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, Struct

from domain.bundled import Labels

PLACEHOLDER = re.compile(r"{([a-z_.]+)(?::([a-z_]+))?}")
OPTIONAL = re.compile(r"\[([^\[\]]*)\]")

KINDS = ("seat", "place", "ordinal", "card", "cards", "by_seat", "count")


def sentence(labels: Labels, event: Any, names: Sequence[str]) -> str:
    """What happened, as the viewer of the event may know it. `names` are those of the players, by seat."""
    return filled(labels, labels.sentences[event.__struct_config__.tag], event, names)


def filled(labels: Labels, template: str, value: Any, names: Sequence[str]) -> str:
    """The template with the fields of the value."""

    def shown(found: re.Match[str]) -> str:
        path, kind = found.groups()
        return _shown(labels, path.rpartition(".")[2], kind, value_at(value, path), names)

    def part(found: re.Match[str]) -> str:
        shows = all(_has_content(recalled(path), kind) for path, kind in PLACEHOLDER.findall(found[1]))
        return found[1] if shows else ""

    def recalled(path: str) -> Any:
        return value_at(value, path, None) if path.endswith(".card") else value_at(value, path)

    return PLACEHOLDER.sub(shown, OPTIONAL.sub(part, template))


def value_at(value: Any, path: str, *otherwise: None) -> Any:
    """The value at the path; of a list the values of its items. `otherwise`: of fields that there are not."""
    first, _, rest = path.partition(".")
    if isinstance(value, tuple):
        return tuple([value_at(item, path, *otherwise) for item in value])
    value = getattr(value, first, *otherwise)
    return value_at(value, rest, *otherwise) if rest and isinstance(value, Struct | tuple) else value


def _has_content(value: Any, kind: str) -> bool:
    if value is None or value is UNSET or value == ():
        return False
    if kind == "by_seat":
        return any(value)
    if kind == "cards":
        return any(card is not None for card in value)
    return bool(kind) or bool(value)


def _shown(labels: Labels, name: str, kind: str | None, value: Any, names: Sequence[str]) -> str:
    match kind:
        case "by_seat":
            return ", ".join(f"{player} {number}" for player, number in zip(names, value, strict=True))
        case "count":
            return str(len(value))
        case "card":
            return _card(labels, value)
        case "cards":
            return ", ".join(_card(labels, card) for card in value)
    values = value if isinstance(value, tuple) else (value,)
    return ", ".join(dict.fromkeys(text_of(labels, name, kind, each, names) for each in values))


def text_of(labels: Labels, field: str, kind: str | None, value: Any, names: Sequence[str]) -> str:
    """A single value of the field. `kind` is `seat`, `number`, `place` or None."""
    match kind:
        case "seat":
            name: str = names[value]
            return name
        case "ordinal":
            return str(value + 1)
        case "place":
            place = labels.places[field]
            column, row = divmod(value, place.rows if isinstance(place.rows, int) else 1)
            return place.text.format(number=value + 1, column=column + 1, row=row + 1)
    key = str(value).lower() if isinstance(value, bool) else str(value)
    return labels.values.get(field, {}).get(key, key)


def _card(labels: Labels, card: Any) -> str:
    if card is None:
        return labels.cards["hidden"]
    if isinstance(card, tuple):
        return "/".join(map(str, card))
    return labels.cards.get(card, card) if isinstance(card, str) else str(card)
