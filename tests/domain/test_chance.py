"""The random numbers of the dealer and of bots: the published vectors, and their uniform distribution."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import pytest

from domain.fairness.chain import commitment
from domain.fairness.chance import Dealer, Dice, dealing_key, seal, words

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[2] / "docs" / "fairness.vectors.json").read_bytes())
SECRET = bytes.fromhex(VECTORS["secret"])


class Planted(Dealer):
    """A dealer with given words."""

    def __init__(self, *planted: int) -> None:
        self._words = iter(planted)


def stream(name: str) -> Iterator[int]:
    return words(SECRET, VECTORS["game_id"], VECTORS["entropies"], name)


def dealer_of(name: str) -> Dealer:
    _, event, count = name.split(":")
    return Dealer(SECRET, VECTORS["game_id"], VECTORS["entropies"], event, int(count))


def test_the_key_mixes_the_secret_with_the_entropies():
    assert dealing_key(SECRET, VECTORS["game_id"], VECTORS["entropies"]).hex() == VECTORS["table_key"]


def test_published_seals_are_reproduced():
    sealed = VECTORS["sealed"]
    assert [seal(sealed["game_id"], *each) for each in enumerate(sealed["entropies"])] == sealed["seals"]
    secret = bytes.fromhex(sealed["secret"])
    assert dealing_key(secret, sealed["game_id"], sealed["entropies"]).hex() == sealed["key"]


def test_the_key_of_a_common_deal_has_the_id_of_the_deal():
    deal = VECTORS["deal"]
    assert commitment(bytes.fromhex(deal["secret"])).hex() == deal["commitment"]
    assert dealing_key(bytes.fromhex(deal["secret"]), deal["id"], [""] * deal["seats"]).hex() == deal["key"]


def test_every_seat_changes_the_key():
    entropies = VECTORS["entropies"]
    keys = {dealing_key(b"s", "g", entropies), dealing_key(b"s", "g", [*entropies[:-1], "8"])}
    assert len(keys | {dealing_key(b"s", "g", [*entropies, ""])}) == 3


def test_a_step_has_its_stream_of_words():
    published = VECTORS["words"]["words"]
    assert list(islice(stream(VECTORS["words"]["stream"]), len(published))) == published


@pytest.mark.parametrize("deal", VECTORS["deals"], ids=lambda deal: deal["stream"])
def test_published_shuffles_are_reproduced_in_whatever_order_the_cards_lay(deal: dict[str, Any]):
    for items in (deal["items"], deal["items"][::-1], sorted(deal["items"], key=str)):
        assert list(dealer_of(deal["stream"]).shuffled(items)) == deal["shuffled"]


@pytest.mark.parametrize("n", VECTORS["below"])
def test_published_numbers_are_reproduced(n: str):
    dealer, lots = dealer_of("deal:lot_drawn:1"), VECTORS["below"][n]
    assert [dealer.below(int(n)) for _ in lots] == lots


@pytest.mark.parametrize("bot", VECTORS["bots"], ids=lambda bot: f"seat {bot['seat']} after {bot['events']} events")
def test_published_dice_of_bots_are_reproduced(bot: dict[str, Any]):
    """Some words, and lots drawn with the same words from their beginning."""
    once, again = (Dice(SECRET, VECTORS["game_id"], VECTORS["entropies"], bot["seat"], bot["events"]) for _ in range(2))
    assert [once.below(2**32) for _ in bot["words"]] == bot["words"]
    assert [[n, again.below(n)] for n, _ in bot["below"]] == bot["below"]


def test_every_choice_of_every_seat_has_dice_of_its_own():
    thrown = [Dice(SECRET, "id", (), seat, events).below(2**32) for seat in range(3) for events in range(20)]
    dealt = [Dealer(SECRET, "id", (), "dealt", count).below(2**32) for count in range(20)]
    assert len({*thrown, *dealt}) == 80


def test_no_published_field_goes_untested():
    """An unused vector proves nothing; the fields of the chain are used by its own tests."""
    chance = {
        "secret", "game_id", "entropies", "table_key", "words", "deals", "below", "bots", "clocks", "sealed", "deal",
    }  # fmt: skip
    assert set(VECTORS) - chance == {"commitment", "first_head", "chain", "canonical_example"}


def test_two_steps_of_a_game_differ():
    steps = [dealer_of(name).shuffled(range(52)) for name in ("deal:dealt:0", "deal:dealt:1", "deal:restocked:0")]
    assert len(set(steps)) == 3


def test_a_dealer_continues_its_stream_of_words():
    dealer = dealer_of("deal:dealt:0")
    assert [dealer.below(2**32) for _ in range(20)] == list(islice(stream("deal:dealt:0"), 20))


# 2**32 = 3 * 1431655765 + 1: the last word is skipped for n = 3.
@pytest.mark.parametrize(
    ("n", "planted", "lot"),
    [
        (3, (2**32 - 1, 5), 2),
        (3, (2**32 - 1, 2**32 - 1, 4), 1),
        (3, (2**32 - 2,), 2),
        (2, (2**32 - 1,), 1),
        (1, (2**32 - 1,), 0),
        (2**32, (2**32 - 1,), 2**32 - 1),
        (2**31 + 1, (2**31 + 1, 7), 7),
        (2**31 + 1, (2**31,), 2**31),
    ],
)
def test_words_of_the_incomplete_last_multiple_are_skipped(n: int, planted: tuple[int, ...], lot: int):
    assert Planted(*planted).below(n) == lot


def test_shuffling_exchanges_from_the_end():
    """Fisher-Yates as in the protocol: i from the last down to 1, j = below(i + 1)."""
    assert Planted(0, 1, 0).shuffled("abcd") == ("c", "d", "b", "a")


def test_shuffling_one_card_or_none_needs_no_chance():
    assert Planted().shuffled("a") == ("a",)
    assert Planted().shuffled("") == ()


def chi_square(counts: Counter[Any], outcomes: int) -> float:
    """The chi-squared statistic of the counts; around `outcomes - 1` for a uniform distribution."""
    expected = counts.total() / outcomes
    return sum((counts[key] - expected) ** 2 for key in counts) / expected + (outcomes - len(counts)) * expected


@pytest.mark.parametrize("n", [2, 3, 6, 15])
def test_all_lots_are_equally_likely(n: int):
    dealer = dealer_of("deal:dealt:7")
    counts = Counter(dealer.below(n) for _ in range(6000))
    assert set(counts) == set(range(n))
    assert chi_square(counts, n) < n + 5 * (2 * n) ** 0.5


def test_all_orders_are_equally_likely():
    dealer = dealer_of("deal:dealt:8")
    counts = Counter(dealer.shuffled("abcd") for _ in range(6000))
    assert set(counts) == set(permutations("abcd"))
    assert chi_square(counts, 24) < 24 + 5 * 48**0.5


def test_an_unfair_lot_would_be_noticed():
    """The statistic of the two tests above can fail: a die that shows the six twice as often is far out."""
    assert chi_square(Counter({1: 900, 2: 900, 3: 900, 4: 900, 5: 900, 6: 1500}), 6) > 6 + 5 * 12**0.5
