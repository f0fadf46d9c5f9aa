//===- ScanWriter.cpp - shared loops that use their results on the way ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (long k_first = 0; k_first < n; k_first += 32) {
//       const long k_at = k_first + lane;
//       const bool runs1 = runs && k_at < n;
//       const int sum_before = sum;
//       sum = lane == 0 ? sum : 0;
//       if (runs1) {
//           ...                        what the results come from
//       }
//       ...                            partial_int: all lanes up to each
//       if (runs)
//           sum = lane == 0 ? sum_before : partial_int[item - 1];
//       if (runs1) {
//           ...                        the whole iteration
//       }
//       if (runs)
//           sum = partial_int[item - lane + 31];
//       barrier(CLK_LOCAL_MEM_FENCE);
//   }
//   barrier(CLK_LOCAL_MEM_FENCE);
//
// All work-items of a group run all rounds. The scan of the lanes goes over
// several cells at a time: of 32 lanes each adds the 7 before it, and then
// every eighth of those.
//
// Reference: Hillis, Steele: Data Parallel Algorithms, 1986; P5, section 3.1.
//
// Tested by test/unit/SharedWorkTest.cpp, test/lit/split-reduction.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"
#include "Emit/frame/SharedWork.h"

#include "Analysis/dependence/CooperativeReductions.h"
#include "Model/ExprPrinter.h"

#include <algorithm>

namespace clopt {

/// The part of the node that the statements are in; false where there is none.
static bool keepOnly(EmitNode &node, const std::set<unsigned> &statements) {
  if (node.kind == EmitNode::Kind::Statement)
    return statements.count(node.index) != 0;
  if (node.kind == EmitNode::Kind::If && node.children.size() > 1 &&
      !keepOnly(node.children[1], statements))
    node.children.pop_back();
  else if (node.kind == EmitNode::Kind::Block)
    node.children.erase(std::remove_if(node.children.begin(),
                                       node.children.end(),
                                       [&](EmitNode &child) {
                                         return !keepOnly(child, statements);
                                       }),
                        node.children.end());
  if (node.children.empty())
    return false;
  if (node.kind == EmitNode::Kind::Block ||
      keepOnly(node.children[0], statements))
    return true;
  if (node.kind != EmitNode::Kind::If || node.children.size() == 1)
    return false;
  node.children[0] = EmitNode(); // an empty block
  return true;
}

static OutNode scopeOf(const std::string &head) {
  OutNode scope;
  scope.isScope = true;
  scope.lines.push_back(head);
  return scope;
}

/// Cells that one work-item combines at a time.
static constexpr unsigned widestStep = 8;

/// From the values of all lanes to those of the lanes up to each, in the cells.
void BodyWriter::emitScanOfLanes(const std::vector<SharedValue> &values,
                                 std::vector<OutNode> &out) {
  const SharedNames &own = shared.shared;
  const std::string ifRuns = "if (" + runs + ")";
  auto leave = [&] {
    OutNode scope = scopeOf(ifRuns);
    for (const SharedValue &value : values)
      scope.children.push_back(leaveInCell(value));
    out.push_back(std::move(scope));
    out.push_back(sharedBarrier());
  };
  leave();
  for (unsigned distance = 1; distance < sharedLanes(kernel);) {
    const unsigned step = std::min(widestStep, sharedLanes(kernel) / distance);
    const std::string before = "before";
    const std::string back =
        before + (distance > 1 ? " * " + std::to_string(distance) : "");
    OutNode scope = scopeOf(ifRuns);
    OutNode loop = scopeOf("for (int " + before + " = 1; " + before + " < " +
                           std::to_string(step) + "; " + before + "++)");
    OutNode test = scopeOf("if (" + own.lane + " >= " + back + ")");
    for (const SharedValue &value : values) {
      OutNode line =
          lineOf(value.name + " = " +
                 combined(value, {value.name, value.cells + "[" + own.item +
                                                  " - " + back + "]"}) +
                 ";");
      line.uses = {value.name};
      test.children.push_back(std::move(line));
    }
    loop.children.push_back(std::move(test));
    scope.children.push_back(std::move(loop));
    out.push_back(std::move(scope));
    out.push_back(sharedBarrier());
    leave();
    distance *= step;
  }
}

void BodyWriter::emitScan(const EmitNode &node, AstNames names,
                          std::vector<OutNode> &out) {
  const CooperativeReduction &loop = *inShared;
  const SharedNames &own = shared.shared;
  const std::string outer = runs, on = freshLocal("runs");
  OutNode rounds;
  std::string counter;
  std::string mine = own.lane + " == 0"; // the only iteration
  if (node.condition) {
    if (dependsOnItem(node))
      failure = "a barrier in a loop that work-items run differently often";
    const int64_t step = linearize(*node.increment, names)->constant;
    const std::string &name = shared.loops[node.loop];
    const std::string first = freshLocal(name + "_first");
    counter = freshLocal(name + "_at");
    rounds = scopeOf(counterHead(node, first, firstOfLoop(node, names), names));
    OutNode at =
        lineOf("const long " + counter + " = " + first +
               (node.isDownward ? " - " : " + ") + laneTimes(step) + ";");
    at.isDeclaration = true;
    rounds.children.push_back(std::move(at));
    mine = conditionAt(node, counter, names);
  }
  std::vector<OutNode> &lines = node.condition ? rounds.children : out;
  OutNode test =
      lineOf("const bool " + on + " = " + outer + " && " + mine + ";");
  test.isDeclaration = true;
  lines.push_back(std::move(test));
  auto emitPart = [&](const EmitNode &part) {
    OutNode scope = scopeOf("if (" + on + ")");
    AstNames inner = names;
    if (node.condition)
      scope.children.push_back(declareIterator(node, counter, inner));
    else
      useOnlyIteration(node, inner);
    isAlone = true;
    emit(part, inner, scope.children);
    isAlone = false;
    return scope;
  };
  std::set<unsigned> arrays;
  for (const SharedResult &result : loop.results)
    arrays.insert(result.array);
  EmitNode summed = node.children[0];
  keepOnly(summed, statementsFor(kernel, loop, arrays));
  OutNode first = emitPart(summed);
  const std::vector<SharedValue> values = sharedValues(loop);
  inShared = nullptr;
  OutNode whole = emitPart(node.children[0]);
  if (loop.waits)
    lines.push_back(sharedBarrier());
  OutNode begin = scopeOf("if (" + outer + ")"), end = begin;
  for (const SharedValue &value : values) {
    sharedNames.insert(value.name);
    const std::string before = freshLocal(value.name + "_before");
    OutNode kept = lineOf("const " + typeName(value.kind) + " " + before +
                          " = " + value.name + ";");
    kept.isDeclaration = true;
    kept.uses = {value.name};
    lines.push_back(std::move(kept));
    if (startsNeutral(value.operation))
      lines.push_back(startApart(value));
    OutNode start = lineOf(value.name + " = " + own.lane + " == 0 ? " + before +
                           " : " + value.cells + "[" + own.item + " - 1];");
    start.uses = {value.name};
    begin.children.push_back(std::move(start));
    OutNode total = lineOf(value.name + " = " + value.cells + "[" + own.item +
                           " - " + own.lane + " + " +
                           std::to_string(sharedLanes(kernel) - 1) + "];");
    total.uses = {value.name};
    end.children.push_back(std::move(total));
  }
  lines.push_back(std::move(first));
  emitScanOfLanes(values, lines);
  lines.push_back(std::move(begin));
  lines.push_back(std::move(whole));
  lines.push_back(std::move(end));
  // Nobody overwrites cells that others still read.
  lines.push_back(sharedBarrier());
  if (node.condition) {
    out.push_back(std::move(rounds));
    // Where there is no round, too, what is around meets here.
    out.push_back(sharedBarrier());
  }
  ++sharedWritten;
}

} // namespace clopt
