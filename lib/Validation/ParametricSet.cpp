//===- ParametricSet.cpp - a set for many values of parameters ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ParametricSetTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/ParametricSet.h"

#include <isl/mat.h>
#include <isl/point.h>
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

isl::set ParametricSet::fix(const Part &part,
                            const std::vector<NumberSpan> &given) const {
  const auto count = static_cast<unsigned>(parameters.size());
  isl_basic_set *set = part.set.copy();
  for (unsigned i = 0; i < count + coordinates; ++i)
    if (given[i].first == given[i].last)
      set = isl_basic_set_fix_val(
          set, i < count ? isl_dim_param : isl_dim_set,
          i < count ? i : i - count,
          isl_val_int_from_si(isl_basic_set_get_ctx(set),
                              static_cast<long>(given[i].first)));
  return isl::manage(isl_set_from_basic_set(set));
}

/// The same by isl; false if the set is empty.
bool ParametricSet::ask(const Part &part, const std::vector<NumberSpan> &given,
                        const std::vector<unsigned> &asked,
                        std::vector<NumberSpan> &spans) const {
  const size_t count = parameters.size();
  const isl::set fixed = fix(part, given);
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

std::vector<NumberSpan>
ParametricSet::given(const std::map<std::string, int64_t> &values,
                     const std::map<unsigned, int64_t> &fixed) const {
  std::vector<NumberSpan> result;
  for (const std::string &parameter : parameters) {
    auto known = values.find(parameter);
    result.push_back(known == values.end()
                         ? NumberSpan()
                         : NumberSpan{known->second, known->second});
  }
  for (unsigned i = 0; i < coordinates; ++i) {
    auto known = fixed.find(i);
    result.push_back(known == fixed.end()
                         ? NumberSpan()
                         : NumberSpan{known->second, known->second});
  }
  return result;
}

std::optional<std::vector<NumberSpan>>
ParametricSet::spans(const std::map<std::string, int64_t> &values,
                     const std::map<unsigned, int64_t> &fixed,
                     const std::vector<unsigned> &asked) const {
  const std::vector<NumberSpan> known = given(values, fixed);
  std::optional<std::vector<NumberSpan>> result;
  for (const Part &part : parts) {
    std::vector<NumberSpan> found = known;
    found.resize(known.size() + static_cast<size_t>(isl_basic_set_dim(
                                    part.set.get(), isl_dim_div)));
    const Answer answer = solve(part, found);
    if (answer == Answer::Empty ||
        (answer == Answer::Open && !ask(part, known, asked, found)))
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

//===-- Points ------------------------------------------------------------===//

/// All points between the bounds; false if there are too many.
bool ParametricSet::addBox(const std::vector<NumberSpan> &spans, size_t limit,
                           Points &points) const {
  const auto first =
      spans.begin() + static_cast<std::ptrdiff_t>(parameters.size());
  const std::vector<NumberSpan> box(
      first, first + static_cast<std::ptrdiff_t>(coordinates));
  size_t count = 1;
  for (const NumberSpan &span : box) {
    if (!span.isBelow(static_cast<int64_t>(limit)))
      return false;
    count *= static_cast<size_t>(span.last - span.first + 1);
    if (count > limit)
      return false;
  }
  std::vector<int64_t> point;
  for (const NumberSpan &span : box)
    point.push_back(span.first);
  for (size_t number = 0; number < count; ++number) {
    points.push_back(point);
    for (size_t d = box.size(); d-- > 0;) {
      if (++point[d] <= box[d].last)
        break;
      point[d] = box[d].first;
    }
  }
  return true;
}

namespace {

struct PointSink {
  std::vector<std::vector<int64_t>> &points;
  size_t limit = 0;
};

} // namespace

static isl_stat addPoint(isl_point *point, void *user) {
  auto *sink = static_cast<PointSink *>(user);
  std::vector<int64_t> coordinates;
  isl_space *space = isl_point_get_space(point);
  isl_size count = isl_space_dim(space, isl_dim_set);
  isl_space_free(space);
  for (int i = 0; i < count; ++i) {
    isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, i);
    coordinates.push_back(isl_val_get_num_si(value));
    isl_val_free(value);
  }
  isl_point_free(point);
  sink->points.push_back(std::move(coordinates));
  return sink->points.size() > sink->limit ? isl_stat_error : isl_stat_ok;
}

bool ParametricSet::askForPoints(const Part &part,
                                 const std::vector<NumberSpan> &given,
                                 size_t limit, Points &points) const {
  const isl::set fixed = fix(part, given);
  const auto count = static_cast<unsigned>(parameters.size());
  for (unsigned i = 0; i < count; ++i)
    if (given[i].first != given[i].last &&
        isl_set_involves_dims(fixed.get(), isl_dim_param, i, 1))
      return false;
  const isl::set plain =
      isl::manage(isl_set_project_out(fixed.copy(), isl_dim_param, 0, count));
  PointSink sink = {points, limit};
  return isl_set_is_bounded(plain.get()) == isl_bool_true &&
         isl_set_foreach_point(plain.get(), addPoint, &sink) == isl_stat_ok;
}

std::optional<std::vector<std::vector<int64_t>>>
ParametricSet::points(const std::map<std::string, int64_t> &values,
                      size_t limit) const {
  const std::vector<NumberSpan> known = given(values, {});
  Points result;
  for (const Part &part : parts) {
    std::vector<NumberSpan> found = known;
    found.resize(known.size() + static_cast<size_t>(isl_basic_set_dim(
                                    part.set.get(), isl_dim_div)));
    Answer answer = solve(part, found);
    if (answer == Answer::Empty)
      continue;
    for (size_t i = 0; i < parameters.size(); ++i)
      if (known[i].first != known[i].last)
        answer = Answer::Open; // it may matter
    if (answer == Answer::Known ? !addBox(found, limit, result)
                                : !askForPoints(part, known, limit, result))
      return std::nullopt;
    if (result.size() > limit)
      return std::nullopt;
  }
  return result;
}

} // namespace clopt
