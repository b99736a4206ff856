"""A file has its name when all of it is written, or not at all; of packed bytes no more is read than was asked for."""

import gzip
import stat
from pathlib import Path

import pytest

from webclean.storage import unpack, write_whole


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    with write_whole(path, "w", encoding="utf-8") as file:
        file.write("one")
        assert not path.exists()
    assert path.read_text() == "one"
    assert [one.name for one in path.parent.iterdir()] == ["a.txt"]


def test_an_error_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), write_whole(path) as file:
        file.write(b"new")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["a.bin"]


def test_links_and_rights_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    with write_whole(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_what_is_no_file_is_written_as_it_is() -> None:
    with write_whole(Path("/dev/null")) as file:
        file.write(b"gone")
    assert Path("/dev/null").is_char_device()


def test_an_error_of_the_disk_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"No space left on device: '/dev/full'"), write_whole(Path("/dev/full")) as file:
        file.write(b"x")
        file.flush()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match="file"), write_whole(tmp_path / "file" / "below"):
        pass


@pytest.mark.parametrize("maximum", [0, 1, 9, 10, 11, 200_000])
@pytest.mark.parametrize("n", [10, 70_000, 140_000])
def test_what_is_inside_up_to_one_byte_more_than_the_maximum(n: int, maximum: int) -> None:
    inside = bytes(at % 251 for at in range(n))
    assert unpack(gzip.compress(inside), maximum) == inside[: maximum + 1]


def test_other_bytes_are_as_they_are() -> None:
    for data in (b"", b"<p>x", b"\x1f\x8b", b"\x1f\x8b\x08", b"\x1f\x8b\x08damaged", b"x" + gzip.compress(b"a")):
        assert unpack(data, 2) == data


def test_what_is_before_the_damage_is_read() -> None:
    first = gzip.compress(b"first")
    assert unpack(first + b"\x1f\x8b\x08damaged", 100) == b"first"
