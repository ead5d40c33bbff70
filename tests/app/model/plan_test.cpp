#include "app/model/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "app/import/import_graph.hpp"
#include "app/model/emit.hpp"
#include "app/model/graph.hpp"
#include "base/io.hpp"

namespace detent::app {
namespace {

PlanRequest plan_of(const std::string& model) {
  PlanRequest made;
  made.request.model = model;
  return made;
}

TEST(PlanModel, SerialPlansTakeNoMoreThanParallelOnes) {
  PlanRequest request = plan_of("resnet18");
  const Answer parallel = plan_model(request);
  request.order = "serial";
  const Answer serial = plan_model(request);
  EXPECT_LE(serial.json["arena_bytes"], parallel.json["arena_bytes"]);
  EXPECT_LE(parallel.json["lower_bound_bytes"], parallel.json["arena_bytes"]);
  EXPECT_LE(parallel.json["arena_bytes"], parallel.json["unshared_bytes"]);
  EXPECT_NE(serial.lines, parallel.lines);
}

TEST(PlanModel, APlanThatCameWithTheModelIsShownAsItIs) {
  const Answer answer = plan_model(plan_of("bad_overlap"));
  EXPECT_EQ(answer.json["order"], "given");
  const std::string given = "the model came with this plan; detent verify judges it";
  EXPECT_NE(std::ranges::find(answer.lines, given), answer.lines.end());
}

TEST(PlanModel, ACapacityThatIsTooSmallIsRefused) {
  PlanRequest request = plan_of("resnet18");
  request.capacity_bytes = 1024;
  EXPECT_THROW(static_cast<void>(plan_model(request)), std::invalid_argument);
}

TEST(GraphOf, IsReadBackAsAPackageWithTheSameCounts) {
  const GraphFile graph = graph_of("diamond", {});
  EXPECT_EQ(graph.ops, 4U);
  EXPECT_EQ(graph.edges, 4U);
  const std::filesystem::path place = std::filesystem::temp_directory_path();
  ImportGraphOptions options;
  options.request.model = (place / "detent_graph_of.json").string();
  options.package = (place / "detent_graph_of.pkg").string();
  write_file_atomically(options.request.model, graph.text);
  const Answer answer = import_graph(options);
  EXPECT_EQ(answer.json["ops"], graph.ops);
  EXPECT_EQ(answer.json["edges"], graph.edges);
  EXPECT_EQ(answer.json["racing_pairs"], 0);
  EXPECT_EQ(load(options.package, {}).desc().op_count, graph.ops);
  std::filesystem::remove(options.request.model);
  std::filesystem::remove(options.package);
}

TEST(EmitFirmware, WritesADirectoryOnceAndAgainOnlyByForce) {
  EmitRequest request;
  request.request.model = "diamond";
  request.directory = (std::filesystem::temp_directory_path() / "detent_emit_firmware").string();
  request.workers = {3, 2, 2};
  std::filesystem::remove_all(request.directory);
  const Answer answer = emit_firmware(request);
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(answer.json["static_workers"], Json::array({2, 3}));
  EXPECT_TRUE(std::filesystem::exists(request.directory + "/Makefile"));
  EXPECT_ANY_THROW(static_cast<void>(emit_firmware(request)));
  request.force = true;
  EXPECT_EQ(emit_firmware(request).json["files"], answer.json["files"]);
  std::filesystem::remove_all(request.directory);
}

TEST(EmitFirmware, ARacingModelIsWrittenWithAWarning) {
  EmitRequest request;
  request.request.model = "bad_reuse_war";
  request.directory = (std::filesystem::temp_directory_path() / "detent_emit_racing").string();
  std::filesystem::remove_all(request.directory);
  const Answer answer = emit_firmware(request);
  EXPECT_EQ(answer.json["racing_pairs"], 1);
  EXPECT_EQ(answer.lines.back(),
            "warning: 1 pair of ops races on shared bytes; run it with --workers 0 only, and see detent verify "
            "bad_reuse_war");
  std::filesystem::remove_all(request.directory);
}

}  // namespace
}  // namespace detent::app
