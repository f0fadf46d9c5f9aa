//===- AccessPicture.h - requests as drawings -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where things are in the pictures of a request, without any markup: rectangles
// and lines with labels.
//
// Tested by test/unit/AccessPictureTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_ACCESSPICTURE_H
#define CLOPT_REPORT_HTML_ACCESSPICTURE_H

#include "clopt/Result.h"

#include <string>
#include <vector>

namespace clopt {

/// What a work-item takes of a segment or of a word of a bank.
struct PicturePart {
  unsigned lane = 0;
  unsigned unit = 0;           ///< index into AccessPicture::units
  unsigned begin = 0, end = 0; ///< bytes of the unit
};

/// A segment of global memory, or a word of a bank.
struct PictureUnit {
  int64_t number = 0; ///< of the segment; of the bank
  unsigned turn = 0;  ///< of banks: which turn serves it, from 0
  /// The unit before it in the picture is not the one before it in memory.
  bool isApart = false;
};

struct AccessPicture {
  bool isOfBanks = false;
  /// Distances are not known: every work-item has units of its own.
  bool isSchematic = false;
  unsigned lanes = 0, unitBytes = 0, banks = 0;
  std::vector<PictureUnit> units;
  std::vector<PicturePart> parts;
  unsigned turns = 0; ///< of banks
  /// Bytes that are wanted, in percent of the bytes of all units.
  unsigned percentUsed = 0;
};

/// Nothing to see: no parts.
AccessPicture pictureOf(const AccessReport &access);

} // namespace clopt

#endif // CLOPT_REPORT_HTML_ACCESSPICTURE_H
