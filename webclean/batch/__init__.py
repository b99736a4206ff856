"""Many pages: files, archives and tables in, tables out, on one machine or a cluster."""

from webclean.batch.job import Job, run_job

__all__ = ["Job", "run_job"]
