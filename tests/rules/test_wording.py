"""What errors of rule files say."""

from __future__ import annotations

from webclean.rules.validate import suggest


def test_up_to_forty_names_are_listed_and_of_more_the_closest() -> None:
    names = [f"n_words_{i:02d}" for i in range(40)]
    found = suggest("n_word_07", names)
    assert found == f"unknown key 'n_word_07'; did you mean 'n_words_07'? allowed: {', '.join(names)}"
    more = suggest("n_word_07", [*names, "other"], "feature")
    start = "unknown feature 'n_word_07'; did you mean 'n_words_07'? allowed: 41 names, the closest are n_words_07, "
    assert more.startswith(start)
    assert len(more.partition("closest are ")[2].split(", ")) == 8
    assert suggest("zzz", ["b", "a"]) == "unknown key 'zzz'; allowed: a, b"
