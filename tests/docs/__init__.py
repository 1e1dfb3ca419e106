"""The documentation: what it says about the code follows from the code, and what it shows works."""
