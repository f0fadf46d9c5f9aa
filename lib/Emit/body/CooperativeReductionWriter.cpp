//===- CooperativeReductionWriter.cpp - loops that work-items share -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lane` is the place of a work-item among those that do one logical work-item:
//
//   if (active) {
//       sum = lane == 0 ? sum : 0.0f;
//       for (long k_at = (long)row_ptr[i] + lane; k_at < row_ptr[i + 1];
//            k_at += 32) {
//           const int k = (int)k_at;
//           sum += ...;
//       }
//       partial_float[item] = sum;
//   }
//   barrier(CLK_LOCAL_MEM_FENCE);
//   ...                                a tree over the lanes
//   if (active)
//       sum = ...;                     now all lanes have it
//
// The counter is wider than the author's variable, which may end near the end
// of its type. Barriers stand in no condition: what only some work-items run is
// put in conditions of its own, between them.
//
// Tested by test/unit/SharedWorkTest.cpp, test/lit/split-reduction.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"
#include "Emit/frame/SharedWork.h"

#include "Analysis/dependence/CooperativeReductions.h"
#include "Model/ExprPrinter.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace clopt {

//===-- Who runs what -----------------------------------------------------===//

/// True for what changes memory in a shared loop, but is printed outside of it:
/// isl prints no loop around a single iteration.
bool BodyWriter::isBesideShared(const EmitNode &node) const {
  return node.kind == EmitNode::Kind::Statement && !isAlone &&
         changesMemory(kernel, node.index) && !isDoneOnce(kernel, node.index);
}

bool BodyWriter::hasCooperativeReduction(const EmitNode &node) const {
  if (node.kind == EmitNode::Kind::Statement &&
      (cooperativeReductionOf(kernel, node.index) || isBesideShared(node) ||
       kernel.fencedStatements.count(node.index)))
    return true;
  if (node.kind == EmitNode::Kind::For &&
      node.loopKind == EmitNode::LoopKind::Sequential &&
      findCooperativeReduction(kernel, node.loop))
    return true;
  return std::any_of(
      node.children.begin(), node.children.end(),
      [this](const EmitNode &child) { return hasCooperativeReduction(child); });
}

/// True when everything below the node changes memory.
bool BodyWriter::runsOnLaneZero(const EmitNode &node) const {
  if (node.kind == EmitNode::Kind::Statement)
    return isDoneOnce(kernel, node.index);
  if (node.kind == EmitNode::Kind::Copy) {
    const CopyStatement &copy = kernel.copies[node.index];
    return !copy.isIn && !copy.isFill && !copy.isShift;
  }
  return !node.children.empty() &&
         std::all_of(
             node.children.begin(), node.children.end(),
             [this](const EmitNode &child) { return runsOnLaneZero(child); });
}

/// The nodes have no barrier.
void BodyWriter::emitDivergent(const std::vector<const EmitNode *> &nodes,
                               bool byOne, const AstNames &names,
                               std::vector<OutNode> &out) {
  OutNode scope;
  scope.isScope = true;
  scope.lines.push_back("if (" + runs +
                        (byOne ? " && " + shared.shared.lane + " == 0" : "") +
                        ")");
  isAlone = true;
  isByOne = byOne;
  for (const EmitNode *node : nodes)
    emit(*node, names, scope.children);
  isAlone = isByOne = false;
  if (!scope.children.empty())
    out.push_back(std::move(scope));
}

void BodyWriter::emitUniform(const EmitNode &node, const AstNames &names,
                             std::vector<OutNode> &out) {
  if (!hasCooperativeReduction(node))
    return emitDivergent({&node}, runsOnLaneZero(node), names, out);
  switch (node.kind) {
  case EmitNode::Kind::Block:
    return emitBlockTogether(node, names, out);
  case EmitNode::Kind::If:
    return emitIfTogether(node, names, out);
  case EmitNode::Kind::For:
    if (findCooperativeReduction(kernel, node.loop))
      return emitCooperativeReduction(node, names, out);
    if (node.condition && dependsOnItem(node))
      failure = "a barrier in a loop that work-items run differently often";
    return emitNode(node, names, out);
  default:
    if (cooperativeReductionOf(kernel, node.index))
      return emitSharedStatement(node, names, out);
    out.push_back(sharedBarrier());
    emitDivergent({&node}, isBesideShared(node), names, out);
    out.push_back(sharedBarrier());
    return;
  }
}

void BodyWriter::emitBlockTogether(const EmitNode &node, const AstNames &names,
                                   std::vector<OutNode> &out) {
  std::vector<const EmitNode *> run;
  bool byOne = false;
  auto finish = [&] {
    if (!run.empty())
      emitDivergent(run, byOne, names, out);
    run.clear();
  };
  for (const EmitNode &child : node.children) {
    if (child.kind == EmitNode::Kind::Block || hasCooperativeReduction(child)) {
      finish();
      emitUniform(child, names, out);
      continue;
    }
    if (!run.empty() && byOne != runsOnLaneZero(child))
      finish();
    byOne = runsOnLaneZero(child);
    run.push_back(&child);
  }
  finish();
}

std::string BodyWriter::freshLocal(const std::string &stem) {
  std::string name = stem;
  for (unsigned count = 1; shared.reserved.count(name) || locals.count(name) ||
                           madeNames.count(name);
       ++count)
    name = stem + std::to_string(count);
  madeNames.insert(name);
  return name;
}

void BodyWriter::emitIfTogether(const EmitNode &node, const AstNames &names,
                                std::vector<OutNode> &out) {
  std::string outer = runs;
  PrintedText condition = printAst(*node.condition, names);
  for (size_t branch = 0; branch < node.children.size(); ++branch) {
    std::string test = branch == 0 ? atLeast(condition, PrecEquality)
                                   : "!" + atLeast(condition, PrecPostfix);
    OutNode line;
    std::string name = freshLocal("runs");
    line.lines.push_back("const bool " + name + " = " + outer + " && " + test +
                         ";");
    line.isDeclaration = true;
    out.push_back(std::move(line));
    runs = name;
    emit(node.children[branch], names, out);
    runs = outer;
  }
}

static bool mentions(const isl::ast_expr &expr,
                     const std::vector<std::string> &names) {
  if (isl_ast_expr_get_type(expr.get()) == isl_ast_expr_id) {
    isl::id id = isl::manage(isl_ast_expr_get_id(expr.get()));
    return llvm::is_contained(names, isl_id_get_name(id.get()));
  }
  if (isl_ast_expr_get_type(expr.get()) != isl_ast_expr_op)
    return false;
  int count = isl_ast_expr_get_op_n_arg(expr.get());
  for (int i = 0; i < count; ++i)
    if (mentions(isl::manage(isl_ast_expr_get_op_arg(expr.get(), i)), names))
      return true;
  return false;
}

bool BodyWriter::dependsOnItem(const EmitNode &node) const {
  return mentions(*node.init, baseParameters) ||
         mentions(*node.condition, baseParameters);
}

//===-- Loops of the schedule ---------------------------------------------===//

std::string BodyWriter::laneTimes(int64_t step) const {
  const bool isWide = step * sharedLanes(kernel) > INT32_MAX;
  return (isWide ? "(long)" : "") + shared.shared.lane +
         (step == 1 ? "" : " * " + std::to_string(step));
}

/// The author's first value of the loop.
std::string BodyWriter::firstOfLoop(const EmitNode &node,
                                    const AstNames &names) {
  PrintedText init = printAst(*node.init, names);
  if (node.isDownward)
    init = linearize(*node.init, names)
               ? toForm(*node.init, names).times(-1).print()
               : printNegated(*node.init, names);
  return atLeast(init, PrecUnary);
}

/// Whether there is an iteration for a value of the counter, of 64 bits.
std::string BodyWriter::conditionAt(const EmitNode &node,
                                    const std::string &counter,
                                    AstNames &names) {
  names.names[node.iterator] =
      LinearForm::ofTerm(counter, node.isDownward ? -1 : 1);
  names.wideTerms.insert(counter);
  return printAst(*node.condition, names).text;
}

/// Every `lanes`-th iteration.
std::string BodyWriter::counterHead(const EmitNode &node,
                                    const std::string &counter,
                                    const std::string &first, AstNames &names) {
  const int64_t step = linearize(*node.increment, names)->constant;
  return "for (long " + counter + " = " + first + "; " +
         conditionAt(node, counter, names) + "; " + counter +
         (node.isDownward ? " -= " : " += ") +
         std::to_string(step * sharedLanes(kernel)) + ")";
}

/// Gives the author's variable its value.
OutNode BodyWriter::declareIterator(const EmitNode &node,
                                    const std::string &counter,
                                    AstNames &names) {
  const Loop &loop = model.loops[node.loop];
  const std::string &name = shared.loops[node.loop];
  bool isLong = loop.var && loop.var->type.size > 4;
  OutNode value;
  value.lines.push_back(isLong
                            ? "const long " + name + " = " + counter + ";"
                            : "const int " + name + " = (int)" + counter + ";");
  value.isDeclaration = true;
  names.names[node.iterator] =
      LinearForm::ofTerm(name, node.isDownward ? -1 : 1);
  if (isLong)
    names.wideTerms.insert(name);
  iterators[loop.iterator] = LinearForm::ofTerm(name);
  return value;
}

void BodyWriter::useOnlyIteration(const EmitNode &node, AstNames &names) {
  LinearForm only = toForm(*node.init, names);
  names.names[node.iterator] = only;
  iterators[model.loops[node.loop].iterator] =
      only.times(node.isDownward ? -1 : 1);
}

void BodyWriter::emitCooperativeReduction(const EmitNode &node, AstNames names,
                                          std::vector<OutNode> &out) {
  inShared = findCooperativeReduction(kernel, node.loop);
  if (inShared->isScan)
    return emitScan(node, std::move(names), out);
  OutNode scope;
  scope.isScope = true;
  if (node.condition) {
    const int64_t step = linearize(*node.increment, names)->constant;
    std::string first = firstOfLoop(node, names);
    first = first == "0" && !node.isDownward
                ? laneTimes(step)
                : "(long)" + first + (node.isDownward ? " - " : " + ") +
                      laneTimes(step);
    const std::string counter = freshLocal(shared.loops[node.loop] + "_at");
    scope.loop = node.loop;
    scope.lines.push_back(counterHead(node, counter, first, names));
    scope.children.push_back(declareIterator(node, counter, names));
  } else {
    scope.lines.push_back("if (" + shared.shared.lane + " == 0)");
    useOnlyIteration(node, names);
  }
  isAlone = true;
  emit(node.children[0], names, scope.children);
  isAlone = false;
  finishShared(std::move(scope), out);
}

//===-- Results -----------------------------------------------------------===//

bool startsNeutral(ReductionOp operation) {
  return operation == ReductionOp::Sum || operation == ReductionOp::Product ||
         operation == ReductionOp::Xor;
}

std::vector<BodyWriter::SharedValue>
BodyWriter::sharedValues(const CooperativeReduction &loop) const {
  std::vector<SharedValue> values;
  std::map<ScalarKind, unsigned> counts;
  for (const SharedResult &result : loop.results) {
    ScalarKind kind = model.arrays[result.array].elementType.scalar;
    unsigned place = counts[kind]++;
    LoopValue value = valueOf(kernel, result.array);
    for (const auto &[name, local] : locals) {
      // Vectors of the loops in it begin and end within one iteration.
      bool isOwn =
          local.scalar.empty() &&
          (value.copy ? local.copy == value.copy : local.variable == value.var);
      if (isOwn)
        values.push_back(
            {name, kind, result.operation, sharedCells(shared, kind, place)});
    }
  }
  return values;
}

std::string BodyWriter::combined(const SharedValue &value,
                                 std::vector<std::string> operands) {
  bool isSigned =
      value.kind == ScalarKind::Int || value.kind == ScalarKind::Long;
  bool wraps = isSigned && (value.operation == ReductionOp::Sum ||
                            value.operation == ReductionOp::Product);
  std::string cast = !wraps                          ? ""
                     : value.kind == ScalarKind::Int ? "(uint)"
                                                     : "(ulong)";
  for (std::string &operand : operands)
    operand = cast + operand;
  std::string text = combineValues(value.operation, value.kind, operands);
  return wraps ? "(" + typeName(value.kind) + ")(" + text + ")" : text;
}

/// The values of cells `item`, `item + distance`, ... combined.
std::string BodyWriter::combinedCells(const SharedValue &value,
                                      const std::vector<std::string> &indices) {
  std::vector<std::string> cells;
  for (const std::string &index : indices)
    cells.push_back(value.cells + "[" + index + "]");
  return combined(value, cells);
}

OutNode BodyWriter::sharedBarrier() const {
  return lineOf(kernel.ordersMemory
                    ? "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
                    : "barrier(CLK_LOCAL_MEM_FENCE);");
}

/// Cells that one work-item combines at a time.
static constexpr unsigned widestStep = 8;

/// The tree over the lanes, from the cells of all to a value that each has.
void BodyWriter::emitTree(const std::vector<SharedValue> &values,
                          std::vector<OutNode> &out) {
  const SharedNames &own = shared.shared;
  const OutNode barrier = sharedBarrier();
  out.push_back(barrier);
  unsigned left = sharedLanes(kernel);
  while (left > widestStep) {
    // 16 lanes are 4 times 4, not 8 times 2.
    unsigned step = left / widestStep < 4 ? 4 : widestStep;
    unsigned next = left / step;
    OutNode scope;
    scope.isScope = true;
    scope.lines.push_back("if (" + runs + " && " + own.lane + " < " +
                          std::to_string(next) + ")");
    for (const SharedValue &value : values) {
      std::vector<std::string> indices = {own.item};
      for (unsigned i = 1; i < step; ++i)
        indices.push_back(own.item + " + " + std::to_string(i * next));
      scope.children.push_back(lineOf(value.cells + "[" + own.item + "] = " +
                                      combinedCells(value, indices) + ";"));
    }
    out.push_back(std::move(scope));
    out.push_back(barrier);
    left = next;
  }
  OutNode scope;
  scope.isScope = true;
  scope.lines.push_back("if (" + runs + ")");
  std::string first = own.item + " - " + own.lane;
  for (const SharedValue &value : values) {
    std::vector<std::string> indices = {first};
    for (unsigned i = 1; i < left; ++i)
      indices.push_back(first + " + " + std::to_string(i));
    OutNode line =
        lineOf(value.name + " = " + combinedCells(value, indices) + ";");
    line.uses = {value.name};
    scope.children.push_back(std::move(line));
  }
  out.push_back(std::move(scope));
  // Nobody overwrites cells that others still read.
  out.push_back(barrier);
}

/// Only the first lane goes on from the value.
OutNode BodyWriter::startApart(const SharedValue &value) const {
  OutNode line = lineOf(
      value.name + " = " + shared.shared.lane + " == 0 ? " + value.name +
      " : " + neutralElement(value.operation, value.kind, value.name) + ";");
  line.uses = {value.name};
  return line;
}

OutNode BodyWriter::leaveInCell(const SharedValue &value) const {
  OutNode line = lineOf(value.cells + "[" + shared.shared.item +
                        "] = " + value.name + ";");
  line.uses = {value.name};
  return line;
}

void BodyWriter::finishShared(OutNode loop, std::vector<OutNode> &out) {
  std::vector<SharedValue> values = sharedValues(*inShared);
  const bool isApart = inShared->writes && kernel.ordersMemory;
  const OutNode barrier = sharedBarrier();
  if ((inShared->waits || isApart) &&
      (out.empty() || out.back().lines != barrier.lines))
    out.push_back(barrier);
  inShared = nullptr;
  for (const SharedValue &value : values)
    sharedNames.insert(value.name);
  OutNode scope;
  scope.isScope = true;
  scope.lines.push_back("if (" + runs + ")");
  if (!out.empty() && out.back().isScope && out.back().lines == scope.lines) {
    scope = std::move(out.back());
    out.pop_back();
  }
  for (const SharedValue &value : values)
    if (startsNeutral(value.operation))
      scope.children.push_back(startApart(value));
  scope.children.push_back(std::move(loop));
  for (const SharedValue &value : values)
    scope.children.push_back(leaveInCell(value));
  out.push_back(std::move(scope));
  if (!values.empty())
    emitTree(values, out);
  else if (isApart)
    out.push_back(barrier);
  ++sharedWritten;
}

} // namespace clopt
