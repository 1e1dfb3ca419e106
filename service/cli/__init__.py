"""The command line: the parser, and one module for each command with a function `run(arguments)`.

`service.__main__` imports the module of a command only when the command runs.
"""
