"""When all places are taken, the largest network gives way."""

from collections import Counter
from random import Random

import pytest

from service.live.network import network, wide_network
from service.live.shares import Counts, NoPlace, Shares

ATTACKER, NEIGHBOUR, NEWCOMER = "192.0.2.1", "192.0.2.2", "198.51.100.7"


@pytest.mark.parametrize(
    ("address", "wide"),
    [("192.0.2.77", "192.0.2"), ("::ffff:192.0.2.77", "192.0.2"), ("2001:db8:1:2::3", "2001:db8:1::/48"),
     ("2001:db8:1:ffff::", "2001:db8:1::/48"), ("2001:db8:2::", "2001:db8:2::/48"), ("no:address", "no:address"),
     ("", "")],
)  # fmt: skip
def test_wide_networks(address: str, wide: str):
    assert wide_network(network(address)) == wide


def filled(*places: str) -> Shares[int]:
    shares = Shares[int](len(places))
    for holder, place in enumerate(places):
        assert shares.take(network(place), holder) is None
    return shares


def test_the_largest_network_gives_its_latest_place_to_a_newcomer():
    shares = filled(ATTACKER, NEWCOMER, ATTACKER, "203.0.113.1", ATTACKER)
    assert shares.take("203.0.113.9", 9) == 4
    assert 4 not in shares
    assert 9 in shares
    assert len(shares) == 5


def test_a_network_that_would_be_the_largest_is_refused_and_nobody_gives_way():
    shares = filled(ATTACKER, ATTACKER, NEWCOMER, NEWCOMER)
    for each in (ATTACKER, NEWCOMER):
        with pytest.raises(NoPlace):
            shares.check(each)
        with pytest.raises(NoPlace):
            shares.take(each, 9)
    assert len(shares) == 4
    assert 9 not in shares


def test_an_attacker_with_a_whole_48_counts_as_one_network():
    shares = filled(*(f"2001:db8:7:{number:x}::1" for number in range(8)), "2001:db8:8::1")
    assert shares.take(network("2001:db8:9::1"), 9) == 7
    with pytest.raises(NoPlace):  # each of its addresses has one place already
        shares.take(network("2001:db8:7:99::1"), 10)


def test_neighbours_of_the_largest_address_keep_their_places():
    shares = filled(NEIGHBOUR, ATTACKER, ATTACKER, ATTACKER)
    assert shares.take(NEWCOMER, 9) == 3
    assert 0 in shares
    assert shares.take("192.0.2.3", 10) == 2
    assert {0, 9, 10} == {holder for holder in range(11) if holder in shares and holder != 1}


def test_a_place_that_is_freed_can_be_taken_by_anybody():
    shares = filled(ATTACKER, ATTACKER)
    shares.remove(0)
    shares.remove(0)
    assert shares.take(ATTACKER, 2) is None


def test_counts_know_the_most_frequent_key_at_any_time():
    random, counts, model = Random(5), Counts(), dict[str, int]()
    for _ in range(5_000):
        key = random.choice("abcdefgh")
        change = random.choice((1, -1)) if model.get(key) else 1
        counts.add(key, change)
        model[key] = model.get(key, 0) + change
        assert (counts[key], counts.most) == (model[key], max(model.values()))
        if counts:
            assert model[counts.largest()] == counts.most
    assert bool(counts) == any(model.values())


def test_no_order_of_arrivals_takes_a_place_from_a_smaller_network_or_keeps_more_than_all_places():
    random, shares, places = Random(7), Shares[int](30), dict[int, str]()
    networks = [f"192.0.{wide}.{narrow}" for wide in range(4) for narrow in range(4)] + ["2001:db8::", "2001:db8:0:1::"]
    for holder in range(4_000):
        place = random.choice(networks)
        sizes = Counter(map(wide_network, places.values()))
        if random.random() < 0.3 and places:
            gone = random.choice(list(places))
            shares.remove(gone)
            del places[gone]
            continue
        try:
            evicted = shares.take(place, holder)
        except NoPlace:
            assert len(places) == 30
            assert sizes[wide_network(place)] + 1 >= max(sizes.values())
            continue
        if evicted is not None:
            loser = wide_network(places.pop(evicted))
            assert loser == wide_network(place) or sizes[loser] == max(sizes.values()) > sizes[wide_network(place)] + 1
        places[holder] = place
        assert len(shares) == len(places) <= 30
