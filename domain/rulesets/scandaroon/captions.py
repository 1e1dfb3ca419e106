"""What cards do, in words, from the data of a deck (SD-6 to SD-10)."""

from collections.abc import Iterator

from msgspec import UNSET

from domain.ruleset import Words
from domain.rulesets.scandaroon import deck


def captions(data: deck.ScandaroonDeckData, words: Words) -> dict[str, str]:
    """By the card's id; without cards that have only a value and symbols."""
    found = {face.id: " ".join(sentences(face, words)) for face in data.cards}
    return {card: text for card, text in found.items() if text}


def sentences(face: deck.Face, words: Words) -> Iterator[str]:
    for effect in face.effect or ():
        yield words["effect"].format(amount=f"{effect.amount:+}", area=reached(effect, words))
    if face.ability is not None:
        yield used(face.ability, words)
    if face.end:
        yield words["end"]
    if face.play_anywhere:
        yield words["play_anywhere"]


def used(ability: deck.AnyAbility, words: Words) -> str:
    match ability:
        case deck.Remove(target, count):
            return words[several("remove", count)].format(target=chosen(target, words), count=count)
        case deck.Boost(amount, target, area, count):
            if isinstance(area, deck.Area):
                return words["boost.area"].format(amount=f"{amount:+}", area=reached(area, words))
            assert isinstance(target, deck.Filter), "a boost has either a target or an area"
            text = words[several("boost", count)]
            return text.format(amount=f"{amount:+}", target=chosen(target, words), count=count)
        case deck.Swap(first, second, difference):
            text = words["swap" if difference is None else "swap.limited"]
            return text.format(first=chosen(first, words), second=chosen(second, words), difference=difference)
        case deck.ChangeTrump(values):
            return words["set_trump"].format(values=", ".join(words[value] for value in values))
        case deck.Shift(target, to):
            return words[f"move.{to}"].format(target=chosen(target, words))
        case deck.Draw(count, may_play):
            return words["draw.may_play" if may_play else "draw"].format(count=count)
        case deck.Return(target, to, count):
            return words[several(f"return.{to}", count)].format(target=chosen(target, words), count=count)


def several(name: str, count: int) -> str:
    """The template for one card or for several."""
    return name if count == 1 else f"{name}.many"


def reached(area: deck.Area, words: Words) -> str:
    reach = "one" if area.reach == 1 else "all" if area.reach == "all" else "some"
    return words[f"area.{area.direction}.{reach}"].format(reach=area.reach) + bearing(area.symbols, words)


def chosen(target: deck.Filter, words: Words) -> str:
    text = words[f"target.{target.place}.{target.rows}"] + bearing(target.symbols, words)
    if target.end is not UNSET:
        text += words["is.end" if target.end else "is.no_end"]
    for name, limit in (("min", target.min), ("max", target.max)):
        if limit is not UNSET:
            text += words[f"{target.compare}.{name}"].format(limit=limited(limit, words))
    return text


def limited(limit: deck.Limit, words: Words) -> str:
    return words[limit] if isinstance(limit, str) else str(limit)


def bearing(symbols: object, words: Words) -> str:
    if not isinstance(symbols, tuple):
        return ""
    return words["symbols"].format(symbols=", ".join(words[symbol] for symbol in symbols))
