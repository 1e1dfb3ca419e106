"""The two stand-alone verifiers: the Python one in this process, the JavaScript one in one Node process."""

import atexit
import importlib.util
import json
import os
import py_compile
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from types import ModuleType
from typing import Any

Json = dict[str, Any]
Checks = list[Json]

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "clients" / "verifiers" / "stammtisch_verify.py"
JAVASCRIPT = ROOT / "clients" / "verifiers" / "stammtisch-verify.mjs"
MANY = Path(__file__).with_name("many.mjs")

TIMEOUT = 300
"""Seconds after which Node counts as hanging."""
FEW_THREADS = os.environ | {"UV_THREADPOOL_SIZE": "1"}
"""The environment of Node. The verifier waits for each hash; with several threads it waits longer."""


@cache
def python() -> ModuleType:
    """The module, loaded by its path: it is not part of a package."""
    spec = importlib.util.spec_from_file_location("stammtisch_verify", PYTHON)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def node() -> str:
    """The Node binary: the environment variable NODE_BIN, or one of the usual names."""
    named = os.environ.get("NODE_BIN")
    found = next(filter(None, map(shutil.which, [named] if named else ("node", "nodejs"))), None)
    assert found, (
        "This test needs Node 20 or newer. Install it (Debian and Ubuntu: apt-get install nodejs), or name its binary "
        f"in NODE_BIN{f'; {named} is none' if named else ''}."
    )
    return found


@cache
def command(program: str) -> list[str]:
    """How to run one of them; Python isolated, without installed packages.

    Python compiles a file that it runs, each time: two thirds of a start. This one is compiled under the same name. As
    it stands the file is run in tests/cli and tests/package.
    """
    if program == "JavaScript":
        return [node(), str(JAVASCRIPT)]
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    compiled = py_compile.compile(str(PYTHON), str(Path(folder.name, PYTHON.name)), doraise=True)
    return [sys.executable, "-I", "-S", str(compiled)]


def javascript(records: Sequence[Any], heads: Iterable[str | None] | None = None) -> list[Checks]:
    """The checks of the JavaScript verifier for each record. Raises `RuntimeError` if it ends or hangs."""
    heads = [None] * len(records) if heads is None else heads
    return [_asked({"record": one, "head": head}) for one, head in zip(records, heads, strict=True)]


def by_description(record: Json, *texts: bytes) -> tuple[Checks, Checks]:
    """The checks of both verifiers, in Python first, with these descriptions instead of their tables."""
    ours: Checks = python().verify(record, None, [*map(python().description, texts)], {})
    return ours, _asked({"record": record, "rules": [text.decode() for text in texts]})


def same_deal(records: Sequence[Json]) -> tuple[Json, Json]:
    """The check of the last of the records against those before it, of the two verifiers, in Python first."""
    return python().compared(records)[0], _asked({"deals": records})


def refused(text: str) -> tuple[str, str]:
    """Why the two verifiers, the one in Python first, do not take the text for a description; empty: they do."""
    try:
        python().description(text.encode())
    except (ValueError, RecursionError) as error:
        return str(error), str(_asked({"description": text}))
    return "", str(_asked({"description": text}))


@cache
def _running() -> subprocess.Popen[str]:
    """Node with the JavaScript verifier. All tests of this process share it: a start takes 0.1 s of a core."""
    process = subprocess.Popen(
        [node(), str(MANY)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
        env=FEW_THREADS,
    )  # fmt: skip
    atexit.register(process.kill)
    return process


def _asked(question: Json) -> Any:
    process = _running()
    assert process.stdin is not None and process.stdout is not None
    watchdog = Timer(TIMEOUT, process.kill)
    watchdog.start()
    try:
        # One by one: with several in the pipe both sides could wait for each other to read.
        process.stdin.write(json.dumps(question) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
    except BrokenPipeError:
        answer = ""
    finally:
        watchdog.cancel()
    if not answer:
        _running.cache_clear()
        raise RuntimeError(f"the JavaScript verifier ended: {process.wait(TIMEOUT)}")
    return json.loads(answer)


def in_node(script: Path, text: str) -> str:
    ran = subprocess.run(
        [node(), str(script)], input=text, capture_output=True, text=True, encoding="utf-8", timeout=TIMEOUT,
        env=FEW_THREADS,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def wrong(checks: Checks) -> bool:
    """Whether a check failed."""
    return any(check["ok"] is False for check in checks)


def outcome(checks: Checks) -> dict[str, bool | None]:
    return {check["name"]: check["ok"] for check in checks}
