#!/usr/bin/env python3
"""Write the runtime's list of operators and its functors once more, with the operator that the guide adds.

Usage: guide_operator.py GUIDE SOURCE_TREE TO
Puts detent/operator.h and runtime/kernels/isa/functors.h below TO, for a compiler that looks there first.
"""
import pathlib
import re
import sys


def insert(text, before, what):
    """`what` in front of the last `before`."""
    head, mark, tail = text.rpartition(before)
    if not mark:
        raise SystemExit(f"no {before!r}")
    return head + what + mark + tail


def main(guide, tree, to):
    functor, line = re.findall(r"^```cpp\n(.*?)^```$", guide.read_text(), re.MULTILINE | re.DOTALL)
    header = (tree / "runtime/include/detent/operator.h").read_text()
    last = re.findall(r"^  X\(\w+, +\d+, \"[^\n]*\)$", header, re.MULTILINE)[-1]
    header = header.replace(last, last + " \\\n" + line.rstrip("\n"))
    functors = insert((tree / "runtime/kernels/isa/functors.h").read_text(), "}  // namespace functors\n", functor + "\n")
    for name, text in (("detent/operator.h", header), ("runtime/kernels/isa/functors.h", functors)):
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*map(pathlib.Path, sys.argv[1:]))
