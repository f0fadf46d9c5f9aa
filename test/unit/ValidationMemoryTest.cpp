//===- ValidationMemoryTest.cpp - memory of symbolic runs -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/Memory.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

constexpr ScalarKind single = ScalarKind::Float;
constexpr ScalarKind byte = ScalarKind::UChar;

struct ValidationMemoryTest : testing::Test {
  TermStore terms;
  Memory memory{terms};
  Accessor by;

  int64_t add(ScalarKind kind, int64_t size = 0,
              MemoryObject::Scope scope = MemoryObject::Scope::Launch) {
    MemoryObject object;
    object.name = "a";
    object.type = Type::makeScalar(kind);
    object.size = size;
    object.scope = scope;
    object.hasData = scope == MemoryObject::Scope::Launch;
    return memory.object(memory.addObject(std::move(object))).address;
  }
  MemoryObject &object(int64_t address) {
    int64_t offset = 0;
    return *memory.at(address, offset);
  }
};

TEST_F(ValidationMemoryTest, CellsHoldWhatWasStored) {
  int64_t a = add(single);
  EXPECT_EQ(terms.print(memory.load(a + 8, single, by)), "a[2]");
  TermId two = terms.literal(single, 2);
  memory.store(a + 8, single, two, by);
  EXPECT_EQ(memory.load(a + 8, single, by), two);
  EXPECT_EQ(object(a).cells.all().size(), 1u);
  EXPECT_TRUE(object(a).cells.find(8)->isWritten);
  EXPECT_EQ(object(a).cells.find(4), nullptr);
}

TEST_F(ValidationMemoryTest, CellsMayBeFarApart) {
  int64_t a = add(ScalarKind::Int);
  for (int64_t at : {int64_t(-4), int64_t(0), int64_t(1) << 34})
    memory.store(a + at, ScalarKind::Int, at + 1, by);
  std::vector<int64_t> offsets;
  for (const auto &entry : object(a).cells.all()) {
    offsets.push_back(entry.first);
    EXPECT_EQ(entry.second->value, entry.first + 1);
  }
  EXPECT_EQ(offsets, (std::vector<int64_t>{-4, 0, int64_t(1) << 34}));
}

TEST_F(ValidationMemoryTest, IntegersAreTheirBytes) {
  int64_t a = add(ScalarKind::UInt);
  memory.store(a, ScalarKind::UInt, 0x04030201, by);
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(memory.load(a + i, byte, by), i + 1);
  memory.store(a + 1, byte, 0xff, by);
  EXPECT_EQ(memory.load(a, ScalarKind::UInt, by), 0x0403ff01);
  EXPECT_EQ(memory.load(a, ScalarKind::Int, by), 0x0403ff01);
  EXPECT_EQ(memory.load(a + 1, ScalarKind::UShort, by), 0x03ff);
}

TEST_F(ValidationMemoryTest, FloatsAreTheirBitsAndBack) {
  int64_t a = add(single), b = add(ScalarKind::UInt);
  TermId cell = memory.load(a + 4, single, by);
  // A copy by integers, and one by bytes.
  memory.store(b, ScalarKind::UInt, memory.load(a + 4, ScalarKind::UInt, by),
               by);
  EXPECT_EQ(memory.load(b, single, by), cell);
  for (int64_t i = 0; i < 4; ++i)
    memory.store(b + 8 + i, byte, memory.load(a + 4 + i, byte, by), by);
  EXPECT_EQ(memory.load(b + 8, single, by), cell);
}

TEST_F(ValidationMemoryTest, BitsThatWereNumbersFirstAreFoundByChance) {
  int64_t b = add(ScalarKind::UInt);
  memory.store(b, ScalarKind::UInt, 0x3f800000, by);
  TermId one = memory.load(b, single, by);
  TermId zero = terms.literal(single, 0);
  TermId sum = terms.make("+", "ff", single, {one, zero});
  EXPECT_FALSE(terms.hasChanceBits());
  EXPECT_EQ(terms.bitsOf(sum), 0x3f800000);
  EXPECT_TRUE(terms.hasChanceBits());
  EXPECT_EQ(memory.load(b, single, by), one);
}

TEST_F(ValidationMemoryTest, DataAreThoseOfTheDeclaredType) {
  // What was touched first does not decide.
  int64_t a = add(single), b = add(single);
  int64_t bits = memory.load(a, ScalarKind::UInt, by);
  TermId cell = memory.load(b, single, by);
  EXPECT_EQ(terms.bitsOf(cell), bits);
}

TEST_F(ValidationMemoryTest, DeclaredObjectsHaveBounds) {
  int64_t a = add(single, 16);
  EXPECT_NO_THROW(memory.load(a + 12, single, by));
  EXPECT_THROW(memory.load(a + 16, single, by), RunFault);
  EXPECT_THROW(memory.load(a + 13, single, by), RunFault);
  EXPECT_THROW(memory.store(a - 4, single, 0, by), RunFault);
  EXPECT_THROW(memory.load(0, single, by), RunFault);
  EXPECT_THROW(memory.load(12345, single, by), RunFault);
}

TEST_F(ValidationMemoryTest, UnorderedAccessesAreRaces) {
  int64_t a = add(ScalarKind::Int, 0, MemoryObject::Scope::Group);
  Accessor other = by;
  other.item = 1;
  memory.store(a, ScalarKind::Int, 1, by);
  EXPECT_EQ(memory.load(a, ScalarKind::Int, by), 1);
  EXPECT_THROW(memory.load(a, ScalarKind::Int, other), RunFault);
  // Of a part, too.
  EXPECT_THROW(memory.load(a + 1, byte, other), RunFault);
  other.localPhase = 1;
  EXPECT_EQ(memory.load(a, ScalarKind::Int, other), 1);
  by.localPhase = 1;
  EXPECT_THROW(memory.store(a, ScalarKind::Int, 2, by), RunFault);
  // Barriers for local memory order nothing else.
  int64_t b = add(ScalarKind::Int);
  memory.store(b, ScalarKind::Int, 1, Accessor());
  EXPECT_THROW(memory.load(b, ScalarKind::Int, other), RunFault);
}

TEST_F(ValidationMemoryTest, PrivateMemoryHasNoRaces) {
  int64_t a = add(ScalarKind::Int, 4, MemoryObject::Scope::Item);
  Accessor other = by;
  other.item = 1;
  memory.store(a, ScalarKind::Int, 1, by);
  EXPECT_EQ(memory.load(a, ScalarKind::Int, other), 1);
}

TEST_F(ValidationMemoryTest, CellsOfTwoObjectsGetTheSameBounds) {
  int64_t a = add(ScalarKind::UInt), b = add(ScalarKind::UInt);
  memory.store(a, ScalarKind::UInt, 0x04030201, by);
  for (int64_t i = 0; i < 4; ++i)
    memory.store(b + i, byte, i + 1, by);
  memory.alignCells(object(a), object(b));
  auto x = object(a).cells.all(), y = object(b).cells.all();
  ASSERT_EQ(x.size(), y.size());
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].first, y[i].first);
    EXPECT_EQ(x[i].second->value, y[i].second->value);
  }
}

TEST_F(ValidationMemoryTest, WhatIsUnsetDependsOnTheSeed) {
  int64_t a = add(single, 4, MemoryObject::Scope::Item);
  int64_t b = add(ScalarKind::Int, 4, MemoryObject::Scope::Item);
  TermId first = memory.load(a, single, by);
  int64_t number = memory.load(b, ScalarKind::Int, by);
  object(a).cells.clear();
  object(b).cells.clear();
  memory.unsetSeed = 1;
  EXPECT_NE(memory.load(a, single, by), first);
  EXPECT_NE(memory.load(b, ScalarKind::Int, by), number);
}

TEST_F(ValidationMemoryTest, StructsAreCopiedByTheirScalars) {
  Type pair;
  pair.kind = TypeKind::Struct;
  pair.size = 16;
  pair.fields = std::make_shared<const std::vector<Field>>(
      std::vector<Field>{{"x", Type::makeScalar(single), 0},
                         {"c", Type::makeScalar(byte), 4},
                         {"d", Type::makeScalar(ScalarKind::Double), 8}});
  auto known = scalarAt(pair, 16 + 9);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->first, 24);
  EXPECT_EQ(known->second, ScalarKind::Double);
  EXPECT_FALSE(scalarAt(pair, 5)); // padding
  int64_t from = add(single), to = add(single);
  object(from).type = object(to).type = pair;
  memory.copy(to, from + 16, 16, by);
  EXPECT_EQ(cellName(object(from), 24, ScalarKind::Double), "a.d[1]");
  EXPECT_EQ(terms.print(memory.load(to, single, by)), "a.x[1]");
  EXPECT_EQ(terms.print(memory.load(to + 8, ScalarKind::Double, by)), "a.d[1]");
  EXPECT_EQ(object(to).cells.all().size(), 3u);
}

} // namespace
