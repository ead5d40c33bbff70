#include "sim/platform/platform.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "tests/sim/platform/text.hpp"

namespace detent::sim::test {
namespace {

/// kGood with one piece of text replaced, once.
std::string good_with(const std::string& old_text, const std::string& new_text) {
  return replaced(kGood, old_text, new_text);
}

TEST(Platform, ReadsEveryKey) {
  const Platform platform = parse_platform(kGood, "mine.toml");
  EXPECT_EQ(platform.name, "mine");
  ASSERT_EQ(platform.classes.size(), 1U);
  EXPECT_EQ(platform.classes[0].count, 2U);
  EXPECT_EQ(platform.classes[0].clock_hz, 1000U);
  EXPECT_EQ(platform.classes[0].flops_per_cycle, 2.0);
  EXPECT_EQ(platform.classes[0].efficiency, 1.0);
  EXPECT_EQ(platform.dram_bytes_per_s, 5000U);
  EXPECT_EQ(platform.memory_bytes, 0U);
  EXPECT_EQ(platform.overheads.dispatch_ps, 1U);
  EXPECT_EQ(platform.overheads.queue_ps, 2U);
  EXPECT_EQ(platform.overheads.lock_ps, 3U);
  EXPECT_EQ(platform.overheads.wake_ps, 4U);
  EXPECT_EQ(platform.overheads.log_ps, 5U);
}

TEST(Platform, QuadNpuHasFourCpusAndOneNpu) {
  const Platform platform = find_platform("quad_npu");
  ASSERT_EQ(platform.classes.size(), 2U);
  EXPECT_EQ(platform.classes[0].name, "cpu");
  EXPECT_EQ(platform.classes[0].count, 4U);
  EXPECT_EQ(platform.classes[1].name, "npu");
  EXPECT_EQ(platform.classes[1].count, 1U);
}

TEST(Platform, AnUnknownNameSaysWhichThereAre) {
  try {
    static_cast<void>(find_platform("quad_gpu"));
    ADD_FAILURE() << "found";
  } catch (const std::invalid_argument& error) {
    const std::string text = error.what();
    EXPECT_EQ(
        text.rfind("platform quad_gpu: there is none of this name; did you mean quad_npu? Give a .toml file or one of ",
                   0),
        0U)
        << text;
    EXPECT_EQ(text,
              "platform quad_gpu: there is none of this name; did you mean quad_npu? Give a .toml file or one of "
              "am62a, corstone300_u55, corstone320_u85, "
              "imx93, orin_nano, quad_npu, rk3588, tda4vm");
  }
}

TEST(Platform, B70_ZeroCores) { expect_error(good_with("count = 2", "count = 0"), "mine.toml:5: ", "1 to 64"); }
TEST(Platform, B70_NegativeCores) { expect_error(good_with("count = 2", "count = -1"), "mine.toml:5: ", "core.count"); }
TEST(Platform, B70_TooManyCores) { expect_error(good_with("count = 2", "count = 65"), "mine.toml:5: ", "1 to 64"); }
TEST(Platform, B70_NegativeFrequency) {
  expect_error(good_with("clock_hz = 1000", "clock_hz = -1"), "mine.toml:6: ", "core.clock_hz");
}
TEST(Platform, B70_ZeroFrequency) {
  expect_error(good_with("clock_hz = 1000", "clock_hz = 0"), "mine.toml:6: ", "core.clock_hz");
}
TEST(Platform, B70_EfficiencyAboveOne) {
  expect_error(good_with("flops_per_cycle = 2", "flops_per_cycle = 2\nefficiency = 1.01"),
               "mine.toml:8: ", "at most 1");
}
TEST(Platform, B70_EfficiencyZero) {
  expect_error(good_with("flops_per_cycle = 2", "flops_per_cycle = 2\nefficiency = 0"), "mine.toml:8: ", "above 0");
}
TEST(Platform, B70_ZeroBandwidth) {
  expect_error(good_with("dram_bytes_per_s = 5000", "dram_bytes_per_s = 0"), "mine.toml:9: ", "dram_bytes_per_s");
}
TEST(Platform, B70_NegativeOverhead) {
  expect_error(good_with("lock_ps = 3", "lock_ps = -3"), "mine.toml:13: ", "lock_ps");
}
TEST(Platform, B17_NotANumber) {
  expect_error(good_with("flops_per_cycle = 2", "flops_per_cycle = nan"), "mine.toml:7: ", "flops_per_cycle");
  expect_error(good_with("flops_per_cycle = 2", "flops_per_cycle = inf"), "mine.toml:7: ", "flops_per_cycle");
  expect_error(good_with("count = 2", "count = 2.5"), "mine.toml:5: ", "integer");
  expect_error(good_with("count = 2", "count = \"2\""), "mine.toml:5: ", "integer");
}
TEST(Platform, B72_UnknownKeyAtTheTop) {
  expect_error(good_with("name = \"mine\"", "name = \"mine\"\ncolour = 1"), "mine.toml:3: ", "unknown key 'colour'");
}
TEST(Platform, B72_UnknownKeyInACore) {
  expect_error(good_with("count = 2", "cuont = 2"), "mine.toml:5: ", "unknown key 'core.cuont'");
}
TEST(Platform, B72_UnknownOverhead) {
  expect_error(good_with("log_ps = 5", "log_ps = 5\nirq_ps = 1"), "mine.toml:16: ", "unknown key 'overheads.irq_ps'");
}
TEST(Platform, B72_UnknownProvenance) {
  const std::string text = std::string(kGood) + "[provenance]\n\"cpu.clcok_hz\" = \"seen: x\"\n";
  expect_error(text, "mine.toml:17: ", "cpu.clcok_hz");
}
TEST(Platform, ProvenanceMustSayWhichKind) {
  const std::string text = std::string(kGood) + "[provenance]\n\"cpu.clock_hz\" = \"a friend told me\"\n";
  expect_error(text, "mine.toml:17: ", "seen, derived or memory");
}
TEST(Platform, MissingKeysAreNamed) {
  expect_error(good_with("clock_hz = 1000\n", ""), "mine.toml:3: ", "missing key 'core.clock_hz'");
  expect_error(good_with("wake_ps = 4\n", ""), "mine.toml:10: ", "missing key 'overheads.wake_ps'");
  expect_error(good_with("name = \"mine\"\n", ""), "mine.toml:", "missing key 'name'");
  expect_error("", "mine.toml:", "missing key 'schema'");
}
TEST(Platform, B16_DuplicateKey) {
  expect_error(good_with("count = 2", "count = 2\ncount = 3"), "mine.toml:6: ", "TOML");
}
TEST(Platform, B02_WrongSchema) {
  expect_error(good_with("detent.platform/1", "detent.platform/2"), "mine.toml:1: ", "detent.platform/1");
}
TEST(Platform, ClassesAreUniqueAndCpuComesFirst) {
  const std::string core = "[[core]]\nclass = \"CLASS\"\ncount = 1\nclock_hz = 1\nflops_per_cycle = 1\n";
  const auto second = [&](const std::string& name) {
    std::string added = core;
    added.replace(added.find("CLASS"), 5, name);
    return good_with("[memory]", added + "[memory]");
  };
  EXPECT_EQ(parse_platform(second("npu"), "mine.toml").classes.size(), 2U);
  expect_error(second("cpu"), "mine.toml:9: ", "duplicate");
  expect_error(second("delay"), "mine.toml:9: ", "delay");
  expect_error(second("N P U"), "mine.toml:9: ", "must be a name");
  expect_error(good_with("\"cpu\"", "\"npu\""), "mine.toml:", "must be 'cpu'");
}
TEST(Platform, B04_TruncatedAnywhereNeverCrashes) {
  for (const std::string text : {kGood, kChip}) {
    for (std::size_t length = 0; length + 1 < text.size(); ++length) {
      EXPECT_NO_FATAL_FAILURE(static_cast<void>(error_of(text.substr(0, length))));
    }
  }
}
TEST(Platform, EveryByteFlippedIsReadOrRefused) {
  for (const std::string good : {kGood, kChip}) {
    for (std::size_t i = 0; i < good.size(); ++i) {
      std::string text = good;
      text[i] = static_cast<char>(text[i] ^ 0x15);
      EXPECT_NO_FATAL_FAILURE(static_cast<void>(error_of(text)));
    }
  }
}

TEST(Platform, UnknownNameListsWhatExists) {
  try {
    find_platform("quad");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()),
              "platform quad: there is none of this name; did you mean quad_npu? Give a .toml file or one of am62a, "
              "corstone300_u55, corstone320_u85, imx93, "
              "orin_nano, quad_npu, rk3588, tda4vm");
  }
}

TEST(Platform, FilesAreFoundByPath) {
  const std::string path = testing::TempDir() + "detent_mine.toml";
  std::ofstream(path) << kGood;
  EXPECT_EQ(find_platform(path).name, "mine");
  std::remove(path.c_str());
  EXPECT_THROW(find_platform(path), std::invalid_argument);
  EXPECT_THROW(read_platform(testing::TempDir()), std::invalid_argument);
}

TEST(Platform, B70_PlainPlatformRefusesZeroCores) {
  EXPECT_THROW(plain_platform({{"cpu", 0}}), std::invalid_argument);
  EXPECT_THROW(plain_platform({{"npu", 1}}), std::invalid_argument);
  EXPECT_THROW(plain_platform({{"cpu", 1}, {"cpu", 1}}), std::invalid_argument);
  EXPECT_THROW(plain_platform({{"cpu", 64}, {"npu", 1}}), std::invalid_argument);
  EXPECT_THROW(plain_platform({}), std::invalid_argument);
  EXPECT_EQ(plain_platform({{"cpu", 63}, {"npu", 1}}).classes[1].count, 1U);
}

}  // namespace
}  // namespace detent::sim::test
