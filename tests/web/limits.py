"""What pages may weigh, in one place: tests, the benchmark and docs/performance.md take these figures."""

TABLE = 102_000
"""Bytes of the files of a table until it can be clicked, gzipped. The log that shows cards, and hints below questions,
took the last of 97 kB, the style for printing, which is no file of its own any more, that of 98 kB, and the curtain,
the words below a seat and the place for proof and review that of 99 kB. The meter of payments, what is asked again
and what a final score consists of took that of 101 kB."""
LOBBY = 58_000
"""Bytes of the files of the lobby until it can be used, gzipped."""
VISIT = 130_000
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
