//===- BarrierFlow.cpp - barriers stay where all work-items agree ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl may restructure conditions and split loops as long as every work-item
// runs the same statements. Two work-items could then reach the same barrier
// of the kernel through different lines of the text, which OpenCL forbids; so
// the generated code is checked, and not the domains it was made from.
//
// Tested by test/unit/BarrierFlowTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BarrierFlow.h"

#include <isl/ast.h>
#include <isl/id.h>

#include <set>

namespace clopt {

std::vector<SymbolKind> workKinds(const KernelModel &model) {
  std::vector<unsigned> dims = workCoordinates(model);
  std::vector<SymbolKind> kinds;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!model.ndrange.split[dims[i]])
      kinds.push_back(SymbolKind::GlobalId);
    else if (i > 0 && dims[i - 1] == dims[i])
      kinds.push_back(SymbolKind::LocalId);
    else
      kinds.push_back(SymbolKind::GroupId);
  }
  return kinds;
}

namespace {

class FlowChecker {
public:
  FlowChecker(const KernelModel &kernel, std::set<std::string> differing)
      : model(kernel), names(std::move(differing)) {}
  /// True when a barrier stands at or below the node.
  bool check(const EmitNode &node, bool uniform);
  bool failed = false;

private:
  bool differs(const isl::ast_expr &expr) const;
  bool differs(const std::optional<isl::ast_expr> &expr) const {
    return expr && differs(*expr);
  }

  const KernelModel &model;
  std::set<std::string> names;
};

} // namespace

bool FlowChecker::differs(const isl::ast_expr &expr) const {
  switch (isl_ast_expr_get_type(expr.get())) {
  case isl_ast_expr_id: {
    isl::id id = isl::manage(isl_ast_expr_get_id(expr.get()));
    return names.count(isl_id_get_name(id.get())) != 0;
  }
  case isl_ast_expr_op: {
    int count = isl_ast_expr_get_op_n_arg(expr.get());
    for (int i = 0; i < count; ++i)
      if (differs(isl::manage(isl_ast_expr_get_op_arg(expr.get(), i))))
        return true;
    return false;
  }
  default:
    return false;
  }
}

bool FlowChecker::check(const EmitNode &node, bool uniform) {
  bool found = false;
  switch (node.kind) {
  case EmitNode::Kind::Statement:
    found = model.statements[node.index].isBarrier;
    failed |= found && !uniform;
    return found;
  case EmitNode::Kind::Copy:
    return false;
  case EmitNode::Kind::If:
    uniform &= !differs(node.condition);
    break;
  case EmitNode::Kind::For: {
    bool bounds = !differs(node.init) && !differs(node.condition) &&
                  !differs(node.increment);
    uniform &= bounds;
    bool added = !bounds && names.insert(node.iterator).second;
    for (const EmitNode &child : node.children)
      found |= check(child, uniform);
    if (added)
      names.erase(node.iterator);
    // Lanes would do several iterations' work before the barrier.
    failed |= found && node.lanes > 1;
    return found;
  }
  case EmitNode::Kind::Block:
  case EmitNode::Kind::Fill:
  case EmitNode::Kind::Section:
    break;
  }
  for (const EmitNode &child : node.children)
    found |= check(child, uniform);
  return found;
}

std::optional<LoweringError>
checkBarrierFlow(const KernelModel &model,
                 const std::vector<std::string> &baseNames,
                 const EmitNode &root) {
  if (!model.hasBarrier)
    return std::nullopt;
  std::vector<SymbolKind> kinds = workKinds(model);
  std::set<std::string> differing;
  for (size_t i = 0; i < baseNames.size(); ++i)
    if (kinds[i] != SymbolKind::GroupId)
      differing.insert(baseNames[i]);
  FlowChecker checker(model, std::move(differing));
  checker.check(root, true);
  if (!checker.failed)
    return std::nullopt;
  return LoweringError{"clopt-barrier",
                       "a barrier would depend on a condition that differs "
                       "between work-items of a group",
                       "let all work-items of a group reach every barrier"};
}

} // namespace clopt
