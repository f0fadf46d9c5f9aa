//===- JsonText.h - helpers for writing JSON --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// llvm::json insists on UTF-8, but kernels and file names may hold any bytes;
// everything that comes from outside goes through jsonText.
//
// Tested by test/unit/JsonReportTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_JSONTEXT_H
#define CLOPT_REPORT_JSONTEXT_H

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/JSON.h>

#include <string>
#include <vector>

namespace clopt {

/// A string of any bytes as a JSON string; wrong UTF-8 is replaced.
llvm::json::Value jsonText(const std::string &text);

/// A member that is a list of such strings.
void jsonTexts(llvm::json::OStream &json, llvm::StringRef key,
               const std::vector<std::string> &texts);

/// A member that is a list of objects; `fill` writes one of the range.
template <typename Range, typename Fill>
void jsonObjects(llvm::json::OStream &json, llvm::StringRef key,
                 const Range &range, const Fill &fill) {
  json.attributeArray(key, [&] {
    for (const auto &one : range)
      json.object([&] { fill(one); });
  });
}

/// A JSON document of one object, indented by two, with a line break at its
/// end. The keys stand in the order in which `fill` writes them.
std::string printJson(llvm::function_ref<void(llvm::json::OStream &json)> fill);

} // namespace clopt

#endif // CLOPT_REPORT_JSONTEXT_H
