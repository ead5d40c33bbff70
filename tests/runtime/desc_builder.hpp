// Hand-made Descs for tests: specs -> tables whose every entry can be broken afterwards.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <detent/desc.h>
#include <detent/detent.h>
#include <detent/op_config.h>

#include "tests/support/desc_storage.hpp"

namespace detent::test {

/// A dense F32 vector unless said otherwise.
struct TensorSpec {
  const char* name = "tensor";
  std::uint32_t region = 0;
  std::uint64_t offset_bytes = 0;
  std::uint64_t block_bytes = 64;
  std::uint64_t stride_bytes = 0;
  std::uint32_t block_count = 1;
  std::uint32_t align_bytes = 4;
  std::uint32_t alias_of = DETENT_NONE;
  std::uint32_t live_begin = DETENT_NONE;
  std::uint32_t live_end = DETENT_NONE;
  std::uint32_t flags = 0;
};

struct OpSpec {
  const char* name = "op";
  std::vector<std::uint32_t> inputs{}, outputs{}, weights{}, scratch{};
  std::uint32_t flags = 0;
  std::int32_t priority = 0;
  std::uint32_t core_class = 0;
  std::uint32_t kernel = 0;
};

/// Tables as vectors: fill them, then desc(). Changing an entry and calling desc() again keeps the change.
class DescBuilder : public support::DescStorage {
 public:
  DescBuilder() {
    kernels = {"mix", "delay"};
    classes = {{"cpu", DETENT_CLASS_WORKERS}};
  }

  std::uint32_t add_region(const char* name, detent_region_kind kind, std::uint64_t size_bytes,
                           std::uint32_t align_bytes = 64, const void* data = nullptr) {
    regions.push_back({name, kind, size_bytes, align_bytes, data});
    return static_cast<std::uint32_t>(regions.size() - 1);
  }

  std::uint32_t add_tensor(const TensorSpec& spec) {
    detent_tensor t{};
    t.name = spec.name;
    t.region = spec.region;
    t.flags = spec.flags;
    t.offset_bytes = spec.offset_bytes;
    t.block_bytes = spec.block_bytes;
    t.block_count = spec.block_count;
    t.stride_bytes = spec.block_count > 1 ? spec.stride_bytes : 0;
    t.size_bytes = (spec.block_count - 1) * t.stride_bytes + spec.block_bytes;
    t.align_bytes = spec.align_bytes;
    t.alias_of = spec.alias_of;
    t.live_begin = spec.live_begin;
    t.live_end = spec.live_end;
    t.dtype = (spec.flags & DETENT_TENSOR_RANGE) != 0 ? DETENT_U8 : DETENT_F32;
    t.layout = DETENT_LAYOUT_PLAIN;
    if ((spec.flags & DETENT_TENSOR_RANGE) == 0) {
      t.rank = 1;
      t.dims[0] = static_cast<std::int32_t>(spec.block_bytes * spec.block_count / 4);
    }
    tensors.push_back(t);
    return static_cast<std::uint32_t>(tensors.size() - 1);
  }

  /// Every op gets a mix config with its own seed, so that "mix" can run it.
  std::uint32_t add_op(const OpSpec& spec) {
    detent_op op{};
    op.name = spec.name;
    op.id = static_cast<std::uint32_t>(ops.size());
    op.kernel = spec.kernel;
    op.core_class = spec.core_class;
    op.flags = spec.flags;
    op.inputs = support::append(tensor_refs, spec.inputs);
    op.outputs = support::append(tensor_refs, spec.outputs);
    op.weights = support::append(tensor_refs, spec.weights);
    op.scratch = support::append(tensor_refs, spec.scratch);
    op.config_offset = static_cast<std::uint32_t>(config.size() * 8);
    op.config_size = sizeof(detent_mix_config);
    config.push_back(0x1234'5678u + op.id);
    op.commute_group = DETENT_NONE;
    op.priority = spec.priority;
    ops.push_back(op);
    lists_.emplace_back();
    return op.id;
  }

  void add_edge(std::uint32_t from, std::uint32_t to) {
    auto& list = lists_.at(from);
    list.insert(std::upper_bound(list.begin(), list.end(), to), to);
    ++ops.at(to).entry_count;
    linked_ = false;
  }

  /// Tables as they stand now.
  detent_desc& desc() {
    if (!linked_) set_successors(lists_);
    linked_ = true;
    d_.name = "handmade";
    point(d_);
    d_.mutex_count = mutex_count;
    d_.mutex_names = nullptr;
    return d_;
  }

  std::uint32_t mutex_count = 0;

 private:
  std::vector<std::vector<std::uint32_t>> lists_;
  bool linked_ = false;
  detent_desc d_{};
};

/// in -> a -> {b, c} -> d -> out, every tensor on bytes of its own. Ops 0..3; tensors: 0 in, 1 a, 2 b, 3 c, 4 out.
inline DescBuilder make_diamond() {
  DescBuilder b;
  const std::uint32_t input = b.add_region("input", DETENT_REGION_INPUT, 64);
  const std::uint32_t work = b.add_region("workspace", DETENT_REGION_WORKSPACE, 256);
  const std::uint32_t output = b.add_region("output", DETENT_REGION_OUTPUT, 64);
  b.add_tensor({.name = "in", .region = input, .live_begin = 0, .live_end = 0});
  b.add_tensor({.name = "a", .region = work, .live_begin = 0, .live_end = 2});
  b.add_tensor({.name = "b", .region = work, .offset_bytes = 64, .live_begin = 1, .live_end = 3});
  b.add_tensor({.name = "c", .region = work, .offset_bytes = 128, .live_begin = 2, .live_end = 3});
  b.add_tensor({.name = "out", .region = output, .live_begin = 3, .live_end = 3});
  b.add_op({.name = "split", .inputs = {0}, .outputs = {1}});
  b.add_op({.name = "left", .inputs = {1}, .outputs = {2}});
  b.add_op({.name = "right", .inputs = {1}, .outputs = {3}});
  b.add_op({.name = "join", .inputs = {2, 3}, .outputs = {4}});
  b.add_edge(0, 1);
  b.add_edge(0, 2);
  b.add_edge(1, 3);
  b.add_edge(2, 3);
  b.inputs = {0};
  b.outputs = {4};
  return b;
}

/// Runs detent_check with exactly the memory it asks for.
inline detent_error check(const detent_desc& desc) {
  std::vector<std::uint8_t> work(detent_check_bytes(&desc));
  detent_error error{};
  const detent_status status = detent_check(&desc, work.data(), work.size(), &error);
  return status == error.status ? error : detent_error{};
}

inline detent_status check_status(DescBuilder& builder) { return check(builder.desc()).status; }

/// What an error names; a field that is not given may be anything.
struct Refusal {
  detent_status status = DETENT_OK;
  std::optional<unsigned> op{}, other_op{}, tensor{}, other_tensor{}, region{};
};

/// Expect detent_check to refuse the tables with this status and these ids.
inline void expect_refused(DescBuilder& builder, const Refusal& expected) {
  const detent_error error = check(builder.desc());
  EXPECT_EQ(error.status, expected.status);
  const std::pair<std::optional<unsigned>, unsigned> ids[] = {{expected.op, error.op},
                                                              {expected.other_op, error.other_op},
                                                              {expected.tensor, error.tensor},
                                                              {expected.other_tensor, error.other_tensor},
                                                              {expected.region, error.region}};
  const char* const names[] = {"op", "other_op", "tensor", "other_tensor", "region"};
  for (std::size_t i = 0; i < std::size(ids); ++i) {
    EXPECT_EQ(ids[i].second, ids[i].first.value_or(ids[i].second)) << names[i];
  }
}

}  // namespace detent::test
