//===- ClangParserTest.cpp - what the front end makes of programs ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most tests parse one function and look at a piece of it. Pieces are found by
// what they are printed as, so that the tests read like the programs.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangParser.h"
#include "Model/ExprPrinter.h"

#include <gtest/gtest.h>
#include <llvm/ADT/StringExtras.h>

#include <cstdio>
#include <fstream>

using namespace clopt;

namespace {

std::unique_ptr<TranslationUnit>
parse(const std::string &source, const std::vector<std::string> &flags = {}) {
  ParseResult result = parseOpenCL("test.cl", source, flags);
  for (const Diagnostic &diagnostic : result.diagnostics)
    EXPECT_NE(diagnostic.level, Diagnostic::Level::Error)
        << diagnostic.rendered << "\nin\n"
        << source;
  return std::move(result.unit);
}

const Function *find(const TranslationUnit &unit, const std::string &name) {
  for (const auto &function : unit.functions)
    if (function->name == name)
      return function.get();
  return nullptr;
}

/// A kernel `k` with the usual parameters around the given statements.
std::string kernel(const std::string &body, const std::string &before = "") {
  return before +
         "\n__kernel void k(__global float *a, __global float *b, __local "
         "float *l, int n, uint u, float f, float4 v) {\n" +
         body + "\n}\n";
}

struct Parsed {
  explicit Parsed(const std::string &source,
                  const std::vector<std::string> &flags = {})
      : unit(parse(source, flags)) {
    if (unit)
      function = find(*unit, "k");
  }

  /// The first expression that prints like this and is no implicit cast.
  ExprRef operator[](const std::string &text) const {
    ExprRef found;
    if (function)
      forEachExpr(function->body, [&](const ExprRef &expr) {
        if (!found && !expr->implicit && printExpr(expr) == text)
          found = expr;
      });
    EXPECT_TRUE(found) << "no expression prints as " << text << " in\n"
                       << body();
    return found ? found : std::make_shared<Expr>();
  }
  const Stmt &statement(size_t index) const {
    return *function->body->children.at(index);
  }
  std::string body() const {
    return function ? llvm::join(printStmt(function->body), "\n") + "\n" : "";
  }
  const Variable *variable(const std::string &name) const {
    for (const auto &candidate : function->variables)
      if (candidate->name == name)
        return candidate.get();
    return nullptr;
  }

  std::unique_ptr<TranslationUnit> unit;
  const Function *function = nullptr;
};

Parsed inKernel(const std::string &body, const std::string &before = "",
                const std::vector<std::string> &flags = {}) {
  return Parsed(kernel(body, before), flags);
}

std::string pathFor(const std::string &name) {
  return testing::TempDir() + "/" + name;
}

void write(const std::string &path, const std::string &text) {
  std::ofstream(path) << text;
}

//===-- Functions and parameters ------------------------------------------===//

TEST(ClangParser, FunctionHead) {
  Parsed parsed(
      "__kernel __attribute__((reqd_work_group_size(16, 4, 1)))\n"
      "void k(__global const float *restrict a, __local int *l, uint n,\n"
      "       __constant int *c, __read_only image2d_t img) {}\n");
  const Function &function = *parsed.function;
  EXPECT_TRUE(function.isKernel);
  EXPECT_TRUE(function.isEditable);
  EXPECT_FALSE(function.isCalled);
  EXPECT_EQ(function.requiredLocalSize[0], 16u);
  EXPECT_EQ(function.requiredLocalSize[1], 4u);
  ASSERT_EQ(function.params.size(), 5u);
  const Variable &a = *function.params[0];
  EXPECT_TRUE(a.isParam);
  EXPECT_EQ(a.space, AddressSpace::Private);
  EXPECT_TRUE(a.type.isPointer());
  EXPECT_TRUE(a.type.isRestrict);
  EXPECT_EQ(a.type.space, AddressSpace::Global);
  EXPECT_TRUE(a.type.element->isConst);
  EXPECT_EQ(function.params[1]->type.space, AddressSpace::Local);
  EXPECT_EQ(function.params[2]->paramIndex, 2u);
  EXPECT_TRUE(function.params[2]->type.isUnsigned());
  EXPECT_EQ(function.params[3]->type.space, AddressSpace::Constant);
  EXPECT_EQ(function.params[4]->type.kind, TypeKind::Opaque);
}

TEST(ClangParser, PlacesOfNameAndParameters) {
  auto places = [](const std::string &source) -> std::string {
    Parsed parsed(source);
    const SourceRange &name = parsed.function->nameRange;
    const SourceRange &parameters = parsed.function->parameterRange;
    if (!name.isEditable())
      return "";
    return parsed.unit->spelling(name.begin, name.end) + " " +
           parsed.unit->spelling(parameters.begin, parameters.end);
  };
  EXPECT_EQ(places("__kernel void /* k( */ k /* ( */ (int n /* ) */) {}"),
            "k (int n /* ) */)");
  EXPECT_EQ(places("#define LIST int a, int b\n__kernel void k(LIST) {}"),
            "k (LIST)");
  EXPECT_EQ(places("#define NAME k\n__kernel void NAME(int n) {}"), "");
  EXPECT_EQ(places("#define HEAD(n) void n(int m)\n__kernel HEAD(k) {}"), "");
  EXPECT_EQ(places("__kernel void k(\n#ifdef A\nint a\n#endif\n) {}"), "");
}

TEST(ClangParser, ChangedParametersAreVariables) {
  Parsed parsed = inKernel("a += n; if (n > u) b++; v.x = f; a[u] = b[n];");
  EXPECT_EQ(parsed.body(), "{\n"
                           "  __global float *a_now = a;\n"
                           "  __global float *b_now = b;\n"
                           "  float4 v_now = v;\n"
                           "  a_now += n;\n"
                           "  if (n > u)\n"
                           "    b_now++;\n"
                           "  v_now.x = f;\n"
                           "  a_now[u] = b_now[n];\n"
                           "}\n");
  const Function &function = *parsed.function;
  ASSERT_EQ(function.params.size(), 7u);
  EXPECT_EQ(function.params[0]->name, "a");
  EXPECT_EQ(function.params[0], function.variables[0].get());
  EXPECT_TRUE(function.params[0]->isParam);
  EXPECT_EQ(function.params[6]->paramIndex, 6u);
  EXPECT_FALSE(parsed.variable("a_now")->isParam);
  EXPECT_TRUE(parsed.variable("n")->isParam);
}

TEST(ClangParser, NamesOfChangedParametersAreNew) {
  Parsed parsed = inKernel("int n_now = 1; n -= n_now; a[n] = 0;");
  EXPECT_EQ(parsed.body(), "{\n"
                           "  int n_nowx = n;\n"
                           "  int n_now = 1;\n"
                           "  n_nowx -= n_now;\n"
                           "  a[n_nowx] = 0;\n"
                           "}\n");
}

TEST(ClangParser, ParametersInTextThatIsKeptStay) {
  Parsed text = inKernel("n = n + 1; a[0] = n ?: 4;");
  EXPECT_EQ(text.statement(0).kind, StmtKind::Expr);
  Parsed jumps = inKernel("again: n--; if (n > 0) goto again;");
  EXPECT_FALSE(jumps.variable("n_now"));
  Parsed helper("float k(float x) { x += 1; return x; } __kernel void m() {}");
  EXPECT_TRUE(helper.function->params[0]->isParam);
  EXPECT_FALSE(helper.variable("x_now"));
}

TEST(ClangParser, RangesAreByteOffsets) {
  std::string source = "// comment\n__kernel void k(__global int *a)\n{ a[0] = "
                       "1; }\n";
  Parsed parsed(source);
  const SourceRange &body = parsed.function->bodyRange;
  EXPECT_EQ(source.substr(body.begin, body.end - body.begin), "{ a[0] = 1; }");
  EXPECT_EQ(source.find("__kernel"),
            static_cast<size_t>(parsed.function->range.begin));
  EXPECT_EQ(parsed.function->range.end, body.end);
  const SourceRange &stmt = parsed.statement(0).range;
  EXPECT_EQ(source.substr(stmt.begin, stmt.end - stmt.begin), "a[0] = 1;");
  const SourceRange &expr = parsed["a[0]"]->range;
  EXPECT_EQ(source.substr(expr.begin, expr.end - expr.begin), "a[0]");
  EXPECT_EQ(expr.line, 3u);
  EXPECT_EQ(expr.column, 3u);
  EXPECT_EQ(expr.endColumn, 7u);
}

TEST(ClangParser, FunctionsAreInSourceOrder) {
  auto unit = parse("int g(int);\n__kernel void k(__global int *a) { a[0] = "
                    "g(1); }\nint g(int x) { while (x > 3) x /= 2; return x; "
                    "}\n");
  ASSERT_EQ(unit->functions.size(), 2u);
  EXPECT_EQ(unit->functions[0]->name, "k");
  EXPECT_EQ(unit->functions[1]->name, "g");
  EXPECT_TRUE(unit->functions[1]->isCalled);
}

TEST(ClangParser, EmptyFilesAreFine) {
  for (const char *source :
       {"", "\n", "// nothing", "int;", "typedef int T;"}) {
    auto unit = parse(source);
    ASSERT_TRUE(unit);
    EXPECT_TRUE(unit->functions.empty());
    EXPECT_EQ(unit->text, source);
  }
}

TEST(ClangParser, FunctionsMadeByMacrosCannotBeEdited) {
  Parsed parsed(
      "#define OPEN {\n#define KERNEL(name) __kernel void name(int n) "
      "{ }\nKERNEL(k)\n__kernel void j(int n) OPEN }\n");
  EXPECT_FALSE(parsed.function->isEditable);
  EXPECT_FALSE(find(*parsed.unit, "j")->isEditable);
}

TEST(ClangParser, MacrosChangedInABodyBindItToItsText) {
  Parsed used(kernel("#define M 3\n a[0] = M;", "") + "int after = M;\n",
              {"-cl-std=CL2.0"});
  EXPECT_FALSE(used.function->isEditable);
  Parsed unused = inKernel("#define M 3\n a[0] = M;\n#undef M");
  EXPECT_TRUE(unused.function->isEditable);
  EXPECT_EQ(unused.body(), "{\n  a[0] = 3;\n}\n"); // M is not known outside
}

//===-- Work-items --------------------------------------------------------===//

TEST(ClangParser, WorkItemQueries) {
  Parsed parsed =
      inKernel("enum { D = 1 }; a[get_global_id(0)] = b[get_local_id(D)] + "
               "get_group_id(1 + 1) + get_num_groups(0) + get_work_dim() + "
               "get_global_id(n) + get_global_offset(5) + get_local_size(7);");
  ExprRef id = parsed["get_global_id(0)"];
  EXPECT_EQ(id->kind, ExprKind::WorkItem);
  EXPECT_EQ(id->query, WorkItemQuery::GlobalId);
  EXPECT_EQ(id->type.scalar, ScalarKind::ULong);
  EXPECT_EQ(parsed["get_local_id(1)"]->dim, 1u);
  EXPECT_EQ(parsed["get_group_id(2)"]->query, WorkItemQuery::GroupId);
  EXPECT_EQ(parsed["get_work_dim()"]->query, WorkItemQuery::WorkDim);
  EXPECT_EQ(parsed["get_global_id(n)"]->kind, ExprKind::Call);
  EXPECT_EQ(parsed["get_global_id(n)"]->effect, CallEffect::Opaque);
  // Dimensions that do not exist have one work-item with id 0.
  EXPECT_EQ(parsed["0UL"]->intValue, 0);
  EXPECT_EQ(parsed["1UL"]->intValue, 1);
}

TEST(ClangParser, ConversionsOfIdsAreCasts) {
  Parsed parsed = inKernel("int i = get_global_id(0); if (i < u) a[i] = n;");
  const Stmt &decl = parsed.statement(0);
  ASSERT_EQ(decl.expr->kind, ExprKind::Cast);
  EXPECT_TRUE(decl.expr->implicit);
  EXPECT_EQ(decl.expr->type.scalar, ScalarKind::Int);
  ExprRef guard = parsed["i < u"];
  EXPECT_EQ(guard->operands[0]->kind, ExprKind::Cast);
  EXPECT_EQ(guard->operands[0]->type.scalar, ScalarKind::UInt);
  ExprRef assign = parsed["a[i] = n"];
  EXPECT_EQ(assign->operands[1]->kind, ExprKind::Cast);
  EXPECT_EQ(assign->operands[1]->type.scalar, ScalarKind::Float);
}

TEST(ClangParser, BarriersAreStatements) {
  Parsed parsed = inKernel("barrier(CLK_LOCAL_MEM_FENCE); "
                           "work_group_barrier(CLK_GLOBAL_MEM_FENCE); "
                           "mem_fence(CLK_LOCAL_MEM_FENCE);",
                           "", {"-cl-std=CL2.0"});
  EXPECT_EQ(parsed.statement(0).kind, StmtKind::Barrier);
  EXPECT_EQ(parsed.statement(1).kind, StmtKind::Barrier);
  EXPECT_EQ(parsed.statement(2).kind, StmtKind::Expr);
  EXPECT_EQ(parsed.statement(2).expr->effect, CallEffect::Fence);
}

//===-- Expressions -------------------------------------------------------===//

TEST(ClangParser, CompoundAssignmentsKnowTheirType) {
  Parsed parsed =
      inKernel("uchar c = 1; c += n; a[0] *= 0.5; float g = f; g -= u;");
  EXPECT_EQ(parsed["c += n"]->computeType.scalar, ScalarKind::Int);
  EXPECT_EQ(parsed["c += n"]->op, Op::Add);
  EXPECT_EQ(parsed["a[0] *= 0.5"]->computeType.scalar, ScalarKind::Double);
  EXPECT_EQ(parsed["g -= u"]->type.scalar, ScalarKind::Float);
}

TEST(ClangParser, Literals) {
  Parsed parsed = inKernel("ulong x = 0xFFu + 'a' + 10L; f = 1.5e3f + .5; x = "
                           "18446744073709551615UL; enum { E = 5 }; n = E; n = "
                           "sizeof(float4);");
  EXPECT_EQ(parsed["0xFFu"]->intValue, 255);
  EXPECT_EQ(parsed["0xFFu"]->type.scalar, ScalarKind::UInt);
  EXPECT_EQ(parsed["'a'"]->intValue, 97);
  EXPECT_EQ(parsed["10L"]->type.scalar, ScalarKind::Long);
  EXPECT_EQ(parsed["1.5e3f"]->kind, ExprKind::FloatLiteral);
  EXPECT_EQ(parsed[".5"]->type.scalar, ScalarKind::Double);
  EXPECT_EQ(parsed["18446744073709551615UL"]->intValue, -1);
  // Its name ends with its block.
  EXPECT_EQ(parsed["5"]->intValue, 5);
  EXPECT_EQ(parsed["sizeof(float4)"]->intValue, 16);
  EXPECT_EQ(parsed["sizeof(float4)"]->type.scalar, ScalarKind::ULong);
}

TEST(ClangParser, VectorLiteralsAndSwizzles) {
  Parsed parsed = inKernel(
      "float8 w = (float8)(v, v.lo, v.hi); float4 s = (float4)(f), x; x.xy = "
      "w.s67; x.wzyx = w.even; a[0] = w.odd.z + v.S3; s.lo += v.hi;");
  EXPECT_EQ(parsed["(float8)(v, v.lo, v.hi)"]->kind, ExprKind::VectorLiteral);
  EXPECT_EQ(parsed["(float8)(v, v.lo, v.hi)"]->operands.size(), 3u);
  EXPECT_EQ(parsed["(float4)(f)"]->kind, ExprKind::Cast);
  EXPECT_EQ(parsed["(float4)(f)"]->type.lanes, 4u);
  using Components = std::vector<unsigned>;
  EXPECT_EQ(parsed["v.lo"]->components, (Components{0, 1}));
  EXPECT_EQ(parsed["v.hi"]->components, (Components{2, 3}));
  EXPECT_EQ(parsed["w.s67"]->components, (Components{6, 7}));
  EXPECT_EQ(parsed["x.wzyx"]->components, (Components{3, 2, 1, 0}));
  EXPECT_EQ(parsed["w.even"]->components, (Components{0, 2, 4, 6}));
  EXPECT_EQ(parsed["w.odd.z"]->components, (Components{2}));
  EXPECT_EQ(parsed["w.odd.z"]->type.kind, TypeKind::Scalar);
}

TEST(ClangParser, SwizzlesThroughPointers) {
  Parsed parsed =
      inKernel("__global float4 *p = (__global float4 *)a; p->x = p[1].y;");
  EXPECT_EQ(parsed["(*p).x"]->kind, ExprKind::Swizzle);
  EXPECT_EQ(parsed["(*p).x"]->operands[0]->op, Op::Deref);
  ExprRef cast = parsed["(__global float4 *)a"];
  EXPECT_EQ(cast->kind, ExprKind::Cast);
  EXPECT_FALSE(cast->implicit);
  EXPECT_EQ(cast->type.element->lanes, 4u);
}

TEST(ClangParser, SubscriptsOfPointersAndArrays) {
  Parsed parsed = inKernel("__local float t[16][17]; t[n][1] = 0[a]; f = "
                           "*(a + n) + (&a[3])[n]; float *q = &t[0][0];",
                           "", {"-cl-std=CL2.0"});
  ExprRef cell = parsed["t[n][1]"];
  EXPECT_EQ(cell->operands[0]->kind, ExprKind::Subscript);
  EXPECT_TRUE(cell->operands[0]->operands[0]->type.isArray());
  EXPECT_EQ(cell->operands[0]->operands[0]->type.extent, 16u);
  EXPECT_EQ(parsed["a[0]"]->kind, ExprKind::Subscript);
  EXPECT_EQ(parsed["*(a + n)"]->op, Op::Deref);
  EXPECT_EQ(parsed["(&a[3])[n]"]->operands[0]->op, Op::AddrOf);
  EXPECT_EQ(parsed.variable("t")->space, AddressSpace::Local);
}

TEST(ClangParser, StructsAndInitializers) {
  Parsed parsed = inKernel(
      "struct P p = {1, {2, 3}}, *q = &p; float t[4] = {1, 2}; f = p.a + "
      "q->in.y + t[1]; int2 z = {1, 2}; struct P w = {.a = 3};",
      "struct P { float a; struct { int x, y; } in; float4 pad; };");
  EXPECT_EQ(parsed["p.a"]->kind, ExprKind::Member);
  EXPECT_FALSE(parsed["p.a"]->arrow);
  EXPECT_TRUE(parsed["q->in"]->arrow);
  EXPECT_EQ(parsed["q->in.y"]->text, "y");
  EXPECT_EQ(parsed["p"]->type.kind, TypeKind::Struct);
  EXPECT_EQ(parsed["p"]->type.size, 32u);
  EXPECT_EQ(parsed["{1, 2}"]->kind, ExprKind::InitList);
  EXPECT_EQ(parsed["{3}"]->operands.size(), 1u);
}

TEST(ClangParser, TypesKeepTheirSpelling) {
  Parsed parsed = inKernel("real r = 1; size_t s = 2; const real2 w = 0; "
                           "unsigned int x; volatile int y;",
                           "typedef double real; typedef double2 real2;");
  EXPECT_EQ(parsed.variable("r")->type.spelling, "real");
  EXPECT_EQ(parsed.variable("r")->type.scalar, ScalarKind::Double);
  EXPECT_EQ(parsed.variable("s")->type.scalar, ScalarKind::ULong);
  EXPECT_EQ(parsed.variable("w")->type.spelling, "real2");
  EXPECT_TRUE(parsed.variable("w")->type.isConst);
  EXPECT_EQ(parsed.variable("x")->type.spelling, "unsigned int");
  EXPECT_TRUE(parsed.variable("y")->type.isVolatile);
}

TEST(ClangParser, AddressesTaken) {
  Parsed parsed = inKernel("float x, y, z; float s = sincos(f, &x); *&y = 1; z "
                           "= 2; a[0] = s + x + y + z;");
  EXPECT_TRUE(parsed.variable("x")->addressTaken);
  EXPECT_FALSE(parsed.variable("y")->addressTaken);
  EXPECT_FALSE(parsed.variable("z")->addressTaken);
}

TEST(ClangParser, FileScopeConstants) {
  Parsed parsed = inKernel("a[0] = table[n][1];",
                           "__constant float table[2][2] = {{1, 2}, {3, 4}};"
                           "__constant int other = 3;");
  ASSERT_EQ(parsed.unit->fileScopeVariables.size(), 2u);
  const Variable &table = *parsed.unit->fileScopeVariables[0];
  EXPECT_EQ(table.name, "table");
  EXPECT_TRUE(table.isFileScope);
  EXPECT_EQ(table.space, AddressSpace::Constant);
  EXPECT_EQ(parsed["table"]->var, &table);
}

TEST(ClangParser, FixedIntegersAtFileScopeAreLiterals) {
  Parsed parsed =
      inKernel("a[W * n] = T[0];",
               "__constant int W = 4 * 16; __constant int T[2] = {1, 2};");
  EXPECT_EQ(parsed["W"]->kind, ExprKind::IntLiteral);
  EXPECT_EQ(parsed["W"]->intValue, 64);
  EXPECT_EQ(parsed["T"]->kind, ExprKind::VarRef);
}

TEST(ClangParser, SamplersKeepTheirName) {
  Parsed parsed("__constant sampler_t s = CLK_FILTER_NEAREST;\n__kernel void "
                "k(__read_only image2d_t i, __global float4 *a) { const "
                "sampler_t t = CLK_FILTER_LINEAR; a[0] = read_imagef(i, s, "
                "(int2)(0, 0)) + read_imagef(i, t, (float2)(0, 0)); }\n");
  EXPECT_EQ(parsed["read_imagef(i, s, (int2)(0, 0))"]->effect,
            CallEffect::ReadsArgs);
  EXPECT_EQ(parsed["t"]->kind, ExprKind::VarRef);
  EXPECT_NE(parsed.body().find("t = CLK_FILTER_LINEAR"), std::string::npos);
}

//===-- Calls -------------------------------------------------------------===//

TEST(ClangParser, BuiltinsAreClassified) {
  Parsed parsed(
      "__kernel void k(__global float *a, __global int *c, __local float *l, "
      "float4 v, __write_only image2d_t o) { a[0] = fma(a[1], 2.0f, mad24(1, "
      "2, "
      "3)); a[0] = dot(v, v) + isnan(a[1]); float4 x = vload4(0, a); "
      "vstore4(v, 1, "
      "a); "
      "atomic_add(c, 1); atom_inc(c); event_t e = async_work_group_copy(l, a, "
      "4, 0); wait_group_events(1, &e); printf(\"%d\", 1); write_imagef(o, "
      "(int2)(0, 0), v); c[0] = convert_int4(v).x + as_int(a[2]); c[1] = "
      "select(c[0], c[2], 1); prefetch(a, 4); }");
  EXPECT_TRUE(parsed["mad24(1, 2, 3)"]->isElementwiseBuiltin);
  EXPECT_EQ(parsed["dot(v, v)"]->effect, CallEffect::Pure);
  EXPECT_FALSE(parsed["dot(v, v)"]->isElementwiseBuiltin);
  EXPECT_FALSE(parsed["isnan(a[1])"]->isElementwiseBuiltin);
  EXPECT_EQ(parsed["vload4(0, a)"]->effect, CallEffect::ReadsArgs);
  EXPECT_EQ(parsed["vstore4(v, 1, a)"]->effect, CallEffect::WritesArgs);
  EXPECT_EQ(parsed["atomic_add(c, 1)"]->effect, CallEffect::Atomic);
  EXPECT_EQ(parsed["atom_inc(c)"]->effect, CallEffect::Atomic);
  EXPECT_EQ(parsed["async_work_group_copy(l, a, 4, 0)"]->effect,
            CallEffect::Opaque);
  EXPECT_EQ(parsed["printf(\"%d\", 1)"]->effect, CallEffect::Opaque);
  EXPECT_EQ(parsed["write_imagef(o, (int2)(0, 0), v)"]->effect,
            CallEffect::Opaque);
  EXPECT_EQ(parsed["convert_int4(v)"]->effect, CallEffect::Pure);
  EXPECT_EQ(parsed["as_int(a[2])"]->kind, ExprKind::Call);
  EXPECT_FALSE(parsed["select(c[0], c[2], 1)"]->isElementwiseBuiltin);
}

TEST(ClangParser, AFunctionOfTheFileHidesABuiltin) {
  Parsed parsed = inKernel("a[0] = twice(f); a[1] = ext(f);",
                           "float __attribute__((overloadable)) twice(float x) "
                           "{ float y = 0; for (int i = 0; i < 2; ++i) y += x; "
                           "return y; } float ext(float);");
  EXPECT_EQ(parsed["twice(f)"]->effect, CallEffect::Pure);
  EXPECT_FALSE(parsed["twice(f)"]->isElementwiseBuiltin);
  EXPECT_EQ(parsed["ext(f)"]->effect, CallEffect::Opaque);
}

TEST(ClangParser, EffectsOfHelpers) {
  Parsed parsed = inKernel(
      "a[0] = n ? sum(a, n) + fact(n) + where(1) + noisy(f) : f;"
      "if (n && fill(a, n)) a[0] = 0;"
      "a[1] = n ? both(a, b, n) : f; a[2] = look(n); a[3] = sharp(n);",
      "float sum(__global const float *p, int n) { float s = 0; for (int i = "
      "0; "
      "i < n; ++i) s += p[i]; return s; }\n"
      "int fill(__global float *p, int n) { for (int i = 0; i < n; ++i) p[i] "
      "= 1; return n; }\n"
      "int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }\n"
      "int where(int d) { int s = 0; for (int i = 0; i < d; ++i) s += "
      "get_global_id(0); return s; }\n"
      "float noisy(float x) { printf(\"%f\", x); return x; }\n"
      "float both(__global float *p, __global float *q, int n) { fill(p, n); "
      "return sum(q, n); }\n"
      "__constant float table[4] = {1, 2, 3, 4};\n"
      "float look(int i) { float s = 0; while (i) s += table[i--]; return s; "
      "}\n"
      "int sharp(int x) { switch (x) { case 1: x++; case 2: return 2; } "
      "return x; }\n");
  EXPECT_EQ(parsed["sum(a, n)"]->effect, CallEffect::ReadsArgs);
  EXPECT_EQ(parsed["fill(a, n)"]->effect, CallEffect::WritesArgs);
  EXPECT_EQ(parsed["fact(n)"]->effect, CallEffect::Opaque); // recursion
  EXPECT_EQ(parsed["where(1)"]->effect, CallEffect::Opaque);
  EXPECT_EQ(parsed["noisy(f)"]->effect, CallEffect::Opaque);
  EXPECT_EQ(parsed["both(a, b, n)"]->effect, CallEffect::WritesArgs);
  EXPECT_EQ(parsed["look(n)"]->effect, CallEffect::Pure);
  EXPECT_EQ(parsed["sharp(n)"]->effect, CallEffect::Opaque);
}

TEST(ClangParser, IndexHelpersAreFollowed) {
  Parsed parsed = inKernel(
      "int i = get_global_id(0); a[idx(i, 3, n)] = at(b, i, n); "
      "put(a, i, f); sync(); a[1] = cell(i, n);",
      "int idx(int i, int j, int w) { return i * w + j; }\n"
      "float at(__global const float *p, int i, int n) { int k = idx(i, i, n); "
      "return p[k + 1]; }\n"
      "void put(__global float *p, int i, float x) { p[i] = x; }\n"
      "void sync(void) { barrier(CLK_LOCAL_MEM_FENCE); }\n"
      "int cell(int i, int n) { const int r = i / n, c = i % n; return c * n + "
      "r; }\n");
  EXPECT_EQ(parsed.body(), "{\n"
                           "  int i = get_global_id(0);\n"
                           "  a[i * n + 3] = b[i * n + i + 1];\n"
                           "  a[i] = f;\n"
                           "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "  a[1] = i % n * n + i / n;\n"
                           "}\n");
  EXPECT_EQ(parsed.statement(3).kind, StmtKind::Barrier);
  // Only the place of the call can be edited, not the parts of the helper.
  ExprRef index = parsed["i * n + 3"];
  EXPECT_TRUE(index->range.isEditable());
  EXPECT_FALSE(index->operands[0]->range.isEditable());
  EXPECT_TRUE(find(*parsed.unit, "idx")->isCalled);
}

TEST(ClangParser, FollowedHelpersConvertTheirArguments) {
  Parsed parsed = inKernel("a[half_of(get_global_id(0))] = narrow(n) + 1;",
                           "int half_of(int i) { return i / 2; }\n"
                           "uchar narrow(int i) { return i + 1; }\n");
  EXPECT_EQ(parsed.body(), "{\n  a[(int)get_global_id(0) / 2] = (uchar)(n + 1) "
                           "+ 1;\n}\n");
}

TEST(ClangParser, FollowedHelpersSeeArraysAndAddresses) {
  Parsed parsed = inKernel(
      "__local float t[4]; float x = 0; set(&x, f); put(t, n, x); b[n] = "
      "get(t, n + 1) + get(a, 2);",
      "void set(float *p, float x) { *p = x; }\n"
      "void put(float *p, int i, float x) { p[i] = x; }\n"
      "float get(const float *p, int i) { return p[i]; }\n",
      {"-cl-std=CL2.0"});
  EXPECT_EQ(parsed.body(), "{\n"
                           "  __local float t[4];\n"
                           "  float x = 0;\n"
                           "  x = f;\n"
                           "  t[n] = x;\n"
                           "  b[n] = t[n + 1] + a[2];\n"
                           "}\n");
  EXPECT_FALSE(parsed.variable("x")->addressTaken);
  EXPECT_TRUE(parsed["t[n]"]->operands[0]->type.isArray());
}

TEST(ClangParser, HelpersThatMustNotBeRepeatedStayCalls) {
  Parsed parsed =
      inKernel("int m = n; if (n > 0 && square(b[n]) > 1) a[1] = square(f); "
               "a[2] = square(m = m + 1); a[3] = bump(n); a[4] = once(b[n]);",
               "float square(float x) { return x * x; }\n"
               "int bump(int x) { x += 1; return x; }\n"
               "float once(float x) { return x + 1.0f; }\n");
  EXPECT_EQ(parsed["square(b[n])"]->effect, CallEffect::Pure);
  EXPECT_EQ(parsed["f * f"]->kind, ExprKind::Binary);
  EXPECT_EQ(parsed["square(m = m + 1)"]->kind, ExprKind::Call);
  EXPECT_EQ(parsed["bump(n)"]->effect, CallEffect::Pure);
  EXPECT_EQ(parsed["b[n] + 1.0f"]->kind, ExprKind::Binary);
}

TEST(ClangParser, ChainsOfHelpersStaySmall) {
  std::string chain = "int f0(int x) { return x + x; }\n";
  for (int i = 1; i < 100; ++i)
    chain += "int f" + std::to_string(i) + "(int x) { return f" +
             std::to_string(i - 1) + "(x) + f" + std::to_string(i - 1) +
             "(x + 1); }\n";
  Parsed parsed = inKernel("n = f99(u);", chain);
  EXPECT_LT(parsed.body().size(), 10000u);
}

//===-- Statements --------------------------------------------------------===//

TEST(ClangParser, Loops) {
  Parsed parsed = inKernel(
      "int i; for (i = 0; i < n; i += 2) a[i] = 0; for (;;) break; for (int i "
      "= "
      "n, j = 0; i--; ++j) { if (j == 3) continue; a[i] = j; } while (n > 3) "
      "a[0] /= 2; do { a[0]++; } while (n < 4);");
  const Stmt &first = parsed.statement(1);
  EXPECT_EQ(first.kind, StmtKind::For);
  EXPECT_EQ(first.init->kind, StmtKind::Expr);
  EXPECT_EQ(first.inc->op, Op::Add);
  const Stmt &endless = parsed.statement(2);
  EXPECT_FALSE(endless.init || endless.expr || endless.inc);
  EXPECT_EQ(parsed.statement(3).init->kind, StmtKind::Group);
  EXPECT_EQ(parsed.statement(4).kind, StmtKind::While);
  EXPECT_EQ(parsed.statement(5).kind, StmtKind::Do);
}

TEST(ClangParser, DeclarationsAreSplit) {
  Parsed parsed = inKernel("int i = 1, j, *p = &i; a[i] = j = *p;");
  const Stmt &group = parsed.statement(0);
  ASSERT_EQ(group.kind, StmtKind::Group);
  ASSERT_EQ(group.children.size(), 3u);
  EXPECT_EQ(group.children[0]->kind, StmtKind::Decl);
  EXPECT_TRUE(group.children[0]->expr);
  EXPECT_FALSE(group.children[1]->expr);
  EXPECT_TRUE(group.children[2]->var->type.isPointer());
}

TEST(ClangParser, UnrollHintsAreKept) {
  Parsed parsed =
      inKernel("#pragma unroll 4\nfor (int i = 0; i < 8; ++i) a[i] = 0;\n"
               "__attribute__((opencl_unroll_hint(2))) for (int i = 0; i < 8; "
               "++i) a[i] = 1;\n#pragma unroll\nwhile (a[0]) a[n] = 0;");
  ASSERT_EQ(parsed.statement(0).pragmas.size(), 1u);
  EXPECT_EQ(parsed.statement(0).pragmas[0], "#pragma unroll 4");
  EXPECT_EQ(parsed.statement(1).pragmas[0],
            "__attribute__((opencl_unroll_hint(2)))");
  EXPECT_EQ(parsed.statement(2).kind, StmtKind::While);
  EXPECT_EQ(parsed.statement(2).pragmas[0], "#pragma unroll");
}

TEST(ClangParser, SwitchesAreOpaque) {
  Parsed parsed =
      inKernel("for (int i = 0; i < n; ++i) switch (i) { case 1: "
               "a[i] = f; break; case 2: continue; default: return; "
               "}");
  const Stmt &stmt = *parsed.statement(0).body;
  EXPECT_EQ(stmt.kind, StmtKind::Switch);
  EXPECT_EQ(stmt.text.substr(0, 10), "switch (i)");
  EXPECT_EQ(stmt.expr->kind, ExprKind::Opaque);
  EXPECT_EQ(stmt.expr->operands.size(), 3u); // i, a, f
  ASSERT_EQ(stmt.children.size(), 2u);       // its own break stays inside
  EXPECT_EQ(stmt.children[0]->kind, StmtKind::Continue);
  EXPECT_EQ(stmt.children[1]->kind, StmtKind::Return);
}

TEST(ClangParser, GotoAndAsmAreOpaque) {
  Parsed parsed = inKernel("again: a[0] += 1; if (a[0] < f) goto again;");
  EXPECT_TRUE(parsed.function->hasGoto);
  EXPECT_EQ(parsed.statement(0).kind, StmtKind::Opaque);
  Parsed assembly =
      inKernel("__asm__ volatile(\"nop\" : : \"r\"(n)); a[0] = 1;");
  EXPECT_EQ(assembly.statement(0).kind, StmtKind::Opaque);
  EXPECT_FALSE(assembly.function->hasGoto);
  EXPECT_EQ(assembly.statement(0).expr->operands.size(), 1u);
}

//===-- Names -------------------------------------------------------------===//

TEST(ClangParser, FunctionsAreNotPutWhereTheirNamesMeanOtherThings) {
  const std::string before =
      "__constant int c = 5;\nenum { E = 2 };\ntypedef char t;\n"
      "#define M (c + 1)\n"
      "int viaConstant(int x) { return x + c; }\n"
      "int viaEnumerator(int x) { return x + E; }\n"
      "int viaType(int x) { return (t)x; }\n"
      "int viaMacro(int x) { return x + M; }\n"
      "int called(int x) { while (x > 9) x -= 9; return x; }\n"
      "int viaFunction(int x) { return called(x) + 1; }\n"
      "float viaMember(float2 x) { return x.s0 + x.y; }\n";
  auto staysCall = [&](const std::string &name, const std::string &body) {
    Parsed parsed = inKernel(body, before);
    bool isFound = false;
    if (parsed.function)
      forEachExpr(parsed.function->body, [&](const ExprRef &expr) {
        isFound |= expr->kind == ExprKind::Call && expr->text == name;
      });
    return isFound;
  };
  for (const char *name :
       {"viaConstant", "viaEnumerator", "viaType", "viaMacro", "viaFunction"})
    EXPECT_FALSE(staysCall(name, "a[0] = " + std::string(name) + "(n);"));
  EXPECT_TRUE(staysCall("viaConstant",
                        "for (int c = 0; c < n; c++) a[c] = viaConstant(c);"));
  EXPECT_TRUE(
      staysCall("viaEnumerator", "int E = 1; a[E] = viaEnumerator(n);"));
  // All of a body stays text where its own types hide others.
  for (const char *body : {"{ enum { E = 1 }; a[E] = viaEnumerator(n); }",
                           "typedef int t; a[0] = viaType(n);"})
    EXPECT_EQ(inKernel(body, before).function->body->kind, StmtKind::Opaque);
  EXPECT_TRUE(staysCall("viaMacro", "int c = 1; a[c] = viaMacro(n);"));
  EXPECT_TRUE(staysCall("viaFunction", "int called = 1; a[called] = "
                                       "viaFunction(n);"));
  // Members are no names of the place.
  EXPECT_FALSE(staysCall("viaMember", "float s0 = 1, y = 2; a[0] = "
                                      "viaMember((float2)(s0, y));"));
}

TEST(ClangParser, DeclarationsKnowTheirLines) {
  Parsed parsed = inKernel("  __local int t[ 4 ] [N]; \n"
                           "  int x = 0; __local row rows[2];\n  LOCAL",
                           "#define N 8\n#define LOCAL __local int w[N];\n"
                           "typedef int row[3];\n");
  auto spelled = [&](const SourceSpan &span) {
    return span.isValid() ? parsed.unit->spelling(span.begin, span.end)
                          : "none";
  };
  EXPECT_EQ(spelled(parsed.statement(0).lines), "  __local int t[ 4 ] [N]; \n");
  EXPECT_EQ(spelled(parsed.statement(2).lines), "__local row rows[2];");
  EXPECT_EQ(spelled(parsed.statement(3).lines), "none");
  EXPECT_EQ(spelled(parsed.variable("t")->extent), "N");
  EXPECT_EQ(spelled(parsed.variable("x")->extent), "none");
  EXPECT_EQ(spelled(parsed.variable("rows")->extent), "none");
}

TEST(ClangParser, BuiltinsBelongToFamilies) {
  Parsed parsed =
      inKernel("vload4(0, a); vstore4(v, 0, a); convert_uchar_sat_rte(1.0f); "
               "convert_int4((float4)(0)); as_int(1.0f); abs(1); "
               "vload_half(0, (__global half *)a);");
  std::vector<CallFamily> families;
  std::string suffixes;
  for (const StmtRef &child : parsed.function->body->children) {
    families.push_back(child->expr->family);
    suffixes += child->expr->suffix;
  }
  EXPECT_EQ(families,
            (std::vector<CallFamily>{CallFamily::Load, CallFamily::Store,
                                     CallFamily::Convert, CallFamily::Convert,
                                     CallFamily::Reinterpret, CallFamily::None,
                                     CallFamily::LoadHalf}));
  EXPECT_EQ(suffixes, "_sat_rte");
}

TEST(ClangParser, NamesOfBlocksAreNotKept) {
  Parsed parsed =
      inKernel("{ enum { E = 3 }; typedef int own; own x = E; a[x] = "
               "sizeof(x); a[1] = sizeof(out); }",
               "typedef char out;\n");
  std::string text = parsed.body();
  EXPECT_NE(text.find("int x = 3;"), std::string::npos) << text;
  EXPECT_NE(text.find("a[x] = 4"), std::string::npos) << text;
  EXPECT_NE(text.find("sizeof(out)"), std::string::npos) << text;
}

TEST(ClangParser, TypesThatHideOthersAreNotTakenApart) {
  const std::string use = "a[0] = c; { enum { c = 3 }; a[1] = c; }";
  Parsed hides = inKernel(use, "__constant int c = 5;\n");
  EXPECT_EQ(hides.function->body->kind, StmtKind::Opaque);
  Parsed twice = inKernel("{ typedef int T; T x = 1; a[x] = 1; } { typedef "
                          "char T; T x = n; a[x] = 2; }");
  EXPECT_EQ(twice.function->body->kind, StmtKind::Opaque);
  Parsed once = inKernel("typedef int T; T x = 1; a[x] = 1;");
  EXPECT_EQ(once.function->body->kind, StmtKind::Block);
}

TEST(ClangParser, AnIncrementStaysInTheScopeOfItsNames) {
  Parsed inner = inKernel("int i = 0, step = 1;\nwhile (i < n) { int step = u; "
                          "a[i] = step; i += step; }");
  EXPECT_EQ(inner.statement(1).kind, StmtKind::While);
  Parsed group = inKernel("int i = 0;\nfor (; i < n;) { int d = 1, e = 2; "
                          "a[i] = d; i += e; }");
  EXPECT_EQ(group.statement(1).kind, StmtKind::For);
  EXPECT_EQ(group.statement(1).inc, nullptr);
  Parsed outer = inKernel("int i = 0, step = 1;\nwhile (i < n) { int d = u; "
                          "a[i] = d; i += step; }");
  EXPECT_EQ(outer.statement(1).kind, StmtKind::For);
}

TEST(ClangParser, OddExpressionsAreOpaque) {
  Parsed parsed = inKernel(
      "n = ({ int y = n; y + 1; }) + (n ?: 4) + __builtin_popcount(u);");
  EXPECT_EQ(parsed["({ int y = n; y + 1; })"]->kind, ExprKind::Opaque);
  EXPECT_EQ(parsed["n ?: 4"]->kind, ExprKind::Opaque);
  EXPECT_EQ(parsed["__builtin_popcount(u)"]->effect, CallEffect::Opaque);
  Parsed types = inKernel("struct { int x; } s; s.x = 3; typedef int T; T t = "
                          "s.x; a[0] = t;");
  EXPECT_EQ(types.statement(0).kind, StmtKind::Opaque);
  EXPECT_EQ(types["s.x"]->kind, ExprKind::Member);
}

//===-- Macros ------------------------------------------------------------===//

TEST(ClangParser, MacroConstantsKeepTheirName) {
  Parsed parsed =
      inKernel("__local float t[TS]; a[n * TS + HALF] = PAREN + "
               "NEG + FLOAT; a[SUM * 2] = RE;",
               "#define TS 16\n#define HALF (TS / 2)\n#define PAREN "
               "(3)\n#define NEG -1\n#define FLOAT 1.5f\n#define SUM "
               "1 + 2\n#define RE 1\n#undef RE\n#define RE 2\n");
  EXPECT_EQ(parsed["TS"]->macro, "TS");
  EXPECT_EQ(parsed["TS"]->intValue, 16);
  EXPECT_EQ(parsed["HALF"]->intValue, 8);
  EXPECT_EQ(parsed["PAREN"]->intValue, 3);
  EXPECT_EQ(parsed["NEG"]->intValue, -1);
  EXPECT_EQ(parsed["FLOAT"]->kind, ExprKind::FloatLiteral);
  EXPECT_EQ(parsed["FLOAT"]->text, "1.5f");
  EXPECT_EQ(parsed["1 + 2 * 2"]->kind, ExprKind::Binary); // as C reads it
  EXPECT_EQ(parsed["2"]->macro, ""); // defined twice: the name is not safe
}

TEST(ClangParser, OnlyWholeExpansionsCanBeEdited) {
  std::string source = kernel("a[IJ(n, 3)] = SQ(b[n]) + N;",
                              "#define IJ(i, j) ((i) * 4 + (j))\n#define SQ(x) "
                              "((x) * (x))\n#define N 3\n");
  Parsed parsed(source);
  auto text = [&](const ExprRef &expr) {
    return expr->range.isEditable()
               ? source.substr(expr->range.begin,
                               expr->range.end - expr->range.begin)
               : "-";
  };
  EXPECT_EQ(text(parsed["a[n * 4 + 3]"]), "a[IJ(n, 3)]");
  EXPECT_EQ(text(parsed["n * 4 + 3"]), "IJ(n, 3)");
  EXPECT_EQ(text(parsed["n * 4"]), "-");
  EXPECT_EQ(text(parsed["b[n]"]), "-"); // stands twice in the expansion
  EXPECT_EQ(text(parsed["N"]), "N");
  EXPECT_TRUE(parsed["b[n]"]->range.isValid());
}

TEST(ClangParser, UsedNames) {
  auto unit = parse(kernel("a[0] = fmax(f, 1.0f);",
                           "#define MACRO 1\nstruct S { int x; };\nenum { EN "
                           "};\ntypedef int T;\n__constant int c = 3;"));
  const auto &names = unit->usedNames;
  for (const char *name : {"MACRO", "S", "EN", "T", "c", "k", "fmax", "float4"})
    EXPECT_TRUE(std::find(names.begin(), names.end(), name) != names.end())
        << name;
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

//===-- Files and flags ---------------------------------------------------===//

TEST(ClangParser, IncludesAreFoundAndReported) {
  write(pathFor("clopt_helper.h"),
        "int helper(int x) { while (x > 9) x -= 9; return x; }\nint "
        "unused(int x) { return x; }\n");
  std::string main = pathFor("clopt_main.cl");
  std::string source = "#include \"clopt_helper.h\"\n__kernel void k(__global "
                       "int *a) { a[0] = helper(a[1]); }\n";
  ParseResult result = parseOpenCL(main, source, {});
  ASSERT_TRUE(result.unit);
  ASSERT_EQ(result.unit->functions.size(), 2u); // the unused one is left out
  EXPECT_EQ(result.unit->functions[0]->name, "helper");
  EXPECT_FALSE(result.unit->functions[0]->isEditable);
  EXPECT_FALSE(result.unit->functions[0]->body->range.isEditable());
  ASSERT_EQ(result.unit->dependencies.size(), 2u);
  EXPECT_EQ(result.unit->dependencies[0], main);
  EXPECT_NE(result.unit->dependencies[1].find("clopt_helper.h"),
            std::string::npos);
  std::remove(pathFor("clopt_helper.h").c_str());
}

TEST(ClangParser, PathsNeedNotExist) {
  std::string source = "__kernel void k(__global int *a) { a[0] = 1; }";
  for (const char *path : {"-", "", "/no/such/folder/x.cl", "no/such.cl"}) {
    ParseResult result = parseOpenCL(path, source, {});
    ASSERT_TRUE(result.unit) << path;
    EXPECT_TRUE(result.unit->functions[0]->isEditable) << path;
  }
}

TEST(ClangParser, IncludeFlags) {
  write(pathFor("clopt_forced.h"), "#define FORCED 7\n");
  std::string source = "__kernel void k(__global int *a) { a[0] = FORCED; }";
  EXPECT_TRUE(parse(source, {"-include", pathFor("clopt_forced.h")}));
  std::string including = "#include <clopt_forced.h>\n" + source;
  EXPECT_TRUE(parse(including, {"-I" + testing::TempDir()}));
  EXPECT_TRUE(parse(including, {"-I", testing::TempDir()}));
  EXPECT_TRUE(parse(including, {"-I " + testing::TempDir()}));
  std::remove(pathFor("clopt_forced.h").c_str());
}

TEST(ClangParser, Standards) {
  EXPECT_EQ(parse("")->openclVersion, 120u);
  EXPECT_EQ(parse("", {"-cl-std=CL1.0"})->openclVersion, 100u);
  EXPECT_EQ(parse("", {"-cl-std=CL2.0"})->openclVersion, 200u);
  EXPECT_EQ(parse("", {"-cl-std=CL3.0"})->openclVersion, 300u);
  EXPECT_TRUE(parse(kernel("auto x = f; a[0] = x;"), {"-cl-std=CLC++"}));
  ParseResult wrong = parseOpenCL("t.cl", "", {"-cl-std=CL9.9"});
  EXPECT_FALSE(wrong.unit);
  EXPECT_FALSE(wrong.diagnostics.empty());
}

TEST(ClangParser, MathFlags) {
  EXPECT_FALSE(parse("")->unsafeMath);
  EXPECT_TRUE(parse("", {"-cl-unsafe-math-optimizations"})->unsafeMath);
  auto relaxed = parse("", {"-cl-fast-relaxed-math"});
  EXPECT_TRUE(relaxed->unsafeMath && relaxed->finiteMath);
  EXPECT_TRUE(parse("", {"-cl-mad-enable"})->madEnable);
  EXPECT_FALSE(parse("", {"-cl-mad-enable"})->unsafeMath);
  Parsed single =
      inKernel("a[0] = 0.5 * f;", "", {"-cl-single-precision-constant"});
  EXPECT_EQ(single["0.5 * f"]->type.scalar, ScalarKind::Float);
}

TEST(ClangParser, StrangeFlagsAreIgnored) {
  ParseResult result =
      parseOpenCL("t.cl", "",
                  {"-cl-nv-verbose", "-O3", "-g", "-cl-denorms-are-zero",
                   "-cl-opt-disable", "-no-such-flag", "-Werror", "-w", ""});
  ASSERT_TRUE(result.unit);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].level, Diagnostic::Level::Warning);
  EXPECT_NE(result.diagnostics[0].message.find("-no-such-flag"),
            std::string::npos);
}

TEST(ClangParser, ExtensionsAreUsable) {
  EXPECT_TRUE(parse("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                    "__kernel void k(__global half *h, __global double *d, "
                    "volatile __global long *c) { h[0] = h[1] * 2.0h; d[0] = "
                    "0.5 * d[1]; atom_add(c, 1); }"));
}

//===-- Diagnostics -------------------------------------------------------===//

TEST(ClangParser, ErrorsAreData) {
  ParseResult result = parseOpenCL(
      "bad.cl", "__kernel void k(__global int *a)\n{ a[0] = missing; }\n", {});
  EXPECT_FALSE(result.unit);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  const Diagnostic &error = result.diagnostics[0];
  EXPECT_EQ(error.level, Diagnostic::Level::Error);
  EXPECT_EQ(error.message, "use of undeclared identifier 'missing'");
  EXPECT_EQ(error.location.file, "bad.cl");
  EXPECT_EQ(error.location.line, 2u);
  EXPECT_EQ(error.location.column, 10u);
  EXPECT_EQ(error.rendered,
            "bad.cl:2:10: error: use of undeclared identifier 'missing'\n"
            "    2 | { a[0] = missing; }\n"
            "      |          ^\n");
}

TEST(ClangParser, WarningsDoNotFail) {
  ParseResult result = parseOpenCL(
      "w.cl", "#warning look out\n__kernel void k(int n) { if (n = 3) ; }", {});
  EXPECT_TRUE(result.unit);
  EXPECT_GE(result.diagnostics.size(), 2u);
  EXPECT_EQ(result.diagnostics[0].level, Diagnostic::Level::Warning);
  EXPECT_FALSE(parseOpenCL("w.cl", "#warning w\n", {"-Werror"}).unit);
  EXPECT_TRUE(parseOpenCL("w.cl", "#warning w\n", {"-w"}).diagnostics.empty());
}

TEST(ClangParser, NothingBreaksIt) {
  using namespace std::string_literals;
  for (const std::string &source :
       {"\0\0\0"s,
        "\x7f"
        "ELF\x02\x01\x01"s,
        "{{{{"s, "__kernel void k("s, "#include \"no_such_file.h\"\n"s,
        "#if\n"s, "\"unterminated"s, "/* unterminated"s, "\xef\xbb\xbfint x;"s,
        "__kernel int k() { return 0; }"s,
        "int f(int n) { int a[n]; return a[0]; }"s}) {
    ParseResult result = parseOpenCL("weird.cl", source, {});
    EXPECT_TRUE(result.unit || !result.diagnostics.empty());
  }
}

//===-- Size --------------------------------------------------------------===//

std::string repeat(const std::string &text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i)
    result += text;
  return result;
}

TEST(ClangParser, LongAndDeepPrograms) {
  Parsed sum = inKernel("a[0] = " + repeat("a[n] + ", 10000) + "1;");
  EXPECT_EQ(sum.body().size(),
            std::string("{\n  a[0] = 1;\n}\n").size() + 70000);
  Parsed minus = inKernel("a[0] = " + repeat("- ", 2000) + "n;");
  EXPECT_EQ(minus.body().size(),
            std::string("{\n  a[0] = n;\n}\n").size() + 3999);
  Parsed many = inKernel(repeat("a[n] += f;\n", 3000));
  EXPECT_EQ(many.function->body->children.size(), 3000u);
  Parsed ladder = inKernel(repeat("if (n == 1) a[n] = 1; else ", 1000) + ";");
  EXPECT_EQ(ladder.function->body->children.size(), 1u);
  Parsed choice = inKernel("a[0] = " + repeat("n ? 1 : ", 1000) + "2;");
  EXPECT_TRUE(choice.function);
}

//===-- C++ for OpenCL ----------------------------------------------------===//

TEST(ClangParser, CxxFunctionsBeyondTheModelAreLeftAlone) {
  Parsed parsed(
      "template <typename T> T twice(T x) { return x + x; }\n"
      "struct P { int x; int get() const { return x; } };\n"
      "__kernel void k(__global int *a) { a[0] = twice(a[1]); }\n"
      "__kernel void j(__global int *a) { P p{3}; int &r = p.x; r = 4; "
      "a[0] = p.get(); }\n",
      {"-cl-std=CLC++"});
  EXPECT_EQ(parsed["twice(a[1])"]->effect, CallEffect::Opaque);
  const Function *j = find(*parsed.unit, "j");
  ASSERT_TRUE(j);
  EXPECT_FALSE(j->isEditable);
  EXPECT_EQ(j->body->kind, StmtKind::Opaque);
}

TEST(ClangParser, PlainCxxIsUnderstood) {
  Parsed parsed(
      "__kernel void k(__global float *a, int n) { for (auto i = 0; i "
      "< n; ++i) if (bool b = i > 3; b) a[i] = static_cast<float>(i); "
      "auto f = [&](int x) { return x + n; }; a[0] = f(3); }\n",
      {"-cl-std=CLC++2021"});
  EXPECT_EQ(parsed.function->body->children.size(), 3u);
}

} // namespace
