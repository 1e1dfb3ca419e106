"""Data outside the log that can be changed or erased: tables in the database of the log.

They are not part of a game's history. Backups of the database contain them; records do not, and `rebuild` does not
change them.
"""
