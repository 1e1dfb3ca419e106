"""The tests, by their distance from the rules: domain, projections, service, end to end; and the bench."""
