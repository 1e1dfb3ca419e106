"""What pages may weigh, in one place: tests, the benchmark and docs/performance.md take these figures."""

TABLE = 84_000
"""Bytes of the files of a table until it can be clicked, as they are served, gzipped."""
LOBBY = 50_000
"""Bytes of the files of the lobby until it can be used, as they are served, gzipped."""
VISIT = 105_000
"""Bytes of all files of a first visit, with HTTP headers and what is loaded later."""
REQUESTS = 50
"""Requests of a first visit."""
SHIFT = 0.05
"""How far what is shown moves by itself: the sum of layout shifts."""
FRAME = 50
"""Milliseconds that no frame exceeds."""
SENT, PIXELS, RESULT = 8, 32, 80
"""Milliseconds from a click until its move is sent, from a message until its change is drawn, and from a click until
its result is drawn, with the commit."""
STEP = 8
"""Milliseconds of a step of the scrubber."""
