#!/usr/bin/env python3
"""Plant each fault of mutants.json into a copy of one source file and require that the tests named for it fail.

Usage: run.py [--levels FILE] SOURCE_DIR BUILD_DIR [ID ...]

A mutant costs one compilation and one link: the changed object goes before the archives of a test program that is built
already, so that the linker leaves the sound object of the archive alone. Prints who killed each mutant and on which
level of checking, or SURVIVED, which fails; a row with "survives" must survive, or the way of building is at fault.
--levels FILE tries every mutant on every level that contains its source and writes the table (Markdown); it takes
half an hour of processor time. Exit code 77: not a Ninja build.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

TIMEOUT_S = 15  # a mutant that hangs is found too
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


def compile_command(build, source, mutated, target):
    """The build's own command for the file, on the changed copy, with little optimisation and no warnings."""
    entries = json.loads((build / "compile_commands.json").read_text())
    words = next(shlex.split(e["command"]) for e in entries if e["file"] == str(source))
    words[words.index("-o") + 1] = str(target)
    words[words.index("-c") + 1] = str(mutated)
    return words + ["-O1", "-w"]


def link_command(build, program, mutant_object, target):
    output = f"tests/{program}"
    listing = subprocess.run(["ninja", "-t", "commands", output], cwd=build, check=True, capture_output=True, text=True)
    line = listing.stdout.strip().splitlines()[-1]
    words = shlex.split(line.split("&&")[1])
    at = words.index("-o")
    assert words[at + 1] == output, line
    return words[:at] + [str(mutant_object), "-o", str(target)] + words[at + 2:]


def run(command, build):
    done = subprocess.run(command, cwd=build, capture_output=True, text=True)
    if done.returncode != 0:
        raise ValueError("does not build:\n" + done.stderr[-2000:])


def compile_mutant(mutant, source_dir, build, place):
    """The changed source's object."""
    source = source_dir / mutant["file"]
    text = source.read_text()
    if text.count(mutant["find"]) != 1:
        raise ValueError(f"{mutant['file']} holds the text to replace {text.count(mutant['find'])} times, not once")
    place.mkdir(parents=True, exist_ok=True)
    mutated = place / source.name
    mutated.write_text(text.replace(mutant["find"], mutant["replace"]))
    run(compile_command(build, source, mutated, place / "mutant.o"), build)
    return place / "mutant.o"


def link_mutant(program, mutant_object, build):
    """The test program with the object before its archives."""
    target = mutant_object.parent / program
    run(link_command(build, program, mutant_object, target), build)
    return target


def killer(program, tests, build, timeout_s=TIMEOUT_S):
    """The first test that fails, or "" when all pass."""
    environment = dict(os.environ, RC_PARAMS="seed=20240229")
    command = [str(program), f"--gtest_filter={tests}", "--gtest_fail_fast", "--gtest_color=no"]
    try:
        done = subprocess.run(command, cwd=build, env=environment, capture_output=True, text=True, timeout=timeout_s,
                              errors="replace")
    except subprocess.TimeoutExpired as stopped:
        output = (stopped.stdout or b"").decode(errors="replace")
        return last_test(output) + f" (hangs for {timeout_s} s)"
    if re.search(r"\[==========\] Running 0 tests", done.stdout):
        raise ValueError(f"no test matches {tests}")
    if done.returncode == 0:
        return ""
    failed = re.search(r"^\[  FAILED  \] ([^\s,]+)", done.stdout, re.MULTILINE)
    return failed.group(1) if failed else last_test(done.stdout) + f" (ends with {done.returncode})"


def last_test(output):
    started = re.findall(r"^\[ RUN      \] (\S+)", output, re.MULTILINE)
    return started[-1] if started else "start-up"


def judge(mutant, source_dir, build):
    """(as expected, one line of text)"""
    begin = time.monotonic()
    try:
        mutated = compile_mutant(mutant, source_dir, build, build / "mutants" / mutant["id"])
        by = killer(link_mutant(mutant["program"], mutated, build), mutant["tests"], build)
    except ValueError as wrong:
        return False, f"{mutant['id']:26} BROKEN   {wrong}"
    expected = bool(by) != mutant.get("survives", False)
    verdict = f"killed by {by}" if by else "survives" if expected else "SURVIVED"
    text = f"{mutant['id']:26} {level_of(mutant['program']):10} {verdict}"
    return expected, f"{text}  [{mutant['what']}; {time.monotonic() - begin:.1f} s]"


def contains(build, program, mutant):
    """Does the program link the archive in which the mutant's source lies?"""
    listing = subprocess.run(["ninja", "-t", "inputs", f"tests/{program}"], cwd=build, capture_output=True, text=True)
    return any(line.endswith(f"/{mutant['file']}") for line in listing.stdout.splitlines())


def try_level(mutant, programs, mutated, build):
    """"yes" where a test fails, "hangs" where one does not end, "no" where all pass, "" where none has the source."""
    answer = ""
    for program, tests in programs.items():
        if not (build / "tests" / program).exists() or not contains(build, program, mutant):
            continue
        try:
            target = link_mutant(program, mutated, build)
        except ValueError:
            continue  # built after the archive, but does not link it
        by = killer(target, tests, build, LEVEL_TIMEOUT_S)
        target.unlink()
        if by:
            return "hangs" if "(hangs" in by else "yes"
        answer = "no"
    return answer


def try_levels(mutant, source_dir, build):
    mutated = compile_mutant(mutant, source_dir, build, build / "mutants" / ("levels." + mutant["id"]))
    return [try_level(mutant, programs, mutated, build) if mutant["file"].startswith(folders) else ""
            for _, _, folders, programs in LEVELS]


def level_table(mutants, source_dir, build):
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
        for mutant, answers in zip(mutants, pool.map(lambda one: try_levels(one, source_dir, build), mutants)):
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
    mutants = json.loads((pathlib.Path(__file__).parent / "mutants.json").read_text())
    unknown = set(words.ids) - {mutant["id"] for mutant in mutants}
    if unknown:
        parser.error("no such mutant: " + ", ".join(sorted(unknown)))
    chosen = [mutant for mutant in mutants if not words.ids or mutant["id"] in words.ids]
    if words.levels:
        words.levels.write_text(level_table(chosen, source_dir, build))
        return 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda mutant: judge(mutant, source_dir, build), chosen))
    for _, line in results:
        print(line)
    failed = sum(not expected for expected, _ in results)
    print(f"{len(results)} mutants, {failed} not as expected")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
