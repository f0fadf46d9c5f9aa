//===- SvgPage.cpp - rows of bars and texts -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/SvgPage.h"

#include <cstdio>

namespace clopt::runtime {

static std::string escapedForXml(const std::string &text) {
  std::string result;
  for (const char c : text)
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  return result;
}

/// Without more digits than a pixel needs.
static std::string pixels(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

void SvgPage::text(int x, const std::string &what, const std::string &style) {
  body += "<text x=\"" + std::to_string(x) + "\" y=\"" +
          std::to_string(y + 15) + "\" " + style + ">" + escapedForXml(what) +
          "</text>\n";
}

void SvgPage::bar(double x, double length, const std::string &colour,
                  const std::string &tip) {
  body +=
      "<rect x=\"" + pixels(x) + "\" y=\"" + std::to_string(y + 3) +
      "\" width=\"" + pixels(length) + "\" height=\"16\" fill=\"" + colour +
      (tip.empty() ? "\"/>\n"
                   : "\"><title>" + escapedForXml(tip) + "</title></rect>\n");
}

std::string SvgPage::str() const {
  const std::string size[] = {std::to_string(width), std::to_string(y)};
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size[0] +
         "\" height=\"" + size[1] + "\" viewBox=\"0 0 " + size[0] + " " +
         size[1] +
         "\" font-family=\"sans-serif\" font-size=\"13\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
         body + "</svg>\n";
}

} // namespace clopt::runtime
