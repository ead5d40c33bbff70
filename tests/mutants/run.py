#!/usr/bin/env python3
"""Plant each fault of planted/*.json into a copy of one source file and require that the tests named for it fail.

Usage: run.py [--levels FILE] [--shard I/N | --sample N] SOURCE_DIR BUILD_DIR [ID ...]
       run.py --check-levels FILE

A mutant costs one compilation and one link (build_tree.py). Prints who killed each mutant and on which
level of checking, or SURVIVED, which fails; a row with "survives" must survive, or the way of building is at fault.
--sample N tries one fault in N, drawn by the faults and the sources that they change, so that each change of either draws
anew, and one tree is always tried the same way; rows with "survives" are among them.
--levels FILE tries the mutants named, or those that FILE does not say all of, on every level that contains their source, and
writes the table (Markdown) after each: who stops it goes on later. All of them take an hour and a half of processor time.
--check-levels FILE says where the table and planted/*.json disagree, without a build. Exit code 77: not a Ninja build.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import sys
import threading
import time

from build_tree import BuildTree, run_tests

# Files of planted/, each with the faults of the folder that its name is.
FOLDERS = ("runtime", "base", "models", "harness", "sim", "verify", "reports", "app")

TIMEOUT_S = 60  # a mutant that hangs is found too; no sound set of tests comes near
CPU_S = 8  # processor time of one test
IDLE_S = 6  # without any work
LEVEL_TIMEOUT_S = 40  # processor time of one test on a level

# What a test program checks, cheapest first: (level, what it does, folders whose code it judges, {program: tests}).
LEVELS = [
    ("unit", "examples of one part", ("",),
     {"runtime_tests": "*", "models_tests": "*", "tvm_tests": "*", "reports_tests": "*"}),
    ("static", "L0, checkers without a run", ("models/", "verify/"), {"verify_tests": "*"}),
    ("Z3", "the same laws as formulas", ("models/", "verify/"), {"smt_tests": "RaceProof.*:PlanProof.*:FlowProof.*"}),
    ("laws", "RapidCheck", ("",),
     {"runtime_properties": "*", "models_properties": "*", "tvm_properties": "*", "verify_properties": "*",
      "sim_properties": "*"}),
    ("ops", "L1, orders of ops", ("runtime/", "verify/"), {"explore_ops_tests": "*"}),
    ("threads", "L2, the engine under every schedule", ("runtime/", "verify/explore/"), {"explore_threads_tests": "*"}),
    ("native", "threads of the system", ("runtime/",), {"runtime_thread_tests": "*", "port_contract_tests": "*"}),
    ("simulated", "SystemC", ("runtime/", "sim/"),
     {"sim_tests": "Exactness.*:Simulate.*:Chip.*:Bound.*:Campaign*:Interference.*"}),
]


def read_planted():
    """All faults, folder by folder."""
    mutants = []
    for folder in FOLDERS:
        rows = json.loads((pathlib.Path(__file__).parent / "planted" / f"{folder}.json").read_text())
        strangers = [row["id"] for row in rows if not row["file"].startswith(folder + "/")]
        if strangers:
            sys.exit(f"planted/{folder}.json: {', '.join(strangers)}: a file of another folder")
        mutants += rows
    return mutants


def level_of(program):
    return next((name for name, _, _, programs in LEVELS if program in programs), program)


def compile_mutant(mutant, tree, place, wanted=None):
    """The objects that the change changes: all of them, or those wanted."""
    text = (tree.source_dir / mutant["file"]).read_text()
    if text.count(mutant["find"]) != 1:
        raise ValueError(f"{mutant['file']} holds the text to replace {text.count(mutant['find'])} times, not once")
    text = text.replace(mutant["find"], mutant["replace"])
    return {target: tree.compile(target, mutant["file"], text, place) for target in tree.objects_of(mutant["file"])
            if wanted is None or target in wanted}


def judge(mutant, tree):
    """(as expected, one line of text)"""
    begin = time.monotonic()
    place = tree.build / "mutants" / mutant["id"]
    try:
        output = f"tests/{mutant['program']}"
        linked = tree.contents(output).union(*map(tree.contents, tree.modules()))
        program = tree.link(output, compile_mutant(mutant, tree, place, linked), place)
        by = run_tests(program, mutant["tests"], tree.build, TIMEOUT_S, lambda test: CPU_S, idle_limit_s=IDLE_S).by
    except ValueError as wrong:
        return False, f"{mutant['id']:26} BROKEN   {wrong}"
    expected = bool(by) != mutant.get("survives", False)
    verdict = f"killed by {by}" if by else "survives" if expected else "SURVIVED"
    text = f"{mutant['id']:26} {level_of(mutant['program']):10} {verdict}"
    return expected, f"{text}  [{mutant['what']}; {time.monotonic() - begin:.1f} s]"


def try_level(mutant, programs, objects, tree, place):
    """"yes" where a test fails, "hangs" where one does not end, "no" where all pass, "" where none has the source. The
    tests that planted/*.json names come first."""
    answer = ""
    for name in sorted(programs, key=lambda name: name != mutant["program"]):
        if f"tests/{name}" not in tree.test_programs() or not tree.contents(f"tests/{name}") & objects.keys():
            continue
        program = tree.link(f"tests/{name}", objects, place)
        is_named = name == mutant["program"] and programs[name] == "*"
        for tests in ([mutant["tests"]] if is_named else []) + [programs[name]]:
            by = run_tests(program, tests, tree.build, cpu_limit_s=lambda test: LEVEL_TIMEOUT_S).by
            if by:
                break
        program.unlink()
        if by:
            return "hangs" if "(hangs" in by else "yes"
        answer = "no"
    return answer


def try_levels(mutant, tree):
    place = tree.build / "mutants" / ("levels." + mutant["id"])
    objects = compile_mutant(mutant, tree, place)
    return [try_level(mutant, programs, objects, tree, place) if is_judged(mutant, folders) else ""
            for _, _, folders, programs in LEVELS]


def is_judged(mutant, folders):
    return mutant["file"].startswith(folders)


def level_head():
    lines = ["# Planted faults and the levels that notice them", "",
             "Written by `tests/mutants/run.py --levels`. yes: a test of the level fails; hangs: one takes "
             f"{LEVEL_TIMEOUT_S} s of processor time, or waits as long for nothing; no: all pass; ?: not tried; empty: the level does "
             "not judge the source. Levels leave some tests out: what none of them notices is killed by the tests that planted/*.json names "
             "for it, in the program named (without _tests).", ""]
    for name, what, _, programs in LEVELS:
        listed = ", ".join(program if tests == "*" else f"{program} {tests}" for program, tests in programs.items())
        lines.append(f"- **{name}**: {what}: {listed}")
    names = [name for name, *_ in LEVELS]
    return lines + ["", "| fault | file | named | " + " | ".join(names) + " |", "|---|---|---|" + "---|" * len(names)]


def level_row(mutant, answers):
    named = "" if mutant.get("survives") else mutant["program"].removesuffix("_tests")
    return f"|{mutant['id']}: {mutant['what']}|{mutant['file']}|{named}|{'|'.join(answers)}".rstrip("|")


def read_levels(file, mutants):
    """{id: answers} of the mutants whose row stands in the table as this program would write it."""
    known = {}
    rows = set(file.read_text().splitlines()) if file.exists() else set()
    by_id = {mutant["id"]: mutant for mutant in mutants}
    for row in sorted(rows):
        answers = [cell.strip() for cell in row.split("|")][4:]
        answers += [""] * (len(LEVELS) - len(answers))
        found = re.match(r"\|(\w+): ", row)
        mutant = by_id.get(found.group(1)) if found else None
        if mutant and len(answers) == len(LEVELS) and level_row(mutant, answers) == row:
            known[mutant["id"]] = answers
    return known


def answers_without_runs(mutant):
    """What planted/*.json says by itself: the level of the program that it names notices."""
    return ["" if not is_judged(mutant, folders) else "yes" if programs.get(mutant["program"]) == "*" else "?"
            for _, _, folders, programs in LEVELS]


def level_lines(mutants, known):
    rows = [level_row(mutant, known[mutant["id"]]) for mutant in mutants if mutant["id"] in known]
    tried = sum("?" not in answers for answers in known.values())
    return level_head() + rows + ["", f"{tried} of {len(known)} faults have been tried on every level."]


def write_levels(file, mutants, known):
    """A row for every mutant; those that nobody has tried say what is known without."""
    filled = {mutant["id"]: known.get(mutant["id"], answers_without_runs(mutant)) for mutant in mutants}
    file.write_text("\n".join(level_lines(mutants, filled)) + "\n")


def try_all_levels(file, mutants, chosen, tree):
    """Writes the table after each mutant."""
    known, lock = read_levels(file, mutants), threading.Lock()

    def try_one(mutant):
        answers = try_levels(mutant, tree)
        with lock:
            known[mutant["id"]] = answers
            write_levels(file, mutants, known)
        print(f"{mutant['id']:26} " + " ".join(f"{level[0]}={a}" for level, a in zip(LEVELS, answers) if a), flush=True)

    untried = [mutant for mutant in mutants if "?" in known.get(mutant["id"], "?")]
    write_levels(file, mutants, known)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(try_one, chosen or untried))


def wrong_answers(mutant, answers):
    """What planted/*.json says of a row."""
    faults = []
    for (name, _, folders, programs), answer in zip(LEVELS, answers):
        where = f"{mutant['id']}, level {name}: "
        if answer not in ("", "?", "no", "yes", "hangs"):
            faults.append(f"{where}'{answer}' is not an answer")
        elif mutant.get("survives") and answer in ("yes", "hangs"):
            faults.append(where + "the control must not be noticed")
        elif answer and not is_judged(mutant, folders):
            faults.append(where + "does not judge the source; must be empty")
        elif mutant.get("survives"):
            continue
        elif is_judged(mutant, folders) and programs.get(mutant["program"]) == "*" and answer in ("", "?", "no"):
            faults.append(f"{where}has {mutant['program']}, whose tests notice the fault; must be yes or hangs")
    return faults


def not_found_once(mutant):
    """A fault can be planted only where its text stands once."""
    file = pathlib.Path(__file__).parents[2] / mutant["file"]
    count = file.read_text().count(mutant["find"]) if file.exists() else 0
    return [] if count == 1 else [f"{mutant['id']}: {mutant['file']} holds the text to replace {count} times, not once"]


def check_levels(file, mutants):
    """Where the table, planted/*.json and the sources disagree."""
    known = read_levels(file, mutants)
    faults = [fault for mutant in mutants for fault in not_found_once(mutant)]
    faults += [f"{mutant['id']}: no row of this fault, file, program and these words; run.py --levels {file}"
              for mutant in mutants if mutant["id"] not in known]
    for mutant in mutants:
        faults += wrong_answers(mutant, known.get(mutant["id"], []))
    if not faults and file.read_text().splitlines() != level_lines(mutants, known):
        faults.append(f"{file}: other lines, or another order, than run.py --levels writes")
    return faults


def drawn(mutants, one_in, source_dir):
    """One in so many, by the bytes of all that they are about."""
    sources = hashlib.sha256(json.dumps(mutants, sort_keys=True).encode())
    for name in sorted({mutant["file"] for mutant in mutants}):
        sources.update((source_dir / name).read_bytes())

    def is_drawn(mutant):
        digest = hashlib.sha256(sources.digest() + mutant["id"].encode()).digest()
        return mutant.get("survives") or int.from_bytes(digest[:8], "big") % one_in == 0

    return [mutant for mutant in mutants if is_drawn(mutant)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", type=pathlib.Path, metavar="FILE", help="try every level, write the table")
    parser.add_argument("--shard", metavar="I/N", help="only every N-th row, from row I on (from 0)")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="only one in N, drawn by faults and sources")
    parser.add_argument("--check-levels", type=pathlib.Path, metavar="FILE", help="do the table and the sources fit planted/*.json?")
    parser.add_argument("source_dir", type=pathlib.Path, nargs="?")
    parser.add_argument("build_dir", type=pathlib.Path, nargs="?")
    parser.add_argument("ids", nargs="*", metavar="ID")
    words = parser.parse_args()
    mutants = read_planted()
    if words.check_levels:
        faults = check_levels(words.check_levels, mutants)
        print("\n".join(faults) or f"{words.check_levels}: a row for each of {len(mutants)} faults")
        return 1 if faults else 0
    if not words.build_dir:
        parser.error("SOURCE_DIR and BUILD_DIR are needed")
    source_dir, build = words.source_dir.resolve(), words.build_dir.resolve()
    if not (build / "build.ninja").exists():
        print("not a Ninja build")
        return 77
    tree = BuildTree(source_dir, build)
    unknown = set(words.ids) - {mutant["id"] for mutant in mutants}
    if unknown:
        parser.error("no such mutant: " + ", ".join(sorted(unknown)))
    chosen = [mutant for mutant in mutants if not words.ids or mutant["id"] in words.ids]
    if words.shard:
        index, count = (int(number) for number in words.shard.split("/"))
        chosen = chosen[index::count]
    if words.sample > 1:
        chosen = drawn(chosen, words.sample, source_dir)
    if words.levels:
        try_all_levels(words.levels, mutants, chosen if words.ids else [], tree)
        return 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() + 1) as pool:
        results = list(pool.map(lambda mutant: judge(mutant, tree), chosen))
    for _, line in results:
        print(line)
    failed = sum(not expected for expected, _ in results)
    print(f"{len(results)} of {len(mutants)} mutants, {failed} not as expected")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
