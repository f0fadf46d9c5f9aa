//===- StatementLines.cpp - statements whose vectors share cells ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that run one after the other, in no condition and without stores
// between them, read the same memory: what several of their vectors read is
// loaded once (RowWindows.h).
//
// Tested by test/unit/RowWindowsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"

namespace clopt {

/// One past the last of the statements from `begin` on that run one after the
/// other, none but the last of which changes memory.
size_t BodyWriter::endOfLine(const EmitNode &block, size_t begin) const {
  size_t end = begin;
  while (end < block.children.size()) {
    const EmitNode &child = block.children[end];
    if (child.kind != EmitNode::Kind::Statement || child.guard)
      return end;
    const Statement &statement = model.statements[child.index];
    if (statement.isCompound || statement.isOpaque || statement.isBarrier)
      return end;
    ++end;
    for (unsigned id : statement.accesses)
      if (model.accesses[id].isWrite &&
          model.arrays[model.accesses[id].array].space != AddressSpace::Private)
        return end;
  }
  return end;
}

/// What the vectors of the statements share.
void BodyWriter::openWindows(const std::vector<const EmitNode *> &line,
                             const AstNames &names) {
  windows.emplace(divergence->axis().lanes);
  environment.windows = &*windows;
  environment.freshRead = [this](const std::string &array) {
    return freshRead(array);
  };
  StatementPrinter printer(environment);
  for (const EmitNode *node : line) {
    const Statement &statement = model.statements[node->index];
    if (printer.pointsOf(statement) == 0)
      printer.addToWindows(statement,
                           siteOf(*node, statement.coordinates, names));
  }
}

/// Writes the statements in a line from `begin` on, with what their vectors
/// share; the end of the line, or `begin` where nothing may be shared.
size_t BodyWriter::emitLine(const EmitNode &block, size_t begin,
                            const AstNames &names, std::vector<OutNode> &out) {
  bool mayShare = tiled && divergence && divergence->axis().lanes > 1 &&
                  !kernel.alignedArrays.empty() && !kernel.isGrouped() &&
                  !kernel.sharesWork();
  size_t end = mayShare ? endOfLine(block, begin) : begin;
  if (end == begin)
    return begin;
  std::vector<const EmitNode *> line;
  for (size_t i = begin; i < end; ++i)
    line.push_back(&block.children[i]);
  openWindows(line, names);
  for (const EmitNode *child : line)
    emit(*child, names, out);
  environment.windows = nullptr;
  return end;
}

} // namespace clopt
