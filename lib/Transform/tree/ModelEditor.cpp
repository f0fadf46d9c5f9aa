//===- ModelEditor.cpp - statements that a step adds ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HoistValuesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/tree/ModelEditor.h"

#include "Model/MakeTree.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>

namespace clopt {

ModelEditor::ModelEditor(TransformedKernel &transformed)
    : model(std::make_shared<KernelModel>(*transformed.model)),
      kernel(transformed) {
  kernel.ownModel = model;
  kernel.model = model.get();
}

/// Names with an underscore behind them are those of copies for points and
/// lanes.
static bool isSimilar(const std::string &name, const std::string &other) {
  return name == other || name.compare(0, other.size() + 1, other + "_") == 0 ||
         other.compare(0, name.size() + 1, name + "_") == 0;
}

std::string ModelEditor::freshName(const std::string &stem) const {
  auto isTaken = [&](const std::string &name) {
    auto isLike = [&](const std::string &other) {
      return isSimilar(name, other);
    };
    const auto &used = model->unit->usedNames;
    bool taken = std::any_of(used.begin(), used.end(), isLike);
    for (const auto &variable : model->function->variables)
      taken |= isLike(variable->name);
    for (const Array &array : model->arrays)
      taken |= isLike(array.name);
    for (const Loop &loop : model->loops)
      taken |= isLike(loop.name);
    return taken;
  };
  std::string name = stem;
  for (unsigned count = 2; isTaken(name); ++count)
    name = stem + std::to_string(count);
  return name;
}

/// The variable lives as long as the statement that is kept with it.
unsigned ModelEditor::addVariable(const std::string &stem, const Type &type) {
  struct Owner {
    Variable variable;
    Stmt nothing;
  };
  auto owner = std::make_shared<Owner>();
  Variable &variable = owner->variable;
  variable.name = freshName(stem);
  variable.type = type;
  variable.type.isConst = variable.type.isVolatile = false;
  model->synthesized.push_back(StmtRef(owner, &owner->nothing));
  Array array;
  array.name = variable.name;
  array.var = &variable;
  array.space = AddressSpace::Private;
  array.elementBytes = static_cast<unsigned>(type.size);
  array.elementType = variable.type;
  array.rank = 0;
  model->arrays.push_back(std::move(array));
  return static_cast<unsigned>(model->arrays.size() - 1);
}

void ModelEditor::keep(const ExprRef &expr) {
  model->synthesized.push_back(makeStatement(expr));
}

ExprRef ModelEditor::nameOf(unsigned array) {
  const Variable *variable = model->arrays[array].var;
  ExprRef name = makeName(variable, variable->type);
  keep(name);
  return name;
}

StmtRef ModelEditor::makeDeclaration(unsigned array, const ExprRef &value) {
  return clopt::makeDeclaration(model->arrays[array].var, value);
}

StmtRef ModelEditor::makeAssignment(unsigned array, const ExprRef &value) {
  return makeStatement(makeAssign(nameOf(array), value));
}

unsigned ModelEditor::addStatement(const StmtRef &stmt, const isl::set &domain,
                                   const std::vector<SymbolId> &coordinates,
                                   const std::vector<unsigned> &loops) {
  Statement statement;
  auto index = static_cast<unsigned>(model->statements.size());
  statement.name = "S" + std::to_string(index);
  for (unsigned next = index; model->findStatement(statement.name);)
    statement.name = "S" + std::to_string(++next);
  statement.stmt = stmt.get();
  // { S[w..., i...] } with all parameters of the model
  isl_set *all = isl_set_universe(
      statementSpace(*model, statement.name, coordinates).release());
  isl_set *named = isl_set_set_tuple_name(isl_set_reset_tuple_id(domain.copy()),
                                          statement.name.c_str());
  statement.domain =
      isl::manage(isl_set_coalesce(isl_set_intersect(all, named)));
  statement.coordinates = coordinates;
  statement.loops = loops;
  model->synthesized.push_back(stmt);
  model->statements.push_back(std::move(statement));
  return index;
}

void ModelEditor::addAccess(unsigned statement, unsigned array, bool isWrite,
                            const Expr *expr, bool isExact) {
  Statement &owner = model->statements[statement];
  Access access;
  access.id = static_cast<unsigned>(model->accesses.size());
  access.array = array;
  access.statement = statement;
  access.isWrite = isWrite;
  access.isExact = isExact;
  access.expr = expr;
  access.offset = Polynomial();
  // { S[w..., i...] -> x[] }
  isl_space *space = isl_space_map_from_domain_and_range(
      isl_set_get_space(owner.domain.get()),
      statementSpace(*model, model->arrays[array].name, {}).release());
  access.relation = isl::manage(
      isl_map_intersect_domain(isl_map_universe(space), owner.domain.copy()));
  if (owner.stmt)
    access.range = owner.stmt->range;
  owner.accesses.push_back(access.id);
  if (expr)
    (isWrite ? model->writes : model->reads)[expr] = access.id;
  model->accesses.push_back(std::move(access));
}

void ModelEditor::moveAccess(unsigned id, unsigned statement) {
  Access &access = model->accesses[id];
  Statement &from = model->statements[access.statement];
  Statement &to = model->statements[statement];
  auto count = static_cast<unsigned>(to.coordinates.size());
  isl_map *relation =
      isl_map_intersect_domain(access.relation.copy(), from.domain.copy());
  relation = isl_map_project_out(relation, isl_dim_in, count,
                                 isl_map_dim(relation, isl_dim_in) - count);
  relation = isl_map_set_tuple_name(relation, isl_dim_in, to.name.c_str());
  access.relation = isl::manage(isl_map_coalesce(relation));
  from.accesses.erase(
      std::find(from.accesses.begin(), from.accesses.end(), id));
  access.statement = statement;
  to.accesses.push_back(id);
}

void ModelEditor::moveReads(const ExprRef &value, unsigned statement) {
  if (auto known = kernel.replacements.find(value.get());
      known != kernel.replacements.end())
    return moveReads(known->second, statement);
  if (auto read = model->reads.find(value.get()); read != model->reads.end()) {
    moveAccess(read->second, statement);
    model->accesses[read->second].isExact = true;
  }
  for (const ExprRef &operand : value->operands)
    moveReads(operand, statement);
}

isl::set executedPrefix(const Statement &statement, unsigned count) {
  unsigned total = static_cast<unsigned>(statement.coordinates.size());
  isl_set *set = isl_set_project_out(statement.domain.copy(), isl_dim_set,
                                     count, total - count);
  return isl::manage(isl_set_reset_tuple_id(set));
}

void insertBefore(ScheduleNode &root, unsigned loop,
                  const std::vector<unsigned> &statements) {
  std::vector<ScheduleNode> leaves;
  for (unsigned statement : statements)
    leaves.push_back(ScheduleNode::leaf(statement));
  for (size_t i = 0;
       root.kind == ScheduleNode::Kind::Sequence && i < root.children.size();
       ++i) {
    const ScheduleNode &child = root.children[i];
    if (child.kind != ScheduleNode::Kind::Loop || child.loop != loop)
      continue;
    root.children.insert(root.children.begin() + static_cast<std::ptrdiff_t>(i),
                         leaves.begin(), leaves.end());
    return;
  }
  if (root.kind == ScheduleNode::Kind::Loop && root.loop == loop) {
    leaves.push_back(root);
    root = ScheduleNode::sequence(std::move(leaves));
    return;
  }
  for (ScheduleNode &child : root.children)
    insertBefore(child, loop, statements);
}

} // namespace clopt
