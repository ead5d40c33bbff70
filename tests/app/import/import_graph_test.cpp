// import graph: what the answer counts, and that the package is the graph.
#include "app/import/import_graph.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "app/model/loaded_model.hpp"
#include "base/temp_directory.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

/// a writes [0, 8); b reads it and so does c; c and d write [8, 16) with no path between them, d also reads [0, 8).
constexpr const char* kGraph = R"({"schema": "detent.graph/1", "name": "g", "regions": [{"name": "r", "size": 16}],
 "ops": [{"id": 0, "name": "a", "writes": [{"region": "r", "offset": 0, "size": 8}]},
         {"id": 1, "name": "b", "reads": [{"region": "r", "offset": 0, "size": 8}]},
         {"id": 2, "name": "c", "reads": [{"region": "r", "offset": 0, "size": 8}],
          "writes": [{"region": "r", "offset": 8, "size": 8}]},
         {"id": 3, "name": "d", "reads": [{"region": "r", "offset": 0, "size": 8}],
          "writes": [{"region": "r", "offset": 8, "size": 8}]}],
 "edges": [[0, 1], [0, 2], [0, 3]]})";

class ImportedGraph : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) {
    const std::string path = (dir_.path() / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  ImportGraphOptions options_of(const std::string& graph) {
    return {.request = {.model = graph}, .package = (dir_.path() / "g.pkg").string()};
  }

  TempDirectory dir_;
};

TEST_F(ImportedGraph, ADeadlineIsNotKeptAndThatIsSaid) {
  std::string text = kGraph;
  text.insert(1, "\"deadline\": \"5ms\", ");
  const ImportGraphOptions options = options_of(write("timed.json", text));
  const Answer answer = import_graph(options);
  EXPECT_EQ(answer.lines.at(1), "deadline 5.00 ms, kept in the package");
  EXPECT_EQ(load(options.package, {}).model.demands.deadline_ps, 5'000'000'000U);
}

TEST_F(ImportedGraph, CountsWhatConflictsAndWhatRaces) {
  const ImportGraphOptions options = options_of(write("g.json", kGraph));
  const Answer answer = import_graph(options);
  EXPECT_EQ(answer.json.at("ops"), 4);
  EXPECT_EQ(answer.json.at("edges"), 3);
  EXPECT_EQ(answer.json.at("conflicting_pairs"), 4) << "a with each of its readers, c with d";
  EXPECT_EQ(answer.json.at("racing_pairs"), 1);
  EXPECT_EQ(answer.json.at("hazards"), (Json{{"raw", 0}, {"war", 0}, {"waw", 1}}));
  EXPECT_EQ(answer.lines.back(), "4 conflicting pairs, 1 of them races");
  const LoadedModel loaded = load(options.package, {});
  EXPECT_EQ(loaded.desc().op_count, 4U);
  EXPECT_STREQ(loaded.desc().ops[3].name, "d");
}

TEST_F(ImportedGraph, KeepsSettingsInThePackage) {
  ImportGraphOptions options = options_of(write("g.json", kGraph));
  options.set = write("s.toml", "schema = \"detent.set/1\"\n[ops]\nd = { priority = 7 }\n");
  EXPECT_EQ(import_graph(options).json.at("settings"), "priority of 1 op from " + options.set);
  EXPECT_EQ(load(options.package, {}).desc().ops[3].priority, 7);
}

TEST_F(ImportedGraph, FilesOfAnotherKindAreNamedAndKept) {
  const std::string chip = write("c.toml", "schema = \"detent.platform/1\"\n");
  EXPECT_EQ(refusal_of([&] { return import_graph(options_of(chip)); }),
            chip + ": is a platform, not an op graph; a chip is given by --platform " + chip +
                ". Give a detent.graph/1 or /2 file; detent graph MODEL -o FILE writes one");
  ImportGraphOptions options = options_of(write("g.json", kGraph));
  options.package = chip;
  EXPECT_EQ(refusal_of([&] { return import_graph(options); }),
            "--out " + chip + ": is a platform, which would be lost; choose another name");
  EXPECT_EQ(refusal_of([&] { return import_graph(options_of("yolov8n")); }),
            "yolov8n: is a model of the zoo, not an op graph; detent check yolov8n --out DIR takes it");
}

}  // namespace
}  // namespace detent::app
