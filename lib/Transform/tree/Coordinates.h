//===- Coordinates.h - statements in other coordinates ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that change which loops or dimensions are around a statement make a
// model of their own, in which its coordinates have another order or number.
//
// Tested by test/unit/MapTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_COORDINATES_H
#define CLOPT_TRANSFORM_COORDINATES_H

#include "Model/TransformedKernel.h"

#include <string>
#include <vector>

namespace clopt {

/// { T[from...] -> T[to...] } coordinates of one symbol are equal, new ones
/// free.
isl::map coordinateMap(const KernelModel &model, const std::string &tuple,
                       const std::vector<SymbolId> &from,
                       const std::vector<SymbolId> &to);

/// Gives the statement these coordinates: domain and relations of its accesses
/// follow; new coordinates are unbounded.
void changeCoordinates(KernelModel &model, Statement &statement,
                       const std::vector<SymbolId> &coordinates);

/// The same for the domains of a private copy.
void changeCoordinates(const KernelModel &model, ArrayTile &copy,
                       const std::vector<SymbolId> &coordinates);

/// { S[w..., k, i, ...] : [w..., k, i] in prefix }
isl::set restrictTo(const isl::set &domain, const isl::set &prefix);

} // namespace clopt

#endif // CLOPT_TRANSFORM_COORDINATES_H
