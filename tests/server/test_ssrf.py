"""Nobody makes the server fetch from where strangers cannot: by an address, by a redirect, by a name that changes."""

import ipaddress
from collections.abc import Callable, Iterator
from urllib.parse import quote

import httpx
import pytest

from tests.server.running import ARTICLE, connect
from tests.server.ssrf_forms import list_forms
from tests.web_sites import Site, fake_name, publish
from webclean.web import fetch

Ask = Callable[[httpx.Client, str], httpx.Response]

WAYS: dict[str, Ask] = {
    "clean": lambda client, url: client.post("/v1/clean", json={"url": url}),
    "read": lambda client, url: client.get("/read", params={"url": url}),
    "reader": lambda client, url: client.get(f"/r/{quote(url, safe=':/@[]%')}"),
}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    """Of a server with the settings that it has by default."""
    with connect() as client:
        yield client


@pytest.fixture(scope="module")
def secret() -> Iterator[Site]:
    """What must not be reached."""
    with publish() as site:
        site.find = lambda path: (
            {"content-type": "text/html"},
            b"<p>the secret of this machine, which nobody may read</p>",
        )
        yield site


@pytest.mark.parametrize("way", WAYS)
def test_no_form_of_a_private_address_is_fetched(client: httpx.Client, secret: Site, way: str) -> None:
    for form in list_forms(int(secret.base.rpartition(":")[2])):
        answer = WAYS[way](client, form)
        assert answer.status_code in (404, 422, 502), form  # 404: no path has a line break
        assert "nobody may read" not in answer.text, form
    assert secret.asked == []


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site that counts as public although it stands on this machine."""
    is_public = fetch.is_public
    monkeypatch.setattr(
        fetch, "is_public", lambda address: address == ipaddress.ip_address("127.0.0.2") or is_public(address)
    )
    with publish("127.0.0.2") as site:
        yield site


def test_no_redirect_leads_to_a_private_address(client: httpx.Client, secret: Site, outside: Site) -> None:
    forms = list_forms(int(secret.base.rpartition(":")[2]))
    for number, form in enumerate(forms):
        location = quote(form, safe=":/@[]%#\\!,<>()").encode("ascii", "ignore").decode()
        outside.pages[f"/{number}"] = ({"location": location}, b"")
    for number, form in enumerate(forms):
        answer = client.post("/v1/clean", json={"url": f"{outside.base}/{number}"})
        assert answer.status_code == 502, form
    assert secret.asked == []
    assert {f"/{number}" for number in range(len(forms))} <= set(outside.asked)


def test_a_name_that_changes_its_address_is_not_followed(
    client: httpx.Client, secret: Site, outside: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_name(monkeypatch, "turncoat.example", lambda n_asked: ["127.0.0.2" if n_asked == 1 else "127.0.0.1"])
    outside.pages["/page"] = ({"content-type": "text/html"}, ARTICLE)
    port = outside.base.rpartition(":")[2]
    assert client.post("/v1/clean", json={"url": f"http://turncoat.example:{port}/page"}).status_code == 200
    second = client.post("/v1/clean", json={"url": f"http://turncoat.example:{secret.base.rpartition(':')[2]}/"})
    assert second.status_code == 502
    assert "not a public address" in second.json()["detail"]
    assert secret.asked == []


def test_a_server_does_not_fetch_from_itself() -> None:
    with connect(allow_private=True) as client:
        base = str(client.base_url).rstrip("/")
        answer = client.post("/v1/clean", json={"url": f"{base}/r/{base}/r/{base}/healthz"})
        assert answer.status_code == 502
        assert "HTTP 508" in answer.json()["detail"]
