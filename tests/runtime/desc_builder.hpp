// Hand-made Descs for the tests of runtime/ and harness/, and what detent_check says about them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <detent/desc.h>
#include <detent/detent.h>

#include "tests/support/desc_tables.hpp"

namespace detent::test {

using support::OpSpec;
using support::TensorSpec;

/// Tables of "mix" ops on CPU cores, row by row.
class DescBuilder : public support::DescTables {
 public:
  DescBuilder() {
    desc.name = "handmade";
    kernels = {"mix", "delay"};
    classes = {{"cpu", DETENT_CLASS_WORKERS}};
  }

  std::uint32_t add_region(const char* name, detent_region_kind kind, std::uint64_t size_bytes,
                           std::uint32_t align_bytes = 64, const void* data = nullptr) {
    return DescTables::add_region({name, kind, size_bytes, align_bytes, data});
  }

  /// Every op gets a mix config with its own seed.
  std::uint32_t add_op(OpSpec spec) {
    spec.config = {0x1234'5678u + ops.size()};
    return DescTables::add_op(spec);
  }
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

inline detent_status check_status(DescBuilder& builder) { return check(builder.refresh()).status; }

/// What an error names; a field that is not given may be anything.
struct Refusal {
  detent_status status = DETENT_OK;
  std::optional<unsigned> op{}, other_op{}, tensor{}, other_tensor{}, region{};
};

/// Expect detent_check to refuse the tables with this status and these ids.
inline void expect_refused(DescBuilder& builder, const Refusal& expected) {
  const detent_error error = check(builder.refresh());
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
