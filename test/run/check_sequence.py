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
        self.assertNotRegex(run.stdout, r"\n +batched ")
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

    def test_f27_launches_are_fused(self):
        """F27: fewer launches, the same values bit by bit; buffers that leave."""
        for name, launches in (("chain_values", [1, 1]), ("oscillators", [1, 1]),
                               ("azimuth", [1, 1]), ("chain", [1])):
            with self.subTest(name):
                spec = FOLDER / f"{name}.json"
                run = self.bench(spec.with_suffix(".cl"), spec)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                fused = re.findall(r"fused +(\d+) .* (\S+)\n", run.stdout)
                self.assertEqual(fused, [(str(count), "equal") for count in launches], run.stdout)
        self.assertNotIn("stays a buffer", self.bench(
            FOLDER / "chain_values.cl", FOLDER / "chain_values.json").stdout)

    def test_f27_launches_that_stay(self):
        """F27: neighbours are read, and NDRanges differ."""
        spec = FOLDER / "blur.json"
        run = self.bench(spec.with_suffix(".cl"), spec)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertNotRegex(run.stdout, r"\n +fused ")
        self.assertIn("launches of 'blur', 'blur' are not fused: work-items of 'blur' and other "
                      "ones of 'blur' share cells of 'in'", run.stdout)
        self.assertIn("launches of 'blur', 'double_all' are not fused: their NDRanges differ",
                      run.stdout)

    def test_f39_copies_beside_kernels(self):
        """F39: the same values on one queue and in bands on several."""
        spec = FOLDER / "covariance.json"
        chart = self.folder / "t.svg"
        run = self.bench(spec.with_suffix(".cl"), spec, "--overlap", "--bands=4",
                         f"--timeline={chart}", "--size=bands=20")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"one queue +2 .* equal\n")
        # Seven parts of pairs, an L each but the first, and four of pixels.
        self.assertRegex(run.stdout, r"overlapped +11 .* equal\n")
        self.assertIn("'covariance' runs in 4 bands of dimension 0 and 1\n", run.stdout)
        self.assertIn("'transform' runs in 4 bands of dimension 0\n", run.stdout)
        self.assertIn("<title>write x</title>", chart.read_text())
        # What is not known is there as a whole.
        spec = FOLDER / "oscillators.json"
        run = self.bench(spec.with_suffix(".cl"), spec, "--overlap", "--bands=4",
                         "--size=steps=3")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"overlapped +15 .* equal\n")
        self.assertIn("'move' runs whole: it asks for what is different in a part", run.stdout)
        command = [CLOPT, "bench", str(FOLDER / "dft.cl"), f"--launch={spec}", "--overlap"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertIn("--overlap is of a sequence", run.stderr)

    def test_temporary_buffers(self):
        """Their contents at the end are not compared, and have to be buffers."""
        text = json.loads((FOLDER / "chain_values.json").read_text())
        spec = self.folder / "other.json"
        text["Temporary"] = ["out"]
        spec.write_text(json.dumps(text))
        run = self.bench(FOLDER / "chain_values.cl", spec)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        text["Temporary"] = ["other"]
        spec.write_text(json.dumps(text))
        run = self.bench(FOLDER / "chain_values.cl", spec)
        self.assertIn('no kernel has a buffer "other"', run.stderr)

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
