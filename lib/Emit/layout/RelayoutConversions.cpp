//===- RelayoutConversions.cpp - what fills the copies --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes of the kernels that fill copies and write them back, in expressions
// for the host.
//
// Tested by test/unit/RelayoutTest.cpp, test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/RelayoutImpl.h"

#include <isl/ast_build.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

std::string LayoutWriter::product(const std::string &left,
                                  const HostNumber &right) const {
  if (right.value == 1)
    return left;
  if (left == "1")
    return right.text;
  return left + " * " + right.text;
}

/// Distances of neighbouring cells of the author's array, per dimension.
std::vector<HostNumber> LayoutWriter::arraySteps(const Copy &copy) {
  const Array &array = model.arrays[copy.array];
  std::vector<HostNumber> steps;
  for (unsigned d = 0; d < array.rank; ++d) {
    Polynomial step(1);
    for (unsigned e = d + 1; e < array.rank; ++e)
      step = step * array.extents[e];
    if (std::optional<int64_t> constant = step.asConstant()) {
      steps.push_back(HostNumber::of(*constant));
      continue;
    }
    std::optional<std::string> text = polynomialText(step, true);
    if (!text) {
      fail("clopt-non-affine-subscript",
           "the rows of '" + array.name + "' have a length without a name");
      return {};
    }
    steps.push_back({"(" + *text + ")", {}});
  }
  return steps;
}

/// sum of factors[d] * steps[d]
static HostNumber sumOf(const std::vector<int64_t> &factors,
                        const std::vector<HostNumber> &steps) {
  int64_t known = 0;
  std::string text;
  for (size_t d = 0; d < steps.size(); ++d) {
    if (factors[d] == 0)
      continue;
    if (steps[d].value) {
      known += factors[d] * *steps[d].value;
      continue;
    }
    text += (text.empty() ? "" : " + ") +
            (factors[d] == 1 ? "" : std::to_string(factors[d]) + " * ") +
            steps[d].text;
  }
  if (text.empty())
    return HostNumber::of(known);
  if (known)
    text += " + " + std::to_string(known);
  return {"(" + text + ")", {}};
}

/// base + sum of low[r] * steps[r]
static HostNumber placeOf(const HostNumber &base,
                          const std::vector<HostNumber> &low,
                          const std::vector<HostNumber> &steps) {
  int64_t known = base.value.value_or(0);
  std::string text = base.value ? "" : base.text;
  for (size_t r = 0; r < low.size(); ++r) {
    if (low[r].value == 0 || steps[r].value == 0)
      continue;
    if (low[r].value && steps[r].value) {
      known += *low[r].value * *steps[r].value;
      continue;
    }
    std::string place = "(long)(" + low[r].text + ")";
    if (low[r].value == 1)
      place = steps[r].text;
    else if (steps[r].value != 1)
      place += " * " + steps[r].text;
    text += (text.empty() ? "" : " + ") + place;
  }
  if (text.empty())
    return HostNumber::of(known);
  if (known)
    text += " + " + std::to_string(known);
  return {text, {}};
}

std::string LayoutWriter::originText(const Array &array) {
  std::optional<std::string> text = polynomialText(array.origin, true);
  if (!text)
    fail("clopt-non-affine-subscript",
         "the first cell of '" + array.name + "' is at no place with a name");
  return "(" + text.value_or("0") + ")";
}

/// One past the last cell in the order of addresses.
std::string LayoutWriter::lastCell(const Copy &copy, const isl::set &cells) {
  isl_pw_multi_aff *last = isl_set_lexmax_pw_multi_aff(cells.copy());
  std::vector<HostNumber> steps = arraySteps(copy);
  isl::set params = isl::manage(isl_set_params(cells.copy()));
  std::string text;
  for (unsigned d = 0; last && d < steps.size(); ++d) {
    isl_pw_aff *value = isl_pw_multi_aff_get_pw_aff(last, static_cast<int>(d));
    value = isl_pw_aff_coalesce(isl_pw_aff_gist_params(value, params.copy()));
    isl_ast_build *build = isl_ast_build_from_context(params.copy());
    isl::ast_expr expr =
        isl::manage(isl_ast_build_expr_from_pw_aff(build, value));
    isl_ast_build_free(build);
    text +=
        "(long)(" + printAst(expr, names).text + ") * " + steps[d].text + " + ";
  }
  isl_pw_multi_aff_free(last);
  const Array &array = model.arrays[copy.array];
  if (!array.origin.isZero())
    text += originText(array) + " + ";
  return text + "1";
}

/// { [t_r] } all values between the least and the greatest of coordinate r.
static isl_set *spanOf(const isl::set &image, unsigned dim) {
  unsigned rank = isl_set_dim(image.get(), isl_dim_set);
  isl_set *line = isl_set_reset_tuple_id(image.copy());
  line = isl_set_project_out(line, isl_dim_set, dim + 1, rank - dim - 1);
  line = isl_set_project_out(line, isl_dim_set, 0, dim);
  isl_map *above =
      isl_map_read_from_str(isl_set_get_ctx(line), "{ [a] -> [t] : t >= a }");
  isl_map *below = isl_map_reverse(isl_map_copy(above));
  isl_set *fromLeast = isl_set_apply(isl_set_copy(line), above);
  isl_set *toGreatest = isl_set_apply(line, below);
  return isl_set_intersect(fromLeast, toGreatest);
}

/// True when the cells are all that the box around their images stands for.
bool LayoutWriter::isBoxOf(const Copy &copy, const isl::set &cells) const {
  isl::set image = imageOf(copy, cells);
  unsigned rank = isl_set_dim(image.get(), isl_dim_set);
  isl_set *box = nullptr;
  for (unsigned r = 0; r < rank; ++r)
    box = box ? isl_set_flat_product(box, spanOf(image, r)) : spanOf(image, r);
  isl_set *plain = isl_set_reset_tuple_id(image.copy());
  isl::set hull = isl::manage(box);
  return hull.is_subset(isl::manage(plain));
}

bool LayoutWriter::addConversion(Copy &copy, const isl::set &cells,
                                 bool isBack) {
  const Array &array = model.arrays[copy.array];
  ConversionShape shape;
  shape.name = options.fresh(model.function->name + "_" + copy.name +
                             (isBack ? "_out" : "_in"));
  shape.elementBytes = array.elementBytes;
  shape.isBack = isBack;
  bool isWhole = isBoxOf(copy, cells);
  if (isBack && !isWhole)
    return fail("clopt-non-affine-subscript",
                "the cells of '" + array.name +
                    "' that are written are no box in the copy");
  Box box;
  if (!copy.reads || !copy.writes) {
    box = copy.box;
  } else {
    requireCells(cells);
    if (!makeBox(imageOf(copy, cells), copy.name + (isBack ? "_out" : "_in"),
                 box))
      return false;
  }
  shape.counts = box.count;
  std::vector<HostNumber> steps = arraySteps(copy);
  if (steps.empty())
    return false;
  IntegerMatrix back = copy.space->inverse();
  for (size_t r = 0; r < box.count.size(); ++r) {
    std::vector<int64_t> column;
    for (const std::vector<int64_t> &row : back)
      column.push_back(row[r]);
    shape.originalSteps.push_back(sumOf(column, steps));
  }
  HostNumber base = sumOf(copy.space->inverseOffset(), steps);
  if (!array.origin.isZero())
    base = {originText(array) + " + " + base.text, {}};
  shape.originalBase = placeOf(base, box.low, shape.originalSteps);
  shape.copySteps = copy.steps;
  std::vector<HostNumber> distance;
  for (size_t r = 0; r < box.low.size(); ++r) {
    const HostNumber &own = box.low[r], &all = copy.box.low[r];
    if (own.value && all.value)
      distance.push_back(HostNumber::of(*own.value - *all.value));
    else if (own.text == all.text)
      distance.push_back(HostNumber::of(0));
    else
      distance.push_back({distanceText(all, own), {}});
  }
  shape.copyBase = placeOf(HostNumber::of(0), distance, copy.steps);
  if (!isWhole) {
    isl::set touched = cells;
    if (copy.reads && copy.writes)
      touched = copy.reads->unite(*copy.writes);
    shape.originalEnd =
        define(copy.name + "_end", lastCell(copy, touched)).text;
  }
  if (copy.zeros.value != 0) {
    shape.filled = box.count.back();
    shape.isMinus = copy.isMinus;
    shape.counts.back() = plusZeros(box.count.back(), copy.zeros);
  }
  ConversionKernel conversion = writeConversion(shape);
  PlanArgument from, to;
  from.name = array.name;
  to.kind = PlanArgument::Kind::Buffer;
  to.name = copy.name;
  if (isBack)
    std::swap(from, to);
  auto &arguments = conversion.launch.arguments;
  arguments.insert(arguments.begin(), {from, to});
  (isBack ? result.changes.after : result.changes.before)
      .push_back({from.name, to.name, conversion.launch});
  result.conversions.push_back(shape.name);
  result.text += "\n\n// " + std::string(isBack ? "Writes " : "Fills ") +
                 (isBack ? copy.name + " back into " + array.name
                         : copy.name + " from " + array.name) +
                 ".\n" + conversion.text;
  return true;
}

/// The copy and the kernels that fill it and write it back.
bool LayoutWriter::makeBuffer(Copy &copy) {
  if (!makeGeometry(copy))
    return false;
  if (copy.reads && !addConversion(copy, *copy.reads, false))
    return false;
  return !copy.writes || addConversion(copy, *copy.writes, true);
}

} // namespace clopt
