//===- SpecFields.cpp - checked access to the fields of JSON --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLaunchSpecTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/SpecFields.h"

namespace clopt::runtime {

LocatedExpression Fields::makeExpression(const Json &value,
                                         const std::string &at,
                                         const std::string &what) const {
  LocatedExpression result;
  result.where = document.locate(at);
  if (value.is_number_integer()) {
    result.value = Expression::constant(value.get<std::int64_t>());
    return result;
  }
  if (!value.is_string())
    throw document.error(
        at, what + " must be an integer or an expression in a string");
  ++result.where.column; // behind the quote
  try {
    result.value = Expression::parse(value.get<std::string>());
  } catch (const ExpressionError &error) {
    SourcePosition where = result.where;
    where.column += static_cast<unsigned>(error.offset);
    throw Error(what + ": " + error.what() + " in \"" +
                    value.get<std::string>() + "\"",
                document.fileName(), where);
  }
  return result;
}

NumberSpec Fields::makeNumber(const Json &value, const std::string &at,
                              const std::string &what) const {
  NumberSpec number;
  number.expression.where = document.locate(at);
  if (value.is_number_float())
    number.real = value.get<double>();
  else if (value.is_boolean())
    number.expression.value = Expression::constant(value.get<bool>() ? 1 : 0);
  else
    number.expression = makeExpression(value, at, what);
  return number;
}

/// An NDRange's size: {"X": .., "Y": .., "Z": ..}, a list, or one value.
std::vector<LocatedExpression> Fields::shape(const std::string &name) const {
  const Json *value = find(name);
  return value == nullptr ? std::vector<LocatedExpression>()
                          : shape(name, *value);
}

std::vector<LocatedExpression> Fields::shape(const std::string &name,
                                             const Json &value) const {
  std::vector<LocatedExpression> result;
  const std::string what = "'" + name + "'";
  if (value.is_object()) {
    if (!value.contains("X"))
      fail(name, what + " has no 'X'");
    for (const char *axis : {"X", "Y", "Z"})
      if (value.contains(axis))
        result.push_back(makeExpression(value[axis], path(name) + "/" + axis,
                                        what + "." + axis));
    if (value.contains("Z") && !value.contains("Y"))
      fail(name, what + " has 'Z' but no 'Y'");
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      result.push_back(
          makeExpression(value[i], path(name) + "/" + std::to_string(i), what));
    if (result.empty() || result.size() > 3)
      fail(name, what + " must have one to three dimensions");
  } else {
    result.push_back(makeExpression(value, path(name), what));
  }
  return result;
}

} // namespace clopt::runtime
