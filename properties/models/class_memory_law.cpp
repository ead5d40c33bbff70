// Laws of classes of cores with memories of their own, over random networks.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "harness/run_native.hpp"
#include "models/builder/random_model.hpp"
#include "models/core/dag.hpp"
#include "models/devices/fallbacks.hpp"
#include "models/devices/memories.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/plan/plan_check.hpp"
#include "properties/law.hpp"
#include "verify/flow/value_flow.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::laws {
namespace {

models::Model random_network(std::uint64_t seed) {
  RandomSource random(seed);
  models::Model model = models::make_random_model({.seed = seed,
                                                   .ops = 2 + random.below(30),
                                                   .shape = static_cast<models::RandomShape>(random.below(3)),
                                                   .max_tensor_bytes = 256,
                                                   .npu_share = 0.4});
  for (models::Op& op : model.ops) {
    if (random.below(5) == 0) op.core_class = "gpu";
  }
  models::plan_memory(model);
  if (random.below(2) == 0) return model;
  std::vector<models::FallbackOn> wanted(model.ops.size());
  for (std::size_t op = 0; op < wanted.size(); ++op) {
    const bool may_fail = random.below(3) == 0 && models::fallback_fault(model, model.ops[op]) == nullptr;
    if (may_fail) wanted[op] = {.core_class = random.below(2) == 0 ? "cpu" : "npu", .slower = 2};
  }
  models::add_fallbacks(model, wanted);
  return model;
}

/// Each of the ops that may fail does, or not.
std::vector<harness::FailingOp> random_failures(const models::Model& model, RandomSource& random) {
  std::vector<harness::FailingOp> failing;
  for (std::uint32_t op = 0; op < model.ops.size(); ++op) {
    if (model.ops[op].is_fallible && random.below(2) == 0) failing.push_back({.op = op, .code = 1});
  }
  return failing;
}

bool is_in_memory(const models::Model& model, std::uint32_t tensor, const std::string& core_class) {
  const models::Tensor& root = model.tensors[models::bytes_of(model, TensorId(tensor)).root];
  const models::Region& region = model.regions[root.region];
  return region.is_separate && region.name == core_class + " memory";
}

/// Where an op may read and write: in the memory of its class alone, a copy on one side of it and on the other.
void assert_sides(const models::Model& model, const std::vector<std::string>& memories) {
  for (const models::Op& op : model.ops) {
    for (const std::string& memory : memories) {
      const auto is_inside = [&](std::uint32_t tensor) { return is_in_memory(model, tensor, memory); };
      const auto count = [&](const std::vector<std::uint32_t>& tensors) {
        return std::ranges::count_if(tensors, is_inside);
      };
      const auto inside = static_cast<std::size_t>(count(op.inputs) + count(op.outputs));
      const std::size_t conditions = (op.guarded != models::Guarded::kNo ? 1U : 0U) + (op.is_fallible ? 1U : 0U);
      if (op.kernel == "copy_blocks") {
        RC_ASSERT(inside <= 1U);
      } else {
        RC_ASSERT(inside == (op.core_class == memory ? op.inputs.size() + op.outputs.size() - conditions : 0));
      }
    }
  }
}

/// Every op of the model as it was comes after the ops it came after, and reads what it read: by way of copies.
void assert_same_flow(const models::Model& before, const models::Model& after) {
  const auto readers = [](const models::Model& model) {
    std::map<std::string, std::set<std::string>> sources;  // by op: ops whose results it reads, copies followed back
    std::vector<std::string> writers(model.tensors.size());
    for (const std::uint32_t id : models::topological_order(model)) {
      const models::Op& op = model.ops[id];
      for (const std::uint32_t input : op.inputs) {
        const std::string& from = writers[input];
        if (op.kernel != "copy_blocks") sources[op.name].insert(from.empty() ? "application" : from);
      }
      const std::string own = op.kernel == "copy_blocks" ? writers[op.inputs[0]] : op.name;
      for (const std::uint32_t output : op.outputs) writers[output] = own;
    }
    return sources;
  };
  RC_ASSERT(readers(before) == readers(after));
}

RC_GTEST_PROP(ClassMemoryLaw, EveryOpStaysOnItsSideAndReadsWhatItRead, ()) {
  law_of_values(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t seed) {
    const models::Model before = random_network(seed);
    models::Model after = before;
    std::vector<std::string> memories;
    std::size_t copies = 0;
    for (const char* core_class : {"npu", "gpu"}) {
      if (seed % 3 == 0 && !memories.empty()) break;
      const std::size_t added =
          models::add_memory(after, {.core_class = core_class, .copied_by = seed % 2 == 0 ? "cpu" : core_class});
      copies += added;
      if (added != 0) memories.emplace_back(core_class);
    }
    models::plan_memory(after);
    RC_ASSERT(after.ops.size() == before.ops.size() + copies);
    assert_sides(after, memories);
    assert_same_flow(before, after);
    RC_ASSERT(models::find_plan_faults(after).empty());
    const models::LoweredModel lowered = models::lower(after);
    RC_ASSERT(verify::check_buffer_races(lowered.desc()).outcome == verify::Outcome::kHolds);
    const ValueTables values = models::value_tables(after);
    RC_ASSERT(verify::check_value_flow(lowered.desc(), &values).outcome == verify::Outcome::kHolds);
    const std::uint64_t digest = harness::run_native(lowered.desc(), {.engine = {.workers = 0}}).digest;
    RC_ASSERT(digest == harness::run_native(lowered.desc(), {.engine = {.workers = 0, .policy = "random"}}).digest);
    RandomSource random(seed);
    harness::NativeOptions options{.engine = {.workers = 0}};
    options.faults.failing_ops = random_failures(after, random);
    const harness::Run failed = harness::run_native(lowered.desc(), options);
    RC_ASSERT(failed.result.error.status == DETENT_OK);
    options.engine.policy = "random";
    RC_ASSERT(harness::run_native(lowered.desc(), options).digest == failed.digest);
  });
}

}  // namespace
}  // namespace detent::laws
