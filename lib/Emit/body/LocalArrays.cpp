//===- LocalArrays.cpp - the author's own local arrays --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations are moved as text, so that extents keep the names of macros. A
// declaration between the lines of a preprocessor condition stays where it is,
// and the kernel with it: other flags would declare another array.
//
// Tested by test/unit/LocalArraysTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/LocalArrays.h"

#include "Analysis/memory/LocalCells.h"
#include "Model/SourceLines.h"

#include <set>

namespace clopt {

namespace {

/// A statement of the author that declares local variables and nothing else.
struct Declaration {
  const Stmt *stmt = nullptr;
  std::vector<const Variable *> variables;
};

class Hoister {
public:
  explicit Hoister(const TransformedKernel &transformed)
      : kernel(transformed), unit(*transformed.model->unit),
        function(*transformed.model->function) {}
  LocalArrays run();

private:
  void findDeclarations(const StmtRef &stmt);
  void add(const StmtRef &stmt, const std::vector<StmtRef> &parts);
  bool isBetweenConditions(const SourceRange &range) const;
  const LocalPadding *paddingOf(const Variable *variable) const;
  std::string padded(const Declaration &declaration);
  void fail(const std::string &message, const std::string &name);

  const TransformedKernel &kernel;
  const TranslationUnit &unit;
  const Function &function;
  std::vector<Declaration> found;
  LocalArrays result;
};

} // namespace

static bool isLocal(const Variable *variable) {
  return variable && variable->space == AddressSpace::Local &&
         !variable->isParam;
}

void Hoister::fail(const std::string &message, const std::string &name) {
  if (!result.error)
    result.error = {"clopt-macro-body",
                    "the declaration of local '" + name + "' " + message, ""};
}

void Hoister::add(const StmtRef &stmt, const std::vector<StmtRef> &parts) {
  Declaration declaration{stmt.get(), {}};
  for (const StmtRef &part : parts)
    if (part->kind == StmtKind::Decl && isLocal(part->var))
      declaration.variables.push_back(part->var);
  if (declaration.variables.empty())
    return;
  const std::string &name = declaration.variables.front()->name;
  if (declaration.variables.size() != parts.size())
    return fail("also declares private variables", name);
  const SourceRange &body = function.bodyRange;
  if (!stmt->lines.isValid() || stmt->range.begin <= body.begin ||
      stmt->range.end >= body.end)
    return fail("comes from a macro", name);
  found.push_back(std::move(declaration));
}

void Hoister::findDeclarations(const StmtRef &stmt) {
  if (!stmt)
    return;
  if (stmt->kind == StmtKind::Decl)
    return add(stmt, {stmt});
  if (stmt->kind == StmtKind::Group)
    return add(stmt, stmt->children);
  for (const StmtRef &child : stmt->children)
    findDeclarations(child);
}

bool Hoister::isBetweenConditions(const SourceRange &range) const {
  int depth = 0;
  for (const Directive &directive : unit.directives) {
    if (directive.at < function.bodyRange.begin || directive.at >= range.end)
      continue;
    if (directive.at > range.begin)
      return true;
    depth += (directive.kind == Directive::Kind::If) -
             (directive.kind == Directive::Kind::EndIf);
  }
  return depth > 0;
}

/// The author's extent and what padding adds to it.
static std::string paddedExtent(const TranslationUnit &unit,
                                const Variable &variable,
                                const LocalPadding &padding) {
  std::string own = unit.spelling(variable.extent.begin, variable.extent.end);
  if (!variable.isExtentPrimary)
    own = "(" + own + ")";
  std::string count = std::to_string(padding.count);
  if (padding.every == 0)
    return own + " + " + count;
  std::string gaps = own + " / " + std::to_string(padding.every);
  return own + " + " + gaps + (padding.count > 1 ? " * " + count : "");
}

const LocalPadding *Hoister::paddingOf(const Variable *variable) const {
  for (const LocalPadding &padding : kernel.paddings)
    if (kernel.model->arrays[padding.array].var == variable)
      return &padding;
  return nullptr;
}

/// The text of the declaration, with longer extents where arrays are padded.
std::string Hoister::padded(const Declaration &declaration) {
  const SourceRange &range = declaration.stmt->range;
  std::string line;
  int64_t at = range.begin;
  for (const Variable *variable : declaration.variables) {
    const LocalPadding *padding = paddingOf(variable);
    const SourceSpan &extent = variable->extent;
    if (!padding)
      continue;
    if (!extent.isValid() || extent.begin < at || extent.end > range.end) {
      fail("has no extent that could be changed", variable->name);
      break;
    }
    line += unit.spelling(at, extent.begin) +
            paddedExtent(unit, *variable, *padding);
    at = extent.end;
  }
  return line + unit.spelling(at, range.end);
}

LocalArrays Hoister::run() {
  findDeclarations(function.body);
  std::set<const Variable *> moved;
  const int64_t inside = function.bodyRange.begin + 1;
  const std::optional<int64_t> line = nextLine(unit, inside);
  if (!line)
    result.original = "    ";
  int64_t at = line.value_or(inside);
  result.whole =
      result.original + unit.spelling(at, function.bodyRange.end - 1);
  for (const Declaration &declaration : found) {
    const Stmt &stmt = *declaration.stmt;
    if (isBetweenConditions(stmt.range))
      fail("stands between preprocessor conditions",
           declaration.variables.front()->name);
    moved.insert(declaration.variables.begin(), declaration.variables.end());
    result.declarations.push_back(padded(declaration));
    result.original += unit.spelling(at, stmt.lines.begin);
    at = stmt.lines.end;
  }
  result.original += unit.spelling(at, function.bodyRange.end - 1);
  for (const auto &variable : function.variables)
    if (isLocal(variable.get()) && !moved.count(variable.get()))
      fail("is not at the outermost scope", variable->name);
  return std::move(result);
}

LocalArrays hoistLocalArrays(const TransformedKernel &kernel) {
  return Hoister(kernel).run();
}

std::string declareLikeLocal(const TransformedKernel &kernel,
                             const std::string &name,
                             const Variable &variable) {
  std::vector<int64_t> extents;
  const Type *type = &variable.type;
  const std::vector<Array> &arrays = kernel.model->arrays;
  if (variable.isParam && type->element) {
    type = type->element.get();
    for (unsigned array = 0; array < arrays.size(); ++array)
      if (arrays[array].var == &variable)
        if (std::optional<int64_t> cells = reachedCells(*kernel.model, array))
          extents.push_back(*cells);
  }
  for (; type->isArray(); type = type->element.get())
    extents.push_back(static_cast<int64_t>(type->extent));
  if (extents.empty() || (!type->isScalar() && !type->isVector()))
    return "";
  for (const LocalPadding &padding : kernel.paddings) {
    if (kernel.model->arrays[padding.array].var != &variable)
      continue;
    int64_t &row = extents.back();
    row += padding.every ? row / padding.every * padding.count : padding.count;
  }
  Type plain = *type;
  plain.isConst = false;
  std::string line = "__local " + typeText(plain) + " " + name;
  for (int64_t extent : extents)
    line += "[" + std::to_string(extent) + "]";
  return line + ";";
}

} // namespace clopt
