//===- TileFootprints.cpp - what parts of a launch touch ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/TileFootprintsTest.cpp, test/run/check_sequence.py.
//
//===----------------------------------------------------------------------===//

#include "Driver/TileFootprints.h"

#include "Driver/Remarks.h"
#include "Frontend/clang/ClangParser.h"
#include "Frontend/model/ModelBuilder.h"
#include "Report/JsonText.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

namespace {

class FootprintFinder {
public:
  FootprintFinder(const KernelModel &of, const FootprintRequest &what)
      : model(of), request(what), launches(of, what) {}

  std::string problem() const;
  void run(FootprintAnswer &answer);

private:
  using Box = std::vector<std::pair<int64_t, int64_t>>; ///< ids, by dimension
  isl::set inBox(const Statement &statement, const Box &box) const;
  std::optional<isl::map> bytesOf(const Access &access) const;
  std::vector<BufferFootprint> footprints(const FootprintAnswer &answer,
                                          const Box &box) const;

  const KernelModel &model;
  const FootprintRequest &request;
  const KnownLaunches launches;
  /// By access: [params, launch] -> { S[w, i] -> [element] }; nothing: not
  /// known.
  std::vector<std::optional<isl::map>> elements;
};

} // namespace

/// What the kernel asks for that a part of the launch gives another answer to.
static bool changesInParts(const Expr &expr, const FootprintRequest &request) {
  if (expr.kind != ExprKind::WorkItem)
    return expr.kind == ExprKind::Call &&
           llvm::StringRef(expr.text).starts_with("get_");
  switch (expr.query) {
  case WorkItemQuery::GlobalId:
  case WorkItemQuery::WorkDim:
    return false;
  case WorkItemQuery::LocalId:
  case WorkItemQuery::LocalSize:
  case WorkItemQuery::EnqueuedLocalSize:
  case WorkItemQuery::LocalLinearId:
    return request.local.empty();
  default:
    return true;
  }
}

std::string FootprintFinder::problem() const {
  if (model.isUntouchable)
    return unmodelledReason(model).message;
  if (model.usesImages)
    return "it has images";
  if (request.local.empty() && (model.hasBarrier || model.usesLocalMemory))
    return "the shape of its groups is not known: give 'LocalSize'";
  bool asks = false;
  for (const auto &function : model.unit->functions)
    if (!function->isKernel || function->isCalled ||
        function.get() == model.function)
      forEachExpr(function->asWritten(), [&](const ExprRef &expr) {
        asks |= changesInParts(*expr, request);
      });
  bool isWhole = true;
  for (const std::vector<int64_t> &ends : request.ends)
    isWhole &= ends.size() == 1;
  if (asks && !isWhole)
    return "it asks for what is different in a part of the launch: sizes, "
           "groups, or offsets";
  return launches.problem();
}

/// { S[w, i] : w in the box }
isl::set FootprintFinder::inBox(const Statement &statement,
                                const Box &box) const {
  std::string tuple, conditions = "true";
  for (size_t i = 0; i < statement.coordinates.size(); ++i)
    tuple += (i ? ", c" : "c") + std::to_string(i);
  unsigned at = 0;
  for (unsigned d = 0; d < model.ndrange.rank; ++d) {
    std::string id = "c" + std::to_string(at);
    if (model.ndrange.split[d]) { // groups count from the offset
      const int64_t local = d < request.local.size() ? request.local[d] : 1;
      const int64_t offset = d < request.offset.size() ? request.offset[d] : 0;
      id = std::to_string(offset) + " + " + std::to_string(local) + " * c" +
           std::to_string(at) + " + c" + std::to_string(at + 1);
    }
    if (d < box.size())
      conditions += " and " + std::to_string(box[d].first) + " <= " + id +
                    " < " + std::to_string(box[d].second);
    at += model.ndrange.split[d] ? 2 : 1;
  }
  return isl::set(isl::ctx(model.context.get()),
                  "{ " + statement.name + "[" + tuple + "] : " + conditions +
                      " }");
}

/// [params, launch] -> { S[w, i] -> [element] }
std::optional<isl::map> FootprintFinder::bytesOf(const Access &access) const {
  const Array &array = model.arrays[access.array];
  std::optional<isl::map> cells = launches.cells(access);
  if (!cells || array.rank == 0)
    return std::nullopt;
  std::string subscripts, flat;
  int64_t pitch = 1;
  for (unsigned d = array.rank; d-- > 0;) {
    const std::string name = "s" + std::to_string(d);
    subscripts = name + (subscripts.empty() ? "" : ", ") + subscripts;
    flat += (flat.empty() ? "" : " + ") + std::to_string(pitch) + " * " + name;
    if (d == 0)
      break;
    const std::optional<int64_t> extent = launches.numberOf(array.extents[d]);
    if (!extent || __builtin_mul_overflow(pitch, *extent, &pitch))
      return std::nullopt;
  }
  if (array.rank > 1) { // of one dimension it is in the cells
    const std::optional<int64_t> origin = launches.numberOf(array.origin);
    if (!origin)
      return std::nullopt;
    flat += " + " + std::to_string(*origin);
  }
  const isl::map toFlat(isl::ctx(model.context.get()),
                        "{ [" + subscripts + "] -> [" + flat + "] }");
  const isl::map unnamed =
      isl::manage(isl_map_reset_tuple_id(cells->copy(), isl_dim_out));
  return unnamed.apply_range(toFlat);
}

static void widen(ByteRange &range, const ByteRange &by) {
  if (!range || !by)
    range = std::nullopt;
  else if (range->first == range->second)
    range = by;
  else if (by->first != by->second)
    range = {{std::min(range->first, by->first),
              std::max(range->second, by->second)}};
}

/// The least and the greatest element of { [element] }, in bytes.
static ByteRange hullOf(const isl::set &elements, const Array &array,
                        unsigned width) {
  if (elements.is_empty())
    return {{0, 0}};
  const isl::val least = isl::manage(isl_set_dim_min_val(elements.copy(), 0));
  const isl::val greatest =
      isl::manage(isl_set_dim_max_val(elements.copy(), 0));
  if (!least.is_int() || !greatest.is_int() ||
      isl_val_cmp_si(least.get(), 0) < 0 ||
      isl_val_cmp_si(greatest.get(), INT64_MAX / 256) > 0)
    return std::nullopt;
  return {{least.num_si() * array.elementBytes,
           (greatest.num_si() + width) * array.elementBytes}};
}

std::vector<BufferFootprint>
FootprintFinder::footprints(const FootprintAnswer &answer,
                            const Box &box) const {
  std::vector<BufferFootprint> result(answer.buffers.size(),
                                      {{{0, 0}}, {{0, 0}}});
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    if (!isShared(model, access) || !array.var->isParam)
      continue;
    const auto at = std::find(answer.buffers.begin(), answer.buffers.end(),
                              array.var->paramIndex);
    if (at == answer.buffers.end())
      continue;
    const Statement &statement = model.statements[access.statement];
    const std::optional<isl::map> &map = elements[access.id];
    const ByteRange bytes =
        map ? hullOf(map->intersect_domain(inBox(statement, box)).range(),
                     array, access.width)
            : std::nullopt;
    BufferFootprint &of =
        result[static_cast<size_t>(at - answer.buffers.begin())];
    widen(access.isWrite ? of.writes : of.reads, bytes);
  }
  return result;
}

void FootprintFinder::run(FootprintAnswer &answer) {
  for (const Variable *variable : model.function->params)
    if (variable->type.isPointer() &&
        (variable->type.space == AddressSpace::Global ||
         variable->type.space == AddressSpace::Constant))
      answer.buffers.push_back(variable->paramIndex);
  for (const Access &access : model.accesses)
    elements.push_back(isShared(model, access) ? bytesOf(access)
                                               : std::nullopt);
  std::vector<size_t> at(request.ends.size(), 0);
  for (bool isDone = false; !isDone;) {
    Box box;
    for (size_t d = 0; d < at.size(); ++d) {
      const int64_t offset = d < request.offset.size() ? request.offset[d] : 0;
      box.emplace_back(offset + (at[d] ? request.ends[d][at[d] - 1] : 0),
                       offset + request.ends[d][at[d]]);
    }
    answer.tiles.push_back(footprints(answer, box));
    isDone = true;
    for (size_t d = 0; d < at.size() && isDone; ++d)
      if (++at[d] < request.ends[d].size())
        isDone = false;
      else
        at[d] = 0;
  }
}

/// Parts of every dimension, of whole groups, and not too many.
static std::string requestProblem(const FootprintRequest &request) {
  if (std::string problem = numbersProblem(request); !problem.empty())
    return problem;
  size_t count = 1;
  bool isRight = request.ends.size() == request.global.size();
  for (size_t d = 0; d < request.ends.size() && isRight; ++d) {
    const std::vector<int64_t> &ends = request.ends[d];
    const int64_t local = request.local.empty() ? 1 : request.local[d];
    isRight &= !ends.empty() && ends.back() == request.global[d] &&
               std::is_sorted(ends.begin(), ends.end());
    for (int64_t end : ends)
      isRight &= end % local == 0;
    count *= ends.size();
  }
  return isRight && count <= 4096 ? "" : "the parts do not fit the launch";
}

FootprintAnswer findFootprints(const std::string &path,
                               const std::string &source,
                               const FootprintRequest &request,
                               const Options &options) {
  FootprintAnswer answer;
  const auto find = [&](const TranslationUnit &unit) {
    const Function *kernel = findKernel(unit, request.kernel);
    if (!kernel) {
      answer.problem = "there is no kernel '" + request.kernel + "'";
      return;
    }
    const std::unique_ptr<KernelModel> model =
        buildModel(unit, *kernel, modelOptionsFor(request, options));
    FootprintFinder finder(*model, request);
    answer.problem = finder.problem();
    if (answer.problem.empty())
      finder.run(answer);
  };
  answerLaunches(path, source, options, requestProblem(request), answer, find);
  return answer;
}

//===-- JSON --------------------------------------------------------------===//

static bool fromJSON(const llvm::json::Value &value, FootprintRequest &request,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("kernel", request.kernel) && mapRange(map, request) &&
         map.mapOptional("scalars", request.scalars) &&
         map.map("ends", request.ends);
}

bool isFootprintRequest(const std::string &text) {
  return hasJsonField(text, "ends");
}

llvm::Expected<FootprintRequest>
parseFootprintRequest(const std::string &text) {
  return llvm::json::parse<FootprintRequest>(text, "footprints");
}

std::string printFootprints(const FootprintAnswer &answer) {
  return printAnswer(answer, [&](llvm::json::OStream &json) {
    json.attributeArray("buffers", [&] {
      for (unsigned index : answer.buffers)
        json.value(index);
    });
    const auto range = [&](const ByteRange &bytes) {
      json.value(bytes ? bytes->first : -1);
      json.value(bytes ? bytes->second : -1);
    };
    json.attributeArray("tiles", [&] {
      for (const std::vector<BufferFootprint> &tile : answer.tiles)
        json.array([&] {
          for (const BufferFootprint &of : tile)
            json.array([&] {
              range(of.reads);
              range(of.writes);
            });
        });
    });
  });
}

} // namespace clopt
