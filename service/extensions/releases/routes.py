"""The route of files of other releases."""

import asyncio
import gzip
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import msgspec
from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.types import ASGIApp

from service.clock import wall_clock
from service.core import Core
from service.extension import Serving
from service.extensions.releases.table import KEPT, files_of, keep
from service.live.single_flight import SingleFlight
from service.pages import web
from service.rest.routing import router
from service.server.compression import CompressedResponse

DIGEST = re.compile("[0-9a-f]{16}")

_files = msgspec.msgpack.Decoder(dict[str, bytes])


def packed(files: Mapping[str, bytes]) -> bytes:
    """The files that pages ask for, by name, each compressed with gzip, as one MessagePack map."""
    return msgspec.msgpack.encode({
        name: web.gzipped(content) for name, content in files.items() if name not in web.UNKEPT
    })  # fmt: skip


def responses(stored: bytes) -> dict[str, CompressedResponse]:
    return {
        name: web.file_response(name, gzip.decompress(compressed), compressed)
        for name, compressed in _files.decode(stored).items()
    }


def release_routes(core: Core) -> Serving:
    recent = OrderedDict[str, dict[str, CompressedResponse]]()
    """Those that were asked for last. A process serves few other releases, and each of them for an upgrade only."""

    @asynccontextmanager
    async def running() -> AsyncIterator[None]:
        """The files are kept before the first page is served, which names them."""
        files = await asyncio.to_thread(web.read)
        await core.ask(keep, web.digest_of(files), await asyncio.to_thread(packed, files), wall_clock())
        yield

    async def read(digest: str) -> dict[str, CompressedResponse]:
        stored = await core.ask(files_of, digest)
        if stored is None:
            return {}
        recent[digest] = await asyncio.to_thread(responses, stored)
        while len(recent) > KEPT:
            recent.popitem(last=False)
        return recent[digest]

    loading = SingleFlight(read)

    @get("/web/{digest:str}/{name:path}")
    async def file(digest: FromPath[str], name: FromPath[str]) -> ASGIApp:
        if not DIGEST.fullmatch(digest):
            raise NotFoundException
        found = (recent.get(digest) or await loading(digest)).get(name.removeprefix("/"))
        if found is None:
            raise NotFoundException
        return found

    return Serving(routes=[router("/", [file], include_in_schema=False)], running=running)
