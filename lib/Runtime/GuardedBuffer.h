//===- GuardedBuffer.h - a device buffer between two guard bands *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that writes outside its buffer must be caught, not silently survive
// because something harmless lay there. Each buffer is a sub-buffer in the
// middle of a larger one; the rest of that holds a pattern that is looked at
// after each launch.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_GUARDEDBUFFER_H
#define CLOPT_RUNTIME_GUARDEDBUFFER_H

#include "Runtime/OpenCL.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace clopt::runtime {

/// A byte outside the buffer that has been overwritten, relative to the buffer:
/// negative before its first byte, else counted from its end.
struct GuardDamage {
  bool before;
  std::size_t
      distance; // bytes from the buffer's edge; 1 is the byte next to it
};

class GuardedBuffer {
public:
  /// `guardBytes` on each side, rounded up to the device's alignment; with 0
  /// the buffer is a plain one, so that a checker such as Oclgrind sees its
  /// real ends.
  GuardedBuffer(const Device &where, std::size_t bytes, std::size_t guardBytes,
                std::uint64_t pattern);

  /// Puts the contents and both patterns in place.
  void upload(const std::vector<std::uint8_t> &contents);

  /// Reads everything back; the damage nearest to the buffer is noted.
  std::vector<std::uint8_t> download(std::optional<GuardDamage> &damage) const;

  /// Writes the contents alone, or reads them; as an application does.
  void transfer(std::vector<std::uint8_t> &contents, bool isRead) const;

  /// The memory object for a kernel argument that begins `shift` bytes into the
  /// buffer. Throws Error if the device cannot place a sub-buffer there.
  cl_mem argument(std::size_t shift);

private:
  const Device &device;
  std::size_t size;
  std::uint64_t salt;
  std::size_t guard; // on each side, a multiple of the alignment
  BufferHandle whole;
  std::vector<std::pair<std::size_t, BufferHandle>> parts; // by shift
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_GUARDEDBUFFER_H
