//===- SvgPage.h - rows of bars and texts ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pictures of `ladder` and `bench --sequence`. Tested by
// test/unit/RuntimeLadderTest.cpp and RuntimeSequenceTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_SVGPAGE_H
#define CLOPT_RUNTIME_SVGPAGE_H

#include <string>

namespace clopt::runtime {

/// Drawn from top to bottom, in pixels.
class SvgPage {
public:
  static constexpr int rowHeight = 22;

  explicit SvgPage(int pixels) : width(pixels) {}

  /// `style` are attributes.
  void text(int x, const std::string &what, const std::string &style);
  /// `tip` is shown under the pointer; empty: nothing is.
  void bar(double x, double length, const std::string &colour,
           const std::string &tip = "");
  void nextRow() { y += rowHeight; }
  void nextPart() { y += rowHeight / 2; }

  std::string str() const;

private:
  const int width;
  int y = 8;
  std::string body;
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_SVGPAGE_H
