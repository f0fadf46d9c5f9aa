//===- TreePrinter.cpp - a kernel's new order as stable text --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `--dump-tree` and `--print-after` print: one line for a node, what steps
// have said of it in brackets, and below the tree what holds for the kernel as
// a whole. Arrays in registers and in local memory stand above what they are
// kept for.
//
// Tested by test/unit/TreePrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/TransformedKernel.h"

#include <sstream>

namespace clopt {

namespace {

class TreePrinter {
public:
  explicit TreePrinter(const TransformedKernel &transformed)
      : kernel(transformed), model(*transformed.model) {}
  std::string print();

private:
  std::string workText() const;
  std::string loopText(const ScheduleNode &node) const;
  std::string statementLine(unsigned index) const;
  std::string copyText(const CopyStatement &copy) const;
  std::string sectionText(const ArrayTile &tile) const;
  void printSections(std::optional<unsigned> loop, unsigned indent);
  void printNode(const ScheduleNode &node, unsigned indent);
  void printRest();
  std::ostream &line(unsigned indent) {
    return out << std::string(indent, ' ');
  }
  const std::string &nameOf(unsigned array) const {
    return model.arrays[array].name;
  }

  const TransformedKernel &kernel;
  const KernelModel &model;
  std::ostringstream out;
};

} // namespace

/// " [a, b]", or nothing.
static std::string brackets(const std::vector<std::string> &marks) {
  std::string text;
  for (const std::string &mark : marks)
    text += (text.empty() ? " [" : ", ") + mark;
  return text.empty() ? text : text + "]";
}

static std::string counted(const std::string &word, int64_t number) {
  return word + " " + std::to_string(number);
}

std::string TreePrinter::workText() const {
  std::string text;
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
    const WorkDimension &work = kernel.work[dim];
    const std::string number = std::to_string(dim);
    std::string name =
        model.ndrange.split[dim] ? "g" + number + " l" + number : "w" + number;
    if (const Variable *variable = idVariable(model, dim))
      name += " (" + variable->name + ")";
    std::vector<std::string> marks;
    if (work.points > 1)
      marks.push_back(
          counted(kernel.mergesGroups() ? "groups" : "points", work.points));
    if (work.points > 1 && work.strided)
      marks.push_back("strided");
    if (work.lanes > 1)
      marks.push_back(counted("lanes", work.lanes));
    if (work.groupIds)
      marks.push_back(counted("tile", work.groupIds));
    if (model.ndrange.findMapped(dim))
      marks.push_back("loop");
    text += (text.empty() ? "work " : ", ") + name + brackets(marks);
  }
  return text;
}

std::string TreePrinter::loopText(const ScheduleNode &node) const {
  const Loop &loop = model.loops[node.loop];
  std::vector<std::string> marks;
  if (loop.step < 0)
    marks.push_back("downward");
  if (node.tile)
    marks.push_back(counted("tile", node.tile));
  if (node.lanes > 1)
    marks.push_back(counted("lanes", node.lanes));
  if (node.unroll == 0)
    marks.push_back("written out");
  else if (node.unroll > 1)
    marks.push_back(counted("unroll", node.unroll));
  if (std::optional<unsigned> points = pointLoop(model, node.loop))
    marks.push_back("tiles of " + model.loops[*points].name);
  for (const CooperativeReduction &shared : kernel.cooperativeReductions)
    if (shared.loop == node.loop)
      marks.push_back(
          counted(shared.isScan ? "scanned by" : "shared by", shared.lanes));
  for (const ReductionAccumulator &partial : kernel.partials)
    if (partial.loop == node.loop)
      marks.push_back(nameOf(partial.array) + " per lane");
  return "loop " + loop.name + brackets(marks);
}

std::string TreePrinter::statementLine(unsigned index) const {
  const Statement &statement = model.statements[index];
  std::vector<std::string> marks;
  if (statement.isBarrier)
    marks.push_back("barrier");
  if (statement.isOpaque)
    marks.push_back("opaque");
  if (const BatchedStrideLoop *rounds = kernel.roundsOf(index)) {
    marks.push_back(counted("rounds", rounds->count));
    if (rounds->isTogether)
      marks.push_back("together");
  }
  for (const CooperativeReduction &shared : kernel.cooperativeReductions)
    if (!shared.loop && shared.statement == index)
      marks.push_back(counted("shared by", shared.lanes));
  for (const OrderedStatement &ordered : kernel.orderedStatements)
    if (ordered.statement == index)
      marks.push_back("lanes in order");
  if (kernel.fencedStatements.count(index))
    marks.push_back("between barriers");
  std::string text =
      statement.stmt ? statementText(model, *statement.stmt) : "";
  return statement.name + brackets(marks) + (text.empty() ? "" : ": " + text);
}

std::string TreePrinter::copyText(const CopyStatement &copy) const {
  const ArrayTile &registers = kernel.tiles[copy.tile];
  std::vector<std::string> marks = {counted("cells", registers.cells(kernel))};
  if (registers.window)
    marks.push_back("moves with " + model.loops[registers.window->loop].name);
  const char *what = copy.isShift  ? "move registers of "
                     : copy.isFill ? "fill registers of "
                     : copy.isIn   ? "load registers of "
                                   : "store registers of ";
  return what + nameOf(registers.array) + brackets(marks);
}

/// "[ids0 + 2]": so many cells for the ids of a tile along dimension 0.
static std::string extentText(const TileExtent &extent) {
  std::string text;
  for (unsigned dim = 0; dim < 3; ++dim) {
    const int64_t factor = extent.perId[dim];
    if (factor)
      text += (text.empty() ? "" : " + ") +
              (factor == 1 ? "" : std::to_string(factor) + "*") + "ids" +
              std::to_string(dim);
  }
  if (text.empty() || extent.constant)
    text += (text.empty() ? "" : " + ") + std::to_string(extent.constant);
  return "[" + text + "]";
}

std::string TreePrinter::sectionText(const ArrayTile &tile) const {
  std::string text = "section of " + nameOf(tile.array);
  for (const TileExtent &extent : tile.extents)
    text += extentText(extent);
  std::vector<std::string> marks = {tile.isPrivate() ? "registers" : "local"};
  if (tile.copyIn)
    marks.push_back("copied in");
  if (tile.copyOut)
    marks.push_back("copied out");
  if (tile.stored)
    marks.push_back("converted");
  if (tile.inPlanes)
    marks.push_back("planes");
  if (tile.pad)
    marks.push_back(counted("pad", tile.pad));
  return text + brackets(marks);
}

void TreePrinter::printSections(std::optional<unsigned> loop, unsigned indent) {
  for (const ArrayTile &tile : kernel.sections())
    if (tile.loop == loop)
      line(indent) << sectionText(tile) << "\n";
}

void TreePrinter::printNode(const ScheduleNode &node, unsigned indent) {
  switch (node.kind) {
  case ScheduleNode::Kind::Leaf:
    line(indent) << statementLine(node.statement) << "\n";
    return;
  case ScheduleNode::Kind::Copy:
    line(indent) << copyText(kernel.copies[node.copy]) << "\n";
    return;
  case ScheduleNode::Kind::Loop:
    line(indent) << loopText(node) << "\n";
    indent += 2;
    printSections(node.loop, indent);
    break;
  case ScheduleNode::Kind::Sequence:
    break;
  }
  for (const ScheduleNode &child : node.children)
    printNode(child, indent);
}

/// What is said of the kernel and of no node.
void TreePrinter::printRest() {
  auto list = [&](const char *what, const std::set<unsigned> &arrays) {
    std::string names;
    for (unsigned array : arrays)
      names += (names.empty() ? "" : ", ") + nameOf(array);
    if (!names.empty())
      line(2) << what << " " << names << "\n";
  };
  for (const auto &[choice, isFirst] : kernel.selections)
    line(2) << "fast where " << (isFirst ? "" : "not ")
            << model.symbols.name(choice) << "\n";
  list("aligned vectors of", kernel.alignedArrays);
  list("permuted in registers", kernel.registerLayouts);
  list("pointers to the rows of", kernel.rowPointers);
  list("table in constant memory", kernel.constantTables);
  for (const LocalPadding &padding : kernel.paddings)
    line(2) << counted("gaps in " + nameOf(padding.array) + " of",
                       padding.count)
            << "\n";
  for (const LocalLayout &layout : kernel.localLayouts)
    line(2) << nameOf(layout.array)
            << (layout.kind == LocalLayout::Kind::Transposed ? " turned"
                                                             : " in planes")
            << "\n";
  for (const auto &[loop, count] : kernel.minIterations)
    line(2) << counted("requires iterations of " + model.loops[loop].name +
                           " >=",
                       count)
            << "\n";
  if (kernel.minWorkItems)
    line(2) << "requires work-items >= " << kernel.minWorkItems << "\n";
  if (kernel.minGroupSize)
    line(2) << "requires group size >= " << kernel.minGroupSize << "\n";
  if (kernel.groupsBelow)
    line(2) << "requires group size < " << kernel.groupsBelow << "\n";
  for (const auto &[first, second] : kernel.disjointArrays)
    line(2) << "requires that " << nameOf(first) << " and " << nameOf(second)
            << " do not overlap\n";
  for (unsigned index : kernel.usedAssumptions)
    line(2) << "requires " << model.assumptions[index].text << "\n";
}

std::string TreePrinter::print() {
  out << "schedule of " << model.function->name << "\n";
  unsigned indent = 2;
  if (std::string work = workText(); !work.empty()) {
    line(indent) << work << "\n";
    indent += 2;
  }
  printSections(std::nullopt, indent);
  printNode(kernel.tree, indent);
  printRest();
  return out.str();
}

std::string printTree(const TransformedKernel &kernel) {
  const std::string text = TreePrinter(kernel).print();
  return kernel.otherwise ? text + "otherwise\n" + printTree(*kernel.otherwise)
                          : text;
}

} // namespace clopt
