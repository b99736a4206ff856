"""Templates of our own pages. Everything that is filled in is escaped."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

_TEMPLATES: Final = Environment(
    loader=PackageLoader("webclean.server"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def show(
    template: str, status: int = HTTPStatus.OK, headers: dict[str, str] | None = None, **values: Any
) -> HTMLResponse:
    """A page of ours."""
    return HTMLResponse(_TEMPLATES.get_template(template).render(values), status, headers)
