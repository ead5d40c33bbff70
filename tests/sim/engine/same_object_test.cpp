// The runtime that is simulated is the runtime that runs natively: every source compiled once, one archive for all.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/build.hpp"

namespace detent::sim::test {
namespace {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Times each "file" of compile_commands.json below runtime/ occurs; but for kernels, which are compiled once per
/// instruction set, and for the runtime in ISO C++, whose tests compare it with this one.
std::map<std::string, int> compiled_runtime_sources() {
  const std::string text = read_text(std::filesystem::path(kBuildFolder) / "compile_commands.json");
  const std::string prefix = std::string("\"file\": \"") + DETENT_SOURCE_DIR + "/runtime/";
  std::map<std::string, int> count;
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1)) {
    const std::size_t begin = at + prefix.size();
    const std::string_view command(text.data() + text.rfind('{', at), at - text.rfind('{', at));
    if (command.find("detent_runtime_standard") != std::string_view::npos) continue;
    const std::string source = text.substr(begin, text.find('"', begin) - begin);
    if (!source.starts_with("kernels/")) ++count[source];
  }
  return count;
}

TEST(SameObject, EachEngineSourceIsCompiledOnceForAllWorlds) {
  const auto count = compiled_runtime_sources();
  if (count.empty()) GTEST_SKIP() << "no compile_commands.json, or sources compiled in batches";
  EXPECT_TRUE(count.contains("api/detent.cpp"));
  EXPECT_TRUE(count.contains("engine/closed_loop.cpp"));
  for (const auto& [source, times] : count) EXPECT_EQ(times, 1) << source;
}

TEST(SameObject, NativeAndSimulatingProgramsLinkOneArchive) {
  const auto ninja = std::filesystem::path(kBuildFolder) / "build.ninja";
  if (!std::filesystem::exists(ninja)) GTEST_SKIP() << "not built by ninja";
  std::istringstream lines(read_text(ninja));
  int linked = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  LINK_LIBRARIES =")) continue;
    for (std::size_t at = line.find("libdetent_runtime."); at != std::string::npos;
         at = line.find("libdetent_runtime.", at + 1)) {
      const std::size_t begin = line.rfind(' ', at) + 1;
      EXPECT_EQ(line.substr(begin, line.find(' ', begin) - begin), "runtime/libdetent_runtime.a");
      ++linked;
    }
  }
  EXPECT_GT(linked, 0);
}

}  // namespace
}  // namespace detent::sim::test
