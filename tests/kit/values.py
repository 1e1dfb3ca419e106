"""Hypothesis strategies for values of a type, derived from its msgspec description."""

from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect as kinds

SMALL = 8
"""Half of all integers are drawn from this many of the lowest values: games with a low target are short."""


def values(type_: Any) -> st.SearchStrategy[Any]:
    """Values of the type. Its decoder accepts every one; not every accepted value is drawn."""
    return strategy(kinds.type_info(type_))


def strategy(kind: kinds.Type) -> st.SearchStrategy[Any]:
    match kind:
        case kinds.Metadata(type=inner):
            return strategy(inner)
        case kinds.BoolType():
            return st.booleans()
        case kinds.NoneType():
            return st.none()
        case kinds.LiteralType(values=literals):
            return st.sampled_from(literals)
        case kinds.IntType():
            return whole_numbers(kind)
        case kinds.StrType():
            return texts(kind)
        case kinds.UnionType(types=types):
            return st.one_of(*map(strategy, types))
        case kinds.StructType(cls=cls, fields=fields):
            return st.builds(cls, **{field.name: strategy(field.type) for field in fields})
        case kinds.VarTupleType(item_type=item, min_length=least, max_length=most):
            return st.lists(strategy(item), min_size=least or 0, max_size=4 if most is None else most).map(tuple)
        case kinds.TupleType(item_types=items):
            return st.tuples(*map(strategy, items))
    raise NotImplementedError(f"no values of {kind}")


def whole_numbers(kind: kinds.IntType) -> st.SearchStrategy[int]:
    low = kind.ge if kind.ge is not None else -SMALL if kind.gt is None else kind.gt + 1
    high = kind.le if kind.le is not None else low + 64 if kind.lt is None else kind.lt - 1
    step = kind.multiple_of or 1
    low, high = -(-low // step), high // step
    return (st.integers(low, min(low + SMALL, high)) | st.integers(low, high)).map(lambda number: number * step)


def texts(kind: kinds.StrType) -> st.SearchStrategy[str]:
    if kind.pattern is not None:
        return st.from_regex(kind.pattern).filter(lambda text: msgspec.convert(text, str) == text)
    return st.text(min_size=kind.min_length or 0, max_size=12 if kind.max_length is None else kind.max_length)
