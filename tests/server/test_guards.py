"""Who is served, how much, and how often; what a page may do to the process that cleans it."""

import asyncio
import socket
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.hard_work import crash, doze, eat, echo, fall, hang, leave, spin
from tests.server.running import ARTICLE, connect, serve
from webclean.errors import WebcleanError
from webclean.server import ServerSettings
from webclean.server.app import listen
from webclean.server.messages import RequestFailed
from webclean.server.service import CleaningPool, Metrics
from webclean.web.fetch import AGENT

HTML = {"content-type": "text/html"}
TOKEN = "a token of the tests"
HARD_TO_CLEAN = ("<p>" + "a b c, " * 40 + "</p>\n<div><span>x</span></div>") * 6_000


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with connect(rate="1200/minute", token=TOKEN, hosts=("127.0.0.1", "clean.example.org"), max_bytes=50_000) as client:
        yield client


def run_in_pool(talk: Callable[[CleaningPool], Coroutine[Any, Any, None]], **settings: Any) -> None:
    """Run a conversation with the workers of a server, of which one is ready."""

    async def run() -> None:
        pool = CleaningPool(ServerSettings(**{"workers": 1, **settings}), Metrics())
        try:
            await pool.run(echo, b"")
            await talk(pool)
        finally:
            pool.close()

    asyncio.run(run())


BEARER = {"authorization": f"Bearer {TOKEN}"}


def sign(name: str, password: str) -> str:
    """The header of a browser whose user gave a name and a password."""
    return f"Basic {b64encode(f'{name}:{password}'.encode()).decode()}"


RIGHT = [BEARER["authorization"], f"bearer  {TOKEN}", sign("ada", TOKEN), sign("", TOKEN)]
WRONG = [TOKEN, "Bearer", "Bearer a token of the test", f"Basic {TOKEN}", "Basic", "Basic /w==", sign(TOKEN, "")]


@pytest.mark.parametrize(
    ("headers", "is_known"),
    [
        *(({"authorization": value}, value in RIGHT) for value in RIGHT + WRONG),
        ({}, False),
    ],
)
def test_a_token_is_asked_for(client: httpx.Client, headers: dict[str, str], *, is_known: bool) -> None:
    for path in ("/v1/clean", "/inspect/look"):
        assert (client.post(path, json={}, headers=headers).status_code != 401) is is_known, path
    for path in ("/metrics", "/openapi.json", "/r/https://example.org/"):
        assert (client.get(path, headers=headers).status_code != 401) is is_known, path
    assert client.get("/healthz", headers=headers).status_code == 200
    if not is_known:
        refused = client.get("/metrics", headers=headers)
        assert refused.headers["www-authenticate"] == 'Basic realm="webclean", charset="UTF-8"'
        assert refused.json()["kind"] == "no_token"


def test_only_names_of_the_server_are_answered(client: httpx.Client) -> None:
    own = ("127.0.0.1", "127.0.0.1:9", "CLEAN.example.org")
    others = ("evil.example.org", "clean.example.org.evil.example", "localhost", "[::1]", "[::1]:80", "")
    for host in own + others:
        answer = client.get("/healthz", headers={"host": host})
        assert answer.status_code == (200 if host in own else 421), host


def test_other_sites_cannot_make_a_browser_post(client: httpx.Client) -> None:
    sent: dict[str, dict[str, int]] = {
        "origin": {
            str(client.base_url).rstrip("/"): 200,
            **dict.fromkeys(("https://evil.example.org", "null", "http://[", "//"), 403),
        },
        "sec-fetch-site": {"same-origin": 200, "none": 200, "cross-site": 403, "same-site": 403},
    }
    for name, values in sent.items():
        for value, status in values.items():
            answer = client.post("/v1/clean", content=ARTICLE, headers={**HTML, **BEARER, name: value})
            assert answer.status_code == status, value


def test_other_sites_cannot_make_a_browser_fetch_pages(client: httpx.Client) -> None:
    for path in ("/r/x", "/read?url=x", "/inspect?url=x"):
        for site, status in {"cross-site": 403, "same-site": 403, "same-origin": 502, "none": 502}.items():
            answer = client.get(path, headers={**BEARER, "sec-fetch-site": site}, follow_redirects=False)
            assert (answer.status_code == 403) is (status == 403), (path, site)
    followed = {"sec-fetch-site": "cross-site", "sec-fetch-user": "?1", "sec-fetch-dest": "document"}
    assert client.get("/read?url=x", headers={**BEARER, **followed}).status_code != 403


def test_wrong_tokens_are_counted() -> None:
    with connect(token=TOKEN) as client:
        codes: list[int] = []
        while 429 not in codes and len(codes) < 1_000:
            codes.append(client.get("/metrics", headers={"authorization": f"Bearer {len(codes)}"}).status_code)
        assert set(codes[:-1]) == {401}
        assert 100 <= len(codes) < 1_000
        refused = client.get("/metrics", headers={"authorization": sign("ada", TOKEN)})
        assert (refused.status_code, refused.json()["kind"]) == (429, "too_many")
        assert 0 < int(refused.headers["retry-after"]) <= 61


@pytest.mark.parametrize(("proxies", "n_clients"), [((), 1), (("127.0.0.0/8",), 2), (("192.0.2.1",), 1)])
def test_only_trusted_proxies_say_for_whom_they_ask(proxies: tuple[str, ...], n_clients: int) -> None:
    with connect(rate="1/minute", trusted_proxies=proxies) as client:
        answers = [
            client.post("/v1/clean", content=ARTICLE, headers={**HTML, "x-forwarded-for": f"1.1.1.1, {address}"})
            for address in ("203.0.113.5", "203.0.113.6", "203.0.113.6")
        ]
        assert [answer.status_code for answer in answers].count(200) == n_clients


@pytest.mark.parametrize(
    ("settings", "port", "said"),
    [
        ({}, 70_000, "port 70000"),
        ({"rate": "lots"}, 0, "no rate"),
        ({"max_seconds": float("nan")}, 0, "max_seconds is nan"),
        ({"max_seconds": -1.0}, 0, "max_seconds"),
        ({"workers": 0}, 0, "workers is 0"),
        ({"max_bytes": 1 << 70}, 0, "max_bytes"),
        ({"token": "x"}, 0, "can be guessed"),
        ({"trusted_proxies": ("nobody",)}, 0, "no address or network"),
        ({"rules": (Path("/no/such.yaml"),)}, 0, "No such file"),
    ],
)
def test_a_server_that_could_not_serve_does_not_start(settings: dict[str, Any], port: int, said: str) -> None:
    with pytest.raises(WebcleanError, match=said):
        listen(ServerSettings(**settings), "127.0.0.1", port)


def test_a_server_is_not_fetched_by_itself(client: httpx.Client) -> None:
    for path in ("/healthz", "/v1/clean", "/"):
        assert client.get(path, headers={"user-agent": AGENT}).status_code == 508


def test_every_answer_has_the_headers_of_security(client: httpx.Client) -> None:
    for answer in (client.get("/healthz"), client.get("/metrics"), client.get("/x", headers=BEARER)):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy
        assert "server" not in answer.headers or "uvicorn" in answer.headers["server"]


def test_bodies_are_bounded_whether_their_length_is_told_or_not(client: httpx.Client) -> None:
    def send() -> Iterator[bytes]:
        for _ in range(60):
            yield b"x" * 1_000

    for body in (b"x" * 60_000, send()):
        answer = client.post("/v1/clean", content=body, headers={**HTML, **BEARER})
        assert answer.status_code == 413
        assert answer.json()["kind"] == "over_limit"
    allowed = client.post("/v1/clean", content=ARTICLE + b" " * (50_000 - len(ARTICLE)), headers={**HTML, **BEARER})
    assert allowed.status_code == 200


def test_a_client_that_sends_too_slowly_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webclean.server.app.SLOW_BODY", 0.3)
    with serve(ServerSettings(workers=1, max_seconds=0.2)) as base:
        host, port = base.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            connection.sendall(b"POST /v1/clean HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\nabc")
            assert b" 408 " in connection.recv(4096).partition(b"\r\n")[0]


def open_slowly(base: str) -> socket.socket:
    """A connection on which a request is begun and not finished."""
    host, port = base.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), timeout=10)
    connection.sendall(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n")
    return connection


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_a_head_that_does_not_come_in_time_ends_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webclean.server.app.HEAD_SECONDS", 0.6)
    with serve(ServerSettings(workers=1)) as base, open_slowly(base) as slow, httpx.Client(base_url=base) as kept:
        assert kept.get("/healthz").status_code == 200
        with pytest.raises(OSError):
            for _ in range(100):  # a header now and then does not start the time anew
                slow.sendall(b"x-more: 1\r\n")
                time.sleep(0.1)
        assert kept.get("/healthz").status_code == 200  # idle between two requests, for longer than a head may take


def test_clients_that_never_finish_asking_leave_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webclean.server.app.MAX_UNASKED", 8)
    with serve(ServerSettings(workers=1)) as base, ExitStack() as stack:
        slow = [stack.enter_context(open_slowly(base)) for _ in range(40)]
        assert httpx.get(f"{base}/healthz", timeout=10, trust_env=False).status_code == 200
        assert all(map(is_closed, slow[:30]))
        slow[-1].sendall(b"\r\n")
        assert b" 200 " in slow[-1].recv(4096).partition(b"\r\n")[0]


def test_each_client_has_so_many_pages_in_a_time() -> None:
    with connect(rate="5/minute") as client:
        codes = [client.post("/v1/clean", content=ARTICLE, headers=HTML).status_code for _ in range(5)]
        refused = client.post("/v1/clean", content=ARTICLE, headers=HTML)
        assert (codes, refused.status_code) == ([200] * 5, 429)
        assert refused.json()["kind"] == "too_many"
        assert 0 < int(refused.headers["retry-after"]) <= 60
        assert client.get("/healthz").status_code == 200


def test_pages_beyond_those_that_may_wait_are_refused_at_once() -> None:
    with connect(max_waiting=2, max_bytes=10_000_000) as client:
        client.post("/v1/clean", content=ARTICLE, headers=HTML)

        def ask(_: int) -> httpx.Response:
            return client.post("/v1/clean", content=HARD_TO_CLEAN[:1_000_000], headers=HTML)

        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(ask, range(8)))
        codes = sorted(answer.status_code for answer in answers)
        assert set(codes) == {200, 503}
        assert codes.count(200) >= 2
        refused = next(answer for answer in answers if answer.status_code == 503)
        assert refused.headers["retry-after"] == "1"
        assert client.post("/v1/clean", content=ARTICLE, headers=HTML).status_code == 200


@pytest.mark.skipif(sys.platform != "linux", reason="the system has no timers of processor time")
def test_ordinary_pages_do_not_wait_for_slow_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webclean.server.service._NICENESS", 1)  # whatever else the machine has to do

    async def talk(pool: CleaningPool) -> None:
        slow = asyncio.create_task(pool.run(spin, 2.0))
        await asyncio.sleep(0.05)
        assert await pool.run(echo, b"small") == b"small"
        assert not slow.done()
        waiting = asyncio.create_task(pool.run(spin, 0.5))
        endless = asyncio.create_task(pool.run(spin, 60.0))
        with pytest.raises(RequestFailed, match="took too long"):
            await endless
        assert (await slow, await waiting) == (2.0, 0.5)  # neither is given up for another
        assert "refused" not in pool.metrics.write().decode()

    run_in_pool(talk, slow_workers=1, quick_seconds=0.2, max_seconds=0.5)


def test_costly_pages_cost_the_others_no_answer() -> None:
    with connect(slow_workers=1, max_seconds=4.0) as client, ThreadPoolExecutor(3) as threads:

        def ask(body: bytes) -> int:
            return client.post("/v1/clean", content=body, headers=HTML).status_code

        hostile = [threads.submit(ask, b"<a href=/x>the ferry</a> " * 100_000) for _ in range(3)]
        assert [ask(ARTICLE) for _ in range(20)] == [200] * 20
        assert {future.result() for future in hostile} <= {200, 413, 503, 504}


def test_small_pages_pass_large_ones_and_take_their_place() -> None:
    async def talk(pool: CleaningPool) -> None:
        done: list[int] = []

        async def ask(n_bytes: int, client: str = "") -> None:
            await pool.run(doze, 0.5, n_bytes=n_bytes, client=client)
            done.append(n_bytes)

        asked = {}
        for n_bytes in (9_000_000, 8_000_000, 5_000_000, 4_000_000):
            asked[n_bytes] = asyncio.create_task(ask(n_bytes, str(n_bytes)))
            await asyncio.sleep(0.1)
        found = dict(zip(asked, await asyncio.gather(*asked.values(), return_exceptions=True), strict=True))
        assert done == [9_000_000, 4_000_000, 5_000_000]
        assert isinstance(found[8_000_000], RequestFailed)
        assert found[8_000_000].failure.kind == "overloaded"
        assert pool.n_waiting == 0
        await ask(26_000_000)  # with no other page it has room
        leaving = asyncio.create_task(ask(2_000))
        await asyncio.sleep(0.05)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving

    run_in_pool(talk, max_waiting_bytes=25_000_000)


def test_a_client_with_many_pages_does_not_keep_out_the_others() -> None:
    async def talk(pool: CleaningPool) -> None:
        done: list[str] = []

        async def ask(client: str) -> None:
            await pool.run(doze, 0.2, client=client)
            done.append(client)

        many = [asyncio.create_task(ask("many")) for _ in range(5)]
        await asyncio.sleep(0.1)
        assert isinstance(many[4].exception(), RequestFailed)
        few = asyncio.create_task(ask("few"))
        await asyncio.gather(few, *many, return_exceptions=True)
        assert done == ["many", "few", "many", "many"]
        assert isinstance(many[3].exception(), RequestFailed)

    run_in_pool(talk, max_waiting=4)


def test_pages_belong_to_the_client_who_sent_them(monkeypatch: pytest.MonkeyPatch) -> None:
    clients: list[str] = []
    run = CleaningPool.run

    async def listen(self: CleaningPool, *args: Any, **named: Any) -> Any:
        clients.append(named["client"])
        return await run(self, *args, **named)

    monkeypatch.setattr(CleaningPool, "run", listen)
    with serve(ServerSettings(workers=1, rate="none")) as base:
        for address in ("127.0.0.1", "127.0.0.2"):
            transport = httpx.HTTPTransport(local_address=address)
            with httpx.Client(base_url=base, transport=transport, trust_env=False) as client:
                for _ in range(2):
                    assert client.post("/v1/clean", content=ARTICLE, headers=HTML).status_code == 200
    assert clients == ["127.0.0.1"] * 2 + ["127.0.0.2"] * 2


@pytest.mark.parametrize(
    ("work", "kind", "status"),
    [
        (crash, "worker_died", 500),
        (leave, "worker_died", 500),
        (hang, "took_too_long", 504),
        (eat, "out_of_memory", 413),
        (fall, "failed", 500),
    ],
)
def test_whatever_a_page_does_to_its_worker_the_others_are_cleaned(work: Any, kind: str, status: int) -> None:
    async def talk(pool: CleaningPool) -> None:
        ask = [pool.run(echo, b"before"), pool.run(work, b""), pool.run(echo, b"after")]
        before, failed, after = await asyncio.gather(*ask, return_exceptions=True)
        assert (before, after) == (b"before", b"after")
        assert isinstance(failed, RequestFailed)
        assert (failed.failure.kind, failed.failure.status) == (kind, status)
        assert "secret" not in failed.failure.detail
        assert pool.n_waiting == 0
        assert await pool.is_alive()
        pool.close()
        assert not await pool.is_alive()

    run_in_pool(talk, max_seconds=1.0, max_memory=500)
