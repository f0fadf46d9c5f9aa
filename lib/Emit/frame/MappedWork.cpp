//===- MappedWork.cpp - tiles where loops are dimensions ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles are numbered with the fastest dimension first. The number of tiles
// may need 64 bits.
//
// Where iterations depend on the work-item, as in triangles, some columns of
// tiles are longer than others. Launches that are as wide as a few rows of
// tiles would give each work-item one column: it then turns within its row.
//
// Tested by test/unit/KernelWriterTest.cpp, test/lit/map.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/MappedWork.h"

#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

/// Tiles by which a work-item turns: its neighbours stay its neighbours.
static constexpr unsigned transposedTiles = 32;

namespace {

class MappedWriter {
public:
  MappedWriter(const TransformedKernel &transformed,
               const KernelNames &allNames, const MappedWorkOptions &how)
      : kernel(transformed), model(*transformed.model), names(allNames),
        options(how), dims(workCoordinates(*transformed.model)) {}
  MappedWork write();

private:
  std::vector<unsigned> order() const;
  void countTiles(unsigned dim);
  void declarePositions();
  void declareStep(unsigned dim, const std::string &step, bool isLast);
  void declareBase(unsigned dim);
  void advance();
  const std::string *nameOf(const std::vector<std::string> &list,
                            unsigned dim) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  const KernelNames &names;
  const MappedWorkOptions &options;
  std::vector<unsigned> dims;
  std::vector<unsigned> ordered; ///< dimensions, fastest first
  /// Per dimension: tiles along it, position of this tile, what the next tile's
  /// position is further on, its first id.
  std::string counts[3], positions[3], steps[3], firsts[3];
  /// Whether a work-item that passes the end of its row goes on in the next.
  std::string carry;
  MappedWork result;
};

} // namespace

PrintedText printBound(const KernelModel &model, const isl::pw_aff &bound,
                       bool wide, const LaunchNames &launch,
                       std::set<std::string> *mentioned) {
  isl_ast_build *build = isl_ast_build_from_context(model.paramContext.copy());
  isl::ast_expr expr =
      isl::manage(isl_ast_build_expr_from_pw_aff(build, bound.copy()));
  isl_ast_build_free(build);
  AstNames terms = parameterNames(model, wide, launch);
  terms.mentioned = mentioned;
  std::optional<LinearForm> form = linearize(expr, terms);
  if (form && mentioned)
    form->addNames(*mentioned);
  return form ? form->print() : printAst(expr, terms);
}

/// Mapped loops are declared from the outside in.
std::vector<unsigned> mappedOrder(const KernelModel &model) {
  std::vector<unsigned> result;
  const std::vector<MappedDimension> &mapped = model.ndrange.mapped;
  for (size_t i = mapped.size(); i-- > 0;)
    if (mapped[i].isFastest && !mapped[i].isLaunched)
      result.push_back(mapped[i].dim);
  for (unsigned d = 0; d < model.ndrange.rank; ++d) {
    const MappedDimension *loop = model.ndrange.findMapped(d);
    if (!loop || loop->isLaunched)
      result.push_back(d);
  }
  for (size_t i = mapped.size(); i-- > 0;)
    if (!mapped[i].isFastest && !mapped[i].isLaunched)
      result.push_back(mapped[i].dim);
  return result;
}

/// True when which values the coordinate has depends on the other ones.
static bool isCutAlong(const KernelModel &model, unsigned coordinates,
                       unsigned position) {
  isl_set *work = nullptr; // { [w...] }
  for (const Statement &statement : model.statements) {
    unsigned count = isl_set_dim(statement.domain.get(), isl_dim_set);
    isl_set *own = isl_set_project_out(statement.domain.copy(), isl_dim_set,
                                       coordinates, count - coordinates);
    own = isl_set_reset_tuple_id(own);
    work = work ? isl_set_union(work, own) : own;
  }
  isl_set *others =
      isl_set_eliminate(isl_set_copy(work), isl_dim_set, position, 1);
  isl_set *along =
      isl_set_eliminate(isl_set_copy(work), isl_dim_set, 0, position);
  along = isl_set_eliminate(along, isl_dim_set, position + 1,
                            coordinates - position - 1);
  isl_set *box = isl_set_intersect(others, along);
  bool isCut = isl_set_is_subset(box, work) == isl_bool_false;
  isl_set_free(box);
  isl_set_free(work);
  return isCut;
}

const std::string *MappedWriter::nameOf(const std::vector<std::string> &list,
                                        unsigned dim) const {
  auto it = std::find(dims.begin(), dims.end(), dim);
  return it == dims.end() ? nullptr : &list[it - dims.begin()];
}

/// Without iterations there is nothing to do, and no remainder to divide by.
std::string
declareBounds(const KernelModel &model, const KernelNames &names,
              const MappedDimension &mapped,
              const std::function<std::string(const std::string &)> &fresh,
              std::vector<std::string> &lines) {
  const std::vector<unsigned> dims = workCoordinates(model);
  const size_t place = static_cast<size_t>(
      std::find(dims.begin(), dims.end(), mapped.dim) - dims.begin());
  const std::string &end = names.ends[place];
  PrintedText first = printBound(model, mapped.first, true);
  std::string name = first.text;
  if (first.precedence < PrecPostfix || !asNumber(first.text)) {
    name = fresh(names.ids[place] + "_first");
    lines.push_back("const long " + name + " = " + first.text + ";");
  }
  lines.push_back("const long " + end + " = " +
                  printBound(model, mapped.end, true).text + ";");
  lines.push_back("if (" + end + " <= " + name + ")");
  lines.push_back("    return;");
  return name;
}

void MappedWriter::countTiles(unsigned dim) {
  std::string size =
      launchText(kernel, names.launch, WorkItemQuery::GlobalSize, dim);
  firsts[dim] =
      launchText(kernel, names.launch, WorkItemQuery::GlobalOffset, dim);
  if (const MappedDimension *mapped = model.ndrange.findMapped(dim)) {
    firsts[dim] =
        declareBounds(model, names, *mapped, options.fresh, result.before);
    size = *nameOf(names.ends, dim);
    if (firsts[dim] != "0")
      size += " - " + firsts[dim];
  }
  unsigned total = kernel.work[dim].total();
  if (total > 1)
    size = "(" + size + " + " + std::to_string(total - 1) + ") / " +
           std::to_string(total);
  result.before.push_back("const size_t " + counts[dim] + " = " + size + ";");
}

/// The first tile, and how far it is to the next.
void MappedWriter::declarePositions() {
  std::string share = options.fresh("share"), begin = options.item;
  std::string tiles;
  for (unsigned d : ordered)
    tiles += (tiles.empty() ? "" : " * ") + counts[d];
  std::string tile = options.fresh("tile"), end = options.fresh("tiles");
  std::string items = options.fresh("items");
  result.before.push_back("const size_t " + items + " = " + options.items +
                          ";");
  result.before.push_back("const size_t " + end + " = " + tiles + ";");
  std::string first = options.fresh("first_tile"), last = end, step = items;
  std::string text = options.item;
  if (options.spread) {
    result.before.push_back("const size_t " + share + " = (" + end + " + " +
                            items + " - 1) / " + items + ";");
    text = "(" + text + ") * " + share;
    last = extremeOf("min", end, first + " + " + share,
                     hasOwnExtremes(*kernel.model->function));
    step = "1";
  }
  result.before.push_back("const size_t " + first + " = " + text + ";");
  std::string rest = first, restStep = step;
  for (size_t i = 0; i < ordered.size(); ++i) {
    unsigned d = ordered[i];
    bool isLast = i + 1 == ordered.size();
    std::string modulo = isLast ? "" : " % " + counts[d];
    result.before.push_back("size_t " + positions[d] + " = " + rest + modulo +
                            ";");
    rest += " / " + counts[d];
    if (options.spread)
      continue;
    declareStep(d, restStep + modulo, isLast);
    restStep += " / " + counts[d];
  }
  result.loop = "for (size_t " + tile + " = " + first + "; " + tile + " < " +
                last + "; " + tile + (options.spread ? "++" : " += " + step) +
                ")";
}

void MappedWriter::declareStep(unsigned dim, const std::string &step,
                               bool isLast) {
  auto place = std::find(dims.begin(), dims.end(), dim);
  bool turns = dim == ordered[0] && !isLast && place != dims.end() &&
               isCutAlong(model, static_cast<unsigned>(dims.size()),
                          static_cast<unsigned>(place - dims.begin()));
  std::string declaration = "const size_t " + steps[dim] + " = ";
  if (!turns) {
    result.before.push_back(declaration + step + ";");
    return;
  }
  carry = options.fresh("carry" + std::to_string(dim));
  result.before.push_back("const size_t " + carry + " = " + step + " > 0;");
  result.before.push_back(declaration + carry + " ? " + step + " : min(" +
                          counts[dim] + " - 1, (size_t)" +
                          std::to_string(transposedTiles) + ");");
}

void MappedWriter::declareBase(unsigned dim) {
  const std::string *base = nameOf(names.bases, dim);
  if (!base)
    return;
  const std::string &type = *nameOf(names.idTypes, dim);
  const WorkDimension &work = kernel.work[dim];
  unsigned factor = work.strided ? work.lanes : work.total();
  std::string text = positions[dim];
  if (factor > 1)
    text += " * " + std::to_string(factor);
  if (firsts[dim] != "0")
    text = firsts[dim] + " + " + text;
  result.inside.push_back("const " + type + " " + *base + " = (" + type + ")(" +
                          text + ");");
  const std::string &stride = *nameOf(names.strides, dim);
  if (stride.empty())
    return;
  std::string distance = counts[dim];
  if (work.lanes > 1)
    distance += " * " + std::to_string(work.lanes);
  result.before.push_back("const " + type + " " + stride + " = (" + type +
                          ")(" + distance + ");");
}

/// Adds the steps with carries; faster than dividing for every tile.
void MappedWriter::advance() {
  for (size_t i = 0; i < ordered.size(); ++i) {
    unsigned d = ordered[i];
    if (!options.spread)
      result.after.push_back(positions[d] + " += " + steps[d] + ";");
    else if (i == 0)
      result.after.push_back(positions[d] + "++;");
  }
  for (size_t i = 0; i + 1 < ordered.size(); ++i) {
    unsigned d = ordered[i];
    result.after.push_back("if (" + positions[d] + " >= " + counts[d] + ") {");
    result.after.push_back("    " + positions[d] + " -= " + counts[d] + ";");
    result.after.push_back("    " + positions[ordered[i + 1]] +
                           (i == 0 && !carry.empty() ? " += " + carry : "++") +
                           ";");
    result.after.push_back("}");
  }
}

MappedWork MappedWriter::write() {
  ordered = mappedOrder(model);
  for (unsigned d : ordered) {
    std::string number = std::to_string(d);
    counts[d] = options.fresh("tiles" + number);
    positions[d] = options.fresh("tile" + number);
    if (!options.spread)
      steps[d] = options.fresh("step" + number);
  }
  for (unsigned d : ordered)
    countTiles(d);
  declarePositions();
  for (unsigned d : ordered)
    declareBase(d);
  advance();
  return std::move(result);
}

MappedWork writeMappedWork(const TransformedKernel &kernel,
                           const KernelNames &names,
                           const MappedWorkOptions &options) {
  return MappedWriter(kernel, names, options).write();
}

} // namespace clopt
