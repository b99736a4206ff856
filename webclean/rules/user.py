"""A user's own rules: folders that upgrades do not touch, and packs of them to share."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path, PurePosixPath
from typing import Final

from webclean.errors import RuleError
from webclean.rules.files import MAX_BYTES, read_rule_file

VARIABLE: Final = "WEBCLEAN_RULES"
_PACKED: Final = frozenset((".yaml", ".html", ".txt", ".md"))
_MAX_FILES: Final = 10_000


def find_user_folders() -> list[Path]:
    """The folders of `$WEBCLEAN_RULES` (separated like `$PATH`), else `~/.config/webclean/rules` where it exists."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return [Path(folder) for folder in named.split(os.pathsep) if folder]
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    folder = Path(config) / "webclean" / "rules"
    return [folder] if folder.is_dir() else []


def pack_rules(folder: Path, target: Path) -> list[str]:
    """Write the rule files and test pages of a folder into a zip; the names in it. Every rule file is read first."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in _PACKED)
    if not any(path.suffix == ".yaml" for path in files):
        raise RuleError("no rule files here", file=str(folder))
    for path in files:
        if path.suffix == ".yaml":
            read_rule_file(path)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as pack:
        for path in files:
            pack.write(path, path.relative_to(folder).as_posix())
        return pack.namelist()


def unpack_rules(source: Path, folder: Path) -> list[str]:
    """Unpack a pack into a folder. Files that would leave the folder, or are neither rules nor pages, are rejected."""
    try:
        with zipfile.ZipFile(source) as pack:
            infos = [info for info in pack.infolist() if not info.is_dir()]
            if len(infos) > _MAX_FILES:
                raise RuleError(f"{len(infos):,} files: a pack has at most {_MAX_FILES:,}", file=str(source))
            for info in infos:
                _check_member(info, source)
            for info in infos:
                target = folder / info.filename
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(pack.read(info))
            return [info.filename for info in infos]
    except (OSError, zipfile.BadZipFile) as error:
        raise RuleError(f"not a pack of rules: {error}", file=str(source)) from error


def _check_member(info: zipfile.ZipInfo, source: Path) -> None:
    path = PurePosixPath(info.filename)
    if path.is_absolute() or ".." in path.parts or "\\" in info.filename or ":" in info.filename:
        raise RuleError(f"{info.filename!r} would leave the folder", file=str(source))
    if path.suffix not in _PACKED:
        raise RuleError(f"{info.filename!r} is neither a rule file nor a page", file=str(source))
    if info.file_size > MAX_BYTES:
        raise RuleError(f"{info.filename!r} has {info.file_size:,} bytes, at most {MAX_BYTES:,}", file=str(source))
