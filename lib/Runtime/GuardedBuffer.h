//===- GuardedBuffer.h - a device buffer with guards around it -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that leaves its buffer must be caught, not silently survive because
// something harmless lay there. Either each buffer is a sub-buffer in the
// middle of a larger one, whose rest holds a pattern that is looked at after
// each launch: that finds writes. Or it lies flush against protected pages,
// which finds reads as well.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_GUARDEDBUFFER_H
#define CLOPT_RUNTIME_GUARDEDBUFFER_H

#include "Runtime/DeviceMemory.h"
#include "Runtime/ProtectedMemory.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace clopt::runtime {

/// What lies around the buffers of a launch.
struct BufferPlacement {
  enum class Kind {
    Bands,      ///< guard bands
    FlushBegin, ///< a protected page before, what is left of a page behind
    FlushEnd    ///< a protected page behind, what is left of a page before
  };
  Kind kind = Kind::Bands;
  /// Bands: bytes on each side, rounded up to the device's alignment; with 0
  /// the buffer is a plain one, so that a checker such as Oclgrind sees its
  /// real ends.
  std::size_t guardBytes = 0;
  /// FlushEnd: of the first byte, a power of two. The least that kernels rely
  /// on: so many bytes less one may lie between the end and its page.
  std::size_t alignment = 1;
};

class GuardedBuffer : public DeviceMemory {
public:
  GuardedBuffer(const Device &where, std::size_t bytes,
                const BufferPlacement &placement, std::uint64_t pattern);

  void upload(const std::vector<std::uint8_t> &contents) override;
  std::vector<std::uint8_t>
  download(std::optional<GuardDamage> &damage) const override;
  std::vector<OutsideAccess> accesses() const override {
    return memory ? memory->accesses() : std::vector<OutsideAccess>();
  }
  void transfer(std::vector<std::uint8_t> &contents,
                bool isRead) const override;
  cl_mem argument(std::size_t shift) override;

private:
  void fillBand(std::uint8_t *band, std::size_t bytes, std::size_t first) const;
  std::optional<GuardDamage> findDamage(const std::uint8_t *data,
                                        std::size_t before,
                                        std::size_t behind) const;

  const Device &device;
  std::size_t size;
  std::uint64_t salt;
  std::size_t guard = 0; // Bands: on each side, a multiple of the alignment
  std::unique_ptr<ProtectedMemory> memory; // outlives `whole`
  BufferHandle whole;
  std::vector<BufferPart> parts;
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_GUARDEDBUFFER_H
