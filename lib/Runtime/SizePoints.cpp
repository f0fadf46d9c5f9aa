//===- SizePoints.cpp - every combination of the named sizes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLaunchSpecTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/LaunchSpec.h"

#include <algorithm>

namespace clopt::runtime {

namespace {

void combineSizes(
    const KernelSpec &spec,
    const std::map<std::string, std::vector<std::int64_t>> &overrides,
    std::size_t index, Bindings bindings, const SizePoint &prefix,
    std::vector<SizePoint> &points) {
  if (index == spec.sizes.size()) {
    points.push_back(prefix);
    return;
  }
  const SizeSpec &size = spec.sizes[index];
  std::vector<std::int64_t> values;
  const auto replaced = overrides.find(size.name);
  if (replaced != overrides.end())
    values = replaced->second;
  else
    for (const LocatedExpression &value : size.values)
      values.push_back(evaluate(value, bindings, spec.file));
  for (std::int64_t value : values) {
    SizePoint point = prefix;
    point.emplace_back(size.name, value);
    bindings[size.name] = value;
    combineSizes(spec, overrides, index + 1, bindings, point, points);
  }
}

/// Points given one by one, with each override multiplied in and doubles
/// removed.
std::vector<SizePoint> overridePoints(
    std::vector<SizePoint> points,
    const std::map<std::string, std::vector<std::int64_t>> &overrides) {
  for (const auto &[name, values] : overrides) {
    std::vector<SizePoint> next;
    for (const SizePoint &point : points) {
      const auto at = std::find_if(point.begin(), point.end(),
                                   [&, &wanted = name](const auto &size) {
                                     return size.first == wanted;
                                   });
      for (std::int64_t value : values) {
        SizePoint changed = point;
        if (at != point.end())
          changed[static_cast<std::size_t>(at - point.begin())].second = value;
        if (std::find(next.begin(), next.end(), changed) == next.end())
          next.push_back(changed);
      }
    }
    points = std::move(next);
  }
  return points;
}

} // namespace

std::string pointText(const SizePoint &point) {
  std::string text;
  for (const auto &[name, value] : point)
    text += " " + name + "=" + std::to_string(value);
  return text;
}

Json pointJson(const SizePoint &point) {
  Json json = Json::object();
  for (const auto &[name, value] : point)
    json[name] = value;
  return json;
}

std::int64_t evaluate(const LocatedExpression &expression,
                      const Bindings &bindings, const std::string &file) {
  try {
    return expression.value.evaluate(bindings);
  } catch (const ExpressionError &error) {
    SourcePosition where = expression.where;
    where.column += static_cast<unsigned>(error.offset);
    throw Error(error.what() + std::string(" in \"") + expression.value.text() +
                    "\"",
                file, where);
  }
}

bool KernelSpec::hasSize(const std::string &name) const {
  for (const SizeSpec &size : sizes)
    if (size.name == name)
      return true;
  if (!points.empty())
    for (const auto &[pointName, value] : points[0])
      if (pointName == name)
        return true;
  return false;
}

std::vector<SizePoint> KernelSpec::sizePoints(
    const std::map<std::string, std::vector<std::int64_t>> &overrides) const {
  if (!points.empty())
    return overridePoints(points, overrides);
  std::vector<SizePoint> result;
  combineSizes(*this, overrides, 0, constants, {}, result);
  return result;
}

} // namespace clopt::runtime
