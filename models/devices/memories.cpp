#include "models/devices/memories.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "models/core/dag.hpp"
#include "models/core/decisions.hpp"
#include "models/devices/unique_name.hpp"

namespace detent::models {
namespace {

constexpr const char* kCopy = "copy_blocks";

std::set<std::string> names_of(const auto& named) {
  std::set<std::string> names;
  for (const auto& one : named) names.insert(one.name);
  return names;
}

class Mover {
 public:
  Mover(Model& model, const ClassMemory& memory)
      : model_(model),
        memory_(memory),
        op_names_(names_of(model.ops)),
        tensor_names_(names_of(model.tensors)),
        order_(topological_order(model)),
        is_shared_(model.tensors.size(), false),
        twins_(model.tensors.size(), kNone) {
    const std::vector<bool> lasts = lasting_tensors(model);
    for (std::uint32_t id = 0; id < model.tensors.size(); ++id) {
      is_shared_[id] = lasts[id] || model.tensors[id].role == TensorRole::kWeight;
    }
    for (const Op& op : model.ops) {
      if (op.guarded != Guarded::kNo) is_shared_[op.inputs.back()] = true;
      if (const std::uint32_t decided = decided_tensor(model, op); decided != kNone) is_shared_[decided] = true;
    }
    collect_uses();
  }

  std::size_t move() {
    std::set<std::string> taken = names_of(model_.regions);
    region_ = static_cast<std::uint32_t>(model_.regions.size());
    model_.regions.push_back({.name = take_name(memory_.core_class + " memory", taken), .is_separate = true});
    std::vector<std::uint32_t> ids(model_.ops.size(), kNone);  // by old id: the new one
    for (const std::uint32_t input : model_.inputs) {
      if (!is_shared_[input] && is_read_across(input, false, 0)) append_copy(input, false, nullptr);
    }
    for (std::size_t position = 0; position < order_.size(); ++position) {
      const Op& old = model_.ops[order_[position]];
      ids[order_[position]] = static_cast<std::uint32_t>(ops_.size());
      ops_.push_back(moved(old));
      const bool is_inside = is_of_class(old);
      for (const std::uint32_t output : old.outputs) {
        if (!is_shared_[output] && is_read_across(output, is_inside, position + 1))
          append_copy(output, is_inside, &old);
      }
    }
    model_.ops = std::move(ops_);
    join_edges(ids);
    return copies_.size();
  }

 private:
  struct Use {
    std::size_t position = 0;
    std::uint32_t tensor = 0;
    bool is_inside = false;
  };

  /// Copies of another memory stay with it, whoever copies.
  [[nodiscard]] bool is_of_class(const Op& op) const {
    return op.core_class == memory_.core_class && !(op.kernel == kCopy && is_of_memory(op));
  }
  [[nodiscard]] bool is_of_memory(const Op& op) const {
    const auto is_separate = [&](std::uint32_t tensor) {
      const std::uint32_t region = model_.tensors[root_of(tensor)].region;
      return region != kNone && model_.regions[region].is_separate;
    };
    return is_separate(op.inputs.front()) || is_separate(op.outputs.front());
  }
  [[nodiscard]] std::uint32_t root_of(std::uint32_t tensor) const { return bytes_of(model_, TensorId(tensor)).root; }

  void collect_uses() {
    for (std::size_t position = 0; position < order_.size(); ++position) {
      const Op& op = model_.ops[order_[position]];
      const auto add = [&](const std::vector<std::uint32_t>& tensors, bool reads) {
        for (const std::uint32_t tensor : tensors) {
          if (is_shared_[tensor]) continue;
          const std::uint32_t root = root_of(tensor);
          if (reads) reads_[root].push_back({position, tensor, is_of_class(op)});
          if (is_of_class(op)) inside_[root].insert(tensor);
        }
      };
      add(op.inputs, true);
      add(op.outputs, false);
      add(op.scratch, false);
    }
    // What is copied is in the memory, too.
    const auto add_copied = [&](std::uint32_t tensor, bool is_inside, std::size_t position) {
      const bool is_copied = !is_shared_[tensor] && is_read_across(tensor, is_inside, position);
      if (is_copied) inside_[root_of(tensor)].insert(tensor);
    };
    for (const std::uint32_t input : model_.inputs) add_copied(input, false, 0);
    for (std::size_t position = 0; position < order_.size(); ++position) {
      const Op& op = model_.ops[order_[position]];
      for (const std::uint32_t output : op.outputs) add_copied(output, is_of_class(op), position + 1);
    }
  }

  /// Does the other side read bytes of the tensor, from this place of the program on?
  [[nodiscard]] bool is_read_across(std::uint32_t tensor, bool is_inside, std::size_t position) const {
    const ByteSet bytes = bytes_of(model_, TensorId(tensor));
    const auto shares = [&](std::uint32_t other) { return bytes_overlap(bytes, bytes_of(model_, TensorId(other))); };
    if (is_inside && std::ranges::any_of(model_.outputs, shares)) return true;
    const auto at = reads_.find(bytes.root);
    if (at == reads_.end()) return false;
    return std::ranges::any_of(at->second, [&](const Use& use) {
      return use.is_inside != is_inside && use.position >= position && shares(use.tensor);
    });
  }

  /// The tensor in the class' memory that stands for this one. Where its ops use a part of a tensor alone, the part is
  /// there alone, without what lies between its blocks.
  std::uint32_t twin_of(std::uint32_t tensor) {
    if (twins_[tensor] != kNone) return twins_[tensor];
    Tensor twin = model_.tensors[tensor];
    twin.name = take_name(twin.name + "@" + memory_.core_class, tensor_names_);
    if (twin.role != TensorRole::kScratch) twin.role = TensorRole::kActivation;
    const auto used = inside_.find(root_of(tensor));
    const bool is_alone = used != inside_.end() && used->second.size() == 1 && used->second.contains(tensor);
    if (twin.alias_of != kNone && !is_alone) {
      twin.alias_of = twin_of(twin.alias_of);
    } else {
      twin.alias_of = kNone;
      twin.alias_offset_bytes = 0;
      twin.size_bytes = twin.block_bytes *= twin.block_count;
      twin.stride_bytes = 0;
      twin.block_count = 1;
      twin.region = region_;
      twin.offset_bytes = 0;
      twin.align_bytes = std::max(twin.align_bytes, memory_.align_bytes);
    }
    twins_[tensor] = static_cast<std::uint32_t>(model_.tensors.size());
    model_.tensors.push_back(std::move(twin));
    return twins_[tensor];
  }

  /// On its side of the memory. A fallback replaces only what has come there.
  Op moved(const Op& old) {
    Op op = old;
    if (is_of_class(old)) move_tensors(op);
    if (op.replaces) op.replaces = is_written(op.outputs.front());
    return op;
  }

  void move_tensors(Op& op) {
    for (auto* tensors : {&op.inputs, &op.outputs, &op.scratch}) {
      for (std::uint32_t& tensor : *tensors) {
        if (!is_shared_[tensor]) tensor = twin_of(tensor);
      }
    }
  }

  /// Has an op of the new program written bytes of it?
  [[nodiscard]] bool is_written(std::uint32_t tensor) const {
    const ByteSet bytes = bytes_of(model_, TensorId(tensor));
    return std::ranges::any_of(ops_, [&](const Op& op) {
      return std::ranges::any_of(
          op.outputs, [&](std::uint32_t written) { return bytes_overlap(bytes, bytes_of(model_, TensorId(written))); });
    });
  }

  /// What was not written is not copied: the writer's guard, or, since a failure is decided under that, that it has not
  /// failed.
  static void add_guard(const Op& writer, Op& copy) {
    if (writer.is_fallible) {
      copy.guarded = Guarded::kIfFalse;
      copy.inputs.push_back(writer.outputs.back());
    } else if (writer.guarded != Guarded::kNo) {
      copy.guarded = writer.guarded;
      copy.inputs.push_back(writer.inputs.back());
    }
  }

  /// @param is_out  out of the class' memory   @param writer  of the bytes; null: the application
  void append_copy(std::uint32_t tensor, bool is_out, const Op* writer) {
    const std::uint32_t twin = twin_of(tensor);
    Op copy;
    copy.name = take_name(model_.tensors[tensor].name + (is_out ? ".from_" : ".to_") + memory_.core_class, op_names_);
    copy.kernel = kCopy;
    copy.core_class = memory_.copied_by;
    copy.inputs = {is_out ? twin : tensor};
    copy.outputs = {is_out ? tensor : twin};
    if (writer != nullptr) {
      add_guard(*writer, copy);
      copy.replaces = (writer->in_place || writer->replaces) && is_written(copy.outputs.front());
    }
    copies_.insert(static_cast<std::uint32_t>(ops_.size()));
    ops_.push_back(std::move(copy));
  }

  /// The model's edges, and those of the copies, by the bytes that they move. An edge beside which a copy leads from
  /// one end to the other goes, unless something is to pass on it.
  void join_edges(const std::vector<std::uint32_t>& ids) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Edge> edges;
    for (const Edge& edge : model_.edges) {
      const Edge moved{ids[edge.from], ids[edge.to], edge.min_ps, edge.max_ps};
      edges.emplace(std::pair(moved.from, moved.to), moved);
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> before, after;  // by copy
    for (const Edge& edge : derive_edges(model_)) {
      if (copies_.contains(edge.from)) after[edge.from].push_back(edge.to);
      if (copies_.contains(edge.to)) before[edge.to].push_back(edge.from);
      if (copies_.contains(edge.from) || copies_.contains(edge.to)) edges.emplace(std::pair(edge.from, edge.to), edge);
    }
    for (const std::uint32_t copy : copies_) {
      for (const std::uint32_t from : before[copy]) {
        for (const std::uint32_t to : after[copy]) {
          const auto beside = edges.find({from, to});
          if (beside != edges.end() && beside->second.max_ps == 0) edges.erase(beside);
        }
      }
    }
    model_.edges.clear();
    for (const auto& [ends, edge] : edges) model_.edges.push_back(edge);
  }

  Model& model_;
  const ClassMemory& memory_;
  std::set<std::string> op_names_, tensor_names_;
  const std::vector<std::uint32_t> order_;                   // the program
  std::vector<bool> is_shared_;                              // by tensor: it lies where both sides are
  std::vector<std::uint32_t> twins_;                         // by tensor
  std::map<std::uint32_t, std::vector<Use>> reads_;          // by root
  std::map<std::uint32_t, std::set<std::uint32_t>> inside_;  // by root: tensors of it that the class' ops use
  std::uint32_t region_ = kNone;
  std::vector<Op> ops_;
  std::set<std::uint32_t> copies_;  // new ids
};

}  // namespace

const char* memory_fault(const Model& model) {
  if (!model.schedules.empty()) return "carries static schedules, whose lists have no copies";
  for (const Tensor& tensor : model.tensors) {
    if (tensor.role == TensorRole::kRange) return "has bare byte ranges, which lie where the graph says";
  }
  for (const Op& op : model.ops) {
    if (op.is_fallible && op.outputs.size() > 2)
      return "has ops of several results that may fail, of which a fallback may replace some and be the first to write "
             "others";
    if (!op.commutes.empty()) return "has ops that commute, so that nobody knows after which of them to copy";
  }
  return nullptr;
}

std::size_t add_memory(Model& model, const ClassMemory& memory) {
  const bool has_ops = std::ranges::any_of(model.ops, [&](const Op& op) { return op.core_class == memory.core_class; });
  if (!has_ops) return 0;
  const std::size_t copies = Mover(model, memory).move();
  derive_decisions(model);
  return copies;
}

}  // namespace detent::models
