"""Conformance to RFC 6455, frame by frame.

The Autobahn test suite runs on Python 2 only. The cases here cover the same ground and have the numbers of its sections
(https://github.com/crossbario/autobahn-testsuite). Where Autobahn expects an echo, the answer to the request in the
message stands for it. Sections 12 and 13 (compression) do not apply: the service offers no extension, so a reserved bit
is an error.
"""

from collections.abc import AsyncIterator
from itertools import product
from random import Random

import msgspec
import pytest

from service.http import web_socket
from tests.support.clients import Caller
from tests.support.frames import (
    BINARY,
    CLOSE,
    CONT,
    PING,
    PONG,
    TEXT,
    RawSocket,
    Received,
    closing,
    frame,
    raw_web_socket,
)

pytestmark = pytest.mark.anyio

LIMIT = web_socket.MAX_MESSAGE


@pytest.fixture
async def socket(ann: Caller) -> AsyncIterator[RawSocket]:
    async with raw_web_socket(ann) as opened:
        yield opened


def message(request_id: int = 1, size: int = 0) -> bytes:
    """A request of at least this size."""
    text = b'{"type":"unfollow","id":%d,"game":"skyjo/x"}' % request_id
    return text + b" " * (size - len(text))


def is_answer(received: Received | None, request_id: int = 1) -> bool:
    assert received is not None
    answer = msgspec.json.decode(received.data)
    return received.opcode == TEXT and received.fin and (answer["type"], answer["id"]) == ("unfollowed", request_id)


async def expect_answer(socket: RawSocket, request_id: int = 1) -> None:
    assert is_answer(await socket.receive(), request_id)


async def expect_failure(socket: RawSocket, code: int) -> list[Received]:
    """The server closes with this code and then the connection. Returns the frames before."""
    *before, last = await socket.received()
    assert last.opcode == CLOSE, last
    assert last.close_code == code, last
    return before


async def expect_clean_close(socket: RawSocket) -> None:
    await socket.send(closing(1000))
    (only,) = await socket.received()
    assert (only.opcode, only.close_code) == (CLOSE, 1000)


# --- 1: text and binary messages ---


@pytest.mark.parametrize("size", [0, 125, 126, 127, 128, 65535, LIMIT], ids="1.1.{}".format)
async def test_1_1_text_messages_of_every_size(socket: RawSocket, size: int) -> None:
    await socket.send(frame(TEXT, message(1, size)))
    await expect_answer(socket)
    await expect_clean_close(socket)


async def test_1_1_8_a_message_one_byte_at_a_time(socket: RawSocket) -> None:
    for byte in frame(TEXT, message()):
        await socket.send(bytes([byte]))
    await expect_answer(socket)


@pytest.mark.parametrize("size", [0, 125, 126, 65535])
async def test_1_2_binary_messages_are_not_supported(socket: RawSocket, size: int) -> None:
    await socket.send(frame(BINARY, b"\xfe" * size))
    await expect_failure(socket, 1003)


async def test_1_an_empty_message_is_no_request(socket: RawSocket) -> None:
    await socket.send(frame(TEXT, b""))
    received = await socket.receive()
    assert received is not None
    assert msgspec.json.decode(received.data)["problem"]["type"] == "malformed"


# --- 2: pings and pongs ---


@pytest.mark.parametrize("data", [b"", b"Hello", b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff", b"\xfe" * 125])
async def test_2_1_pings_are_answered_with_their_data(socket: RawSocket, data: bytes) -> None:
    await socket.send(frame(PING, data))
    assert await socket.receive() == Received(PONG, True, data)


async def test_2_5_a_ping_of_126_bytes_is_an_error(socket: RawSocket) -> None:
    await socket.send(frame(PING, b"\xfe" * 126))
    await expect_failure(socket, 1002)


async def test_2_6_a_ping_one_byte_at_a_time(socket: RawSocket) -> None:
    for byte in frame(PING, b"\xfe" * 125):
        await socket.send(bytes([byte]))
    assert await socket.receive() == Received(PONG, True, b"\xfe" * 125)


@pytest.mark.parametrize("data", [b"", b"unsolicited"])
async def test_2_7_unsolicited_pongs_are_ignored(socket: RawSocket, data: bytes) -> None:
    await socket.send(frame(PONG, data) + frame(PING, b"x"))
    assert await socket.receive() == Received(PONG, True, b"x")


async def test_2_10_ten_pings_are_answered_in_order(socket: RawSocket) -> None:
    await socket.send(b"".join(frame(PING, b"%d" % number) for number in range(10)))
    assert [await socket.receive() for _ in range(10)] == [Received(PONG, True, b"%d" % each) for each in range(10)]


# --- 3: reserved bits ---


@pytest.mark.parametrize(("rsv", "opcode"), list(product(range(1, 8), (TEXT, BINARY, CONT, PING, PONG, CLOSE))))
async def test_3_reserved_bits_are_errors(socket: RawSocket, rsv: int, opcode: int) -> None:
    data = message() if opcode in (TEXT, BINARY) else b""
    await socket.send(frame(TEXT, message(1)) + frame(opcode, data, rsv=rsv) + frame(TEXT, message(2)))
    before = await expect_failure(socket, 1002)
    assert not [each for each in before if not is_answer(each, 1)]


# --- 4: opcodes ---


@pytest.mark.parametrize("opcode", [3, 4, 5, 6, 7, 11, 12, 13, 14, 15])
@pytest.mark.parametrize("data", [b"", b"x"])
async def test_4_reserved_opcodes_are_errors(socket: RawSocket, opcode: int, data: bytes) -> None:
    await socket.send(frame(opcode, data), frame(PING))
    await expect_failure(socket, 1002)


# --- 5: fragmentation ---


@pytest.mark.parametrize("opcode", [PING, PONG, CLOSE])
async def test_5_1_control_frames_are_not_fragmented(socket: RawSocket, opcode: int) -> None:
    await socket.send(frame(opcode, b"", fin=False) + frame(CONT, b""))
    await expect_failure(socket, 1002)


@pytest.mark.parametrize("size", [1, 7, 30, 1000])
@pytest.mark.parametrize("at_once", [True, False])
async def test_5_3_fragments_form_a_message(socket: RawSocket, size: int, at_once: bool) -> None:
    text = message()
    parts = [text[begin : begin + size] for begin in range(0, len(text), size)]
    frames = [frame(CONT if number else TEXT, part, fin=number == len(parts) - 1) for number, part in enumerate(parts)]
    await socket.send(*([b"".join(frames)] if at_once else frames))
    await expect_answer(socket)


async def test_5_6_a_ping_between_fragments_is_answered_first(socket: RawSocket) -> None:
    text = message()
    await socket.send(frame(TEXT, text[:9], fin=False) + frame(PING, b"p") + frame(CONT, text[9:]))
    received = [await socket.receive(), await socket.receive()]
    assert Received(PONG, True, b"p") in received
    assert any(each is not None and each.opcode == TEXT and is_answer(each) for each in received)


@pytest.mark.parametrize("fin", [True, False])
async def test_5_9_a_continuation_needs_a_beginning(socket: RawSocket, fin: bool) -> None:
    await socket.send(frame(CONT, b"x", fin=fin) + frame(TEXT, message()))
    await expect_failure(socket, 1002)


async def test_5_15_a_continuation_after_a_whole_message_is_an_error(socket: RawSocket) -> None:
    text = message()
    await socket.send(
        frame(TEXT, text[:9], fin=False)
        + frame(CONT, text[9:])
        + frame(CONT, b"x", fin=False)
        + frame(TEXT, message(2))
    )
    before = await expect_failure(socket, 1002)
    assert all(is_answer(each, 1) for each in before)


async def test_5_18_a_message_within_a_message_is_an_error(socket: RawSocket) -> None:
    await socket.send(frame(TEXT, b"x", fin=False) + frame(TEXT, b"y"))
    await expect_failure(socket, 1002)


async def test_5_19_fragments_with_pauses_and_pings(socket: RawSocket) -> None:
    text = message()
    await socket.send(
        frame(TEXT, text[:5], fin=False), frame(CONT, text[5:9], fin=False), frame(PING, b"1"),
        frame(CONT, b"", fin=False), frame(PING, b"2"), frame(CONT, text[9:]),
    )  # fmt: skip
    assert await socket.receive() == Received(PONG, True, b"1")
    assert await socket.receive() == Received(PONG, True, b"2")
    await expect_answer(socket)


# --- 6: UTF-8 ---

VALID = [
    "κόσμε",
    "Hello-µ@ßöäüàá-UTF-8!!",
    "\x7f",
    "߿",
    "ࠀ",
    "\uffff",
    "\ud7ff",
    "\ue000",
    "�",
    "\U00010000",
    "\U0010ffff",
    "𝄞",
]
INVALID = [
    b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80\x65\x64", b"\x80", b"\xbf", b"\x80\xbf\x80", b"\xc0\xaf",
    b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xc0\x80",
    b"\xe0\x80\x80",
    b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xed\xa0\x80\xed\xb0\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80",
    b"\xfc\x84\x80\x80\x80\x80", b"\xfe", b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9d\x84",
]  # fmt: skip


def request_with(text: bytes) -> bytes:
    return b'{"type":"unfollow","id":1,"game":"skyjo/x' + text + b'"}'


@pytest.mark.parametrize("text", VALID, ids=ascii)
async def test_6_2_valid_utf_8(socket: RawSocket, text: str) -> None:
    await socket.send(frame(TEXT, request_with(text.encode())))
    received = await socket.receive()
    assert received is not None
    assert msgspec.json.decode(received.data)["game"] == f"skyjo/x{text}"


@pytest.mark.parametrize("text", VALID, ids=ascii)
async def test_6_2_characters_may_be_cut_between_fragments(socket: RawSocket, text: str) -> None:
    whole = request_with(text.encode())
    await socket.send(frame(TEXT, whole[:-3], fin=False) + frame(CONT, whole[-3:]))
    received = await socket.receive()
    assert received is not None
    assert msgspec.json.decode(received.data)["game"] == f"skyjo/x{text}"


@pytest.mark.parametrize("text", INVALID, ids=lambda text: text.hex())
@pytest.mark.parametrize("whole", [True, False], ids=["whole", "fragments"])
async def test_6_3_invalid_utf_8_is_an_error(socket: RawSocket, text: bytes, whole: bool) -> None:
    data = request_with(text)
    await socket.send(frame(TEXT, data) if whole else frame(TEXT, data[:45], fin=False) + frame(CONT, data[45:]))
    await expect_failure(socket, 1007)


# --- 7: the closing handshake ---


async def test_7_1_1_a_message_and_then_a_close(socket: RawSocket) -> None:
    await socket.send(frame(TEXT, message()) + closing())
    answer, close = await socket.received()
    assert is_answer(answer)
    assert close.close_code == 1000


async def test_7_1_2_only_the_first_close_counts(socket: RawSocket) -> None:
    await socket.send(closing() + closing(1001))
    (only,) = await socket.received()
    assert only.close_code == 1000


@pytest.mark.parametrize("data", [frame(PING), frame(TEXT, message()), frame(TEXT, b"", rsv=7), b"\xff" * 100])
async def test_7_1_3_nothing_after_a_close_is_read(socket: RawSocket, data: bytes) -> None:
    await socket.send(closing() + data)
    (only,) = await socket.received()
    assert only.close_code == 1000


async def test_7_1_6_a_close_after_much_data(socket: RawSocket) -> None:
    await socket.send(frame(TEXT, message(1, LIMIT)) + frame(TEXT, message(2)) + closing() + frame(PING))
    first, second, close = await socket.received()
    assert is_answer(first, 1)
    assert is_answer(second, 2)
    assert close.close_code == 1000


async def test_7_3_1_a_close_without_a_code(socket: RawSocket) -> None:
    await socket.send(closing(None))
    (only,) = await socket.received()
    assert (only.opcode, only.data) == (CLOSE, b"")


async def test_7_3_2_a_close_with_one_byte_is_an_error(socket: RawSocket) -> None:
    await socket.send(frame(CLOSE, b"\x03"))
    await expect_failure(socket, 1002)


@pytest.mark.parametrize("reason", [b"", b"Hello", b"x" * 123, "µ".encode()])
async def test_7_3_3_a_close_with_a_reason(socket: RawSocket, reason: bytes) -> None:
    await socket.send(closing(1000, reason))
    (only,) = await socket.received()
    assert only.data == b"\x03\xe8" + reason


async def test_7_3_6_a_close_with_too_long_a_reason_is_an_error(socket: RawSocket) -> None:
    await socket.send(closing(1000, b"x" * 124))
    await expect_failure(socket, 1002)


async def test_7_5_1_the_reason_is_utf_8(socket: RawSocket) -> None:
    await socket.send(closing(1000, b"\xce\xba\xed\xa0\x80"))
    await expect_failure(socket, 1007)


@pytest.mark.parametrize("code", [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999])
async def test_7_7_valid_close_codes_are_repeated(socket: RawSocket, code: int) -> None:
    await socket.send(closing(code))
    (only,) = await socket.received()
    assert only.close_code == code


@pytest.mark.parametrize("code", [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 5000, 65535])
async def test_7_9_invalid_close_codes_are_errors(socket: RawSocket, code: int) -> None:
    await socket.send(closing(code))
    await expect_failure(socket, 1002)


# --- 9: limits ---


async def test_9_1_a_message_above_the_limit(socket: RawSocket) -> None:
    await socket.send(frame(TEXT, message(1, LIMIT + 1)))
    await expect_failure(socket, 1009)


@pytest.mark.parametrize("length", [LIMIT + 1, 2**31, 2**63 - 1])
async def test_9_1_a_length_above_the_limit_is_refused_before_the_data(socket: RawSocket, length: int) -> None:
    await socket.send(frame(TEXT, b"", length_bytes=8, length=length))
    await expect_failure(socket, 1009)


@pytest.mark.parametrize("size", [64, 1024, 4096, 40_000])
async def test_9_3_fragments_above_the_limit_together(socket: RawSocket, size: int) -> None:
    frames = [frame(CONT if number else TEXT, b" " * size, fin=False) for number in range(LIMIT // size + 1)]
    await socket.send(b"".join(frames))
    await expect_failure(socket, 1009)


async def test_9_endless_empty_fragments_are_a_violation(socket: RawSocket) -> None:
    await socket.send(frame(TEXT, b"", fin=False) + frame(CONT, b"", fin=False) * 5000)
    await expect_failure(socket, 1008)


async def test_9_endless_pings_are_a_violation(socket: RawSocket) -> None:
    await socket.send(frame(PING) * 5000)
    await expect_failure(socket, 1008)


async def test_9_7_many_messages_at_once_are_all_answered_in_order(socket: RawSocket) -> None:
    await socket.send(b"".join(frame(TEXT, message(number)) for number in range(2000)))
    for number in range(2000):
        await expect_answer(socket, number)


# --- framing that Autobahn does not have ---


@pytest.mark.parametrize("opcode", [TEXT, PING, CLOSE])
async def test_unmasked_frames_are_errors(socket: RawSocket, opcode: int) -> None:
    await socket.send(frame(opcode, b"", mask=None))
    await expect_failure(socket, 1002)


async def test_the_top_bit_of_a_length_is_reserved(socket: RawSocket) -> None:
    await socket.send(frame(TEXT, b"", length_bytes=8, length=2**63))
    *_, last = await socket.received()
    assert last.close_code in (1002, 1009)


@pytest.mark.parametrize("mask", [b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\0\1"])
async def test_every_mask_is_applied(socket: RawSocket, mask: bytes) -> None:
    await socket.send(frame(TEXT, message(), mask=mask))
    await expect_answer(socket)


async def test_a_compressed_message_is_an_error(socket: RawSocket) -> None:
    """RFC 7692 marks it with the first reserved bit. The service negotiates no compression."""
    await socket.send(frame(TEXT, bytes.fromhex("f248cdc9c90700"), rsv=4))
    await expect_failure(socket, 1002)


@pytest.mark.parametrize("seed", range(20))
async def test_garbage_closes_the_connection_or_is_answered(ann: Caller, seed: int) -> None:
    """The connection never hangs, and the service serves the next one."""
    dice = Random(seed)
    async with raw_web_socket(ann) as socket:
        await socket.send(dice.randbytes(dice.choice((10, 200, 5000))))
        socket.writer.write_eof()
        for each in await socket.received():
            assert each.opcode in (TEXT, PONG, CLOSE)
    async with raw_web_socket(ann) as socket:
        await socket.send(frame(TEXT, message()))
        await expect_answer(socket)


async def test_a_client_that_disappears_in_a_frame_is_forgotten(ann: Caller) -> None:
    for cut in (1, 2, 5, 9):
        async with raw_web_socket(ann) as socket:
            await socket.send(frame(TEXT, message())[:cut])
            socket.writer.transport.abort()
    async with raw_web_socket(ann) as socket:
        await socket.send(frame(TEXT, message()))
        await expect_answer(socket)
