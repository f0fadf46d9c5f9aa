//===- ImageSpec.cpp - images and samplers of a specification -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeImageSpecTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/ImageSpec.h"

namespace clopt::runtime {

namespace {

constexpr ImageKind imageKinds[] = {
    {"image1d_t", CL_MEM_OBJECT_IMAGE1D, {"Width", nullptr, nullptr}},
    {"image1d_array_t",
     CL_MEM_OBJECT_IMAGE1D_ARRAY,
     {"Width", "Layers", nullptr}},
    {"image2d_t", CL_MEM_OBJECT_IMAGE2D, {"Width", "Height", nullptr}},
    {"image2d_array_t",
     CL_MEM_OBJECT_IMAGE2D_ARRAY,
     {"Width", "Height", "Layers"}},
    {"image3d_t", CL_MEM_OBJECT_IMAGE3D, {"Width", "Height", "Depth"}},
};

struct Order {
  const char *name;
  cl_channel_order value;
  unsigned channels;
};

constexpr Order orders[] = {
    {"R", CL_R, 1},
    {"A", CL_A, 1},
    {"RG", CL_RG, 2},
    {"RA", CL_RA, 2},
    {"RGBA", CL_RGBA, 4},
    {"BGRA", CL_BGRA, 4},
    {"ARGB", CL_ARGB, 4},
    {"INTENSITY", CL_INTENSITY, 1},
    {"LUMINANCE", CL_LUMINANCE, 1},
};

struct Channel {
  const char *name;
  cl_channel_type value;
  const char *scalar;
};

constexpr Channel channels[] = {
    {"SNORM_INT8", CL_SNORM_INT8, "char"},
    {"SNORM_INT16", CL_SNORM_INT16, "short"},
    {"UNORM_INT8", CL_UNORM_INT8, "uchar"},
    {"UNORM_INT16", CL_UNORM_INT16, "ushort"},
    {"SIGNED_INT8", CL_SIGNED_INT8, "char"},
    {"SIGNED_INT16", CL_SIGNED_INT16, "short"},
    {"SIGNED_INT32", CL_SIGNED_INT32, "int"},
    {"UNSIGNED_INT8", CL_UNSIGNED_INT8, "uchar"},
    {"UNSIGNED_INT16", CL_UNSIGNED_INT16, "ushort"},
    {"UNSIGNED_INT32", CL_UNSIGNED_INT32, "uint"},
    {"HALF_FLOAT", CL_HALF_FLOAT, "half"},
    {"FLOAT", CL_FLOAT, "float"},
};

template <typename T, std::size_t N>
const T *find(const T (&entries)[N], const std::string &name) {
  for (const T &entry : entries)
    if (name == entry.name)
      return &entry;
  return nullptr;
}

template <typename T, std::size_t N>
std::string namesOf(const T (&entries)[N]) {
  std::string names;
  for (const T &entry : entries)
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

} // namespace

const ImageKind *findImageKind(const std::string &name) {
  return find(imageKinds, name);
}

std::optional<cl_channel_order> findChannelOrder(const std::string &name) {
  const Order *order = find(orders, name);
  return order ? std::optional(order->value) : std::nullopt;
}

std::optional<cl_channel_type> findChannelType(const std::string &name) {
  const Channel *channel = find(channels, name);
  return channel ? std::optional(channel->value) : std::nullopt;
}

std::string channelOrderNames() { return namesOf(orders); }
std::string channelTypeNames() { return namesOf(channels); }

ElementType texelType(const cl_image_format &format) {
  std::string name;
  for (const Channel &channel : channels)
    if (channel.value == format.image_channel_data_type)
      name = channel.scalar;
  for (const Order &order : orders)
    if (order.value == format.image_channel_order && order.channels > 1)
      name += "x" + std::to_string(order.channels);
  return *parseElementType(name);
}

cl_image_desc ImageShape::description() const {
  cl_image_desc result{};
  result.image_type = kind->type;
  result.image_width = extents[0];
  std::size_t *const rest[] = {
      kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? &result.image_array_size
                                                : &result.image_height,
      kind->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? &result.image_array_size
                                                : &result.image_depth};
  for (std::size_t i = 1; i < 3; ++i)
    if (kind->extents[i])
      *rest[i - 1] = extents[i];
  return result;
}

} // namespace clopt::runtime
