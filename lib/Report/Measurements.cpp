//===- Measurements.cpp - what clopt bench measured -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/MeasurementsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/Measurements.h"

#include <llvm/Support/JSON.h>

#include <map>
#include <utility>

using namespace clopt;
using llvm::json::ObjectMapper;

namespace clopt {

static bool fromJSON(const llvm::json::Value &value, MeasuredTimes &result,
                     llvm::json::Path path) {
  ObjectMapper map(value, path);
  return map && map.map("kernelMs", result.kernel) &&
         map.map("conversionMs", result.conversion) &&
         map.map("totalMs", result.total);
}

static bool fromJSON(const llvm::json::Value &value, Measurement &result,
                     llvm::json::Path path) {
  ObjectMapper map(value, path);
  const bool isGood = map && map.map("kernel", result.kernel) &&
                      map.map("ndRange", result.ndRange) &&
                      map.map("variant", result.variant) &&
                      map.map("footprintBytes", result.bytes) &&
                      map.map("rooflineMs", result.roofline) &&
                      map.map("original", result.original) &&
                      map.map("optimized", result.optimized);
  if (!isGood)
    return false;
  std::map<std::string, int64_t> sizes;
  if (!map.map("sizes", sizes))
    return false;
  for (const auto &[name, size] : sizes)
    result.sizes +=
        (result.sizes.empty() ? "" : " ") + name + "=" + std::to_string(size);
  return true;
}

static bool fromJSON(const llvm::json::Value &value, Measurements &result,
                     llvm::json::Path path) {
  ObjectMapper map(value, path);
  return map && map.map("platform", result.platform) &&
         map.map("device", result.device) &&
         map.map("copyGBs", result.copyGigabytes) &&
         map.map("results", result.launches);
}

} // namespace clopt

llvm::Expected<Measurements>
clopt::parseMeasurements(const std::string &text, const std::string &source) {
  auto fail = [&](llvm::Error error) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "'" + source +
                                       "' has no measurements of "
                                       "'clopt bench --json': " +
                                       llvm::toString(std::move(error)));
  };
  llvm::Expected<llvm::json::Value> document = llvm::json::parse(text);
  if (!document)
    return fail(document.takeError());
  Measurements result;
  llvm::json::Path::Root root("results");
  if (!fromJSON(*document, result, root))
    return fail(root.getError());
  return result;
}
