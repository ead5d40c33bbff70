// Small models that use bytes again: one rightly, one with a race.
#pragma once

#include "tests/verify/random_graph.hpp"

namespace detent::verify::testing {

/// Producer 0, two readers 1 and 2, and op 3 that reuses the bytes after reader 1 only.
inline GraphSpec reuse_after_one_reader() {
  GraphSpec spec = make_ops(4);
  spec.ops[0].writes = {{0, 0, 64}};
  spec.ops[1].reads = {{0, 0, 64}};
  spec.ops[2].reads = {{0, 0, 64}};
  spec.ops[3].writes = {{0, 32, 64}};
  spec.edges = {{0, 1}, {0, 2}, {1, 3}};
  return spec;
}

struct Life {
  std::uint32_t begin, end;
};

/// A chain of three ops; tensors act0, act1, act2 of 64 bytes each live as given, act2 reuses the bytes of act0.
struct ReusePlan : DescTables {
  static GraphSpec spec() {
    GraphSpec spec = make_ops(3);
    spec.regions = workspaces({128});
    spec.ops[0].writes = {{0, 0, 64}};
    spec.ops[1].reads = {{0, 0, 64}};
    spec.ops[1].writes = {{0, 64, 64}};
    spec.ops[2].reads = {{0, 64, 64}};
    spec.ops[2].writes = {{0, 0, 64}};
    spec.edges = {{0, 1}, {1, 2}};
    return spec;
  }
  ReusePlan() : DescTables(spec()) {
    for (detent_tensor& tensor : tensors) {
      tensor.flags = 0;
      tensor.align_bytes = 64;
    }
    // Inputs and outputs name one tensor each, as lowered models do.
    tensor_refs = {0, 0, 1, 1, 2};
    tensors = {tensors[0], tensors[2], tensors[4]};
    live(0, {0, 1});
    live(1, {1, 2});
    live(2, {2, 2});
    refresh();
  }
  void live(std::uint32_t tensor, Life life) {
    tensors[tensor].live_begin = life.begin;
    tensors[tensor].live_end = life.end;
  }
};

}  // namespace detent::verify::testing
