"""The forgeries that are tried on all verifiers: as data, each with its name, the game it changes, and who finds it.

When a game is over its secret is public, so anybody can change a record and recompute the commitment, all hashes and
all fields beside the events. `seal` does that after each forgery. `python -m tests.verifiers.limits` writes into
`docs/verification-limits.md` which check finds each forgery; `test_corpus.py` compares.

To add one: write a function that changes a record in place (`deeds`, `forged_terms`, `forged_appends`), and a line in
CORPUS. Verifiers and page follow.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from domain.codec import encode
from domain.description import description
from domain.fairness import record
from domain.game import Rules
from domain.rulesets import VERSIONS
from tests.verifiers import described, samples
from tests.verifiers.deeds import (
    LATER,
    MALLORY,
    OF_A_GAME,
    OF_A_GAME_ALL_LEFT,
    OF_A_GAME_THAT_IS_TOO_LONG,
    OF_A_HOTSEAT_GAME,
    OF_A_WAITING_GAME,
    OF_AN_OPENING,
    Deed,
    Found,
    opened_with,
    whole,
    without,
)
from tests.verifiers.forged_appends import (
    FOUND_BY_ALL,
    FOUND_WITH_THE_RULES,
    EntryDeed,
    Places,
    a_question_about_a_move_of_another,
    a_question_about_an_earlier_move,
    a_question_about_another_version,
    a_question_after_twenty_undos,
    a_twenty_first_undo,
    aborted_by_a_later_append,
    agreed_twice,
    aimed_at_nothing,
    aimed_elsewhere,
    another_choice_after,
    away_and_back,
    away_and_back_three_times,
    away_for_good,
    back_with_another_choice,
    came_and_went,
    cut_off,
    ended_in_the_middle,
    exchanged_appends,
    over,
    removed_append,
    removed_entry,
    removed_move,
    repeated_append,
    repeated_entry,
    revealed_in_the_middle,
    some_event,
    some_events,
    ten_questions_more,
    two_questions_at_once,
    undone_without_all,
)
from tests.verifiers.forged_terms import (
    HINTED,
    NOT_READY,
    OF_A_BRANCH,
    OF_A_DEAL,
    SEALED,
    UNDONE,
    WITH_A_CLOCK,
    aborted_as,
    hinted_once_more,
    inserted_readied,
    of_deal,
    seated_with,
    stopped_early,
    terms,
    the_last_readied_is_taken_out,
)
from tests.verifiers.samples import Json, plain, regrouped, rehashed

# Maximum lengths and causes.


# Clocks.


# Sealed entropies.


# Games of a common deal.


# Moves that are taken back.


# Games with hints.


# --- appends, choices and moves -----------------------------------------------------------------------------------
#
# Each of the fields `more`, `acting` and `move` is removed, added, changed and moved to another entry.


# --- whole appends ------------------------------------------------------------------------------------------------
#
# Appends are inserted and removed. Versions that events name move along.


# --- the corpus ---------------------------------------------------------------------------------------------------


def hashes_in_the_events(forged: Json, *numbers: int) -> None:
    """The right ones, in all events or in these."""
    hashed = plain(record.hashed(record.decode(encode(forged))))["events"]
    for number in numbers or range(len(hashed)):
        forged["events"][number] = hashed[number]


def hashes_in_one_event(forged: Json) -> None:
    hashes_in_the_events(forged, 3)


def one_hash_in_one_event(forged: Json) -> None:
    hashed = plain(forged)
    hashes_in_one_event(hashed)
    forged["events"][3]["public"] = hashed["events"][3]["public"]


def secret_hidden_without_hashes(forged: Json) -> None:
    """As in a redacted record."""
    forged["secret"] = forged["events"][0]["event"]["secret"] = None


SHAPES = [hashes_in_the_events, hashes_in_one_event, one_hash_in_one_event, secret_hidden_without_hashes]


def dealt_from(what: str, stream: str, block: int = 0) -> Deed:
    """The first shuffle, from another stream; `{}` is its type."""

    def deed(forged: Json) -> None:
        rules = msgspec.json.decode(description(VERSIONS[forged["rules"]]))
        shuffles = [kind for kind, drawings in rules["draws"].items() if "shuffle" in str(drawings)]
        event = next(entry["event"] for entry in forged["events"] if entry["event"]["type"] in shuffles)
        described.dealt_again(forged, rules, event, stream.replace("{}", event["type"]), block)

    deed.__name__ = f"dealt from {what}"
    return deed


STREAMS = [
    dealt_from("the stream of another event", "deal:dealt_again:0"),
    dealt_from("the stream of all events", "deal:0"),
    dealt_from("the second stream of the event", "deal:{}:1"),
    dealt_from("the second block of the stream", "deal:{}:0", 1),
]


class Forgery(NamedTuple):
    """A change of a game. `forge` changes the record in place; afterwards `seal` makes its hashes right."""

    base: str
    name: str
    forge: Deed
    found: Found = "all"
    regroup: bool = False
    """Whether the forger groups the events into appends anew, with the fields `more` and `acting` that they need."""
    only: str = ""
    """The ruleset that has such events; empty: all."""


INSERTED: list[Deed] = [
    some_event("joined", by="$other", seat="$other", player=MALLORY, entropy=""),
    some_event("left", by="$other", seat="$other"),
    some_event("declined", by="$other", seat="$other"),
    some_event("begun"),
    some_event("gone", by=None, seat="$other", moved=True, cause="expired", bot="random/1"),
    some_event("gone", by="$other", seat="$other", moved=False, cause="left", bot="random/1"),
    some_event("gone", by="$other", seat="$other", moved=True, cause="left", bot="careful/1"),
    some_event("gone", by="$other", seat="$other", moved=True, cause="left"),
    some_event("gone", by="$mover", seat="$other", moved=True, cause="left", bot="random/1"),
    some_event("rejoined", by="$other", seat="$other"),
    some_event("granted", by="$other", seat="$other", seconds=1),
    some_event("granted", by=None, seat="$other", seconds=1),
    some_event("granted", by="$mover", seat="$other", seconds=61),
    some_event("granted", by="$mover", seat="$other", seconds=0),
    *(some_event("resumed", by=None, milliseconds=milliseconds) for milliseconds in (0, -1, 10**9, True, None)),
    some_event("resumed", by=None, milliseconds=1),
    some_event("resumed", by="$mover", milliseconds=1),
    some_event("resumed", by=None, milliseconds=1, seat="$other"),
    some_event("voted", by="$mover", seat="$mover", on="abort", yes=False),
    some_event("voted", by="$mover", seat="$other", on="abort", yes=True),
    some_event("voted", by="$mover", seat="$mover", on="abort", yes=True, to="$to"),
    some_event("voted", by="$mover", seat="$mover", on="undo", yes=True),
    some_event("taken_back", by=None, seat="$mover", to="$to", agreed=True),
    some_event("taken_back", by="$mover", seat="$other", to="$to", agreed=False),
    some_event("taken_back", by="$other", seat="$other", to="$to", agreed=False),
    some_event("hinted", by="$mover", seat="$mover"),
    terms(hints=True),
    some_event("ended", result={"scores": [0, 0, 0], "winners": [0]}),
    some_event("revealed", secret="0" * 64),
    *map(over, ("left", "cancelled", "expired", "longest", "absent", "agreed")),
    ended_in_the_middle,
    revealed_in_the_middle,
    a_question_about_an_earlier_move,
    a_question_about_another_version,
    a_question_about_a_move_of_another,
    ten_questions_more,
    two_questions_at_once,
    agreed_twice,
    undone_without_all,
    another_choice_after("granted", "voted"),
    another_choice_after("voted", "no"),
    another_choice_after("voted on an undo", "granted"),
    away_and_back_three_times,
]
REMOVED: list[Deed] = [cut_off, removed_append("joined")]
BY_THE_RULES: list[Deed] = [
    removed_entry,
    removed_move,
    repeated_append,
    exchanged_appends,
    repeated_entry,
    away_for_good,
]
BY_NOBODY: list[Deed] = [
    some_event("granted", by="$mover", seat="$other", seconds=1),
    some_event("voted", by="$mover", seat="$mover", on="abort", yes=True),
    some_events("a question to abort, answered with no", ("mover", "abort", True), ("other", "abort", False)),
    some_events("a question about an undo, answered with no", ("mover", "undo", True), ("other", "undo", False)),
    away_and_back,
    over("operator"),
]
"""What the terms allow and the rest of the game does not depend on."""


def placed(base: str, kinds: dict[str, tuple[Places, EntryDeed]], found: Found) -> Iterator[Forgery]:
    """The deeds about single entries, each at up to two places."""
    for name, (places, deed) in kinds.items():
        for nth in range(2):

            def forge(forged: Json, places: Places = places, deed: EntryDeed = deed, nth: int = nth) -> None:
                numbers = places(forged["events"])
                if nth < len(numbers):
                    deed(forged["events"], numbers[nth])

            yield Forgery(base, name, forge, found)


def named(base: str, deeds: Iterable[Deed], found: Found = "all", *, regroup: bool = False) -> Iterator[Forgery]:
    return (Forgery(base, in_words(deed), deed, found, regroup) for deed in deeds)


def in_words(deed: Deed) -> str:
    """The name of the forgery in the page."""
    name = deed.__name__.replace("[]", "an empty list").replace("{}", "an empty object")
    name = f"{name}an empty text" if name.endswith(" ") else name
    return name.translate(str.maketrans("_", " ", "{}[]'\"`$"))


LIVES: dict[str, list[Deed]] = {
    "clock": WITH_A_CLOCK,
    "played": OF_A_GAME,
    "left": OF_A_GAME_ALL_LEFT,
    "cancelled": OF_A_WAITING_GAME,
    "expired": OF_A_WAITING_GAME,
    "longest": OF_A_GAME_THAT_IS_TOO_LONG,
    "hotseat": OF_A_HOTSEAT_GAME,
    "branch": OF_A_BRANCH,
}
"""By base, what is forged without a thought of appends: they are grouped anew."""

KEPT = {"player": "p0"}

CORPUS: tuple[Forgery, ...] = (
    *(each for base, deeds in LIVES.items() for each in named(base, deeds, regroup=True)),
    *named("late", WITH_A_CLOCK),
    *named("played", [*SHAPES, *STREAMS]),
    *named("left", OF_AN_OPENING),
    *named("left", [opened_with("description", "0" * 64, "of other rules")], "verify"),
    *(each for base, deeds in UNDONE.items() for each in named(base, deeds)),
    *(each for base in ("played", "branch", "left", "longest") for each in placed(base, FOUND_BY_ALL, "all")),
    *(
        each
        for base in ("played", "branch", "left", "longest")
        for each in placed(base, FOUND_WITH_THE_RULES, "verify")
    ),
    *named("quiet", INSERTED),
    *named("quiet", REMOVED),
    *named("quiet", BY_THE_RULES, "verify"),
    *named("quiet", BY_NOBODY, "nobody"),
    *named("gone", [back_with_another_choice, removed_append("gone"), removed_append("rejoined")]),
    *named("kept", [removed_append("declined"), came_and_went(10)]),
    *named("kept", [opened_with("places", [KEPT, {"player": ""}, {"player": "p2"}], "with an empty id")]),
    *named(
        "kept",
        [came_and_went(9), opened_with("places", [KEPT, {"player": "p1"}, {}], "with a kept seat as an open one")],
        "nobody",
    ),
    *named("sealed", [terms(puzzles=False), terms(puzzles=1), terms(private=True)]),
    *named("sealed", [*SEALED, removed_append("readied"), removed_append("joined")]),
    *named("not ready", NOT_READY),
    *named("not ready", [aborted_as(cause="cancelled", unready=None), the_last_readied_is_taken_out], "nobody"),
    *named("hinted", HINTED),
    *named("hinted", [hinted_once_more, removed_append("hinted")], "nobody"),
    *named("deal", [*OF_A_DEAL, of_deal(id="0190ffff-0000-7000-8000-00000000dea2"), terms(sealed=True)]),
    *named("deal", [of_deal(tables=3)], "nobody"),
    *named("stopped", [*OF_A_DEAL, stopped_early, of_deal(until="2026-11-20T09:00:00.000001Z"), without("aborted")]),
    *named("played", [terms(deal={"id": samples.BRANCH, "until": LATER})]),
    *named("played", [seated_with(seal="0" * 64), inserted_readied]),
    *named("expired", [aborted_as(unready=[0])]),
    *named("full", [aborted_by_a_later_append]),
    *named("weary", [a_question_after_twenty_undos, a_twenty_first_undo]),
    *(
        Forgery("aimed", each.__name__, each, only="scandaroon/1")
        for each in (
            *(aimed_at_nothing(kind, emptied=False) for kind in ("used", "targeted", "boosted", "protected")),
            *(aimed_at_nothing(kind, emptied=True) for kind in ("used", "boosted")),
        )
    ),
    *(
        Forgery("attacked", each.__name__, each, only="skyjo_action/1")
        for each in (aimed_elsewhere("blocked", "pick", "slot"), aimed_elsewhere("blocked", "steal", "card"))
    ),
)


def seal(forgery: Forgery, rules: Rules) -> Json | None:
    """The forged record, with hashes that are right; None if the forgery changes nothing in this game."""
    forged = whole(rules, forgery.base)
    before = msgspec.json.encode(forged["events"], order="sorted")
    forgery.forge(forged)
    if msgspec.json.encode(forged["events"], order="sorted") == before:
        return None
    return rehashed(regrouped(forged) if forgery.regroup else forged, like=whole(rules, forgery.base))
