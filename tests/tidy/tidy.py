"""Rules over the tracked files of the tree: what may be here, how large, where, and what names it.

A tree is a dictionary, path from the root -> content in bytes. Each rule is a function tree -> findings, one sentence a
finding; exceptions stand in the tables below, each with its reason. What the rules find is shown by tidy_test.py.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess

PRODUCT = ("base", "runtime", "models", "harness", "sim", "verify", "reports", "app", "cli")
SOURCE = (".cpp", ".c")
HEADER = (".hpp", ".h")
KB = 1000

# Text that belongs to no folder in particular, and what single folders hold besides.
EXTENSIONS = {".c", ".cmake", ".cpp", ".h", ".hpp", ".json", ".md", ".py", ".sh", ".toml", ".txt"}
EXTENSIONS_OF = {
    "app/": {".in"},
    "bench/networks/": {".js"},
    "cmake/": {".in"},
    "docs/": {".png"},
    "models/emit_c/": {".in"},
    "reports/html/": {".css", ".js"},
    "sim/platform/": {".in"},
    "tests/cli/": {".csv"},
    "tests/fuzz/corpus/": {".bz2", ".csv", ".gz", ".params", ".part", ".pkg", ".tar", ".xz"},
    "tests/models/import/tvm/fixtures/": {".dcf", ".params", ".tar", ".tsv"},
    "tests/reports/": {".tsv"},
    "tests/sim/": {".csv", ".tsv"},
    "tests/verify/smt/golden/": {".smt2"},
}
PLAIN_NAMES = {".ci/run", ".gitignore", "LICENSE"}
PLAIN_FOLDERS = ("debian/", "tests/fuzz/corpus/", "tests/fuzz/dictionaries/")  # Debian's names, names of inputs, of targets

MAX_BYTES = 100 * KB
LARGE = {
    "docs/report.png": (400 * KB, "the picture of a report that the first page shows"),
    "tests/models/import/tvm/golden/cases_mains.txt": (300 * KB, "a golden file of what each C function of a list becomes"),
}

# Files that tests read and nothing here compiles.
DATA = ("tests/models/import/tvm/fixtures/", "tests/models/import/tvm/hostile/", "tests/models/import/tvm/vendor/",
        "tests/models/import/tvm/entities/sources/", "tests/fuzz/corpus/", "tests/cli/transcripts/inputs/")
NO_TARGET = {
    "tests/targets/firmware.c": "compiled for bare metal by tools/targets.sh",
    "tests/targets/libc/string.c": "compiled for bare metal by tools/targets.sh",
}

NO_README = {
    ".ci": "one script",
    "debian": "files that Debian's tools read",
    "docs": "every file is such a document",
}

MAX_SOURCES = 25

# A source whose functions another header declares: tests/tidy/headers.txt, "source: header" a line.
HEADERS = "tests/tidy/headers.txt"
NO_HEADER = (
    "cli/commands/",  # cli/command.hpp declares what adds each
    "harness/access/probe_recorder.c",  # a text that is compiled with the kernels of a module, in place of a library
)

BANNED = {
    r"\b(TODO|FIXME|HACK)\b": "work that is left is no part of the tree",
    r"/(work|home|root|Users)/\w": "a path of somebody's machine",
    r"\.library/": "a path of somebody's machine",
    r"[ \t]+$": "white space at the end of a line",
    "\t": "a tab",
    "\r": "a line end of another system",
}
# Builtins, attributes and pragmas of a compiler, and where target code may have them.
COMPILER_WORDS = re.compile(r"\b__(builtin_|atomic_|sync_|attribute__|declspec|asm)|#\s*pragma (?!once)|\basm\b *(volatile)?\(")
COMPILER_WORDS_IN = {
    "runtime/include/detent/compiler.h": "of the public headers",
    "runtime/base/compiler.h": "of the sources",
    "runtime/base/float_environment.h": "a control register of each processor",
    "runtime/kernels/builtin.cpp": "asks an x86 what it can do",
    "runtime/kernels/isa/vec_gnu.h": "vectors of gcc and clang; vec_standard.h does without",
    "runtime/ports/pause.h": "one instruction of each processor",
}
BANNED_EVERYWHERE_BUT = DATA + ("tests/tidy/", "models/emit_c/Makefile.in")  # make wants tabs
TEXT = (".c", ".cmake", ".cpp", ".css", ".h", ".hpp", ".in", ".js", ".md", ".py", ".sh", ".toml")


def tracked_files(root):
    """(tree, how it was listed): what git tracks, or all files where there is no git."""
    git = shutil.which("git", path=os.environ.get("PATH", "") + ":/usr/bin:/usr/local/bin")  # no program of the build
    listing = subprocess.run([git, "-C", str(root), "ls-files", "-z"], capture_output=True, check=False) if git else None
    if listing and listing.returncode == 0:
        names, how = listing.stdout.decode().split("\0"), "tracked by git"
    else:
        names, how = [], "found below the root: git does not answer here, so files that it does not track count too"
        for folder, below, files in os.walk(root):
            at_top = pathlib.Path(folder) == pathlib.Path(root)
            below[:] = [name for name in below if name not in (".git", "__pycache__") and not (at_top and name == "build")]
            names += [os.path.relpath(os.path.join(folder, name), root) for name in files]
    paths = {name: pathlib.Path(root, name) for name in names if name}
    return {name: path.read_bytes() for name, path in sorted(paths.items()) if path.is_file()}, how


def extension(name):
    return os.path.splitext(name)[1]


def stem(name):
    return os.path.splitext(name)[0]


def check_extensions(tree):
    found = []
    for name in tree:
        of_folder = set().union(*(own for folder, own in EXTENSIONS_OF.items() if name.startswith(folder)))
        is_plain = name in PLAIN_NAMES or name.startswith(PLAIN_FOLDERS) or name.endswith("/.clang-format")
        if not (is_plain or name in (".clang-format", ".clang-tidy") or extension(name) in EXTENSIONS | of_folder):
            found.append(f"{name}: files of this kind do not belong here; tests/tidy/tidy.py lists those that do")
    return found


def check_sizes(tree):
    limits = {name: LARGE.get(name, (MAX_BYTES, ""))[0] for name in tree}
    return [f"{name}: {len(tree[name])} bytes; at most {limit}" for name, limit in limits.items() if len(tree[name]) > limit]


def cmake_files(tree):
    return {name: text.decode() for name, text in tree.items()
            if name.endswith(".cmake") or os.path.basename(name) == "CMakeLists.txt"}


def listed_sources(tree):
    """Every path that a CMake file names, from the root; a list that CMake appends .cpp to counts as such."""
    listed = set()
    for file, text in cmake_files(tree).items():
        folder = os.path.dirname(file)
        text = re.sub(r"#.*", "", text)
        text = re.sub(r"\$\{CMAKE_CURRENT_(SOURCE|LIST)_DIR\}/", "", text)
        for word in re.findall(r"[^\s();\"]+", text):
            at_root = re.match(r"\$\{(?:CMAKE|PROJECT)_SOURCE_DIR\}/(.*)", word)
            listed.add(at_root[1] if at_root else os.path.normpath(os.path.join(folder, word)))
        for names in re.findall(r"set\((\w+_targets)\s([^)]*)\)", text):
            listed |= {os.path.join(folder, name + ".cpp") for name in names[1].split()}
    return listed


def check_targets(tree):
    listed = listed_sources(tree)
    return [f"{name}: in no target; name it in the CMakeLists.txt of its folder" for name in tree
            if name.endswith(SOURCE) and not name.startswith(DATA) and name not in NO_TARGET and name not in listed]


def check_readmes(tree):
    folders = {name.split("/")[0] for name in tree if "/" in name}
    return [f"{folder}/: no README.md; say what it turns into what, its arrows, what to read first"
            for folder in sorted(folders) if f"{folder}/README.md" not in tree and folder not in NO_README]


def declared_elsewhere(tree):
    lines = tree.get(HEADERS, b"").decode().splitlines()
    return dict(line.split(": ") for line in lines if line and not line.startswith("#"))


def includes(text, header):
    public = header.removeprefix("runtime/include/")
    return f'#include "{header}"' in text or (public != header and f"#include <{public}>" in text)


def check_headers(tree):
    rows, found = declared_elsewhere(tree), []
    for name in tree:
        if not name.startswith(tuple(folder + "/" for folder in PRODUCT)) or not name.endswith(SOURCE):
            continue
        has_own = any(stem(name) + suffix in tree for suffix in HEADER)
        header = rows.pop(name, None)
        if has_own and header:
            found.append(f"{name}: has a header of its own; take its row out of {HEADERS}")
        elif header and not (header in tree and includes(tree[name].decode(), header)):
            found.append(f"{name}: does not include {header}, which {HEADERS} names")
        elif not has_own and not header and not name.startswith(NO_HEADER):
            found.append(f"{name}: no header of its own; declare it in {os.path.basename(stem(name))}.hpp, or name the header "
                         f"that does in {HEADERS}")
    return found + [f"{name}: in {HEADERS}, but not in the tree" for name in rows]


def check_type_names(tree):
    """Two types of one name in one namespace would be one to the linker, whatever they hold."""
    places = collections.defaultdict(list)
    for name in sorted(tree):
        if extension(name) not in HEADER or not name.startswith(tuple(f"{folder}/" for folder in PRODUCT)):
            continue
        space = ""
        for line in tree[name].decode().splitlines():
            if opened := re.match(r"namespace ([\w:]+) \{", line):
                space = opened[1]
            elif defined := re.match(r"(?:struct|class|enum class) (?:alignas\(\w+\) )?(\w+)(?:| final| :.*| final :.*)? \{", line):
                places[f"{space}::{defined[1]}"].append(name)
    return [f"{names[1]}: {type_} is defined in {names[0]} as well; give one of them another name"
            for type_, names in sorted(places.items()) if len(names) > 1]


def check_folders(tree):
    counts = collections.Counter(os.path.dirname(name) for name in tree
                                 if name.endswith(SOURCE + HEADER) and not name.startswith(DATA))
    return [f"{folder}/: {count} sources and headers; at most {MAX_SOURCES}: it has more than one subject"
            for folder, count in sorted(counts.items()) if count > MAX_SOURCES]


def check_words(tree):
    found = []
    for name, text in tree.items():
        if not name.endswith(TEXT) or name.startswith(BANNED_EVERYWHERE_BUT):
            continue
        for at, line in enumerate(text.decode().split("\n"), 1):
            found += [f"{name}:{at}: {why}" for pattern, why in BANNED.items() if re.search(pattern, line)]
    return found


def check_compiler_words(tree):
    """Target code says what it wants of a compiler in one header alone."""
    return [f"{name}:{at}: a word of one compiler; runtime/base/compiler.h is the place for it"
            for name, text in tree.items()
            if name.startswith("runtime/") and name.endswith(SOURCE + HEADER) and name not in COMPILER_WORDS_IN
            for at, line in enumerate(text.decode().split("\n"), 1) if COMPILER_WORDS.search(line)]


def check_tables(tree):
    """Exceptions that nothing needs any more."""
    named = [*LARGE, *NO_TARGET, *PLAIN_NAMES, *COMPILER_WORDS_IN]
    small = [name for name in LARGE if name in tree and len(tree[name]) <= MAX_BYTES]
    return [f"{name}: in a table of tests/tidy/tidy.py, but not in the tree" for name in named if name not in tree] + \
           [f"{name}: small enough without its row in tests/tidy/tidy.py" for name in small]


RULES = [check_extensions, check_sizes, check_targets, check_readmes, check_headers, check_type_names, check_folders, check_words, check_compiler_words]
