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

#include "Emit/frame/KernelWriterImpl.h"

#include "Analysis/memory/LocalCells.h"
#include "Emit/body/ArrayTiles.h"
#include "Emit/body/BarrierFlow.h"
#include "Emit/body/BodyWriter.h"
#include "Emit/body/LocalArrays.h"
#include "Emit/frame/ConfigurationText.h"
#include "Emit/frame/Guards.h"
#include "Emit/frame/MappedWork.h"
#include "Emit/frame/SharedWork.h"
#include "Emit/frame/UpperBounds.h"
#include "Emit/frame/WorkMapping.h"
#include "Emit/lower/InteriorTiles.h"
#include "Model/ExprPrinter.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace clopt {

void appendLines(std::vector<std::string> &to,
                 const std::vector<std::string> &from, unsigned indent) {
  for (const std::string &line : from)
    to.push_back(line.empty() ? line : std::string(indent, ' ') + line);
}

std::vector<std::string>
linesOf(const std::vector<ConstantDeclaration> &declarations) {
  std::vector<std::string> lines;
  for (const ConstantDeclaration &declaration : declarations)
    lines.push_back(declaration.text());
  return lines;
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
  std::string size =
      launchText(kernel, names.launch, WorkItemQuery::GlobalSize, dim);
  unsigned total = kernel.work[dim].total();
  if (total == 1)
    return size;
  return "(" + size + " + " + std::to_string(total - 1) + ") / " +
         std::to_string(total);
}

/// Every n-th group works, and its tiles are those of n groups, of which the
/// last ones may not exist.
std::vector<std::string> KernelWriter::writeTileApart() const {
  std::vector<std::string> lines, bases;
  std::string idle, beyond;
  for (size_t i = 0; i < dims.size(); ++i) {
    unsigned d = dims[i], total = kernel.work[d].total();
    std::string group = printWorkItem(WorkItemQuery::GroupId, d);
    const std::string &type = names.idTypes[i];
    const std::string base =
        "const " + type + " " + firstOfTile(names, i, false) + " = ";
    if (total == 1) {
      bases.push_back(base + printWorkItem(WorkItemQuery::GlobalId, d) + ";");
      continue;
    }
    const std::string place = group + " * " +
                              printWorkItem(WorkItemQuery::LocalSize, d) +
                              " + " + printWorkItem(WorkItemQuery::LocalId, d) +
                              " * " + std::to_string(total);
    idle += (idle.empty() ? "(" : " || (") + group + " & " +
            std::to_string(total - 1) + ") != 0";
    beyond += (beyond.empty() ? "" : " || ") + place +
              " >= " + printWorkItem(WorkItemQuery::GlobalSize, d);
    bases.push_back(base + "(" + type + ")(" +
                    printWorkItem(WorkItemQuery::GlobalOffset, d) + " + " +
                    place + ");");
  }
  // Most work-items leave at the first condition, which is quick to see.
  lines.insert(lines.end(), {"if (" + idle + ")", "    return;",
                             "if (" + beyond + ")", "    return;"});
  appendLines(lines, bases);
  appendLines(lines, linesOf(names.moves));
  return lines;
}

/// True where work-items find their tile by a division that is short: ids are,
/// and divisions of 64 bits take GPUs some hundred instructions.
bool KernelWriter::hasShortNumbers() const {
  return kernel.isVirtual() && !kernel.isGrouped() && !kernel.sharesWork() &&
         !kernel.keepsGroups() && kernel.groupStride() == 1 &&
         model.ndrange.mapped.empty() && model.ndrange.rank > 1 &&
         llvm::all_of(names.idTypes,
                      [](const std::string &type) { return type == "int"; });
}

/// Numbers of tiles and of groups, and the sum of two, are `uint`. Compilers
/// make one branch of comparisons, and take it out of their loops over the
/// work-items of a group, but not of a product that is computed between them: a
/// pooling of three channels on PoCL that had the author's text ran at 0.5.
void KernelWriter::requireShortNumbers(Guards &guards) {
  const std::string items = fresh("items");
  guards.definitions.push_back(
      {"size_t", items,
       productOf(model.ndrange.launchRank(), WorkItemQuery::GlobalSize)});
  guards.conditions.push_back({{items + " < 2147483648"}});
  guards.reasons.push_back("there are fewer than 2147483648 work-items");
}

/// What the guard computes stands before it for the same reason. Sums with
/// arguments of 64 bits stay where they are: they may leave `long` unless what
/// is asked before them holds.
void KernelWriter::declareTerms(Guards &guards) {
  const bool hasWideArguments =
      llvm::any_of(model.symbols.all(), [](const Symbol &symbol) {
        return symbol.kind == SymbolKind::Param &&
               symbol.maximum.value_or(INT64_MAX) > UINT32_MAX;
      });
  for (GuardCondition &condition : guards.conditions)
    for (Conjunct &part : condition.parts)
      if (part.computed &&
          (!hasWideArguments || part.computed->type != "long")) {
        const std::string name = fresh(part.computed->name);
        guards.definitions.push_back(
            {part.computed->type, name, part.computed->value});
        part = Conjunct(name + part.computed->rest);
      }
}

/// Declarations of the tile's position; afterwards the base variables hold.
std::vector<std::string> KernelWriter::writeTile(Guards &guards) {
  std::vector<std::string> lines;
  const unsigned rank = model.ndrange.rank;
  const unsigned launched = model.ndrange.launchRank();
  std::vector<std::string> counts;
  const bool isShort = hasShortNumbers();
  const std::string type = isShort ? "uint" : "size_t";
  const std::string number = "const " + type + " ";
  auto numberOf = [&](const std::string &value, bool isOne) {
    return !isShort ? value
           : isOne  ? "(uint)" + value
                    : "(uint)(" + value + ")";
  };
  // What the launch alone decides stands before the guard where a core runs
  // work-items one after the other: no condition keeps the division from being
  // computed once for all then. (PoCL, products of short rows in lanes of 8 and
  // blocks of 4, of which 62 of 64 work-items leave here: 0.46 ms below the
  // guard, 0.24 before it.)
  const bool isEarly =
      options.spreadWorkItems && isShort && !model.ndrange.isFlat();
  auto define = [&](const std::string &name, const std::string &value) {
    const ConstantDeclaration declared = {type, name, value};
    if (isEarly)
      guards.definitions.push_back(declared);
    else
      lines.push_back(declared.text());
  };
  for (unsigned d = 0; d < rank; ++d) {
    if (rank == 1)
      break;
    counts.push_back(fresh(countName + std::to_string(d)));
    define(counts[d], numberOf(tilesOf(d), kernel.work[d].total() == 1));
  }
  std::string product;
  for (unsigned d = 0; d < rank; ++d)
    product += (d ? " * " : "") + (rank == 1 ? tilesOf(d) : counts[d]);
  define(countName, product);
  if (options.spreadWorkItems) {
    std::string share = fresh("share"), local = fresh("local_item");
    const std::string groups = productOf(launched, WorkItemQuery::NumGroups);
    std::string group = fresh("groups");
    define(group, numberOf(groups, launched == 1));
    define(share, "(" + countName + " + " + group + " - 1) / " + group);
    lines.push_back(number + local + " = " +
                    numberOf(linearLocal(), launched == 1) + ";");
    std::string position = isShort ? numberOf(linearGroup(), launched == 1)
                           : launched == 1 ? linearGroup()
                                           : "(" + linearGroup() + ")";
    lines.push_back(number + tileName + " = " + position + " * " + share +
                    " + " + local + ";");
    lines.push_back("if (" + local + " >= " + share + " || " + tileName +
                    " >= " + countName + ")");
    lines.push_back("    return;");
  } else {
    const std::string size = productOf(launched, WorkItemQuery::LocalSize);
    std::string place =
        launched == 1
            ? "get_global_id(0) - get_global_offset(0)"
            : "(" + linearGroup() + ") * (" + size + ") + " + linearLocal();
    lines.push_back(number + tileName + " = " + numberOf(place, false) + ";");
    lines.push_back("if (" + tileName + " >= " + countName + ")");
    lines.push_back("    return;");
  }
  std::vector<unsigned> order = {kernel.fastest};
  for (unsigned d = 0; d < rank; ++d)
    if (d != kernel.fastest)
      order.push_back(d);
  for (unsigned d = 0; d < rank; ++d) {
    auto coordinate = std::find(dims.begin(), dims.end(), d);
    if (coordinate == dims.end())
      continue;
    size_t i = static_cast<size_t>(coordinate - dims.begin());
    std::string position = tileName;
    const auto place = std::find(order.begin(), order.end(), d);
    for (auto e = order.begin(); e != place; ++e)
      position += " / " + counts[*e];
    if (place + 1 != order.end())
      position += " % " + counts[d];
    const WorkDimension &work = kernel.work[d];
    unsigned factor = work.strided ? work.lanes : work.total();
    if (factor > 1)
      position += " * " + std::to_string(factor);
    const std::string offset =
        launchText(kernel, names.launch, WorkItemQuery::GlobalOffset, d);
    const std::string &id = names.idTypes[i];
    lines.push_back("const " + id + " " + firstOfTile(names, i, false) +
                    " = (" + id + ")(" + behindOffset(offset, position) + ");");
    if (names.strides[i].empty())
      continue;
    std::string step = rank == 1 ? countName : counts[d];
    if (work.lanes > 1)
      step += " * " + std::to_string(work.lanes);
    lines.push_back("const " + id + " " + names.strides[i] + " = (" + id +
                    ")(" + step + ");");
  }
  appendLines(lines, linesOf(names.moves));
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
  appendLines(lines, work.inside, 4);
  appendLines(lines, versions, 4);
  appendLines(lines, work.after, 4);
  lines.push_back("}");
  return lines;
}

/// Where every launched work-item does its own work.
std::vector<std::string> KernelWriter::idDeclarations() const {
  std::vector<std::string> lines;
  std::vector<SymbolKind> kinds = workKinds(model);
  for (size_t i = 0; i < dims.size(); ++i) {
    bool used = kinds[i] == SymbolKind::GlobalId ||
                mentioned.count(names.bases[i]) != 0;
    // Merged groups have declared theirs.
    const WorkDimension work = workOfCoordinate(kernel, dims, i);
    if ((!used && work.lanes == 1) || work.points > 1)
      continue;
    lines.push_back("const " + names.idTypes[i] + " " + names.bases[i] + " = " +
                    printWorkItem(*queryOf(kinds[i]), dims[i]) + ";");
  }
  return lines;
}

/// One past the last ids of the launch, along each dimension.
std::vector<ConstantDeclaration>
KernelWriter::launchEnds(const LaunchNames &launch) const {
  std::vector<ConstantDeclaration> result;
  for (size_t i = 0; i < dims.size(); ++i)
    if (!names.ends[i].empty() && !model.ndrange.findMapped(dims[i])) {
      std::set<std::string> uses;
      const std::string offset = launchText(
          kernel, launch, WorkItemQuery::GlobalOffset, dims[i], &uses);
      const std::string size =
          launchText(kernel, launch, WorkItemQuery::GlobalSize, dims[i], &uses);
      result.push_back(
          {"long", names.ends[i],
           offset == "0" ? size : "(long)(" + offset + " + " + size + ")",
           std::move(uses)});
    }
  return result;
}

/// Variables for parameters of the model that are quotients.
std::vector<ConstantDeclaration> KernelWriter::quotients() const {
  std::vector<ConstantDeclaration> result;
  PrintEnvironment environment;
  environment.kernel = &kernel;
  environment.launch.arguments = names.launch.arguments;
  for (const Symbol &symbol : model.symbols.all()) {
    const auto name = names.launch.quotients.find(symbol.name);
    if (name == names.launch.quotients.end())
      continue;
    StatementPrinter printer(environment);
    const bool isInt = printer.isIntQuotient(symbol);
    const std::string text = printer.quotient(symbol, {}, !isInt).text;
    result.push_back(
        {isInt ? "int" : "long", name->second, text, printer.uses()});
  }
  return result;
}

/// Those that are among the terms.
std::vector<ConstantDeclaration>
KernelWriter::endDeclarations(const std::set<std::string> &terms) const {
  std::vector<ConstantDeclaration> result = quotients();
  llvm::append_range(result, launchEnds(names.launch));
  std::set<std::string> asked = terms;
  for (unsigned d = 0; model.ndrange.isFlat() && d < model.ndrange.rank; ++d)
    launchText(kernel, names.launch, WorkItemQuery::GlobalSize, d, &asked);
  llvm::erase_if(result, [&](const ConstantDeclaration &end) {
    return !asked.count(end.name);
  });
  return result;
}

/// `__constant float w_table[9] = {...};`, in the order of the program.
std::vector<std::string> KernelWriter::tableDeclarations() const {
  std::vector<std::string> lines;
  for (const Statement &statement : model.statements) {
    const Stmt *stmt = statement.stmt;
    if (!stmt || stmt->kind != StmtKind::Decl)
      continue;
    auto table = names.tables.find(stmt->var);
    if (table == names.tables.end())
      continue;
    Type plain = arrayElement(stmt->var->type);
    plain.isConst = false;
    std::string line = "__constant " + typeText(plain) + " " + table->second;
    for (const Type *t = &stmt->var->type; t->isArray(); t = t->element.get())
      line += "[" + std::to_string(t->extent) + "]";
    lines.push_back(line + " = " + printExpr(stmt->expr, PrintHooks()) + ";");
  }
  return lines;
}

//===-- Assembly
//------------------------------------------------------------===//

static bool returns(const Stmt &stmt) {
  std::vector<StmtRef> below = stmt.children;
  below.insert(below.end(), {stmt.body, stmt.elseBody});
  return stmt.kind == StmtKind::Return ||
         std::any_of(below.begin(), below.end(), [](const StmtRef &child) {
           return child && returns(*child);
         });
}

/// True where a group's work-items wait for each other who did not before.
static bool makesBarriers(const TransformedKernel &kernel) {
  return (!kernel.sections().empty() && kernel.isGrouped()) ||
         kernel.sharesWork();
}

/// True where the author's barriers stand behind a version without any. PoCL
/// 3.1 without optimizations computes nonsense in them behind a `return`, and
/// none where they are the other half of the guard.
static bool leavesBarriersOut(const TransformedKernel &kernel) {
  return !kernel.otherwise && kernel.original->hasBarrier &&
         !kernel.model->hasBarrier && !makesBarriers(kernel);
}

/// True when the author's version has barriers and all work-items reach the end
/// of the fast one. PoCL 3.1 gives what the two do behind their last barriers
/// one loop over the work-items and computes nonsense, unless one of them ends
/// with a barrier.
bool KernelWriter::endsApart() const {
  bool hasBarrier = model.hasBarrier || leavesBarriersOut(kernel) ||
                    std::any_of(kernel.rounds.begin(), kernel.rounds.end(),
                                [](const BatchedStrideLoop &rounds) {
                                  return rounds.isTogether;
                                });
  const bool mayLeave = kernel.isVirtual() && !kernel.hasGroupLanes();
  if (!hasBarrier || mayLeave || !kernel.sections().empty())
    return false;
  return std::none_of(model.statements.begin(), model.statements.end(),
                      [](const Statement &statement) {
                        return statement.stmt && returns(*statement.stmt);
                      });
}

/// Declared in front of the guard.
std::vector<ConstantDeclaration>
KernelWriter::outerValues(const Guards &guards) const {
  std::set<std::string> terms = mentioned;
  terms.insert(guards.mentioned.begin(), guards.mentioned.end());
  std::vector<ConstantDeclaration> values = endDeclarations(terms);
  llvm::append_range(values, guards.definitions);
  return values;
}

/// All other names that are declared there.
std::set<std::string> KernelWriter::outerNames() const {
  std::set<std::string> result = ownLocalCopies;
  for (const auto &[name, value] : names.group.constants)
    result.insert(name);
  for (const auto &[variable, name] : names.tables)
    result.insert(name);
  for (const auto &[type, cells] : names.shared.cells)
    result.insert(cells.begin(), cells.end());
  for (unsigned t = 0; t < kernel.tiles.size(); ++t)
    if (!kernel.tiles[t].isPrivate())
      result.insert(names.tiles[t]);
  return result;
}

std::string KernelWriter::newText(const std::vector<std::string> &fast,
                                  const Guards &guards) const {
  std::string text;
  auto add = [&](const std::string &line, unsigned indent) {
    text += line.empty() ? "\n" : std::string(indent, ' ') + line + "\n";
  };
  const std::string heading =
      before ? "// Optimized by clopt for other launches:\n    // - "
             : "// Optimized by clopt:\n    // - ";
  for (size_t i = 0; i < kernel.comments.size(); ++i)
    add((i ? "// - " : heading) + kernel.comments[i], 4);
  for (const std::string &line : declareConstants(names.group))
    add(line, 4);
  for (const std::string &line : localDeclarations)
    add(line, 4);
  for (const std::string &line : tableDeclarations())
    add(line, 4);
  std::vector<std::string> ends, declarations;
  const std::vector<ConstantDeclaration> values = outerValues(guards);
  const size_t definitions = values.size() - guards.definitions.size();
  for (size_t i = 0; i < values.size(); ++i)
    if (!before || !before->values.count(values[i].name))
      (i < definitions ? ends : declarations).push_back(values[i].text());
  for (const std::string &line : ends)
    add(line, 4);
  for (const std::string &line : declareTiles(kernel, names))
    add(line, 4);
  for (const std::string &line : declareSharedCells(kernel, names))
    add(line, 4);
  for (const std::string &line : declarations)
    add(line, 4);
  const std::vector<GuardCondition> &conditions = guards.conditions;
  bool guarded = !conditions.empty();
  for (size_t i = 0; i < conditions.size(); ++i)
    add((i ? "" : "if (") + joined(conditions[i].parts) +
            (i + 1 < conditions.size() ? " &&" : ") {"),
        i ? 8 : 4);
  for (const std::string &line : fast)
    add(line, guarded ? 8 : 4);
  if (guarded && endsApart())
    add(groupBarrier, 8);
  if (guarded)
    text += othersRunAlone ? "    }\n" : "        return;\n    }\n";
  if (guarded && makesBarriers(kernel))
    add(groupBarrier, 4);
  return options.format ? options.format(text) : text;
}

/// Where the advice stands in the guard.
static std::set<unsigned> adviceIn(const Guards &guards) {
  std::set<unsigned> places;
  unsigned at = 0;
  for (const GuardCondition &condition : guards.conditions) {
    const size_t end = at + condition.parts.size();
    for (; at < end; ++at)
      if (condition.isAdvice)
        places.insert(at);
  }
  return places;
}

static std::string withLineEnd(const std::string &text) {
  return text.empty() || text.back() == '\n' ? text : text + "\n";
}

/// The author's configuration, without macros that are named as constants of
/// the new text are: hosts pass `-DTILE_X=16` to all of their programs.
Configuration KernelWriter::writtenFor() const {
  Configuration result = model.function->configuration;
  for (const auto &[name, value] : names.group.constants)
    result.conditions.push_back("!defined(" + name + ")");
  return result;
}

//===-- The launch plan
//-----------------------------------------------------===//

/// What the host needs to know, and the kernel for an NDRange of its own.
void KernelWriter::addPlan(const KernelNames &ahead, WrittenVersion &result) {
  auto freshName = [this](const std::string &name) { return fresh(name); };
  // The host's names are not those of the device.
  TakenNames deviceNames = names.reserved;
  names.reserved = guardNames;
  Guards guards = makeGuards(kernel, lowered.endNames, names.ends, freshName,
                             GuardScope::Host, {}, lowered.asked);
  names.reserved = std::move(deviceNames);
  // The budget may end here: what is not asked for must not be launched.
  if (guards.error)
    return;
  addClearArguments(clearArguments, guards);
  for (const std::string &condition : asked)
    guards.conditions.push_back({{condition}});
  std::vector<ConstantDeclaration> ends = launchEnds({});
  guards.definitions.insert(guards.definitions.begin(), ends.begin(),
                            ends.end());
  addGuards(guards, result.sameLaunch);
  bool isMapped = !model.ndrange.mapped.empty();
  const bool shares = kernel.sharesWork();
  if (!kernel.isVirtual() || kernel.keepsGroups() || kernel.fastest != 0 ||
      (isMapped && (kernel.isGrouped() || shares)))
    return;
  names.reserved.insert(options.takenNames.begin(), options.takenNames.end());
  LaunchNames launch = launchArguments(freshName);
  launch.quotients = names.launch.quotients;
  std::vector<std::string> body = versions;
  if (asksForLaunch(mentioned)) {
    // The same text, with names for what the launch says.
    KernelNames all = std::exchange(names, ahead);
    names.launch = launch;
    mentioned.clear();
    LoweringError error;
    Guards known = guards;
    body = writeBelowGuard(known, error);
    if (!shares)
      body = versions;
    names.reserved = std::move(all.reserved);
    if (!error.message.empty())
      return;
  }
  names.launch = launch;
  PlannedRangeOptions how;
  how.computeUnits = options.computeUnits;
  if (options.planGroup) {
    how.rowItems = (*options.planGroup)[0];
    how.groupItems = how.rowItems * (*options.planGroup)[1];
  }
  how.fresh = freshName;
  how.configuration = writtenFor();
  PlannedRange range = shares               ? planSharedRange(kernel, how)
                       : kernel.isGrouped() ? planGroupRange(kernel, names, how)
                                            : planItemRange(kernel, names, how);
  std::vector<PlannedLine> head;
  for (const std::string &line : declareConstants(names.group))
    head.push_back(line);
  for (const ConstantDeclaration &end : endDeclarations(mentioned))
    head.push_back(end);
  for (const std::string &tile : declareTiles(kernel, names))
    head.push_back(tile);
  for (const std::string &cells : declareSharedCells(kernel, names))
    head.push_back(cells);
  result.planned = writePlannedKernel(kernel, range, head, body, mentioned,
                                      launch, how, options.format);
  if (result.planned)
    addGuards(guards, result.planned->variant);
}

/// Which tile a work-item takes, and the versions of the body.
std::vector<std::string> KernelWriter::writeBelowGuard(Guards &guards,
                                                       LoweringError &error) {
  auto freshName = [this](const std::string &name) { return fresh(name); };
  nameMoves(guards, error);
  if (!error.message.empty())
    return {};
  // Names of the tile come before those that the versions make.
  std::vector<std::string> lines;
  WorkMapping mapping;
  std::optional<MappedWork> mapped;
  if (kernel.sharesWork()) {
    mapping = mapSharedWork(kernel, names, freshName);
    mentioned.insert(mapping.asked.begin(), mapping.asked.end());
  } else if (!model.ndrange.mapped.empty()) {
    mapped = mappedWork();
  } else if (kernel.isGrouped()) {
    mapping = mapGroups(kernel, names, options.computeUnits,
                        options.itemsPerComputeUnit, freshName);
  } else if (kernel.isVirtual() && !kernel.keepsGroups()) {
    lines = kernel.groupStride() > 1 ? writeTileApart() : writeTile(guards);
  }
  error = LoweringError();
  // Behind the guard stands the author's text.
  othersRunAlone = kernel.mergesGroups() && lowered.full.has_value() &&
                   lowered.validIds.empty() && !guards.conditions.empty();
  versions = writeVersions(error);
  if (!error.message.empty())
    return {};
  if (kernel.mergesGroups()) {
    lines = mergedGroups();
    appendLines(localDeclarations, declareLocalCopies(error));
  } else if (!kernel.isVirtual() || kernel.hasGroupLanes()) {
    lines = idDeclarations();
    appendLines(lines, leadingItems());
  }
  appendLines(lines, linesOf(uniformCalls));
  if (mapped) {
    appendLines(lines, wrapMapped(*mapped, versions));
  } else if (kernel.isGrouped() || kernel.sharesWork()) {
    appendLines(lines, mapping.before);
    lines.push_back(mapping.loop + " {");
    appendLines(lines, mapping.inside, 4);
    appendLines(lines, versions, 4);
    lines.push_back("}");
  } else {
    appendLines(lines, versions);
  }
  return lines;
}

/// Bodies may grow by this factor, and by this many bytes more.
static constexpr size_t largestGrowth = 16;
static constexpr size_t smallKernel = 65536;

std::optional<WrittenVersion>
KernelWriter::write(LoweringError &error, std::set<std::string> &taken) {
  std::optional<LoweredKernel> versions =
      lower(kernel, error, options.often, movesTiles);
  if (!versions)
    return std::nullopt;
  lowered = std::move(*versions);
  collectReserved();
  names.reserved.insert(taken.begin(), taken.end());
  chooseNames();
  guardNames = names.reserved;
  Guards guards = makeGuards(
      kernel, lowered.endNames, names.ends,
      [this](const std::string &name) { return fresh(name); },
      GuardScope::Device, names.launch, lowered.asked);
  if (guards.error) {
    error = *guards.error;
    return std::nullopt;
  }
  if (hasShortNumbers())
    requireShortNumbers(guards);
  if (kernel.mergesGroups() && !options.everyLaunch)
    requireManyGroups(guards);
  if (lowered.isSlanted && !options.everyLaunch)
    requireManyTiles(guards);
  const KernelNames ahead = names;
  const std::vector<std::string> fast = writeBelowGuard(guards, error);
  if (!error.message.empty())
    return std::nullopt;
  size_t written = 0;
  for (const std::string &line : fast)
    written += line.size();
  const SourceRange &body = model.function->bodyRange;
  if (written > static_cast<size_t>(body.end - body.begin) * largestGrowth +
                    smallKernel) {
    error = {"clopt-not-profitable", "the kernel would become too large", ""};
    return std::nullopt;
  }
  addClearArguments(clearArguments, guards);
  for (const std::string &condition : asked)
    guards.conditions.push_back({{condition}});
  keepLeastBounds(guards.conditions);
  if (options.spreadWorkItems)
    declareTerms(guards);
  std::string text = newText(fast, guards);
  std::string changed =
      changedName(*model.unit, text, model.function->bodyRange.begin);
  if (!changed.empty()) {
    error = {"clopt-macro-name",
             "'" + changed + "' means something else in this program", ""};
    return std::nullopt;
  }
  WrittenVersion result;
  result.text = std::move(text);
  result.isGuarded = !guards.conditions.empty();
  result.goesOn = othersRunAlone;
  result.opensElse =
      result.isGuarded && !result.goesOn && leavesBarriersOut(kernel);
  result.reasons = guards.reasons;
  result.advice = adviceIn(guards);
  result.configuration = writtenFor();
  if (options.withPlan && !before)
    addPlan(ahead, result);
  if (before) {
    result.values = before->values;
    result.names = before->names;
  }
  for (const ConstantDeclaration &value : outerValues(guards)) {
    const auto known = result.values.insert({value.name, value}).first;
    if (known->second.text() != value.text() || result.names.count(value.name))
      taken.insert(value.name);
  }
  for (const std::string &name : outerNames())
    if (!result.names.insert(name).second || result.values.count(name))
      taken.insert(name);
  return result;
}

//===-- All versions ------------------------------------------------------===//

/// Versions have the same names for the same values.
static std::optional<WrittenVersion>
writeVersion(const TransformedKernel &kernel, const EmitOptions &options,
             const LocalArrays &local, const WrittenVersion *before,
             LoweringError &error) {
  bool movesTiles = true;
  std::set<std::string> taken;
  for (;;) {
    const size_t known = taken.size();
    KernelWriter writer(kernel, options, movesTiles, local, before);
    std::optional<WrittenVersion> result = writer.write(error, taken);
    if (result && taken.size() == known)
      return result;
    if (result)
      continue;
    if (!movesTiles || !writer.hasMoves())
      return std::nullopt;
    error = LoweringError();
    movesTiles = false;
  }
}

/// The author's local arrays, as the one version that moves their cells apart
/// declares them.
static std::optional<LocalArrays> localArraysOf(const TransformedKernel &kernel,
                                                LoweringError &error) {
  const TransformedKernel *mover = nullptr;
  for (const TransformedKernel *version = &kernel; version;
       version = version->otherwise.get()) {
    const bool isMover = !version->paddings.empty();
    if (isMover && mover) {
      error = {"clopt-not-profitable",
               "two versions move the cells of local arrays apart", ""};
      return std::nullopt;
    }
    if (isMover)
      mover = version;
  }
  LocalArrays result = hoistLocalArrays(mover ? *mover : kernel);
  if (!result.error)
    return result;
  error = *result.error;
  return std::nullopt;
}

/// The versions one behind the other, and the author's body, byte for byte, for
/// every other launch.
static std::string assemble(const std::vector<WrittenVersion> &versions,
                            const LocalArrays &local) {
  std::string text;
  Configuration configuration = versions.front().configuration;
  for (const WrittenVersion &version : versions) {
    text += version.text;
    for (const std::string &condition : version.configuration.conditions)
      if (!llvm::is_contained(configuration.conditions, condition))
        configuration.conditions.push_back(condition);
  }
  const bool guarded = versions.back().isGuarded;
  const bool isElse = guarded && versions.back().opensElse;
  if (guarded && !isElse && local.declarations.empty())
    return "{\n" + forConfiguration(configuration, text, "") + local.original +
           "}";
  if (isElse)
    text = llvm::StringRef(text).rtrim().str() + " else {\n" +
           withLineEnd(local.original) + "    }\n";
  else if (guarded)
    text += local.original;
  if (!configuration.isAny())
    text = withLineEnd(text);
  return "{\n" +
         forConfiguration(configuration, text, withLineEnd(local.whole)) + "}";
}

std::optional<EmittedKernel> emitKernel(const TransformedKernel &kernel,
                                        const EmitOptions &options,
                                        LoweringError &error) {
  const std::optional<LocalArrays> local = localArraysOf(kernel, error);
  if (!local)
    return std::nullopt;
  EmittedKernel result;
  std::vector<WrittenVersion> versions;
  for (const TransformedKernel *version = &kernel; version;
       version = version->otherwise.get()) {
    const WrittenVersion *before =
        versions.empty() ? nullptr : &versions.back();
    if (before && (!before->isGuarded || before->goesOn)) {
      error = {
          "clopt-not-profitable",
          before->isGuarded
              ? "behind groups that are not merged stands the author's text"
              : "all launches run what stands before 'otherwise'",
          ""};
      return std::nullopt;
    }
    // PoCL 3.1 without optimizations computes nonsense in what stands behind.
    const bool waitsLate =
        version->otherwise && version->original->hasBarrier &&
        !version->model->hasBarrier && !makesBarriers(*version);
    if (waitsLate) {
      error = {"clopt-barrier",
               "a version without barriers stands before one with barriers",
               "write the other one first"};
      return std::nullopt;
    }
    std::optional<WrittenVersion> written =
        writeVersion(*version, options, *local, before, error);
    if (!written)
      return std::nullopt;
    for (const std::string &reason : written->reasons)
      result.guards.push_back((before ? "otherwise " : "") + reason);
    if (written->isGuarded)
      result.advice.push_back(written->advice);
    versions.push_back(std::move(*written));
  }
  result.body = assemble(versions, *local);
  result.sameLaunch = std::move(versions.front().sameLaunch);
  result.planned = std::move(versions.front().planned);
  const Configuration &configuration = kernel.model->function->configuration;
  for (const std::string &condition : configuration.conditions)
    result.guards.push_back("compiled with " + condition);
  for (const auto *macros : {&configuration.numbers, &configuration.words})
    for (const auto &[name, value] : *macros)
      result.guards.push_back("macro " + name + " is " + value);
  return result;
}

} // namespace clopt
