// verify --fix and the remedy on the first screen: every racy model at hand, and what happens to files.
#include "app/static/repair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "app/static/verify_model.hpp"
#include "base/input_error.hpp"
#include "base/io.hpp"
#include "base/temp_directory.hpp"
#include "models/files/package.hpp"
#include "models/prepare/load.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

class Repair : public ::testing::Test {
 protected:
  std::string file(const std::string& name) { return (place_.path() / name).string(); }
  static Answer verified(const std::string& model, const RepairOptions& fix = {}) {
    VerifyRequest request;
    request.request.model = model;
    request.fix = fix;
    return verify_model(request, {});
  }
  /// Mended, read back and judged again.
  void expect_mended(const std::string& model, RepairKind kind) {
    const std::string mended = file("mended");
    const Answer answer = verified(model, {kind, mended});
    EXPECT_EQ(answer.outcome, Outcome::kHolds) << model;
    EXPECT_EQ(answer.json["fix"]["file"], mended);
    EXPECT_EQ(verified(mended).outcome, Outcome::kHolds) << model;
    EXPECT_FALSE(verified(mended).json.contains("remedy"));
    std::filesystem::remove(mended);
  }
  static std::vector<std::string> planner_bugs() {
    std::vector<std::string> files;
    const std::string folder = std::string(DETENT_SOURCE_DIR) + "/tests/regress/planner_bugs";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    }
    std::ranges::sort(files);
    return files;
  }

  TempDirectory place_;
};

TEST_F(Repair, EveryPublicBugHasARemedyThatMendsIt) {
  ASSERT_GE(planner_bugs().size(), 17U);
  std::size_t by_edges = 0;
  for (const std::string& model : planner_bugs()) {
    const Json remedy = verified(model).json.at("remedy");
    EXPECT_EQ(remedy["mends"], true) << model;
    const bool is_edges = remedy["kind"] == "edges";
    by_edges += is_edges ? 1U : 0U;
    EXPECT_EQ(remedy.value("least", false), is_edges) << model;
    EXPECT_NE(remedy["command"].get<std::string>().find(is_edges ? "--fix edges" : "--fix places"), std::string::npos);
    expect_mended(model, is_edges ? RepairKind::kEdges : RepairKind::kPlaces);
  }
  EXPECT_GE(by_edges, 6U);
  EXPECT_LT(by_edges, planner_bugs().size()) << "an ordered overwrite is no matter of edges";
}

TEST_F(Repair, RacyModelsOfTheZooAreMendedByEdgesAndByPlaces) {
  for (const char* model : {"bad_reuse_war", "bad_reuse_waw"}) {
    expect_mended(model, RepairKind::kEdges);
    expect_mended(model, RepairKind::kPlaces);
  }
  expect_mended("bad_overlap", RepairKind::kPlaces);
  EXPECT_EQ(verified("bad_overlap").json["remedy"]["kind"], "places");
}

TEST_F(Repair, APackageStaysAPackageAndAGraphAGraph) {
  const std::string graph = planner_bugs().front();
  const models::Model model = models::load_model(graph);
  models::write_package(model, file("bug.pkg"));
  const std::string mended = file("mended");
  EXPECT_EQ(verified(file("bug.pkg"), {RepairKind::kPlaces, mended}).outcome, Outcome::kHolds);
  EXPECT_TRUE(models::is_package(read_regular_file(mended, 1U << 24U)));
  const models::Model from_package = models::load_model(mended);
  EXPECT_EQ(verified(graph, {RepairKind::kPlaces, mended}).outcome, Outcome::kHolds);
  EXPECT_EQ(read_regular_file(mended, 1U << 24U).substr(0, 12), "{\"schema\": \"");
  models::Model from_graph = models::load_model(mended);
  EXPECT_EQ(from_package, from_graph) << "names of ranges follow their places, too";
}

TEST_F(Repair, WhatIsNotMendedIsNotWritten) {
  const std::string mended = file("mended");
  write_file_atomically(mended, "what was there before");
  const std::string stale = std::string(DETENT_SOURCE_DIR) + "/tests/regress/planner_bugs/litert_8889.json";
  const Answer answer = verified(stale, {RepairKind::kEdges, mended});
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  EXPECT_EQ(answer.json["fix"]["mends"], false);
  EXPECT_EQ(answer.json["fix"]["beyond_edges"], true);
  EXPECT_EQ(answer.json["fix"]["file"], nullptr);
  EXPECT_EQ(read_regular_file(mended, 100), "what was there before");
  EXPECT_EQ(verified("bad_out_of_arena", {RepairKind::kPlaces, mended}).outcome, Outcome::kViolated);
  EXPECT_EQ(read_regular_file(mended, 100), "what was there before");
  EXPECT_THROW((void)verified("bad_cycle", {RepairKind::kEdges, mended}), std::invalid_argument);
}

TEST_F(Repair, ASoundModelIsWrittenAsItIs) {
  const Answer answer = verified("diamond", {RepairKind::kEdges, file("mended")});
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(answer.json["fix"]["edges"], Json::array());
  EXPECT_FALSE(verified("diamond").json.contains("remedy"));
}

TEST_F(Repair, APlaceThatCannotBeWrittenIsAnError) {
  EXPECT_THROW((void)verified("diamond", {RepairKind::kEdges, file("no/such/place")}), InputError);
}

TEST_F(Repair, TheFirstScreenNamesThePairTheEdgesAndTheCommand) {
  const Lines lines = verified("bad_reuse_waw").lines;
  const auto remedy = std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("remedy: "); });
  ASSERT_NE(remedy, lines.end());
  EXPECT_EQ(remedy[0].substr(0, 53), "remedy: 1 racing pair; the first: op 1 (spill) writes");
  EXPECT_EQ(remedy[1],
            "    1 edge orders all that conflicts as the program does (no fewer along its order do): 1 -> 2; the "
            "critical path goes from "
            "30.0 µs to 40.0 µs");
  EXPECT_EQ(remedy[2], "    detent verify bad_reuse_waw --fix edges -o FILE");
}

TEST_F(Repair, TheFirstScreenNamesThePlacesWhereEdgesDoNotHelp) {
  const Lines lines = verified(std::string(DETENT_SOURCE_DIR) + "/tests/regress/planner_bugs/litert_8889.json").lines;
  const auto edges =
      std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("    with edges, "); });
  ASSERT_LT(edges + 1, lines.end());
  EXPECT_EQ(edges[1], "    a at byte 192 instead of 0; no region grows");
}

TEST_F(Repair, TheCommandIsOneThatAShellTakes) {
  const std::string odd = file("it's a net.json");
  write_file_atomically(odd, R"({"schema": "detent.graph/1", "regions": [{"name": "ws", "size": 64}], "ops": [
    {"id": 0, "writes": [{"region": "ws", "offset": 0, "size": 8}]},
    {"id": 1, "writes": [{"region": "ws", "offset": 0, "size": 8}]}], "edges": []})");
  const std::string command = verified(odd).json["remedy"]["command"];
  EXPECT_EQ(command, "detent verify '" + (place_.path() / "it").string() + "'\\''s a net.json' --fix edges -o FILE");
}

TEST_F(Repair, WhatNothingMendsSaysSo) {
  write_file_atomically(file("late.json"),
                        R"({"schema": "detent.graph/2", "regions": [{"name": "ws", "size": 64}], "ops": [
    {"id": 0, "reads": [{"region": "ws", "offset": 0, "size": 8, "value": "x"}]},
    {"id": 1, "writes": [{"region": "ws", "offset": 0, "size": 8, "value": "x"}]}], "edges": [[0, 1]]})");
  const Answer answer = verified(file("late.json"));
  EXPECT_EQ(answer.json["remedy"]["command"], nullptr);
  EXPECT_EQ(answer.lines.back(), "    no edges and no places were found that mend all of it; plan the memory anew");
  const Answer tried = verified(file("late.json"), {RepairKind::kPlaces, file("never.json")});
  EXPECT_EQ(tried.outcome, Outcome::kViolated);
  EXPECT_EQ(tried.json["fix"]["left_violations"], 1);
}

TEST_F(Repair, PairsThatAMutexKeepsApartHaveARemedyToo) {
  write_file_atomically(file("mutex.json"),
                        R"({"schema": "detent.graph/1", "regions": [{"name": "ws", "size": 64}], "ops": [
    {"id": 0, "mutex": "m", "writes": [{"region": "ws", "offset": 0, "size": 8}]},
    {"id": 1, "mutex": "m", "writes": [{"region": "ws", "offset": 0, "size": 8}]}], "edges": []})");
  const Answer answer = verified(file("mutex.json"));
  EXPECT_EQ(answer.json["remedy"]["edges"], Json::array({Json::array({0, 1})}));
  const auto remedy = std::ranges::find(answer.lines, "remedy: 1 pair of ops whose order changes the result");
  EXPECT_NE(remedy, answer.lines.end());
  expect_mended(file("mutex.json"), RepairKind::kEdges);
}

TEST_F(Repair, OfALargeModelTheCommandAloneIsNamed) {
  std::string text = R"({"schema": "detent.graph/1", "regions": [{"name": "ws", "size": 64}], "ops": [)";
  for (int i = 0; i < 5001; ++i) {
    text += (i == 0 ? "" : ",") + std::string("{\"id\": ") + std::to_string(i) +
            (i < 2 ? R"(, "writes": [{"region": "ws", "offset": 0, "size": 8}]})" : "}");
  }
  write_file_atomically(file("large.json"), text + "], \"edges\": []}");
  const Answer answer = verified(file("large.json"));
  EXPECT_FALSE(answer.json["remedy"].contains("edges"));
  EXPECT_EQ(answer.json["remedy"]["command"].get<std::string>(),
            "detent verify " + file("large.json") + " --fix edges -o FILE");
  expect_mended(file("large.json"), RepairKind::kEdges);
}

TEST_F(Repair, ManyStaleReadsAreLeftToTheCommand) {
  std::string ops;
  std::string edges;
  for (int i = 0; i < 200; ++i) {
    const auto range = [](int value) {
      return R"([{"region": "ws", "offset": )" + std::to_string(8 * (value % 3)) + R"(, "size": 8, "value": "v)" +
             std::to_string(value) + "\"}]";
    };
    ops += std::string(i == 0 ? "" : ",") + "{\"id\": " + std::to_string(i) + ", \"writes\": " + range(i) +
           (i > 3 ? ", \"reads\": " + range(i - 4) : "") + "}";
    if (i > 0) edges += (i == 1 ? "[" : ",[") + std::to_string(i - 1) + "," + std::to_string(i) + "]";
  }
  write_file_atomically(file("stale.json"), R"({"schema": "detent.graph/2", "regions": [{"name": "ws", "size": 64}], )"
                                            R"("ops": [)" +
                                                ops + "], \"edges\": [" + edges + "]}");
  const Json remedy = verified(file("stale.json")).json["remedy"];
  EXPECT_EQ(remedy["kind"], "edges");
  EXPECT_EQ(remedy["mends"], false);
  EXPECT_EQ(remedy["command"].get<std::string>(), "detent verify " + file("stale.json") + " --fix places -o FILE");
}

TEST_F(Repair, AKindNeedsAFileAndAFileAKind) {
  const auto refused = [](const RepairOptions& fix) {
    try {
      (void)verified("bad_reuse_war", fix);
    } catch (const std::invalid_argument& refusal) {
      return std::string(refusal.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused({RepairKind::kEdges, ""}), "--fix: where does the mended model go? add -o FILE");
  EXPECT_EQ(refused({RepairKind::kNone, file("x")}), "-o: what is to be written? add --fix edges or --fix places");
  EXPECT_FALSE(std::filesystem::exists(file("x")));
}

TEST(RepairKind, WordsAreTwo) {
  EXPECT_EQ(repair_kind("edges"), RepairKind::kEdges);
  EXPECT_EQ(repair_kind("places"), RepairKind::kPlaces);
  EXPECT_THROW((void)repair_kind("both"), std::invalid_argument);
}

}  // namespace
}  // namespace detent::app
