// Graphs of "mix" ops with times: shapes for engines, schedulers and bounds.
#include <algorithm>
#include <string>

#include "base/input_error.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/layers.hpp"
#include "models/builder/random_model.hpp"
#include "models/zoo/entries.hpp"

namespace detent::models::zoo_entries {
namespace {

using Id = TensorId;

constexpr std::uint64_t kBytes = 256;
constexpr std::uint64_t kMaxOps = 2'000'000;
constexpr std::size_t kJoinArity = 512;

std::uint64_t checked(const std::string& name, std::uint64_t value, std::uint64_t most) {
  if (value == 0 || value > most) {
    throw InputError(name, "parameter", "must lie between 1 and " + std::to_string(most));
  }
  return value;
}

// Ten microseconds at worst, a tenth less at best, a little different from op to op.
Id timed_mix(Builder& b, const std::string& name, const std::vector<Id>& inputs) {
  const Id y = mix(b, name, inputs, kBytes);
  const std::uint64_t worst = 9'000'000 + 1'000'000 * (y % 3);
  b.last_op().time_ps = {worst / 10 * 9, worst};
  return y;
}

// Joins many tensors; by a tree where they are more than an op may name.
Id join(Builder& b, std::vector<Id> parts) {
  for (int level = 0; parts.size() > kJoinArity; ++level) {
    std::vector<Id> joined;
    for (std::size_t first = 0; first < parts.size(); first += kJoinArity) {
      const std::size_t last = std::min(first + kJoinArity, parts.size());
      const std::vector<Id> group(parts.begin() + static_cast<std::ptrdiff_t>(first),
                                  parts.begin() + static_cast<std::ptrdiff_t>(last));
      joined.push_back(timed_mix(b, "join" + std::to_string(level) + "." + std::to_string(joined.size()), group));
    }
    parts = std::move(joined);
  }
  return timed_mix(b, "join", parts);
}

Model fork_join(const std::string& name, std::uint64_t branches) {
  Builder b(name);
  const Id fork = timed_mix(b, "fork", {b.input("x", {static_cast<std::int32_t>(kBytes)}, DETENT_U8)});
  std::vector<Id> parts;
  for (std::uint64_t i = 0; i < branches; ++i) parts.push_back(timed_mix(b, "branch" + std::to_string(i), {fork}));
  b.output(join(b, std::move(parts)));
  return b.finish();
}

Model random(RandomShape shape, const ZooParameters& parameters) {
  checked("random", parameters[1], kMaxOps);
  return make_random_model({.seed = parameters[0], .ops = static_cast<std::uint32_t>(parameters[1]), .shape = shape});
}

}  // namespace

Model diamond(const ZooParameters& parameters) { return fork_join("diamond", checked("diamond", parameters[0], 512)); }

Model wide(const ZooParameters& parameters) { return fork_join("wide", checked("wide", parameters[0], kMaxOps)); }

Model chain(const ZooParameters& parameters) {
  const std::uint64_t ops = checked("chain", parameters[0], kMaxOps);
  Builder b("chain");
  Id x = b.input("x", {static_cast<std::int32_t>(kBytes)}, DETENT_U8);
  for (std::uint64_t i = 0; i < ops; ++i) x = timed_mix(b, "op" + std::to_string(i), {x});
  b.output(x);
  return b.finish();
}

Model layered(const ZooParameters& parameters) { return random(RandomShape::kLayered, parameters); }
Model erdos(const ZooParameters& parameters) { return random(RandomShape::kErdos, parameters); }
Model series_parallel(const ZooParameters& parameters) { return random(RandomShape::kSeriesParallel, parameters); }

}  // namespace detent::models::zoo_entries
