//===- AccessPicture.cpp - requests as drawings ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/AccessPictureTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/AccessPicture.h"

#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <map>
#include <set>

using namespace clopt;

/// More would be a picture of nothing.
static constexpr unsigned mostLanes = 128;

/// Work-items of which only the count of segments is known: each has some of
/// its own.
static std::vector<int64_t> addressesApart(const RequestReport &request,
                                           unsigned segments) {
  const unsigned each = std::max(1u, segments / std::max(1u, request.lanes));
  std::vector<int64_t> addresses;
  for (unsigned lane = 0; lane < request.lanes; ++lane)
    addresses.push_back(int64_t(lane) * (each + 1) * request.unitBytes);
  return addresses;
}

namespace {

class PictureMaker {
public:
  PictureMaker(const AccessReport &report, const RequestReport &theRequest)
      : access(report), request(theRequest) {}
  AccessPicture make();

private:
  void addSegments(const std::set<int64_t> &numbers);
  void addWords(const std::set<int64_t> &numbers);

  const AccessReport &access;
  const RequestReport &request;
  AccessPicture picture;
  std::map<int64_t, unsigned> unitOf; ///< by its number in memory
};

} // namespace

void PictureMaker::addSegments(const std::set<int64_t> &numbers) {
  for (int64_t number : numbers) {
    PictureUnit unit;
    unit.number = number;
    unit.isApart =
        !picture.units.empty() && picture.units.back().number + 1 != number;
    unitOf[number] = static_cast<unsigned>(picture.units.size());
    picture.units.push_back(unit);
  }
}

/// Words of one bank are served one after the other, in their order.
void PictureMaker::addWords(const std::set<int64_t> &numbers) {
  std::map<int64_t, unsigned> served;
  for (int64_t number : numbers) {
    PictureUnit unit;
    unit.number = number - llvm::divideFloorSigned(number, request.banks) *
                               static_cast<int64_t>(request.banks);
    unit.turn = served[unit.number]++;
    picture.turns = std::max(picture.turns, unit.turn + 1);
    unitOf[number] = static_cast<unsigned>(picture.units.size());
    picture.units.push_back(unit);
  }
}

AccessPicture PictureMaker::make() {
  picture.isOfBanks = request.banks > 0;
  picture.lanes = request.lanes;
  picture.unitBytes = request.unitBytes;
  picture.banks = request.banks;
  picture.isSchematic = request.addresses.empty();
  const std::vector<int64_t> addresses =
      picture.isSchematic ? addressesApart(request, access.transactions)
                          : request.addresses;
  // Of each lane, the units from the first to the last one.
  std::set<int64_t> numbers, bytes;
  auto unitAt = [&](int64_t address) {
    return llvm::divideFloorSigned(address, request.unitBytes);
  };
  for (int64_t address : addresses) {
    for (int64_t at = unitAt(address);
         at <= unitAt(address + request.bytes - 1); ++at)
      numbers.insert(at);
    for (unsigned i = 0; i < request.bytes; ++i)
      bytes.insert(address + i);
  }
  if (picture.isOfBanks)
    addWords(numbers);
  else
    addSegments(numbers);
  for (size_t lane = 0; lane < addresses.size(); ++lane) {
    const int64_t first = addresses[lane], last = first + request.bytes - 1;
    for (int64_t at = unitAt(first); at <= unitAt(last); ++at) {
      const int64_t start = at * request.unitBytes;
      PicturePart part;
      part.lane = static_cast<unsigned>(lane);
      part.unit = unitOf[at];
      part.begin = static_cast<unsigned>(std::max(first, start) - start);
      part.end = static_cast<unsigned>(
          std::min<int64_t>(last + 1 - start, request.unitBytes));
      picture.parts.push_back(part);
    }
  }
  picture.percentUsed = static_cast<unsigned>(
      bytes.size() * 100 / (picture.units.size() * request.unitBytes));
  return std::move(picture);
}

AccessPicture clopt::pictureOf(const AccessReport &access) {
  const std::optional<RequestReport> &request = access.request;
  if (!request || request->lanes == 0 || request->lanes > mostLanes ||
      request->unitBytes == 0 || request->bytes == 0 || request->bytes > 1024)
    return {};
  return PictureMaker(access, *request).make();
}
