//===- FilesTest.cpp - tests of reading and writing whole files -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace {

/// A folder of its own for each test.
class Files : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern =
        (fs::temp_directory_path() / "clopt-files-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string at(const std::string &name) const { return folder + "/" + name; }

  std::string put(const std::string &name, const std::string &text) const {
    std::ofstream(at(name), std::ios::binary) << text;
    return at(name);
  }

  static std::string get(const std::string &path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// Names in the folder: a temporary file left behind would show.
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto &entry : fs::directory_iterator(folder))
      result.push_back(entry.path().filename());
    std::sort(result.begin(), result.end());
    return result;
  }

  static std::string message(llvm::Error error) {
    return llvm::toString(std::move(error));
  }

  std::string folder;
};

TEST_F(Files, readsAnyText) {
  std::string text = "a\r\n\xff tail without line break";
  llvm::Expected<std::string> read = clopt::readTextFile(put("a.cl", text));
  ASSERT_TRUE(bool(read));
  EXPECT_EQ(*read, text);
}

TEST_F(Files, readingFailsWithOneReason) {
  EXPECT_EQ(message(clopt::readTextFile(at("none")).takeError()),
            at("none") + ": no such file or directory");
  EXPECT_EQ(message(clopt::readTextFile(folder).takeError()),
            folder + ": is a directory");
  EXPECT_EQ(
      message(
          clopt::readTextFile(put("b", std::string("a\0b", 3))).takeError()),
      at("b") + ": is not a text file");
}

TEST_F(Files, writesAndReplaces) {
  EXPECT_FALSE(clopt::writeFileAtomically(at("out"), "one"));
  EXPECT_EQ(get(at("out")), "one");
  EXPECT_FALSE(clopt::writeFileAtomically(at("out"), ""));
  EXPECT_EQ(get(at("out")), "");
  EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(Files, keepsPermissionsAndLinks) {
  put("real", "old");
  fs::permissions(at("real"), fs::perms::owner_all);
  fs::create_symlink("real", at("link"));
  EXPECT_FALSE(clopt::writeFileAtomically(at("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(get(at("real")), "new");
  EXPECT_EQ(fs::status(at("real")).permissions(), fs::perms::owner_all);
}

TEST_F(Files, refusesWhatCannotBeWritten) {
  EXPECT_EQ(message(clopt::checkWritable(folder)),
            folder + ": cannot be written: is a directory");
  EXPECT_EQ(message(clopt::checkWritable(at("no/x"))),
            at("no/x") + ": cannot be written: there is no folder '" +
                at("no") + "'");
  put("file", "text");
  EXPECT_EQ(message(clopt::checkWritable(at("file/x"))),
            at("file/x") + ": cannot be written: '" + at("file") +
                "' is not a folder");
  EXPECT_EQ(message(clopt::writeFileAtomically(at("no/x"), "text")),
            message(clopt::checkWritable(at("no/x"))));
}

TEST_F(Files, checkingCreatesNothing) {
  EXPECT_FALSE(clopt::checkWritable(at("new")));
  EXPECT_FALSE(clopt::checkWritable("-"));
  EXPECT_TRUE(names().empty());
}

TEST_F(Files, devicesAreWrittenNotReplaced) {
  EXPECT_FALSE(clopt::writeFileAtomically("/dev/null", "text"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(message(clopt::writeFileAtomically("/dev/full", "text")),
            "/dev/full: no space left on device");
}

TEST_F(Files, sameFileUnderTwoNames) {
  put("a", "");
  put("b", "");
  EXPECT_TRUE(clopt::isSameFile(at("a"), at("./a")));
  EXPECT_FALSE(clopt::isSameFile(at("a"), at("b")));
  EXPECT_FALSE(clopt::isSameFile(at("none"), at("none")));
}

} // namespace
