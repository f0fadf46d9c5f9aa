//===- AstEvaluation.h - isl's expressions with numbers ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates expressions of isl's AST generator, and runs lowered kernels, so
// that tests can compare loops and conditions with plain enumeration.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_UNIT_ASTEVALUATION_H
#define CLOPT_TEST_UNIT_ASTEVALUATION_H

#include "Emit/lower/DivergentInstances.h"
#include "Emit/lower/Lowering.h"

#include <isl/ast.h>
#include <isl/id.h>
#include <isl/val.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace clopt {

using Values = std::map<std::string, int64_t>;

inline int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

inline int64_t evaluate(const isl::ast_expr &expr, const Values &values) {
  if (isl_ast_expr_get_type(expr.get()) == isl_ast_expr_int) {
    isl::val value = isl::manage(isl_ast_expr_get_val(expr.get()));
    return isl_val_get_num_si(value.get());
  }
  if (isl_ast_expr_get_type(expr.get()) == isl_ast_expr_id) {
    isl::id id = isl::manage(isl_ast_expr_get_id(expr.get()));
    auto found = values.find(isl_id_get_name(id.get()));
    EXPECT_TRUE(found != values.end()) << isl_id_get_name(id.get());
    return found == values.end() ? 0 : found->second;
  }
  auto operand = [&](int i) {
    return evaluate(isl::manage(isl_ast_expr_get_op_arg(expr.get(), i)),
                    values);
  };
  int count = isl_ast_expr_get_op_n_arg(expr.get());
  int64_t first = operand(0);
  switch (isl_ast_expr_op_get_type(expr.get())) {
  case isl_ast_expr_op_and:
  case isl_ast_expr_op_and_then:
    return first && operand(1);
  case isl_ast_expr_op_or:
  case isl_ast_expr_op_or_else:
    return first || operand(1);
  case isl_ast_expr_op_max:
    for (int i = 1; i < count; ++i)
      first = std::max(first, operand(i));
    return first;
  case isl_ast_expr_op_min:
    for (int i = 1; i < count; ++i)
      first = std::min(first, operand(i));
    return first;
  case isl_ast_expr_op_minus:
    return -first;
  case isl_ast_expr_op_add:
    return first + operand(1);
  case isl_ast_expr_op_sub:
    return first - operand(1);
  case isl_ast_expr_op_mul:
    return first * operand(1);
  case isl_ast_expr_op_div:
  case isl_ast_expr_op_pdiv_q:
    return first / operand(1);
  case isl_ast_expr_op_fdiv_q:
    return floorDivide(first, operand(1));
  case isl_ast_expr_op_pdiv_r:
  case isl_ast_expr_op_zdiv_r:
    return first % operand(1);
  case isl_ast_expr_op_cond:
  case isl_ast_expr_op_select:
    return first ? operand(1) : operand(2);
  case isl_ast_expr_op_eq:
    return first == operand(1);
  case isl_ast_expr_op_le:
    return first <= operand(1);
  case isl_ast_expr_op_lt:
    return first < operand(1);
  case isl_ast_expr_op_ge:
    return first >= operand(1);
  case isl_ast_expr_op_gt:
    return first > operand(1);
  default:
    ADD_FAILURE() << "an operator that is not evaluated";
    return 0;
  }
}

/// "S0(3, 1)" of everything a lowered kernel executes, in order. Lanes of a
/// vector come one after the other. A statement stands for `items` work-items
/// side by side along dimension 0.
class LoweredRun {
public:
  explicit LoweredRun(const KernelModel &kernelModel, int64_t items = 1)
      : model(kernelModel), count(items) {}

  void run(const EmitNode &node, Values values) {
    switch (node.kind) {
    case EmitNode::Kind::Block:
      for (const EmitNode &child : node.children)
        run(child, values);
      return;
    case EmitNode::Kind::If:
      if (evaluate(*node.condition, values))
        run(node.children[0], values);
      else if (node.children.size() > 1)
        run(node.children[1], values);
      return;
    case EmitNode::Kind::For:
      return runLoop(node, values);
    case EmitNode::Kind::Statement:
    case EmitNode::Kind::Copy:
      return record(node, values);
    case EmitNode::Kind::Fill:
    case EmitNode::Kind::Section:
      ADD_FAILURE() << "a node that is not evaluated";
      return;
    }
  }

  std::vector<std::string> done;

private:
  void runLoop(const EmitNode &node, Values values) {
    bool sequential = node.loopKind == EmitNode::LoopKind::Sequential;
    int64_t step = sequential ? std::abs(model.loops[node.loop].step) : 1;
    int64_t copies = std::max(1u, node.unroll) * node.lanes;
    int64_t start = evaluate(*node.init, values);
    for (int64_t value = start;; value += evaluate(*node.increment, values)) {
      values[node.iterator] = value;
      if (node.condition && !evaluate(*node.condition, values))
        return;
      for (int64_t copy = 0; copy < copies; ++copy) {
        // Conditions inside are those of the first iteration.
        if (copies > 1 && sequential)
          shifts[node.loop] = {node.iterator, copy * step};
        run(node.children[0], values);
      }
      shifts.erase(node.loop);
      if (!node.condition)
        return;
    }
  }

  void record(const EmitNode &node, Values values) {
    if (node.kind == EmitNode::Kind::Copy) {
      for (const auto &[loop, shift] : shifts)
        values[shift.first] += shift.second;
      std::string text = "copy" + std::to_string(node.index) + "(";
      for (size_t i = 0; i < node.coordinates.size(); ++i)
        text += (i ? "," : "") +
                std::to_string(evaluate(node.coordinates[i], values));
      done.push_back(text + ")");
      return;
    }
    const Statement &statement = model.statements[node.index];
    std::vector<int64_t> place;
    for (size_t i = 0; i < node.coordinates.size(); ++i) {
      place.push_back(evaluate(node.coordinates[i], values));
      for (const auto &[loop, shift] : shifts)
        if (model.loops[loop].iterator == statement.coordinates[i])
          place.back() +=
              model.loops[loop].step < 0 ? -shift.second : shift.second;
    }
    for (int64_t item = 0; item < count; ++item)
      recordItem(node, place, item, values);
  }

  void recordItem(const EmitNode &node, std::vector<int64_t> place,
                  int64_t item, Values values) {
    if (count > 1)
      place[0] += item;
    std::string text = model.statements[node.index].name + "(";
    for (size_t i = 0; i < place.size(); ++i) {
      text += (i ? "," : "") + std::to_string(place[i]);
      values[guardName(static_cast<unsigned>(i))] = place[i];
    }
    if (node.guard &&
        (evaluate(*node.guard, values) != 0) == node.isGuardNegated)
      return;
    done.push_back(text + ")");
  }

  /// isl's iterator and the distance from it, by loop.
  std::map<unsigned, std::pair<std::string, int64_t>> shifts;
  const KernelModel &model;
  int64_t count;
};

} // namespace clopt

#endif // CLOPT_TEST_UNIT_ASTEVALUATION_H
