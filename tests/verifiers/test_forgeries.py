"""Forgeries that all three verifiers find, hundreds here and thousands with `--everything`; and forgeries that none of
them can find."""

import json
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from stammtisch_client import Record as ClientRecord

from domain.codec import encode
from domain.description import description
from domain.fairness import record
from domain.fairness.record import Unreadable
from domain.fairness.verification import flawless, verify
from domain.game import Rules
from domain.messages import Dealing
from domain.ruleset import Result, Ruleset
from domain.rulesets import VERSIONS
from stammtisch.testing.playing import type_info
from tests.domain.test_labels import leaves
from tests.verifiers import forging, samples
from tests.verifiers.forging import cut_off, forgeries
from tests.verifiers.samples import Json, chained_anew, plain, rehashed
from tests.verifiers.standalone import Checks, by_description, javascript, outcome, python, wrong

pytestmark = pytest.mark.turns("rulesets")

FEW, SOME, MANY = (number * len(forging.DEEDS) for number in (1, 2, 15))
"""Numbers of forgeries; every kind of change occurs equally often."""

ROOT = Path(__file__).parents[2]

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))


def ours(forged: Any, head: str | None = None) -> bool:
    """Whether the domain's verification finds a failure, or the record is unreadable; then the error says where."""
    try:
        found = record.decode(json.dumps(forged).encode())
    except Unreadable as error:
        assert str(error)
        return True
    return not flawless(verify(found, head=head))


def alone(forged: Any, head: str | None = None) -> bool:
    return wrong(python().verify(forged, head))


@pytest.mark.by_default("fewest seats-skyjo/1", "fewest seats-scout/1", "fewest seats-scandaroon/1")
@every_ruleset
@pytest.mark.parametrize("most", [False, True], ids=["fewest seats", "most seats"])
def test_every_forgery_is_found_by_all_three(rules: Rules, most: bool, everything: bool):
    """The two stand-alone verifiers agree check by check, except for a missing field, which can make them fail in
    different checks."""
    original = plain(samples.shortest(rules, rules.seats[-1] if most else rules.seats[0]))
    made = forgeries(original, Random(rules.rules), FEW if most else MANY if everything else SOME)
    found = javascript([original, *(forged for _, forged in made)])
    assert not (ours(original) or alone(original) or wrong(found[0]))
    disagreed = []
    for (deed, forged), checks in zip(made, found[1:], strict=True):
        other = python().verify(forged)
        assert ours(forged), deed
        assert wrong(checks), deed
        assert wrong(other), deed
        if told(checks) != told(other):
            disagreed.append(deed)
    assert all(deed.startswith("take out") for deed in disagreed), disagreed


def told(checks: Checks) -> list[tuple[str, bool | None]]:
    return [(check["name"], check["ok"]) for check in checks]


def test_with_everything_these_are_more_than_a_thousand():
    assert len(VERSIONS) * (MANY + FEW) > 1000


@every_ruleset
def test_a_cut_off_end_is_found_with_a_kept_head(rules: Rules):
    """Without one it looks like a running game, unless it is cut off within an append."""
    whole = plain(samples.shortest(rules, rules.seats[0]))
    last = len(whole["events"]) - 1
    ends = [entry["version"] for entry in whole["events"] if not entry["more"]]
    cuts = [cut_off(whole, keep) for keep in (ends[0], ends[1], ends[len(ends) // 2], ends[-2])]
    earlier, *_, seen, _ = samples.heads(whole)
    for head, right in ((None, True), (earlier, True), (seen, False)):
        found = javascript(cuts, [head] * len(cuts))
        for cut, checks in zip(cuts, found, strict=True):
            assert ours(cut, head) is not right
            assert alone(cut, head) is not right
            assert wrong(checks) is not right
    within = [cut_off(whole, keep) for keep in (1, last, ends[len(ends) // 2] - 1) if keep not in ends]
    assert len(within) > 1
    for cut, checks in zip(within, javascript(within), strict=True):
        assert ours(cut)
        assert outcome(python().verify(cut))["appends"] is False
        assert outcome(checks)["appends"] is False


@every_ruleset
def test_a_game_invented_with_the_secret_is_found_only_with_a_kept_head(rules: Rules):
    """When a game is over everybody knows its secret. So a record proves what happened only to those who have kept a
    head, and to those who trust one of them: here somebody else has played, and every hash is right."""
    whole = plain(samples.shortest(rules, rules.seats[0]))
    text = json.dumps(whole).replace('"p1"', '"mallory"')
    forged = chained_anew(json.loads(text))
    assert forged["head"] != whole["head"]
    for head, found in ((None, False), (whole["head"], True)):
        assert ours(forged, head) is found
        assert alone(forged, head) is found
        assert wrong(javascript([forged], [head])[0]) is found


@every_ruleset
def test_invented_deals_are_found_though_all_hashes_are_right(rules: Rules):
    """Two different neighbours in a deal are exchanged, and everything is rehashed."""
    whole = plain(samples.shortest(rules, rules.seats[0]))
    number, path = next(
        (number, path)
        for number, entry in enumerate(whole["events"])
        if entry["by"] is None and number
        for path in forging.places(entry["event"])
        if isinstance(forging.at(entry["event"], path), list) and len(forging.at(entry["event"], path)) > 4
    )
    forged = samples.plain(whole)
    cards = forging.at(forged["events"][number]["event"], path)
    place = next(i for i in range(len(cards) - 1) if cards[i] != cards[i + 1])
    cards[place], cards[place + 1] = cards[place + 1], cards[place]
    forged = chained_anew(forged)
    checks = verify(record.decode(json.dumps(forged).encode()))
    assert {c.name: (c.ok, c.version) for c in checks if c.ok is False} == {"deals": (False, number + 1)}
    if rules.rules in python().TABLE:
        for found in (python().verify(forged), javascript([forged])[0]):
            assert {c["name"]: (c["ok"], c["version"]) for c in found if c["ok"] is False} == {
                "shuffles": (False, number + 1)
            }


POINTERS = {("kept", "place"), ("trump_revealed", "trump")}
"""Fields of events that determine which cards lie where although they are no cards."""

LATER = (
    "kept.place", "bought.card", "bought.laid", "discarded.card", "played.card", "trashed.by",
    "trashed.card", "turn_ended.staged",
)  # fmt: skip
"""A choice among several possible cards can be found later, when the next of them is used."""


def shown(rules: Rules) -> list[tuple[str, str]]:
    """The type and the name of each field of an event that shows cards (`x-card`), or determines where they lie."""
    return [
        (kind.__struct_config__.tag, field.encode_name)
        for kind in get_args(rules.event)
        for field in type_info(kind).fields
        if any(card for *_, card in leaves(field.type)) or (kind.__struct_config__.tag, field.name) in POINTERS
    ]


def dealings(rules: Rules) -> set[str]:
    return {kind.__struct_config__.tag for kind in get_args(rules.event) if issubclass(kind, Dealing)}


@every_ruleset
def test_an_invented_card_is_found_though_all_hashes_are_right(rules: Rules):
    """A shown card is replaced by one that was shown at another time, and everything is rehashed."""
    if rules.rules not in python().TABLE:
        pytest.skip("the ruleset is not in the table of the stand-alone verifiers")
    whole = plain(samples.eventful(rules))
    events = [entry["event"] for entry in whole["events"]]
    made: list[tuple[int, str, Json]] = []
    for kind, name in shown(rules):
        found = [(number, event[name]) for number, event in enumerate(events) if event["type"] == kind]
        for number, other in [(number, b) for (number, a), (_, b) in pairwise(found) if a != b][:1]:
            forged = samples.plain(whole)
            forged["events"][number]["event"][name] = other
            made.append((number + 1, f"{kind}.{name}", chained_anew(forged)))
    often = [each for each in shown(rules) if each[0] not in dealings(rules)]
    assert len(made) > 0.6 * len(often), [deed for _, deed, _ in made]
    for (version, deed, forged), other in zip(made, javascript([forged for _, _, forged in made]), strict=True):
        for checks in (python().verify(forged), other):
            wrongs = {check["name"]: check["version"] for check in checks if check["ok"] is False}
            assert set(wrongs) - {"appends"} == {"shuffles"}, deed
            assert wrongs["shuffles"] == version or (deed in LATER and wrongs["shuffles"] > version), deed


def scored_otherwise(whole: Json) -> tuple[int, Json]:
    """One seat scored more without changing the winner, and all events agree. Also returns the version of the event
    that scored it."""
    forged = plain(whole)
    result = next(entry for entry in forged["events"] if entry["event"]["type"] == "ended")["event"]["result"]
    won = next(entry for entry in forged["events"] if entry["event"]["type"] == "won")["event"]
    entry = [entry for entry in forged["events"] if entry["event"]["type"] in ("round_scored", "scored")][-1]
    seat = result["winners"][0]
    more = -1 if result["scores"][seat] == min(result["scores"]) else 1
    result["scores"][seat] += more
    result["winners"] = won["winners"] = [seat]
    if "totals" in won:
        won["totals"] = result["scores"]
    if entry["event"]["type"] == "scored":
        entry["event"]["breakdown"][seat]["red"] += more
    else:
        entry["event"]["points"][seat] += more
    return entry["version"], rehashed(forged)


@every_ruleset
def test_invented_points_are_found_only_with_the_rules(rules: Rules):
    """The stand-alone verifiers do not count cards; they check only that the events agree."""
    version, forged = scored_otherwise(plain(samples.shortest(rules, rules.seats[0])))
    checks = verify(record.decode(json.dumps(forged).encode()))
    (found,) = [check for check in checks if check.ok is False]
    assert found.name == "rules"
    # The move that causes the points, or the points.
    assert version - 8 < (found.version or 0) <= version
    assert not alone(forged)
    assert not wrong(javascript([forged])[0])
    assert "What is not checked: whether every move was legal" in (python().__doc__ or "")


# --- while the game runs ------------------------------------------------------------------------------------------


def public(rules: Rules, forged: Json) -> Any:
    """The part of a record that the public hashes cover: everything but what only its viewer sees."""
    module, made = python(), samples.plain(forged)
    for entry in made["events"]:
        event = entry["event"]
        for name, depth in module.TABLE[rules.rules]["hidden"].get(event["type"], {}).items():
            event[name] = module.backs(event[name], depth)
    return json.dumps(made, sort_keys=True)


@every_ruleset
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_while_the_game_runs_public_information_cannot_be_forged(rules: Rules, viewer: int | None, everything: bool):
    """What only the viewer has seen is covered by the secret hash alone, which cannot be checked before the end."""
    if rules.rules not in python().TABLE:
        pytest.skip("the ruleset is not in the table of the stand-alone verifiers")
    original = plain(samples.seen(rules, samples.running(rules, rules.seats[0], 1), viewer))
    made = forgeries(original, Random(viewer or 9), MANY if everything else FEW)
    found = javascript([original, *(forged for _, forged in made)])
    assert not (ours(original) or alone(original) or wrong(found[0]))
    shown, detected = public(rules, original), 0
    for (deed, forged), checks in zip(made, found[1:], strict=True):
        try:
            covered = public(rules, forged) != shown
        except Exception:
            covered = True
        if covered:
            detected += 1
            assert ours(forged), deed
            assert alone(forged), deed
            assert wrong(checks), deed
    assert detected > 0.6 * len(made)


def misplaced(whole: Json, dice: Random, count: int) -> list[Json]:
    """Records in which an entry is repeated, missing or exchanged with the next one, with new hashes."""
    made = []
    for _ in range(count):
        for change in range(3):
            forged = plain(whole)
            entries = forged["events"]
            at = dice.randrange(2, len(entries) - 1)
            if change == 0:
                entries.insert(at, plain(entries[at]))
            elif change == 1:
                del entries[at]
            else:
                entries[at], entries[at + 1] = entries[at + 1], entries[at]
            if entries != whole["events"]:
                made.append(rehashed(forged, like=whole))
    return made


@every_ruleset
def test_no_entry_can_be_repeated_left_out_or_exchanged(rules: Rules, everything: bool):
    whole = plain(samples.finished(rules, min(rules.seats), 1))
    forged = misplaced(whole, Random(7), 60 if everything else 5)
    found = [alone(each) for each in forged], [wrong(each) for each in javascript(forged)]
    assert found == ([True] * len(forged), [True] * len(forged))


def test_a_card_of_skyjo_is_laid_once_and_a_column_cleared_once():
    """Each of these entries is repeated in a record of its own, with new hashes."""
    rules = VERSIONS["skyjo/1"]
    for seed in range(3):
        whole = plain(samples.finished(rules, 2, seed))
        for kind in ("swapped", "tossed", "column_cleared"):
            at = next((at for at, each in enumerate(whole["events"]) if each["event"]["type"] == kind), None)
            if at is not None:
                forged = plain(whole)
                forged["events"].insert(at, plain(forged["events"][at]))
                forged = rehashed(forged, like=whole)
                assert alone(forged), kind
                assert wrong(javascript([forged])[0]), kind


@pytest.mark.parametrize(
    ("result", "right"),
    [
        ({"scores": [3, 4], "winners": [0], "ranks": [0, 1]}, True),
        ({"scores": [3, 4], "winners": [0], "ranks": [1, 0]}, False),
        ({"scores": [3, 4], "winners": [0], "ranks": [0]}, False),
        ({"scores": [3, 4], "winners": [0, 1], "teams": [[0, 1]]}, True),
        ({"scores": [3, 4], "winners": [0], "teams": [[0, 1]]}, False),
        ({"scores": [3, 4], "winners": [0], "teams": [[0], [0, 1]]}, False),
        ({"scores": [3, 4], "winners": []}, True),
        ({"scores": [3, 4], "winners": [], "more": 1}, False),
    ],
)
def test_results_of_rulesets_that_the_verifiers_do_not_know(result: Json, right: bool):
    """L19: a result may have ranks and teams, and nobody wins where all lose together."""
    rules = VERSIONS["skyjo/1"]
    forged = plain(samples.finished(rules, 2, 1))
    next(entry for entry in forged["events"] if entry["event"]["type"] == "ended")["event"]["result"] = result
    for checks in by_description(rehashed(forged), description(rules)):
        assert wrong(checks) != right, checks


EXAMPLES = [each.name for each in sorted(ROOT.glob("examples/*")) if each.joinpath("src").is_dir()]


def example(name: str, monkeypatch: pytest.MonkeyPatch) -> Rules:
    monkeypatch.syspath_prepend(ROOT / "examples" / name / "src")
    return next(each for each in vars(import_module(name)).values() if isinstance(each, Ruleset))


def all_lose(rules: Rules) -> Rules:
    """The same game, in which all players are one team, and it loses."""

    def result(state: Any) -> Result | None:
        found = rules.result(state)
        return found and Result(found.scores, (), teams=(tuple(range(len(found.scores))),))

    def teams(seats: int) -> tuple[tuple[int, ...], ...]:
        return (tuple(range(seats)),)

    return replace(rules, result=result, teams=teams)


@pytest.mark.parametrize("how", [lambda rules: rules, all_lose], ids=["as it is", "all lose"])
@pytest.mark.parametrize("name", [*(each.name for each in VERSIONS.values()), *EXAMPLES])
def test_records_of_every_game_that_is_registered_or_shipped_are_right(
    name: str, how: Any, monkeypatch: pytest.MonkeyPatch
):
    """By `verify`, by both stand-alone verifiers with a description and without their tables, and by the client for
    Python, which has no description."""
    rules = how(example(name, monkeypatch) if name in EXAMPLES else VERSIONS[f"{name}/1"])
    monkeypatch.setitem(VERSIONS, rules.rules, rules)
    record._decoder.cache_clear()
    played = samples.decisions.__wrapped__(rules, rules.seats[-1], 1)
    whole = samples.record_of(samples.ID, samples.log_of(rules, played))
    assert whole.result is not None and bool(whole.result.winners) == (how is not all_lose)
    assert flawless(verify(record.decode(encode(whole))))
    for checks in by_description(plain(whole), description(rules)):
        assert not wrong(checks), checks
    if name in EXAMPLES:
        assert ClientRecord(encode(whole)).verify().verdict == "incomplete"
        assert not wrong(javascript([plain(whole)])[0])


# --- edges of the protocol on which all three agree -------------------------------------------------------------------


def empty_opener(record: Json) -> None:
    record["events"][0]["event"]["opener"] = ""


def empty_place(record: Json) -> None:
    record["events"][0]["event"]["places"][1]["player"] = ""


def empty_player(record: Json) -> None:
    joined = [each["event"] for each in record["events"] if each["event"]["type"] == "joined"]
    joined[0]["player"] = record["seats"][joined[0]["seat"]]["player"] = ""


def surrogate_as_name(record: Json) -> None:
    record["names"] = {"p0": "\ud800"}


def surrogate_as_id(record: Json) -> None:
    record["names"] = {"\udc00": "Ann"}


@pytest.mark.parametrize("deed", [empty_opener, empty_place, empty_player, surrogate_as_name, surrogate_as_id])
def test_an_id_is_not_empty_and_a_name_is_a_text(deed: Any):
    """L1, L4, L8 and R4."""
    kept, of_deal = samples.with_bots(VERSIONS["skyjo/1"])["kept"], samples.with_deal(VERSIONS["skyjo/1"])["deal"]
    forged = plain(of_deal if deed is empty_player else kept)
    assert not (ours(forged) or alone(forged) or wrong(javascript([forged])[0]))
    deed(forged)
    forged = forged if deed in (surrogate_as_name, surrogate_as_id) else rehashed(forged)
    assert ours(forged)
    assert alone(forged)
    assert wrong(javascript([forged])[0])
