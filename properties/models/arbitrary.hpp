// Arbitrary models for RapidCheck: any fields a package can hold, and any valid op graph.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/io.hpp"
#include "models/builder/random_model.hpp"
#include "models/core/model.hpp"
#include "models/files/package.hpp"

namespace detent::models {

/// [low, high], both included.
template <typename T>
T pick(T low, T high) {
  return static_cast<T>(
      *rc::gen::inRange<std::uint64_t>(static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high) + 1));
}

inline bool flip() { return *rc::gen::arbitrary<bool>(); }

/// Letters that every writer must cope with.
inline std::string pick_name() {
  static const std::vector<std::string> kPieces = {"a", "conv", "/", ",",  "<", "\"", "\\",
                                                   " ", "7",    "ä", "日", "😀", "&"};
  std::string name = "n";
  for (std::size_t i = pick<std::size_t>(0, 6); i > 0; --i) name += kPieces[pick<std::size_t>(0, kPieces.size() - 1)];
  return name;
}

inline std::uint64_t pick_wide() { return *rc::gen::arbitrary<std::uint64_t>() >> pick<unsigned>(0, 63); }

inline std::pair<std::uint64_t, std::uint64_t> pick_span(std::uint64_t most) {
  const auto a = pick<std::uint64_t>(0, most);
  return {pick<std::uint64_t>(0, a), a};
}

/// `count` elements below `limit`, any; none when limit is 0.
inline std::vector<std::uint32_t> pick_ids(std::size_t limit, std::size_t most) {
  std::vector<std::uint32_t> ids;
  if (limit == 0) return ids;
  for (std::size_t i = pick<std::size_t>(0, most); i > 0; --i)
    ids.push_back(pick<std::uint32_t>(0, static_cast<std::uint32_t>(limit - 1)));
  return ids;
}

inline std::vector<std::uint8_t> pick_bytes(std::size_t most) {
  std::vector<std::uint8_t> bytes(pick<std::size_t>(0, most));
  for (std::uint8_t& byte : bytes) byte = pick<std::uint8_t>(0, 255);
  return bytes;
}

inline Tensor pick_tensor(std::size_t tensors, std::size_t regions) {
  Tensor t;
  if (flip()) t.name = pick_name();
  t.role = static_cast<TensorRole>(pick(0, 5));
  t.dtype = static_cast<detent_dtype>(pick(0, 7));
  t.layout = static_cast<detent_layout>(pick(0, 1));
  for (int rank = pick(0, 6); rank > 0; --rank) t.dims.push_back(*rc::gen::arbitrary<std::int32_t>());
  t.size_bytes = pick_wide();
  t.block_bytes = pick_wide();
  t.stride_bytes = pick_wide();
  t.block_count = static_cast<std::uint32_t>(pick_wide());
  t.align_bytes = static_cast<std::uint32_t>(pick_wide());
  if (flip()) t.alias_of = pick<std::uint32_t>(0, static_cast<std::uint32_t>(tensors - 1));
  if (regions > 0 && flip()) t.region = pick<std::uint32_t>(0, static_cast<std::uint32_t>(regions - 1));
  t.alias_offset_bytes = pick_wide();
  t.offset_bytes = pick_wide();
  t.init.kind = static_cast<WeightInit::Kind>(pick(0, 2));
  t.init.stream = pick_wide();
  t.init.scale = static_cast<float>(pick(0, 1000)) / 7.0F;
  t.init.bytes = pick_bytes(9);
  for (int rank = pick(0, 6); rank > 0; --rank) t.init.unpadded_dims.push_back(static_cast<std::uint32_t>(pick_wide()));
  t.init.groups = static_cast<std::uint32_t>(pick_wide());
  return t;
}

inline Op pick_op(std::size_t tensors) {
  Op op;
  op.name = pick_name();
  op.kernel = pick_name();
  op.core_class = pick_name();
  op.inputs = pick_ids(tensors, 3);
  op.outputs = pick_ids(tensors, 2);
  op.weights = pick_ids(tensors, 2);
  op.scratch = pick_ids(tensors, 1);
  op.config = pick_bytes(12);
  if (flip()) op.time_ps = pick_span(1'000'000);
  if (flip()) op.release_ps = pick_span(1'000'000);
  op.priority = *rc::gen::arbitrary<std::int32_t>();
  for (int i = pick(0, 3); i > 0; --i) op.mutexes.push_back(pick_name());
  if (flip()) op.commutes = pick_name();
  op.in_place = flip();
  op.flops = pick_wide();
  return op;
}

/// Anything whose indices stay in their tables; mostly nonsense as a network.
inline Model pick_model() {
  Model m;
  m.name = pick_name();
  m.weight_seed = pick_wide();
  const auto regions = pick<std::size_t>(0, 3);
  const auto tensors = pick<std::size_t>(0, 6);
  const auto ops = pick<std::size_t>(0, 6);
  for (std::size_t i = 0; i < regions; ++i) {
    m.regions.push_back({pick_name(), static_cast<detent_region_kind>(pick(0, 3)), pick_wide(),
                         static_cast<std::uint32_t>(pick_wide())});
  }
  for (std::size_t i = 0; i < tensors; ++i) m.tensors.push_back(pick_tensor(tensors, regions));
  for (std::size_t i = 0; i < ops; ++i) m.ops.push_back(pick_op(tensors));
  if (ops > 0) {
    for (int i = pick(0, 8); i > 0; --i) {
      m.edges.push_back({pick<std::uint32_t>(0, static_cast<std::uint32_t>(ops - 1)),
                         pick<std::uint32_t>(0, static_cast<std::uint32_t>(ops - 1)), pick_wide(), pick_wide()});
    }
  }
  m.inputs = pick_ids(tensors, 3);
  m.outputs = pick_ids(tensors, 3);
  if (flip()) m.demands.deadline_ps = pick<std::uint64_t>(1, std::uint64_t{1} << 62U);
  if (flip()) m.demands.period_ps = pick<std::uint64_t>(1, std::uint64_t{1} << 62U);
  return m;
}

/// A byte range inside region `region`, as the reader names it; equal ranges are one tensor.
inline std::uint32_t pick_range(Model& m) {
  const auto region = pick<std::uint32_t>(0, static_cast<std::uint32_t>(m.regions.size() - 1));
  const Region& r = m.regions[region];
  const auto begin = pick<std::uint64_t>(0, r.size_bytes - 1);
  const auto end = pick<std::uint64_t>(begin + 1, r.size_bytes);
  Tensor t;
  t.name = r.name + "[" + std::to_string(begin) + "," + std::to_string(end) + ")";
  t.role = TensorRole::kRange;
  t.dtype = DETENT_U8;
  t.size_bytes = t.block_bytes = end - begin;
  t.align_bytes = 1;
  t.region = region;
  t.offset_bytes = begin;
  const auto same = std::find(m.tensors.begin(), m.tensors.end(), t);
  if (same != m.tensors.end()) return static_cast<std::uint32_t>(same - m.tensors.begin());
  m.tensors.push_back(t);
  return static_cast<std::uint32_t>(m.tensors.size() - 1);
}

/// A valid op graph as the reader of detent.graph/1 makes it; op ids need not be a topological order.
inline Model pick_graph() {
  Model m;
  m.name = pick_name();
  for (int i = pick(1, 3); i > 0; --i) {
    m.regions.push_back({pick_name() + std::to_string(i), DETENT_REGION_WORKSPACE, pick<std::uint64_t>(1, 64), 64});
  }
  const auto ops = pick<std::uint32_t>(1, 10);
  for (std::uint32_t i = 0; i < ops; ++i) {
    Op op;
    op.name = pick_name();
    op.kernel = "mix";
    op.core_class = flip() ? "cpu" : pick_name();
    op.config.resize(8);
    op.in_place = true;
    op.time_ps = pick_span(1'000'000);
    if (flip()) op.release_ps = pick_span(1'000'000);
    op.priority = *rc::gen::arbitrary<std::int32_t>();
    for (int k = pick(0, 2); k > 0; --k) op.mutexes.push_back(pick_name());
    if (flip()) op.commutes = pick_name();
    for (int k = pick(0, 3); k > 0; --k) op.inputs.push_back(pick_range(m));
    for (int k = pick(0, 2); k > 0; --k) op.outputs.push_back(pick_range(m));
    m.ops.push_back(std::move(op));
  }
  // Edges follow a hidden order of the ops, so that the graph has no cycle whatever the ids.
  const auto turn = pick<std::uint32_t>(0, ops - 1);
  std::set<std::pair<std::uint32_t, std::uint32_t>> chosen;
  for (int i = pick(0, 20); ops > 1 && i > 0; --i) {
    const auto a = pick<std::uint32_t>(0, ops - 2);
    const auto b = pick<std::uint32_t>(a + 1, ops - 1);
    if (!chosen.insert({a, b}).second) continue;
    const auto delay = flip() ? pick_span(1000) : std::pair<std::uint64_t, std::uint64_t>{0, 0};
    m.edges.push_back({(a + turn) % ops, (b + turn) % ops, delay.first, delay.second});
  }
  return m;
}

/// What a failing law prints; the whole model stands in the file that its replay line names.
inline std::ostream& operator<<(std::ostream& os, const Model& m) {
  return os << '"' << m.name << "\": " << m.ops.size() << " ops, " << m.edges.size() << " edges, " << m.tensors.size()
            << " tensors, " << m.regions.size() << " regions";
}

/// Write for the detent program: as a package, which holds any model.
inline std::string save_case(const Model& model, const std::string& path) {
  write_file_atomically(path, encode_package(model));
  return path;
}

/// The program's own checks of the model in `file`.
inline std::string check_command(const Model&, const std::string& file) { return "detent verify '" + file + "'"; }
/// Plan, lower and check it.
inline std::string plan_command(const Model&, const std::string& file) { return "detent plan '" + file + "'"; }

inline rc::Gen<Model> any_models() { return rc::gen::exec(pick_model); }
inline rc::Gen<Model> op_graphs() { return rc::gen::exec(pick_graph); }

/// Unplanned: fewer ops, a plainer shape and smaller seeds when it shrinks.
inline rc::Gen<Model> random_models(std::uint32_t most_ops, double npu_share = 0) {
  const auto drawn = rc::gen::tuple(rc::gen::inRange<std::uint32_t>(1, most_ops), rc::gen::inRange(0, 3),
                                    rc::gen::inRange<std::uint64_t>(0, 1'000'000));
  return rc::gen::map(drawn, [npu_share](const std::tuple<std::uint32_t, int, std::uint64_t>& d) {
    return make_random_model({.seed = std::get<2>(d),
                              .ops = std::get<0>(d),
                              .shape = static_cast<RandomShape>(std::get<1>(d)),
                              .npu_share = npu_share});
  });
}

}  // namespace detent::models
