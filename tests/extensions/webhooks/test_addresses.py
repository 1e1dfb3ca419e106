"""Requests go to public addresses only, whatever a URL, a name server or an endpoint tries."""

import asyncio
import datetime
import socket
import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import httpcore
import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from service.extensions.webhooks import transport
from service.extensions.webhooks.addresses import EndpointRefused, check_url, is_allowed, networks
from tests.support.receivers import NETWORKS, receiving

pytestmark = pytest.mark.anyio

ALLOWED = networks(NETWORKS)

REFUSED = (
    "http://example.com/", "ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)", "//example.com",
    "example.com", "https://", "https:///path", "https://127.0.0.1/", "https://127.1/", "https://0x7f000001/",
    "https://0x7F.1/", "https://2130706433/", "https://0177.0.0.1/", "https://[::1]/", "https://[::ffff:10.0.0.1]/",
    "https://[fe80::1%25eth0]/", "https://8.8.8.8/", "https://[2606:4700::1111]/", "https://localhost/",
    "https://localhost./", "https://example.com./", "https://a@b.example/", "https://a:b@example.com/",
    "https://@example.com/", "https://example.com@127.0.0.1/", "https://example.com:22/", "https://example.com:80/",
    "https://example.com:0/", "https://example.com:65536/", "https://example.com:x/", "https://example.com:-443/",
    "https://bücher.example/", "https://example。com/", "https://①②⑦.⓪.⓪.①/", "https://exa mple.com/",
    "https://example.com\\@127.0.0.1/", "https://example.com/\r\nHost: a", "https://example.com/\0",
    "https://example.com#@127.0.0.1/", "https://-example.com/", "https://exam..ple.com/",
    "https://" + "a" * 64 + ".example/", "https://" + "a." * 127 + "example/", "https://example.com/" + "a" * 9216,
    "https://[v1.x]/", "https://[::1/", "https://1.2.3.example.0x/", "https://example.com:443:443/",
    "HTTPS//example.com", "",
)  # fmt: skip

ACCEPTED = (
    "https://example.com", "https://example.com/", "https://example.com:443/hook?token=a%20b",
    "https://example.com:8443/", "https://xn--bcher-kva.example/", "https://a-b.c_d.example.com/x",
    "HTTPS://Example.COM/", "https://1.example/",
)  # fmt: skip


@pytest.mark.parametrize("url", [*REFUSED, *ACCEPTED], ids=lambda url: repr(url[:40]))
def test_a_url_that_may_lead_elsewhere_is_refused(url: str):
    with pytest.raises(EndpointRefused) if url in REFUSED else nullcontext():
        check_url(url)


def test_networks_of_the_operator_allow_plain_http_and_short_names():
    for url in ("http://site:8080/hook", "http://localhost/", "https://site/"):
        with pytest.raises(EndpointRefused):
            check_url(url)
        check_url(url, ALLOWED)
    for url in ("http://127.0.0.1:8080/", "http://site:22/", "ftp://site/"):
        with pytest.raises(EndpointRefused):
            check_url(url, ALLOWED)


PRIVATE = (
    "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "192.0.0.1",
    "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255",
    "240.0.0.1", "255.255.255.255", "::", "::1", "::10.0.0.1", "::ffff:10.0.0.1", "::ffff:127.0.0.1",
    "64:ff9b::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::10.0.0.1", "100::1", "2001:db8::1", "2002:0a00:0001::1",
    "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:f5ff:fffe", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0",
    "fec0::1", "ff02::1", "3fff::1", "5f00::1", "not an address", "", "127.1", "0x7f.1",
)  # fmt: skip


PUBLIC = "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1"


@pytest.mark.parametrize("address", [*PRIVATE, *PUBLIC])
def test_an_address_that_is_not_public_is_refused(address: str):
    assert is_allowed(address) == (address in PUBLIC)


def test_only_the_networks_of_the_operator_are_allowed_besides():
    assert is_allowed("127.0.0.1", ALLOWED)
    assert is_allowed("::ffff:127.0.0.1", ALLOWED)
    assert not is_allowed("10.0.0.1", ALLOWED)
    assert not is_allowed("::ffff:10.0.0.1", ALLOWED)


# --- the transport ------------------------------------------------------------------------------------------------


class Names:
    """A name server that rebinds: each question gets the next answer, and the last one again and again."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = [*answers]
        self.questions = list[tuple[str, int]]()

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.questions.append((host, port))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.fixture(autouse=True)
def nothing_unexpected(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever an endpoint does is expected."""
    yield
    assert caplog.records == []


async def sent(names: Names, url: str, allowed: str = "", body: bytes = b"{}") -> int | None:
    async with transport.client(networks(allowed), resolve=names) as http:
        return (await transport.send(http, url, body, {"webhook-id": "a", "cookie-test": "b"})).status


async def test_nothing_is_sent_to_a_host_with_an_address_that_is_not_public(monkeypatch: pytest.MonkeyPatch):
    """Not even if another of its addresses is."""
    answers = [[each] for each in PRIVATE] + [["8.8.8.8", "::1"], ["8.8.8.8", "10.0.0.1"], []]

    async def refuse(*_: object, **__: object) -> None:
        pytest.fail("a connection was tried")

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", refuse)
    names = Names(*answers)
    async with transport.client(resolve=names) as http:
        for _ in answers:
            assert (await transport.send(http, "https://example.com/", b"{}", {})).status is None
    assert len(names.questions) == len(answers)


async def test_the_address_that_was_checked_is_the_one_that_is_used():
    """The name resolves to the receiver once, and to another address afterwards: nobody asks again."""
    async with receiving() as receiver:
        port = receiver.url.split(":")[2].split("/")[0]
        names = Names(["127.0.0.1"], ["10.0.0.1"])
        url = f"http://hook.example:{port}/hook"
        async with transport.client(ALLOWED, resolve=names) as http:
            assert (await transport.send(http, url, b"{}", {})).status == 204
            assert names.questions == [("hook.example", int(port))]
            assert receiver.received[0].headers["host"] == f"hook.example:{port}"
            # The next attempt of the same client asks anew, and finds the address that is not allowed.
            assert (await transport.send(http, url, b"{}", {})).status is None
        assert len(receiver.received) == 1


async def test_another_address_is_tried_when_one_cannot_be_reached():
    async with receiving() as receiver:
        port = receiver.url.split(":")[2].split("/")[0]
        assert await sent(Names(["127.0.0.9", "127.0.0.1"]), f"http://hook.example:{port}/", NETWORKS) == 204


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed(status: int):
    async with receiving() as receiver:
        receiver.answer = lambda _: (
            b"HTTP/1.1 %d Moved\r\nlocation: http://169.254.169.254/latest/meta-data\r\ncontent-length: 0\r\n\r\n"
            % status
        )
        assert await sent(Names(["127.0.0.1"]), receiver.url, NETWORKS) == status
        assert len(receiver.received) == 1


async def test_cookies_are_not_kept():
    async with receiving() as receiver:
        receiver.answer = lambda _: b"HTTP/1.1 200 OK\r\nset-cookie: a=b\r\ncontent-length: 0\r\n\r\n"
        async with transport.client(ALLOWED) as http:
            for _ in range(2):
                await transport.send(http, receiver.url, b"{}", {})
        assert all("cookie" not in each.headers for each in receiver.received)


HEAD = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("response", "status"),
    [
        (HEAD + b"content-length: 1000000000\r\n\r\n" + b"x" * 100_000, 200),
        (HEAD + b"transfer-encoding: chunked\r\n\r\n" + b"4000\r\n" + b"x" * 0x4000 + b"\r\n", 200),
        (HEAD + b"content-encoding: gzip\r\ncontent-length: 5\r\n\r\nwrong", 200),
        (HEAD + b"x: " + b"y" * 1_000_000 + b"\r\n\r\n", None),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + HEAD + b"content-length: 0\r\n\r\n", 200),
        (b"SSH-2.0-OpenSSH_9.9\r\n", None),
        (b"HTTP/1.1 twohundred OK\r\n\r\n", None),
        (b"HTTP/1.1 999999 What\r\n\r\n", None),
        (b"", None),
        (b"\xff\xfe" * 1000, None),
    ],
    ids=["1 GB", "endless", "broken gzip", "long header", "continue", "ssh", "version", "status", "nothing", "noise"],
)
async def test_a_strange_answer_is_an_answer_or_none(response: bytes, status: int | None):
    """And its end is not waited for."""
    async with receiving() as receiver:
        receiver.answer = lambda _: response
        async with asyncio.timeout(60):
            assert await sent(Names(["127.0.0.1"]), receiver.url, NETWORKS) == status


async def test_an_answer_without_end_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch):
    """`100 Continue` for ever keeps nobody busy: the attempt is over after some kilobytes, not after its time."""
    monkeypatch.setattr(transport, "TIMEOUT", 3600)
    read = list[int]()
    receive = httpcore.AnyIOBackend.connect_tcp

    async def counted(*args: Any, **how: Any) -> Any:
        stream = await receive(*args, **how)
        original = stream.read

        async def counting(*args: Any, **how: Any) -> bytes:
            received: bytes = await original(*args, **how)
            read.append(len(received))
            return received

        stream.read = counting
        return stream

    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", counted)
    async with receiving() as receiver:
        receiver.answer = lambda _: b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000_000
        assert await sent(Names(["127.0.0.1"]), receiver.url, NETWORKS) is None
    assert sum(read) == transport.MAX_RECEIVED


async def test_a_lookup_that_hangs_takes_a_place_of_its_owner(monkeypatch: pytest.MonkeyPatch):
    """Its thread cannot be stopped, so the attempt counts until it ends. Other lookups have threads of their own."""
    answers = threading.Event()
    known = socket.getaddrinfo

    def lookup(host: str, *args: Any, **how: Any) -> Any:
        if host == "slow.example":
            answers.wait(60)
        return known("127.0.0.1", *args, **how)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    async with transport.client(networks(NETWORKS)) as http, receiving() as receiver:

        async def attempt() -> None:
            assert (await transport.send(http, "http://slow.example:9999/", b"{}", {})).status is None
            await transport.lookups_ended()

        with monkeypatch.context() as patched:
            patched.setattr(transport, "TIMEOUT", 0.05)
            attempts = [asyncio.create_task(attempt()) for _ in range(40)]
            await asyncio.sleep(0.5)
        assert (await transport.send(http, receiver.url, b"{}", {})).status == 204
        assert not any(each.done() for each in attempts)
        answers.set()
        await asyncio.gather(*attempts)


async def test_an_answer_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(transport, "TIMEOUT", 0.2)
    async with receiving() as receiver:
        receiver.answer = lambda _: None
        assert await sent(Names(["127.0.0.1"]), receiver.url, NETWORKS) is None


async def test_a_proxy_gets_the_name():
    """With a proxy, the proxy resolves and checks."""
    async with receiving() as proxy:
        async with transport.client((), proxy.url.removesuffix("/hook")) as http:
            answer = await transport.send(http, "http://hook.example/a", b"{}", {})
        assert answer.status == 204
        assert proxy.received[0].headers["host"] == "hook.example"


# --- TLS ----------------------------------------------------------------------------------------------------------


def certificate(folder: Path, name: str) -> ssl.SSLContext:
    """A server's context with a certificate for this name, which signs itself: `folder/ca.pem`."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    (folder / "ca.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(*form))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "ca.pem", folder / "key.pem")
    return context


async def test_the_certificate_is_that_of_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    context = certificate(tmp_path, "hook.example")
    asked = list[str | None]()
    context.sni_callback = lambda _socket, name, _context: asked.append(name)
    async with receiving(ssl=context) as receiver:
        port = receiver.url.split(":")[2].split("/")[0]
        right, wrong = f"https://hook.example:{port}/", f"https://other.example:{port}/"
        assert await sent(Names(["127.0.0.1"]), right, NETWORKS) is None, "nobody trusts it"
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        assert await sent(Names(["127.0.0.1"]), right, NETWORKS) == 204
        assert await sent(Names(["127.0.0.1"]), wrong, NETWORKS) is None
        assert asked == ["hook.example", "hook.example", "other.example"]
        assert len(receiver.received) == 1
