//===- Machine.cpp - launches and control of symbolic runs ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-items that leave a loop or the kernel are taken out of the list of the
// active ones until the statement that they leave is over.
//
// Tested by test/unit/KernelRunTest.cpp and ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Machine.h"

#include "Validation/ControlSlice.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace clopt {

int64_t SmallLaunch::work() const {
  int64_t longest = 1;
  for (const auto &entry : integers)
    longest = std::max(longest, entry.second);
  return workItems() *
         (hasShortLoops ? std::min<int64_t>(longest, 4) : longest);
}

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
    names +=
        ", " + name + " is " + other +
        (overlapShift ? " + " + std::to_string(overlapShift) + " bytes" : "");
  if (misalignment)
    names += ", misaligned";
  if (data)
    names += ", other data";
  bool hasOffset = std::any_of(offset.begin(), offset.end(),
                               [](int64_t value) { return value != 0; });
  return sizes + " work-items in groups of " + groups +
         (hasOffset ? " from " + offsets : "") + names;
}

//===-- The launch --------------------------------------------------------===//

bool ZeroedNumbers::allocate(size_t count) {
  constexpr size_t fewNumbers = 1 << 19;
  if (count <= fewNumbers) {
    few.assign(count, 0);
    first = few.data();
    return true;
  }
  using llvm::sys::Memory;
  std::error_code error;
  many = llvm::sys::OwningMemoryBlock(
      Memory::allocateMappedMemory(count * sizeof(int64_t), nullptr,
                                   Memory::MF_READ | Memory::MF_WRITE, error));
  first = static_cast<int64_t *>(many.base());
  return !error;
}

void Machine::fill(int32_t target, int64_t value) {
  if (target < 0) // it was cut
    return;
  std::fill_n(reg(target), items, value);
  if (result.tracesUnset)
    std::fill_n(unsetBits(target), items, 0);
}

void Machine::prepare() {
  items = 1;
  for (unsigned d = 0; d < 3; ++d) {
    if (launch.local[d] < 1 || launch.global[d] % launch.local[d])
      throw GiveUp{"groups of different sizes"};
    groupCount[d] = launch.global[d] / launch.local[d];
    items *= static_cast<size_t>(launch.local[d]);
  }
  constexpr size_t maxValues = 1 << 23;
  if (items * static_cast<size_t>(code.registers) > maxValues ||
      items * code.objects.size() > maxValues / 128)
    throw GiveUp{"too much memory"};
  const size_t numbers = items * static_cast<size_t>(code.registers);
  if (!registers.allocate(numbers) ||
      (result.tracesUnset && !unsetRegisters.allocate(numbers)))
    throw GiveUp{"too much memory"};
  flow.assign(items, Flow::Running);
  isRunning.assign(code.functions.size(), 0);
  for (const CodeSymbol &symbol : code.symbols)
    symbols.push_back(terms.symbol(symbol.name, symbol.signature));
  for (const CodeConstant &constant : code.constants)
    fill(constant.dst, isFloatKind(constant.kind)
                           ? terms.literal(constant.kind, constant.number)
                           : constant.integer);
  addHandles();
  addFileVariables();
  addBuffers();
  addObjects();
}

/// Zeros where the initializer says nothing; made-up data when it is not known.
static void setConstant(Memory &memory, TermStore &terms, int64_t address,
                        const Variable &variable) {
  Accessor nobody;
  nobody.item = -1;
  auto bytes = static_cast<int64_t>(variable.type.size);
  std::map<int64_t, const ConstantScalar *> given;
  for (const ConstantScalar &scalar : *variable.constant)
    given[static_cast<int64_t>(scalar.offset)] = &scalar;
  for (int64_t at = 0; at < bytes;) {
    auto known = scalarAt(variable.type, at);
    if (!known || known->first != at) {
      ++at;
      continue;
    }
    auto found = given.find(at);
    ScalarKind kind = known->second;
    bool isGiven = found != given.end();
    int64_t value =
        isFloatKind(kind)
            ? terms.literal(kind, isGiven ? found->second->number : 0)
        : isGiven ? wrapTo(kind, found->second->integer)
                  : 0;
    memory.store(address + at, kind, value, nobody);
    at += sizeOf(kind);
  }
}

void Machine::addFileVariables() {
  for (const auto &[variable, target] : code.fileVariables) {
    MemoryObject object;
    object.name = variable->name;
    object.type = variable->type;
    object.hasData = true;
    object.size = static_cast<int64_t>(variable->type.size);
    int64_t id = memory.addObject(std::move(object));
    int64_t address = memory.object(id).address;
    constexpr uint64_t largest = 1 << 20;
    if (variable->constant && variable->type.size <= largest) {
      setConstant(memory, terms, address, *variable);
      memory.forgetWrites(id);
    }
    // Nothing changes constants, and their size is known.
    if (variable->space != AddressSpace::Constant)
      result.buffers[variable->name] = id;
    fill(target, address);
  }
}

bool canBegin(const Type &element, int64_t address) {
  bool isPlain = element.isScalar() || element.isVector();
  int64_t size = isPlain ? static_cast<int64_t>(element.size) : 8;
  return address % std::max<int64_t>(size, 1) == 0;
}

/// The name that stands for what the parameter is given.
const std::string &Machine::given(const Variable &param) const {
  auto other = launch.given.find(param.name);
  return other == launch.given.end() ? param.name : other->second;
}

/// Images and samplers. What is read of them is a function of their addresses,
/// so they come before all that two forms of a kernel do not share.
void Machine::addHandles() {
  for (const CodeParam &param : code.params) {
    const std::string &name = given(*param.variable);
    if (param.variable->type.kind != TypeKind::Opaque ||
        result.buffers.count(name) != 0)
      continue;
    MemoryObject object;
    object.name = name;
    object.hasData = true;
    result.buffers[name] = memory.addObject(std::move(object));
  }
}

void Machine::addBuffers() {
  for (const CodeParam &param : code.params) {
    const Type &type = param.variable->type;
    const std::string &name = given(*param.variable);
    if (!type.isPointer() || type.space == AddressSpace::Local)
      continue;
    auto same = launch.sameAs.find(name);
    auto known =
        result.buffers.find(same == launch.sameAs.end() ? name : same->second);
    if (known != result.buffers.end())
      continue;
    MemoryObject object;
    object.name = name;
    if (type.element)
      object.type = *type.element;
    object.hasData = true;
    auto integers = launch.integersIn.find(name);
    if (integers != launch.integersIn.end())
      object.integers = integers->second;
    if (type.element)
      addGiven(name, *type.element, object);
    object.address = launch.misalignment;
    result.buffers[name] = memory.addObject(std::move(object));
  }
  addresses.assign(code.params.size(), 0);
  for (size_t i = 0; i < code.params.size(); ++i) {
    const CodeParam &param = code.params[i];
    const Type &type = param.variable->type;
    const std::string &name = given(*param.variable);
    if (type.isPointer() && type.space == AddressSpace::Local) {
      MemoryObject object;
      object.name = name;
      object.scope = MemoryObject::Scope::Group;
      if (type.element)
        object.type = *type.element;
      addresses[i] = memory.object(memory.addObject(std::move(object))).address;
    } else if (type.isPointer() || type.kind == TypeKind::Opaque) {
      auto same = launch.sameAs.find(name);
      auto known = result.buffers.find(
          same == launch.sameAs.end() ? name : same->second);
      if (known == result.buffers.end())
        throw GiveUp{"argument '" + name + "'"};
      int64_t shift = same == launch.sameAs.end() ? 0 : launch.overlapShift;
      addresses[i] = memory.object(known->second).address + shift;
      if (type.element && !canBegin(*type.element, addresses[i]))
        throw GiveUp{"'" + name + "' begins where its elements cannot"};
    }
  }
}

void Machine::addObjects() {
  for (const CodeObject &declared : code.objects) {
    for (uint32_t item = 0; item < items; ++item) {
      if (item > 0 && declared.isGroups) {
        reg(declared.address)[item] = reg(declared.address)[0];
        continue;
      }
      MemoryObject object;
      object.name = declared.name;
      object.type = declared.type;
      object.size = declared.size;
      object.scope = declared.isGroups ? MemoryObject::Scope::Group
                                       : MemoryObject::Scope::Item;
      reg(declared.address)[item] =
          memory.object(memory.addObject(std::move(object))).address;
    }
  }
}

int64_t Machine::query(const CodeQuery &asked, uint32_t item) const {
  unsigned d = asked.dim;
  int64_t rest = item, local[3];
  for (unsigned i = 0; i < 3; ++i) {
    local[i] = rest % launch.local[i];
    rest /= launch.local[i];
  }
  auto id = [&](unsigned i) { return group[i] * launch.local[i] + local[i]; };
  switch (asked.query) {
  case WorkItemQuery::GlobalId:
    return launch.offset[d] + id(d);
  case WorkItemQuery::LocalId:
    return local[d];
  case WorkItemQuery::GroupId:
    return group[d];
  case WorkItemQuery::GlobalSize:
    return launch.global[d];
  case WorkItemQuery::LocalSize:
  case WorkItemQuery::EnqueuedLocalSize:
    return launch.local[d];
  case WorkItemQuery::NumGroups:
    return groupCount[d];
  case WorkItemQuery::GlobalOffset:
    return launch.offset[d];
  case WorkItemQuery::WorkDim:
    return launch.dimensions;
  case WorkItemQuery::GlobalLinearId:
    return (id(2) * launch.global[1] + id(1)) * launch.global[0] + id(0);
  case WorkItemQuery::LocalLinearId:
    return item;
  }
  return 0;
}

/// What only depends on the launch and the work-item stays from the group
/// before.
void Machine::answer(const CodeQuery &asked) {
  int64_t *to = reg(asked.dst);
  const bool isGroups = asked.query == WorkItemQuery::GlobalId ||
                        asked.query == WorkItemQuery::GroupId ||
                        asked.query == WorkItemQuery::GlobalLinearId;
  if (groupNumber > 0 && !isGroups)
    return;
  const bool isItems = asked.query == WorkItemQuery::GlobalId ||
                       asked.query == WorkItemQuery::LocalId ||
                       asked.query == WorkItemQuery::GlobalLinearId ||
                       asked.query == WorkItemQuery::LocalLinearId;
  if (!isItems)
    return fill(asked.dst, query(asked, 0));
  for (uint32_t item = 0; item < items; ++item)
    to[item] = query(asked, item);
}

void Machine::run() {
  executed.assign(code.statements.size(), 0);
  branches.assign(code.branches.size(), BranchCoverage());
  edges.assign(code.branches.size(), EdgeCoverage());
  prepare();
  if (observer) {
    for (int64_t number : chosenGroups) {
      group = {number % groupCount[0], number / groupCount[0] % groupCount[1],
               number / groupCount[0] / groupCount[1]};
      observer->beginGroup(result.steps);
      try {
        runGroup();
      } catch (const RunObserver::Enough &) {
        isRunning.assign(code.functions.size(), 0);
      }
    }
    return;
  }
  for (group[2] = 0; group[2] < groupCount[2]; ++group[2])
    for (group[1] = 0; group[1] < groupCount[1]; ++group[1])
      for (group[0] = 0; group[0] < groupCount[0]; ++group[0])
        runGroup();
}

void Machine::runGroup() {
  groupNumber =
      (group[2] * groupCount[1] + group[1]) * groupCount[0] + group[0];
  localPhase = globalPhase = 0;
  flow.assign(items, Flow::Running);
  stopped = 0;
  for (int64_t id = 1; id <= memory.objectCount(); ++id)
    if (memory.object(id).scope != MemoryObject::Scope::Launch)
      memory.object(id).cells.clear();
  for (const CodeQuery &asked : code.queries)
    answer(asked);
  Items all;
  all.areAll = true;
  all.list.resize(items);
  for (uint32_t item = 0; item < items; ++item)
    all.list[item] = item;
  setArguments(all);
  runBlock(code.functions[0].body, all);
}

/// Integers at fixed places of a buffer that the launch gives: `p->n`,
/// `p[1].size.x`, `sizes[2]`.
void Machine::addGiven(const std::string &name, const Type &element,
                       MemoryObject &object) const {
  for (const auto &[path, value] : launch.integers) {
    llvm::StringRef rest = path;
    uint64_t index = 0;
    if (!rest.consume_front(name))
      continue;
    const bool isFirst = rest.consume_front("->");
    if (!isFirst &&
        (!rest.consume_front("[") || rest.consumeInteger(10, index) ||
         !rest.consume_front("]")))
      continue;
    rest.consume_front(".");
    const Type *type = &element;
    auto offset = static_cast<int64_t>(index * element.size);
    while (!rest.empty() && type->kind == TypeKind::Struct && type->fields) {
      auto [field, below] = rest.split('.');
      const auto found =
          llvm::find_if(*type->fields, [&, own = field](const Field &each) {
            return own == each.name;
          });
      if (found == type->fields->end())
        break;
      offset += static_cast<int64_t>(found->offset);
      type = &found->type;
      rest = below;
    }
    if (rest.empty() && type->isScalar())
      object.given[offset] = value;
  }
}

/// Integers in a structure that the launch gives.
void Machine::setFields(const std::string &name, const Type &type,
                        int64_t address) {
  if (type.kind != TypeKind::Struct || !type.fields)
    return;
  for (const Field &field : *type.fields) {
    const std::string part = name + "." + field.name;
    const int64_t at = address + static_cast<int64_t>(field.offset);
    auto given = launch.integers.find(part);
    if (given != launch.integers.end() && field.type.isScalar() &&
        field.type.isInteger())
      memory.store(at, field.type.scalar,
                   wrapTo(field.type.scalar, given->second), Accessor());
    setFields(part, field.type, at);
  }
}

/// Parameters are variables, which the kernel may change.
void Machine::setArguments(const Items &all) {
  for (size_t i = 0; i < code.params.size(); ++i) {
    const CodeParam &param = code.params[i];
    const Type &type = param.variable->type;
    const std::string &name = given(*param.variable);
    if (type.isPointer() || type.kind == TypeKind::Opaque) {
      fill(param.values[0], addresses[i]);
    } else if (type.isFloating()) {
      const auto whole = launch.integers.find(name);
      const bool isWhole = whole != launch.integers.end();
      for (unsigned lane = 0; lane < type.lanes; ++lane)
        fill(param.values[lane],
             isWhole ? terms.argument(name, type.scalar,
                                      static_cast<double>(whole->second))
                     : terms.make(name, "i", type.scalar, {int64_t(lane)}));
    } else if (type.isInteger()) {
      auto given = launch.integers.find(name);
      int64_t number = given == launch.integers.end() ? 3 : given->second;
      for (unsigned lane = 0; lane < type.lanes; ++lane) {
        auto part = launch.integers.end();
        if (type.isVector() && lane < 4)
          part = launch.integers.find(name + "." + "xyzw"[lane]);
        fill(param.values[lane],
             wrapTo(type.scalar, part == launch.integers.end() ? number + lane
                                                               : part->second));
      }
    } else if (type.kind == TypeKind::Struct) {
      // The variable is in memory, and its value made-up data.
      each(all, [&](uint32_t item) {
        int64_t offset = 0;
        memory.at(reg(param.address)[item], offset)->hasData = true;
        setFields(name, type, reg(param.address)[item]);
      });
      continue;
    }
    if (param.address < 0)
      continue;
    ScalarKind kind =
        type.isScalar() || type.isVector() ? type.scalar : ScalarKind::ULong;
    each(all, [&](uint32_t item) {
      for (size_t lane = 0; lane < param.values.size(); ++lane)
        memory.store(reg(param.address)[item] +
                         static_cast<int64_t>(lane * sizeOf(kind)),
                     kind, reg(param.values[lane])[item], Accessor());
    });
  }
}

//===-- Control -----------------------------------------------------------===//

void Machine::runBlock(int32_t number, const Items &active) {
  if (number < 0 || active.list.empty())
    return;
  const Block &block = code.blocks[static_cast<size_t>(number)];
  if (observer)
    observer->enter(block, active);
  runPart(block, 0, active);
  if (observer)
    observer->leave(block);
}

void Machine::runPart(const Block &block, size_t begin, const Items &active) {
  for (size_t at = begin; at < block.size(); ++at) {
    const Instr &instr = block[at];
    spend(active.list.size());
    switch (instr.op) {
    case Opcode::Skipped:
      spend((stepsWithin(instr) - 1) * active.list.size());
      result.skipped += stepsWithin(instr) * active.list.size();
      if (observer && instr.count)
        observer->compute(&code.pool[static_cast<size_t>(instr.arguments)],
                          active);
      continue;
    case Opcode::Executed:
      executed[static_cast<size_t>(instr.imm)] = 1;
      continue;
    case Opcode::Compared:
      noteComparison(instr, active);
      continue;
    case Opcode::Noted:
      noteBranch(instr, active);
      continue;
    case Opcode::If:
      choose(instr, active);
      break;
    case Opcode::Loop:
      loop(instr, active);
      break;
    case Opcode::Break:
      return jump(Flow::Break, active);
    case Opcode::Continue:
      return jump(Flow::Continue, active);
    case Opcode::Return:
      return jump(Flow::Return, active);
    case Opcode::Call:
      call(instr, active);
      continue;
    case Opcode::Barrier:
      barrier(instr, active);
      continue;
    case Opcode::GiveUp:
      throw GiveUp{code.reasons[static_cast<size_t>(instr.imm)]};
    default:
      if (observer && isAccess(instr.op))
        observer->access(instr, active, reg(instr.a), memory);
      if (instr.op == Opcode::Touch)
        continue;
      if (result.tracesUnset)
        trace(instr, active);
      if (!runInteger(instr, active))
        runValue(instr, active);
      continue;
    }
    if (stopped == 0)
      continue;
    Items rest;
    for (uint32_t item : active.list)
      if (flow[item] == Flow::Running)
        rest.list.push_back(item);
    if (rest.list.size() == active.list.size())
      continue;
    if (!rest.list.empty())
      runPart(block, at + 1, rest);
    return;
  }
}

void Machine::jump(Flow to, const Items &active) {
  for (uint32_t item : active.list)
    flow[item] = to;
  stopped += active.list.size();
}

/// How close the comparison came to the other way, for somebody.
void Machine::noteComparison(const Instr &instr, const Items &active) {
  EdgeCoverage &edge = edges[static_cast<size_t>(instr.imm)];
  if (edge.toFalse == 0 && edge.toTrue == 0)
    return;
  auto how = static_cast<Opcode>(instr.count);
  const bool isLess = how == Opcode::Lt || how == Opcode::Le;
  const int64_t least = how == Opcode::Le || how == Opcode::Ge ? 0 : 1;
  const int64_t *x = reg(instr.a), *y = reg(instr.b);
  const int64_t *decides = instr.c >= 0 ? reg(instr.c) : nullptr;
  for (uint32_t item : active.list) {
    if (decides && !decides[item])
      continue;
    // How far the smaller one is below the other, if the order holds.
    int64_t low = x[item], high = y[item];
    if (!isLess)
      std::swap(low, high);
    int64_t gap = advanced(high, low, -1);
    edge.differences |=
        std::min(low, high) < firstAddress ? 1 : static_cast<uint64_t>(gap);
    if (isFloatKind(instr.kind)) // only whether they are equal
      gap = (terms.value(low) < terms.value(high)) -
            (terms.value(high) < terms.value(low));
    if (gap >= least)
      edge.toFalse = std::min(edge.toFalse, static_cast<uint64_t>(gap - least));
    else
      edge.toTrue = std::min(edge.toTrue, static_cast<uint64_t>(least - 1) -
                                              static_cast<uint64_t>(gap));
  }
}

/// How a part of a condition came out that was evaluated as a whole.
void Machine::noteBranch(const Instr &instr, const Items &active) {
  BranchCoverage &branch = branches[static_cast<size_t>(instr.imm)];
  if (branch.whenTrue && branch.whenFalse)
    return;
  const int64_t *value = reg(instr.a);
  const int64_t *reached = instr.b >= 0 ? reg(instr.b) : nullptr;
  for (uint32_t item : active.list)
    if (!reached || reached[item])
      (value[item] ? branch.whenTrue : branch.whenFalse) = true;
}

/// Who finds the condition true, and who not. False when all agree: then the
/// lists are not set, but for one of them that is marked as the whole.
bool Machine::split(const Instr &instr, const Items &active, Items &yes,
                    Items &no) {
  const int64_t *condition = reg(instr.a);
  bool isFloat = isFloatKind(instr.kind);
  if (result.tracesUnset)
    noteDecision(instr.a, active);
  auto holds = [&](uint32_t item) {
    return isFloat ? terms.value(condition[item]) != 0 : condition[item] != 0;
  };
  size_t count = 0;
  for (uint32_t item : active.list)
    count += holds(item);
  BranchCoverage &branch = branches[static_cast<size_t>(instr.imm)];
  branch.whenTrue |= count > 0;
  branch.whenFalse |= count < active.list.size();
  if (count == 0 || count == active.list.size()) {
    (count ? yes : no).areAll = true;
    return false;
  }
  yes.list.reserve(count);
  no.list.reserve(active.list.size() - count);
  for (uint32_t item : active.list)
    (holds(item) ? yes : no).list.push_back(item);
  return true;
}

void Machine::choose(const Instr &instr, const Items &active) {
  Items yes, no;
  if (!split(instr, active, yes, no))
    return runBlock(yes.areAll ? instr.body : instr.other, active);
  runBlock(instr.body, yes);
  runBlock(instr.other, no);
}

void Machine::loop(const Instr &instr, const Items &active) {
  Items rest = active;
  uint64_t iterations = 0;
  for (bool isFirst = true; !rest.list.empty(); isFirst = false) {
    iterations += rest.list.size();
    if (iterations > result.iterations) {
      result.iterations = iterations;
      result.longestLoop = instr.range;
    }
    spend(rest.list.size());
    if (instr.a >= 0 && !(instr.flag && isFirst)) {
      runBlock(instr.other, rest);
      Items yes, no;
      if (split(instr, rest, yes, no))
        rest = std::move(yes);
      else if (!yes.areAll)
        return;
    }
    runBlock(instr.body, rest);
    if (stopped != 0) {
      Items next;
      for (uint32_t item : rest.list) {
        bool isOver = flow[item] == Flow::Break;
        if (isOver || flow[item] == Flow::Continue) {
          flow[item] = Flow::Running;
          --stopped;
        }
        if (!isOver && flow[item] == Flow::Running)
          next.list.push_back(item);
      }
      if (next.list.size() != rest.list.size())
        rest = std::move(next);
    }
    runBlock(instr.step, rest);
  }
}

void Machine::call(const Instr &instr, const Items &active) {
  auto number = static_cast<size_t>(instr.imm);
  if (isRunning[number])
    throw GiveUp{"a recursive function"};
  isRunning[number] = 1;
  runBlock(code.functions[number].body, active);
  isRunning[number] = 0;
  if (stopped == 0)
    return;
  for (uint32_t item : active.list) {
    stopped -= flow[item] != Flow::Running;
    flow[item] = Flow::Running;
  }
}

void Machine::barrier(const Instr &instr, const Items &active) {
  if (active.list.size() != items)
    throw RunFault{"a barrier that not all work-items of a group reach",
                   instr.range ? *instr.range : SourceRange()};
  int64_t fences = reg(instr.a)[active.list[0]];
  localPhase += (fences & 1) != 0;
  globalPhase += (fences & 2) != 0;
}

void Machine::finish() {
  for (size_t i = 0; i < executed.size(); ++i)
    if (executed[i])
      result.executed.insert(code.statements[i]);
  for (size_t i = 0; i < branches.size(); ++i)
    if (branches[i].whenTrue || branches[i].whenFalse)
      result.branches[code.branches[i]] = branches[i];
  for (size_t i = 0; i < edges.size(); ++i)
    if (edges[i].toTrue != EdgeCoverage::never ||
        edges[i].toFalse != EdgeCoverage::never)
      result.edges[code.branches[i]] = edges[i];
}

//===-- The interface -----------------------------------------------------===//

CompiledKernel::CompiledKernel(const TranslationUnit &unit,
                               const Function &kernel)
    : code(compileKernel(unit, kernel)) {}
CompiledKernel::CompiledKernel(std::unique_ptr<const Code> compiled)
    : code(std::move(compiled)) {}
CompiledKernel::CompiledKernel(CompiledKernel &&other) noexcept = default;
CompiledKernel &
CompiledKernel::operator=(CompiledKernel &&other) noexcept = default;
CompiledKernel::~CompiledKernel() = default;

CompiledKernel CompiledKernel::cut(const TranslationUnit &unit,
                                   const Function &kernel, bool mayOverlap) {
  std::unique_ptr<Code> code = compileKernel(unit, kernel, false);
  cutToControl(*code, mayOverlap);
  return CompiledKernel(std::move(code));
}

RunResult CompiledKernel::run(const SmallLaunch &launch, TermStore &terms,
                              uint64_t budget, uint64_t unsetSeed) const {
  RunResult result(terms);
  result.memory.unsetSeed = unsetSeed;
  runAfter(launch, terms, budget, result);
  return result;
}

RunResult CompiledKernel::trace(const SmallLaunch &launch, TermStore &terms,
                                uint64_t budget) const {
  RunResult result(terms);
  result.tracesUnset = true;
  runAfter(launch, terms, budget, result);
  return result;
}

void CompiledKernel::runAfter(const SmallLaunch &launch, TermStore &terms,
                              uint64_t budget, RunResult &result) const {
  result.memory.endLaunch();
  Machine machine(*code, launch, terms, budget, result);
  try {
    machine.run();
  } catch (const GiveUp &end) {
    result.gaveUp = end.reason;
  } catch (const RunFault &fault) {
    result.fault = fault;
  }
  machine.finish();
}

RunResult runKernel(const TranslationUnit &unit, const Function &kernel,
                    const SmallLaunch &launch, TermStore &terms,
                    uint64_t budget) {
  return CompiledKernel(unit, kernel).run(launch, terms, budget);
}

} // namespace clopt
