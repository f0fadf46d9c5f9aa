//===- CallMutex.h - calls of the library take turns ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Clang, isl and PPL keep for the whole process is not made for several
// calls at a time: they crash.
//
// Tested by test/unit/CallMutexTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_CALLMUTEX_H
#define CLOPT_DRIVER_CALLMUTEX_H

#include <mutex>

namespace clopt {

/// Held by every function of Clopt.h that works on kernels.
inline std::mutex &callMutex() {
  static std::mutex mutex;
  return mutex;
}

} // namespace clopt

#endif // CLOPT_DRIVER_CALLMUTEX_H
