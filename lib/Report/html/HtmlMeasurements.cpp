//===- HtmlMeasurements.cpp - times of a kernel ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The roofline is that of memory: bytes of the kernel's buffers per second,
// over their size, both with logarithms, below what a copy reaches.
//
// Tested by test/unit/HtmlMeasurementsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlMeasurements.h"

#include <algorithm>
#include <cmath>

using namespace clopt;

/// To so many digits behind the point, whatever way the processor rounds (the
/// polyhedra library has it round upwards, and printf follows).
static std::string rounded(double value, unsigned digits) {
  int64_t scale = 1;
  for (unsigned i = 0; i < digits; ++i)
    scale *= 10;
  const auto whole =
      static_cast<int64_t>(std::llround(value * static_cast<double>(scale)));
  std::string rest = std::to_string(whole % scale);
  rest.insert(0, digits - std::min<size_t>(digits, rest.size()), '0');
  return std::to_string(whole / scale) + (digits ? "." + rest : "");
}

/// 10^9 bytes per second.
static double gigabytesPerSecond(const Measurement &launch,
                                 const MeasuredTimes &times) {
  return times.device() > 0 ? launch.bytes / times.device() / 1e6 : 0;
}

static double gain(const Measurement &launch) {
  return launch.optimized.device() > 0
             ? launch.original.device() / launch.optimized.device()
             : 0;
}

//===-- Table -------------------------------------------------------------===//

static void writeTimes(HtmlWriter &html,
                       const std::vector<const Measurement *> &launches) {
  html.scrolledTable("data", [&] {
    html.element("tr", [&] {
      html.element("th", "launch");
      html.element("th", "variant");
      for (const char *name : {"original ms", "optimized ms", "ratio",
                               "original GB/s", "optimized GB/s"})
        html.element("th", {{"class", "n"}}, name);
    });
    for (const Measurement *one : launches)
      html.element("tr", [&] {
        html.element("td", (one->sizes.empty() ? "" : one->sizes + ", ") +
                               one->ndRange);
        html.element("td", one->variant);
        auto number = [&](double value, unsigned digits) {
          html.element("td", {{"class", "n"}}, rounded(value, digits));
        };
        number(one->original.device(), 4);
        number(one->optimized.device(), 4);
        html.element("td", {{"class", "n"}}, [&] {
          html.element("span",
                       {{"class", gain(*one) < 0.95   ? "tag missed"
                                  : gain(*one) > 1.05 ? "tag good"
                                                      : "tag plain"}},
                       rounded(gain(*one), 2) + "x");
        });
        number(gigabytesPerSecond(*one, one->original), 2);
        number(gigabytesPerSecond(*one, one->optimized), 2);
      });
  });
}

//===-- Roofline ----------------------------------------------------------===//

namespace {

/// A logarithmic axis between two powers of ten.
class Axis {
public:
  explicit Axis(const std::vector<double> &values) {
    for (double value : values)
      if (value > 0) {
        // Powers of ten themselves end an axis.
        const double exponent = std::log10(value);
        first = std::min(first, static_cast<int>(std::floor(exponent + 1e-6)));
        last = std::max(last, static_cast<int>(std::ceil(exponent - 1e-6)));
      }
    if (last <= first)
      last = first + 1;
  }
  /// From 0 to `length`.
  int at(double value, int length) const {
    const double share = (std::log10(value) - first) / (last - first);
    return static_cast<int>(std::lround(share * length));
  }
  int first = 99, last = -99; ///< exponents
};

class Roofline {
public:
  Roofline(HtmlWriter &writer, const Measurements &measured,
           const std::vector<const Measurement *> &kernelLaunches)
      : html(writer), copy(measured.copyGigabytes), launches(kernelLaunches),
        bytes(valuesOf(false)), speed(valuesOf(true)) {}
  void draw();

private:
  std::vector<double> valuesOf(bool isSpeed) const;
  int x(double value) const { return left + bytes.at(value, width); }
  int y(double value) const { return top + height - speed.at(value, height); }
  void line(const char *style, int x1, int y1, int x2, int y2);
  void label(const char *style, int atX, int atY, const std::string &text);
  void axes();

  static constexpr int left = 70, top = 20, width = 560, height = 200;

  HtmlWriter &html;
  double copy;
  const std::vector<const Measurement *> &launches;
  Axis bytes, speed;
};

} // namespace

std::vector<double> Roofline::valuesOf(bool isSpeed) const {
  std::vector<double> values;
  if (isSpeed)
    values.push_back(copy);
  for (const Measurement *one : launches) {
    if (!isSpeed) {
      values.push_back(one->bytes);
      continue;
    }
    values.push_back(gigabytesPerSecond(*one, one->original));
    values.push_back(gigabytesPerSecond(*one, one->optimized));
  }
  return values;
}

void Roofline::line(const char *style, int x1, int y1, int x2, int y2) {
  html.leaf("path",
            {{"class", style},
             {"d", "M" + std::to_string(x1) + " " + std::to_string(y1) + "L" +
                       std::to_string(x2) + " " + std::to_string(y2)}});
}

void Roofline::label(const char *style, int atX, int atY,
                     const std::string &text) {
  html.element("text",
               {{"class", style},
                {"x", std::to_string(atX)},
                {"y", std::to_string(atY)}},
               text);
}

/// "1 MB" and the like of a power of ten.
static std::string powerText(int exponent,
                             const std::vector<const char *> &units,
                             int firstExponent) {
  const int step = exponent - firstExponent;
  const int index = std::clamp(step >= 0 ? step / 3 : 0, 0,
                               static_cast<int>(units.size()) - 1);
  const int rest = step - index * 3;
  if (rest < 0)
    return rounded(std::pow(10, rest), static_cast<unsigned>(-rest)) + " " +
           units[0];
  return "1" + std::string(static_cast<size_t>(rest), '0') + " " +
         units[static_cast<size_t>(index)];
}

void Roofline::axes() {
  for (int i = bytes.first; i <= bytes.last; ++i) {
    const int at = x(std::pow(10, i));
    line("grid", at, top, at, top + height);
    label("below", at, top + height + 14,
          powerText(i, {"B", "kB", "MB", "GB", "TB"}, 0));
  }
  for (int i = speed.first; i <= speed.last; ++i) {
    const int at = y(std::pow(10, i));
    line("grid", left, at, left + width, at);
    label("before", left - 6, at + 3, powerText(i, {"GB/s", "TB/s"}, 0));
  }
}

void Roofline::draw() {
  html.element(
      "svg",
      {{"viewBox", "0 0 660 240"}, {"class", "picture roof"}, {"role", "img"}},
      [&] {
        html.element("title",
                     "bytes of the buffers per second over their size");
        axes();
        line("limit", left, y(copy), left + width, y(copy));
        label("before note", left + width, y(copy) - 5,
              "a copy: " + rounded(copy, 1) + " GB/s");
        for (const Measurement *one : launches) {
          const double before = gigabytesPerSecond(*one, one->original),
                       after = gigabytesPerSecond(*one, one->optimized);
          if (one->bytes <= 0 || before <= 0 || after <= 0)
            continue;
          const int at = x(one->bytes);
          line("step", at, y(before), at, y(after));
          auto point = [&](const char *style, double value) {
            html.element("circle",
                         {{"class", style},
                          {"cx", std::to_string(at)},
                          {"cy", std::to_string(y(value))},
                          {"r", "4"}},
                         [&] {
                           html.element("title", one->sizes + ": " +
                                                     rounded(value, 2) +
                                                     " GB/s");
                         });
          };
          point("was", before);
          point("is", after);
        }
      });
}

void clopt::writeMeasurements(HtmlWriter &html, const Measurements &measured,
                              const std::string &kernel) {
  std::vector<const Measurement *> launches;
  for (const Measurement &one : measured.launches)
    if (one.kernel == kernel)
      launches.push_back(&one);
  if (launches.empty())
    return;
  html.element("h4",
               "Measured on " + measured.platform + ", " + measured.device);
  writeTimes(html, launches);
  if (measured.copyGigabytes <= 0)
    return;
  html.element("figure", [&] {
    html.element("figcaption", [&] {
      html.element("div", {{"class", "facts"}}, [&] {
        html.element("span", {{"class", "dot was"}}, "");
        html.text(" original ");
        html.element("span", {{"class", "dot is"}}, "");
        html.text(" optimized: bytes of the kernel's buffers per second, over "
                  "their size");
      });
    });
    Roofline(html, measured, launches).draw();
  });
}
