//===- RuntimeProfileChoiceTest.cpp - which profile suits a device --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ProfileChoice.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace clopt::runtime;

namespace {

const DeviceIdentity hopper{"NVIDIA Corporation", "NVIDIA H100 80GB HBM3",
                            false};

TEST(RuntimeProfileChoiceTest, ArchitecturesHaveProfiles) {
  EXPECT_EQ(builtinProfileFor(hopper), "nvidia-hopper");
  EXPECT_EQ(
      builtinProfileFor({"NVIDIA Corporation", "NVIDIA GH200 480GB", false}),
      "nvidia-hopper");
  EXPECT_EQ(
      builtinProfileFor({"Advanced Micro Devices, Inc.", "Cypress", false}),
      "amd-cypress");
  EXPECT_EQ(builtinProfileFor({"Advanced Micro Devices, Inc.",
                               "gfx90a:sramecc+:xnack-", false}),
            "amd-cdna");
  EXPECT_EQ(builtinProfileFor({"AMD", "AMD Instinct MI250X (radeonsi)", false}),
            "amd-cdna");
  EXPECT_EQ(builtinProfileFor({"ARM", "Mali-T604", false}), "mali-midgard");
}

TEST(RuntimeProfileChoiceTest, OthersGoByTheirType) {
  EXPECT_EQ(builtinProfileFor({"NVIDIA Corporation", "Tesla K20c", false}),
            "generic-gpu");
  EXPECT_EQ(builtinProfileFor({"ARM", "Mali-G78", false}), "generic-gpu");
  EXPECT_EQ(builtinProfileFor({"Advanced Micro Devices, Inc.",
                               "gfx942:sramecc+:xnack-", false}),
            "generic-gpu");
  EXPECT_EQ(builtinProfileFor({"Somebody", "H100", false}), "generic-gpu");
  EXPECT_EQ(builtinProfileFor({"", "", false}), "generic-gpu");
  EXPECT_EQ(
      builtinProfileFor({"GenuineIntel", "pthread-Intel(R) Xeon(R)", true}),
      "cpu");
}

TEST(RuntimeProfileChoiceTest, NamesFitFiles) {
  EXPECT_EQ(profileNameOf(hopper), "nvidia-h100-80gb-hbm3");
  EXPECT_EQ(profileNameOf({"x", "pthread-Intel(R) Xeon(R) @ 2.70GHz", true}),
            "pthread-intel-r-xeon-r-2-70ghz");
  EXPECT_EQ(profileNameOf({"x", "../..", true}), "device");
  EXPECT_EQ(profileNameOf({"x", std::string(500, 'a'), true}).size(), 100u);
}

TEST(RuntimeProfileChoiceTest, TheUsersProfileGoesFirst) {
  const std::string folder = testing::TempDir() + "clopt-profile-choice";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  EXPECT_EQ(chooseProfile(hopper, folder), "nvidia-hopper");
  EXPECT_EQ(chooseProfile(hopper, ""), "nvidia-hopper");
  const std::string file = userProfileFile(hopper, folder);
  EXPECT_EQ(file, folder + "/nvidia-h100-80gb-hbm3.json");
  std::ofstream(file) << "{}\n";
  EXPECT_EQ(chooseProfile(hopper, folder), file);
  std::filesystem::remove_all(folder);
}

TEST(RuntimeProfileChoiceTest, TheFolderFollowsTheEnvironment) {
  ASSERT_EQ(setenv("XDG_CONFIG_HOME", "/etc/user", 1), 0);
  EXPECT_EQ(userProfileFolder(), "/etc/user/clopt");
  ASSERT_EQ(setenv("XDG_CONFIG_HOME", "", 1), 0);
  ASSERT_EQ(setenv("HOME", "/home/me", 1), 0);
  EXPECT_EQ(userProfileFolder(), "/home/me/.config/clopt");
}

} // namespace
