//===- RelayoutImages.cpp - arrays that become images ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element p of an array is the texel (p mod width, p div width), or, where the
// array has two dimensions, a[i][j] is the texel (j, i). Four neighbouring
// elements, or two, are one texel when every read begins at a known channel.
//
// Tested by test/unit/RelayoutTest.cpp, test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/RelayoutImpl.h"

#include <algorithm>

namespace clopt {

bool LayoutWriter::collectImage(const CopyRequest &request) {
  const Array &array = model.arrays[request.array];
  bool isBuffer = array.var && array.var->isParam &&
                  (array.space == AddressSpace::Global ||
                   array.space == AddressSpace::Constant);
  if (!isBuffer)
    return fail("clopt-not-profitable",
                "'" + array.name + "' is no buffer of the host");
  if (!(array.elementType.isScalar() || array.elementType.isVector()) ||
      !channelTypeOf(array.elementType.scalar))
    return fail("clopt-not-profitable", "images have no texels of the type of "
                                        "the elements of '" +
                                            array.name + "'");
  Copy copy;
  copy.array = request.array;
  copy.image = &request;
  copy.name = options.fresh(array.name + "_image");
  if (sampler.empty())
    sampler = options.fresh(model.function->name + "_sampler");
  result.copies.push_back(copy.name);
  copies.push_back(std::move(copy));
  return true;
}

/// The forms that are tried, the best first: whole vectors where every read
/// begins at a known place of one, and rows as the array has them.
static std::vector<ImageForm>
formsOf(const Array &array, const std::vector<ImageRead> &reads, bool isFlat) {
  unsigned lanes = 1;
  for (const ImageRead &read : reads)
    lanes = std::max(lanes, read.lanes);
  std::vector<ImageForm> forms;
  for (bool isPlane : {true, false})
    for (unsigned channels : {4u, 2u, 1u}) {
      // Two channels are for vectors of two alone.
      bool isUseful =
          channels >= lanes && (channels != 2 || lanes == 2) &&
          (!isPlane || (array.rank == 2 && !isFlat && array.origin.isZero()));
      if (isUseful)
        forms.push_back({channels, isPlane});
    }
  return forms;
}

/// All reads of the array go to the image, and there are no others.
bool LayoutWriter::assignImage(unsigned index) {
  Copy &copy = copies[index];
  const std::string &name = arrayName(copy);
  std::vector<ImageRead> reads;
  for (const Access &access : model.accesses) {
    if (access.array != copy.array)
      continue;
    if (access.isWrite)
      return fail("clopt-dependence",
                  "'" + name + "' is written, and images are only read");
    if (access.isOrdered)
      return fail("clopt-ordered-effect",
                  "'" + name + "' has atomic or volatile accesses");
    std::optional<ImageRead> read = imageReadOf(model, access);
    if (!read)
      return fail("clopt-opaque-code",
                  "not every access to '" + name + "' reads its elements");
    if (!read->expr->range.isEditable())
      return fail("clopt-macro-body",
                  "an access to '" + name + "' comes from a macro");
    if (copyOf.count(access.id))
      return fail("clopt-dependence", "a read of '" + name +
                                          "' takes one copy, the buffer or "
                                          "the image");
    copyOf[access.id] = index;
    copy.accesses.insert(access.id);
    reads.push_back(std::move(*read));
  }
  for (const ImageForm &form :
       formsOf(model.arrays[copy.array], reads, copy.image->width > 0)) {
    copy.form = form;
    bool fits = !form.isPlane || rowLength(copy);
    for (const ImageRead &read : reads) {
      accessExpr = read.expr;
      fits = fits && texelText(copy, read);
    }
    accessExpr = nullptr;
    if (fits)
      return true;
  }
  return fail("clopt-non-affine-subscript",
              "the texels that hold '" + name + "' have no closed form");
}

/// The image is a snapshot: nothing that is written may be part of it.
bool LayoutWriter::requireApart(unsigned array) {
  const std::string &name = model.arrays[array].name;
  if (model.arrays[array].space == AddressSpace::Constant ||
      options.alias == AliasMode::None)
    return true;
  std::set<unsigned> written;
  for (const Access &access : model.accesses)
    if (access.isWrite && !areDisjoint(model, array, access.array))
      written.insert(access.array);
  for (unsigned other : written) {
    const std::string &second = model.arrays[other].name;
    bool isBuffer = model.arrays[other].var && model.arrays[other].var->isParam;
    if (options.alias == AliasMode::Strict || !isBuffer)
      return fail("clopt-may-alias",
                  "'" + name + "' and '" + second + "' may overlap",
                  "add `restrict` to `" + name + "`");
    auto end = [](const std::string &buffer) {
      return "(size_t)" + buffer + " + buffer_bytes(" + buffer + ")";
    };
    require("(" + end(name) + " <= (size_t)" + second + " || " + end(second) +
                " <= (size_t)" + name + ")",
            "'" + name + "' and '" + second + "' do not overlap");
  }
  return true;
}

/// Scalars of one row of a two-dimensional array.
std::optional<std::string> LayoutWriter::rowLength(const Copy &copy) {
  const Array &array = model.arrays[copy.array];
  const unsigned bytes = sizeOf(array.elementType.scalar);
  return polynomialText(
      array.extents[1] * Polynomial(array.elementBytes / bytes), true);
}

/// Texels per row: the author's, the recipe's, or a power of two such that the
/// device has that many rows.
std::string LayoutWriter::imageWidth(const Copy &copy,
                                     const std::string &texels) {
  const unsigned channels = copy.form.channels;
  if (copy.form.isPlane) {
    std::string row = "(" + *rowLength(copy) + ")";
    if (channels == 1)
      return define(copy.name + "_width", row).text;
    require(row + " % " + std::to_string(channels) + " == 0",
            "rows of '" + arrayName(copy) + "' are whole texels");
    return define(copy.name + "_width", row + " / " + std::to_string(channels))
        .text;
  }
  if (copy.image->width > 0)
    return std::to_string(copy.image->width);
  auto fits = [&](unsigned bits) {
    return texels + " <= (CL_DEVICE_IMAGE2D_MAX_HEIGHT << " +
           std::to_string(bits) + ") ? " + std::to_string(bits) + " : ";
  };
  std::string shift =
      define(copy.name + "_shift", fits(10) + fits(12) + "14").text;
  return define(copy.name + "_width", "(long)1 << " + shift).text;
}

bool LayoutWriter::makeImage(const Copy &copy) {
  const Array &array = model.arrays[copy.array];
  const ScalarKind scalar = array.elementType.scalar;
  const unsigned bytes = copy.form.channels * sizeOf(scalar);
  const std::string size = "buffer_bytes(" + array.name + ")";
  if (copy.form.channels > 1)
    require(size + " % " + std::to_string(bytes) + " == 0",
            "'" + array.name + "' is a number of whole texels");
  std::string texels =
      define(copy.name + "_texels",
             "ceildiv(" + size + ", " + std::to_string(bytes) + ")")
          .text;
  const std::string width = imageWidth(copy, texels);
  require(width + " >= 1 && " + width + " <= CL_DEVICE_IMAGE2D_MAX_WIDTH",
          "the device has images of this width");
  std::string rows =
      define(copy.name + "_rows", "ceildiv(" + texels + ", " + width + ")")
          .text;
  require("CL_DEVICE_IMAGE_SUPPORT && " + rows +
              " <= CL_DEVICE_IMAGE2D_MAX_HEIGHT && " + rows + " >= 1",
          "the device has images of this size");
  PlanImage image;
  image.name = copy.name;
  image.source = array.name;
  image.width = width;
  image.height = rows;
  image.channelOrder = copy.form.channels == 4   ? "CL_RGBA"
                       : copy.form.channels == 2 ? "CL_RG"
                                                 : "CL_R";
  image.channelType = channelTypeOf(scalar);
  result.changes.images.push_back(std::move(image));
  return true;
}

/// `(int)((p) & 63), (int)((p) >> 6)`
std::string LayoutWriter::texelPlace(const Copy &copy,
                                     const std::string &texel) {
  const int64_t width = copy.image->width;
  bool isPower = (width & (width - 1)) == 0;
  unsigned bits = 0;
  while ((int64_t(1) << bits) < width)
    ++bits;
  std::string x = " % " + std::to_string(width);
  std::string y = " / " + std::to_string(width);
  if (width == 0) {
    x = " & " +
        parameterFor(copy.name + "_mask", {copy.name + "_width - 1", {}});
    y = " >> " + parameterFor(copy.name + "_bits", {copy.name + "_shift", {}});
  } else if (isPower) {
    x = " & " + std::to_string(width - 1);
    y = " >> " + std::to_string(bits);
  }
  return "(int)((" + texel + ")" + x + "), (int)((" + texel + ")" + y + ")";
}

/// `as_float(read_imageui(p_image, sampler, (int2)(j, i)).x)`; nothing when
/// the texel is not known in this form.
std::optional<std::string> LayoutWriter::texelText(const Copy &copy,
                                                   const ImageRead &read) {
  const ImageForm &form = copy.form;
  std::string place;
  unsigned channel = 0;
  std::optional<ConstantRemainder> part;
  std::optional<std::string> column, row;
  if (form.isPlane) {
    if (read.subscripts.size() != 2 ||
        !(part = splitBy(read.subscripts[1], form.channels)))
      return std::nullopt;
    bool isWide = needsWide(read.subscripts);
    column = polynomialText(part->quotient, isWide);
    row = polynomialText(read.subscripts[0], isWide);
    if (!column || !row)
      return std::nullopt;
    place = isWide ? "(int)(" + *column + "), (int)(" + *row + ")"
                   : *column + ", " + *row;
  } else if (read.index && read.step == form.channels) {
    const SourceRange &range = read.index->range;
    place = texelPlace(copy, model.unit->spelling(range.begin, range.end));
  } else {
    if (!read.offset || !(part = splitBy(*read.offset, form.channels)))
      return std::nullopt;
    column = polynomialText(part->quotient, needsWide({part->quotient}));
    if (!column)
      return std::nullopt;
    place = texelPlace(copy, *column);
  }
  channel = part ? part->remainder : 0;
  if (channel + read.lanes > form.channels)
    return std::nullopt;
  if (read.fromHalf && halfHelper.empty())
    halfHelper = options.fresh(model.function->name + "_half");
  if (read.fromHalf)
    halfLanes.insert(read.lanes);
  return texelValue(read, channel,
                    copy.name + ", " + sampler + ", (int2)(" + place + ")",
                    halfHelper);
}

} // namespace clopt
