#include "app/model/firmware.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/model/emit.hpp"
#include "app/model/graph.hpp"
#include "app/model/kernel_audit.hpp"
#include "app/model/loaded_model.hpp"
#include "app/model/plan.hpp"
#include "tests/app/answers.hpp"
#include "tests/golden.hpp"

namespace detent::app {
namespace {

TEST(StaticLists, HoldEveryOpOnce) {
  const LoadedModel loaded = load("diamond", {.weights = false});
  for (const std::uint32_t workers : {1U, 2U, 3U, 8U}) {
    StaticLists lists = bind_static_lists(loaded.desc(), workers, false);
    EXPECT_EQ(lists.schedule().worker_count, workers);
    std::ranges::sort(lists.ops);
    EXPECT_EQ(lists.ops, (std::vector<std::uint32_t>{0, 1, 2, 3})) << workers;
  }
}

TEST(StaticLists, MoreWorkersThanTheRuntimeHasAreRefused) {
  const LoadedModel loaded = load("diamond", {.weights = false});
  for (const std::uint32_t workers : {DETENT_MAX_WORKERS + 1U, UINT32_MAX}) {
    const std::string refusal = refusal_of([&] { return bind_static_lists(loaded.desc(), workers, false); });
    EXPECT_EQ(refusal.rfind("diamond: ", 0), 0U) << refusal;
  }
}

TEST(StaticLists, ACycleIsRefused) {
  const LoadedModel loaded = load("bad_cycle", {.weights = false});
  EXPECT_EQ(refusal_of([&] { return bind_static_lists(loaded.desc(), 1, true); }).rfind("bad_cycle: ", 0), 0U);
}

TEST(FirmwareArena, GrowsWithItsWorkers) {
  const LoadedModel loaded = load("diamond", {.weights = false});
  std::uint64_t before = 0;
  for (const std::uint32_t workers : {0U, 1U, 4U, 16U}) {
    const std::uint64_t bytes = firmware_arena_bytes(loaded.desc(), workers);
    EXPECT_GE(bytes, before) << workers;
    before = bytes;
  }
}

TEST(FirmwareKernels, ZooModelsUseBuiltInOnes) {
  EXPECT_TRUE(uses_builtin_kernels(load("diamond", {.weights = false}).desc()));
  EXPECT_FALSE(uses_builtin_kernels(detent_desc{}));
}

TEST(EmitFirmware, FilesAreAsLongAsTheAnswerSays) {
  const TemporaryDirectory place;
  EmitRequest request;
  request.request.model = "diamond";
  request.directory = place.file("out");
  const Answer answer = emit_firmware(request);
  for (const Json& file : answer.json["files"]) {
    EXPECT_EQ(file["bytes"], std::filesystem::file_size(request.directory + "/" + file["path"].get<std::string>()));
  }
  EXPECT_EQ(answer.json["static_workers"], Json::array());
  EXPECT_FALSE(answer.json.contains("access_audit")) << "built-in kernels are not audited";
}

TEST(EmitFirmware, RefusedModelsWriteNothing) {
  const TemporaryDirectory place;
  EmitRequest request;
  request.directory = place.file("out");
  for (const char* model : {"bad_cycle", "nothing"}) {
    request.request.model = model;
    EXPECT_NE(refusal_of([&] { return emit_firmware(request); }), "") << model;
  }
  request.request.model = "diamond";
  request.workers = {DETENT_MAX_WORKERS + 1U};
  EXPECT_NE(refusal_of([&] { return emit_firmware(request); }), "");
  EXPECT_EQ(place.file_count(), 0U);
}

TEST(EmitFirmware, AFileInThePlaceOfTheDirectoryIsKept) {
  const TemporaryDirectory place;
  EmitRequest request;
  request.request.model = "diamond";
  request.directory = place.write("out", "mine");
  for (const bool force : {false, true}) {
    request.force = force;
    EXPECT_ANY_THROW(static_cast<void>(emit_firmware(request))) << force;
    EXPECT_EQ(bytes_of(request.directory), "mine");
  }
}

TEST(PlanModel, LinesSayWhatTheJsonSays) {
  PlanRequest request;
  request.request.model = "diamond";
  expect_golden(text_of(plan_model(request)), "app/model/golden/plan_diamond.txt");
}

TEST(PlanModel, AnUnknownOrderIsRefused) {
  PlanRequest request;
  request.request.model = "diamond";
  request.order = "Serial";
  EXPECT_EQ(refusal_of([&] { return plan_model(request); }), "--order Serial: choose serial or parallel");
}

TEST(PlanModel, ACapacityOfThePlanIsEnoughAndOneBelowTheBoundIsNot) {
  PlanRequest request;
  request.request.model = "branchnet";
  const Answer free = plan_model(request);
  request.capacity_bytes = free.json["arena_bytes"].get<std::uint64_t>();
  EXPECT_LE(plan_model(request).json["arena_bytes"], free.json["arena_bytes"]);
  request.capacity_bytes = free.json["lower_bound_bytes"].get<std::uint64_t>() - 1;
  EXPECT_NE(refusal_of([&] { return plan_model(request); }), "");
}

TEST(PlanModel, EveryPlaceLiesInTheArena) {
  PlanRequest request;
  request.request.model = "branchnet";
  const Json json = plan_model(request).json;
  for (const Json& place : json["offsets"]) {
    if (place["region"] != "workspace") continue;
    EXPECT_LE(place["offset"].get<std::uint64_t>() + place["size"].get<std::uint64_t>(),
              json["arena_bytes"].get<std::uint64_t>());
  }
  EXPECT_EQ(json.dump(), plan_model(request).json.dump());
}

TEST(GraphOf, SplitOpsAreMoreOps) {
  const GraphFile whole = graph_of("branchnet", {});
  const GraphFile split = graph_of("branchnet", {.split = 2});
  EXPECT_GT(split.ops, whole.ops);
  EXPECT_EQ(graph_of("branchnet", {}).text, whole.text);
  EXPECT_EQ(parse_answer("graph", whole.text)["ops"].size(), whole.ops);
  EXPECT_NE(refusal_of([] { return graph_of("nothing", {}); }), "");
}

TEST(LoadedModel, AnyKernelIsResolvedAndDoesNothing) {
  const detent_backend backend = any_kernel_backend();
  detent_entity entity{};
  ASSERT_EQ(backend.resolve(nullptr, "no such kernel", &entity), DETENT_OK);
  EXPECT_EQ(entity.run(nullptr), 0);
}

TEST(LoadedModel, BuiltInModelsHaveNothingToCompileOrAudit) {
  const LoadedModel loaded = load("diamond", {});
  EXPECT_TRUE(is_executable(loaded));
  EXPECT_NO_THROW(require_executable(loaded));
  EXPECT_EQ(loaded.module, nullptr);
  EXPECT_TRUE(module_sources(loaded.model).empty());
  EXPECT_FALSE(has_kernels_to_audit(loaded));
  EXPECT_EQ(footprint_ground(loaded, nullptr), "");
}

TEST(LoadedModel, MissingCodeIsRefusedWithTheCommandsThatNeedNone) {
  LoadedModel loaded = load("diamond", {});
  loaded.missing_code = "conv has no definition in the package";
  EXPECT_FALSE(is_executable(loaded));
  EXPECT_EQ(refusal_of([&] { require_executable(loaded); }),
            "diamond: cannot be executed: conv has no definition in the package; verify, bound, check and simulate "
            "--timing-only need no code");
}

TEST(LoadedModel, AFunctionThatAGraphNamesAndItsFileLacksIsNamedWithTheFile) {
  const TemporaryDirectory place;
  const std::string graph = place.write(
      "own.json", R"({"schema": "detent.graph/1", "name": "own", "ops": [{"id": 0, "kernel": "mine.c:f"}]})");
  static_cast<void>(place.write("mine.c", "int unused;\n"));
  EXPECT_EQ(refusal_of([&] { return load(graph, {}); }),
            "own: mine.c defines no function f that can be linked; define int32_t f(const detent_kernel_args *args) "
            "there, not static");
  const LoadedModel analysed = load(graph, {.weights = false});
  EXPECT_EQ(analysed.module, nullptr) << "nothing is compiled for it";
  EXPECT_EQ(footprint_ground(analysed, nullptr), "footprints as the graph states them");
}

TEST(LoadedModel, CostsOfAMissingFileAreRefused) {
  const TemporaryDirectory place;
  const std::string missing = place.file("costs.toml");
  EXPECT_EQ(refusal_of([&] { return load("diamond", {.costs = missing}); }).rfind(missing, 0), 0U);
}

TEST(LoadedModel, CompilerAndFlagsArePassedOn) {
  models::Model model;
  model.compile_flags = {"-O3"};
  const harness::CModuleOptions options = module_options(model, "gcc-12");
  EXPECT_EQ(options.compile.compiler, "gcc-12");
  EXPECT_EQ(options.compile.flags, model.compile_flags);
}

}  // namespace
}  // namespace detent::app
