// Everything that is read from each fixture, and the Models that come of it, against golden files.
#include "tests/golden.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/model/import.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"
#include "tests/models/import/tvm/import_dump.hpp"
#include "tests/models/model_text.hpp"

namespace detent::models::tvm {
namespace {

/// Paths from `root` on.
std::string without(std::string text, const std::string& root) {
  for (std::size_t at = text.find(root); at != std::string::npos; at = text.find(root, at)) text.erase(at, root.size());
  return text;
}

std::string replan_text(const Replan& replan) {
  std::string text =
      "replan tvm " + std::to_string(replan.tvm_arena_bytes) + " bound " + std::to_string(replan.lower_bound_bytes) +
      " stack " + std::to_string(replan.stack_bytes) + " local " + std::to_string(replan.local_buffers) + " moved " +
      std::to_string(replan.moved_buffers) + " in place " + std::to_string(replan.shared_in_place) + "\n";
  for (std::size_t i = 0; i < replan.plans.size(); ++i) {
    const ReplanFigures& plan = replan.plans[i];
    text += "plan " + plan.name + ", scratch " + scratch_place_name(plan.strategy) + ": " +
            std::to_string(plan.arena_bytes) + " bound " + std::to_string(plan.lower_bound_bytes) + " critical path " +
            std::to_string(plan.parallelism.critical_path) + " unordered pairs " +
            std::to_string(plan.parallelism.unordered_pairs) + (plan.leaves_all ? " all" : "") +
            (i == replan.taken ? " taken" : "") + "\n";
  }
  return text + model_text(replan.model);
}

class ImportGolden : public testing::TestWithParam<const char*> {};

TEST_P(ImportGolden, IsReadAsTheGoldenFileSays) {
  const Import import = import_artifact(kFixtures + GetParam());
  std::string text = artifact_text(import.artifact);
  for (const auto& [name, footprint] : import.footprints) text += footprint_text(footprint);
  text += program_text(import.program, import.footprints) + hazards_text(import);
  text += "== as it is\n" + model_text(imported_model(import));
  text += "== main\n" + model_text(reference_model(import, {.compile_flags = {"-O1", "-g"}}));
  text += "== anew\n" + replan_text(replan_parallel(import));
  text += "== anew, no stack, two workers\n" +
          replan_text(replan_parallel(import, {.model = {}, .stack_limit_bytes = 0, .workers = 2}));
  expect_golden(without(text, kFixtures), std::string("models/import/tvm/golden/") + GetParam() + ".txt");
}

INSTANTIATE_TEST_SUITE_P(Fixtures, ImportGolden,
                         testing::Values("usmp", "no_usmp", "packed_usmp", "packed_no_usmp", "packed_interface", "v08",
                                         "v09", "external_pools", "outputs_consumed_copied", "outputs_no_usmp",
                                         "module_mixed_case", "pool_cast", "const_struct_int8", "cpp_runtime",
                                         "in_place_scratch", "gather", "vectorised", "byoc_cmsis", "byoc_c_source",
                                         "byoc_c_source_usmp", "ethos_u"),
                         [](const auto& fixture) { return std::string(fixture.param); });

}  // namespace
}  // namespace detent::models::tvm
