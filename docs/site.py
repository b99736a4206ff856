"""Hooks of the documentation site (`mkdocs.yml`): it also has the pages of the repository that stand outside `docs/`,
and the list of features, which is written from the code.

Links are mended on the way: what a page says of `docs/x.md` is beside it in the site.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

from webclean.workbench import describe_features

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "SECURITY.md": "SECURITY.md",
    "CHANGELOG.md": "CHANGELOG.md",
}
"""File of the repository -> page of the site."""
_LINK: Final = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
"""Text and target."""
_NOTEBOOK_LINK: Final = re.compile(r'href="([\w-]+)\.md(#[^"]*)?"')


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that stand outside `docs/`, and the list of features."""
    files.append(File.generated(config, "features.md", content=describe_features()))
    for source, target in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, target, content=_LINK.sub(_mend_link, text)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links of a page below `docs/` to one that stands outside."""
    return _LINK.sub(lambda link: f"[{link[1]}]({link[2].removeprefix('../')})", markdown)


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Links of the notebook: it is no Markdown page, so that MkDocs leaves them as they are written."""
    return _NOTEBOOK_LINK.sub(r'href="\1.html\2"', html) if page.file.src_uri.endswith(".ipynb") else html


def _mend_link(link: re.Match[str]) -> str:
    """A link of a page at the top of the repository, as the site has it; of what is no page of the site, its text."""
    target = link[2].removeprefix("docs/")
    path, _, anchor = target.partition("#")
    if target == link[2] and path not in PAGES and (ROOT / path).exists():
        return link[1]
    return f"[{link[1]}]({'#'.join(filter(None, (PAGES.get(path, path), anchor)))})"
