//===- StepNames.cpp - what the targets of a step mean --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ApplyTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/StepNames.h"

#include "Model/IdNames.h"
#include "Support/StepTable.h"
#include "Support/Suggest.h"

namespace clopt {

std::string axisName(const KernelModel &model, unsigned dim) {
  if (const MappedDimension *mapped = model.ndrange.findMapped(dim))
    return model.loops[mapped->loop].name;
  if (const Variable *variable = idVariable(model, dim))
    if (!model.findLoop(variable->name))
      return variable->name;
  if (const Variable *variable = shiftedIdVariable(model, dim))
    return variable->name;
  return (model.ndrange.split[dim] ? "g" : "w") + std::to_string(dim);
}

AxisName resolveAxis(const KernelModel &model, const std::string &name) {
  AxisName axis;
  axis.loop = model.findLoop(name);
  for (const MappedDimension &mapped : model.ndrange.mapped)
    if (axis.loop == mapped.loop) {
      axis.loop = std::nullopt;
      axis.dim = mapped.dim;
      return axis;
    }
  if (axis.loop)
    return axis;
  for (unsigned dim = 0; dim < 3; ++dim)
    if (dim < model.ndrange.rank &&
        (name == "w" + std::to_string(dim) || name == axisName(model, dim)))
      axis.dim = dim;
  return axis;
}

/// What a target can be called.
static std::vector<std::string> knownNames(const KernelModel &model,
                                           bool areArrays) {
  std::vector<std::string> names;
  if (areArrays) {
    for (const Array &array : model.arrays)
      names.push_back(array.name);
    return names;
  }
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim)
    names.push_back(axisName(model, dim));
  for (const Loop &loop : model.loops)
    names.push_back(loop.name);
  return names;
}

/// "; it has w0, w1, k", or nothing.
static std::string listOf(const std::vector<std::string> &names) {
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "; it has " : ", ") + name;
  return list;
}

/// True for `for (int k = ...` and `for (k = ...`.
static bool countsWith(const Stmt &stmt, const std::string &name) {
  if (stmt.kind != StmtKind::For || !stmt.init)
    return false;
  const Stmt &init = stmt.init->kind == StmtKind::Group
                         ? *stmt.init->children.front()
                         : *stmt.init;
  if (init.kind == StmtKind::Decl)
    return init.var && init.var->name == name;
  const Expr *assign = init.expr.get();
  return assign && assign->kind == ExprKind::Assign &&
         assign->operands[0]->kind == ExprKind::VarRef &&
         assign->operands[0]->var->name == name;
}

/// Why a loop of the program is no loop of the model.
static StepResult unanalysedLoop(const KernelModel &model,
                                 const std::string &name) {
  for (const Statement &statement : model.statements) {
    const Stmt *loop = nullptr;
    forEachStmt(StmtRef(StmtRef(), statement.stmt), [&](const StmtRef &stmt) {
      if (!loop && countsWith(*stmt, name))
        loop = stmt.get();
    });
    if (!loop)
      continue;
    for (const Note &note : model.notes) {
      bool isAround = note.range.begin >= statement.stmt->range.begin &&
                      note.range.begin < loop->range.end;
      bool isCause = note.ruleId == "clopt-non-affine-control" ||
                     note.ruleId == "clopt-opaque-code";
      if (isAround && isCause)
        return refuse(note.ruleId,
                      "the loop '" + name +
                          "' is not analysed: " + note.message,
                      note.hint, note.range);
    }
    return refuse("clopt-non-affine-control",
                  "the loop '" + name +
                      "' is part of code that is one "
                      "statement to the analysis",
                  "", loop->range);
  }
  return std::nullopt;
}

Refusal unknownName(const KernelModel &model, const std::string &name,
                    const std::string &what) {
  bool areArrays = what.rfind("array", 0) == 0;
  AxisName axis = resolveAxis(model, name);
  if (!areArrays && (axis.loop || axis.dim))
    return refuse("", "'" + name + "' is a " +
                          (axis.loop ? "loop" : "work-item dimension") +
                          ", not a " + what);
  if (!areArrays)
    if (StepResult reason = unanalysedLoop(model, name))
      return *reason;
  const std::vector<std::string> known = knownNames(model, areArrays);
  std::string others = didYouMean(name, known);
  // Arrays have the names of the source; ids may have none there.
  if (others.empty() && !areArrays)
    others = listOf(known);
  return refuse("", "kernel '" + model.function->name + "' has no " + what +
                        " '" + name + "'" + others);
}

StepResult resolveArray(const KernelModel &model, const StepTarget &target,
                        unsigned &array) {
  std::optional<unsigned> found = model.findArray(target.name);
  if (!found)
    return unknownName(model, target.name, "array");
  array = *found;
  return std::nullopt;
}

StepResult resolveAxis(const KernelModel &model, const StepTarget &target,
                       AxisName &axis) {
  axis = resolveAxis(model, target.name);
  if (!axis.loop && !axis.dim)
    return unknownName(model, target.name, "loop or work-item dimension");
  return std::nullopt;
}

StepResult resolveLoop(const KernelModel &model, const StepTarget &target,
                       unsigned &loop) {
  AxisName axis = resolveAxis(model, target.name);
  if (!axis.loop)
    return unknownName(model, target.name, "loop");
  loop = *axis.loop;
  return std::nullopt;
}

StepResult needNumber(const Step &step, const StepTarget &target,
                      unsigned example) {
  if (target.count)
    return std::nullopt;
  return refuse("", "'" + step.name + "' needs a number: '" + target.name +
                        ":" + std::to_string(example) + "'");
}

StepResult takeParameters(
    const Step &step,
    const std::function<StepResult(const std::string &, int64_t)> &take) {
  const StepInfo *info = findStep(step.name);
  for (const auto &[key, value] : step.parameters) {
    if (!info || !info->hasParameter(key))
      return refuse("",
                    "step '" + step.name + "' has no parameter '" + key + "'");
    if (take)
      if (StepResult refusal = take(key, value))
        return refusal;
  }
  return std::nullopt;
}

StepResult resolveTwoLoops(const KernelModel &model, const Step &step,
                           unsigned &first, unsigned &second) {
  std::vector<unsigned> loops;
  for (const StepTarget &target : step.targets) {
    unsigned loop;
    if (StepResult refusal = resolveLoop(model, target, loop))
      return refusal;
    if (target.count)
      return refuse("", "'" + step.name + "' takes no numbers");
    loops.push_back(loop);
  }
  if (loops.size() != 2)
    return refuse("", "'" + step.name + "' needs two loops");
  first = loops[0];
  second = loops[1];
  return std::nullopt;
}

} // namespace clopt
