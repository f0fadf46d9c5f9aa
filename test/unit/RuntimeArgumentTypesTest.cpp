//===- RuntimeArgumentTypesTest.cpp - specifications against kernels ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ArgumentTypes.h"

#include <gtest/gtest.h>

namespace clopt::runtime {

namespace {

ArgumentSpec argument(const std::string &type, MemoryKind memory) {
  ArgumentSpec result;
  result.name = "x";
  result.memory = memory;
  result.type = type == "custom" ? makeOpaqueType(4) : *parseElementType(type);
  return result;
}

bool fits(const std::string &type, MemoryKind memory,
          const std::string &parameter, MemoryKind wanted) {
  return !findMismatch(argument(type, memory), {"p", parameter, wanted});
}

bool inBuffer(const std::string &type, const std::string &parameter) {
  return fits(type, MemoryKind::Vector, parameter, MemoryKind::Vector);
}

bool byValue(const std::string &type, const std::string &parameter) {
  return fits(type, MemoryKind::Scalar, parameter, MemoryKind::Scalar);
}

TEST(RuntimeArgumentTypesTest, Buffers) {
  EXPECT_TRUE(inBuffer("float", "float*"));
  EXPECT_TRUE(inBuffer("float", "float4*"));
  EXPECT_TRUE(inBuffer("float4", "float*"));
  EXPECT_TRUE(inBuffer("int", "uint*"));
  EXPECT_TRUE(inBuffer("intx8", "int8*")); // of OpenCL C, not of T1
  EXPECT_TRUE(inBuffer("float", "uchar*"));
  EXPECT_TRUE(inBuffer("custom", "double*"));
  EXPECT_FALSE(inBuffer("int", "float*"));
  EXPECT_FALSE(inBuffer("float", "int*"));
  EXPECT_FALSE(inBuffer("float", "double*"));
  EXPECT_FALSE(inBuffer("uchar", "int*"));
  EXPECT_FALSE(inBuffer("int8", "int8*"));
}

TEST(RuntimeArgumentTypesTest, Values) {
  EXPECT_TRUE(byValue("int", "int"));
  EXPECT_TRUE(byValue("uint", "int"));
  EXPECT_TRUE(byValue("float4", "float4"));
  EXPECT_TRUE(byValue("custom", "int"));
  EXPECT_FALSE(byValue("float", "int"));
  EXPECT_FALSE(byValue("long", "int"));
  EXPECT_FALSE(byValue("float", "float4"));
  EXPECT_FALSE(byValue("custom", "long"));
}

TEST(RuntimeArgumentTypesTest, Memory) {
  using Kind = MemoryKind;
  EXPECT_FALSE(fits("float", Kind::Scalar, "float*", Kind::Vector));
  EXPECT_FALSE(fits("float", Kind::Vector, "float", Kind::Scalar));
  EXPECT_FALSE(fits("float", Kind::Vector, "float*", Kind::Local));
  EXPECT_TRUE(fits("char", Kind::Local, "float*", Kind::Local));
  EXPECT_FALSE(fits("int", Kind::Vector, "image2d_t", Kind::Vector));
  EXPECT_FALSE(fits("int", Kind::Scalar, "sampler_t", Kind::Scalar));
}

TEST(RuntimeArgumentTypesTest, TypesOfTheProgram) {
  EXPECT_TRUE(inBuffer("int", "real*"));
  EXPECT_TRUE(inBuffer("int", "struct S*"));
  EXPECT_TRUE(inBuffer("int", "void*"));
  EXPECT_TRUE(byValue("int", "struct S"));
}

TEST(RuntimeArgumentTypesTest, Message) {
  EXPECT_EQ(*findMismatch(argument("float", MemoryKind::Vector),
                          {"n", "int", MemoryKind::Scalar}),
            "argument 'x' is Vector of float, but the kernel's parameter 'n' "
            "is int, which takes Scalar");
}

} // namespace

} // namespace clopt::runtime
