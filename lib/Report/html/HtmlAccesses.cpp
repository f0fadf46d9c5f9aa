//===- HtmlAccesses.cpp - pictures of what requests touch -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A request to global memory: the work-items above, the segments that it
// touches below, in the color of each what is wanted of it. A request to local
// memory: a column for every bank, a box for every word that is wanted of it.
//
// Tested by test/unit/HtmlAccessesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlAccesses.h"

#include "Report/html/AccessPicture.h"
#include "Report/html/HtmlSource.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <map>
#include <tuple>

using namespace clopt;

static constexpr int pictureWidth = 760;
static constexpr unsigned colorCount = 6;

/// Tenths of a pixel, so that the text does not depend on how floating point
/// numbers are printed.
static std::string pixels(int64_t tenths) {
  std::string text = std::to_string(tenths / 10);
  if (tenths % 10)
    text += "." + std::to_string(tenths % 10);
  return text;
}

namespace {

/// One drawing; all lengths in tenths of a pixel.
class Drawing {
public:
  explicit Drawing(HtmlWriter &writer) : html(writer) {}

  void rectangle(const std::string &style, int64_t x, int64_t y, int64_t width,
                 int64_t height) {
    html.leaf("rect", {{"class", style},
                       {"x", pixels(x)},
                       {"y", pixels(y)},
                       {"width", pixels(std::max<int64_t>(width, 15))},
                       {"height", pixels(height)}});
  }
  /// Centered at x.
  void label(const std::string &style, int64_t x, int64_t y,
             const std::string &text) {
    html.element("text", {{"class", style}, {"x", pixels(x)}, {"y", pixels(y)}},
                 text);
  }

private:
  HtmlWriter &html;
};

} // namespace

static std::string counted(unsigned count, const std::string &what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

static std::string colorOf(unsigned index) {
  return "c" + std::to_string(index % colorCount);
}

//===-- Segments ----------------------------------------------------------===//

/// Parts of the units that some work-item wants; neighbours are one.
static std::vector<PicturePart> wantedParts(const AccessPicture &picture) {
  std::vector<PicturePart> parts = picture.parts;
  llvm::sort(parts, [](const PicturePart &a, const PicturePart &b) {
    return std::tie(a.unit, a.begin, a.end) < std::tie(b.unit, b.begin, b.end);
  });
  std::vector<PicturePart> merged;
  for (const PicturePart &part : parts)
    if (!merged.empty() && merged.back().unit == part.unit &&
        merged.back().end >= part.begin)
      merged.back().end = std::max(merged.back().end, part.end);
    else
      merged.push_back(part);
  return merged;
}

static void drawSegments(HtmlWriter &html, const AccessPicture &picture) {
  Drawing drawing(html);
  const int64_t whole = int64_t(pictureWidth) * 10;
  const auto lanes = static_cast<int64_t>(picture.lanes);
  const int64_t pitch = std::min<int64_t>(whole / lanes, 220);
  const int64_t gap = 12;
  int64_t gaps = 0;
  for (const PictureUnit &unit : picture.units)
    gaps += unit.isApart ? gap : 0;
  const auto count = static_cast<int64_t>(picture.units.size());
  const int64_t width =
      std::clamp<int64_t>((pitch * lanes - gaps) / count, 30, 1760);
  std::vector<int64_t> starts;
  int64_t x = 0;
  for (const PictureUnit &unit : picture.units) {
    x += unit.isApart ? gap : 0;
    starts.push_back(x);
    x += width;
  }
  const int64_t top = 180, bottom = 620, height = 200;
  auto middle = [&](const PicturePart &part) {
    return starts[part.unit] +
           width * (part.begin + part.end) / 2 / picture.unitBytes;
  };
  // One path for the lines of a unit.
  std::map<unsigned, std::string> lines;
  for (const PicturePart &part : picture.parts)
    lines[part.unit] += "M" + pixels(part.lane * pitch + pitch / 2) + " " +
                        pixels(top) + "L" + pixels(middle(part)) + " " +
                        pixels(bottom);
  for (const auto &[unit, path] : lines)
    html.leaf("path", {{"class", colorOf(unit) + "l"}, {"d", path}});
  std::map<unsigned, unsigned> firstUnit;
  for (const PicturePart &part : picture.parts)
    firstUnit.try_emplace(part.lane, part.unit);
  for (const auto &[lane, unit] : firstUnit)
    drawing.rectangle(colorOf(unit), lane * pitch + 5, 0, pitch - 10, top);
  if (pitch >= 160)
    for (unsigned lane = 0; lane < picture.lanes; ++lane)
      drawing.label("within", lane * pitch + pitch / 2, 130,
                    std::to_string(lane));
  for (size_t i = 0; i < starts.size(); ++i)
    drawing.rectangle("unit", starts[i], bottom, width, height);
  for (const PicturePart &part : wantedParts(picture)) {
    const int64_t from =
        starts[part.unit] + width * part.begin / picture.unitBytes;
    const int64_t to = starts[part.unit] + width * part.end / picture.unitBytes;
    drawing.rectangle(colorOf(part.unit), from, bottom, to - from, height);
  }
  for (int64_t start : starts)
    drawing.rectangle("frame", start, bottom, width, height);
}

//===-- Banks -------------------------------------------------------------===//

static void drawBanks(HtmlWriter &html, const AccessPicture &picture) {
  Drawing drawing(html);
  const int64_t pitch = int64_t(pictureWidth) * 10 / picture.banks;
  const int64_t height = 150;
  for (unsigned bank = 0; bank < picture.banks; ++bank) {
    drawing.rectangle("unit", bank * pitch + 5, 0, pitch - 10,
                      height * picture.turns);
    if (pitch >= 160)
      drawing.label("below", bank * pitch + pitch / 2,
                    height * picture.turns + 110, std::to_string(bank));
  }
  std::map<unsigned, std::vector<unsigned>> lanesOf;
  for (const PicturePart &part : picture.parts)
    lanesOf[part.unit].push_back(part.lane);
  for (const auto &[index, lanes] : lanesOf) {
    const PictureUnit &unit = picture.units[index];
    const int64_t x = unit.number * pitch, y = height * unit.turn;
    drawing.rectangle(colorOf(unit.turn), x + 5, y + 5, pitch - 10,
                      height - 10);
    if (pitch >= 160)
      drawing.label("within", x + pitch / 2, y + 115,
                    std::to_string(lanes.front()) +
                        (lanes.size() > 1 ? "+" : ""));
  }
}

static std::string titleOf(const AccessReport &access,
                           const AccessPicture &picture) {
  return counted(picture.lanes, "work-item") + ", " +
         counted(access.transactions,
                 picture.isOfBanks ? "turn" : "transaction");
}

static void draw(HtmlWriter &html, const AccessReport &access,
                 const AccessPicture &picture) {
  const int height =
      picture.isOfBanks ? 15 * static_cast<int>(picture.turns) + 14 : 83;
  html.element("svg",
               {{"viewBox", "0 0 " + std::to_string(pictureWidth) + " " +
                                std::to_string(height)},
                {"class", "picture"},
                {"role", "img"}},
               [&] {
                 html.element("title", titleOf(access, picture));
                 if (picture.isOfBanks)
                   drawBanks(html, picture);
                 else
                   drawSegments(html, picture);
               });
}

//===-- Rows --------------------------------------------------------------===//

static bool looksAlike(const AccessReport &a, const AccessReport &b) {
  auto key = [](const AccessReport &access) {
    const RequestReport &one = *access.request;
    return std::tie(one.lanes, one.bytes, one.unitBytes, one.banks,
                    one.addresses, access.transactions,
                    access.idealTransactions, access.pattern);
  };
  return key(a) == key(b);
}

/// Those with a picture, in groups that have the same.
static std::vector<std::vector<const AccessReport *>>
groupsOf(const KernelReport &kernel, bool onlyFindings) {
  std::vector<std::vector<const AccessReport *>> groups;
  for (const AccessReport &access : kernel.accesses) {
    if ((onlyFindings && access.ruleId.empty()) ||
        pictureOf(access).parts.empty())
      continue;
    auto same = llvm::find_if(groups, [&](const auto &group) {
      return looksAlike(*group.front(), access);
    });
    if (same == groups.end())
      groups.push_back({&access});
    else
      same->push_back(&access);
  }
  auto excess = [](const AccessReport &access) {
    return static_cast<double>(access.transactions) /
           std::max(1u, access.idealTransactions);
  };
  llvm::stable_sort(groups, [&](const auto &a, const auto &b) {
    return excess(*a.front()) > excess(*b.front());
  });
  return groups;
}

static void writeCaption(HtmlWriter &html, const AccessReport &access,
                         const AccessPicture &picture) {
  std::string text = std::to_string(picture.lanes) + " work-items want " +
                     counted(access.request->bytes, "byte") + " each: ";
  if (picture.isOfBanks) {
    text += counted(access.transactions, "turn") + " of " +
            std::to_string(picture.banks) + " banks, one would do";
  } else {
    text += counted(access.transactions, "transaction") + " of " +
            std::to_string(picture.unitBytes) + " bytes";
    if (access.transactions > access.idealTransactions)
      text += ", " + std::to_string(access.idealTransactions) + " would do";
    text += "; " + std::to_string(picture.percentUsed) +
            " % of what is moved is wanted";
    if (picture.isSchematic)
      text += ". How far the work-items are apart is only known at run time";
  }
  html.element("div", {{"class", "facts"}}, text);
}

static void writeGroup(HtmlWriter &html, const std::string &fileId,
                       const std::vector<const AccessReport *> &group) {
  const AccessReport &first = *group.front();
  const AccessPicture picture = pictureOf(first);
  html.element("figure", [&] {
    html.element("figcaption", [&] {
      for (const AccessReport *access : group) {
        html.element("span", {{"class", "access"}}, [&] {
          html.element(
              "a", {{"href", "#" + lineAnchor(fileId, access->location.line)}},
              std::to_string(access->location.line));
          html.text(access->isWrite ? " writes " : " reads ");
          html.element("code", access->text);
        });
        html.text(" ");
      }
      html.element(
          "span",
          {{"class", first.ruleId.empty() ? "tag plain" : "tag finding"}},
          first.pattern.empty() ? "access" : first.pattern);
      writeCaption(html, first, picture);
    });
    draw(html, first, picture);
  });
}

void clopt::writeAccesses(HtmlWriter &html, const std::string &fileId,
                          const KernelReport &kernel, bool onlyFindings) {
  const auto groups = groupsOf(kernel, onlyFindings);
  if (groups.empty())
    return;
  size_t worse = 0;
  for (const auto &group : groups)
    for (const AccessReport *access : group)
      worse += access->transactions > access->idealTransactions;
  const std::string facts = std::to_string(kernel.accesses.size()) +
                            " accesses, " + std::to_string(worse) +
                            " that could be served faster";
  html.details("accesses", "What a request touches", facts, [&] {
    for (const auto &group : groups)
      writeGroup(html, fileId, group);
  });
}
