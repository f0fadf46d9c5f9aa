//===- ParametricSet.cpp - a set for many values of parameters ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ParametricSetTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/ParametricSet.h"

#include "Support/DimCount.h"

#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/mat.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <memory>

namespace clopt {

/// Factors and sums up to these are computed here; what is larger is left to
/// isl. Products of two arguments are bounded by 2^62.
static constexpr int64_t largestFactor = int64_t(1) << 40;
static constexpr int64_t largestSum = int64_t(1) << 62;

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

/// What the division divides; null if it stands for any number there is. Throws
/// isl::exception when the budget is spent.
static isl_aff *divisionOf(isl_local_space *space, unsigned number) {
  isl_ctx *context = isl_local_space_get_ctx(space);
  const int onError = isl_options_get_on_error(context);
  isl_options_set_on_error(context, ISL_ON_ERROR_CONTINUE);
  isl_aff *division = isl_local_space_get_div(space, static_cast<int>(number));
  isl_options_set_on_error(context, onError);
  if (!division && isl_ctx_last_error(context) == isl_error_quota)
    isl::exception::throw_error(isl_error_quota, "the budget is spent",
                                __FILE__, __LINE__);
  if (!division)
    isl_ctx_reset_error(context);
  return division;
}

/// The number, if it is an integer and at most this large.
static std::optional<int64_t> smallNumber(isl_val *value,
                                          int64_t largest = largestFactor) {
  const bool fits = isl_val_is_int(value) == isl_bool_true &&
                    isl_val_cmp_si(value, largest) <= 0 &&
                    isl_val_cmp_si(value, -largest) >= 0;
  const int64_t number = fits ? isl_val_get_num_si(value) : 0;
  isl_val_free(value);
  return fits ? std::optional(number) : std::nullopt;
}

/// With q = floor(a / d): a - d q >= 0 and d q + d - 1 - a >= 0. Other
/// divisions are any numbers that the rows of the set allow.
void ParametricSet::addDivisions(Part &part) const {
  const std::unique_ptr<isl_local_space, decltype(&isl_local_space_free)> owned(
      isl_basic_set_get_local_space(part.set.get()), isl_local_space_free);
  isl_local_space *space = owned.get();
  const unsigned count = dimCount(isl_local_space_dim(space, isl_dim_div));
  for (unsigned i = 0; i < count; ++i) {
    isl_aff *division = divisionOf(space, i);
    if (!division)
      continue;
    const std::optional<int64_t> by =
        smallNumber(isl_aff_get_denominator_val(division));
    part.isPlain &= by.has_value();
    Row rest, above;
    auto addFactor = [&](isl_val *quotient, unsigned variable) {
      const std::optional<int64_t> factor = smallNumber(
          isl_val_mul(quotient, isl_aff_get_denominator_val(division)));
      part.isPlain &= factor.has_value();
      if (!factor || *factor == 0)
        return;
      rest.factors.emplace_back(variable, *factor);
      above.factors.emplace_back(variable, -*factor);
    };
    unsigned variable = 0;
    for (isl_dim_type type : {isl_dim_param, isl_dim_in, isl_dim_div}) {
      const auto size = static_cast<unsigned>(isl_aff_dim(division, type));
      for (unsigned k = 0; k < size; ++k)
        addFactor(
            isl_aff_get_coefficient_val(division, type, static_cast<int>(k)),
            variable++);
    }
    const std::optional<int64_t> constant =
        smallNumber(isl_val_mul(isl_aff_get_constant_val(division),
                                isl_aff_get_denominator_val(division)));
    isl_aff_free(division);
    part.isPlain &= constant.has_value();
    if (!part.isPlain)
      break;
    const auto quotient =
        static_cast<unsigned>(parameters.size()) + coordinates + i;
    rest.factors.emplace_back(quotient, -*by);
    above.factors.emplace_back(quotient, *by);
    rest.constant = *constant;
    above.constant = *by - 1 - *constant;
    part.rows.push_back(std::move(rest));
    part.rows.push_back(std::move(above));
  }
}

void ParametricSet::add(const isl::basic_set &set) {
  Part part;
  part.set = set;
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
        const std::optional<int64_t> number =
            smallNumber(isl_mat_get_element_val(rows, i, j),
                        j + 1 == width ? largestSum : largestFactor);
        isSmall &= number.has_value();
        if (j + 1 == width)
          row.constant = number.value_or(0);
        else if (number.value_or(0) != 0)
          row.factors.emplace_back(static_cast<unsigned>(j), *number);
      }
      if (isSmall)
        part.rows.push_back(std::move(row));
      else
        part.isPlain = false;
    }
    isl_mat_free(rows);
  }
  if (part.isPlain)
    addDivisions(part);
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

/// Open: constraints of several coordinates are left, the rows that are not
/// over, or the set is not plain.
ParametricSet::Answer ParametricSet::solve(const Part &part,
                                           std::vector<NumberSpan> &spans,
                                           std::vector<char> &isOver) {
  isOver.assign(part.rows.size(), 0);
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
      if (sum > largestSum || sum < -largestSum || unknowns > 1) {
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

/// { [x] : what the rows say that are not over }, of the variables that are
/// still open, as far as the spans allow; nothing if numbers are too large.
std::optional<isl::set>
ParametricSet::left(const Part &part, const std::vector<NumberSpan> &spans,
                    const std::vector<char> &isOver) {
  isl_ctx *context = isl_basic_set_get_ctx(part.set.get());
  std::vector<int> column(spans.size(), -1);
  int count = 0;
  for (size_t i = 0; i < spans.size(); ++i)
    if (spans[i].first != spans[i].last)
      column[i] = count++;
  std::vector<std::vector<int64_t>> equalities, inequalities;
  for (size_t i = 0; i < part.rows.size(); ++i) {
    if (isOver[i])
      continue;
    std::vector<int64_t> entries(static_cast<size_t>(count) + 1, 0);
    __int128 sum = part.rows[i].constant;
    for (const auto &[variable, factor] : part.rows[i].factors)
      if (column[variable] >= 0)
        entries[static_cast<size_t>(column[variable])] += factor;
      else
        sum += static_cast<__int128>(factor) * spans[variable].first;
    entries.back() = static_cast<int64_t>(sum);
    if (entries.back() != sum)
      return std::nullopt;
    (part.rows[i].isEquality ? equalities : inequalities)
        .push_back(std::move(entries));
  }
  for (size_t i = 0; i < spans.size(); ++i) {
    if (column[i] < 0)
      continue;
    std::vector<int64_t> entries(static_cast<size_t>(count) + 1, 0);
    int64_t &factor = entries[static_cast<size_t>(column[i])];
    if (spans[i].first != INT64_MIN) {
      factor = 1;
      entries.back() = -spans[i].first;
      inequalities.push_back(entries);
    }
    if (spans[i].last != INT64_MAX) {
      factor = -1;
      entries.back() = spans[i].last;
      inequalities.push_back(entries);
    }
  }
  auto matrix = [&](const std::vector<std::vector<int64_t>> &rows) {
    isl_mat *result = isl_mat_alloc(context, static_cast<unsigned>(rows.size()),
                                    static_cast<unsigned>(count) + 1);
    for (size_t i = 0; i < rows.size(); ++i)
      for (size_t j = 0; j < rows[i].size(); ++j)
        result = isl_mat_set_element_val(
            result, static_cast<int>(i), static_cast<int>(j),
            isl_val_int_from_si(context, static_cast<long>(rows[i][j])));
    return result;
  };
  return isl::manage(
      isl_set_from_basic_set(isl_basic_set_from_constraint_matrices(
          isl_space_set_alloc(context, 0, static_cast<unsigned>(count)),
          matrix(equalities), matrix(inequalities), isl_dim_set, isl_dim_param,
          isl_dim_div, isl_dim_cst)));
}

/// The same by isl; false if the set is empty.
bool ParametricSet::ask(const Part &part, const std::vector<NumberSpan> &given,
                        const std::vector<unsigned> &asked,
                        const std::vector<char> &isOver,
                        std::vector<NumberSpan> &spans) const {
  const size_t count = parameters.size();
  const std::optional<isl::set> rest =
      part.isPlain ? left(part, spans, isOver) : std::nullopt;
  const isl::set fixed = rest ? *rest : fix(part, given);
  if (fixed.is_empty())
    return false;
  const std::vector<NumberSpan> before = spans;
  for (unsigned place : asked) {
    const NumberSpan &span = before[count + place];
    if (rest && span.first == span.last)
      continue;
    const auto dimension = static_cast<int>(
        rest ? std::count_if(before.begin(),
                             before.begin() +
                                 static_cast<std::ptrdiff_t>(count + place),
                             [](const NumberSpan &other) {
                               return other.first != other.last;
                             })
             : static_cast<std::ptrdiff_t>(place));
    spans[count + place] = {
        numberOf(isl_set_dim_min_val(fixed.copy(), dimension), INT64_MIN),
        numberOf(isl_set_dim_max_val(fixed.copy(), dimension), INT64_MAX)};
  }
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
    std::vector<char> isOver;
    const Answer answer = solve(part, found, isOver);
    if (answer == Answer::Empty ||
        (answer == Answer::Open && !ask(part, known, asked, isOver, found)))
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
    std::vector<char> isOver;
    Answer answer = solve(part, found, isOver);
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
