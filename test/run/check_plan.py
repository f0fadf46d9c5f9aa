#!/usr/bin/env python3
"""Tests of launch plans from end to end: verify and bench with plans, and their errors."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CLOPT, CLOPT_RT = sys.argv.pop(1), sys.argv.pop(1)

KERNEL = """
__kernel void rows(__global const float *s, __global float *r, int n)
{
    int i = get_global_id(0);
    for (int k = 1; k < n - 1; k++)
        r[i * n + k] = s[i * n + k - 1] + s[i * n + k + 1];
}
"""

SPEC = {"KernelSpecification": {
    "KernelName": "rows", "Sizes": {"n": [1, 2, 5, 67]}, "GlobalSize": "n",
    "NDRanges": [{"GlobalSize": "n", "LocalSize": "1"}],
    "Arguments": [
        {"Name": "s", "Type": "float", "MemoryType": "Vector", "Size": "n*n"},
        {"Name": "r", "Type": "float", "MemoryType": "Vector", "Size": "n*n"},
        {"Name": "n", "Type": "int", "MemoryType": "Scalar"}]}}

# Both arguments in one buffer: the kernel's result depends on the order.
SHARED = json.loads(json.dumps(SPEC))
SHARED["KernelSpecification"]["Sizes"] = {"n": [67]}
SHARED["KernelSpecification"]["Arguments"][1].update(SameBufferAs="s")

PRODUCT = """
__kernel void mm(__global const float *A, __global const float *B, __global float *C, int n)
{
    int i = get_global_id(1);
    int j = get_global_id(0);
    for (int k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
}
"""

PRODUCT_SPEC = {"KernelSpecification": {
    "KernelName": "mm", "Sizes": {"n": [1, 2, 33]}, "GlobalSize": {"X": "n", "Y": "n"},
    "Arguments": [
        # Sums of positive numbers hardly depend on the order.
        {"Name": name, "Type": "float", "MemoryType": "Vector", "Size": "n*n",
         "FillType": "Random", "FillRange": [1, 2]}
        for name in "ABC"] + [{"Name": "n", "Type": "int", "MemoryType": "Scalar"}]}}

SCAN = """
__kernel void scan(__global const int *s, __global int *r, int n)
{
    int i = get_global_id(0);
    int t = 0;
    for (int k = 0; k < n; k++) {
        t += s[i * n + k];
        r[i * n + k] = t;
    }
}
"""

SCAN_SPEC = {"KernelSpecification": {
    "KernelName": "scan", "Sizes": {"n": [1, 31, 32, 33, 2049]}, "GlobalSize": "17",
    "NDRanges": [{"GlobalSize": "3", "LocalSize": "3"}],
    "Arguments": [
        {"Name": "s", "Type": "int", "MemoryType": "Vector", "Size": "17*n", "FillType": "Random"},
        {"Name": "r", "Type": "int", "MemoryType": "Vector", "Size": "17*n"},
        {"Name": "n", "Type": "int", "MemoryType": "Scalar"}]}}


class PlanTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("k.cl", KERNEL)
        self.write("k.json", json.dumps(SPEC))
        self.write("k.recipe", "kernel rows\nmap k\n")

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def run_tool(self, *words):
        done = subprocess.run(words, cwd=self.folder, text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def optimize(self):
        code, output = self.run_tool(CLOPT, "k.cl", "--recipe=k.recipe", "-o", "o.cl",
                                     "--plan=p.json")
        self.assertEqual(code, 0, output)
        return json.loads((self.folder / "p.json").read_text())

    def rt(self, command, *words):
        return self.run_tool(CLOPT_RT, command, "k.cl", "--launch", "k.json", *words)

    def given_plan(self, command, *words):
        return self.rt(command, "--optimized=o.cl", "--plan=p.json", *words)

    def test_every_variant_is_compared(self):
        self.optimize()
        code, output = self.given_plan("verify", "--no-time", "-v", "--json=out.json")
        self.assertEqual(code, 0, output)
        report = json.loads((self.folder / "out.json").read_text())
        variants = {launch["variant"] for result in report["results"]
                    for launch in result["launches"]}
        self.assertEqual(variants, {"own NDRange", "same launch"})
        self.assertEqual(report["launches"], 16)

    def test_clopt_writes_the_plan(self):
        code, output = self.rt("verify", "--planned", "--clopt", CLOPT, "-v",
                               "--clopt-arg=--recipe=k.recipe", "--sizes=n=67")
        self.assertEqual(code, 0, output)
        self.assertIn("own NDRange: equal", output)
        self.assertIn("ratio", output)

    def test_rows_are_scanned(self):  # F33
        self.write("k.cl", SCAN)
        self.write("k.json", json.dumps(SCAN_SPEC))
        self.write("k.recipe", "kernel scan plan\nsplit-reduction k:32\n")
        self.optimize()
        code, output = self.given_plan("verify", "--no-time", "-v")
        self.assertEqual(code, 0, output)
        self.assertEqual(output.count("own NDRange by other steps: equal"), 10, output)

    def test_a_wrong_planned_kernel_is_found(self):
        self.optimize()
        text = (self.folder / "o.cl").read_text()
        at = text.index("rows_plan(")
        changed = text[:at] + text[at:].replace("s[", "2 * s[")
        self.assertNotEqual(changed, text)
        self.write("o.cl", changed)
        code, output = self.given_plan("verify", "--no-time", "--sizes=n=67")
        self.assertEqual(code, 1)
        self.assertIn("not that of 'o.cl'", output)
        plan = json.loads((self.folder / "p.json").read_text())
        del plan["optimized"]["sha256"]
        self.write("p.json", json.dumps(plan))
        code, output = self.given_plan("verify", "--no-time", "--sizes=n=67")
        self.assertEqual(code, 1)
        self.assertIn("own NDRange", output)
        self.assertIn("differ in 'r'", output)
        self.assertNotIn("same launch", output)

    def test_overlapping_buffers_take_another_variant(self):
        self.optimize()
        self.write("k.json", json.dumps(SHARED))
        code, output = self.given_plan("verify", "--no-time", "-v")
        self.assertEqual(code, 3, output)  # nothing but the original ran
        self.assertIn("original: equal", output)
        self.assertNotIn("own NDRange", output)

    def test_bench_shows_the_parts(self):
        self.optimize()
        code, output = self.given_plan("bench", "--size=n=67", "--json=out.json")
        self.assertEqual(code, 0, output)
        for word in ("kernel", "conversion", "transfer", "total", "roofline", "own NDRange"):
            self.assertIn(word, output)
        report = json.loads((self.folder / "out.json").read_text())
        self.assertGreater(report["copyGBs"], 0)
        result = report["results"][0]
        self.assertEqual(result["variant"], "own NDRange")
        # s is read, r is written and not read.
        self.assertEqual(result["footprintBytes"], 2 * 67 * 67 * 4)
        for side in ("original", "optimized"):
            times = result[side]
            self.assertGreater(times["kernelMs"], 0)
            self.assertEqual(times["conversionMs"], 0)
            self.assertAlmostEqual(times["totalMs"],
                                   times["kernelMs"] + times["transferMs"])
            self.assertAlmostEqual(times["ofRoofline"],
                                   result["rooflineMs"] / times["kernelMs"])

    def test_dot_products_with_a_transposed_operand(self):
        """Conversion included, at least four times as fast as the original on a CPU."""
        self.write("k.cl", PRODUCT)
        self.write("k.json", json.dumps(PRODUCT_SPEC))
        flags = ("--", "-cl-unsafe-math-optimizations")
        for recipe in ("", "kernel mm plan\nlayout B transpose buffer\nprivatize C\n"
                           "vectorize k:8\ncoarsen i:4\ncoarsen j:2\n"):
            self.write("k.recipe", recipe)
            words = ["--recipe=k.recipe"] if recipe else []
            code, output = self.run_tool(CLOPT, "k.cl", "--target=cpu", "-o", "o.cl",
                                         "--plan=p.json", *words, flags[1])
            self.assertEqual(code, 0, output)
            code, output = self.given_plan("verify", "--no-time", "--ulp=64", "-v", *flags)
            self.assertEqual(code, 0, output)
            code, output = self.given_plan("bench", "--size=n=544", "--json=out.json", *flags)
            self.assertEqual(code, 0, output)
            result = json.loads((self.folder / "out.json").read_text())["results"][0]
            self.assertEqual(result["variant"], "own NDRange with B_t")
            spent = result["optimized"]["kernelMs"] + result["optimized"]["conversionMs"]
            self.assertGreater(result["optimized"]["conversionMs"], 0)
            self.assertGreater(result["original"]["kernelMs"], 4 * spent)

    def test_bench_counts_conversions(self):
        plan = self.optimize()
        kernel = plan["kernels"][0]
        # The first variant reads a copy of s, made by a kernel of its own.
        self.write("o.cl", (self.folder / "o.cl").read_text() +
                   "__kernel void copy(__global const float *a, __global float *b)\n"
                   "{ b[get_global_id(0)] = a[get_global_id(0)]; }\n")
        variant = kernel["variants"][0]
        variant["buffers"] = [{"name": "s_copy", "source": "s", "bytes": "n * n * 4"}]
        variant["before"] = [{"source": "s", "destination": "s_copy", "launch": {
            "program": "optimized", "kernel": "copy", "global": ["n * n"],
            "arguments": [{"parameter": "s"}, {"buffer": "s_copy"}]}}]
        variant["launch"]["arguments"][0] = {"buffer": "s_copy"}
        del plan["optimized"]["sha256"]
        self.write("p.json", json.dumps(plan))
        code, output = self.given_plan("verify", "--no-time")
        self.assertEqual(code, 0, output)
        code, output = self.given_plan("bench", "--size=n=67", "--json=out.json")
        self.assertEqual(code, 0, output)
        times = json.loads((self.folder / "out.json").read_text())["results"][0]["optimized"]
        self.assertGreater(times["conversionMs"], 0)
        self.assertAlmostEqual(
            times["totalMs"],
            times["kernelMs"] + times["conversionMs"] + times["transferMs"])

    def test_one_variant_only(self):
        self.optimize()
        code, output = self.given_plan("bench", "--size=n=67", "--variant=same launch")
        self.assertEqual(code, 0, output)
        self.assertIn("same launch", output)
        self.assertNotIn("own NDRange", output)

    def test_errors(self):
        self.optimize()
        for words, message in (
                (("verify", "--plan=p.json"), "--plan needs the file that it is for"),
                (("verify", "--planned", "--optimized=o.cl"), "--planned runs clopt"),
                (("bench", "--optimized=o.cl"), "give --plan=FILE"),
                (("bench", "--optimized=o.cl", "--plan=none.json"), "none.json"),
                (("bench", "--optimized=o.cl", "--plan=k.cl"), "is not JSON"),
                (("bench", "--optimized=o.cl", "--plan=p.json", "--size=n=5",
                  "--variant=other"), "no variant for this launch of kernel 'rows'")):
            code, output = self.rt(*words)
            self.assertEqual(code, 1, output)
            self.assertIn(message, output)
            self.assertEqual(output.count("error:"), 1, output)


if __name__ == "__main__":
    unittest.main()
