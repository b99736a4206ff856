"""YAML rule files -> one frozen `RuleSet` for each page.

`RuleBook` holds the folders and files of a caller; `for_page` merges the layers that apply, checks them and freezes
the result, once for each combination.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import msgspec

from webclean.errors import RuleError
from webclean.rules.files import FileState, RuleText, find_shipped_rules, read_rule_file, read_state
from webclean.rules.layers import Layer, LayerKey, find_origin, list_layer_files, list_profiles, merge_values
from webclean.rules.page_schema import Platform
from webclean.rules.schema import RuleSet
from webclean.rules.validate import convert_rules, read_platform

__all__ = ["LayerKey", "RuleBook", "RuleSet", "RuleSource", "load_rules", "open_rules"]


class RuleBook:
    """The rule folders and files of one caller. Thread-safe; a file is read once, rule sets are frozen and kept.

    folders: user folders laid out like the shipped one (`layers`), later wins.
    files: rule files of this call, above everything else. fixed: the rules of every page, whatever its type or site.
    """

    def __init__(
        self, *, folders: Iterable[str | Path] = (), files: Iterable[str | Path] = (), fixed: RuleSet | None = None
    ) -> None:
        self.fixed = fixed
        self.folders = (find_shipped_rules(), *(Path(folder) for folder in folders))
        self.files = tuple(Path(file) for file in files)
        for folder in self.folders:
            if not folder.is_dir():
                raise RuleError("not a folder of rules", file=str(folder))
        # by key, and by files: a hundred sites without files of their own share one rule set
        self._made: dict[LayerKey, RuleSet] = {}
        self._by_files: dict[tuple[Path, ...], RuleSet] = {}
        self._lock = threading.RLock()  # making a rule set asks for the one below it
        self._read = cache(read_rule_file)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy reads the files anew."""
        return open_rules, (self.fixed or [*self.folders[1:], *self.files],)

    def for_page(self, key: LayerKey | None = None, check: Callable[[RuleText], None] | None = None) -> RuleSet:
        """The rules that apply to a page. Raises `RuleError`.

        check: raises it for a file of the caller whose texts cannot be used; called once for each set of files.
        """
        key = self._drop_unknown(key or LayerKey())
        made = self.fixed or self._made.get(key)
        if made is None:
            # two threads that ask first would both check and freeze
            with self._lock:
                made = self._made[key] = self._make(key, check)
        return made

    @cached_property
    def _known(self) -> dict[str, frozenset[str]]:
        """The names that have a file of their own, by folder of layers."""
        return {
            sub: frozenset(path.stem for folder in self.folders for path in (folder / sub).glob("*.yaml"))
            for sub in ("types", "languages", "platforms", "sites")
        }

    @property
    def sites(self) -> frozenset[str]:
        """The sites that have a rule file."""
        return self._known["sites"]

    @cached_property
    def platforms(self) -> dict[str, Platform]:
        """Name of a file in `platforms/` -> the platform that it is about. Raises `RuleError`."""
        return {
            name: read_platform(list(self._read_named("platforms", name))) for name in sorted(self._known["platforms"])
        }

    def _drop_unknown(self, key: LayerKey) -> LayerKey:
        """The key without names that have no file, so that pages with the same files share a rule set."""
        known, types = self._known, self._known["types"]
        return LayerKey(
            profile=key.profile,
            page_type=key.page_type if key.page_type in types else None,
            page_subtype=key.page_subtype if key.page_subtype in types else None,
            page_label=key.page_label if key.page_label in types else None,
            language=key.language if key.language in known["languages"] else None,
            sites=tuple(filter(known["sites"].__contains__, key.sites)),
            platforms=tuple(filter(known["platforms"].__contains__, key.platforms)),
        )

    def layers(self, key: LayerKey) -> list[Layer]:
        """The layers that apply, lowest first. Raises `RuleError` for a profile that no folder has."""
        built_in = (path for folder in self.folders for path in sorted(folder.glob("*.yaml")))
        layers = [Layer("built-in", self._read(path)) for path in built_in]
        named = {
            "profile": (key.profile,),
            # from the widest to the narrowest, each once: a subtype may be named like its type
            "type": tuple(dict.fromkeys((key.page_type, key.page_subtype, key.page_label))),
            "language": (key.language,),
            "platform": key.platforms,
            "site": key.sites,
        }
        for layer, names in named.items():
            found = [Layer(layer, text) for name in names for text in self._read_named(f"{layer}s", name)]
            if layer == "profile" and not found and key.profile != "balanced":
                raise RuleError(f"no profile {key.profile!r}: one of {', '.join(list_profiles(self.folders))}")
            layers += found
        return [*layers, *(Layer("call", self._read(path)) for path in self.files)]

    def _read_named(self, sub: str, name: str | None) -> Iterator[RuleText]:
        """The files of a name below `sub`, one of each folder that has it."""
        # names come from pages and URLs too: none may lead out of the folder
        if name and "/" not in name and not name.startswith("."):
            paths = (folder / sub / f"{name}.yaml" for folder in self.folders)
            yield from (self._read(path) for path in paths if path.is_file())

    @cached_property
    def depends_on_language(self) -> bool:
        """Whether any rule depends on the page's language, which has to be detected first."""
        sections = (layer.text.values.get("rules") for layer in self.layers(LayerKey()))
        rules = (rule for section in sections if isinstance(section, Mapping) for rule in section.values())
        return bool(self._known["languages"]) or any("language" in ((rule or {}).get("when") or {}) for rule in rules)

    def list_site_rules(self, key: LayerKey) -> frozenset[str]:
        """Ids of the rules that stand in files of the page's sites."""
        known = not self._known["sites"].isdisjoint(key.sites)
        sites = [layer for layer in self.layers(key) if layer.name == "site"] if known else []
        return frozenset(name for layer in sites for name in layer.text.values.get("rules") or {})

    def _make(self, key: LayerKey, check: Callable[[RuleText], None] | None) -> RuleSet:
        """The rule set for a key; keys that select the same files share one."""
        layers = self.layers(key)
        files = tuple(layer.text.file for layer in layers)
        found = self._by_files.get(files)
        if found is None:
            values = merge_values(layer.text.values for layer in layers)
            # each file says of itself which platform it is about: nothing is left to say of all together
            values.pop("platform", None)
            # texts are hashed, not paths: the same rules elsewhere have the same hash
            texts = b"".join(layer.name.encode() + layer.text.digest for layer in layers)
            values["hash"] = hashlib.sha256(texts).hexdigest()[:12]
            found = convert_rules(values, lambda path: find_origin(layers, path))
            for layer in layers:
                # shipped files are checked by the tests, not at every start
                if check is not None and self.folders[0] not in layer.text.file.parents:
                    check(layer.text)
            # reasons of decisions say where the rule stands: in the highest layer that names it
            rules = {
                name: msgspec.structs.replace(rule, origin=str(find_origin(layers, ("rules", name)) or ""))
                for name, rule in found.rules.items()
            }
            found = msgspec.structs.replace(found, rules=rules)
            if key.platforms:
                # pages are made with hundreds of mixtures of platforms: what is compiled of a card is kept by the card,
                # so that all use the sections of the rule set below, where no platform says anything of them
                below = self.for_page(msgspec.structs.replace(key, platforms=()), check)
                given = [layer.text.values for layer in layers if layer.name == "platform"]
                said = {"hash", *(name for section in given for name in section)}
                said |= {str(path).partition(".")[0] for section in given for path in section.get("replaces") or ()}
                shared = {name: getattr(below, name) for name in found.__struct_fields__ if name not in said}
                found = msgspec.structs.replace(found, **shared)
            self._by_files[files] = found
        return found


RuleSource = RuleBook | RuleSet | str | Path | Sequence[str | Path] | None
"""Rules of a caller: files and folders, which override the shipped rules in the order given."""


def open_rules(source: RuleSource) -> RuleBook:
    """The book of a caller's rules; the same files and folders share one until one of them changes.

    A book keeps the rules that it has read and does not see later changes. Raises `RuleError`.
    """
    if isinstance(source, RuleBook):
        return source
    if isinstance(source, RuleSet):
        return RuleBook(fixed=source)
    paths = [Path(path) for path in ([source] if isinstance(source, str | Path) else source or [])]
    folders = tuple(path for path in paths if path.is_dir())
    files = tuple(path for path in paths if not path.is_dir())
    inside = (path for folder in folders for path in list_layer_files(folder))
    # sizes and times are part of the key of the cache: a changed file opens a new book
    return _open_book(folders, files, tuple((path, read_state(path)) for path in (*inside, *files)))


@lru_cache(maxsize=32)
def _open_book(
    folders: tuple[Path, ...], files: tuple[Path, ...], _states: tuple[tuple[Path, FileState], ...]
) -> RuleBook:
    return RuleBook(folders=folders, files=files)


def load_rules(*files: str | Path, profile: str = "balanced") -> RuleSet:
    """The shipped rules, overridden by the given files; later ones win. Cached. Raises `RuleError`."""
    return open_rules(files).for_page(LayerKey(profile=profile))
