//===- ModelTesting.h - models of kernels in tests --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_MODELTESTING_H
#define CLOPT_TEST_MODELTESTING_H

#include "Frontend/clang/ClangParser.h"
#include "Frontend/model/ModelBuilder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace clopt {

/// The first kernel of a source with its model.
struct BuiltModel {
  ParseResult parsed;
  std::unique_ptr<KernelModel> model;

  explicit BuiltModel(const std::string &source,
                      const ModelOptions &options = {},
                      const std::vector<std::string> &flags = {})
      : parsed(parseOpenCL("test.cl", source, flags)) {
    if (!parsed.unit)
      return;
    for (const auto &function : parsed.unit->functions)
      if (function->isKernel && !model)
        model = buildModel(*parsed.unit, *function, options);
  }

  KernelModel *operator->() const { return model.get(); }

  std::string text(const Polynomial &polynomial) const {
    return polynomial.str([&](SymbolId id) { return model->symbols.name(id); });
  }

  /// "[w1][k]" of all accesses to the array in order, "?" when unknown; with
  /// choices written out.
  std::string subscripts(const std::string &array) const {
    std::string result;
    for (const Access &access : model->accesses) {
      if (model->arrays[access.array].name != array)
        continue;
      result += result.empty() ? "" : " ";
      if (access.subscripts.empty())
        result += "?";
      for (const Polynomial &subscript : access.subscripts)
        result += "[" + text(subscript) + "]";
    }
    return result;
  }

  bool hasNote(const std::string &rule) const {
    return std::any_of(model->notes.begin(), model->notes.end(),
                       [&](const Note &note) { return note.ruleId == rule; });
  }
};

} // namespace clopt

#endif // CLOPT_TEST_MODELTESTING_H
