"""What concerns one process: its interpreter, output, log and metrics."""
