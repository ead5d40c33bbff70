// Laws of lowering: the tables say what the Model says, recomputed here without the code under test.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "models/lower/lower.hpp"
#include "properties/law.hpp"
#include "properties/models/arbitrary.hpp"

namespace detent::models {
namespace {

using Arc = std::pair<std::uint32_t, std::uint32_t>;

std::set<Arc> arcs_of(const detent_desc& d) {
  std::set<Arc> arcs;
  for (std::uint32_t op = 0; op < d.op_count; ++op) {
    const detent_slice s = d.ops[op].successors;
    for (std::uint32_t k = s.first; k < s.first + s.count; ++k) arcs.insert({op, d.successors[k]});
  }
  return arcs;
}

RC_GTEST_PROP(LowerLaw, EdgesSuccessorsAndIndegreesAgree, ()) {
  laws::law_of(op_graphs(), check_command, [](const Model& model) {
    const LoweredModel low = lower(model);
    const detent_desc& d = low.desc();
    const std::set<Arc> arcs = arcs_of(d);
    RC_ASSERT(arcs.size() == d.successor_count);
    std::map<std::uint32_t, std::uint32_t> indegree;
    for (const Arc& arc : arcs) ++indegree[arc.second];
    for (std::uint32_t op = 0; op < d.op_count; ++op) {
      RC_ASSERT(d.ops[op].id == op);
      RC_ASSERT(d.ops[op].entry_count == indegree[op]);
      const std::uint32_t* first = d.successors + d.ops[op].successors.first;
      RC_ASSERT(std::is_sorted(first, first + d.ops[op].successors.count));
    }
  });
}

RC_GTEST_PROP(LowerLaw, EveryEdgeIsThereDirectlyOrThroughItsDelay, ()) {
  laws::law_of(op_graphs(), check_command, [](const Model& model) {
    const LoweredModel low = lower(model);
    const detent_desc& d = low.desc();
    const std::set<Arc> arcs = arcs_of(d);
    auto delay = static_cast<std::uint32_t>(model.ops.size());
    for (const Edge& edge : model.edges) {
      if (edge.max_ps == 0) {
        RC_ASSERT(arcs.count({edge.from, edge.to}) == 1U);
        continue;
      }
      RC_ASSERT(arcs.count({edge.from, delay}) == 1U);
      RC_ASSERT(arcs.count({delay, edge.to}) == 1U);
      RC_ASSERT(d.costs[delay].best_ps == edge.min_ps);
      RC_ASSERT(d.costs[delay].worst_ps == edge.max_ps);
      RC_ASSERT(d.classes[d.ops[delay].core_class].kind == DETENT_CLASS_ASYNC);
      ++delay;
    }
    for (const Op& op : model.ops) delay += op.release_ps && op.release_ps->second != 0 ? 1U : 0U;
    RC_ASSERT(delay == d.op_count);
  });
}

RC_GTEST_PROP(LowerLaw, RangesNamesAndMutexesAreTheModels, ()) {
  laws::law_of(op_graphs(), check_command, [](const Model& model) {
    const LoweredModel low = lower(model);
    const detent_desc& d = low.desc();
    for (std::size_t i = 0; i < model.ops.size(); ++i) {
      const Op& from = model.ops[i];
      const detent_op& op = d.ops[i];
      RC_ASSERT(from.name == op.name);
      RC_ASSERT(from.core_class == d.classes[op.core_class].name);
      RC_ASSERT(std::equal(from.inputs.begin(), from.inputs.end(), d.tensor_refs + op.inputs.first,
                           d.tensor_refs + op.inputs.first + op.inputs.count));
      std::set<std::string> names;
      for (std::uint32_t k = 0; k < op.mutexes.count; ++k)
        names.insert(d.mutex_names[d.mutex_refs[op.mutexes.first + k]]);
      RC_ASSERT(names == std::set<std::string>(from.mutexes.begin(), from.mutexes.end()));
      RC_ASSERT(op.mutexes.count == names.size());
    }
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
      RC_ASSERT(d.tensors[i].offset_bytes == model.tensors[i].offset_bytes);
      RC_ASSERT(d.tensors[i].size_bytes == model.tensors[i].size_bytes);
    }
  });
}

RC_GTEST_PROP(LowerLaw, LoweringTwiceGivesTheSameTables, ()) {
  laws::law_of(op_graphs(), check_command, [](const Model& model) {
    const LoweredModel a = lower(model);
    const LoweredModel b = lower(model);
    RC_ASSERT(arcs_of(a.desc()) == arcs_of(b.desc()));
    RC_ASSERT(std::string(a.desc().name) == b.desc().name);
    RC_ASSERT(a.desc().class_count == b.desc().class_count);
  });
}

}  // namespace
}  // namespace detent::models
