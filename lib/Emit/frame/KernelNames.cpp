//===- KernelNames.cpp - names in a kernel's new body ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that are introduced are never those of the program.
//
// Tested by test/unit/KernelWriterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/KernelWriterImpl.h"

#include "Emit/body/ArrayTiles.h"
#include "Emit/body/BarrierFlow.h"
#include "Emit/frame/SharedWork.h"
#include "Emit/frame/WorkMapping.h"
#include "Model/ExprPrinter.h"
#include "Model/IdNames.h"

#include <algorithm>

namespace clopt {

void KernelWriter::collectReserved() {
  names.reserved.insert(model.unit->usedNames.begin(),
                        model.unit->usedNames.end());
  for (const auto &variable : model.function->variables)
    names.reserved.insert(variable->name);
  for (const Array &array : model.arrays)
    names.reserved.insert(array.name);
  // Counters that the author does not have.
  for (const Loop &loop : model.loops)
    if (loop.var)
      names.reserved.insert(loop.var->name);
}

std::string KernelWriter::fresh(const std::string &name) {
  std::string candidate = name;
  // Numbers are for the copies of a variable.
  static const std::string letters = "xyzabcdefghijklmnopqrstuvw";
  for (size_t count = 0; names.reserved.countAlike(candidate); ++count) {
    size_t rounds = count / letters.size();
    candidate =
        name + "_" + std::string(rounds, 'x') + letters[count % letters.size()];
  }
  names.reserved.insert(candidate);
  return candidate;
}

/// "C" for a single cell of C reads best as "C_cell"; several are "C_cells".
static std::string copyStem(const TransformedKernel &kernel,
                            const ArrayTile &copy) {
  std::string stem = copy.window ? "_window" : "_cells";
  return kernel.model->arrays[copy.array].name +
         (copy.cells(kernel) == 1 ? "_cell" : stem);
}

/// True when something of the file has the same name.
bool KernelWriter::hidesFile(const Variable &variable) const {
  const std::vector<std::string> &used = model.unit->usedNames;
  return std::find(used.begin(), used.end(), variable.name) != used.end();
}

/// True when another variable of the kernel has the same name.
bool KernelWriter::isShared(const Variable &variable) const {
  for (const auto &other : model.function->variables)
    if (other.get() != &variable && other->name == variable.name)
      return true;
  return false;
}

/// `x_id` where the author's x is the id plus a constant.
std::string KernelWriter::freshIdName(unsigned dim, const std::string &axis) {
  const Variable *shifted = shiftedIdVariable(model, dim);
  return fresh(shifted ? shifted->name + "_id" : axis);
}

void KernelWriter::chooseNames() {
  static const char *const defaults[] = {"x", "y", "z"};
  std::vector<SymbolKind> kinds = workKinds(model);
  for (unsigned d : dims) {
    SymbolKind kind = kinds[names.ids.size()];
    if (kind != SymbolKind::GlobalId) {
      nameGroupId(kind, d, defaults[d]);
      continue;
    }
    const Variable *variable = idVariable(model, d);
    std::string stem = variable ? variable->name : freshIdName(d, defaults[d]);
    if (variable && (hidesFile(*variable) ||
                     (model.ndrange.findMapped(d) && isShared(*variable))))
      stem = fresh(stem);
    bool tiled = kernel.work[d].total() > 1 || kernel.work[d].groupIds > 0;
    names.ids.push_back(stem);
    names.bases.push_back(tiled ? fresh(stem + "0") : stem);
    bool strided = kernel.work[d].strided && kernel.work[d].points > 1 &&
                   (!kernel.isGrouped() || kernel.adaptiveDimension() == d);
    names.strides.push_back(strided ? fresh(stem + "_step") : "");
    names.ends.push_back(fresh(stem + "_end"));
    const bool isWide =
        !model.ndrange.isFlat() && (!variable || variable->type.size > 4);
    names.idTypes.push_back(isWide ? "long" : "int");
    if (variable)
      names.coordinateVariables.emplace(
          variable, *model.symbols.find(SymbolKind::GlobalId, d));
  }
  nameLoops();
  nameVariables();
  nameUniformCalls();
  for (const Symbol &symbol : model.symbols.all())
    if (isQuotient(symbol) && !symbol.second.asConstant())
      names.launch.quotients[symbol.name] = fresh(symbol.name);
  names.groupVariables = groupVariables(model);
  std::map<std::string, unsigned> counts;
  names.tiles.resize(kernel.tiles.size());
  for (unsigned t = 0; t < kernel.tiles.size(); ++t)
    if (kernel.tiles[t].inTree) {
      std::string stem = copyStem(kernel, kernel.tiles[t]);
      unsigned count = counts[stem]++;
      names.tiles[t] = fresh(count ? stem + std::to_string(count) : stem);
    }
  if (kernel.isGrouped())
    nameGroup();
  nameTiles();
  if (kernel.mergesGroups())
    nameLocalCopies();
  for (unsigned loop : loopsBelow(kernel.tree))
    if (const unsigned tile = findLoop(kernel.tree, loop)->tile) {
      names.group.loopTiles[loop] = fresh(names.loops[loop] + "0");
      names.group.loopSizes[loop] = nameConstant(names.loops[loop], tile);
    }
  if (kernel.sharesWork())
    nameSharedWork(kernel, names,
                   [this](const std::string &name) { return fresh(name); });
  if (!kernel.isVirtual() || kernel.isGrouped() || kernel.sharesWork())
    return;
  if (kernel.hasGroupLanes())
    names.group.inside = fresh("leads");
  if (!model.ndrange.mapped.empty() || kernel.keepsGroups())
    return;
  tileName = fresh("tile");
  countName = fresh("tiles");
}

/// The author's variable of type `int` that is the local id and nothing else.
const Variable *KernelWriter::localIdVariable(unsigned dim) const {
  std::optional<SymbolId> id = model.symbols.find(SymbolKind::LocalId, dim);
  if (!id)
    return nullptr;
  std::map<const Variable *, unsigned> writes;
  std::vector<const Variable *> copies;
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    if (!access.isWrite || !array.isPrivateScalar() || !array.var)
      continue;
    ++writes[array.var];
    const Stmt *stmt = model.statements[access.statement].stmt;
    if (!stmt || stmt->kind != StmtKind::Decl || stmt->var != array.var ||
        !stmt->expr)
      continue;
    auto value = model.values.find(stmt->expr.get());
    const Type &type = array.var->type;
    if (value != model.values.end() &&
        value->second == Polynomial::symbol(*id) && type.isScalar() &&
        type.scalar == ScalarKind::Int)
      copies.push_back(array.var);
  }
  const std::set<const Variable *> counted = loopVariables(model);
  for (const Variable *variable : copies)
    if (writes[variable] == 1 && !counted.count(variable) &&
        !isShared(*variable) && !hidesFile(*variable) &&
        !variable->addressTaken)
      return variable;
  return nullptr;
}

/// Ids of a split dimension: virtual work-items are the launched ones.
void KernelWriter::nameGroupId(SymbolKind kind, unsigned dim,
                               const std::string &axis) {
  bool isGroup = kind == SymbolKind::GroupId;
  const Variable *own =
      isGroup || kernel.mergesGroups() ? nullptr : localIdVariable(dim);
  if (own)
    names.coordinateVariables.emplace(
        own, *model.symbols.find(SymbolKind::LocalId, dim));
  names.ids.push_back(own ? own->name
                          : fresh((isGroup ? "group_" : "local_") + axis));
  bool merges = isGroup && kernel.work[dim].points > 1;
  names.bases.push_back(merges ? fresh(names.ids.back() + "0")
                               : names.ids.back());
  names.strides.push_back("");
  names.ends.push_back("");
  names.idTypes.push_back(isGroup ? "long" : "int");
}

/// `TILE_X`, for a number.
std::string KernelWriter::nameConstant(const std::string &stem, int64_t value) {
  std::string upper;
  for (char each : stem)
    upper += static_cast<char>(std::toupper(static_cast<unsigned char>(each)));
  std::string name = fresh("TILE_" + upper);
  names.group.constants.emplace_back(name, value);
  return name;
}

void KernelWriter::nameGroup() {
  GroupNames &group = names.group;
  for (size_t i = 0; i < dims.size(); ++i) {
    const WorkDimension &work = kernel.work[dims[i]];
    const std::string &stem = names.ids[i];
    bool isShared = work.threads() > 1;
    group.bases.push_back(isShared ? fresh(stem + "_tile") : names.bases[i]);
    group.offsets.push_back(isShared ? fresh(stem + "_local") : "");
    group.sizes.push_back(
        isShared ? nameConstant(stem, std::max(work.groupIds, work.total()))
                 : "");
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
  if (kernel.sections().empty() && !kernel.isGrouped())
    return;
  group.cell = fresh("cell");
  group.cells = fresh("cells");
  for (unsigned i = 0; i < cellsAhead; ++i) {
    group.ahead.push_back(fresh("value" + std::to_string(i)));
    if (i)
      group.places.push_back(fresh("cell" + std::to_string(i)));
  }
  group.starts.resize(kernel.tiles.size());
  group.targets.resize(kernel.tiles.size());
  for (unsigned t = 0; t < kernel.tiles.size(); ++t) {
    if (kernel.tiles[t].inTree)
      continue;
    const unsigned storage = storageOf(kernel, t);
    const std::string &array = model.arrays[kernel.tiles[t].array].name;
    if (storage < t && kernel.tiles[storage].array == kernel.tiles[t].array) {
      names.tiles[t] = names.tiles[storage];
      group.starts[t] = group.starts[storage];
      group.targets[t] = group.targets[storage];
      continue;
    }
    names.tiles[t] =
        storage < t ? names.tiles[storage] : fresh(array + "_tile");
    group.starts[t] = fresh(array + "_from");
    group.targets[t] = fresh(array + "_to");
  }
}

/// Parameters, and what the body that is modelled says: the author's may have
/// others, whose names are free.
static std::set<const Variable *> variablesOf(const Function &function) {
  std::set<const Variable *> result(function.params.begin(),
                                    function.params.end());
  forEachStmt(function.body, [&](const StmtRef &stmt) {
    if (stmt->kind == StmtKind::Decl)
      result.insert(stmt->var);
  });
  forEachExpr(function.body, [&](const ExprRef &expr) {
    if (expr->kind == ExprKind::VarRef)
      result.insert(expr->var);
  });
  return result;
}

/// A loop keeps its variable's name unless that also names an id, a loop around
/// it or something of the file: coordinates are printed where the author's
/// scopes do not reach.
void KernelWriter::nameLoops() {
  std::set<std::string> ids(names.ids.begin(), names.ids.end());
  ids.insert(names.bases.begin(), names.bases.end());
  ids.insert(model.unit->usedNames.begin(), model.unit->usedNames.end());
  const std::set<const Variable *> counted = loopVariables(model);
  const std::set<const Variable *> own = variablesOf(*model.function);
  for (const auto &variable : model.function->variables)
    if (!counted.count(variable.get()) && own.count(variable.get()))
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

/// No two variables of the new body have one name, nor one that something of
/// the file has: statements are moved, and mean the same in any block.
void KernelWriter::nameVariables() {
  std::set<std::string> seen(model.unit->usedNames.begin(),
                             model.unit->usedNames.end());
  seen.insert(names.ids.begin(), names.ids.end());
  const std::set<const Variable *> counted = loopVariables(model);
  const std::set<const Variable *> own = variablesOf(*model.function);
  for (const auto &variable : model.function->variables) {
    bool isId = names.coordinateVariables.count(variable.get()) != 0 &&
                !counted.count(variable.get());
    if (isId || !own.count(variable.get()))
      continue;
    bool keeps = seen.insert(variable->name).second || variable->isParam;
    keeps &= variable->isParam || !names.reserved.countCopies(variable->name);
    if (!keeps)
      names.variables[variable.get()] = fresh(variable->name);
  }
  for (unsigned array : kernel.constantTables)
    names.tables[model.arrays[array].var] =
        fresh(model.arrays[array].name + "_table");
}

//===-- Values that are one for all ids -----------------------------------===//

/// True for what arguments and numbers give alone, without effects or traps. No
/// sums of integers, which may pass the end of their type, and no conversions
/// to them: it is computed where the kernel does not, too.
static bool isOfArguments(const Expr &expr,
                          const std::set<const Variable *> &written) {
  switch (expr.kind) {
  case ExprKind::IntLiteral:
  case ExprKind::FloatLiteral:
    return true;
  case ExprKind::VarRef:
    return expr.var && expr.var->isParam && !expr.var->addressTaken &&
           expr.type.isScalar() && !written.count(expr.var);
  case ExprKind::Cast:
    if (!expr.type.isFloating() && expr.operands[0]->type.isFloating())
      return false;
    break;
  case ExprKind::Unary:
    if (!expr.type.isFloating() || (expr.op != Op::Neg && expr.op != Op::Plus))
      return false;
    break;
  case ExprKind::Binary:
    if (!expr.type.isFloating() || (expr.op != Op::Add && expr.op != Op::Sub &&
                                    expr.op != Op::Mul && expr.op != Op::Div))
      return false;
    break;
  case ExprKind::Call:
    if (!expr.isElementwiseBuiltin || expr.effect != CallEffect::Pure)
      return false;
    break;
  default:
    return false;
  }
  return expr.type.isScalar() &&
         llvm::all_of(expr.operands, [&](const ExprRef &operand) {
           return isOfArguments(*operand, written);
         });
}

/// Where a launched work-item takes tile after tile, it computes functions of
/// arguments alone, `pown(beta, t)`, once before them: in the author's loop
/// compilers see that they do not change, but not behind the condition that a
/// tile is whole.
void KernelWriter::nameUniformCalls() {
  if (model.ndrange.mapped.empty())
    return;
  std::set<const Variable *> written;
  for (const Access &access : model.accesses)
    if (access.isWrite)
      written.insert(model.arrays[access.array].var);
  std::map<std::string, std::string> known; // by the call's text
  std::set<const Expr *> within;
  for (const Statement &statement : model.statements) {
    if (!statement.stmt || statement.isOpaque)
      continue;
    std::vector<ExprRef> calls;
    forEachExpr(StmtRef(StmtRef(), statement.stmt), [&](const ExprRef &expr) {
      if (expr->kind == ExprKind::Call && expr->type.isFloating() &&
          isOfArguments(*expr, written))
        calls.push_back(expr);
    });
    for (const ExprRef &call : calls)
      for (const ExprRef &operand : call->operands)
        forEachExpr(operand,
                    [&](const ExprRef &expr) { within.insert(expr.get()); });
    for (const ExprRef &call : calls) {
      if (within.count(call.get()))
        continue;
      const std::string text = printExpr(call);
      auto [place, isNew] = known.emplace(text, "");
      if (isNew) {
        place->second = fresh(call->text + "_value");
        uniformCalls.push_back({typeText(call->type), place->second, text});
      }
      names.uniformCalls[call.get()] = place->second;
    }
  }
}

} // namespace clopt
