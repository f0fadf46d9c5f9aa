//===- ClangFlags.cpp - flags of clBuildProgram for Clang -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drivers accept more flags than the OpenCL standard lists, and a program that
// builds with its driver must not fail here: what is unknown is set aside.
// The declarations of builtins come from Clang's own table, which is far
// cheaper than parsing opencl-c.h.
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangFlags.h"

#include "Support/Config.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"

using namespace clopt;
using llvm::StringRef;

namespace {

/// What becomes of a flag that stands alone.
enum class FlagAction {
  Unknown,
  Pass,
  Ignore,
  UnsafeMath,
  FiniteMath,
  FastRelaxed,
  MadEnable
};

FlagAction classify(StringRef flag) {
  FlagAction action =
      llvm::StringSwitch<FlagAction>(flag)
          .Cases("-w", "-Werror", "-cl-opt-disable", "-cl-no-signed-zeros",
                 "-cl-single-precision-constant", "-cl-kernel-arg-info",
                 "-cl-fp32-correctly-rounded-divide-sqrt",
                 "-cl-uniform-work-group-size", FlagAction::Pass)
          .Case("-pedantic", FlagAction::Pass)
          .Cases("-cl-denorms-are-zero", "-cl-strict-aliasing",
                 "-cl-no-subgroup-ifp", "-g", "-s", "-c", FlagAction::Ignore)
          .Case("-cl-unsafe-math-optimizations", FlagAction::UnsafeMath)
          .Case("-cl-finite-math-only", FlagAction::FiniteMath)
          .Case("-cl-fast-relaxed-math", FlagAction::FastRelaxed)
          .Case("-cl-mad-enable", FlagAction::MadEnable)
          .Default(FlagAction::Unknown);
  if (action != FlagAction::Unknown)
    return action;
  if (flag.starts_with("-cl-ext=") || flag.starts_with("-W"))
    return FlagAction::Pass;
  // Optimization levels, and what vendors take beside the standard.
  if (flag.starts_with("-O") || flag.starts_with("-g") ||
      flag.starts_with("-cl-nv-") || flag.starts_with("-cl-intel-"))
    return FlagAction::Ignore;
  return FlagAction::Unknown;
}

class Translator {
public:
  explicit Translator(const std::vector<std::string> &buildFlags)
      : flags(buildFlags) {}

  TranslatedFlags run() {
    addDefaults();
    for (position = 0; position < flags.size(); ++position)
      translate(StringRef(flags[position]).trim());
    result.arguments.push_back("-cl-std=" + standard);
    // What compilers define for a device that has this version and images
    // (OpenCL C 3.0, section 6.13.9), and Clang leaves to them.
    std::string digits;
    llvm::copy_if(standard, std::back_inserter(digits), llvm::isDigit);
    define("__OPENCL_VERSION__", digits + "0");
    define("__IMAGE_SUPPORT__", "1");
    return std::move(result);
  }

private:
  void addDefaults() {
    std::string resources = CLOPT_RESOURCE_DIR;
    result.arguments = {"-triple", "spir64", "-x", "cl", "-fsyntax-only",
                        "-finclude-default-header", "-fdeclare-opencl-builtins",
                        "-resource-dir", resources, "-internal-isystem",
                        resources + "/include",
                        // Real kernels leave out extension pragmas that
                        // their drivers never asked for.
                        "-cl-ext=+all"};
  }

  /// Unless a flag says what it is.
  void define(const std::string &name, const std::string &value) {
    for (size_t i = 0; i + 1 < result.arguments.size(); ++i)
      if ((result.arguments[i] == "-D" || result.arguments[i] == "-U") &&
          StringRef(result.arguments[i + 1]).split('=').first == name)
        return;
    result.arguments.insert(result.arguments.end(), {"-D", name + "=" + value});
  }

  void translate(StringRef flag) {
    if (flag.empty() || takesValue(flag))
      return;
    if (flag.consume_front("-cl-std=")) {
      standard = flag.str();
      return;
    }
    switch (classify(flag)) {
    case FlagAction::Unknown:
      result.unknown.push_back(flag.str());
      return;
    case FlagAction::Ignore:
      return;
    case FlagAction::Pass:
      break;
    case FlagAction::FastRelaxed:
      result.unsafeMath = result.finiteMath = result.madEnable = true;
      break;
    case FlagAction::UnsafeMath:
      result.unsafeMath = result.madEnable = true;
      break;
    case FlagAction::FiniteMath:
      result.finiteMath = true;
      break;
    case FlagAction::MadEnable:
      result.madEnable = true;
      break;
    }
    result.arguments.push_back(flag.str());
  }

  /// Handles -D, -U, -I, -include and -isystem, whose value may follow in the
  /// same string, after a blank, or as the next flag.
  bool takesValue(StringRef flag) {
    for (StringRef name : {"-include", "-isystem", "-D", "-U", "-I"}) {
      if (!flag.starts_with(name))
        continue;
      StringRef value = flag.drop_front(name.size()).trim();
      if (value.empty() && position + 1 < flags.size())
        value = StringRef(flags[++position]).trim();
      if (value.empty()) {
        result.unknown.push_back(flag.str());
        return true;
      }
      result.arguments.push_back(name.str());
      result.arguments.push_back(value.str());
      return true;
    }
    return false;
  }

  const std::vector<std::string> &flags;
  size_t position = 0;
  std::string standard = "CL1.2";
  TranslatedFlags result;
};

} // namespace

TranslatedFlags
clopt::translateFlags(const std::vector<std::string> &buildFlags) {
  return Translator(buildFlags).run();
}
