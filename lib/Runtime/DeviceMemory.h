//===- DeviceMemory.h - what holds an argument on the device ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_DEVICEMEMORY_H
#define CLOPT_RUNTIME_DEVICEMEMORY_H

#include "Runtime/OpenCL.h"
#include "Runtime/ProtectedMemory.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace clopt::runtime {

/// A byte outside the buffer that has been overwritten, relative to the buffer:
/// negative before its first byte, else counted from its end.
struct GuardDamage {
  bool before;
  std::size_t
      distance; // bytes from the buffer's edge; 1 is the byte next to it
};

/// A memory object that is an argument of kernels.
/// Sub-buffers by where they begin.
using BufferPart = std::pair<std::size_t, BufferHandle>;

/// The sub-buffer of `whole` from `first + shift` to `first + size`, made once
/// and kept in `parts`. Throws Error if the device cannot place one there.
cl_mem partOf(const Device &device, const BufferHandle &whole,
              std::size_t first, std::size_t size, std::size_t shift,
              std::vector<BufferPart> &parts);

class DeviceMemory {
public:
  virtual ~DeviceMemory() = default;

  /// Puts the contents in place, and what guards them.
  virtual void upload(const std::vector<std::uint8_t> &contents) = 0;

  /// Reads everything back; the damage nearest to a buffer is noted.
  virtual std::vector<std::uint8_t>
  download(std::optional<GuardDamage> &damage) const = 0;

  /// Pages outside of a buffer that were touched since the upload.
  virtual std::vector<OutsideAccess> accesses() const { return {}; }

  /// Writes the contents alone, or reads them; as an application does.
  virtual void transfer(std::vector<std::uint8_t> &contents,
                        bool isRead) const = 0;

  /// The memory object for a kernel argument that begins `shift` bytes into the
  /// contents. Throws Error if the device cannot place one there.
  virtual cl_mem argument(std::size_t shift) = 0;
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_DEVICEMEMORY_H
