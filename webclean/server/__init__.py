"""`webclean serve`: reading mode, a workbench for rules and a JSON API over HTTP (extra `serve`).

`webclean mcp`: the same cleaning as tools of a language model (extra `mcp`).
"""
