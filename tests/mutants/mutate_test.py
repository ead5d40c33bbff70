#!/usr/bin/env python3
"""Tests of tools/mutate.py: what it draws from a text, and what it says of a small project with lines that no test sees."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "mutants"))
import sites  # noqa: E402

SOURCE = """\
#include "runtime/part.h"
int twice(int a) {
  int sum = 0;
  sum = a + a;
  return sum;
}
int never_tested(int a) {
  return a + 2;
}
int waits(int a) {
  int left = a;
  while (left > 0)
    left = left - 1;
  return left;
}
"""
# The first test fails without any mutant, and so must kill none.
TESTS = """\
#include "runtime/part.h"
#include <gtest/gtest.h>
TEST(Part, FailsAnyway) { EXPECT_EQ(twice(1), 7); }
TEST(Part, Twice) { EXPECT_EQ(twice(3), 6); }
TEST(Part, Waits) { EXPECT_EQ(waits(3) + waits(-2), -2); }
"""
PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
find_package(GTest REQUIRED)
include_directories(${CMAKE_SOURCE_DIR})
add_library(part STATIC runtime/part.cpp)
add_executable(part_tests tests/runtime/part_test.cpp)
target_link_libraries(part_tests PRIVATE part GTest::gtest_main GTest::gtest)
"""


def kinds(line, before="", after=""):
    """{(kind, changed line)} of a line in a function."""
    text = f"void f() {{\n{before}  {line}\n{after}}}\n"
    number = 2 + before.count("\n")
    return {(one.kind, one.after.strip()) for one in sites.mutations("sim/f.cpp", text) if one.line == number}


class Sites(unittest.TestCase):
    def test_conditions_and_comparisons(self):
        found = kinds("if (a < b && !c) stop();")
        for expected in [("negate", "if (!(a < b && !c)) stop();"), ("negate", "if (a < b && c) stop();"),
                         ("boundary", "if (a <= b && !c) stop();"), ("logic", "if (a < b || !c) stop();"),
                         ("drop", "if (a < b && !c) ;")]:
            self.assertIn(expected, found)

    def test_statements_arguments_constants_and_signs(self):
        self.assertEqual(kinds("put(a, -b + 1);"), {
            ("drop", ";"), ("swap", "put(-b + 1, a);"), ("sign", "put(a, b + 1);"), ("sign", "put(a, -b - 1);"),
            ("constant", "put(a, -b + 2);"), ("constant", "put(a, -b + 0);")})

    def test_jumps_and_else(self):
        self.assertEqual(kinds("} else {", "  if (a) {\n", "  }\n"), {("else", "}  {")})
        self.assertEqual(kinds("continue;"), {("jump", ";"), ("jump", "break;")})
        self.assertIn(("return", "return {};"), kinds("return a;"))
        self.assertIn(("return", 'return "?";'), kinds('return "";'))
        self.assertNotIn(("return", "return {};"), kinds('return "";'))

    def test_comments_literals_templates_and_assertions_are_no_code(self):
        for line in ["// if (a < b) stop();", "#define A(b) (b + 1)", "std::vector<int> a;", "DETENT_ASSERT(a < 1);",
                     "int a{b};"]:
            self.assertEqual(kinds(line), set(), line)
        self.assertEqual(kinds('log("a < 1 && b", 2000\'000);  // 7 + 8'), {("drop", ";  // 7 + 8")})

    def test_a_drawing_depends_on_its_seed_and_on_the_lines_themselves(self):
        text = "".join(f"  a[{n}] = b + {n};\n" for n in range(200))
        order = sites.in_drawing_order(sites.mutations("sim/f.cpp", text), 5)
        self.assertEqual(len(order), 200)
        self.assertNotEqual([one.id for one in order],
                            [one.id for one in sites.in_drawing_order(sites.mutations("sim/f.cpp", text), 6)])
        moved = sites.in_drawing_order(sites.mutations("sim/f.cpp", "  x = 1;\n\n" + text), 5)
        self.assertEqual([one.id for one in moved if "x = 1" not in one.before], [one.id for one in order])


class Equivalent(unittest.TestCase):
    def test_each_row_is_of_a_line_that_exists_and_says_why(self):
        for row in json.loads((ROOT / "tests/mutants/equivalent.json").read_text()):
            lines = {line.strip() for line in (ROOT / row["file"]).read_text().split("\n")}
            self.assertIn(row["before"], lines, f"{row['file']}: the line is gone; delete its row in equivalent.json")
            self.assertTrue(row["why"].endswith("."), row)


class Mutate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.directory.name)
        files = {"CMakeLists.txt": PROJECT, "runtime/part.cpp": SOURCE, "tests/runtime/part_test.cpp": TESTS,
                 "runtime/part.h": "int twice(int);\nint never_tested(int);\nint waits(int);\n", "equivalent.json": "[]"}
        for name, text in files.items():
            (cls.root / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.root / name).write_text(text)
        for command in (["cmake", "-G", "Ninja", "-S", cls.root, "-B", cls.root / "build"], ["ninja", "-C", cls.root / "build"]):
            subprocess.run(command, check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def mutate(self, *words):
        command = [ROOT / "tools/mutate.py", "--source", self.root, "--build", self.root / "build", "--cpu-limit", "1",
                   "--equivalent", self.root / "equivalent.json", "--json", self.root / "out.json", *words]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True)

    def test_untested_lines_survive_and_tested_ones_do_not(self):
        done = self.mutate("--seed", "3", "--count", "99")
        self.assertEqual(done.returncode, 1, done.stderr)
        rows = json.loads((self.root / "out.json").read_text())
        verdicts = {row["line"]: row["verdict"] for row in rows}
        self.assertEqual(verdicts[3], "equivalent", rows)  # overwritten in the next line: the same object code
        self.assertEqual(verdicts[4], "killed")
        self.assertEqual(verdicts[8], "survived")
        self.assertEqual({row["by"] for row in rows if row["line"] == 4}, {"tests/part_tests: Part.Twice"})
        (survivor,) = [row for row in rows if row["verdict"] == "survived"]
        self.assertIn("SURVIVED runtime/part.cpp:8", done.stdout)
        self.assertIn("tools/mutate.py --id " + survivor["id"], done.stdout)

        again = self.mutate("--seed", "3", "--count", "99")  # goes on where it ended: nothing is left to do
        self.assertEqual((again.stdout, again.stderr, again.returncode), (done.stdout, "", 1))

        row = {"file": "runtime/part.cpp", "before": survivor["before"], "after": survivor["after"], "why": "By hand."}
        (self.root / "equivalent.json").write_text(json.dumps([row]))
        judged = self.mutate("--id", survivor["id"], "--retry")
        self.assertEqual(judged.returncode, 0, judged.stdout)
        self.assertIn("runtime         1       0         0           1", judged.stdout)

    def test_a_mutant_that_hangs_is_killed(self):
        listed = self.mutate("--list", "--count", "99", "--seed", "3").stdout
        self.assertEqual(listed, self.mutate("--list", "--count", "99", "--seed", "3").stdout)
        found = sites.mutations("runtime/part.cpp", SOURCE)
        (hangs,) = [one.id for one in found if one.after == "    left = left - 0;"]
        done = self.mutate("--id", hangs)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("Part.Waits (hangs: 1 s of processor time)", (self.root / "out.json").read_text())


if __name__ == "__main__":
    unittest.main()
