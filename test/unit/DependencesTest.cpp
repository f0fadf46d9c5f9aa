//===- DependencesTest.cpp - order that has to be kept --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random loop nests with affine subscripts: what isl finds is compared with
// the pairs of accesses that a plain enumeration of all instances finds.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/Dependences.h"

#include "KernelTesting.h"

#include <isl/point.h>
#include <isl/set.h>

#include <map>
#include <random>
#include <tuple>

using namespace clopt;

namespace {

/// array[offset + k * byK + j * byJ + l * byL]
struct Reference {
  char array = 'r';
  int offset = 0, byJ = 0, byK = 0, byL = 0;
  int cell(int j, int k, int l) const {
    return offset + byJ * j + byK * k + byL * l;
  }
  std::string text(bool inner) const {
    std::string result = std::string(1, array) + "[" + std::to_string(offset) +
                         " + " + std::to_string(byJ) + " * j + " +
                         std::to_string(byK) + " * k";
    if (inner)
      result += " + " + std::to_string(byL) + " * l";
    return result + "]";
  }
};

/// target = sum of reads; with `inner` for l = 0, 1, 2.
struct Assignment {
  Reference target;
  std::vector<Reference> reads;
  bool inner = false;
};

/// One execution of one reference.
struct Instance {
  unsigned statement = 0;
  bool isWrite = false;
  char array = 0;
  int cell = 0;
  int j = 0, iteration = 0, l = 0;
  /// Order when all iterations of k run in lockstep; reads come first.
  std::tuple<int, unsigned, int, bool> lockstep() const {
    return {j, statement, l, isWrite};
  }
};

struct Nest {
  int first = 0, step = 1, count = 6;
  std::vector<Assignment> body;

  std::string source() const;
  std::vector<Instance> instances() const;
};

using Found = std::tuple<unsigned, unsigned, std::string, Conflict::Kind>;

} // namespace

std::string Nest::source() const {
  int end = first + step * count;
  std::string text = "__kernel void f(__global float *restrict r,\n"
                     "  __global float *restrict s) {\n"
                     "for (int j = 0; j < 3; j++)\n"
                     "for (int k = " +
                     std::to_string(first) + (step > 0 ? "; k < " : "; k > ") +
                     std::to_string(end) + "; k += " + std::to_string(step) +
                     ") {\n";
  for (const Assignment &assignment : body) {
    if (assignment.inner)
      text += "for (int l = 0; l < 3; l++) ";
    text += assignment.target.text(assignment.inner) + " = 1";
    for (const Reference &read : assignment.reads)
      text += " + " + read.text(assignment.inner);
    text += ";\n";
  }
  return text + "} }";
}

std::vector<Instance> Nest::instances() const {
  std::vector<Instance> result;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < count; ++i)
      for (unsigned s = 0; s < body.size(); ++s)
        for (int l = 0; l < (body[s].inner ? 3 : 1); ++l) {
          int k = first + i * step;
          for (const Reference &read : body[s].reads)
            result.push_back(
                {s, false, read.array, read.cell(j, k, l), j, i, l});
          const Reference &target = body[s].target;
          result.push_back(
              {s, true, target.array, target.cell(j, k, l), j, i, l});
        }
  return result;
}

static Nest randomNest(std::mt19937 &random) {
  auto pick = [&](int low, int high) {
    return low + static_cast<int>(random() % (high - low + 1));
  };
  Nest nest;
  nest.step = std::vector<int>{1, 1, 2, 3, -1, -2}[random() % 6];
  nest.first = pick(0, 3);
  nest.count = pick(2, 7);
  auto reference = [&] {
    Reference result;
    result.array = random() % 3 ? 'r' : 's';
    result.offset = 60 + pick(-4, 4);
    result.byJ = pick(0, 2) * 7;
    result.byK = pick(-1, 2);
    result.byL = pick(0, 1);
    return result;
  };
  for (int s = pick(1, 3); s > 0; --s) {
    Assignment assignment;
    assignment.target = reference();
    for (int reads = pick(0, 2); reads > 0; --reads)
      assignment.reads.push_back(reference());
    assignment.inner = random() % 3 == 0;
    nest.body.push_back(assignment);
  }
  return nest;
}

/// Pairs that `distance` iterations in lockstep would run in the wrong order.
static std::set<Found> enumerate(const Nest &nest, int distance) {
  std::set<Found> result;
  std::vector<Instance> all = nest.instances();
  for (const Instance &a : all)
    for (const Instance &b : all) {
      int ahead = b.iteration - a.iteration;
      if (a.j != b.j || ahead <= 0 || ahead >= distance || a.array != b.array ||
          a.cell != b.cell || !(a.isWrite || b.isWrite))
        continue;
      if (a.lockstep() < b.lockstep())
        continue;
      Conflict::Kind kind = !a.isWrite   ? Conflict::Kind::Anti
                            : !b.isWrite ? Conflict::Kind::Flow
                                         : Conflict::Kind::Output;
      result.insert({a.statement, b.statement, std::string(1, a.array), kind});
    }
  return result;
}

static std::set<Found> analyze(const TestedKernel &tested, int distance) {
  std::set<Found> result;
  LoopDependences dependences =
      analyzeLoop(*tested.model, tested.kernel.tree, tested.loop("k"), distance,
                  tested.kernel.tiles);
  for (const Conflict &conflict : dependences.violated) {
    const Access &a = tested.model->accesses[conflict.first];
    const Access &b = tested.model->accesses[conflict.second];
    result.insert({a.statement, b.statement, tested.model->arrays[a.array].name,
                   conflict.kind});
  }
  return result;
}

TEST(DependencesTest, RandomNestsAgreeWithEnumeration) {
  std::mt19937 random(2);
  unsigned forbidden = 0, allowed = 0;
  for (int trial = 0; trial < 150; ++trial) {
    Nest nest = randomNest(random);
    TestedKernel tested(nest.source());
    ASSERT_TRUE(tested.isStarted());
    for (int distance : {2, 4, 8}) {
      std::set<Found> expected = enumerate(nest, distance);
      EXPECT_EQ(analyze(tested, distance), expected)
          << nest.source() << "\ndistance " << distance;
      (expected.empty() ? allowed : forbidden) += 1;
    }
  }
  // The generator must not be one-sided, or the comparison says little.
  EXPECT_GT(forbidden, 50u);
  EXPECT_GT(allowed, 50u);
}

//===-- Values that are needed from before a region -----------------------===//

/// The cells as offsets from the start of the array.
static std::set<int> flatCells(const Array &array, const isl::set &cells) {
  std::set<int> result;
  auto add = [&](isl_point *point) {
    int64_t flat = 0;
    for (unsigned d = 0; d < array.rank; ++d) {
      isl_val *value =
          isl_point_get_coordinate_val(point, isl_dim_set, static_cast<int>(d));
      flat = flat * (d ? array.extents[d].asConstant().value() : 1) +
             isl_val_get_num_si(value);
      isl_val_free(value);
    }
    result.insert(static_cast<int>(flat));
    isl_point_free(point);
  };
  using Add = decltype(add);
  isl_set_foreach_point(
      cells.get(),
      [](isl_point *point, void *user) {
        (*static_cast<Add *>(user))(point);
        return isl_stat_ok;
      },
      &add);
  return result;
}

TEST(DependencesTest, ExposedReadsAgreeWithExecution) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    Nest nest = randomNest(random);
    TestedKernel tested(nest.source());
    ASSERT_TRUE(tested.isStarted());
    std::set<int> written, expected;
    for (const Instance &instance : nest.instances()) {
      if (instance.array != 'r')
        continue;
      if (instance.isWrite)
        written.insert(instance.cell);
      else if (!written.count(instance.cell))
        expected.insert(instance.cell);
    }
    std::vector<unsigned> accesses;
    for (const Access &access : tested.model->accesses)
      if (tested.model->arrays[access.array].name == "r")
        accesses.push_back(access.id);
    bool reads = false;
    for (const Assignment &assignment : nest.body)
      for (const Reference &read : assignment.reads)
        reads |= read.array == 'r';
    if (!reads)
      continue;
    isl::map exposed =
        upwardExposed(*tested.model, tested.kernel.tree, accesses, 0);
    EXPECT_EQ(
        flatCells(tested.model->arrays[tested.array("r")], exposed.range()),
        expected)
        << nest.source();
  }
}

//===-- Private variables -------------------------------------------------===//

static LoopDependences along(const TestedKernel &tested,
                             const std::string &loop) {
  return analyzeLoop(*tested.model, tested.kernel.tree, tested.loop(loop), 4,
                     tested.kernel.tiles);
}

TEST(DependencesTest, ValuesThatCrossIterations) {
  TestedKernel tested(kernelOf("float x = 0, y; for (int k = 0; k < n; k++) {\n"
                               "  y = s[k]; x += y; r[k] = x; }"));
  LoopDependences found = along(tested, "k");
  EXPECT_EQ(found.carriedPrivates, std::set<unsigned>({tested.array("x")}));
  EXPECT_TRUE(found.liveOut.empty());
  EXPECT_TRUE(found.violated.empty());
}

TEST(DependencesTest, ValuesThatLeaveTheLoop) {
  TestedKernel tested(kernelOf("float x = 0; for (int k = 0; k < n; k++)\n"
                               "  x = s[k];\nr[0] = x;"));
  LoopDependences found = along(tested, "k");
  EXPECT_TRUE(found.carriedPrivates.empty());
  EXPECT_EQ(found.liveOut, std::set<unsigned>({tested.array("x")}));
}

TEST(DependencesTest, AValueOfTheOuterIterationDoesNotCrossIt) {
  TestedKernel tested(
      kernelOf("for (int j = 0; j < n; j++) { float x = 0;\n"
               "  for (int k = 0; k < n; k++) x += s[j * n + k];\n"
               "  r[j] = x; }"));
  EXPECT_TRUE(along(tested, "j").carriedPrivates.empty());
  EXPECT_EQ(along(tested, "k").carriedPrivates,
            std::set<unsigned>({tested.array("x")}));
}

TEST(DependencesTest, CellsInRegistersCountAsPrivate) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n"
                               "for (int k = 0; k < n; k++) {\n"
                               "  r[i] = s[k]; a[k] = r[i]; }"));
  EXPECT_FALSE(along(tested, "k").violated.empty());
  ASSERT_EQ(tested.apply("privatize r").message, "");
  LoopDependences found = along(tested, "k");
  EXPECT_TRUE(found.violated.empty());
  EXPECT_TRUE(found.carriedCopies.empty());
  EXPECT_EQ(found.liveOutCopies, std::set<unsigned>({0}));
  EXPECT_TRUE(found.partialCopies.empty());
}

TEST(DependencesTest, RegistersThatSomeIterationLeavesAlone) {
  TestedKernel tested(kernelOf("int i = get_global_id(0); r[2 * i] = s[i];\n"
                               "for (int k = 0; k < n; k++)\n"
                               "  r[2 * i + 1] = s[k];"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  EXPECT_EQ(along(tested, "k").partialCopies, std::set<unsigned>({0}));
}

TEST(DependencesTest, RegistersWhoseNumberChangesAlongAnAxis) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n"
                               "for (int k = 0; k < 4; k++)\n"
                               "  for (int l = 0; l < n; l++)\n"
                               "    r[4 * i + k] += s[l];"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  auto differ = [&](const std::string &loop) {
    return cellsDifferAlong(*tested.model, tested.kernel.tiles[0],
                            tested.model->loops[tested.loop(loop)].iterator);
  };
  EXPECT_TRUE(differ("k"));
  EXPECT_FALSE(differ("l"));
}

TEST(DependencesTest, ValuesFromBeforeTheLoop) {
  TestedKernel tested(kernelOf("float x = s[0];\n"
                               "for (int k = 0; k < n; k++) {\n"
                               "  if (k >= 4) x = s[k];\n"
                               "  if (k < 4) r[k] = x; else r[k] = x * 2; }"));
  LoopDependences found = along(tested, "k");
  EXPECT_EQ(found.enters, std::set<unsigned>({tested.array("x")}));
  EXPECT_TRUE(found.carriedPrivates.empty());
}

TEST(DependencesTest, PairsThatMayOverlap) {
  TestedKernel tested(
      kernelOf("for (int k = 0; k < n; k++) a[k] = b[k] + r[k];"));
  std::set<std::pair<unsigned, unsigned>> expected = {
      std::minmax(tested.array("a"), tested.array("b"))};
  EXPECT_EQ(along(tested, "k").mayOverlap, expected);
}

TEST(DependencesTest, FencesAreTold) {
  TestedKernel tested(kernelOf("for (int k = 0; k < n; k++) {\n"
                               "  r[k] = 1; barrier(CLK_GLOBAL_MEM_FENCE); }"));
  ASSERT_TRUE(along(tested, "k").fence);
  EXPECT_TRUE(tested.model->statements[*along(tested, "k").fence].isBarrier);
}

TEST(DependencesTest, ConflictsAreToldInWords) {
  TestedKernel tested(
      kernelOf("for (int k = 1; k < n; k++)\n  r[k] = r[k - 1];"));
  LoopDependences found = along(tested, "k");
  ASSERT_EQ(found.violated.size(), 1u);
  EXPECT_EQ(describe(*tested.model, found.violated[0]),
            "the value written to 'r' at line 5 is read in a later iteration "
            "at line 5");
}
