//===- MergedGroups.cpp - one group does the work of several --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with tiles of their own keep their groups (see coarsen): names and
// declarations of the local arrays that merged groups have one each of, and the
// first group that a launched one stands for.
//
// Tested by test/lit/coarsen/groups.test, test/run/kernels/merged_*.cl.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Divergence.h"
#include "Emit/body/BarrierFlow.h"
#include "Emit/frame/KernelWriterImpl.h"
#include "Emit/frame/WorkMapping.h"
#include "Model/ExprPrinter.h"

namespace clopt {

/// Suffixes of the copies of a local array, without the first: "_1", "_1_0".
static std::vector<std::string> copySuffixes(const TransformedKernel &kernel,
                                             DivergenceMask mask) {
  std::vector<std::string> suffixes = {""};
  for (int d = 2; d >= 0; --d) {
    unsigned points = kernel.work[d].points;
    if (points == 1 || !(mask & (1u << d)))
      continue;
    std::vector<std::string> longer;
    for (const std::string &suffix : suffixes)
      for (unsigned p = 0; p < points; ++p)
        longer.push_back(suffix + "_" + std::to_string(p));
    suffixes = std::move(longer);
  }
  suffixes.erase(suffixes.begin());
  return suffixes;
}

/// Local arrays whose cells differ between merged groups.
void KernelWriter::nameLocalCopies() {
  for (const auto &[variable, mask] : variedLocals(kernel)) {
    std::string stem = variable->name;
    auto isFree = [&](const std::string &candidate) {
      for (const std::string &suffix : copySuffixes(kernel, mask))
        if (names.reserved.count(candidate + suffix))
          return false;
      return true;
    };
    while (!isFree(stem))
      stem += "_x";
    for (const std::string &suffix : copySuffixes(kernel, mask)) {
      names.reserved.insert(stem + suffix);
      ownLocalCopies.insert(stem + suffix);
    }
    names.localCopies[variable] = stem;
  }
}

/// `__local float tile_1[8][8];` with the padding of the first.
std::vector<std::string>
KernelWriter::declareLocalCopies(LoweringError &error) const {
  std::vector<std::string> lines;
  for (const auto &[variable, mask] : variedLocals(kernel)) {
    for (const std::string &suffix : copySuffixes(kernel, mask)) {
      lines.push_back(declareLikeLocal(
          kernel, names.localCopies.at(variable) + suffix, *variable));
      if (!lines.back().empty())
        continue;
      error = {"clopt-group-shape",
               "groups would need a copy of '" + variable->name + "' each",
               "declare it in the kernel, with numbers and vectors as cells"};
      return {};
    }
  }
  return lines;
}

/// The first groups along each dimension do the work, or, where those that
/// cannot be merged do their own, the first of those that are merged.
std::vector<std::string> KernelWriter::mergedGroups() const {
  std::vector<std::string> lines;
  for (size_t i = 0; i < dims.size(); ++i) {
    unsigned total = workOfCoordinate(kernel, dims, i).total();
    if (total == 1)
      continue;
    const std::string &type = names.idTypes[i];
    const std::string count = std::to_string(total);
    lines.push_back("const " + type + " " + names.bases[i] + " = (" + type +
                    ")get_group_id(" + std::to_string(dims[i]) + ")" +
                    (othersRunAlone ? " / " + count : "") + " * " + count +
                    ";");
  }
  appendLines(lines, idDeclarations());
  if (!othersRunAlone)
    appendLines(lines, idleGroups());
  return lines;
}

/// Groups whose work another one does leave at once.
std::vector<std::string> KernelWriter::idleGroups() const {
  std::string idle;
  for (size_t i = 0; i < dims.size(); ++i) {
    unsigned total = workOfCoordinate(kernel, dims, i).total();
    if (total == 1)
      continue;
    const std::string dim = std::to_string(dims[i]);
    idle += idle.empty() ? "" : " || ";
    idle += othersRunAlone ? "get_group_id(" + dim + ") % " +
                                 std::to_string(total) + " != 0"
                           : names.bases[i] + " >= (" + names.idTypes[i] +
                                 ")get_num_groups(" + dim + ")";
  }
  std::vector<std::string> lines = {"if (" + idle + ") {"};
  if (model.hasBarrier)
    lines.push_back("    " + std::string(groupBarrier));
  lines.insert(lines.end(), {"    return;", "}"});
  return lines;
}

/// The first work-item of every vector's, in its group.
std::vector<std::string> KernelWriter::leadingItems() const {
  std::vector<std::string> lines;
  for (size_t i = 0; i < dims.size(); ++i)
    if (const unsigned lanes = workOfCoordinate(kernel, dims, i).lanes;
        kernel.hasGroupLanes() && lanes > 1)
      lines.push_back("const bool " + names.group.inside + " = " +
                      names.bases[i] + " % " + std::to_string(lanes) +
                      " == 0;");
  return lines;
}

/// Merged groups are fewer: every compute unit should still have one.
void KernelWriter::requireManyGroups(Guards &guards) const {
  unsigned points = options.computeUnits;
  for (const WorkDimension &work : kernel.work)
    points *= work.points;
  if (options.computeUnits <= 1)
    return;
  std::string least = std::to_string(points);
  guards.conditions.insert(
      guards.conditions.begin(),
      {{productOf(model.ndrange.rank, WorkItemQuery::NumGroups) +
        " >= " + least},
       true});
  guards.reasons.push_back("there are at least " + least + " work-groups");
}

} // namespace clopt
