#!/usr/bin/env python3
"""Every memory order of the engine, weakened: which search notices? Writes ORDERS.md.

    tests/mutants/order_table.py SOURCE_DIR BUILD_DIR [--output FILE]

Needs the target order_search. A row per call of an accessor of runtime/base/atomic.h in runtime/ that is not relaxed, and
per call of the port that releases or acquires; per weakening the first of order_search's searches that fails.
Deterministic: the searches are, and rows stand in the order of the source.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

CALL = re.compile(r"\b(load_acquire|load_seq_cst|store_release|store_seq_cst|exchange_seq_cst|compare_exchange_seq_cst|fetch_add_seq_cst)\b"
                  r"|\bport(->|\.)(lock|unlock|wait|notify|start|join)\(")
RELAXED, PAIRED, UPDATE = 1, 2, 4
SURVIVES = "survives"


def accesses(program):
    """{address: (access, {words})} of all that the searches meet."""
    done = subprocess.run([program], check=True, capture_output=True, text=True)
    found = {}
    for line in done.stdout.splitlines():
        address, access, word = line.split(" ", 2)
        found.setdefault(address, (int(access), set()))[1].add(word)
    return found


def lines_of(program, addresses):
    """{address: (file, line, function)} of the call outside runtime/base/atomic.h. A return address belongs to what comes next:
    one less."""
    calls = [hex(int(address, 16) - 1) for address in addresses]
    command = ["addr2line", "-i", "-a", "-f", "-C", "-e", program] + calls
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found, frames = {}, []
    for line in done.stdout.splitlines():
        if line.startswith("0x"):
            frames = []
            found[addresses[len(found)]] = frames
        else:
            frames.append(line)
    places = {}
    for address, stack in found.items():
        pairs = zip(stack[::2], stack[1::2])
        # An accessor that was not inlined has no caller here: its own line stands for all of its calls.
        function, place = next((pair for pair in pairs if "runtime/base/atomic.h" not in pair[1]), stack[:2])
        file, line = place.split(" ")[0].rsplit(":", 1)
        name = re.search(r"(\w+)\(", function)
        name = name.group(1) if name else function.split("::")[-1]
        places[address] = (re.sub(r".*/runtime/", "runtime/", os.path.normpath(file)), int(line), name)
    return places


def sites(program, source_dir):
    """[(file, line, accessor, words, access, [addresses])]; calls on one line are told apart by accessor and word."""
    met = accesses(program)
    groups = {}
    for address, (file, line, function) in lines_of(program, list(met)).items():
        access, words = met[address]
        if (access & RELAXED) != 0:
            continue
        groups.setdefault((file, line, function, access & (PAIRED | UPDATE), ", ".join(sorted(words))), []).append(address)
    rows = []
    for (file, line, function, access, words), addresses in sorted(groups.items()):
        text = (source_dir / file).read_text().splitlines()[line - 1].strip()
        rows.append((file, line, function, text, words, access, sorted(addresses)))
    return rows


def unmet(source_dir, rows):
    """Lines with a call that no search came to."""
    seen = {(file, line) for file, line, *_ in rows}
    lines = []
    for path in sorted((source_dir / "runtime").rglob("*")):
        file = str(path.relative_to(source_dir))
        if path.suffix not in (".cpp", ".h") or file == "runtime/base/atomic.h":
            continue
        for number, text in enumerate(path.read_text().splitlines(), 1):
            if CALL.search(text) and (file, number) not in seen:
                lines.append((file, number, text.strip()))
    return lines


def ask(program, order, addresses):
    done = subprocess.run([program, "c11", order] + addresses, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def judge(program, access, addresses):
    """[as acquire or release, as relaxed]; empty: it is that already, or less has been noticed."""
    paired = "" if (access & PAIRED) != 0 else ask(program, "paired", addresses)
    return [paired, ask(program, "relaxed", addresses) if paired in ("", SURVIVES) else ""]


def order_name(access):
    return "acquire/release" if (access & PAIRED) != 0 else "seq_cst"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source_dir", type=pathlib.Path)
    parser.add_argument("build_dir", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(__file__).parent / "ORDERS.md")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    words = parser.parse_args()
    program = str(next(words.build_dir.resolve().rglob("order_search")))
    rows = sites(program, words.source_dir.resolve())
    with concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
        jobs = [pool.submit(judge, program, access, addresses) for *_, access, addresses in rows]
        out = ["# Memory orders of the engine and the searches that need them", "",
               "Written by `tests/mutants/order_table.py`. Each access of a shared word counts as if it had been announced in a",
               "weaker order, each call of the port that locks, unlocks, waits, notifies, starts or joins as if it neither released",
               "nor acquired anything; the first search under the C++20 memory model that breaks a law is named, with the law and",
               "the executions it took. *survives*: none does; docs/ENGINE.md says why the order stands all the same. Relaxed is",
               "tried where acquire/release survives.", "",
               "| place | call | word | order | as acquire/release | as relaxed |", "|---|---|---|---|---|---|"]
        survivors = 0
        for (file, line, function, text, names, access, _), job in zip(rows, jobs):
            answers = job.result()
            survivors += (answers[0] or answers[1]) == SURVIVES
            text = text.replace("|", "\\|")
            out.append(f"| {file}, {function} | `{text}` | {names} | {order_name(access)} | {answers[0]} | {answers[1]} |")
            print(f"{file}:{line} {names}: {answers}", flush=True)
    rest = unmet(words.source_dir.resolve(), rows)
    calls = sum(names.startswith("the port's") for *_, names, _, _ in rows)
    out += ["", f"{len(rows) - calls} accesses, {calls} calls of the port; {survivors} survive one step."]
    if rest:
        out += ["", "Not met by any search:", ""] + [f"- {file}: `{text}`" for file, line, text in rest]
    words.output.write_text("\n".join(out) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
