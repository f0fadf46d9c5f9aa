//===- VerifySystems.cpp - instances and times as linear systems ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of instances become linear expressions; chunks of iterations are
// quotients. See VerifySteps.cpp.
//
// Tested by test/unit/VerifyStepsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/verify/OrderVerifier.h"

namespace clopt {

unsigned coordinateOf(const Statement &statement, SymbolId symbol) {
  for (unsigned i = 0; i < statement.coordinates.size(); ++i)
    if (statement.coordinates[i] == symbol)
      return i;
  return ~0u;
}

Refusal violation(const KernelModel &model, Points points,
                  const std::string &what, const SourceRange &range) {
  std::string message = points == Points::Unknown ? "it is not decided that "
                                                    "the order is kept: "
                                                  : "the order is not kept: ";
  return refuse("clopt-dependence",
                message + what + " in kernel '" + model.function->name + "'",
                "", range);
}

//===-- Systems -----------------------------------------------------------===//

/// The parameters of launches that take the optimized path.
void OrderVerifier::addContext(InstanceSystem &system) const {
  for (const RelationPiece &piece : context)
    system.addPiece(piece, {}, {});
}

Instance OrderVerifier::addInstance(InstanceSystem &system,
                                    const Statement &statement,
                                    const RelationPiece *piece,
                                    const Columns &cell) const {
  Instance instance;
  instance.statement = &statement;
  instance.columns =
      system.addColumns(static_cast<unsigned>(statement.coordinates.size()));
  if (piece)
    system.addPiece(*piece, instance.columns, cell);
  return instance;
}

void OrderVerifier::equateWork(InstanceSystem &system, const Instance &x,
                               const Instance &y) const {
  for (unsigned i = 0; i < x.columns.size() && i < y.columns.size(); ++i) {
    SymbolId symbol = x.statement->coordinates[i];
    if (model.symbols[symbol].kind == SymbolKind::Iterator ||
        y.statement->coordinates[i] != symbol)
      return;
    system.addZero({0, {{x.columns[i], 1}, {y.columns[i], -1}}});
  }
}

std::optional<LinearSum> OrderVerifier::affine(InstanceSystem &system,
                                               const Instance &at,
                                               const Polynomial &poly) const {
  if (poly.overflowed() || !poly.isAffine())
    return std::nullopt;
  LinearSum sum;
  for (const auto &[monomial, coefficient] : poly.terms) {
    if (monomial.empty()) {
      sum.constant = coefficient;
      continue;
    }
    unsigned place = coordinateOf(*at.statement, monomial[0]);
    const Symbol &symbol = model.symbols[monomial[0]];
    if (place != ~0u)
      sum.terms.emplace_back(at.columns[place], coefficient);
    else if (isParameter(symbol))
      sum.terms.emplace_back(system.parameter(symbol.name), coefficient);
    else
      return std::nullopt;
  }
  return sum;
}

/// The value of one entry. A chunk is floor(iterations since the first / size);
/// a first iteration that is not affine is an unknown, the same for all
/// instances: those that do not share the loops around it are told apart by
/// earlier entries.
LinearSum OrderVerifier::time(InstanceSystem &system, const Instance &at,
                              const Moment &moment,
                              std::map<unsigned, unsigned> &firsts) {
  if (moment.kind == Moment::Kind::Constant)
    return {moment.constant, {}};
  const Loop &loop = model.loops[moment.loop];
  int64_t sign = loop.step < 0 ? -1 : 1;
  unsigned column = at.columns[coordinateOf(*at.statement, loop.iterator)];
  if (moment.kind == Moment::Kind::Iterator)
    return {0, {{column, sign}}};
  std::optional<LinearSum> first = affine(system, at, loop.first);
  if (!first) {
    auto found = firsts.find(moment.loop);
    if (found == firsts.end())
      found = firsts.emplace(moment.loop, system.addColumns(1)[0]).first;
    first = LinearSum{0, {{found->second, 1}}};
  }
  unsigned chunk = system.addColumns(1)[0];
  // 0 <= sign * (k - first) - size * chunk <= size - 1
  LinearSum low{0, {{column, sign}, {chunk, -moment.size}}};
  low.add(*first, -sign);
  LinearSum high{moment.size - 1, {}};
  high.add(low, -1);
  system.addNonNegative(low);
  system.addNonNegative(high);
  return {0, {{chunk, 1}}};
}

/// Whether y can run before x, or at the same time, in the new order.
Points OrderVerifier::anyNotBefore(InstanceSystem system, const Instance &x,
                                   const Instance &y, const Stamp &xAfter,
                                   const Stamp &yAfter) {
  std::map<unsigned, unsigned> firsts;
  size_t length = std::max(xAfter.size(), yAfter.size());
  for (size_t i = 0; i < length; ++i) {
    const Moment &xMoment = i < xAfter.size() ? xAfter[i] : Moment();
    const Moment &yMoment = i < yAfter.size() ? yAfter[i] : Moment();
    if (xMoment.kind == Moment::Kind::Constant &&
        yMoment.kind == Moment::Kind::Constant) {
      if (xMoment.constant < yMoment.constant)
        return Points::None;
      if (xMoment.constant > yMoment.constant)
        return system.findPoint();
      continue;
    }
    LinearSum ahead = time(system, x, xMoment, firsts);
    ahead.add(time(system, y, yMoment, firsts), -1);
    InstanceSystem later = system;
    LinearSum strictly = ahead;
    --strictly.constant;
    later.addNonNegative(strictly);
    Points points = later.findPoint();
    if (points != Points::None)
      return points;
    system.addZero(ahead);
  }
  return system.findPoint();
}

/// Whether instances in `base` exist of which x comes first in the program, but
/// not in the new order.
Points OrderVerifier::anyReversed(const InstanceSystem &base, const Instance &x,
                                  const Instance &y, const Stamp &xBefore,
                                  const Stamp &yBefore, const Stamp &xAfter,
                                  const Stamp &yAfter) {
  for (const InstanceSystem &earlier :
       whereBefore(base, x, y, xBefore, yBefore)) {
    if (earlier.findPoint() == Points::None)
      continue;
    Points points = anyNotBefore(earlier, x, y, xAfter, yAfter);
    if (points != Points::None)
      return points;
  }
  return Points::None;
}

} // namespace clopt
