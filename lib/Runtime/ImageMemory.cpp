//===- ImageMemory.cpp - an image on the device ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/run/check_verify.py.
//
//===----------------------------------------------------------------------===//

#include "Runtime/ImageMemory.h"

namespace clopt::runtime {

static constexpr std::size_t origin[] = {0, 0, 0};

ImageMemory::ImageMemory(const Device &where, const ImageShape &what,
                         const std::string &name)
    : device(where), shape(what),
      bytes(shape.extents[0] * shape.extents[1] * shape.extents[2] *
            texelType(shape.format).size) {
  const cl_image_desc description = shape.description();
  cl_int status = CL_SUCCESS;
  image = BufferHandle(clCreateImage(device.context(), CL_MEM_READ_WRITE,
                                     &shape.format, &description, nullptr,
                                     &status));
  if (status != CL_SUCCESS)
    throw OpenCLError("clCreateImage", status, " for argument '" + name + "'");
}

void ImageMemory::write(const std::vector<std::uint8_t> &contents) const {
  checkCL(clEnqueueWriteImage(device.queue(), image.get(), CL_TRUE, origin,
                              shape.extents.data(), 0, 0, contents.data(), 0,
                              nullptr, nullptr),
          "clEnqueueWriteImage");
}

void ImageMemory::upload(const std::vector<std::uint8_t> &contents) {
  write(contents);
}

std::vector<std::uint8_t>
ImageMemory::download(std::optional<GuardDamage> &) const {
  std::vector<std::uint8_t> contents(bytes);
  transfer(contents, true);
  return contents;
}

void ImageMemory::transfer(std::vector<std::uint8_t> &contents,
                           bool isRead) const {
  if (!isRead)
    return write(contents);
  checkCL(clEnqueueReadImage(device.queue(), image.get(), CL_TRUE, origin,
                             shape.extents.data(), 0, 0, contents.data(), 0,
                             nullptr, nullptr),
          "clEnqueueReadImage");
}

} // namespace clopt::runtime
