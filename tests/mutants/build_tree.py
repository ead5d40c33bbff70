"""A Ninja build tree from which faulty programs are made: which test programs contain a source, and how it is compiled,
linked and run.

A fault costs one compilation and one link: the changed object goes before the archives of a test program that is built
already, so that the linker leaves the sound object of the archive alone. Where the archive's object was made of several
sources, the changed one alone is compiled, and of two definitions the linker takes the first; not where the compiler may
have copied a function of one source into another (-O2 and above). All but the runtime is compiled by Clang, where there is
one, with the headers of precompiled.hpp read once, and what no test waits for (UNHURRIED) without optimisation: half the time.
"""
import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import threading
import time

MEMORY_BYTES = 12 << 30  # of a faulty program; address space, of which the explorers reserve much
FILE_BYTES = 1 << 30
UNHURRIED = ("base/", "models/", "harness/", "reports/", "app/", "cli/")
SEARCHES = ("sim/", "verify/")  # stay optimised, as the engine does
PRECOMPILED = pathlib.Path(__file__).resolve().parent / "precompiled.hpp"
# Of compilers, as in tools/build.sh.
LARGE_PAGES = ("glibc.malloc.hugetlb=1:glibc.malloc.top_pad=67108864:glibc.malloc.mmap_threshold=33554432:"
               "glibc.malloc.trim_threshold=4294967296")
IDLE_S = 40  # a test that takes next to no processor time for so long waits for ever


class NotBuildable(ValueError):
    """A change that does not compile or link."""


class NoTests(ValueError):
    """A filter that matches no test: nothing was tried."""


def run_command(command, directory):
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, errors="replace",
                          env={**os.environ, "GLIBC_TUNABLES": LARGE_PAGES})
    if done.returncode != 0:
        raise NotBuildable("does not build:\n" + done.stderr[-2000:])


class BuildTree:
    def __init__(self, source_dir, build):
        self.source_dir, self.build = source_dir, build
        entries = json.loads((build / "compile_commands.json").read_text())
        self.compilations = {}  # object -> (words, source from the root)
        for entry in entries:
            words = shlex.split(entry["command"])
            name = os.path.relpath(os.path.join(entry["directory"], entry["file"]), source_dir)
            self.compilations[words[words.index("-o") + 1]] = (words, name)
        self.links = {}  # archive, module or program -> (kind, objects, archives, what must be built before)
        text = (build / "build.ninja").read_text()
        rule = re.compile(r"^build ([^\s:|]+)[^:\n]*: C(?:XX)?_(EXECUTABLE|STATIC_LIBRARY|MODULE_LIBRARY)_LINKER__\S+ (.*)$",
                          re.MULTILINE)
        for output, kind, rest in rule.findall(text):
            parts = re.split(r" (\|\|?) ", " " + rest)
            named = dict(zip(["", *parts[1::2]], (part.split() for part in parts[0::2])))
            self.links[output] = (kind, named[""], named.get("|", []), named.get("||", []))
        self._precompiled, self._precompiling = {}, threading.Lock()  # {options: the header compiled with them}

    def objects_of(self, file):
        """The objects that a change of the file changes: its own, or of all that include a header."""
        own = [target for target, (_, name) in self.compilations.items() if name == file]
        return own or sorted(self._dependents().get(file, ()))

    @functools.lru_cache(maxsize=None)
    def _dependents(self):
        listing = subprocess.run(["ninja", "-t", "deps"], cwd=self.build, check=True, capture_output=True, text=True)
        users, target = {}, ""
        for line in listing.stdout.splitlines():
            if not line.startswith(" "):
                target = line.split(":")[0]
            elif line:
                name = os.path.relpath(os.path.join(self.build, line.strip()), self.source_dir)
                if not name.startswith("..") and target in self.compilations:
                    users.setdefault(name, set()).add(target)
        return users

    @functools.lru_cache(maxsize=None)
    def contents(self, program):
        """The objects of a program, its archives' included."""
        _, objects, archives, _ = self.links[program]
        inner = [member for archive in archives if archive in self.links for member in self.links[archive][1]]
        return frozenset(objects) | frozenset(inner)

    @functools.lru_cache(maxsize=None)
    def modules(self):
        return [output for output, (kind, *_) in self.links.items() if kind == "MODULE_LIBRARY"]

    @functools.lru_cache(maxsize=None)
    def test_programs(self):
        """GoogleTest programs that are built."""
        return [output for output, (kind, _, archives, _) in self.links.items()
                if kind == "EXECUTABLE" and any("gtest" in archive for archive in archives)
                and (self.build / output).exists()]

    def starts(self, program):
        """The programs of the product that a test program starts as processes."""
        return [other for other in self.links[program][3] if self.links.get(other, ("",))[0] == "EXECUTABLE"]

    def sources_of(self, program):
        """The program's own sources: what a test program tests with."""
        found = []
        for target in self.links[program][1]:
            if target not in self.compilations:
                continue
            source = self.compilations[target][1]
            found.extend(self.pieces_of(source) if "/Unity/" in str(source) else [source])
        return found

    def pieces_of(self, unity):
        """The sources that a unity build puts into one."""
        included = re.findall(r'#include "(.*)"', (self.source_dir / unity).read_text())
        return [os.path.relpath(path, self.source_dir) for path in included]

    def stands_alone(self, target, file):
        """Can `file` be compiled without the other sources of the object?"""
        words, source = self.compilations[target]
        levels = [word for word in words if re.fullmatch(r"-O[0-3s]", word)]
        return ("/Unity/" in source and file.endswith(".cpp") and levels[-1:] in (["-O0"], ["-O1"])
                and not any(target in self.links[output][1] for output, (kind, *_) in self.links.items()
                            if kind != "STATIC_LIBRARY"))

    def compile(self, target, file, text, place):
        """The object `target` with `text` in the place of `file` (its source or a header of it). @return its path"""
        words, source = self.compilations[target]
        if self.stands_alone(target, file):
            source = file
        overlay = place / "overlay"
        changed = overlay / file
        changed.parent.mkdir(parents=True, exist_ok=True)
        changed.write_text(text)
        output = place / "objects" / target
        output.parent.mkdir(parents=True, exist_ok=True)
        words = list(words[os.path.basename(words[0]) == "ccache":])
        words[words.index("-o") + 1] = str(output)
        if "/Unity/" in source:  # it names its pieces by their whole paths
            unity = place / "unity.cpp"
            unity.write_text((self.source_dir / source).read_text().replace(f'"{self.source_dir / file}"', f'"{changed}"'))
            source = str(unity)
        words[words.index("-c") + 1] = str(overlay / source if source == file else self.source_dir / source)
        # Accesses beyond a container's end are noticed here as the sanitizers of the instrumented build notice them.
        words += ["-iquote", str((self.source_dir / source).parent), "-O1", "-w", "-D_GLIBCXX_ASSERTIONS",
                  f"-fmacro-prefix-map={overlay}={self.source_dir}"]
        if file.startswith(UNHURRIED + SEARCHES) and source.endswith((".cpp", ".cxx")):
            words = self._by_clang(words, "-O0" if file.startswith(UNHURRIED) else "-O1")
        words[1:1] = ["-I", str(overlay)]  # before all others
        run_command(words, self.build)
        return output

    def _by_clang(self, words, optimise):
        """The same compilation by Clang with precompiled headers; as it was where there is no Clang."""
        clang = shutil.which("clang++-19")
        if not clang:
            return words
        kept = [clang]
        for before, word in zip(words, words[1:]):  # without the precompiled header of the build's own compiler
            if "-include" not in (before, word) and word != "-Winvalid-pch":
                kept.append(word)
        kept += [optimise, "-DFMT_SHARED"]
        options = tuple(word for word in kept[1:] if re.match(r"-(std=|f|w$|O|DNDEBUG|DFMT_SHARED|D_GLIBCXX)", word)
                        and not word.startswith("-fmacro-prefix-map"))
        with self._precompiling:
            if options not in self._precompiled:
                # Named by its options and put there whole: other processes compile with headers of the same folder.
                name = hashlib.sha256("\0".join(options).encode()).hexdigest()[:12]
                header = self.build / "mutants" / f"precompiled.{name}.pch"
                header.parent.mkdir(exist_ok=True)
                part = header.with_suffix(f".{os.getpid()}")
                run_command([clang, *options, "-fpch-instantiate-templates", "-x", "c++-header", str(PRECOMPILED), "-o",
                             str(part)], self.build)
                part.replace(header)
                self._precompiled[options] = header
        return [*kept, "-include-pch", str(self._precompiled[options])]

    @functools.lru_cache(maxsize=None)
    def _link_words(self, output):
        listing = subprocess.run(["ninja", "-t", "commands", output], cwd=self.build, check=True, capture_output=True,
                                 text=True)
        words = shlex.split(listing.stdout.strip().splitlines()[-1].split("&&")[1])
        assert words[words.index("-o") + 1] == output, words
        return words

    def link(self, output, objects, place):
        """A program or module with objects ({target: path}) in the place of its own. @return its path"""
        contents = self.contents(output)
        replaced = {target: str(path) for target, path in objects.items() if target in contents}
        own = set(self.links[output][1])
        words = [replaced.get(word, word) if word in own else word for word in self._link_words(output)]
        modules = {module: self.link(module, objects, place) for module in self.modules()
                   if module != output and self.contents(module) & objects.keys()}
        if modules:
            old, new = str(self.build / "modules"), str(place / "modules")
            words = [word.replace(old, new) for word in words]
            for module in self.modules():
                if module not in modules and not (place / module).exists():
                    (place / module).symlink_to(self.build / module)
        at = words.index("-o")
        target = place / output
        target.parent.mkdir(parents=True, exist_ok=True)
        before = [path for name, path in replaced.items() if name not in own]
        fast = ["-fuse-ld=lld"] if shutil.which("ld.lld") else []
        fast.append("-Wl,-z,muldefs")  # an object of one source of several: its definitions come first
        run_command(words[:at] + fast + before + ["-o", str(target)] + words[at + 2:], self.build)
        return target


def last_test(output):
    started = re.findall(r"^\[ RUN      \] (\S+)", output, re.MULTILINE)
    return started[-1] if started else "start-up"


def _set_limits():
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored in what a shell runs in the background


def _wants_to_run(thread):
    try:
        return thread.read_text().rpartition(")")[2].split()[0] in "RD"
    except OSError:
        return False


def _threads(process):
    try:
        return list(process.glob("task/*/stat"))
    except OSError:
        return []  # ended meanwhile


def _usage(session):
    """(processor time of all processes of a session, those that ended included; whether none of them wants more)"""
    ticks, waits = 0, True
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # ended meanwhile
        if int(fields[3]) == session:
            ticks += sum(int(field) for field in fields[11:15])
            waits = waits and not any(_wants_to_run(thread) for thread in _threads(stat.parent))
    return ticks / os.sysconf("SC_CLK_TCK"), waits


class _Watch:
    """Ends a program whose present test takes too much processor time, or none at all for too long."""

    def __init__(self, program, lines, cpu_limit_s, idle_limit_s):
        self.program, self.lines, self.cpu_limit_s, self.idle_limit_s = program, lines, cpu_limit_s, idle_limit_s
        self.case, self.case_cpu_s, self.cpu_s, self.idle_since = "", 0.0, 0.0, time.monotonic()

    def hangs(self):
        """Why it must be ended, or ""."""
        case, (cpu_s, waits), now = last_test("".join(self.lines)), _usage(self.program.pid), time.monotonic()
        if case != self.case:
            self.case, self.case_cpu_s, self.idle_since = case, cpu_s, now
        if cpu_s > self.cpu_s + 0.1 or not waits:  # one that asks every millisecond takes less
            self.cpu_s, self.idle_since = cpu_s, now
        if cpu_s - self.case_cpu_s > self.cpu_limit_s(case):
            return f"{self.cpu_limit_s(case):.0f} s of processor time"
        return f"idle for {self.idle_limit_s} s" if now - self.idle_since > self.idle_limit_s else ""


@dataclasses.dataclass
class Tested:
    by: str  # the first test that fails, or "" when all pass
    output: str
    cpu_share: float  # processor time per second, at most 1: what a loaded machine left to the program


def run_tests(program, tests, build, timeout_s=None, cpu_limit_s=None, environment=None, idle_limit_s=IDLE_S):
    """Run tests of a program until one fails.

    timeout_s: of the whole program. cpu_limit_s(test): processor time, which a loaded machine does not stretch; with it
    a test that takes none for idle_limit_s, and wants none, is ended too.
    """
    variables = dict(os.environ, RC_PARAMS="seed=20240229", **(environment or {}))
    command = [str(program), f"--gtest_filter={tests}", "--gtest_fail_fast", "--gtest_color=no"]
    started = subprocess.Popen(command, cwd=build, env=variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=_set_limits, text=True,
                               errors="replace")
    lines, begin, ended = [], time.monotonic(), ""
    reader = threading.Thread(target=lambda: [lines.append(line) for line in started.stdout])
    reader.start()
    watch = _Watch(started, lines, cpu_limit_s, idle_limit_s) if cpu_limit_s else None
    pause_s = 0.2
    while not ended:
        try:
            started.wait(pause_s)
            break
        except subprocess.TimeoutExpired:
            pause_s = min(2, 1.5 * pause_s)
            if timeout_s and time.monotonic() - begin > timeout_s:
                ended = f"{timeout_s} s"
            elif watch:
                ended = watch.hangs()
    if ended:
        os.killpg(started.pid, signal.SIGKILL)  # also what the test started
        started.wait()
    reader.join()
    output, took_s = "".join(lines), time.monotonic() - begin
    cpu_share = min(1, (watch.cpu_s + 0.3) / took_s) if watch and took_s > 1 else 1
    if ended:
        return Tested(last_test(output) + f" (hangs: {ended})", output, cpu_share)
    if re.search(r"\[==========\] Running 0 tests", output):
        raise NoTests(f"no test matches {tests}")
    if started.returncode == 0:
        return Tested("", output, cpu_share)
    failed = re.search(r"^\[  FAILED  \] ([^\s,]+)", output, re.MULTILINE)
    by = failed.group(1) if failed else last_test(output) + f" (ends with {started.returncode})"
    return Tested(by, output, cpu_share)
