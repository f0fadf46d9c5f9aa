//===- ControlSlice.cpp - what decides the way through a kernel -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backward slice without an order of instructions: a register is needed if
// some needed instruction reads it, and then all that write it are. The same
// with memory, by the objects that pointers may lead to (Andersen, Program
// analysis and specialization for the C programming language, 1994, without
// what memory holds: a pointer that was stored leads anywhere).
//
// Tested by test/unit/ControlSliceTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/ControlSlice.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>

#include <algorithm>

namespace clopt {

namespace {

class Slicer {
public:
  Slicer(Code &cut, bool mayOverlap, bool keepsAccesses)
      : code(cut), isOneBuffer(mayOverlap), hasCosts(keepsAccesses) {}

  void run();

private:
  /// Objects by number; the first bit is for those that are not known.
  using Objects = llvm::BitVector;

  void numberObjects();
  bool follow(const Instr &instr);
  bool add(int32_t to, int32_t from);
  Objects reachedFrom(int32_t address) const;
  bool isRead(const Objects &objects) const;
  bool isNeeded(const Instr &instr) const;
  bool need(const Instr &instr);
  bool needRegister(int32_t number);
  void cutBlock(Block &block);
  void touch(Instr &instr);
  void cutTables();
  int32_t newNumber(int32_t number);
  void renumber(Instr &instr);
  template <typename Function> bool forEachInstr(Function work) {
    bool isChanged = false;
    for (const Block &block : code.blocks)
      for (const Instr &instr : block)
        isChanged |= work(instr);
    return isChanged;
  }
  int32_t argument(const Instr &instr, unsigned i) const {
    return code.pool[static_cast<size_t>(instr.arguments) + i];
  }

  Code &code;
  const bool isOneBuffer, hasCosts;
  std::vector<Objects> leadsTo; ///< by register
  unsigned objects = 1;
  std::vector<char> needed; ///< by register
  Objects read;             ///< objects of which the contents matter
  std::vector<int32_t> numbers;
  int32_t used = 0, unused = -1; ///< registers; one that nobody reads
};

} // namespace

static bool isControl(Opcode op) {
  switch (op) {
  case Opcode::Compared:
  case Opcode::Noted:
  case Opcode::WaitAsync:
  case Opcode::Executed:
  case Opcode::If:
  case Opcode::Loop:
  case Opcode::Break:
  case Opcode::Continue:
  case Opcode::Return:
  case Opcode::Call:
  case Opcode::Barrier:
  case Opcode::GiveUp:
    return true;
  default:
    return false;
  }
}

/// Whether the next instructions may run for other work-items, or not at all.
static bool endsRun(Opcode op) {
  return isControl(op) && op != Opcode::Compared && op != Opcode::Noted &&
         op != Opcode::Executed && op != Opcode::WaitAsync;
}

static bool isWrite(Opcode op) {
  return op == Opcode::Store || op == Opcode::CopyBytes ||
         op == Opcode::Clear || op == Opcode::Atomic || op == Opcode::AsyncCopy;
}

//===-- Pointers ----------------------------------------------------------===//

void Slicer::numberObjects() {
  std::vector<std::pair<int32_t, unsigned>> first; // register, object
  unsigned buffers = 0;
  for (const CodeParam &param : code.params) {
    const Type &type = param.variable->type;
    const bool isLocal = type.isPointer() && type.space == AddressSpace::Local;
    if (!type.isPointer() && type.kind != TypeKind::Opaque)
      continue;
    if (!isLocal && isOneBuffer && buffers == 0)
      buffers = objects++;
    first.emplace_back(param.values[0],
                       !isLocal && isOneBuffer ? buffers : objects++);
  }
  for (const auto &entry : code.fileVariables)
    first.emplace_back(entry.second, objects++);
  for (const CodeObject &object : code.objects)
    first.emplace_back(object.address, objects++);
  leadsTo.assign(static_cast<size_t>(code.registers), Objects(objects));
  for (const auto &[number, object] : first)
    leadsTo[static_cast<size_t>(number)].set(object);
}

bool Slicer::add(int32_t to, int32_t from) {
  if (to < 0 || from < 0)
    return false;
  Objects &known = leadsTo[static_cast<size_t>(to)];
  const Objects &more = leadsTo[static_cast<size_t>(from)];
  if (!more.test(known)) // nothing but what is known
    return false;
  known |= more;
  return true;
}

/// What the results may point to; true when that is new.
bool Slicer::follow(const Instr &instr) {
  auto addAnything = [&](int32_t to) {
    Objects &known = leadsTo[static_cast<size_t>(to)];
    const bool isNew = !known.test(0);
    known.set(0);
    return isNew;
  };
  bool isNew = false;
  switch (instr.op) {
  case Opcode::Advance:
    return add(instr.dst, instr.a);
  case Opcode::Select:
    isNew = add(instr.dst, instr.b);
    return add(instr.dst, instr.c) || isNew;
  case Opcode::Pick:
    for (unsigned i = 0; i < instr.count; ++i)
      isNew |= add(instr.dst, argument(instr, i));
    return isNew;
  case Opcode::Load:
    if (sizeOf(instr.kind) == 8 && !isFloatKind(instr.kind))
      for (unsigned i = 0; i < instr.count; ++i)
        isNew |= addAnything(argument(instr, i));
    return isNew;
  case Opcode::Atomic:
  case Opcode::Hash:
    return sizeOf(instr.kind) == 8 && addAnything(instr.dst);
  case Opcode::Lt:
  case Opcode::Le:
  case Opcode::Gt:
  case Opcode::Ge:
  case Opcode::Eq:
  case Opcode::Ne:
  case Opcode::IsZero:
  case Opcode::Distance:
    return false;
  default:
    isNew = add(instr.dst, instr.a);
    return add(instr.dst, instr.b) || isNew;
  }
}

Slicer::Objects Slicer::reachedFrom(int32_t address) const {
  Objects result = leadsTo[static_cast<size_t>(address)];
  if (result.none())
    result.set(0);
  return result;
}

bool Slicer::isRead(const Objects &some) const {
  return some.test(0) || read.test(0) ? read.any() : read.anyCommon(some);
}

//===-- What is needed ----------------------------------------------------===//

bool Slicer::isNeeded(const Instr &instr) const {
  // How far a copy of the group goes is known when it runs.
  if (isControl(instr.op) || instr.op == Opcode::AsyncCopy)
    return true;
  auto isUsed = [&](int32_t number) {
    return number >= 0 && needed[static_cast<size_t>(number)];
  };
  if (isUsed(instr.dst))
    return true;
  for (unsigned i = 0; i < resultCount(instr); ++i)
    if (isUsed(argument(instr, i)))
      return true;
  return isWrite(instr.op) && isRead(reachedFrom(instr.a));
}

bool Slicer::needRegister(int32_t number) {
  if (number < 0 || needed[static_cast<size_t>(number)])
    return false;
  needed[static_cast<size_t>(number)] = 1;
  return true;
}

/// Marks what the instruction reads; true when something was not marked.
bool Slicer::need(const Instr &instr) {
  if (!isNeeded(instr))
    return hasCosts && isAccess(instr.op) && needRegister(instr.a);
  bool isNew = false;
  for (int32_t number : {instr.a, instr.b, instr.c})
    isNew |= needRegister(number);
  // A texel stays what it was where the image is not known.
  const unsigned results = instr.op == Opcode::Load ? instr.count : 0;
  for (unsigned i = results; i < instr.count; ++i)
    if (instr.op != Opcode::Compared)
      isNew |= needRegister(argument(instr, i));
  auto readFrom = [&](int32_t address) {
    const Objects more = reachedFrom(address);
    if (!more.test(read))
      return;
    read |= more;
    isNew = true;
  };
  if (instr.op == Opcode::Load || instr.op == Opcode::Atomic)
    readFrom(instr.a);
  else if (instr.op == Opcode::CopyBytes ||
           (instr.op == Opcode::AsyncCopy && isRead(reachedFrom(instr.a))))
    readFrom(instr.b);
  else if (instr.op == Opcode::Texel && !read.test(0)) {
    read.set(0);
    isNew = true;
  }
  return isNew;
}

//===-- Work --------------------------------------------------------------===//

namespace {

/// Counts the operations of a block that are cut.
class WorkCounter {
public:
  explicit WorkCounter(Code &cut) : code(cut) {}
  void add(const Instr &instr);
  /// Sets the counts since the last time.
  void giveTo(Instr &skipped);

private:
  Code &code;
  std::array<int32_t, workKinds> counts = {};
  int32_t products[2] = {0, 0}, sums[2] = {0, 0}; ///< single and double
  llvm::DenseMap<int32_t, int32_t> depth;         ///< of what registers hold
};

} // namespace

/// Counts one operation that is not part of a sum of products.
static Work kindOfWork(const Instr &instr) {
  return isFloatKind(instr.kind) || isFloatKind(instr.from) ? Work::Float
                                                            : Work::Integer;
}

/// Operations of a function besides one of a unit for functions.
static int32_t operationsOf(const std::string &name) {
  auto starts = [&](const char *prefix) { return name.rfind(prefix, 0) == 0; };
  if (starts("native_") || starts("half_"))
    return 0;
  if (name == "/" || starts("sqrt") || starts("rsqrt"))
    return 6;
  if (starts("exp") || starts("log"))
    return 8;
  return 20;
}

void WorkCounter::add(const Instr &instr) {
  int32_t longest = 0;
  auto follow = [&](int32_t number) {
    if (auto known = depth.find(number); known != depth.end())
      longest = std::max(longest, known->second);
  };
  follow(instr.a);
  follow(instr.b);
  follow(instr.c);
  const unsigned results = resultCount(instr);
  for (unsigned i = results; i < instr.count; ++i)
    follow(code.pool[static_cast<size_t>(instr.arguments) + i]);
  auto count = [&](Work kind, int32_t many = 1) {
    counts[static_cast<size_t>(kind)] += many;
  };
  int32_t own = 1;
  switch (instr.op) {
  case Opcode::Copy:
  case Opcode::Unset:
  case Opcode::Reinterpret:
  case Opcode::Load:
  case Opcode::Store:
  case Opcode::Offset:
  case Opcode::Advance:
  case Opcode::NoteWhole:
  case Opcode::Clear:
  case Opcode::CopyBytes:
    own = 0;
    break;
  case Opcode::Term: {
    const std::string &name = code.symbols[static_cast<size_t>(instr.imm)].name;
    const bool isDouble = instr.kind == ScalarKind::Double;
    const bool isPlain = name == "min" || name == "max" || name == "fmin" ||
                         name == "fmax" || name == "fabs" || name == "clamp" ||
                         name == "fma" || name == "mad";
    if (name == "*") {
      ++products[isDouble];
      own = 0; // the sum that it goes into takes it along
    } else if (name == "+" || name == "-") {
      ++sums[isDouble];
    } else if (isPlain || name.rfind("convert", 0) == 0) {
      count(isDouble ? Work::Double : Work::Float);
    } else {
      count(Work::Special);
      own = 4 + operationsOf(name);
      count(isDouble ? Work::Double : Work::Float,
            operationsOf(name) * (isDouble ? 2 : 1));
    }
    break;
  }
  case Opcode::Div:
  case Opcode::Rem:
    count(Work::Integer, 16);
    own = 16;
    break;
  default:
    count(instr.kind == ScalarKind::Double ? Work::Double : kindOfWork(instr));
  }
  if (instr.dst >= 0)
    depth[instr.dst] = longest + own;
  for (unsigned i = 0; i < results; ++i)
    depth[code.pool[static_cast<size_t>(instr.arguments) + i]] = longest;
  int32_t &chain = counts[static_cast<size_t>(Work::Chain)];
  chain = std::max(chain, longest + own);
}

void WorkCounter::giveTo(Instr &skipped) {
  counts[static_cast<size_t>(Work::Float)] += std::max(products[0], sums[0]);
  counts[static_cast<size_t>(Work::Double)] += std::max(products[1], sums[1]);
  skipped.count = workKinds;
  skipped.arguments = static_cast<int32_t>(code.pool.size());
  code.pool.insert(code.pool.end(), counts.begin(), counts.end());
  counts = {};
  products[0] = products[1] = sums[0] = sums[1] = 0;
  depth.clear();
}

//===-- Cutting -----------------------------------------------------------===//

int32_t Slicer::newNumber(int32_t number) {
  if (number < 0)
    return number;
  int32_t &result = numbers[static_cast<size_t>(number)];
  if (result < 0 && needed[static_cast<size_t>(number)])
    result = used++;
  if (result >= 0)
    return result;
  if (unused < 0)
    unused = used++;
  return unused;
}

void Slicer::renumber(Instr &instr) {
  for (int32_t *number : {&instr.dst, &instr.a, &instr.b, &instr.c})
    *number = newNumber(*number);
  if (instr.count == 0 || instr.op == Opcode::Compared)
    return;
  const auto first = static_cast<int32_t>(code.pool.size());
  for (unsigned i = 0; i < instr.count; ++i)
    code.pool.push_back(newNumber(argument(instr, i)));
  instr.arguments = first;
}

/// What is cut counts at the end of the instructions that run with it: what
/// ends early has noted no less than the kernel would have.
void Slicer::cutBlock(Block &block) {
  Block kept;
  uint64_t steps = 0;
  WorkCounter work(code);
  auto flush = [&] {
    if (steps == 0)
      return;
    Instr skipped;
    skipped.op = Opcode::Skipped;
    skipped.imm = static_cast<int64_t>(steps);
    if (hasCosts)
      work.giveTo(skipped);
    kept.push_back(skipped);
    steps = 0;
  };
  for (Instr &instr : block) {
    if (!isNeeded(instr)) {
      if (hasCosts)
        work.add(instr);
      if (hasCosts && isAccess(instr.op)) {
        touch(instr);
        kept.push_back(instr);
      } else {
        steps += 1 + stepsWithin(instr);
      }
      continue;
    }
    if (endsRun(instr.op))
      flush();
    renumber(instr);
    kept.push_back(instr);
  }
  flush();
  block = std::move(kept);
}

/// The same cells are accessed, whatever they hold.
void Slicer::touch(Instr &instr) {
  instr.flag = instr.op != Opcode::Load;
  if (instr.op == Opcode::Atomic) {
    instr.count = 1;
    instr.imm = 0;
  }
  instr.op = Opcode::Touch;
  instr.a = newNumber(instr.a);
  instr.dst = instr.b = instr.c = -1;
}

template <typename Entry, typename Function>
static void keepThose(std::vector<Entry> &entries, Function isKept) {
  entries.erase(
      std::remove_if(entries.begin(), entries.end(),
                     [&](const Entry &entry) { return !isKept(entry); }),
      entries.end());
}

void Slicer::cutTables() {
  auto isUsed = [&](int32_t number) {
    return needed[static_cast<size_t>(number)] != 0;
  };
  auto isSymbolic = [](const Instr &instr) {
    return instr.op == Opcode::Term || instr.op == Opcode::Hash;
  };
  if (!forEachInstr(isSymbolic))
    code.symbols.clear();
  keepThose(code.constants, [&](const auto &c) { return isUsed(c.dst); });
  for (CodeConstant &constant : code.constants)
    constant.dst = newNumber(constant.dst);
  keepThose(code.queries, [&](const auto &query) { return isUsed(query.dst); });
  for (CodeQuery &query : code.queries)
    query.dst = newNumber(query.dst);
  keepThose(code.objects, [&](const auto &o) { return isUsed(o.address); });
  for (CodeObject &object : code.objects)
    object.address = newNumber(object.address);
  keepThose(code.fileVariables,
            [&](const auto &variable) { return isUsed(variable.second); });
  for (auto &variable : code.fileVariables)
    variable.second = newNumber(variable.second);
  for (CodeParam &param : code.params) {
    for (int32_t &value : param.values)
      value = isUsed(value) ? newNumber(value) : -1;
    param.address = newNumber(param.address);
  }
}

void Slicer::run() {
  numberObjects();
  while (forEachInstr([this](const Instr &instr) { return follow(instr); }))
    ;
  needed.assign(static_cast<size_t>(code.registers), 0);
  read.resize(objects);
  // Parameters that are in memory are set before the kernel runs.
  for (const CodeParam &param : code.params)
    if (needRegister(param.address))
      for (int32_t value : param.values)
        needRegister(value);
  while (forEachInstr([this](const Instr &instr) { return need(instr); }))
    ;
  numbers.assign(static_cast<size_t>(code.registers), -1);
  for (Block &block : code.blocks)
    cutBlock(block);
  cutTables();
  code.registers = used;
}

void cutToControl(Code &code, bool mayOverlap) {
  Slicer(code, mayOverlap, false).run();
}

void cutToCosts(Code &code) { Slicer(code, false, true).run(); }

} // namespace clopt
