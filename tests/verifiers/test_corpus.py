"""Every forgery of the corpus on all three verifiers; and that `docs/verification-limits.md` says what finds it."""

from collections.abc import Iterable
from functools import cache
from zlib import crc32

import pytest

from domain.codec import encode
from domain.fairness import record
from domain.fairness.verification import flawless, verify
from domain.game import Rules
from domain.rulesets import VERSIONS
from tests.verifiers import corpus, deeds, limits
from tests.verifiers.corpus import CORPUS, Forgery
from tests.verifiers.deeds import BASES
from tests.verifiers.forging import same
from tests.verifiers.limits import FILE, between, of_the_corpus, told, tried
from tests.verifiers.samples import regrouped, rehashed
from tests.verifiers.standalone import javascript, python, wrong

pytestmark = pytest.mark.turns("rulesets")

LONG = "aimed", "hinted", "late", "played", "quiet", "sealed"
"""Kinds of games that many forgeries are tried in: `make check` tries them."""
every_base = pytest.mark.parametrize(
    "base",
    [pytest.param(base, marks=pytest.mark.checked if base in LONG else ())
     for base in dict.fromkeys(each.base for each in CORPUS)],
)  # fmt: skip

SHORT = "scout/1", "scandaroon/1"
"""The rulesets with the fewest events in a game."""


@cache
def chosen_base(name: str) -> str:
    """The kind of game in which the forgery is tried by default: one of those that have it."""
    bases = [*dict.fromkeys(each.base for each in CORPUS if each.name == name)]
    return bases[crc32(name.encode()) % len(bases)]


def few(base: str) -> dict[str, tuple[Forgery, str]]:
    """Each forgery of these games in one ruleset: mostly in one with short games, in turn also in all others."""
    found: dict[str, tuple[Forgery, str]] = {}
    here = [each for each in CORPUS if each.base == base and chosen_base(each.name) == base]
    for number, each in enumerate(here):
        rules = [*VERSIONS][number // 6 % len(VERSIONS)] if number % 6 == 0 else SHORT[number % 2]
        found.setdefault(each.name, (each, each.only or rules))
    return found


@every_base
def test_every_forgery_is_found_as_the_corpus_and_the_page_say(base: str, everything: bool) -> None:
    """By default each in one kind of game, in one ruleset, at one place."""
    chosen = few(base)

    def rulesets(forgery: Forgery) -> Iterable[Rules]:
        return VERSIONS.values() if everything else [VERSIONS[chosen[forgery.name][1]]]

    forgeries = [each for each in CORPUS if each.base == base] if everything else [each for each, _ in chosen.values()]
    page, answers = told(base), tried(forgeries, rulesets)
    for forgery, found in answers:
        expected = {"all": all(found), "verify": found.verify, "nobody": not any(found)}[forgery.found]
        assert expected, (forgery.name, found)
        for check, cell in zip(found, page[forgery.name], strict=True):
            assert (f"`{check}`" if check else limits.NOTHING) in (cell or ""), (forgery.name, found, cell)
    met = {forgery.name for forgery, _ in answers}
    assert not everything or met == page.keys(), met ^ page.keys()
    missing = {each.name for each in forgeries} - met  # impossible in games of this kind
    assert everything or len(missing) <= len(forgeries) / 4, missing


@pytest.mark.by_default()
@every_base
def test_the_page_is_generated_from_the_corpus(base: str) -> None:
    assert between(FILE.read_text(), f"corpus: {base}") == of_the_corpus(base)


def test_each_forgery_is_on_the_page() -> None:
    assert {each.name for each in CORPUS} == {name for base in {each.base for each in CORPUS} for name in told(base)}
    assert not [each.name for each in CORPUS if not each.name or {"|", ";", "`"} & set(each.name)]


@pytest.mark.checked
@pytest.mark.by_default("scandaroon/1")
@pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))
def test_the_games_of_the_corpus_are_right_and_sealing_them_changes_nothing(rules: Rules) -> None:
    """So the verifiers find the forgeries and not the forger's errors."""
    only = {"attacked": "skyjo_action/1", "aimed": "scandaroon/1"}
    bases = [base for base in BASES if only.get(base, rules.rules) == rules.rules]
    games = {base: deeds.whole(rules, base) for base in bases}
    for (base, whole), checks in zip(games.items(), javascript([*games.values()]), strict=True):
        assert same(rehashed(whole), whole), base
        assert base not in corpus.LIVES or same(rehashed(regrouped(whole)), whole), base
        assert flawless(verify(record.decode(encode(whole)))), base
        assert not wrong(python().verify(whole)), base
        assert not wrong(checks), base
