// Small concurrent programs as op graphs: each thread a chain, each access an op.
#pragma once

#include <string>
#include <vector>

#include "tests/verify/random_graph.hpp"

namespace detent::verify::testing {

/// "w0" writes variable 0, "r1" reads variable 1, "u0" reads and writes it; variables have 8 bytes.
inline GraphSpec make_program(const std::vector<std::vector<std::string>>& threads, std::uint32_t variables = 4) {
  GraphSpec spec;
  spec.regions = workspaces({variables * std::uint64_t{8}});
  for (const std::vector<std::string>& thread : threads) {
    for (std::size_t i = 0; i < thread.size(); ++i) {
      OpSpec op;
      const auto id = static_cast<std::uint32_t>(spec.ops.size());
      op.name = thread[i] + "_" + std::to_string(id);
      const Range range{.region = 0, .offset = static_cast<std::uint64_t>(thread[i][1] - '0') * 8, .size = 8};
      if (thread[i][0] != 'w') op.reads = {range};
      if (thread[i][0] != 'r') op.writes = {range};
      if (i > 0) spec.edges.emplace_back(id - 1, id);
      spec.ops.push_back(std::move(op));
    }
  }
  return spec;
}

/// `count` threads that are all alike.
inline GraphSpec make_alike(std::uint32_t count, const std::vector<std::string>& thread) {
  return make_program(std::vector<std::vector<std::string>>(count, thread));
}

/// A reader of bytes that a later op reuses; the later op becomes ready after a chain of `length`. Ops: 0 producer,
/// 1 reader (with an output of its own), 2.. the chain, last the writer that reuses the bytes.
inline GraphSpec make_reuse_after_chain(std::uint32_t length, bool reader_writes = true) {
  GraphSpec spec = make_ops(length + 3);
  spec.regions = workspaces({8 * std::uint64_t{length} + 64});
  const Range shared{.region = 0, .offset = 0, .size = 8};
  spec.ops[0].writes = {shared};
  spec.ops[1].reads = {shared};
  if (reader_writes) spec.ops[1].writes = {{.region = 0, .offset = 8, .size = 8}};
  spec.edges = {{0, 1}, {0, 2}};
  for (std::uint32_t i = 0; i < length; ++i) {
    spec.ops[2 + i].writes = {{.region = 0, .offset = 16 + std::uint64_t{i} * 8, .size = 8}};
    if (i > 0) spec.ops[2 + i].reads = spec.ops[1 + i].writes;
    spec.edges.emplace_back(2 + i, 3 + i);
  }
  spec.ops[length + 2].writes = {shared};
  return spec;
}

}  // namespace detent::verify::testing
