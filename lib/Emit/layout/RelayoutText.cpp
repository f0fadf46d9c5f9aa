//===- RelayoutText.cpp - the kernel on converted buffers -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The author's text with other accesses and further parameters.
//
// Tested by test/unit/RelayoutTest.cpp, test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/RelayoutImpl.h"

#include "Emit/frame/PlannedKernel.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace clopt {

bool LayoutWriter::isWide(SymbolId id) const {
  const Symbol &symbol = symbols[id];
  switch (symbol.kind) {
  case SymbolKind::Iterator:
  case SymbolKind::Param:
    return symbol.var && symbol.var->type.size > 4;
  case SymbolKind::GlobalId: {
    const Variable *variable = idVariable(model, symbol.dim);
    return !variable || variable->type.size > 4;
  }
  case SymbolKind::FloorDiv:
  case SymbolKind::Modulo:
    return needsWide({symbol.first});
  case SymbolKind::Product:
    return needsWide({symbol.first, symbol.second});
  default:
    return true;
  }
}

bool LayoutWriter::needsWide(const std::vector<Polynomial> &values) const {
  for (const Polynomial &value : values)
    for (SymbolId id : value.symbols())
      if (isWide(id))
        return true;
  return false;
}

namespace {

/// Finds what a name means where an expression stands.
class NameSearch {
public:
  NameSearch(const Function &function, const std::string &wantedName,
             const Expr *place)
      : name(wantedName), wanted(place) {
    for (const Variable *param : function.params)
      if (param->name == name)
        seen = param;
    walk(function.body);
  }

  /// Nothing when the expression is no part of the function's tree.
  const Variable *result() const { return isFound ? seen : nullptr; }

private:
  void look(const ExprRef &expr) {
    if (!isFound && expr)
      forEachExpr(
          expr, [&](const ExprRef &part) { isFound |= part.get() == wanted; });
  }

  void walk(const StmtRef &stmt) {
    if (!stmt || isFound)
      return;
    if (stmt->kind == StmtKind::Decl) {
      if (stmt->var && stmt->var->name == name)
        seen = stmt->var; // in its initializer as well
      return look(stmt->expr);
    }
    const Variable *outer = seen;
    walk(stmt->init);
    look(stmt->expr);
    look(stmt->inc);
    for (const StmtRef &child : stmt->children)
      walk(child);
    walk(stmt->body);
    walk(stmt->elseBody);
    if (!isFound && stmt->kind != StmtKind::Group)
      seen = outer;
  }

  const std::string &name;
  const Expr *wanted;
  const Variable *seen = nullptr;
  bool isFound = false;
};

} // namespace

/// True for the author's variables: those of the model count from ids, say.
static bool isWritten(const Function &function, const Variable *variable) {
  bool isDeclared = variable->isParam || variable->isFileScope;
  forEachStmt(function.asWritten(), [&](const StmtRef &stmt) {
    isDeclared |= stmt->kind == StmtKind::Decl && stmt->var == variable;
  });
  return isDeclared;
}

/// True when the variable's name means it where the access stands, or on the
/// host, which knows the parameters alone.
bool LayoutWriter::isInScope(const Variable *variable) const {
  return !accessExpr ||
         (NameSearch(*model.function, variable->name, accessExpr).result() ==
              variable &&
          isWritten(*model.function, variable));
}

/// The `int` that holds the id, where it can be named.
const Variable *LayoutWriter::idInScope(unsigned dim, bool wide) const {
  const Variable *variable = idVariable(model, dim);
  if (wide || !variable || variable->type.size != 4 ||
      variable->type.isUnsigned())
    return nullptr;
  return isInScope(variable) ? variable : nullptr;
}

/// The symbol as an operand, of type `int`, or `long` if wide.
std::optional<std::string> LayoutWriter::symbolText(SymbolId id, bool wide) {
  const Symbol &symbol = symbols[id];
  std::string cast = wide ? "(long)" : "(int)";
  switch (symbol.kind) {
  case SymbolKind::Iterator:
  case SymbolKind::Param: {
    if (!symbol.var || !isInScope(symbol.var))
      return std::nullopt;
    bool isPlain =
        !wide && symbol.var->type.size == 4 && !symbol.var->type.isUnsigned();
    return isPlain ? symbol.var->name : cast + symbol.var->name;
  }
  case SymbolKind::GlobalId:
    if (const Variable *variable = idInScope(symbol.dim, wide))
      return variable->name;
    [[fallthrough]];
  default:
    if (const std::optional<WorkItemQuery> query = queryOf(symbol.kind))
      return cast + printWorkItem(*query, symbol.dim);
    return std::nullopt;
  case SymbolKind::Product: {
    // A quotient is that of the values, whatever their types are.
    std::optional<std::string> text =
        polynomialText(symbol.first, wide || isQuotient(symbol));
    if (!text)
      return std::nullopt;
    if (isQuotient(symbol)) {
      std::optional<std::string> divisor = polynomialText(symbol.second, true);
      if (!divisor)
        return std::nullopt;
      if (!symbol.second.asConstant())
        divisor = "max((long)(" + *divisor + "), (long)1)";
      text = "(" + *text + ") / " + *divisor;
    }
    return "(" + *text + ")";
  }
  case SymbolKind::FloorDiv:
  case SymbolKind::Modulo: {
    // Those of the copy divide subscripts, which are not negative.
    if (id < model.symbols.size())
      return std::nullopt;
    std::optional<std::string> text = polynomialText(symbol.first, wide);
    bool isDivision = symbol.kind == SymbolKind::FloorDiv;
    return text ? std::optional("((" + *text + ")" +
                                (isDivision ? " / " : " % ") +
                                std::to_string(symbol.constant) + ")")
                : std::nullopt;
  }
  }
}

void SumText::add(bool isMinus, const std::string &term) {
  magnitude += (isMinus ? " - " : " + ") + term;
  isOperand = false;
}

SumText SumText::plus(const SumText &other) const {
  SumText result = *this;
  if (!other.isZero())
    result.add(other.isNegative, other.magnitude);
  return result;
}

SumText SumText::times(const std::string &factor) const {
  if (isZero() || factor == "1")
    return *this;
  if (text() == "1")
    return {false, factor, true};
  const std::string own = isOperand ? text() : "(" + text() + ")";
  return {false, own + " * " + factor, false};
}

/// True for symbols that are written as one name or call.
static bool isName(const Symbol &symbol) {
  return symbol.kind != SymbolKind::Product &&
         symbol.kind != SymbolKind::FloorDiv &&
         symbol.kind != SymbolKind::Modulo;
}

std::optional<std::string> LayoutWriter::polynomialText(const Polynomial &value,
                                                        bool wide) {
  std::optional<SumText> sum = polynomialSum(value, wide);
  return sum ? std::optional(sum->text()) : std::nullopt;
}

std::optional<SumText> LayoutWriter::polynomialSum(const Polynomial &value,
                                                   bool wide) {
  std::vector<std::pair<Monomial, int64_t>> terms(value.terms.begin(),
                                                  value.terms.end());
  std::stable_sort(
      terms.begin(), terms.end(), [](const auto &a, const auto &b) {
        bool isFirst = a.second > 0, isSecond = b.second > 0;
        return isFirst != isSecond ? isFirst : a.first.size() > b.first.size();
      });
  std::optional<SumText> sum;
  for (const auto &[monomial, coefficient] : terms) {
    bool isNegative = coefficient < 0;
    std::string term;
    for (SymbolId id : monomial) {
      std::optional<std::string> factor = symbolText(id, wide);
      if (!factor)
        return std::nullopt;
      term += (term.empty() ? "" : " * ") + *factor;
    }
    int64_t size = isNegative ? -coefficient : coefficient;
    if (term.empty())
      term = std::to_string(size);
    else if (size != 1)
      term = std::to_string(size) + " * " + term;
    if (sum)
      sum->add(isNegative, term);
    else
      sum = {isNegative, term,
             monomial.empty() || (size == 1 && monomial.size() == 1 &&
                                  isName(symbols[monomial.front()]))};
  }
  return sum.value_or(SumText());
}

/// A number of the launch inside the kernel: an argument unless it is known.
std::string LayoutWriter::parameterFor(const std::string &name,
                                       const HostNumber &value) {
  if (value.value)
    return std::to_string(*value.value);
  if (!result.arguments.count(name)) {
    PlanArgument argument;
    argument.kind = PlanArgument::Kind::Value;
    argument.type = "int";
    argument.value = value.text;
    result.arguments[name] = argument;
    parameters.push_back("int " + name);
  }
  return name;
}

/// True when a Split divides what a part before it may have made negative:
/// OpenCL C rounds quotients towards zero.
static bool dividesSigned(const DataSpace &space) {
  using Kind = LayoutPart::Kind;
  bool isSigned = false;
  for (const LayoutPart &part : space.list()) {
    if (part.kind == Kind::Split && isSigned)
      return true;
    isSigned |= part.kind != Kind::Split && part.kind != Kind::Exchange &&
                part.kind != Kind::Compact;
  }
  return false;
}

/// The cell in the copy: `B_t[j * B_t_pitch + k]`.
std::optional<std::string> LayoutWriter::cellText(Copy &copy,
                                                  const Access &access) {
  std::optional<std::vector<Polynomial>> subscripts =
      subscriptsIn(copy, access);
  if (!subscripts)
    return std::nullopt;
  for (const Polynomial &subscript : *subscripts)
    for (SymbolId id : subscript.symbols())
      if (id >= model.symbols.size() && dividesSigned(*copy.space))
        return std::nullopt;
  bool wide = needsWide(*subscripts);
  size_t rank = subscripts->size();
  SumText sum;
  for (size_t r = 0; r < rank; ++r) {
    const HostNumber &low = copy.box.low[r];
    Polynomial value = (*subscripts)[r];
    if (low.value)
      value = value - Polynomial(*low.value);
    std::optional<SumText> own = polynomialSum(value, wide);
    if (!own)
      return std::nullopt;
    if (!low.value)
      own->add(true, parameterFor(copy.name + "_low" + std::to_string(r), low));
    if (r > 0) {
      HostNumber count = copy.box.count[r];
      std::string name = copy.name + "_n" + std::to_string(r);
      if (r + 1 == rank) {
        name = copy.name + "_pitch";
        count = copy.steps[r - 1];
      }
      sum = sum.times(parameterFor(name, count));
    }
    sum = sum.isZero() ? *own : sum.plus(*own);
  }
  return copy.name + "[" + sum.text() + "]";
}

/// Text of the author's may stand for several parts of the tree: what a loop
/// with few iterations does is written out, once for each. It can only be
/// replaced when all of them become the same.
bool LayoutWriter::replace(const SourceRange &range, const std::string &text,
                           const std::string &what) {
  for (const Replacement &other : replacements) {
    bool isSame = other.begin == range.begin && other.end == range.end;
    if (isSame && other.text == text)
      return true;
    if (isSame)
      return fail("clopt-non-affine-subscript",
                  what + " becomes another in each iteration of a loop that is "
                         "written out");
    if (range.begin < other.end && other.begin < range.end)
      return fail("clopt-non-affine-subscript",
                  what + " is part of another that is replaced");
  }
  replacements.push_back({range.begin, range.end, text});
  return true;
}

/// Where subscripts stand that do more than to name a place: `a[k++]`.
static std::set<std::pair<int64_t, int64_t>>
placesWithEffects(const Function &function) {
  std::set<std::pair<int64_t, int64_t>> result;
  forEachExpr(function.asWritten(), [&](const ExprRef &expr) {
    if (!llvm::all_of(expr->operands, isSideEffectFree))
      result.insert({expr->range.begin, expr->range.end});
  });
  return result;
}

bool LayoutWriter::replaceAccesses() {
  std::set<std::pair<int64_t, int64_t>> replaced;
  const auto withEffects = placesWithEffects(*model.function);
  for (const auto &[id, index] : copyOf) {
    const Access &access = model.accesses[id];
    const std::string what =
        "an access to '" + model.arrays[access.array].name + "'";
    std::optional<ImageRead> read;
    if (copies[index].image)
      read = imageReadOf(model, access);
    accessExpr = read ? read->expr : access.expr;
    const SourceRange &range = accessExpr->range;
    const SourceRange &body = model.function->bodyRange;
    if (range.begin < body.begin || range.end > body.end)
      return fail("clopt-opaque-code", "a function accesses '" +
                                           model.arrays[access.array].name +
                                           "'");
    // They would be lost with the subscript.
    if (withEffects.count({range.begin, range.end}))
      return fail("clopt-opaque-code", "a subscript of '" +
                                           model.arrays[access.array].name +
                                           "' has effects of its own");
    std::optional<std::string> text = read ? texelText(copies[index], *read)
                                           : cellText(copies[index], access);
    if (!text)
      return fail("clopt-non-affine-subscript",
                  "a subscript of '" + model.arrays[access.array].name +
                      "' has no closed form in the copy");
    if (!replace(range, *text, what))
      return false;
    replaced.insert({range.begin, range.end});
  }
  accessExpr = nullptr;
  for (const Access &access : model.accesses) {
    const Expr *expr = access.expr;
    while (expr && expr->kind == ExprKind::Swizzle)
      expr = expr->operands[0].get(); // as in reads of texels
    if (expr && !copyOf.count(access.id) &&
        replaced.count({expr->range.begin, expr->range.end}))
      return fail("clopt-non-affine-subscript",
                  "an access to '" + model.arrays[access.array].name +
                      "' uses a copy in some iterations of a loop that is "
                      "written out, and not in others");
  }
  std::sort(replacements.begin(), replacements.end(),
            [](const Replacement &a, const Replacement &b) {
              return a.begin < b.begin;
            });
  return true;
}

bool LayoutWriter::writeKernel() {
  std::vector<std::string> buffers;
  for (const Copy &copy : copies) {
    const Array &array = model.arrays[copy.array];
    PlanArgument argument;
    argument.name = copy.name;
    if (copy.image) {
      buffers.push_back("__read_only image2d_t " + copy.name);
      argument.kind = PlanArgument::Kind::Image;
      result.arguments[copy.name] = argument;
      continue;
    }
    if (copy.isConstant) {
      buffers.push_back("__constant " + array.var->type.element->spelling +
                        " *" + copy.name);
      argument.kind = PlanArgument::Kind::Parameter;
      argument.name = array.name;
      result.arguments[copy.name] = argument;
      continue;
    }
    buffers.push_back(std::string("__global ") + (copy.writes ? "" : "const ") +
                      typeName(array.elementType.scalar) + " *restrict " +
                      copy.name);
    argument.kind = PlanArgument::Kind::Buffer;
    result.arguments[copy.name] = argument;
  }
  buffers.insert(buffers.end(), parameters.begin(), parameters.end());
  std::optional<std::string> head = kernelHead(model, result.name, buffers);
  if (!head)
    return fail("clopt-macro-body", "the kernel's head comes from a macro");
  const SourceRange &body = model.function->bodyRange;
  std::string text = *head;
  int64_t at = body.begin;
  for (const Replacement &replacement : replacements) {
    text += model.unit->spelling(at, replacement.begin) + replacement.text;
    at = replacement.end;
  }
  text += model.unit->spelling(at, body.end);
  for (unsigned lanes : halfLanes)
    text = halfHelperText(halfHelper, lanes) + text;
  if (!sampler.empty())
    text = "// Texels are read as they are.\n__constant sampler_t " + sampler +
           " = CLK_NORMALIZED_COORDS_FALSE |\n        CLK_ADDRESS_NONE | "
           "CLK_FILTER_NEAREST;\n\n" +
           text;
  result.text = "\n\n" + text + result.text + "\n";
  return true;
}

} // namespace clopt
