//===- Interpreter.cpp - launches and statements --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-items that leave a loop or the kernel are taken out of the list of the
// active ones until the statement that they leave is over.
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Interpreter.h"

#include <algorithm>

namespace clopt {

std::string SmallLaunch::text() const {
  std::string sizes, groups, offsets, names;
  for (unsigned d = 0; d < dimensions; ++d) {
    std::string separator = d ? "x" : "";
    sizes += separator + std::to_string(global[d]);
    groups += separator + std::to_string(local[d]);
    offsets += separator + std::to_string(offset[d]);
  }
  for (const auto &[name, value] : integers)
    names += ", " + name + " = " + std::to_string(value);
  for (const auto &[name, other] : sameAs)
    names += ", " + name + " is " + other;
  if (misalignment)
    names += ", misaligned";
  bool hasOffset = std::any_of(offset.begin(), offset.end(),
                               [](int64_t value) { return value != 0; });
  return sizes + " work-items in groups of " + groups +
         (hasOffset ? " from " + offsets : "") + names;
}

//===-- The launch --------------------------------------------------------===//

void Interpreter::addSlots(const Function &function) {
  for (const std::unique_ptr<Variable> &variable : function.variables)
    slots.emplace(variable.get(), slots.size());
}

/// Every variable of every function has a place of its own for each work-item:
/// OpenCL C has no recursion.
void Interpreter::prepare(const Function &kernel) {
  kernelFunction = &kernel;
  collectFields();
  addSlots(kernel);
  for (const std::unique_ptr<Function> &function : unit.functions)
    addSlots(*function);
  items = 1;
  for (unsigned d = 0; d < 3; ++d) {
    if (launch.global[d] % launch.local[d])
      throw GiveUp{"groups of different sizes"};
    groupCount[d] = launch.global[d] / launch.local[d];
    items *= static_cast<size_t>(launch.local[d]);
  }
  values.assign(slots.size() * items, Value());
  objectIds.assign(slots.size() * items, -1);
  returned.assign(items, Value());
  for (const std::unique_ptr<Variable> &variable : unit.fileScopeVariables) {
    MemoryObject object;
    object.name = variable->name;
    object.hasData = true;
    object.size = static_cast<int64_t>(variable->type.size);
    result.buffers[variable->name] = memory.addObject(std::move(object));
  }
  bindArguments(kernel);
}

void Interpreter::bindArguments(const Function &kernel) {
  for (const Variable *param : kernel.params) {
    const Type &type = param->type;
    Value value;
    if (type.isPointer() && type.space == AddressSpace::Local) {
      continue; // an object for each group
    } else if (type.isPointer()) {
      auto same = launch.sameAs.find(param->name);
      auto known = result.buffers.find(
          same == launch.sameAs.end() ? param->name : same->second);
      if (known == result.buffers.end()) {
        MemoryObject object;
        object.name = param->name;
        object.hasData = true;
        known = result.buffers
                    .emplace(param->name, memory.addObject(std::move(object)))
                    .first;
        memory.object(known->second).address += launch.misalignment;
      }
      value = {known->second, 0};
    } else if (type.isFloating()) {
      for (unsigned lane = 0; lane < type.lanes; ++lane)
        value.push_back(
            terms.make(param->name, "i", type.scalar, {int64_t(lane)}));
    } else if (type.isInteger()) {
      auto given = launch.integers.find(param->name);
      int64_t number = given == launch.integers.end() ? 3 : given->second;
      for (unsigned lane = 0; lane < type.lanes; ++lane)
        value.push_back(wrapTo(type.scalar, number + lane));
    } else {
      throw GiveUp{"argument '" + param->name + "'"};
    }
    arguments[param] = value;
  }
}

void Interpreter::run(const Function &kernel) {
  prepare(kernel);
  for (int64_t z = 0; z < groupCount[2]; ++z)
    for (int64_t y = 0; y < groupCount[1]; ++y)
      for (int64_t x = 0; x < groupCount[0]; ++x)
        runGroup(kernel, {x, y, z});
}

void Interpreter::runGroup(const Function &kernel,
                           const std::array<int64_t, 3> &ids) {
  group = ids;
  groupNumber = (ids[2] * groupCount[1] + ids[1]) * groupCount[0] + ids[0];
  localPhase = globalPhase = 0;
  for (int64_t id : objectIds)
    if (id >= 0)
      clearObject(id);
  for (Value &value : values)
    value.clear();
  flow.assign(items, Flow::Running);
  Items all(items);
  for (unsigned item = 0; item < items; ++item) {
    all[item] = item;
    for (const auto &[param, value] : arguments) {
      if (isInMemory(*param))
        throw GiveUp{"the address of argument '" + param->name + "'"};
      values[slotOf(param, item)] = value;
    }
  }
  execute(kernel.body, all);
}

//===-- Statements --------------------------------------------------------===//

Items Interpreter::running(const Items &active) const {
  Items rest;
  rest.reserve(active.size());
  for (unsigned item : active)
    if (flow[item] == Flow::Running)
      rest.push_back(item);
  return rest;
}

bool Interpreter::holds(const ExprRef &condition, unsigned item) {
  Value value = evaluate(*condition, item);
  return truth(condition->type, value[0]) != 0;
}

/// The same for a condition that decides what is done.
bool Interpreter::chooses(const ExprRef &condition, unsigned item) {
  bool isTrue = holds(condition, item);
  BranchCoverage &branch = result.branches[condition.get()];
  (isTrue ? branch.whenTrue : branch.whenFalse) = true;
  return isTrue;
}

void Interpreter::executeAll(const std::vector<StmtRef> &list,
                             const Items &active) {
  Items rest = active;
  for (const StmtRef &stmt : list) {
    execute(stmt, rest);
    bool anyLeft = std::any_of(rest.begin(), rest.end(), [&](unsigned item) {
      return flow[item] != Flow::Running;
    });
    if (anyLeft)
      rest = running(rest);
    if (rest.empty())
      return;
  }
}

void Interpreter::execute(const StmtRef &stmt, const Items &active) {
  if (!stmt || active.empty())
    return;
  result.executed.insert(stmt.get());
  current = &stmt->range;
  switch (stmt->kind) {
  case StmtKind::Block:
  case StmtKind::Group:
    return executeAll(stmt->children, active);
  case StmtKind::Decl:
    for (unsigned item : active)
      declare(*stmt, item);
    return;
  case StmtKind::Expr:
    if (callAsStatement(*stmt->expr, active))
      return;
    for (unsigned item : active)
      if (stmt->expr->kind == ExprKind::Call &&
          stmt->expr->effect == CallEffect::Atomic)
        atomic(*stmt->expr, item);
      else
        evaluate(*stmt->expr, item);
    return;
  case StmtKind::If: {
    Items yes, no;
    for (unsigned item : active)
      (chooses(stmt->expr, item) ? yes : no).push_back(item);
    execute(stmt->body, yes);
    return execute(stmt->elseBody, no);
  }
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::Do:
    return executeLoop(*stmt, active);
  case StmtKind::Break:
  case StmtKind::Continue:
    for (unsigned item : active)
      flow[item] = stmt->kind == StmtKind::Break ? Flow::Break : Flow::Continue;
    return;
  case StmtKind::Return:
    for (unsigned item : active) {
      if (stmt->expr)
        returned[item] = evaluate(*stmt->expr, item);
      flow[item] = Flow::Return;
    }
    return;
  case StmtKind::Barrier:
    return barrier(*stmt->expr, active);
  case StmtKind::Null:
    return;
  case StmtKind::Switch:
  case StmtKind::Opaque:
    throw GiveUp{"a statement without a structure"};
  }
}

/// Once through the body; the items that go on.
Items Interpreter::iterate(const Stmt &loop, const Items &active) {
  execute(loop.body, active);
  Items next;
  for (unsigned item : active) {
    if (flow[item] == Flow::Continue)
      flow[item] = Flow::Running;
    if (flow[item] == Flow::Running)
      next.push_back(item);
    else if (flow[item] == Flow::Break)
      flow[item] = Flow::Running;
  }
  current = &loop.range;
  if (loop.inc)
    for (unsigned item : next)
      evaluate(*loop.inc, item);
  return next;
}

void Interpreter::executeLoop(const Stmt &loop, const Items &active) {
  execute(loop.init, active);
  current = &loop.range;
  Items rest = active;
  for (bool isFirst = true; !rest.empty(); isFirst = false) {
    Items entered;
    bool isUnconditional = !loop.expr || (loop.kind == StmtKind::Do && isFirst);
    for (unsigned item : rest)
      if (isUnconditional || chooses(loop.expr, item))
        entered.push_back(item);
    if (entered.empty())
      return;
    rest = iterate(loop, entered);
  }
}

void Interpreter::declare(const Stmt &stmt, unsigned item) {
  const Variable &variable = *stmt.var;
  if (!stmt.text.empty())
    throw GiveUp{"a static variable"};
  if (variable.space == AddressSpace::Local)
    return;
  Place to;
  to.type = &variable.type;
  if (isInMemory(variable)) {
    to.isMemory = true;
    to.object = objectOf(variable, item);
    clearObject(to.object);
  } else {
    to.slot = slotOf(&variable, item);
    values[to.slot].clear();
  }
  if (stmt.expr)
    initialize(to, *stmt.expr, item);
}

void Interpreter::initialize(const Place &to, const Expr &init, unsigned item) {
  if (to.type->kind == TypeKind::Struct && init.kind != ExprKind::InitList)
    return store(to, evaluate(init, item), item);
  if (!to.type->isArray())
    return store(to, convert(evaluate(init, item), init.type, *to.type), item);
  if (init.kind != ExprKind::InitList || !to.type->element)
    throw GiveUp{"an initializer"};
  const Type &element = *to.type->element;
  for (uint64_t i = 0; i < to.type->extent; ++i) {
    Place part = to;
    part.type = &element;
    part.offset += static_cast<int64_t>(i * element.size);
    if (i < init.operands.size()) {
      initialize(part, *init.operands[i], item);
      continue;
    }
    // What is left out is zero.
    if (!element.isScalar())
      throw GiveUp{"an initializer"};
    Value zero = {isFloatKind(element.scalar) ? terms.literal(element.scalar, 0)
                                              : 0};
    store(part, zero, item);
  }
}

void Interpreter::barrier(const Expr &call, const Items &active) {
  if (active.size() != items)
    throw RunFault{"a barrier that not all work-items of a group reach",
                   call.range};
  int64_t flags = 3;
  if (!call.operands.empty())
    flags = scalar(*call.operands[0], active[0]);
  localPhase += (flags & 1) != 0;
  globalPhase += (flags & 2) != 0;
}

//===-- Functions of the file ---------------------------------------------===//

const Function *Interpreter::findFunction(const Expr &call) const {
  for (const std::unique_ptr<Function> &function : unit.functions)
    if (function->name == call.text && function->body &&
        function->params.size() == call.operands.size())
      return function.get();
  return nullptr;
}

/// Calls of functions of the file for all items at once: there may be barriers
/// in them.
bool Interpreter::callAsStatement(const Expr &call, const Items &active) {
  const Function *function =
      call.kind == ExprKind::Call ? findFunction(call) : nullptr;
  if (!function)
    return false;
  for (unsigned item : active) {
    // Arguments may call the function themselves.
    std::vector<Value> given;
    for (const ExprRef &operand : call.operands)
      given.push_back(evaluate(*operand, item));
    for (size_t i = 0; i < given.size(); ++i) {
      if (isInMemory(*function->params[i]))
        throw GiveUp{"the address of a parameter"};
      values[slotOf(function->params[i], item)] = given[i];
    }
  }
  if (++depth > 20)
    throw GiveUp{"deep calls"};
  execute(function->body, active);
  --depth;
  for (unsigned item : active)
    flow[item] = Flow::Running;
  return true;
}

Value Interpreter::callFunction(const Function &function, const Expr &call,
                                unsigned item) {
  (void)function;
  const SourceRange *before = current;
  returned[item].clear();
  callAsStatement(call, {item});
  current = before;
  Value value = returned[item];
  returned[item].clear();
  return value;
}

RunResult runKernel(const TranslationUnit &unit, const Function &kernel,
                    const SmallLaunch &launch, TermStore &terms,
                    uint64_t budget) {
  RunResult result(terms);
  Interpreter interpreter(unit, launch, terms, budget, result);
  try {
    interpreter.run(kernel);
  } catch (const GiveUp &end) {
    result.gaveUp = end.reason;
  } catch (const RunFault &fault) {
    result.fault = fault;
  }
  return result;
}

} // namespace clopt
