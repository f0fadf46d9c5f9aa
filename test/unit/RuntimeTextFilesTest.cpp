//===- RuntimeTextFilesTest.cpp - writing files ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/TextFiles.h"

#include "Runtime/Error.h"
#include "Runtime/JsonDocument.h"
#include "Runtime/Process.h"

#include <gtest/gtest.h>

#include <filesystem>

#include <sys/file.h>

#include <fcntl.h>
#include <unistd.h>

using namespace clopt::runtime;

namespace {

TEST(RuntimeTextFilesTest, FilesAreWrittenAndReplaced) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  writeFile(path, "one");
  EXPECT_EQ(readFile(path), "one");
  replaceFile(path, "two");
  EXPECT_EQ(readFile(path), "two");
}

TEST(RuntimeTextFilesTest, NothingIsLeftBesideAReplacedFile) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("d"));
  replaceFile(folder.file("d/a"), "one");
  EXPECT_EQ(
      std::distance(std::filesystem::directory_iterator(folder.file("d")), {}),
      1);
  // A folder cannot be replaced; what was written for it is gone.
  std::filesystem::create_directory(folder.file("d/sub"));
  EXPECT_THROW(replaceFile(folder.file("d/sub"), "one"), Error);
  EXPECT_EQ(
      std::distance(std::filesystem::directory_iterator(folder.file("d")), {}),
      2);
}

TEST(RuntimeTextFilesTest, WhatCannotBeWrittenIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THROW(writeFile(folder.file("none/a"), ""), Error);
  EXPECT_THROW(replaceFile(folder.file("none/a"), ""), Error);
  EXPECT_THROW(FileLock(folder.file("none/a")), Error);
}

TEST(RuntimeTextFilesTest, ALockExcludesOthersWhileItLives) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  const auto isFree = [&path] {
    const int other = open((path + ".lock").c_str(), O_RDWR | O_CREAT, 0666);
    const bool result = flock(other, LOCK_EX | LOCK_NB) == 0;
    close(other);
    return result;
  };
  EXPECT_TRUE(isFree());
  {
    const FileLock lock(path);
    EXPECT_FALSE(isFree());
  }
  EXPECT_TRUE(isFree());
}

} // namespace
