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

#include <algorithm>
#include <cctype>
#include <set>

namespace clopt {

namespace {

/// A statement of the author that declares local variables and nothing else.
struct Declaration {
  int64_t begin = 0, end = 0; ///< bytes of the file, with the semicolon
  std::vector<const Variable *> variables;
};

class Hoister {
public:
  explicit Hoister(const TransformedKernel &transformed)
      : kernel(transformed), model(*transformed.model),
        function(*transformed.model->function), text(model.unit->text) {}
  LocalArrays run();

private:
  void findDeclarations(const StmtRef &stmt);
  void add(const StmtRef &stmt, const std::vector<StmtRef> &parts);
  bool isBetweenConditions(const Declaration &declaration) const;
  void cut(const Declaration &declaration, int64_t &at);
  std::string padded(const Declaration &declaration);
  void fail(const std::string &message, const std::string &name);

  const TransformedKernel &kernel;
  const KernelModel &model;
  const Function &function;
  const std::string &text;
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
  Declaration declaration;
  for (const StmtRef &part : parts)
    if (part->kind == StmtKind::Decl && isLocal(part->var))
      declaration.variables.push_back(part->var);
  if (declaration.variables.empty())
    return;
  const std::string &name = declaration.variables.front()->name;
  if (declaration.variables.size() != parts.size())
    return fail("also declares private variables", name);
  const SourceRange &body = function.bodyRange;
  if (!stmt->range.isEditable() || stmt->range.begin <= body.begin ||
      stmt->range.end >= body.end)
    return fail("comes from a macro", name);
  declaration.begin = stmt->range.begin;
  declaration.end = stmt->range.end;
  size_t last = static_cast<size_t>(declaration.end);
  if (text[last - 1] != ';') {
    size_t semicolon = text.find_first_not_of(" \t\r\n", last);
    if (semicolon == std::string::npos || text[semicolon] != ';')
      return fail("comes from a macro", name);
    declaration.end = static_cast<int64_t>(semicolon) + 1;
  }
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

/// The first character of the directive that a line is, or nothing.
static std::string directiveOf(const std::string &line) {
  size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#')
    return "";
  size_t word = line.find_first_not_of(" \t", hash + 1);
  return word == std::string::npos ? "#" : line.substr(word);
}

bool Hoister::isBetweenConditions(const Declaration &declaration) const {
  int depth = 0;
  int64_t at = function.bodyRange.begin;
  while (at < declaration.end) {
    size_t newline = text.find('\n', static_cast<size_t>(at));
    int64_t next = newline == std::string::npos
                       ? declaration.end
                       : static_cast<int64_t>(newline) + 1;
    std::string directive = directiveOf(
        text.substr(static_cast<size_t>(at), static_cast<size_t>(next - at)));
    bool inside = at > declaration.begin;
    if (!directive.empty() && inside)
      return true;
    if (directive.compare(0, 2, "if") == 0)
      ++depth;
    if (directive.compare(0, 5, "endif") == 0)
      --depth;
    at = next;
  }
  return depth > 0;
}

/// Appends the author's text up to the declaration; a line that had nothing
/// else on it goes as well.
void Hoister::cut(const Declaration &declaration, int64_t &at) {
  std::string before = text.substr(static_cast<size_t>(at),
                                   static_cast<size_t>(declaration.begin - at));
  size_t margin = before.find_last_not_of(" \t");
  size_t after =
      text.find_first_not_of(" \t", static_cast<size_t>(declaration.end));
  bool isWholeLine =
      (margin == std::string::npos ? at != function.bodyRange.begin + 1
                                   : before[margin] == '\n') &&
      after != std::string::npos && text[after] == '\n';
  at = declaration.end;
  if (isWholeLine) {
    before.resize(margin == std::string::npos ? 0 : margin + 1);
    at = static_cast<int64_t>(after) + 1;
  }
  result.original += before;
}

static bool isIdentifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Position of a whole word, or npos.
static size_t findWord(const std::string &line, const std::string &word) {
  for (size_t at = line.find(word); at != std::string::npos;
       at = line.find(word, at + 1)) {
    size_t end = at + word.size();
    if ((at == 0 || !isIdentifier(line[at - 1])) &&
        (end == line.size() || !isIdentifier(line[end])))
      return at;
  }
  return std::string::npos;
}

/// The last pair of brackets of the declarator at `at`: the innermost extent.
static std::optional<std::pair<size_t, size_t>>
lastBrackets(const std::string &line, size_t at) {
  std::optional<std::pair<size_t, size_t>> result;
  while ((at = line.find_first_not_of(" \t\r\n", at)) != std::string::npos &&
         line[at] == '[') {
    size_t open = at;
    for (int depth = 0; at < line.size(); ++at) {
      depth += (line[at] == '[') - (line[at] == ']');
      if (depth == 0)
        break;
    }
    if (at == line.size())
      return std::nullopt;
    result = {open + 1, at++};
  }
  return result;
}

/// The author's extent and what padding adds to it.
static std::string paddedExtent(const std::string &extent,
                                const LocalPadding &padding) {
  bool isSimple = std::all_of(extent.begin(), extent.end(), isIdentifier);
  std::string own = isSimple ? extent : "(" + extent + ")";
  std::string count = std::to_string(padding.count);
  if (padding.every == 0)
    return own + " + " + count;
  std::string gaps = own + " / " + std::to_string(padding.every);
  return own + " + " + gaps + (padding.count > 1 ? " * " + count : "");
}

/// The text of the declaration, with longer extents where arrays are padded.
std::string Hoister::padded(const Declaration &declaration) {
  std::string line =
      text.substr(static_cast<size_t>(declaration.begin),
                  static_cast<size_t>(declaration.end - declaration.begin));
  for (const Variable *variable : declaration.variables) {
    const LocalPadding *padding = nullptr;
    for (const LocalPadding &candidate : kernel.paddings)
      if (model.arrays[candidate.array].var == variable)
        padding = &candidate;
    if (!padding)
      continue;
    size_t at = findWord(line, variable->name);
    std::optional<std::pair<size_t, size_t>> extent;
    if (at != std::string::npos)
      extent = lastBrackets(line, at + variable->name.size());
    if (!extent) {
      fail("has no extent that could be changed", variable->name);
      return line;
    }
    auto [begin, end] = *extent;
    line.replace(begin, end - begin,
                 paddedExtent(line.substr(begin, end - begin), *padding));
  }
  return line;
}

LocalArrays Hoister::run() {
  findDeclarations(function.body);
  std::set<const Variable *> moved;
  int64_t at = function.bodyRange.begin + 1;
  for (const Declaration &declaration : found) {
    if (isBetweenConditions(declaration))
      fail("stands between preprocessor conditions",
           declaration.variables.front()->name);
    moved.insert(declaration.variables.begin(), declaration.variables.end());
    result.declarations.push_back(padded(declaration));
    cut(declaration, at);
  }
  result.original +=
      text.substr(static_cast<size_t>(at),
                  static_cast<size_t>(function.bodyRange.end - 1 - at));
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
