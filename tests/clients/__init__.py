"""The published clients against a real server, through connections that break."""
