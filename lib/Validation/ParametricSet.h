//===- ParametricSet.h - a set for many values of parameters ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl simplifies all constraints of a set whenever a parameter gets a value.
// Launches are chosen by trying many values, and once these are known most
// constraints are about one coordinate or none: such are solved here, and only
// what is left is a question for isl.
//
// Tested by test/unit/ParametricSetTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_PARAMETRICSET_H
#define CLOPT_VALIDATION_PARAMETRICSET_H

#include <isl/cpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// Whole numbers from `first` to `last`; the extremes where there is no bound.
struct NumberSpan {
  int64_t first = INT64_MIN, last = INT64_MAX;
  bool isBelow(int64_t distance) const;
};

class ParametricSet {
public:
  explicit ParametricSet(const isl::set &set);

  /// Whether no point has these values: of parameters, by name, and of
  /// coordinates, by number. Others may have any. May throw isl::exception.
  bool isEmpty(const std::map<std::string, int64_t> &values,
               const std::map<unsigned, int64_t> &fixed = {}) const {
    return !spans(values, fixed, {});
  }
  /// The values of the coordinates that are asked for; nothing if there is no
  /// such point.
  std::optional<std::vector<NumberSpan>>
  spans(const std::map<std::string, int64_t> &values,
        const std::map<unsigned, int64_t> &fixed,
        const std::vector<unsigned> &asked) const;

  /// The points for these values, some of them more than once; nothing if
  /// there are more than `limit`, or if they depend on other parameters.
  std::optional<std::vector<std::vector<int64_t>>>
  points(const std::map<std::string, int64_t> &values, size_t limit) const;

private:
  /// The sum of all variables, by number, times these and the constant is 0,
  /// or at least 0.
  struct Row {
    std::vector<std::pair<unsigned, int64_t>> factors;
    int64_t constant = 0;
    bool isEquality = false;
  };
  /// A conjunction. Variables: parameters, coordinates, divisions.
  struct Part {
    isl::basic_set set;
    std::vector<Row> rows;
    bool isPlain = true; ///< all numbers are small
  };
  enum class Answer { Empty, Known, Open };

  using Points = std::vector<std::vector<int64_t>>;

  void add(const isl::basic_set &set);
  void addDivisions(Part &part) const;
  std::vector<NumberSpan> given(const std::map<std::string, int64_t> &values,
                                const std::map<unsigned, int64_t> &fixed) const;
  isl::set fix(const Part &part, const std::vector<NumberSpan> &given) const;
  bool addBox(const std::vector<NumberSpan> &spans, size_t limit,
              Points &points) const;
  bool askForPoints(const Part &part, const std::vector<NumberSpan> &given,
                    size_t limit, Points &points) const;
  static Answer solve(const Part &part, std::vector<NumberSpan> &spans,
                      std::vector<char> &isOver);
  static std::optional<isl::set> left(const Part &part,
                                      const std::vector<NumberSpan> &spans,
                                      const std::vector<char> &isOver);
  static bool narrow(NumberSpan &span, int64_t factor, int64_t rest,
                     bool isEquality);
  bool ask(const Part &part, const std::vector<NumberSpan> &given,
           const std::vector<unsigned> &asked, const std::vector<char> &isOver,
           std::vector<NumberSpan> &spans) const;

  std::vector<std::string> parameters;
  unsigned coordinates = 0;
  std::vector<Part> parts;
};

} // namespace clopt

#endif // CLOPT_VALIDATION_PARAMETRICSET_H
