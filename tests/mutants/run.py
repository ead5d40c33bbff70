#!/usr/bin/env python3
"""Plant each fault of mutants.json into a copy of one source file and require that the tests named for it fail.

Usage: run.py SOURCE_DIR BUILD_DIR [ID ...]

A mutant costs one compilation and one link: the changed object goes before the archives of a test program that is built
already, so that the linker leaves the sound object of the archive alone. Prints who killed each mutant, or SURVIVED,
which fails; a row with "survives" must survive, or the way of building is at fault. Exit code 77: not a Ninja build.
"""
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


def build_mutant(mutant, source_dir, build, place):
    source = source_dir / mutant["file"]
    text = source.read_text()
    if text.count(mutant["find"]) != 1:
        raise ValueError(f"{mutant['file']} holds the text to replace {text.count(mutant['find'])} times, not once")
    place.mkdir(parents=True, exist_ok=True)
    mutated = place / source.name
    mutated.write_text(text.replace(mutant["find"], mutant["replace"]))
    target = place / mutant["program"]
    for command in (compile_command(build, source, mutated, place / "mutant.o"),
                    link_command(build, mutant["program"], place / "mutant.o", target)):
        done = subprocess.run(command, cwd=build, capture_output=True, text=True)
        if done.returncode != 0:
            raise ValueError("does not build:\n" + done.stderr[-2000:])
    return target


def killer(program, tests, build):
    """The first test that fails, or "" when all pass."""
    environment = dict(os.environ, RC_PARAMS="seed=20240229")
    command = [str(program), f"--gtest_filter={tests}", "--gtest_fail_fast", "--gtest_color=no"]
    try:
        done = subprocess.run(command, cwd=build, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S,
                              errors="replace")
    except subprocess.TimeoutExpired as stopped:
        output = (stopped.stdout or b"").decode(errors="replace")
        return last_test(output) + f" (hangs for {TIMEOUT_S} s)"
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
        program = build_mutant(mutant, source_dir, build, build / "mutants" / mutant["id"])
        by = killer(program, mutant["tests"], build)
    except ValueError as wrong:
        return False, f"{mutant['id']:24} BROKEN   {wrong}"
    expected = bool(by) != mutant.get("survives", False)
    verdict = f"killed by {by}" if by else "survives" if expected else "SURVIVED"
    return expected, f"{mutant['id']:24} {verdict}  [{mutant['what']}; {time.monotonic() - begin:.1f} s]"


def main():
    source_dir, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    if not (build / "build.ninja").exists():
        print("not a Ninja build")
        return 77
    mutants = json.loads((pathlib.Path(__file__).parent / "mutants.json").read_text())
    wanted = sys.argv[3:] or [mutant["id"] for mutant in mutants]
    chosen = [mutant for mutant in mutants if mutant["id"] in wanted]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda mutant: judge(mutant, source_dir, build), chosen))
    for _, line in results:
        print(line)
    failed = sum(not expected for expected, _ in results)
    print(f"{len(results)} mutants, {failed} not as expected")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
