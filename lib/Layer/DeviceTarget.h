//===- DeviceTarget.h - the profile for a device ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_DEVICETARGET_H
#define CLOPT_LAYER_DEVICETARGET_H

#include "Layer/Settings.h"

#include <CL/cl.h>

#include <string>

namespace clopt::layer {

struct DeviceTarget {
  std::string name;    ///< for clopt's --target
  std::string problem; ///< why programs of the device are left alone, or empty
};

DeviceTarget targetOf(cl_device_id device, const Settings &settings);

} // namespace clopt::layer

#endif // CLOPT_LAYER_DEVICETARGET_H
