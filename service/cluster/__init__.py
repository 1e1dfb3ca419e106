"""What several processes share through Redis. Nothing in it is needed: the log is the truth."""
