//===- ModelEditor.h - statements that a step adds --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that compute something the program does not have a variable for give
// the kernel a model of its own, with new private variables and statements. To
// the steps that follow they are like the author's.
//
// Tested by test/unit/HoistValuesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_MODELEDITOR_H
#define CLOPT_TRANSFORM_MODELEDITOR_H

#include "Model/TransformedKernel.h"

namespace clopt {

class ModelEditor {
public:
  /// Gives the kernel a model of its own.
  explicit ModelEditor(TransformedKernel &transformed);

  /// A private scalar (or vector) with a name like `stem`; its index among the
  /// arrays.
  unsigned addVariable(const std::string &stem, const Type &type);
  /// The variable by name, an expression that lives as long as the model.
  ExprRef nameOf(unsigned array);
  /// `variable = value;` as a declaration or as an assignment.
  StmtRef makeDeclaration(unsigned array, const ExprRef &value);
  StmtRef makeAssignment(unsigned array, const ExprRef &value);
  /// A statement that runs for `domain`, in these coordinates, within these
  /// loops; the tuple of the domain does not matter.
  unsigned addStatement(const StmtRef &stmt, const isl::set &domain,
                        const std::vector<SymbolId> &coordinates,
                        const std::vector<unsigned> &loops);
  /// The statement reads or writes the variable; `expr` may be null.
  void addAccess(unsigned statement, unsigned array, bool isWrite,
                 const Expr *expr, bool isExact = true);
  /// The reference belongs to another statement from now on, the coordinates of
  /// which are the first ones of the statement that had it.
  void moveAccess(unsigned access, unsigned statement);
  /// What the value is made of is read by that statement, which computes it.
  void moveReads(const ExprRef &value, unsigned statement);

  std::shared_ptr<KernelModel> model;

private:
  std::string freshName(const std::string &stem) const;
  void keep(const ExprRef &expr);

  TransformedKernel &kernel;
};

/// { [w..., i...] } the first `count` coordinates of the statement's instances.
isl::set executedPrefix(const Statement &statement, unsigned count);

/// Puts the statements before the loop.
void insertBefore(ScheduleNode &root, unsigned loop,
                  const std::vector<unsigned> &statements);

} // namespace clopt

#endif // CLOPT_TRANSFORM_MODELEDITOR_H
