//===- EmitTree.cpp - the code to write as stable text --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `--dump-ast` prints: loops, conditions and statements as isl's AST
// generator has made them, with its own names, before anything is printed in
// OpenCL C. Coordinates of statements are their instances: [w..., i...].
//
// Tested by test/unit/EmitTreeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/EmitTree.h"

#include <llvm/ADT/StringExtras.h>

#include <isl/ast.h>

#include <cstdlib>
#include <sstream>

namespace clopt {

static std::string astText(const isl::ast_expr &expr) {
  char *code = isl_ast_expr_to_C_str(expr.get());
  std::string result = code ? code : "?";
  std::free(code);
  return result;
}

static std::string marksOf(const EmitNode &node, const KernelModel &model) {
  std::vector<std::string> marks;
  auto add = [&](const std::string &mark) { marks.push_back(mark); };
  switch (node.loopKind) {
  case EmitNode::LoopKind::Sequential:
    add("loop " + model.loops[node.loop].name);
    break;
  case EmitNode::LoopKind::Work:
    add("work-items");
    break;
  case EmitNode::LoopKind::Cell:
    add("cells");
    break;
  }
  if (node.isDownward)
    add("downward");
  if (node.lanes > 1)
    add("lanes " + std::to_string(node.lanes));
  if (node.unroll > 1)
    add("unroll " + std::to_string(node.unroll));
  if (node.tile)
    add("tile " + std::to_string(node.tile));
  if (node.cutTile)
    add("cut tile " + std::to_string(node.cutTile));
  return " [" + llvm::join(marks, ", ") + "]";
}

namespace {

class EmitTreePrinter {
public:
  EmitTreePrinter(const TransformedKernel &transformed, std::ostream &stream)
      : kernel(transformed), model(*transformed.model), out(stream) {}
  void print(const EmitNode &node, unsigned indent);

private:
  std::string leafText(const EmitNode &node) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  std::ostream &out;
};

} // namespace

std::string EmitTreePrinter::leafText(const EmitNode &node) const {
  std::string name;
  if (node.kind == EmitNode::Kind::Statement) {
    name = model.statements[node.index].name;
  } else if (node.kind == EmitNode::Kind::Fill) {
    name = node.isIn ? "sections in" : "sections out";
  } else {
    const CopyStatement &copy = kernel.copies[node.index];
    name = (copy.isIn ? "load " : "store ") +
           model.arrays[kernel.tiles[copy.tile].array].name;
  }
  std::string coordinates;
  for (const isl::ast_expr &coordinate : node.coordinates)
    coordinates += (coordinates.empty() ? "" : ", ") + astText(coordinate);
  name += "[" + coordinates + "]";
  if (node.guard)
    name += std::string(node.isGuardNegated ? " unless " : " if ") +
            astText(*node.guard);
  return name;
}

void EmitTreePrinter::print(const EmitNode &node, unsigned indent) {
  const std::string margin(indent, ' ');
  switch (node.kind) {
  case EmitNode::Kind::Block:
    for (const EmitNode &child : node.children)
      print(child, indent);
    return;
  case EmitNode::Kind::For:
    out << margin << "for " << node.iterator << " = " << astText(*node.init)
        << "; " << astText(*node.condition)
        << "; += " << astText(*node.increment) << marksOf(node, model) << "\n";
    break;
  case EmitNode::Kind::If:
    out << margin << "if " << astText(*node.condition) << "\n";
    print(node.children[0], indent + 2);
    if (node.children.size() > 1) {
      out << margin << "else\n";
      print(node.children[1], indent + 2);
    }
    return;
  case EmitNode::Kind::Section:
    out << margin << "with sections of " << model.loops[node.loop].name << "\n";
    break;
  default:
    out << margin << leafText(node) << "\n";
    return;
  }
  for (const EmitNode &child : node.children)
    print(child, indent + 2);
}

std::string printEmitTree(const TransformedKernel &kernel,
                          const LoweredKernel &lowered) {
  std::ostringstream out;
  EmitTreePrinter printer(kernel, out);
  auto version = [&](const char *name, const LoweredVersion &what) {
    out << "  " << name;
    if (what.condition)
      out << " where " << astText(*what.condition);
    out << "\n";
    printer.print(what.root, 4);
  };
  out << "code of " << kernel.model->function->name << "\n";
  if (lowered.full)
    version("full", *lowered.full);
  version("general", lowered.general);
  return out.str();
}

std::string printEmitTree(const TransformedKernel &kernel, bool often,
                          LoweringError &error) {
  std::optional<LoweredKernel> lowered = lower(kernel, error, often);
  return lowered ? printEmitTree(kernel, *lowered) : "";
}

} // namespace clopt
