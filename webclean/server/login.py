"""Browsers cannot send a bearer token: a form asks for it once, and a cookie keeps a hash of it."""

from __future__ import annotations

import hmac
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from webclean.server.guards import COOKIE, seal_token
from webclean.server.service import get_service
from webclean.server.templating import show


async def login(request: Request) -> Response:
    """The form, and what it sends."""
    service = get_service(request)
    if request.method == "GET":
        return show("login.html", next=find_path(request.query_params.get("next", "/")), wrong=False)
    service.rate.count(f"login {request.client.host if request.client else ''}")
    async with request.form(max_files=0, max_fields=4) as form:
        token, path = str(form.get("token") or "").strip(), find_path(str(form.get("next") or "/"))
    if not hmac.compare_digest(token.encode(), service.settings.token.encode()):
        return show("login.html", HTTPStatus.UNAUTHORIZED, next=path, wrong=True)
    answer = RedirectResponse(path, HTTPStatus.SEE_OTHER)
    is_secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, seal_token(token), httponly=True, samesite="lax", secure=is_secure, max_age=30 * 86_400)
    return answer


def find_path(path: str) -> str:
    """A path of this server; `/` for what would lead elsewhere."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path
    return path if is_ours else "/"
