//===- DeviceReport.h - what reports of all commands begin with -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RT_DEVICEREPORT_H
#define CLOPT_RT_DEVICEREPORT_H

#include "CrashMessage.h"

#include "Runtime/JsonDocument.h"
#include "Runtime/OpenCL.h"

#include <cstdio>
#include <string>

namespace clopt::runtime {

/// An observer that names the device, once, as text or as JSON, and passes on
/// what clopt says.
template <typename Observer> class DeviceReport : public Observer {
public:
  explicit DeviceReport(bool printsText) : isText(printsText) {}

  void deviceChosen(const Device &device) override {
    if (json.contains("device") && !json["device"].is_null())
      return;
    json["platform"] = device.platformName();
    json["device"] = device.name();
    if (isText)
      std::printf("# %s, %s\n", device.platformName().c_str(),
                  device.name().c_str());
  }

  void activity(const std::string &what, std::size_t, std::size_t) override {
    setCrashMessage(what);
  }
  void cloptSaid(const std::string &output) override {
    std::fputs(output.c_str(), stderr);
  }
  void entriesUnknown(const std::string &what, const std::string &) override {
    std::fprintf(stderr, "clopt-rt: warning: %s\n", what.c_str());
  }

  Json json;

protected:
  const bool isText;
};

} // namespace clopt::runtime

#endif // CLOPT_RT_DEVICEREPORT_H
