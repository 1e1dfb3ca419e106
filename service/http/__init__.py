"""HTTP below the API: the server, connections, the edge middleware, limits, CORS and raw responses."""
