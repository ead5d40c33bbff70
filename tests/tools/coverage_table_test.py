"""tools/coverage_table.py on two folders with known lines; tools/coverage_worlds.txt on the tests that there are;
tools/coverage.sh on a tree whose lines are counted by hand, with programs in place of cmake and ctest."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
PROGRAM = ROOT / "tools/coverage_table.py"

SUMMARY = {"files": [{"filename": "sim/a.cpp", "line_covered": 3, "line_total": 4},
                     {"filename": "sim/deep/b.cpp", "line_covered": 4, "line_total": 4},
                     {"filename": "base/c.cpp", "line_covered": 1, "line_total": 3},
                     {"filename": "simple/d.cpp", "line_covered": 0, "line_total": 9}]}
NATIVE = {"files": [{"file": "sim/a.cpp", "lines": [{"count": 2}, {"count": 0}, {"count": 7, "gcovr/noncode": True},
                                                    {"count": 7, "gcovr/excluded": True}, {"count": 1, "gcovr/noncode": False}]},
                    {"file": "base/c.cpp", "lines": [{"count": 1}]}, {"file": "simple/d.cpp", "lines": [{"count": 1}]}]}


class CoverageTable(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.file("summary.json", json.dumps(SUMMARY))
        self.file("native.json", json.dumps(NATIVE))
        self.file("idle.json", json.dumps({"files": []}))
        self.file("worlds.txt", "# words\nnative run_tests\nnative ops_tests\nsimulated sim_tests\n")
        self.file("tests.txt", "run_tests\nsim_tests\nops_tests\nother_tests\n")

    def file(self, name, text):
        pathlib.Path(self.place.name, name).write_text(text)
        return name

    def table(self, gates, *words):
        self.file("gates.txt", gates)
        return self.run_program("gates.txt", "summary.json", *words)

    def run_program(self, *words):
        done = subprocess.run([sys.executable, "-B", PROGRAM, *words], cwd=self.place.name, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_folders_at_their_gates_hold(self):
        self.assertEqual((0, "folder       covered      gate\n"
                             "sim            87.5%     87.5%\n"
                             "base           33.3%       33%\n"), self.table("# gates\nsim 87.5\nbase 33\n"))

    def test_a_folder_below_its_gate_fails(self):
        code, text = self.table("sim 88\nbase 33\n")
        self.assertEqual(1, code)
        self.assertIn("sim            87.5%       88%  BELOW THE GATE\n", text)
        self.assertNotIn("33%  BELOW", text)

    def test_a_folder_without_lines_fails(self):
        code, text = self.table("gone 1\n")
        self.assertEqual(2, code)
        self.assertIn("coverage: gone: no line of it was compiled\n", text)

    def test_worlds_are_shares_of_the_lines_of_all(self):
        code, text = self.table("sim 80\nbase 30\n", "native=native.json", "simulated=idle.json")
        self.assertEqual(0, code)
        self.assertEqual("folder       covered      gate     native  simulated\n"
                         "sim            87.5%       80%      25.0%       0.0%\n"
                         "base           33.3%       30%      33.3%       0.0%\n", text)

    def test_tests_of_a_world(self):
        self.assertEqual((0, "^(run_tests|ops_tests)$\n"), self.run_program("--tests", "native", "worlds.txt", "tests.txt"))
        self.assertEqual((0, "^(sim_tests)$\n"), self.run_program("--tests", "simulated", "worlds.txt", "tests.txt"))
        self.assertEqual((0, "^(run_tests|ops_tests|sim_tests)$\n"),
                         self.run_program("--tests", "several", "worlds.txt", "tests.txt"))

    def test_a_list_that_names_what_is_not_there_fails(self):
        self.file("tests.txt", "run_tests\nsim_tests\n")
        code, text = self.run_program("--tests", "native", "worlds.txt", "tests.txt")
        self.assertEqual((2, "coverage: worlds.txt: there is no test ops_tests; correct the list\n"), (code, text))
        self.file("tests.txt", "run_tests\nsim_tests\nops_tests\n")
        code, text = self.run_program("--tests", "explored", "worlds.txt", "tests.txt")
        self.assertEqual((2, "coverage: worlds.txt: no test of the world explored; name one, or several\n"), (code, text))

    def test_without_files_it_says_how_it_is_called(self):
        self.assertEqual(2, self.run_program()[0])

    def test_the_list_of_this_tree_names_tests_of_it(self):
        tests = "\n".join(path.read_text() for path in ROOT.glob("tests/**/CMakeLists.txt"))
        tests += "\n".join(path.read_text() for path in ROOT.glob("properties/**/CMakeLists.txt"))
        for line in (ROOT / "tools/coverage_worlds.txt").read_text().splitlines():
            if not line.startswith("#"):
                self.assertIn(line.split()[1], tests)
                self.assertIn(line.split()[0], ("native", "simulated", "explored"))


ENGINE = """int engine(int x) {
  if (x == 1) {
    return 10;
  }
  if (x == 2) {
    return 20;
  }
  return 0;
}
"""
CHIP = "int chip(int x) {\n  return x + 1;\n}\n"
NEVER = "int never(int x) {\n  return x;\n}\n"
MAIN = """#include <cstdlib>
int engine(int);
int chip(int);
int main(int, char** words) { return std::atoi(words[1]) == 2 ? chip(engine(2)) * 0 : engine(std::atoi(words[1])) * 0; }
"""
CTEST = """#!/usr/bin/env python3
import re, subprocess, sys
tests = {"runtime_tests": "1", "sim_tests": "2", "explore_threads_tests": "3", "app_tests": "4"}
words = sys.argv[1:]
if "-N" in words:
    print("".join(f"  Test  #{i}: {name}\\n" for i, name in enumerate(tests)))
    sys.exit(0)
for name, number in tests.items():
    if "-R" in words and not re.search(words[words.index("-R") + 1], name):
        continue
    if "-E" in words and re.search(words[words.index("-E") + 1], name):
        continue
    print("runs", name)
    subprocess.check_call(["build/cov/program", number])
"""


class CoverageScript(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.tree = pathlib.Path(place.name).resolve()
        texts = {"runtime/engine.cpp": ENGINE, "sim/chip.cpp": CHIP, "sim/never.cpp": NEVER, "main.cpp": MAIN,
                 "bin/cmake": "#!/bin/sh\n", "bin/ctest": CTEST, "tools/coverage_gates.txt": "runtime 99\nsim 50\n",
                 "tools/coverage_worlds.txt": "native runtime_tests\nsimulated sim_tests\nexplored explore_threads_tests\n"}
        for name, text in texts.items():
            (self.tree / name).parent.mkdir(exist_ok=True)
            (self.tree / name).write_text(text)
        for name in ("bin/cmake", "bin/ctest"):
            (self.tree / name).chmod(0o755)
        for name in ("build.sh", "coverage.sh", "coverage_table.py"):
            shutil.copy(ROOT / "tools" / name, self.tree / "tools" / name)
        objects = []
        for name in ("runtime/engine", "sim/chip", "sim/never"):
            objects.append(self.tree / "build/cov" / (name + ".o"))
            objects[-1].parent.mkdir(parents=True, exist_ok=True)
            self.compile("-c", self.tree / (name + ".cpp"), "-o", objects[-1])
        subprocess.run(["clang++-19", "-c", "main.cpp", "-o", "main.o"], cwd=self.tree, check=True)
        self.compile("main.o", *objects, "-o", "build/cov/program")

    def compile(self, *words):
        subprocess.run(["clang++-19", "-O0", "--coverage", *words], cwd=self.tree, check=True)

    def coverage(self, *words):
        environment = {**os.environ, "PATH": f"{self.tree}/bin:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "tools/coverage.sh", *words], cwd=self.tree, env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_the_worlds_together_are_the_whole(self):
        ran = "runs runtime_tests\nruns sim_tests\nruns explore_threads_tests\nruns app_tests\n"
        self.assertEqual((0, ran + "folder       covered      gate     native  simulated   explored    several\n"
                                   "runtime       100.0%       99%      57.1%      71.4%      71.4%      71.4%\n"
                                   "sim            50.0%       50%       0.0%      50.0%       0.0%       0.0%\n"),
                         self.coverage("--worlds"))
        self.assertTrue((self.tree / "build/cov/coverage.html").exists())

    def test_another_option_is_refused(self):
        self.assertEqual((2, "coverage: --world is no option; --worlds is the only one\n"), self.coverage("--world"))


unittest.main()
