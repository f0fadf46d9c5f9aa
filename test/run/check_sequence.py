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

    def batch(self, body, step, local=(), count=5):
        """What clopt says of `count` launches over 4 work-items, s growing by `step`."""
        kernel, request = self.folder / "k.cl", self.folder / "request.json"
        kernel.write_text("__kernel void k(__global int *a, __global const int *b, int s) {\n"
                          f"  int i = get_global_id(0);\n  {body}\n}}\n")
        request.write_text(json.dumps({
            "kernel": "k", "count": count, "global": [4], "local": list(local), "offset": [],
            "scalars": [{"name": "s", "first": 0, "step": step}]}))
        run = subprocess.run([CLOPT, str(kernel), f"--batch={request}", "--emit-batch=-"],
                             capture_output=True, text=True, check=True)
        return json.loads(run.stdout)

    def test_f41_many_launches_become_one(self):
        """F41: one launch, the same values."""
        spec = FOLDER / "dft.json"
        run = self.bench(spec.with_suffix(".cl"), spec, "--size=rows=100")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"batched +3 .* equal\n")

    def test_f41_launches_that_depend_stay(self):
        """F41: each launch reads what the one before has written."""
        spec = FOLDER / "chain.json"
        run = self.bench(spec.with_suffix(".cl"), spec)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertNotIn("batched", run.stdout)
        self.assertIn("20 launches of 'advance' stay: launches depend on each other "
                      "through 'x'", run.stdout)

    def test_f41_what_is_legal(self):
        """F41: cells of different launches, and what a kernel asks of the launch."""
        self.assertIn("s += s_step * (long)get_global_id(1);",
                      self.batch("a[s + i] = b[i];", 4)["text"])
        self.assertEqual(self.batch("a[s - i + 9] = b[i];", -4)["stepped"], ["s"])
        depends = "launches depend on each other through 'a'"
        for body, step in (("a[s + i] = b[i];", 3), ("a[i] = s;", 1), ("a[i] += b[s];", 0),
                           ("a[s * s % 3 + i] = 1;", 4), ("a[b[s] + i] = 1;", 4)):
            self.assertEqual(self.batch(body, step)["problem"], depends, body)
        for body in ("a[s + i] = get_work_dim();", "a[s + i] = get_global_size(1);",
                     "a[s + i] = get_local_id(0);"):
            self.assertEqual(self.batch(body, 4)["problem"],
                             "it asks for what another dimension changes", body)
        self.assertIn("text", self.batch("a[s + i] = get_local_size(0);", 4, local=(2,)))
        for body in "atomic_inc(a + s + i);", "a[s + i] = get_global_id(b[i]);":
            self.assertIn("problem", self.batch(body, 4), body)

    def test_timelines(self):
        spec = FOLDER / "dft.json"
        for name in "t.json", "t.svg":
            run = self.bench(spec.with_suffix(".cl"), spec, "--size=rows=3",
                             f"--timeline={self.folder / name}")
            self.assertEqual(run.returncode, 0, run.stderr)
        trace = json.loads((self.folder / "t.json").read_text())
        launches = [event["name"] for event in trace if event["ph"] == "X" and event["tid"] == 0]
        self.assertEqual(launches, ["scale", "dft", "dft", "dft", "scale"])
        chart = (self.folder / "t.svg").read_text()
        self.assertEqual(len(re.findall("<title>dft, ", chart)), 6)
        self.assertEqual(len(re.findall("<title>dft_batch, ", chart)), 1)

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
