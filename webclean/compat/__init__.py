"""Drop-in replacements: the functions and classes of other extractors, with their arguments and outputs.

from webclean.compat import extract, fetch_url, extract_metadata  # instead of: from trafilatura import ...
from webclean.compat import Document  # instead of: from readability import Document
"""

from webclean.compat.readability import Document
from webclean.compat.trafilatura import (
    bare_extraction,
    baseline,
    extract,
    extract_metadata,
    extract_with_metadata,
    fetch_response,
    fetch_url,
    html2txt,
    load_html,
)

__all__ = [
    "Document",
    "bare_extraction",
    "baseline",
    "extract",
    "extract_metadata",
    "extract_with_metadata",
    "fetch_response",
    "fetch_url",
    "html2txt",
    "load_html",
]
