//===- KernelInterpreter.cpp - runs a kernel by the letter ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelInterpreter.h"

#include <stdexcept>
#include <tuple>

namespace clopt::test {
namespace {

struct Value {
  enum class Kind { Other, Integer, Pointer };
  Kind kind = Kind::Other;
  int64_t integer = 0;
  const Variable *base = nullptr;
  bool isPointee = false;
  int64_t offset = 0;
};

struct Address {
  const Variable *base = nullptr;
  bool isPointee = false;
  int64_t offset = 0;
  int64_t size = 0;
};

enum class Flow { Next, Break, Continue, Return };

using Key = std::tuple<const Variable *, bool, int64_t>;

class Interpreter {
public:
  Interpreter(const Function &function, const Launch &launched,
              std::vector<Event> &found)
      : kernel(function), launch(launched), events(found) {}

  void runWorkItem() {
    privates.clear();
    for (const Variable *param : kernel.params) {
      Value value;
      if (param->type.isPointer()) {
        value.kind = Value::Kind::Pointer;
        value.base = param;
        value.isPointee = true;
      } else if (param->type.isInteger()) {
        auto given = launch.arguments.find(param->name);
        if (given == launch.arguments.end())
          throw std::runtime_error("no argument " + param->name);
        value = wrap(given->second, param->type);
      }
      privates[{param, false, 0}] = value;
    }
    run(kernel.body);
  }

  Event item;

private:
  static Value integer(int64_t number) {
    Value value;
    value.kind = Value::Kind::Integer;
    value.integer = number;
    return value;
  }

  /// The value a conversion to the type gives.
  static Value wrap(int64_t number, const Type &type) {
    if (type.scalar == ScalarKind::Bool)
      return integer(number != 0);
    unsigned bits = 8 * sizeOf(type.scalar);
    if (bits >= 64)
      return integer(number);
    uint64_t low = static_cast<uint64_t>(number) & ((uint64_t(1) << bits) - 1);
    if (!type.isUnsigned() && (low >> (bits - 1)))
      return integer(static_cast<int64_t>(low) - (int64_t(1) << bits));
    return integer(static_cast<int64_t>(low));
  }

  static bool isWhole(const Type &type) {
    return type.isScalar() && type.isInteger();
  }

  //===-- Events ----------------------------------------------------------===//

  void emit(Event::Kind kind, const Stmt *stmt, const Expr *expr,
            const Address &address) {
    Event event = item;
    event.kind = kind;
    event.stmt = stmt;
    event.expr = expr;
    event.base = address.base;
    event.isPointee = address.isPointee;
    event.offset = address.offset;
    event.size = address.size;
    for (const auto &[key, value] : privates)
      if (value.kind == Value::Kind::Integer && !std::get<1>(key) &&
          std::get<2>(key) == 0)
        event.variables[std::get<0>(key)] = value.integer;
    events.push_back(std::move(event));
  }

  //===-- Memory ----------------------------------------------------------===//

  std::map<Key, Value> &memoryOf(const Address &address) {
    bool isPrivate =
        !address.isPointee && address.base->space == AddressSpace::Private;
    return isPrivate ? privates : shared;
  }

  Value load(const Expr &expr, const Address &address) {
    emit(Event::Kind::Read, nullptr, &expr, address);
    auto &memory = memoryOf(address);
    auto found = memory.find({address.base, address.isPointee, address.offset});
    if (found != memory.end())
      return found->second;
    // Unwritten memory holds small numbers that depend on the address.
    if (isWhole(expr.type))
      return wrap((address.offset / 4 * 7 + 3) % 5, expr.type);
    return {};
  }

  void store(const Expr *expr, const Address &address, const Value &value) {
    emit(Event::Kind::Write, nullptr, expr, address);
    memoryOf(address)[{address.base, address.isPointee, address.offset}] =
        value;
  }

  Address addressOf(const Value &pointer, const Type &pointee) {
    if (pointer.kind != Value::Kind::Pointer)
      throw std::runtime_error("not a pointer");
    int64_t size = pointee.isVector() ? pointee.lanes * sizeOf(pointee.scalar)
                                      : pointee.size;
    return {pointer.base, pointer.isPointee, pointer.offset, size};
  }

  static Value pointerTo(const Address &address) {
    Value value;
    value.kind = Value::Kind::Pointer;
    value.base = address.base;
    value.isPointee = address.isPointee;
    value.offset = address.offset;
    return value;
  }

  Address place(const ExprRef &expr) {
    switch (expr->kind) {
    case ExprKind::VarRef: {
      int64_t size = expr->type.size;
      return {expr->var, false, 0, size};
    }
    case ExprKind::Subscript: {
      Value base = pointerValue(expr->operands[0]);
      Value index = evaluate(expr->operands[1]);
      base.offset +=
          index.integer *
          static_cast<int64_t>(sizeOfPointee(expr->operands[0]->type));
      return addressOf(base, expr->type);
    }
    case ExprKind::Unary:
      if (expr->op == Op::Deref)
        return addressOf(pointerValue(expr->operands[0]), expr->type);
      break;
    case ExprKind::Swizzle:
    case ExprKind::Member:
      return place(expr->operands[0]);
    case ExprKind::Cast:
      return place(expr->operands[0]);
    default:
      break;
    }
    throw std::runtime_error("no lvalue");
  }

  static uint64_t sizeOfPointee(const Type &type) { return type.element->size; }

  Value pointerValue(const ExprRef &expr) {
    if (expr->type.isArray())
      return pointerTo(place(expr));
    return evaluate(expr);
  }

  //===-- Expressions -----------------------------------------------------===//

  int64_t workItem(const Expr &expr) {
    unsigned d = expr.dim;
    switch (expr.query) {
    case WorkItemQuery::GlobalId:
      return item.globalId[d];
    case WorkItemQuery::LocalId:
      return item.localId[d];
    case WorkItemQuery::GroupId:
      return item.groupId[d];
    case WorkItemQuery::GlobalSize:
      return launch.globalSize[d];
    case WorkItemQuery::LocalSize:
    case WorkItemQuery::EnqueuedLocalSize:
      return launch.localSize[d];
    case WorkItemQuery::NumGroups:
      return launch.globalSize[d] / launch.localSize[d];
    case WorkItemQuery::GlobalOffset:
      return launch.globalOffset[d];
    case WorkItemQuery::GlobalLinearId:
      return ((item.globalId[2] - launch.globalOffset[2]) *
                  launch.globalSize[1] +
              item.globalId[1] - launch.globalOffset[1]) *
                 launch.globalSize[0] +
             item.globalId[0] - launch.globalOffset[0];
    case WorkItemQuery::LocalLinearId:
      return (item.localId[2] * launch.localSize[1] + item.localId[1]) *
                 launch.localSize[0] +
             item.localId[0];
    case WorkItemQuery::WorkDim:
      break;
    }
    throw std::runtime_error("work dimension");
  }

  Value binary(Op op, const Type &type, const Type &operandType, int64_t a,
               int64_t b) {
    bool isUnsigned = operandType.isUnsigned();
    uint64_t ua = a, ub = b;
    switch (op) {
    case Op::Add:
      return wrap(ua + ub, type);
    case Op::Sub:
      return wrap(ua - ub, type);
    case Op::Mul:
      return wrap(ua * ub, type);
    case Op::Div:
    case Op::Rem: {
      if (b == 0)
        throw std::runtime_error("division by zero");
      bool isDiv = op == Op::Div;
      if (isUnsigned)
        return wrap(isDiv ? ua / ub : ua % ub, type);
      return wrap(isDiv ? a / b : a % b, type);
    }
    case Op::Shl:
      return wrap(ua << (ub & (8 * sizeOf(type.scalar) - 1)), type);
    case Op::Shr: {
      unsigned amount = ub & (8 * sizeOf(type.scalar) - 1);
      return wrap(isUnsigned ? ua >> amount : a >> amount, type);
    }
    case Op::And:
      return wrap(a & b, type);
    case Op::Or:
      return wrap(a | b, type);
    case Op::Xor:
      return wrap(a ^ b, type);
    case Op::Lt:
      return integer(isUnsigned ? ua < ub : a < b);
    case Op::Le:
      return integer(isUnsigned ? ua <= ub : a <= b);
    case Op::Gt:
      return integer(isUnsigned ? ua > ub : a > b);
    case Op::Ge:
      return integer(isUnsigned ? ua >= ub : a >= b);
    case Op::Eq:
      return integer(a == b);
    case Op::Ne:
      return integer(a != b);
    default:
      throw std::runtime_error("operator");
    }
  }

  Value evaluateBinary(const Expr &expr) {
    const ExprRef &left = expr.operands[0], &right = expr.operands[1];
    if (expr.op == Op::LAnd || expr.op == Op::LOr) {
      bool first = evaluate(left).integer != 0;
      if (first == (expr.op == Op::LOr))
        return integer(first);
      return integer(evaluate(right).integer != 0);
    }
    Value a = left->type.isArray() ? pointerValue(left) : evaluate(left);
    Value b = right->type.isArray() ? pointerValue(right) : evaluate(right);
    if (expr.op == Op::Comma)
      return b;
    if (b.kind == Value::Kind::Pointer)
      std::swap(a, b);
    if (a.kind == Value::Kind::Pointer) {
      int64_t sign = expr.op == Op::Sub ? -1 : 1;
      a.offset +=
          sign * b.integer * static_cast<int64_t>(sizeOfPointee(expr.type));
      return a;
    }
    bool isKnown =
        a.kind == Value::Kind::Integer && b.kind == Value::Kind::Integer;
    if (isKnown && isWhole(expr.type))
      return binary(expr.op, expr.type, left->type, a.integer, b.integer);
    return isWhole(expr.type) ? integer(0) : Value();
  }

  Value step(const Expr &expr) {
    bool isUp = expr.op == Op::PreInc || expr.op == Op::PostInc;
    bool isPrefix = expr.op == Op::PreInc || expr.op == Op::PreDec;
    Address address = place(expr.operands[0]);
    Value before = load(*expr.operands[0], address);
    Value after = before;
    if (before.kind == Value::Kind::Pointer)
      after.offset +=
          (isUp ? 1 : -1) * static_cast<int64_t>(sizeOfPointee(expr.type));
    else if (before.kind == Value::Kind::Integer)
      after = wrap(before.integer + (isUp ? 1 : -1), expr.operands[0]->type);
    store(expr.operands[0].get(), address, after);
    return isPrefix ? after : before;
  }

  Value assign(const Expr &expr) {
    Address address = place(expr.operands[0]);
    Value value = evaluate(expr.operands[1]);
    if (expr.op != Op::None) {
      Value before = load(*expr.operands[0], address);
      if (before.kind == Value::Kind::Pointer) {
        before.offset += (expr.op == Op::Sub ? -1 : 1) * value.integer *
                         static_cast<int64_t>(sizeOfPointee(expr.type));
        value = before;
      } else if (before.kind == Value::Kind::Integer &&
                 value.kind == Value::Kind::Integer) {
        const Type &compute = expr.computeType;
        value = binary(expr.op, compute, compute,
                       wrap(before.integer, compute).integer, value.integer);
        value = wrap(value.integer, expr.operands[0]->type);
      }
    } else if (partOf(expr.operands[0])) {
      load(*expr.operands[0], address);
    }
    store(expr.operands[0].get(), address, value);
    return value;
  }

  /// A component of a private variable is read, changed and written.
  static bool partOf(const ExprRef &target) {
    const Expr *root = target.get();
    while (root->kind == ExprKind::Swizzle ||
           (root->kind == ExprKind::Member && !root->arrow))
      root = root->operands[0].get();
    return root != target.get() && root->kind == ExprKind::VarRef &&
           root->var->space == AddressSpace::Private;
  }

  Value call(const ExprRef &expr) {
    const std::string &name = expr->text;
    if (name.rfind("vload", 0) == 0 || name.rfind("vstore", 0) == 0) {
      bool isStore = name[1] == 's';
      std::vector<Value> values;
      for (const ExprRef &operand : expr->operands)
        values.push_back(evaluate(operand));
      unsigned at = isStore ? 1 : 0;
      int64_t width = std::stoi(name.substr(isStore ? 6 : 5));
      Value pointer = values[at + 1];
      int64_t cell = sizeOfPointee(expr->operands[at + 1]->type);
      pointer.offset += values[at].integer * width * cell;
      Address address = addressOf(pointer, expr->type);
      address.size = width * cell;
      emit(isStore ? Event::Kind::Write : Event::Kind::Read, nullptr,
           expr.get(), address);
      return {};
    }
    std::vector<Value> values;
    for (const ExprRef &operand : expr->operands)
      values.push_back(evaluate(operand));
    if (!isWhole(expr->type) || values.empty() ||
        values[0].kind != Value::Kind::Integer)
      return isWhole(expr->type) ? integer(0) : Value();
    int64_t a = values[0].integer;
    int64_t b = values.size() > 1 ? values[1].integer : 0;
    bool isUnsigned = expr->type.isUnsigned();
    auto less = [&](int64_t x, int64_t y) {
      return isUnsigned ? uint64_t(x) < uint64_t(y) : x < y;
    };
    if (name == "min")
      return integer(less(b, a) ? b : a);
    if (name == "max")
      return integer(less(a, b) ? b : a);
    if (name == "clamp") {
      int64_t low = less(a, b) ? b : a;
      return integer(less(values[2].integer, low) ? values[2].integer : low);
    }
    if (name == "abs")
      return integer(a < 0 ? -a : a);
    if (name == "mul24")
      return wrap(a * b, expr->type);
    if (name == "mad24")
      return wrap(a * b + values[2].integer, expr->type);
    throw std::runtime_error("call of " + name);
  }

  Value evaluate(const ExprRef &expr) {
    if (!expr)
      return {};
    switch (expr->kind) {
    case ExprKind::IntLiteral:
      return integer(expr->intValue);
    case ExprKind::VarRef:
    case ExprKind::Subscript:
    case ExprKind::Swizzle:
    case ExprKind::Member: {
      if (expr->type.isArray())
        return pointerTo(place(expr));
      Address address = place(expr);
      return load(*expr, address);
    }
    case ExprKind::WorkItem:
      return integer(workItem(*expr));
    case ExprKind::Unary:
      return unary(expr);
    case ExprKind::Binary:
      return evaluateBinary(*expr);
    case ExprKind::Assign:
      return assign(*expr);
    case ExprKind::Conditional:
      return evaluate(evaluate(expr->operands[0]).integer != 0
                          ? expr->operands[1]
                          : expr->operands[2]);
    case ExprKind::Call:
      return call(expr);
    case ExprKind::Cast: {
      Value value = expr->operands[0]->type.isArray()
                        ? pointerValue(expr->operands[0])
                        : evaluate(expr->operands[0]);
      if (isWhole(expr->type))
        return value.kind == Value::Kind::Integer
                   ? wrap(value.integer, expr->type)
                   : integer(0);
      return value.kind == Value::Kind::Pointer ? value : Value();
    }
    default:
      for (const ExprRef &operand : expr->operands)
        evaluate(operand);
      return {};
    }
  }

  Value unary(const ExprRef &expr) {
    const ExprRef &operand = expr->operands[0];
    switch (expr->op) {
    case Op::Deref: {
      if (expr->type.isArray())
        return pointerValue(operand);
      return load(*expr, place(expr));
    }
    case Op::AddrOf:
      return pointerTo(place(operand));
    case Op::PreInc:
    case Op::PreDec:
    case Op::PostInc:
    case Op::PostDec:
      return step(*expr);
    default:
      break;
    }
    Value value = evaluate(operand);
    if (!isWhole(expr->type))
      return {};
    switch (expr->op) {
    case Op::Neg:
      return wrap(-value.integer, expr->type);
    case Op::Not:
      return wrap(~value.integer, expr->type);
    case Op::LNot:
      return integer(value.integer == 0);
    default:
      return value;
    }
  }

  //===-- Statements ------------------------------------------------------===//

  Flow runLoop(const Stmt &stmt) {
    if (stmt.kind == StmtKind::For)
      run(stmt.init);
    item.turns[&stmt] = -1;
    for (bool isFirst = true;; isFirst = false) {
      ++item.turns[&stmt];
      bool skipsTest = stmt.kind == StmtKind::Do && isFirst;
      if (!skipsTest && stmt.expr && evaluate(stmt.expr).integer == 0)
        return Flow::Next;
      Flow flow = run(stmt.body);
      if (flow == Flow::Return)
        return flow;
      if (flow == Flow::Break)
        return Flow::Next;
      if (stmt.inc)
        evaluate(stmt.inc);
      const size_t ManyEvents = 100000;
      if (events.size() > ManyEvents)
        throw RunsTooLong();
    }
  }

  Flow run(const StmtRef &stmt) {
    if (!stmt)
      return Flow::Next;
    switch (stmt->kind) {
    case StmtKind::Block:
    case StmtKind::Group:
      for (const StmtRef &child : stmt->children) {
        Flow flow = run(child);
        if (flow != Flow::Next)
          return flow;
      }
      return Flow::Next;
    case StmtKind::Decl:
      if (!stmt->expr)
        return Flow::Next;
      emit(Event::Kind::Statement, stmt.get(), nullptr, {});
      store(nullptr, {stmt->var, false, 0, int64_t(stmt->var->type.size)},
            evaluate(stmt->expr));
      return Flow::Next;
    case StmtKind::Expr:
      emit(Event::Kind::Statement, stmt.get(), nullptr, {});
      evaluate(stmt->expr);
      return Flow::Next;
    case StmtKind::Barrier:
      emit(Event::Kind::Statement, stmt.get(), nullptr, {});
      return Flow::Next;
    case StmtKind::If:
      return run(evaluate(stmt->expr).integer != 0 ? stmt->body
                                                   : stmt->elseBody);
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::Do:
      return runLoop(*stmt);
    case StmtKind::Break:
      return Flow::Break;
    case StmtKind::Continue:
      return Flow::Continue;
    case StmtKind::Return:
      return Flow::Return;
    case StmtKind::Null:
      return Flow::Next;
    default:
      throw std::runtime_error("statement");
    }
  }

  const Function &kernel;
  const Launch &launch;
  std::vector<Event> &events;
  std::map<Key, Value> privates, shared;
};

} // namespace

std::vector<Event> interpret(const Function &kernel, const Launch &launch) {
  std::vector<Event> events;
  Interpreter interpreter(kernel, launch, events);
  std::array<int64_t, 3> id{};
  for (id[2] = 0; id[2] < launch.globalSize[2]; ++id[2])
    for (id[1] = 0; id[1] < launch.globalSize[1]; ++id[1])
      for (id[0] = 0; id[0] < launch.globalSize[0]; ++id[0]) {
        for (unsigned d = 0; d < 3; ++d) {
          interpreter.item.globalId[d] = id[d] + launch.globalOffset[d];
          interpreter.item.groupId[d] = id[d] / launch.localSize[d];
          interpreter.item.localId[d] = id[d] % launch.localSize[d];
        }
        interpreter.runWorkItem();
      }
  return events;
}

} // namespace clopt::test
