// Random valid Descs: choices -> a DAG of mix ops over planned tensors, some of them written in two bands.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/runtime/desc_builder.hpp"

namespace detent::laws {

/// Choices in advance, as one value that RapidCheck shrinks; where they end, all further ones are 0. So every shorter
/// or smaller tape is valid, and the empty one gives the plainest Desc.
class Tape {
 public:
  explicit Tape(std::vector<std::uint32_t> choices) : choices_(std::move(choices)) {}
  std::uint32_t next() { return at_ < choices_.size() ? choices_[at_++] : 0; }
  /// In [0, n), n > 0.
  std::uint32_t below(std::uint32_t n) { return next() % n; }
  bool one_in(std::uint32_t n) { return below(n) == n - 1; }

 private:
  std::vector<std::uint32_t> choices_;
  std::size_t at_ = 0;
};

/// Up to 600 choices.
inline rc::Gen<std::vector<std::uint32_t>> tapes() {
  return rc::gen::scale(6.0, rc::gen::arbitrary<std::vector<std::uint32_t>>());
}

/// Builds one Desc; every tensor has bytes of its own, lifetimes follow the op ids, all edges go up.
class RandomDesc {
 public:
  RandomDesc(const std::vector<std::uint32_t>& choices, std::uint32_t op_limit) : random_(choices) {
    input_ = builder_.add_region("input", DETENT_REGION_INPUT, 256);
    work_ = builder_.add_region("workspace", DETENT_REGION_WORKSPACE, 64);
    produced_.push_back({builder_.add_tensor({.name = "in", .region = input_, .block_bytes = 256}), {}});
    builder_.inputs = {0};
    const std::uint32_t wanted = 2 + random_.below(op_limit - 1);
    while (builder_.ops.size() < wanted) add_production();
    finish();
  }
  test::DescBuilder& builder() { return builder_; }

 private:
  /// A tensor that can be read, and the ops that write it.
  struct Produced {
    std::uint32_t tensor;
    std::vector<std::uint32_t> writers;
  };

  std::uint32_t add_base(std::uint64_t bytes) {
    const std::uint32_t id = builder_.add_tensor(
        {.name = "t", .region = work_, .offset_bytes = work_bytes_, .block_bytes = bytes, .align_bytes = 64});
    work_bytes_ += (bytes + 63) / 64 * 64;
    return id;
  }

  std::vector<std::uint32_t> pick_inputs() {
    std::vector<std::uint32_t> picked;
    for (std::uint32_t i = 0; i < produced_.size(); ++i) {
      if (picked.size() < 3 && random_.one_in(static_cast<std::uint32_t>(produced_.size()) / 2 + 1))
        picked.push_back(i);
    }
    return picked;
  }

  std::uint32_t add_op(std::uint32_t output) {
    const std::vector<std::uint32_t> picked = pick_inputs();
    test::OpSpec spec{.name = "op", .outputs = {output}, .priority = static_cast<std::int32_t>(random_.below(4))};
    for (const std::uint32_t i : picked) spec.inputs.push_back(produced_[i].tensor);
    const std::uint32_t op = builder_.add_op(spec);
    std::vector<std::uint32_t> before;
    for (const std::uint32_t i : picked) {
      before.insert(before.end(), produced_[i].writers.begin(), produced_[i].writers.end());
    }
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    for (const std::uint32_t writer : before) builder_.add_edge(writer, op);
    builder_.costs.push_back({1, 1 + random_.below(100), 0, 0, 0});
    return op;
  }

  /// One op that writes a tensor, or two that write interleaved or neighbouring bands of one.
  void add_production() {
    const std::uint32_t base = add_base(64 * (1 + random_.below(4)));
    if (!random_.one_in(4)) {
      produced_.push_back({base, {add_op(base)}});
      return;
    }
    const bool interleaved = random_.one_in(2);
    const detent_tensor whole = builder_.tensors[base];
    Produced both{base, {}};
    for (std::uint32_t half = 0; half < 2; ++half) {
      test::TensorSpec band{.name = "band", .region = work_, .alias_of = base};
      band.block_bytes = interleaved ? 16 : whole.size_bytes / 2;
      band.offset_bytes = whole.offset_bytes + half * band.block_bytes;
      band.block_count = interleaved ? static_cast<std::uint32_t>(whole.size_bytes / 32) : 1;
      band.stride_bytes = 32;
      both.writers.push_back(add_op(builder_.add_tensor(band)));
    }
    produced_.push_back(both);
  }

  void include(std::uint32_t tensor, std::uint32_t op) {
    detent_tensor& t = builder_.tensors[tensor];
    if (t.alias_of != DETENT_NONE) return include(t.alias_of, op);
    if (t.live_begin == DETENT_NONE) t.live_begin = op;
    t.live_end = op;
  }

  void finish() {
    builder_.regions[work_].size_bytes = work_bytes_;
    for (const detent_op& op : builder_.ops) {
      for (std::uint32_t i = 0; i < op.inputs.count; ++i) include(builder_.tensor_refs[op.inputs.first + i], op.id);
      for (std::uint32_t i = 0; i < op.outputs.count; ++i) include(builder_.tensor_refs[op.outputs.first + i], op.id);
    }
    builder_.outputs = {produced_.back().tensor, produced_[1].tensor};
    builder_.refresh();
  }

  test::DescBuilder builder_;
  Tape random_;
  std::uint32_t input_ = 0;
  std::uint32_t work_ = 0;
  std::uint64_t work_bytes_ = 0;
  std::vector<Produced> produced_;
};

}  // namespace detent::laws
