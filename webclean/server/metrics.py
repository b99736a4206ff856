"""What is counted and measured, for `/metrics` in the text format of Prometheus.

Labels have few values: a path is counted by its route, and a failure by its kind.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE = CONTENT_TYPE_LATEST
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The counters of one server, in a registry of its own: several servers may run in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "webclean_requests", "Requests answered", ("route", "method", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "webclean_request_seconds", "Time to answer a request", ("route",), buckets=_SECONDS, registry=self.registry
        )
        self.pages = Counter(
            "webclean_pages", "Pages given to a worker, by what became of them", ("outcome",), registry=self.registry
        )
        self.page_seconds = Histogram(
            "webclean_page_seconds", "Time to clean a page, with waiting", buckets=_SECONDS, registry=self.registry
        )
        self.fetches = Counter(
            "webclean_fetches", "Pages asked of the web, by what became of them", ("outcome",), registry=self.registry
        )
        self.waiting = Gauge("webclean_waiting", "Pages in work or waiting for a worker", registry=self.registry)
        self.slow = Gauge("webclean_slow", "Pages in work aside, for they take long", registry=self.registry)
        self.pictures = Gauge("webclean_picture_bytes", "Bytes of pictures of the workbench", registry=self.registry)
        self.stored = Gauge("webclean_stored_bytes", "Bytes of pages kept for reading on", registry=self.registry)

    def write(self) -> bytes:
        """All values, in the text format."""
        return generate_latest(self.registry)
