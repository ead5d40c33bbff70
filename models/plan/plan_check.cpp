// The validator. Plain and slow on purpose: breadth-first searches instead of the planner's bit blocks.
#include "models/plan/plan_check.hpp"

#include <algorithm>
#include <set>

namespace detent::models {
namespace {

class PlanChecker {
 public:
  PlanChecker(const Model& model, PlanOrder order, std::size_t limit) : model_(model), order_(order), limit_(limit) {
    next_.resize(model.ops.size());
    for (const Edge& edge : model.edges) {
      if (edge.from < next_.size() && edge.to < next_.size()) next_[edge.from].push_back(edge.to);
    }
    collect_users();
    if (order == PlanOrder::kSerial) number_serially();
  }

  std::vector<std::string> run() {
    for (std::uint32_t id = 0; id < model_.tensors.size(); ++id) check_place(id);
    check_sharing();
    return std::move(faults_);
  }

 private:
  void report(const std::string& text) {
    if (faults_.size() < limit_) faults_.push_back(text);
  }

  [[nodiscard]] std::uint32_t base_of(std::uint32_t id) const {
    for (std::size_t steps = 0; model_.tensors[id].alias_of != kNone && steps <= model_.tensors.size(); ++steps) {
      id = model_.tensors[id].alias_of;
    }
    return id;
  }

  void collect_users() {
    users_.resize(model_.tensors.size());
    for (OpId op = 0; op < model_.ops.size(); ++op) {
      for (const auto* list : {&model_.ops[op].inputs, &model_.ops[op].outputs, &model_.ops[op].scratch}) {
        for (const TensorId tensor : *list) users_[base_of(tensor)].insert(op);
      }
    }
  }

  void number_serially() {
    std::vector<std::size_t> waiting(next_.size(), 0);
    for (const auto& list : next_) {
      for (const std::uint32_t to : list) ++waiting[to];
    }
    std::set<std::uint32_t> ready;
    for (OpId op = 0; op < next_.size(); ++op) {
      if (waiting[op] == 0) ready.insert(op);
    }
    position_.assign(next_.size(), 0);
    for (std::size_t position = 0; !ready.empty(); ++position) {
      const OpId op = *ready.begin();
      ready.erase(ready.begin());
      position_[op] = position;
      for (const std::uint32_t to : next_[op]) {
        if (--waiting[to] == 0) ready.insert(to);
      }
    }
  }

  [[nodiscard]] bool kind_fits(const Tensor& tensor) const {
    const detent_region_kind kind = model_.regions[tensor.region].kind;
    switch (tensor.role) {
      case TensorRole::kInput:
        return kind == DETENT_REGION_INPUT;
      case TensorRole::kOutput:
        return kind == DETENT_REGION_OUTPUT;
      case TensorRole::kWeight:
        return kind == DETENT_REGION_WEIGHTS;
      case TensorRole::kActivation:
      case TensorRole::kScratch:
        return kind == DETENT_REGION_WORKSPACE;
      case TensorRole::kRange:
        return true;
    }
    return false;
  }

  void check_place(std::uint32_t id) {
    const Tensor& tensor = model_.tensors[id];
    if (tensor.role == TensorRole::kRange) return;
    if (tensor.alias_of != kNone) {
      const Tensor& base = model_.tensors[tensor.alias_of];
      const bool inside =
          tensor.size_bytes <= base.size_bytes && tensor.alias_offset_bytes <= base.size_bytes - tensor.size_bytes;
      if (!inside) report("view " + tensor.name + " lies outside its base " + base.name);
      return;
    }
    if (tensor.region >= model_.regions.size()) return report("tensor " + tensor.name + " has no region");
    const Region& region = model_.regions[tensor.region];
    if (!kind_fits(tensor)) report("tensor " + tensor.name + " lies in region " + region.name + " of another kind");
    if (tensor.size_bytes > region.size_bytes || tensor.offset_bytes > region.size_bytes - tensor.size_bytes) {
      report("tensor " + tensor.name + " ends past the end of region " + region.name);
    }
    const std::uint64_t align = std::max(1U, tensor.align_bytes);
    if (tensor.offset_bytes % align != 0 || region.align_bytes % align != 0) {
      report("tensor " + tensor.name + " is not aligned to " + std::to_string(align));
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> placed_by_offset() const {
    std::vector<std::uint32_t> placed;
    for (std::uint32_t id = 0; id < model_.tensors.size(); ++id) {
      const Tensor& tensor = model_.tensors[id];
      if (tensor.alias_of == kNone && tensor.role != TensorRole::kRange && tensor.region < model_.regions.size()) {
        placed.push_back(id);
      }
    }
    std::sort(placed.begin(), placed.end(), [&](std::uint32_t a, std::uint32_t b) {
      const Tensor& s = model_.tensors[a];
      const Tensor& t = model_.tensors[b];
      return std::pair(s.region, s.offset_bytes) < std::pair(t.region, t.offset_bytes);
    });
    return placed;
  }

  // Sweep by offset: every pair of tensors that share a byte is met once.
  void check_sharing() {
    std::vector<std::uint32_t> open;
    for (const std::uint32_t id : placed_by_offset()) {
      const Tensor& tensor = model_.tensors[id];
      std::erase_if(open, [&](std::uint32_t other) {
        const Tensor& earlier = model_.tensors[other];
        return earlier.region != tensor.region || earlier.offset_bytes + earlier.size_bytes <= tensor.offset_bytes;
      });
      for (const std::uint32_t other : open) check_pair(std::min(id, other), std::max(id, other));
      open.push_back(id);
      if (faults_.size() >= limit_) return;
    }
  }

  void check_pair(std::uint32_t a, std::uint32_t b) {
    const Region& region = model_.regions[model_.tensors[a].region];
    const std::string names = model_.tensors[a].name + " and " + model_.tensors[b].name;
    if (region.kind != DETENT_REGION_WORKSPACE) return report(names + " share bytes of region " + region.name);
    if (!precedes(a, b) && !precedes(b, a) && !is_handed_over(a, b) && !is_handed_over(b, a)) {
      report(names + " share bytes of region " + region.name + " but neither is done before the other starts");
    }
  }

  // Has every user of a a way to every user of b?
  bool precedes(std::uint32_t a, std::uint32_t b) {
    if (users_[a].empty() || users_[b].empty() || is_always_in_use(a) || is_always_in_use(b)) return false;
    return std::all_of(users_[a].begin(), users_[a].end(), [&](std::uint32_t from) {
      return std::all_of(users_[b].begin(), users_[b].end(), [&](std::uint32_t to) { return comes_before(from, to); });
    });
  }

  // What a guarded op decides stands until the run is over, and the op writes it in every run.
  [[nodiscard]] bool is_always_in_use(std::uint32_t id) const {
    if (model_.tensors[id].dtype != DETENT_BOOL || model_.tensors[id].size_bytes != 1) return false;
    return std::ranges::any_of(users_[id], [&](OpId op) {
      const Op& user = model_.ops[op];
      const bool decides = user.is_fallible || user.outputs.size() == 1;
      return user.guarded != Guarded::kNo && decides && !user.outputs.empty() && user.outputs.back() == id;
    });
  }

  // Is there an op in place that ends `from` and begins `to`?
  bool is_handed_over(std::uint32_t from, std::uint32_t to) {
    if (users_[from].size() < 2) return false;
    return std::any_of(users_[from].begin(), users_[from].end(), [&](OpId op) {
      const auto ends = [&](std::uint32_t user) { return user == op || comes_before(user, op); };
      const auto begins = [&](std::uint32_t user) { return user == op || comes_before(op, user); };
      return users_[to].contains(op) && works_in_place(op, from, to) &&
             std::all_of(users_[from].begin(), users_[from].end(), ends) &&
             std::all_of(users_[to].begin(), users_[to].end(), begins);
    });
  }

  [[nodiscard]] bool works_in_place(OpId op, std::uint32_t from, std::uint32_t to) const {
    const auto touches = [&](const std::vector<std::uint32_t>& list, std::uint32_t base) {
      return std::any_of(list.begin(), list.end(), [&](TensorId tensor) { return base_of(tensor) == base; });
    };
    const Op& entry = model_.ops[op];
    return entry.in_place && touches(entry.inputs, from) && !touches(entry.outputs, from) &&
           !touches(entry.scratch, from) && touches(entry.outputs, to) && !touches(entry.inputs, to) &&
           !touches(entry.scratch, to);
  }

  bool comes_before(std::uint32_t from, std::uint32_t to) {
    if (order_ == PlanOrder::kSerial) return position_[from] < position_[to];
    if (searched_ != from) search(from);
    return reached_[to];
  }

  void search(std::uint32_t from) {
    searched_ = from;
    reached_.assign(next_.size(), false);
    std::vector<std::uint32_t> stack = next_[from];
    while (!stack.empty()) {
      const OpId op = stack.back();
      stack.pop_back();
      if (reached_[op]) continue;
      reached_[op] = true;
      stack.insert(stack.end(), next_[op].begin(), next_[op].end());
    }
  }

  const Model& model_;
  PlanOrder order_;
  std::size_t limit_;
  std::vector<std::vector<std::uint32_t>> next_;
  std::vector<std::set<std::uint32_t>> users_;  // by base tensor
  std::vector<std::size_t> position_;           // serial order
  std::uint32_t searched_ = kNone;
  std::vector<bool> reached_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> find_plan_faults(const Model& model, PlanOrder order, std::size_t limit) {
  return PlanChecker(model, order, limit).run();
}

}  // namespace detent::models
