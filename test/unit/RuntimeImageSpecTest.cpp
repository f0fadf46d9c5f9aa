//===- RuntimeImageSpecTest.cpp - images and samplers in specifications ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ArgumentTypes.h"
#include "Runtime/JsonDocument.h"
#include "Runtime/Launch.h"

#include <gtest/gtest.h>

namespace clopt::runtime {

namespace {

KernelSpec read(const std::string &argument) {
  return readLaunchSpec(
      JsonDocument("s.json", R"({"KernelSpecification": {"KernelName": "k",
"GlobalSize": "n", "Sizes": {"n": 6}, "Arguments": [
{)" + argument + "}]}}"))[0];
}

std::string errorOf(const std::string &argument) {
  try {
    bindLaunch(read(argument), {{"n", 6}}, 1, {1 << 20});
  } catch (const Error &error) {
    return error.str("test");
  }
  return "";
}

ImageShape shapeOf(const std::string &argument) {
  return *bindLaunch(read(argument), {{"n", 6}}, 1).buffers[0].image;
}

const std::string image =
    R"("Name": "a", "MemoryType": "Image", "ChannelOrder": "RGBA",
"ChannelType": "UNORM_INT8", )";

TEST(RuntimeImageSpecTest, AnImageIsItsTexels) {
  const KernelSpec spec =
      read(image + R"("Type": "image2d_t", "Width": "n", "Height": "n-2")");
  EXPECT_EQ(spec.arguments[0].type.components.size(), 4u);
  const Launch launch = bindLaunch(spec, {{"n", 6}}, 1);
  ASSERT_EQ(launch.buffers.size(), 1u);
  EXPECT_EQ(launch.buffers[0].contents.size(), 6u * 4 * 4);
  EXPECT_NE(launch.buffers[0].contents[0], launch.buffers[0].contents[1]);
  EXPECT_EQ(launch.arguments[0].memory, MemoryKind::Image);
  EXPECT_TRUE(launch.arguments[0].hasBuffer());
  EXPECT_EQ(launch.buffers[0].image->extents,
            (std::array<std::size_t, 3>{6, 4, 1}));
}

TEST(RuntimeImageSpecTest, KindsOfImages) {
  const cl_image_desc array =
      shapeOf(image + R"("Type": "image1d_array_t", "Width": "n", "Layers": 3)")
          .description();
  EXPECT_EQ(array.image_type, cl_mem_object_type(CL_MEM_OBJECT_IMAGE1D_ARRAY));
  EXPECT_EQ(array.image_array_size, 3u);
  EXPECT_EQ(array.image_height, 0u);
  const cl_image_desc layers =
      shapeOf(image + R"("Type": "image2d_array_t", "Width": "n",
"Height": 2, "Layers": 3)")
          .description();
  EXPECT_EQ(layers.image_height, 2u);
  EXPECT_EQ(layers.image_array_size, 3u);
  EXPECT_EQ(layers.image_depth, 0u);
  const cl_image_desc volume =
      shapeOf(image + R"("Type": "image3d_t", "Width": "n", "Height": 2,
"Depth": 0)")
          .description();
  EXPECT_EQ(volume.image_depth, 1u); // there are no empty images
}

TEST(RuntimeImageSpecTest, Texels) {
  EXPECT_EQ(texelType({CL_R, CL_FLOAT}).name, "float");
  EXPECT_EQ(texelType({CL_RGBA, CL_HALF_FLOAT}).size, 8u);
  EXPECT_EQ(texelType({CL_RG, CL_SIGNED_INT32}).components.size(), 2u);
  EXPECT_EQ(texelType({CL_RG, CL_SIGNED_INT32}).size, 8u);
}

TEST(RuntimeImageSpecTest, Samplers) {
  const SamplerSpec usual =
      read(R"("Name": "s", "Type": "sampler_t", "MemoryType": "Sampler")")
          .arguments[0]
          .sampler;
  EXPECT_FALSE(usual.isNormalized);
  EXPECT_EQ(usual.addressing, cl_addressing_mode(CL_ADDRESS_CLAMP_TO_EDGE));
  EXPECT_EQ(usual.filter, cl_filter_mode(CL_FILTER_NEAREST));
  const SamplerSpec other =
      read(R"("Name": "s", "Type": "sampler_t", "MemoryType": "Sampler",
"NormalizedCoordinates": true, "AddressMode": "Repeat",
"FilterMode": "Linear")")
          .arguments[0]
          .sampler;
  EXPECT_TRUE(other.isNormalized);
  EXPECT_EQ(other.addressing, cl_addressing_mode(CL_ADDRESS_REPEAT));
  EXPECT_EQ(other.filter, cl_filter_mode(CL_FILTER_LINEAR));
}

TEST(RuntimeImageSpecTest, WhatIsWrongHasAPlace) {
  const std::string head = R"("MemoryType": "Image", "Type": "image2d_t", )";
  EXPECT_EQ(errorOf(R"("MemoryType": "Image", "Type": "float")"),
            "s.json:3:33: error: 'float' is no type of images");
  EXPECT_EQ(errorOf(head + R"("Width": 1)"),
            "s.json:3:1: error: 'ChannelOrder' is missing");
  EXPECT_EQ(errorOf(image + R"("Type": "image2d_t", "Width": 1)"),
            "s.json:3:1: error: 'Height' is missing");
  EXPECT_NE(errorOf(head + R"("ChannelOrder": "X", "ChannelType": "FLOAT")")
                .find("unknown ChannelOrder 'X' (there are R, A, RG"),
            std::string::npos);
  EXPECT_NE(errorOf(head + R"("ChannelOrder": "R", "ChannelType": "float")")
                .find("unknown ChannelType 'float' (there are SNORM_INT8"),
            std::string::npos);
  EXPECT_EQ(
      errorOf(image + R"("Type": "image2d_t", "Width": "-n", "Height": 1)"),
      "s.json:4:61: error: 'Width' of 'a' is -6");
  EXPECT_EQ(
      errorOf(image +
              R"("Type": "image2d_t", "Width": "n", "Height": "50000*n")"),
      "s.json:4:76: error: 'Height' of 'a' is 300000, more than the device can "
      "allocate");
  EXPECT_EQ(
      errorOf(image + R"("Type": "image2d_t", "Width": "m", "Height": 1)"),
      "s.json:4:61: error: unknown name 'm' in \"m\"");
  EXPECT_EQ(errorOf(R"("MemoryType": "Scalar", "Type": "image2d_t")"),
            "s.json:3:34: error: 'image2d_t' needs MemoryType 'Image'");
  EXPECT_EQ(errorOf(R"("MemoryType": "Vector", "Type": "sampler_t")"),
            "s.json:3:34: error: 'sampler_t' needs MemoryType 'Sampler'");
  EXPECT_EQ(errorOf(R"("MemoryType": "Sampler", "Type": "int")"),
            "s.json:3:35: error: 'int' is no sampler");
  EXPECT_NE(errorOf(R"("MemoryType": "Sampler", "Type": "sampler_t",
"AddressMode": "Wrap")")
                .find("unknown AddressMode 'Wrap' (there are None, "),
            std::string::npos);
}

TEST(RuntimeImageSpecTest, ImagesAreNoBuffersOfOthers) {
  EXPECT_NE(errorOf(image + R"("Type": "image2d_t", "Width": 1, "Height": 1,
"SameBufferAs": "b")")
                .find("'SameBufferAs' is for MemoryType 'Vector'"),
            std::string::npos);
}

TEST(RuntimeImageSpecTest, ParametersOfKernels) {
  const ArgumentSpec argument =
      read(image + R"("Type": "image2d_t", "Width": 1, "Height": 1)")
          .arguments[0];
  auto mismatch = [&](const char *type, MemoryKind memory) {
    return findMismatch(argument, {"p", type, memory}).value_or("");
  };
  EXPECT_EQ(mismatch("image2d_t", MemoryKind::Vector), "");
  EXPECT_EQ(mismatch("image3d_t", MemoryKind::Vector),
            "argument 'a' is Image of image2d_t, but the kernel's parameter "
            "'p' is image3d_t, which takes Image");
  EXPECT_EQ(mismatch("sampler_t", MemoryKind::Scalar),
            "argument 'a' is Image of image2d_t, but the kernel's parameter "
            "'p' is sampler_t, which takes Sampler");
  EXPECT_EQ(mismatch("uchar4*", MemoryKind::Vector),
            "argument 'a' is Image of image2d_t, but the kernel's parameter "
            "'p' is uchar4*, which takes Vector");
  EXPECT_NE(mismatch("image2d_depth_t", MemoryKind::Vector)
                .find("which a specification cannot describe"),
            std::string::npos);
  const ArgumentSpec sampler =
      read(R"("Name": "s", "Type": "sampler_t", "MemoryType": "Sampler")")
          .arguments[0];
  EXPECT_FALSE(findMismatch(sampler, {"p", "sampler_t", MemoryKind::Scalar}));
}

} // namespace

} // namespace clopt::runtime
