//===- PolynomialExprs.h - integers of the model as expressions *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ForwardTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_POLYNOMIALEXPRS_H
#define CLOPT_TRANSFORM_POLYNOMIALEXPRS_H

#include "Model/KernelModel.h"

#include <set>
#include <vector>

namespace clopt {

/// Variables that something in the kernel changes.
std::set<const Variable *> assignedVariables(const KernelModel &model);

/// True where something in the statement changes the variable.
bool changesIn(const StmtRef &stmt, const Variable *variable);

/// The declarations in the head of the loop.
std::vector<const Stmt *> declarationsIn(const Stmt *loop);

/// Writes polynomials of ids, iterators, arguments and sizes of the launch as
/// the author could have: with his names, where he has any.
class PolynomialExprs {
public:
  /// `startsAtZero`: of launches without offset.
  explicit PolynomialExprs(const KernelModel &model, bool startsAtZero = false);

  /// Where the expression is to stand: what is declared before that.
  struct Site {
    size_t at = 0;                ///< the statement of the kernel's body
    std::vector<SymbolId> inside; ///< iterators of the loops around it
  };
  /// The polynomial as a value of the type; null where a symbol has no name.
  ExprRef make(const Polynomial &poly, const Type &type, const Site &site);

  /// True for what is no function of global ids alone.
  bool isOfGroups(const Polynomial &poly) const;

private:
  void findNames(const std::set<const Variable *> &assigned);
  void findLoopName(const Loop &loop, const Variable &variable);
  ExprRef named(const Polynomial &poly, const Type &type,
                const Site &site) const;
  Polynomial withGlobalIds(const Polynomial &poly) const;
  /// Of an id that the model has as group and local id.
  SymbolId globalId(unsigned dim) const {
    return static_cast<SymbolId>(model.symbols.size() + dim);
  }
  ExprRef nameOf(SymbolId id, const Type &type, const Site &site);
  bool isAuthors(const Variable &variable) const;

  const KernelModel &model;
  const bool startsAtZero;
  /// One of the author's variables that has one value.
  struct Name {
    Polynomial value;
    const Variable *variable;
    size_t at; ///< the statement of the kernel that declares it
    std::optional<SymbolId> loop; ///< whose variable it is
  };
  std::vector<Name> names;
  bool isNameless = false; ///< a symbol has no expression
};

} // namespace clopt

#endif // CLOPT_TRANSFORM_POLYNOMIALEXPRS_H
