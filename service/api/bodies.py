"""Request bodies, read as strictly as the OpenAPI document says. (Litestar's own reading takes "4" for 4.)"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from litestar import Request

from service.api.contract import JSON, contract_of
from service.api.problems import Refusal, UnsupportedMediaType, malformed

_FAULT = re.compile(r"(?s)(?P<message>.*?)(?: - at (?:`key` in )?`(?P<path>\$.*)`)?")


async def body(request: Request[Any, Any, Any]) -> Any:
    """The body, of the type that the handler's contract names. Raises `Refusal`."""
    if request.content_type[0] != JSON:
        raise Refusal(UnsupportedMediaType())
    text = await request.body()
    try:
        value = contract_of(request.route_handler).decoder.decode(text)
    except RecursionError:
        raise malformed("$", "The body is nested too deeply") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        fault = _FAULT.fullmatch(str(error))
        assert fault is not None
        raise malformed(fault["path"] or "$", fault["message"]) from None
    if rb"\u0000" in text:  # JSON allows it, text in PostgreSQL does not
        for path in _nuls(msgspec.to_builtins(value, str_keys=True)):
            raise malformed(path, "NUL is not allowed in strings")
    return value


def _nuls(value: Any, path: str = "$") -> Iterator[str]:
    """The places of strings with a NUL."""
    match value:
        case str() if "\0" in value:
            yield path
        case list():
            for number, item in enumerate(value):
                yield from _nuls(item, f"{path}[{number}]")
        case dict():
            for key, item in value.items():
                yield from _nuls(key, path)
                yield from _nuls(item, f"{path}.{key}")
