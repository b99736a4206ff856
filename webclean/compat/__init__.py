"""Drop-in replacements: the functions and classes of other extractors, with their arguments and outputs.

from webclean.compat import extract, bare_extraction  # instead of: from trafilatura import ...
from webclean.compat import Document  # instead of: from readability import Document
"""

from webclean.compat.readability import Document
from webclean.compat.trafilatura import bare_extraction, extract

__all__ = ["Document", "bare_extraction", "extract"]
