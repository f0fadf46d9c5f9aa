//===- RuntimeProtectedMemoryTest.cpp - memory between forbidden pages ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ProtectedMemory.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

namespace clopt::runtime {

namespace {

using Edge = ProtectedMemory::Edge;

std::uint8_t readAt(const ProtectedMemory &memory, std::ptrdiff_t offset) {
  return *static_cast<volatile std::uint8_t *>(memory.data() + offset);
}

void writeAt(const ProtectedMemory &memory, std::ptrdiff_t offset) {
  *static_cast<volatile std::uint8_t *>(memory.data() + offset) = 7;
}

TEST(RuntimeProtectedMemoryTest, LiesFlushAtTheEdge) {
  const ProtectedMemory begin(100, Edge::Begin, 4);
  EXPECT_EQ(begin.slackBefore(), 0u);
  EXPECT_GT(begin.slackBehind(), 0u);
  const ProtectedMemory end(100, Edge::End, 4);
  EXPECT_EQ(end.slackBehind(), 0u);
  EXPECT_EQ(end.slackBefore(), begin.slackBehind());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(end.data()) % 4, 0u);
  const ProtectedMemory aligned(100, Edge::End, 16);
  EXPECT_EQ(aligned.slackBehind(), 12u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned.data()) % 16, 0u);
  const ProtectedMemory pages(std::size_t(3) << 16, Edge::End, 128);
  EXPECT_EQ(pages.slackBefore() + pages.slackBehind(), 0u);
}

TEST(RuntimeProtectedMemoryTest, WhatIsInsideIsNotNoted) {
  ProtectedMemory memory(5000, Edge::End, 1);
  writeAt(memory, 0);
  writeAt(memory, 4999);
  writeAt(memory, -static_cast<std::ptrdiff_t>(memory.slackBefore()));
  EXPECT_EQ(readAt(memory, 4999), 7);
  EXPECT_TRUE(memory.accesses().empty());
}

TEST(RuntimeProtectedMemoryTest, NotesSideDistanceAndKind) {
  ProtectedMemory end(100, Edge::End, 1);
  ProtectedMemory begin(100, Edge::Begin, 1);
  readAt(end, 102);
  writeAt(begin, -4);
  ASSERT_EQ(end.accesses().size(), 1u);
  EXPECT_FALSE(end.accesses()[0].before);
  EXPECT_EQ(end.accesses()[0].distance, 3u);
  ASSERT_EQ(begin.accesses().size(), 1u);
  EXPECT_TRUE(begin.accesses()[0].before);
  EXPECT_EQ(begin.accesses()[0].distance, 4u);
#ifdef __x86_64__
  EXPECT_EQ(end.accesses()[0].isWrite, false);
  EXPECT_EQ(begin.accesses()[0].isWrite, true);
#endif
}

TEST(RuntimeProtectedMemoryTest, OnceForEachPage) {
  ProtectedMemory memory(64, Edge::End, 1);
  for (std::ptrdiff_t offset : {64, 65, 64 + (1 << 20), 70})
    readAt(memory, offset);
  const std::vector<OutsideAccess> found = memory.accesses();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].distance, 1u);
  EXPECT_EQ(found[1].distance, (1u << 20) + 1);
  EXPECT_NE(found[0].page, found[1].page);
}

TEST(RuntimeProtectedMemoryTest, ArmClosesAndForgets) {
  ProtectedMemory memory(64, Edge::End, 1);
  writeAt(memory, 64);
  EXPECT_EQ(readAt(memory, 64), 7);
  memory.arm();
  EXPECT_TRUE(memory.accesses().empty());
  EXPECT_EQ(readAt(memory, 64), 0); // what was written is gone
  EXPECT_EQ(memory.accesses().size(), 1u);
}

TEST(RuntimeProtectedMemoryTest, SeveralThreadsAndManyPages) {
  ProtectedMemory memory(64, Edge::End, 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&memory] {
      for (std::ptrdiff_t page = 0; page < 200; ++page)
        readAt(memory, 64 + page * 4096);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(memory.accesses().size(), 200u);
}

TEST(RuntimeProtectedMemoryDeathTest, OtherFaultsAreNotOurs) {
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, [](int) { std::_Exit(17); });
        const ProtectedMemory memory(64, Edge::End, 1);
        *reinterpret_cast<volatile char *>(8) = 1;
      },
      testing::ExitedWithCode(17), "");
}

} // namespace

} // namespace clopt::runtime
