#include "models/import/tvm/model/model_parts.hpp"

#include <algorithm>

#include "base/input_error.hpp"
#include "models/core/dtypes.hpp"

namespace detent::models::tvm {
namespace {

using Kind = MemoryObject::Kind;

/// Of inputs and outputs: what every type of C needs. TVM's own run takes memory of the application that has no more.
constexpr std::uint32_t kInterfaceAlign = 8;

/// Dims that fill `count` elements: [count], or two factors where one dim cannot hold it.
std::vector<std::int32_t> dims_of(std::uint64_t count) {
  std::uint64_t inner = count;
  std::uint64_t outer = 1;
  while (inner > INT32_MAX && inner % 2 == 0) {
    inner /= 2;
    outer *= 2;
  }
  if (outer == 1) return {static_cast<std::int32_t>(inner)};
  return {static_cast<std::int32_t>(outer), static_cast<std::int32_t>(inner)};
}

void set_dense(Tensor& tensor, std::uint64_t size_bytes) {
  tensor.size_bytes = size_bytes;
  tensor.block_bytes = size_bytes;
  tensor.stride_bytes = 0;
  tensor.block_count = 1;
}

bool is_exact(const AccessSets& sets) {
  return sets.reads_exact && sets.writes_exact && !sets.reads_unbounded && !sets.writes_unbounded;
}

}  // namespace

Footprint text_footprint(const Import& import, const Call& call) {
  if (call.kind == Call::Kind::kCopy) return Footprint::kExact;
  const auto place = import.footprints.find(call.function);
  if (place == import.footprints.end() || !place->second.understood) return Footprint::kOpaque;
  const FunctionFootprint& found = place->second;
  const bool exact = std::all_of(found.params.begin(), found.params.end(), is_exact) &&
                     std::all_of(found.pool_uses.begin(), found.pool_uses.end(),
                                 [](const PoolUse& use) { return is_exact(use.access); });
  return exact ? Footprint::kExact : Footprint::kSuperset;
}

ModelParts::ModelParts(const Import& import, Model& model)
    : import_(import),
      model_(model),
      whole_(import.program.objects.size(), kNone),
      sizes_(import.program.objects.size()) {
  find_sizes();
}

void ModelParts::find_sizes() {
  const Program& program = import_.program;
  for (std::size_t o = 0; o < sizes_.size(); ++o) sizes_[o] = program.objects[o].size_bytes;
  const auto reaches = [&](std::uint32_t object, std::int64_t end) {
    sizes_[object] = std::max(sizes_[object], static_cast<std::uint64_t>(std::max<std::int64_t>(end, 0)));
  };
  for (const auto& accesses : import_.accesses) {
    for (const CallAccess& access : accesses) {
      reaches(access.object, access.reads.hull().end);
      reaches(access.object, access.writes.hull().end);
    }
  }
  for (const Call& call : program.calls) {  // constants: call_accesses leaves them out
    for (const Argument& argument : call.arguments) {
      if (call.kind != Call::Kind::kCopy || argument.kind != Argument::Kind::kBuffer) continue;
      const Buffer& buffer = program.buffers[argument.index];
      reaches(buffer.object, static_cast<std::int64_t>(buffer.offset_bytes + call.copy_bytes));
    }
    const auto found = import_.footprints.find(call.function);
    if (found == import_.footprints.end() || call.kind == Call::Kind::kCopy) continue;
    for (const PoolUse& use : found->second.pool_uses) {
      if (use.param >= call.arguments.size() || call.arguments[use.param].kind != Argument::Kind::kPool) continue;
      reaches(call.arguments[use.param].index,
              static_cast<std::int64_t>(use.offset_bytes) + use.access.reads.hull().end);
    }
    for (std::size_t k = 0; k < call.arguments.size() && k < found->second.params.size(); ++k) {
      if (call.arguments[k].kind != Argument::Kind::kBuffer) continue;
      const Buffer& buffer = program.buffers[call.arguments[k].index];
      reaches(buffer.object, static_cast<std::int64_t>(buffer.offset_bytes) + found->second.params[k].reads.hull().end);
    }
  }
  for (std::uint64_t& size : sizes_) size = std::max<std::uint64_t>(size, 1);
}

std::uint32_t ModelParts::add_region(const std::string& name, detent_region_kind kind, std::uint64_t size_bytes) {
  model_.regions.push_back({.name = name, .kind = kind, .size_bytes = size_bytes});
  return static_cast<std::uint32_t>(model_.regions.size() - 1);
}

std::uint32_t ModelParts::add_bytes(const std::string& name, TensorRole role, std::uint64_t size_bytes) {
  Tensor tensor;
  tensor.name = name;
  tensor.role = role;
  tensor.dtype = DETENT_U8;
  tensor.dims = dims_of(size_bytes);
  set_dense(tensor, size_bytes);
  model_.tensors.push_back(std::move(tensor));
  return static_cast<std::uint32_t>(model_.tensors.size() - 1);
}

std::uint32_t ModelParts::add_range(const std::string& name, RegionId region, const ByteSet& blocks) {
  const std::vector<ByteInterval>& parts = blocks.intervals();
  Tensor tensor;
  tensor.name = name;
  tensor.role = TensorRole::kRange;
  tensor.dtype = DETENT_U8;
  tensor.align_bytes = 1;
  tensor.region = region;
  tensor.offset_bytes = static_cast<std::uint64_t>(parts.front().begin);
  tensor.size_bytes = static_cast<std::uint64_t>(parts.back().end - parts.front().begin);
  tensor.block_bytes = static_cast<std::uint64_t>(parts.front().end - parts.front().begin);
  tensor.block_count = static_cast<std::uint32_t>(parts.size());
  tensor.stride_bytes = parts.size() > 1 ? static_cast<std::uint64_t>(parts[1].begin - parts[0].begin) : 0;
  model_.tensors.push_back(std::move(tensor));
  return static_cast<std::uint32_t>(model_.tensors.size() - 1);
}

std::uint32_t ModelParts::add_typed(const MemoryObject& object, TensorRole role, std::uint64_t size_bytes) {
  const std::uint32_t id = add_bytes(object.name, role, size_bytes);
  Tensor& tensor = model_.tensors[id];
  for (const Dtype& row : kDtypes) {
    if (object.dtype != row.other || size_bytes % row.bytes != 0) continue;
    tensor.dtype = row.number;
    tensor.dims = dims_of(size_bytes / row.bytes);
    std::uint64_t bytes = row.bytes;
    for (const std::int64_t extent : object.shape)
      bytes *= static_cast<std::uint64_t>(std::max<std::int64_t>(extent, 0));
    if (!object.shape.empty() && object.shape.size() <= DETENT_MAX_RANK && bytes == size_bytes) {
      tensor.dims.assign(object.shape.begin(), object.shape.end());
    }
  }
  return id;
}

/// Constants of a pool or a weight of main: the bytes that the artifact gives, zeros for the rest (a note says so).
void ModelParts::add_constants(std::uint32_t object_id) {
  const MemoryObject& object = import_.program.objects[object_id];
  const std::uint64_t size = sizes_[object_id];
  const std::uint32_t id = add_bytes(object.name, TensorRole::kWeight, size);
  Tensor& tensor = model_.tensors[id];
  tensor.init.kind = WeightInit::Kind::kBytes;
  tensor.init.bytes.assign(size, 0);
  for (const PooledConstant& constant : import_.artifact.constants) {
    if (object.kind != Kind::kConstPool || constant.offset_bytes >= size) continue;
    const std::size_t count = std::min<std::size_t>(constant.bytes.size(), size - constant.offset_bytes);
    std::copy_n(constant.bytes.begin(), count,
                tensor.init.bytes.begin() + static_cast<std::ptrdiff_t>(constant.offset_bytes));
  }
  for (const NamedArray& array : import_.artifact.parameters) {
    if (object.kind != Kind::kConstant || "__tvm_param__" + array.name != object.name) continue;
    std::copy_n(array.bytes.begin(), std::min<std::size_t>(array.bytes.size(), size), tensor.init.bytes.begin());
  }
  whole_[object_id] = id;
}

void ModelParts::add_interface() {
  const Program& program = import_.program;
  for (const std::uint32_t object : program.inputs) {
    whole_[object] = add_typed(program.objects[object], TensorRole::kInput, sizes_[object]);
    model_.tensors[whole_[object]].align_bytes = kInterfaceAlign;
    model_.inputs.push_back(whole_[object]);
  }
  for (const std::uint32_t object : program.outputs) {
    whole_[object] = add_typed(program.objects[object], TensorRole::kOutput, sizes_[object]);
    model_.tensors[whole_[object]].align_bytes = kInterfaceAlign;
    model_.outputs.push_back(whole_[object]);
  }
  for (std::uint32_t object = 0; object < program.objects.size(); ++object) {
    const bool is_parameter = std::any_of(
        program.parameters.begin(), program.parameters.end(),
        [&](const MainParameter& p) { return p.kind == MainParameter::Kind::kObject && p.index == object; });
    const Kind kind = program.objects[object].kind;
    if (kind == Kind::kConstPool || (kind == Kind::kConstant && is_parameter)) add_constants(object);
  }
}

ThunkArgument ModelParts::constant_argument(Op& op, std::uint32_t object, const std::string& name, std::uint64_t offset,
                                            std::uint64_t size_bytes, std::int64_t delta) {
  const std::uint32_t base = whole_[object];
  if (base == kNone) return {};
  offset = std::min(offset, sizes_[object] - 1);
  size_bytes = std::clamp<std::uint64_t>(size_bytes, 1, sizes_[object] - offset);
  TensorId tensor = base;
  if (size_bytes != sizes_[object]) {
    const auto [found, is_new] = views_.try_emplace({object, offset, size_bytes}, kNone);
    if (is_new) {
      found->second = add_bytes(name, TensorRole::kWeight, size_bytes);
      Tensor& view = model_.tensors[found->second];
      view.alias_of = base;
      view.alias_offset_bytes = offset;
      view.align_bytes = 1;
    }
    tensor = found->second;
  }
  const auto at = std::find(op.weights.begin(), op.weights.end(), tensor);
  const auto index = static_cast<std::uint32_t>(at - op.weights.begin());
  if (at == op.weights.end()) op.weights.push_back(tensor);
  return {.list = ThunkArgument::kWeights, .index = index, .delta = delta};
}

ThunkArgument ModelParts::constant_pool(Op& op, const Call& call, std::uint32_t k) {
  const std::uint32_t object = call.arguments[k].index;
  const auto found = import_.footprints.find(call.function);
  const bool is_known =
      found != import_.footprints.end() && found->second.understood && k < found->second.params.size();
  const bool is_direct =
      is_known && (found->second.params[k].reads_unbounded || !found->second.params[k].reads.empty());
  if (!is_known || is_direct) {
    return constant_argument(op, object, "", 0, sizes_[object], 0);
  }
  ThunkArgument base;
  for (const PoolUse& use : found->second.pool_uses) {
    if (use.param != k) continue;
    const bool is_bounded = !use.access.reads_unbounded;
    const std::uint64_t end = is_bounded
                                  ? static_cast<std::uint64_t>(std::max<std::int64_t>(use.access.reads.hull().end, 1))
                                  : sizes_[object];
    const ThunkArgument argument =
        constant_argument(op, object, use.name, use.offset_bytes, end, -static_cast<std::int64_t>(use.offset_bytes));
    if (base.list == ThunkArgument::kNull) base = argument;
  }
  return base;
}

ThunkArgument ModelParts::constant_buffer(Op& op, const Call& call, std::uint32_t k) {
  const Buffer& buffer = import_.program.buffers[call.arguments[k].index];
  const auto found = import_.footprints.find(call.function);
  const bool is_known = found != import_.footprints.end() && found->second.understood &&
                        k < found->second.params.size() && !found->second.params[k].reads_unbounded;
  const std::uint64_t end =
      call.kind == Call::Kind::kCopy ? call.copy_bytes
      : is_known ? static_cast<std::uint64_t>(std::max<std::int64_t>(found->second.params[k].reads.hull().end, 1))
      : buffer.size_bytes != 0 ? buffer.size_bytes
                               : sizes_[buffer.object];
  return constant_argument(op, buffer.object, buffer.name, buffer.offset_bytes, end, 0);
}

ByteSet coarsened(const ByteSet& bytes, std::size_t most) {
  std::vector<ByteInterval> parts = bytes.intervals();
  if (parts.size() <= most) return bytes;
  std::vector<std::int64_t> gaps;
  for (std::size_t i = 1; i < parts.size(); ++i) gaps.push_back(parts[i].begin - parts[i - 1].end);
  std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(parts.size() - most - 1), gaps.end());
  const std::int64_t filled = gaps[parts.size() - most - 1];
  std::vector<ByteInterval> merged;
  for (const ByteInterval& part : parts) {
    if (!merged.empty() && part.begin - merged.back().end <= filled) {
      merged.back().end = part.end;
    } else {
      merged.push_back(part);
    }
  }
  return ByteSet::of(std::move(merged));
}

std::vector<ByteSet> as_blocks(const ByteSet& bytes) {
  std::vector<ByteSet> result;
  const std::vector<ByteInterval>& parts = bytes.intervals();
  for (std::size_t begin = 0; begin < parts.size();) {
    std::size_t end = begin + 1;
    const auto length = [&](std::size_t i) { return parts[i].end - parts[i].begin; };
    while (end < parts.size() && length(end) == length(begin) &&
           parts[end].begin - parts[end - 1].begin == parts[begin + 1].begin - parts[begin].begin) {
      ++end;
    }
    result.push_back(ByteSet::of(
        {parts.begin() + static_cast<std::ptrdiff_t>(begin), parts.begin() + static_cast<std::ptrdiff_t>(end)}));
    begin = end;
  }
  return result;
}

}  // namespace detent::models::tvm
