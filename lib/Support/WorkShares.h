//===- WorkShares.h - a budget of work for several parts --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each part has a share by its size. Small ones may use more, up to four
// shares or an eighth of all. What a finished part has not used, or has used
// beyond its share, goes to the account of those that are not finished.
//
// Tested by test/unit/WorkSharesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_SUPPORT_WORKSHARES_H
#define CLOPT_SUPPORT_WORKSHARES_H

#include <cstdint>
#include <map>
#include <string>

namespace clopt {

class WorkShares {
public:
  explicit WorkShares(uint64_t work) : free(work) {}
  void add(const std::string &part, uint64_t size);
  /// What the part may still do; 0 when its share is used up.
  uint64_t left(const std::string &part) const;
  void spend(const std::string &part, uint64_t work);
  void finish(const std::string &part);

private:
  struct Part {
    uint64_t size = 0, spent = 0;
  };
  uint64_t free;      ///< for the parts that are not finished
  uint64_t total = 0; ///< of their sizes
  std::map<std::string, Part> parts;
};

} // namespace clopt

#endif // CLOPT_SUPPORT_WORKSHARES_H
