//===- LaunchSpec.h - how a kernel is to be launched -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch specification in the T1 format of the auto-tuning community, with
// clopt's extensions; docs/launch-spec.md describes both. What is read here
// still has its sizes as expressions: Launch.h makes buffers and NDRanges of it
// for one point of the sizes. Tested by test/unit/RuntimeLaunchSpecTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_LAUNCHSPEC_H
#define CLOPT_RUNTIME_LAUNCHSPEC_H

#include "Runtime/ElementType.h"
#include "Runtime/Error.h"
#include "Runtime/Expression.h"
#include "Runtime/ImageSpec.h"
#include "Runtime/JsonDocument.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clopt::runtime {

/// An expression and where it stands.
struct LocatedExpression {
  Expression value = Expression::constant(0);
  SourcePosition where;
};

/// A number of the specification: an expression, or a literal that is no
/// integer.
struct NumberSpec {
  LocatedExpression expression;
  std::optional<double> real; // wins
};

enum class MemoryKind { Scalar, Vector, Local, Image, Sampler };
enum class FillKind {
  Constant,  // every element is FillValue
  Random,    // uniform in FillRange
  Generator, // the expression DataSource of the element's index i
  BinaryRaw, // the bytes of the file DataSource
  Monotone,  // never decreasing from 0 to FillValue, as the row pointers of CSR
  Permutation, // each of 0 .. Size-1 once
};

struct ArgumentSpec {
  std::string name;
  SourcePosition where;
  ElementType type; // of an image: of its texels
  MemoryKind memory = MemoryKind::Scalar;
  std::optional<LocatedExpression>
      size; // elements; vectors and local memory have it
  const ImageKind *imageKind = nullptr; // of images, with the next two
  cl_image_format format = {};
  std::vector<LocatedExpression> extents; // as ImageKind::extents
  SamplerSpec sampler;
  FillKind fill = FillKind::Constant;
  std::vector<NumberSpec> fillValue; // one, or one per lane
  std::optional<std::pair<NumberSpec, NumberSpec>> fillRange; // both inclusive
  std::optional<LocatedExpression> generator; // of FillKind::Generator
  std::string dataFile;                       // of FillKind::BinaryRaw
  std::optional<std::uint64_t> seed;
  std::string sameBufferAs; // an earlier argument, or empty
  std::string buffer;       // of a sequence: its own buffer's name, or empty
  std::optional<LocatedExpression>
      shift; // "Offset" into that buffer, in elements
};

struct NDRangeSpec {
  SourcePosition where;
  std::vector<LocatedExpression> global;
  std::vector<LocatedExpression> local;  // empty: NULL
  std::vector<LocatedExpression> offset; // empty: NULL
  bool roundUp = false; // the global size becomes a multiple of the local one
};

/// A named size and what it takes: one value, a list to sweep, or an expression
/// over the sizes before it.
struct SizeSpec {
  std::string name;
  std::vector<LocatedExpression> values;
};

/// The values of the named sizes for one run.
using SizePoint = std::vector<std::pair<std::string, std::int64_t>>;
/// " n=64 m=8", with a blank before each.
std::string pointText(const SizePoint &point);
/// {"n": 64, "m": 8}
Json pointJson(const SizePoint &point);

struct KernelSpec {
  std::string file; // the specification's, for messages
  std::string kernelName;
  SourcePosition where;
  std::string kernelFile; // as written; empty if not given
  std::vector<std::string>
      options; // for clBuildProgram; may hold ${expression}
  SourcePosition optionsWhere;
  std::vector<SizeSpec> sizes;
  std::vector<SizePoint> points;   // given one by one; then `sizes` is empty
  Bindings constants;              // tuning parameters and ProblemSize
  std::vector<NDRangeSpec> ranges; // the first is the specification's own
  bool globalCountsGroups = false; // GlobalSizeType CUDA
  std::vector<ArgumentSpec> arguments;

  /// Every combination of the sizes; `overrides` replaces the values of a size
  /// by others. One empty point when there are none. Throws Error if an
  /// expression has no value.
  std::vector<SizePoint>
  sizePoints(const std::map<std::string, std::vector<std::int64_t>> &overrides =
                 {}) const;

  bool hasSize(const std::string &name) const;
};

/// The kernels that a document describes. Throws Error, with the place, at the
/// first thing that is wrong.
std::vector<KernelSpec> readLaunchSpec(const JsonDocument &document);

/// Evaluates, and throws Error at the expression's place if it has no value.
std::int64_t evaluate(const LocatedExpression &expression,
                      const Bindings &bindings, const std::string &file);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_LAUNCHSPEC_H
