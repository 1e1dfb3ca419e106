"""Parses and validates requests: access to games, parameters, queries, bodies and content negotiation."""
