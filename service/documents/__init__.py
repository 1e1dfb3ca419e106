"""Writes the OpenAPI document, and the schemas of both documents."""
