"""Names for what a ruleset's labels leave out: those of the code, as words."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec import inspect as kinds

from domain.bundled import Labels
from domain.messages import fields, members, tag
from domain.zones import holds_cards

LANGUAGES = ("en", "de")
CARDS = {"en": {"back": "Card", "hidden": "a card"}, "de": {"back": "Karte", "hidden": "eine Karte"}}


def completed(rules: Any, given: dict[str, dict[str, Any]]) -> dict[str, Labels]:
    """The labels in every language: its own, then the English ones, then names. Names of the file keep its order."""
    names = _named(rules)
    return {
        language: msgspec.convert(
            _merged(names, {"cards": CARDS[language]}, given.get("en", {}), given.get(language, {})), Labels
        )
        for language in LANGUAGES
    }


def _merged(*layers: dict[str, Any]) -> dict[str, Any]:
    """Of each name what the last layer says; names of two levels are merged."""
    found: dict[str, Any] = {}
    for layer in reversed(layers):
        for name, value in layer.items():
            if isinstance(value, dict) and isinstance(of := found.setdefault(name, {}), dict):
                found[name] = of | {key: value[key] for key in value if key not in of}
            else:
                found.setdefault(name, value)
    for name in found["zones"].keys() & found["facts"].keys():  # the file has the last word
        del found["facts" if name in found["zones"] and name not in _given(layers[1:], "facts") else "zones"][name]
    return found


def _given(layers: Sequence[dict[str, Any]], key: str) -> set[str]:
    return {name for layer in layers for name in layer.get(key, {})}


def _named(rules: Any) -> dict[str, Any]:
    moves, events = members(rules.move), members(rules.event)
    state = {field.name: field.type for field in fields(rules.state) if field.name not in ("deck", "options")}
    zones = {name: words(name) for name, kind in state.items() if holds_cards(kind) and name != "pending"}
    values, cards = _values((*moves, *events, rules.state, rules.options))
    values |= {name: {"true": "Yes", "false": "No"} for name in _booleans(moves)}
    return {
        "title": words(rules.name.rpartition(".")[2]),
        "summary": "",
        "moves": {tag(kind): words(tag(kind)) for kind in moves},
        "fields": {field: words(field) for kind in moves for field in kind.__struct_fields__},
        "events": {tag(kind): words(tag(kind)) for kind in events},
        "sentences": {tag(kind): _sentence(kind) for kind in events},
        "phases": values.pop("phase", {}),
        "values": values,
        "zones": zones,
        "facts": {name: words(name) for name in state if name not in zones},
        "parts": {part: words(part) for kind in state.values() for part in _parts(kind)},
        "places": {},
        "options": {name: words(name) for name in rules.options.__struct_fields__},
        "bots": {name: {"title": words(name.partition("/")[0]), "about": ""} for name in rules.house},
        "cards": cards,
    }


def _values(messages: tuple[Any, ...]) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """The names of the values of enumerations by field, and those of cards that are words."""
    values, cards = dict[str, dict[str, str]](), dict[str, str]()
    for message in messages:
        for name, leaf, is_card in leaves(kinds.type_info(message)):
            if isinstance(leaf, kinds.LiteralType):
                named = {value: words(value) for value in leaf.values if isinstance(value, str)}
                found = cards if is_card else values.setdefault(name, {}) if named else {}
                found |= {value: text for value, text in named.items() if value not in found}
    return values, cards


def _booleans(messages: tuple[Any, ...]) -> list[str]:
    found = [part for message in messages for part in leaves(kinds.type_info(message))]
    return [name for name, leaf, _ in found if isinstance(leaf, kinds.BoolType)]


def leaves(kind: kinds.Type, card: bool = False) -> Iterator[tuple[str, kinds.Type, bool]]:
    """The scalars of a type by the name of their field ("" outside of a Struct), and whether they are cards."""
    match kind:
        case kinds.Metadata(type=inner, extra_json_schema=extra):
            yield from leaves(inner, card or bool((extra or {}).get("x-card")))
        case kinds.StructType(fields=found):
            for field in found:
                for name, leaf, is_card in leaves(field.type):
                    yield name or field.name, leaf, is_card
        case kinds.VarTupleType(item_type=item):
            yield from leaves(item, card)
        case kinds.TupleType(item_types=items):
            for item in items:
                yield from leaves(item, card)
        case kinds.UnionType(types=types):
            for each in types:
                yield from leaves(each, card)
        case _:
            yield "", kind, card


def _parts(kind: kinds.Type) -> Iterator[str]:
    """The fields of objects in a value of the type, but the card."""
    match kind:
        case kinds.Metadata(type=inner):
            yield from _parts(inner)
        case kinds.StructType(fields=found):
            for field in found:
                yield from () if field.name == "card" else (field.encode_name,)
                yield from _parts(field.type)
        case kinds.VarTupleType(item_type=item):
            yield from _parts(item)
        case kinds.UnionType(types=types):
            for each in types:
                yield from _parts(each)


def words(name: str) -> str:
    """`turn_began` as "Turn began"."""
    return name.replace("_", " ").capitalize()


def _sentence(kind: Any) -> str:
    """What happened, to whom, and with which cards."""
    parts = {field.name: field for field in fields(kind)}
    who = "{seat:seat}: " if "seat" in parts else ""
    what = words(tag(kind)).lower() if who else words(tag(kind))
    shown = [text for name, field in parts.items() if (text := _shown(name, field))]
    return f"{who}{what}{''.join(shown)}"


def _shown(name: str, field: kinds.Field) -> str:
    if name in ("card", "cards") and holds_cards(field.type) and field.default is not UNSET:
        return f"[ {{{name}:{name}}}]"
    return {"points": "[: {points:by_seat}]", "winners": "[: {winners:seat}]"}.get(name, "") * _is_list(field.type)


def _is_list(kind: kinds.Type) -> bool:
    return isinstance(kind, kinds.VarTupleType)
