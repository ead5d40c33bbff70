"""tools/program_path.py: the programs that debian/control brings, and no others."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()

# Started by name: by the product (compilers of packages), emitted Makefiles, tests and tools.
STARTED = ["cmake", "ninja", "make", "c++", "cc", "gcc", "clang", "nm", "python3", "gcovr", "cvc5", "chromium",
           "clang-format-14", "clang-tidy-14", "clang-19", "llvm-cov", "llvm-cov-19", "sh", "bash", "parallel", "flock",
           "sha256sum", "find", "xargs", "sed", "tar", "diff"]


def programs(control):
    """The names in the folder that program_path.py makes for the text of a control file."""
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "control"
        file.write_text(control, encoding="utf-8")
        tool = [sys.executable, "-B", str(ROOT / "tools/program_path.py"), f"{scratch}/programs", str(file)]
        answer = subprocess.run(tool, capture_output=True, text=True)
        if answer.returncode != 0:
            raise RuntimeError(answer.stderr)
        return set(os.listdir(answer.stdout.strip()))


@unittest.skipUnless(shutil.which("dpkg-query"), "no dpkg here: debian/control names nothing that is installed")
class ProgramPath(unittest.TestCase):
    def setUp(self):
        self.control = (ROOT / "debian/control").read_text(encoding="utf-8")

    def test_every_program_that_is_started_is_brought(self):
        brought = programs(self.control)
        self.assertEqual([name for name in STARTED if name not in brought], [])

    def test_a_package_that_is_not_named_brings_nothing(self):
        packages = ["ninja-build", "clang", "cvc5", "gcovr"]
        without, count = re.subn(rf"(?m)^ ({'|'.join(packages)})( <!nocheck>)?,\n", "", self.control)
        self.assertEqual(count, len(packages))
        self.assertEqual(programs(without) & {"ninja", *packages}, set())

    def test_packages_come_with_all_that_they_depend_on(self):
        found = programs("Build-Depends: g++,\n python3\n")
        self.assertTrue({"g++", "c++", "gcc", "as", "ld", "python3"} <= found)
        self.assertFalse({"cmake", "ninja", "clang"} & found)

    def test_a_package_that_is_not_installed_is_named(self):
        with self.assertRaisesRegex(RuntimeError, "no-such-package is not installed; run tools/install_deps.sh"):
            programs("Build-Depends: no-such-package\n")

    def test_a_control_file_without_the_field_is_refused(self):
        with self.assertRaisesRegex(RuntimeError, "no field Build-Depends"):
            programs("Source: detent\n")


unittest.main()
