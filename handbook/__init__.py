"""What the handbook needs beyond its pages in docs/: generated pages, pictures and mathematics. `make docs` builds it."""
