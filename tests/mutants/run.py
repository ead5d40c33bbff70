#!/usr/bin/env python3
"""Plant each fault of mutants.json into a copy of one source file and require that the tests named for it fail.

Usage: run.py [--levels FILE] SOURCE_DIR BUILD_DIR [ID ...]

A mutant costs one compilation and one link (build_tree.py). Prints who killed each mutant and on which
level of checking, or SURVIVED, which fails; a row with "survives" must survive, or the way of building is at fault.
--levels FILE tries every mutant on every level that contains its source and writes the table (Markdown); it takes
half an hour of processor time. Exit code 77: not a Ninja build.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import sys
import time

from build_tree import BuildTree, run_tests

TIMEOUT_S = 60  # a mutant that hangs is found too; no sound set of tests comes near
LEVEL_TIMEOUT_S = 40  # of all tests of a program

# What a test program checks, cheapest first: (level, what it does, folders whose code it judges, {program: tests}).
LEVELS = [
    ("unit", "examples of one part", ("",),
     {"runtime_tests": "*", "models_tests": "*", "tvm_tests": "*", "reports_tests": "*"}),
    ("static", "L0, checkers without a run", ("models/", "verify/"), {"verify_tests": "*"}),
    ("Z3", "the same laws as formulas", ("models/", "verify/"), {"smt_tests": "RaceProof.*:PlanProof.*"}),
    ("laws", "RapidCheck", ("",),
     {"runtime_properties": "*", "models_properties": "*", "verify_properties": "*", "sim_properties": "*"}),
    ("ops", "L1, orders of ops", ("runtime/", "verify/"), {"explore_ops_tests": "*"}),
    ("threads", "L2, the engine under every schedule", ("runtime/", "verify/explore/"), {"explore_threads_tests": "*"}),
    ("native", "threads of the system", ("runtime/",), {"runtime_thread_tests": "*", "port_contract_tests": "*"}),
    ("simulated", "SystemC", ("runtime/", "sim/"),
     {"sim_tests": "Exactness.*:Simulate.*:Chip.*:Bound.*:Campaign*:Interference.*"}),
]


def level_of(program):
    return next((name for name, _, _, programs in LEVELS if program in programs), program)


def compile_mutant(mutant, tree, place):
    """The changed source's objects."""
    text = (tree.source_dir / mutant["file"]).read_text()
    if text.count(mutant["find"]) != 1:
        raise ValueError(f"{mutant['file']} holds the text to replace {text.count(mutant['find'])} times, not once")
    text = text.replace(mutant["find"], mutant["replace"])
    return {target: tree.compile(target, mutant["file"], text, place) for target in tree.objects_of(mutant["file"])}


def judge(mutant, tree):
    """(as expected, one line of text)"""
    begin = time.monotonic()
    place = tree.build / "mutants" / mutant["id"]
    try:
        program = tree.link(f"tests/{mutant['program']}", compile_mutant(mutant, tree, place), place)
        by = run_tests(program, mutant["tests"], tree.build, TIMEOUT_S).by
    except ValueError as wrong:
        return False, f"{mutant['id']:26} BROKEN   {wrong}"
    expected = bool(by) != mutant.get("survives", False)
    verdict = f"killed by {by}" if by else "survives" if expected else "SURVIVED"
    text = f"{mutant['id']:26} {level_of(mutant['program']):10} {verdict}"
    return expected, f"{text}  [{mutant['what']}; {time.monotonic() - begin:.1f} s]"


def try_level(programs, objects, tree, place):
    """"yes" where a test fails, "hangs" where one does not end, "no" where all pass, "" where none has the source."""
    answer = ""
    for name, tests in programs.items():
        if f"tests/{name}" not in tree.test_programs() or not tree.contents(f"tests/{name}") & objects.keys():
            continue
        program = tree.link(f"tests/{name}", objects, place)
        by = run_tests(program, tests, tree.build, LEVEL_TIMEOUT_S).by
        program.unlink()
        if by:
            return "hangs" if "(hangs" in by else "yes"
        answer = "no"
    return answer


def try_levels(mutant, tree):
    place = tree.build / "mutants" / ("levels." + mutant["id"])
    objects = compile_mutant(mutant, tree, place)
    return [try_level(programs, objects, tree, place) if mutant["file"].startswith(folders) else ""
            for _, _, folders, programs in LEVELS]


def level_table(mutants, tree):
    """Markdown: a row per mutant, a column per level."""
    lines = ["# Planted faults and the levels that notice them", "",
             "Written by `tests/mutants/run.py --levels`. yes: a test of the level fails; hangs: one does not end in "
             f"{LEVEL_TIMEOUT_S} s; no: all pass; empty: the level does not judge the source. Levels leave some tests out: "
             "what none of them notices is killed by the tests that mutants.json names for it.", ""]
    for name, what, _, programs in LEVELS:
        listed = ", ".join(program if tests == "*" else f"{program} {tests}" for program, tests in programs.items())
        lines.append(f"- **{name}**: {what}: {listed}")
    names = [name for name, *_ in LEVELS]
    lines += ["", "| fault | file | " + " | ".join(names) + " |", "|---|---|" + "---|" * len(names)]
    with concurrent.futures.ThreadPoolExecutor(2 * os.cpu_count()) as pool:
        for mutant, answers in zip(mutants, pool.map(lambda one: try_levels(one, tree), mutants)):
            lines.append(f"| {mutant['id']}: {mutant['what']} | {mutant['file']} | " + " | ".join(answers) + " |")
            print(f"{mutant['id']:26} " + " ".join(f"{n}={a}" for n, a in zip(names, answers) if a), flush=True)
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", type=pathlib.Path, metavar="FILE", help="try every level, write the table")
    parser.add_argument("source_dir", type=pathlib.Path)
    parser.add_argument("build_dir", type=pathlib.Path)
    parser.add_argument("ids", nargs="*", metavar="ID")
    words = parser.parse_args()
    source_dir, build = words.source_dir.resolve(), words.build_dir.resolve()
    if not (build / "build.ninja").exists():
        print("not a Ninja build")
        return 77
    tree = BuildTree(source_dir, build)
    mutants = json.loads((pathlib.Path(__file__).parent / "mutants.json").read_text())
    unknown = set(words.ids) - {mutant["id"] for mutant in mutants}
    if unknown:
        parser.error("no such mutant: " + ", ".join(sorted(unknown)))
    chosen = [mutant for mutant in mutants if not words.ids or mutant["id"] in words.ids]
    if words.levels:
        words.levels.write_text(level_table(chosen, tree))
        return 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda mutant: judge(mutant, tree), chosen))
    for _, line in results:
        print(line)
    failed = sum(not expected for expected, _ in results)
    print(f"{len(results)} mutants, {failed} not as expected")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
