"""The table in the browser: its units and laws in deno, its pages in Chromium."""
