"""Phone pages, a file for each of their parts."""
