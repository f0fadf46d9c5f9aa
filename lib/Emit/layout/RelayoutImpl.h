//===- RelayoutImpl.h - the parts of Relayout -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relayout.cpp decides which accesses and cells are converted,
// RelayoutConversions.cpp writes the conversions, RelayoutImages.cpp deals with
// images, RelayoutPadding.cpp with sums over rows that end in zeros,
// RelayoutText.cpp writes the kernel.
//
// Tested by test/unit/RelayoutTest.cpp, test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_RELAYOUTIMPL_H
#define CLOPT_EMIT_RELAYOUTIMPL_H

#include "Emit/body/BodyWriter.h"
#include "Emit/layout/ConversionKernels.h"
#include "Emit/layout/ImageReads.h"
#include "Emit/layout/Relayout.h"

#include <set>

namespace clopt {

/// A box of cells of the copy.
struct Box {
  std::vector<HostNumber> low, count;
};

struct Copy {
  unsigned array = 0;
  const DataSpace *space = nullptr;
  const CopyRequest *image = nullptr; ///< an image, else null
  ImageForm form;                     ///< of the image
  bool isConstant = false;            ///< the buffer itself, in constant memory
  std::string name;
  std::set<unsigned> accesses;
  std::optional<isl::set> reads, writes; ///< { A[s] } cells, by the ends
  Box box;
  std::vector<HostNumber> steps; ///< distance of neighbours, per dimension
  int64_t pad = 0;               ///< as requested
  bool isMinus = false;          ///< the zeros are -0
  HostNumber zeros = HostNumber::of(0); ///< at the end of every row
};

/// A sum as it is written.
struct SumText {
  bool isNegative = false; ///< the first term has a minus
  std::string magnitude = "0";
  bool isOperand = true; ///< one number, name or call

  std::string text() const { return (isNegative ? "-" : "") + magnitude; }
  bool isZero() const { return magnitude == "0"; }
  void add(bool isMinus, const std::string &term);
  SumText plus(const SumText &other) const;
  SumText times(const std::string &factor) const;
};

/// A loop that sums along padded rows.
struct PaddedLoop {
  unsigned loop = 0;
  isl::set values; ///< { [k] } of its iterator, by the ends
};

/// high - low
std::string distanceText(const HostNumber &low, const HostNumber &high);

/// The length of a row with its zeros.
HostNumber plusZeros(const HostNumber &count, const HostNumber &zeros);

/// Text in place of a range of the kernel.
struct Replacement {
  int64_t begin = 0, end = 0;
  std::string text;
};

class LayoutWriter {
public:
  LayoutWriter(const TransformedKernel &start,
               const std::vector<CopyRequest> &wanted,
               const RelayoutOptions &how, LoweringError &problem)
      : kernel(start), model(*start.model), requests(wanted), options(how),
        error(problem), dims(workCoordinates(model)),
        names(parameterNames(model, true)) {}

  std::optional<RelaidKernel> run();

private:
  bool fail(const std::string &rule, const std::string &message,
            const std::string &hint = "") {
    if (error.message.empty())
      error = {rule, message, hint};
    return false;
  }

  // Which accesses
  bool checkFile();
  bool checkAccess(const Access &access);
  bool collect(const CopyRequest &request);
  bool readsApart(unsigned array) const;
  bool assignAccesses();
  std::optional<std::vector<Polynomial>> subscriptsIn(const Copy &copy,
                                                      const Access &access);
  const std::string &arrayName(const Copy &copy) const {
    return model.arrays[copy.array].name;
  }

  // Images
  bool collectImage(const CopyRequest &request);
  bool assignImage(unsigned index);
  bool makeImage(const Copy &copy);
  bool requireApart(unsigned array);

  // Constant memory
  bool collectConstant(const CopyRequest &request);
  bool assignConstant(unsigned index);
  void makeConstant(const Copy &copy);

  // Texels
  std::optional<std::string> rowLength(const Copy &copy);
  std::string imageWidth(const Copy &copy, const std::string &texels);
  std::string texelPlace(const Copy &copy, const std::string &texel);
  std::optional<std::string> texelText(const Copy &copy, const ImageRead &read);

  // Which cells
  void nameEnds();
  std::optional<isl::set> cellsOf(const Copy &copy, bool isWrite) const;
  isl::set imageOf(const Copy &copy, const isl::set &cells) const;
  std::optional<HostNumber> bound(const isl::set &cells, int dim, bool isLow);
  bool makeBox(const isl::set &image, const std::string &stem, Box &box);
  bool makeGeometry(Copy &copy);
  void requireCells(const isl::set &cells);
  HostNumber define(const std::string &name, const std::string &value);
  void require(const std::string &condition, const std::string &reason);
  bool makeConditions();

  // Zeros at the ends of rows
  bool padSums();
  std::optional<unsigned> paddedCopyOf(const Access &access) const;
  bool mayRunFurther(unsigned loop, isl::set &values);
  bool runsOverTheZeros(unsigned loop, const isl::set &values);
  bool isLastOfRow(const Copy &copy, const Access &access, unsigned loop) const;
  std::optional<std::string> addsZeros(unsigned loop, bool onlyMinus);
  std::vector<PaddedLoop> sumsToPad(int64_t width);
  bool lengthenLoop(const PaddedLoop &padded, int64_t width);

  // Conversions
  std::string product(const std::string &left, const HostNumber &right) const;
  std::vector<HostNumber> arraySteps(const Copy &copy);
  std::string lastCell(const Copy &copy, const isl::set &cells);
  bool isBoxOf(const Copy &copy, const isl::set &cells) const;
  bool makeBuffer(Copy &copy);
  bool addConversion(Copy &copy, const isl::set &cells, bool isBack);

  // The kernel
  const Variable *idInScope(unsigned dim, bool wide) const;
  std::optional<std::string> symbolText(SymbolId id, bool isWide);
  bool isWide(SymbolId id) const;
  bool needsWide(const std::vector<Polynomial> &values) const;
  /// "2 * i * n + k - 1"
  std::optional<std::string> polynomialText(const Polynomial &value, bool wide);
  std::optional<SumText> polynomialSum(const Polynomial &value, bool wide);
  std::string originText(const Array &array);
  std::string parameterFor(const std::string &name, const HostNumber &value);
  std::optional<std::string> cellText(Copy &copy, const Access &access);
  bool isInScope(const Variable *variable) const;
  bool replace(const SourceRange &range, const std::string &text,
               const std::string &what);
  bool replaceAccesses();
  bool writeKernel();

  const TransformedKernel &kernel;
  const KernelModel &model;
  const std::vector<CopyRequest> &requests;
  const RelayoutOptions &options;
  LoweringError &error;
  std::vector<unsigned> dims;
  AstNames names;
  std::vector<std::string> endParameters, endVariables;
  std::vector<Copy> copies;
  SymbolTable symbols; ///< the model's, and divisions of the new subscripts
  std::map<unsigned, unsigned> copyOf; ///< access to index of its copy
  std::vector<Replacement> replacements;
  const Expr *accessExpr = nullptr;    ///< being written, or null
  std::vector<std::string> parameters; ///< further ones of the kernel
  std::string sampler;                 ///< name, when there are images
  std::string halfHelper;              ///< name, when halves become floats
  std::set<unsigned> halfLanes;
  RelaidKernel result;
};

} // namespace clopt

#endif // CLOPT_EMIT_RELAYOUTIMPL_H
