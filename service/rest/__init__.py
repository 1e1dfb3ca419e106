"""REST: routes, and how requests are read."""
