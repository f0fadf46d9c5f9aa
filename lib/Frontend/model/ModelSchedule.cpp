//===- ModelSchedule.cpp - the original order as a schedule tree ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built from the root down, so that a block of n statements costs n.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelRealizer.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/union_set.h>

namespace clopt {

/// The statements below a node, in order.
static void collectStatements(const DraftNode &node,
                              std::vector<unsigned> &found) {
  if (node.kind == DraftNode::Kind::Statement)
    found.push_back(node.index);
  for (const DraftNode &child : node.children)
    collectStatements(child, found);
}

static isl::union_set domainOf(const KernelModel &model,
                               const std::vector<unsigned> &statements) {
  isl_union_set *result =
      isl_union_set_empty(isl_space_params_alloc(model.context.get(), 0));
  for (unsigned index : statements)
    result =
        isl_union_set_add_set(result, model.statements[index].domain.copy());
  return isl::manage(result);
}

/// { S[...] -> name[sign * coordinate...] } for all statements; the coordinates
/// from `first` on, `count` of them.
static isl_multi_union_pw_aff *bandOf(const KernelModel &model,
                                      const std::vector<unsigned> &statements,
                                      const std::string &name, unsigned first,
                                      unsigned count, int sign) {
  isl_ctx *context = model.context.get();
  isl_space *range = isl_space_set_alloc(context, 0, count);
  range = isl_space_set_tuple_name(range, isl_dim_set, name.c_str());
  isl_union_pw_aff_list *members = isl_union_pw_aff_list_alloc(context, count);
  for (unsigned member = 0; member < count; ++member) {
    isl_union_pw_aff *values =
        isl_union_pw_aff_empty(isl_space_params_alloc(context, 0));
    for (unsigned index : statements) {
      const isl::set &domain = model.statements[index].domain;
      isl_aff *value = isl_aff_var_on_domain(
          isl_local_space_from_space(domain.space().release()), isl_dim_set,
          first + member);
      if (sign < 0)
        value = isl_aff_neg(value);
      values = isl_union_pw_aff_add_pw_aff(values, isl_pw_aff_from_aff(value));
    }
    members = isl_union_pw_aff_list_add(members, values);
  }
  return isl_multi_union_pw_aff_from_union_pw_aff_list(range, members);
}

namespace {

/// Inserts what stands below a schedule node. Nodes are taken and given back at
/// the same position.
class ScheduleWriter {
public:
  explicit ScheduleWriter(const KernelModel &source) : model(source) {}

  isl_schedule_node *write(isl_schedule_node *node, const DraftNode &draft) {
    switch (draft.kind) {
    case DraftNode::Kind::Statement:
      return node;
    case DraftNode::Kind::Loop:
      return writeLoop(node, draft);
    case DraftNode::Kind::Sequence:
      break;
    }
    std::vector<const DraftNode *> parts;
    for (const DraftNode &child : draft.children)
      if (!isEmpty(child))
        parts.push_back(&child);
    if (parts.empty())
      return node;
    if (parts.size() == 1)
      return write(node, *parts.front());
    return writeSequence(node, parts);
  }

private:
  static bool isEmpty(const DraftNode &node) {
    std::vector<unsigned> statements;
    collectStatements(node, statements);
    return statements.empty();
  }

  isl_schedule_node *
  writeSequence(isl_schedule_node *node,
                const std::vector<const DraftNode *> &parts) {
    isl_union_set_list *filters =
        isl_union_set_list_alloc(model.context.get(), parts.size());
    for (const DraftNode *part : parts) {
      std::vector<unsigned> statements;
      collectStatements(*part, statements);
      filters = isl_union_set_list_add(filters,
                                       domainOf(model, statements).release());
    }
    node = isl_schedule_node_insert_sequence(node, filters);
    for (size_t index = 0; index < parts.size(); ++index) {
      if (parts[index]->kind == DraftNode::Kind::Statement)
        continue;
      // sequence -> filter -> below
      node = isl_schedule_node_child(node, index);
      node = isl_schedule_node_child(node, 0);
      node = write(node, *parts[index]);
      node = isl_schedule_node_parent(node);
      node = isl_schedule_node_parent(node);
    }
    return node;
  }

  isl_schedule_node *writeLoop(isl_schedule_node *node,
                               const DraftNode &draft) {
    std::vector<unsigned> statements;
    collectStatements(draft, statements);
    if (statements.empty())
      return node;
    const Loop &loop = model.loops[draft.index];
    // Iterators follow the work coordinates, from the outside in.
    unsigned position = loop.outer.size();
    for (unsigned dim = 0; dim < model.ndrange.rank; ++dim)
      position += model.ndrange.split[dim] ? 2 : 1;
    node = isl_schedule_node_insert_partial_schedule(
        node, bandOf(model, statements, loop.name, position, 1,
                     loop.step < 0 ? -1 : 1));
    node = isl_schedule_node_child(node, 0);
    node = write(node, draft.children.front());
    return isl_schedule_node_parent(node);
  }

  const KernelModel &model;
};

} // namespace

isl::schedule Realizer::buildSchedule() {
  std::vector<unsigned> statements;
  collectStatements(draft.root, statements);
  isl_schedule *schedule =
      isl_schedule_from_domain(domainOf(model, statements).release());
  if (statements.empty())
    return isl::manage(schedule);
  isl_schedule_node *node = isl_schedule_get_root(schedule);
  isl_schedule_free(schedule);
  node = isl_schedule_node_child(node, 0);
  unsigned work = 0;
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim)
    work += model.ndrange.split[dim] ? 2 : 1;
  if (work > 0) {
    node = isl_schedule_node_insert_partial_schedule(
        node, bandOf(model, statements, "work", 0, work, 1));
    node = isl_schedule_node_child(node, 0);
  }
  node = ScheduleWriter(model).write(node, draft.root);
  schedule = isl_schedule_node_get_schedule(node);
  isl_schedule_node_free(node);
  return isl::manage(schedule);
}

} // namespace clopt
