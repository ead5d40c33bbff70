// One rule for each kind of value, applied until no state changes. States only grow, so that this ends.
#include "models/import/tvm/ir/values.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace detent::models::tvm {

IrValues::IrValues(const IrFunction& function, const IrFlow& flow, const IrTaintOptions& options)
    : function_(function), flow_(flow), options_(options), states_(function.nodes.size()) {
  do {
    is_changed_ = false;
    pass();
  } while (is_changed_);
}

void IrValues::pass() {
  // Arguments and constants stand in no block; an operand of a constant expression may come behind it.
  for (std::uint32_t id = 0; id < function_.nodes.size(); ++id) {
    if (flow_.block_of(id) == UINT32_MAX) visit(id);
  }
  for (const IrBlock& block : function_.blocks) {
    for (const std::uint32_t id : block.nodes) visit(id);
  }
}

void IrValues::visit(std::uint32_t id) {
  if (join(states_[id], compute(id))) is_changed_ = true;
  const IrNode& node = function_.nodes[id];
  if (node.kind == IrKind::kStore) set_contents(id, node.operands[1], states_[node.operands[0]]);
  if (node.kind == IrKind::kFill) set_contents(id, node.operands[0], states_[node.operands[1]]);
  if (node.kind == IrKind::kCopy) set_contents(id, node.operands[0], copied(id));
  const bool is_choice = node.kind == IrKind::kBranch && !node.operands.empty();
  if (is_choice && states_[node.operands[0]].source != 0) follow_branch(id);
}

IrValues::State IrValues::compute(std::uint32_t id) {
  const IrNode& node = function_.nodes[id];
  switch (node.kind) {
    case IrKind::kArgument:
      return {.source = 0, .bases = node.is_pointer ? std::vector{id} : std::vector<std::uint32_t>{}};
    case IrKind::kConstantObject:
    case IrKind::kObject:
    case IrKind::kLocal:
    case IrKind::kAllocate:
      return {.source = 0, .bases = {id}};
    case IrKind::kNumber:
    case IrKind::kNull:
    case IrKind::kStore:
    case IrKind::kRelease:
    case IrKind::kNothing:
    case IrKind::kBranch:
    case IrKind::kReturn:
      return {};
    case IrKind::kUndefined:
      return {.source = add_source(id, node.text, true), .bases = {}};
    case IrKind::kUnknown:
      return {.source = add_source(id, node.text, true), .bases = {kOutside}};
    case IrKind::kArithmetic:
    case IrKind::kAddress:
    case IrKind::kNumberToPointer:
    case IrKind::kSelect:
      return joined(node);
    case IrKind::kSubtract:
      return subtract(node);
    case IrKind::kCompare:
      return compare(id);
    case IrKind::kPointerToNumber:
      return number_of_pointer(id);
    case IrKind::kPhi:
      return phi(id);
    case IrKind::kLoad:
      return load(id);
    case IrKind::kCopy:
    case IrKind::kFill:
      return states_[node.operands[0]];
  }
  return {.source = add_source(id, "an unknown value", true), .bases = {kOutside}};
}

IrValues::State IrValues::joined(const IrNode& node) const {
  State result;
  for (const std::uint32_t operand : node.operands) join(result, states_[operand]);
  return result;
}

IrValues::State IrValues::phi(std::uint32_t id) {
  const IrNode& node = function_.nodes[id];
  State result = joined(node);
  const bool is_choice = std::any_of(node.operands.begin(), node.operands.end(),
                                     [&](std::uint32_t operand) { return operand != node.operands[0]; });
  const auto decided = merging_.find(flow_.block_of(id));
  if (is_choice && decided != merging_.end()) result.source = stronger(result.source, decided->second);
  return result;
}

/// Do both point to one and the same object, which exists once?
bool IrValues::have_one_base(std::uint32_t a, std::uint32_t b) const {
  const std::vector<std::uint32_t>& bases = states_[a].bases;
  if (bases.size() != 1 || bases != states_[b].bases || bases[0] >= function_.nodes.size()) return false;
  const IrKind kind = function_.nodes[bases[0]].kind;
  if (kind == IrKind::kLocal) return flow_.block_of(bases[0]) == 0;
  return kind == IrKind::kArgument || kind == IrKind::kObject || kind == IrKind::kConstantObject;
}

/// end - begin is the same wherever the object lies.
IrValues::State IrValues::subtract(const IrNode& node) {
  const IrNode& left = function_.nodes[node.operands[0]];
  const IrNode& right = function_.nodes[node.operands[1]];
  const bool are_pointers = left.kind == IrKind::kPointerToNumber && right.kind == IrKind::kPointerToNumber;
  if (!are_pointers || !have_one_base(left.operands[0], right.operands[0])) return joined(node);
  State result;
  join(result, states_[left.operands[0]]);
  join(result, states_[right.operands[0]]);
  return result;
}

IrValues::State IrValues::compare(std::uint32_t id) {
  const IrNode& node = function_.nodes[id];
  State result = joined(node);
  if (!node.is_pointer || result.source != 0) return result;
  const std::uint32_t left = node.operands[0];
  const std::uint32_t right = node.operands[1];
  const auto is_null = [&](std::uint32_t operand) { return function_.nodes[operand].kind == IrKind::kNull; };
  if (is_null(left) || is_null(right) || have_one_base(left, right)) return result;
  result.source = add_place(id, "a comparison of addresses of different objects");
  return result;
}

IrValues::State IrValues::number_of_pointer(std::uint32_t id) {
  State result = joined(function_.nodes[id]);
  if (result.source == 0 && !result.bases.empty()) {
    result.source = add_place(id, "the number of an address: where memory lies");
  }
  return result;
}

bool IrValues::is_kind(std::uint32_t base, IrKind kind) const {
  return base < function_.nodes.size() && function_.nodes[base].kind == kind;
}

bool IrValues::is_call_description(std::uint32_t base) const {
  const std::uint32_t described = options_.packed ? 2 : options_.kernel ? 1 : 0;
  return base == kDescriptor || base < std::min(described, function_.argument_count);
}

/// Of detent_buffer: beside the data, the tensor. Nothing else that a kernel is given holds a pointer there.
bool IrValues::is_second_member(std::uint32_t address) const {
  const IrNode& node = function_.nodes[address];
  if (node.kind != IrKind::kAddress || node.operands.size() != 3) return false;
  const IrNode& member = function_.nodes[node.operands[2]];
  return member.kind == IrKind::kNumber && member.value == 1;
}

/// Of a kernel numbers are numbers; of TVM's description the addresses among them are not told apart.
IrValues::State IrValues::load_described(const IrNode& load, std::uint32_t base) const {
  if (options_.kernel && !load.is_pointer) return {};
  const bool is_tensor = options_.kernel && base == kDescriptor && is_second_member(load.operands[0]);
  return {.source = 0, .bases = {base == kDescriptor && !is_tensor ? kDescribed : kDescriptor}};
}

IrValues::State IrValues::load(std::uint32_t id) {
  State result;
  const State& address = states_[function_.nodes[id].operands[0]];
  result.source = address.source;
  for (const std::uint32_t base : address.bases) join(result, load_from(id, base));
  return result;
}

IrValues::State IrValues::load_from(std::uint32_t id, std::uint32_t base) {
  const IrNode& node = function_.nodes[id];
  if (is_kind(base, IrKind::kLocal)) {
    State result = contents_[base];
    if (result.source == 0 && !node.is_pointer && !result.bases.empty()) {
      result.source = add_source(id, "a number from a local variable that holds addresses too", true);
    }
    if (result.source == 0 && !flow_.is_set_before(id, base)) {
      result.source = add_source(id, "a local variable that may not be set", true);
    }
    return result;
  }
  if (is_call_description(base)) return load_described(node, base);
  if (base < function_.nodes.size() && function_.nodes[base].is_never_set) {
    return {.source = add_source(id, kNeverSet, true), .bases = {}};
  }
  const std::vector<std::uint32_t> loaded = node.is_pointer ? std::vector{kOutside} : std::vector<std::uint32_t>{};
  if (is_kind(base, IrKind::kConstantObject)) return {.source = 0, .bases = loaded};
  const std::string what =
      is_kind(base, IrKind::kObject) ? "the variable " + function_.nodes[base].text + ", read" : "data loaded";
  return {.source = add_source(id, what, false), .bases = loaded};
}

/// What kCopy brings into its destination.
IrValues::State IrValues::copied(std::uint32_t id) {
  State result;
  const State from = states_[function_.nodes[id].operands[1]];
  result.source = from.source;
  for (const std::uint32_t base : from.bases) {
    if (is_kind(base, IrKind::kLocal)) {
      join(result, contents_[base]);
      if (result.source == 0 && !flow_.is_filled_before(id, base)) {
        result.source = add_source(id, "a copy of a local variable that may not be set", true);
      }
    } else if (is_kind(base, IrKind::kConstantObject) && function_.nodes[base].is_never_set) {
      join(result, {.source = add_source(id, kNeverSet, true), .bases = {}});
    } else if (is_kind(base, IrKind::kConstantObject)) {
      if (function_.nodes[base].is_pointer) join(result, {.source = 0, .bases = {kOutside}});
    } else {
      join(result, {.source = add_source(id, "data copied", false), .bases = {kOutside}});
    }
  }
  return result;
}

/// What begins as never set is found by IrFlow::is_set_before.
void IrValues::set_contents(std::uint32_t id, std::uint32_t address, State value) {
  const IrNode& node = function_.nodes[id];
  const IrNode& from = function_.nodes[node.operands[node.kind == IrKind::kStore ? 0 : 1]];
  if (from.kind == IrKind::kUndefined || from.is_never_set || node.is_never_set) return;
  const auto decided = decided_.find(flow_.block_of(id));
  if (decided != decided_.end()) value.source = stronger(value.source, decided->second);
  for (const std::uint32_t base : states_[address].bases) {
    if (is_kind(base, IrKind::kLocal) && join(contents_[base], value)) is_changed_ = true;
  }
}

void IrValues::follow_branch(std::uint32_t id) {
  const std::uint32_t block = flow_.block_of(id);
  const std::uint32_t source = states_[function_.nodes[id].operands[0]].source;
  auto place = regions_.find(block);
  if (place == regions_.end()) place = regions_.emplace(block, flow_.region(block)).first;
  const IrRegion& region = place->second;
  if (!region.is_closed) return;  // no use in going on: the function is not independent
  for (const std::uint32_t inside : region.blocks) {
    taint_block(decided_, inside, source);
    taint_block(merging_, inside, source);
  }
  taint_block(merging_, region.end, source);
}

void IrValues::taint_block(std::map<std::uint32_t, std::uint32_t>& blocks, std::uint32_t block, std::uint32_t source) {
  const auto [place, is_new] = blocks.emplace(block, source);
  const std::uint32_t strongest = stronger(place->second, source);
  if (is_new || strongest != place->second) is_changed_ = true;
  place->second = strongest;
}

bool IrValues::join(State& to, const State& from) const {
  const std::uint32_t source = stronger(to.source, from.source);
  const bool is_first_source = to.source != source;
  to.source = source;
  if (std::includes(to.bases.begin(), to.bases.end(), from.bases.begin(), from.bases.end())) return is_first_source;
  std::vector<std::uint32_t> all;
  std::set_union(to.bases.begin(), to.bases.end(), from.bases.begin(), from.bases.end(), std::back_inserter(all));
  to.bases = std::move(all);
  return true;
}

std::uint32_t IrValues::stronger(std::uint32_t a, std::uint32_t b) const {
  if (a == 0 || b == 0) return a == 0 ? b : a;
  return sources_[a].is_place && !sources_[b].is_place ? b : a;
}

std::uint32_t IrValues::add_place(std::uint32_t id, const std::string& what) {
  const std::uint32_t source = add_source(id, what, false);
  sources_[source].is_place = true;
  return source;
}

std::uint32_t IrValues::add_source(std::uint32_t id, const std::string& what, bool is_unknown) {
  const auto [place, is_new] = source_numbers_.try_emplace({id, what}, static_cast<std::uint32_t>(sources_.size()));
  if (is_new) sources_.push_back({.what = what, .line = function_.nodes[id].line, .is_unknown = is_unknown});
  return place->second;
}

}  // namespace detent::models::tvm
