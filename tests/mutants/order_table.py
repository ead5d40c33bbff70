#!/usr/bin/env python3
"""Every memory order of the engine, weakened: which search notices? Writes ORDERS.md.

    tests/mutants/order_table.py SOURCE_DIR BUILD_DIR [--output FILE]

Needs the target order_search. A row per call of an accessor of runtime/atomic.h in runtime/ that is not relaxed; per
weakening the first of order_search's searches that fails. Deterministic: the searches are, and rows stand in the order of
the source.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

CALL = re.compile(r"\b(load_acquire|load_fenced|store_release|store_fenced|exchange_fenced|replace_fenced|fetch_add_fenced)\b")
RELAXED, PAIRED, UPDATE = 1, 2, 4


def accesses(program):
    """{address: (access, {words})} of all that the searches meet."""
    done = subprocess.run([program], check=True, capture_output=True, text=True)
    found = {}
    for line in done.stdout.splitlines():
        address, access, word = line.split(" ", 2)
        found.setdefault(address, (int(access), set()))[1].add(word)
    return found


def lines_of(program, addresses):
    """{address: (file, line)} of the call outside runtime/atomic.h. A return address belongs to what comes next: one less."""
    calls = [hex(int(address, 16) - 1) for address in addresses]
    done = subprocess.run(["addr2line", "-i", "-a", "-e", program] + calls, check=True, capture_output=True, text=True)
    found, frames = {}, []
    for line in done.stdout.splitlines():
        if line.startswith("0x"):
            frames = []
            found[addresses[len(found)]] = frames
        else:
            frames.append(line.split(" ")[0])
    places = {}
    for address, stack in found.items():
        outer = next(frame for frame in stack if "runtime/atomic.h" not in frame)
        file, line = outer.rsplit(":", 1)
        places[address] = (re.sub(r".*/runtime/", "runtime/", os.path.normpath(file)), int(line))
    return places


def sites(program, source_dir):
    """[(file, line, accessor, words, access, [addresses])]; calls on one line are told apart by accessor and word."""
    met = accesses(program)
    groups = {}
    for address, (file, line) in lines_of(program, list(met)).items():
        access, words = met[address]
        if (access & RELAXED) != 0:
            continue
        groups.setdefault((file, line, access & (PAIRED | UPDATE), ", ".join(sorted(words))), []).append(address)
    rows = []
    for (file, line, access, words), addresses in sorted(groups.items()):
        text = (source_dir / file).read_text().splitlines()[line - 1].strip()
        rows.append((file, line, text, words, access, sorted(addresses)))
    return rows


def unmet(source_dir, rows):
    """Lines with a call that no search came to."""
    seen = {(file, line) for file, line, *_ in rows}
    lines = []
    for path in sorted((source_dir / "runtime").rglob("*")):
        file = str(path.relative_to(source_dir))
        if path.suffix not in (".cpp", ".h") or file == "runtime/atomic.h":
            continue
        for number, text in enumerate(path.read_text().splitlines(), 1):
            if CALL.search(text) and (file, number) not in seen:
                lines.append((file, number, text.strip()))
    return lines


def ask(program, memory, order, addresses):
    done = subprocess.run([program, memory, order] + addresses, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def order_name(access):
    return "acquire/release" if (access & PAIRED) != 0 else "seq_cst"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source_dir", type=pathlib.Path)
    parser.add_argument("build_dir", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(__file__).parent / "ORDERS.md")
    words = parser.parse_args()
    program = str(next(words.build_dir.resolve().rglob("order_search")))
    rows = sites(program, words.source_dir.resolve())
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, line, text, names, access, addresses in rows:
            paired = None if (access & PAIRED) != 0 else pool.submit(ask, program, "c11", "paired", addresses)
            jobs.append((paired, pool.submit(ask, program, "c11", "relaxed", addresses)))
        out = ["# Memory orders of the engine and the searches that need them", "",
               "Written by `tests/mutants/order_table.py`. Each access of a shared word counts as if it had been announced in a",
               "weaker order; the first search under the C++20 memory model that breaks a law is named, with the law and the",
               "executions it took. *survives*: none does; docs/ENGINE.md says why the order stands all the same.", "",
               "| place | call | word | order | as acquire/release | as relaxed |", "|---|---|---|---|---|---|"]
        survivors = 0
        for (file, line, text, names, access, _), (paired, relaxed) in zip(rows, jobs):
            answers = [paired.result() if paired else "", relaxed.result()]
            survivors += (answers[0] or answers[1]) == "survives"
            text = text.replace("|", "\\|")
            out.append(f"| {file}:{line} | `{text}` | {names} | {order_name(access)} | {answers[0]} | {answers[1]} |")
            print(f"{file}:{line} {names}: {answers}", flush=True)
    rest = unmet(words.source_dir.resolve(), rows)
    out += ["", f"{len(rows)} accesses; {survivors} survive one step."]
    if rest:
        out += ["", "Not met by any search:", ""] + [f"- {file}:{line}: `{text}`" for file, line, text in rest]
    words.output.write_text("\n".join(out) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
