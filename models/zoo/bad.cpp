// Models that are wrong on purpose, each in one way; what a checker must say of them stands in zoo.cpp.
#include <string>
#include <utility>

#include "models/builder/builder.hpp"
#include "models/builder/layers.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/zoo/entries.hpp"

namespace detent::models::zoo_entries {
namespace {

using Id = TensorId;

constexpr std::uint64_t kTensorBytes = 1024;

Id step(Builder& b, const std::string& name, const std::vector<Id>& inputs) {
  const Id y = mix(b, name, inputs, kTensorBytes);
  b.last_op().time_ps = {9'000'000, 10'000'000};
  return y;
}

Id start(Builder& b) { return step(b, "source", {b.input("x", {256}, DETENT_U8)}); }

// A planned model where tensor `from` takes over the bytes of tensor `to`, which grow the workspace: nobody else has
// them.
Model share(Model model, Id from, Id to) {
  plan_memory(model);
  Region& workspace = model.regions[model.tensors[to].region];
  model.tensors[from].offset_bytes = model.tensors[to].offset_bytes = workspace.size_bytes;
  workspace.size_bytes += kTensorBytes;
  return model;
}

}  // namespace

// "early" is read by slow_reader; late_writer follows all other users of "early" but not slow_reader. In id order the
// two tensors' lives are apart, so a plan made for the serial order shares their bytes.
Model bad_reuse_war(const ZooParameters& /*parameters*/) {
  Builder b("bad_reuse_war");
  const Id early = start(b);
  const Id slow = step(b, "slow_reader", {early});
  const Id quick = step(b, "quick_reader", {early});
  const Id late = step(b, "late_writer", {quick});
  const Id sink = step(b, "sink", {slow, late});
  b.output(sink);
  return share(b.finish(), late, early);
}

// spill writes a second tensor that nobody reads, where a serial plan puts producer's; consumer follows both.
Model bad_reuse_waw(const ZooParameters& /*parameters*/) {
  Builder b("bad_reuse_waw");
  const Id root = start(b);
  const Id kept = step(b, "spill", {root});
  const Id result = step(b, "producer", {root});
  b.output(step(b, "consumer", {kept, result}));
  Model model = b.finish();
  Tensor statistics = model.tensors[kept];
  statistics.name = "spill.statistics";
  model.tensors.push_back(std::move(statistics));
  const Id extra = static_cast<std::uint32_t>(model.tensors.size() - 1);
  model.ops[1].outputs.push_back(extra);
  return share(std::move(model), result, extra);
}

Model bad_cycle(const ZooParameters& /*parameters*/) {
  Builder b("bad_cycle");
  Id x = start(b);
  for (const char* name : {"ring0", "ring1", "ring2"}) x = step(b, name, {x});
  b.output(x);
  Model model = b.finish();
  plan_memory(model);
  model.edges.push_back({3, 1, 0, 0});
  return model;
}

Model bad_duplicate_edge(const ZooParameters& /*parameters*/) {
  Builder b("bad_duplicate_edge");
  const Id root = start(b);
  b.output(step(b, "join", {step(b, "left", {root}), step(b, "right", {root})}));
  Model model = b.finish();
  plan_memory(model);
  model.edges.push_back(model.edges.back());
  return model;
}

// A chain, so no schedule differs; but last reads "first" after second has overwritten it.
Model bad_overlap(const ZooParameters& /*parameters*/) {
  Builder b("bad_overlap");
  const Id first = start(b);
  const Id second = step(b, "second", {first});
  const Id third = step(b, "third", {second});
  b.output(step(b, "last", {first, third}));
  return share(b.finish(), third, first);
}

Model bad_out_of_arena(const ZooParameters& /*parameters*/) {
  Builder b("bad_out_of_arena");
  const Id first = start(b);
  const Id second = step(b, "second", {first});
  b.output(step(b, "last", {second}));
  Model model = b.finish();
  plan_memory(model);
  Region& workspace = model.regions[model.tensors[second].region];
  model.tensors[second].offset_bytes = workspace.size_bytes;
  workspace.size_bytes += kTensorBytes / 2;
  return model;
}

}  // namespace detent::models::zoo_entries
