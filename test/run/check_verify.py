#!/usr/bin/env python3
"""Tests of clopt-rt verify itself: it must see what is wrong, and say so in one message."""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CLOPT_RT = sys.argv.pop(1)

ORIGINAL = """
__kernel void k(__global const float *a, __global float *b, int n)
{
    int i = get_global_id(0);
    if (i < n)
        b[i] = a[i] + 1.0f;
}
"""

SPEC = {"KernelSpecification": {
    "KernelName": "k", "Sizes": {"n": [3, 64]}, "GlobalSize": "n",
    "NDRanges": [{"GlobalSize": "n+5"}],
    "Arguments": [
        {"Name": "a", "Type": "float", "MemoryType": "Vector", "Size": "n"},
        {"Name": "b", "Type": "float", "MemoryType": "Vector", "Size": "n"},
        {"Name": "n", "Type": "int", "MemoryType": "Scalar"}]}}


class VerifyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("k.cl", ORIGINAL)
        self.write("k.json", json.dumps(SPEC))

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def run_tool(self, *words):
        done = subprocess.run([CLOPT_RT, *words], cwd=self.folder, text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def verify(self, *words):
        return self.run_tool("verify", "k.cl", "--launch", "k.json", *words)

    def compare_with(self, replaced, by, *words):
        changed = ORIGINAL.replace(replaced, by)
        self.assertNotEqual(changed, ORIGINAL)
        self.write("o.cl", changed)
        return self.verify("--optimized", "o.cl", "--no-time", *words)

    def assert_error(self, result, message, expected=1):
        code, output = result
        self.assertEqual(code, expected, output)
        self.assertIn(message, output)
        self.assertEqual(output.count("error:"), 1, output)

    def test_equal_kernels_pass_and_are_timed(self):
        code, output = self.verify("--optimized", "k.cl", "--json", "out.json")
        self.assertEqual(code, 0, output)
        self.assertTrue(output.endswith("4 launches compared, all equal\n"), output)
        self.assertEqual(output.count("  author's text\n"), 2, output)
        report = json.loads((self.folder / "out.json").read_text())
        self.assertEqual(report["wrong"], 0)
        self.assertEqual([r["sizes"]["n"] for r in report["results"]], [3, 64])
        self.assertGreater(report["results"][0]["originalMs"], 0)

    def test_columns_are_aligned(self):
        spec = copy.deepcopy(SPEC)
        spec["KernelSpecification"]["Sizes"] = {"n": [3, 100000], "width": [8]}
        other = copy.deepcopy(spec)
        for which in (spec, other):
            which["KernelSpecification"]["NDRanges"] = []
        other["KernelSpecification"]["KernelName"] = "another_kernel"
        text = ORIGINAL + ORIGINAL.replace("void k(", "void another_kernel(")
        self.write("k.cl", text)
        self.write("k.json", json.dumps([spec, other]))
        for words in ((), ("--", "-cl-fast-relaxed-math")):
            code, output = self.verify("--optimized", "k.cl", *words)
            self.assertEqual(code, 0, output)
            rows = [line for line in output.splitlines() if "ratio " in line]
            self.assertEqual(len(rows), 4, output)
            for column in ("n=", "equal", " ms", "ratio"):
                self.assertEqual(len({row.index(column) for row in rows}), 1, output)

    def test_means_are_of_new_bodies(self):
        """Not of the author's text; short launches have a mean of their own."""
        self.write_new_body("n >= 1000")
        spec = copy.deepcopy(SPEC)
        spec["KernelSpecification"]["Sizes"] = {"n": [7, 64, 1000, 1000000]}
        self.write("k.json", json.dumps(spec))
        code, output = self.verify("--optimized", "o.cl", "--json", "out.json")
        self.assertEqual(code, 0, output)
        for n, what in ((7, "  author's text"), (64, "  author's text"), (1000, "  short")):
            self.assertRegex(output, rf"n={n} .*ratio +[\d.]+{what}\n")
        self.assertRegex(output, r"n=1000000 .*ratio +[\d.]+\n")
        self.assertRegex(output, r"\noriginal/optimized time, geometric mean: [\d.]+ of 1 launch, "
                                 r"[\d.]+ of 1 launch below 0.03 ms\n$")
        report = json.loads((self.folder / "out.json").read_text())
        results = report["results"]
        self.assertEqual([row["newBodyTimed"] for row in results], [False, False, True, True])
        self.assertAlmostEqual(report["geometricMean"], results[3]["ratio"])
        self.assertAlmostEqual(report["geometricMeanShort"], results[2]["ratio"])

    def test_images(self):
        """Of every kind; the one that is written is compared."""
        text = """
__kernel void k(read_only image1d_t a, read_only image1d_array_t b, read_only image2d_array_t c,
                read_only image3d_t d, write_only image2d_t e, sampler_t s, __global float4 *out, int n)
{
    int i = get_global_id(0);
    float4 v = read_imagef(a, s, i - 1) + read_imagef(b, s, (int2)(i, 1))
        + read_imagef(d, s, (int4)(i, 1, 2, 0));
    write_imagef(e, (int2)(i, i % 2), v);
    out[i] = v + convert_float4(read_imageui(c, s, (int4)(i, 2, 1, 0)));
}
"""
        def image(name, kind, order, channels, **extents):
            return {"Name": name, "Type": kind, "MemoryType": "Image", "ChannelOrder": order,
                    "ChannelType": channels, "Width": "n", **extents}
        spec = {"KernelSpecification": {
            "KernelName": "k", "Sizes": {"n": [6, 64]}, "GlobalSize": "n", "Arguments": [
                image("a", "image1d_t", "R", "FLOAT"),
                image("b", "image1d_array_t", "RGBA", "HALF_FLOAT", Layers=3),
                image("c", "image2d_array_t", "RGBA", "UNSIGNED_INT16", Height=4, Layers=2),
                image("d", "image3d_t", "RGBA", "SNORM_INT8", Height=2, Depth=3),
                image("e", "image2d_t", "RGBA", "FLOAT", Height=2),
                {"Name": "s", "Type": "sampler_t", "MemoryType": "Sampler"},
                {"Name": "out", "Type": "float4", "MemoryType": "Vector", "Size": "n"},
                {"Name": "n", "Type": "int", "MemoryType": "Scalar"}]}}
        self.write("k.cl", text)
        self.write("k.json", json.dumps(spec))
        self.write("o.cl", text + "\n")
        code, output = self.verify("--optimized", "o.cl")
        self.assertEqual(code, 0, output)
        for there, wrong, name in (("i % 2), v", "i % 2), 2 * v", "e"), ("i - 1", "i + 1", "out")):
            self.write("o.cl", text.replace(there, wrong))
            code, output = self.verify("--optimized", "o.cl", "--no-time")
            self.assertEqual(code, 1, output)
            self.assertIn(f"differ in '{name}'", output)
        spec["KernelSpecification"]["Arguments"][0]["ChannelOrder"] = "ARGB"
        self.write("k.json", json.dumps(spec))
        self.assert_error(self.verify("--optimized", "o.cl"), "for argument 'a'")

    def test_one_wrong_value(self):
        code, output = self.compare_with("a[i] + 1.0f", "i == 2 ? 0.0f : a[i] + 1.0f")
        self.assertEqual(code, 1, output)
        self.assertIn("1 of 3 differ in 'b'", output)
        self.assertIn("first at [2]", output)
        self.assertIn("4 launches compared, 4 wrong", output)

    def test_tolerance(self):
        replaced = ("b[i] = a[i] + 1.0f", "b[i] = nextafter(a[i] + 1.0f, 9.0f)")
        code, output = self.compare_with(*replaced, "--ulp", "1", "--json=r.json")
        self.assertEqual(code, 0, output)
        self.assertIn("4 launches compared, all within tolerance\n", output)
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual((report["launches"], report["wrong"], report["withinTolerance"]), (4, 0, 4))
        # Some of them.
        large = (replaced[0], replaced[1].replace("9.0f", "n > 9 ? 9.0f : a[i] + 1.0f"))
        code, output = self.compare_with(*large, "--ulp", "1")
        self.assertIn("4 launches compared, 2 equal, 2 within tolerance\n", output)
        code, output = self.compare_with(*replaced)
        self.assertEqual(code, 1)
        self.assertIn("max error 1 ULP", output)

    def test_reordered_sums(self):
        """The flags decide, or --rtol; a cell that is wrong is found in any case."""
        sum_of = ORIGINAL.replace(
            "b[i] = a[i] + 1.0f", "{ float s = 0; for (int k = 0; k < n; k++) s += a[k] * (i + k % 3);"
            " b[i] = s; }")
        self.write("k.cl", sum_of)
        backwards = sum_of.replace("int k = 0; k < n; k++", "int k = n - 1; k >= 0; k--")
        self.write("o.cl", backwards)
        relaxed = ("--", "-cl-fast-relaxed-math")
        words = ("--optimized", "o.cl", "--no-time", "--sizes=n=500")
        self.assertEqual(self.verify(*words)[0], 1)
        self.assertEqual(self.verify(*words, "--rtol=1e-3")[0], 0)
        code, output = self.verify(*words, "--", "-cl-unsafe-math-optimizations")
        self.assertEqual(code, 0, output)
        self.assertIn("within tolerance", output)
        self.assertEqual(self.verify(*words, "--rtol=0", *relaxed)[0], 1)
        self.assertEqual(self.verify(*words, "--rtol=1e-12", *relaxed)[0], 1)
        self.write("o.cl", backwards.replace("k >= 0", "k >= (i == 7)"))  # one term less
        code, output = self.verify(*words, *relaxed)
        self.assertEqual(code, 1, output)
        self.assertIn("differ in 'b'", output)
        self.assert_error(self.verify("--rtol=much"), "'much' is no relative tolerance")

    def test_input_that_is_written(self):
        code, output = self.compare_with("b[i] =", "((__global float *)a)[i] = b[i] =")
        self.assertEqual(code, 1)
        self.assertIn("differ in 'a'", output)

    def test_guard_bands(self):
        code, output = self.compare_with("if (i < n)", "if (i <= n)")
        self.assertEqual(code, 1)
        self.assertIn("the optimized kernel writes 1 byte past the end of 'b'", output)
        code, output = self.compare_with("b[i] =", "b[i - 1] = b[i] =")
        self.assertEqual(code, 1)
        self.assertIn("before the begin of 'b'", output)

    def test_reads_outside(self):
        """Reads leave no trace in the values: the neighbour is multiplied by 0."""
        for index, what in (("i + 1", "reads 1 byte past the end of 'a'"),
                            ("i - 1", "reads 4 bytes before the begin of 'a'"),
                            ("i + 100000", "past the end of 'a'"),
                            ("i - 100000", "before the begin of 'a'")):
            code, output = self.compare_with(
                "a[i] + 1.0f", f"a[i] + 1.0f; volatile float unused = a[{index}]")
            self.assertEqual(code, 1, output)
            self.assertIn("the optimized kernel reads", output)
            self.assertIn(what, output)
            self.assertIn("4 launches compared, 4 wrong", output)

    def test_reads_outside_a_vectors_end(self):
        """As near to the page as the types of the texts allow."""
        code, output = self.compare_with(
            "a[i] + 1.0f", "a[i] + 1.0f; volatile float unused = vload4(0, a + n - 1).w")
        self.assertEqual(code, 1, output)
        self.assertIn("the optimized kernel reads 1 byte past the end of 'a'", output)

    def test_what_the_original_reads_outside_is_its_own(self):
        peeks = ORIGINAL.replace("a[i] + 1.0f",
                                 "a[i] + 1.0f; volatile float unused = a[i + 1]")
        self.write("k.cl", peeks)
        self.write("o.cl", peeks + "\n")
        code, output = self.verify("--optimized", "o.cl", "--no-time", "--json", "out.json")
        self.assertEqual(code, 0, output)
        note = "the original kernel itself reads 1 byte past the end of 'a'"
        self.assertEqual(output.count(note), 1, output)
        report = json.loads((self.folder / "out.json").read_text())
        self.assertEqual(report["results"][0]["launches"][0]["notes"], [note])
        # But not elsewhere, not farther, and no writes.
        for index, wrong in (("i - 1", "reads 4 bytes before the begin of 'a'"),
                             ("i + 10000", "past the end of 'a'")):
            self.write("o.cl", peeks.replace("a[i + 1]", f"a[i + 1] + a[{index}]"))
            code, output = self.verify("--optimized", "o.cl", "--no-time")
            self.assertEqual(code, 1, output)
            self.assertIn(wrong, output)
            self.assertIn("the optimized kernel reads", output)

    def test_protected_pages_can_be_left_out(self):
        code, output = self.compare_with(
            "a[i] + 1.0f", "a[i] + 1.0f; volatile float unused = a[i + 1]", "--guard=0")
        self.assertEqual(code, 0, output)

    def test_vectors_stay_aligned(self):
        """A kernel may rely on the alignment of its buffers for the types that it names."""
        vectors = ORIGINAL.replace(
            "b[i] = a[i] + 1.0f",
            "b[i] = i % 4 ? a[i] + 1.0f : i + 4 <= n ? (*(__global float4 *)(a + i)).x + 1.0f"
            " : a[i] + 1.0f")
        self.write("k.cl", vectors)
        code, output = self.verify("--optimized", "k.cl", "--no-time", "--sizes=n=3,4,5,6,7,61")
        self.assertEqual(code, 0, output)

    def write_new_body(self, condition, result="a[i] + 1.0f", original=ORIGINAL):
        """A text in the form of clopt's, whose new body some launches run."""
        self.write("o.cl", original.replace("{\n", f"""{{
    // Optimized by clopt:
    // - something
    const int items = (int)get_global_size(0);
    if ({condition}) {{
        const int i = get_global_id(0);
        if (i < n)
            b[i] = {result};
        return;
    }}
""", 1))

    def test_several_files(self):
        self.write("same.cl", ORIGINAL + "\n")
        code, output = self.compare_with("a[i] + 1.0f", "i == 2 ? 0.0f : a[i] + 1.0f",
                                         "--optimized", "same.cl", "--json", "out.json")
        self.assertEqual(code, 1, output)
        wrong, right = output[output.index("o.cl:\n"):].split("same.cl:\n")
        self.assertEqual(wrong.count("differ in 'b'"), 4, output)
        self.assertNotIn("differ", right)
        self.assertIn("8 launches compared, 4 wrong", right)
        report = json.loads((self.folder / "out.json").read_text())
        self.assertEqual([(result["optimized"], result["equal"]) for result in report["results"]],
                         [("o.cl", False), ("o.cl", False), ("same.cl", True), ("same.cl", True)])
        result = self.verify("--optimized", "o.cl", "--optimized", "same.cl", "--plan=none.json")
        self.assert_error(result, "--plan is for one file; --optimized is given 2 times")

    def test_a_crash_names_the_file(self):
        self.write("same.cl", ORIGINAL + "\n")
        self.write("o.cl", ORIGINAL.replace("b[i] =", "*(volatile __global float *)((size_t)n) = b[i] ="))
        result = self.verify("--optimized", "same.cl", "--optimized", "o.cl", "--no-time")
        self.assert_error(result, "crashed in o.cl: kernel 'k' n=3, global 3, local NULL")

    def test_launches_that_enter_the_new_body(self):
        self.write_new_body("n >= 16 && items == n")
        code, output = self.verify("--optimized", "o.cl", "--no-time", "--json", "out.json")
        self.assertEqual(code, 0, output)
        self.assertIn("4 launches compared, all equal; 1 of 4 entered a new body", output)
        report = json.loads((self.folder / "out.json").read_text())
        self.assertEqual([launch["entered"] for result in report["results"]
                          for launch in result["launches"]], [False, False, True, False])
        self.assertEqual(report["results"][0]["launches"][0]["missing"], "n >= 16")
        self.assertEqual(report["results"][1]["launches"][1]["missing"], "items == n")
        self.assertEqual(report["kernels"], [{"kernel": "k", "changed": True, "launches": 4,
                                              "entered": 1, "missing": ["n >= 16", "items == n"]}])

    def test_new_body_without_conditions(self):
        self.write("o.cl", ORIGINAL.replace("int i", "// Optimized by clopt:\n    int i", 1))
        code, output = self.verify("--optimized", "o.cl", "--no-time")
        self.assertEqual(code, 0, output)
        self.assertIn("4 of 4 entered a new body", output)

    def test_no_launch_enters_the_new_body(self):
        self.write_new_body("n >= 100", result="0.0f")  # wrong, if it is run
        code, output = self.verify("--optimized", "o.cl", "--no-time")
        self.assertEqual(code, 3, output)
        self.assertIn("no launch entered the new body of 'k': it needs n >= 100; "
                      "try --size=n=128", output)
        self.assertIn("0 of 4 entered a new body", output)
        self.assertEqual(self.verify("--optimized", "o.cl", "--no-time", "--size=n=128")[0], 1)
        code, output = self.verify("--optimized", "o.cl", "--no-time", "--no-entry")
        self.assertEqual(code, 0, output)
        self.assertNotIn("entered", output)
        self.write_new_body("n >= 100 && get_local_size(0) == 32")
        code, output = self.verify("--optimized", "o.cl", "--no-time")
        self.assertEqual(code, 3, output)
        self.assertIn('try --size=n=128 and "LocalSize": {"X": 32}', output)
        self.write_new_body("get_global_size(0) >= 1000000")  # large devices have such
        code, output = self.verify("--optimized", "o.cl", "--no-time")
        self.assertEqual(code, 3, output)
        self.assertIn("try --size=n=1048576", output)
        self.write_new_body("n >= 100 && n < 101")
        code, output = self.verify("--optimized", "o.cl", "--no-time")
        self.assertEqual(code, 3, output)
        self.assertIn("it needs n >= 100; none was found that would", output)

    def test_no_larger_launch_is_suggested_than_needed(self):
        """Sizes that may stay are left out; others are as small as may be."""
        spec = copy.deepcopy(SPEC)
        spec["KernelSpecification"]["Sizes"] = {"n": [3], "m": [5]}
        spec["KernelSpecification"]["GlobalSize"] = "n*m"
        self.write("k.json", json.dumps(spec))
        for condition, wanted in (("n >= 100", "n=128"), ("n >= 10 && items >= n * 100", "m=128,n=16"),
                                  ("items >= 1000", "m=32,n=32"), ("n > 0", None)):
            self.write_new_body(condition)
            code, output = self.verify("--optimized", "o.cl", "--no-time", "--first-range")
            self.assertEqual(code, 3 if wanted else 0, output)
            if wanted:
                self.assertIn(f"; try --size={wanted}\n", output)

    def test_names_that_macros_make(self):
        """The device knows them; each name's own conditions are counted."""
        names = "#define NAME_I(x, type) x##_##type\n#define NAME(x, type) NAME_I(x, type)\n#define T float\n"
        kernel = names + ORIGINAL.replace("void k(", "void NAME(k, T)(")
        others = "".join(f"#undef T\n#define T {word}\n" + ORIGINAL.replace("void k(", "void NAME(k, T)(")
                         for word in ("int", "long"))
        spec = copy.deepcopy(SPEC)
        spec["KernelSpecification"]["KernelName"] = "k_float"
        self.write("k.json", json.dumps(spec))
        self.write("k.cl", kernel + others)
        self.write_new_body("n >= 16 && items == n", original=kernel + others)
        code, output = self.verify("--optimized", "o.cl", "--no-time")
        self.assertEqual(code, 0, output)
        self.assertIn("4 launches compared, all equal; 1 of 4 entered a new body", output)
        self.write_new_body("n >= 100", original=kernel + others)
        code, output = self.verify("--optimized", "o.cl", "--no-time")
        self.assertEqual(code, 3, output)
        self.assertIn("no launch entered the new body of 'k_float': it needs n >= 100", output)

    def test_conditions_that_do_not_build(self):
        """Said in one line, without what the OpenCL compiler says."""
        kernel = "#define K(a, b, n) k(a, b, n)\n" + ORIGINAL.replace("void k(", "void K(")
        self.write("k.cl", kernel)
        self.write_new_body("n >= 16", original=kernel)
        code, output = self.verify("--optimized", "o.cl", "--no-time")
        self.assertEqual(code, 0, output)
        self.assertTrue(output.endswith("4 launches compared, all equal\n"), output)
        lines = [line for line in output.splitlines() if not line.startswith("k  ")]
        self.assertEqual(lines, ["clopt-rt: warning: which launches run a new body is not known, because the "
                                 "conditions of the optimized form do not build as a program",
                                 "4 launches compared, all equal"])
        code, output = self.verify("--optimized", "o.cl", "--no-time", "-v")
        self.assertIn("arguments", output)  # the log

    def test_originals_that_vary(self):
        """They are no evidence against the other text, unless it is wrong elsewhere."""
        clock = ORIGINAL.replace("a[i] + 1.0f", "(float)((uint)__builtin_readcyclecounter() & 0xfffff)")
        self.write("k.cl", clock)
        self.write("o.cl", clock)
        code, output = self.verify("--optimized", "o.cl", "--json", "out.json")
        self.assertEqual(code, 0, output)
        self.assertIn("2 of 2 launches not comparable\n", output)
        self.assertIn("the original's own result in 'b' varies from run to run", output)
        self.assertIn("0 launches compared, 4 not comparable\n", output)
        report = json.loads((self.folder / "out.json").read_text())
        self.assertEqual((report["launches"], report["wrong"], report["notComparable"]), (0, 0, 4))
        self.write_new_body("n >= 0", original=clock)
        code, output = self.verify("--optimized", "o.cl", "--no-time")
        self.assertEqual(code, 3, output)
        self.assertIn("no launch of the new body of 'k' could be compared", output)
        self.write("o.cl", clock.replace("b[i] =", "((__global float *)a)[i] = b[i] ="))
        code, output = self.verify("--optimized", "o.cl", "--no-time")
        self.assertEqual(code, 1, output)
        self.assertIn("4 wrong", output)

    def test_launches_that_change_nothing(self):
        nothing = ORIGINAL.replace("i < n", "i < n && n > 3")
        self.write("k.cl", nothing)
        self.write_new_body("n >= 0", original=nothing)
        self.write("o.cl", (self.folder / "o.cl").read_text().replace("i < n)", "i < n && n > 3)"))
        code, output = self.verify("--optimized", "o.cl", "--size=n=3")
        self.assertEqual(code, 3, output)
        self.assertRegex(output, r"n=3 .* changes nothing\n")
        self.assertIn("no launch of 'k' changes a buffer, so nothing was compared", output)
        self.assertNotIn("mean", output)
        code, output = self.verify("--optimized", "o.cl")
        self.assertEqual(code, 0, output)
        self.assertNotIn("so nothing was compared", output)

    def test_required_groups_are_launched(self):
        """A specification without groups means those that the kernel requires."""
        required = ORIGINAL.replace("__kernel ", "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) ")
        self.assertNotEqual(required, ORIGINAL)
        self.write("k.cl", required)
        spec = copy.deepcopy(SPEC)
        spec["KernelSpecification"].update(Sizes={"n": [8, 64]}, NDRanges=[])
        self.write("k.json", json.dumps(spec))
        code, output = self.verify("--optimized", "k.cl", "--no-time")
        self.assertEqual(code, 0, output)
        self.assertIn("2 launches compared, all equal", output)
        self.write("o.cl", required.replace("1.0f", "2.0f"))
        code, output = self.verify("--optimized", "o.cl", "--no-time")
        self.assertEqual(code, 1, output)
        self.assertIn("2 launches compared, 2 wrong", output)

    def test_required_groups_are_suggested(self):
        attribute = "__attribute__((reqd_work_group_size(4, 1, 1))) __kernel"
        original = ORIGINAL.replace("__kernel", attribute)
        spec = json.loads(json.dumps(SPEC))
        spec["KernelSpecification"].update(LocalSize="4", GlobalSize="roundup(n,4)", NDRanges=[])
        self.write("k.json", json.dumps(spec))
        self.write("k.cl", original)
        self.write_new_body("n >= 100", original=original)
        code, output = self.verify("--optimized", "o.cl", "--no-time")
        self.assertEqual(code, 3, output)
        self.assertIn("try --size=n=128\n", output)

    def test_wrong_values_count_more_than_what_was_not_entered(self):
        self.write_new_body("n >= 100")
        text = (self.folder / "o.cl").read_text()
        self.write("o.cl", text.replace("a[i] + 1.0f;\n}", "a[i] + 2.0f;\n}"))
        code, output = self.verify("--optimized", "o.cl", "--no-time")
        self.assertEqual(code, 1, output)

    def test_texts_that_tell_nothing(self):
        """A text of another form is compared, without a count."""
        code, output = self.compare_with("a[i] + 1.0f", "1.0f + a[i]")
        self.assertEqual(code, 0, output)
        self.assertNotIn("entered", output)
        code, output = self.verify("--optimized", "o.cl")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"geometric mean: [\d.]+ of 2 launches below 0.03 ms\n$")

    def test_guard_bands_of_two_buffers_differ(self):
        # A copy from outside one buffer to outside the other.
        code, output = self.compare_with("if (i < n)\n        b[i] = a[i] + 1.0f",
                                         "b[i] = a[i] + (i < n ? 1.0f : 0.0f)")
        self.assertEqual(code, 1)
        self.assertIn("past the end of 'b'", output)

    def test_crash_names_the_kernel(self):
        result = self.compare_with(
            "b[i] =", "*(volatile __global float *)((size_t)n) = b[i] =")
        self.assert_error(result, "crashed in kernel 'k' n=3, global 3, local NULL, "
                                  "optimized kernel")

    def test_other_arguments(self):
        result = self.compare_with("int n)", "int n, int m)")
        self.assert_error(result, "the optimized kernel 'k' takes 4 arguments")

    def test_kernel_that_does_not_build(self):
        code, output = self.compare_with("a[i]", "c[i]")
        self.assertEqual(code, 1)
        self.assertIn("clBuildProgram failed: CL_BUILD_PROGRAM_FAILURE (-11) for 'o.cl'",
                      output)
        self.assertIn("'c'", output)

    def test_kernel_that_is_not_there(self):
        self.write("k.json", json.dumps(SPEC).replace('"k"', '"other"'))
        self.assert_error(self.verify("--optimized", "k.cl"),
                          "CL_INVALID_KERNEL_NAME (-46) for kernel 'other'")

    def test_malformed_specifications(self):
        self.write("k.json", '{"KernelSpecification": {"KernelName": }')
        self.assert_error(self.verify("--optimized", "k.cl"), "k.json:1:40: error: ")
        self.write("k.json", "")
        self.assert_error(self.verify("--optimized", "k.cl"), "k.json:1:1: error: ")
        self.write("k.json", json.dumps(SPEC, indent=1).replace("n+5", "m+5"))
        self.assert_error(self.verify("--optimized", "k.cl"),
                          "error: unknown name 'm' in \"m+5\"")

    def test_wrong_number_of_arguments(self):
        spec = json.loads(json.dumps(SPEC))
        spec["KernelSpecification"]["Arguments"].pop()
        self.write("k.json", json.dumps(spec))
        self.assert_error(self.verify("--optimized", "k.cl"),
                          "takes 3 arguments, but 'Arguments' has 2", 2)

    def test_types_of_arguments(self):
        """The specification has to fit the kernel, as far as the device knows its types."""
        def with_argument(index, **fields):
            spec = json.loads(json.dumps(SPEC))
            spec["KernelSpecification"]["Arguments"][index].update(fields)
            self.write("k.json", json.dumps(spec, indent=1))
            return self.verify("--optimized", "k.cl", "--no-time")

        for index, fields, message in (
                (0, {"Type": "int"}, "argument 'a' is Vector of int, but the kernel's parameter 'a' is float*"),
                (0, {"Type": "double"}, "is Vector of double, but"),
                (2, {"MemoryType": "Vector", "Type": "float", "Size": "n"},
                 "argument 'n' is Vector of float, but the kernel's parameter 'n' is int, which takes Scalar"),
                (2, {"Type": "long"}, "argument 'n' is Scalar of long"),
                (2, {"Type": "float", "FillValue": 3}, "argument 'n' is Scalar of float"),
                (1, {"MemoryType": "Scalar", "FillValue": 0}, "which takes Vector"),
                (1, {"MemoryType": "Local"}, "which takes Vector")):
            code, output = with_argument(index, **fields)
            self.assert_error((code, output), message, 2)
            self.assertRegex(output, r"^k\.json:\d+:\d+: error: kernel 'k': ")
        self.assertEqual(with_argument(0, Type="float4", Size="n")[0], 0)
        self.assertEqual(with_argument(2, Type="uint")[0], 0)

    def test_files_that_cannot_be_read(self):
        self.assert_error(self.verify("--optimized", "none.cl"), "cannot open 'none.cl'")
        self.assert_error(self.run_tool("verify", ".", "--launch", "k.json"),
                          "cannot read '.': it is a directory")
        self.assert_error(self.run_tool("verify", "k.cl", "--launch", "none.json"),
                          "cannot open 'none.json'")
        self.assert_error(self.run_tool("verify", "none.cl"), "cannot open 'none.cl'")
        self.assert_error(self.run_tool("verify", "k.cl"), "no launch specification given")

    def test_options(self):
        self.assert_error(self.verify("--sed=3"),
                          "unknown option '--sed'; did you mean '--seed'?")
        self.assert_error(self.verify("--seed"), "option '--seed' needs a value")
        self.assert_error(self.verify("--seed=x"), "'x' is no whole number")
        self.assert_error(self.verify("--size=q=3"), "no launch specification has a size 'q'")
        self.assert_error(self.verify("--platform=nobody"), "no OpenCL platform 'nobody'")
        self.assert_error(self.run_tool("verify", "k.cl"), "no launch specification given")
        self.assert_error(self.run_tool("verfy"), "unknown command 'verfy'")

    def test_sizes_on_the_command_line(self):
        code, output = self.verify("--optimized", "k.cl", "--no-time", "--sizes=n=5,6,7")
        self.assertEqual(code, 0, output)
        self.assertIn("6 launches compared", output)
        code, output = self.verify("--optimized", "k.cl", "--no-time", "--max-work-items=2")
        self.assertEqual(code, 0, output)
        self.assertIn("1 launch compared", output)

    def test_clopt_that_fails(self):
        self.assert_error(self.verify("--clopt", "/no/such/clopt"),
                          "cannot start '/no/such/clopt'")
        self.write("bad", "#!/bin/sh\necho it went wrong\nexit 7\n")
        (self.folder / "bad").chmod(0o755)
        code, output = self.verify("--clopt", "./bad")
        self.assertEqual(code, 1)
        self.assertIn("'./bad' failed with exit code 7 on 'k.cl'\nit went wrong", output)

    def test_clopt_gets_flags_and_arguments(self):
        self.write("fake", '#!/bin/sh\necho "$@" > seen\ncp k.cl "$3"\n')
        (self.folder / "fake").chmod(0o755)
        code, output = self.verify("--clopt", "./fake", "--target=cpu", "--no-time",
                                   "--clopt-arg=--alias=none", "--", "-DX=1")
        self.assertEqual(code, 0, output)
        seen = (self.folder / "seen").read_text().split()
        self.assertEqual(seen[:2], ["k.cl", "-o"])
        self.assertEqual(seen[3:], ["--target=cpu", "--alias=none", "--", "-DX=1"])


if __name__ == "__main__":
    unittest.main()
