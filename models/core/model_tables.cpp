#include "models/core/model_tables.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_error.hpp"
#include "models/core/decisions.hpp"

namespace detent::models {
namespace {

constexpr std::size_t kMaxSources = 1024;

class TableChecker {
 public:
  TableChecker(const Model& model, const std::string& file) : model_(model), file_(file) {}

  void check() const {
    check_count("regions", model_.regions.size(), DETENT_NONE - 1);
    check_count("tensors", model_.tensors.size(), DETENT_NONE - 1);
    check_count("ops", model_.ops.size(), DETENT_MAX_OPS);
    for (std::size_t i = 0; i < model_.tensors.size(); ++i) check_tensor(i);
    for (std::size_t i = 0; i < model_.ops.size(); ++i) check_op(i);
    for (std::size_t i = 0; i < model_.edges.size(); ++i) check_edge(i);
    check_refs("", "inputs", model_.inputs);
    check_refs("", "outputs", model_.outputs);
    check_sources();
    check_schedules();
  }

 private:
  void check_count(const std::string& table, std::size_t count, std::size_t limit) const {
    if (count > limit)
      fail(table, std::to_string(count) + " entries; at most " + std::to_string(limit) + " are possible");
  }

  void check_tensor(std::size_t i) const {
    const Tensor& t = model_.tensors[i];
    if (t.dims.size() > DETENT_MAX_RANK) {
      fail(at("tensors", i), "rank " + std::to_string(t.dims.size()) + " is above " + std::to_string(DETENT_MAX_RANK));
    }
    check_index(at("tensors", i) + ".alias_of", t.alias_of, model_.tensors.size(), "tensor");
    check_index(at("tensors", i) + ".region", t.region, model_.regions.size(), "region");
    for (const std::uint32_t value : t.values) {
      if (value >= model_.value_names.size() || t.role != TensorRole::kRange) {
        fail(at("tensors", i) + ".values", "value " + std::to_string(value) + " does not exist or is no range's");
      }
    }
  }

  void check_op(std::size_t i) const {
    const Op& op = model_.ops[i];
    // Built only when something is wrong: a million ops pass through here.
    const bool refs_are_fine =
        refs_fine(op.inputs) && refs_fine(op.outputs) && refs_fine(op.weights) && refs_fine(op.scratch);
    const bool is_control_fine = refs_are_fine && is_guard_fine(op) && is_failure_fine(op);
    if (is_control_fine && is_time_fine(op)) return;
    if (is_control_fine) {
      fail(at("ops", i), "its time is not the one that it has on its class, " + op.core_class +
                             ", by its times by class; make them equal");
    }
    if (refs_are_fine && !is_guard_fine(op)) {
      fail(at("ops", i), "its guard, the last input, must be a BOOL of one element and no view (B30)");
    }
    if (refs_are_fine) {
      fail(at("ops", i),
           "what says whether it failed, the last output, must be a BOOL of one element and no view (B30)");
    }
    const std::string place = at("ops", i) + ".";
    check_refs(place, "inputs", op.inputs);
    check_refs(place, "outputs", op.outputs);
    check_refs(place, "weights", op.weights);
    check_refs(place, "scratch", op.scratch);
  }

  [[nodiscard]] static bool is_time_fine(const Op& op) {
    if (op.times_by_class.empty()) return true;
    const auto own = op.times_by_class.find(op.core_class);
    return own != op.times_by_class.end() && op.time_ps == own->second;
  }

  [[nodiscard]] bool is_guard_fine(const Op& op) const {
    if (op.guarded == Guarded::kNo) return true;
    return !op.inputs.empty() && is_condition(model_.tensors[op.inputs.back()]);
  }

  [[nodiscard]] bool is_failure_fine(const Op& op) const {
    if (!op.is_fallible) return true;
    return !op.outputs.empty() && is_condition(model_.tensors[op.outputs.back()]);
  }

  void check_edge(std::size_t i) const {
    const Edge& edge = model_.edges[i];
    for (const std::uint32_t end : {edge.from, edge.to}) {
      if (end >= model_.ops.size()) {
        fail(at("edges", i),
             "op " + std::to_string(end) + " does not exist; there are " + std::to_string(model_.ops.size()) + " ops");
      }
    }
  }

  void check_sources() const {
    check_count("sources", model_.sources.size(), kMaxSources);
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < model_.sources.size(); ++i) {
      if (const char* fault = source_name_fault(model_.sources[i].name)) fail(at("sources", i), fault);
      if (!seen.insert(model_.sources[i].name).second) fail(at("sources", i), "duplicate file name; rename one");
    }
    for (std::size_t i = 0; i < model_.compile_flags.size(); ++i) {
      const std::string& flag = model_.compile_flags[i];
      if (flag.size() < 2 || flag[0] != '-') fail(at("compile_flags", i), "a flag must begin with '-'");
    }
  }

  /// As many ops as there are, and each of them: so each once.
  void check_schedules() const {
    check_count("schedules", model_.schedules.size(), DETENT_MAX_WORKERS);
    std::set<std::size_t> counts;
    for (std::size_t i = 0; i < model_.schedules.size(); ++i) {
      const std::vector<std::vector<std::uint32_t>>& lists = model_.schedules[i].lists;
      if (lists.empty() || lists.size() > DETENT_MAX_WORKERS) {
        fail(at("schedules", i), std::to_string(lists.size()) + " lists; there must be 1 to " +
                                     std::to_string(DETENT_MAX_WORKERS) + ", one per worker");
      }
      if (!counts.insert(lists.size()).second) {
        fail(at("schedules", i), "a second schedule of " + std::to_string(lists.size()) + " workers; remove one");
      }
      check_lists(at("schedules", i), lists);
    }
  }

  void check_lists(const std::string& place, const std::vector<std::vector<std::uint32_t>>& lists) const {
    std::vector<bool> seen(model_.ops.size(), false);
    std::size_t listed = 0;
    for (const std::vector<std::uint32_t>& list : lists) {
      for (const std::uint32_t op : list) {
        if (op >= model_.ops.size()) fail(place, "op " + std::to_string(op) + " does not exist");
        if (seen[op]) fail(place, "op " + std::to_string(op) + " is listed twice; every op must be listed once");
        seen[op] = true;
        ++listed;
      }
    }
    if (listed != model_.ops.size()) {
      fail(place, std::to_string(listed) + " of " + std::to_string(model_.ops.size()) +
                      " ops are listed; every op must be listed once");
    }
  }

  [[nodiscard]] bool refs_fine(const std::vector<std::uint32_t>& refs) const {
    for (const std::uint32_t ref : refs) {
      if (ref >= model_.tensors.size()) return false;
    }
    return true;
  }

  void check_refs(const std::string& prefix, const char* role, const std::vector<std::uint32_t>& refs) const {
    for (std::size_t i = 0; i < refs.size(); ++i) {
      if (refs[i] < model_.tensors.size()) continue;
      fail(prefix + at(role, i), "tensor " + std::to_string(refs[i]) + " does not exist; there are " +
                                     std::to_string(model_.tensors.size()) + " tensors");
    }
  }

  void check_index(const std::string& place, std::uint32_t index, std::size_t count, const char* noun) const {
    if (index == kNone || index < count) return;
    fail(place,
         std::string(noun) + " " + std::to_string(index) + " does not exist; there are " + std::to_string(count));
  }

  static std::string at(const std::string& table, std::size_t i) { return table + "[" + std::to_string(i) + "]"; }

  [[noreturn]] void fail(const std::string& place, const std::string& what) const {
    throw InputError(file_, place, what);
  }

  const Model& model_;
  const std::string& file_;
};

}  // namespace

const char* source_name_fault(std::string_view name) {
  constexpr std::size_t kMaxLength = 255;
  if (name.empty() || name.size() > kMaxLength) return "the name of a source has 1 to 255 characters";
  if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/") != name.npos) {
    return "the name of a source has letters, digits and ._-/ only";
  }
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    if (part.empty() || part == "." || part == ".." || part[0] == '-')
      return "the name of a source is a plain relative path";
    begin = end + 1;
  }
  return nullptr;
}

void check_model_tables(const Model& model, const std::string& file) { TableChecker(model, file).check(); }

std::string worker_list(std::uint32_t bits) {
  std::string text;
  for (std::uint32_t worker = 0; bits != 0; ++worker, bits >>= 1U) {
    if ((bits & 1U) != 0) text += (text.empty() ? "" : ", ") + std::to_string(worker);
  }
  return text;
}

}  // namespace detent::models
