"""Conformance to RFC 6455, frame by frame.

The Autobahn test suite runs on Python 2 only. The cases here cover the same ground and have the numbers of its sections
(https://github.com/crossbario/autobahn-testsuite). Where Autobahn expects an echo, the answer to the request in the
message stands for it. Sections 12 and 13 (compression) do not apply: the service offers no extension, so a reserved bit
is an error. `make compliance` and `make nightly` run all of them.
"""

from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from service.server import web_socket
from tests.service.channel.conftest import service as service
from tests.support.clients import Caller
from tests.support.frames import BINARY, CLOSE, CONT, PING, PONG, TEXT, Received, closing, frame, raw_web_socket

pytestmark = pytest.mark.anyio

LIMIT = web_socket.MAX_MESSAGE


def message(request_id: int = 1, size: int = 0) -> bytes:
    """A request of at least this size."""
    return request_with(b"", request_id).ljust(size)


def request_with(text: bytes, request_id: int = 1) -> bytes:
    return b'{"type":"unfollow","id":%d,"game":"skyjo/x%b"}' % (request_id, text)


def pong(data: bytes) -> Received:
    return Received(PONG, True, data)


def cut(data: bytes, size: int = 1) -> list[bytes]:
    return [data[begin : begin + size] for begin in range(0, len(data), size)]


def fragments(text: bytes, *sizes: int, fin: bool = True) -> list[bytes]:
    """Frames of a message, with these sizes; the last one has the rest."""
    parts, begin = [], 0
    for size in sizes:
        parts.append(text[begin : begin + size])
        begin += size
    parts.append(text[begin:])
    last = len(parts) - 1
    return [frame(CONT if number else TEXT, part, fin=fin and number == last) for number, part in enumerate(parts)]


ASK, AGAIN = frame(TEXT, message(1)), frame(TEXT, message(2))
VALID = [
    "κόσμε", "Hello-µ@ßöäüàá-UTF-8!!", "\x7f", "߿", "ࠀ", "\uffff", "\ud7ff", "\ue000", "�", "\U00010000",
    "\U0010ffff", "𝄞",
]  # fmt: skip
INVALID = [
    b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80\x65\x64", b"\x80", b"\xbf", b"\x80\xbf\x80", b"\xc0\xaf",
    b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xc0\x80",
    b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xed\xa0\x80\xed\xb0\x80", b"\xf4\x90\x80\x80", b"\xfe",
    b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80", b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9d\x84",
]  # fmt: skip

ANSWERED: dict[str, tuple[list[bytes], list[int | Received]]] = {
    # What is sent, in segments of their own, and what comes back: the answers to requests, and pongs.
    **{f"1.1 size {size}": ([frame(TEXT, message(1, size))], [1]) for size in (0, 125, 126, 127, 128, 65535, LIMIT)},
    "1.1.8 one byte at a time": (cut(ASK), [1]),
    **{
        f"2.1 ping {data[:9]!r}": ([frame(PING, data)], [pong(data)])
        for data in (b"", b"Hello", b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff", b"\xfe" * 125)
    },
    "2.6 a ping one byte at a time": (cut(frame(PING, b"\xfe" * 125)), [pong(b"\xfe" * 125)]),
    "2.7 an empty unsolicited pong": ([frame(PONG) + frame(PING, b"x")], [pong(b"x")]),
    "2.7 an unsolicited pong": ([frame(PONG, b"unsolicited") + frame(PING, b"x")], [pong(b"x")]),
    "2.10 ten pings": ([b"".join(frame(PING, b"%d" % n) for n in range(10))], [pong(b"%d" % n) for n in range(10)]),
    **{f"5.3 fragments of {size}": (fragments(message(), *[size] * (44 // size)), [1]) for size in (1, 7, 30, 1000)},
    "5.3 fragments at once": ([b"".join(fragments(message(), *[7] * 6))], [1]),
    "5.6 a ping between fragments": (
        [frame(PING, b"p").join(fragments(message(), 9))], [pong(b"p"), 1],
    ),
    "5.19 pauses and pings": (
        [
            *fragments(message(), 5, 4, fin=False)[:2], frame(PING, b"1"), frame(CONT, b"", fin=False),
            frame(PING, b"2"), frame(CONT, message()[9:]),
        ],
        [pong(b"1"), pong(b"2"), 1],
    ),
    "9.7 many messages at once": ([b"".join(frame(TEXT, message(n)) for n in range(2000))], [*range(2000)]),
    **{
        f"mask {mask.hex()}": ([frame(TEXT, message(), mask=mask)], [1])
        for mask in (b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\0\1")
    },
}  # fmt: skip

REFUSED: dict[str, tuple[list[bytes], int]] = {
    # What is sent, and the code with which the server closes. Only request 1 may have been answered before.
    **{f"1.2 binary of {size}": ([frame(BINARY, b"\xfe" * size)], 1003) for size in (0, 125, 126, 65535)},
    "2.5 a ping of 126": ([frame(PING, b"\xfe" * 126)], 1002),
    **{
        f"3 bits {rsv}, opcode {opcode}": (
            [ASK + frame(opcode, message() if opcode in (TEXT, BINARY) else b"", rsv=rsv) + AGAIN], 1002,
        )
        for rsv, opcode in product(range(1, 8), (TEXT, BINARY, CONT, PING, PONG, CLOSE))
    },
    **{
        f"4 opcode {opcode} {data!r}": ([frame(opcode, data), frame(PING)], 1002)
        for opcode, data in product((3, 4, 5, 6, 7, 11, 12, 13, 14, 15), (b"", b"x"))
    },
    **{f"5.1 opcode {each}": ([frame(each, fin=False) + frame(CONT)], 1002) for each in (PING, PONG, CLOSE)},
    **{f"5.9 no beginning {fin}": ([frame(CONT, b"x", fin=fin) + ASK], 1002) for fin in (True, False)},
    "5.15 after a whole message": ([b"".join(fragments(message(), 9)) + frame(CONT, b"x", fin=False) + AGAIN], 1002),
    "5.18 within a message": ([frame(TEXT, b"x", fin=False) + frame(TEXT, b"y")], 1002),
    **{f"6.3 {text.hex()}": ([frame(TEXT, request_with(text))], 1007) for text in INVALID},
    **{f"6.3 {text.hex()} in fragments": (fragments(request_with(text), 45), 1007) for text in INVALID},
    "7.3.2 a close with one byte": ([frame(CLOSE, b"\x03")], 1002),
    "7.3.6 too long a reason": ([closing(1000, b"x" * 124)], 1002),
    "7.5.1 a reason that is no UTF-8": ([closing(1000, b"\xce\xba\xed\xa0\x80")], 1007),
    **{
        f"7.9 code {code}": ([closing(code)], 1002)
        for code in (0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 5000, 65535)
    },
    "9.1 above the limit": ([frame(TEXT, message(1, LIMIT + 1))], 1009),
    **{
        f"9.1 length {length}": ([frame(TEXT, length_bytes=8, length=length)], 1009)
        for length in (LIMIT + 1, 2**31, 2**63 - 1)
    },
    **{
        f"9.3 fragments of {size}": ([b"".join(fragments(b" " * size * n, *[size] * n, fin=False))], 1009)
        for size in (64, 1024, 4096, 40_000) for n in (LIMIT // size + 1,)
    },
    "9 endless empty fragments": ([frame(TEXT, fin=False) + frame(CONT, fin=False) * 5000], 1008),
    "9 endless pings": ([frame(PING) * 5000], 1008),
    **{f"unmasked {opcode}": ([frame(opcode, mask=None)], 1002) for opcode in (TEXT, PING, CLOSE)},
    "the top bit of a length": ([frame(TEXT, length_bytes=8, length=2**63)], 1009),
    # RFC 7692 marks it with the first reserved bit. The service negotiates no compression.
    "a compressed message": ([frame(TEXT, bytes.fromhex("f248cdc9c90700"), rsv=4)], 1002),
}  # fmt: skip

CLOSED: dict[str, tuple[bytes, list[int], bytes]] = {
    # What is sent, the answers, and the data of the close frame after them.
    "7.1.1 a message and then a close": (ASK + closing(), [1], b"\x03\xe8"),
    "7.1.2 only the first close counts": (closing() + closing(1001), [], b"\x03\xe8"),
    **{
        f"7.1.3 nothing after a close is read {data[:4]!r}": (closing() + data, [], b"\x03\xe8")
        for data in (frame(PING), ASK, frame(TEXT, rsv=7), b"\xff" * 100)
    },
    "7.1.6 much data": (frame(TEXT, message(1, LIMIT)) + AGAIN + closing() + frame(PING), [1, 2], b"\x03\xe8"),
    "5.4 between the fragments of a message": (frame(TEXT, b"{", fin=False) + closing() + frame(CONT), [], b"\x03\xe8"),
    "7.3.1 without a code": (closing(None), [], b""),
    **{
        f"7.3.3 {reason[:5]!r}": (closing(1000, reason), [], b"\x03\xe8" + reason)
        for reason in (b"", b"Hello", b"x" * 123, "µ".encode())
    },
    **{
        f"7.7 code {code}": (closing(code), [], code.to_bytes(2))
        for code in (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999)
    },
}


def answer(received: Received | None) -> Any:
    assert received is not None and (received.opcode, received.fin) == (TEXT, True), received
    return msgspec.json.decode(received.data)


def number(received: Received | None) -> int | Received | None:
    """The number of the request that this answers; another frame unchanged."""
    if received is None or received.opcode != TEXT:
        return received
    found = answer(received)
    assert found["type"] == "unfollowed"
    return int(found["id"])


@pytest.mark.by_default()
@pytest.mark.parametrize("case", ANSWERED)
async def test_what_is_answered(ann: Caller, case: str) -> None:
    sent, expected = ANSWERED[case]
    async with raw_web_socket(ann) as socket:
        await socket.send(*sent)
        assert [number(await socket.receive()) for _ in expected] == expected
        await socket.send(closing(1000))
        assert [each.close_code for each in await socket.received()] == [1000]


@pytest.mark.by_default()
@pytest.mark.parametrize("case", REFUSED)
async def test_what_is_an_error(ann: Caller, case: str) -> None:
    sent, code = REFUSED[case]
    async with raw_web_socket(ann) as socket:
        await socket.send(*sent)
        *before, last = await socket.received()
        assert last.close_code == code
        assert {number(each) for each in before if each.opcode != PONG} <= {1}


@pytest.mark.by_default()
@pytest.mark.parametrize("case", CLOSED)
async def test_the_closing_handshake(ann: Caller, case: str) -> None:
    sent, answers, data = CLOSED[case]
    async with raw_web_socket(ann) as socket:
        await socket.send(sent)
        *before, last = await socket.received()
        assert ([number(each) for each in before], last) == (answers, Received(CLOSE, True, data))


@pytest.mark.by_default()
@pytest.mark.parametrize("text", VALID, ids=ascii)
async def test_6_2_valid_utf_8_may_be_cut_between_fragments(ann: Caller, text: str) -> None:
    whole = request_with(text.encode())
    async with raw_web_socket(ann) as socket:
        for sent in ([frame(TEXT, whole)], fragments(whole, len(whole) - 3)):
            await socket.send(*sent)
            assert answer(await socket.receive())["game"] == f"skyjo/x{text}"


async def test_1_an_empty_message_is_no_request(ann: Caller) -> None:
    async with raw_web_socket(ann) as socket:
        await socket.send(frame(TEXT))
        assert answer(await socket.receive())["problem"]["type"] == "malformed"


@pytest.mark.by_default("[0]")
@pytest.mark.parametrize("seed", range(20))
async def test_garbage_closes_the_connection_or_is_answered(ann: Caller, seed: int) -> None:
    """The connection never hangs, and the service serves the next one."""
    dice = Random(seed)
    async with raw_web_socket(ann) as socket:
        await socket.send(dice.randbytes(dice.choice((10, 200, 5000))))
        socket.writer.write_eof()
        for each in await socket.received():
            assert each.opcode in (TEXT, PONG, CLOSE)
    for size in (1, 2, 5, 9):  # a client that disappears in a frame is forgotten
        async with raw_web_socket(ann) as socket:
            await socket.send(ASK[:size])
            socket.writer.transport.abort()
    async with raw_web_socket(ann) as socket:
        await socket.send(ASK)
        assert number(await socket.receive()) == 1
