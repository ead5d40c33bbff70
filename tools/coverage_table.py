#!/usr/bin/env python3
"""Line coverage by folder against its gates, and by the world in which the lines were executed.

coverage_table.py GATES SUMMARY [WORLD=JSON ...]
  GATES    "folder percent" a line
  SUMMARY  gcovr's --json-summary of all tests
  JSON     gcovr's --json of the tests of one world; its shares are of the lines that SUMMARY counts
coverage_table.py --tests WORLD WORLDS TESTS
  Print a regular expression of the tests that WORLDS ("world test" a line) names for WORLD; for "several" of those that it
  names for any. TESTS, one a line, are those that there are.

Exit codes: 0, 1 a folder is below its gate, 2 a folder without lines or a test that is not there.
"""
import json
import sys


def rows_of(path):
    with open(path) as file:
        return [line.split() for line in file if line.strip() and not line.startswith("#")]


def fail(text):
    print(f"coverage: {text}", file=sys.stderr)
    sys.exit(2)


def lines_of(files, folder):
    """Covered lines and all lines of a folder, by a summary."""
    own = [file for file in files if file["filename"].startswith(folder + "/")]
    return sum(file["line_covered"] for file in own), sum(file["line_total"] for file in own)


def executed_lines(path, folders):
    """Lines that were executed, by folder."""
    with open(path) as file:
        files = json.load(file)["files"]
    counts = dict.fromkeys(folders, 0)
    for one in files:
        folder = one["file"].split("/")[0]
        if folder in counts:
            counts[folder] += sum(line["count"] > 0 and not line.get("gcovr/noncode") and not line.get("gcovr/excluded")
                                  for line in one["lines"])
    return counts


def percent(count, total):
    return round(100 * count / total, 1)


def print_table(gates, summary, worlds):
    with open(summary) as file:
        files = json.load(file)["files"]
    rows = rows_of(gates)
    executed = {world: executed_lines(path, [folder for folder, _ in rows]) for world, path in worlds}
    print(f"{'folder':10} {'covered':>9} {'gate':>9}" + "".join(f" {world:>10}" for world in executed))
    is_below = False
    for folder, gate in rows:
        covered, total = lines_of(files, folder)
        if total == 0:
            fail(f"{folder}: no line of it was compiled")
        share = percent(covered, total)
        shares = "".join(f" {percent(counts[folder], total):>9}%" for counts in executed.values())
        print(f"{folder:10} {share:8}% {gate:>8}%{shares}" + ("  BELOW THE GATE" if share < float(gate) else ""))
        is_below = is_below or share < float(gate)
    return 1 if is_below else 0


def tests_of(world, worlds, tests):
    with open(tests) as file:
        there = {line.strip() for line in file}
    rows = rows_of(worlds)
    for _, test in rows:
        if test not in there:
            fail(f"{worlds}: there is no test {test}; correct the list")
    names = [test for of, test in rows if world in (of, "several")]
    if not names:
        fail(f"{worlds}: no test of the world {world}; name one, or several")
    return "^(" + "|".join(names) + ")$"


def main(words):
    if len(words) == 4 and words[0] == "--tests":
        print(tests_of(*words[1:]))
        return 0
    if len(words) < 2:
        fail("GATES and SUMMARY are needed; see the first lines of this program")
    return print_table(words[0], words[1], [word.split("=", 1) for word in words[2:]])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
