//===- FirstCall.h - which device for how many calls -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first call on a device costs more than those that follow: programs are
// built, buffers made and filled. A device that runs faster may not be worth
// that for a few calls. After the choice between libraries for Fourier
// transforms in M. Fang's thesis, 2017, 6.4.3.1, whose table is a test. Needs
// no device. Tested by test/unit/RuntimeFirstCallTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_FIRSTCALL_H
#define CLOPT_RUNTIME_FIRSTCALL_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clopt::runtime {

/// Milliseconds on one device.
struct CallCost {
  std::string device;
  double build = 0;    ///< programs, once
  double transfer = 0; ///< buffers that stay there, once
  double run = 0;      ///< every call, with what it copies itself

  double first() const { return build + transfer; }
  double total(std::uint64_t calls) const {
    return first() + run * static_cast<double>(calls);
  }
};

/// The device on which so many calls take least, by index; of equal ones the
/// first. There is one.
std::size_t cheapestFor(const std::vector<CallCost> &devices,
                        std::uint64_t calls);

/// The least number of calls for which `other` takes less than `usual`; nothing
/// if it never does.
std::optional<std::uint64_t> crossover(const CallCost &usual,
                                       const CallCost &other);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_FIRSTCALL_H
