"""Clients that common generators make of the OpenAPI document: they compile, and they can play."""
