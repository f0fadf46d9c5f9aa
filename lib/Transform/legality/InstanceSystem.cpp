//===- InstanceSystem.cpp - from isl's pieces to rows ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/InstanceSystemTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/legality/InstanceSystem.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <memory>

namespace clopt {

/// Takes the value; `fits` becomes false when it has more than 64 bits.
static int64_t toInteger(isl_val *value, bool &fits) {
  isl::val owned = isl::manage(value);
  if (isl_val_is_zero(owned.get()) == isl_bool_true)
    return 0;
  uint64_t chunk = 0;
  bool isShort = isl_val_is_int(owned.get()) == isl_bool_true &&
                 isl_val_n_abs_num_chunks(owned.get(), sizeof chunk) == 1;
  if (isShort)
    isl_val_get_abs_num_chunks(owned.get(), sizeof chunk, &chunk);
  if (!isShort || chunk > static_cast<uint64_t>(INT64_MAX)) {
    fits = false;
    return 0;
  }
  auto number = static_cast<int64_t>(chunk);
  return isl_val_is_neg(owned.get()) == isl_bool_true ? -number : number;
}

/// A list that isl has not made, because its budget has ended, says nothing.
static void throwIfNone(isl_size size, isl_ctx *context) {
  if (size < 0)
    isl::exception::throw_last_error(isl::ctx(context));
}

namespace {

/// Owns what the C++ interface of isl has no class for.
template <typename T, T *(*Free)(T *)> struct Deleter {
  void operator()(T *object) const { Free(object); }
};
template <typename T, T *(*Free)(T *)>
using Owner = std::unique_ptr<T, Deleter<T, Free>>;
using ConstraintRef = Owner<isl_constraint, isl_constraint_free>;

/// Takes one wrapped basic map apart: { [A -> B] }.
class PieceReader {
public:
  PieceReader(isl_basic_set *wrapped, unsigned inputs, unsigned outputs)
      : set(isl::manage(wrapped)) {
    piece.inputs = inputs;
    piece.outputs = outputs;
  }

  RelationPiece read() {
    isl_basic_set *raw = set.get();
    auto number = static_cast<unsigned>(isl_basic_set_dim(raw, isl_dim_param));
    for (unsigned i = 0; i < number; ++i)
      piece.parameters.push_back(
          isl_basic_set_get_dim_name(raw, isl_dim_param, i));
    piece.quotients =
        static_cast<unsigned>(isl_basic_set_dim(raw, isl_dim_div));
    Owner<isl_local_space, isl_local_space_free> local(
        isl_basic_set_get_local_space(raw));
    for (unsigned i = 0; i < piece.quotients; ++i)
      addQuotient(i, isl_local_space_get_div(local.get(), static_cast<int>(i)));
    Owner<isl_constraint_list, isl_constraint_list_free> list(
        isl_basic_set_get_constraint_list(raw));
    const int size = isl_constraint_list_size(list.get());
    throwIfNone(size, isl_basic_set_get_ctx(raw));
    for (int i = 0; i < size; ++i)
      addConstraint(
          ConstraintRef(isl_constraint_list_get_constraint(list.get(), i)));
    return std::move(piece);
  }

private:
  /// Without a constraint there are more points, never fewer: numbers beyond 64
  /// bits can only make the check refuse what is right.
  void addConstraint(const ConstraintRef &owned) {
    isl_constraint *constraint = owned.get();
    bool fits = true;
    LinearConstraint row;
    row.isEquality = isl_constraint_is_equality(constraint) == isl_bool_true;
    row.constant = toInteger(isl_constraint_get_constant_val(constraint), fits);
    for (isl_dim_type kind : {isl_dim_param, isl_dim_set, isl_dim_div}) {
      int size = isl_constraint_dim(constraint, kind);
      for (int i = 0; i < size; ++i)
        row.coefficients.push_back(toInteger(
            isl_constraint_get_coefficient_val(constraint, kind, i), fits));
    }
    if (fits)
      piece.rows.push_back(std::move(row));
  }

  /// d * q <= e <= d * q + d - 1 for q = floor(e / d). isl may have dropped
  /// these where it finds them redundant.
  void addQuotient(unsigned index, isl_aff *definition) {
    isl::aff owned = isl::manage(definition);
    if (isl_aff_is_nan(owned.get()) == isl_bool_true)
      return; // a plain existential
    bool fits = true;
    isl_val *denominator = isl_aff_get_denominator_val(owned.get());
    int64_t d = toInteger(isl_val_copy(denominator), fits);
    isl::aff scaled = isl::manage(isl_aff_scale_val(owned.copy(), denominator));
    LinearConstraint low, high;
    low.constant = toInteger(isl_aff_get_constant_val(scaled.get()), fits);
    for (isl_dim_type kind : {isl_dim_param, isl_dim_in, isl_dim_div}) {
      int size = isl_aff_dim(scaled.get(), kind);
      for (int i = 0; i < size; ++i)
        low.coefficients.push_back(toInteger(
            isl_aff_get_coefficient_val(scaled.get(), kind, i), fits));
    }
    size_t before = piece.parameters.size() + piece.inputs + piece.outputs;
    low.coefficients.resize(before + piece.quotients);
    low.coefficients[before + index] -= d;
    high.constant = d - 1 - low.constant;
    for (int64_t coefficient : low.coefficients)
      high.coefficients.push_back(-coefficient);
    if (!fits)
      return;
    piece.rows.push_back(std::move(low));
    piece.rows.push_back(std::move(high));
  }

  isl::basic_set set;
  RelationPiece piece;
};

} // namespace

static std::vector<RelationPiece> readPieces(const isl::set &set,
                                             unsigned inputs) {
  std::vector<RelationPiece> pieces;
  auto total = static_cast<unsigned>(isl_set_dim(set.get(), isl_dim_set));
  Owner<isl_basic_set_list, isl_basic_set_list_free> list(
      isl_set_get_basic_set_list(set.get()));
  const int size = isl_basic_set_list_size(list.get());
  throwIfNone(size, isl_set_get_ctx(set.get()));
  for (int i = 0; i < size; ++i)
    pieces.push_back(
        PieceReader(isl_basic_set_list_get_basic_set(list.get(), i), inputs,
                    total - inputs)
            .read());
  return pieces;
}

std::vector<RelationPiece> piecesOf(const isl::map &map) {
  return readPieces(isl::manage(isl_map_wrap(map.copy())),
                    static_cast<unsigned>(isl_map_dim(map.get(), isl_dim_in)));
}

std::vector<RelationPiece> piecesOf(const isl::set &set) {
  return readPieces(set, 0);
}

LinearSum &LinearSum::add(const LinearSum &other, int64_t factor) {
  constant += factor * other.constant;
  for (const auto &[column, coefficient] : other.terms)
    terms.emplace_back(column, factor * coefficient);
  return *this;
}

unsigned InstanceSystem::parameter(const std::string &name) {
  auto [it, isNew] = parameters.emplace(name, count);
  if (isNew)
    ++count;
  return it->second;
}

Columns InstanceSystem::addColumns(unsigned number) {
  Columns columns;
  for (unsigned i = 0; i < number; ++i)
    columns.push_back(count++);
  return columns;
}

void InstanceSystem::addPiece(const RelationPiece &piece, const Columns &inputs,
                              const Columns &outputs) {
  Columns columns;
  for (const std::string &name : piece.parameters)
    columns.push_back(parameter(name));
  columns.insert(columns.end(), inputs.begin(), inputs.end());
  columns.insert(columns.end(), outputs.begin(), outputs.end());
  Columns quotients = addColumns(piece.quotients);
  columns.insert(columns.end(), quotients.begin(), quotients.end());
  for (const LinearConstraint &row : piece.rows) {
    LinearSum sum;
    sum.constant = row.constant;
    for (size_t i = 0; i < row.coefficients.size(); ++i)
      if (row.coefficients[i] != 0)
        sum.terms.emplace_back(columns[i], row.coefficients[i]);
    rows.emplace_back(row.isEquality, std::move(sum));
  }
}

Points InstanceSystem::findPoint() const {
  LinearSystem system;
  system.dimensions = count;
  for (const auto &[isEquality, sum] : rows) {
    LinearConstraint row;
    row.isEquality = isEquality;
    row.constant = sum.constant;
    row.coefficients.resize(count);
    for (const auto &[column, coefficient] : sum.terms)
      row.coefficients[column] += coefficient;
    system.constraints.push_back(std::move(row));
  }
  return findIntegerPoint(system);
}

} // namespace clopt
