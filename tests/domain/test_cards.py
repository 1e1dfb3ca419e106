"""Zones of cards."""

import pytest

from domain.cards import without, without_one


@pytest.mark.parametrize(
    ("cards", "gone", "left"),
    [
        ((5, 0, 5), (5,), (0, 5)),
        ((None, 7, None), (3,), (7, None)),
        ((None, 7, None), (3, 7), (None,)),
        ((None, None), (0,), (None,)),
        ((4, None), (4, 9), ()),
        ((0, 0), (), (0, 0)),
    ],
)
def test_an_unknown_card_that_leaves_was_a_hidden_one(
    cards: tuple[int | None, ...], gone: tuple[int, ...], left: tuple[int | None, ...]
):
    assert without(cards, gone) == left


@pytest.mark.parametrize(
    ("cards", "gone", "left"),
    [((5, 0, 5), 5, (0, 5)), ((None, 7, None), 3, (7, None)), ((None, 7, None), 7, (None, None))],
)
def test_a_single_card_leaves_alike(cards: tuple[int | None, ...], gone: int, left: tuple[int | None, ...]):
    assert without_one(cards, gone) == without(cards, (gone,)) == left
