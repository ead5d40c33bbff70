#!/usr/bin/env python3
"""Write the program that stands in a header's comment between @code and @endcode.

Usage: extract_example.py HEADER PROGRAM
"""
import pathlib
import re
import sys


def example(text):
    """The one example of a header, without the comment's margin."""
    found = re.findall(r"^ \* @code\n(.*?)^ \* @endcode$", text, re.MULTILINE | re.DOTALL)
    if len(found) != 1:
        raise SystemExit(f"{len(found)} examples between @code and @endcode; one is expected")
    lines = found[0].splitlines()
    if not lines or any(not re.match(r" \*(   |$)", line) for line in lines):
        raise SystemExit("each line of the example must begin with ' *   '")
    return "\n".join(line[5:] for line in lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    header, program = map(pathlib.Path, sys.argv[1:])
    program.write_text(example(header.read_text()))
