//===- PlannedKernel.cpp - a kernel for an NDRange of its own -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PlannedKernelTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/PlannedKernel.h"

#include "Emit/frame/ConfigurationText.h"
#include "Plan/PlanExpression.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <set>

namespace clopt {

/// What a plan hands to the kernel.
static bool isArgument(WorkItemQuery query) {
  return query == WorkItemQuery::GlobalSize ||
         query == WorkItemQuery::GlobalOffset;
}

/// True when the names have one that asks OpenCL for the launch.
static bool asks(const std::set<std::string> &mentioned, bool forArguments) {
  const unsigned last = static_cast<unsigned>(WorkItemQuery::LocalLinearId);
  for (unsigned query = 0; query <= last; ++query)
    for (unsigned dim = 0; dim < 3; ++dim)
      if (isArgument(WorkItemQuery(query)) == forArguments &&
          mentioned.count(printWorkItem(WorkItemQuery(query), dim)))
        return true;
  return false;
}

bool asksForLaunch(const std::set<std::string> &mentioned) {
  return asks(mentioned, true);
}

LaunchNames
launchArguments(const std::function<std::string(const std::string &)> &fresh) {
  LaunchNames result;
  for (WorkItemQuery query :
       {WorkItemQuery::GlobalSize, WorkItemQuery::GlobalOffset})
    for (unsigned d = 0; d < 3; ++d)
      result.arguments[{query, d}] =
          fresh((query == WorkItemQuery::GlobalSize ? "global_size_"
                                                    : "global_offset_") +
                std::string(1, "xyz"[d]));
  return result;
}

/// True when a function of the file that the body calls, or one it calls in
/// turn, asks for the launch.
static bool callsForLaunch(const KernelModel &model, const StmtRef &body,
                           std::set<const Function *> &seen) {
  bool found = false;
  forEachExpr(body, [&](const ExprRef &expr) {
    if (expr->kind != ExprKind::Call || expr->isElementwiseBuiltin)
      return;
    const Function *callee = expr->callee;
    const auto &known = model.unit->usedNames;
    if (!callee) // defined elsewhere: nobody has looked
      found |= std::find(known.begin(), known.end(), expr->text) != known.end();
    if (!callee || found || !seen.insert(callee).second)
      return;
    forEachExpr(callee->asWritten(), [&](const ExprRef &inner) {
      found |=
          inner->kind == ExprKind::WorkItem || inner->kind == ExprKind::Opaque;
    });
    found |= callsForLaunch(model, callee->asWritten(), seen);
  });
  return found;
}

//===-- The function's head
//-------------------------------------------------===//

std::optional<std::string>
kernelHead(const KernelModel &model, const std::string &name,
           const std::vector<std::string> &parameters) {
  const Function &function = *model.function;
  const SourceRange &old = function.nameRange, &list = function.parameterRange;
  if (!old.isEditable())
    return std::nullopt;
  std::string text =
      model.unit->spelling(function.range.begin, old.begin) + name +
      model.unit->spelling(old.end, function.params.empty() ? list.begin + 1
                                                            : list.end - 1);
  if (!parameters.empty() && !function.params.empty())
    text += ",\n" + std::string(8, ' ');
  return text + llvm::join(parameters, ", ") +
         model.unit->spelling(list.end - 1, function.bodyRange.begin);
}

//===-- Host side
//-----------------------------------------------------------===//

/// False when no access reads the array and every access is known.
static bool mayRead(const KernelModel &model, const Variable *variable) {
  if (model.isUntouchable)
    return true;
  for (const Statement &statement : model.statements)
    if (statement.isOpaque)
      return true;
  bool isKnown = false;
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    isKnown |= array.var == variable;
    if ((array.var == variable || !array.var) && !access.isWrite)
      return true;
  }
  return !isKnown;
}

PlanKernel describeKernel(const KernelModel &model) {
  PlanKernel result;
  result.name = model.function->name;
  for (const Variable *variable : model.function->params) {
    PlanParameter parameter;
    parameter.name = variable->name;
    const Type &type = variable->type;
    if (type.isPointer() && type.element) {
      parameter.kind = type.space == AddressSpace::Local
                           ? PlanParameter::Kind::Local
                           : PlanParameter::Kind::Buffer;
      bool isPlain = type.element->isScalar() || type.element->isVector();
      parameter.type = isPlain
                           ? typeName(type.element->scalar, type.element->lanes)
                           : type.element->spelling;
      parameter.bytes = type.element->size;
      parameter.isRead = mayRead(model, variable);
      parameter.isWritten =
          type.space == AddressSpace::Global && !type.element->isConst;
    } else if (type.isScalar() || type.isVector()) {
      parameter.kind = PlanParameter::Kind::Scalar;
      parameter.type = typeName(type.scalar, type.lanes);
      parameter.bytes = type.size;
    } else {
      parameter.type = type.spelling;
      parameter.bytes = type.size;
    }
    result.parameters.push_back(std::move(parameter));
  }
  return result;
}

void addGuards(const Guards &guards, PlanVariant &variant) {
  for (const ConstantDeclaration &definition : guards.definitions)
    variant.definitions.push_back({definition.name, definition.value});
  for (const GuardCondition &condition : guards.conditions)
    variant.conditions.push_back(
        {joined(condition.parts), "", condition.isAdvice});
}

//===-- Assembly
//------------------------------------------------------------===//

/// Without constants that nothing after them uses. Adds the names of the rest.
static std::vector<std::string>
dropUnused(const std::vector<PlannedLine> &lines,
           std::set<std::string> &mentioned) {
  std::vector<std::string> kept;
  for (size_t i = lines.size(); i-- > 0;) {
    const PlannedLine &line = lines[i];
    if (!line.constant.empty() && !mentioned.count(line.constant))
      continue;
    kept.insert(kept.begin(), line.text);
    mentioned.insert(line.uses.begin(), line.uses.end());
  }
  return kept;
}

/// Gives sizes and offsets of the launch to the kernel as arguments, as far as
/// it mentions them.
static std::vector<std::string>
passLaunch(const LaunchNames &names, const std::set<std::string> &mentioned,
           PlanLaunch &launch) {
  std::vector<std::string> parameters;
  for (const auto &[asked, name] : names.arguments) {
    if (!mentioned.count(name))
      continue;
    parameters.push_back("ulong " + name);
    PlanArgument argument;
    argument.kind = PlanArgument::Kind::Value;
    argument.type = "ulong";
    argument.value = printWorkItem(asked.first, asked.second);
    launch.arguments.push_back(argument);
  }
  return parameters;
}

std::optional<PlannedKernel> writePlannedKernel(
    const TransformedKernel &kernel, const PlannedRange &range,
    const std::vector<PlannedLine> &head, const std::vector<std::string> &body,
    const std::set<std::string> &mentioned, const LaunchNames &launchNames,
    const PlannedRangeOptions &options,
    const std::function<std::string(const std::string &)> &format) {
  const KernelModel &model = *kernel.model;
  std::set<const Function *> seen;
  if (model.function->requiredLocalSize[0] || asks(mentioned, false) ||
      callsForLaunch(model, model.function->asWritten(), seen))
    return std::nullopt;
  PlannedKernel result;
  PlanLaunch &launch = result.variant.launch;
  for (const Variable *parameter : model.function->params) {
    PlanArgument argument;
    argument.name = parameter->name;
    launch.arguments.push_back(argument);
  }
  std::vector<PlannedLine> ahead = head;
  ahead.insert(ahead.end(), range.lines.begin(), range.lines.end());
  std::set<std::string> names = mentioned;
  std::vector<std::string> lines = dropUnused(ahead, names);
  lines.insert(lines.end(), body.begin(), body.end());
  std::vector<std::string> parameters = passLaunch(launchNames, names, launch);
  launch.kernel = options.fresh(model.function->name + "_plan");
  launch.global = range.global;
  launch.local = range.local;
  result.variant.name = "own NDRange";
  result.variant.definitions = range.definitions;
  result.variant.conditions = range.conditions;
  std::optional<std::string> start =
      kernelHead(model, launch.kernel, parameters);
  if (!start)
    return std::nullopt;
  // A compiler that knows the group gives its work-items the registers for it.
  std::string shape;
  for (size_t d = 0; d < 3; ++d)
    shape += (d ? ", " : "") + (d < range.local.size() ? range.local[d] : "1");
  std::string attribute =
      "__attribute__((reqd_work_group_size(" + shape + ")))\n";
  std::string text = "    // The work of " + model.function->name +
                     " for the NDRange of the launch plan.\n";
  for (const std::string &line : lines)
    text += line.empty() ? "\n" : "    " + line + "\n";
  // What is written besides the author's own head.
  std::string words = attribute + text;
  for (const std::string &parameter : parameters)
    words += parameter + "\n";
  if (!changedName(*model.unit, words, model.function->bodyRange.end).empty())
    return std::nullopt;
  text = attribute + *start + "{\n" + (format ? format(text) : text) + "}";
  result.text = options.configuration.isAny()
                    ? text
                    : forConfiguration(options.configuration, text + "\n", "");
  return result;
}

} // namespace clopt
