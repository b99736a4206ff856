"""webclean in other tools: one file a tool, thin, imported by who uses it; each imports its library. See
docs/adapters.md."""
