// Desc -> Verdict "structure". One pass per law; a law that needs sound slices runs only where the slices are sound.
#include "verify/static/structure.hpp"

#include <algorithm>
#include <string>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "verify/verdict/findings.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify {
namespace {

bool inside(const detent_slice& slice, std::uint32_t table_size) {
  return slice.first <= table_size && slice.count <= table_size - slice.first;
}

void check_slice(const detent_desc& desc, const detent_op& op, std::uint32_t index, Findings& findings) {
  struct Field {
    const char* name;
    const detent_slice* slice;
    std::uint32_t table_size;
  };
  const Field fields[] = {
      {"inputs", &op.inputs, desc.tensor_ref_count},   {"outputs", &op.outputs, desc.tensor_ref_count},
      {"weights", &op.weights, desc.tensor_ref_count}, {"scratch", &op.scratch, desc.tensor_ref_count},
      {"mutexes", &op.mutexes, desc.mutex_ref_count},  {"successors", &op.successors, desc.successor_count}};
  for (const Field& field : fields) {
    if (!inside(*field.slice, field.table_size)) {
      findings.add("B09", op_name(desc, index) + ": its " + field.name + " lie outside their table", {index});
    }
  }
}

/// Config bytes begin at multiples of 8; kernels and core classes are named by number.
void check_numbers(const detent_desc& desc, const detent_op& op, std::uint32_t index, Findings& findings) {
  if (!inside({op.config_offset, op.config_size}, desc.config_byte_count) || op.config_offset % 8 != 0) {
    findings.add("B09", op_name(desc, index) + ": its config lies outside the config bytes, or is not aligned to 8",
                 {index});
  }
  if (op.kernel >= desc.kernel_count || op.core_class >= desc.class_count) {
    findings.add("B29", op_name(desc, index) + " names a kernel or a core class that does not exist", {index});
  }
}

void check_ids_and_slices(const detent_desc& desc, Findings& findings) {
  for (std::uint32_t i = 0; i < desc.op_count; ++i) {
    const detent_op& op = desc.ops[i];
    if (op.id != i) {
      findings.add("B26", op_name(desc, i) + " has id " + std::to_string(op.id) + "; ids must be dense and unique",
                   {i});
    }
    check_slice(desc, op, i, findings);
    check_numbers(desc, op, i, findings);
  }
}

void check_references(const detent_desc& desc, Findings& findings) {
  for (std::uint32_t i = 0; i < desc.tensor_ref_count; ++i) {
    if (desc.tensor_refs[i] >= desc.tensor_count) {
      findings.add("B09",
                   "tensor reference " + std::to_string(i) + " names tensor " + std::to_string(desc.tensor_refs[i]) +
                       ", which does not exist",
                   {});
    }
  }
  for (std::uint32_t i = 0; i < desc.mutex_ref_count; ++i) {
    if (desc.mutex_refs[i] >= desc.mutex_count) {
      findings.add("B09", "mutex reference " + std::to_string(i) + " names a mutex that does not exist", {});
    }
  }
}

void check_interface(const detent_desc& desc, Findings& findings) {
  const auto check = [&](const char* what, const std::uint32_t* ids, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (ids[i] < desc.tensor_count) continue;
      findings.add("B09", std::string("model ") + what + " " + std::to_string(i) + " is tensor " +
                              std::to_string(ids[i]) + ", which does not exist");
    }
  };
  check("input", desc.inputs, desc.input_count);
  check("output", desc.outputs, desc.output_count);
}

void check_edges(const detent_desc& desc, Findings& findings) {
  std::vector<std::uint32_t> last_source(desc.op_count, DETENT_NONE);
  for (std::uint32_t i = 0; i < desc.op_count; ++i) {
    const detent_slice& slice = desc.ops[i].successors;
    for (std::uint32_t k = 0; k < slice.count; ++k) {
      const std::uint32_t target = desc.successors[slice.first + k];
      if (target >= desc.op_count) {
        findings.add("B22", op_name(desc, i) + " has successor " + std::to_string(target) + ", which does not exist",
                     {i});
        continue;
      }
      if (target == i) findings.add("B21", op_name(desc, i) + " is its own successor", {i});
      if (last_source[target] == i) {
        findings.add("B23", "duplicate edge from " + op_name(desc, i) + " to " + op_name(desc, target), {i, target});
      }
      last_source[target] = i;
    }
  }
}

std::vector<std::uint32_t> count_predecessors(const detent_desc& desc) {
  std::vector<std::uint32_t> count(desc.op_count, 0);
  for (std::uint32_t i = 0; i < desc.op_count; ++i) {
    const detent_slice& slice = desc.ops[i].successors;
    for (std::uint32_t k = 0; k < slice.count; ++k) {
      const std::uint32_t target = desc.successors[slice.first + k];
      if (target < desc.op_count) ++count[target];
    }
  }
  return count;
}

void check_indegrees(const detent_desc& desc, Findings& findings) {
  const std::vector<std::uint32_t> count = count_predecessors(desc);
  bool has_entry = false;
  for (std::uint32_t i = 0; i < desc.op_count; ++i) {
    has_entry = has_entry || count[i] == 0;
    if (desc.ops[i].entry_count != count[i]) {
      findings.add("B24",
                   op_name(desc, i) + " waits for " + counted(desc.ops[i].entry_count, "predecessor") + " but has " +
                       std::to_string(count[i]),
                   {i});
    }
  }
  if (!has_entry)
    findings.add("B25", desc.op_count == 0 ? "there are no ops" : "no op can start: every op has a predecessor", {});
}

void check_cycle(const detent_desc& desc, Findings& findings) {
  const std::vector<std::uint32_t> cycle = find_cycle(desc);
  if (cycle.empty()) return;
  std::string text = "cycle: ";
  constexpr std::size_t kMaxNames = 32;
  for (std::size_t i = 0; i < std::min(cycle.size(), kMaxNames); ++i) text += op_name(desc, cycle[i]) + " -> ";
  if (cycle.size() > kMaxNames) text += "... " + std::to_string(cycle.size() - kMaxNames) + " more ... -> ";
  findings.add("B20", text + op_name(desc, cycle[0]), cycle);
}

/// Ops that Kahn's algorithm cannot remove: each lies on a cycle or behind one.
std::vector<bool> find_stuck_ops(const detent_desc& desc) {
  std::vector<std::uint32_t> waiting = count_predecessors(desc);
  std::vector<bool> stuck(desc.op_count, true);
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < desc.op_count; ++i) {
    if (waiting[i] == 0) ready.push_back(i);
  }
  while (!ready.empty()) {
    const OpId op = ready.back();
    ready.pop_back();
    stuck[op] = false;
    const detent_slice& slice = desc.ops[op].successors;
    for (std::uint32_t k = 0; k < slice.count; ++k) {
      const std::uint32_t target = desc.successors[slice.first + k];
      if (target < desc.op_count && --waiting[target] == 0) ready.push_back(target);
    }
  }
  return stuck;
}

/// For every stuck op its stuck predecessor of lowest id: each has one.
std::vector<std::uint32_t> stuck_predecessors(const detent_desc& desc, const std::vector<bool>& stuck) {
  std::vector<std::uint32_t> predecessor(desc.op_count, DETENT_NONE);
  for (std::uint32_t i = 0; i < desc.op_count; ++i) {
    if (!stuck[i]) continue;
    const detent_slice& slice = desc.ops[i].successors;
    for (std::uint32_t k = 0; k < slice.count; ++k) {
      const std::uint32_t target = desc.successors[slice.first + k];
      if (target < desc.op_count && predecessor[target] == DETENT_NONE) predecessor[target] = i;
    }
  }
  return predecessor;
}

}  // namespace

std::vector<std::uint32_t> find_cycle(const detent_desc& desc) {
  const std::vector<bool> stuck = find_stuck_ops(desc);
  const auto first = std::find(stuck.begin(), stuck.end(), true);
  if (first == stuck.end()) return {};
  // Walking backwards over stuck predecessors never ends, so it meets an op again; from there on it is a cycle.
  const std::vector<std::uint32_t> predecessor = stuck_predecessors(desc, stuck);
  std::vector<bool> seen(desc.op_count, false);
  auto op = static_cast<std::uint32_t>(first - stuck.begin());
  for (; !seen[op]; op = predecessor[op]) seen[op] = true;
  std::vector<std::uint32_t> cycle;
  for (std::uint32_t at = op; cycle.empty() || at != op; at = predecessor[at]) cycle.push_back(at);
  std::reverse(cycle.begin(), cycle.end());
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  return cycle;
}

Verdict check_structure(const detent_desc& desc) {
  Findings findings;
  check_ids_and_slices(desc, findings);
  check_references(desc, findings);
  check_interface(desc, findings);
  const bool slices_are_sound = std::all_of(desc.ops, desc.ops + desc.op_count, [&](const detent_op& op) {
    return inside(op.successors, desc.successor_count);
  });
  if (slices_are_sound) {
    check_edges(desc, findings);
    check_indegrees(desc, findings);
    check_cycle(desc, findings);
  }
  Verdict verdict{Property::kStructure, Outcome::kHolds, "", std::move(findings.witnesses), findings.total};
  if (findings.total > 0) verdict.outcome = Outcome::kViolated;
  verdict.summary = counted(desc.op_count, "op") + ", " + counted(desc.successor_count, "edge") + ": " +
                    (findings.total == 0 ? "a DAG in which every op becomes ready" : counted(findings.total, "fault"));
  return verdict;
}

}  // namespace detent::verify
