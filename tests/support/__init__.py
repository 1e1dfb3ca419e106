"""Clients and real servers for tests."""
