"""Whether compiled rules do exactly what their sources do: `make test-accelerated`."""
