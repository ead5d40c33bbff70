// Wants of a Desc -> values of ranges: whole tensors where one value fills them, else the bytes that are wanted.
#include "app/model/desc_graph.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/byte_ranges.hpp"
#include "base/ids.hpp"
#include "models/core/op_graph.hpp"
#include "verify/flow/wants.hpp"
#include "verify/graph/order.hpp"
#include "verify/static/access_table.hpp"

namespace detent::app {
namespace {

using Values = std::vector<std::uint32_t>;  ///< ids in the graph; none: no name

std::string name_or(const char* name, const std::string& other) {
  return name != nullptr && *name != '\0' ? name : other;
}

class GraphRanges {
 public:
  GraphRanges(const detent_desc& desc, const ValueTables* tables, models::Model& graph)
      : desc_(desc), tables_(tables), graph_(graph), wants_(verify::find_wants(desc, verify::Order(desc), tables)) {}

  void put() {
    graph_.regions.clear();
    graph_.tensors.clear();
    graph_.inputs.clear();
    graph_.outputs.clear();
    graph_.value_names = tables_ != nullptr ? tables_->names : std::vector<std::string>{};
    name_values();
    put_written(inputs(), written_by_[verify::kApplication], graph_.inputs, true);
    put_read(verify::kApplication, row(0, desc_.output_count, desc_.outputs), graph_.outputs);
    for (OpId op = 0; op < graph_.ops.size(); ++op) {
      const detent_op& from = desc_.ops[op];
      models::Op& to = graph_.ops[op];
      to.inputs.clear();
      to.outputs.clear();
      put_read(op, refs(from.inputs), to.inputs);
      put_written(refs(from.outputs), written_by_[op], to.outputs, false);
      put_written(refs(from.scratch), {}, to.outputs, false);
    }
  }

 private:
  /// A value of a tensor: one version that one op writes.
  struct Version {
    std::uint32_t value = 0;  ///< in the graph
    ByteRanges bytes{};       ///< that somebody wants, linear over all regions
  };

  using Row = std::span<const std::uint32_t>;
  [[nodiscard]] static Row row(std::uint32_t first, std::uint32_t count, const std::uint32_t* table) {
    return {table + first, count};
  }
  [[nodiscard]] Row refs(const detent_slice& slice) const { return row(slice.first, slice.count, desc_.tensor_refs); }

  [[nodiscard]] bool commutes(std::uint32_t op) const {
    return op != verify::kApplication && desc_.ops[op].commute_group != DETENT_NONE;
  }
  [[nodiscard]] bool is_named(const verify::Want& want) const {
    return !want.is_declared && !commutes(want.reader) && !commutes(want.values.front().writer);
  }

  static ByteRanges bytes_of(const verify::Want& want) {
    std::vector<ByteRange> blocks;
    for (const verify::ByteSet& set : want.bytes) {
      for (std::uint64_t k = 0; k < set.count; ++k) {
        const std::uint64_t begin = set.begin + k * set.stride_bytes;
        blocks.push_back({begin, begin + set.block_bytes});
      }
    }
    return make_ranges(std::move(blocks));
  }

  [[nodiscard]] ByteRanges bytes_of(TensorId tensor) const {
    std::vector<ByteRange> blocks;
    append_blocks(desc_.tensors[tensor], verify::kRegionSpacing * desc_.tensors[tensor].region, blocks);
    return make_ranges(std::move(blocks));
  }

  void name_values() {
    std::set<std::string> taken(graph_.value_names.begin(), graph_.value_names.end());
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known;  // name and writer -> place in its row
    for (const verify::Want& want : wants_.all) {
      if (!is_named(want)) continue;
      const verify::Wanted& wanted = want.values.front();
      std::vector<Version>& versions = written_by_[wanted.writer];
      const auto [entry, is_new] = known.emplace(std::pair(wanted.name, wanted.writer), versions.size());
      if (is_new) {
        const std::string& base = wants_.names[wanted.name];
        std::string name = base;
        for (std::uint32_t k = 2; !taken.insert(name).second; ++k) name = base + "#" + std::to_string(k);
        versions.push_back({static_cast<std::uint32_t>(graph_.value_names.size())});
        graph_.value_names.push_back(std::move(name));
      }
      Version& version = versions[entry->second];
      version.bytes = unite(version.bytes, bytes_of(want));
      wanted_of_[want.reader].push_back({version.value, bytes_of(want)});
    }
  }

  /// What the application writes before the run, each tensor once.
  [[nodiscard]] std::vector<std::uint32_t> inputs() const {
    std::set<std::uint32_t> given;
    for (const TensorId tensor : row(0, desc_.input_count, desc_.inputs)) given.insert(tensor);
    for (TensorId tensor = 0; tensor < desc_.tensor_count; ++tensor) {
      const detent_tensor& t = desc_.tensors[tensor];
      if (t.alias_of == DETENT_NONE && desc_.regions[t.region].kind == DETENT_REGION_INPUT) given.insert(tensor);
    }
    return {given.begin(), given.end()};
  }

  [[nodiscard]] const Values& declared(TensorId tensor) const {
    static const Values kNone;
    return tables_ != nullptr && tensor < tables_->tensor_values.size() ? tables_->tensor_values[tensor] : kNone;
  }

  void put_written(Row tensors, const std::vector<Version>& versions, Values& ids, bool only_named) {
    for (const TensorId tensor : tensors) {
      ByteRanges left = bytes_of(tensor);
      if (!declared(tensor).empty()) {
        put(left, declared(tensor), ids);
        continue;
      }
      std::vector<const Version*> here;
      for (const Version& version : versions) {
        if (!intersection(left, version.bytes).empty()) here.push_back(&version);
      }
      const bool is_alone = std::ranges::none_of(tensors, [&](std::uint32_t other) {
        return other != tensor && !intersection(left, bytes_of(other)).empty();
      });
      if (here.size() == 1 && is_alone) {
        put(left, {here.front()->value}, ids);
        continue;
      }
      for (const Version* version : here) {
        put(intersection(left, version->bytes), {version->value}, ids);
        left = difference(left, version->bytes);
      }
      if (!only_named) put(left, {}, ids);
    }
  }

  void put_read(std::uint32_t reader, Row tensors, Values& ids) {
    ByteRanges named;
    for (const Version& version : wanted_of_[reader]) {
      put(version.bytes, {version.value}, ids);
      named = unite(named, version.bytes);
    }
    for (const TensorId tensor : tensors) {
      if (!declared(tensor).empty()) {
        put(bytes_of(tensor), declared(tensor), ids);
      } else if (reader != verify::kApplication) {
        put(difference(bytes_of(tensor), named), {}, ids);
      }
    }
  }

  void put(const ByteRanges& bytes, const Values& values, Values& ids) {
    for (const ByteRange& range : bytes) {
      const auto from = static_cast<std::uint32_t>(range.begin / verify::kRegionSpacing);
      const std::uint32_t id =
          range_of({region_of(from), range.begin % verify::kRegionSpacing, range.end - range.begin, values});
      if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    }
  }

  /// Regions are taken over when first touched, in that order.
  std::uint32_t region_of(std::uint32_t id) {
    const auto [entry, is_new] = regions_.emplace(id, static_cast<std::uint32_t>(graph_.regions.size()));
    if (!is_new) return entry->second;
    const detent_region& from = desc_.regions[id];
    graph_.regions.push_back({name_or(from.name, "region " + std::to_string(id)), DETENT_REGION_WORKSPACE,
                              from.size_bytes, from.align_bytes});
    return entry->second;
  }

  std::uint32_t range_of(const std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, Values>& key) {
    const auto [entry, is_new] = ids_.emplace(key, static_cast<std::uint32_t>(graph_.tensors.size()));
    if (!is_new) return entry->second;
    const auto& [region, offset, size, values] = key;
    graph_.tensors.push_back(models::range_tensor(graph_, region, offset, size, values));
    return entry->second;
  }

  const detent_desc& desc_;
  const ValueTables* const tables_;
  models::Model& graph_;
  const verify::Wants wants_;
  std::map<std::uint32_t, std::vector<Version>> written_by_;  ///< by op, and by the application
  std::map<std::uint32_t, std::vector<Version>> wanted_of_;   ///< by op, and by the application
  std::map<std::uint32_t, std::uint32_t> regions_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, Values>, std::uint32_t> ids_;
};

models::Op bare_op(const detent_desc& desc, OpId id, const ValueTables* tables) {
  const detent_op& from = desc.ops[id];
  models::Op op;
  op.name = name_or(from.name, "op" + std::to_string(id));
  op.kernel = "mix";
  op.core_class = desc.classes[from.core_class].name;
  if (desc.costs != nullptr && desc.costs[id].worst_ps != UINT64_MAX) {
    op.time_ps = {desc.costs[id].best_ps, desc.costs[id].worst_ps};
  }
  op.priority = from.priority;
  op.workers = from.workers;
  for (std::uint32_t k = 0; k < from.mutexes.count; ++k) {
    const std::uint32_t mutex = desc.mutex_refs[from.mutexes.first + k];
    const char* const name = desc.mutex_names != nullptr ? desc.mutex_names[mutex] : nullptr;
    op.mutexes.push_back(name_or(name, "mutex" + std::to_string(mutex)));
  }
  if (from.commute_group != DETENT_NONE) op.commutes = "group" + std::to_string(from.commute_group);
  if (tables != nullptr && id < tables->guards.size()) op.guards = tables->guards[id];
  return op;
}

}  // namespace

void put_ranges(const detent_desc& desc, const ValueTables* tables, models::Model& graph) {
  GraphRanges(desc, tables, graph).put();
}

models::Model to_graph(const detent_desc& desc, const ValueTables* tables) {
  models::Model graph;
  graph.name = name_or(desc.name, "desc");
  if (tables != nullptr) graph.decisions = tables->decisions;
  verify::require_sound_accesses(desc);
  for (OpId op = 0; op < desc.op_count; ++op) graph.ops.push_back(bare_op(desc, op, tables));
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_slice& next = desc.ops[op].successors;
    for (std::uint32_t k = 0; k < next.count; ++k) graph.edges.push_back({op, desc.successors[next.first + k]});
  }
  put_ranges(desc, tables, graph);
  return graph;
}

}  // namespace detent::app
