"""What newcomers do in their first minutes, played in a clean copy of the clone and a fresh virtual environment.

usage: python benchmarks/first_touch.py [--only PATH,...] [--installed]

Each path is a sequence of real commands with the exit code and the words that they must give; those of the README and
of CONTRIBUTING.md are read from there. A table of what held, with seconds, goes to standard output. --installed skips
what installs and takes the libraries of the Python that runs this. Exit code 1 when a step did not hold, whose output
is then shown.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from typing import Final

import yaml

CLONE: Final = Path(__file__).resolve().parents[1]
PAGE: Final = "fixtures/content/news-en-harbour/input.html"


@dataclass(frozen=True, slots=True)
class Step:
    """A command of the shell, and what it must do.

    code: its exit code; shows: a regular expression that is found in what it writes; installs: it is skipped where
    webclean is there.
    """

    command: str
    shows: str = ""
    code: int = 0
    installs: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """A step, what it wrote, and how long it took."""

    step: Step
    code: int
    written: str
    seconds: float

    @property
    def held(self) -> bool:
        """Whether it did what it must."""
        return self.code == self.step.code and re.search(self.step.shows, self.written) is not None


def read_blocks(page: str, language: str = "sh") -> list[str]:
    """The examples of a page of the clone in a language, as they stand."""
    text = (CLONE / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def follow_contributing() -> Iterator[Step]:
    """The commands and changes of CONTRIBUTING.md up to the first format, with what each must show."""
    shows = {
        "webclean clean fixtures/content/essay": "My doctor, who is younger than my overcoat",
        "webclean explain": r"dropped .*Imogen covers the coast",
        "webclean rules new": "mine/sites/www.saltmarshherald.example.yaml",
        "webclean rules test": "1 passed, 0 failed",
        f"webclean clean {PAGE} --url": "Imogen covers the coast, the council and anything that floats",
        "echo '<meta name=generator": '"value": "Hugo"',
        "webclean clean fixtures/index/shop": "index: Table lamps",
        "webclean rules features": "characters for each sentence end",
        "python -m pytest": r"\d+ passed",
    }

    def expect(command: str) -> Step:
        return Step(command, next((words for start, words in shows.items() if command.startswith(start)), ""))

    work, rule, feature, further, _ = read_blocks("CONTRIBUTING.md")
    (line,) = read_blocks("CONTRIBUTING.md", "toml")
    install, first = work.strip().rsplit("\n", 1)
    yield Step(install.split("\n", 1)[1], installs=True)  # the environment is there
    yield from (expect(command) for command in (first, *rule.splitlines()))
    yield Step(f"sed -i '/^\\[block.tables.text\\]/r /dev/stdin' webclean/core/features.toml <<'END'\n{line}\nEND")
    for change in read_blocks("CONTRIBUTING.md", "diff"):
        yield Step(f"git apply <<'END'\n{change}END")
    # the core is compiled once for all changes
    commands = dict.fromkeys([*feature.splitlines(), *further.splitlines()])
    yield from (expect(command) for command in commands)


def list_paths() -> dict[str, list[Step]]:
    """Who -> what they do: the first example of the README, then what `first_touch.yaml` says."""
    written = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    paths = {who: [Step(**step) for step in steps] for who, steps in written.items()}
    install, first = read_blocks("README.md")[0].strip().split(" && ")
    shown = r"\AHarbour wall repairs pushed back(?s:.*)exhibition of the revised plans will be held"
    paths["newcomer"] = [Step(install, installs=True), Step(first, shown), *paths["newcomer"]]
    return paths | {"contributor": list(follow_contributing())}


def copy_clone(target: Path, *, core: bool) -> None:
    """The files of the clone as git knows them, also those that are not committed, as a repository of its own.

    core: also the compiled core, for what is played without an installation.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=CLONE, capture_output=True, check=True).stdout.decode()
    folder = CLONE / "webclean" / "core"
    made = [*folder.glob("*.so"), *folder.glob("*.pyd"), *folder.glob("compiled.txt")] if core else []
    for name in [*filter(None, listed.split("\0")), *(str(path.relative_to(CLONE)) for path in made)]:
        if (CLONE / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            copyfile(CLONE / name, target / name)
    subprocess.run(["git", "init", "-q"], cwd=target, check=True)


def play(steps: Sequence[Step], clone: Path, binaries: Path, *, installed: bool) -> Iterator[Played]:
    """Run the steps one after the other in a copy of the clone, with the commands of an environment first."""
    variables = {
        **os.environ,
        "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    variables |= {"PYTHONPATH": str(clone) if installed else "", "XDG_CONFIG_HOME": str(clone / ".none")}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    for step in steps:
        if step.installs and installed:
            continue
        start = time.perf_counter()
        done = subprocess.run(
            ["bash", "-c", step.command],
            cwd=clone,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        yield Played(step, done.returncode, done.stdout.decode(errors="replace"), time.perf_counter() - start)


def measure_start(binaries: Path, *words: str) -> float:
    """Milliseconds of processor time of a command, the least of nine runs."""
    seconds = []
    for _ in range(9):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([binaries / words[0], *words[1:]], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return 1000 * min(seconds)


def format_table(played: dict[str, list[Played]], starts: dict[str, float]) -> str:
    """Markdown: a row for each path, and the milliseconds that starting takes."""
    lines = ["| path | steps | held | seconds | of which installing |", "|---|---|---|---|---|"]
    for who, steps in played.items():
        installing = sum(one.seconds for one in steps if one.step.installs)
        held = sum(one.held for one in steps)
        lines.append(f"| {who} | {len(steps)} | {held} | {sum(one.seconds for one in steps):.0f} | {installing:.0f} |")
    load = f"{os.getloadavg()[2]:.0f} processes on {os.cpu_count()} CPUs in the last quarter of an hour"
    lines += ["", f"Load of the machine, by which seconds of several runs differ: {load}."]
    lines += ["", "| start-up, least processor time of nine runs | ms |", "|---|---|"]
    lines += [f"| `{command}` | {milliseconds:.0f} |" for command, milliseconds in starts.items()]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="PATH,...", help="only these paths")
    parser.add_argument("--installed", action="store_true", help="skip what installs")
    args = parser.parse_args()
    chosen = {who: steps for who, steps in list_paths().items() if not args.only or who in args.only.split(",")}
    played: dict[str, list[Played]] = {}
    with tempfile.TemporaryDirectory() as work:
        for number, (who, steps) in enumerate(chosen.items()):
            clone, binaries = Path(work) / f"clone{number}", Path(sys.executable).parent
            copy_clone(clone, core=args.installed)
            if not args.installed:
                venv.create(Path(work) / f"venv{number}", with_pip=True)
                binaries = Path(work) / f"venv{number}" / "bin"
            played[who] = []
            for one in play(steps, clone, binaries, installed=args.installed):
                played[who].append(one)
                print(f"{'ok' if one.held else 'FAULT':5} {one.seconds:6.1f} s  {one.step.command}", flush=True)
                if not one.held:
                    print(
                        f"exit code {one.code}, not {one.step.code}, or no {one.step.shows!r} in\n{one.written[-3000:]}"
                    )
        starts = {
            " ".join(words): measure_start(binaries, *words)
            for words in (("python", "-c", "import webclean"), ("webclean", "--help"), ("webclean", "--version"))
            if (binaries / words[0]).exists()
        }
    print(format_table(played, starts))
    return int(not all(one.held for steps in played.values() for one in steps))


if __name__ == "__main__":
    sys.exit(main())
