"""Fair shares and pace, by a clock of the test: who gets the next place, and who waits."""

import contextlib
from collections import Counter
from collections.abc import Iterable

import pytest

from service.extensions.webhooks import pacing, shares
from service.extensions.webhooks.pacing import Pace, Postponed
from service.extensions.webhooks.shares import Attempt, Candidate, Shares


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def fair(clock: Clock) -> Shares:
    return Shares(clock)


def hooks_of(owners: Iterable[str], each: int = 3) -> list[Candidate]:
    return [Candidate(owner, f"{owner} {number}") for owner in owners for number in range(each)]


def begin(fair: Shares, candidates: list[Candidate]) -> list[Attempt]:
    """Begin all attempts that may begin now."""
    owners = {each.hook: each.owner for each in candidates}
    return [fair.begin(owners[hook], hook) for hook, most in fair.choose(candidates).items() for _ in range(most)]


SLOW_ONES = [f"slow {number}" for number in range(100)]


def test_slow_receivers_of_many_owners_leave_places_to_others(fair: Shares, clock: Clock):
    """A hundred owners whose receivers never answer: whoever comes next has a place after a second, every time."""
    candidates = hooks_of(SLOW_ONES)
    for _ in range(30):
        begin(fair, candidates)
        clock.now += shares.SLOW
        begun = begin(fair, [*candidates, Candidate("honest", "honest 0")])
        mine = [each for each in begun if each.owner == "honest"]
        assert mine
        for each in mine:
            fair.end(each, failed=False)
        assert fair.open <= shares.MAX_OPEN


def test_owners_whose_receivers_were_slow_share_places_of_their_own(fair: Shares, clock: Clock):
    candidates = hooks_of(SLOW_ONES)
    for _ in range(10):
        attempts = begin(fair, candidates)
        clock.now += 15
        for each in attempts:
            fair.end(each, failed=True)
    clock.now += shares.SLOW
    begun = begin(fair, candidates)
    assert len(begun) == shares.MAX_SLOW
    assert set(Counter(each.owner for each in begun).values()) == {1}
    rest = begin(fair, [*candidates, *hooks_of(["honest"])])
    assert Counter(each.owner for each in rest) == {"honest": shares.MAX_OF_PLAYER}
    served = {each.owner for each in begun}
    for each in begun:
        fair.end(each, failed=False)
    assert {*SLOW_ONES} - served <= {each.owner for each in begin(fair, candidates)}, "the others are next"
    clock.now += shares.PENALTY * 15 + 1
    assert fair._slow_owners(clock.now) == {each.owner for each in fair._open}, "nobody is slow for ever"


def test_those_who_waited_longest_come_first(fair: Shares, monkeypatch: pytest.MonkeyPatch):
    """With one place, all owners are served in turn, however many webhooks one of them has."""
    monkeypatch.setattr(shares, "MAX_QUICK", 1)
    candidates = hooks_of(["many"], each=30) + hooks_of(["a", "b", "c"], each=1)
    order = []
    for _ in range(12):
        (attempt,) = begin(fair, candidates)
        order.append(attempt.owner)
        fair.end(attempt, failed=False)
    assert order == order[:4] * 3
    assert set(order) == {"many", "a", "b", "c"}


@pytest.mark.parametrize(("owner", "most"), [("player", shares.MAX_OF_PLAYER), ("site:", shares.MAX_OF_SITE)])
def test_an_owner_has_a_share(fair: Shares, owner: str, most: int):
    begun = begin(fair, hooks_of([owner], each=10))
    assert len(begun) == most
    assert max(Counter(each.hook for each in begun).values()) <= shares.MAX_OF_HOOK
    assert begin(fair, hooks_of([owner], each=10)) == []


def test_a_webhook_that_fails_pauses_longer_each_time(fair: Shares, clock: Clock):
    """So however much is due to it, it is tried a few times an hour. Its owner can ping it nevertheless."""
    candidates, tried = hooks_of(["down"], each=1), 0
    for _ in range(3600):
        for each in begin(fair, candidates):
            tried += 1
            fair.end(each, failed=True)
        clock.now += 1
    assert tried <= 11 + shares.MAX_OF_HOOK + 3600 / shares.LONGEST_PAUSE
    (ping,) = begin(fair, [each._replace(ping=True) for each in candidates])
    fair.end(ping, failed=False)
    assert len(begin(fair, candidates)) == shares.MAX_OF_HOOK


# --- pace ---------------------------------------------------------------------------------------------------------


def test_names_of_one_address_share_its_pace(clock: Clock):
    """A thousand names: four connections a second on average. Each name gets a turn, and looks for it about once."""
    pace, arrived, refused = Pace(clock), list[float](), Counter[str]()
    due = {f"msg_{number}": clock.now for number in range(1000)}
    began = clock.now
    while due:
        clock.now += 0.2  # as a deliverer looks
        for delivery, at in tuple(due.items()):
            if at <= clock.now:
                try:
                    pace.begin(f"{delivery}.example", "192.0.2.1", delivery, ping=True)
                    arrived.append(clock.now)
                    del due[delivery]
                except Postponed as error:
                    refused[delivery] += 1
                    due[delivery] = clock.now + error.seconds
    assert clock.now - began >= 999 * pacing.PAUSE
    assert max(refused.values()) == 1
    for first in arrived:
        assert len([at for at in arrived if first <= at < first + 1]) <= (1 + pacing.LATE) / pacing.PAUSE
    clock.now += 3600
    for number in range(100):  # what was not used does not add up
        with contextlib.suppress(Postponed):
            pace.begin("x", "192.0.2.1", f"late {number}", ping=True)
            assert number == 0


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("192.0.2.1", "192.0.2.2", False), ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False), ("192.0.2.1", "::ffff:192.0.2.1", True),
    ],
)  # fmt: skip
def test_an_ipv6_network_is_one_address(clock: Clock, one: str, other: str, shared: bool):
    pace = Pace(clock)
    pace.begin("a", one, "1", ping=True)
    if shared:
        with pytest.raises(Postponed):
            pace.begin("b", other, "2", ping=True)
    else:
        pace.begin("b", other, "2", ping=True)


def test_deliveries_to_an_address_that_never_answered_the_name_are_paced_when_they_fail(clock: Clock):
    """A name that led elsewhere when it was pinged. Names that the address has answered are not delayed."""
    pace = Pace(clock)
    pace.begin("good", "192.0.2.1", "1", ping=False)
    pace.end("good", "192.0.2.1", ping=False, succeeded=True)
    pace.begin("bad", "192.0.2.1", "2", ping=False)
    pace.end("bad", "192.0.2.1", ping=False, succeeded=False)
    pace.begin("bad", "192.0.2.1", "3", ping=False)
    with pytest.raises(Postponed):
        pace.begin("worse", "192.0.2.1", "4", ping=False)
    for number in range(100):
        pace.begin("good", "192.0.2.1", f"good {number}", ping=False)


def test_what_the_pace_remembers_is_bounded(clock: Clock, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pacing, "MAX_KEPT", 10)
    pace = Pace(clock)
    for number in range(100):
        for _ in range(2):
            try:
                pace.begin("x", f"192.0.2.{number}", f"{number}{_}", ping=True)
            except Postponed:
                continue
            pace.end(f"{number}", f"192.0.2.{number}", ping=False, succeeded=bool(number % 2))
    kept = pace._free, pace._turns, pace._proven, pace._suspect
    assert max(len(each) for each in kept) == 10
