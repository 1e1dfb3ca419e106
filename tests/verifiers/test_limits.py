"""`docs/verification-limits.md` says which verifier finds which changed field, and it is true."""

import json

import pytest

from domain.game import Rules
from domain.rulesets import VERSIONS
from tests.verifiers import deeds, limits, samples
from tests.verifiers.deeds import entry, joined, left, numbers, put
from tests.verifiers.limits import COLUMNS, FILE, OF_THE_GAME, between, cells, changes
from tests.verifiers.samples import plain
from tests.verifiers.standalone import outcome, python

pytestmark = pytest.mark.turns("rulesets")

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))


def said() -> dict[tuple[str, str], dict[str, str]]:
    """The table of lifecycle events in the page."""
    _, _, *lines = between(FILE.read_text(), "game").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    made = {}
    for field, *found in rows:
        kind, name = field.replace("`", "").split(": ")
        made[kind, name] = dict(zip(COLUMNS, found, strict=True))
    return made


@pytest.mark.by_default()  # hundreds of changes by three verifiers; the page is made by the same function
def test_the_table_of_lifecycle_events_is_true():
    """An entry without restriction holds for each ruleset."""
    assert cells(VERSIONS.values()) == said()


@pytest.mark.checked
@pytest.mark.by_default("scandaroon/1")  # its games are short
@every_ruleset
def test_the_table_of_a_ruleset_is_true(rules: Rules):
    assert between(FILE.read_text(), rules.rules) == limits.of_the_ruleset(rules)


@pytest.mark.by_default()
@every_ruleset
def test_with_the_last_head_every_change_is_found(rules: Rules):
    """Any change of a game gives its end another head."""
    for base in COLUMNS:
        whole = deeds.whole(rules, base)
        kept = samples.heads(whole)[-2]
        for change in changes(rules, base, whole, ["opened", "joined", "left", "ended", "aborted"], 1):
            if base != "played":
                assert outcome(python().verify(change.forged, kept))["receipt"] is False, change.field
            assert kept not in samples.heads(change.forged), change.field


def test_the_page_of_the_protocol_names_the_bots_that_search():
    text = (limits.FILE.parent / "fairness-protocol.md").read_text()
    said = " ".join(text.split("- **A6**")[1].split("- **A7**")[0].split())
    by_bot: dict[str, list[str]] = {}
    for rules in VERSIONS.values():
        for bot in rules.searches:
            by_bot.setdefault(bot, []).append(rules.rules)
    [(bot, names)] = by_bot.items()
    *most, last = sorted(names)
    assert f"`{bot}` of {', '.join(most)} and {last} searches, no other bot" in said


def test_every_lifecycle_event_is_in_the_table():
    assert {kind for kind, _ in said()} == set(OF_THE_GAME)


@every_ruleset
def test_what_the_page_says_that_nobody_finds_is_not_found(rules: Rules):
    """A phantom player, an aborted game, other times, other players, an invented maximum length, an opener who joined
    later; each without a head. And other names, which no head covers."""
    whole = plain(samples.shortest(rules, 3))
    phantom = plain(whole)
    first = numbers(phantom, "joined")[0]
    seat = (phantom["events"][first]["event"]["seat"] + 1) % 3
    put(phantom, first + 1, (seat, joined(seat)), (seat, left(seat)))
    aborted = plain(whole)
    sat = aborted["events"][1]["event"]["seat"]
    stood_up = [entry(aborted, sat, left(sat), 1), entry(aborted, sat, {"type": "aborted"}, 1)]
    aborted["events"] = [*aborted["events"][:2], *stood_up, aborted["events"][-1] | {"at": stood_up[0]["at"]}]
    later = plain(whole)
    for each in later["events"]:
        each["at"] = each["at"].replace("2026-11-20", "2027-01-31")
    renamed = plain(whole)
    renamed["names"] = {"p0": "Mallory"}
    another = json.loads(json.dumps(whole).replace('"p0"', '"mallory"'))
    assert another["events"] != whole["events"]
    cancelled = plain(aborted)
    cancelled["events"][2:] = [
        entry(aborted, None, {"type": "aborted", "cause": "cancelled"}, 1),
        aborted["events"][-1],
    ]
    limited = plain(whole)
    limited["events"][0]["event"]["longest"] = len(whole["events"])
    joins_later = plain(whole)
    joins_later["events"][0] |= {"more": 0, "acting": []}
    forged = (phantom, aborted, later, another, cancelled, limited)
    made = [*(samples.rehashed(samples.regrouped(each)) for each in forged), samples.rehashed(joins_later)]
    assert limits.found_by([*made, renamed]) == [(None, None)] * 8
    kept = samples.heads(whole)[-2]
    assert all(outcome(python().verify(forged, kept))["receipt"] is False for forged in made)
