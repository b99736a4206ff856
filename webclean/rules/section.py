"""The base of every section of a rule set, and the number types they share."""

from typing import Annotated

from msgspec import Meta, Struct

Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[float, Meta(gt=0)]
Expression = Annotated[
    str,
    Meta(
        description="regular expression of Python; what is repeated without bound holds no repetition and no choice",
        extra={"check": "expression"},
    ),
]
SectionPath = Annotated[str, Meta(description="dotted path of a section", extra={"check": "section"})]
FeatureName = Annotated[str, Meta(extra={"check": "feature"}, extra_json_schema={"format": "feature"})]


class Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of all sections: frozen, unknown keys are errors."""
