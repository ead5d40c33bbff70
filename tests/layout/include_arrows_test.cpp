// The tree keeps the arrows of docs/ARCHITECTURE.md, and the checks that say so can fail.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/layout/include_graph.hpp"

namespace detent::layout {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(Layout, EveryIncludeGoesAlongAnArrow) {
  const IncludeGraph graph = read_tree(DETENT_SOURCE_DIR);
  ASSERT_GT(graph.size(), 50U);
  EXPECT_EQ(joined(check_arrows(graph)), "");
}

TEST(Layout, ExternalHeadersStayInTheirFolder) {
  EXPECT_EQ(joined(check_external_headers(read_tree(DETENT_SOURCE_DIR))), "");
}

TEST(Layout, TargetCodeNeedsFreestandingHeadersAlone) {
  const std::set<std::string> host = read_host_sources(DETENT_SOURCE_DIR);
  ASSERT_TRUE(host.contains("runtime/ports/posix.cpp"));
  const IncludeGraph graph = read_tree(DETENT_SOURCE_DIR);
  for (const std::string& source : host) EXPECT_TRUE(graph.contains(source)) << source;
  EXPECT_EQ(joined(check_freestanding(graph, host)), "");
}

/// verify/smt is the second opinion on L0: only agreement may see L0, and only its answers.
std::vector<std::string> shared_with_l0(const IncludeGraph& graph) {
  std::vector<std::string> findings;
  for (const auto& [file, includes] : graph) {
    if (!file.starts_with("verify/smt/") || file.starts_with("verify/smt/agreement.")) continue;
    for (const std::string& include : includes) {
      const bool is_own = include.starts_with("verify/smt/") && !include.starts_with("verify/smt/agreement.");
      const bool is_wording = include == "verify/verdict/verdict.hpp" || include == "verify/verdict/names.hpp" ||
                              include == "verify/verdict/vacuous.hpp";
      const bool is_question = include == "verify/timing/timing_problem.hpp";
      if (include.starts_with("verify/") && !is_own && !is_wording && !is_question)
        findings.push_back(file + " includes " + include);
    }
  }
  return findings;
}

TEST(Layout, SmtSharesNoCodeWithTheCheckersThatItChecks) {
  EXPECT_EQ(joined(shared_with_l0(read_tree(DETENT_SOURCE_DIR))), "");
  EXPECT_EQ(shared_with_l0({{"verify/smt/a.cpp", {"verify/graph/order.hpp", "verify/smt/b.hpp"}}}).size(), 1U);
}

TEST(Layout, FoldersIncludeEachOtherAsAgreedAndInNoCycle) {
  const IncludeGraph folders = folder_graph(read_tree(DETENT_SOURCE_DIR));
  ASSERT_GT(folders.size(), 40U);
  EXPECT_EQ(joined(check_folder_arrows(folders, read_file(DETENT_SOURCE_DIR "/tests/layout/folders.txt"))), "");
  EXPECT_EQ(joined(check_cycles(folders)), "");
}

TEST(Layout, PlantedArrowsBetweenFoldersAreCaught) {
  const IncludeGraph tree = {{"sim/npu/a.cpp", {"sim/chip/b.hpp"}},
                             {"sim/chip/b.hpp", {"sim/npu/c.hpp", "vector", "runtime/engine/d.h"}},
                             {"sim/npu/c.hpp", {}},
                             {"runtime/engine/d.h", {}}};
  const IncludeGraph folders = folder_graph(tree);
  EXPECT_EQ(joined(check_cycles(folders)), "sim/chip -> sim/npu -> sim/chip\n");
  EXPECT_EQ(joined(check_folder_arrows(
                folders, "# two\nsim/npu: sim/chip\nsim/chip: sim/npu runtime/engine\nruntime/engine:\n")),
            "");
  EXPECT_EQ(joined(check_folder_arrows(folders, "sim/npu: base\nsim/chip: sim/npu runtime/engine\nruntime/engine:\n")),
            "sim/npu -> sim/chip: not in tests/layout/folders.txt\n"
            "sim/npu -> base: in tests/layout/folders.txt, but not in the tree\n");
  EXPECT_EQ(check_folder_arrows(folders, "sim/npu: sim/chip\n").size(), 2U);
}

TEST(Layout, TheIncludeGraphHasNoCycle) { EXPECT_EQ(joined(check_cycles(read_tree(DETENT_SOURCE_DIR))), ""); }

TEST(Layout, PlantedArrowsAreCaught) {
  EXPECT_EQ(check_arrows({{"runtime/a.cpp", {"models/core/model.hpp"}}}).size(), 1U);
  EXPECT_EQ(check_arrows({{"models/a.cpp", {"runtime/engine/engine.h"}}}).size(), 1U);
  EXPECT_EQ(check_arrows({{"models/a.cpp", {"harness/run.hpp"}}}).size(), 1U);
  EXPECT_EQ(check_arrows({{"base/a.cpp", {"models/core/model.hpp"}}}).size(), 1U);
  EXPECT_EQ(check_arrows({{"base/a.cpp", {"runtime/engine/engine.h"}}}).size(), 1U);
  EXPECT_EQ(check_arrows({{"sim/a.cpp", {"verify/verdict/verdict.hpp"}}}).size(), 1U);
  EXPECT_EQ(check_arrows({{"cli/a.cpp", {"sim/simulate.hpp", "models/core/model.hpp"}}}).size(), 2U);
  EXPECT_EQ(check_arrows({{"cli/a.cpp", {"runtime/engine/engine.h"}}}).size(), 1U);
  EXPECT_EQ(check_arrows({{"app/a.cpp", {"cli/output.hpp"}}}).size(), 1U);
  EXPECT_TRUE(check_arrows({{"app/a.cpp", {"sim/simulate.hpp", "reports/html/page.hpp"}}}).empty());
  EXPECT_TRUE(check_arrows({{"models/a.cpp", {"runtime/include/detent/desc.h", "vector"}}}).empty());
}

TEST(Layout, PlantedExternalHeadersAreCaught) {
  EXPECT_EQ(check_external_headers({{"cli/a.cpp", {"systemc"}}}).size(), 1U);
  EXPECT_EQ(check_external_headers({{"tests/a.cpp", {"rapidcheck/gtest.h"}}}).size(), 1U);
  EXPECT_EQ(check_external_headers({{"app/a.cpp", {"CLI/CLI.hpp"}}}).size(), 1U);
  EXPECT_TRUE(check_external_headers({{"cli/a.cpp", {"CLI/CLI.hpp"}}}).empty());
  EXPECT_TRUE(check_external_headers({{"tests/cli/a.cpp", {"CLI/CLI.hpp"}}}).empty());
  EXPECT_EQ(check_external_headers({{"sim/a.cpp", {"systemc"}}}).size(), 1U);
  EXPECT_TRUE(check_external_headers({{"sim/systemc/a.cpp", {"systemc"}}}).empty());
}

TEST(Layout, PlantedHeadersOfAHostAreCaught) {
  const std::set<std::string> host = {"runtime/ports/posix.cpp"};
  for (const char* header :
       {"pthread.h", "time.h", "stdlib.h", "cstdlib", "dlfcn.h", "unistd.h", "string.h", "cstdint", "type_traits",
        "immintrin.h", "runtime/ports/host_clock.h", "runtime/ports/host_cores.h"}) {
    EXPECT_EQ(check_freestanding({{"runtime/api/detent.cpp", {header}}}, host).size(), 1U) << header;
  }
  EXPECT_TRUE(check_freestanding({{"runtime/ports/posix.cpp", {"pthread.h", "cstring"}}}, host).empty());
  EXPECT_TRUE(
      check_freestanding(
          {{"runtime/include/detent/port.h", {"stdint.h", "stdbool.h", "runtime/include/detent/status.h"}}}, host)
          .empty());
  EXPECT_TRUE(check_freestanding({{"harness/a.cpp", {"time.h"}}}, host).empty());
}

TEST(Layout, PlantedCyclesAreCaught) {
  const IncludeGraph graph = {{"a.hpp", {"b.hpp"}}, {"b.hpp", {"c.hpp"}}, {"c.hpp", {"a.hpp", "vector"}}};
  EXPECT_EQ(joined(check_cycles(graph)), "a.hpp -> b.hpp -> c.hpp -> a.hpp\n");
}

}  // namespace
}  // namespace detent::layout
