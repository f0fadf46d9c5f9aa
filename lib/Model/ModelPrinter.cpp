//===- ModelPrinter.cpp - a model as stable text --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `--dump-model` prints. Every line stands for one fact, in the order of
// the model, so that a change of the model shows as a change of few lines.
//
// Tested by test/unit/ModelPrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/KernelModel.h"

#include "Model/ExprPrinter.h"

#include <isl/schedule_node.h>
#include <isl/set.h>

#include <set>
#include <sstream>

namespace clopt {

static std::function<std::string(SymbolId)> namesOf(const KernelModel &model) {
  return [&model](SymbolId id) { return model.symbols.name(id); };
}

static const char *spaceName(AddressSpace space) {
  switch (space) {
  case AddressSpace::Private:
    return "private";
  case AddressSpace::Local:
    return "local";
  case AddressSpace::Global:
    return "global";
  case AddressSpace::Constant:
    return "constant";
  case AddressSpace::Generic:
    break;
  }
  return "generic";
}

/// The source of a range on one line, with runs of blanks as one.
static std::string sourceText(const KernelModel &model,
                              const SourceRange &range) {
  if (!model.unit || !range.isEditable() ||
      static_cast<size_t>(range.end) > model.unit->text.size())
    return "";
  std::string text;
  for (int64_t at = range.begin; at < range.end; ++at) {
    char c = model.unit->text[at];
    bool isBlank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!isBlank)
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  const size_t Longest = 72;
  if (text.size() > Longest)
    text = text.substr(0, Longest) + " ...";
  return text;
}

std::string statementText(const KernelModel &model, const Stmt &stmt) {
  bool hasText = stmt.range.begin < 0 || stmt.range.begin < stmt.range.end;
  if (hasText)
    return sourceText(model, stmt.range);
  std::vector<std::string> lines = printStmt(StmtRef(StmtRef(), &stmt));
  return lines.empty() ? "" : lines.front();
}

static std::string shapeText(const KernelModel &model, const Array &array) {
  std::string text;
  for (const Polynomial &extent : array.extents)
    text += "[" + (extent.isZero() ? "" : extent.str(namesOf(model))) + "]";
  return text;
}

static void printNDRange(std::ostream &out, const KernelModel &model) {
  const NDRange &ndrange = model.ndrange;
  out << "ndrange: " << ndrange.rank
      << (ndrange.rank == 1 ? " dimension" : " dimensions")
      << (ndrange.isFlat() ? ", launched as one\n" : "\n");
  for (unsigned dim = 0; dim < ndrange.rank; ++dim) {
    out << "  " << dim << ": ";
    if (const MappedDimension *mapped = ndrange.findMapped(dim))
      out << "loop " << model.loops[mapped->loop].name << ", global w" << dim;
    else if (ndrange.split[dim])
      out << "group g" << dim << ", local l" << dim;
    else
      out << "global w" << dim;
    if (ndrange.localSize[dim])
      out << ", local size " << *ndrange.localSize[dim];
    if (ndrange.isFlat())
      out << ", size " << ndrange.extents[dim].str(namesOf(model));
    out << "\n";
  }
}

static void printAtoms(std::ostream &out, const KernelModel &model) {
  auto nameOf = namesOf(model);
  for (SymbolId id = 0; id < model.symbols.size(); ++id) {
    const Symbol &symbol = model.symbols[id];
    switch (symbol.kind) {
    case SymbolKind::FloorDiv:
      out << "  " << symbol.name << " = floor((" << symbol.first.str(nameOf)
          << ") / " << symbol.constant << ")\n";
      break;
    case SymbolKind::Modulo:
      out << "  " << symbol.name << " = (" << symbol.first.str(nameOf)
          << ") mod " << symbol.constant << "\n";
      break;
    case SymbolKind::Select:
      out << "  " << symbol.name << " = " << str(symbol.condition, nameOf)
          << " ? " << symbol.first.str(nameOf) << " : "
          << symbol.second.str(nameOf) << "\n";
      break;
    case SymbolKind::Product:
      out << "  " << symbol.name << " = " << symbol.first.str(nameOf);
      if (isQuotient(symbol))
        out << ", divided by " << symbol.second.str(nameOf);
      out << "\n";
      break;
    default:
      break;
    }
  }
}

static void printArrays(std::ostream &out, const KernelModel &model) {
  out << "arrays:\n";
  for (const Array &array : model.arrays) {
    out << "  " << spaceName(array.space) << " " << typeText(array.elementType)
        << " " << array.name << shapeText(model, array);
    if (array.isCast)
      out << ", declared as another type";
    if (array.elementType.size != array.elementBytes)
      out << ", cells of " << array.elementBytes << " bytes";
    if (!array.origin.isZero())
      out << ", from " << array.origin.str(namesOf(model));
    if (array.isRestrict)
      out << ", restrict";
    out << "\n";
  }
}

static void printLoops(std::ostream &out, const KernelModel &model) {
  if (model.loops.empty())
    return;
  out << "loops:\n";
  for (const Loop &loop : model.loops) {
    out << "  " << loop.name << " from " << loop.first.str(namesOf(model))
        << " step " << loop.step;
    if (loop.stmt && loop.stmt->range.isValid())
      out << ", line " << loop.stmt->range.line;
    out << "\n";
  }
}

static void printAccess(std::ostream &out, const KernelModel &model,
                        const Access &access) {
  auto nameOf = namesOf(model);
  const Array &array = model.arrays[access.array];
  out << "      " << (access.isExact ? "" : "may ")
      << (access.isWrite ? "write " : "read ") << array.name;
  if (access.isOrdered)
    out << ", ordered";
  if (array.isPrivateScalar()) {
    out << "\n";
    return;
  }
  for (const Polynomial &subscript : access.subscripts)
    out << "[" << subscript.str(nameOf) << "]";
  if (access.subscripts.empty() && access.offset)
    out << " at " << access.offset->str(nameOf);
  else if (access.subscripts.empty())
    out << " anywhere";
  if (access.width > 1)
    out << ", " << access.width << " elements";
  out << "\n        " << access.relation << "\n";
}

static void printStatements(std::ostream &out, const KernelModel &model) {
  out << "statements:\n";
  for (const Statement &statement : model.statements) {
    out << "  " << statement.name;
    if (statement.isBarrier)
      out << ", barrier";
    if (statement.isOpaque)
      out << ", opaque";
    else if (statement.isCompound)
      out << ", compound";
    if (statement.stmt && statement.stmt->range.isValid())
      out << ", line " << statement.stmt->range.line << ": "
          << statementText(model, *statement.stmt);
    out << "\n    domain " << statement.domain << "\n";
    for (unsigned access : statement.accesses)
      printAccess(out, model, model.accesses[access]);
  }
}

//===-- Schedule ----------------------------------------------------------===//

/// "work w0, w1" or "loop k, downward"; else the name of the band.
static std::string bandText(const KernelModel &model,
                            const isl::schedule_node &band) {
  isl::multi_union_pw_aff values =
      isl::manage(isl_schedule_node_band_get_partial_schedule(band.get()));
  std::string name =
      values.has_range_tuple_id() ? values.range_tuple_id().name() : "band";
  if (name == "work") {
    std::string text = name;
    for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
      std::string number = std::to_string(dim);
      text += dim ? ", " : " ";
      text += model.ndrange.split[dim] ? "g" + number + ", l" + number
                                       : "w" + number;
    }
    return text;
  }
  std::optional<unsigned> loop = model.findLoop(name);
  if (!loop)
    return name;
  return "loop " + name + (model.loops[*loop].step < 0 ? ", downward" : "");
}

/// Statements of a leaf, in their order.
static std::string leafText(const KernelModel &model,
                            const isl::schedule_node &leaf) {
  std::set<unsigned> found;
  isl::union_set domain = isl::manage(isl_schedule_node_get_domain(leaf.get()));
  domain.foreach_set([&](isl::set set) {
    const char *name = isl_set_get_tuple_name(set.get());
    if (std::optional<unsigned> index = model.findStatement(name ? name : ""))
      found.insert(*index);
  });
  std::string text;
  for (unsigned index : found)
    text += (text.empty() ? "" : ", ") + model.statements[index].name;
  return text;
}

static void printNode(std::ostream &out, const KernelModel &model,
                      const isl::schedule_node &node, unsigned indent) {
  std::string margin(indent, ' ');
  switch (isl_schedule_node_get_type(node.get())) {
  case isl_schedule_node_leaf:
    out << margin << leafText(model, node) << "\n";
    return;
  case isl_schedule_node_band:
    out << margin << bandText(model, node) << "\n";
    indent += 2;
    break;
  default:
    break;
  }
  unsigned children = isl_schedule_node_n_children(node.get());
  for (unsigned child = 0; child < children; ++child)
    printNode(out, model, node.child(child), indent);
}

static void printSchedule(std::ostream &out, const KernelModel &model) {
  out << "schedule:\n";
  if (!model.statements.empty())
    printNode(out, model, model.schedule.root(), 2);
}

//===-- All of it ---------------------------------------------------------===//

static void printFlags(std::ostream &out, const KernelModel &model) {
  const std::pair<bool, const char *> flags[] = {
      {model.hasBarrier, "barriers"},
      {model.hasAtomics, "atomics"},
      {model.hasOrderedEffects, "ordered effects"},
      {model.usesLocalMemory, "local memory"},
      {model.usesImages, "images"},
      {model.isUntouchable, "not to be changed"}};
  std::string text;
  for (const auto &[isSet, name] : flags)
    if (isSet)
      text += (text.empty() ? "" : ", ") + std::string(name);
  if (!text.empty())
    out << "has: " << text << "\n";
}

std::string printModel(const KernelModel &model) {
  std::ostringstream out;
  out << "kernel " << (model.function ? model.function->name : "") << "\n";
  printFlags(out, model);
  printNDRange(out, model);
  out << "context: " << model.paramContext << "\n";
  std::ostringstream atoms;
  printAtoms(atoms, model);
  if (!atoms.str().empty())
    out << "definitions:\n" << atoms.str();
  printArrays(out, model);
  printLoops(out, model);
  printStatements(out, model);
  printSchedule(out, model);
  auto nameOf = [&](SymbolId id) { return model.symbols.name(id); };
  if (!model.assumptions.empty())
    out << "assumptions:\n";
  for (const Assumption &assumption : model.assumptions) {
    out << "  " << assumption.text << ", line " << assumption.range.line
        << "\n    " << assumption.condition << "\n";
    for (const ProductBound &bound : assumption.bounds)
      out << "    " << bound.poly.str(nameOf) << " <= " << bound.maximum
          << "\n";
  }
  if (!model.notes.empty())
    out << "notes:\n";
  for (const Note &note : model.notes) {
    out << "  " << note.ruleId << ", line " << note.range.line << ": "
        << note.message << "\n";
    if (!note.hint.empty())
      out << "    hint: " << note.hint << "\n";
  }
  return out.str();
}

} // namespace clopt
