//===- LaunchPlan.h - what the host does to run a kernel --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A drop-in kernel takes the launch as it comes. A launch plan says what else
// the host can do: other NDRanges, converted buffers, images, further
// arguments. Values only; docs/launch-plan.md describes the JSON form and the
// language of the expressions.
//
// Expressions are integer expressions of OpenCL C over the kernel's arguments
// and the launch that the application asks for: "(get_global_size(0) + 63) /
// 64". They are kept as text.
//
// Tested by test/unit/RuntimeLaunchPlanTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAUNCHPLAN_H
#define CLOPT_LAUNCHPLAN_H

#include <cstdint>
#include <string>
#include <vector>

namespace clopt {

/// A name for a value that expressions further down may use.
struct PlanDefinition {
  std::string name;
  std::string value; ///< expression
};

/// Something that must hold for a variant to be used; a condition without a
/// value (a division by zero, an overflow) does not hold.
struct PlanCondition {
  std::string expression;
  std::string reason; ///< for people; may be empty
  /// Says only that the variant pays; it is right without.
  bool isAdvice = false;
};

/// What an argument of a kernel is given.
struct PlanArgument {
  enum class Kind {
    Parameter, ///< the application's argument `name`
    Buffer,    ///< the buffer `name` of PlanVariant::buffers
    Image,     ///< the image `name` of PlanVariant::images
    Value,     ///< the expression `value`, as the scalar type `type`
    Local      ///< local memory of `value` bytes
  };
  Kind kind = Kind::Parameter;
  std::string name;
  std::string type; ///< "int", "ulong"
  std::string value;
};

enum class PlanProgram { Optimized, Original };

/// One NDRange kernel. Where a size is 0 nothing is launched.
struct PlanLaunch {
  PlanProgram program = PlanProgram::Optimized;
  std::string kernel;
  /// The application's own NDRange; the three lists are empty then.
  bool sameRange = false;
  std::vector<std::string> global; ///< work-items, one expression per dimension
  std::vector<std::string> local;  ///< work-items of a group, or empty
  std::vector<std::string> offset; ///< or empty
  std::vector<PlanArgument> arguments; ///< in the kernel's order
};

/// A buffer that the host makes: a converted copy of an argument.
struct PlanBuffer {
  std::string name;
  std::string source; ///< parameter that it is made from
  std::string bytes;  ///< expression
};

/// A 2-D image that the host makes of a buffer, row by row.
struct PlanImage {
  std::string name;
  std::string source;        ///< parameter or PlanBuffer::name
  std::string width, height; ///< expressions, in texels
  std::string rowBytes;      ///< distance of rows in the buffer; empty: dense
  std::string channelOrder;  ///< "CL_R", "CL_RGBA"
  std::string channelType;   ///< "CL_FLOAT", "CL_UNSIGNED_INT32"
};

/// A kernel that fills a buffer of the plan, or writes one back.
struct PlanConversion {
  std::string source;      ///< parameter or PlanBuffer::name
  std::string destination; ///< parameter or PlanBuffer::name
  PlanLaunch launch;
};

/// One way to run a kernel.
struct PlanVariant {
  std::string name;
  std::vector<PlanDefinition> definitions;
  std::vector<PlanCondition> conditions;
  std::vector<PlanBuffer> buffers;
  std::vector<PlanConversion> before; ///< in order, ahead of the images
  std::vector<PlanImage> images;
  PlanLaunch launch;
  std::vector<PlanConversion> after; ///< for buffers that were written
};

/// A parameter of the application's kernel.
struct PlanParameter {
  enum class Kind { Buffer, Scalar, Local, Other };
  std::string name;
  Kind kind = Kind::Other;
  /// Scalar: its type; Buffer and Local: that of the elements.
  std::string type;
  /// sizeof(type) in bytes, 0 when unknown.
  uint64_t bytes = 0;
  /// Buffer: whether the kernel may read and write it.
  bool isRead = true, isWritten = true;
};

struct PlanKernel {
  std::string name;
  std::vector<PlanParameter> parameters;
  /// The first one whose conditions hold is used. The last one has none.
  std::vector<PlanVariant> variants;
};

/// A file by its name and the SHA-256 of its bytes; the digest may be empty.
struct PlanFile {
  std::string name;
  std::string sha256;
};

struct LaunchPlan {
  std::string toolVersion;
  std::string target; ///< device profile it was made for
  PlanFile original, optimized;
  std::vector<std::string> buildFlags;
  std::vector<PlanKernel> kernels;

  /// The kernel of this name, or null.
  const PlanKernel *find(const std::string &kernel) const;
};

/// The plan as JSON text; the same plan gives the same bytes.
std::string printLaunchPlan(const LaunchPlan &plan);

struct LaunchPlanError {
  unsigned line = 0, column = 0; ///< from 1; 0: about no place
  std::string message;
};

/// Reads what printLaunchPlan writes, and whatever else the schema allows;
/// also checks that expressions are well formed and that names exist. False
/// and `error` when the text is no plan.
bool parseLaunchPlan(const std::string &text, LaunchPlan &plan,
                     LaunchPlanError &error);

/// A C header with one function per kernel that does what the plan says;
/// `fileName` makes the name of its guard.
std::string printLauncher(const LaunchPlan &plan, const std::string &fileName);

} // namespace clopt

#endif // CLOPT_LAUNCHPLAN_H
