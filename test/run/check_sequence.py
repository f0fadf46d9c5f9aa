#!/usr/bin/env python3
"""Sequences of launches from end to end, values compared."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import jsonschema

CLOPT, SCHEMA = sys.argv.pop(1), sys.argv.pop(1)
FOLDER = pathlib.Path(__file__).parent / "sequences"


class SequenceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def bench(self, kernel, spec, *options):
        command = [CLOPT, "bench", str(kernel), f"--sequence={spec}", "--target=cpu",
                   "--repeat=1", *options]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_every_sequence_is_equal(self):
        for spec in sorted(FOLDER.glob("*.json")):
            with self.subTest(spec.name):
                run = self.bench(spec.with_suffix(".cl"), spec)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                self.assertRegex(run.stdout, r"optimized +\d+ .* equal\n")
                jsonschema.validate(json.loads(spec.read_text()),
                                    json.loads(pathlib.Path(SCHEMA).read_text()))

    def test_timelines(self):
        spec = FOLDER / "dft.json"
        for name in "t.json", "t.svg":
            run = self.bench(spec.with_suffix(".cl"), spec, "--size=rows=3",
                             f"--timeline={self.folder / name}")
            self.assertEqual(run.returncode, 0, run.stderr)
        trace = json.loads((self.folder / "t.json").read_text())
        launches = [event["name"] for event in trace if event["ph"] == "X" and event["tid"] == 0]
        self.assertEqual(launches, ["scale", "dft", "dft", "dft", "scale"])
        self.assertEqual(len(re.findall("<title>dft, ", (self.folder / "t.svg").read_text())), 6)

    def test_a_difference_is_found(self):
        spec = FOLDER / "dft.json"
        wrong = self.folder / "wrong.cl"
        text = spec.with_suffix(".cl").read_text()
        wrong.write_text(text.replace("x[i] *= factor", "x[i] *= factor * (i == 70 ? 2 : 1)"))
        run = self.bench(spec.with_suffix(".cl"), spec, "--size=rows=3", f"--optimized={wrong}")
        self.assertEqual(run.returncode, 1, run.stdout)
        # The changed row of the signal is transformed: its 64 powers differ, and it itself.
        self.assertIn("1 of 192 differ in 'signal'", run.stdout)
        self.assertRegex(run.stdout, r"\d+ of 192 differ in 'power'")

    def test_options_that_do_not_fit(self):
        spec = FOLDER / "dft.json"
        run = self.bench(spec.with_suffix(".cl"), spec, "--kernel=dft")
        self.assertEqual(run.returncode, 1)
        self.assertIn("--sequence takes no --launch", run.stderr)
        command = [CLOPT, "bench", str(FOLDER / "dft.cl"), f"--launch={spec}", "--timeline=t.svg"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertIn("--timeline is of a sequence", run.stderr)


if __name__ == "__main__":
    unittest.main()
