//===- Layout.cpp - the data-space transform in registers -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: P1's data-space transform f' = T f + delta (Chen and Wu, section 3.4)
// takes a reversed, strided or offset access to forward by changing the layout
// of the array. Inside one vector access the same T can be applied to the
// registers instead of the memory:
//
//   reverse  a[n - 1 - j]   vload4 at the last lane's address, .s3210
//   stride K a[K * j]       ceil(((V-1)K + 1) / V) vector loads, lanes picked
//   offset c a[j + c]       a vector load at the shifted address
//
// Legal always: exactly the cells between the first and the last lane's are
// read, and both of those the original reads, so all lie inside the buffer; and
// stores are permuted only for reverse, where every cell is written.
//
// Tested by test/unit/LayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Steps.h"

namespace clopt {

StepResult layoutInRegisters(TransformedKernel &kernel, unsigned array) {
  const Array &info = kernel.model->arrays[array];
  if (info.space == AddressSpace::Private)
    return refuse("clopt-not-profitable",
                  "'" + info.name + "' is in registers already");
  if (!info.elementType.isScalar())
    return refuse("clopt-not-profitable",
                  "the elements of '" + info.name + "' are not scalars");
  kernel.registerLayouts.insert(array);
  return std::nullopt;
}

} // namespace clopt
