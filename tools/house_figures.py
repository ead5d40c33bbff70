#!/usr/bin/env python3
"""How the tree is built, in figures: functions, comments, classes, modules, folders, tests.

Usage: tools/house_figures.py [--json] [ROOT]
Counted are the C and C++ files of the product (base, runtime, models, harness, sim, verify, reports, app, cli); a
function or method is recognised by its layout, which clang-format makes the same everywhere. A module is the header and the
source of one stem in one folder.
"""
import collections
import json
import os
import pathlib
import re
import statistics
import sys

FOLDERS = ("base", "runtime", "models", "harness", "sim", "verify", "reports", "app", "cli")
PUBLIC = "runtime/include/detent/"
SOURCE = (".cpp", ".c")
HEADER = (".hpp", ".h")
NO_FUNCTION = re.compile(r"^\s*(if|else|for|while|switch|do|catch|try|return|namespace|struct|class|enum|union|case)\b|[=]\s*\{$")
OPENS = re.compile(r"^(\s*)\S.*\)\s*(const|noexcept|override|final|->\s*[\w:<>&*, ]+|:\s.*)*\s*\{$|^(\s*)\S.*\}\)?,?\s.*\)\s*\{$")
CLASS = re.compile(r"^(\s*)(?:template <.*> )?(class|struct) (?:alignas\(\w+\) )?(\w+)[^;]*\{$")
METHOD = re.compile(r"^[^/=]*?[~\w\]>]\(.*")


def source_files(root):
    """Relative names of all C and C++ files outside of build/ and hidden folders, sorted."""
    names = []
    for folder, below, files in os.walk(root):
        at_top = pathlib.Path(folder) == root
        below[:] = [name for name in below if not name.startswith(".") and not (at_top and name == "build")]
        names += [os.path.relpath(os.path.join(folder, name), root) for name in files if name.endswith(SOURCE + HEADER)]
    return sorted(names)


def function_lengths(lines):
    """Lines of each function body that has its closing brace on a line of its own at the indent of its beginning."""
    lengths, at = [], 0
    while at < len(lines):
        if OPENS.match(lines[at]) and not NO_FUNCTION.match(lines[at]):
            begin = at
            while begin > 0 and re.match(r"^\s{4,}", lines[begin]) and not lines[begin - 1].endswith((";", "{", "}")):
                begin -= 1
            indent = re.match(r"\s*", lines[begin]).group()
            end = next((k for k in range(at + 1, len(lines)) if lines[k].rstrip() == indent + "}"), None)
            if end is not None and len(indent) <= 2:
                lengths.append(end - at + 1)
                at = end
        at += 1
    return lengths


def methods(lines):
    """[(class, its member functions)] of a header."""
    found = []
    for at, line in enumerate(lines):
        begin = CLASS.match(line)
        if not begin:
            continue
        indent = begin.group(1)
        names = set()
        for inner in lines[at + 1:]:
            if inner.startswith(indent + "};"):
                break
            body = inner[len(indent) + 1:].lstrip() if re.match(rf"^{indent} {{1,2}}\S", inner) else ""
            named = re.match(r"^(?:\[\[\w+\]\] )?(?:[\w:<>&*, ~]+ )?[&*]?(~?\w+|operator\S+)\(", body)
            if named and not body.startswith(("if", "for", "using", "friend", "//", "return")):
                names.add(named.group(1))
        names -= {begin.group(3), "~" + begin.group(3)}
        found.append((begin.group(3), len(names)))
    return found


def comment_share(texts):
    lines = [line.strip() for text in texts for line in text]
    lines = [line for line in lines if line]
    inside, comments = False, 0
    for line in lines:
        starts = line.startswith(("//", "/*"))
        comments += inside or starts
        if (inside or starts) and not line.startswith("//"):
            inside = "*/" not in line
    return comments / max(len(lines), 1)


def cycles(graph):
    """Strongly connected components of more than one node."""
    index, low, stack, on, found, count = {}, {}, [], set(), [], 0
    for root in graph:
        work = [(root, iter(sorted(graph[root])))] if root not in index else []
        if work:
            index[root] = low[root] = count
            count += 1
            stack.append(root)
            on.add(root)
        while work:
            node, rest = work[-1]
            child = next(rest, None)
            if child is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = []
                    while True:
                        part.append(stack.pop())
                        on.discard(part[-1])
                        if part[-1] == node:
                            break
                    if len(part) > 1:
                        found.append(sorted(part))
            elif child not in index:
                index[child] = low[child] = count
                count += 1
                stack.append(child)
                on.add(child)
                work.append((child, iter(sorted(graph.get(child, ())))))
            elif child in on:
                low[node] = min(low[node], index[child])
    return found


def stem(name):
    return name.rsplit(".", 1)[0]


def figures(root):
    files = source_files(root)
    text = {name: (root / name).read_text(encoding="utf-8", errors="replace").split("\n") for name in files
            if (root / name).is_file()}
    product = [name for name in text if name.split("/")[0] in FOLDERS]
    lengths = sorted(length for name in product for length in function_lengths(text[name]))
    classes = sorted(((count, kind, name) for name in product if name.endswith(HEADER + SOURCE)
                      for kind, count in methods(text[name])), reverse=True)
    graph = collections.defaultdict(set)
    folders = collections.defaultdict(set)
    for name in product:
        graph[stem(name)]
        for line in text[name]:
            included = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
            target = included and included.group(1)
            if target and target.startswith("detent/"):
                target = "runtime/include/" + target
            if target in text and target.split("/")[0] in FOLDERS:
                if stem(target) != stem(name):
                    graph[stem(name)].add(stem(target))
                if os.path.dirname(target) != os.path.dirname(name):
                    folders[os.path.dirname(name)].add(os.path.dirname(target))
    sizes = collections.Counter(os.path.dirname(name) for name in text if "/fixtures/" not in name and "/vendor/" not in name)
    sources = [name for name in product if name.endswith(SOURCE)]
    headers = {stem(name) for name in product if name.endswith(HEADER)}
    lines = collections.Counter()
    for name in text:
        if "/fixtures/" in name or "/vendor/" in name or "/hostile/" in name:
            continue
        lines[name.split("/")[0] if name.split("/")[0] in FOLDERS else "tests " + "".join(name.split("/")[1:2])
              if name.startswith(("tests/", "properties/")) else "other"] += len(text[name])
    return {
        "files": len(product),
        "lines": sum(len(text[name]) for name in product),
        "function_lines": {"median": statistics.median(lengths), "p90": lengths[len(lengths) * 9 // 10], "max": lengths[-1]},
        "comment_share": {"headers": round(comment_share(text[n] for n in product if n.endswith(HEADER)), 3),
                          "public_headers": round(comment_share(text[n] for n in product if n.startswith(PUBLIC)), 3)},
        "largest_classes": [{"methods": count, "class": kind, "file": name} for count, kind, name in classes[:5]],
        "module_cycles": cycles(graph),
        "folder_cycles": cycles(folders),
        "folders_above_25": {folder: size for folder, size in sorted(sizes.items(), key=lambda x: -x[1]) if size > 25},
        "sources_without_a_header": {"count": sum(stem(name) not in headers for name in sources), "of": len(sources)},
        "lines_by_folder": {folder: lines[folder] for folder in FOLDERS if lines[folder]},
        "test_lines_per_source_line": round(sum(n for f, n in lines.items() if f.startswith("tests ")) /
                                            max(sum(lines[f] for f in FOLDERS), 1), 2),
        "tests_by_folder": {folder: round(lines["tests " + folder] / lines[folder], 2) for folder in FOLDERS if lines[folder]},
    }


def main(arguments):
    as_json = "--json" in arguments
    rest = [argument for argument in arguments if argument != "--json"]
    if len(rest) > 1 or any(argument.startswith("-") for argument in rest):
        print(__doc__.strip(), file=sys.stderr)
        return 0 if rest in (["--help"], ["-h"]) else 2
    root = pathlib.Path(rest[0] if rest else pathlib.Path(__file__).resolve().parent.parent)
    answer = figures(root)
    if as_json:
        print(json.dumps(answer, indent=1))
        return 0
    for key, value in answer.items():
        if isinstance(value, dict):
            value = ", ".join(f"{name} {number}" for name, number in value.items()) or "none"
        elif key == "largest_classes":
            value = ", ".join(f"{one['class']} {one['methods']}" for one in value)
        elif isinstance(value, list):
            value = "; ".join(" - ".join(one) for one in value) or "none"
        print(f"{key.replace('_', ' '):28}{value}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
