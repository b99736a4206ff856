"""What keeps the results of a function of parts of rule sets (`webclean.rules.caching`): each page asks for some twenty
plans, which as Python costs more than looking one up."""

from __future__ import annotations

from typing import Any

import cython


def keep_of_rules(make: Any, most: int) -> Any:
    """The same function, with its last `most` results kept; arguments are told by identity."""
    kept: dict = {}

    @cython.binding(True)  # so that it can have the name of what it stands for
    def read(*given: Any, **named: Any) -> Any:
        every: tuple = (*given, *named.values()) if named else given
        # most are of one part, whose number is a key by itself
        key: Any = id(every[0]) if len(every) == 1 else tuple([id(part) for part in every])
        known: Any = kept.get(key)
        if known is None:
            made = make(*given, **named)
            if len(kept) >= most:
                kept.clear()
            # with its arguments: the identity of a part that is gone may be that of another
            known = kept[key] = (every, made)
        return known[1]

    return read
