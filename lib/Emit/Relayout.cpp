//===- Relayout.cpp - a kernel that works on converted buffers ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which cells are copied: the transform takes the cells that the kernel reads
// to the copy, and the box around their images is filled. Cells of the box that
// nobody reads come from between two addresses of the buffer that the kernel
// accesses, or are left out. Written cells have to be a box themselves, which
// is copied back, so that no other cell of the author's buffer is written.
//
// Rows of the copy are padded to whole segments of memory. The copy is a buffer
// of its own, so it is `restrict`; that the author's array does not overlap
// others that are written is a condition of the plan.
//
// Tested by test/unit/RelayoutTest.cpp, test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/Relayout.h"

#include "Emit/BodyWriter.h"
#include "Emit/ConversionKernels.h"
#include "Emit/Guards.h"
#include "Emit/PlannedKernel.h"
#include "Emit/TileDomains.h"

#include <isl/ast_build.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

/// Rows begin at multiples of this many bytes.
static constexpr int64_t segmentBytes = 128;
/// Subscripts of the copy, and their lower bounds, stay below this.
static constexpr int64_t largestIndex = 1 << 30;

namespace {

/// A box of cells of the copy.
struct Box {
  std::vector<HostNumber> low, count;
};

struct Copy {
  unsigned array = 0;
  const DataSpace *space = nullptr;
  const CopyRequest *image = nullptr; ///< an image, else null
  std::string name;
  std::set<unsigned> accesses;
  std::optional<isl::set> reads, writes; ///< { A[s] } cells, by the ends
  Box box;
  std::vector<HostNumber> steps; ///< distance of neighbours, per dimension
};

/// Text in place of a range of the kernel.
struct Replacement {
  int64_t begin = 0, end = 0;
  std::string text;
};

class Relayer {
public:
  Relayer(const TransformedKernel &start,
          const std::vector<CopyRequest> &wanted, const RelayoutOptions &how,
          LoweringError &problem)
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
  std::optional<std::string> elementText(const Access &access);
  std::optional<std::string> texelText(const Copy &copy, const Access &access);

  // Which cells
  void nameEnds();
  std::optional<isl::set> cellsOf(const Copy &copy, bool isWrite) const;
  isl::set imageOf(const Copy &copy, const isl::set &cells) const;
  std::optional<HostNumber> bound(const isl::set &cells, int dim, bool isLow);
  bool makeBox(const isl::set &image, const std::string &stem, Box &box);
  bool makeGeometry(Copy &copy);
  bool requireCells(const isl::set &cells);
  HostNumber define(const std::string &name, const std::string &value);
  void require(const std::string &condition, const std::string &reason);
  bool makeConditions();

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
  std::optional<std::string> polynomialText(const Polynomial &value, bool wide);
  std::string parameterFor(const std::string &name, const HostNumber &value);
  std::optional<std::string> cellText(Copy &copy, const Access &access);
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
  int64_t accessBegin = -1; ///< where the access that is written stands
  std::vector<std::string> parameters; ///< further ones of the kernel
  std::string sampler;                 ///< name, when there are images
  RelaidKernel result;
};

} // namespace

//===-- Which accesses ----------------------------------------------------===//

/// The second kernel stands at the end of the file, so everything in front of
/// it has to mean the same there.
bool Relayer::checkFile() {
  const Function &function = *model.function;
  const std::string &text = model.unit->text;
  if (!function.isEditable)
    return fail("clopt-macro-body", "the kernel's body comes from a macro");
  size_t at = static_cast<size_t>(function.bodyRange.begin);
  for (size_t next = at; next < text.size(); next = text.find('\n', next)) {
    next = text.find_first_not_of(" \t\r\n", next);
    if (next == std::string::npos)
      break;
    if (text[next] == '#')
      return fail("clopt-macro-body",
                  "a directive follows the beginning of the kernel",
                  "move directives to the top of the file");
  }
  return true;
}

bool Relayer::checkAccess(const Access &access) {
  const Array &array = model.arrays[access.array];
  if (access.isOrdered)
    return fail("clopt-ordered-effect",
                "'" + array.name + "' has atomic or volatile accesses");
  if (access.subscripts.empty() || !access.isExact || !access.expr)
    return fail("clopt-non-affine-subscript",
                "not every access to '" + array.name + "' is known exactly");
  bool isPlain =
      access.expr->kind == ExprKind::Subscript ||
      (access.expr->kind == ExprKind::Unary && access.expr->op == Op::Deref);
  if (!isPlain || access.width != 1)
    return fail("clopt-not-profitable",
                "'" + array.name + "' is accessed in whole vectors");
  if (!access.expr->range.isEditable())
    return fail("clopt-macro-body",
                "an access to '" + array.name + "' comes from a macro");
  return true;
}

bool Relayer::collect(const CopyRequest &request) {
  if (request.isImage)
    return collectImage(request);
  const Array &array = model.arrays[request.array];
  bool isParameter = array.var && array.var->isParam;
  if (!isParameter || array.space != AddressSpace::Global)
    return fail("clopt-not-profitable",
                "'" + array.name + "' is no buffer of the host");
  bool isKnownSize = array.elementBytes == 1 || array.elementBytes == 2 ||
                     array.elementBytes == 4 || array.elementBytes == 8;
  if (!array.elementType.isScalar() || !isKnownSize)
    return fail("clopt-not-profitable",
                "the elements of '" + array.name + "' are not scalars");
  if (request.space.sourceRank() != array.rank)
    return fail("clopt-not-profitable", "'" + array.name + "' has " +
                                            std::to_string(array.rank) +
                                            " dimensions");
  Copy copy;
  copy.array = request.array;
  copy.space = &request.space;
  copy.name = options.fresh(array.name + "_t");
  result.copies.push_back(copy.name);
  copies.push_back(std::move(copy));
  return true;
}

std::optional<std::vector<Polynomial>>
Relayer::subscriptsIn(const Copy &copy, const Access &access) {
  return copy.space->apply(access.subscripts, symbols);
}

/// Every access takes the first copy in which its last subscript has no
/// constant, or the first that has its cell.
bool Relayer::assignAccesses() {
  for (const Access &access : model.accesses) {
    std::optional<unsigned> chosen;
    bool isConverted = false, isWritten = false;
    for (const Access &other : model.accesses)
      isWritten |= other.array == access.array && other.isWrite;
    unsigned count = 0;
    for (unsigned at = 0; at < copies.size(); ++at) {
      if (copies[at].array != access.array || copies[at].image)
        continue;
      isConverted = true;
      ++count;
      if (!checkAccess(access))
        return false;
      auto subscripts = subscriptsIn(copies[at], access);
      if (!subscripts)
        continue;
      const auto &terms = subscripts->back().terms;
      bool isAligned = terms.find({}) == terms.end();
      if (!chosen || isAligned) {
        bool isBetter =
            !chosen ||
            subscriptsIn(copies[*chosen], access)->back().terms.count({});
        chosen = isBetter ? at : *chosen;
      }
    }
    const std::string &name = model.arrays[access.array].name;
    if (isConverted && isWritten && count > 1)
      return fail("clopt-dependence", "'" + name +
                                          "' is written, and would have "
                                          "several copies to be kept alike");
    if (isConverted && isWritten && !chosen)
      return fail("clopt-dependence",
                  "'" + name + "' is written, and the copy has not all cells");
    if (!chosen)
      continue;
    copyOf[access.id] = *chosen;
    copies[*chosen].accesses.insert(access.id);
  }
  for (unsigned at = 0; at < copies.size(); ++at)
    if (copies[at].image && !assignImage(at))
      return false;
  for (const Copy &copy : copies)
    if (copy.accesses.empty())
      return fail("clopt-not-profitable",
                  "no access to '" + arrayName(copy) + "' would use the copy");
  return true;
}

//===-- Images ------------------------------------------------------------===//

namespace {

/// How elements of a type are kept and read.
struct TexelForm {
  const char *channelType = nullptr;
  const char *read = nullptr;
};

} // namespace

static TexelForm texelForm(const Type &type) {
  if (!type.isScalar())
    return {};
  switch (type.scalar) {
  case ScalarKind::Float:
    return {"CL_FLOAT", "read_imagef"};
  case ScalarKind::Int:
    return {"CL_SIGNED_INT32", "read_imagei"};
  case ScalarKind::UInt:
    return {"CL_UNSIGNED_INT32", "read_imageui"};
  case ScalarKind::Short:
    return {"CL_SIGNED_INT16", "read_imagei"};
  case ScalarKind::UShort:
    return {"CL_UNSIGNED_INT16", "read_imageui"};
  case ScalarKind::Char:
    return {"CL_SIGNED_INT8", "read_imagei"};
  case ScalarKind::UChar:
    return {"CL_UNSIGNED_INT8", "read_imageui"};
  default:
    return {};
  }
}

bool Relayer::collectImage(const CopyRequest &request) {
  const Array &array = model.arrays[request.array];
  bool isBuffer = array.var && array.var->isParam &&
                  (array.space == AddressSpace::Global ||
                   array.space == AddressSpace::Constant);
  if (!isBuffer)
    return fail("clopt-not-profitable",
                "'" + array.name + "' is no buffer of the host");
  if (!texelForm(array.elementType).channelType)
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

/// All reads of the array go to the image, and there are no others.
bool Relayer::assignImage(unsigned index) {
  Copy &copy = copies[index];
  const std::string &name = arrayName(copy);
  for (const Access &access : model.accesses) {
    if (access.array != copy.array)
      continue;
    if (access.isWrite)
      return fail("clopt-dependence",
                  "'" + name + "' is written, and images are only read");
    if (access.isOrdered)
      return fail("clopt-ordered-effect",
                  "'" + name + "' has atomic or volatile accesses");
    bool isPlain = access.expr && access.width == 1 &&
                   (access.expr->kind == ExprKind::Subscript ||
                    (access.expr->kind == ExprKind::Unary &&
                     access.expr->op == Op::Deref));
    if (!isPlain)
      return fail("clopt-opaque-code",
                  "not every access to '" + name + "' reads one element");
    if (!access.expr->range.isEditable())
      return fail("clopt-macro-body",
                  "an access to '" + name + "' comes from a macro");
    if (copyOf.count(access.id))
      return fail("clopt-dependence", "'" + name + "' is converted already");
    copyOf[access.id] = index;
    copy.accesses.insert(access.id);
  }
  return true;
}

/// The image is a snapshot: nothing that is written may be part of it.
bool Relayer::requireApart(unsigned array) {
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

bool Relayer::makeImage(const Copy &copy) {
  const Array &array = model.arrays[copy.array];
  const std::string width = std::to_string(copy.image->width);
  std::string row = std::to_string(copy.image->width * array.elementBytes);
  std::string rows =
      define(copy.name + "_rows",
             "ceildiv(buffer_bytes(" + array.name + "), (ulong)" + row + ")")
          .text;
  require("CL_DEVICE_IMAGE_SUPPORT && " + width +
              " <= CL_DEVICE_IMAGE2D_MAX_WIDTH && " + rows +
              " <= CL_DEVICE_IMAGE2D_MAX_HEIGHT && " + rows + " >= 1",
          "the device has images of this size");
  PlanImage image;
  image.name = copy.name;
  image.source = array.name;
  image.width = width;
  image.height = rows;
  image.channelOrder = "CL_R";
  image.channelType = texelForm(array.elementType).channelType;
  result.changes.images.push_back(std::move(image));
  return true;
}

/// The number of the element as the author writes it, `col[k]` of `p[col[k]]`,
/// or from the model.
std::optional<std::string> Relayer::elementText(const Access &access) {
  const Array &array = model.arrays[access.array];
  const Expr &expr = *access.expr;
  ExprRef base = expr.operands[0];
  while (base->kind == ExprKind::Cast && base->implicit)
    base = base->operands[0];
  bool isDirect = expr.kind == ExprKind::Subscript &&
                  base->kind == ExprKind::VarRef && base->var == array.var;
  if (!isDirect) {
    if (!access.offset || access.offset->overflow)
      return std::nullopt;
    return polynomialText(*access.offset, needsWide({*access.offset}));
  }
  const ExprRef &index = expr.operands[1];
  bool isRepeatable = index->range.isEditable();
  forEachExpr(index, [&](const ExprRef &part) {
    bool changes =
        part->kind == ExprKind::Assign || part->kind == ExprKind::Opaque ||
        part->op == Op::PreInc || part->op == Op::PreDec ||
        part->op == Op::PostInc || part->op == Op::PostDec ||
        (part->kind == ExprKind::Call && part->effect != CallEffect::Pure);
    isRepeatable &= !changes;
  });
  if (!isRepeatable)
    return std::nullopt;
  const SourceRange &range = index->range;
  return model.unit->text.substr(static_cast<size_t>(range.begin),
                                 static_cast<size_t>(range.end - range.begin));
}

/// `read_imagef(p_image, sampler, (int2)((int)(p & 63), (int)(p >> 6))).x`
std::optional<std::string> Relayer::texelText(const Copy &copy,
                                              const Access &access) {
  std::optional<std::string> element = elementText(access);
  if (!element)
    return std::nullopt;
  const Type &type = model.arrays[copy.array].elementType;
  const int64_t width = copy.image->width;
  bool isPower = (width & (width - 1)) == 0;
  unsigned bits = 0;
  while ((int64_t(1) << bits) < width)
    ++bits;
  std::string x = isPower ? " & " + std::to_string(width - 1)
                          : " % " + std::to_string(width);
  std::string y =
      isPower ? " >> " + std::to_string(bits) : " / " + std::to_string(width);
  std::string text = std::string(texelForm(type).read) + "(" + copy.name +
                     ", " + sampler + ", (int2)((int)((" + *element + ")" + x +
                     "), (int)((" + *element + ")" + y + "))).x";
  if (type.size < 4)
    text = "((" + typeName(type.scalar) + ")" + text + ")";
  return text;
}

//===-- Which cells -------------------------------------------------------===//

/// Global sizes are written as the end of the launch, which has a name.
void Relayer::nameEnds() {
  endParameters = computeTileDomains(kernel).endNames;
  for (size_t i = 0; i < dims.size(); ++i) {
    endVariables.emplace_back();
    if (endParameters[i].empty())
      continue;
    std::string dim = std::to_string(dims[i]);
    std::string name = options.fresh("end_" + std::string(1, "xyz"[dims[i]]));
    endVariables.back() = name;
    names.names[endParameters[i]] = LinearForm::ofTerm(name);
    names.wideTerms.insert(name);
    result.changes.definitions.push_back(
        {name, "(long)(get_global_offset(" + dim + ") + get_global_size(" +
                   dim + "))"});
  }
}

std::optional<isl::set> Relayer::cellsOf(const Copy &copy, bool isWrite) const {
  isl_set *cells = nullptr;
  for (unsigned id : copy.accesses) {
    const Access &access = model.accesses[id];
    if (access.isWrite != isWrite)
      continue;
    isl::set domain =
        model.statements[access.statement].domain.intersect_params(
            model.paramContext);
    // { A[s] }
    isl_set *one = isl_map_range(
        isl_map_intersect_domain(access.relation.copy(), domain.release()));
    cells = cells ? isl_set_union(cells, one) : one;
  }
  if (!cells)
    return std::nullopt;
  return isl::manage(isl_set_coalesce(isl_set_remove_redundancies(
      replaceSizes(model, dims, endParameters, cells))));
}

/// { T[t] }
isl::set Relayer::imageOf(const Copy &copy, const isl::set &cells) const {
  const char *tuple = isl_set_get_tuple_name(cells.get());
  isl::map relation(isl::ctx(model.context.get()),
                    copy.space->relation(tuple ? tuple : "", "T"));
  return isl::manage(
      isl_set_coalesce(isl_set_apply(cells.copy(), relation.release())));
}

/// The least or the greatest coordinate.
std::optional<HostNumber> Relayer::bound(const isl::set &cells, int dim,
                                         bool isLow) {
  isl_pw_aff *value = isLow ? isl_set_dim_min(cells.copy(), dim)
                            : isl_set_dim_max(cells.copy(), dim);
  if (!value) {
    isl_ctx_reset_error(model.context.get());
    return std::nullopt;
  }
  isl::set params = isl::manage(isl_set_params(cells.copy()));
  value = isl_pw_aff_coalesce(isl_pw_aff_gist_params(value, params.copy()));
  isl_ast_build *build = isl_ast_build_from_context(params.release());
  isl::ast_expr expr =
      isl::manage(isl_ast_build_expr_from_pw_aff(build, value));
  isl_ast_build_free(build);
  PrintedText printed = printAst(expr, names);
  const std::string &text = printed.text;
  bool isNumber =
      !text.empty() && text.size() < 10 &&
      text.find_first_not_of("0123456789", text[0] == '-') == std::string::npos;
  if (isNumber)
    return HostNumber::of(std::stoll(text));
  return HostNumber{atLeast(printed, PrecUnary), {}};
}

HostNumber Relayer::define(const std::string &name, const std::string &value) {
  result.changes.definitions.push_back({name, "(long)(" + value + ")"});
  return {name, {}};
}

void Relayer::require(const std::string &condition, const std::string &reason) {
  for (const PlanCondition &other : result.changes.conditions)
    if (other.expression == condition)
      return;
  result.changes.conditions.push_back({condition, reason});
}

/// high - low
static std::string distanceText(const HostNumber &low, const HostNumber &high) {
  if (low.value == 0)
    return high.text;
  bool isPlain = !low.value || *low.value > 0;
  return high.text + " - " + (isPlain ? low.text : "(" + low.text + ")");
}

bool Relayer::makeBox(const isl::set &image, const std::string &stem,
                      Box &box) {
  int rank = static_cast<int>(isl_set_dim(image.get(), isl_dim_set));
  for (int r = 0; r < rank; ++r) {
    std::optional<HostNumber> low, high;
    try {
      low = bound(image, r, true);
      high = bound(image, r, false);
    } catch (const isl::exception_invalid &) {
    }
    if (!low || !high)
      return fail("clopt-unguardable-footprint",
                  "the cells that are used are not bounded by the launch");
    std::string suffix = std::to_string(r);
    if (!low->value)
      low = define(stem + "_low" + suffix, low->text);
    HostNumber count;
    if (low->value && high->value)
      count = HostNumber::of(*high->value - *low->value + 1);
    else
      count = define(stem + "_n" + suffix, distanceText(*low, *high) + " + 1");
    box.low.push_back(*low);
    box.count.push_back(count);
  }
  return true;
}

/// Launches that access nothing are not for this variant.
bool Relayer::requireCells(const isl::set &cells) {
  isl_set *params = isl_set_params(cells.copy());
  isl_set *context =
      replaceSizes(model, dims, endParameters, model.paramContext.copy());
  context = isl_set_params(context);
  params = isl_set_coalesce(isl_set_remove_redundancies(
      isl_set_gist_params(params, isl_set_copy(context))));
  if (isl_set_plain_is_universe(params) == isl_bool_true) {
    isl_set_free(params);
    isl_set_free(context);
    return true;
  }
  isl_ast_build *build = isl_ast_build_from_context(context);
  isl::ast_expr expr = isl::manage(isl_ast_build_expr_from_set(build, params));
  isl_ast_build_free(build);
  require(printAst(expr, names).text, "there are cells to copy");
  return true;
}

/// Box, pitch and size of the copy.
bool Relayer::makeGeometry(Copy &copy) {
  copy.reads = cellsOf(copy, false);
  copy.writes = cellsOf(copy, true);
  isl::set all = copy.reads && copy.writes ? copy.reads->unite(*copy.writes)
                 : copy.reads              ? *copy.reads
                                           : *copy.writes;
  requireCells(all);
  if (!makeBox(imageOf(copy, all), copy.name, copy.box))
    return false;
  const Array &array = model.arrays[copy.array];
  const int64_t segment = segmentBytes / array.elementBytes;
  size_t rank = copy.box.count.size();
  HostNumber row = copy.box.count.back();
  if (rank > 1 && row.value)
    row = HostNumber::of((*row.value + segment - 1) / segment * segment);
  else if (rank > 1)
    row = define(copy.name + "_pitch",
                 "roundup(" + row.text + ", " + std::to_string(segment) + ")");
  copy.steps.assign(rank, HostNumber::of(1));
  HostNumber step = HostNumber::of(1);
  for (size_t r = rank; r-- > 0;) {
    copy.steps[r] = step;
    const HostNumber &count = r + 1 == rank ? row : copy.box.count[r];
    std::string text = product(step.text, count);
    step = step.value && count.value
               ? HostNumber::of(*step.value * *count.value)
               : HostNumber{text, {}};
    const HostNumber &low = copy.box.low[r];
    if (!low.value)
      require(low.text + " >= -" + std::to_string(largestIndex) + " && " +
                  low.text + " <= " + std::to_string(largestIndex),
              "subscripts of the copy stay within int");
    if (!copy.box.count[r].value)
      require(copy.box.count[r].text + " >= 1 && " + copy.box.count[r].text +
                  " <= " + std::to_string(largestIndex),
              "subscripts of the copy stay within int");
  }
  std::string cells = define(copy.name + "_cells", step.text).text;
  require(cells + " <= 2147483647", "subscripts of the copy stay within int");
  result.changes.buffers.push_back(
      {copy.name, array.name,
       cells + " * " + std::to_string(array.elementBytes)});
  return true;
}

/// What the model relied on, and that nobody else writes to the cells.
bool Relayer::makeConditions() {
  TransformedKernel guarded = kernel;
  std::set<unsigned> converted;
  for (const Copy &copy : copies)
    if (copy.image && !requireApart(copy.array))
      return false;
    else if (!copy.image)
      converted.insert(copy.array);
  auto isWritten = [&](unsigned array) {
    return std::any_of(model.accesses.begin(), model.accesses.end(),
                       [&](const Access &access) {
                         return access.array == array && access.isWrite;
                       });
  };
  std::set<unsigned> involved = converted;
  for (unsigned array : converted)
    for (unsigned other = 0; other < model.arrays.size(); ++other) {
      if (other == array || areDisjoint(model, array, other) ||
          (!isWritten(array) && !isWritten(other)))
        continue;
      if (options.alias == AliasMode::None)
        continue;
      if (options.alias == AliasMode::Strict)
        return fail("clopt-may-alias",
                    "'" + model.arrays[array].name + "' and '" +
                        model.arrays[other].name + "' may overlap",
                    "add `restrict`");
      guarded.disjointArrays.insert(std::minmax(array, other));
      involved.insert(other);
    }
  for (unsigned at = 0; at < model.assumptions.size(); ++at)
    if (involved.count(static_cast<unsigned>(model.assumptions[at].array)))
      guarded.usedAssumptions.insert(at);
  Guards guards = makeGuards(guarded, endParameters, endVariables,
                             options.fresh, GuardScope::Host);
  if (guards.error) {
    error = *guards.error;
    return false;
  }
  addGuards(guards, result.changes);
  return true;
}

//===-- Conversions -------------------------------------------------------===//

std::string Relayer::product(const std::string &left,
                             const HostNumber &right) const {
  if (right.value == 1)
    return left;
  if (left == "1")
    return right.text;
  return left + " * " + right.text;
}

/// Distances of neighbouring cells of the author's array, per dimension.
std::vector<HostNumber> Relayer::arraySteps(const Copy &copy) {
  const Array &array = model.arrays[copy.array];
  std::vector<HostNumber> steps;
  for (unsigned d = 0; d < array.rank; ++d) {
    Polynomial step(1);
    for (unsigned e = d + 1; e < array.rank; ++e)
      step = step * array.extents[e];
    if (std::optional<int64_t> constant = step.asConstant()) {
      steps.push_back(HostNumber::of(*constant));
      continue;
    }
    std::optional<std::string> text = polynomialText(step, true);
    if (!text) {
      fail("clopt-non-affine-subscript",
           "the rows of '" + array.name + "' have a length without a name");
      return {};
    }
    steps.push_back({"(" + *text + ")", {}});
  }
  return steps;
}

/// sum of factors[d] * steps[d]
static HostNumber sumOf(const std::vector<int64_t> &factors,
                        const std::vector<HostNumber> &steps) {
  int64_t known = 0;
  std::string text;
  for (size_t d = 0; d < steps.size(); ++d) {
    if (factors[d] == 0)
      continue;
    if (steps[d].value) {
      known += factors[d] * *steps[d].value;
      continue;
    }
    text += (text.empty() ? "" : " + ") +
            (factors[d] == 1 ? "" : std::to_string(factors[d]) + " * ") +
            steps[d].text;
  }
  if (text.empty())
    return HostNumber::of(known);
  if (known)
    text += " + " + std::to_string(known);
  return {"(" + text + ")", {}};
}

/// base + sum of low[r] * steps[r]
static HostNumber placeOf(const HostNumber &base,
                          const std::vector<HostNumber> &low,
                          const std::vector<HostNumber> &steps) {
  int64_t known = base.value.value_or(0);
  std::string text = base.value ? "" : base.text;
  for (size_t r = 0; r < low.size(); ++r) {
    if (low[r].value == 0 || steps[r].value == 0)
      continue;
    if (low[r].value && steps[r].value) {
      known += *low[r].value * *steps[r].value;
      continue;
    }
    std::string place = "(long)(" + low[r].text + ")";
    if (low[r].value == 1)
      place = steps[r].text;
    else if (steps[r].value != 1)
      place += " * " + steps[r].text;
    text += (text.empty() ? "" : " + ") + place;
  }
  if (text.empty())
    return HostNumber::of(known);
  if (known)
    text += " + " + std::to_string(known);
  return {text, {}};
}

/// One past the last cell in the order of addresses.
std::string Relayer::lastCell(const Copy &copy, const isl::set &cells) {
  isl_pw_multi_aff *last = isl_set_lexmax_pw_multi_aff(cells.copy());
  std::vector<HostNumber> steps = arraySteps(copy);
  isl::set params = isl::manage(isl_set_params(cells.copy()));
  std::string text;
  for (unsigned d = 0; last && d < steps.size(); ++d) {
    isl_pw_aff *value = isl_pw_multi_aff_get_pw_aff(last, static_cast<int>(d));
    value = isl_pw_aff_coalesce(isl_pw_aff_gist_params(value, params.copy()));
    isl_ast_build *build = isl_ast_build_from_context(params.copy());
    isl::ast_expr expr =
        isl::manage(isl_ast_build_expr_from_pw_aff(build, value));
    isl_ast_build_free(build);
    text +=
        "(long)(" + printAst(expr, names).text + ") * " + steps[d].text + " + ";
  }
  isl_pw_multi_aff_free(last);
  return text + "1";
}

/// { [t_r] } all values between the least and the greatest of coordinate r.
static isl_set *spanOf(const isl::set &image, unsigned dim) {
  unsigned rank = isl_set_dim(image.get(), isl_dim_set);
  isl_set *line = isl_set_reset_tuple_id(image.copy());
  line = isl_set_project_out(line, isl_dim_set, dim + 1, rank - dim - 1);
  line = isl_set_project_out(line, isl_dim_set, 0, dim);
  isl_map *above =
      isl_map_read_from_str(isl_set_get_ctx(line), "{ [a] -> [t] : t >= a }");
  isl_map *below = isl_map_reverse(isl_map_copy(above));
  isl_set *fromLeast = isl_set_apply(isl_set_copy(line), above);
  isl_set *toGreatest = isl_set_apply(line, below);
  return isl_set_intersect(fromLeast, toGreatest);
}

/// True when the cells are all that the box around their images stands for.
bool Relayer::isBoxOf(const Copy &copy, const isl::set &cells) const {
  isl::set image = imageOf(copy, cells);
  unsigned rank = isl_set_dim(image.get(), isl_dim_set);
  isl_set *box = nullptr;
  for (unsigned r = 0; r < rank; ++r)
    box = box ? isl_set_flat_product(box, spanOf(image, r)) : spanOf(image, r);
  isl_set *plain = isl_set_reset_tuple_id(image.copy());
  isl::set hull = isl::manage(box);
  return hull.is_subset(isl::manage(plain));
}

bool Relayer::addConversion(Copy &copy, const isl::set &cells, bool isBack) {
  const Array &array = model.arrays[copy.array];
  ConversionShape shape;
  shape.name = options.fresh(model.function->name + "_" + copy.name +
                             (isBack ? "_out" : "_in"));
  shape.elementBytes = array.elementBytes;
  shape.isBack = isBack;
  bool isWhole = isBoxOf(copy, cells);
  if (isBack && !isWhole)
    return fail("clopt-non-affine-subscript",
                "the cells of '" + array.name +
                    "' that are written are no box in the copy");
  Box box;
  bool isAll = !copy.reads || !copy.writes;
  if (isAll)
    box = copy.box;
  else if (!makeBox(imageOf(copy, cells), copy.name + (isBack ? "_out" : "_in"),
                    box))
    return false;
  shape.counts = box.count;
  std::vector<HostNumber> steps = arraySteps(copy);
  if (steps.empty())
    return false;
  IntegerMatrix back = copy.space->inverse();
  for (size_t r = 0; r < box.count.size(); ++r) {
    std::vector<int64_t> column;
    for (const std::vector<int64_t> &row : back)
      column.push_back(row[r]);
    shape.originalSteps.push_back(sumOf(column, steps));
  }
  HostNumber base = sumOf(copy.space->inverseOffset(), steps);
  shape.originalBase = placeOf(base, box.low, shape.originalSteps);
  shape.copySteps = copy.steps;
  std::vector<HostNumber> distance;
  for (size_t r = 0; r < box.low.size(); ++r) {
    const HostNumber &own = box.low[r], &all = copy.box.low[r];
    if (own.value && all.value)
      distance.push_back(HostNumber::of(*own.value - *all.value));
    else if (own.text == all.text)
      distance.push_back(HostNumber::of(0));
    else
      distance.push_back({distanceText(all, own), {}});
  }
  shape.copyBase = placeOf(HostNumber::of(0), distance, copy.steps);
  if (!isWhole) {
    isl::set touched = cells;
    if (copy.reads && copy.writes)
      touched = copy.reads->unite(*copy.writes);
    shape.originalEnd =
        define(copy.name + "_end", lastCell(copy, touched)).text;
  }
  ConversionKernel conversion = writeConversion(shape);
  PlanArgument from, to;
  from.name = array.name;
  to.kind = PlanArgument::Kind::Buffer;
  to.name = copy.name;
  if (isBack)
    std::swap(from, to);
  auto &arguments = conversion.launch.arguments;
  arguments.insert(arguments.begin(), {from, to});
  (isBack ? result.changes.after : result.changes.before)
      .push_back({from.name, to.name, conversion.launch});
  result.conversions.push_back(shape.name);
  result.text += "\n\n// " + std::string(isBack ? "Writes " : "Fills ") +
                 (isBack ? copy.name + " back into " + array.name
                         : copy.name + " from " + array.name) +
                 ".\n" + conversion.text;
  return true;
}

//===-- The kernel --------------------------------------------------------===//

bool Relayer::isWide(SymbolId id) const {
  const Symbol &symbol = symbols[id];
  switch (symbol.kind) {
  case SymbolKind::Iterator:
  case SymbolKind::Param:
    return symbol.var && symbol.var->type.size > 4;
  case SymbolKind::GlobalId: {
    const Variable *variable = idVariable(model, symbol.dim);
    return !variable || variable->type.size > 4;
  }
  case SymbolKind::FloorDiv:
  case SymbolKind::Modulo:
    return needsWide({symbol.first});
  case SymbolKind::Product:
    return needsWide({symbol.first});
  default:
    return true;
  }
}

bool Relayer::needsWide(const std::vector<Polynomial> &values) const {
  for (const Polynomial &value : values)
    for (SymbolId id : value.symbols())
      if (isWide(id))
        return true;
  return false;
}

/// The `int` that holds the id, where it is declared in the outermost block and
/// not hidden by another variable of its name.
const Variable *Relayer::idInScope(unsigned dim, bool wide) const {
  const Variable *variable = idVariable(model, dim);
  if (wide || !variable || variable->type.size != 4 ||
      variable->type.isUnsigned())
    return nullptr;
  for (const auto &other : model.function->variables)
    if (other.get() != variable && other->name == variable->name)
      return nullptr;
  std::vector<StmtRef> open = {model.function->body};
  for (size_t at = 0; at < open.size(); ++at) {
    const Stmt &stmt = *open[at];
    if (stmt.kind == StmtKind::Decl && stmt.var == variable)
      return stmt.range.begin < accessBegin ? variable : nullptr;
    if (stmt.kind == StmtKind::Group || at == 0)
      open.insert(open.end(), stmt.children.begin(), stmt.children.end());
  }
  return nullptr;
}

/// The symbol as an operand, of type `int`, or `long` if wide.
std::optional<std::string> Relayer::symbolText(SymbolId id, bool wide) {
  const Symbol &symbol = symbols[id];
  std::string cast = wide ? "(long)" : "(int)";
  std::string dim = std::to_string(symbol.dim);
  switch (symbol.kind) {
  case SymbolKind::Iterator:
  case SymbolKind::Param: {
    if (!symbol.var)
      return std::nullopt;
    bool isPlain =
        !wide && symbol.var->type.size == 4 && !symbol.var->type.isUnsigned();
    return isPlain ? symbol.var->name : cast + symbol.var->name;
  }
  case SymbolKind::GlobalId:
    if (const Variable *variable = idInScope(symbol.dim, wide))
      return variable->name;
    return cast + "get_global_id(" + dim + ")";
  case SymbolKind::LocalId:
    return cast + "get_local_id(" + dim + ")";
  case SymbolKind::GroupId:
    return cast + "get_group_id(" + dim + ")";
  case SymbolKind::GlobalSize:
    return cast + "get_global_size(" + dim + ")";
  case SymbolKind::LocalSize:
    return cast + "get_local_size(" + dim + ")";
  case SymbolKind::NumGroups:
    return cast + "get_num_groups(" + dim + ")";
  case SymbolKind::GlobalOffset:
    return cast + "get_global_offset(" + dim + ")";
  case SymbolKind::Product: {
    std::optional<std::string> text = polynomialText(symbol.first, wide);
    return text ? std::optional("(" + *text + ")") : std::nullopt;
  }
  case SymbolKind::FloorDiv:
  case SymbolKind::Modulo: {
    // Those of the copy divide subscripts, which are not negative.
    if (id < model.symbols.size())
      return std::nullopt;
    std::optional<std::string> text = polynomialText(symbol.first, wide);
    bool isDivision = symbol.kind == SymbolKind::FloorDiv;
    return text ? std::optional("((" + *text + ")" +
                                (isDivision ? " / " : " % ") +
                                std::to_string(symbol.constant) + ")")
                : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

/// "2 * i * n + k - 1"
std::optional<std::string> Relayer::polynomialText(const Polynomial &value,
                                                   bool wide) {
  std::vector<std::pair<Monomial, int64_t>> terms(value.terms.begin(),
                                                  value.terms.end());
  std::stable_sort(
      terms.begin(), terms.end(), [](const auto &a, const auto &b) {
        bool isFirst = a.second > 0, isSecond = b.second > 0;
        return isFirst != isSecond ? isFirst : a.first.size() > b.first.size();
      });
  std::string text;
  for (const auto &[monomial, coefficient] : terms) {
    bool isNegative = coefficient < 0;
    std::string term;
    for (SymbolId id : monomial) {
      std::optional<std::string> factor = symbolText(id, wide);
      if (!factor)
        return std::nullopt;
      term += (term.empty() ? "" : " * ") + *factor;
    }
    int64_t size = isNegative ? -coefficient : coefficient;
    if (term.empty())
      term = std::to_string(size);
    else if (size != 1)
      term = std::to_string(size) + " * " + term;
    if (text.empty())
      text = isNegative ? "-" + term : term;
    else
      text += (isNegative ? " - " : " + ") + term;
  }
  return text.empty() ? "0" : text;
}

/// A number of the launch inside the kernel: an argument unless it is known.
std::string Relayer::parameterFor(const std::string &name,
                                  const HostNumber &value) {
  if (value.value)
    return std::to_string(*value.value);
  if (!result.arguments.count(name)) {
    PlanArgument argument;
    argument.kind = PlanArgument::Kind::Value;
    argument.type = "int";
    argument.value = value.text;
    result.arguments[name] = argument;
    parameters.push_back("int " + name);
  }
  return name;
}

/// True when a Split divides what a part before it may have made negative:
/// OpenCL C rounds quotients towards zero.
static bool dividesSigned(const DataSpace &space) {
  using Kind = LayoutPart::Kind;
  bool isSigned = false;
  for (const LayoutPart &part : space.list()) {
    if (part.kind == Kind::Split && isSigned)
      return true;
    isSigned |= part.kind != Kind::Split && part.kind != Kind::Exchange &&
                part.kind != Kind::Compact;
  }
  return false;
}

/// The cell in the copy: `B_t[j * B_t_pitch + k]`.
std::optional<std::string> Relayer::cellText(Copy &copy, const Access &access) {
  std::optional<std::vector<Polynomial>> subscripts =
      subscriptsIn(copy, access);
  if (!subscripts)
    return std::nullopt;
  for (const Polynomial &subscript : *subscripts)
    for (SymbolId id : subscript.symbols())
      if (id >= model.symbols.size() && dividesSigned(*copy.space))
        return std::nullopt;
  bool wide = needsWide(*subscripts);
  size_t rank = subscripts->size();
  std::string text;
  for (size_t r = 0; r < rank; ++r) {
    const HostNumber &low = copy.box.low[r];
    Polynomial value = (*subscripts)[r];
    std::string own;
    if (low.value)
      value = value - Polynomial(*low.value);
    std::optional<std::string> printed = polynomialText(value, wide);
    if (!printed)
      return std::nullopt;
    own = *printed;
    if (!low.value)
      own += " - " + parameterFor(copy.name + "_low" + std::to_string(r), low);
    if (r > 0) {
      HostNumber count = copy.box.count[r];
      std::string name = copy.name + "_n" + std::to_string(r);
      if (r + 1 == rank) {
        name = copy.name + "_pitch";
        count = copy.steps[r - 1];
      }
      std::string factor = parameterFor(name, count);
      bool isSum = text.find(' ') != std::string::npos;
      std::string row =
          text == "1"     ? factor
          : factor == "1" ? text
                          : (isSum ? "(" + text + ")" : text) + " * " + factor;
      text = text == "0" ? own : row + (own == "0" ? "" : " + " + own);
      if (text.find(" + -") != std::string::npos)
        text.replace(text.find(" + -"), 4, " - ");
    } else {
      text = own;
    }
  }
  return copy.name + "[" + text + "]";
}

bool Relayer::replaceAccesses() {
  for (const auto &[id, index] : copyOf) {
    const Access &access = model.accesses[id];
    const SourceRange &range = access.expr->range;
    bool isKnown = std::any_of(
        replacements.begin(), replacements.end(),
        [&](const Replacement &other) { return other.begin == range.begin; });
    if (isKnown)
      continue; // the read and the write of one `+=`
    accessBegin = range.begin;
    std::optional<std::string> text = copies[index].image
                                          ? texelText(copies[index], access)
                                          : cellText(copies[index], access);
    if (!text)
      return fail("clopt-non-affine-subscript",
                  "a subscript of '" + model.arrays[access.array].name +
                      "' has no closed form in the copy");
    replacements.push_back({range.begin, range.end, *text});
  }
  std::sort(replacements.begin(), replacements.end(),
            [](const Replacement &a, const Replacement &b) {
              return a.begin < b.begin;
            });
  for (size_t at = 1; at < replacements.size(); ++at)
    if (replacements[at].begin < replacements[at - 1].end)
      return fail("clopt-non-affine-subscript",
                  "a subscript is itself an access to a converted array");
  return true;
}

bool Relayer::writeKernel() {
  std::vector<std::string> buffers;
  for (const Copy &copy : copies) {
    const Array &array = model.arrays[copy.array];
    PlanArgument argument;
    argument.name = copy.name;
    if (copy.image) {
      buffers.push_back("__read_only image2d_t " + copy.name);
      argument.kind = PlanArgument::Kind::Image;
      result.arguments[copy.name] = argument;
      continue;
    }
    buffers.push_back(std::string("__global ") + (copy.writes ? "" : "const ") +
                      typeName(array.elementType.scalar) + " *restrict " +
                      copy.name);
    argument.kind = PlanArgument::Kind::Buffer;
    result.arguments[copy.name] = argument;
  }
  buffers.insert(buffers.end(), parameters.begin(), parameters.end());
  std::optional<std::string> head = kernelHead(model, result.name, buffers);
  if (!head)
    return fail("clopt-macro-body", "the kernel's head comes from a macro");
  const SourceRange &body = model.function->bodyRange;
  std::string text = *head;
  int64_t at = body.begin;
  auto keep = [&](int64_t end) {
    text += model.unit->text.substr(static_cast<size_t>(at),
                                    static_cast<size_t>(end - at));
  };
  for (const Replacement &replacement : replacements) {
    keep(replacement.begin);
    text += replacement.text;
    at = replacement.end;
  }
  keep(body.end);
  if (!sampler.empty())
    text = "// Texels are read as they are.\n__constant sampler_t " + sampler +
           " = CLK_NORMALIZED_COORDS_FALSE |\n        CLK_ADDRESS_NONE | "
           "CLK_FILTER_NEAREST;\n\n" +
           text;
  result.text = "\n\n" + text + result.text + "\n";
  return true;
}

/// The copy and the kernels that fill it and write it back.
bool Relayer::makeBuffer(Copy &copy) {
  if (!makeGeometry(copy))
    return false;
  if (copy.reads && !addConversion(copy, *copy.reads, false))
    return false;
  return !copy.writes || addConversion(copy, *copy.writes, true);
}

std::optional<RelaidKernel> Relayer::run() {
  symbols = model.symbols;
  result.name = options.fresh(model.function->name + "_layout");
  if (!checkFile())
    return std::nullopt;
  for (const CopyRequest &request : requests)
    if (!collect(request))
      return std::nullopt;
  if (!assignAccesses())
    return std::nullopt;
  nameEnds();
  if (!makeConditions())
    return std::nullopt;
  for (Copy &copy : copies)
    if (copy.image ? !makeImage(copy) : !makeBuffer(copy))
      return std::nullopt;
  if (!error.message.empty() || !replaceAccesses() || !writeKernel())
    return std::nullopt;
  return std::move(result);
}

std::optional<RelaidKernel> relayKernel(const TransformedKernel &start,
                                        const std::vector<CopyRequest> &copies,
                                        const RelayoutOptions &options,
                                        LoweringError &error) {
  error = LoweringError();
  return Relayer(start, copies, options, error).run();
}

} // namespace clopt
