"""tools/house_figures.py on a tree that is small enough to count by hand."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()

FILES = {
    "base/a.hpp": """// About a.
#pragma once
#include "models/b.hpp"

class Box {
 public:
  Box();
  /// How many.
  [[nodiscard]] int size() const { return 1; }
  void put(int value);
  void put(long value);

 private:
  int size_ = 0;
};
""",
    "base/a.cpp": """#include "base/a.hpp"

int one(int x) {
  if (x > 0) {
    return x;
  }
  return 1;
}

void Box::put(int value) {
  size_ = value;
}
""",
    "models/b.hpp": "#include \"base/a.hpp\"\nint two();\n",
    "models/c.cpp": "int three() { return 3; }\n",
    "runtime/include/detent/d.h": "/* A block\n * of comment. */\nint d(void);\nint e(void);\n",
    "tests/base/a_test.cpp": "a\nb\nc\n",
}


class HouseFigures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch)
            for name, text in FILES.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            tool = [sys.executable, "-B", str(ROOT / "tools/house_figures.py"), "--json", scratch]
            cls.answer = json.loads(subprocess.run(tool, check=True, capture_output=True, text=True).stdout)

    def test_functions_are_counted_by_their_lines(self):
        self.assertEqual(self.answer["function_lines"], {"median": 4.5, "p90": 6, "max": 6})

    def test_cycles_of_modules_and_folders_are_named(self):
        self.assertEqual(self.answer["module_cycles"], [["base/a", "models/b"]])
        self.assertEqual(self.answer["folder_cycles"], [["base", "models"]])

    def test_methods_are_counted_once_a_name_and_constructors_not(self):
        self.assertEqual(self.answer["largest_classes"], [{"methods": 2, "class": "Box", "file": "base/a.hpp"}])

    def test_comment_lines_of_headers(self):
        self.assertEqual(self.answer["comment_share"]["public_headers"], 0.5)

    def test_sources_without_a_header_and_lines_of_tests(self):
        self.assertEqual(self.answer["sources_without_a_header"], {"count": 1, "of": 2})
        self.assertGreater(self.answer["tests_by_folder"]["base"], 0)


unittest.main()
