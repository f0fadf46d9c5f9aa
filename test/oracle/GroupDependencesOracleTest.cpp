//===- GroupDependencesOracleTest.cpp - phases against brute force --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random kernels of loops, barriers and accesses to a local array are run for
// every work-item of a small launch, counting the barriers passed. Two accesses
// of different work-items of a group to one cell are ordered exactly when their
// counts differ.
//
//===----------------------------------------------------------------------===//

#include "../unit/KernelTesting.h"
#include "Analysis/dependence/GroupDependences.h"

#include <isl/point.h>
#include <isl/val.h>

#include <map>
#include <memory>
#include <random>
#include <set>

using namespace clopt;

namespace {

/// A loop, a barrier, or an access t[cl * l + ck * (innermost iterator) + c].
struct Node {
  enum class Kind { Loop, Barrier, Access } kind = Kind::Access;
  std::vector<Node> body;
  std::string iterator;
  int first = 0, end = 0; ///< Loop
  bool isWrite = false;
  int cl = 0, ck = 0, c = 0;
  unsigned line = 0;
};

/// One executed access: line, then work-item and iterators.
struct Event {
  unsigned line = 0;
  std::vector<int64_t> at;
  int64_t cell = 0;
  bool isWrite = false;
  int phase = 0;
};

using Pair = std::pair<std::pair<unsigned, std::vector<int64_t>>,
                       std::pair<unsigned, std::vector<int64_t>>>;

constexpr int groupSize = 3, groups = 2;

class PhaseOracle {
public:
  explicit PhaseOracle(unsigned seed) : random(seed) {}
  void check();

private:
  int pick(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  }
  std::vector<Node> makeBody(unsigned depth);
  void print(std::vector<Node> &nodes, const std::string &iterator);
  void addLine(const std::string &text) {
    source += text + "\n";
    ++lines;
  }
  void run(const std::vector<Node> &nodes, std::vector<int64_t> at);
  std::set<Pair> expected(bool isOrdered) const;
  std::set<Pair> found(const KernelModel &model,
                       const std::vector<GroupDependence> &list,
                       bool bothWays) const;

  std::mt19937 random;
  std::string source;
  unsigned lines = 0, names = 0;
  int phase = 0;
  std::vector<Event> events;
};

} // namespace

std::vector<Node> PhaseOracle::makeBody(unsigned depth) {
  std::vector<Node> nodes;
  int count = pick(1, 3);
  for (int i = 0; i < count; ++i) {
    Node node;
    int what = pick(0, depth < 2 ? 5 : 3);
    if (what == 0) {
      node.kind = Node::Kind::Barrier;
    } else if (what >= 4) {
      node.kind = Node::Kind::Loop;
      node.iterator = "k" + std::to_string(names++);
      node.first = pick(0, 1);
      node.end = node.first + pick(1, 3);
      node.body = makeBody(depth + 1);
    } else {
      node.isWrite = pick(0, 1);
      node.cl = pick(0, 2);
      node.ck = pick(0, 1);
      node.c = pick(0, 3);
    }
    nodes.push_back(node);
  }
  return nodes;
}

void PhaseOracle::print(std::vector<Node> &nodes, const std::string &iterator) {
  for (Node &node : nodes) {
    switch (node.kind) {
    case Node::Kind::Barrier:
      addLine("barrier(CLK_LOCAL_MEM_FENCE);");
      break;
    case Node::Kind::Loop:
      addLine("for (int " + node.iterator + " = " + std::to_string(node.first) +
              "; " + node.iterator + " < " + std::to_string(node.end) + "; " +
              node.iterator + "++) {");
      print(node.body, node.iterator);
      addLine("}");
      break;
    case Node::Kind::Access: {
      std::string cell =
          "t[" + std::to_string(node.cl) + " * l + " +
          (iterator.empty() ? "0"
                            : std::to_string(node.ck) + " * " + iterator) +
          " + " + std::to_string(node.c) + "]";
      addLine(node.isWrite ? cell + " = 1;" : "x = " + cell + ";");
      node.line = lines;
      break;
    }
    }
  }
}

/// `at`: group, local id, iterators around.
void PhaseOracle::run(const std::vector<Node> &nodes, std::vector<int64_t> at) {
  for (const Node &node : nodes) {
    switch (node.kind) {
    case Node::Kind::Barrier:
      ++phase;
      break;
    case Node::Kind::Loop:
      for (int k = node.first; k < node.end; ++k) {
        std::vector<int64_t> inner = at;
        inner.push_back(k);
        run(node.body, inner);
      }
      break;
    case Node::Kind::Access: {
      int64_t iterator = at.size() > 2 ? at.back() : 0;
      events.push_back({node.line, at,
                        node.cl * at[1] + node.ck * iterator + node.c,
                        node.isWrite, phase});
      break;
    }
    }
  }
}

std::set<Pair> PhaseOracle::expected(bool isOrdered) const {
  std::set<Pair> result;
  for (const Event &x : events)
    for (const Event &y : events) {
      bool conflict = x.at[0] == y.at[0] && x.at[1] != y.at[1] &&
                      x.cell == y.cell && (x.isWrite || y.isWrite);
      if (conflict && (isOrdered ? x.phase < y.phase : x.phase == y.phase))
        result.insert({{x.line, x.at}, {y.line, y.at}});
    }
  return result;
}

/// All points of the relations for the launch that was run.
std::set<Pair> PhaseOracle::found(const KernelModel &model,
                                  const std::vector<GroupDependence> &list,
                                  bool bothWays) const {
  std::set<Pair> result;
  for (const GroupDependence &dependence : list) {
    const Statement &from =
        model.statements[model.accesses[dependence.first].statement];
    const Statement &to =
        model.statements[model.accesses[dependence.second].statement];
    isl::set launch(dependence.instances.ctx(),
                    "[gs0, go0] -> { : gs0 = " +
                        std::to_string(groups * groupSize) + " and go0 = 0 }");
    isl::set points = isl::manage(isl_set_reset_tuple_id(
        isl_set_flatten(isl_map_wrap(isl_map_intersect_params(
            dependence.instances.copy(), launch.release())))));
    unsigned params =
        static_cast<unsigned>(isl_set_dim(points.get(), isl_dim_param));
    points = isl::manage(
        isl_set_project_out(points.release(), isl_dim_param, 0, params));
    unsigned split = from.coordinates.size();
    points.foreach_point([&](isl::point point) {
      std::vector<int64_t> first, second;
      for (unsigned i = 0; i < split + to.coordinates.size(); ++i) {
        isl::val value = isl::manage(
            isl_point_get_coordinate_val(point.get(), isl_dim_set, i));
        (i < split ? first : second).push_back(value.get_num_si());
      }
      Pair pair{{from.stmt->range.line, first}, {to.stmt->range.line, second}};
      result.insert(pair);
      if (bothWays)
        result.insert({pair.second, pair.first});
    });
  }
  return result;
}

void PhaseOracle::check() {
  std::vector<Node> nodes = makeBody(0);
  addLine("__kernel __attribute__((reqd_work_group_size(3, 1, 1)))");
  addLine("void f(__global int *a) {");
  addLine("__local int t[32];");
  addLine("int l = get_local_id(0), g = get_group_id(0), x = 0;");
  print(nodes, "");
  addLine("a[4 * g + l] = x;"); // no global id: groups keep their coordinates
  addLine("}");
  for (int g = 0; g < groups; ++g)
    for (int l = 0; l < groupSize; ++l) {
      phase = 0;
      run(nodes, {g, l});
    }
  TestedKernel tested(source);
  ASSERT_TRUE(tested.isStarted()) << source;
  const KernelModel &model = *tested.model;
  EXPECT_EQ(found(model, groupDependences(model, tested.kernel.tree), false),
            expected(true))
      << source;
  EXPECT_EQ(found(model, unorderedConflicts(model, tested.kernel.tree), true),
            expected(false))
      << source;
}

TEST(GroupDependencesOracleTest, PhasesAgree) {
  for (unsigned seed = 0; seed < 120 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    PhaseOracle(seed).check();
  }
}
