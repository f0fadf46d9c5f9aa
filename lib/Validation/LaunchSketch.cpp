//===- LaunchSketch.cpp - launches for a device, from the kernel ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers are named sizes, some of which the launch itself is as large as.
// Buffers are as large as the model says that accesses go, or, where it cannot
// say, as large as runs are seen to go.
//
// Tested by test/unit/LaunchSkeletonTest.cpp, test/run/check_skeleton.py.
//
//===----------------------------------------------------------------------===//

#include "Validation/LaunchSketch.h"

#include "Model/Control.h"
#include "Validation/GridTies.h"
#include "Validation/ImageSketch.h"
#include "Validation/KernelRun.h"
#include "Validation/LaunchRaces.h"
#include "Validation/Launches.h"
#include "Validation/OffsetBounds.h"
#include "Validation/ParametricSet.h"
#include "Validation/SketchSizes.h"

#include <isl/cpp.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

namespace {

using Values = std::map<std::string, int64_t>;

/// The launch with one shape of groups.
struct Attempt {
  std::array<int64_t, 3> local = {1, 1, 1};
  std::array<std::optional<GridTie>, 3> ties;
  TermLaunch launch;
  std::map<const Variable *, Polynomial> sizes; ///< of buffers, in elements
  std::map<const Variable *, std::array<Polynomial, 3>> images; ///< extents
  std::set<const Variable *> guessed;
  std::set<SizeKind> kinds; ///< that ran well
  /// Results of these do not depend on what nobody set, such as cells of a
  /// local array that are of work-items which a larger group would have.
  bool isDefined = false;
  std::set<std::string> faults;
};

class Sketcher {
public:
  explicit Sketcher(const TransformedKernel &transformed)
      : kernel(transformed), model(*transformed.model),
        function(*transformed.model->function), assignments(function),
        roles(dataRoles(function, assignments)),
        code(*transformed.model->unit, function) {
    for (const Statement &statement : model.statements)
      domains.emplace_back(statement.domain);
  }

  LaunchSkeleton run();
  std::optional<SmallLaunch> largeLaunch(const std::array<int64_t, 3> &usual);

private:
  std::string whyNot() const;
  void nameIntegers();
  Attempt tryGroups(const std::vector<std::array<int64_t, 3>> &groups);
  Attempt tryExtents(const std::vector<std::array<int64_t, 3>> &groups);
  Attempt tryGroup(const std::array<int64_t, 3> &local);
  void setGrid(Attempt &attempt);
  std::optional<Polynomial> termOf(const Polynomial &symbols);
  void setContents(Attempt &attempt);
  void setContents(SmallLaunch &launch, Attempt &attempt, const Values &sizes);
  void boundBuffers(Attempt &attempt);
  std::string runOnce(Attempt &attempt, const Values &sizes, uint64_t data,
                      bool &usesUnset);
  void enlarge(Attempt &attempt, const Variable &buffer, int64_t elements,
               const Values &sizes);
  Values pointOf(const Attempt &attempt, SizeKind kind, bool isSmall);
  int64_t marginOf(const Attempt &attempt, const std::string &name);
  std::pair<Values, SmallLaunch> pointOf(const Attempt &attempt, SizeKind kind,
                                         int64_t scale);
  std::pair<Values, SmallLaunch> pointOf(const Attempt &attempt, SizeKind kind,
                                         int64_t scale, bool isDistinct);
  int64_t workOf(const SmallLaunch &launch) const;
  int64_t bytesOf(const Attempt &attempt, const Values &point) const;
  bool hasImages(const Attempt &attempt, const Values &point) const;
  bool isLoopSize(const std::string &integer) const;
  void readConditions();
  int64_t stepOf(const std::string &integer, const SmallLaunch &launch) const;
  void addArgument(const Attempt &attempt, const Variable &parameter,
                   LaunchSkeleton &skeleton);
  void addScalar(const Variable &parameter, SkeletonArgument &argument);
  void addBuffer(const Attempt &attempt, const Variable &parameter,
                 SkeletonArgument &argument);
  void addRanges(const Attempt &attempt, LaunchSkeleton &skeleton);
  std::string freshName(const std::string &wanted) const;
  std::vector<std::string> gridNames(const Attempt &attempt) const;
  bool usesLaunchSize(unsigned d) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  const Function &function;
  const Assignments assignments;
  const std::map<const Variable *, DataRole> roles;
  const CompiledKernel code;
  std::optional<LaunchRaces> races;   ///< made when it is asked
  std::vector<ParametricSet> domains; ///< by statement
  SizeTerms terms;
  /// Names of sizes by those of integer arguments, and the other way.
  std::map<std::string, std::string> sizeOf, integerOf;
  std::vector<std::string> integers; ///< in the order of the arguments
  std::set<const Variable *> permuted;
  /// Integer arguments in conditions of loops and choices; and of loops in
  /// steps of a size of the launch or of a group, that size.
  std::set<std::string> compared;
  std::map<std::string, std::pair<WorkItemQuery, unsigned>> strided;
  /// Integer arguments that positions are divided by; whether they are taken
  /// for extents.
  std::set<std::string> divisors;
  bool hasExtents = false;
  bool isOneGroup = false;      ///< all groups would do the same, and race
  int64_t usualIterations = 32; ///< of loops that know nothing of the launch
  bool hasWideRows = false; ///< sizes that only addresses are made of are large
  Polynomial extent; ///< what nothing else is known of is as large as this
};

} // namespace

/// Steps of a run that shows whether a launch makes sense.
static constexpr uint64_t stepsPerRun = 6000000;

//===-- Names -------------------------------------------------------------===//

/// The first argument that a launch specification cannot describe.
std::string Sketcher::whyNot() const {
  for (const Variable *param : function.params) {
    const Type &type = param->type;
    const std::string what = "argument '" + param->name + "' ";
    if (type.kind == TypeKind::Opaque && !isSketchable(type))
      return what + "is of type '" + type.spelling +
             "', which launch specifications cannot describe";
    if (type.isPointer() &&
        (!type.element || type.element->isPointer() || type.element->size == 0))
      return what + "points to what has no known size";
  }
  return "";
}

std::string Sketcher::freshName(const std::string &wanted) const {
  std::string name = wanted;
  auto isTaken = [&] {
    return integerOf.count(name) ||
           std::any_of(
               function.params.begin(), function.params.end(),
               [&](const Variable *param) { return param->name == name; });
  };
  while (isTaken())
    name += "_";
  return name;
}

/// "n" is the size n, "size.width" the size size_width.
void Sketcher::nameIntegers() {
  for (const std::string &integer : integerArguments(model)) {
    std::string name = integer;
    std::replace(name.begin(), name.end(), '.', '_');
    if (name != integer)
      name = freshName(name);
    integers.push_back(integer);
    sizeOf[integer] = name;
    integerOf[name] = integer;
  }
}

//===-- The launch --------------------------------------------------------===//

/// A sum of products of integer arguments, in terms of sizes.
std::optional<Polynomial> Sketcher::termOf(const Polynomial &symbols) {
  Polynomial sum;
  for (const auto &[monomial, coefficient] : symbols.terms) {
    Polynomial product(coefficient);
    for (SymbolId id : monomial) {
      const Symbol &symbol = model.symbols[id];
      auto named = symbol.kind == SymbolKind::Param && symbol.var
                       ? sizeOf.find(clopt::integerOf(symbol))
                       : sizeOf.end();
      if (named == sizeOf.end())
        return std::nullopt;
      product = product * terms.name(named->second);
    }
    sum = sum + product;
  }
  return sum;
}

/// The parameter of isl that the size is, and a constant.
static std::optional<std::pair<SymbolId, int64_t>>
parameterOf(const KernelModel &model, const Polynomial &size) {
  int64_t constant = 0;
  Polynomial rest = size;
  auto found = rest.terms.find({});
  if (found != rest.terms.end()) {
    constant = found->second;
    rest.terms.erase(found);
  }
  if (rest.terms.size() == 1 && rest.terms.begin()->second == 1 &&
      rest.terms.begin()->first.size() == 1)
    return std::pair(rest.terms.begin()->first[0], constant);
  for (SymbolId id = 0; id < model.symbols.size(); ++id)
    if (model.symbols[id].kind == SymbolKind::Product &&
        model.symbols[id].first == rest && !isQuotient(model.symbols[id]))
      return std::pair(id, constant);
  return std::nullopt;
}

void Sketcher::setGrid(Attempt &attempt) {
  TermLaunch &launch = attempt.launch;
  static const char *const names[] = {"width", "height", "depth"};
  const unsigned rank = std::max(1u, model.ndrange.launchRank());
  attempt.ties = findGridTies(model, attempt.local);
  bool isFirst = true;
  for (unsigned d = 0; d < 3; ++d) {
    launch.local[d] = Polynomial(attempt.local[d]);
    launch.global[d] = Polynomial(1);
    if (d >= rank)
      continue;
    std::optional<GridTie> &tie = attempt.ties[d];
    if (model.ndrange.findMapped(d))
      tie.reset(); // a loop in steps of the launch, of any size
    std::optional<Polynomial> size;
    if (tie)
      size = termOf(tie->size);
    if (!size && isOneGroup)
      size = Polynomial(attempt.local[d]);
    if (!size) {
      tie.reset();
      size = terms.name(freshName(rank == 1 ? "items" : names[d]));
    }
    extent = isFirst ? *size : extent * *size;
    isFirst = false;
    launch.global[d] = terms.roundUp(*size, launch.local[d]);
    launch.tied[d].reset();
    if (tie)
      launch.tied[d] = parameterOf(model, tie->size);
    launch.isExact[d] = tie && !tie->isGuarded && attempt.local[d] == 1;
    if (!launch.isExact[d] && tie && !tie->isGuarded)
      launch.tied[d].reset();
  }
  for (const auto &[integer, name] : sizeOf)
    launch.integers[integer] = terms.name(name);
}

/// Numbers that say where to go lead into buffers.
void Sketcher::setContents(Attempt &attempt) {
  for (const auto &[variable, role] : roles) {
    const Type *element = variable->type.element.get();
    TermInterval &content = attempt.launch.contents[variable];
    content.low = Polynomial();
    const bool isByte =
        element && element->isInteger() && clopt::sizeOf(element->scalar) == 1;
    if (role == DataRole::Length)
      content.high = Polynomial(8);
    else if (role == DataRole::Rows)
      content.high = Polynomial(4) * extent;
    else if (isByte)
      content.high = Polynomial(element->isUnsigned() ? 255 : 127);
    else
      content.high = extent - Polynomial(1);
  }
}

/// As far as all accesses go.
void Sketcher::boundBuffers(Attempt &attempt) {
  OffsetBounds bounds(model, assignments, terms, attempt.launch);
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    if (!array.var || !array.var->isParam || !array.var->type.isPointer())
      continue;
    const Type &element = elementOf(model, *array.var);
    const TermInterval offset = bounds.of(access);
    if (!offset.high) {
      attempt.guessed.insert(array.var);
      continue;
    }
    const Polynomial bytes = (*offset.high + Polynomial(access.width)) *
                             Polynomial(std::max(1u, array.elementBytes));
    const Polynomial elements =
        terms.ceilDiv(bytes, Polynomial(static_cast<int64_t>(element.size)));
    auto [size, isFirst] = attempt.sizes.emplace(array.var, elements);
    if (!isFirst)
      size->second = terms.larger(size->second, elements);
  }
  for (const Variable *param : function.params)
    if (isSketchable(param->type))
      attempt.images[param] = imageExtents(function, *param, assignments,
                                           attempt.launch, bounds, terms);
  for (const Variable *param : function.params)
    if (param->type.isPointer() && !attempt.sizes.count(param)) {
      attempt.sizes[param] =
          param->type.space == AddressSpace::Local
              ? Polynomial(attempt.local[0] * attempt.local[1] *
                           attempt.local[2])
              : extent;
      attempt.guessed.insert(param);
    }
}

//===-- Sizes -------------------------------------------------------------===//

/// The integer argument that an expression is, or an empty name.
static std::string argumentOf(const Expr &expr) {
  if (expr.kind == ExprKind::VarRef && expr.var->isParam)
    return expr.var->name;
  const bool isMember = expr.kind == ExprKind::Member && !expr.arrow;
  const bool isLane =
      expr.kind == ExprKind::Swizzle && expr.components.size() == 1;
  if (!isMember && !isLane)
    return "";
  const Expr &whole = *expr.operands[0];
  if (whole.kind != ExprKind::VarRef || !whole.var->isParam)
    return "";
  return whole.var->name + "." +
         (isMember ? expr.text
                   : std::string(1, "xyzw"[expr.components[0] % 4]));
}

/// Reads what the model leaves out of statements that are kept whole.
void Sketcher::readConditions() {
  isOneGroup = true;
  forEachExpr(function.body, [&](const ExprRef &expr) {
    if (expr->kind == ExprKind::WorkItem)
      isOneGroup &= expr->query == WorkItemQuery::LocalId ||
                    expr->query == WorkItemQuery::LocalSize;
    isOneGroup &=
        expr->kind != ExprKind::Opaque &&
        (expr->kind != ExprKind::Call || expr->effect != CallEffect::Opaque);
    const bool divides =
        (expr->kind == ExprKind::Binary || expr->kind == ExprKind::Assign) &&
        (expr->op == Op::Div || expr->op == Op::Rem) && expr->type.isInteger();
    if (!divides)
      return;
    const std::string divisor =
        argumentOf(*belowCasts(expr->operands[1].get()));
    if (!divisor.empty())
      divisors.insert(divisor);
  });
  forEachStmt(function.body, [&](const StmtRef &stmt) {
    if (!stmt->expr ||
        (stmt->kind != StmtKind::If && stmt->kind != StmtKind::For &&
         stmt->kind != StmtKind::While && stmt->kind != StmtKind::Do))
      return;
    std::optional<std::pair<WorkItemQuery, unsigned>> step;
    if (stmt->inc)
      forEachExpr(stmt->inc, [&](const ExprRef &expr) {
        if (expr->kind == ExprKind::WorkItem &&
            (expr->query == WorkItemQuery::GlobalSize ||
             expr->query == WorkItemQuery::LocalSize))
          step = {expr->query, expr->dim};
      });
    forEachExpr(stmt->expr, [&](const ExprRef &expr) {
      const std::string name = argumentOf(*expr);
      if (!name.empty() && expr->type.isInteger())
        compared.insert(name);
      if (!name.empty() && step)
        strided[name] = *step;
    });
  });
}

/// What a loop that ends at the argument advances by, or 0.
int64_t Sketcher::stepOf(const std::string &integer,
                         const SmallLaunch &launch) const {
  auto found = strided.find(integer);
  if (found == strided.end())
    return 0;
  const auto &[query, dim] = found->second;
  return query == WorkItemQuery::GlobalSize ? launch.global[dim]
                                            : launch.local[dim];
}

/// Some loop runs so often, or some condition compares with it.
bool Sketcher::isLoopSize(const std::string &integer) const {
  if (compared.count(integer))
    return true;
  for (const Symbol &symbol : model.symbols.all()) {
    if (symbol.kind != SymbolKind::Param || !symbol.var ||
        clopt::integerOf(symbol) != integer)
      continue;
    for (const Statement &statement : model.statements) {
      const int at = isl_set_find_dim_by_name(
          statement.domain.get(), isl_dim_param, symbol.name.c_str());
      if (at >= 0 &&
          isl_set_involves_dims(statement.domain.get(), isl_dim_param,
                                unsigned(at), 1) == isl_bool_true)
        return true;
    }
  }
  return false;
}

/// About how often the statement that runs most does.
int64_t Sketcher::workOf(const SmallLaunch &launch) const {
  const Values values = parameterValues(model, launch);
  // Of loops that are not modelled the outermost may go over all work-items.
  constexpr int64_t hiddenIterations = 16, mostHidden = 4096;
  int64_t most = launch.workItems();
  const int64_t outermost = std::clamp(most, hiddenIterations, mostHidden);
  for (size_t s = 0; s < model.statements.size(); ++s) {
    const Statement &statement = model.statements[s];
    std::vector<unsigned> asked;
    for (unsigned i = 0; i < statement.coordinates.size(); ++i)
      asked.push_back(i);
    auto spans = domains[s].spans(values, {}, asked);
    if (!spans)
      continue;
    double work = 1;
    for (const NumberSpan &span : *spans)
      if (span.isBelow(INT64_MAX))
        work *= static_cast<double>(span.last - span.first + 1);
    if (statement.isCompound)
      for (unsigned depth = loopDepth(statement.stmt); depth > 0; --depth)
        work *= static_cast<double>(depth > 1 ? hiddenIterations : outermost);
    most = std::max(most, static_cast<int64_t>(std::min(work, 1e15)));
  }
  return most;
}

/// Of all buffers.
int64_t Sketcher::bytesOf(const Attempt &attempt, const Values &point) const {
  int64_t bytes = 0;
  for (const auto &[buffer, size] : attempt.sizes)
    bytes += terms.value(size, point).value_or(int64_t(1) << 40) *
             static_cast<int64_t>(elementOf(model, *buffer).size);
  return bytes;
}

/// Of images that every device has.
bool Sketcher::hasImages(const Attempt &attempt, const Values &point) const {
  for (const auto &image : attempt.images)
    for (const Polynomial &extent : image.second)
      if (terms.value(extent, point).value_or(INT64_MAX) > mostTexels)
        return false;
  return true;
}

/// Values of all sizes, the largest with which a launch takes no time that
/// matters, and no two work-items meet.
Values Sketcher::pointOf(const Attempt &attempt, SizeKind kind, bool isSmall) {
  if (isSmall)
    return pointOf(attempt, kind, int64_t(0)).first;
  constexpr int64_t mostWork = 1 << 24, mostItems = 1 << 16,
                    mostBytes = 1 << 24;
  std::optional<Values> racing;
  for (int64_t scale :
       {65536, 16384, 4096, 2048, 1024, 512, 256, 128, 64, 32}) {
    auto [point, launch] = pointOf(attempt, SizeKind::Whole, scale);
    if (launch.workItems() > mostItems || workOf(launch) > mostWork ||
        bytesOf(attempt, point) > mostBytes || !hasImages(attempt, point))
      continue;
    if (kind != SizeKind::Whole)
      std::tie(point, launch) = pointOf(attempt, kind, scale);
    if (!races)
      races.emplace(model);
    if (!races->occurIn(launch))
      return point;
    if (!racing)
      racing = point;
  }
  return racing ? *racing : pointOf(attempt, kind, int64_t(16)).first;
}

/// Sizes of the launch that differ tell mistakes from each other; some kernels
/// need those that are the same.
std::pair<Values, SmallLaunch> Sketcher::pointOf(const Attempt &attempt,
                                                 SizeKind kind, int64_t scale) {
  auto point = pointOf(attempt, kind, scale, true);
  if (!meetsAssumptions(model, point.second))
    point = pointOf(attempt, kind, scale, false);
  return point;
}

/// How many work-items less than the size has a launch of `n - 32`.
int64_t Sketcher::marginOf(const Attempt &attempt, const std::string &name) {
  int64_t margin = 0;
  for (const std::optional<GridTie> &tie : attempt.ties) {
    const std::optional<Polynomial> size =
        tie ? termOf(tie->size) : std::nullopt;
    if (size)
      margin = std::max(margin,
                        -(*size - terms.name(name)).asConstant().value_or(0));
  }
  return margin;
}

/// Those of the launch, then those that go with them. A scale of 0: a launch
/// for a symbolic run.
std::pair<Values, SmallLaunch> Sketcher::pointOf(const Attempt &attempt,
                                                 SizeKind kind, int64_t scale,
                                                 bool isDistinct) {
  SmallLaunch launch;
  launch.dimensions = std::max(1u, model.ndrange.launchRank());
  Values point;
  unsigned index = 0;
  std::vector<int64_t> taken;
  for (const std::string &name : gridNames(attempt)) {
    point[name] =
        gridSize(kind, attempt.local, scale, isDistinct ? index++ : 0) +
        marginOf(attempt, name);
    taken.push_back(point[name]);
    auto integer = integerOf.find(name);
    if (integer != integerOf.end())
      launch.integers[integer->second] = point[name];
  }
  for (unsigned d = 0; d < 3; ++d) {
    launch.local[d] = attempt.local[d];
    launch.global[d] =
        terms.value(attempt.launch.global[d], point).value_or(attempt.local[d]);
  }
  // Loops run often enough for what the planner requires of them.
  const std::vector<int64_t> loopSizes =
      kind == SizeKind::Whole
          ? std::vector<int64_t>{scale ? usualIterations : 16}
      : kind == SizeKind::Uneven ? std::vector<int64_t>{20, 4}
                                 : std::vector<int64_t>{5, 3};
  // Where rows may not overlap, steps from one to the next have room for what
  // is in them.
  const int64_t wideRow =
      taken.empty() ? 1 : 4 * *std::max_element(taken.begin(), taken.end());
  const std::vector<int64_t> otherSizes =
      hasWideRows ? std::vector<int64_t>{wideRow} : std::vector<int64_t>{1, 2};
  std::map<std::string, std::vector<int64_t>> values;
  for (const std::string &integer : integers) {
    std::vector<int64_t> &list = values[integer];
    const bool isExtent = hasExtents && divisors.count(integer);
    list = isExtent || isLoopSize(integer) ? loopSizes : otherSizes;
    // Every work-item has several iterations, and some have one more.
    if (const int64_t step = stepOf(integer, launch))
      list.insert(list.begin(), scale == 0 ? 2 * step + step / 2
                                : kind == SizeKind::Whole
                                    ? 64 * step
                                    : 40 * step + step / 3);
    list.insert(list.end(), taken.begin(), taken.end());
    for (int64_t value : taken)
      list.push_back(kind == SizeKind::Whole ? value + 16 : value + 3);
    list.insert(list.end(), {1, 2, 3, 4, 8, 16, 64, 0, wideRow});
  }
  completeLaunch(kernel, launch, values);
  for (const auto &[integer, value] : launch.integers)
    point[sizeOf[integer]] = value;
  return {point, launch};
}

/// Names of the sizes that the launch is made of.
std::vector<std::string> Sketcher::gridNames(const Attempt &attempt) const {
  std::vector<std::string> names;
  for (const Polynomial &global : attempt.launch.global)
    for (const std::string &name : terms.namesIn(global))
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  return names;
}

//===-- Runs --------------------------------------------------------------===//

/// What the integers of buffers are.
void Sketcher::setContents(SmallLaunch &launch, Attempt &attempt,
                           const Values &sizes) {
  for (const auto &[variable, content] : attempt.launch.contents) {
    MadeUpIntegers &made = launch.integersIn[variable->name];
    made.high = terms.value(*content.high, sizes).value_or(0);
    made.count = terms.value(attempt.sizes[variable], sizes).value_or(1);
    if (roles.at(variable) == DataRole::Rows)
      made.order = MadeUpIntegers::Order::Rising;
    if (permuted.count(variable))
      made.order = MadeUpIntegers::Order::Permuted;
  }
}

/// Whether a buffer ends with what is made of what nobody set.
static bool holdsUnset(const MemoryObject &object) {
  const auto cells = object.cells.all();
  return object.hasData &&
         std::any_of(cells.begin(), cells.end(), [](auto &at) {
           return at.second->isWritten && at.second->isUnset;
         });
}

/// Runs the kernel as the specification says; returns what is wrong with that.
std::string Sketcher::runOnce(Attempt &attempt, const Values &sizes,
                              uint64_t data, bool &usesUnset) {
  SmallLaunch launch;
  launch.dimensions = std::max(1u, model.ndrange.launchRank());
  launch.local = attempt.local;
  launch.data = data;
  for (unsigned d = 0; d < 3; ++d) {
    std::optional<int64_t> value = terms.value(attempt.launch.global[d], sizes);
    if (!value || *value < 1)
      return "sizes that do not fit";
    launch.global[d] = *value;
  }
  for (const auto &[integer, name] : sizeOf)
    launch.integers[integer] = sizes.at(name);
  setContents(launch, attempt, sizes);
  TermStore store(data);
  RunResult result = code.trace(launch, store, stepsPerRun);
  if (result.fault)
    return result.fault->what;
  usesUnset |= result.unsetDecides;
  if (result.gaveUp && *result.gaveUp != tooManySteps)
    return "";
  for (int64_t id = 1; id <= result.memory.objectCount(); ++id) {
    const MemoryObject &object = result.memory.object(id);
    usesUnset |= holdsUnset(object);
    auto isOf = [&](const Variable *param) {
      return param->type.isPointer() && param->name == object.name;
    };
    const auto buffer =
        std::find_if(function.params.begin(), function.params.end(), isOf);
    if (buffer == function.params.end())
      continue;
    const OffsetRange used = object.accessed();
    if (used.first > used.last)
      continue;
    if (used.first < 0)
      return "'" + (*buffer)->name + "' is accessed before its begin";
    const auto bytes = static_cast<int64_t>(elementOf(model, **buffer).size);
    enlarge(attempt, **buffer, used.last / bytes + 1, sizes);
  }
  return "";
}

/// A buffer in which so many elements are accessed is larger than was thought.
void Sketcher::enlarge(Attempt &attempt, const Variable &buffer,
                       int64_t elements, const Values &sizes) {
  Polynomial &size = attempt.sizes[&buffer];
  const std::optional<int64_t> known = terms.value(size, sizes);
  if (known && *known >= elements)
    return;
  attempt.guessed.insert(&buffer);
  std::vector<Polynomial> bases = {Polynomial(1), extent};
  for (const auto &[name, value] : sizes)
    bases.push_back(terms.name(name));
  const size_t simple = bases.size();
  for (size_t i = 1; i < simple; ++i)
    for (size_t k = i; k < simple; ++k)
      bases.push_back(bases[i] * bases[k]);
  std::optional<std::pair<int64_t, Polynomial>> best;
  for (const Polynomial &base : bases)
    for (int64_t factor : {1, 2, 3, 4, 8, 16, 64}) {
      const Polynomial candidate = Polynomial(factor) * base;
      const std::optional<int64_t> value = terms.value(candidate, sizes);
      const bool isConstant = candidate.asConstant().has_value();
      if (value && *value >= elements && !isConstant &&
          (!best || *value < best->first))
        best = {*value, candidate};
    }
  const Polynomial wanted = best ? best->second : Polynomial(2 * elements);
  size = terms.larger(size, wanted);
  const std::optional<int64_t> now = terms.value(size, sizes);
  if (!now || *now < elements)
    size = wanted;
}

Attempt Sketcher::tryGroup(const std::array<int64_t, 3> &local) {
  Attempt attempt;
  attempt.local = local;
  setGrid(attempt);
  setContents(attempt);
  boundBuffers(attempt);
  if (!permuted.empty()) {
    for (const Variable *variable : permuted)
      attempt.launch.contents[variable].high =
          attempt.sizes[variable] - Polynomial(1);
    attempt.sizes.clear();
    boundBuffers(attempt);
  }
  std::set<SizeKind> defined;
  for (SizeKind kind : allKinds) {
    const Values point = pointOf(attempt, kind, true);
    std::string fault;
    bool usesUnset = false;
    for (uint64_t data : {0, 2})
      if (fault.empty())
        fault = runOnce(attempt, point, data, usesUnset);
    if (fault.empty())
      (usesUnset ? attempt.kinds : defined).insert(kind);
    else
      attempt.faults.insert(fault);
  }
  attempt.isDefined = !defined.empty();
  if (attempt.isDefined)
    attempt.kinds = std::move(defined);
  return attempt;
}

//===-- The specification -------------------------------------------------===//

void Sketcher::addScalar(const Variable &parameter,
                         SkeletonArgument &argument) {
  argument.memory = SkeletonArgument::Memory::Scalar;
  const Type &type = parameter.type;
  auto valueOf = [&](const std::string &name, ScalarKind kind,
                     int64_t otherwise) {
    if (auto named = sizeOf.find(name); named != sizeOf.end())
      return named->second;
    return kind >= ScalarKind::Half ? std::string("0.5")
                                    : std::to_string(otherwise);
  };
  const bool isGuess = type.isFloating() || argument.bytes || type.fields;
  if (type.isScalar() && type.isInteger() &&
      sizeOf.at(parameter.name) == parameter.name)
    return; // the size of its name
  if (type.isScalar() || type.isVector()) {
    for (unsigned lane = 0; lane < type.lanes; ++lane)
      argument.values.push_back(valueOf(
          type.isVector() && lane < 4 ? parameter.name + "." + "xyzw"[lane]
                                      : parameter.name,
          type.scalar, 1));
  } else if (argument.bytes) {
    argument.values = {"0"}; // of every byte
  } else if (type.fields) {
    for (const Field &field : *type.fields) {
      const Type &part = field.type;
      const Type &scalar =
          part.isArray() && part.element ? *part.element : part;
      const uint64_t count = (part.isArray() ? part.extent : 1) * scalar.lanes;
      for (uint64_t lane = 0; lane < count; ++lane)
        argument.values.push_back(
            valueOf(parameter.name + "." + field.name, scalar.scalar, 1));
    }
  }
  if (isGuess)
    argument.comment = "the value is a guess";
}

void Sketcher::addBuffer(const Attempt &attempt, const Variable &parameter,
                         SkeletonArgument &argument) {
  const bool isLocal = parameter.type.space == AddressSpace::Local;
  if (isLocal)
    argument.memory = SkeletonArgument::Memory::Local;
  argument.size = terms.text(attempt.sizes.at(&parameter));
  if (attempt.guessed.count(&parameter))
    argument.comment = "the size is a guess, from what small launches access";
  argument.isRead = argument.isWritten = false;
  for (const Access &access : model.accesses)
    if (model.arrays[access.array].var == &parameter)
      (access.isWrite ? argument.isWritten : argument.isRead) = true;
  if (!argument.isRead && !argument.isWritten)
    argument.isRead = argument.isWritten = true;
  auto role = roles.find(&parameter);
  if (role == roles.end() || isLocal)
    return;
  const TermInterval &content = attempt.launch.contents.at(&parameter);
  argument.low = "0";
  argument.high = terms.text(*content.high);
  argument.fill = role->second == DataRole::Rows ? SkeletonArgument::Fill::Rows
                  : permuted.count(&parameter)
                      ? SkeletonArgument::Fill::Permutation
                      : SkeletonArgument::Fill::Range;
  argument.comment += argument.comment.empty() ? "" : "; ";
  argument.comment +=
      role->second == DataRole::Index
          ? "its numbers are subscripts, their range is a guess"
      : role->second == DataRole::Length
          ? "its numbers are lengths of loops, their range is a guess"
          : "its numbers are where loops begin and end, the last is a guess";
}

/// Types of the members of a struct; none when they cannot be described.
static std::vector<std::string> membersOf(const Type &type) {
  std::vector<std::string> members;
  if (!type.fields)
    return members;
  for (const Field &field : *type.fields) {
    const Type &part = field.type;
    const Type &element = part.isArray() && part.element ? *part.element : part;
    if (!element.isScalar() && !element.isVector())
      return {};
    members.push_back(
        typeName(element.scalar, element.lanes) +
        (part.isArray() ? "[" + std::to_string(part.extent) + "]" : ""));
  }
  return members;
}

void Sketcher::addArgument(const Attempt &attempt, const Variable &parameter,
                           LaunchSkeleton &skeleton) {
  SkeletonArgument argument;
  argument.name = parameter.name;
  if (isSketchable(parameter.type)) {
    describeImage(function, parameter, attempt.images.at(&parameter), terms,
                  argument);
    skeleton.arguments.push_back(std::move(argument));
    return;
  }
  const Type &type =
      parameter.type.isPointer() ? elementOf(model, parameter) : parameter.type;
  if (type.isScalar() || type.isVector()) {
    // A buffer of bool or void is one of bytes.
    const bool isPlain = type.scalar > ScalarKind::Bool;
    argument.type =
        typeName(isPlain ? type.scalar : ScalarKind::UChar, type.lanes);
  } else {
    argument.type = type.spelling.empty() ? "struct" : type.spelling;
    argument.members = membersOf(type);
    if (argument.members.empty())
      argument.bytes = type.size;
  }
  if (parameter.type.isPointer())
    addBuffer(attempt, parameter, argument);
  else
    addScalar(parameter, argument);
  skeleton.arguments.push_back(std::move(argument));
}

/// What the work-items access depends on how many there are.
bool Sketcher::usesLaunchSize(unsigned d) const {
  auto isSize = [&](SymbolId id) {
    const Symbol &symbol = model.symbols[id];
    return symbol.kind == SymbolKind::GlobalSize && symbol.dim == d;
  };
  auto uses = [&](const Access &access) {
    if (!access.offset)
      return model.arrays[access.array].space != AddressSpace::Private;
    const auto symbols = access.offset->symbols();
    return std::any_of(symbols.begin(), symbols.end(), isSize);
  };
  return std::any_of(model.accesses.begin(), model.accesses.end(), uses);
}

void Sketcher::addRanges(const Attempt &attempt, LaunchSkeleton &skeleton) {
  const unsigned rank = std::max(1u, model.ndrange.launchRank());
  const bool hasGroups = !suitedGroups(kernel).empty();
  SkeletonRange first;
  for (unsigned d = 0; d < rank; ++d) {
    first.global.push_back(terms.text(attempt.launch.global[d]));
    if (hasGroups)
      first.local.push_back(std::to_string(attempt.local[d]));
  }
  skeleton.ranges.push_back(first);
  if (hasGroups)
    return;
  // Another group; what a guard leaves out may be launched as well.
  SkeletonRange other;
  for (unsigned d = 0; d < rank; ++d) {
    const bool mayGrow =
        attempt.ties[d] && attempt.ties[d]->isGuarded && !usesLaunchSize(d);
    const int64_t size = rank == 1 ? 64 : d == 0 ? 16 : d == 1 ? 4 : 1;
    const std::string group = std::to_string(size);
    if (mayGrow) {
      other.global.push_back("roundup(" + first.global[d] + ", " + group + ")");
      other.local.push_back(group);
    } else {
      other.global.push_back(first.global[d]);
      other.local.push_back("gcd(" + first.global[d] + ", " + group + ")");
    }
  }
  skeleton.ranges.push_back(other);
}

/// With the first of the groups with which all goes well, or most.
Attempt Sketcher::tryGroups(const std::vector<std::array<int64_t, 3>> &groups) {
  std::optional<Attempt> best;
  auto worth = [](const Attempt &attempt) {
    return std::pair(attempt.isDefined, attempt.kinds.size());
  };
  for (const std::array<int64_t, 3> &group : groups) {
    Attempt attempt = tryGroup(group);
    if (!best || worth(attempt) > worth(*best))
      best = std::move(attempt);
    if (best->isDefined && best->kinds.size() == std::size(allKinds))
      break;
  }
  return *best;
}

/// What positions are divided by has several cells, unless fewer launches make
/// sense then.
Attempt
Sketcher::tryExtents(const std::vector<std::array<int64_t, 3>> &groups) {
  hasExtents = !divisors.empty();
  Attempt attempt = tryGroups(groups);
  if (!hasExtents || attempt.kinds.size() == std::size(allKinds))
    return attempt;
  hasExtents = false;
  Attempt other = tryGroups(groups);
  hasExtents = other.kinds.size() <= attempt.kinds.size();
  return hasExtents ? attempt : other;
}

LaunchSkeleton Sketcher::run() {
  LaunchSkeleton skeleton;
  skeleton.kernel = function.name;
  auto refuse = [&](const std::string &why) {
    skeleton.ruleId = "clopt-no-launch";
    skeleton.problem = why;
    return skeleton;
  };
  const std::string why = whyNot();
  if (!why.empty())
    return refuse(why);
  nameIntegers();
  readConditions();
  std::vector<std::array<int64_t, 3>> groups = suitedGroups(kernel);
  if (groups.empty())
    groups.push_back({1, 1, 1});
  Attempt best = tryExtents(groups);
  for (const auto &[variable, role] : roles)
    if (role == DataRole::Index && best.kinds.empty())
      permuted.insert(variable);
  // Several work-items may go to one place, unless every number occurs once.
  if (!permuted.empty()) {
    Attempt other = tryExtents(groups);
    if (other.kinds.empty())
      permuted.clear();
    else
      best = std::move(other);
  }
  if (best.kinds.empty())
    return refuse("small launches have no meaning: " + *best.faults.begin());
  std::vector<Values> points;
  if (best.kinds.count(SizeKind::Prime))
    points.push_back(pointOf(best, SizeKind::Prime, true));
  for (SizeKind kind : best.kinds)
    points.push_back(pointOf(best, kind, false));
  for (const Values &point : points) {
    std::vector<std::pair<std::string, int64_t>> sizes(point.begin(),
                                                       point.end());
    if (!sizes.empty() &&
        std::find(skeleton.sizes.begin(), skeleton.sizes.end(), sizes) ==
            skeleton.sizes.end())
      skeleton.sizes.push_back(std::move(sizes));
  }
  for (const Variable *param : function.params)
    addArgument(best, *param, skeleton);
  addRanges(best, skeleton);
  return skeleton;
}

/// The largest launch in which no work-item has much more to do than one
/// iteration for each of its neighbours.
std::optional<SmallLaunch>
Sketcher::largeLaunch(const std::array<int64_t, 3> &usual) {
  if (!whyNot().empty())
    return std::nullopt;
  usualIterations = 1024;
  hasWideRows = true;
  nameIntegers();
  Attempt attempt;
  const std::vector<std::array<int64_t, 3>> groups = suitedGroups(kernel);
  attempt.local = groups.empty() ? usual : groups.front();
  setGrid(attempt);
  setContents(attempt);
  boundBuffers(attempt);
  constexpr int64_t mostItems = 1 << 23, mostIterations = 1 << 12;
  constexpr int64_t mostBytes = int64_t(1) << 32;
  for (int64_t scale : {1 << 20, 1 << 18, 1 << 16, 1 << 14, 1 << 12, 1 << 11,
                        1 << 10, 512, 256, 128, 64, 32, 16}) {
    auto [point, launch] = pointOf(attempt, SizeKind::Whole, scale);
    const int64_t items = launch.workItems();
    if (items > mostItems || workOf(launch) / items > mostIterations ||
        bytesOf(attempt, point) > mostBytes)
      continue;
    setContents(launch, attempt, point);
    return launch;
  }
  return std::nullopt;
}

std::optional<SmallLaunch>
sketchLargeLaunch(const TransformedKernel &kernel,
                  const std::array<int64_t, 3> &usual) {
  return Sketcher(kernel).largeLaunch(usual);
}

LaunchSkeleton sketchLaunch(const TransformedKernel &kernel) {
  return Sketcher(kernel).run();
}

} // namespace clopt
