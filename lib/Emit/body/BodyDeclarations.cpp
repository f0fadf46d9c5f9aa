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

/// A loop over points is what is in it.
static bool isUnread(const OutNode &node, const std::set<std::string> &read) {
  if (node.repeats)
    return llvm::all_of(node.children, [&](const OutNode &child) {
      return isUnread(child, read);
    });
  return !node.computes.empty() && !read.count(node.computes);
}

static void collectComputed(const OutNode &node, std::set<std::string> &names) {
  names.insert(node.computes);
  for (const OutNode &child : node.children)
    collectComputed(child, names);
}

/// A branch or a loop keeps what it is around: names of values that nobody
/// reads in such ones without anything else. They stay everywhere, for each of
/// their values may be made of the one before it.
static void collectKept(const OutNode &node, const std::set<std::string> &read,
                        std::set<std::string> &kept) {
  for (const OutNode &child : node.children)
    collectKept(child, read, kept);
  if (node.isScope && !node.lines.empty() && !node.repeats &&
      llvm::all_of(node.children,
                   [&](const OutNode &child) { return isUnread(child, read); }))
    for (const OutNode &child : node.children)
      collectComputed(child, kept);
}

static bool dropOnce(OutNode &node, const std::set<std::string> &read) {
  const size_t before = node.children.size();
  llvm::erase_if(node.children,
                 [&](const OutNode &child) { return isUnread(child, read); });
  bool dropped = node.children.size() < before;
  for (OutNode &child : node.children)
    dropped |= dropOnce(child, read);
  return dropped;
}

void dropUnread(OutNode &root, const std::set<std::string> &inHeaders) {
  bool isAgain = true;
  while (isAgain) {
    std::set<std::string> read = inHeaders, kept;
    collectRead(root, read);
    collectKept(root, read, kept);
    read.insert(kept.begin(), kept.end());
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
      bool canDescend = count == 1 && only->isScope && !only->repeats &&
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
        if (!sharedNames.count(name) && typeBefore(local).back() == ' ') {
          line.declares = typeBefore(local);
          line.declared = local.name + local.suffix;
        }
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

/// Longer lines of names are hard to read.
static constexpr size_t longestDeclaration = 72;

void joinDeclarations(OutNode &root) {
  std::vector<OutNode> joined;
  for (OutNode &child : root.children) {
    const std::string &type = child.declares;
    OutNode *other = nullptr;
    // Between them there are declarations only.
    for (size_t i = joined.size(); i-- > 0 && !joined[i].declares.empty();)
      if (joined[i].declares == type)
        other = &joined[i];
    if (!type.empty() && other &&
        type.size() + other->declared.size() + child.declared.size() <
            longestDeclaration) {
      other->declared += ", " + child.declared;
      other->lines[0] = type + other->declared + ";";
      continue;
    }
    joined.push_back(std::move(child));
  }
  root.children = std::move(joined);
  for (OutNode &child : root.children)
    joinDeclarations(child);
}

void dissolveBlocks(OutNode &root) {
  for (OutNode &child : root.children) {
    dissolveBlocks(child);
    const bool isBlock = child.isScope && child.lines[0].empty() &&
                         child.pragma.empty() && child.children.size() == 1;
    if (!isBlock)
      continue;
    OutNode only = std::move(child.children[0]);
    if (only.isScope || (only.lines.size() == 1 && !only.isDeclaration))
      child = std::move(only);
    else
      child.children[0] = std::move(only);
  }
}

/// One statement or loop needs no braces. Conditions in conditions keep them,
/// and so does what is behind a pragma.
static bool needsBraces(const OutNode &node, bool hasElse) {
  if (node.lines[0].empty() || node.children.size() != 1)
    return true;
  const OutNode &only = node.children[0];
  if (!only.isScope)
    return only.isDeclaration || only.lines.size() != 1;
  if (hasElse || !only.pragma.empty())
    return true;
  return !only.isLoop && !(node.isLoop && only.isChoice());
}

static void flattenChildren(const std::vector<OutNode> &children,
                            unsigned indent, std::vector<std::string> &lines);

/// `hasElse`: another branch follows.
static void flattenScope(const OutNode &node, bool hasElse, unsigned indent,
                         std::vector<std::string> &lines) {
  const std::string margin(indent, ' ');
  const std::string &header = node.lines[0];
  if (!node.pragma.empty())
    lines.push_back(margin + node.pragma);
  if (node.isElse && node.children.size() == 1 && node.children[0].isChoice()) {
    OutNode chained = node.children[0];
    chained.lines[0] = header + " " + chained.lines[0];
    return flattenScope(chained, hasElse, indent, lines);
  }
  const bool braces = needsBraces(node, hasElse);
  lines.push_back(margin + header +
                  (!braces          ? ""
                   : header.empty() ? "{"
                                    : " {"));
  flattenChildren(braces ? linesWithin(node) : node.children, indent + 4,
                  lines);
  if (braces)
    lines.push_back(margin + "}");
}

static void flattenChildren(const std::vector<OutNode> &children,
                            unsigned indent, std::vector<std::string> &lines) {
  for (size_t i = 0; i < children.size(); ++i) {
    const bool hasElse = i + 1 < children.size() && children[i + 1].isElse;
    if (children[i].isScope)
      flattenScope(children[i], hasElse, indent, lines);
    else
      flatten(children[i], indent, lines);
  }
}

void flatten(const OutNode &node, unsigned indent,
             std::vector<std::string> &lines) {
  if (node.isScope)
    return flattenScope(node, false, indent, lines);
  const std::string margin(indent, ' ');
  const bool isBlock = node.lines.size() > 1 && node.lines.front() == "{";
  unsigned depth = 0;
  for (const std::string &line : node.lines) {
    if (line == "}" && depth)
      --depth;
    lines.push_back(margin + std::string(isBlock ? depth * 4 : 0, ' ') + line);
    if (line == "{")
      ++depth;
  }
}

void flattenAll(const std::vector<OutNode> &nodes,
                std::vector<std::string> &lines) {
  flattenChildren(nodes, 0, lines);
}

} // namespace clopt
