"""A client of an application in this process.

Half of the processor time of a request in tests was that of httpx (0.6 of 1.2 ms): it prepares for redirects, cookies,
proxies and authentication, which no test of ours uses.
"""

import asyncio
import json as plain
from functools import lru_cache
from typing import Any

import httpx
import msgspec

WITH_BODY = ("POST", "PUT", "PATCH")


class ServedAtOnce:
    """The application as our server calls it: without a coroutine, if a request has arrived whole."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        received = [await receive()]
        if received[0]["more_body"]:
            received.append(await receive())
        if received[-1]["more_body"]:

            async def replay() -> Any:
                return received.pop(0) if received else await receive()

            await self._app(scope, replay, send)
        else:
            await self.whole(scope, b"".join(each["body"] for each in received), receive, send)

    async def whole(self, scope: Any, body: bytes, receive: Any, send: Any) -> None:
        """Answer a request that has arrived. `receive` tells when its client has gone."""
        app, answer = self._app, asyncio.get_running_loop().create_future()
        if hasattr(app, "begin"):
            app = app.begin(scope, body, lambda *whole: answer.set_result(whole))
        if app is None:
            status, headers, content = await answer
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": content})
        else:
            received = [{"type": "http.request", "body": body, "more_body": False}]

            async def replay() -> Any:
                return received.pop() if received else await receive()

            await app(scope, replay, send)


class Answer(httpx.Response):
    """As its base, decoded faster. Its request is made when it is asked for."""

    asked: tuple[str, str, bytes]
    """Method, path with query, and body."""

    @property
    def request(self) -> httpx.Request:
        method, url, content = self.asked
        return httpx.Request(method, f"http://test{url}", content=content)

    def json(self, **_: Any) -> Any:
        return msgspec.json.decode(self.content)


class Client(httpx.AsyncClient):
    """As its base, with the same answers. Streams, bodies in parts and hooks for requests take its long way."""

    def __init__(self, app: Any, address: str, **how: Any) -> None:
        self._served = ServedAtOnce(app)
        self._end = httpx.ASGITransport(self._served, client=(address, 1))
        super().__init__(transport=self._end, base_url="http://test", **how)

    async def request(  # type: ignore[override]
        self, method: str, url: str, *, content: Any = None, json: Any = None, params: Any = None,
        headers: Any = (), **rest: Any,
    ) -> httpx.Response:  # fmt: skip
        hooks = self.event_hooks
        query = () if params is None else tuple(params.items())
        if (
            rest
            or hooks["request"]
            or not (content is None or isinstance(content, bytes))
            or url[:1] != "/"
            or url[1:2] == "/"
            or not all(isinstance(value, str | int | None) for _, value in query)
        ):
            return await super().request(
                method, url, content=content, json=json, params=params, headers=headers, **rest
            )
        if json is not None:
            content = plain.dumps(json, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        body: bytes = content or b""
        sent = _sent(headers.items() if hasattr(headers, "items") else headers or ())
        names = {name for name, _ in sent}
        sent = [
            (b"host", b"test"),
            *((low, value) for name, value in self.headers.raw if (low := name.lower()) not in names),
            *sent,
        ]
        if json is not None and b"content-type" not in names:
            sent.append((b"content-type", b"application/json"))
        if (body or method in WITH_BODY) and b"content-length" not in names:
            sent.append((b"content-length", b"%d" % len(body)))
        path, raw, asked = _target(url, query)
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "headers": sent,
            "scheme": "http", "path": path, "raw_path": raw, "query_string": asked, "server": ("test", None),
            "client": self._end.client, "root_path": "",
        }  # fmt: skip
        response = await self._answer(scope, body)
        response.asked = method, url if params is None else f"{url}?{asked.decode()}", body
        for hook in hooks["response"]:
            await hook(response)
        return response

    async def _answer(self, scope: Any, body: bytes) -> Answer:
        status, headers, parts, over = 0, [], [], asyncio.Event()

        async def receive() -> Any:
            await over.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                assert not status
                status, headers = message["status"], message["headers"]
            else:
                assert not over.is_set()
                if scope["method"] != "HEAD":
                    parts.append(message["body"])
                if not message.get("more_body"):
                    over.set()

        await self._served.whole(scope, body, receive, send)
        assert over.is_set()
        content = b"".join(parts)
        response = Answer(status, headers=headers, stream=httpx.ByteStream(content))
        if "content-encoding" not in response.headers:
            response._content = content  # reading it takes a tenth of the request
        response.read()
        return response


def _sent(headers: Any) -> list[tuple[bytes, bytes]]:
    return [
        (name.lower() if isinstance(name, bytes) else name.lower().encode(),
         value if isinstance(value, bytes) else value.encode("ascii"))
        for name, value in headers
    ]  # fmt: skip


@lru_cache(10_000)
def _target(url: str, query: tuple[tuple[str, Any], ...]) -> tuple[str, bytes, bytes]:
    """The path, the same as sent, and the query."""
    whole = httpx.URL(f"http://test{url}", params=dict(query)) if query else httpx.URL(f"http://test{url}")
    return whole.path, whole.raw_path.split(b"?")[0], whole.query
