//===- LaunchSpecText.cpp - launch specifications as JSON -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LaunchSkeletonTest.cpp, test/lit/cli/skeleton.test.
//
//===----------------------------------------------------------------------===//

#include "Report/LaunchSpecText.h"

#include "Report/JsonText.h"

#include <llvm/ADT/STLExtras.h>

#include <llvm/ADT/StringRef.h>

using namespace clopt;

/// A number where the text is one, else an expression.
static void print(llvm::json::OStream &json, const std::string &value) {
  int64_t number = 0;
  double real = 0;
  if (!llvm::StringRef(value).getAsInteger(10, number))
    json.value(number);
  else if (!llvm::StringRef(value).getAsDouble(real))
    json.value(real);
  else
    json.value(jsonText(value));
}

static void print(llvm::json::OStream &json, llvm::StringRef name,
                  const std::string &value) {
  json.attributeBegin(name);
  print(json, value);
  json.attributeEnd();
}

static void printShape(llvm::json::OStream &json, const char *name,
                       const std::vector<std::string> &shape) {
  static const char *const axes[] = {"X", "Y", "Z"};
  json.attributeObject(name, [&] {
    for (size_t d = 0; d < shape.size() && d < 3; ++d)
      print(json, axes[d], shape[d]);
  });
}

static void printRange(llvm::json::OStream &json, const SkeletonRange &range) {
  printShape(json, "GlobalSize", range.global);
  if (!range.local.empty())
    printShape(json, "LocalSize", range.local);
}

static void printFill(llvm::json::OStream &json,
                      const SkeletonArgument &argument) {
  switch (argument.fill) {
  case SkeletonArgument::Fill::Usual:
    json.attribute("FillType", "Random");
    break;
  case SkeletonArgument::Fill::Range:
    json.attribute("FillType", "Random");
    json.attributeArray("FillRange", [&] {
      print(json, argument.low);
      print(json, argument.high);
    });
    break;
  case SkeletonArgument::Fill::Rows:
    json.attribute("FillType", "Monotone");
    print(json, "FillValue", argument.high);
    break;
  case SkeletonArgument::Fill::Permutation:
    json.attribute("FillType", "Permutation");
    break;
  }
}

static void printArgument(llvm::json::OStream &json,
                          const SkeletonArgument &argument) {
  using Memory = SkeletonArgument::Memory;
  json.attribute("Name", jsonText(argument.name));
  json.attribute("Type", jsonText(argument.type));
  if (!argument.members.empty())
    jsonTexts(json, "Members", argument.members);
  if (argument.bytes)
    json.attribute("TypeSize", argument.bytes);
  static const char *const memories[] = {"Scalar", "Vector", "Local", "Image",
                                         "Sampler"};
  json.attribute("MemoryType", memories[static_cast<size_t>(argument.memory)]);
  if (argument.memory == Memory::Vector || argument.memory == Memory::Local)
    print(json, "Size", argument.size);
  if (argument.memory == Memory::Image) {
    json.attribute("ChannelOrder", argument.channelOrder);
    json.attribute("ChannelType", argument.channelType);
    for (const auto &[name, value] : argument.extents)
      print(json, name, value);
  }
  if (argument.memory == Memory::Vector || argument.memory == Memory::Image) {
    json.attribute("AccessType", !argument.isWritten ? "ReadOnly"
                                 : !argument.isRead  ? "WriteOnly"
                                                     : "ReadWrite");
    printFill(json, argument);
  }
  if (argument.memory == Memory::Scalar && argument.values.size() == 1) {
    print(json, "FillValue", argument.values[0]);
  } else if (argument.memory == Memory::Scalar && !argument.values.empty()) {
    json.attributeArray("FillValue", [&] {
      for (const std::string &value : argument.values)
        print(json, value);
    });
  }
  if (!argument.comment.empty())
    json.attribute("Comment", jsonText(argument.comment));
}

static void printSizes(llvm::json::OStream &json,
                       const LaunchSkeleton &skeleton) {
  // One size is swept.
  if (skeleton.sizes.empty())
    return;
  if (skeleton.sizes.front().size() == 1) {
    json.attributeObject("Sizes", [&] {
      json.attributeArray(skeleton.sizes.front().front().first, [&] {
        for (const auto &point : skeleton.sizes)
          json.value(point.front().second);
      });
    });
    return;
  }
  jsonObjects(json, "Sizes", skeleton.sizes, [&](const auto &point) {
    for (const auto &[name, value] : point)
      json.attribute(name, value);
  });
}

static void printKernel(llvm::json::OStream &json,
                        const LaunchSkeleton &skeleton, const std::string &file,
                        const std::vector<std::string> &flags) {
  json.attribute("Language", "OpenCL");
  json.attribute("KernelName", jsonText(skeleton.kernel));
  json.attribute("KernelFile", jsonText(file));
  if (!flags.empty())
    jsonTexts(json, "CompilerOptions", flags);
  printSizes(json, skeleton);
  json.attribute("GlobalSizeType", "OpenCL");
  printRange(json, skeleton.ranges.front());
  if (skeleton.ranges.size() > 1)
    jsonObjects(json, "NDRanges", llvm::drop_begin(skeleton.ranges),
                [&](const auto &range) { printRange(json, range); });
  jsonObjects(json, "Arguments", skeleton.arguments,
              [&](const auto &argument) { printArgument(json, argument); });
}

std::string clopt::printLaunchSpec(const std::vector<LaunchSkeleton> &skeletons,
                                   const std::string &file,
                                   const std::vector<std::string> &flags) {
  std::vector<const LaunchSkeleton *> described;
  for (const LaunchSkeleton &skeleton : skeletons)
    if (skeleton.problem.empty())
      described.push_back(&skeleton);
  return printJson([&](llvm::json::OStream &json) {
    json.attributeObject("General",
                         [&] { json.attribute("FormatVersion", 1); });
    if (described.size() == 1)
      json.attributeObject("KernelSpecification", [&] {
        printKernel(json, *described.front(), file, flags);
      });
    else
      jsonObjects(json, "KernelSpecification", described, [&](const auto *one) {
        printKernel(json, *one, file, flags);
      });
  });
}
