//===- TransformedKernel.cpp - schedule trees of our own ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads isl's schedule tree into a tree that steps edit in place. The work band
// at the root is left out: what one work-item does is ordered here, which
// work-items exist is said by TransformedKernel::work.
//
// Tested by test/unit/ScheduleTreeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/TransformedKernel.h"

#include "Model/IdNames.h"

#include <isl/schedule_node.h>

#include <algorithm>
#include <cstdlib>

namespace clopt {

ScheduleNode ScheduleNode::sequence(std::vector<ScheduleNode> children) {
  ScheduleNode node;
  node.kind = Kind::Sequence;
  node.children = std::move(children);
  return node;
}

ScheduleNode ScheduleNode::makeLoop(unsigned loop, ScheduleNode body) {
  ScheduleNode node;
  node.kind = Kind::Loop;
  node.loop = loop;
  node.children.push_back(std::move(body));
  return node;
}

ScheduleNode ScheduleNode::leaf(unsigned statement) {
  ScheduleNode node;
  node.kind = Kind::Leaf;
  node.statement = statement;
  return node;
}

ScheduleNode ScheduleNode::makeCopy(unsigned copy) {
  ScheduleNode node;
  node.kind = Kind::Copy;
  node.copy = copy;
  return node;
}

static std::optional<ScheduleNode> readNode(const KernelModel &model,
                                            isl::schedule_node node);

static std::optional<ScheduleNode> readLeaf(const KernelModel &model,
                                            isl::schedule_node node) {
  // { S[...] } of the one statement, or of none when everything is filtered.
  isl::union_set domain = isl::manage(isl_schedule_node_get_domain(node.get()));
  std::optional<ScheduleNode> result;
  isl::set_list sets = domain.get_set_list();
  unsigned count = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(sets.size()); ++i) {
    const char *name = isl_set_get_tuple_name(sets.at(i).get());
    std::optional<unsigned> statement =
        name ? model.findStatement(name) : std::nullopt;
    if (!statement)
      return std::nullopt;
    result = ScheduleNode::leaf(*statement);
    ++count;
  }
  if (count == 0)
    return ScheduleNode::sequence({});
  return count == 1 ? result : std::nullopt;
}

static std::optional<ScheduleNode> readBand(const KernelModel &model,
                                            isl::schedule_node node) {
  isl::multi_union_pw_aff partial =
      isl::manage(isl_schedule_node_band_get_partial_schedule(node.get()));
  const char *name = nullptr;
  if (isl_multi_union_pw_aff_has_tuple_id(partial.get(), isl_dim_set) ==
      isl_bool_true)
    name = isl_multi_union_pw_aff_get_tuple_name(partial.get(), isl_dim_set);
  std::optional<ScheduleNode> body = readNode(model, node.child(0));
  if (!body || !name)
    return std::nullopt;
  if (std::string(name) == "work")
    return body;
  std::optional<unsigned> loop = model.findLoop(name);
  if (!loop)
    return std::nullopt;
  return ScheduleNode::makeLoop(*loop, std::move(*body));
}

static std::optional<ScheduleNode> readNode(const KernelModel &model,
                                            isl::schedule_node node) {
  switch (isl_schedule_node_get_type(node.get())) {
  case isl_schedule_node_domain:
  case isl_schedule_node_filter:
  case isl_schedule_node_mark:
  case isl_schedule_node_context:
    return readNode(model, node.child(0));
  case isl_schedule_node_band:
    return readBand(model, node);
  case isl_schedule_node_leaf:
    return readLeaf(model, node);
  case isl_schedule_node_sequence:
  case isl_schedule_node_set: {
    std::vector<ScheduleNode> children;
    int count = isl_schedule_node_n_children(node.get());
    for (int i = 0; i < count; ++i) {
      std::optional<ScheduleNode> child = readNode(model, node.child(i));
      if (!child)
        return std::nullopt;
      children.push_back(std::move(*child));
    }
    return ScheduleNode::sequence(std::move(children));
  }
  default:
    return std::nullopt;
  }
}

std::optional<ScheduleNode> readSchedule(const KernelModel &model) {
  if (model.schedule.is_null())
    return std::nullopt;
  return readNode(model, model.schedule.root());
}

const ScheduleNode *findLoop(const ScheduleNode &root, unsigned loop) {
  if (root.kind == ScheduleNode::Kind::Loop && root.loop == loop)
    return &root;
  for (const ScheduleNode &child : root.children)
    if (const ScheduleNode *found = findLoop(child, loop))
      return found;
  return nullptr;
}

ScheduleNode *findLoop(ScheduleNode &root, unsigned loop) {
  return const_cast<ScheduleNode *>(
      findLoop(static_cast<const ScheduleNode &>(root), loop));
}

static void forEachNode(const ScheduleNode &node,
                        llvm::function_ref<void(const ScheduleNode &)> visit) {
  visit(node);
  for (const ScheduleNode &child : node.children)
    forEachNode(child, visit);
}

std::vector<unsigned> statementsBelow(const ScheduleNode &node) {
  std::vector<unsigned> statements;
  forEachNode(node, [&](const ScheduleNode &below) {
    if (below.kind == ScheduleNode::Kind::Leaf)
      statements.push_back(below.statement);
  });
  return statements;
}

std::vector<unsigned> loopsBelow(const ScheduleNode &node) {
  std::vector<unsigned> loops;
  forEachNode(node, [&](const ScheduleNode &below) {
    if (below.kind == ScheduleNode::Kind::Loop)
      loops.push_back(below.loop);
  });
  return loops;
}

const ScheduleNode *vectorLoop(const ScheduleNode &root) {
  if (root.kind == ScheduleNode::Kind::Loop && root.lanes > 1)
    return &root;
  for (const ScheduleNode &child : root.children)
    if (const ScheduleNode *found = vectorLoop(child))
      return found;
  return nullptr;
}

bool TransformedKernel::hasLanes() const {
  return vectorLoop(tree) ||
         std::any_of(std::begin(work), std::end(work),
                     [](const WorkDimension &dim) { return dim.lanes > 1; });
}

std::optional<unsigned> pointLoop(const KernelModel &model, unsigned tiles) {
  if (model.loops[tiles].var)
    return std::nullopt;
  Polynomial first = Polynomial::symbol(model.loops[tiles].iterator);
  // The pieces of a loop that are not tiles are counted one by one.
  for (unsigned i = 0; i < model.loops.size(); ++i)
    if (model.loops[i].first == first &&
        std::llabs(model.loops[tiles].step) > std::llabs(model.loops[i].step))
      return i;
  return std::nullopt;
}

const isl::set &copiedCells(const ArrayTile &tile,
                            const CopyStatement &statement) {
  if (statement.isFill)
    return tile.window->fill;
  if (statement.isShift)
    return tile.window->shift;
  return statement.isIn ? *tile.inDomain : *tile.outDomain;
}

bool ArrayTile::has(unsigned access) const {
  return llvm::is_contained(accesses, access);
}

bool ArrayTile::hasWholeBox() const {
  auto isZero = [](int64_t cells) { return cells == 0; };
  return llvm::all_of(skipFirst, isZero) && llvm::all_of(skipLast, isZero);
}

int64_t ArrayTile::cells(const TransformedKernel &kernel) const {
  int64_t count = 1;
  for (unsigned d = 0; d < extents.size(); ++d)
    count *= largest(kernel, d);
  return count;
}

int64_t ArrayTile::largest(const TransformedKernel &kernel,
                           unsigned dim) const {
  int64_t cells = extents[dim].constant;
  for (unsigned d = 0; d < 3; ++d) {
    const WorkDimension &work = kernel.work[d];
    cells +=
        extents[dim].perId[d] * (work.groupIds ? work.groupIds : work.total());
  }
  return cells;
}

unsigned ArrayTile::cellBytes(const KernelModel &model) const {
  const Array &info = model.arrays[array];
  if (!stored && !inPlanes)
    return info.elementBytes;
  const unsigned lanes = info.elementType.lanes;
  // Vectors of three take the room of four, unless they are taken apart.
  return sizeOf(stored.value_or(info.elementType.scalar)) *
         (lanes == 3 && !inPlanes ? 4 : lanes);
}

std::string ArrayTile::cellType(const KernelModel &model,
                                unsigned count) const {
  Type type = model.arrays[array].elementType;
  type.isConst = false;
  if (type.kind == TypeKind::Struct)
    return typeText(type);
  return typeName(stored.value_or(type.scalar),
                  inPlanes ? count : count * type.lanes);
}

unsigned ArrayTile::planes(const KernelModel &model) const {
  return inPlanes ? model.arrays[array].elementType.lanes : 1;
}

bool TransformedKernel::isVirtual() const {
  return isTiled() || !model->ndrange.mapped.empty() || sharesWork() ||
         fastest != 0 || model->ndrange.isFlat();
}

bool TransformedKernel::isTiled() const {
  for (const WorkDimension &dimension : work)
    if (dimension.total() > 1)
      return true;
  return isGrouped();
}

bool TransformedKernel::isGrouped() const {
  for (const WorkDimension &dimension : work)
    if (dimension.groupIds > 0)
      return true;
  return false;
}

std::optional<unsigned> TransformedKernel::adaptiveDimension() const {
  for (unsigned d = 3; d-- > 0;)
    if (work[d].threads() > 1)
      return d;
  return std::nullopt;
}

const ReductionAccumulator *TransformedKernel::partialOf(unsigned loop,
                                                         unsigned array) const {
  for (const ReductionAccumulator &partial : partials)
    if (partial.loop == loop && partial.array == array)
      return &partial;
  return nullptr;
}

const LocalPadding *TransformedKernel::paddingOf(unsigned array) const {
  for (const LocalPadding &padding : paddings)
    if (padding.array == array)
      return &padding;
  return nullptr;
}

const BatchedStrideLoop *TransformedKernel::roundsOf(unsigned statement) const {
  for (const BatchedStrideLoop &loop : rounds)
    if (loop.statement == statement)
      return &loop;
  return nullptr;
}

std::optional<unsigned> TransformedKernel::tileOf(unsigned access) const {
  for (unsigned t = 0; t < tiles.size(); ++t)
    if (tiles[t].has(access))
      return t;
  return std::nullopt;
}

const ArrayTile *TransformedKernel::registersOf(unsigned access) const {
  const std::optional<unsigned> tile = tileOf(access);
  return tile && tiles[*tile].inTree ? &tiles[*tile] : nullptr;
}

bool TransformedKernel::areApart(unsigned first, unsigned second) const {
  return first != second && (areDisjoint(*model, first, second) ||
                             disjointArrays.count(std::minmax(first, second)));
}

const LocalLayout *TransformedKernel::layoutOf(unsigned array) const {
  for (const LocalLayout &layout : localLayouts)
    if (layout.array == array)
      return &layout;
  return nullptr;
}

bool TransformedKernel::mergesGroups() const {
  for (unsigned d = 0; d < 3; ++d)
    if (model->ndrange.split[d] && work[d].points > 1)
      return true;
  return false;
}

bool TransformedKernel::hasGroupLanes() const {
  for (unsigned d = 0; d < 3; ++d)
    if (model->ndrange.split[d] && work[d].lanes > 1)
      return true;
  return false;
}

unsigned TransformedKernel::groupStride() const {
  if (alignedArrays.empty() || isGrouped() || !model->ndrange.mapped.empty() ||
      model->ndrange.isFlat())
    return 1;
  unsigned stride = 1;
  for (const WorkDimension &dimension : work) {
    if (dimension.strided)
      return 1;
    stride *= dimension.total();
  }
  return (stride & (stride - 1)) == 0 ? stride : 1;
}

const Variable *idVariable(const KernelModel &model, unsigned dim) {
  if (const MappedDimension *mapped = model.ndrange.findMapped(dim))
    return model.loops[mapped->loop].var;
  std::optional<SymbolId> id = model.symbols.find(SymbolKind::GlobalId, dim);
  if (!id)
    return nullptr;
  Polynomial value = Polynomial::symbol(*id);
  // Heads of loops set their variables, too, and are no accesses.
  std::set<const Variable *> others = loopVariables(model), same;
  const Variable *first = nullptr;
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    if (!access.isWrite || !array.isPrivateScalar() || !array.var)
      continue;
    const Stmt *stmt = model.statements[access.statement].stmt;
    bool isCopy = false;
    if (stmt && stmt->kind == StmtKind::Decl && stmt->expr) {
      auto it = model.values.find(stmt->expr.get());
      isCopy = it != model.values.end() && it->second == value;
    }
    (isCopy ? same : others).insert(array.var);
    if (isCopy && !first && array.var->type.isInteger())
      first = array.var;
  }
  return first && !others.count(first) ? first : nullptr;
}

std::set<unsigned> writtenArrays(const KernelModel &model) {
  std::set<unsigned> written;
  for (const Access &access : model.accesses)
    if (access.isWrite &&
        model.arrays[access.array].space != AddressSpace::Private)
      written.insert(access.array);
  return written;
}

bool areDisjoint(const KernelModel &model, unsigned first, unsigned second) {
  const Array &a = model.arrays[first];
  const Array &b = model.arrays[second];
  if (first == second)
    return false;
  if (a.space == AddressSpace::Generic || b.space == AddressSpace::Generic)
    return false;
  if (a.space != b.space || a.space == AddressSpace::Private)
    return true;
  // A declared array is an object of its own; pointers are not.
  bool aIsObject = a.var && !a.var->type.isPointer();
  bool bIsObject = b.var && !b.var->type.isPointer();
  if (aIsObject && bIsObject)
    return true;
  // No argument points into local memory that the kernel declares.
  if (a.space == AddressSpace::Local && (aIsObject || bIsObject))
    return true;
  if (!a.var || !b.var)
    return false;
  return a.isRestrict || b.isRestrict;
}

} // namespace clopt
