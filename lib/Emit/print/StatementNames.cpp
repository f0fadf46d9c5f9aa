//===- StatementNames.cpp - names in statements ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables, registers and temporaries of the new body: a name for every point
// of a tile that has a value of its own.
//
// Tested by test/unit/StatementPrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/print/StatementPrinter.h"

#include "Analysis/dependence/Dependences.h"
#include "Analysis/memory/LocalCells.h"
#include "Emit/lower/Lowering.h"

#include <llvm/ADT/StringRef.h>

namespace clopt {

std::string StatementPrinter::pointSuffix(DivergenceMask mask) {
  // Names have no place for a variable.
  if (!site->pointName.empty() && (mask & (1u << site->pointDim)))
    failed = "a value of every point that is no array";
  std::string suffix;
  for (int d = 2; d >= 0; --d)
    if (environment.points[d] > 1 && (mask & (1u << d)))
      suffix += "_" + std::to_string(site->point[d]);
  return suffix;
}

unsigned StatementPrinter::pointCount(DivergenceMask mask) const {
  unsigned count = 1;
  for (unsigned d = 0; d < 3; ++d)
    if (mask & (1u << d))
      count *= environment.points[d];
  return count;
}

/// Place of the point's value in an array of those that differ along the mask.
std::string StatementPrinter::pointPlace(DivergenceMask mask) const {
  LinearForm place;
  int64_t inner = 1;
  for (unsigned d = 0; d < 3; ++d) {
    if (!(mask & (1u << d)))
      continue;
    place = place + (!site->pointName.empty() && site->pointDim == d
                         ? LinearForm::ofTerm(site->pointName, inner)
                         : LinearForm(site->point[d] * inner));
    inner *= environment.points[d];
  }
  return "[" + place.print().text + "]";
}

std::string componentName(const Type &vector, unsigned component) {
  if (vector.lanes <= 4)
    return std::string(1, "xyzw"[component]);
  return std::string("s") + laneDigit(component);
}

static std::string arrayExtents(const Type &type) {
  std::string text;
  for (const Type *t = &type; t->isArray(); t = t->element.get())
    text += "[" + std::to_string(t->extent) + "]";
  return text;
}

/// True where the name stands within its type: `float (*rows)[16]`.
static bool isAroundNames(const Type &type) {
  return type.isPointer() && type.element &&
         (type.element->isArray() || isAroundNames(*type.element));
}

static std::string plainTypeText(const Type &type) {
  Type plain = type;
  plain.isConst = false;
  return typeText(plain);
}

void StatementPrinter::declare(const std::string &name,
                               const Variable *variable,
                               std::optional<unsigned> copy, bool isVector,
                               const std::string &scalar, unsigned points) {
  used.insert(name);
  if (!environment.locals || environment.locals->count(name))
    return;
  LocalName local;
  local.name = name;
  local.scalar = scalar;
  local.variable = variable;
  local.copy = copy;
  const Type &type = variable
                         ? variable->type
                         : model.arrays[kernel.tiles[*copy].array].elementType;
  const Type &element = arrayElement(type);
  local.type =
      isVector ? typeName(element.scalar, lanes()) : plainTypeText(element);
  local.suffix = arrayExtents(type);
  if (isAroundNames(element)) {
    Type plain = element;
    plain.isConst = false;
    const DeclarationParts parts = declarationParts(plain);
    local.type = parts.before;
    local.suffix += parts.after;
  }
  const int64_t cells = copy ? kernel.tiles[*copy].cells(kernel) : 1;
  if (cells > 1)
    local.suffix = "[" + std::to_string(cells) + "]";
  if (points > 1)
    local.suffix = "[" + std::to_string(points) + "]";
  (*environment.locals)[name] = local;
}

/// The array of the group the point stands for; the first has the author's.
std::string StatementPrinter::localName(const Variable &variable) {
  auto copy = environment.localCopies.find(&variable);
  if (copy == environment.localCopies.end() || !environment.divergence)
    return variable.name;
  DivergenceMask mask = environment.divergence->ofVariable(&variable).mask;
  bool isFirst = true;
  for (unsigned d = 0; d < 3; ++d)
    isFirst &= !(mask & (1u << d)) || site->point[d] == 0;
  return isFirst ? variable.name : copy->second + pointSuffix(mask);
}

std::string StatementPrinter::nameOf(const Variable &variable) {
  const auto [name, place] = namePartsOf(variable);
  return name + place;
}

bool StatementPrinter::isPlanes(const Variable &variable) const {
  return environment.divergence && lanes() > 1 &&
         environment.divergence->isPlanes(&variable);
}

/// `acc_x`: the lanes' values of one component.
std::string StatementPrinter::planeName(const Variable &variable,
                                        unsigned component) {
  auto renamed = environment.variableNames.find(&variable);
  std::string stem = renamed == environment.variableNames.end()
                         ? variable.name
                         : renamed->second;
  const std::string suffix =
      pointSuffix(environment.divergence->ofVariable(&variable).mask);
  auto nameFor = [&](unsigned c) {
    return stem + componentName(variable.type, c);
  };
  // One stem for all components, which neither the author nor another variable
  // has: `s_x` beside `s`.
  auto isTaken = [&](unsigned c) {
    if (environment.reserved->count(nameFor(c)))
      return true;
    auto local = environment.locals->find(nameFor(c) + suffix);
    return local != environment.locals->end() &&
           local->second.variable != &variable;
  };
  bool isFree = false;
  while (!isFree) {
    stem += "_";
    isFree = true;
    for (unsigned c = 0; c < variable.type.lanes; ++c)
      isFree &= !isTaken(c);
  }
  const std::string name = nameFor(component) + suffix;
  declare(name, &variable, std::nullopt, true, "");
  return name;
}

/// `(float2)(acc_x.s3, acc_y.s3)`
std::string StatementPrinter::wholeOfLane(const Variable &variable,
                                          unsigned lane) {
  std::string text = "(" + plainTypeText(variable.type) + ")(";
  for (unsigned c = 0; c < variable.type.lanes; ++c)
    text += (c ? ", " : "") + planeName(variable, c) + ".s" + laneDigit(lane);
  return text + ")";
}

/// Vectors and structs have no vectors of lanes: an array has one for each
/// lane.
bool StatementPrinter::hasLaneCells(const Variable &variable) const {
  return variable.type.hasParts() && !variable.addressTaken &&
         environment.divergence && lanes() > 1 && !isPlanes(variable) &&
         environment.divergence->ofVariable(&variable).isVector();
}

/// What stands behind the name for the value of a lane.
std::string StatementPrinter::lanePlace(const Variable &variable,
                                        unsigned lane) const {
  return hasLaneCells(variable) ? "[" + std::to_string(lane) + "]"
                                : std::string(".s") + laneDigit(lane);
}

/// The name, and the place in an array of points, or nothing.
std::pair<std::string, std::string>
StatementPrinter::namePartsOf(const Variable &variable) {
  bool isGiven = variable.isParam && environment.localCopies.count(&variable);
  if (isGiven || (variable.space == AddressSpace::Local && !variable.isParam))
    return {localName(variable), ""};
  if (auto table = environment.tables.find(&variable);
      table != environment.tables.end())
    return {table->second, ""};
  if (variable.isParam || variable.isFileScope || inner.count(&variable) ||
      variable.space == AddressSpace::Constant)
    return {variable.name, ""};
  auto renamed = environment.variableNames.find(&variable);
  std::string name = renamed == environment.variableNames.end()
                         ? variable.name
                         : renamed->second;
  std::string scalar;
  bool isVector = false;
  if (environment.divergence) {
    const VariableDivergence &known =
        environment.divergence->ofVariable(&variable);
    if (isPlanes(variable))
      failed =
          "'" + variable.name + "' as a whole, of which lanes hold components";
    if (hasLaneCells(variable)) {
      name += pointSuffix(known.mask);
      declare(name, &variable, std::nullopt, false, "", lanes());
      return {name, ""};
    }
    isVector = known.isVector();
    if (isVector &&
        (variable.addressTaken || !arrayElement(variable.type).isScalar() ||
         arrayElement(variable.type).scalar == ScalarKind::Bool))
      failed = "'" + variable.name + "' as a vector: " +
               (variable.addressTaken ? "its address is taken"
                : arrayElement(variable.type).isPointer()
                    ? "each of its work-items has another pointer"
                    : "its elements are no numbers, or vectors already");
    const unsigned points = pointCount(known.mask);
    const bool isValue = variable.type.isScalar() || variable.type.isVector();
    if (environment.pointArrays && points >= environment.pointArrays &&
        isValue && !variable.addressTaken) {
      declare(name, &variable, std::nullopt, isVector, "", points);
      return {name, pointPlace(known.mask)};
    }
    name += pointSuffix(known.mask);
    if (environment.separateVectors && (known.mask & LaneBit)) {
      scalar = name;
      name += "_v";
    }
  }
  declare(name, &variable, std::nullopt, isVector, scalar);
  return {name, ""};
}

std::string StatementPrinter::copyName(unsigned copy) {
  std::string name = environment.tileNames[copy];
  std::string scalar;
  bool isVector = false;
  if (environment.divergence) {
    DivergenceMask mask = environment.divergence->ofCopy(copy);
    isVector = mask & LaneBit;
    const unsigned points = pointCount(mask);
    if (environment.pointArrays && points >= environment.pointArrays &&
        kernel.tiles[copy].cells(kernel) == 1) {
      declare(name, nullptr, copy, isVector, "", points);
      return name + pointPlace(mask);
    }
    name += pointSuffix(mask);
    if (environment.separateVectors && isVector) {
      scalar = name;
      name += "_v";
    }
  }
  declare(name, nullptr, copy, isVector, scalar);
  return name;
}

std::string
StatementPrinter::copyCell(unsigned copy,
                           const std::vector<Polynomial> &subscripts) {
  const ArrayTile &registers = kernel.tiles[copy];
  std::string name = copyName(copy);
  if (registers.cells(kernel) == 1)
    return name;
  if (lanes() > 1 &&
      cellsDifferAlong(model, registers, environment.divergence->axis().symbol))
    failed = "registers of '" + model.arrays[registers.array].name +
             "' that differ between lanes";
  // Row-major index into the cells.
  Polynomial index;
  for (size_t d = 0; d < registers.extents.size(); ++d)
    index = index * Polynomial(registers.extents[d].constant) + subscripts[d] -
            registers.base[d];
  return name + "[" + polynomial(index, *site, false).text + "]";
}

std::string StatementPrinter::freshName(const std::string &stem) {
  for (;;) {
    std::string name = stem + std::to_string(temporaries++);
    if (!environment.reserved->count(name) && !environment.locals->count(name))
      return name;
  }
}

//===-- Ids of groups -----------------------------------------------------===//

/// True when the value is known, and one of work-items or groups only.
static bool isOfGroup(const KernelModel &model, const Expr &expr) {
  auto value = model.values.find(&expr);
  if (value == model.values.end())
    return false;
  for (SymbolId id : value->second.symbols()) {
    const Symbol &symbol = model.symbols[id];
    if ((symbol.kind == SymbolKind::GroupId ||
         symbol.kind == SymbolKind::LocalId) &&
        !model.ndrange.split[symbol.dim])
      return true;
  }
  return false;
}

static bool isPlainAssignment(const Expr &expr) {
  return expr.kind == ExprKind::Assign && expr.op == Op::None &&
         expr.operands[0]->kind == ExprKind::VarRef;
}

std::set<const Variable *> groupVariables(const KernelModel &model) {
  std::set<const Variable *> found, others;
  std::set<const Expr *> targets;
  auto note = [&](const Variable *variable, const Expr &value) {
    (isOfGroup(model, value) ? found : others).insert(variable);
  };
  forEachStmt(model.function->body, [&](const StmtRef &stmt) {
    if (stmt->kind == StmtKind::Decl && stmt->var && stmt->expr)
      note(stmt->var, *stmt->expr);
    if (stmt->kind != StmtKind::Expr || !isPlainAssignment(*stmt->expr))
      return;
    const ExprRef &target = stmt->expr->operands[0];
    targets.insert(target.get());
    note(target->var, *stmt->expr->operands[1]);
  });
  forEachExpr(model.function->body, [&](const ExprRef &expr) {
    bool isRead = expr->kind == ExprKind::VarRef && !targets.count(expr.get());
    if (isRead && !isOfGroup(model, *expr))
      others.insert(expr->var);
  });
  for (const Variable *variable : others)
    found.erase(variable);
  for (auto it = found.begin(); it != found.end();) {
    bool isPlain = (*it)->type.isScalar() && !(*it)->addressTaken &&
                   !(*it)->isParam && (*it)->space == AddressSpace::Private;
    it = isPlain ? std::next(it) : found.erase(it);
  }
  return found;
}

bool StatementPrinter::definesGroupVariable(const StmtRef &stmt) const {
  if (stmt->kind == StmtKind::Decl)
    return environment.groupVariables.count(stmt->var) != 0;
  return stmt->kind == StmtKind::Expr && isPlainAssignment(*stmt->expr) &&
         environment.groupVariables.count(stmt->expr->operands[0]->var) != 0;
}

/// `bool inside = x < n;` that only conditions read which are part of domains.
/// There are no vectors of `bool`; what else nobody reads goes later.
bool StatementPrinter::definesKnownCondition(const Statement &statement) const {
  const Stmt &stmt = *statement.stmt;
  const bool isAssignment =
      stmt.kind == StmtKind::Expr && isPlainAssignment(*stmt.expr);
  const Variable *variable = stmt.kind == StmtKind::Decl ? stmt.var
                             : isAssignment ? stmt.expr->operands[0]->var
                                            : nullptr;
  const ExprRef value = isAssignment ? stmt.expr->operands[1] : stmt.expr;
  if (!variable || !variable->type.isScalar() || variable->addressTaken ||
      variable->type.scalar != ScalarKind::Bool || !value ||
      !isSideEffectFree(value))
    return false;
  return llvm::none_of(model.accesses, [&](const Access &access) {
    return !access.isWrite && model.arrays[access.array].var == variable;
  });
}

/// True when the expression asks for ids that virtual work-items do not have.
bool StatementPrinter::asksForGroupIds(const ExprRef &expr) const {
  bool found = false;
  forEachExpr(expr, [&](const ExprRef &node) {
    found |= node->kind == ExprKind::WorkItem &&
             (node->query == WorkItemQuery::LocalId ||
              node->query == WorkItemQuery::GroupId ||
              node->query == WorkItemQuery::GlobalLinearId);
    found |= node->kind == ExprKind::VarRef &&
             environment.groupVariables.count(node->var) != 0;
  });
  return found;
}

} // namespace clopt
