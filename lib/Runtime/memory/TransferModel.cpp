//===- TransferModel.cpp - which memory a buffer should lie in ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/memory/TransferModel.h"

#include <algorithm>
#include <cmath>

namespace clopt::runtime {

const std::vector<std::string> &memoryModeNames() {
  static const std::vector<std::string> names = {
      "device", "copy-host", "use-host", "alloc-host", "svm"};
  return names;
}

const std::string &memoryModeName(MemoryMode mode) {
  return memoryModeNames()[static_cast<std::size_t>(mode)];
}

std::optional<MemoryMode> findMemoryMode(const std::string &name) {
  const std::vector<std::string> &names = memoryModeNames();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<MemoryMode>(found - names.begin());
}

double CostCurve::milliseconds(double bytes) const {
  if (segments.empty() || bytes <= 0)
    return 0;
  const CostSegment *segment = &segments.back();
  for (const CostSegment &one : segments)
    if (bytes <= one.upTo) {
      segment = &one;
      break;
    }
  const std::array<double, 4> &c = segment->c;
  double gigabytes = 0; // of 2^30 bytes, in a second
  switch (segment->form) {
  case CostSegment::Form::Time:
    return std::max(0.0, c[0] + c[1] * bytes);
  case CostSegment::Form::Polynomial:
    gigabytes = c[0] + bytes * (c[1] + bytes * (c[2] + bytes * c[3]));
    break;
  case CostSegment::Form::Logarithm:
    gigabytes = c[0] + c[1] * std::log(bytes);
    break;
  case CostSegment::Form::Exponential:
    gigabytes = std::exp(c[0] + c[1] / bytes);
    break;
  }
  return bytes / (gigabytes * double(1 << 30)) * 1000;
}

std::string zeroCopyRefusal(const BufferUse &use) {
  if (!use.isTouchedOnce)
    return "touched more than once: every access would cross the bus again";
  if (!use.isRegular)
    return "which elements are touched depends on data";
  if (use.elementBytes != 4)
    return "accesses are of " + std::to_string(use.elementBytes) +
           " bytes, not 4";
  if (!use.isContiguous)
    return "neighbouring work-items do not touch neighbouring elements";
  return "";
}

std::vector<ModePrice> priceModes(const TransferModel &model,
                                  const BufferUse &use) {
  std::vector<ModePrice> prices;
  const double bytes = static_cast<double>(use.bytes);
  for (const ModeCost &cost : model.modes) {
    const unsigned writes =
        use.writes - (cost.makeWrites && use.writes != 0 ? 1 : 0);
    ModePrice price;
    price.mode = cost.mode;
    price.milliseconds = cost.make.milliseconds(bytes) +
                         writes * cost.write.milliseconds(bytes) +
                         use.reads * cost.read.milliseconds(bytes) +
                         cost.release.milliseconds(bytes);
    if (cost.isZeroCopy)
      price.refusal = zeroCopyRefusal(use);
    prices.push_back(std::move(price));
  }
  return prices;
}

std::optional<MemoryMode> chooseMode(const TransferModel &model,
                                     const BufferUse &use) {
  std::optional<ModePrice> best;
  for (const ModePrice &price : priceModes(model, use))
    if (price.refusal.empty() &&
        (!best || price.milliseconds < best->milliseconds))
      best = price;
  return best ? std::optional(best->mode) : std::nullopt;
}

TransferModel thesisModel() {
  using Form = CostSegment::Form;
  constexpr double kibi = 1024, mebi = 1024 * kibi, gibi = 1024 * mebi;
  ModeCost pageable;
  pageable.mode = MemoryMode::Device;
  pageable.write.segments = {
      {32, Form::Polynomial, {-3.883e-5, 1.365e-4}},
      {2 * kibi, Form::Polynomial, {1.173e-4, 1.512e-4}},
      {256 * kibi, Form::Logarithm, {-2.479, 0.360}},
      {4 * mebi, Form::Polynomial, {1.995, -3.838e-8, 2.191e-13, -3.579e-20}},
      {32 * mebi, Form::Polynomial, {2.682, 1.072e-7, -5.043e-15, 7.050e-23}},
      {gibi, Form::Exponential, {1.197, -514828.668}}};
  pageable.read.segments = {
      {32, Form::Polynomial, {-1.020e-5, 7.661e-5}},
      // The constant is printed as "1.433e-3 e^-3"; as 1.433e-3 it would make
      // a step that the stated errors exclude.
      {2 * kibi, Form::Polynomial, {1.433e-6, 8.703e-5}},
      {16 * kibi, Form::Polynomial, {1.716e-2, 8.241e-5, -2.251e-9, 1.406e-14}},
      {256 * kibi, Form::Logarithm, {-2.472, 0.343}},
      {2 * mebi, Form::Polynomial, {1.510, 1.326e-6, -1.133e-12, 2.732e-19}},
      {gibi, Form::Exponential, {1.073, -1012387.498}}};
  ModeCost pinned;
  pinned.mode = MemoryMode::UseHost;
  pinned.write.segments = {
      {32, Form::Polynomial, {-2.697e-6, 8.462e-5}},
      {2 * kibi, Form::Polynomial, {-1.106e-3, 1.052e-4}},
      {256 * kibi, Form::Polynomial, {0.210, 5.970e-5, -3.382e-10, 6.660e-16}},
      {2 * mebi, Form::Polynomial, {3.365, 6.030e-6, -5.147e-12, 1.278e-18}},
      {gibi, Form::Exponential, {1.776, -278771.750}}};
  pinned.read.segments = {
      {32, Form::Polynomial, {-1.332e-5, 8.481e-5}},
      {4 * kibi, Form::Polynomial, {1.086e-4, 1.011e-4}},
      {256 * kibi, Form::Polynomial, {0.393, 4.759e-5, -1.974e-10, 3.074e-16}},
      {8 * mebi, Form::Exponential, {1.829, -64448.291}},
      {gibi, Form::Exponential, {1.831, -83470.782}}};
  pinned.make.segments = {{mebi - 1, Form::Time, {0.0935}},
                          {gibi, Form::Time, {0.1306, 2.473e-8}}};
  pinned.release.segments = {{mebi - 1, Form::Time, {0.08117}},
                             {gibi, Form::Time, {0.1579, 4.254e-8}}};
  return {"Tesla K20c", {pageable, pinned}};
}

/// Straight lines from one point to the next, in nanoseconds; below the first
/// point its time, beyond the last the last line.
static CostCurve fitCurve(const ProbeSeries &points) {
  CostCurve curve;
  if (points.empty())
    return curve;
  curve.segments.push_back({double(points.front().at),
                            CostSegment::Form::Time,
                            {points.front().value * 1e-6}});
  for (std::size_t i = 1; i < points.size(); ++i) {
    const ProbePoint &from = points[i - 1], &to = points[i];
    // Times that fall as sizes grow are noise.
    const double slope =
        std::max(0.0, (to.value - from.value) * 1e-6 / double(to.at - from.at));
    curve.segments.push_back(
        {double(to.at),
         CostSegment::Form::Time,
         {from.value * 1e-6 - slope * double(from.at), slope}});
  }
  return curve;
}

TransferModel fitTransferModel(const ProbeData &data) {
  TransferModel model;
  model.device = data.device.identity.name;
  for (const std::string &name : memoryModeNames()) {
    const auto curve = [&](const char *way) {
      return fitCurve(
          data.series("memory", "bytes", {{"mode", name}, {"way", way}}));
    };
    ModeCost cost;
    cost.mode = *findMemoryMode(name);
    cost.make = curve("make");
    cost.write = curve("write");
    cost.read = curve("read");
    if (cost.make.segments.empty() || cost.write.segments.empty() ||
        cost.read.segments.empty())
      continue;
    cost.makeWrites = cost.mode == MemoryMode::CopyHost;
    // A processor has no bus to cross.
    cost.isZeroCopy = !data.device.identity.isProcessor &&
                      cost.mode != MemoryMode::Device &&
                      cost.mode != MemoryMode::CopyHost;
    model.modes.push_back(std::move(cost));
  }
  return model;
}

} // namespace clopt::runtime
