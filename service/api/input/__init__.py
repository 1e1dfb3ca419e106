"""What a request says: access to games, parameters, bodies and content negotiation."""
