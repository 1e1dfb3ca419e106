"""Decks, options and numbers of seats of all rulesets: what they accept, and how they say what they refuse."""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import msgspec
import pytest

from domain.deck import InvalidDeck, read
from domain.ruleset import InvalidSetup
from domain.rulesets import RULESETS
from domain.rulesets.scandaroon import SCANDAROON
from domain.rulesets.scandaroon.deck import SYMBOLS
from domain.rulesets.scopinion import SCOPINION
from domain.rulesets.scout import SCOUT
from domain.rulesets.skyjo import SKYJO
from domain.rulesets.skyjo_action import SKYJO_ACTION
from stammtisch.testing.playing import Rules


def made(rules: Rules, **changes: Any) -> Any:
    """The default deck with other fields, read from its file's format. Raises `InvalidDeck`."""
    data = msgspec.to_builtins(next(iter(rules.decks.values())).data) | {"name": "own"} | changes
    return read(rules.deck, rules.name, msgspec.json.encode(data))


SMALL = {"stars": 0, "actions": {}, "blank": 0}
PRINTED: list[dict[str, Any]] = msgspec.to_builtins(SCANDAROON.decks["reconstruction-1"].data.cards)
CARDS: list[dict[str, Any]] = msgspec.to_builtins(SCOPINION.decks["reconstruction-1"].data.cards)


def changed(**more: Any) -> dict[str, Any]:
    """The printed cards of Scandaroon, the second of them changed."""
    return {"cards": [PRINTED[0], PRINTED[1] | more, *PRINTED[2:]]}


def ability(kind: str, **more: Any) -> dict[str, Any]:
    return changed(ability={"kind": kind, **more})


def effect(direction: str, reach: Any, amount: int, **more: Any) -> dict[str, Any]:
    return changed(effect=[{"direction": direction, "reach": reach, "amount": amount, **more}])


def opinion(leave: str = "", add: Sequence[dict[str, Any]] = (), **changes: dict[str, Any]) -> dict[str, Any]:
    """The cards of scopinion: some left out, some changed by their id (`g1_1`), some added."""
    cards = [card for card in CARDS if not leave or not re.fullmatch(leave, card["id"])]
    return {"cards": [*(card | changes.get(card["id"].replace("-", "_"), {}) for card in cards), *add]}


def pair(low: Any, high: int, *players: int) -> dict[str, Any]:
    return {"numbers": [low, high], "players": players or (2, 3, 4, 5)}


def pairs(*cards: Any) -> dict[str, Any]:
    return {"cards": [card if isinstance(card, dict) else pair(*card) for card in cards]}


# --- decks --------------------------------------------------------------------------------------------------------

NO_NUMBER = r"Expected `str` matching regex '^(0|-?[1-9][0-9]{0,5})$(?!\\n)' - at `key` in `$.numbers`"
ODD_NUMBERS = ["one", "", "+1", "01", "-0", "1.5", " 1", "1 ", "1\n", "1e3", "1_0", "\u0661"]
TWICE = {"symbols": ["turban", "turban"]}
EACH_ONCE = ("Each of scimitar, crescent, turban, cross_tile has one of the outcomes score_pile, exchange, protect, "
             "steal to itself - at `$.stone`")  # fmt: skip
COLOURS = "Start cards have a colour, others have none - at `$.cards[{}].colour`"
GROUPS = "Targets have a group, others have none - at `$.cards[{}].group`"
FAULTS: dict[str, list[tuple[dict[str, Any], str]]] = {
    "skyjo": [
        ({"numbers": {}}, "The deck has no cards - at `$.numbers`"),
        ({"numbers": {"1": 0}}, "The deck has no cards - at `$.numbers`"),
        ({"ruleset": "other"}, "The deck is for the ruleset 'other', not for 'skyjo' - at `$.ruleset`"),
        ({"numbers": {"1": -1}}, "Expected `int` >= 0 - at `$.numbers[...]`"),
        ({"numbers": {"1": "9"}}, "Expected `int`, got `str` - at `$.numbers[...]`"),
        ({"stars": 1}, "Object contains unknown field `stars`"),
        *(({"numbers": {number: 30}}, NO_NUMBER) for number in ODD_NUMBERS),
    ],
    "skyjo_action": [
        (SMALL | {"numbers": {}}, "The deck has neither numbers nor stars - at `$.numbers`"),
        (SMALL | {"numbers": {"1": 999}, "stars": 1, "actions": {"defence": 1}},
         "The deck has 1001 cards, more than 1000 - at `$`"),
        ({"numbers": {"01": 1}}, NO_NUMBER),
        ({"stars": -1}, "Expected `int` >= 0 - at `$.stars`"),
        ({"actions": {"attack": 1}}, "Invalid enum value 'attack' - at `key` in `$.actions`"),
        ({"actions": {"defence": 1001}}, "Expected `int` <= 1000 - at `$.actions[...]`"),
        ({"jokers": 1}, "Object contains unknown field `jokers`"),
        ({"ruleset": "skyjo"}, "The deck is for the ruleset 'skyjo', not for 'skyjo_action' - at `$.ruleset`"),
    ],
    "scout": [
        (pairs(), "Expected `array` of length >= 1 - at `$.cards`"),
        (pairs({"numbers": [1, 2]}), "Object missing required field `players` - at `$.cards[0]`"),
        (pairs(pair(1, 2) | {"id": "1-2"}), "Object contains unknown field `id` - at `$.cards[0]`"),
        (pairs((1, 2), (3, 3)), "A card has two numbers, the lower one first - at `$.cards[1].numbers`"),
        (pairs((4, 3)), "A card has two numbers, the lower one first - at `$.cards[0].numbers`"),
        (pairs((1, 2), (1, 3), (1, 2)), "There is a card 1-2 already - at `$.cards[2].numbers`"),
        (pairs((0, 3)), "Expected `int` >= 1 - at `$.cards[0].numbers[0]`"),
        (pairs((1, 3, 6)), "Expected `int` <= 5 - at `$.cards[0].players[0]`"),
        (pairs({"numbers": [1, 2, 3], "players": [2]}), "Expected `array` of length 2 - at `$.cards[0].numbers`"),
        (pairs(("1", 2)), "Expected `int`, got `str` - at `$.cards[0].numbers[0]`"),
    ],
    "scandaroon": [
        (changed(id="S0"), "There is a card S0 already - at `$.cards[1].id`"),
        (changed(id=""), r"Expected `str` matching regex '^[!-~]{1,64}$(?!\\n)' - at `$.cards[1].id`"),
        (changed(base=-1), "Expected `int` >= 0 - at `$.cards[1].base`"),
        (changed(base=2.5), "Expected `int`, got `float` - at `$.cards[1].base`"),
        (changed(symbols=["heart"]), "Invalid enum value 'heart' - at `$.cards[1].symbols[0]`"),
        (changed(**TWICE), "A card bears a symbol once - at `$.cards[1].symbols`"),
        (changed(colour="red"), "Object contains unknown field `colour` - at `$.cards[1]`"),
        (changed(effect=[]), "Expected `array` of length >= 1 - at `$.cards[1].effect`"),
        (effect("up", 1, 1), "Invalid enum value 'up' - at `$.cards[1].effect[0].direction`"),
        (effect("left", 0, 1), "Expected `int` >= 1 - at `$.cards[1].effect[0].reach`"),
        (effect("left", "far", 1), "Invalid enum value 'far' - at `$.cards[1].effect[0].reach`"),
        (effect("left", 1, 0), "An effect changes values by some amount - at `$.cards[1].effect[0].amount`"),
        (effect("table", 1, 1), "The direction table reaches all - at `$.cards[1].effect[0].reach`"),
        (effect("left", 1, 1, **TWICE), "A symbol is listed once - at `$.cards[1].effect[0].symbols`"),
        (effect("left", 1, 1, symbols=[]), "Expected `array` of length >= 1 - at `$.cards[1].effect[0].symbols`"),
        (ability("destroy"), "Invalid value 'destroy' - at `$.cards[1].ability.kind`"),
        (ability("remove"), "Object missing required field `target` - at `$.cards[1].ability`"),
        (ability("remove", target={"row": "own"}),
         "Object contains unknown field `row` - at `$.cards[1].ability.target`"),
        (ability("remove", target={"max": "self"}), "Invalid enum value 'self' - at `$.cards[1].ability.target.max`"),
        (ability("remove", target={}, count=0), "Expected `int` >= 1 - at `$.cards[1].ability.count`"),
        (ability("remove", target=TWICE), "A symbol is listed once - at `$.cards[1].ability.target.symbols`"),
        (ability("boost", amount=2), "A boost has either a target or an area - at `$.cards[1].ability`"),
        (ability("boost", amount=2, target={}, area={"direction": "left", "reach": 1}),
         "A boost has either a target or an area - at `$.cards[1].ability`"),
        (ability("boost", amount=0, target={}),
         "A boost changes values by some amount - at `$.cards[1].ability.amount`"),
        (ability("boost", amount=1, area={"direction": "elsewhere", "reach": 2}),
         "The direction elsewhere reaches all - at `$.cards[1].ability.area.reach`"),
        (ability("boost", amount=1, area={"direction": "left", "reach": 2}, count=2),
         "A boost of an area happens once - at `$.cards[1].ability.count`"),
        (ability("set_trump", values=["none", "none"]), "A trump is listed once - at `$.cards[1].ability.values`"),
        (ability("swap", first={}, second={}, max_difference=-1),
         "Expected `int` >= 0 - at `$.cards[1].ability.max_difference`"),
        (ability("swap", first=TWICE, second={}), "A symbol is listed once - at `$.cards[1].ability.first.symbols`"),
        (ability("swap", first={}, second=TWICE), "A symbol is listed once - at `$.cards[1].ability.second.symbols`"),
        (ability("move", target={}, to="away"), "Invalid enum value 'away' - at `$.cards[1].ability.to`"),
        ({"cards": []}, "Expected `array` of length >= 1 - at `$.cards`"),
        ({"stone": {"crescent": "steal"}}, EACH_ONCE),
        ({"stone": dict.fromkeys(SYMBOLS, "steal")}, EACH_ONCE),
        ({"stone": {"heart": "steal"}}, "Invalid enum value 'heart' - at `key` in `$.stone`"),
        ({"ruleset": "skyjo"}, "The deck is for the ruleset 'skyjo', not for 'scandaroon' - at `$.ruleset`"),
    ],
    "scopinion": [
        (opinion(g1_1={"id": "g0-1"}), "The id of this card begins with g1- - at `$.cards[1].id`"),
        (opinion(g4_2={"id": "g4-1"}), "There is a card g4-1 already - at `$.cards[5].id`"),
        (opinion(g1_1={"id": "1"}),
         r"Expected `str` matching regex '^[gbroct](0|[1-9][0-9]?)-[1-9][0-9]?$(?!\\n)' - at `$.cards[1].id`"),
        (opinion(g1_1={"value": 100}), "Expected `int` <= 99 - at `$.cards[1].value`"),
        (opinion(g1_1={"spade": 1}), "Object contains unknown field `spade` - at `$.cards[1]`"),
        (opinion(g1_1={"colour": None}), COLOURS.format(1)),
        (opinion(c0_1={"colour": "red"}), COLOURS.format(36)),
        (opinion(c0_1={"group": "A"}), GROUPS.format(36)),
        (opinion(t10_1={"group": None}), GROUPS.format(85)),
        (opinion(t10_1={"group": "D"}), "Invalid enum value 'D' - at `$.cards[85].group`"),
        *((opinion(t10_1={name: 1 if name == "spades" else True}),
           f"Targets have no such symbol - at `$.cards[85].{name}`") for name in ("spades", "border", "bolt", "arrow")),
        (opinion(t10_1={"mix": True}), "Only targets of group C have this symbol - at `$.cards[85].mix`"),
        (opinion(c0_1={"mix": True}), "Only targets of group C have this symbol - at `$.cards[36].mix`"),
        (opinion(t24_1={"group": "B", "mix": False}), "A target of value 24 is of group C - at `$.cards[111].group`"),
        (opinion(t24_1={"id": "t25-2", "value": 25}),
         "Group C is one card of each value from 24 to 28, here 25, 25, 26, 27, 28 - at `$.cards`"),
        (opinion("t2[4-8]-1"), "Group C is one card of each value from 24 to 28, here none - at `$.cards`"),
        (opinion("[gbro].*"), "There is no start card - at `$.cards`"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_deck_is_refused_with_the_fault_and_its_place(name: str):
    """SK-1 (else two keys would be the same card), SK-2, SA-3, SC-1, SC-2, SD-12, SD-6 to SD-9, SD-11, SP-1."""
    for changes, message in FAULTS[name]:
        with pytest.raises(InvalidDeck) as refusal:
            made(RULESETS[name], **changes)
        assert str(refusal.value) == message


def test_what_is_no_deck_at_all_is_refused():
    """SK-2."""
    for text in (b"[]", b"{", b'{"ruleset": "skyjo", "name": "own", "provenance": ""}'):
        with pytest.raises(InvalidDeck, match=r"got `array`|truncated|missing required field `numbers`"):
            read(SKYJO.deck, "skyjo", text)


def test_a_deck_has_a_plain_name():
    """SK-2."""
    for name in ("", "Own", "own deck", "-own", "own\n", "x" * 65):
        with pytest.raises(InvalidDeck, match=r"regex.* - at `\$.name`"):
            made(SKYJO, name=name)


ORDERS = [
    (SKYJO, {"numbers": {"7": 1, "-3": 2, "0": 1, "10": 1}}, "cards", (-3, -3, 0, 7, 10)),
    (SKYJO, {"numbers": {"-99999": 1, "99999": 1}}, "cards", (-99999, 99999)),
    (SKYJO_ACTION, SMALL | {"numbers": {"7": 1, "-3": 2, "10": 1}, "stars": 2}, "playing", (-3, -3, 7, 10, "*", "*")),
    (SKYJO_ACTION, {"actions": {"defence": 1, "swap_own": 2, "look_line": 1}}, "actions",
     ("swap_own", "swap_own", "look_line", "defence")),
    (SCOUT, pairs((3, 4), (1, 2), (1, 9)), "cards", ((3, 4), (1, 2), (1, 9))),
    (SCANDAROON, {"cards": PRINTED[::-1]}, "cards", tuple(card["id"] for card in PRINTED[::-1])),
]  # fmt: skip


def test_cards_come_in_the_canonical_order_of_the_protocol():
    """SK-1, SK-2, SA-2, section 6.3: numbers rising, stars last, action cards kind by kind; SC-2, SD-6, SD-60: as in
    the file."""
    for rules, changes, name, cards in ORDERS:
        found = getattr(made(rules, **changes), name)
        assert tuple("*" if card == "star" else card for card in found) == cards


# --- seats --------------------------------------------------------------------------------------------------------


class Least(NamedTuple):
    """The fewest cards that a deck needs, as its changes by the number of cards, and the noun of the refusal."""

    rules: Rules
    seats: int
    cards: int
    deck: Any
    noun: str = "cards"
    options: dict[str, Any] = {}


def scouts(seats: int) -> Any:
    """Cards for this number of seats, and one that is for all others."""
    others = [number for number in SCOUT.seats if number != seats]
    all_pairs = [*combinations(range(1, 12), 2)]
    return lambda number: pairs(*(pair(*two, seats) for two in all_pairs[:number]), pair(50, 60, *others))


LEAST = [
    *(Least(SKYJO, n, 12 * n + 2, lambda number: {"numbers": {"5": number}}) for n in SKYJO.seats),
    *(Least(SKYJO_ACTION, n, 12 * n + 4, lambda number: SMALL | {
        "numbers": {"5": number - 1}, "stars": 1, "actions": {"defence": 50}, "blank": 9}, "numbers and stars")
      for n in SKYJO_ACTION.seats),
    *(Least(SCOUT, n, {2: 44, 3: 36, 4: 44, 5: 45}[n], scouts(n), f"cards for {n} players", {"two_player": mode})
      for n in SCOUT.seats for mode in ("official", "seed")),
    *(Least(SCANDAROON, n, 6 * n, lambda number: {"cards": PRINTED[:number]}) for n in SCANDAROON.seats),
]  # fmt: skip


def test_a_deck_needs_enough_cards_for_all_seats():
    """SK-2; SA-3: stars count, action cards and blank ones do not; SC-2, SC-21; SD-12."""
    for least in LEAST:
        rules, seats, options = least.rules, least.seats, least.rules.options(**least.options)
        assert rules.initial(seats, options, made(rules, **least.deck(least.cards))).phase in ("deal", "lot")
        with pytest.raises(InvalidSetup) as refusal:
            rules.initial(seats, options, made(rules, **least.deck(least.cards - 1)))
        needed = f"{seats} seats need a deck of at least {least.cards} {least.noun}, this one has {least.cards - 1}."
        assert str(refusal.value) == needed


UNFIT = [
    (4, {}, "o.*", "4 seats need a deck with at least 4 start sets, this one has 3."),
    (2, {}, "c[1-9].*", "2 seats need a deck of at least 18 central cards and targets of group A, this one has 14."),
    (2, {}, "t2[0-2].*", "2 seats need a deck of at least 5 targets of group B, this one has 4."),
    (3, {"handicap": (0, 0)}, "", "The seats of `handicap` are different ones from 0 to 2."),
    (3, {"handicap": (3,)}, "", "The seats of `handicap` are different ones from 0 to 2."),
]


def test_seats_options_and_deck_must_go_together():
    """SP-41."""
    for seats, options, leave, message in UNFIT:
        with pytest.raises(InvalidSetup) as refusal:
            SCOPINION.initial(seats, SCOPINION.options(**options), made(SCOPINION, **opinion(leave)))
        assert str(refusal.value) == message


def test_the_numbers_of_seats():
    """SK-3, SA-4, SC-3, SD-14."""
    assert {name: (rules.seats[0], rules.seats[-1]) for name, rules in RULESETS.items()} == {
        "skyjo": (2, 8), "scout": (2, 5), "skyjo_action": (2, 8), "scandaroon": (3, 4), "scopinion": (2, 4),
    }  # fmt: skip


# --- options ------------------------------------------------------------------------------------------------------

DEFAULTS: dict[str, dict[str, Any]] = {
    "skyjo": {"target_points": 100, "double_only_positive": True},
    "skyjo_action": {
        "target_points": 100, "double_only_positive": True, "star_line_bonus": True, "star_action": "may",
        "short_rows": True, "take_from_action_pile": True, "discarded_action_choice": "top",
        "seed_action_discard": False,
    },
    "scout": {"two_player": "official", "scout_and_show": "any"},
    "scandaroon": {"value_floor": 0, "tied_last_bonus": "all", "foreign_empty_row": True},
    "scopinion": {"mode": "base", "handicap": ()},
}  # fmt: skip


def test_the_options_default_to_the_official_rules():
    """SK-3, SA-4, SC-3, SD-16 to SD-18; rounds, hands and stones are no options (SD-19)."""
    found = {name: msgspec.to_builtins(msgspec.convert({}, rules.options)) for name, rules in RULESETS.items()}
    assert found == DEFAULTS


OPTIONS: list[tuple[Rules, dict[str, Any], bool]] = [
    *((SKYJO, {"target_points": points}, points in (1, 1000)) for points in (0, 1, 1000, 1001, "9")),
    (SKYJO, {"double_only_positive": 1}, False), (SKYJO, {"speed": 1}, False),
    *((SKYJO_ACTION, {"target_points": points}, points in (1, 1000)) for points in (0, 1, 1000, 1001)),
    (SKYJO_ACTION, {"star_action": "can"}, False), (SKYJO_ACTION, {"discarded_action_choice": "bottom"}, False),
    (SKYJO_ACTION, {"short_rows": 1}, False), (SKYJO_ACTION, {"deck": "skyjo_action"}, False),
    (SCOUT, {"two_player": "own"}, False), (SCOUT, {"scout_and_show": True}, False), (SCOUT, {"players": 3}, False),
    (SCOUT, {"deck": "own"}, False),
    (SCANDAROON, {"value_floor": 1}, False), (SCANDAROON, {"value_floor": False}, False),
    (SCANDAROON, {"tied_last_bonus": "some"}, False), (SCANDAROON, {"rounds": 3}, False),
    (SCOPINION, {"mode": "own"}, False), (SCOPINION, {"handicap": [4]}, False), (SCOPINION, {"handicap": [-1]}, False),
    (SCOPINION, {"players": 3}, False),
]  # fmt: skip


def test_other_options_are_refused():
    """SK-3, SA-4, SC-3, SD-16 to SD-19."""
    for rules, options, good in OPTIONS:
        if good:
            assert msgspec.to_builtins(msgspec.convert(options, rules.options)) == DEFAULTS[rules.name] | options
        else:
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert(options, rules.options)
