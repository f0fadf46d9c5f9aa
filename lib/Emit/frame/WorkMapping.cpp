//===- WorkMapping.cpp - a group's tile of logical work-items -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/WorkMappingTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/WorkMapping.h"

#include "Model/ExprPrinter.h"

#include <llvm/ADT/StringExtras.h>

namespace clopt {

/// Fewer work-items side by side than this leave a device's lanes idle.
static constexpr unsigned minLanes = 64;

unsigned minTileIds(const TransformedKernel &kernel) {
  unsigned ids = 1;
  for (unsigned d = 0; d < kernel.model->ndrange.rank; ++d) {
    const WorkDimension &work = kernel.work[d];
    bool isAdaptive = kernel.adaptiveDimension() == d;
    ids *= isAdaptive || !work.groupIds ? work.total() : work.groupIds;
  }
  return ids;
}

/// Work-items along the adaptive dimension of the smallest tile that a tile is
/// shrunk to.
static unsigned minThreads(const TransformedKernel &kernel) {
  return std::max(1u, minLanes / minWorkItems(kernel));
}

unsigned minTileIds(const TransformedKernel &kernel, unsigned dim) {
  const WorkDimension &work = kernel.work[dim];
  unsigned threads = work.threads();
  if (kernel.adaptiveDimension() == dim)
    threads = std::min(threads, minThreads(kernel));
  return threads * work.total();
}

std::string linearId(unsigned rank, WorkItemQuery query, WorkItemQuery counts) {
  std::string text;
  for (unsigned d = rank; d-- > 0;) {
    std::string id = printWorkItem(query, d);
    if (text.empty())
      text = id;
    else
      text = (d + 2 == rank ? text : "(" + text + ")") + " * " +
             printWorkItem(counts, d) + " + " + id;
  }
  return text;
}

std::string behindOffset(const std::string &offset,
                         const std::string &position) {
  return offset == "0" ? position : offset + " + " + position;
}

std::string productOf(unsigned rank, WorkItemQuery query) {
  std::string text;
  for (unsigned d = 0; d < rank; ++d)
    text += (d ? " * " : "") + printWorkItem(query, d);
  return text;
}

unsigned minWorkItems(const TransformedKernel &kernel) {
  unsigned count = 1;
  for (unsigned d = 0; d < 3; ++d)
    if (kernel.adaptiveDimension() != d)
      count *= kernel.work[d].threads();
  return count;
}

/// Longer lines of two declarations are hard to read.
static constexpr size_t longestPair = 82;

/// Adds what is declared along each dimension, two of one type in one line:
/// `const int j0 = j_tile + j_local, i0 = i_tile + i_local;`.
static void addPairs(const std::vector<ConstantDeclaration> &declarations,
                     std::vector<std::string> &lines) {
  for (size_t i = 0; i < declarations.size(); ++i) {
    ConstantDeclaration all = declarations[i];
    if (i + 1 < declarations.size() && declarations[i + 1].type == all.type) {
      const ConstantDeclaration &next = declarations[i + 1];
      ConstantDeclaration both = all;
      both.value += ", " + next.name + " = " + next.value;
      if (both.text().size() < longestPair) {
        all = both;
        ++i;
      }
    }
    lines.push_back(all.text());
  }
}

namespace {

class Mapper {
public:
  Mapper(const TransformedKernel &transformed, const KernelNames &allNames,
         unsigned units, unsigned itemsPerUnit,
         const std::function<std::string(const std::string &)> &freshName)
      : kernel(transformed), model(*transformed.model), names(allNames),
        computeUnits(units), unitItems(itemsPerUnit), fresh(freshName),
        dims(workCoordinates(*transformed.model)) {}
  WorkMapping run();

private:
  void addGroup();
  void addAdaptiveSize();
  void addCounts();
  void addOffsets();
  void addBases();
  std::string idsOf(unsigned dim) const;
  PrintedText threadsOf(unsigned dim) const;
  PrintedText threadsBelow(unsigned end) const;
  std::string countOf(unsigned dim, const PrintedText &ids) const;
  bool isInt(unsigned dim) const;
  std::string totalTiles(const PrintedText &adaptiveIds) const;
  void addIdleGroups();
  std::string groupCount() const;
  std::string coordinateName(const std::vector<std::string> &of,
                             unsigned dim) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  const KernelNames &names;
  unsigned computeUnits, unitItems;
  const std::function<std::string(const std::string &)> &fresh;
  std::vector<unsigned> dims;
  std::vector<std::string> counts;
  std::string place;  ///< linear position of the group among working ones
  std::string places; ///< number of working groups
  WorkMapping result;
};

} // namespace

std::string Mapper::coordinateName(const std::vector<std::string> &of,
                                   unsigned dim) const {
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] == dim)
      return of[i];
  return "";
}

/// Ids of the group's tile along a dimension.
std::string Mapper::idsOf(unsigned dim) const {
  std::string adaptive = coordinateName(names.group.extents, dim);
  if (!adaptive.empty())
    return adaptive;
  const std::string size = coordinateName(names.group.sizes, dim);
  if (!size.empty())
    return size;
  const WorkDimension &work = kernel.work[dim];
  return std::to_string(work.groupIds ? work.groupIds : work.total());
}

/// Work-items side by side along a dimension, the most where the launch says
/// how many.
PrintedText Mapper::threadsOf(unsigned dim) const {
  const WorkDimension &work = kernel.work[dim];
  const std::string size = coordinateName(names.group.sizes, dim);
  if (size.empty())
    return {std::to_string(work.threads()), PrecPrimary};
  if (work.total() == 1)
    return {size, PrecPrimary};
  return {size + " / " + std::to_string(work.total()), PrecMultiplicative};
}

/// Those of the dimensions below `end` together, without the adaptive one.
PrintedText Mapper::threadsBelow(unsigned end) const {
  PrintedText text = {"1", PrecPrimary};
  for (unsigned d = 0; d < end; ++d) {
    if (kernel.adaptiveDimension() == d || kernel.work[d].threads() == 1)
      continue;
    const PrintedText own = threadsOf(d);
    text = text.text == "1" ? own
                            : PrintedText{atLeast(text, PrecUnary) + " * " +
                                              atLeast(own, PrecUnary),
                                          PrecMultiplicative};
  }
  return text;
}

/// Ids, and so numbers of tiles, stay within `int`: the guard says so.
bool Mapper::isInt(unsigned dim) const {
  return coordinateName(names.idTypes, dim) == "int" &&
         (kernel.work[dim].total() > 1 || kernel.work[dim].groupIds);
}

std::string Mapper::countOf(unsigned dim, const PrintedText &ids) const {
  std::string size =
      launchText(kernel, names.launch, WorkItemQuery::GlobalSize, dim);
  if (isInt(dim))
    size = "(int)" + size;
  if (ids.text == "1")
    return size;
  const std::optional<int64_t> number = asNumber(ids.text);
  std::string less = number ? std::to_string(*number - 1) : ids.text + " - 1";
  return "(" + size + " + " + less + ") / " + atLeast(ids, PrecUnary);
}

void Mapper::addGroup() {
  const GroupNames &group = names.group;
  unsigned rank = model.ndrange.launchRank();
  result.before.push_back("const int " + group.size + " = (int)(" +
                          productOf(rank, WorkItemQuery::LocalSize) + ");");
  place = fresh("group");
  result.before.push_back(
      "int " + place + " = (int)(" +
      linearId(rank, WorkItemQuery::GroupId, WorkItemQuery::NumGroups) + ");");
  places = fresh("groups");
  addIdleGroups();
}

/// A launch that folds `points` work-items into one has as many groups for each
/// one that works. In large launches the working ones stand apart, so that a
/// device starts the others, which leave at once, while they work.
void Mapper::addIdleGroups() {
  unsigned points = 1;
  for (unsigned d = 0; d < model.ndrange.rank; ++d)
    points *= kernel.work[d].total();
  // Beside loops over tiles it costs more in registers than it gains.
  if (points == 1 || !loopsBelow(kernel.tree).empty()) {
    result.before.push_back("const int " + places + " = " + groupCount() + ";");
    return;
  }
  std::string factor = std::to_string(points);
  std::string most = std::to_string(2 * computeUnits * points);
  std::vector<std::string> lines = {
      "int " + places + " = " + groupCount() + ";",
      "if (" + places + " >= " + most + ") {",
      "    if (" + place + " % " + factor + " != 0) {"};
  if (!kernel.sections().empty())
    lines.push_back("        " + std::string(groupBarrier));
  lines.insert(lines.end(),
               {"        return;", "    }",
                "    " + place + " /= " + factor + ";",
                "    " + places + " = (" + places + " + " +
                    std::to_string(points - 1) + ") / " + factor + ";",
                "}"});
  result.before.insert(result.before.end(), lines.begin(), lines.end());
}

std::string Mapper::groupCount() const {
  return "(int)(" +
         productOf(model.ndrange.launchRank(), WorkItemQuery::NumGroups) + ")";
}

std::string Mapper::totalTiles(const PrintedText &adaptiveIds) const {
  std::string text;
  for (unsigned d = 0; d < model.ndrange.rank; ++d) {
    bool isAdaptive = kernel.adaptiveDimension() == d;
    const PrintedText ids = isAdaptive ? adaptiveIds : PrintedText{idsOf(d)};
    const std::string count = countOf(d, ids);
    text += (d ? " * " : "") + (ids.text == "1" ? count : "(" + count + ")");
  }
  return text;
}

/// How many work-items stand side by side along the adaptive dimension.
void Mapper::addAdaptiveSize() {
  std::optional<unsigned> dim = kernel.adaptiveDimension();
  const GroupNames &group = names.group;
  std::string item =
      "const int " + group.item + " = (int)(" +
      linearId(model.ndrange.launchRank(), WorkItemQuery::LocalId,
               WorkItemQuery::LocalSize) +
      ");";
  if (!dim) {
    result.before.push_back(item);
    result.before.push_back("const bool " + group.active + " = " + group.item +
                            " < 1;");
    return;
  }
  const WorkDimension &work = kernel.work[*dim];
  const std::string others = atLeast(threadsBelow(3), PrecUnary);
  std::string given = group.size;
  if (others != "1")
    given += " / " + others;
  result.before.push_back("int " + group.threads + " = min(" + given + ", " +
                          threadsOf(*dim).text + ");");
  unsigned fewest = minThreads(kernel);
  PrintedText ids = {group.threads};
  if (work.total() > 1)
    ids = {group.threads + " * " + std::to_string(work.total()),
           PrecMultiplicative};
  // What asks for fewer, as operands of ||.
  std::vector<std::string> reasons;
  // A tile that has more ids than there are cannot be moved.
  std::string count =
      names.counts.empty() ? "" : coordinateName(names.counts, *dim);
  if (!count.empty())
    reasons.push_back(ids.text + " > " + count);
  if (computeUnits > 1) {
    // Of large groups few run at once: twice as many tiles would take two
    // turns. A division by the size of the group would cost NVIDIA's compiler
    // the registers of the whole body.
    std::string busy = group.size + " > " + std::to_string(unitItems / 2) +
                       " ? " + std::to_string(computeUnits / 2) + " : " +
                       std::to_string(computeUnits);
    bool isIntProduct = true;
    for (unsigned d = 0; d < model.ndrange.rank; ++d)
      isIntProduct &= isInt(d);
    reasons.push_back(
        totalTiles(ids) + " < " + (isIntProduct ? "" : "(size_t)") +
        extremeOf("min", places, busy, hasOwnExtremes(*model.function)));
  }
  if (!reasons.empty() && fewest < work.threads()) {
    const std::string any = llvm::join(reasons, " || ");
    result.before.push_back("while (" + group.threads + " > " +
                            std::to_string(fewest) + " && " +
                            (reasons.size() > 1 ? "(" + any + ")" : any) + ")");
    result.before.push_back("    " + group.threads + " = (" + group.threads +
                            " + 1) / 2;");
  }
  result.before.push_back(item);
  result.before.push_back(
      "const int " + coordinateName(group.extents, *dim) + " = " +
      group.threads +
      (work.total() > 1 ? " * " + std::to_string(work.total()) : "") + ";");
  result.before.push_back("const bool " + group.active + " = " + group.item +
                          " < " + group.threads +
                          (others != "1" ? " * " + others : "") + ";");
}

void Mapper::addCounts() {
  std::string product;
  for (unsigned d = 0; d < model.ndrange.rank; ++d) {
    counts.push_back(fresh("tiles" + std::to_string(d)));
    result.before.push_back(std::string("const ") +
                            (isInt(d) ? "int " : "size_t ") + counts[d] +
                            " = " + countOf(d, {idsOf(d)}) + ";");
    product += (d ? " * " : "") + counts[d];
  }
  std::string tile = fresh("tile");
  // The guard keeps the numbers of tiles and of groups below half of `uint`.
  result.loop = "for (uint " + tile + " = (uint)" + place + "; " + tile +
                " < (uint)(" + product + "); " + tile + " += " + places + ")";
  // First ids of the tile, dimension 0 fastest.
  for (size_t i = 0; i < dims.size(); ++i) {
    unsigned d = dims[i];
    std::string position = tile;
    for (unsigned e = 0; e < d; ++e)
      position += " / " + counts[e];
    if (d + 1 < model.ndrange.rank)
      position += " % " + counts[d];
    if (std::string ids = idsOf(d); ids != "1")
      position += " * " + ids;
    const std::string &idType = names.idTypes[i];
    result.inside.push_back(
        "const " + idType + " " + firstOfTile(names, i, true) + " = (" +
        idType + ")(" +
        behindOffset(
            launchText(kernel, names.launch, WorkItemQuery::GlobalOffset, d),
            position) +
        ");");
  }
}

/// Where a work-item's first ids lie within the tile.
void Mapper::addOffsets() {
  std::vector<ConstantDeclaration> offsets;
  for (unsigned d = 0; d < model.ndrange.rank; ++d) {
    const WorkDimension &work = kernel.work[d];
    bool isAdaptive = kernel.adaptiveDimension() == d;
    std::string name = coordinateName(names.group.offsets, d);
    if (name.empty())
      continue;
    std::string text = names.group.item;
    if (PrintedText below = threadsBelow(d); below.text != "1")
      text += " / " + atLeast(below, PrecUnary);
    if (!isAdaptive)
      text += " % " + atLeast(threadsOf(d), PrecUnary);
    unsigned factor = work.strided ? work.lanes : work.total();
    if (factor > 1)
      text += " * " + std::to_string(factor);
    offsets.push_back({"int", name, text});
  }
  addPairs(offsets, result.before);
}

void Mapper::addBases() {
  std::vector<ConstantDeclaration> own;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (names.group.offsets[i].empty())
      continue;
    own.push_back({names.idTypes[i], names.bases[i],
                   names.group.bases[i] + " + " + names.group.offsets[i]});
    if (names.strides[i].empty())
      continue;
    const WorkDimension &work = kernel.work[dims[i]];
    bool isAdaptive = kernel.adaptiveDimension() == dims[i];
    std::string count = isAdaptive ? names.group.threads
                                   : atLeast(threadsOf(dims[i]), PrecUnary);
    result.before.push_back(
        "const int " + names.strides[i] + " = " + count +
        (work.lanes > 1 ? " * " + std::to_string(work.lanes) : "") + ";");
  }
  addPairs(names.moves, result.inside);
  addPairs(own, result.inside);
}

WorkMapping Mapper::run() {
  addGroup();
  addAdaptiveSize();
  addCounts();
  addOffsets();
  addBases();
  return std::move(result);
}

WorkMapping
mapGroups(const TransformedKernel &kernel, const KernelNames &names,
          unsigned computeUnits, unsigned itemsPerComputeUnit,
          const std::function<std::string(const std::string &)> &fresh) {
  return Mapper(kernel, names, computeUnits, itemsPerComputeUnit, fresh).run();
}

} // namespace clopt
