"""Worlds that a seat can imagine: whole histories in which it has seen exactly what it has seen.

A ruleset's `imagine` follows the seat's events with a `Covered` object in place of every hidden card, so `evolve`
itself tracks where each of them lies. Faces that are laid open later are noted on the objects. The others are drawn by
lot at the end. docs/bots.md defines the distribution: every history that fits is as likely as its shuffles are.

Everything is counted, nothing is tried: what is seen ties some cards to places, and all the others lie in any order. So
a way to tie them has as many worlds as the rest of each shuffle has orders. `one_way` draws one of these ways.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, islice, zip_longest
from math import comb, factorial, perm, prod
from operator import add, ge, sub
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from msgspec.structs import replace

from domain.fairness.chance import Chance
from domain.messages import Event, Open

C = TypeVar("C")
E = TypeVar("E", bound=Event)
S = TypeVar("S")
T = TypeVar("T")

WORDS = 2**32

Layer: TypeAlias = Callable[[S], Sequence[tuple[int, S, T]]]
"""The options in a state: their weights, the states after them, and what is chosen."""


class NothingImagined(Exception):
    """No history leads to what was seen."""


class Contradiction(Exception):
    """What was drawn does not agree with something that was seen."""


TRIES = 100_000
"""How often is drawn again. What needs 10,000 draws fails once in 20,000 worlds."""


def drawn_again(draw: Callable[[], T]) -> T:
    """What `draw` gives when it raises no `Contradiction`: of all that it can give, each is as likely as before among
    those that agree. Raises `NothingImagined` after 100,000 draws."""
    for _ in range(TRIES):
        try:
            return draw()
        except Contradiction:
            continue
    raise NothingImagined


class Covered(Generic[C]):
    """A hidden card: its face once known, and the number of the shuffle that it lies in."""

    __slots__ = ("face", "shuffle")

    def __init__(self, shuffle: int) -> None:
        self.shuffle = shuffle
        self.face: C | None = None


def seen_as(covered: Any, card: Any) -> Any:
    """The covered card, whose face the seat has seen unless it is None."""
    if card is not None:
        open_(covered, card)
    return covered


def open_(card: Any, face: Any) -> None:
    """The card, if it was hidden, turns out to be this one."""
    if type(card) is Covered:
        card.face = face


def faces(cards: Iterable[Any]) -> tuple[Any, ...]:
    """The cards, hidden ones with the faces that were imagined."""
    return tuple([card.face if type(card) is Covered else card for card in cards])


def imagined(event: E) -> E:
    """The event with the faces that were imagined."""
    if isinstance(event, Open):
        return event
    return replace(event, **{name: _bare(getattr(event, name)) for name in event.__struct_fields__})


def _bare(value: Any) -> Any:
    if type(value) is tuple:
        return tuple([_bare(item) for item in value])
    return value.face if type(value) is Covered else value


def followed(
    initial: S, seen: Sequence[E], follow: Callable[..., E], evolve: Callable[[S, E], S], chance: Chance, count: int,
    agrees: Callable[[S, E], bool] | None = None,
) -> list[E]:  # fmt: skip
    """The history in which `follow(state, event, *shuffles)` puts covered cards in place of hidden ones and notes the
    faces that an event opens; the others are shuffled in `count` decks.

    `agrees(state, event)`, with all faces known, is what no open face says, for example that a hand had no banker. The
    history is drawn again until it is true of all events. Raises `NothingImagined`.
    """
    if agrees is None:
        return _followed(initial, seen, follow, evolve, chance, count)

    def draw() -> list[E]:
        state, history = initial, _followed(initial, seen, follow, evolve, chance, count)
        for event in history:
            if not agrees(state, event):
                raise Contradiction
            state = evolve(state, event)
        return history

    return drawn_again(draw)


def _followed(
    initial: S, seen: Sequence[E], follow: Callable[..., E], evolve: Callable[[S, E], S], chance: Chance, count: int
) -> list[E]:
    state, history = initial, list[E]()
    decks = [Shuffles[Any]() for _ in range(count)]
    for event in seen:
        history.append(follow(state, event, *decks))
        state = evolve(state, history[-1])
    for shuffles in decks:
        shuffles.settle(chance)
    return [imagined(event) for event in history]


# --- choices one after the other --------------------------------------------------------------------------------------


def one_way(layers: Sequence[Layer[S, T]], start: S, end: Callable[[S], int], chance: Chance) -> list[T]:
    """What is chosen layer by layer: each way as likely as the product of its weights and of `end` in its last state.

    States are compared, so ways that meet are counted once. Where all ways meet, what came before is drawn at once.
    Raises `NothingImagined` if all weights are 0.
    """
    chosen: list[T] = []
    fronts: list[dict[S, Sequence[tuple[int, S, T]]]] = []
    reached: dict[S, int] = {start: 0}
    for layer in layers:
        if len(reached) == 1:
            if fronts:
                chosen += drawn_back(fronts, start, dict.fromkeys(reached, 1), chance)
                fronts = []
            [start] = reached
            options = layer(start)
            if len(options) == 1:
                [(_, after, choice)] = options
                chosen.append(choice)
                reached = {after: 0}
                continue
            front = {start: options}
        else:
            front = {state: layer(state) for state in reached}
        fronts.append(front)
        reached = {}
        for options in front.values():
            for _, after, _ in options:
                reached[after] = 0
    if not fronts:
        [start] = reached
    return chosen + drawn_back(fronts, start, {state: end(state) for state in reached}, chance)


def drawn_back(
    fronts: Sequence[dict[S, Sequence[tuple[int, S, T]]]], state: S, ways: dict[S, int], chance: Chance
) -> list[T]:
    """What is chosen on a way from the state through the options, which are known, to states that go on in so many
    ways.
    """
    behind = [ways]
    for front in reversed(fronts):
        ways = {each: sum([weight * ways[after] for weight, after, _ in options]) for each, options in front.items()}
        behind.append(ways)
    if not ways.get(state):
        raise NothingImagined
    chosen = []
    for front, ways in zip(fronts, reversed(behind[:-1]), strict=True):
        options = front[state]
        if len(options) == 1:
            [(_, state, choice)] = options
        else:
            _, state, choice = drawn_by_weight([(each, each[0] * ways[each[1]]) for each in options], chance)
        chosen.append(choice)
    return chosen


def drawn_by_weight(options: Sequence[tuple[T, int]], chance: Chance) -> T:
    """One of the options, each as likely as its weight (to 2^-32); their sum is not 0."""
    total = sum([weight for _, weight in options])
    lot = chance.below(WORDS)
    for (option, _), sum_ in zip(options, accumulate([weight for _, weight in options]), strict=True):
        if sum_ * WORDS > lot * total:
            return option
    raise AssertionError("the lot is below the total")


# --- where a card can lie that was seen by its face only --------------------------------------------------------------

Moved: TypeAlias = tuple[int, ...]
"""By shuffle: how many of the cards that were seen later are known to have gone on, covered, into the next one."""


class Eras(Generic[C]):
    """The shuffles of a deck without doubles, in which what is left of the pile goes into the next shuffle.

    A card that was seen had gone openly into some shuffle, its entry, and covered into those up to the one that it came
    out of. That it came through a shuffle takes one of the cards left before it and one of its places.
    """

    def __init__(self) -> None:
        self.entry: dict[C, int] = {}
        """The last shuffle into which the card went openly, while it has not been seen since."""
        self.moved: list[int] = []
        """What is certain whatever is chosen."""
        self._sizes: list[int] = []
        self._left: list[int] = []
        self.entered: list[int] = []
        """How many of the cards that went in openly were seen later."""

    def shuffled(self, cards: Iterable[C], left: int) -> None:
        """These cards and what was left of the pile."""
        number, before = len(self._sizes), len(self.entry)
        if number:
            self._left.append(left)
            self.moved.append(0)
        went_in = dict.fromkeys(cards, number)
        self.entry.update(went_in)
        assert len(self.entry) == before + len(went_in), "a card went in that has not been seen"
        self._sizes.append(len(went_in) + left)
        self.entered.append(0)

    def seen(self, card: C) -> int:
        """Its entry. It will be said, or chosen, which shuffle it came out of."""
        entry = self.entry.pop(card)
        self.entered[entry] += 1
        return entry

    def seen_in(self, card: C, shuffle: int) -> None:
        """It came out of this shuffle."""
        for number in range(self.seen(card), shuffle):
            self.moved[number] += 1

    def through(self, moved: Moved, entry: int, shuffle: int) -> Moved | None:
        """After one more card with that entry came out of the shuffle; None: it cannot."""
        if entry == shuffle:
            return moved
        more = [*moved]
        for number in range(entry, shuffle):
            if more[number] == self._left[number]:
                return None
            more[number] += 1
        return tuple(more) if entry < shuffle else None

    def ways(self, moved: Moved, more: Sequence[int] = ()) -> int:
        """In how many ways all the other cards can lie. `more` cards with these entries are seen, too."""
        ways = prod(map(perm, self._left, moved))
        for size, entered, came, others in zip_longest(self._sizes, self.entered, (0, *moved), more, fillvalue=0):
            rest = size - entered - came - others
            if rest < 0:
                return 0
            ways *= factorial(rest)
        return ways


# --- all other cards --------------------------------------------------------------------------------------------------


class Stream(NamedTuple, Generic[C]):
    """Cards that went, covered, from one shuffle into a later one."""

    source: int
    target: int
    cards: list[Covered[C]]


class Shuffles(Generic[C]):
    """All shuffles of a history: which cards went in, and the covered places in the order that came out.

    A card that went in can itself be a covered place of an earlier shuffle. Cards with the same face may be many.
    """

    def __init__(self) -> None:
        self._shuffled: list[tuple[list[C | Covered[C]], tuple[Covered[C], ...]]] = []

    def shuffle(self, cards: Iterable[Any]) -> tuple[Covered[C], ...]:
        """One place for each card."""
        went_in = [*cards]
        number = len(self._shuffled)
        places: tuple[Covered[C], ...] = tuple([Covered(number) for _ in went_in])  # Covered[C]() is slow
        self._shuffled.append((went_in, places))
        return places

    def settle(self, chance: Chance) -> None:
        """Give every place a face. Raises `NothingImagined` if the open faces cannot have come out of the shuffles."""
        if streams := self._streams():
            self._open_some(streams, chance)
        same: list[tuple[Covered[C], Covered[C]]] = []
        for went_in, places in reversed(self._shuffled):
            blank = [place for place in places if place.face is None]
            shown = [place.face for place in places if place.face is not None]
            covered = [card for card in went_in if type(card) is Covered and card.face is None]
            known = faces([card for card in went_in if not (type(card) is Covered and card.face is None)])
            rest: list[Any] = less(known, shown) + covered
            for place, card in zip(blank, chance.shuffled(rest), strict=True):
                if type(card) is Covered:
                    same.append((place, card))
                else:
                    place.face = card
        for place, before in reversed(same):
            place.face = before.face

    def _streams(self) -> list[Stream[C]]:
        """Those into the last shuffle first."""
        streams = []
        for target in range(len(self._shuffled) - 1, 0, -1):
            sources: dict[int, list[Covered[C]]] = {}
            for card in self._shuffled[target][0]:
                if type(card) is Covered and card.face is None:
                    sources.setdefault(card.shuffle, []).append(card)
            streams += [Stream(source, target, cards) for source, cards in sources.items()]
        return streams

    def _open_some(self, streams: Sequence[Stream[C]], chance: Chance) -> None:
        """Give faces to the covered cards that were seen behind a later shuffle.

        For each face: how many of those that a shuffle shows came by each of the streams. The others had gone in
        openly, or come by the streams of the shuffle before.
        """
        known = [Counter(faces([c for c in went_in if type(c) is not Covered or c.face is not None]))
                 for went_in, _ in self._shuffled]  # fmt: skip
        shown = [Counter([place.face for place in places if place.face is not None]) for _, places in self._shuffled]
        spare = self._spare(known, shown, streams)
        asked = {}
        for stream in streams:
            for face, many in shown[stream.target].items():
                if spare[stream.source][face] or many > known[stream.target][face]:
                    asked[face] = 0
        many_ = [len(places) - shown_.total() for (_, places), shown_ in zip(self._shuffled, shown, strict=True)]

        def layer(face: Any) -> Layer[Moved, Moved]:
            entered, seen = [each[face] for each in known], [each[face] for each in shown]
            splits = [*splits_of(streams, entered, seen)]

            def options(moved: Moved) -> list[tuple[int, Moved, Moved]]:
                found = []
                for more, ways in splits:
                    for stream, before, now in zip(streams, moved, more, strict=True):
                        ways *= perm(len(stream.cards) - before, now) if before + now <= len(stream.cards) else 0
                    if ways:
                        found.append((ways, tuple(map(add, moved, more)), more))
                return found

            return options

        def end(moved: Moved) -> int:
            rest = [*many_]
            for stream, many in zip(streams, moved, strict=True):
                rest[stream.source] -= many
            return 0 if min(rest) < 0 else prod(map(factorial, rest))

        chosen = one_way([layer(face) for face in asked], (0,) * len(streams), end, chance)
        for number, stream in enumerate(streams):
            came = [face for face, more in zip(asked, chosen, strict=True) for _ in range(more[number])]
            if came:
                for card, face in zip(chance.shuffled(stream.cards), came, strict=False):
                    card.face = face

    @staticmethod
    def _spare(
        known: Sequence[Counter[Any]], shown: Sequence[Counter[Any]], streams: Sequence[Stream[C]]
    ) -> list[Counter[Any]]:
        """By shuffle the faces that can have gone on covered, at most."""
        spare: list[Counter[Any]] = []
        for number, (entered, seen) in enumerate(zip(known, shown, strict=True)):
            there = entered.copy()
            for stream in streams:
                if stream.target == number:
                    there += spare[stream.source]
            spare.append(there - seen)
        return spare


def splits_of(
    streams: Sequence[Stream[Any]], entered: Sequence[int], seen: Sequence[int]
) -> Iterator[tuple[Moved, int]]:
    """How the cards of one face can have come: by stream how many, and the ways to say which of them did.

    By shuffle, `entered` are those that went in openly, and `seen` those that came out. The streams into the last
    shuffle come first.
    """
    ways: list[tuple[Moved, Moved, int]] = [((), tuple(seen), 1)]
    for stream in streams:
        more: list[tuple[Moved, Moved, int]] = []
        for so_far, owed, weight in ways:
            for many in range(min(owed[stream.target], len(stream.cards)) + 1):
                left = [*owed]
                left[stream.target] -= many
                left[stream.source] += many
                more.append(((*so_far, many), tuple(left), weight * comb(owed[stream.target], many)))
        ways = more
    for so_far, owed, weight in ways:
        if all(map(ge, entered, owed)):
            yield so_far, weight * prod(map(perm, entered, owed))


def dealt_within(
    cards: Sequence[C], sizes: Sequence[int], fits: Callable[[C, int], bool], chance: Chance
) -> list[tuple[C, ...]]:
    """The cards, each different, in as many places of these sizes: every deal in which each card `fits` its place (the
    card, the number of the place) is equally likely. Raises `NothingImagined` if there is none.
    """
    groups: dict[tuple[int, ...], list[C]] = {}
    for card in cards:
        groups.setdefault(tuple([place for place in range(len(sizes)) if fits(card, place)]), []).append(card)
    ordered = sorted(groups.items(), key=lambda group: len(group[0]))

    def layer_of(allowed: tuple[int, ...], many: int, last: bool) -> Layer[Moved, Moved]:
        def options(room: Moved) -> list[tuple[int, Moved, Moved]]:
            if last:
                found = [room] if sum([room[place] for place in allowed]) == many == sum(room) else []
            else:
                found = [*_shares(many, room, {*allowed})]
            ways = factorial(many)
            return [(ways // prod(map(factorial, share)), tuple(map(sub, room, share)), share) for share in found]

        return options

    layers = [layer_of(of, len(group), number == len(ordered)) for number, (of, group) in enumerate(ordered, 1)]
    if sum(sizes) != len(cards):
        raise NothingImagined
    dealt: list[list[C]] = [[] for _ in sizes]
    for share, (_, group) in zip(one_way(layers, tuple(sizes), lambda _: 1, chance), ordered, strict=True):
        mixed = iter(chance.shuffled(group))
        for place, many in enumerate(share):
            dealt[place] += islice(mixed, many)
    return [tuple(place) for place in dealt]


def _shares(many: int, room: Moved, allowed: set[int], place: int = 0) -> Iterator[Moved]:
    """Every way to lay as many cards into the allowed places that have room: how many into each place."""
    if place == len(room):
        if not many:
            yield ()
        return
    for here in range(min(many, room[place]) + 1) if place in allowed else (0,):
        for rest in _shares(many - here, room, allowed, place + 1):
            yield (here, *rest)


def less(cards: Sequence[Any], gone: Sequence[Any]) -> list[Any]:
    """The cards without the others, in the same order. Raises `NothingImagined` if one of the others is not there."""
    if not gone:
        return [*cards]
    out, left = Counter(gone), []
    for card in cards:
        if out[card]:
            out[card] -= 1
        else:
            left.append(card)
    if len(left) + len(gone) != len(cards):
        raise NothingImagined
    return left
