//===- ProfileChoice.h - which profile suits a device ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what a driver says of a device to the device profile that clopt should
// use for it: a profile of exactly this device that the user has written
// ('clopt probe --install'), else the built-in one of its architecture, else
// the built-in one of its type. Needs neither LLVM nor OpenCL. Tested by
// test/unit/RuntimeProfileChoiceTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_PROFILECHOICE_H
#define CLOPT_RUNTIME_PROFILECHOICE_H

#include <string>

namespace clopt::runtime {

/// What a driver says of a device.
struct DeviceIdentity {
  std::string vendor; ///< CL_DEVICE_VENDOR
  std::string name;   ///< CL_DEVICE_NAME
  /// The type is CL_DEVICE_TYPE_CPU and nothing else.
  bool isProcessor = false;
};

/// The built-in profile of the device's architecture, or of its type when
/// there is none.
std::string builtinProfileFor(const DeviceIdentity &device);

/// What a profile of the device is called: "nvidia-h100-80gb-hbm3".
std::string profileNameOf(const DeviceIdentity &device);

/// Where the user's profiles are: $XDG_CONFIG_HOME/clopt, or
/// $HOME/.config/clopt. Empty when neither variable is set.
std::string userProfileFolder();

/// The file of the user's profile of the device, whether or not it is there.
/// Empty without a folder.
std::string userProfileFile(const DeviceIdentity &device,
                            const std::string &folder);

/// A value for clopt's option --target: the file of the user's profile if there
/// is one in `folder`, else the name of a built-in profile.
std::string chooseProfile(const DeviceIdentity &device,
                          const std::string &folder);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_PROFILECHOICE_H
