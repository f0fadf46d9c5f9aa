//===- VerifySteps.cpp - violated dependences, by PPL ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory. For each two references x, y of one work-item that may touch one
// cell, one of them a write, the system
//
//   domain(x) and domain(y) and cell(x) = cell(y)
//   and x before y in the program and not x before y in the new order
//
// must have no integer point. Times are the stamps of the two trees. Lanes of a
// vector loop share one time, a chunk of iterations; within a vector statement
// reads precede writes. A reference to a register copy touches memory where
// the copy is loaded or stored, one to a section in local memory where a tile
// begins or ends.
//
// Private variables have a copy per lane, so a value must not pass from one
// iteration of a vector loop to another one or out of it (value-based flow by
// isl, emptiness by PPL).
//
// Cells of register copies must lie in the copied section, and what is read
// before it is written must be loaded.
//
// Cost: quadratic in the references to one array, times the product of the
// depths of the two trees.
//
// Reference: Feautrier, Some efficient solutions to the affine scheduling
// problem (1992), on violated dependences.
//
// Tested by test/unit/VerifyStepsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/VerifySteps.h"

#include "Analysis/Dependences.h"
#include "Transform/Apply.h"
#include "Transform/InstanceSystem.h"

#include <isl/aff.h>
#include <isl/flow.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>

#include <algorithm>
#include <map>

namespace clopt {

namespace {

/// One entry of a time stamp.
struct Moment {
  enum class Kind { Constant, Iterator, Chunk } kind = Kind::Constant;
  int64_t constant = 0;
  unsigned loop = 0; ///< Iterator, Chunk
  int64_t size = 1;  ///< Chunk: values of the iterator that share one time

  bool operator==(const Moment &other) const {
    return kind == other.kind && constant == other.constant &&
           loop == other.loop && size == other.size;
  }
};

using Stamp = std::vector<Moment>;

/// When the statements and copies of a tree run.
struct Stamps {
  std::map<unsigned, Stamp> statements, copies;
};

/// One reference, ready for systems.
struct Reference {
  const Access *access = nullptr;
  const Statement *statement = nullptr;
  std::vector<RelationPiece> pieces;
  Stamp before, after;
  std::optional<unsigned> copy; ///< the PrivateCopy it goes to
  std::optional<unsigned> tile; ///< the LocalTile it goes to

  /// Whether it touches memory itself.
  bool isDirect() const { return !copy && !tile; }
};

/// An instance of a statement in a system.
struct Instance {
  const Statement *statement = nullptr;
  Columns columns;
};

class OrderVerifier {
public:
  OrderVerifier(const TransformedKernel &transformed, AliasMode aliasMode)
      : kernel(transformed), model(*transformed.model), alias(aliasMode) {}

  StepResult run();

private:
  void readStamps(const ScheduleNode &node, const Stamp &prefix, bool isNew,
                  Stamps &stamps) const;
  void collectReferences();
  Stamp effectiveStamp(const Reference &reference) const;
  template <typename Sections>
  static std::optional<unsigned> sectionOf(unsigned access,
                                           const Sections &sections);

  bool mayTouchTheSame(const Reference &x, const Reference &y) const;
  bool keepsStamps(const Reference &x, const Reference &y) const;
  StepResult checkPair(const Reference &x, const Reference &y);
  StepResult checkFences();
  StepResult checkPrivates();
  StepResult checkFlow(const isl::map &flow, const ScheduleNode &loop,
                       const std::string &name);
  StepResult checkCopies();
  StepResult checkWindow(const PrivateCopy &copy);
  StepResult checkUnset(const isl::map &cells, const PrivateCopy &copy);
  StepResult checkSection(const PrivateCopy &copy, const Access &access);

  // Systems
  void addContext(InstanceSystem &system) const;
  Instance addInstance(InstanceSystem &system, const Statement &statement,
                       const RelationPiece *piece, const Columns &cell) const;
  void equateWork(InstanceSystem &system, const Instance &x,
                  const Instance &y) const;
  std::optional<LinearSum> affine(InstanceSystem &system, const Instance &at,
                                  const Polynomial &poly) const;
  LinearSum time(InstanceSystem &system, const Instance &at,
                 const Moment &moment, std::map<unsigned, unsigned> &firsts);
  Points anyReversed(const InstanceSystem &base, const Instance &x,
                     const Instance &y, const Stamp &xBefore,
                     const Stamp &yBefore, const Stamp &xAfter,
                     const Stamp &yAfter);
  Points anyNotBefore(InstanceSystem system, const Instance &x,
                      const Instance &y, const Stamp &xAfter,
                      const Stamp &yAfter);

  const TransformedKernel &kernel;
  const KernelModel &model;
  AliasMode alias;
  Stamps oldStamps, newStamps;
  std::vector<Reference> references;
  std::vector<RelationPiece> context;
};

} // namespace

static unsigned coordinateOf(const Statement &statement, SymbolId symbol) {
  for (unsigned i = 0; i < statement.coordinates.size(); ++i)
    if (statement.coordinates[i] == symbol)
      return i;
  return ~0u;
}

//===-- Stamps ------------------------------------------------------------===//

void OrderVerifier::readStamps(const ScheduleNode &node, const Stamp &prefix,
                               bool isNew, Stamps &stamps) const {
  if (node.kind == ScheduleNode::Kind::Leaf)
    stamps.statements[node.statement] = prefix;
  else if (node.kind == ScheduleNode::Kind::Copy)
    stamps.copies[node.copy] = prefix;
  for (size_t i = 0; i < node.children.size(); ++i) {
    Stamp next = prefix;
    Moment moment;
    moment.constant = static_cast<int64_t>(i);
    if (node.kind == ScheduleNode::Kind::Loop) {
      if (isNew && node.tile) {
        // The tile, and a moment before and after all that it does.
        moment.kind = Moment::Kind::Chunk;
        moment.loop = node.loop;
        moment.constant = 0;
        moment.size = node.tile * std::abs(model.loops[node.loop].step);
        next.push_back(moment);
        moment = Moment();
        next.push_back(moment);
      }
      bool isChunk = isNew && node.lanes > 1;
      moment.kind = isChunk ? Moment::Kind::Chunk : Moment::Kind::Iterator;
      moment.loop = node.loop;
      moment.constant = 0;
      if (isChunk)
        moment.size = node.lanes * std::abs(model.loops[node.loop].step);
    }
    next.push_back(moment);
    readStamps(node.children[i], next, isNew, stamps);
  }
}

template <typename Sections>
std::optional<unsigned> OrderVerifier::sectionOf(unsigned access,
                                                 const Sections &sections) {
  for (unsigned i = 0; i < sections.size(); ++i) {
    const std::vector<unsigned> &used = sections[i].accesses;
    if (std::find(used.begin(), used.end(), access) != used.end())
      return i;
  }
  return std::nullopt;
}

/// When the reference touches memory: with its statement, or with the load or
/// store of the registers it goes to. Empty when it never does.
Stamp OrderVerifier::effectiveStamp(const Reference &reference) const {
  Stamp stamp = reference.after;
  if (reference.tile) {
    // The copy is made before anything else of the tile runs, or after all.
    std::optional<unsigned> loop = kernel.tiles[*reference.tile].loop;
    size_t place = 0;
    while (loop && place < stamp.size() &&
           (stamp[place].kind != Moment::Kind::Chunk ||
            stamp[place].loop != *loop))
      ++place;
    stamp.resize(std::min(stamp.size(), loop ? place + 1 : 0));
    Moment border;
    border.constant = reference.access->isWrite ? 1 : -1;
    stamp.push_back(border);
    return stamp;
  }
  for (unsigned i = 0; reference.copy && i < kernel.copies.size(); ++i)
    if (kernel.copies[i].privateCopy == *reference.copy &&
        kernel.copies[i].isIn != reference.access->isWrite) {
      auto found = newStamps.copies.find(i);
      return found == newStamps.copies.end() ? Stamp() : found->second;
    }
  return reference.copy ? Stamp() : stamp;
}

void OrderVerifier::collectReferences() {
  for (const Access &access : model.accesses) {
    auto before = oldStamps.statements.find(access.statement);
    auto after = newStamps.statements.find(access.statement);
    if (before == oldStamps.statements.end() ||
        after == newStamps.statements.end() ||
        model.arrays[access.array].space == AddressSpace::Private)
      continue;
    Reference reference;
    reference.access = &access;
    reference.statement = &model.statements[access.statement];
    reference.pieces =
        piecesOf(access.relation.intersect_domain(reference.statement->domain));
    reference.before = before->second;
    reference.after = after->second;
    reference.tile = sectionOf(access.id, kernel.tiles);
    reference.copy = sectionOf(access.id, kernel.privates);
    references.push_back(std::move(reference));
  }
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
  std::map<unsigned, unsigned> firsts;
  InstanceSystem equal = base;
  size_t length = std::max(xBefore.size(), yBefore.size());
  for (size_t i = 0; i < length; ++i) {
    const Moment &xMoment = i < xBefore.size() ? xBefore[i] : Moment();
    const Moment &yMoment = i < yBefore.size() ? yBefore[i] : Moment();
    if (xMoment.kind == Moment::Kind::Constant &&
        yMoment.kind == Moment::Kind::Constant) {
      if (xMoment.constant < yMoment.constant)
        return anyNotBefore(equal, x, y, xAfter, yAfter);
      if (xMoment.constant > yMoment.constant)
        return Points::None;
      continue;
    }
    LinearSum ahead = time(equal, y, yMoment, firsts);
    ahead.add(time(equal, x, xMoment, firsts), -1);
    InstanceSystem earlier = equal;
    LinearSum strictly = ahead;
    --strictly.constant;
    earlier.addNonNegative(strictly);
    if (earlier.findPoint() != Points::None) {
      Points points = anyNotBefore(earlier, x, y, xAfter, yAfter);
      if (points != Points::None)
        return points;
    }
    equal.addZero(ahead);
  }
  return Points::None;
}

//===-- Memory ------------------------------------------------------------===//

bool OrderVerifier::mayTouchTheSame(const Reference &x,
                                    const Reference &y) const {
  unsigned a = x.access->array, b = y.access->array;
  if (a == b)
    return true;
  return alias != AliasMode::None && !areDisjoint(model, a, b) &&
         !kernel.disjointArrays.count(std::minmax(a, b));
}

bool OrderVerifier::keepsStamps(const Reference &x, const Reference &y) const {
  return x.isDirect() && y.isDirect() && x.before == x.after &&
         y.before == y.after;
}

/// Within one copy the registers keep the order of the statements, and each
/// lane has its own (checkPrivates).
static Stamp withoutLanes(Stamp stamp) {
  for (Moment &moment : stamp)
    if (moment.kind == Moment::Kind::Chunk)
      moment.kind = Moment::Kind::Iterator;
  return stamp;
}

static Refusal violation(const KernelModel &model, Points points,
                         const std::string &what, const SourceRange &range) {
  std::string message = points == Points::Unknown ? "it is not decided that "
                                                    "the order is kept: "
                                                  : "the order is not kept: ";
  return refuse("clopt-dependence",
                message + what + " in kernel '" + model.function->name + "'",
                "", range);
}

StepResult OrderVerifier::checkPair(const Reference &x, const Reference &y) {
  if (!x.access->isWrite && !y.access->isWrite)
    return std::nullopt;
  if (keepsStamps(x, y) || !mayTouchTheSame(x, y))
    return std::nullopt;
  bool sameCopy = x.copy && x.copy == y.copy;
  // Local memory keeps the order of the statements as global memory does.
  bool sameTile = x.tile && x.tile == y.tile;
  auto after = [&](const Reference &reference) {
    return sameTile   ? reference.after
           : sameCopy ? withoutLanes(reference.after)
                      : effectiveStamp(reference);
  };
  Stamp xAfter = after(x), yAfter = after(y);
  if (xAfter.empty() || yAfter.empty())
    return std::nullopt;
  if (x.statement == y.statement && !x.statement->isCompound) {
    xAfter.push_back({Moment::Kind::Constant, x.access->isWrite, 0, 1});
    yAfter.push_back({Moment::Kind::Constant, y.access->isWrite, 0, 1});
  }
  bool sameArray = x.access->array == y.access->array;
  for (const RelationPiece &xPiece : x.pieces)
    for (const RelationPiece &yPiece : y.pieces) {
      InstanceSystem system;
      addContext(system);
      Columns xCell = system.addColumns(xPiece.outputs);
      Columns yCell = sameArray ? xCell : system.addColumns(yPiece.outputs);
      Instance first = addInstance(system, *x.statement, &xPiece, xCell);
      Instance second = addInstance(system, *y.statement, &yPiece, yCell);
      equateWork(system, first, second);
      Points points = anyReversed(system, first, second, x.before, y.before,
                                  xAfter, yAfter);
      if (points == Points::None)
        continue;
      Conflict::Kind kind = !x.access->isWrite   ? Conflict::Kind::Anti
                            : !y.access->isWrite ? Conflict::Kind::Flow
                                                 : Conflict::Kind::Output;
      return violation(model, points,
                       describe(model, {x.access->id, y.access->id, kind}),
                       y.access->range);
    }
  return std::nullopt;
}

/// Barriers, code that is not modelled and ordered accesses stay in order with
/// everything that touches memory.
StepResult OrderVerifier::checkFences() {
  auto isFence = [&](const Statement &statement) {
    bool ordered = statement.isBarrier || statement.isOpaque;
    for (unsigned access : statement.accesses)
      ordered |= model.accesses[access].isOrdered;
    return ordered;
  };
  for (const auto &[first, before] : oldStamps.statements)
    for (const auto &[second, later] : oldStamps.statements) {
      const Statement &s = model.statements[first];
      const Statement &t = model.statements[second];
      auto sAfter = newStamps.statements.find(first);
      auto tAfter = newStamps.statements.find(second);
      if ((!isFence(s) && !isFence(t)) ||
          sAfter == newStamps.statements.end() ||
          tAfter == newStamps.statements.end())
        continue;
      if (before == sAfter->second && later == tAfter->second)
        continue;
      for (const RelationPiece &sPiece : piecesOf(s.domain))
        for (const RelationPiece &tPiece : piecesOf(t.domain)) {
          InstanceSystem system;
          addContext(system);
          Instance x = addInstance(system, s, nullptr, {});
          Instance y = addInstance(system, t, nullptr, {});
          system.addPiece(sPiece, {}, x.columns);
          system.addPiece(tPiece, {}, y.columns);
          equateWork(system, x, y);
          Points points = anyReversed(system, x, y, before, later,
                                      sAfter->second, tAfter->second);
          if (points != Points::None)
            return violation(model, points, "a barrier or ordered effect moves",
                             t.stmt ? t.stmt->range : SourceRange());
        }
    }
  return std::nullopt;
}

//===-- Private variables -------------------------------------------------===//

/// { S[w, i] -> T[w, j] } the writes that reads of a private array, or of one
/// in registers, may get their value from, in the order of the program.
static isl::union_map privateFlow(const KernelModel &model,
                                  const ScheduleNode &tree,
                                  const std::vector<unsigned> &accesses) {
  isl::ctx ctx(model.context.get());
  isl::union_map reads(ctx, "{ }"), must(ctx, "{ }"), may(ctx, "{ }");
  for (unsigned index : accesses) {
    const Access &access = model.accesses[index];
    const Statement &statement = model.statements[access.statement];
    // { S[w, i] -> [W[w] -> A[s]] }: each work-item has cells of its own.
    isl_map *owner = isl_set_identity(statement.domain.copy());
    unsigned work = 0;
    while (work < statement.coordinates.size() &&
           model.symbols[statement.coordinates[work]].kind !=
               SymbolKind::Iterator)
      ++work;
    owner = isl_map_project_out(
        owner, isl_dim_out, work,
        static_cast<unsigned>(statement.coordinates.size()) - work);
    isl::map relation = isl::manage(isl_map_range_product(
        owner, isl_map_intersect_domain(access.relation.copy(),
                                        statement.domain.copy())));
    isl::union_map &target =
        !access.isWrite ? reads : (access.isExact ? must : may);
    target = target.unite(relation.to_union_map());
  }
  isl_union_access_info *info =
      isl_union_access_info_from_sink(reads.release());
  info = isl_union_access_info_set_must_source(info, must.release());
  info = isl_union_access_info_set_may_source(info, may.release());
  info = isl_union_access_info_set_schedule_map(
      info, scheduleMap(model, tree).release());
  isl::union_flow flow = isl::manage(isl_union_access_info_compute_flow(info));
  return flow.get_may_dependence();
}

/// isl's word where PPL's search does not end: whether the values of a flow
/// never go to an iteration that is `sign` ahead. Coordinates: of x and of y.
static bool neverAhead(const isl::map &flow, unsigned x,
                       std::optional<unsigned> y, int64_t sign) {
  if (!y)
    return isl_map_is_empty(flow.get()) == isl_bool_true;
  isl_map *map = flow.copy();
  auto out = static_cast<int>(*y), in = static_cast<int>(x);
  map = sign > 0 ? isl_map_order_lt(map, isl_dim_in, in, isl_dim_out, out)
                 : isl_map_order_gt(map, isl_dim_in, in, isl_dim_out, out);
  bool isEmpty = isl_map_is_empty(map) == isl_bool_true;
  isl_map_free(map);
  return isEmpty;
}

/// Values stay within the iteration of the vector loop that made them.
StepResult OrderVerifier::checkFlow(const isl::map &flow,
                                    const ScheduleNode &loop,
                                    const std::string &name) {
  const Statement &from = model.statements[*model.findStatement(
      isl_map_get_tuple_name(flow.get(), isl_dim_in))];
  const Statement &to = model.statements[*model.findStatement(
      isl_map_get_tuple_name(flow.get(), isl_dim_out))];
  SymbolId iterator = model.loops[loop.loop].iterator;
  unsigned fromPlace = coordinateOf(from, iterator);
  unsigned toPlace = coordinateOf(to, iterator);
  if (fromPlace == ~0u)
    return std::nullopt; // the same value for all lanes
  for (const RelationPiece &piece : piecesOf(flow))
    for (int64_t sign : {1, -1}) {
      InstanceSystem system;
      addContext(system);
      Instance x = addInstance(system, from, nullptr, {});
      Instance y = addInstance(system, to, nullptr, {});
      system.addPiece(piece, x.columns, y.columns);
      if (toPlace != ~0u)
        system.addNonNegative(
            {-1, {{x.columns[fromPlace], -sign}, {y.columns[toPlace], sign}}});
      Points points = system.findPoint();
      std::optional<unsigned> place;
      if (toPlace != ~0u)
        place = toPlace;
      if (points == Points::Unknown && neverAhead(flow, fromPlace, place, sign))
        points = Points::None;
      if (points != Points::None)
        return violation(model, points,
                         "a value of '" + name + "' leaves its lane",
                         to.stmt ? to.stmt->range : SourceRange());
    }
  return std::nullopt;
}

static void collectVectorLoops(const ScheduleNode &node,
                               std::vector<const ScheduleNode *> &loops) {
  if (node.kind == ScheduleNode::Kind::Loop && node.lanes > 1)
    loops.push_back(&node);
  for (const ScheduleNode &child : node.children)
    collectVectorLoops(child, loops);
}

StepResult OrderVerifier::checkPrivates() {
  std::vector<const ScheduleNode *> loops;
  collectVectorLoops(kernel.tree, loops);
  std::optional<ScheduleNode> program = readSchedule(model);
  if (loops.empty())
    return std::nullopt;
  // Variables by array, then the register copies.
  std::vector<std::vector<unsigned>> groups(model.arrays.size());
  for (const Access &access : model.accesses)
    if (model.arrays[access.array].space == AddressSpace::Private)
      groups[access.array].push_back(access.id);
  for (const PrivateCopy &copy : kernel.privates)
    groups.push_back(copy.accesses);
  for (const std::vector<unsigned> &group : groups) {
    if (group.empty())
      continue;
    const std::string &name =
        model.arrays[model.accesses[group.front()].array].name;
    isl::map_list maps = privateFlow(model, *program, group).get_map_list();
    for (unsigned i = 0; i < static_cast<unsigned>(maps.size()); ++i)
      for (const ScheduleNode *loop : loops)
        if (StepResult wrong = checkFlow(maps.at(i), *loop, name))
          return wrong;
  }
  return std::nullopt;
}

//===-- Register copies ---------------------------------------------------===//

/// No reference to the copy goes outside of its section.
StepResult OrderVerifier::checkSection(const PrivateCopy &copy,
                                       const Access &access) {
  const Statement &statement = model.statements[access.statement];
  for (const RelationPiece &piece :
       piecesOf(access.relation.intersect_domain(statement.domain)))
    for (unsigned d = 0; d < copy.base.size(); ++d)
      for (bool isBelow : {true, false}) {
        InstanceSystem system;
        addContext(system);
        Columns cell = system.addColumns(piece.outputs);
        Instance at = addInstance(system, statement, &piece, cell);
        std::optional<LinearSum> base = affine(system, at, copy.base[d]);
        // cell <= base - 1, or cell >= base + size
        LinearSum outside{isBelow ? -1 : -copy.sizes[d],
                          {{cell[d], isBelow ? -1 : 1}}};
        if (base)
          outside.add(*base, isBelow ? 1 : -1);
        system.addNonNegative(outside);
        Points points = base ? system.findPoint() : Points::Unknown;
        if (points != Points::None)
          return violation(model, points,
                           "a reference to '" + model.arrays[copy.array].name +
                               "' is outside of its registers",
                           access.range);
      }
  return std::nullopt;
}

/// `cells` has no element: they are registers that nothing has set.
StepResult OrderVerifier::checkUnset(const isl::map &cells,
                                     const PrivateCopy &copy) {
  for (const RelationPiece &piece : piecesOf(cells)) {
    InstanceSystem system;
    addContext(system);
    system.addPiece(piece, system.addColumns(piece.inputs),
                    system.addColumns(piece.outputs));
    Points points = system.findPoint();
    if (points != Points::None)
      return violation(model, points,
                       "registers of '" + model.arrays[copy.array].name +
                           "' are read before they are set",
                       model.accesses[copy.accesses.front()].range);
  }
  return std::nullopt;
}

/// { [w, outer, k, cell] -> [] } as a relation without a cell.
static isl::map asRelation(isl_set *set) {
  return isl::manage(isl_map_from_domain(isl_set_reset_tuple_id(set)));
}

/// { [w, outer, k, cell] } of { Copy[w, outer, k, cell] }, one iteration later.
static isl_set *oneLater(const isl::set &set, unsigned iterator, int64_t step) {
  isl_multi_aff *shift =
      isl_multi_aff_identity_on_domain_space(isl_set_get_space(set.get()));
  isl_aff *aff = isl_multi_aff_get_aff(shift, static_cast<int>(iterator));
  aff = isl_aff_add_constant_si(aff, static_cast<int>(-step));
  shift = isl_multi_aff_set_aff(shift, static_cast<int>(iterator), aff);
  return isl_set_preimage_multi_aff(set.copy(), shift);
}

/// All cells are set whenever the body runs: an iteration loads the cell at the
/// front; the others come from the load before the loop, or from the iteration
/// before, which had all cells (induction).
StepResult OrderVerifier::checkWindow(const PrivateCopy &copy) {
  unsigned outer = static_cast<unsigned>(copy.coordinates.size());
  int64_t step = model.loops[*copy.window].step;
  // { Copy[w, outer, k, cell] }
  isl_set *executed =
      isl_set_project_out(copy.inDomain->copy(), isl_dim_set, outer,
                          static_cast<unsigned>(copy.sizes.size()));
  isl_set *all = isl_set_add_dims(isl_set_copy(executed), isl_dim_set,
                                  static_cast<unsigned>(copy.sizes.size()));
  all = isl_set_set_tuple_id(all, isl_set_get_tuple_id(copy.inDomain->get()));
  for (unsigned d = 0; d < copy.sizes.size(); ++d) {
    all = isl_set_lower_bound_si(all, isl_dim_set, outer + d, 0);
    all = isl_set_upper_bound_si(all, isl_dim_set, outer + d,
                                 static_cast<int>(copy.sizes[d] - 1));
  }
  isl_set_free(executed);
  isl::set cells = isl::manage(all);
  isl_set *unset = isl_set_subtract(cells.copy(), copy.inDomain->copy());
  unset = isl_set_subtract(unset, copy.fillDomain->copy());
  isl::set missing = isl::manage(isl_set_reset_tuple_id(unset));
  isl::set passed =
      isl::manage(isl_set_reset_tuple_id(oneLater(cells, outer - 1, step)));
  if (StepResult wrong =
          checkUnset(asRelation(missing.subtract(passed).release()), copy))
    return wrong;
  // Nothing reads the registers in other iterations.
  for (unsigned id : copy.accesses) {
    const Statement &statement = model.statements[model.accesses[id].statement];
    unsigned total = static_cast<unsigned>(statement.coordinates.size());
    isl_set *reads = isl_set_project_out(statement.domain.copy(), isl_dim_set,
                                         outer, total - outer);
    isl_set *runs =
        isl_set_project_out(cells.copy(), isl_dim_set, outer,
                            static_cast<unsigned>(copy.sizes.size()));
    reads = isl_set_subtract(isl_set_reset_tuple_id(reads),
                             isl_set_reset_tuple_id(runs));
    if (StepResult wrong = checkUnset(asRelation(reads), copy))
      return wrong;
  }
  return std::nullopt;
}

StepResult OrderVerifier::checkCopies() {
  for (const PrivateCopy &copy : kernel.privates) {
    for (unsigned access : copy.accesses)
      if (StepResult wrong = checkSection(copy, model.accesses[access]))
        return wrong;
    StepResult wrong;
    if (copy.window)
      wrong = checkWindow(copy);
    else if (!copy.copyIn)
      wrong = checkUnset(
          upwardExposed(model, kernel.tree, copy.accesses,
                        static_cast<unsigned>(copy.coordinates.size())),
          copy);
    if (wrong)
      return wrong;
  }
  return std::nullopt;
}

StepResult OrderVerifier::run() {
  std::optional<ScheduleNode> program = readSchedule(model);
  if (!program)
    return refuse("clopt-opaque-code", "the program has no order");
  // The first entry is for sections that are copied before or after everything.
  readStamps(*program, {Moment()}, false, oldStamps);
  readStamps(kernel.tree, {Moment()}, true, newStamps);
  for (const auto &[statement, stamp] : oldStamps.statements)
    if (!newStamps.statements.count(statement))
      return refuse("clopt-dependence", "statement " +
                                            model.statements[statement].name +
                                            " is no longer in the tree");
  isl::set assumed = model.paramContext;
  for (unsigned index : kernel.usedAssumptions)
    assumed = assumed.intersect(model.assumptions[index].condition);
  // One piece is enough for a context: more would multiply the systems.
  context = piecesOf(isl::manage(
      isl_set_from_basic_set(isl_set_simple_hull(assumed.release()))));
  collectReferences();
  for (const Reference &x : references)
    for (const Reference &y : references)
      if (StepResult wrong = checkPair(x, y))
        return wrong;
  if (StepResult wrong = checkFences())
    return wrong;
  if (StepResult wrong = checkPrivates())
    return wrong;
  return checkCopies();
}

StepResult verifyOrder(const TransformedKernel &kernel, AliasMode alias) {
  return OrderVerifier(kernel, alias).run();
}

} // namespace clopt
