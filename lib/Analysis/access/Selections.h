//===- Selections.h - choices that a whole tile makes alike -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Border handling clamps, wraps or reflects subscripts: `x < 0 ? 0 : x`. In the
// model these are Select atoms, and accesses through them are neither affine
// nor contiguous. Away from the borders every work-item takes the same branch;
// with the branch in the place of the atom the subscripts are affine again
// (branches on indices as selects on addresses: H. Jia et al., cross-platform
// optimization of Laplace image enhancement, section 4.2.3).
//
// Tested by test/unit/SelectionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_SELECTIONS_H
#define CLOPT_ANALYSIS_SELECTIONS_H

#include "Model/TransformedKernel.h"

namespace clopt {

/// Which branch every atom takes; true: the first.
using Selections = std::map<SymbolId, bool>;

/// Atoms on whose branch the polynomial depends when those of `known` are
/// taken as given; `known` ones that matter are among them.
std::set<SymbolId> selectsIn(const KernelModel &model, const Polynomial &poly,
                             const Selections &known);
/// Atoms that matter for the values, addresses and conditional expressions of
/// one statement.
std::set<SymbolId> selectsOf(const KernelModel &model,
                             const Statement &statement,
                             const Selections &known);
/// { S[w..., i...] } instances for which the atom takes the other branch;
/// nothing when its condition is not affine.
std::optional<isl::set> instancesAgainst(const KernelModel &model,
                                         const Statement &statement,
                                         SymbolId atom, bool branch);
/// True when every instance of the statement that takes the branches of
/// `selections` is certain to make the access.
bool isAlwaysMade(const KernelModel &model, const Access &access,
                  const Selections &selections);
/// The polynomial with the branches in the place of the atoms.
Polynomial resolve(const KernelModel &model, const Polynomial &poly,
                   const Selections &selections);
/// The model with all values resolved. Domains and relations stay: they are
/// exact for all tiles.
KernelModel resolveModel(const KernelModel &model,
                         const Selections &selections);
/// Conditional expressions, `min`, `max` and `clamp` whose value is that of one
/// operand, as long as what is left out has no effect; `resolved` is the model
/// after resolveModel.
std::map<const Expr *, ExprRef> findReplacements(const KernelModel &model,
                                                 const KernelModel &resolved,
                                                 const Selections &selections);

} // namespace clopt

#endif // CLOPT_ANALYSIS_SELECTIONS_H
