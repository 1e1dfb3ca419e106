"""HTTP below the API: server, connections, edge middleware, access log, rate limits, CORS, requests and responses."""
