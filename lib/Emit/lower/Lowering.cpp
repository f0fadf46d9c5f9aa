//===- Lowering.cpp - tiles, lanes and isl's AST generator ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. TileDomains: which instances every statement has in one tile of logical
//    work-items, and for which tiles all its work-items agree (exact, by isl).
// 2. ScheduleMaker: a schedule tree in which vectorized and unrolled loops
// visit
//    only the first iteration of every chunk, followed by what is left over.
// 3. AstReader: isl's AST as EmitNodes.
//
// Tested by test/unit/LoweringTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/Lowering.h"

#include "Emit/body/BarrierFlow.h"
#include "Emit/frame/ImpliedConditions.h"
#include "Emit/lower/DivergentInstances.h"
#include "Emit/lower/MovedTiles.h"
#include "Emit/lower/RemainderLoops.h"
#include "Emit/lower/ScheduleMaker.h"
#include "Emit/lower/TileDomains.h"
#include "Emit/lower/TileSets.h"
#include "Emit/lower/TypicalTiles.h"
#include "Support/DimCount.h"

#include "Analysis/access/Selections.h"

#include <isl/aff.h>
#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/union_set.h>
#include <isl/val.h>

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace clopt {

isl::id labelledId(isl_ctx *context, const std::string &name,
                   const IdLabel &label) {
  auto own = std::make_unique<IdLabel>(label);
  isl::id id = isl::manage(isl_id_alloc(context, name.c_str(), own.get()));
  own.release(); // the id frees it
  return isl::manage(isl_id_set_free_user(
      id.release(), [](void *user) { delete static_cast<IdLabel *>(user); }));
}

const IdLabel *labelOf(const isl::id &id) {
  return static_cast<const IdLabel *>(isl_id_get_user(id.get()));
}

isl::set named(const isl::set &instances, const std::string &name,
               const IdLabel &label) {
  isl_ctx *context = isl_set_get_ctx(instances.get());
  return isl::manage(isl_set_set_tuple_id(
      instances.copy(), labelledId(context, name, label).release()));
}

namespace {

/// isl's AST as EmitNodes; marks say which loop a `for` belongs to.
class AstReader {
public:
  AstReader(const TransformedKernel &transformed, const isl::set &known)
      : kernel(transformed), context(known) {}
  EmitNode read(const isl::ast_node &node);
  /// An unrolled loop was left out by isl.
  bool failed = false;

private:
  EmitNode readFor(const isl::ast_node &node);
  EmitNode readIf(const isl::ast_node &node);
  EmitNode readUser(const isl::ast_node &node);
  void collectValues(const isl::ast_node &node, unsigned loop,
                     std::vector<isl::ast_expr> &values) const;
  EmitNode putBack(const isl::ast_node &inner, const EmitNode &loop,
                   const std::vector<isl::ast_expr> &values);
  EmitNode readBelow(const isl::ast_node &inner, const EmitNode &loop);
  EmitNode readChunks(const isl::ast_node &node, const EmitNode &loop);
  void readGuard(const IdLabel &label, EmitNode &result) const;

  const TransformedKernel &kernel;
  isl::set context; ///< { : }
  /// What the next `for` is, set by the mark above it.
  EmitNode pending;
  /// Chunked loops around, by their marks, that no `for` stands for yet.
  std::vector<EmitNode> unopened;
  /// Chunked loops around, open or not.
  unsigned chunksAround = 0;
  /// Loops of one iteration that were put back.
  std::set<unsigned> alone;
  /// Whether a loop over chunks was put back or is a `for`, by the number of
  /// the `for` around it and by the loop: never both.
  std::map<std::pair<unsigned, unsigned>, std::set<bool>> chunkLoops;
  unsigned loopAround = 0, loopCount = 0;
};

} // namespace

EmitNode AstReader::readFor(const isl::ast_node &node) {
  EmitNode result = pending;
  isl::ast_expr iterator =
      isl::manage(isl_ast_node_for_get_iterator(node.get()));
  isl::id id = isl::manage(isl_ast_expr_get_id(iterator.get()));
  result.iterator = isl_id_get_name(id.get());
  result.init = isl::manage(isl_ast_node_for_get_init(node.get()));
  if (isl_ast_node_for_is_degenerate(node.get()) != isl_bool_true) {
    result.condition = isl::manage(isl_ast_node_for_get_cond(node.get()));
    result.increment = isl::manage(isl_ast_node_for_get_inc(node.get()));
  }
  const unsigned outer = loopAround;
  loopAround = ++loopCount;
  std::vector<EmitNode> saved = unopened;
  for (size_t i = 0; i < unopened.size(); ++i)
    if (result.loopKind == EmitNode::LoopKind::Sequential &&
        unopened[i].loop == result.loop) {
      unopened.erase(unopened.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  result.children.push_back(
      read(isl::manage(isl_ast_node_for_get_body(node.get()))));
  loopAround = outer;
  unopened = saved;
  return result;
}

EmitNode AstReader::readIf(const isl::ast_node &node) {
  EmitNode result;
  result.kind = EmitNode::Kind::If;
  result.condition = isl::manage(isl_ast_node_if_get_cond(node.get()));
  EmitNode saved = pending;
  result.children.push_back(
      read(isl::manage(isl_ast_node_if_get_then_node(node.get()))));
  if (isl_ast_node_if_has_else_node(node.get()) == isl_bool_true) {
    pending = saved;
    result.children.push_back(
        read(isl::manage(isl_ast_node_if_get_else_node(node.get()))));
  }
  return result;
}

void AstReader::readGuard(const IdLabel &label, EmitNode &result) const {
  const isl::set &condition = *label.condition;
  // `j != i` is the simpler way to say j < i or j > i.
  isl::set opposite = condition.complement().coalesce();
  result.isGuardNegated = isl_set_n_basic_set(condition.get()) > 1 &&
                          isl_set_n_basic_set(opposite.get()) == 1;
  isl_ast_build *build = isl_ast_build_from_context(context.copy());
  result.guard = isl::manage(isl_ast_build_expr_from_set(
      build, (result.isGuardNegated ? opposite : condition).copy()));
  if (label.conditionOfAll)
    result.guardOfAll = isl::manage(
        isl_ast_build_expr_from_set(build, label.conditionOfAll->copy()));
  isl_ast_build_free(build);
}

EmitNode AstReader::readUser(const isl::ast_node &node) {
  EmitNode result;
  isl::ast_expr call = isl::manage(isl_ast_node_user_get_expr(node.get()));
  isl::ast_expr tuple = isl::manage(isl_ast_expr_get_op_arg(call.get(), 0));
  isl::id id = isl::manage(isl_ast_expr_get_id(tuple.get()));
  if (const IdLabel *label = labelOf(id)) {
    result = label->node;
    if (label->condition)
      readGuard(*label, result);
  } else {
    result.kind = EmitNode::Kind::Statement;
    result.index = *kernel.model->findStatement(isl_id_get_name(id.get()));
  }
  int count = isl_ast_expr_get_op_n_arg(call.get());
  for (int i = 1; i < count; ++i)
    result.coordinates.push_back(
        isl::manage(isl_ast_expr_get_op_arg(call.get(), i)));
  // isl leaves out a loop with a single iteration; its chunk still stands for
  // several. Lanes of one statement may run on their own, copies may not.
  for (size_t i = unopened.size(); i-- > 0;) {
    failed |= unopened[i].unroll > 1 || unopened[i].tile > 0;
    EmitNode loop = unopened[i];
    loop.children.push_back(std::move(result));
    result = std::move(loop);
  }
  return result;
}

static bool isSame(const isl::ast_expr &a, const isl::ast_expr &b) {
  return isl_ast_expr_is_equal(a.get(), b.get()) == isl_bool_true;
}

/// The nodes of a block, or the node alone.
static std::vector<isl::ast_node> childrenOf(const isl::ast_node &node) {
  if (isl_ast_node_get_type(node.get()) != isl_ast_node_block)
    return {node};
  std::vector<isl::ast_node> children;
  isl_ast_node_list *list = isl_ast_node_block_get_children(node.get());
  for (int i = 0; i < isl_ast_node_list_n_ast_node(list); ++i)
    children.push_back(isl::manage(isl_ast_node_list_get_ast_node(list, i)));
  isl_ast_node_list_free(list);
  return children;
}

/// The same with the nodes of blocks in the block.
static void flattenBlocks(const isl::ast_node &node,
                          std::vector<isl::ast_node> &nodes) {
  if (isl_ast_node_get_type(node.get()) != isl_ast_node_block) {
    nodes.push_back(node);
    return;
  }
  for (const isl::ast_node &child : childrenOf(node))
    flattenBlocks(child, nodes);
}

/// True when some `for` comes before any mark or statement.
static bool beginsWithFor(const isl::ast_node &node) {
  switch (isl_ast_node_get_type(node.get())) {
  case isl_ast_node_for:
    return true;
  case isl_ast_node_if:
    return true; // what is below depends on the condition
  case isl_ast_node_block:
    return llvm::any_of(childrenOf(node), beginsWithFor);
  default:
    return false;
  }
}

static bool isChunked(const EmitNode &loop) {
  return loop.lanes > 1 || loop.unroll > 1 || loop.tile > 0;
}

/// True when a loop below is chunked.
static bool hasChunks(const isl::ast_node &node) {
  switch (isl_ast_node_get_type(node.get())) {
  case isl_ast_node_for:
    return hasChunks(isl::manage(isl_ast_node_for_get_body(node.get())));
  case isl_ast_node_if:
    return hasChunks(isl::manage(isl_ast_node_if_get_then_node(node.get())));
  case isl_ast_node_block:
    return llvm::any_of(childrenOf(node), hasChunks);
  case isl_ast_node_mark: {
    const isl::id id = isl::manage(isl_ast_node_mark_get_id(node.get()));
    const EmitNode &loop = labelOf(id)->node;
    return isChunked(loop) ||
           hasChunks(isl::manage(isl_ast_node_mark_get_node(node.get())));
  }
  default:
    return false;
  }
}

/// The iterations of a loop that isl left out, as the statements below it are
/// called with them, each once and in their order.
void AstReader::collectValues(const isl::ast_node &node, unsigned loop,
                              std::vector<isl::ast_expr> &values) const {
  auto below = [&](isl::ast_node child) { collectValues(child, loop, values); };
  switch (isl_ast_node_get_type(node.get())) {
  case isl_ast_node_for:
    return below(isl::manage(isl_ast_node_for_get_body(node.get())));
  case isl_ast_node_if:
    return below(isl::manage(isl_ast_node_if_get_then_node(node.get())));
  case isl_ast_node_mark:
    return below(isl::manage(isl_ast_node_mark_get_node(node.get())));
  case isl_ast_node_block:
    for (const isl::ast_node &child : childrenOf(node))
      below(child);
    return;
  default:
    break;
  }
  isl::ast_expr call = isl::manage(isl_ast_node_user_get_expr(node.get()));
  isl::ast_expr tuple = isl::manage(isl_ast_expr_get_op_arg(call.get(), 0));
  isl::id id = isl::manage(isl_ast_expr_get_id(tuple.get()));
  const IdLabel *label = labelOf(id);
  if (label && label->node.kind != EmitNode::Kind::Statement)
    return;
  const KernelModel &model = *kernel.model;
  const Statement &statement =
      model.statements[label ? label->node.index
                             : *model.findStatement(isl_id_get_name(id.get()))];
  for (unsigned i = 0; i < statement.coordinates.size(); ++i) {
    if (statement.coordinates[i] != model.loops[loop].iterator)
      continue;
    isl::ast_expr value = isl::manage(
        isl_ast_expr_get_op_arg(call.get(), static_cast<int>(i) + 1));
    if (values.empty() || !isSame(values.back(), value))
      values.push_back(value);
  }
}

/// Loops of one iteration each, for the values that a loop has which isl left
/// out, one after the other.
EmitNode AstReader::putBack(const isl::ast_node &inner, const EmitNode &loop,
                            const std::vector<isl::ast_expr> &values) {
  std::vector<isl::ast_node> children{inner};
  if (values.size() > 1) {
    children.clear();
    flattenBlocks(inner, children);
  }
  EmitNode block;
  std::optional<isl::ast_expr> last;
  for (const isl::ast_node &child : children) {
    std::vector<isl::ast_expr> own;
    collectValues(child, loop.loop, own);
    failed |= own.size() != 1;
    if (own.empty())
      return block;
    if (!last || !isSame(*last, own.front())) {
      EmitNode again = loop;
      again.iterator = "only" + std::to_string(loop.loop);
      // Downward loops count the negative of their variable up.
      again.init = loop.isDownward
                       ? isl::manage(isl_ast_expr_neg(own.front().copy()))
                       : own.front();
      again.children.emplace_back();
      block.children.push_back(std::move(again));
    }
    last = own.front();
    block.children.back().children.front().children.push_back(read(child));
  }
  if (block.children.size() > 1)
    return block;
  return EmitNode(std::move(block.children.front()));
}

/// What is below a mark.
EmitNode AstReader::readBelow(const isl::ast_node &inner,
                              const EmitNode &loop) {
  const bool isChunk = isChunked(loop);
  pending = loop;
  if (isChunk)
    unopened.push_back(loop);
  chunksAround += isChunk;
  EmitNode below = read(inner);
  chunksAround -= isChunk;
  if (isChunk)
    unopened.pop_back();
  return below;
}

/// The chunks of a statement alone, which each run it as a whole or in part:
/// loops, and loops of one iteration where isl left them out.
EmitNode AstReader::readChunks(const isl::ast_node &node,
                               const EmitNode &loop) {
  EmitNode result;
  switch (isl_ast_node_get_type(node.get())) {
  case isl_ast_node_block:
    for (const isl::ast_node &child : childrenOf(node))
      result.children.push_back(readChunks(child, loop));
    return result;
  case isl_ast_node_if:
    if (isl_ast_node_if_has_else_node(node.get()) == isl_bool_true)
      break;
    result.kind = EmitNode::Kind::If;
    result.condition = isl::manage(isl_ast_node_if_get_cond(node.get()));
    result.children.push_back(readChunks(
        isl::manage(isl_ast_node_if_get_then_node(node.get())), loop));
    return result;
  default:
    break;
  }
  std::vector<isl::ast_expr> values;
  if (!beginsWithFor(node))
    collectValues(node, loop.loop, values);
  return values.empty() ? readBelow(node, loop) : putBack(node, loop, values);
}

EmitNode AstReader::read(const isl::ast_node &node) {
  switch (isl_ast_node_get_type(node.get())) {
  case isl_ast_node_for:
    return readFor(node);
  case isl_ast_node_if:
    return readIf(node);
  case isl_ast_node_user:
    return readUser(node);
  case isl_ast_node_mark: {
    isl::id id = isl::manage(isl_ast_node_mark_get_id(node.get()));
    EmitNode loop = labelOf(id)->node;
    if (loop.kind == EmitNode::Kind::Section) {
      loop.children.push_back(
          read(isl::manage(isl_ast_node_mark_get_node(node.get()))));
      return loop;
    }
    const isl::ast_node inner =
        isl::manage(isl_ast_node_mark_get_node(node.get()));
    const bool isChunk = isChunked(loop);
    // Tiles of nested loops take turns, so one that is left out is no loop
    // around what is below it.
    const bool isAlone = isChunk && loop.lanes <= 1 && chunksAround == 0 &&
                         !hasChunks(inner) &&
                         loop.loopKind == EmitNode::LoopKind::Sequential;
    std::vector<isl::ast_expr> values;
    if (isAlone && !beginsWithFor(inner))
      collectValues(inner, loop.loop, values);
    if (isAlone && keysBelow(*findLoop(kernel.tree, loop.loop)).size() == 1)
      return readChunks(inner, loop);
    // A statement that runs in one chunk only can get a loop behind that of the
    // others; but the iterations of a chunk run all statements in turn.
    if (isChunk && loop.lanes <= 1) {
      std::set<bool> &kinds = chunkLoops[{loopAround, loop.loop}];
      kinds.insert(!values.empty());
      failed |= kinds.size() > 1;
    }
    if (!values.empty()) {
      // isl marks every statement of a loop that it leaves out by itself.
      // Several would be loops one after the other.
      failed |= !alone.insert(loop.loop).second;
      return putBack(inner, loop, values);
    }
    return readBelow(inner, loop);
  }
  default:
    break;
  }
  EmitNode block;
  EmitNode saved = pending;
  for (const isl::ast_node &child : childrenOf(node)) {
    pending = saved;
    block.children.push_back(read(child));
  }
  return block;
}

/// Adds loops over the logical work-items of a tile around everything.
static MaybeSchedule addWorkBands(const TransformedKernel &kernel,
                                  MaybeSchedule schedule) {
  std::vector<unsigned> dims = workCoordinates(*kernel.model);
  // Dimension 0 varies fastest: its band is added first.
  IdLabel mark;
  mark.node.kind = EmitNode::Kind::For;
  mark.node.loopKind = EmitNode::LoopKind::Work;
  for (unsigned i = 0; i < dims.size(); ++i) {
    mark.node.loop = i;
    if (schedule && workOfCoordinate(kernel, dims, i).total() > 1)
      schedule = addBand(
          *schedule, mark,
          [&](const isl::set &) { return static_cast<int>(i); }, 1,
          BandForm::Plain);
  }
  return schedule;
}

/// Sets `failed` when the code does not say what was meant.
static EmitNode generate(const TransformedKernel &kernel,
                         const MaybeSchedule &schedule, const isl::set &context,
                         bool &failed) {
  if (!schedule)
    return EmitNode();
  isl_ast_build *build = isl_ast_build_from_context(context.copy());
  isl::ast_node ast =
      isl::manage(isl_ast_build_node_from_schedule(build, schedule->copy()));
  isl_ast_build_free(build);
  AstReader reader(kernel, context);
  EmitNode result = reader.read(ast);
  failed |= reader.failed;
  simplifyRests(result, context);
  dropImplied(result, context);
  return result;
}

static isl::ast_expr conditionOf(const isl::set &condition,
                                 const isl::set &context) {
  isl::set simple =
      isl::manage(isl_set_gist_params(condition.copy(), context.copy()));
  simple = isl::manage(
      isl_set_coalesce(isl_set_remove_redundancies(simple.release())));
  isl_ast_build *build = isl_ast_build_from_context(context.copy());
  isl::ast_expr expr =
      isl::manage(isl_ast_build_expr_from_set(build, simple.release()));
  isl_ast_build_free(build);
  return expr;
}

static isl::set projectOutUnless(isl::set set,
                                 const std::set<std::string> &kept) {
  for (unsigned p = dimCount(isl_set_dim(set.get(), isl_dim_param)); p-- > 0;)
    if (!kept.count(isl_set_get_dim_name(set.get(), isl_dim_param, p)))
      set =
          isl::manage(isl_set_project_out(set.release(), isl_dim_param, p, 1));
  return set;
}

/// { : } what is asked of the kernel's arguments for a launch to have a tile in
/// which all agree; of alternatives what all of them ask. Groups do part of a
/// tile, too; they are asked for what depends on arguments alone, and for more
/// ids than one tile has (KernelWriter::requireManyIds).
static std::optional<isl::set> askedOfArguments(const TransformedKernel &kernel,
                                                const TileDomains &tiles) {
  std::set<std::string> arguments;
  for (const Symbol &symbol : kernel.model->symbols.all())
    if (symbol.kind == SymbolKind::Param)
      arguments.insert(symbol.name);
  isl::set set = tiles.uniform.intersect(tiles.context);
  if (kernel.isGrouped()) {
    set = isl::manage(
        isl_set_gist_params(tiles.uniform.copy(), tiles.context.copy()));
    for (unsigned p = 0; p < dimCount(isl_set_dim(set.get(), isl_dim_param));
         ++p)
      if (!arguments.count(isl_set_get_dim_name(set.get(), isl_dim_param, p)))
        set = isl::manage(isl_set_drop_constraints_involving_dims(
            set.release(), isl_dim_param, p, 1));
  }
  isl_set *hull = isl_set_from_basic_set(isl_set_unshifted_simple_hull(
      isl_set_remove_divs(projectOutUnless(set, arguments).release())));
  isl::set asked = isl::manage(isl_set_remove_redundancies(isl_set_gist_params(
      hull, projectOutUnless(tiles.context, arguments).release())));
  if (isl_set_n_basic_set(asked.get()) != 1 ||
      isl_set_plain_is_universe(asked.get()) == isl_bool_true)
    return std::nullopt;
  return asked;
}

/// Both versions, and the choice between them, as the kernel will have them.
static bool hasUniformBarriers(const TransformedKernel &kernel,
                               const LoweredKernel &lowered,
                               LoweringError &error) {
  if (!kernel.model->hasBarrier)
    return true;
  EmitNode whole = lowered.general.root;
  if (lowered.full) {
    EmitNode choice;
    choice.kind = EmitNode::Kind::If;
    choice.condition = lowered.full->condition;
    choice.children = {lowered.full->root, std::move(whole)};
    whole = std::move(choice);
  }
  std::optional<LoweringError> refused =
      checkBarrierFlow(*kernel.model, lowered.baseNames, whole);
  if (refused)
    error = *refused;
  return !refused;
}

/// True when a section may be cut off at the last valid id: its corners are
/// used, and what is written belongs to the first work-items.
static bool canBeCut(const TransformedKernel &kernel) {
  bool strided = false;
  for (const WorkDimension &work : kernel.work)
    strided |= work.strided && work.points > 1;
  for (const ArrayTile &tile : kernel.sections()) {
    if (!tile.hasWholeBox() || (tile.copyOut && strided))
      return false;
  }
  return true;
}

/// Finds how far tiles that are not whole reach along each coordinate, when the
/// coordinates do not depend on each other there. The condition of `full` is
/// then that its first work-item has all its ids. Returns where it is entered,
/// in parameters.
static isl::set findValidIds(const TransformedKernel &kernel,
                             const TileDomains &tiles, LoweredKernel &result) {
  std::vector<unsigned> dims = workCoordinates(*kernel.model);
  if (!kernel.isGrouped() || !canBeCut(kernel))
    return tiles.uniform;
  isl::set box = tiles.context, enter = tiles.context;
  std::vector<std::optional<isl::pw_aff>> most(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    if (tiles.extentNames[i].empty())
      continue;
    // { : } with the other extents as small as they can be
    isl_set *own = tiles.uniform.copy();
    for (size_t j = 0; j < dims.size(); ++j) {
      if (i == j || tiles.extentNames[j].empty())
        continue;
      int other = isl_set_find_dim_by_name(own, isl_dim_param,
                                           tiles.extentNames[j].c_str());
      own = isl_set_fix_si(own, isl_dim_param, static_cast<unsigned>(other),
                           static_cast<int>(kernel.work[dims[j]].total()));
      own = withoutParameter(own, tiles.extentNames[j]);
    }
    own = isl_set_coalesce(own);
    box = box.intersect(isl::manage(isl_set_copy(own)));
    isl_set *line = alongParameter(own, tiles.extentNames[i]); // { [extent] }
    isl_set *exists = isl_set_params(isl_set_copy(line));
    enter = enter.intersect(isl::manage(exists));
    most[i] = isl::manage(isl_set_dim_max(line, 0));
  }
  if (!box.is_subset(tiles.uniform))
    return tiles.uniform;
  isl_set *outside = enter.release();
  isl_set *known = tiles.context.copy();
  for (const std::string &name : tiles.extentNames) {
    outside = withoutParameter(outside, name);
    known = withoutParameter(known, name);
  }
  isl::set condition = isl::manage(isl_set_coalesce(outside));
  isl::set context = isl::manage(known);
  isl_ast_build *build =
      isl_ast_build_from_context(condition.intersect(context).release());
  result.validIds.resize(dims.size());
  for (size_t i = 0; i < dims.size(); ++i)
    if (most[i]) {
      isl_pw_aff *value = isl_pw_aff_coalesce(isl_pw_aff_gist_params(
          most[i]->release(), condition.intersect(context).release()));
      result.validIds[i] =
          isl::manage(isl_ast_build_expr_from_pw_aff(build, value));
    }
  isl_ast_build_free(build);
  result.full->condition = conditionOf(condition, context);
  return condition;
}

/// True when the section was made for choices that no tile makes: they were
/// given up.
static bool restsOnChoices(const TransformedKernel &kernel,
                           const ArrayTile &tile, const Selections &made) {
  if (made.size() == kernel.selections.size())
    return false;
  for (unsigned id : tile.required)
    if (!isAlwaysMade(*kernel.model, kernel.model->accesses[id], made))
      return true;
  if (tile.loop || tile.isPrivate() || !tile.copyIn)
    return false;
  for (unsigned id : tile.accesses)
    for (const Polynomial &subscript : kernel.model->accesses[id].subscripts)
      for (SymbolId atom :
           selectsIn(*kernel.model, subscript, kernel.selections))
        if (kernel.selections.count(atom) && !made.count(atom))
          return true;
  return false;
}

std::optional<LoweredKernel> lower(const TransformedKernel &kernel,
                                   LoweringError &error, bool often,
                                   bool movesTiles) {
  LoweredKernel result;
  TileDomains tiles = computeTileDomains(kernel);
  result.baseNames = tiles.baseNames;
  result.strideNames = tiles.strideNames;
  result.endNames = tiles.endNames;
  result.selections = tiles.selections;
  result.dead = tiles.dead;
  result.extentNames = tiles.extentNames;
  isl_ctx *ctx = kernel.model->context.get();
  isl_options_set_ast_build_detect_min_max(ctx, 1);
  isl_options_set_ast_build_exploit_nested_bounds(ctx, 1);
  auto finish = [&](bool failed) -> std::optional<LoweredKernel> {
    if (failed)
      error = {"clopt-lane-control", "the copies of a loop cannot be written",
               ""};
    if (failed || !hasUniformBarriers(kernel, result, error))
      return std::nullopt;
    return std::move(result);
  };

  if (!kernel.hasFastTiles()) {
    ScheduleMaker maker(kernel, true);
    maker.allowParts(tiles, tiles.context, !often);
    MaybeSchedule schedule = maker.makeAll(kernel.tree, tiles.general);
    if (maker.failed) {
      error = {"clopt-lane-control", maker.failure, ""};
      return std::nullopt;
    }
    result.general.root =
        generate(kernel, schedule, tiles.context, maker.failed);
    return finish(maker.failed);
  }
  // Nothing stands beside the version in which work-items have lanes: those
  // that meet at a barrier come through the same lines.
  if (kernel.hasGroupLanes() && !tiles.context.is_subset(tiles.uniform)) {
    error = {"clopt-lane-control",
             "neighbouring work-items of a group run different iterations",
             "let get_local_id(0) not appear in loop bounds"};
    return std::nullopt;
  }
  bool isIdle = isl_set_is_empty(tiles.uniform.get()) == isl_bool_true;
  if (isIdle || (often && agreeOnNothing(kernel, tiles))) {
    error = {"clopt-lane-control",
             "neighbouring work-items run different iterations",
             "let get_global_id(0) not appear in loop bounds"};
    return std::nullopt;
  }
  if (often && !kernel.keepsGroups() &&
      divergesInUsualLaunches(kernel, tiles)) {
    error = {"clopt-lane-control",
             "neighbouring work-items run the same iterations only where "
             "their loops are as long as the launch is wide",
             "count the loop from the id, and leave the cut at the borders to "
             "a condition in it"};
    return std::nullopt;
  }
  for (const ArrayTile &tile : kernel.sections())
    if (restsOnChoices(kernel, tile, tiles.selections)) {
      error = {"clopt-lane-control",
               "no work-item makes the choices of '" +
                   kernel.model->arrays[tile.array].name +
                   "' alike in all its iterations",
               ""};
      return std::nullopt;
    }
  for (const ArrayTile &tile : kernel.sections())
    for (unsigned access : tile.required)
      if (!tile.loop && !tiles.uniform.is_subset(
                            tiles
                                .full[static_cast<int>(
                                    kernel.model->accesses[access].statement)]
                                .params())) {
        error = {"clopt-non-affine-control",
                 "what is staged is not used by every tile", ""};
        return std::nullopt;
      }
  // Without the fast version nothing is gained: no tile would have it.
  result.asked = askedOfArguments(kernel, tiles);
  if (result.asked) {
    tiles.context = tiles.context.intersect(*result.asked);
    tiles.generalContext = tiles.generalContext.intersect(*result.asked);
  }
  ScheduleMaker maker(kernel, true);
  isl::set fastContext = tiles.context.intersect(tiles.uniform);
  maker.allowParts(tiles, fastContext, !often);
  MaybeSchedule fast = maker.makeAll(kernel.tree, tiles.full);
  if (maker.failed) {
    error = {"clopt-lane-control", maker.failure, ""};
    return std::nullopt;
  }
  result.full.emplace();
  result.full->root = generate(kernel, fast, fastContext, maker.failed);
  result.full->condition = conditionOf(tiles.uniform, tiles.context);
  const isl::set entry = findValidIds(kernel, tiles, result);
  if (movesTiles)
    findMoves(kernel, tiles, entry, result);
  if (kernel.hasGroupLanes())
    return finish(maker.failed);
  ScheduleMaker scalar(kernel, false);
  MaybeSchedule general =
      addWorkBands(kernel, scalar.make(kernel.tree, tiles.general));
  result.general.root =
      generate(kernel, general, tiles.generalContext, maker.failed);
  return finish(maker.failed);
}

} // namespace clopt
