// Desc -> values with their users.
#include "verify/graph/values.hpp"

#include <algorithm>
#include <span>
#include <tuple>

namespace detent::verify {
namespace {

/// Of a list that lies outside its table: nothing.
std::span<const std::uint32_t> ids_of(const detent_slice& slice, const std::uint32_t* table, std::uint32_t count) {
  if (slice.first > count || slice.count > count - slice.first) return {};
  return {table + slice.first, slice.count};
}

}  // namespace

bool can_hold_a_value(const detent_desc& desc, const detent_tensor& tensor) {
  return tensor.alias_of == DETENT_NONE && (tensor.flags & DETENT_TENSOR_RANGE) == 0 &&
         tensor.region < desc.region_count && desc.regions[tensor.region].kind != DETENT_REGION_WEIGHTS &&
         has_sound_bytes(tensor);
}

Values::Values(const detent_desc& desc, const Order& order) : desc_(desc), order_(order) {
  find_roots();
  const Rows<std::uint32_t> steps = steps_by_root();
  std::vector<std::uint32_t> users;
  std::vector<std::size_t> first_user;
  for (std::uint32_t i = 0; i < desc.tensor_count; ++i) {
    const detent_tensor& tensor = desc.tensors[i];
    if (!can_hold_a_value(desc, tensor)) continue;
    users.assign(steps[i].begin(), steps[i].end());
    // What the application writes lives from before the first op, what it reads until after the last: claims of op
    // positions add nothing there.
    const bool is_input = !users.empty() && users.front() == 0;
    const bool is_output = !users.empty() && users.back() == step_after_run();
    if (tensor.live_begin < desc.op_count && !is_input) users.push_back(1 + order.position_of(tensor.live_begin));
    if (tensor.live_end < desc.op_count && !is_output) users.push_back(1 + order.position_of(tensor.live_end));
    if (users.empty()) continue;
    std::sort(users.begin(), users.end());
    users.erase(std::unique(users.begin(), users.end()), users.end());
    first_user.push_back(users_.size());
    users_.insert(users_.end(), users.begin(), users.end());
    values_.push_back({i, tensor.region, {bytes_of(tensor)}, {}});
  }
  first_user.push_back(users_.size());
  for (std::size_t k = 0; k < values_.size(); ++k) {
    values_[k].users = std::span(users_).subspan(first_user[k], first_user[k + 1] - first_user[k]);
  }
  add_views_over_gaps();
  std::sort(values_.begin(), values_.end(), [](const Value& a, const Value& b) {
    return std::tuple(a.first(), a.last(), a.tensor) < std::tuple(b.first(), b.last(), b.tensor);
  });
}

/// A view lies inside the extent of its base, so only one with gaps can be exceeded.
void Values::add_views_over_gaps() {
  std::vector<std::uint32_t> index_of(desc_.tensor_count, DETENT_NONE);
  for (std::uint32_t i = 0; i < values_.size(); ++i) {
    if (!values_[i].parts.front().dense()) index_of[values_[i].tensor] = i;
  }
  for (std::uint32_t id = 0; id < desc_.tensor_count; ++id) {
    const detent_tensor& view = desc_.tensors[id];
    if (view.alias_of == DETENT_NONE || root_of_[id] == DETENT_NONE || index_of[root_of_[id]] == DETENT_NONE) continue;
    Value& value = values_[index_of[root_of_[id]]];
    if (view.region == value.region && has_sound_bytes(view)) value.parts.push_back(bytes_of(view));
  }
}

std::optional<ByteRange> Values::first_shared(const Value& a, const Value& b) {
  std::optional<ByteRange> first;
  for (const ByteSet& x : a.parts) {
    for (const ByteSet& y : b.parts) {
      const auto shared = first_shared_bytes(x, y);
      if (shared && (!first || shared->begin < first->begin)) first = shared;
    }
  }
  return first;
}

/// Views that close a circle, or that look at nothing, stand on no base, and ranges hold no value: uses are nobody's.
void Values::find_roots() {
  constexpr std::uint32_t kOnPath = DETENT_NONE - 1;
  root_of_.assign(desc_.tensor_count, DETENT_NONE);
  std::vector<bool> known(desc_.tensor_count, false);
  std::vector<std::uint32_t> path;
  for (std::uint32_t start = 0; start < desc_.tensor_count; ++start) {
    std::uint32_t at = start;
    while (at < desc_.tensor_count && !known[at] && root_of_[at] != kOnPath &&
           desc_.tensors[at].alias_of != DETENT_NONE) {
      root_of_[at] = kOnPath;
      path.push_back(at);
      at = desc_.tensors[at].alias_of;
    }
    const bool is_base = at < desc_.tensor_count && !known[at] && desc_.tensors[at].alias_of == DETENT_NONE;
    if (is_base) root_of_[at] = can_hold_a_value(desc_, desc_.tensors[at]) ? at : DETENT_NONE;
    const std::uint32_t root = at < desc_.tensor_count && (known[at] || is_base) ? root_of_[at] : DETENT_NONE;
    if (is_base) known[at] = true;
    for (; !path.empty(); path.pop_back()) {
      root_of_[path.back()] = root;
      known[path.back()] = true;
    }
  }
}

/// By base tensor: the steps that use it or a view of it, ascending, some of them more than once.
Rows<std::uint32_t> Values::steps_by_root() const {
  return {desc_.tensor_count, [&](const auto& put) {
            const auto note = [&](std::uint32_t tensor, std::uint32_t step) {
              if (tensor < desc_.tensor_count && root_of_[tensor] != DETENT_NONE) put(root_of_[tensor], step);
            };
            for (std::uint32_t i = 0; i < desc_.tensor_count; ++i) {
              const detent_tensor& tensor = desc_.tensors[i];
              const bool is_inside = tensor.region < desc_.region_count;
              if (is_inside && desc_.regions[tensor.region].kind == DETENT_REGION_INPUT) note(i, 0);
            }
            for (std::uint32_t i = 0; i < desc_.input_count; ++i) note(desc_.inputs[i], 0);
            for (Position position = 0; position < order_.op_count(); ++position) {
              const detent_op& op = desc_.ops[order_.op_at(position)];
              for (const detent_slice* slice : {&op.inputs, &op.outputs, &op.weights, &op.scratch}) {
                for (const std::uint32_t tensor : ids_of(*slice, desc_.tensor_refs, desc_.tensor_ref_count)) {
                  note(tensor, 1 + position);
                }
              }
            }
            for (std::uint32_t i = 0; i < desc_.output_count; ++i) note(desc_.outputs[i], step_after_run());
          }};
}

std::uint32_t Values::op_of(std::uint32_t step) const {
  return step == 0 || step == step_after_run() ? DETENT_NONE : order_.op_at(step - 1);
}

bool Values::refers_to(const detent_slice& slice, std::uint32_t root) const {
  const auto ids = ids_of(slice, desc_.tensor_refs, desc_.tensor_ref_count);
  return std::any_of(ids.begin(), ids.end(),
                     [&](std::uint32_t id) { return id < desc_.tensor_count && root_of_[id] == root; });
}

std::optional<std::uint32_t> Values::handed_over_at(const Value& from, const Value& to) const {
  if (from.last() != to.first() || from.users.size() < 2 || op_of(from.last()) == DETENT_NONE) return std::nullopt;
  const detent_op& op = desc_.ops[op_of(from.last())];
  if ((op.flags & DETENT_OP_IN_PLACE) == 0) return std::nullopt;
  const bool reads_only =
      refers_to(op.inputs, from.tensor) && !refers_to(op.outputs, from.tensor) && !refers_to(op.scratch, from.tensor);
  const bool writes_only =
      refers_to(op.outputs, to.tensor) && !refers_to(op.inputs, to.tensor) && !refers_to(op.scratch, to.tensor);
  return reads_only && writes_only ? std::optional(from.last()) : std::nullopt;
}

bool Values::kept_apart_by_mutex(const Value& a, const Value& b) const {
  if (a.users.size() != 1 || b.users.size() != 1 || a.first() == b.first()) return false;
  if (op_of(a.first()) == DETENT_NONE || op_of(b.first()) == DETENT_NONE) return false;
  const auto mutexes = [&](const Value& value) {
    return ids_of(desc_.ops[op_of(value.first())].mutexes, desc_.mutex_refs, desc_.mutex_ref_count);
  };
  const auto of_b = mutexes(b);
  return std::ranges::any_of(
      mutexes(a), [&](std::uint32_t mutex) { return std::find(of_b.begin(), of_b.end(), mutex) != of_b.end(); });
}

}  // namespace detent::verify
