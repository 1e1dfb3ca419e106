"""The REST contract: routes, bodies, problems, and the document that describes them."""
