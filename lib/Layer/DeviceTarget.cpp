//===- DeviceTarget.cpp - the profile for a device ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layer/DeviceTarget.h"

#include "Layer/Dispatch.h"
#include "Runtime/ProfileChoice.h"

namespace clopt::layer {

DeviceTarget targetOf(cl_device_id device, const Settings &settings) {
  DeviceTarget result;
  const auto ask = [&](cl_device_info what, auto otherwise) {
    return queryValue<decltype(otherwise)>(otherwise, target().clGetDeviceInfo,
                                           device, what);
  };
  // clopt's front end knows devices of 64 bits with the low byte first.
  if (ask(CL_DEVICE_ADDRESS_BITS, cl_uint(0)) != 64 ||
      ask(CL_DEVICE_ENDIAN_LITTLE, cl_bool(CL_FALSE)) != CL_TRUE) {
    result.problem = "a device that has no addresses of 64 bits, or is "
                     "big-endian";
    return result;
  }
  result.name = settings.target;
  if (!result.name.empty() && result.name != "native")
    return result;
  runtime::DeviceIdentity identity;
  const auto text = [&](cl_device_info what) {
    return queryText(target().clGetDeviceInfo, device, what);
  };
  identity.vendor = text(CL_DEVICE_VENDOR);
  identity.name = text(CL_DEVICE_NAME);
  identity.isProcessor =
      ask(CL_DEVICE_TYPE, cl_device_type(0)) == CL_DEVICE_TYPE_CPU;
  result.name = runtime::chooseProfile(identity, runtime::userProfileFolder());
  return result;
}

} // namespace clopt::layer
