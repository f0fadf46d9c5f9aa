//===- ImageMemory.h - an image on the device -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/run/check_verify.py.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_IMAGEMEMORY_H
#define CLOPT_RUNTIME_IMAGEMEMORY_H

#include "Runtime/DeviceMemory.h"
#include "Runtime/ImageSpec.h"

#include <string>

namespace clopt::runtime {

/// Its contents are texels without gaps between rows. Nothing guards it:
/// accesses outside of an image have a meaning.
class ImageMemory : public DeviceMemory {
public:
  /// `name`: of the argument, for messages.
  ImageMemory(const Device &where, const ImageShape &what,
              const std::string &name);

  void upload(const std::vector<std::uint8_t> &contents) override;
  std::vector<std::uint8_t>
  download(std::optional<GuardDamage> &damage) const override;
  void transfer(std::vector<std::uint8_t> &contents,
                bool isRead) const override;
  cl_mem argument(std::size_t) override { return image.get(); }

private:
  void write(const std::vector<std::uint8_t> &contents) const;

  const Device &device;
  const ImageShape shape;
  const std::size_t bytes;
  BufferHandle image;
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_IMAGEMEMORY_H
