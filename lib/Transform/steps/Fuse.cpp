//===- Fuse.cpp - two loops in sequence become one ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `fuse k j` of two neighbouring loops with the same iterations:
//
//   for (k = 0; k < n; k++) S(k);         for (k = 0; k < n; k++) {
//   for (j = 0; j < n; j++) T(j);   ->      S(k);
//                                           T(k);
//                                         }
//
// In a model of the kernel's own the statements of the second loop get the
// coordinate of the first one in the place of their own: the sets stay as they
// are, and in all polynomials the one symbol takes the place of the other.
//
// Legal when no two instances of one work-item that touch the same cell, one of
// them writing, change their order, and every private value is still read by
// those that read it. Both are decided exactly, from the order of the old tree
// and that of the new one.
//
// Reference: Kennedy and McKinley, Maximizing loop parallelism and improving
// data locality via loop fusion and distribution (1993).
//
// Tested by test/unit/FuseTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/Dependences.h"
#include "Transform/Apply.h"
#include "Transform/StepNames.h"
#include "Transform/legality/TreeOrders.h"
#include "Transform/tree/LoopBounds.h"
#include "Transform/tree/StripMine.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

namespace {

class Fuser {
public:
  Fuser(const TransformedKernel &transformed, unsigned firstLoop,
        unsigned secondLoop)
      : result(transformed), kernel(transformed), old(*transformed.model),
        first(firstLoop), second(secondLoop) {}
  StepResult check() const;
  StepResult build();
  StepResult checkMemory(AliasMode alias);
  StepResult checkPrivates() const;
  TransformedKernel result;

private:
  StepResult checkLoop(unsigned loop) const;
  StepResult checkIterations() const;
  void rename();
  bool isIn(const Access &access, unsigned loop) const;
  std::string name(unsigned loop) const {
    return "'" + old.loops[loop].name + "'";
  }

  const TransformedKernel &kernel;
  const KernelModel &old;
  unsigned first, second;
  std::shared_ptr<KernelModel> model; ///< the new one
};

} // namespace

//===-- What is fused -----------------------------------------------------===//

StepResult Fuser::checkLoop(unsigned loop) const {
  if (!findLoop(kernel.tree, loop))
    return refuse("clopt-opaque-code",
                  "the loop " + name(loop) +
                      " is part of code that is kept as written");
  if (kernel.minIterations.count(loop))
    return refuse("clopt-dependence",
                  "launches are chosen by how often the loop " + name(loop) +
                      " runs");
  const ScheduleNode *node = findLoop(kernel.tree, loop);
  if (const Statement *jump = findJump(old, *node))
    return refuse("clopt-non-affine-control",
                  "the loop may be left early, depending on data", "",
                  jump->stmt->range);
  return checkFences(old, *node);
}

/// { [w..., outer..., k] } of both are the same, in the same direction.
StepResult Fuser::checkIterations() const {
  const Loop &one = old.loops[first], &other = old.loops[second];
  auto bytes = [](const Loop &loop) {
    return loop.var ? loop.var->type.size : 0;
  };
  isl::set of = iterationsOf(old, first).intersect_params(old.paramContext);
  isl::set same = iterationsOf(old, second).intersect_params(old.paramContext);
  bool isSame = one.step == other.step && one.outer == other.outer &&
                one.first == other.first && bytes(one) == bytes(other) &&
                of.get_space().is_equal(same.get_space()) && of.is_equal(same);
  if (isSame)
    return std::nullopt;
  return refuse("clopt-dependence",
                "the loops " + name(first) + " and " + name(second) +
                    " do not run the same iterations",
                "", other.stmt->range);
}

/// The sequence in which the second loop follows the first, or null.
static ScheduleNode *sequenceOf(ScheduleNode &node, unsigned first,
                                unsigned second) {
  auto is = [](const ScheduleNode &child, unsigned loop) {
    return child.kind == ScheduleNode::Kind::Loop && child.loop == loop;
  };
  if (node.kind == ScheduleNode::Kind::Sequence)
    for (size_t i = 0; i + 1 < node.children.size(); ++i)
      if (is(node.children[i], first) && is(node.children[i + 1], second))
        return &node;
  for (ScheduleNode &child : node.children)
    if (ScheduleNode *found = sequenceOf(child, first, second))
      return found;
  return nullptr;
}

StepResult Fuser::check() const {
  for (unsigned loop : {first, second})
    if (StepResult refusal = checkLoop(loop))
      return refusal;
  if (!kernel.sections().empty())
    return refuse("clopt-dependence",
                  "arrays are staged for the loops as they are", "fuse first");
  for (const ArrayTile &copy : kernel.registers())
    for (unsigned loop : {first, second}) {
      bool isWith =
          llvm::is_contained(copy.coordinates, old.loops[loop].iterator);
      if (isWith || copy.loop == loop || copy.within == loop)
        return refuse("clopt-dependence",
                      "'" + old.arrays[copy.array].name +
                          "' is kept in registers in the loop " + name(loop),
                      "privatize afterwards");
    }
  ScheduleNode tree = kernel.tree;
  if (!sequenceOf(tree, first, second))
    return refuse("clopt-dependence",
                  "the loop " + name(second) + " does not follow " +
                      name(first) + " at once",
                  "", old.loops[second].stmt->range);
  return checkIterations();
}

//===-- The new model -----------------------------------------------------===//

static void substitute(Condition &condition, SymbolId from,
                       const Polynomial &to) {
  condition.poly = condition.poly.substitute(from, to);
  for (Condition &operand : condition.operands)
    substitute(operand, from, to);
}

/// The first loop's symbol in the place of the second's, wherever it occurs.
void Fuser::rename() {
  const SymbolId from = old.loops[second].iterator;
  const SymbolId onto = old.loops[first].iterator;
  const Polynomial to = Polynomial::symbol(onto);
  auto change = [&](Polynomial &poly) { poly = poly.substitute(from, to); };
  for (SymbolId id = 0; id < model->symbols.size(); ++id) {
    Symbol &symbol = model->symbols[id];
    change(symbol.first);
    change(symbol.second);
    substitute(symbol.condition, from, to);
  }
  for (Statement &statement : model->statements) {
    std::replace(statement.coordinates.begin(), statement.coordinates.end(),
                 from, onto);
    std::replace(statement.loops.begin(), statement.loops.end(), second, first);
  }
  for (Access &access : model->accesses) {
    if (access.offset)
      change(*access.offset);
    for (Polynomial &subscript : access.subscripts)
      change(subscript);
  }
  for (auto &[expr, value] : model->values)
    change(value);
  for (auto &[expr, pointer] : model->pointers)
    change(pointer.offset);
  for (Loop &loop : model->loops) {
    change(loop.first);
    std::replace(loop.outer.begin(), loop.outer.end(), second, first);
  }
  // The order of the program still names the second loop.
  model->loops[second].iterator = onto;
}

StepResult Fuser::build() {
  model = std::make_shared<KernelModel>(old);
  rename();
  ScheduleNode &sequence = *sequenceOf(result.tree, first, second);
  for (size_t i = 0; i + 1 < sequence.children.size(); ++i) {
    ScheduleNode &one = sequence.children[i];
    if (one.kind != ScheduleNode::Kind::Loop || one.loop != first)
      continue;
    std::vector<ScheduleNode> bodies;
    for (const ScheduleNode &loop : {one, sequence.children[i + 1]}) {
      const ScheduleNode &body = loop.children[0];
      if (body.kind == ScheduleNode::Kind::Sequence)
        bodies.insert(bodies.end(), body.children.begin(), body.children.end());
      else
        bodies.push_back(body);
    }
    one.children[0] = ScheduleNode::sequence(std::move(bodies));
    sequence.children.erase(sequence.children.begin() +
                            static_cast<std::ptrdiff_t>(i + 1));
    break;
  }
  result.ownModel = model;
  result.model = model.get();
  return std::nullopt;
}

//===-- Legality ----------------------------------------------------------===//

bool Fuser::isIn(const Access &access, unsigned loop) const {
  const std::vector<unsigned> &loops = old.statements[access.statement].loops;
  return llvm::is_contained(loops, loop);
}

StepResult Fuser::checkMemory(AliasMode alias) {
  TreeOrders orders(*model, kernel.tree, result.tree);
  for (const Access &one : model->accesses)
    for (const Access &other : model->accesses) {
      bool isCrossing = isIn(one, first) && isIn(other, second) &&
                        (one.isWrite || other.isWrite);
      auto isPrivate = [&](const Access &access) {
        return model->arrays[access.array].space == AddressSpace::Private;
      };
      if (!isCrossing || isPrivate(one) || isPrivate(other))
        continue;
      if (one.array != other.array) {
        if (StepResult refusal =
                requireDisjoint(result, std::min(one.array, other.array),
                                std::max(one.array, other.array), alias))
          return refusal;
        continue;
      }
      // { S[w, k] -> T[w, k'] } that change their order
      if (!orders.reversed(one, other).is_empty())
        return refuse("clopt-dependence",
                      describe(*model, conflictBetween(one, other)), "",
                      other.range);
      for (unsigned i = 0; i < model->assumptions.size(); ++i)
        if (model->assumptions[i].kind == Assumption::Kind::Subscript &&
            model->assumptions[i].array == static_cast<int>(one.array))
          result.usedAssumptions.insert(i);
    }
  return std::nullopt;
}

StepResult Fuser::checkPrivates() const {
  for (unsigned array = 0; array < old.arrays.size(); ++array) {
    const Array &info = old.arrays[array];
    std::vector<unsigned> accesses;
    bool isWritten = false, isExact = true, isIn1 = false, isIn2 = false;
    for (const Access &access : model->accesses) {
      if (access.array != array || info.space != AddressSpace::Private)
        continue;
      accesses.push_back(access.id);
      isIn1 |= isIn(access, first);
      isIn2 |= isIn(access, second);
      isWritten |=
          access.isWrite && (isIn(access, first) || isIn(access, second));
      isExact &= !access.isWrite || access.isExact;
    }
    if (!isWritten || !isIn1 || !isIn2)
      continue;
    if (isExact && valueFlow(*model, kernel.tree, accesses)
                       .is_equal(valueFlow(*model, result.tree, accesses)))
      continue;
    return refuse("clopt-dependence",
                  "the value of '" + info.name + "' goes from the loop " +
                      name(first) + " to " + name(second),
                  "", info.var ? info.var->range : SourceRange());
  }
  return std::nullopt;
}

StepResult applyFuse(TransformedKernel &kernel, const Step &step,
                     AliasMode alias) {
  unsigned first, second;
  if (StepResult refusal = resolveTwoLoops(*kernel.model, step, first, second))
    return refusal;
  TransformedKernel plain = kernel;
  LoopRoles roles(plain, {first, second});
  Fuser work(plain, first, second);
  if (StepResult refusal = work.check())
    return refusal;
  if (StepResult refusal = work.build())
    return refusal;
  if (StepResult refusal = work.checkPrivates())
    return refusal;
  if (StepResult refusal = work.checkMemory(alias))
    return refusal;
  roles.join(first, second);
  if (StepResult refusal = roles.giveBack(work.result, alias))
    return refusal;
  kernel = std::move(work.result);
  return std::nullopt;
}

} // namespace clopt
