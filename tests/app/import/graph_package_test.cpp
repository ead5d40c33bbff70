// An op graph file -> a package and what is said of it; limits of the arena in words.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "app/import/import_graph.hpp"
#include "app/import/import_tvm.hpp"
#include "app/model/loaded_model.hpp"
#include "app/static/verify_model.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

constexpr const char* kRacyGraph = R"({"schema": "detent.graph/1", "regions": [{"name": "ws", "size": 64}],
 "ops": [
  {"id": 0, "name": "a", "writes": [{"region": "ws", "offset": 0, "size": 8}]},
  {"id": 1, "name": "b", "reads": [{"region": "ws", "offset": 0, "size": 8}]},
  {"id": 2, "name": "c", "writes": [{"region": "ws", "offset": 4, "size": 8}]}],
 "edges": [[0, 1]]}
)";

class GraphPackage : public ::testing::Test {
 protected:
  [[nodiscard]] ImportGraphOptions import_of(const std::string& text) const {
    ImportGraphOptions made;
    made.request.model = place_.write("graph.json", text);
    made.package = place_.file("made.pkg");
    return made;
  }
  [[nodiscard]] bool is_written() const { return std::filesystem::exists(place_.file("made.pkg")); }

  TemporaryDirectory place_;
};

TEST_F(GraphPackage, ThePackageIsTheGraph) {
  const ImportGraphOptions options = import_of(kRacyGraph);
  (void)import_graph(options);
  VerifyRequest of_graph, of_package;
  of_graph.request.model = options.request.model;
  of_package.request.model = options.package;
  Answer first = verify_model(of_graph, {}), second = verify_model(of_package, {});
  EXPECT_EQ(first.json["verdicts"], second.json["verdicts"]);
  EXPECT_EQ(first.json["races"], second.json["races"]);
}

TEST_F(GraphPackage, RacesAreCountedAndDoNotKeepThePackageFromBeingWritten) {
  const ImportGraphOptions options = import_of(kRacyGraph);
  const Answer answer = import_graph(options);
  EXPECT_EQ(answer.outcome, Outcome::kHolds) << "an import is no verdict";
  EXPECT_TRUE(is_written());
  EXPECT_EQ(answer.json["schema"], "detent.import/1");
  EXPECT_EQ(answer.json["ops"], 3);
  EXPECT_EQ(answer.json["edges"], 1);
  EXPECT_EQ(answer.json["conflicting_pairs"], 3);
  EXPECT_EQ(answer.json["racing_pairs"], 2);
  EXPECT_EQ(answer.json["hazards"], (Json{{"raw", 0}, {"war", 1}, {"waw", 1}}));
  EXPECT_EQ(answer.lines, (Lines{options.request.model + ": 3 ops, 1 edge, 2 byte ranges -> " + options.package,
                                 "3 conflicting pairs, 2 of them race"}));
}

TEST_F(GraphPackage, OneRaceIsSaidInTheSingular) {
  const Answer answer = import_graph(import_of(R"({"schema": "detent.graph/1", "regions": [{"name": "r", "size": 8}],
 "ops": [{"id": 0, "writes": [{"region": "r", "offset": 0, "size": 8}]},
         {"id": 1, "writes": [{"region": "r", "offset": 0, "size": 8}]}], "edges": []})"));
  EXPECT_EQ(answer.lines.back(), "1 conflicting pair, 1 of them races");
}

TEST_F(GraphPackage, SettingsAreKeptInThePackage) {
  ImportGraphOptions options = import_of(kRacyGraph);
  options.set = place_.write("set.toml", "schema = \"detent.set/1\"\n[ops]\nb = { priority = 7 }\n");
  const Answer answer = import_graph(options);
  ASSERT_TRUE(answer.json.contains("settings"));
  EXPECT_EQ(answer.lines.at(1), answer.json["settings"].get<std::string>());
  EXPECT_EQ(load(options.package, {}).desc().ops[1].priority, 7);
}

TEST_F(GraphPackage, AGraphThatBreaksARuleLeavesNoPackage) {
  for (const char* text : {"", "{}", R"({"schema": "detent.graph/9", "ops": []})",
                           R"({"schema": "detent.graph/1", "ops": [{"id": 0}], "edges": [[0, 1]]})"}) {
    EXPECT_NE(refusal_of([&] { return import_graph(import_of(text)); }), "") << text;
    EXPECT_FALSE(is_written()) << text;
  }
}

TEST_F(GraphPackage, APackageThatCannotBeWrittenIsRefused) {
  ImportGraphOptions options = import_of(kRacyGraph);
  options.package = place_.file("no/such/folder.pkg");
  EXPECT_NE(refusal_of([&] { return import_graph(options); }), "");
}

TEST(ArenaLimit, IsTvmsOwnArenaOrASize) {
  ImportTvmOptions options;
  set_arena_limit(options, "tvm");
  EXPECT_TRUE(options.stays_within_tvm);
  EXPECT_EQ(options.arena_limit_bytes, UINT64_MAX);
  ImportTvmOptions sized;
  set_arena_limit(sized, "64KiB");
  EXPECT_EQ(sized.arena_limit_bytes, 65536U);
  EXPECT_FALSE(sized.stays_within_tvm);
  set_arena_limit(sized, "1.5MiB");
  EXPECT_EQ(sized.arena_limit_bytes, 1572864U);
  set_arena_limit(sized, "1");
  EXPECT_EQ(sized.arena_limit_bytes, 1U);
}

TEST(ArenaLimit, WhatIsNoSizeIsRefused) {
  for (const char* text : {"0", "", "TVM", "-1", "1.5", "64KB?", "1e30"}) {
    ImportTvmOptions options;
    const std::string refusal = refusal_of([&] { return set_arena_limit(options, text), 0; });
    EXPECT_EQ(refusal, std::string("--arena-limit ") + text +
                           ": must be tvm or a size above 0, such as 64KiB, 1.5MiB or 65536 (bare numbers are bytes)");
    EXPECT_EQ(options.arena_limit_bytes, UINT64_MAX);
  }
}

TEST(ArenaLimit, MeansNothingWithoutANewPlan) {
  ImportTvmOptions options;
  options.request.model = "nowhere";
  for (const char* text : {"tvm", "64KiB"}) {
    set_arena_limit(options, text);
    EXPECT_EQ(refusal_of([&] { return import_tvm(options, {}).is_foreign; }),
              "--arena-limit: without --replan parallel TVM's own places stay as they are; add it");
  }
}

}  // namespace
}  // namespace detent::app
