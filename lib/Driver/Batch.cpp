//===- Batch.cpp - many launches of one shape as one ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/BatchTest.cpp, test/run/check_sequence.py.
//
//===----------------------------------------------------------------------===//

#include "Driver/Batch.h"

#include "Driver/Remarks.h"
#include "Driver/TimeBudget.h"
#include "Emit/frame/PlannedKernel.h"
#include "Frontend/clang/ClangParser.h"
#include "Report/JsonText.h"

#include <isl/map.h>
#include <isl/set.h>

namespace clopt {

/// { [launch] -> A[s] }; parameters without a number may have any, another one
/// in every launch. Nothing if the first cell of the array is not known.
static std::optional<isl::map> cellsOfLaunches(const KnownLaunches &launches,
                                               const Access &access) {
  const std::optional<isl::map> cells = launches.cells(access);
  if (!cells)
    return std::nullopt;
  isl_set *set = isl_map_range(cells->copy());
  const unsigned params =
      static_cast<unsigned>(isl_set_dim(set, isl_dim_param)) - 1;
  set = isl_set_project_out(set, isl_dim_param, 0, params);
  return isl::manage(isl_map_move_dims(isl_map_from_range(set), isl_dim_in, 0,
                                       isl_dim_param, 0, 1));
}

/// Two launches touch one cell by these accesses.
static bool meet(const KnownLaunches &launches, const Access &a,
                 const Access &b) {
  const std::optional<isl::map> first = cellsOfLaunches(launches, a);
  const std::optional<isl::map> second = cellsOfLaunches(launches, b);
  if (!first || !second)
    return true;
  // { [launch] -> [launch'] : a cell of both }
  isl_map *both =
      isl_map_apply_range(first->copy(), isl_map_reverse(second->copy()));
  isl_map *earlier =
      isl_map_order_lt(isl_map_copy(both), isl_dim_in, 0, isl_dim_out, 0);
  isl_map *later = isl_map_order_gt(both, isl_dim_in, 0, isl_dim_out, 0);
  return !isl::manage(isl_map_union(earlier, later)).is_empty();
}

/// Why the launches may not be merged, or empty.
static std::string launchProblem(const KernelModel &model,
                                 const BatchRequest &request) {
  const KnownLaunches launches(model, request);
  if (std::string problem = launches.problem(); !problem.empty())
    return problem;
  for (const Access &a : model.accesses)
    for (const Access &b : model.accesses)
      if (a.isWrite && a.array == b.array && isShared(model, a) &&
          meet(launches, a, b))
        return "launches depend on each other through '" +
               model.arrays[a.array].name + "'";
  return "";
}

//===-- What a kernel sees of the launch ----------------------------------===//

/// One more dimension changes what the query gives.
static bool changesWith(const Expr &expr, const BatchRequest &request) {
  switch (expr.query) {
  case WorkItemQuery::WorkDim:
  case WorkItemQuery::GlobalLinearId:
    return true;
  case WorkItemQuery::LocalLinearId:
    return request.local.empty();
  case WorkItemQuery::GlobalId:
  case WorkItemQuery::GlobalSize:
  case WorkItemQuery::GlobalOffset:
    return expr.dim >= request.global.size();
  default: // of groups, which would reach across launches
    return request.local.empty() || expr.dim >= request.global.size();
  }
}

static std::string formProblem(const TranslationUnit &unit,
                               const KernelModel &model,
                               const BatchRequest &request) {
  if (std::optional<Refusal> reason = untouchableReason(model))
    return reason->message;
  if (model.isUntouchable)
    return unmodelledReason(model).message;
  if (model.hasAtomics || model.hasOrderedEffects || model.usesImages)
    return "it has atomic accesses, effects whose order counts, or images";
  if (request.local.empty() && (model.hasBarrier || model.usesLocalMemory))
    return "groups of unknown shape would reach across launches";
  if (!model.function->isEditable ||
      !model.function->parameterRange.isEditable())
    return "macros or directives have a part in it";
  std::string problem;
  for (const auto &function : unit.functions) {
    forEachStmt(function->asWritten(), [&](const StmtRef &stmt) {
      if (stmt->kind == StmtKind::Opaque || stmt->kind == StmtKind::Switch)
        problem = "it has statements that are not looked into";
    });
    forEachExpr(function->asWritten(), [&](const ExprRef &expr) {
      if (expr->kind == ExprKind::Opaque)
        problem = "it has expressions that are not looked into";
      const bool isQuery =
          expr->kind == ExprKind::WorkItem
              ? changesWith(*expr, request)
              : expr->kind == ExprKind::Call &&
                    llvm::StringRef(expr->text).starts_with("get_");
      if (isQuery)
        problem = "it asks for what another dimension changes";
    });
  }
  return problem;
}

//===-- The text ----------------------------------------------------------===//

static void writeText(const KernelModel &model, const BatchRequest &request,
                      BatchAnswer &answer) {
  const Function &function = *model.function;
  const TranslationUnit &unit = *model.unit;
  answer.kernel = nameNotIn(unit.text, function.name + "_batch");
  std::vector<std::string> parameters;
  std::string additions;
  for (const LaunchedScalar &scalar : request.scalars)
    if (scalar.step != 0) {
      const std::string step = nameNotIn(unit.text, scalar.name + "_step");
      parameters.push_back("long " + step);
      additions += "\n    " + scalar.name + " += " + step +
                   " * (long)get_global_id(" +
                   std::to_string(request.global.size()) + ");";
      answer.stepped.push_back(scalar.name);
    }
  const std::optional<std::string> head =
      kernelHead(model, answer.kernel, parameters);
  if (!head) {
    answer.problem = "macros or directives have a part in it";
    return;
  }
  const int64_t end = function.range.end, body = function.bodyRange.begin + 1;
  answer.text = unit.spelling(0, end) + "\n\n" + *head + "{" + additions +
                unit.spelling(body, end) +
                unit.spelling(end, static_cast<int64_t>(unit.text.size()));
}

/// Why there is nothing to merge, or empty.
static std::string requestProblem(const BatchRequest &request) {
  if (request.count < 2 || request.global.size() > 2)
    return "there is no room for another dimension";
  return numbersProblem(request);
}

static void batchKernel(const TranslationUnit &unit, const Function &function,
                        const std::string &path, const BatchRequest &request,
                        Options options, BatchAnswer &answer) {
  options.timeBudget = 0;
  TimeBudget time(unit, options);
  time.begin(function.name);
  try {
    const std::unique_ptr<KernelModel> model = time.build(unit, function);
    time.limitToShare(*model);
    answer.problem = formProblem(unit, *model, request);
    if (answer.problem.empty())
      answer.problem = launchProblem(*model, request);
    if (answer.problem.empty())
      writeText(*model, request, answer);
  } catch (const isl::exception &) {
    answer.problem = "the analysis exceeded its budget";
  }
  time.finish();
  if (!answer.problem.empty())
    return;
  // A parameter may be const, or a macro.
  if (!parseOpenCL(path, answer.text, options.buildFlags).unit)
    answer.problem = "the new kernel is not OpenCL C";
}

BatchAnswer makeBatch(const std::string &path, const std::string &source,
                      const BatchRequest &request, const Options &options) {
  BatchAnswer answer;
  answerLaunches(
      path, source, options, requestProblem(request), answer,
      [&](const TranslationUnit &unit) {
        if (const Function *kernel = findKernel(unit, request.kernel))
          batchKernel(unit, *kernel, path, request, options, answer);
        else
          answer.problem = "there is no kernel '" + request.kernel + "'";
      });
  return answer;
}

//===-- JSON --------------------------------------------------------------===//

static bool fromJSON(const llvm::json::Value &value, BatchRequest &request,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("kernel", request.kernel) &&
         map.map("count", request.count) && map.map("global", request.global) &&
         map.map("local", request.local) && map.map("offset", request.offset) &&
         map.map("scalars", request.scalars);
}

llvm::Expected<BatchRequest> parseBatchRequest(const std::string &text) {
  return llvm::json::parse<BatchRequest>(text, "batch");
}

std::string printBatch(const BatchAnswer &answer) {
  return printAnswer(answer, [&](llvm::json::OStream &json) {
    json.attribute("kernel", answer.kernel);
    jsonTexts(json, "stepped", answer.stepped);
    json.attribute("text", jsonText(answer.text));
  });
}

} // namespace clopt
