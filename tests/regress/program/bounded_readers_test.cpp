// B09, B62: readers whose memory was the file's to choose, and files that would be waited for.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <stdexcept>

#include "app/model/loaded_model.hpp"
#include "app/model/order_file.hpp"
#include "sim/cost/cost_table.hpp"
#include "sim/npu/topology.hpp"
#include "sim/platform/platform.hpp"
#include "tests/build.hpp"

namespace detent {
namespace {

std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Regress, B62_PlatformsAndCostsAreReadFromRegularFilesOnly) {
  const std::filesystem::path folder = std::filesystem::path(kBuildFolder) / "scratch";
  std::filesystem::create_directories(folder);
  const std::string fifo = (folder / "fifo.toml").string();
  std::filesystem::remove(fifo);
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_NE(refusal([&] { sim::read_platform(folder.string()); }).find(": is a folder, not a platform"),
            std::string::npos);
  EXPECT_NE(refusal([&] { sim::read_costs(folder.string()); }).find(": is a folder, not a table"), std::string::npos);
  for (const std::string& path : {fifo, std::string("/dev/zero")}) {
    EXPECT_NE(refusal([&] { sim::read_platform(path); }).find("a regular file is needed"), std::string::npos) << path;
    EXPECT_NE(refusal([&] { sim::read_costs(path); }).find("a regular file is needed"), std::string::npos) << path;
  }
}

/// Found by tools/fuzz.sh: an assertion of the TOML library, which is undefined behaviour where it is compiled out.
TEST(Regress, B15_TextThatTheTomlLibraryDoesNotExpectIsRefused) {
  for (const char* text : {"[[\x01", "[[ \x01]]", "[[=", "a = \u00FC", "a \u00FC= 1", "a = 1\u0499", "[\u00E9]"}) {
    EXPECT_TRUE(refusal([&] { sim::parse_costs(text, "c.toml"); }).starts_with("c.toml:")) << text;
  }
}

TEST(Regress, B09_ALayerOfManyCellsKeepsFewOfThem) {
  std::string line = "x";
  for (int i = 0; i < 100'000; ++i) line += ",1";
  const std::string error = refusal([&] { sim::npu::parse_layers(line, "l.csv"); });
  EXPECT_EQ(error,
            "l.csv:1: 65 columns; give a name and M,N,K, or a name and input height and width, filter height and "
            "width, channels, filters, stride");
  EXPECT_EQ(sim::npu::parse_layers("x,1,2,3" + std::string(100'000, ','), "l.csv").size(), 1U);
}

TEST(Regress, B09_AnOrderIsRefusedAtItsFirstWrongEntry) {
  detent_op op{};
  detent_desc desc{};
  desc.ops = &op;
  desc.op_count = 1;
  std::string text = "0 0 ";
  EXPECT_EQ(refusal([&] { app::parse_order(text, "o.txt", desc); }),
            "o.txt: entry 2 ('0') is a duplicate; list every op once");
  EXPECT_EQ(app::parse_order("# 5\n[0], # 0\n", "o.txt", desc), std::vector<std::uint32_t>({0}));
}

}  // namespace
}  // namespace detent
