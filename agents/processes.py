"""Work in several processes."""

from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from typing import Any


def in_processes(stack: ExitStack, processes: int, prepare: Callable[..., Any], *given: Any) -> Executor:
    """New processes until the stack is closed. Each calls `prepare(*given)` first. Where one cannot start or is killed,
    results are `BrokenProcessPool`: `multiprocessing.Pool` would start others forever."""
    made = ProcessPoolExecutor(processes, get_context("spawn"), prepare, given)
    stack.callback(made.shutdown, cancel_futures=True)
    return made
