//===- ExprPrinterTest.cpp - trees as OpenCL C ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mostly round trips: a program is parsed, printed, parsed again and printed
// again. The second parse must succeed without new warnings and give the same
// tree.
//
//===----------------------------------------------------------------------===//

#include "Model/ExprPrinter.h"
#include "Frontend/clang/ClangParser.h"

#include <gtest/gtest.h>
#include <llvm/ADT/StringExtras.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace clopt;

namespace {

/// Structure, types and operators of a tree, without places and spellings.
std::string shape(const ExprRef &expr) {
  if (!expr)
    return "-";
  std::string text = "(" + std::to_string(static_cast<int>(expr->kind)) + "." +
                     std::to_string(static_cast<int>(expr->op)) + ":" +
                     std::to_string(static_cast<int>(expr->type.kind)) + "." +
                     std::to_string(static_cast<int>(expr->type.scalar)) + "x" +
                     std::to_string(expr->type.lanes);
  if (expr->kind == ExprKind::IntLiteral)
    text += "=" + std::to_string(expr->intValue);
  for (const ExprRef &operand : expr->operands)
    text += shape(operand);
  return text + ")";
}

/// Braces may be added and declarations split.
std::string shape(const StmtRef &stmt) {
  std::string text;
  forEachStmt(stmt, [&](const StmtRef &part) {
    if (part->kind == StmtKind::Block || part->kind == StmtKind::Group)
      return;
    text += std::to_string(static_cast<int>(part->kind)) + shape(part->expr) +
            shape(part->inc);
  });
  return text;
}

std::unique_ptr<TranslationUnit>
parse(const std::string &source, const std::vector<std::string> &flags = {}) {
  ParseResult result = parseOpenCL("printed.cl", source, flags);
  for (const Diagnostic &diagnostic : result.diagnostics)
    ADD_FAILURE() << diagnostic.rendered << "\nin\n" << source;
  return std::move(result.unit);
}

/// The source with every body replaced by its print.
std::string reprint(const TranslationUnit &unit) {
  std::string text;
  size_t at = 0;
  for (const auto &function : unit.functions) {
    EXPECT_TRUE(function->isEditable) << function->name;
    text += unit.text.substr(at, function->bodyRange.begin - at) +
            llvm::join(printStmt(function->asWritten()), "\n");
    at = function->bodyRange.end;
  }
  return text + unit.text.substr(at);
}

void roundTrip(const std::string &source,
               const std::vector<std::string> &flags = {}) {
  auto first = parse(source, flags);
  ASSERT_TRUE(first);
  std::string printed = reprint(*first);
  auto second = parse(printed, flags);
  ASSERT_TRUE(second);
  ASSERT_EQ(first->functions.size(), second->functions.size());
  for (size_t i = 0; i < first->functions.size(); ++i)
    EXPECT_EQ(shape(first->functions[i]->asWritten()),
              shape(second->functions[i]->asWritten()))
        << printed;
  EXPECT_EQ(reprint(*second), printed);
}

std::string kernel(const std::string &body) {
  return "__kernel void k(__global int *pa, __global float *pb) {\n"
         "__global int *a = pa; __global float *b = pb; int n = 0, m = 0; "
         "uint u = 0; float f = 0; float4 v = 0;\n" +
         body + "\n}\n";
}
/// Statements of `kernel` before the body.
constexpr size_t declarations = 6;

/// How the first statement of a kernel prints.
std::string first(const std::string &statement, const PrintHooks &hooks = {}) {
  auto unit = parse(kernel(statement), {"-w"});
  if (!unit)
    return "";
  return llvm::join(
      printStmt(unit->functions[0]->asWritten()->children.at(declarations),
                hooks),
      "\n");
}

/// Prints as it was written.
void same(const std::string &statement) {
  EXPECT_EQ(first(statement), statement);
}

TEST(ExprPrinter, ParenthesesFollowPrecedence) {
  same("n = (n + m) * 2;");
  same("n = n - (m - 2);");
  same("n = n - m - 2;");
  same("n = n * (m / 2) % 3;");
  same("n = -(n + 1);");
  same("n = ~n & m;");
  same("f = f * (f * f);");
  same("n = (n ? m : 2) + 1;");
  same("n = n ? m : u ? 2 : 3;");
  same("n = (a[n], m);");
  same("*(a + n) = *a;");
  same("(*a)++;");
  same("a[n + 1] = (a + n)[2];");
  same("f = ((float4)(1, 2, 3, 4)).y;");
  same("n += m = 3;");
  same("n = (int)f * 2;");
  same("n = (int)(f * 2);");
  same("n = sizeof(int) * 2;");
  EXPECT_EQ(first("n = ((((n)) + (m)));"), "n = n + m;");
  EXPECT_EQ(first("n = (n * m) + (2 * 3);"), "n = n * m + 2 * 3;");
}

TEST(ExprPrinter, ParenthesesThatClangAsksFor) {
  same("n = (n && m) || u;");
  same("n = n << (m + 1);");
  same("n = (n & m) | u;");
  same("n = (n + m) >> 1;");
  same("n = (n < m) == u;");
  same("n = n || m || u;");
  EXPECT_EQ(first("if ((n = m)) a[0] = 1;"), "if ((n = m))\n  a[0] = 1;");
}

TEST(ExprPrinter, SignsDoNotMerge) {
  same("n = - -n;");
  same("n = -(-1 * m);");
  same("n = + +n;");
  same("n = n - -m;");
  same("n = - --n;");
  same("n = !!n;");
  same("n = n-- - --m;");
}

TEST(ExprPrinter, ImplicitConversionsAreSilent) {
  same("f = n;");
  same("b[u] = n + f;");
  same("v = f;");
  same("n = f > 0;");
  same("n = (uint)n < u;");
}

TEST(ExprPrinter, VectorsAndCalls) {
  same("v = (float4)(f);");
  same("v = (float4)(v.xy, v.hi.x, 1.0f);");
  same("v.s01 = v.zw * 2.0f;");
  same("v = vload4(n, b) + fma(v, v, (float4)(f));");
  same("vstore4(v, 0, b + n);");
  same("v = *(__global float4 *)(b + n);");
  same("n = get_global_id(0) + get_local_size(1);");
  same("n = as_int(f) + convert_int(f);");
}

TEST(ExprPrinter, Statements) {
  EXPECT_EQ(first("for (int i = 0, *p = 0; i < n; ++i) { a[i] = 1; }"),
            "for (int i = 0, *p = 0; i < n; ++i) {\n  a[i] = 1;\n}");
  EXPECT_EQ(first("for (;;) break;"), "for (;;)\n  break;");
  EXPECT_EQ(first("do n--; while (n);"), "do {\n  n--;\n} while (n);");
  EXPECT_EQ(first("if (n) { if (m) a[0] = 1; } else a[0] = 2;"),
            "if (n) {\n  if (m)\n    a[0] = 1;\n} else\n  a[0] = 2;");
  EXPECT_EQ(first("if (n) ; else if (m) return; else { n = 1; }"),
            "if (n)\n  ;\nelse if (m)\n  return;\nelse {\n  n = 1;\n}");
  EXPECT_EQ(first("int x = 1, y[2] = {1, 2};"),
            "int x = 1;\nint y[2] = {1, 2};");
  EXPECT_EQ(first("switch (n) { case 1: n = 2; case 2: n = 3; }"),
            "switch (n) { case 1: n = 2; case 2: n = 3; }");
}

TEST(ExprPrinter, Declarations) {
  same("__local float t[16][17];");
  same("__global const float *p = b;");
  same("const float4 w = v;");
  same("__global float *const q = b;");
  same("__local float *__local l[2];");
  same("volatile int x;");
  same("int x __attribute__((aligned(16))) = 1;");
  same("float (*r)[4] = 0;");
}

TEST(ExprPrinter, LiteralsWithoutSpelling) {
  auto print = [](ScalarKind kind, int64_t value) {
    auto literal = std::make_shared<Expr>();
    literal->kind = ExprKind::IntLiteral;
    literal->type = Type::makeScalar(kind);
    literal->intValue = value;
    return printOperand(literal, PrecUnary);
  };
  EXPECT_EQ(print(ScalarKind::Int, 5), "5");
  EXPECT_EQ(print(ScalarKind::Int, -5), "-5");
  EXPECT_EQ(print(ScalarKind::UInt, 5), "5U");
  EXPECT_EQ(print(ScalarKind::Long, 5), "5L");
  EXPECT_EQ(print(ScalarKind::ULong, -1), "18446744073709551615UL");
  EXPECT_EQ(print(ScalarKind::Int, INT32_MIN), "(-2147483647 - 1)");
  EXPECT_EQ(print(ScalarKind::Long, INT64_MIN), "(-9223372036854775807L - 1)");
}

TEST(ExprPrinter, AChangedLiteralLosesItsSpelling) {
  auto literal = std::make_shared<Expr>();
  literal->kind = ExprKind::IntLiteral;
  literal->type = Type::makeScalar(ScalarKind::Int);
  literal->text = "0x10";
  literal->intValue = 16;
  EXPECT_EQ(printExpr(literal), "0x10");
  literal->intValue = 17;
  EXPECT_EQ(printExpr(literal), "17");
}

TEST(ExprPrinter, HooksReplaceExpressionsAndNames) {
  PrintHooks hooks;
  hooks.expr = [](const Expr &expr) -> std::optional<PrintedText> {
    if (expr.kind == ExprKind::Subscript)
      return PrintedText{"x + y", PrecAdditive};
    if (expr.kind == ExprKind::Cast && expr.implicit)
      return PrintedText{"(int)f", PrecUnary};
    return std::nullopt;
  };
  hooks.name = [](const Variable &variable) -> std::optional<std::string> {
    if (variable.name == "n")
      return "n_1";
    return std::nullopt;
  };
  EXPECT_EQ(first("n = a[n] * m + n;", hooks), "n_1 = (x + y) * m + n_1;");
  EXPECT_EQ(first("n = f;", hooks), "n_1 = (int)f;");
}

TEST(ExprPrinter, NumbersForVariablesInSums) {
  std::string number = "0";
  PrintHooks hooks;
  hooks.name = [&](const Variable &variable) -> std::optional<std::string> {
    if (variable.name == "n")
      return number;
    return std::nullopt;
  };
  EXPECT_EQ(first("m = (m + n) * 2;", hooks), "m = m * 2;");
  EXPECT_EQ(first("m = m - n + 0;", hooks), "m = m;");
  EXPECT_EQ(first("m = n + m;", hooks), "m = m;");
  EXPECT_EQ(first("m = n - m;", hooks), "m = 0 - m;");
  EXPECT_EQ(first("m = n * m + a[m];", hooks), "m = a[m];");
  EXPECT_EQ(first("m = m - m * (n * m);", hooks), "m = m;");
  EXPECT_EQ(first("m = n * a[m];", hooks), "m = 0 * a[m];");
  EXPECT_EQ(first("f = f + n;", hooks), "f = f + 0;");
  number = "-3";
  EXPECT_EQ(first("m = (m + n) * n;", hooks), "m = (m - 3) * -3;");
  EXPECT_EQ(first("m = m - n;", hooks), "m = m + 3;");
  EXPECT_EQ(first("f = f + n;", hooks), "f = f + -3;");
  EXPECT_EQ(first("m = m + -3;", hooks), "m = m + -3;");
}

TEST(ExprPrinter, NumbersForVariablesAreFolded) {
  std::string number = "-1";
  PrintHooks hooks;
  hooks.name = [&](const Variable &variable) -> std::optional<std::string> {
    if (variable.name == "n")
      return number;
    return std::nullopt;
  };
  EXPECT_EQ(first("m = a[(n + 1) * 3 + n + 1];", hooks), "m = a[0];");
  EXPECT_EQ(first("m = m + n + 1;", hooks), "m = m;");
  EXPECT_EQ(first("m = (m + n + 5) * 2;", hooks), "m = (m + 4) * 2;");
  EXPECT_EQ(first("m = m - n - 5;", hooks), "m = m - 4;");
  EXPECT_EQ(first("m = 2 - n * n;", hooks), "m = 1;");
  EXPECT_EQ(first("m = m * (n + 2);", hooks), "m = m;");
  EXPECT_EQ(first("f = (2 - n * n) * f;", hooks), "f = 1 * f;");
  EXPECT_EQ(first("m = m / (n + 5) % (5 / n);", hooks), "m = m / 4 % -5;");
  // What the author wrote with numbers alone stays; so does what might change:
  // `m + 1` can overflow where `1 + n + m` does not.
  EXPECT_EQ(first("m = a[2 * 3 + 1] + 1 + 2;", hooks),
            "m = a[2 * 3 + 1] + 1 + 2;");
  EXPECT_EQ(first("m = n + m + 2;", hooks), "m = -1 + m + 2;");
  EXPECT_EQ(first("m = n / (n + 1);", hooks), "m = -1 / 0;");
  EXPECT_EQ(first("f = f + n + 1;", hooks), "f = f + -1 + 1;");
  number = "2147483";
  EXPECT_EQ(first("m = n * n;", hooks), "m = 2147483 * 2147483;");
}

TEST(ExprPrinter, RoundTripOfPrograms) {
  unsigned count = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(
           CLOPT_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".cl")
      continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    roundTrip(text.str(), {"-I" + entry.path().parent_path().string()});
    ++count;
  }
  EXPECT_GE(count, 10u);
}

TEST(ExprPrinter, RoundTripOfForms) {
  // One kernel for every form that real programs are written in.
  for (
      const char *body : {
          "int i = get_global_id(1), j = get_global_id(0);\n"
          "if (i < n && j < m) b[i * m + j] += b[i * n + j + 1];",
          "size_t g = get_global_id(0);\nif (g >= n) return;\nint idx = g * m "
          "+ 1;\na[idx] = a[n * (idx + 1) + idx];",
          "int t = get_local_id(0), s = get_group_id(0) * 64 + t;\n"
          "for (int i = s; i < n; i += get_global_size(0)) a[i] = i % m + i / "
          "m;",
          "__global float *q = b + n * m;\nq += 4;\nf = *q + *(q + 1) + q[2];\n"
          "__global float4 *w = (__global float4 *)&b[n];\nw[0] = -w[1];",
          "__local float t[64];\nint l = get_local_id(0);\nt[l] = b[l];\n"
          "for (int s = 32; s > 0; s >>= 1) { barrier(CLK_LOCAL_MEM_FENCE);\n"
          "if (l < s) t[l] += t[l + s]; }\nif (l == 0) b[0] = t[0];",
          "int i;\nfor (i = n - 1; i >= 0; --i) a[i] = 0;\nwhile (n > 0) { n "
          "/= 2; if (n == 3) break; else continue; }",
          "for (int i = 0, j = n; i < j; i++, j--) a[i] = a[j];\nfor (int k = "
          "1; k < n; k *= 2) a[k] ^= a[k >> 1];",
          "v.xyz = v.zyx * 0.5f;\nv = v > 0.0f ? v : -v;\nb[n] = v.s0 + v.w + "
          "v.lo.x + dot(v, v);",
          "atomic_add(a, 1);\natomic_cmpxchg(a + 1, n, m);\na[a[n]] = a[m];",
          "float c[3][3] = {{1, 2, 3}, {4, 5, 6}};\nfor (int i = 0; i < 9; "
          "++i) "
          "f += c[i / 3][i % 3];\nb[0] = f;",
          "goto end;\nend:\na[0] = 1;",
          "switch (n) {\ncase 0: a[0] = 1; break;\ndefault: return;\n}",
          "#pragma unroll\nfor (int i = 0; i < 4; i++) a[i] = i;\n"
          "__attribute__((opencl_unroll_hint(2)))\nfor (int i = 0; i < 4; i++) "
          "a[i] = i;",
          "volatile __global int *p = a;\nuchar c = n;\nc += 300;\np[0] = c;\n"
          "a[1] = (uchar)n + (short)m;",
          "typedef struct { int x; float y[2]; } S;\nS s = {1, {2, 3}};\nS *p "
          "= "
          "&s;\np->x += (*p).y[1];\na[0] = s.x;",
          "n = ({ int y = n; y + 1; }) * (n ?: 4);\na[n] = 1;",
          "ulong x = 0x1FUL | 'a' | 077;\na[0] = x >> 2 & 1;",
          "if (n) if (m) a[0] = 1; else a[0] = 2; else a[0] = 3;",
          "{ int x = 1; { int x = 2; a[0] = x; } a[1] = x; }\n;",
          "int s = 0, *p = &s, t[2];\n*p = t[0] = 4;\na[0] = s + t[0] - -*p;",
      }) {
    SCOPED_TRACE(body);
    ParseResult result = parseOpenCL("form.cl", kernel(body), {"-w"});
    ASSERT_TRUE(result.unit);
    roundTrip(kernel(body), {"-w"});
  }
}

TEST(ExprPrinter, RoundTripOfHelpersAndMacros) {
  roundTrip(
      "#define TS 16\n#define AT(i, j) a[(i) * n + (j)]\n"
      "#define SWAP(x, y) do { int t = x; x = y; y = t; } while (0)\n"
      "typedef float real;\n__constant real w[2] = {0.5f, 2};\n"
      "int idx(int i, int j, int n) { return i * n + j; }\n"
      "real f(real x) { real s = 0; for (int i = 0; i < TS; ++i) s += x * "
      "w[i & 1]; return s; }\n"
      "void g(__global int *p, int n) { p[n] = n; p[n + 1] = n; }\n"
      "__kernel void k(__global int *a, int n) {\n"
      "  __local int t[TS][TS + 1];\n"
      "  t[0][get_local_id(0)] = AT(2, TS - 1);\n"
      "  SWAP(a[0], a[1]);\n  g(a + 1, n);\n"
      "  a[idx(get_global_id(0), n, TS)] = f(n) + t[0][0];\n}\n");
}

} // namespace
