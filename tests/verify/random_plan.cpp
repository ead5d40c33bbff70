#include "tests/verify/random_plan.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace detent::verify::testing {
namespace {

GraphSpec draw_graph(const Draw& draw, const RandomPlanShape& shape) {
  const std::uint32_t ops = 1 + draw(shape.most_ops);
  GraphSpec spec = make_ops(ops);
  spec.regions = workspaces({shape.region_bytes, shape.region_bytes, shape.region_bytes, shape.region_bytes});
  std::vector<std::uint32_t> id(ops);
  std::iota(id.begin(), id.end(), 0U);
  for (std::uint32_t i = ops; i-- > 1;) std::swap(id[i], id[draw(i + 1)]);
  const std::uint32_t density = draw(4);
  for (std::uint32_t a = 0; a < ops; ++a) {
    for (std::uint32_t b = a + 1; b < ops; ++b) {
      if (draw(4) <= density) spec.edges.emplace_back(id[a], id[b]);
    }
  }
  spec.mutex_count = 2;
  for (OpSpec& op : spec.ops) {
    if (shape.mutexes && draw(3) == 0) op.mutexes.push_back(draw(2));
    if (draw(3) == 0) op.flags = DETENT_OP_IN_PLACE;
  }
  return spec;
}

detent_tensor draw_tensor(const Draw& draw, const RandomPlanShape& shape) {
  detent_tensor tensor{};
  tensor.region = draw(8) < 5 ? 0 : draw(4);
  tensor.flags = draw(10) == 9 ? static_cast<std::uint32_t>(DETENT_TENSOR_RANGE) : 0U;
  tensor.block_bytes = 1 + draw(3);
  tensor.block_count = draw(4) == 3 ? 2 + draw(2) : 1;
  tensor.stride_bytes = tensor.block_count > 1 ? tensor.block_bytes + draw(4) : 0;
  tensor.size_bytes = (tensor.block_count - 1) * tensor.stride_bytes + tensor.block_bytes;
  tensor.offset_bytes = draw(shape.region_bytes - static_cast<std::uint32_t>(tensor.size_bytes) + 1);
  tensor.align_bytes = 1;
  tensor.alias_of = tensor.live_begin = tensor.live_end = DETENT_NONE;
  return tensor;
}

detent_slice draw_refs(const Draw& draw, std::uint32_t tensors, std::uint32_t most, std::vector<std::uint32_t>& refs) {
  const detent_slice slice{static_cast<std::uint32_t>(refs.size()), draw(most + 1)};
  for (std::uint32_t i = 0; i < slice.count; ++i) refs.push_back(draw(tensors));
  return slice;
}

/// Closure over ops and the application: number 0 comes before all of them, the last one after.
std::vector<std::vector<bool>> close_with_application(const detent_desc& desc) {
  const std::uint32_t n = desc.op_count + 2;
  const auto inner = close_naively(desc);
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = 0; b < n; ++b) {
      const bool is_edge_of_run = a != b && (a == 0 || b + 1 == n) && !(a + 1 == n) && b != 0;
      const bool is_path = a > 0 && b > 0 && a + 1 < n && b + 1 < n && inner[a - 1][b - 1];
      reach[a][b] = is_edge_of_run || is_path;
    }
  }
  return reach;
}

class Oracle {
 public:
  explicit Oracle(const detent_desc& desc) : desc_(desc), reach_(close_with_application(desc)) {}

  bool holds() {
    for (std::uint32_t a = 0; a < desc_.tensor_count; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        if (is_value(a) && is_value(b) && share(a, b) && !in_order(a, b) && !in_order(b, a) && !excluded(a, b)) {
          return false;
        }
      }
    }
    return true;
  }

 private:
  [[nodiscard]] bool is_value(std::uint32_t id) const {
    const detent_tensor& t = desc_.tensors[id];
    return t.alias_of == DETENT_NONE && t.flags == 0 && desc_.regions[t.region].kind != DETENT_REGION_WEIGHTS;
  }

  /// Of the tensor and its views.
  [[nodiscard]] std::set<std::uint64_t> bytes(std::uint32_t id) const {
    std::set<std::uint64_t> result;
    for (std::uint32_t part = 0; part < desc_.tensor_count; ++part) {
      if (base(part) != id) continue;
      const detent_tensor& t = desc_.tensors[part];
      for (std::uint64_t k = 0; k < t.block_count; ++k) {
        for (std::uint64_t i = 0; i < t.block_bytes; ++i) result.insert(t.offset_bytes + k * t.stride_bytes + i);
      }
    }
    return result;
  }

  [[nodiscard]] bool share(std::uint32_t a, std::uint32_t b) const {
    if (desc_.tensors[a].region != desc_.tensors[b].region) return false;
    const auto of_b = bytes(b);
    for (const std::uint64_t byte : bytes(a)) {
      if (of_b.contains(byte)) return true;
    }
    return false;
  }

  [[nodiscard]] std::uint32_t base(std::uint32_t id) const {
    while (desc_.tensors[id].alias_of != DETENT_NONE) id = desc_.tensors[id].alias_of;
    return id;
  }

  [[nodiscard]] bool names(const detent_slice& slice, std::uint32_t id) const {
    for (std::uint32_t k = 0; k < slice.count; ++k) {
      if (base(desc_.tensor_refs[slice.first + k]) == id) return true;
    }
    return false;
  }

  [[nodiscard]] std::set<std::uint32_t> users(std::uint32_t id) const {
    std::set<std::uint32_t> result;
    for (std::uint32_t op = 0; op < desc_.op_count; ++op) {
      const detent_op& o = desc_.ops[op];
      if (names(o.inputs, id) || names(o.outputs, id) || names(o.weights, id) || names(o.scratch, id)) {
        result.insert(op + 1);
      }
    }
    bool input = desc_.regions[desc_.tensors[id].region].kind == DETENT_REGION_INPUT;
    bool output = false;
    for (std::uint32_t i = 0; i < desc_.input_count; ++i) input = input || base(desc_.inputs[i]) == id;
    for (std::uint32_t i = 0; i < desc_.output_count; ++i) output = output || base(desc_.outputs[i]) == id;
    if (input) result.insert(0);
    if (output) result.insert(desc_.op_count + 1);
    const detent_tensor& t = desc_.tensors[id];
    if (t.live_begin != DETENT_NONE && !input) result.insert(t.live_begin + 1);
    if (t.live_end != DETENT_NONE && !output) result.insert(t.live_end + 1);
    return result;
  }

  /// One op in place may end the one and begin the other.
  [[nodiscard]] bool may_hand_over(std::uint32_t op, std::uint32_t from, std::uint32_t to) const {
    if (op == 0 || op > desc_.op_count || users(from).size() < 2) return false;
    const detent_op& o = desc_.ops[op - 1];
    return (o.flags & DETENT_OP_IN_PLACE) != 0 && names(o.inputs, from) && !names(o.outputs, from) &&
           !names(o.scratch, from) && names(o.outputs, to) && !names(o.inputs, to) && !names(o.scratch, to);
  }

  [[nodiscard]] bool in_order(std::uint32_t a, std::uint32_t b) const {
    const auto of_b = users(b);
    for (const std::uint32_t u : users(a)) {
      for (const std::uint32_t v : of_b) {
        if (!reach_[u][v] && !(u == v && may_hand_over(u, a, b))) return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool excluded(std::uint32_t a, std::uint32_t b) const {
    const auto of_a = users(a), of_b = users(b);
    if (of_a.size() != 1 || of_b.size() != 1) return false;
    const std::uint32_t u = *of_a.begin(), v = *of_b.begin();
    if (u == v || u == 0 || v == 0 || u > desc_.op_count || v > desc_.op_count) return false;
    const detent_slice& m = desc_.ops[u - 1].mutexes;
    const detent_slice& k = desc_.ops[v - 1].mutexes;
    for (std::uint32_t i = 0; i < m.count; ++i) {
      for (std::uint32_t j = 0; j < k.count; ++j) {
        if (desc_.mutex_refs[m.first + i] == desc_.mutex_refs[k.first + j]) return true;
      }
    }
    return false;
  }

  const detent_desc& desc_;
  std::vector<std::vector<bool>> reach_;
};

}  // namespace

RandomPlan::RandomPlan(const Draw& draw, const RandomPlanShape& shape) : DescTables(draw_graph(draw, shape)) {
  regions[1].kind = DETENT_REGION_INPUT;
  regions[2].kind = DETENT_REGION_OUTPUT;
  regions[3].kind = DETENT_REGION_WEIGHTS;
  regions[3].data = "some bytes of weights";
  const std::uint32_t count = 1 + draw(shape.most_tensors);
  for (std::uint32_t i = 0; i < count; ++i) {
    tensors.push_back(draw_tensor(draw, shape));
    if (i == 0 || draw(6) != 5) continue;
    const std::uint32_t base = draw(i);
    tensors[i] = tensors[base];
    tensors[i].alias_of = base;
    if (draw(2) == 0) continue;
    tensors[i].block_bytes = tensors[i].size_bytes;  // over the gaps, too
    tensors[i].block_count = 1;
    tensors[i].stride_bytes = 0;
  }
  for (detent_op& op : ops) {
    op.inputs = draw_refs(draw, count, 2, tensor_refs);
    op.outputs = draw_refs(draw, count, 1, tensor_refs);
    op.scratch = draw_refs(draw, count, draw(3) == 0 ? 1 : 0, tensor_refs);
  }
  if (draw(3) == 2) inputs.push_back(draw(count));
  if (draw(3) == 2) outputs.push_back(draw(count));
  for (detent_tensor& tensor : tensors) {
    if (!shape.claims || tensor.alias_of != DETENT_NONE || draw(5) != 4) continue;
    tensor.live_begin = tensor.live_end = draw(static_cast<std::uint32_t>(ops.size()));
  }
  refresh();
}

std::unique_ptr<RandomPlan> RandomPlan::renamed(const std::vector<std::uint32_t>& new_id) const {
  GraphSpec spec = make_ops(desc.op_count);
  spec.regions = workspaces(std::vector<std::uint64_t>(regions.size(), regions[0].size_bytes));
  spec.mutex_count = desc.mutex_count;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    for (std::uint32_t k = 0; k < ops[op].successors.count; ++k) {
      spec.edges.emplace_back(new_id[op], new_id[successors[ops[op].successors.first + k]]);
    }
    OpSpec& to = spec.ops[new_id[op]];
    to.flags = ops[op].flags;
    for (std::uint32_t k = 0; k < ops[op].mutexes.count; ++k) {
      to.mutexes.push_back(mutex_refs[ops[op].mutexes.first + k]);
    }
  }
  std::unique_ptr<RandomPlan> plan(new RandomPlan(spec));
  plan->regions = regions;
  plan->tensors = tensors;
  plan->tensor_refs = tensor_refs;
  plan->inputs = inputs;
  plan->outputs = outputs;
  for (detent_tensor& tensor : plan->tensors) {
    if (tensor.live_begin != DETENT_NONE) tensor.live_begin = new_id[tensor.live_begin];
    if (tensor.live_end != DETENT_NONE) tensor.live_end = new_id[tensor.live_end];
  }
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    plan->ops[new_id[op]].inputs = ops[op].inputs;
    plan->ops[new_id[op]].outputs = ops[op].outputs;
    plan->ops[new_id[op]].scratch = ops[op].scratch;
  }
  plan->refresh();
  return plan;
}

bool uses_are_within_claims(const detent_desc& desc) {
  std::vector<std::uint32_t> place(desc.op_count, DETENT_NONE);
  const auto reach = close_naively(desc);
  for (std::uint32_t next = 0; next < desc.op_count; ++next) {
    std::uint32_t op = 0;
    const auto waits = [&](std::uint32_t candidate) {
      if (place[candidate] != DETENT_NONE) return true;
      for (std::uint32_t before = 0; before < desc.op_count; ++before) {
        if (reach[before][candidate] && place[before] == DETENT_NONE) return true;
      }
      return false;
    };
    while (waits(op)) ++op;
    place[op] = next;
  }
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    for (const detent_slice& slice : {desc.ops[op].inputs, desc.ops[op].outputs, desc.ops[op].scratch}) {
      for (std::uint32_t k = 0; k < slice.count; ++k) {
        std::uint32_t id = desc.tensor_refs[slice.first + k];
        while (desc.tensors[id].alias_of != DETENT_NONE) id = desc.tensors[id].alias_of;
        const detent_tensor& t = desc.tensors[id];
        if (t.flags != 0 || t.live_begin == DETENT_NONE) continue;
        if (place[op] < place[t.live_begin] || place[op] > place[t.live_end]) return false;
      }
    }
  }
  return true;
}

bool values_are_in_order(const detent_desc& desc) { return Oracle(desc).holds(); }

}  // namespace detent::verify::testing
