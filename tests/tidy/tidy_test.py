"""The tree keeps the rules of tidy.py, and each rule finds what is planted against it. Usage: tidy_test.py ROOT"""
import pathlib
import sys
import tempfile
import unittest

import tidy

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
TREE, HOW = tidy.tracked_files(ROOT)


class Tree(unittest.TestCase):
    def test_the_tree_is_listed(self):
        print(f"{len(TREE)} files, {HOW}", file=sys.stderr)
        self.assertGreater(len(TREE), 1000)

    def test_every_rule_holds(self):
        for rule in tidy.RULES + [tidy.check_tables]:
            with self.subTest(rule.__name__):
                self.assertEqual([], rule(TREE))


class Planted(unittest.TestCase):
    def found_by(self, rule, planted):
        """What the rule finds in a tree of the planted files alone."""
        return rule({name: text.encode() for name, text in planted.items()})

    def test_files_of_a_kind_that_does_not_belong_are_found(self):
        planted = {"cli/cmd_run.gcno": "", "verify/a.css": "", "reports/html/a.css": "", "base/notes": "", "LICENSE": "",
                   "tests/fuzz/corpus/json/number": ""}
        self.assertEqual(["base/notes", "cli/cmd_run.gcno", "verify/a.css"],
                         sorted(line.split(":")[0] for line in self.found_by(tidy.check_extensions, planted)))

    def test_large_files_are_found(self):
        large = "a" * (tidy.MAX_BYTES + 1)
        self.assertEqual(["base/a.cpp: 100001 bytes; at most 100000"],
                         self.found_by(tidy.check_sizes, {"base/a.cpp": large, "base/b.cpp": large[1:], "docs/report.png": large}))

    def test_sources_in_no_target_are_found(self):
        planted = {"base/CMakeLists.txt": "detent_folder(detent_base a.cpp\n  deep/b.cpp  # c.cpp\n)", "base/a.cpp": "",
                   "base/deep/b.cpp": "", "base/c.cpp": "", "base/deep/a.cpp": "", "base/a.hpp": "",
                   "tests/CMakeLists.txt": "add_library(x ${CMAKE_SOURCE_DIR}/sim/d.cpp ${CMAKE_CURRENT_SOURCE_DIR}/e.cpp)",
                   "sim/d.cpp": "", "tests/e.cpp": "", "tests/fuzz/sources.cmake": "set(fuzz_targets json toml)",
                   "tests/fuzz/json.cpp": "", "tests/fuzz/yaml.cpp": "", "tests/models/import/tvm/vendor/a.c": ""}
        self.assertEqual(["base/c.cpp", "base/deep/a.cpp", "tests/fuzz/yaml.cpp"],
                         sorted(line.split(":")[0] for line in self.found_by(tidy.check_targets, planted)))

    def test_folders_without_a_readme_are_found(self):
        planted = {"base/a.cpp": "", "sim/README.md": "", "sim/chip/chip.cpp": "", "debian/control": "", "README.md": ""}
        self.assertEqual(["base/: no README.md; say what it turns into what, its arrows, what to read first"],
                         self.found_by(tidy.check_readmes, planted))

    def test_types_of_one_name_in_one_namespace_are_found(self):
        planted = {"verify/a/arc.hpp": "namespace detent::verify {\nstruct Arc;\nstruct Arc {\n};\n}",
                   "verify/b/arc.hpp": "namespace detent::verify {\nclass Arc final : public Base {\n};\nstruct Edge {\n};\n}",
                   "models/arc.hpp": "namespace detent::models {\nstruct Arc {\n};\nclass Edge;\n}",
                   "verify/c.hpp": "namespace detent::verify {\nclass Edge;\n}"}
        self.assertEqual(["verify/b/arc.hpp: detent::verify::Arc is defined in verify/a/arc.hpp as well; "
                          "give one of them another name"], self.found_by(tidy.check_type_names, planted))

    def test_sources_without_a_header_are_found(self):
        planted = {"base/own.cpp": "", "base/own.hpp": "", "base/none.cpp": "", "tests/none.cpp": "", "base/row.cpp": "",
                   "runtime/row.cpp": '#include <detent/port.h>\n', "runtime/include/detent/port.h": "",
                   "base/silent.cpp": "", tidy.HEADERS: "# a comment\nbase/own.cpp: base/own.hpp\nruntime/row.cpp: "
                   "runtime/include/detent/port.h\nbase/silent.cpp: base/own.hpp\nbase/gone.cpp: base/own.hpp\n"
                   "base/row.cpp: base/missing.hpp\n"}
        self.assertEqual(
            ["base/gone.cpp: in tests/tidy/headers.txt, but not in the tree",
             "base/none.cpp: no header of its own; declare it in none.hpp, or name the header that does in tests/tidy/headers.txt",
             "base/own.cpp: has a header of its own; take its row out of tests/tidy/headers.txt",
             "base/row.cpp: does not include base/missing.hpp, which tests/tidy/headers.txt names",
             "base/silent.cpp: does not include base/own.hpp, which tests/tidy/headers.txt names"],
            sorted(self.found_by(tidy.check_headers, planted)))

    def test_crowded_folders_are_found(self):
        names = [f"{folder}/a{at}.{suffix}" for folder in ("sim", "tests/models/import/tvm/vendor")
                 for at in range(13) for suffix in ("cpp", "hpp")]
        planted = {name: "" for name in names + ["sim/chip/a.cpp", "base/a.cpp", "base/a.json"]}
        self.assertEqual(["sim/: 26 sources and headers; at most 25: it has more than one subject"],
                         self.found_by(tidy.check_folders, planted))

    def test_banned_words_are_found(self):
        planted = {"base/a.cpp": "int a;\n// TODO: more\n", "base/b.hpp": "x = 1; \n", "docs/c.md": "see /home/me/notes\n",
                   "tools/d.sh": "cd /Users/me/copy\n", "base/e.cpp": "\tint a;\n", "base/f.cpp": "int a;\r\n",
                   "tests/models/import/tvm/vendor/a.c": "// TODO\n", "base/g.cpp": 'auto_todo("mkstemp.XXXXXX"); all_.library.find(a);\n'}
        self.assertEqual(["base/a.cpp:2", "base/b.hpp:1", "base/e.cpp:1", "base/f.cpp:1", "docs/c.md:1", "tools/d.sh:1"],
                         sorted({line.split(": ")[0] for line in self.found_by(tidy.check_words, planted)}))

    def test_words_of_one_compiler_in_target_code_are_found(self):
        planted = {"runtime/engine/a.cpp": "int b = __builtin_ctz(a);\n", "runtime/b.h": "#pragma GCC unroll 8\n#pragma once\n",
                   "runtime/c.h": "int f() __attribute__((noinline));\n", "runtime/d.cpp": "\n__atomic_load_n(&word, order);\n",
                   "runtime/e.cpp": '__asm__ volatile("nop");\n', "runtime/base/compiler.h": "__builtin_ctz(a)", "sim/a.cpp": "__builtin_ctz(a)",
                   "runtime/f.cpp": "count_trailing_zeros(a); basm(1);\n"}
        self.assertEqual(["runtime/b.h:1", "runtime/c.h:1", "runtime/d.cpp:2", "runtime/e.cpp:1", "runtime/engine/a.cpp:1"],
                         sorted(line.split(": ")[0] for line in self.found_by(tidy.check_compiler_words, planted)))

    def test_exceptions_that_nothing_needs_are_found(self):
        name = "tests/models/import/tvm/golden/cases_mains.txt"
        needed = {other: "a" * (tidy.MAX_BYTES + 1) for other in [*tidy.LARGE, *tidy.NO_TARGET, *tidy.PLAIN_NAMES, *tidy.COMPILER_WORDS_IN]}
        self.assertEqual([], self.found_by(tidy.check_tables, needed))
        self.assertEqual([f"{name}: small enough without its row in tests/tidy/tidy.py"],
                         self.found_by(tidy.check_tables, needed | {name: ""}))
        del needed[name]
        self.assertEqual([f"{name}: in a table of tests/tidy/tidy.py, but not in the tree"],
                         self.found_by(tidy.check_tables, needed))

    def test_without_git_all_files_but_those_of_builds_are_listed(self):
        with tempfile.TemporaryDirectory() as scratch:
            for name in ("base/a.cpp", "build/release/b.cpp", "tests/__pycache__/c.pyc", "tests/build/d.cpp"):
                path = pathlib.Path(scratch, name)
                path.parent.mkdir(parents=True)
                path.write_text("a", encoding="utf-8")
            tree, how = tidy.tracked_files(scratch)
        self.assertEqual({"base/a.cpp": b"a", "tests/build/d.cpp": b"a"}, tree)
        self.assertIn("git does not answer here", how)


if __name__ == "__main__":
    unittest.main()
