"""Dependencies are bounded, permissive, listed and locked."""

from __future__ import annotations

import re
from pathlib import Path

import dependencies
import pytest
from packaging.requirements import Requirement

CLONE = Path(__file__).resolve().parents[1]


def normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("requirement", dependencies.read_requirements(), ids=lambda one: one.name)
def test_each_dependency_is_below_its_next_major_version(requirement: Requirement) -> None:
    assert {one.operator for one in requirement.specifier} == {">=", "<"}


def test_all_licences_are_permissive_and_listed() -> None:
    found = dependencies.find_dependencies()
    assert len(found) > len(dependencies.read_requirements())
    assert [one.name for one in found if not one.is_permissive] == []
    assert not dependencies.Dependency("x", "GPL-3.0-only", ()).is_permissive
    listed = set(re.findall(r"^\| ([a-z0-9-]+) \|", dependencies.DOCS.read_text(encoding="utf-8"), re.MULTILINE))
    assert {normalise(one.name) for one in dependencies.read_requirements()} <= listed
    # others differ by Python version and platform
    assert len({one.name for one in found} - listed) <= 3


def test_the_lock_file_has_all_that_development_needs() -> None:
    written = (CLONE / "requirements-dev.lock").read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([A-Za-z0-9_.-]+)==([\w.]+)", written, re.MULTILINE))
    versions = {normalise(name): version for name, version in locked.items()}
    wanted = [
        *dependencies.read_requirements(),
        *dependencies.read_requirements("dev"),
        *dependencies.read_requirements("test"),
    ]
    for requirement in wanted:
        if requirement.name != "webclean":
            assert requirement.specifier.contains(versions[normalise(requirement.name)]), requirement
    assert written.count("--hash=sha256:") > len(locked)
