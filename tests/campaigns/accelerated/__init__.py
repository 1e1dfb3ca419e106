"""Whether compiled modules do exactly what their sources do: `make test-accelerated`."""
