//===- KernelWriter.cpp - a kernel's new body -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The virtual NDRange: logical work-items are cut into tiles; launched
// work-items take tiles by their linear position in the launch. The position
// depends on the number of work-items in a group, not on its shape. There are
// never more tiles than launched work-items, so each takes at most one.
//
//   packed: group * group_size + local           the first groups do the work
//   apart:  every n-th group along each dimension takes the tiles of n groups,
//           so that the others are launched and return while it works
//   spread: group * ceil(tiles / groups) + local  every group gets its share
//
// Tested by test/unit/KernelWriterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/KernelWriter.h"

#include "Emit/BarrierFlow.h"
#include "Emit/BodyWriter.h"
#include "Emit/Guards.h"
#include "Emit/InteriorTiles.h"
#include "Emit/LocalArrays.h"
#include "Emit/LocalTiles.h"
#include "Emit/MappedWork.h"
#include "Emit/WorkMapping.h"
#include "Model/ExprPrinter.h"

#include <algorithm>

namespace clopt {

namespace {

class KernelWriter {
public:
  KernelWriter(const TransformedKernel &transformed,
               const EmitOptions &emitOptions)
      : kernel(transformed), model(*transformed.model), options(emitOptions),
        dims(workCoordinates(*transformed.model)) {}
  std::optional<EmittedKernel> write(LoweringError &error);

private:
  void collectReserved();
  void chooseNames();
  void nameGroupId(SymbolKind kind, const std::string &axis);
  void nameLoops();
  void nameGroup();
  void nameTiles();
  void nameVariables();
  bool isTaken(const std::string &name) const;
  bool isShared(const Variable &variable) const;
  std::string fresh(const std::string &name);
  std::vector<std::string> writeTileApart() const;
  std::vector<std::string> writeTile();
  MappedWork mappedWork();
  std::vector<std::string>
  idDeclarations(const std::vector<std::string> &versions) const;
  std::vector<std::string>
  endDeclarations(const std::vector<std::string> &versions) const;
  std::string linearGroup() const;
  std::string linearLocal() const;
  std::string tilesOf(unsigned dim) const;
  std::vector<std::string> writeVersions(LoweringError &error);
  std::vector<std::string>
  joinCutVersions(const std::string &condition, const AstNames &conditionNames,
                  const std::vector<std::string> &fast,
                  const std::vector<std::string> &slow);
  std::vector<std::string> wrapStrided(std::vector<std::string> lines);
  std::string assemble(const std::vector<std::string> &fast,
                       const Guards &guards) const;
  void addPlan(const std::vector<std::string> &versions, EmittedKernel &result);
  std::vector<GuardDefinition> launchEnds() const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  EmitOptions options;
  std::vector<unsigned> dims;
  KernelNames names;
  std::set<std::string> guardNames; ///< reserved before those of the guards
  std::string tileName, countName;
  LoweredKernel lowered;
  LocalArrays localArrays;
};

} // namespace

static void append(std::vector<std::string> &to,
                   const std::vector<std::string> &from, unsigned indent = 0) {
  for (const std::string &line : from)
    to.push_back(line.empty() ? line : std::string(indent, ' ') + line);
}

void KernelWriter::collectReserved() {
  names.reserved.insert(model.unit->usedNames.begin(),
                        model.unit->usedNames.end());
  for (const auto &variable : model.function->variables)
    names.reserved.insert(variable->name);
  for (const Array &array : model.arrays)
    names.reserved.insert(array.name);
}

/// Copies of a variable for points and lanes are `s_0`, `s_1_2`, `s_v`.
static bool isCopyName(const std::string &name, const std::string &base) {
  if (name.size() < base.size() + 2 ||
      name.compare(0, base.size() + 1, base + "_") != 0)
    return false;
  return name.find_first_not_of("0123456789_v", base.size() + 1) ==
         std::string::npos;
}

/// True when the name, or a copy of it, is one that is taken, or the other way
/// round.
bool KernelWriter::isTaken(const std::string &name) const {
  for (const std::string &other : names.reserved)
    if (other == name || isCopyName(other, name) || isCopyName(name, other))
      return true;
  return false;
}

std::string KernelWriter::fresh(const std::string &name) {
  std::string candidate = name;
  for (std::string letters = "x"; isTaken(candidate); letters += "x")
    candidate = name + "_" + letters;
  names.reserved.insert(candidate);
  return candidate;
}

/// "C" for a single cell of C reads best as "C_cell"; several are "C_cells".
static std::string copyStem(const TransformedKernel &kernel,
                            const PrivateCopy &copy) {
  std::string stem = copy.window ? "_window" : "_cells";
  return kernel.model->arrays[copy.array].name +
         (copy.cells() == 1 ? "_cell" : stem);
}

/// True when another variable of the kernel has the same name.
bool KernelWriter::isShared(const Variable &variable) const {
  for (const auto &other : model.function->variables)
    if (other.get() != &variable && other->name == variable.name)
      return true;
  return false;
}

void KernelWriter::chooseNames() {
  static const char *const defaults[] = {"x", "y", "z"};
  std::vector<SymbolKind> kinds = workKinds(model);
  for (unsigned d : dims) {
    SymbolKind kind = kinds[names.ids.size()];
    if (kind != SymbolKind::GlobalId) {
      nameGroupId(kind, defaults[d]);
      continue;
    }
    const Variable *variable = idVariable(model, d);
    std::string stem = variable ? variable->name : fresh(defaults[d]);
    if (variable && model.ndrange.findMapped(d) && isShared(*variable))
      stem = fresh(stem);
    bool tiled = kernel.work[d].total() > 1 || kernel.work[d].groupIds > 0;
    names.ids.push_back(stem);
    names.bases.push_back(tiled ? fresh(stem + "0") : stem);
    bool strided = kernel.work[d].strided && kernel.work[d].points > 1 &&
                   (!kernel.isGrouped() || kernel.adaptiveDimension() == d);
    names.strides.push_back(strided ? fresh(stem + "_step") : "");
    names.ends.push_back(fresh(stem + "_end"));
    bool isWide = !variable || variable->type.size > 4;
    names.idTypes.push_back(isWide ? "long" : "int");
    if (variable)
      names.coordinateVariables.emplace(
          variable, *model.symbols.find(SymbolKind::GlobalId, d));
  }
  nameLoops();
  nameVariables();
  std::map<std::string, unsigned> counts;
  for (const PrivateCopy &copy : kernel.privates) {
    std::string stem = copyStem(kernel, copy);
    unsigned count = counts[stem]++;
    names.copies.push_back(fresh(count ? stem + std::to_string(count) : stem));
  }
  if (kernel.isGrouped())
    nameGroup();
  nameTiles();
  for (unsigned loop : loopsBelow(kernel.tree))
    if (findLoop(kernel.tree, loop)->tile)
      names.group.loopTiles[loop] = fresh(names.loops[loop] + "0");
  if (!kernel.isVirtual() || kernel.isGrouped())
    return;
  if (!model.ndrange.mapped.empty())
    return;
  tileName = fresh("tile");
  countName = fresh("tiles");
}

/// Ids of a split dimension: virtual work-items are the launched ones.
void KernelWriter::nameGroupId(SymbolKind kind, const std::string &axis) {
  bool isGroup = kind == SymbolKind::GroupId;
  names.ids.push_back(fresh((isGroup ? "group_" : "local_") + axis));
  names.bases.push_back(names.ids.back());
  names.strides.push_back("");
  names.ends.push_back("");
  names.idTypes.push_back(isGroup ? "long" : "int");
}

void KernelWriter::nameGroup() {
  GroupNames &group = names.group;
  for (size_t i = 0; i < dims.size(); ++i) {
    const WorkDimension &work = kernel.work[dims[i]];
    const std::string &stem = names.ids[i];
    bool isShared = work.threads() > 1;
    group.bases.push_back(isShared ? fresh(stem + "_tile") : names.bases[i]);
    group.offsets.push_back(isShared ? fresh(stem + "_local") : "");
    bool isAdaptive = kernel.adaptiveDimension() == dims[i];
    group.extents.push_back(isAdaptive ? fresh(stem + "_ids") : "");
  }
  group.item = fresh("item");
  group.size = fresh("group_size");
  group.threads = fresh("threads");
  group.active = fresh("active");
  group.inside = group.active;
  group.valid.resize(dims.size());
  if (!lowered.validIds.empty()) {
    for (size_t i = 0; i < dims.size(); ++i)
      if (lowered.validIds[i])
        group.valid[i] = fresh(names.ids[i] + "_valid");
    group.whole = fresh("whole");
    group.inside = fresh("inside");
    group.rest = fresh("rest");
  }
}

void KernelWriter::nameTiles() {
  GroupNames &group = names.group;
  if (kernel.tiles.empty() && !kernel.isGrouped())
    return;
  group.cell = fresh("cell");
  group.cells = fresh("cells");
  for (const LocalTile &tile : kernel.tiles)
    group.tiles.push_back(fresh(model.arrays[tile.array].name + "_tile"));
}

/// A loop keeps its variable's name unless that also names an id or a loop
/// around it: coordinates are printed where the author's scopes do not reach.
void KernelWriter::nameLoops() {
  std::set<std::string> ids(names.ids.begin(), names.ids.end());
  ids.insert(names.bases.begin(), names.bases.end());
  std::set<const Variable *> loopVariables;
  for (const Loop &loop : model.loops)
    loopVariables.insert(loop.var);
  for (const auto &variable : model.function->variables)
    if (!loopVariables.count(variable.get()))
      ids.insert(variable->name);
  for (const Loop &loop : model.loops) {
    if (loop.var)
      names.coordinateVariables.emplace(loop.var, loop.iterator);
    std::string name = loop.var ? loop.var->name : loop.name;
    bool taken = ids.count(name) != 0;
    for (unsigned outer : loop.outer)
      taken |= outer < names.loops.size() && names.loops[outer] == name;
    names.loops.push_back(taken ? fresh(name) : name);
  }
}

void KernelWriter::nameVariables() {
  std::set<std::string> seen(model.unit->usedNames.begin(),
                             model.unit->usedNames.end());
  for (const auto &variable : model.function->variables) {
    bool keeps = seen.insert(variable->name).second || variable->isParam;
    for (const std::string &other : names.reserved)
      keeps &= variable->isParam || !isCopyName(other, variable->name);
    if (!keeps)
      names.variables[variable.get()] = fresh(variable->name);
  }
}

//===-- Mapping of work-items
//-----------------------------------------------===//

std::string KernelWriter::linearGroup() const {
  return linearId(model.ndrange.launchRank(), WorkItemQuery::GroupId,
                  WorkItemQuery::NumGroups);
}

std::string KernelWriter::linearLocal() const {
  return linearId(model.ndrange.launchRank(), WorkItemQuery::LocalId,
                  WorkItemQuery::LocalSize);
}

std::string KernelWriter::tilesOf(unsigned dim) const {
  std::string size = printWorkItem(WorkItemQuery::GlobalSize, dim);
  unsigned total = kernel.work[dim].total();
  if (total == 1)
    return size;
  return "(" + size + " + " + std::to_string(total - 1) + ") / " +
         std::to_string(total);
}

/// Every n-th group works, and its tiles are those of n groups; the guard has
/// made sure that n divides the number of groups.
std::vector<std::string> KernelWriter::writeTileApart() const {
  std::vector<std::string> lines, bases;
  std::string idle;
  for (size_t i = 0; i < dims.size(); ++i) {
    unsigned d = dims[i], total = kernel.work[d].total();
    std::string group = printWorkItem(WorkItemQuery::GroupId, d);
    std::string place = printWorkItem(WorkItemQuery::GlobalId, d);
    if (total > 1) {
      idle += (idle.empty() ? "(" : " || (") + group + " & " +
              std::to_string(total - 1) + ") != 0";
      place = printWorkItem(WorkItemQuery::GlobalOffset, d) + " + " + group +
              " * " + printWorkItem(WorkItemQuery::LocalSize, d) + " + " +
              printWorkItem(WorkItemQuery::LocalId, d) + " * " +
              std::to_string(total);
    }
    const std::string &type = names.idTypes[i];
    bases.push_back("const " + type + " " + names.bases[i] + " = (" + type +
                    ")(" + place + ");");
  }
  lines.push_back("if (" + idle + ")");
  lines.push_back("    return;");
  append(lines, bases);
  return lines;
}

/// Declarations of the tile's position; afterwards the base variables hold.
std::vector<std::string> KernelWriter::writeTile() {
  std::vector<std::string> lines;
  unsigned rank = model.ndrange.rank;
  std::vector<std::string> counts;
  for (unsigned d = 0; d < rank; ++d) {
    if (rank == 1)
      break;
    counts.push_back(fresh(countName + std::to_string(d)));
    lines.push_back("const size_t " + counts[d] + " = " + tilesOf(d) + ";");
  }
  std::string product;
  for (unsigned d = 0; d < rank; ++d)
    product += (d ? " * " : "") + (rank == 1 ? tilesOf(d) : counts[d]);
  lines.push_back("const size_t " + countName + " = " + product + ";");
  if (options.spreadWorkItems) {
    std::string groups, share = fresh("share"), local = fresh("local_item");
    for (unsigned d = 0; d < rank; ++d)
      groups += (d ? " * " : "") + printWorkItem(WorkItemQuery::NumGroups, d);
    std::string group = fresh("groups");
    lines.push_back("const size_t " + group + " = " + groups + ";");
    lines.push_back("const size_t " + share + " = (" + countName + " + " +
                    group + " - 1) / " + group + ";");
    lines.push_back("const size_t " + local + " = " + linearLocal() + ";");
    std::string position =
        rank == 1 ? linearGroup() : "(" + linearGroup() + ")";
    lines.push_back("const size_t " + tileName + " = " + position + " * " +
                    share + " + " + local + ";");
    lines.push_back("if (" + local + " >= " + share + " || " + tileName +
                    " >= " + countName + ")");
    lines.push_back("    return;");
  } else {
    std::string size;
    for (unsigned d = 0; d < rank; ++d)
      size += (d ? " * " : "") + printWorkItem(WorkItemQuery::LocalSize, d);
    std::string place = rank == 1 ? "get_global_id(0) - get_global_offset(0)"
                                  : "(" + linearGroup() + ") * (" + size +
                                        ") + " + linearLocal();
    lines.push_back("const size_t " + tileName + " = " + place + ";");
    lines.push_back("if (" + tileName + " >= " + countName + ")");
    lines.push_back("    return;");
  }
  std::string rest = tileName;
  for (unsigned d = 0; d < rank; ++d) {
    auto coordinate = std::find(dims.begin(), dims.end(), d);
    if (coordinate == dims.end())
      continue;
    size_t i = static_cast<size_t>(coordinate - dims.begin());
    std::string position = rest;
    for (unsigned e = 0; e < d; ++e)
      position = position + (e ? "" : "") + " / " + counts[e];
    if (d + 1 < rank)
      position += " % " + counts[d];
    const WorkDimension &work = kernel.work[d];
    unsigned factor = work.strided ? work.lanes : work.total();
    if (factor > 1)
      position += " * " + std::to_string(factor);
    std::string offset = printWorkItem(WorkItemQuery::GlobalOffset, d);
    const std::string &type = names.idTypes[i];
    lines.push_back("const " + type + " " + names.bases[i] + " = (" + type +
                    ")(" + offset + " + " + position + ");");
    if (names.strides[i].empty())
      continue;
    std::string step = rank == 1 ? countName : counts[d];
    if (work.lanes > 1)
      step += " * " + std::to_string(work.lanes);
    lines.push_back("const " + type + " " + names.strides[i] + " = (" + type +
                    ")(" + step + ");");
  }
  return lines;
}

/// The loop over the tiles that a launched work-item takes.
MappedWork KernelWriter::mappedWork() {
  MappedWorkOptions how;
  how.spread = options.spreadWorkItems;
  how.fresh = [this](const std::string &name) { return fresh(name); };
  unsigned rank = model.ndrange.launchRank();
  std::string size;
  for (unsigned d = 0; d < rank; ++d) {
    std::string separator = d ? " * " : "";
    how.items += separator + printWorkItem(WorkItemQuery::GlobalSize, d);
    size += separator + printWorkItem(WorkItemQuery::LocalSize, d);
  }
  how.item =
      rank == 1 ? "get_global_id(0) - get_global_offset(0)"
                : "(" + linearGroup() + ") * (" + size + ") + " + linearLocal();
  return writeMappedWork(kernel, names, how);
}

static std::vector<std::string>
wrapMapped(const MappedWork &work, const std::vector<std::string> &versions) {
  std::vector<std::string> lines = work.before;
  lines.push_back(work.loop + " {");
  append(lines, work.inside, 4);
  append(lines, versions, 4);
  append(lines, work.after, 4);
  lines.push_back("}");
  return lines;
}

/// Where every launched work-item does its own work.
std::vector<std::string>
KernelWriter::idDeclarations(const std::vector<std::string> &versions) const {
  std::vector<std::string> lines;
  std::vector<SymbolKind> kinds = workKinds(model);
  for (size_t i = 0; i < dims.size(); ++i) {
    bool used = kinds[i] == SymbolKind::GlobalId;
    for (const std::string &line : versions)
      used |= line.find(names.bases[i]) != std::string::npos;
    if (!used)
      continue;
    WorkItemQuery query =
        kinds[i] == SymbolKind::GlobalId  ? WorkItemQuery::GlobalId
        : kinds[i] == SymbolKind::GroupId ? WorkItemQuery::GroupId
                                          : WorkItemQuery::LocalId;
    lines.push_back("const " + names.idTypes[i] + " " + names.bases[i] + " = " +
                    printWorkItem(query, dims[i]) + ";");
  }
  return lines;
}

/// One past the last id of the launch.
static std::string endOf(unsigned dim) {
  return "(long)(" + printWorkItem(WorkItemQuery::GlobalOffset, dim) + " + " +
         printWorkItem(WorkItemQuery::GlobalSize, dim) + ")";
}

/// Ends of the launch, where the versions compare with them.
std::vector<std::string>
KernelWriter::endDeclarations(const std::vector<std::string> &versions) const {
  std::vector<std::string> lines;
  for (size_t i = 0; i < dims.size(); ++i) {
    bool used = false;
    if (model.ndrange.findMapped(dims[i]))
      continue;
    for (const std::string &line : versions)
      used |= !names.ends[i].empty() &&
              line.find(names.ends[i]) != std::string::npos;
    if (!used)
      continue;
    lines.push_back("const long " + names.ends[i] + " = " + endOf(dims[i]) +
                    ";");
  }
  return lines;
}

//===-- Versions
//------------------------------------------------------------===//

/// Blocks of a strided dimension run one after the other.
std::vector<std::string>
KernelWriter::wrapStrided(std::vector<std::string> lines) {
  for (size_t i = 0; i < dims.size(); ++i) {
    const WorkDimension &work = kernel.work[dims[i]];
    if (!work.strided || work.points <= 1)
      continue;
    const std::string &base = names.bases[i];
    std::vector<std::string> wrapped;
    std::string first = fresh(base + "_first");
    if (kernel.isGrouped()) {
      std::string block = fresh("block");
      std::string step = names.strides[i].empty()
                             ? std::to_string(work.threads() * work.lanes)
                             : names.strides[i];
      wrapped = {"const " + names.idTypes[i] + " " + first + " = " + base + ";",
                 "for (int " + block + " = 0; " + block + " < " +
                     std::to_string(work.points) + "; " + block + "++) {",
                 "    const " + names.idTypes[i] + " " + base + " = " + first +
                     " + " + block + " * " + step + ";"};
      append(wrapped, lines, 4);
      wrapped.push_back("}");
      lines = wrapped;
      continue;
    }
    wrapped.push_back("const " + names.idTypes[i] + " " + first + " = " + base +
                      ";");
    wrapped.push_back("for (" + names.idTypes[i] + " " + base + " = " + first +
                      "; " + base + " < " + names.ends[i] + "; " + base +
                      " += " + names.strides[i] + ") {");
    append(wrapped, lines, 4);
    wrapped.push_back("}");
    lines = wrapped;
  }
  return lines;
}

std::vector<std::string> KernelWriter::writeVersions(LoweringError &error) {
  std::vector<std::string> lines;
  WrittenBody general = writeBody(kernel, lowered, lowered.general.root,
                                  !kernel.isTiled(), names);
  WrittenBody full;
  TransformedKernel chosen = kernel;
  chosen.selections = lowered.selections;
  InteriorKernel interior(chosen, lowered.dead);
  if (lowered.full)
    full =
        writeBody(interior.kernel(), lowered, lowered.full->root, true, names);
  for (const WrittenBody *body : {&general, lowered.full ? &full : &general})
    if (!body->ok) {
      error = {"clopt-opaque-code", "cannot write " + body->failure, ""};
      return {};
    }
  if (!lowered.full)
    return general.lines;
  std::vector<std::string> slow = wrapStrided(general.lines);
  AstNames conditionNames = parameterNames(model, false);
  for (size_t i = 0; i < dims.size(); ++i) {
    conditionNames.names[lowered.baseNames[i]] = LinearForm::ofTerm(
        kernel.isGrouped() ? names.group.bases[i] : names.bases[i]);
    if (!lowered.extentNames[i].empty())
      conditionNames.names[lowered.extentNames[i]] = wholeIds(kernel, names, i);
    if (!names.strides[i].empty())
      conditionNames.names[lowered.strideNames[i]] =
          LinearForm::ofTerm(names.strides[i]);
    if (!lowered.endNames[i].empty())
      conditionNames.names[lowered.endNames[i]] = LinearForm::ofTerm(
          (names.idTypes[i] == "int" ? "(int)" : "") + names.ends[i]);
    if (names.idTypes[i] != "int")
      conditionNames.wideTerms.insert(
          {names.bases[i], names.ends[i], names.strides[i],
           kernel.isGrouped() ? names.group.bases[i] : ""});
  }
  std::string condition =
      printAst(*lowered.full->condition, conditionNames).text;
  bool always = condition == "1";
  if (!lowered.validIds.empty())
    return joinCutVersions(condition, conditionNames, full.lines, slow);
  if (always)
    return full.lines;
  lines.push_back("if (" + condition + ") {");
  append(lines, full.lines, 4);
  lines.push_back("} else {");
  if (kernel.isGrouped()) {
    if (!kernel.tiles.empty())
      lines.push_back("    " + std::string(groupBarrier));
    lines.push_back("    if (" + names.group.active + ") {");
    append(lines, slow, 8);
    lines.push_back("    }");
  } else {
    append(lines, slow, 4);
  }
  lines.push_back("}");
  return lines;
}

/// The fast version for the valid part of a tile; work-items that are not
/// wholly in it, and tiles without any, take the general version.
std::vector<std::string>
KernelWriter::joinCutVersions(const std::string &condition,
                              const AstNames &conditionNames,
                              const std::vector<std::string> &fast,
                              const std::vector<std::string> &slow) {
  const GroupNames &group = names.group;
  std::vector<std::string> lines = {"bool " + group.rest + " = " +
                                    group.active + ";"};
  bool always = condition == "1";
  lines.push_back(always ? "{" : "if (" + condition + ") {");
  std::string whole, inside = group.active;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (group.valid[i].empty())
      continue;
    const WorkDimension &work = kernel.work[dims[i]];
    std::string ids = wholeIds(kernel, names, i).print().text;
    PrintedText most = printAst(*lowered.validIds[i], conditionNames);
    std::string value = names.idTypes[i] == "int"
                            ? most.text
                            : "(int)" + atLeast(most, PrecUnary);
    bool isSum = names.idTypes[i] == "int" && group.extents[i].empty() &&
                 most.precedence < PrecMultiplicative;
    if (!group.extents[i].empty())
      value = "min(" + ids + ", " + value + ")";
    // What only some ids of a work-item would use is not copied.
    if (work.total() > 1 && !work.strided)
      value = (isSum ? "(" + value + ")" : value) + " / " +
              std::to_string(work.total()) + " * " +
              std::to_string(work.total());
    lines.push_back("    const int " + group.valid[i] + " = " + value + ";");
    whole += (whole.empty() ? "" : " && ") + group.valid[i] + " == " + ids;
    std::string last = group.offsets[i];
    if (work.strided && work.points > 1)
      last +=
          " + " +
          (names.strides[i].empty()
               ? std::to_string((work.points - 1) * work.threads() * work.lanes)
               : std::to_string(work.points - 1) + " * " + names.strides[i]);
    unsigned together = work.strided ? work.lanes : work.total();
    inside += " && " + last + " + " + std::to_string(together) +
              " <= " + group.valid[i];
  }
  bool usesWhole =
      std::any_of(fast.begin(), fast.end(), [&](const std::string &line) {
        return line.find(group.whole) != std::string::npos;
      });
  if (usesWhole)
    lines.push_back("    const bool " + group.whole + " = " + whole + ";");
  lines.push_back("    const bool " + group.inside + " = " + inside + ";");
  lines.push_back("    " + group.rest + " = " + group.active + " && !" +
                  group.inside + ";");
  append(lines, fast, 4);
  if (kernel.tiles.empty() || always) {
    lines.push_back("}");
  } else {
    lines.push_back("} else {");
    lines.push_back("    " + std::string(groupBarrier));
    lines.push_back("}");
  }
  lines.push_back("if (" + group.rest + ") {");
  append(lines, slow, 4);
  lines.push_back("}");
  return lines;
}

//===-- Assembly
//------------------------------------------------------------===//

std::string KernelWriter::assemble(const std::vector<std::string> &fast,
                                   const Guards &guards) const {
  std::string text;
  auto add = [&](const std::string &line, unsigned indent) {
    text += line.empty() ? "\n" : std::string(indent, ' ') + line + "\n";
  };
  for (size_t i = 0; i < kernel.comments.size(); ++i)
    add((i ? "// - " : "// Optimized by clopt:\n    // - ") +
            kernel.comments[i],
        4);
  for (const std::string &line : localArrays.declarations)
    add(line, 4);
  std::vector<std::string> all = fast;
  append(all, guards.conditions);
  std::vector<std::string> declarations;
  for (const GuardDefinition &definition : guards.definitions)
    declarations.push_back("const " + definition.type + " " + definition.name +
                           " = " + definition.value + ";");
  append(all, declarations);
  for (const std::string &line : endDeclarations(all))
    add(line, 4);
  for (const std::string &line : declareTiles(kernel, names))
    add(line, 4);
  for (const std::string &line : declarations)
    add(line, 4);
  bool guarded = !guards.conditions.empty();
  for (size_t i = 0; i < guards.conditions.size(); ++i)
    add((i ? "" : "if (") + guards.conditions[i] +
            (i + 1 < guards.conditions.size() ? " &&" : ") {"),
        i ? 8 : 4);
  for (const std::string &line : fast)
    add(line, guarded ? 8 : 4);
  if (guarded)
    text += "        return;\n    }\n";
  if (guarded && !kernel.tiles.empty() && kernel.isGrouped())
    add(groupBarrier, 4);
  if (options.format)
    text = options.format(text);
  text = "{\n" + text;
  if (!guarded)
    return text + "}";
  // The author's body, byte for byte, for every other launch.
  std::string original = localArrays.original;
  size_t firstLine = original.find_first_not_of(" \t");
  if (firstLine != std::string::npos && original[firstLine] != '\n')
    text += "    ";
  else if (firstLine != std::string::npos)
    original = original.substr(firstLine + 1);
  return text + original + "}";
}

//===-- The launch plan
//-----------------------------------------------------===//

std::vector<GuardDefinition> KernelWriter::launchEnds() const {
  std::vector<GuardDefinition> result;
  for (size_t i = 0; i < dims.size(); ++i)
    if (!names.ends[i].empty() && !model.ndrange.findMapped(dims[i]))
      result.push_back({"long", names.ends[i], endOf(dims[i])});
  return result;
}

/// What the host needs to know, and the kernel for an NDRange of its own.
void KernelWriter::addPlan(const std::vector<std::string> &versions,
                           EmittedKernel &result) {
  auto freshName = [this](const std::string &name) { return fresh(name); };
  // The host's names are not those of the device.
  std::set<std::string> deviceNames = names.reserved;
  names.reserved = guardNames;
  Guards guards = makeGuards(kernel, lowered.endNames, names.ends, freshName,
                             GuardScope::Host);
  names.reserved = std::move(deviceNames);
  std::vector<GuardDefinition> ends = launchEnds();
  guards.definitions.insert(guards.definitions.begin(), ends.begin(),
                            ends.end());
  addGuards(guards, result.sameLaunch);
  bool isMapped = !model.ndrange.mapped.empty();
  if (!kernel.isVirtual() || (isMapped && kernel.isGrouped()))
    return;
  names.reserved.insert(options.takenNames.begin(), options.takenNames.end());
  PlannedRangeOptions how;
  how.computeUnits = options.computeUnits;
  how.fresh = freshName;
  PlannedRange range = kernel.isGrouped() ? planGroupRange(kernel, names, how)
                                          : planItemRange(kernel, names, how);
  std::vector<std::string> all = range.lines, head;
  append(all, versions);
  append(head, endDeclarations(all));
  append(head, declareTiles(kernel, names));
  result.planned =
      writePlannedKernel(kernel, range, head, versions, how, options.format);
  if (result.planned)
    addGuards(guards, result.planned->variant);
}

/// Bodies may grow by this factor, and by this many bytes more.
static constexpr size_t largestGrowth = 16;
static constexpr size_t smallKernel = 65536;

std::optional<EmittedKernel> KernelWriter::write(LoweringError &error) {
  localArrays = hoistLocalArrays(kernel);
  if (localArrays.error) {
    error = *localArrays.error;
    return std::nullopt;
  }
  std::optional<LoweredKernel> versions = lower(kernel, error);
  if (!versions)
    return std::nullopt;
  lowered = std::move(*versions);
  collectReserved();
  chooseNames();
  guardNames = names.reserved;
  Guards guards =
      makeGuards(kernel, lowered.endNames, names.ends,
                 [this](const std::string &name) { return fresh(name); });
  if (guards.error) {
    error = *guards.error;
    return std::nullopt;
  }
  // Names of the tile come before those that the versions make.
  std::vector<std::string> fast;
  WorkMapping mapping;
  std::optional<MappedWork> mapped;
  if (!model.ndrange.mapped.empty()) {
    mapped = mappedWork();
  } else if (kernel.isGrouped()) {
    mapping =
        mapGroups(kernel, names, options.computeUnits,
                  [this](const std::string &name) { return fresh(name); });
    fast = mapping.before;
  } else if (kernel.isVirtual()) {
    fast = kernel.groupStride() > 1 ? writeTileApart() : writeTile();
  }
  error = LoweringError();
  std::vector<std::string> versionLines = writeVersions(error);
  if (!error.message.empty())
    return std::nullopt;
  if (!kernel.isVirtual())
    fast = idDeclarations(versionLines);
  if (mapped) {
    append(fast, wrapMapped(*mapped, versionLines));
  } else if (kernel.isGrouped()) {
    fast.push_back(mapping.loop + " {");
    append(fast, mapping.inside, 4);
    append(fast, versionLines, 4);
    fast.push_back("}");
  } else {
    append(fast, versionLines);
  }
  size_t written = 0;
  for (const std::string &line : fast)
    written += line.size();
  const SourceRange &body = model.function->bodyRange;
  if (written > static_cast<size_t>(body.end - body.begin) * largestGrowth +
                    smallKernel) {
    error = {"clopt-not-profitable", "the kernel would become too large", ""};
    return std::nullopt;
  }
  EmittedKernel result;
  result.body = assemble(fast, guards);
  result.guards = guards.reasons;
  if (options.withPlan)
    addPlan(versionLines, result);
  return result;
}

std::optional<EmittedKernel> emitKernel(const TransformedKernel &kernel,
                                        const EmitOptions &options,
                                        LoweringError &error) {
  return KernelWriter(kernel, options).write(error);
}

} // namespace clopt
