"""`webclean serve`: reading mode, a workbench for rules and a JSON API over HTTP (extra `serve`)."""
