"""The rulebooks as sentences, and the laws that hold for every ruleset."""
