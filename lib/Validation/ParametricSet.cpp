//===- ParametricSet.cpp - a set for many values of parameters ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ParametricSetTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/ParametricSet.h"

#include <isl/mat.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

/// Beyond that, sums of products may not fit.
static constexpr int64_t largest = int64_t(1) << 40;

bool NumberSpan::isBelow(int64_t distance) const {
  return first != INT64_MIN && last != INT64_MAX && last - first < distance;
}

//===-- Constraints -------------------------------------------------------===//

ParametricSet::ParametricSet(const isl::set &set) {
  const auto count =
      static_cast<unsigned>(isl_set_dim(set.get(), isl_dim_param));
  for (unsigned i = 0; i < count; ++i)
    parameters.emplace_back(isl_set_get_dim_name(set.get(), isl_dim_param, i));
  if (!isl_set_is_params(set.get()))
    coordinates = static_cast<unsigned>(isl_set_dim(set.get(), isl_dim_set));
  set.foreach_basic_set([this](const isl::basic_set &part) { add(part); });
}

void ParametricSet::add(const isl::basic_set &set) {
  Part part;
  part.set = set;
  part.isPlain = isl_basic_set_dim(set.get(), isl_dim_div) == 0;
  for (bool isEquality : {true, false}) {
    isl_mat *(*const rowsOf)(isl_basic_set *, isl_dim_type, isl_dim_type,
                             isl_dim_type, isl_dim_type) =
        isEquality ? isl_basic_set_equalities_matrix
                   : isl_basic_set_inequalities_matrix;
    isl_mat *rows =
        rowsOf(set.get(), isl_dim_param, isl_dim_set, isl_dim_div, isl_dim_cst);
    const int height = isl_mat_rows(rows), width = isl_mat_cols(rows);
    for (int i = 0; i < height; ++i) {
      Row row;
      row.isEquality = isEquality;
      bool isSmall = true;
      for (int j = 0; j < width; ++j) {
        isl_val *entry = isl_mat_get_element_val(rows, i, j);
        const bool fits = isl_val_cmp_si(entry, largest) < 0 &&
                          isl_val_cmp_si(entry, -largest) > 0;
        const int64_t number = fits ? isl_val_get_num_si(entry) : 0;
        isl_val_free(entry);
        isSmall &= fits;
        if (j + 1 == width)
          row.constant = number;
        else if (number != 0)
          row.factors.emplace_back(static_cast<unsigned>(j), number);
      }
      if (isSmall)
        part.rows.push_back(std::move(row));
      else
        part.isPlain = false;
    }
    isl_mat_free(rows);
  }
  parts.push_back(std::move(part));
}

//===-- Solving -----------------------------------------------------------===//

static int64_t floorDiv(int64_t x, int64_t y) {
  const int64_t quotient = x / y;
  return x % y != 0 && (x < 0) != (y < 0) ? quotient - 1 : quotient;
}

/// What `factor * x + rest` being 0, or at least 0, leaves; false if nothing.
bool ParametricSet::narrow(NumberSpan &span, int64_t factor, int64_t rest,
                           bool isEquality) {
  if (isEquality && rest % factor != 0)
    return false;
  if (isEquality || factor > 0) // at least -rest / factor, rounded up
    span.first = std::max(span.first, -floorDiv(rest, factor));
  if (isEquality || factor < 0)
    span.last = std::min(span.last, floorDiv(rest, -factor));
  return span.first <= span.last;
}

/// Open: constraints of several coordinates are left, or the set is not plain.
ParametricSet::Answer ParametricSet::solve(const Part &part,
                                           std::vector<NumberSpan> &spans) {
  std::vector<char> isOver(part.rows.size(), 0);
  bool isNew = true, isOpen = false;
  while (isNew) {
    isNew = isOpen = false;
    for (size_t i = 0; i < part.rows.size(); ++i) {
      if (isOver[i])
        continue;
      const Row &row = part.rows[i];
      __int128 sum = row.constant;
      std::pair<unsigned, int64_t> unknown;
      unsigned unknowns = 0;
      for (const auto &[variable, factor] : row.factors) {
        const NumberSpan &span = spans[variable];
        if (span.first == span.last)
          sum += static_cast<__int128>(factor) * span.first;
        else if (++unknowns == 1)
          unknown = {variable, factor};
      }
      if (sum > largest * 4 || sum < -largest * 4 || unknowns > 1) {
        isOpen = true;
        continue;
      }
      isOver[i] = 1;
      isNew = true;
      const auto rest = static_cast<int64_t>(sum);
      if (unknowns == 0 ? (row.isEquality ? rest != 0 : rest < 0)
                        : !narrow(spans[unknown.first], unknown.second, rest,
                                  row.isEquality))
        return Answer::Empty;
    }
  }
  return isOpen || !part.isPlain ? Answer::Open : Answer::Known;
}

static int64_t numberOf(isl_val *value, int64_t otherwise) {
  const int64_t result = isl_val_is_int(value) == isl_bool_true
                             ? isl_val_get_num_si(value)
                             : otherwise;
  isl_val_free(value);
  return result;
}

/// The same by isl; false if the set is empty.
bool ParametricSet::ask(const Part &part, const std::vector<NumberSpan> &given,
                        const std::vector<unsigned> &asked,
                        std::vector<NumberSpan> &spans) const {
  const auto count = static_cast<unsigned>(parameters.size());
  isl_basic_set *set = part.set.copy();
  for (unsigned i = 0; i < count + coordinates; ++i)
    if (given[i].first == given[i].last)
      set = isl_basic_set_fix_val(
          set, i < count ? isl_dim_param : isl_dim_set,
          i < count ? i : i - count,
          isl_val_int_from_si(isl_basic_set_get_ctx(set),
                              static_cast<long>(given[i].first)));
  const isl::set fixed = isl::manage(isl_set_from_basic_set(set));
  if (fixed.is_empty())
    return false;
  for (unsigned place : asked)
    spans[count + place] = {
        numberOf(isl_set_dim_min_val(fixed.copy(), static_cast<int>(place)),
                 INT64_MIN),
        numberOf(isl_set_dim_max_val(fixed.copy(), static_cast<int>(place)),
                 INT64_MAX)};
  return true;
}

std::optional<std::vector<NumberSpan>>
ParametricSet::spans(const std::map<std::string, int64_t> &values,
                     const std::map<unsigned, int64_t> &fixed,
                     const std::vector<unsigned> &asked) const {
  std::vector<NumberSpan> given;
  for (const std::string &parameter : parameters) {
    auto known = values.find(parameter);
    given.push_back(known == values.end()
                        ? NumberSpan()
                        : NumberSpan{known->second, known->second});
  }
  for (unsigned i = 0; i < coordinates; ++i) {
    auto known = fixed.find(i);
    given.push_back(known == fixed.end()
                        ? NumberSpan()
                        : NumberSpan{known->second, known->second});
  }
  std::optional<std::vector<NumberSpan>> result;
  for (const Part &part : parts) {
    std::vector<NumberSpan> found = given;
    found.resize(given.size() + static_cast<size_t>(isl_basic_set_dim(
                                    part.set.get(), isl_dim_div)));
    const Answer answer = solve(part, found);
    if (answer == Answer::Empty ||
        (answer == Answer::Open && !ask(part, given, asked, found)))
      continue;
    if (!result)
      result.emplace(asked.size(), NumberSpan{INT64_MAX, INT64_MIN});
    for (size_t i = 0; i < asked.size(); ++i) {
      const NumberSpan &span = found[parameters.size() + asked[i]];
      (*result)[i].first = std::min((*result)[i].first, span.first);
      (*result)[i].last = std::max((*result)[i].last, span.last);
    }
    if (asked.empty())
      break;
  }
  return result;
}

} // namespace clopt
