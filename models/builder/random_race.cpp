// Plants one race: finds a pair of ops and tensors that only one schedule can hurt, and makes their bytes meet.
#include <algorithm>
#include <vector>

#include "base/random.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/builder_internal.hpp"
#include "models/builder/random_model.hpp"
#include "models/core/dag.hpp"

namespace detent::models {
namespace {

// reach[a] has bit b: a precedes b.
class Reach {
 public:
  explicit Reach(const Model& model)
      : words_((model.ops.size() + 63) / 64), bits_(model.ops.size(), std::vector<std::uint64_t>(words_, 0)) {
    const auto successors = successor_lists(model);
    const auto order = topological_order(model);
    for (auto op = order.rbegin(); op != order.rend(); ++op) {
      for (const std::uint32_t next : successors[*op]) {
        bits_[*op][next / 64] |= 1ULL << (next % 64);
        for (std::size_t w = 0; w < words_; ++w) bits_[*op][w] |= bits_[next][w];
      }
    }
  }
  [[nodiscard]] bool precedes(std::uint32_t a, std::uint32_t b) const {
    return (bits_[a][b / 64] >> (b % 64) & 1U) != 0;
  }
  [[nodiscard]] bool unordered(std::uint32_t a, std::uint32_t b) const {
    return a != b && !precedes(a, b) && !precedes(b, a);
  }

 private:
  std::size_t words_;
  std::vector<std::vector<std::uint64_t>> bits_;
};

bool in_workspace(const Model& model, TensorId tensor) {
  const Tensor& t = model.tensors[tensor];
  return t.alias_of == kNone && t.region != kNone && model.regions[t.region].kind == DETENT_REGION_WORKSPACE;
}

// The tensor an op writes, if the workspace holds it; else kNone.
TensorId written_tensor(const Model& model, OpId op) {
  if (model.ops[op].outputs.empty()) return kNone;
  const TensorId tensor = model.ops[op].outputs.front();
  return in_workspace(model, tensor) ? tensor : TensorId(kNone);
}

// Both tensors get the same fresh bytes behind everything planned so far: nobody else is disturbed.
void share_fresh_bytes(Model& model, std::uint32_t a, std::uint32_t b) {
  Region& region = model.regions[model.tensors[a].region];
  const std::uint64_t offset = (region.size_bytes + 63) / 64 * 64;
  model.tensors[a].offset_bytes = offset;
  model.tensors[b].offset_bytes = offset;
  model.tensors[b].region = model.tensors[a].region;
  region.size_bytes = offset + std::max(model.tensors[a].size_bytes, model.tensors[b].size_bytes);
}

struct Candidate {
  OpId first_op, second_op;
  TensorId first_tensor, second_tensor;
};

std::vector<std::uint32_t> users_of(const Rows<Access>& accesses, TensorId tensor) {
  std::vector<std::uint32_t> users;
  for (const Access& access : accesses[tensor]) users.push_back(access.op);
  return users;
}

// Reader r of A and writer w of B unordered; every other user of A precedes w; all of A's users have lower ids than w.
std::vector<Candidate> war_candidates(const Model& model, const Reach& reach) {
  std::vector<Candidate> found;
  const auto accesses = accesses_by_root(model);
  for (std::uint32_t writer = 0; writer < model.ops.size(); ++writer) {
    const std::uint32_t to = written_tensor(model, writer);
    if (to == kNone) continue;
    for (std::uint32_t from = 0; from < model.tensors.size(); ++from) {
      if (from == to || !in_workspace(model, from)) continue;
      const auto users = users_of(accesses, from);
      std::uint32_t racing = kNone;
      bool fits = users.size() > 1 && users.back() < writer;
      for (const std::uint32_t user : users) {
        if (reach.precedes(user, writer)) continue;
        fits = fits && racing == kNone && reach.unordered(user, writer) && user != users.front();
        racing = user;
      }
      if (fits && racing != kNone) found.push_back({racing, writer, from, to});
    }
  }
  return found;
}

// Writers a < b unordered, where a precedes every reader of b's tensor, of which there is one at least.
std::vector<Candidate> waw_candidates(const Model& model, const Reach& reach) {
  std::vector<Candidate> found;
  const auto accesses = accesses_by_root(model);
  for (std::uint32_t second = 0; second < model.ops.size(); ++second) {
    const TensorId tensor = written_tensor(model, second);
    if (tensor == kNone || accesses[tensor].size() < 2) continue;
    for (std::uint32_t first = 0; first < second; ++first) {
      const bool fits = reach.unordered(first, second) &&
                        std::all_of(accesses[tensor].begin(), accesses[tensor].end(), [&](const Access& access) {
                          return access.op == second || reach.precedes(first, access.op);
                        });
      if (fits) found.push_back({first, second, kNone, tensor});
    }
  }
  return found;
}

std::uint32_t add_unread_output(Model& model, OpId op, std::uint32_t like) {
  Tensor tensor = model.tensors[like];
  tensor.name = model.ops[op].name + ".spill";
  tensor.role = TensorRole::kActivation;
  model.tensors.push_back(std::move(tensor));
  const auto id = static_cast<std::uint32_t>(model.tensors.size() - 1);
  model.ops[op].outputs.push_back(id);
  return id;
}

}  // namespace

std::optional<PlantedRace> plant_race(Model& model, RaceKind kind, std::uint64_t seed) {
  const Reach reach(model);
  const auto candidates = kind == RaceKind::kWar ? war_candidates(model, reach) : waw_candidates(model, reach);
  if (candidates.empty()) return std::nullopt;
  RandomSource random(seed);
  Candidate chosen = candidates[random.below(static_cast<std::uint32_t>(candidates.size()))];
  if (kind == RaceKind::kWaw) chosen.first_tensor = add_unread_output(model, chosen.first_op, chosen.second_tensor);
  share_fresh_bytes(model, chosen.first_tensor, chosen.second_tensor);
  return PlantedRace{kind, chosen.first_op, chosen.second_op};
}

}  // namespace detent::models
