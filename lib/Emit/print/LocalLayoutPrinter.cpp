//===- LocalLayoutPrinter.cpp - cells of local arrays laid out anew -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints references to the author's own local arrays whose cells lie elsewhere
// in the array: rows as columns, vectors as planes of components. The array
// keeps its declaration, and is looked at as another type.
//
// Tested by test/unit/LocalLayoutTest.cpp, test/lit/layout/own-local.test.
//
//===----------------------------------------------------------------------===//

#include "Emit/print/StatementPrinter.h"

#include "Analysis/memory/LocalCells.h"

#include <string>
#include <vector>

namespace clopt {

/// The layout of the array of which the expression is a whole cell, or null.
const LocalLayout *StatementPrinter::layoutOf(const Expr &cell) const {
  if (kernel.localLayouts.empty())
    return nullptr;
  const Variable *variable = cellVariable(cell);
  for (const LocalLayout &layout : kernel.localLayouts)
    if (variable && model.arrays[layout.array].var == variable)
      return &layout;
  return nullptr;
}

/// `((__local float *)t)[64 + i]`: the component of a cell in its plane.
PrintedText StatementPrinter::planeCell(const Expr &cell, unsigned component,
                                        int lane) {
  const Variable &variable = *cellVariable(cell);
  const std::vector<ExprRef> indices = cellIndices(cell, &variable);
  PrintedText index;
  const Type *type = &variable.type;
  for (size_t d = 0; d < indices.size(); ++d, type = type->element.get()) {
    PrintedText own = scalar(indices[d], lane);
    index = d == 0 ? own
                   : PrintedText{atLeast(index, PrecMultiplicative) + " * " +
                                     std::to_string(type->extent) + " + " +
                                     atLeast(own, PrecMultiplicative),
                                 PrecAdditive};
  }
  std::string text = index.text;
  if (component)
    text = std::to_string(component * arrayCells(variable.type)) + " + " +
           atLeast(index, PrecMultiplicative);
  return {"((__local " + typeName(arrayElement(variable.type).scalar) + " *)" +
              nameOf(variable) + ")[" + text + "]",
          PrecPostfix};
}

/// `(float2)(..., ...)`, or the one component.
PrintedText StatementPrinter::planeVector(
    const Expr &cell, const std::vector<unsigned> &components, int lane) {
  if (components.size() == 1)
    return planeCell(cell, components.front(), lane);
  const Type &element = arrayElement(cellVariable(cell)->type);
  std::string text =
      "(" + typeName(element.scalar, static_cast<unsigned>(components.size())) +
      ")(";
  for (size_t i = 0; i < components.size(); ++i)
    text += (i ? ", " : "") + planeCell(cell, components[i], lane).text;
  return {text + ")", PrecUnary};
}

static std::vector<unsigned> allComponents(const Type &vector) {
  std::vector<unsigned> components;
  for (unsigned i = 0; i < vector.lanes; ++i)
    components.push_back(i);
  return components;
}

/// The value goes to a variable first, and from there to the planes.
PrintedText StatementPrinter::planeStore(const Expr &assignment, int lane) {
  const Expr &cell = *assignment.operands[0];
  const Type &element = arrayElement(cellVariable(cell)->type);
  std::string value;
  if (assignment.op == Op::None) {
    value = printOperand(assignment.operands[1], PrecAssign, hooks(lane));
  } else {
    value = planeVector(cell, allComponents(element), lane).text + " " +
            operatorText(assignment.op) + " " +
            printOperand(assignment.operands[1], PrecPostfix, hooks(lane));
  }
  LocalName name;
  name.name = freshName(cellVariable(cell)->name + "_cell");
  name.type = typeName(element.scalar, element.lanes);
  (*environment.locals)[name.name] = name;
  used.insert(name.name);
  std::string text = name.name + " = " + value;
  for (unsigned component = 0; component < element.lanes; ++component)
    text += ", " + planeCell(cell, component, lane).text + " = " + name.name +
            ".s" + "0123456789abcdef"[component];
  return {text, PrecComma};
}

/// The array as rows that are columns of its declaration.
std::string StatementPrinter::transposedRows(const Variable &variable,
                                             const std::string &name) {
  const uint64_t rows = variable.type.extent;
  const Type &row = *variable.type.element;
  if (row.extent == rows)
    return name;
  return "((__local " + typeName(arrayElement(row).scalar) + "(*)[" +
         std::to_string(rows) + "])" + name + ")";
}

std::optional<PrintedText> StatementPrinter::laidOutCell(const Expr &expr,
                                                         int lane) {
  if (kernel.localLayouts.empty())
    return std::nullopt;
  auto isPlanes = [&](const Expr &cell) {
    const LocalLayout *layout = layoutOf(cell);
    return layout && layout->kind == LocalLayout::Kind::Planes;
  };
  if (expr.kind == ExprKind::Assign && isPlanes(*expr.operands[0]))
    return planeStore(expr, lane);
  if (expr.kind == ExprKind::Swizzle && isPlanes(*expr.operands[0]))
    return planeVector(*expr.operands[0], expr.components, lane);
  const LocalLayout *layout = layoutOf(expr);
  if (!layout)
    return std::nullopt;
  const Variable &variable = *cellVariable(expr);
  if (layout->kind == LocalLayout::Kind::Planes)
    return planeVector(expr, allComponents(arrayElement(variable.type)), lane);
  const std::vector<ExprRef> indices = cellIndices(expr, &variable);
  return PrintedText{transposedRows(variable, nameOf(variable)) + "[" +
                         scalar(indices[1], lane).text + "][" +
                         scalar(indices[0], lane).text + "]",
                     PrecPostfix};
}

} // namespace clopt
