"""Pages as tables: an Arrow table of pages in, an Arrow table of what was found in them out."""

from webclean.tables.cleaning import Columns, Shape, clean_table, clean_tables
from webclean.tables.schema import TABLE_VERSION, describe_table_schema, find_schema, flag_pages

__all__ = [
    "TABLE_VERSION",
    "Columns",
    "Shape",
    "clean_table",
    "clean_tables",
    "describe_table_schema",
    "find_schema",
    "flag_pages",
]
