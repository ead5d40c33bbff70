// Desc -> hash, field by field.
#include "app/replay/failure_identity.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstring>
#include <memory>

#include "app/engine_hash.hpp"

namespace detent::app {
namespace {

/// A stream of numbers and strings whose lengths are part of it.
class TableHash {
 public:
  TableHash() : state_(XXH3_createState(), XXH3_freeState) { XXH3_64bits_reset(state_.get()); }
  template <typename... Numbers>
  void numbers(Numbers... values) {
    const std::uint64_t words[] = {static_cast<std::uint64_t>(values)...};
    bytes(words, sizeof words);
  }
  void text(const char* text) {
    const std::size_t size = text == nullptr ? 0 : std::strlen(text);
    numbers(text == nullptr ? UINT64_MAX : size);
    bytes(text, size);
  }
  void bytes(const void* data, std::size_t size) {
    if (size != 0) XXH3_64bits_update(state_.get(), data, size);
  }
  /// The entries of a table that a slice names.
  void slice(const detent_slice& slice, const std::uint32_t* table) {
    numbers(slice.count);
    if (table != nullptr) bytes(table + slice.first, slice.count * sizeof *table);
  }
  [[nodiscard]] std::string value() const { return fmt::format("{:016x}", XXH3_64bits_digest(state_.get())); }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

void add_regions(TableHash& hash, const detent_desc& desc) {
  hash.numbers(desc.region_count);
  for (std::uint32_t i = 0; i < desc.region_count; ++i) {
    const detent_region& region = desc.regions[i];
    hash.text(region.name);
    hash.numbers(region.kind, region.size_bytes, region.align_bytes);
    if (region.data != nullptr) hash.bytes(region.data, region.size_bytes);
  }
}

void add_tensors(TableHash& hash, const detent_desc& desc) {
  hash.numbers(desc.tensor_count);
  for (std::uint32_t i = 0; i < desc.tensor_count; ++i) {
    const detent_tensor& t = desc.tensors[i];
    hash.text(t.name);
    hash.numbers(t.region, t.flags, t.offset_bytes, t.size_bytes, t.block_bytes, t.stride_bytes, t.block_count,
                 t.align_bytes, t.alias_of, t.live_begin, t.live_end, t.dtype, t.layout, t.rank);
    hash.bytes(t.dims, t.rank * sizeof t.dims[0]);
  }
}

void add_ops(TableHash& hash, const detent_desc& desc) {
  hash.numbers(desc.op_count);
  for (std::uint32_t i = 0; i < desc.op_count; ++i) {
    const detent_op& op = desc.ops[i];
    hash.text(op.name);
    hash.text(desc.kernels[op.kernel]);
    hash.numbers(op.core_class, op.flags, op.entry_count, op.commute_group, op.priority);
    if (op.workers != 0) hash.numbers(op.workers);
    for (const detent_slice* slice : {&op.inputs, &op.outputs, &op.weights, &op.scratch}) {
      hash.slice(*slice, desc.tensor_refs);
    }
    hash.slice(op.successors, desc.successors);
    hash.slice(op.mutexes, desc.mutex_refs);
    hash.numbers(op.config_size);
    if (op.config_size != 0) hash.bytes(desc.config_bytes + op.config_offset, op.config_size);
    if (desc.costs == nullptr) continue;
    const detent_op_cost& cost = desc.costs[i];
    hash.numbers(cost.best_ps, cost.worst_ps, cost.flops, cost.read_bytes, cost.write_bytes);
  }
}

void add_schedules(TableHash& hash, const detent_desc& desc) {
  hash.numbers(desc.schedule_count);
  for (std::uint32_t i = 0; i < desc.schedule_count; ++i) {
    const detent_static_schedule& schedule = desc.schedules[i];
    hash.numbers(schedule.worker_count);
    for (std::uint32_t w = 0; w < schedule.worker_count; ++w) hash.slice(schedule.lists[w], schedule.list_ops);
  }
}

}  // namespace

std::string engine_hash() { return kEngineHash; }

std::string desc_hash(const detent_desc& desc) {
  TableHash hash;
  add_regions(hash, desc);
  add_tensors(hash, desc);
  for (std::uint32_t i = 0; i < desc.class_count; ++i) {
    hash.text(desc.classes[i].name);
    hash.numbers(desc.classes[i].kind);
  }
  add_ops(hash, desc);
  hash.slice({0, desc.input_count}, desc.inputs);
  hash.slice({0, desc.output_count}, desc.outputs);
  add_schedules(hash, desc);
  return hash.value();
}

}  // namespace detent::app
