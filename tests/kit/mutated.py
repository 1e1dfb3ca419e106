"""Rulesets with one fault each: a comparison, a number, a sum or a condition in the module that decides is another."""

import ast
import inspect
import sys
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

from domain.game import Rules

OTHERS: dict[type[Any], Any] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
PARTS = ("initial", "to_act", "legal", "decide", "deal", "result")
"""What is taken from the changed module. `evolve` and `redact` stay: they say what is seen, not what happens."""

DEALS = 1000
"""Steps of the dealer after which rules are stopped that deal without end."""


class Endless(Exception):
    """The rules deal and deal."""


def mutants(rules: Rules, every: int = 1) -> Iterator[tuple[str, Rules]]:
    """Each mutant with the place of its fault. With `every` = 4 only every fourth place gets one."""
    module = sys.modules[rules.decide.__module__]
    tree = ast.parse(inspect.getsource(module))
    # Classes stay the same objects: the types of events and moves must be those of the records.
    tree.body = [node for node in tree.body if not isinstance(node, ast.ClassDef | ast.Import | ast.ImportFrom)]
    for number, node in [*enumerate(sites(tree))][::every]:
        changed = deepcopy(tree)
        fault(sites(changed)[number])
        names = {**vars(module)}
        exec(compile(ast.fix_missing_locations(changed), module.__name__, "exec"), names)
        yield f"{module.__name__}:{node.lineno} {ast.unparse(node)}", with_parts(rules, module.__name__, names)


def sites(tree: ast.Module) -> list[Any]:
    """The expressions in functions that can be another. Loops stay as they are: they might not end."""
    loops = {id(node) for loop in ast.walk(tree) if isinstance(loop, ast.While) for node in ast.walk(loop.test)}
    inside = [node for each in tree.body if isinstance(each, ast.FunctionDef) for node in ast.walk(each)]
    return [node for node in inside if id(node) not in loops and changeable(node)]


def changeable(node: ast.AST) -> bool:
    match node:
        case ast.Compare(ops=[one]) | ast.BinOp(op=one) | ast.BoolOp(op=one):
            return type(one) in OTHERS
        case ast.Constant(value=value):
            return type(value) is int
    return False


def fault(node: Any) -> None:
    match node:
        case ast.Compare(ops=[one]):
            node.ops = [OTHERS[type(one)]()]
        case ast.Constant():
            node.value += 1
        case _:
            node.op = OTHERS[type(node.op)]()


def with_parts(rules: Rules, module: str, names: dict[str, Any]) -> Rules:
    parts = {part: getattr(rules, part) for part in PARTS}
    changed = {part: names[each.__name__] for part, each in parts.items() if each.__module__ == module}
    deal, dealt = changed.get("deal", rules.deal), 0

    def limited(state: Any, chance: Any) -> list[Any]:
        nonlocal dealt
        dealt += 1
        if dealt > DEALS:
            raise Endless
        events: list[Any] = deal(state, chance)
        return events

    return replace(rules, **{**changed, "deal": limited})
