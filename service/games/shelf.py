"""The rules of all games in the log, also of packages and versions that are no longer loaded."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from domain.game import Rules
from domain.game import log as entries
from domain.registry import RULESETS, VERSIONS
from domain.stand_in import stand_in
from service.games.errors import RulesMissing
from service.log.mapper import OTHERS
from service.tables.descriptions import Described


class Shelf:
    """`kept` are the descriptions of all rules that a process ever served. Games of rules that are not loaded get a
    stand-in that can only be read."""

    def __init__(self, kept: Iterable[Described] = ()) -> None:
        texts = defaultdict[str, list[bytes]](list)
        self._packages = dict[str, str]()
        for each in kept:
            texts[each.rules].append(each.text.encode())
            self._packages[each.rules] = each.package
        self._stand_ins = {rules: stand_in(rules, found) for rules, found in texts.items() if rules not in VERSIONS}

    def rules(self, rules: str) -> Rules:
        """The rules of this name and version, or what stands in for them."""
        return VERSIONS.get(rules) or self._stand_ins.get(rules) or stand_in(rules)

    def is_described(self, rules: str) -> bool:
        """Whether the events of these rules can be read."""
        return rules in VERSIONS or rules in self._stand_ins

    def package(self, rules: str) -> str | None:
        """The distribution that has the rules; None if nobody knows."""
        return self._packages.get(rules)

    def named(self, ruleset: str) -> Rules | None:
        """What stands in for the ruleset; None if it never was here, or is loaded."""
        found = [each for each in self._stand_ins.values() if each.name == ruleset and ruleset not in RULESETS]
        return max(found, key=lambda each: each.version, default=None)

    def missing_rules(self, rules: str) -> RulesMissing:
        return RulesMissing(rules, self._packages.get(rules))

    def refusal(self, ruleset: str) -> RulesMissing | None:
        """Why nobody can play the ruleset; None if it never was here, or is loaded."""
        found = self.named(ruleset)
        return None if found is None else self.missing_rules(found.rules)

    @property
    def missing(self) -> list[str]:
        """The rules that are not loaded."""
        return sorted(self._stand_ins)

    def kinds(self) -> dict[str, Any]:
        """The type of the log's values, by kind of stream."""
        known: dict[str, Rules] = {OTHERS: stand_in("unknown/1"), **self._stand_ins, **VERSIONS}
        return {rules: entries.stored_type(each) for rules, each in known.items()}
