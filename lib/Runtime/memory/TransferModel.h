//===- TransferModel.h - which memory a buffer should lie in ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What it costs to make a buffer, to write it from the host and to read it
// back, for each kind of memory and as a function of its size; and the choice
// of the cheapest kind for one buffer. The form is that of M. Fang's thesis
// (2017), chapter 4; the numbers are the device's. Needs no device. Tested by
// test/unit/RuntimeTransferModelTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_MEMORY_TRANSFERMODEL_H
#define CLOPT_RUNTIME_MEMORY_TRANSFERMODEL_H

#include "Runtime/ProbeData.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clopt::runtime {

/// Where a buffer lies, and how the host gets at it.
enum class MemoryMode {
  Device,    ///< the device's own; written and read by commands
  CopyHost,  ///< CL_MEM_COPY_HOST_PTR: the first write is that of creation
  UseHost,   ///< CL_MEM_USE_HOST_PTR: the host's memory, mapped
  AllocHost, ///< CL_MEM_ALLOC_HOST_PTR: the driver's host memory, mapped
  Svm        ///< clSVMAlloc (OpenCL 2.0), mapped
};

/// "device", "copy-host", "use-host", "alloc-host", "svm", in this order.
const std::vector<std::string> &memoryModeNames();
const std::string &memoryModeName(MemoryMode mode);
std::optional<MemoryMode> findMemoryMode(const std::string &name);

/// One piece of a cost: for sizes up to `upTo` bytes, that one included.
struct CostSegment {
  enum class Form {
    Polynomial,  ///< 2^30 bytes/s: c0 + c1 S + c2 S^2 + c3 S^3
    Logarithm,   ///< 2^30 bytes/s: c0 + c1 ln S
    Exponential, ///< 2^30 bytes/s: exp(c0 + c1 / S)
    Time         ///< milliseconds: c0 + c1 S
  };
  double upTo = 0;
  Form form = Form::Time;
  std::array<double, 4> c{};
};

/// Milliseconds as a function of S bytes. Beyond the last segment its formula
/// goes on. Without segments it costs nothing.
struct CostCurve {
  std::vector<CostSegment> segments; ///< by `upTo`
  double milliseconds(double bytes) const;
};

/// The costs of one kind of memory.
struct ModeCost {
  MemoryMode mode = MemoryMode::Device;
  CostCurve make, release; ///< once for each buffer
  CostCurve write, read;   ///< for each transfer
  bool makeWrites = false; ///< `make` is the first write as well
  /// Kernels get the host's memory over the bus: only for buffers that
  /// zeroCopyRefusal() lets pass.
  bool isZeroCopy = false;
};

struct TransferModel {
  std::string device;
  std::vector<ModeCost> modes; ///< of equal costs the first is taken
};

/// One buffer as the host and the kernel use it.
struct BufferUse {
  std::uint64_t bytes = 0;
  unsigned writes = 0; ///< transfers to the device
  unsigned reads = 0;  ///< transfers to the host
  // The accesses of the kernel.
  bool isTouchedOnce = false;
  bool isRegular = false;    ///< affine, not through data
  bool isContiguous = false; ///< neighbouring work-items, neighbouring elements
  unsigned elementBytes = 0; ///< of one access
};

/// Why a kernel should not work on the host's memory in place (thesis, 4.7.1);
/// empty when it may: touched once, regularly, in units of 4 bytes, side by
/// side.
std::string zeroCopyRefusal(const BufferUse &use);

struct ModePrice {
  MemoryMode mode = MemoryMode::Device;
  double milliseconds = 0;
  std::string refusal; ///< not to be chosen, and why
};

/// Equations (4.9) and (4.10) for one array: transfers, and what making costs.
std::vector<ModePrice> priceModes(const TransferModel &model,
                                  const BufferUse &use);

/// The cheapest that is not refused; none when there is none.
std::optional<MemoryMode> chooseMode(const TransferModel &model,
                                     const BufferUse &use);

/// Equations (4.1) to (4.6) with the printed coefficients: a Tesla K20c, with
/// pageable memory (Device) and registered memory (UseHost).
TransferModel thesisModel();

/// The model that the measurements "memory" of a probe give: between two
/// sizes, times are linear. Modes that were not measured are missing.
TransferModel fitTransferModel(const ProbeData &data);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_MEMORY_TRANSFERMODEL_H
