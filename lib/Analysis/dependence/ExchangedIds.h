//===- ExchangedIds.h - kernels that two ids mean the same to ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether work-items (i, j) and (j, i) compute the same values. The author's
// expressions are compared with themselves, i and j exchanged: they have to be
// equal down to the operands, which may change places only where that changes
// no bit of the result.
//
//   sum += X[i * s + k] * X[j * s + k];        equal: x * y is y * x
//   c[i * n + j] = sqrt(sum);                  equal: sum is the same for both
//   t = x[i] * y[j] + x[j] * y[i];             not equal: fma(a, b, c * d) is
//                                              not fma(c, d, a * b)
//
// Which operand's payload a NaN has is left open by IEEE 754, for a product as
// the author wrote it, too.
//
// Tested by test/unit/ExchangedIdsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_EXCHANGEDIDS_H
#define CLOPT_ANALYSIS_EXCHANGEDIDS_H

#include "Model/KernelModel.h"

#include <optional>
#include <vector>

namespace clopt {

/// Coordinates of two dimensions of the NDRange.
struct ExchangedIds {
  SymbolId first, second;
};

/// The polynomial for the other work-item; nothing where it has terms that are
/// not known for both.
std::optional<Polynomial> exchanged(const KernelModel &model,
                                    const ExchangedIds &ids,
                                    const Polynomial &poly);

/// What the kernel computes for (i, j) and (j, i).
struct ExchangedValues {
  /// Why the values are not known to be the same, or nothing.
  std::optional<Note> difference;
  /// Statements that store to memory, in the order of the model. Only where
  /// they store differs.
  std::vector<unsigned> stores;
};
ExchangedValues compareExchanged(const KernelModel &model,
                                 const ExchangedIds &ids);

/// { : } the launches and arguments for which every statement runs for (i, j)
/// just when it runs for (j, i), where work-items that run none of `stores` do
/// not matter.
isl::set exchangedDomainsAgree(const KernelModel &model,
                               const ExchangedIds &ids,
                               const std::vector<unsigned> &stores);
/// { S[.., i, .., j, ..] } of { S[.., j, .., i, ..] }
isl::set exchangeCoordinates(const Statement &statement,
                             const ExchangedIds &ids, const isl::set &domain);
/// { S[.., i, .., j, ..] -> T[.., j, .., i, ..] }
isl::map exchangeMap(const Statement &statement, const ExchangedIds &ids,
                     const std::string &target);

} // namespace clopt

#endif // CLOPT_ANALYSIS_EXCHANGEDIDS_H
