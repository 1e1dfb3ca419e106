"""Traces by OpenTelemetry, which is optional. Nothing here is imported unless `STAMMTISCH_TRACES` is on, and no other
module contains spans: what is traced are subclasses and a layer around the application. So without traces they cost
nothing."""
