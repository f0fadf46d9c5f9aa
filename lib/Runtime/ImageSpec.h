//===- ImageSpec.h - images and samplers of a specification -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image is read and compared like a buffer of its texels, row by row.
// Tested by test/unit/RuntimeImageSpecTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_IMAGESPEC_H
#define CLOPT_RUNTIME_IMAGESPEC_H

#include "Runtime/ElementType.h"
#include "Runtime/OpenCL.h"

#include <array>
#include <optional>
#include <string>

namespace clopt::runtime {

/// Of image objects: "image2d_t" has "Width" and "Height".
struct ImageKind {
  const char *name;
  cl_mem_object_type type;
  std::array<const char *, 3> extents; ///< names of fields; null: no more
};

/// The kind called `name`, or null.
const ImageKind *findImageKind(const std::string &name);

/// Names as in OpenCL, without their prefixes: "RGBA" and "UNORM_INT8".
std::optional<cl_channel_order> findChannelOrder(const std::string &name);
std::optional<cl_channel_type> findChannelType(const std::string &name);
std::string channelOrderNames();
std::string channelTypeNames();

/// How a texel lies in memory.
ElementType texelType(const cl_image_format &format);

/// An image object with its size.
struct ImageShape {
  const ImageKind *kind = nullptr;
  cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  std::array<std::size_t, 3> extents{1, 1, 1}; ///< as ImageKind::extents

  cl_image_desc description() const;
};

struct SamplerSpec {
  bool isNormalized = false;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP_TO_EDGE;
  cl_filter_mode filter = CL_FILTER_NEAREST;
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_IMAGESPEC_H
