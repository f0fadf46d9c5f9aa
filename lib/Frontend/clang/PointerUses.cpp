//===- PointerUses.cpp - where the value of a pointer goes ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From each mention of a pointer the tree is climbed as long as what stands
// there is the pointer, an address computed from it, or a part of what it
// points to. Only what is known to be harmless is let pass.
//
// Tested by test/unit/PointerFixesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/PointerUses.h"

#include "Frontend/clang/ClangBuiltins.h"
#include "Frontend/clang/TreeVisitor.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ParentMap.h"

using namespace clopt;

namespace {

/// What the expression is that the climb has come to.
enum class Holds {
  Variable, ///< the pointer variable itself
  Address,  ///< its value, or an address computed from it
  Cell      ///< a part of what it points to
};

class Climber {
public:
  Climber(const clang::SourceManager &sources,
          const clang::ParentMap &parentMap, PointerUses &result)
      : manager(sources), parents(parentMap), uses(result) {}

  void climb(const clang::DeclRefExpr &mention) {
    uses.isUsed = true;
    at = &mention;
    holds = Holds::Variable;
    while (const clang::Stmt *parent = parents.getParent(at)) {
      if (!step(*parent))
        return;
      at = parent;
    }
  }

private:
  /// True to go on from the parent.
  bool step(const clang::Stmt &parent) {
    if (llvm::isa<clang::ParenExpr>(parent))
      return true;
    // Neither looks at the value.
    if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(parent))
      return false;
    switch (holds) {
    case Holds::Variable:
      return stepFromVariable(parent);
    case Holds::Address:
      return stepFromAddress(parent);
    case Holds::Cell:
      return stepFromCell(parent);
    }
    return false;
  }

  bool become(Holds next) {
    holds = next;
    return true;
  }

  bool refuse(const clang::Stmt &where, const std::string &problem) {
    if (uses.problem.empty()) {
      uses.problem = problem;
      uses.where = where.getBeginLoc();
    }
    return false;
  }

  bool flowsTo(const clang::VarDecl *target) {
    uses.targets.insert(target);
    return false;
  }

  bool stepFromVariable(const clang::Stmt &parent) {
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&parent);
        cast && cast->getCastKind() == clang::CK_LValueToRValue)
      return become(Holds::Address);
    if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&parent))
      return unary->isIncrementDecrementOp()
                 ? become(Holds::Address)
                 : refuse(parent, "its own address is taken");
    if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&parent);
        binary && binary->isAssignmentOp()) {
      uses.isAssigned |= binary->getOpcode() == clang::BO_Assign;
      return become(Holds::Address);
    }
    return llvm::isa<clang::Expr>(parent)
               ? refuse(parent, "it is used in a way that is not followed")
               : false;
  }

  bool stepFromAddress(const clang::Stmt &parent) {
    if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(&parent))
      return stepThroughCast(*cast);
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&parent))
      return passTo(*call);
    if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&parent)) {
      if (unary->getOpcode() == clang::UO_Deref)
        return become(Holds::Cell);
      return unary->getOpcode() == clang::UO_LNot ? false : unknown(parent);
    }
    if (const auto *subscript =
            llvm::dyn_cast<clang::ArraySubscriptExpr>(&parent))
      return subscript->getBase() == at ? become(Holds::Cell) : unknown(parent);
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(&parent))
      return member->isArrow() ? become(Holds::Cell) : unknown(parent);
    // A vector of a pointer's cell: `p->x`.
    if (llvm::isa<clang::ExtVectorElementExpr>(parent))
      return become(Holds::Cell);
    if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&parent))
      return stepThroughBinary(*binary);
    if (const auto *choice =
            llvm::dyn_cast<clang::ConditionalOperator>(&parent))
      return choice->getCond() != at;
    if (const auto *decl = llvm::dyn_cast<clang::DeclStmt>(&parent))
      return initialize(*decl);
    if (llvm::isa<clang::ReturnStmt>(parent))
      return refuse(parent, "it is returned");
    // A statement of its own, or a condition.
    return llvm::isa<clang::Expr>(parent) ? unknown(parent) : false;
  }

  bool unknown(const clang::Stmt &parent) {
    return refuse(parent, "it is used in a way that is not followed");
  }

  bool stepThroughCast(const clang::CastExpr &cast) {
    if (cast.getCastKind() == clang::CK_PointerToBoolean ||
        cast.getCastKind() == clang::CK_ToVoid)
      return false;
    const clang::QualType type = cast.getType();
    if (!type->isPointerType())
      return refuse(cast, "it is cast to a number");
    // Without a word of the author, C only adds qualifiers.
    const bool isWritten = llvm::isa<clang::ExplicitCastExpr>(cast);
    if (isWritten && !type->getPointeeType().isConstQualified())
      return refuse(cast, "it is cast to a pointer without const");
    return true;
  }

  bool stepThroughBinary(const clang::BinaryOperator &binary) {
    if (binary.getOpcode() == clang::BO_Assign) {
      if (binary.getRHS() != at)
        return true;
      const auto *target =
          llvm::dyn_cast<clang::DeclRefExpr>(binary.getLHS()->IgnoreParens());
      const auto *variable =
          target ? llvm::dyn_cast<clang::VarDecl>(target->getDecl()) : nullptr;
      return variable && variable->isLocalVarDeclOrParm()
                 ? flowsTo(variable)
                 : refuse(binary, "it is stored in memory");
    }
    if (binary.getOpcode() == clang::BO_Comma)
      return binary.getRHS() == at;
    // A sum is an address; differences and comparisons are none.
    return binary.getType()->isPointerType();
  }

  bool initialize(const clang::DeclStmt &statement) {
    for (const clang::Decl *decl : statement.decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
          variable && variable->getInit() == at)
        return flowsTo(variable);
    return unknown(statement);
  }

  bool passTo(const clang::CallExpr &call) {
    const clang::FunctionDecl *callee = call.getDirectCallee();
    unsigned index = 0;
    while (index < call.getNumArgs() && call.getArg(index) != at)
      ++index;
    if (!callee || index >= callee->getNumParams())
      return refuse(call, "it is passed on where that is not followed");
    const std::string name = "'" + callee->getNameAsString() + "'";
    if (const clang::FunctionDecl *definition = callee->getDefinition()) {
      // Another type could be another function.
      if (callee->hasAttr<clang::OverloadableAttr>())
        return refuse(call,
                      "it is passed to " + name + ", which is overloaded");
      return flowsTo(definition->getParamDecl(index));
    }
    const clang::QualType type = callee->getParamDecl(index)->getType();
    const bool isConst =
        type->isPointerType() && type->getPointeeType().isConstQualified();
    // The functions of the language keep the promise of their types.
    const bool isOfLanguage = callee->isImplicit() ||
                              callee->getBuiltinID() != 0 ||
                              manager.isInSystemHeader(callee->getLocation());
    return isConst && isOfLanguage
               ? false
               : refuse(call, "it is passed to " + name +
                                  (isOfLanguage ? ", which may write it"
                                                : ", whose text is not here"));
  }

  bool stepFromCell(const clang::Stmt &parent) {
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&parent)) {
      if (cast->getCastKind() == clang::CK_LValueToRValue ||
          cast->getCastKind() == clang::CK_ToVoid)
        return false;
      if (cast->getCastKind() == clang::CK_ArrayToPointerDecay)
        return become(Holds::Address);
      return unknown(parent);
    }
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(&parent))
      return !member->isArrow() || unknown(parent);
    if (llvm::isa<clang::ExtVectorElementExpr>(parent))
      return true;
    if (const auto *subscript =
            llvm::dyn_cast<clang::ArraySubscriptExpr>(&parent))
      return subscript->getBase() == at || unknown(parent);
    if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(&parent)) {
      if (unary->getOpcode() == clang::UO_AddrOf)
        return become(Holds::Address);
      return unary->isIncrementDecrementOp() ? refuse(parent, "it is written")
                                             : unknown(parent);
    }
    if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&parent))
      return binary->isAssignmentOp() && binary->getLHS() == at
                 ? refuse(parent, "it is written")
                 : unknown(parent);
    if (llvm::isa<clang::CStyleCastExpr>(parent))
      return false; // to void: nothing else takes a place
    return llvm::isa<clang::Expr>(parent) ? unknown(parent) : false;
  }

  const clang::SourceManager &manager;
  const clang::ParentMap &parents;
  PointerUses &uses;
  const clang::Stmt *at = nullptr;
  Holds holds = Holds::Variable;
};

class Visitor : public TreeVisitor {
public:
  Visitor(const clang::SourceManager &sources,
          const clang::ParentMap &parentMap, FunctionUses &result)
      : manager(sources), parents(parentMap), uses(result) {}

  bool visitStmt(clang::Stmt &stmt) override {
    if (const auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(&stmt))
      noteMention(*mention);
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&stmt))
      noteCall(*call);
    if (llvm::isa<clang::AtomicExpr>(stmt) && !uses.synchronizing)
      uses.synchronizing = llvm::cast<clang::Expr>(&stmt);
    // The value of the last statement of a statement expression leaves it; a
    // block is a text of its own inside the body, of which nothing is known.
    if (llvm::isa<clang::StmtExpr, clang::BlockExpr, clang::AsmStmt>(stmt))
      hasOther = true;
    return true;
  }

  bool hasOther = false;

private:
  void noteMention(const clang::DeclRefExpr &mention) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(mention.getDecl());
    if (variable && variable->isLocalVarDeclOrParm() &&
        variable->getType()->isPointerType())
      Climber(manager, parents, uses.pointers[variable]).climb(mention);
  }

  void noteCall(const clang::CallExpr &call) {
    const clang::FunctionDecl *callee = call.getDirectCallee();
    const clang::FunctionDecl *definition =
        callee ? callee->getDefinition() : nullptr;
    if (definition) {
      uses.callees.insert(definition);
      return;
    }
    const std::string name = callee ? callee->getNameAsString() : "";
    const bool isKnown =
        workItemQuery(name).has_value() || isPure(builtinInfo(name).effect);
    if (!isKnown && !uses.synchronizing)
      uses.synchronizing = &call;
  }

  static bool isPure(CallEffect effect) {
    return effect == CallEffect::Pure || effect == CallEffect::ReadsArgs ||
           effect == CallEffect::WritesArgs;
  }

  const clang::SourceManager &manager;
  const clang::ParentMap &parents;
  FunctionUses &uses;
};

} // namespace

FunctionUses clopt::findPointerUses(clang::ASTContext &ast,
                                    const clang::FunctionDecl &definition) {
  FunctionUses uses;
  clang::Stmt *body = definition.getBody();
  if (!body)
    return uses;
  const clang::ParentMap parents(body);
  Visitor visitor(ast.getSourceManager(), parents, uses);
  visitor.walk(body);
  if (visitor.hasOther)
    for (auto &[variable, pointer] : uses.pointers)
      if (pointer.problem.empty()) {
        pointer.problem = "the function has text that is not followed";
        pointer.where = definition.getLocation();
      }
  return uses;
}
