"""Tools for tests of rulesets: given-when-then, the laws of every ruleset, zones of cards."""
