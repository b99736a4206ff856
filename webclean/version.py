"""The version: the one place that states it. The build of the package reads it from here (`pyproject.toml`)."""

__version__ = "0.1.0"
