//===- BodyDeclarations.cpp - where private variables are declared --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every variable is declared in the deepest block that contains all its uses,
// but never inside a loop that the author's declaration stood outside of (the
// value could have to survive an iteration).
//
// Tested by test/unit/BodyWriterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"

#include <algorithm>
#include <map>

namespace clopt {

bool BodyWriter::mayDeclareIn(const LocalName &local, unsigned loop) const {
  auto vector = vectorLoopOf.find(local.name);
  if (vector != vectorLoopOf.end() && vector->second == loop)
    return true;
  if (local.variable) {
    auto it = scopes.find(local.variable);
    return it != scopes.end() && it->second.count(loop);
  }
  const ArrayTile &copy = kernel.tiles[*local.copy];
  const std::vector<SymbolId> &around = copy.coordinates;
  return (!copy.window || copy.window->loop != loop) &&
         llvm::is_contained(around, model.loops[loop].iterator);
}

bool usesName(const OutNode &node, const std::string &name) {
  if (node.uses.count(name))
    return true;
  for (const OutNode &child : node.children)
    if (usesName(child, name))
      return true;
  return false;
}

void addUses(const OutNode &node, std::set<std::string> &uses) {
  uses.insert(node.uses.begin(), node.uses.end());
  for (const OutNode &child : node.children)
    addUses(child, uses);
}

/// The names that are read: what a variable's own values are made of does not
/// count.
static void collectRead(const OutNode &node, std::set<std::string> &read) {
  for (const std::string &name : node.uses)
    if (name != node.computes)
      read.insert(name);
  for (const OutNode &child : node.children)
    collectRead(child, read);
}

static bool dropOnce(OutNode &node, const std::set<std::string> &read) {
  const size_t before = node.children.size();
  auto isUnread = [&](const OutNode &child) {
    return !child.computes.empty() && !read.count(child.computes);
  };
  // A branch or a loop keeps what it is around.
  const bool mayBeEmpty = !node.isScope || node.lines.empty();
  if (mayBeEmpty ||
      !std::all_of(node.children.begin(), node.children.end(), isUnread))
    node.children.erase(
        std::remove_if(node.children.begin(), node.children.end(), isUnread),
        node.children.end());
  bool dropped = node.children.size() < before;
  for (OutNode &child : node.children)
    dropped |= dropOnce(child, read);
  return dropped;
}

void dropUnread(OutNode &root, const std::set<std::string> &inHeaders) {
  bool isAgain = true;
  while (isAgain) {
    std::set<std::string> read = inHeaders;
    collectRead(root, read);
    isAgain = dropOnce(root, read);
  }
}

static bool isPointerBelow(const Type &type) {
  return type.isArray() ? isPointerBelow(*type.element) : type.isPointer();
}

/// What stands before the name.
static std::string typeBefore(const LocalName &local) {
  const bool isPointer = local.variable && isPointerBelow(local.variable->type);
  return local.type + (isPointer ? "" : " ");
}

/// An initializer list that did not become part of a declaration.
void BodyWriter::checkLists(const OutNode &node) {
  for (const OutNode &child : node.children) {
    if (!child.list.empty())
      failure = "an initializer list apart from its declaration";
    checkLists(child);
  }
}

void BodyWriter::placeDeclarations(OutNode &root) {
  for (const auto &[name, local] : locals) {
    OutNode *scope = &root;
    for (;;) {
      OutNode *only = nullptr;
      unsigned count = 0;
      for (OutNode &child : scope->children)
        if (usesName(child, name)) {
          ++count;
          only = &child;
        }
      bool canDescend = count == 1 && only->isScope &&
                        (!only->loop || mayDeclareIn(local, *only->loop));
      if (!canDescend)
        break;
      scope = only;
    }
    for (size_t i = 0; i < scope->children.size(); ++i) {
      OutNode &child = scope->children[i];
      if (!usesName(child, name))
        continue;
      const std::string declaration =
          typeBefore(local) + local.name + local.suffix;
      // Initializer lists and types without assignment only exist in
      // declarations.
      const bool isList = !child.list.empty();
      bool isObject =
          local.variable && local.variable->type.kind == TypeKind::Opaque;
      if (child.defines != name && isObject)
        failure = "'" + name + "' before its initializer";
      if (child.defines == name && (local.suffix.empty() || isList)) {
        child.lines[0] = isList ? declaration + " = " + child.list + ";"
                                : typeBefore(local) + child.lines[0];
        child.list.clear();
        child.defines.clear();
        child.isDeclaration = true;
      } else {
        // Work-items without a value have a cell of local memory, too.
        OutNode line;
        line.lines.push_back(declaration +
                             (sharedNames.count(name) ? " = 0;" : ";"));
        line.isDeclaration = true;
        auto at = scope->children.begin() + static_cast<std::ptrdiff_t>(i);
        while (at->isElse)
          --at;
        scope->children.insert(at, std::move(line));
      }
      break;
    }
  }
}

const std::vector<OutNode> &linesWithin(const OutNode &node) {
  const OutNode *block = &node;
  while (block->children.size() == 1 && block->children[0].isScope &&
         block->children[0].lines[0].empty())
    block = &block->children[0];
  return block->children;
}

void flatten(const OutNode &node, unsigned indent,
             std::vector<std::string> &lines) {
  std::string margin(indent, ' ');
  if (!node.isScope) {
    unsigned depth = 0;
    for (const std::string &line : node.lines) {
      bool closes = line == "}";
      if (closes && depth)
        --depth;
      bool isBlock = node.lines.size() > 1 && node.lines.front() == "{";
      lines.push_back(margin + std::string(isBlock ? depth * 4 : 0, ' ') +
                      line);
      if (line == "{")
        ++depth;
    }
    return;
  }
  const std::string &header = node.lines[0];
  if (!node.pragma.empty())
    lines.push_back(margin + node.pragma);
  // One simple statement needs no braces.
  bool isSimple = !header.empty() && node.pragma.empty() &&
                  node.children.size() == 1 && !node.children[0].isScope &&
                  !node.children[0].isDeclaration &&
                  node.children[0].lines.size() == 1;
  if (isSimple) {
    lines.push_back(margin + header);
    flatten(node.children[0], indent + 4, lines);
    return;
  }
  lines.push_back(margin + (header.empty() ? "{" : header + " {"));
  for (const OutNode &child : linesWithin(node))
    flatten(child, indent + 4, lines);
  lines.push_back(margin + "}");
}

} // namespace clopt
