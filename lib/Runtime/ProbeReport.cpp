//===- ProbeReport.cpp - what a probe measured, to read -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ProbeReport.h"

#include <cstdio>
#include <map>
#include <vector>

namespace clopt::runtime {

namespace {

/// Measurements of one test that vary in the same ways share a table.
std::string headOf(const ProbeMeasurement &one) {
  std::string head = "|", rule = "|";
  const auto column = [&](const std::string &name) {
    head += " " + name + " |";
    rule += "---|";
  };
  for (const auto &[name, value] : one.variant)
    column(name);
  for (const auto &[name, value] : one.numbers)
    column(name);
  column(one.unit);
  column("spread");
  return "\n### " + one.test + "\n\n" + head + "\n" + rule + "\n";
}

std::string rowOf(const ProbeMeasurement &one) {
  std::string row = "|";
  for (const auto &[name, value] : one.variant)
    row += " " + value + " |";
  for (const auto &[name, value] : one.numbers)
    row += " " + std::to_string(value) + " |";
  char text[64];
  std::snprintf(text, sizeof text, " %.4g | %.1f %% |\n", one.sample.value,
                one.sample.spread * 100);
  return row + text;
}

} // namespace

std::string probeReport(const ProbeData &data, const ProbeDecision &decision) {
  const ProbedDevice &device = data.device;
  std::string text = "# " + device.identity.name + "\n\n" + device.platform +
                     ", driver " + device.driver + ", " +
                     std::to_string(device.computeUnits) + " compute units, " +
                     std::to_string(device.clockMHz) + " MHz.\n\nBased on `" +
                     decision.profile.value("base", "") +
                     "`; what the measurements determine:\n\n"
                     "| key | value | why |\n|---|---|---|\n";
  for (const DecidedKey &one : decision.keys)
    text += "| `" + one.key + "` | `" + one.value.dump() + "` | " + one.reason +
            " |\n";
  if (!decision.warnings.empty())
    text += "\n## Warnings\n\n";
  for (const std::string &warning : decision.warnings)
    text += "- " + warning + "\n";
  text += "\n## Measurements\n";
  std::vector<std::string> heads;
  std::map<std::string, std::string> rows;
  for (const ProbeMeasurement &one : data.measurements) {
    const std::string head = headOf(one);
    if (rows.find(head) == rows.end())
      heads.push_back(head);
    rows[head] += rowOf(one);
  }
  for (const std::string &head : heads)
    text += head + rows[head];
  return text;
}

} // namespace clopt::runtime
