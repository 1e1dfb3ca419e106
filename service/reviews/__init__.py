"""Reviews of finished games: made by a process of their own, one at a time, and kept until space is needed."""
