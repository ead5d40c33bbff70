#!/usr/bin/env python3
"""LEVELS.md has a row for each fault of planted/, and run.py notices where it has not."""
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import run  # noqa: E402

MUTANTS = run.read_planted()
LINES = (HERE / "LEVELS.md").read_text().splitlines()
FIRST = next(number for number, line in enumerate(LINES) if line.startswith(f"|{MUTANTS[1]['id']}: "))


class Levels(unittest.TestCase):
    def faults(self, lines, mutants=MUTANTS):
        with tempfile.TemporaryDirectory() as place:
            file = pathlib.Path(place) / "LEVELS.md"
            file.write_text("\n".join(lines) + "\n")
            return run.check_levels(file, mutants)

    def assert_noticed(self, lines, text, mutants=MUTANTS):
        faults = self.faults(lines, mutants)
        self.assertTrue(any(text in fault for fault in faults), faults)

    def test_table_is_whole(self):
        self.assertEqual(self.faults(LINES), [])

    def test_one_in_three_is_drawn_by_the_sources(self):
        with tempfile.TemporaryDirectory() as place:
            root = pathlib.Path(place)
            mutants = [{"id": f"m{number}", "file": "a.cpp"} for number in range(300)] + [
                {"id": "control", "file": "a.cpp", "survives": True}]
            draws = []
            for text in ("one", "two", "one"):
                (root / "a.cpp").write_text(text)
                draws.append([mutant["id"] for mutant in run.drawn(mutants, 3, root)])
            self.assertEqual(draws[0], draws[2])
            self.assertNotEqual(draws[0], draws[1])
            for draw in draws:
                self.assertTrue(70 < len(draw) < 130, len(draw))
                self.assertIn("control", draw)

    def test_missing_row(self):
        self.assert_noticed(LINES[:FIRST] + LINES[FIRST + 1:], MUTANTS[1]["id"] + ": no row")

    def test_row_of_another_file_or_other_words(self):
        for key in ("file", "what", "program"):
            changed = [dict(mutant) for mutant in MUTANTS]
            changed[1][key] = "other"
            self.assert_noticed(LINES, MUTANTS[1]["id"] + ": no row", changed)

    def test_text_that_the_source_no_longer_holds(self):
        changed = [dict(mutant) for mutant in MUTANTS]
        changed[1]["find"] = "a line that nobody wrote"
        self.assert_noticed(LINES, MUTANTS[1]["id"] + ": " + MUTANTS[1]["file"] + " holds the text to replace 0 times", changed)

    def test_fault_that_is_gone(self):
        self.assert_noticed(LINES, "other lines", MUTANTS[:1] + MUTANTS[2:])

    def test_another_order(self):
        swapped = LINES[:FIRST] + [LINES[FIRST + 1], LINES[FIRST]] + LINES[FIRST + 2:]
        self.assert_noticed(swapped, "another order")

    def test_other_head(self):
        self.assert_noticed(["# Levels"] + LINES[1:], "other lines")

    def test_answers_that_the_fault_contradicts(self):
        def with_answers(number, answers):
            return LINES[:FIRST - 1 + number] + [run.level_row(MUTANTS[number], answers)] + LINES[FIRST + number:]

        nothing = ["no" if run.is_judged(MUTANTS[1], folders) else "" for _, _, folders, _ in run.LEVELS]
        self.assert_noticed(with_answers(1, nothing), "whose tests notice the fault")
        self.assert_noticed(with_answers(1, ["perhaps"] + nothing[1:]), "is not an answer")
        self.assert_noticed(with_answers(1, nothing[:1] + ["no"] + nothing[2:]), "does not judge the source")
        self.assert_noticed(with_answers(0, ["yes"] + nothing[1:]), "the control must not be noticed")


if __name__ == "__main__":
    unittest.main()
