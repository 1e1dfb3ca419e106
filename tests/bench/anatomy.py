"""Where the processor time of a move goes, by module: the event loop of a server runs under cProfile.

The profiler makes small functions look dearer than they are: read the shares, not the times.
"""

from collections import Counter
from collections.abc import Iterator
from cProfile import Profile
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time
from types import CodeType
from urllib.request import urlopen

import msgspec
from litestar import get
from litestar.types import ASGIApp

from service.api.contract import Answer, contract
from service.app import create_app
from service.server.raw_response import RawResponse
from service.settings import read
from tests.bench.cpu import Cpu
from tests.bench.http import load, served
from tests.bench.load import moves

LOOP, WRITER = "event loop and sockets", "the writer's thread and others"
LEAST = 0.01
"""The share of a move from which a module has a row of its own."""


def create() -> ASGIApp:
    """The application with a profile of its event loop, and a route that returns it and begins the next one."""
    profile = Profile(thread_time)
    begun = thread_time()

    @get("/profile", include_in_schema=False, opt=contract(Answer(200)))
    async def taken() -> ASGIApp:
        nonlocal begun
        profile.disable()
        before, begun = begun, thread_time()
        spent = by_module(profile)
        spent[LOOP] = max(0.0, begun - before - spent.total())
        profile.clear()
        profile.enable()
        return RawResponse(msgspec.json.encode(spent))

    return create_app(read(), routes=[taken])


def by_module(profile: Profile) -> Counter[str]:
    """Seconds in the functions of each module, those in C included that they call."""
    spent = Counter[str]()
    for entry in profile.getstats():
        if isinstance(entry.code, CodeType):
            in_c = sum(each.inlinetime for each in entry.calls or () if isinstance(each.code, str))
            spent[module(entry.code.co_filename)] += entry.inlinetime + in_c
    return spent


def module(file: str) -> str:
    """`service.server.cycle`, or the name of a library."""
    _, library, rest = file.partition("site-packages/")
    if library:
        return rest.split("/")[0]
    parts = Path(file).with_suffix("").parts
    ours = [at for at, part in enumerate(parts) if part in ("domain", "service", "projections")]
    return ".".join(parts[ours[-1] :]) if ours else "the standard library"


def rows(ruleset: str, seats: int, games: int, seconds: float) -> Iterator[tuple[str, str, str]]:
    """Module, time, share of all, of the moves of this many concurrent games."""
    given = {"rate_limit": "1000000", "registration_rate_limit": "off"}
    with TemporaryDirectory() as folder, served("tests.bench.anatomy:create", Path(folder), **given) as server:
        load(moves, server, ruleset, seats, games, 0.2)  # the writer starts with the first append
        taken(server.port)
        process = Cpu(server.pid)
        made = load(moves, server, ruleset, seats, games, seconds).answered
        spent = taken(server.port)
        spent += Counter({WRITER: max(0.0, process.seconds() - spent.total())})
    whole = spent.total()
    small = [part for part in spent if spent[part] < LEAST * whole]
    spent["everything else"] = sum([spent.pop(part) for part in small])
    for part, took in spent.most_common():
        yield part, f"{took / made * 1e6:.1f} µs", f"{took / whole:.0%}"


def taken(port: int) -> Counter[str]:
    """Seconds by module since the last call."""
    with urlopen(f"http://127.0.0.1:{port}/profile") as answer:
        return Counter(msgspec.json.decode(answer.read()))
