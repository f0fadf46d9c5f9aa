//===- WorkShares.cpp - a budget of work for several parts ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/WorkSharesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Support/WorkShares.h"

#include <algorithm>

namespace clopt {

static constexpr double maxShares = 16;

void WorkShares::add(const std::string &part, uint64_t size) {
  total += size;
  parts[part].size += size;
}

uint64_t WorkShares::left(const std::string &part) const {
  auto it = parts.find(part);
  if (it == parts.end() || it->second.size == 0)
    return 0;
  const Part &found = it->second;
  const double all = static_cast<double>(free);
  const double share =
      all * static_cast<double>(found.size) / static_cast<double>(total);
  const double most = std::max(share, std::min(maxShares * share, all / 8));
  const uint64_t allowed = static_cast<uint64_t>(most);
  return allowed > found.spent ? allowed - found.spent : 0;
}

void WorkShares::spend(const std::string &part, uint64_t work) {
  parts[part].spent += work;
}

void WorkShares::finish(const std::string &part) {
  auto it = parts.find(part);
  if (it == parts.end())
    return;
  free -= std::min(free, it->second.spent);
  total -= it->second.size;
  parts.erase(it);
}

} // namespace clopt
