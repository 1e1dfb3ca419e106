"""The route of the archive: files of public games that are over, under the hashes of their content."""

import asyncio
from typing import Annotated, Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter
from litestar.types import ASGIApp

from domain.fairness.record import MEDIA_TYPE
from service.api import problems
from service.api.contract import OPTIONAL, Answer, contract, problem
from service.extensions.archive.desk import Desk
from service.extensions.archive.files import unpacked
from service.rest.input.parameters import IfNoneMatch
from service.server.compression import CompressedResponse, accepts, unchanged, varied
from service.server.raw_response import RawResponse
from service.server.request import LazyRequest

FOREVER = "public, max-age=31536000, immutable"


def archive_route(desk: Desk) -> HTTPRouteHandler:
    @get(
        "/v1/records/{hash:str}", operation_id="archived_record", security=OPTIONAL,
        summary="Get an archived record", tags=["Records"],
        opt=contract(
            Answer(
                200, dict[str, Any], "The record of a game that is over, without names.", MEDIA_TYPE,
                headers=("ETag", "Cache-Control", "Vary"),
            ),
            Answer(304, description="The record in `If-None-Match` is the same."),
            problem(problems.Malformed), problem(problems.NotFound),
            problem(problems.Unauthenticated, "WWW-Authenticate"),
            problem(problems.TooManyRequests, "Retry-After"),
            problem(problems.Unavailable, "Retry-After"),
        ),
    )  # fmt: skip
    async def archived_record(
        request: LazyRequest,
        hash_: Annotated[
            str,
            PathParameter(
                name="hash", pattern="^[0-9a-f]{64}$(?!\\n)",
                description="SHA-256 of the record, from `Content-Location` of `GET .../record?names=false`.",
            ),
        ],
        if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        """Returns the record of an archived game by the hash of its bytes. It never changes, so caches need not ask
        again. Some days after its end a public game is archived, if the operator has set that up."""
        headers = {"ETag": f'"{hash_}"', "Cache-Control": FOREVER}
        folder = desk.folder
        packed = None if folder is None else await asyncio.to_thread(folder.packed, hash_)
        if packed is None:
            raise problems.ProblemError(problems.NotFound(detail="No archived record has this hash."))
        if response := unchanged(if_none_match, headers):
            return response
        if accepts(request.scope["headers"], "zstd"):
            headers |= varied(headers) | {"ETag": f'W/"{hash_}"', "Content-Encoding": "zstd"}
            return RawResponse(packed, headers=headers, media_type=MEDIA_TYPE)
        text = await asyncio.to_thread(unpacked, packed)
        return CompressedResponse(text, headers=headers, media_type=MEDIA_TYPE)

    return archived_record
