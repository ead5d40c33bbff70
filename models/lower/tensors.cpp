#include "models/lower/tensors.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/input_error.hpp"
#include "models/core/weights.hpp"

namespace detent::models {
namespace {

constexpr std::uint64_t kMaxWeightRegionBytes = std::uint64_t{1} << 34;

/// Where a tensor's first byte really is: the tensor at the end of its alias chain, and the way from there.
struct Root {
  TensorId tensor = kNone;
  std::uint64_t offset_bytes = 0;
};

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  // A wrapped sum could look like a good place; a saturated one stays out of every region (B41).
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/// Follows alias chains once per tensor. A cycle (B43) ends at the tensor where it closes; detent_init names it.
std::vector<Root> find_roots(const Model& model) {
  std::vector<Root> roots(model.tensors.size());
  std::vector<std::uint8_t> on_path(model.tensors.size());
  std::vector<std::uint32_t> path;
  for (std::uint32_t start = 0; start < model.tensors.size(); ++start) {
    std::uint32_t at = start;
    while (roots[at].tensor == kNone && model.tensors[at].alias_of != kNone && on_path[at] == 0) {
      on_path[at] = 1;
      path.push_back(at);
      at = model.tensors[at].alias_of;
    }
    if (roots[at].tensor == kNone) roots[at] = {at, 0};
    for (; !path.empty(); path.pop_back()) {
      const std::uint32_t view = path.back();
      on_path[view] = 0;
      if (roots[view].tensor != kNone) continue;
      const Root& base = roots[model.tensors[view].alias_of];
      roots[view] = {base.tensor, saturating_add(base.offset_bytes, model.tensors[view].alias_offset_bytes)};
    }
  }
  return roots;
}

class TensorLowering {
 public:
  TensorLowering(const Model& model, NamePool& pool) : model_(model), pool_(pool), roots_(find_roots(model)) {}

  std::vector<detent_tensor> lower() {
    std::vector<detent_tensor> out;
    out.reserve(model_.tensors.size());
    for (std::uint32_t i = 0; i < model_.tensors.size(); ++i) out.push_back(lower_one(i));
    return out;
  }

 private:
  detent_tensor lower_one(std::uint32_t i) {
    const Tensor& from = model_.tensors[i];
    const Tensor& base = model_.tensors[roots_[i].tensor];
    if (base.region == kNone) {
      throw InputError(model_.name, "tensors[" + std::to_string(i) + "]",
                       "\"" + from.name + "\" has no offset in memory; plan the model before lowering it");
    }
    detent_tensor to{};
    to.name = pool_.add(from.name);
    to.region = base.region;
    to.flags = from.role == TensorRole::kRange ? static_cast<std::uint32_t>(DETENT_TENSOR_RANGE) : 0U;
    to.offset_bytes = saturating_add(base.offset_bytes, roots_[i].offset_bytes);
    to.size_bytes = from.size_bytes;
    to.block_bytes = block_bytes_of(from);
    to.stride_bytes = from.stride_bytes;
    to.block_count = from.block_count;
    to.align_bytes = from.align_bytes;
    to.alias_of = from.alias_of;
    to.dtype = static_cast<std::uint8_t>(from.dtype);
    to.layout = static_cast<std::uint8_t>(from.layout);
    to.rank = static_cast<std::uint8_t>(from.dims.size());
    std::copy(from.dims.begin(), from.dims.end(), to.dims);
    to.live_begin = to.live_end = DETENT_NONE;
    return to;
  }

  const Model& model_;
  NamePool& pool_;
  std::vector<Root> roots_;
};

/// Zeroed memory whose pages exist only once touched, and its first byte that is aligned as the region asks.
std::uint8_t* add_weight_memory(const Model& model, RegionId region, LoweredTensors& out) {
  const Region& r = model.regions[region];
  const std::uint64_t align = std::clamp<std::uint64_t>(r.align_bytes, 64, 65536);
  void* memory = r.size_bytes > kMaxWeightRegionBytes ? nullptr : std::calloc(1, r.size_bytes + align);
  if (memory == nullptr) {
    throw InputError(model.name, "regions[" + std::to_string(region) + "]",
                     "\"" + r.name + "\": " + std::to_string(r.size_bytes) + " bytes of weights do not fit memory");
  }
  out.weight_memory.emplace_back(memory);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return static_cast<std::uint8_t*>(memory) + ((align - address % align) % align);
}

bool inside(const Region& region, const detent_tensor& tensor) {
  return tensor.offset_bytes <= region.size_bytes && tensor.size_bytes <= region.size_bytes - tensor.offset_bytes;
}

void lower_regions(const Model& model, NamePool& pool, bool with_weights, LoweredTensors& out) {
  std::vector<std::uint8_t*> data(model.regions.size());
  for (std::uint32_t i = 0; i < model.regions.size(); ++i) {
    const Region& r = model.regions[i];
    if (r.kind == DETENT_REGION_WEIGHTS) data[i] = add_weight_memory(model, i, out);
    out.regions.push_back({pool.add(r.name), r.kind, r.size_bytes, r.align_bytes, data[i]});
  }
  if (!with_weights) return;
  for (std::uint32_t i = 0; i < model.tensors.size(); ++i) {
    const detent_tensor& t = out.tensors[i];
    const Tensor& from = model.tensors[i];
    const bool is_weight = from.role == TensorRole::kWeight && from.alias_of == kNone && data[t.region] != nullptr;
    // A weight outside its region is detent_init's finding (B40), not ours.
    if (is_weight && inside(model.regions[t.region], t)) {
      // By way of a buffer: a weight may stand at any offset, its generator writes aligned words.
      std::vector<std::uint8_t> bytes(t.size_bytes);
      materialise_weight(model, i, bytes);
      std::memcpy(data[t.region] + t.offset_bytes, bytes.data(), bytes.size());
    }
  }
}

}  // namespace

LoweredTensors lower_tensors(const Model& model, NamePool& pool, bool with_weights) {
  LoweredTensors out;
  out.tensors = TensorLowering(model, pool).lower();
  lower_regions(model, pool, with_weights, out);
  return out;
}

}  // namespace detent::models
