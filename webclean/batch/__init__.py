"""Many pages: files, archives and tables in, tables out, on one machine or a cluster."""
