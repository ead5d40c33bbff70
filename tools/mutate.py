#!/usr/bin/env python3
"""Draw one-line mutants of the product's C and C++ sources by a seed and report those that no test notices.

Usage: tools/mutate.py --seed N --count K [--folder verify] [--jobs 2] [--build build/release] [--json FILE]
       tools/mutate.py --id ID     one mutant again, as the table prints it
       tools/mutate.py --learn     how long the tests take, into tests/mutants/durations.json (a quarter of an hour)

A line is drawn by a hash of the seed and its own text, then a kind of change of it: negated condition, comparison off by
one, == and !=, && and ||, sign, arithmetic, bits, constant off by one, dropped statement, throw, else, break or continue,
swapped arguments, another return value. A mutant is compiled into copies of the test programs that link its source, and is
killed by the first test that fails (twice, and not without the change). Tests near the source are tried first, then all that
are quick, then the others of near programs and, as far as --budget goes, those of distant ones. Not counted: what does not
compile or link, and headers that more than --widest objects of a program include. Equivalent: same object code, or a row of
tests/mutants/equivalent.json. --json keeps results; a second call with the file goes on where the first one ended.

Exit code: 0 all killed, 1 a mutant survived, 2 wrong usage, 77 not a Ninja build. Mutants may write and delete where the
tests do: a copy of the tree in a container is the place for many.
"""
import argparse
import collections
import concurrent.futures
import fcntl
import json
import os
import pathlib
import re
import shutil
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "mutants"))
import build_tree  # noqa: E402
import sites  # noqa: E402

QUICK_CASE_S = 0.1  # tests that take no longer are tried of all programs, before all others but the nearest
SHORT_CASE_S, SLOW_CASE_S = 0.5, 2  # limits of the groups after these: tests that take longer than the last are tried last
NEAR, QUICK, SHORT, REST, SLOW = range(5)  # groups of a program's tests, in the order in which they are tried
GROUPS = ("near", "quick", "short", "rest", "slow")
E2E_TESTS = "tests/e2e_tests"  # what runs the commands, so near to cli/
SUITE = re.compile(r"^(?:TEST(?:_[FP])?|RC_GTEST_PROP)\((\w+),", re.MULTILINE)
UNKNOWN_S = 60  # taken for a program that has not run yet


def write_whole(file, text):
    """So that another process never reads half of it."""
    part = file.with_name(f"{file.name}.{os.getpid()}")
    part.write_text(text)
    part.replace(file)


class Durations:
    """Processor time of each test when it last passed, learnt from every run; before any, what the tree says."""

    def __init__(self, file, told):
        self.file, self.lock = file, threading.Lock()
        self.known = json.loads(told.read_text()) if told.exists() else {}
        for program, cases in (json.loads(file.read_text()) if file.exists() else {}).items():
            self.known.setdefault(program, {}).update(cases)

    def learn(self, program, tested):
        with self.lock:
            cases = self.known.setdefault(program, {})
            for case, ms in re.findall(r"^\[       OK \] ([^\s,]+).* \((\d+) ms\)", tested.output, re.MULTILINE):
                cases[case] = round(int(ms) / 1000 * tested.cpu_share, 3)
            write_whole(self.file, json.dumps(self.known, sort_keys=True))

    def between(self, program, least_s, most_s=float("inf")):
        """The tests that take longer than least_s and at most most_s."""
        return sorted(case for case, took in self.known.get(program, {}).items() if least_s < took <= most_s)

    def expected_s(self, program, group, cases=None):
        """Of a group. NEAR ones are few of the others and not counted."""
        if program not in self.known:
            return UNKNOWN_S
        if group in (NEAR, QUICK):
            return group * QUICK_CASE_S
        return sum(self.known[program][case] for case in (cases or self.of_group(program, group)))

    def of_group(self, program, group, most_s=float("inf")):
        """The SHORT, REST or SLOW tests, of which the shortest that take no longer than most_s together."""
        limits = {SHORT: (QUICK_CASE_S, SHORT_CASE_S), REST: (SHORT_CASE_S, SLOW_CASE_S), SLOW: (SLOW_CASE_S,)}[group]
        kept, known = [], self.known.get(program, {})
        for case in sorted(self.between(program, *limits), key=lambda case: (known[case], case)):
            most_s -= known[case]
            if most_s < 0:
                break
            kept.append(case)
        return kept


class Judge:
    def __init__(self, tree, options):
        self.tree, self.options = tree, options
        self.place = tree.build / "mutants"
        self.place.mkdir(exist_ok=True)
        self.told = tree.source_dir / "tests/mutants/durations.json"
        self.durations = Durations(self.place / "durations.json", self.told)
        self.passes_soundly, self.texts = {}, {}
        self.programs = [program for program in tree.test_programs()  # no benchmarks
                         if any(SUITE.search(self.text_of(source)) for source in tree.sources_of(program))]
        listed = json.loads(options.equivalent.read_text()) if options.equivalent.exists() else []
        self.equivalent = {(row["file"], row["before"], row["after"]): row["why"] for row in listed}

    def learn(self):
        """Run every test once and write down those that are not quick."""
        learnt = {}
        for program in self.programs:
            print(program, file=sys.stderr, flush=True)
            failed = self.run(program, self.tree.build / program, "*", {})
            if failed:
                print(f"  fails: {failed}; its durations are left as they were", file=sys.stderr)
            learnt[program] = {case: round(self.durations.known[program][case], 1)
                               for case in self.durations.between(program, QUICK_CASE_S)}
        write_whole(self.told, json.dumps(learnt, indent=1, sort_keys=True) + "\n")

    def judge(self, mutation):
        """What becomes of a mutant, as a row of the results."""
        begin = time.monotonic()
        place = self.place / mutation.id
        row = {"id": mutation.id, "file": mutation.file, "line": mutation.line, "kind": mutation.kind,
               "before": mutation.before.strip(), "after": mutation.after.strip(), "tried": []}
        try:
            self.decide(mutation, place, row)
        except build_tree.NotBuildable:
            row["verdict"] = "not buildable"
        finally:
            shutil.rmtree(place, ignore_errors=True)
        row["seconds"] = round(time.monotonic() - begin, 1)
        return row

    def decide(self, mutation, place, row):
        why = self.equivalent.get((row["file"], row["before"], row["after"]))
        if why is not None:
            row.update(verdict="equivalent", why=why)
            return
        text = (self.tree.source_dir / mutation.file).read_text()
        lines = text.split("\n")
        if lines[mutation.line - 1] != mutation.before:
            row["verdict"] = "changed meanwhile"
            return
        lines[mutation.line - 1] = mutation.after
        changed = set(self.tree.objects_of(mutation.file))
        stages = self.stages(mutation, changed)
        if not stages:
            row["verdict"] = "not linked by any test"
            return
        compiled, linked, spent_s = {}, {}, 0.0
        for program, group in stages:
            parts = [program, *self.tree.starts(program)]
            wanted = sorted(set().union(*(self.tree.contents(part) for part in parts)) & changed)
            if len(wanted) > self.options.widest and not row["tried"]:
                row["verdict"] = "too wide"
                return
            cases, expected_s = self.affordable(mutation.file, program, group, self.options.budget - spent_s)
            if len(wanted) > self.options.widest or expected_s is None:
                row.setdefault("not_tried", []).append(self.stage_name(program, group))
                continue
            for target in wanted:
                if target not in compiled:
                    compiled[target] = self.tree.compile(target, mutation.file, "\n".join(lines), place)
            if program not in linked:
                linked[program] = self.link(program, compiled, place)
            try:
                by = self.try_group(mutation.file, program, group, cases, *linked[program])
            except build_tree.NoTests:
                by = ""  # all of them fail without the change too
            spent_s += expected_s
            row["tried"].append(self.stage_name(program, group, cases))
            if by:
                row.update(verdict="killed", by=f"{program}: {by}")
                return
            if len(row["tried"]) == 1 and self.same_code(mutation, text, compiled, place / "sound"):
                row.update(verdict="equivalent", why="same object code")
                return
        row["verdict"] = "survived"

    def affordable(self, file, program, group, left_s):
        """(cases of the group, or None for all of them; seconds that they take, or None where none fits)"""
        expected_s = self.durations.expected_s(program, group)
        if expected_s <= left_s or self.always_tried(file, program, group):
            return None, expected_s
        cases = self.durations.of_group(program, group, left_s) if group >= SHORT else []
        return cases, self.durations.expected_s(program, group, cases) if cases else None

    def always_tried(self, file, program, group):
        """Tests of near programs always, but slow ones and distant ones only within the budget."""
        common, shared, _ = self.distance(file, program)
        if file.startswith(("app/", "cli/")) and self.tree.starts(program):
            common -= program == E2E_TESTS or shared < 0
        return group == NEAR or common < 0 and group != SLOW

    def stage_name(self, program, group, cases=None):
        part = f"{len(cases)} of {len(self.durations.of_group(program, group))} " if cases else ""
        return f"{pathlib.Path(program).name} ({part}{GROUPS[group]})"

    def same_code(self, mutation, text, compiled, place):
        sound = {target: self.tree.compile(target, mutation.file, text, place) for target in compiled}
        return all(path.read_bytes() == compiled[target].read_bytes() for target, path in sound.items())

    def stages(self, mutation, changed):
        """[(test program, group of its tests)], those most likely to notice first."""
        ranked = []
        for program in self.programs:
            direct = bool(self.tree.contents(program) & changed)
            if not direct and not any(self.tree.contents(part) & changed for part in self.tree.starts(program)):
                continue
            rank = (not direct, *self.distance(mutation.file, program), self.durations.expected_s(program, SHORT),
                    -len(self.tree.sources_of(program)), program)
            groups = {NEAR: self.near_tests(mutation.file, program), QUICK: True,
                      **{group: self.durations.of_group(program, group) for group in (SHORT, REST, SLOW)}}
            for group, wanted in groups.items():
                place = min(group, SHORT) if self.always_tried(mutation.file, program, group) else group
                ranked += [(place, rank, program, group)] if wanted else []
        return [(program, group) for _, _, program, group in sorted(ranked)]

    def text_of(self, test):
        if test not in self.texts:
            self.texts[test] = (self.tree.source_dir / test).read_text()
        return self.texts[test]

    def shared(self, file, test):
        """How much of a file's name stands in the name of a test's source, or in what that includes."""
        name = re.split(r"[_.]", pathlib.PurePath(file).name)
        words = set(name) - {"cpp", "hpp", "h", "c"}
        header = re.sub(r"\.c(pp)?$", "", file)
        includes = re.search(rf'#include "{re.escape(header)}(\.h|\.hpp)?"', self.text_of(test)) is not None
        return len(words & set(re.split(r"[_.]", pathlib.PurePath(test).name))) + includes

    def distance(self, file, program):
        """Smaller is nearer: folders in common, then what of the file's name stands in the tests."""
        folders = pathlib.PurePath(file).parts[:-1]
        nearest = (0, 0, True)
        for test in self.tree.sources_of(program):
            top, *test_folders, _ = pathlib.PurePath(test).parts
            common = 0
            while common < min(len(folders), len(test_folders)) and folders[common] == test_folders[common]:
                common += 1
            nearest = min(nearest, (-common, -self.shared(file, test), top != "tests"))
        return nearest

    def near_tests(self, file, program):
        """Filters of the tests that stand in the folder that mirrors the file's, or share a word of its name."""
        folders = list(pathlib.PurePath(file).parts[:-1])
        suites = set()
        for test in self.tree.sources_of(program):
            _, *test_folders, _ = pathlib.PurePath(test).parts
            if test_folders == folders and len(folders) > 1 or self.shared(file, test):
                suites |= set(SUITE.findall(self.text_of(test)))
        return [f"*{suite}.*" for suite in sorted(suites)]

    def link(self, program, compiled, place):
        """(path of the program with the change, environment in which it finds that which it starts)"""
        made = (self.tree.link(program, compiled, place) if self.tree.contents(program) & compiled.keys()
                else self.tree.build / program)
        started = [self.tree.link(part, compiled, place) for part in self.tree.starts(program)
                   if self.tree.contents(part) & compiled.keys()]
        return made, {"DETENT_PROGRAM": str(started[0])} if started else {}

    def filters_of(self, file, program, group, cases):
        """(filters of the tests of a group, filters of those left out)"""
        if group in (NEAR, QUICK):
            left_out = self.durations.between(program, SLOW_CASE_S if group == NEAR else QUICK_CASE_S)
            return self.near_tests(file, program) if group == NEAR else ["*"], left_out
        return cases or self.durations.of_group(program, group), []

    def try_group(self, file, program, group, cases, path, environment):
        """The test that notices, or ""."""
        wanted, left_out = self.filters_of(file, program, group, cases)
        while wanted:
            tests = ":".join(wanted) + ("-" + ":".join(left_out) if left_out else "")
            by = self.run(program, path, tests, environment)
            case = by.split(" ")[0]
            if not by or case == "start-up" and self.sound(program, tests):
                return by
            if case == "start-up":
                return ""
            again = self.run(program, path, case, environment)
            if again and self.sound(program, case):
                return by
            left_out.append(case)  # fails without the change, or only now and then
        return ""

    def run(self, program, path, tests, environment):
        known = self.durations.known.get(program, {})
        with open(self.place / f"{pathlib.Path(program).name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # tests write files of fixed names
            tested = build_tree.run_tests(path, tests, self.tree.build, environment=environment,
                                          cpu_limit_s=lambda case: self.options.cpu_limit + 5 * known.get(case, 0))
        self.durations.learn(program, tested)
        return tested.by

    def sound(self, program, case):
        """Does the test, or what matches a filter, pass without the change?"""
        key = (program, case)
        if key not in self.passes_soundly:
            self.passes_soundly[key] = not self.run(program, self.tree.build / program, case, {})
        return self.passes_soundly[key]


COUNTED = ("killed", "survived", "equivalent")


def draw(judge, order, options, done, keep):
    """Judge mutants in drawing order until enough of them could be built. @return  their rows, in that order"""
    rows, at, running = {}, 0, {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while True:
            counted = sum(row["verdict"] in COUNTED for row in rows.values())
            while at < len(order) and counted + len(running) < options.count and len(running) < options.jobs:
                mutation = order[at]
                old = done.get(mutation.id)
                if old is not None and not (options.retry and old["verdict"] == "survived"):
                    rows[at] = old
                    counted += old["verdict"] in COUNTED
                else:
                    running[pool.submit(judge.judge, mutation)] = at
                at += 1
            if not running:
                break
            for future in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                index = running.pop(future)
                rows[index] = future.result()
                keep(rows[index])
                progress(rows, rows[index], options)
    return [rows[index] for index in sorted(rows)]


def progress(rows, row, options):
    counted = sum(one["verdict"] in COUNTED for one in rows.values())
    print(f"{counted:4}/{options.count} {row['verdict']:14} {row['file']}:{row['line']} {row['kind']} "
          f"{row.get('by', '')} [{row['seconds']} s]", file=sys.stderr, flush=True)


def table(rows, options):
    lines = [f"{'folder':10} {'drawn':>6} {'killed':>7} {'survived':>9} {'equivalent':>11}"]
    for folder in [*sites.FOLDERS, "all"]:
        verdicts = collections.Counter(row["verdict"] for row in rows if folder in ("all", row["file"].split("/")[0]))
        drawn = sum(verdicts[name] for name in COUNTED)
        if drawn:
            lines.append(f"{folder:10} {drawn:6} {verdicts['killed']:7} {verdicts['survived']:9} {verdicts['equivalent']:11}")
    verdicts = collections.Counter(row["verdict"] for row in rows)
    differ = verdicts["killed"] + verdicts["survived"]
    rate = f"{100 * verdicts['killed'] / differ:.1f} %" if differ else "-"
    left = ", ".join(f"{verdicts[name]} {name}" for name in sorted(verdicts) if name not in COUNTED)
    lines.append(f"seed {options.seed}: {rate} of {differ} that are not equivalent are killed" + (f"; drawn anew: {left}" if left else ""))
    for row in rows:
        if row["verdict"] != "survived":
            continue
        lines += ["", f"SURVIVED {row['file']}:{row['line']} ({row['kind']})", f"  - {row['before']}", f"  + {row['after']}",
                  "  tried: " + ", ".join(row["tried"]), "  again: tools/mutate.py --id " + row["id"]]
        if row.get("not_tried"):
            lines.insert(-1, "  not tried (--budget): " + ", ".join(row["not_tried"]))
    return "\n".join(lines)


def read_words():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--folder", action="append", help="only sources below it, or one source; may be repeated")
    parser.add_argument("--spread", action="store_true", help="one of each folder in turn")
    parser.add_argument("--id", action="append", default=[], help="this mutant, whatever the seed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--source", type=pathlib.Path, default=ROOT, help="the tree, where it is not this one")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="keep results here, and go on from them")
    parser.add_argument("--retry", action="store_true", help="judge survivors of --json again")
    parser.add_argument("--budget", type=float, default=120,
                        help="seconds of tests, as long as they take without a change, after which no more are tried but "
                             "those of near programs that are not slow")
    parser.add_argument("--cpu-limit", type=int, default=10,
                        help="seconds of processor time that a test may take beyond five times what it takes otherwise")
    parser.add_argument("--widest", type=int, default=6)
    parser.add_argument("--equivalent", type=pathlib.Path, default=ROOT / "tests/mutants/equivalent.json")
    parser.add_argument("--learn", action="store_true", help="run all tests without a change and write how long they take")
    parser.add_argument("--list", action="store_true", help="print what would be drawn, build nothing")
    return parser.parse_args()


def main():
    options = read_words()
    source_dir, build = options.source.resolve(), options.build.resolve()
    folders = options.folder or sites.FOLDERS
    found = [mutation for file in sites.product_sources(source_dir) if file in folders
             or any(file.startswith(folder.rstrip("/") + "/") for folder in folders)
             for mutation in sites.mutations(file, (source_dir / file).read_text())]
    if options.id:
        order = [mutation for mutation in found if mutation.id in options.id]
        if len({mutation.id for mutation in order}) != len(set(options.id)):
            print("mutate.py: --id: no such mutant in the sources as they are now; draw anew", file=sys.stderr)
            return 2
        options.count = len(order)
    else:
        order = sites.in_drawing_order(found, options.seed, options.spread)
    if options.list:
        for one in order[:options.count]:
            print(f"{one.id} {one.file}:{one.line} {one.kind}\n  - {one.before.strip()}\n  + {one.after.strip()}")
        return 0
    if not (build / "build.ninja").exists():
        print("not a Ninja build")
        return 77
    judge = Judge(build_tree.BuildTree(source_dir, build), options)
    if options.learn:
        judge.learn()
        return 0
    done = {}
    if options.json and options.json.exists():
        done = {row["id"]: row for row in json.loads(options.json.read_text())}

    def keep(row):
        done[row["id"]] = row
        if options.json:
            write_whole(options.json, json.dumps(list(done.values()), indent=1) + "\n")

    rows = draw(judge, order, options, done, keep)
    print(table(rows, options))
    return 1 if any(row["verdict"] == "survived" for row in rows) or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
