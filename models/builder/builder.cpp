#include "models/builder/builder.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <detent/op_config.h>

#include "models/builder/builder_internal.hpp"
#include "models/core/dag.hpp"
#include "models/core/decisions.hpp"

namespace detent::models {
namespace {

// FNV-1a of a weight's name: its values survive edits of the network around it.
std::uint64_t name_stream(const std::string& name) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

bool is_dense(const Tensor& tensor) { return tensor.block_count == 1; }

}  // namespace

std::uint64_t dense_bytes(detent_dtype dtype, detent_layout layout, const std::vector<std::int32_t>& dims) {
  std::uint64_t elements = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] <= 0) throw std::invalid_argument("a dimension is not positive; every dimension must be at least 1");
    const bool padded = layout == DETENT_LAYOUT_C16 && i == 1;
    const std::uint64_t dim = static_cast<std::uint64_t>(padded ? blocks_of(dims[i]) * 16 : dims[i]);
    if (elements > DETENT_MAX_BYTES / dim) throw std::invalid_argument("a tensor is larger than 2^40 bytes");
    elements *= dim;
  }
  return elements * dtype_of(dtype).bytes;
}

std::uint64_t stored_elements(const Tensor& tensor) {
  return tensor.block_bytes * tensor.block_count / dtype_of(tensor.dtype).bytes;
}

Builder::Builder(std::string name, std::uint64_t weight_seed) {
  model_.name = std::move(name);
  model_.weight_seed = weight_seed;
}

void Builder::fail(const std::string& op, const std::string& what) const {
  throw std::invalid_argument(model_.name + ":" + op + ": " + what);
}

TensorId Builder::add_tensor(const std::string& name, TensorRole role, detent_layout layout,
                             std::vector<std::int32_t> dims, detent_dtype dtype) {
  Tensor tensor;
  tensor.name = name;
  tensor.role = role;
  tensor.dtype = dtype;
  tensor.layout = layout;
  try {
    tensor.size_bytes = dense_bytes(dtype, layout, dims);
  } catch (const std::invalid_argument& error) {
    fail(name, error.what());
  }
  tensor.block_bytes = tensor.size_bytes;
  tensor.dims = std::move(dims);
  model_.tensors.push_back(std::move(tensor));
  return static_cast<std::uint32_t>(model_.tensors.size() - 1);
}

TensorId Builder::activation(const std::string& name, detent_layout layout, std::vector<std::int32_t> dims,
                             detent_dtype dtype) {
  return add_tensor(name, TensorRole::kActivation, layout, std::move(dims), dtype);
}

TensorId Builder::weight(const std::string& name, std::vector<std::int32_t> dims, WeightInit init, detent_dtype dtype) {
  const TensorId id = add_tensor(name, TensorRole::kWeight, DETENT_LAYOUT_PLAIN, std::move(dims), dtype);
  init.stream = name_stream(name);
  model_.tensors[id].init = std::move(init);
  return id;
}

Op& Builder::op(const std::string& name, const std::string& kernel, const std::vector<TensorId>& inputs,
                TensorId output) {
  Op added;
  added.name = name;
  added.kernel = kernel;
  added.inputs.assign(inputs.begin(), inputs.end());
  added.outputs = {output};
  model_.ops.push_back(std::move(added));
  return model_.ops.back();
}

TensorId Builder::target(const std::string& name, detent_layout layout, std::vector<std::int32_t> dims, TensorId into) {
  if (into == kNone) return activation(name, layout, std::move(dims));
  if (dense_bytes(DETENT_F32, layout, dims) != stored_elements(model_.tensors.at(into)) * sizeof(float)) {
    fail(name, "the tensor it writes into has another number of elements");
  }
  return into;
}

TensorId Builder::input(const std::string& name, std::vector<std::int32_t> dims, detent_dtype dtype) {
  const TensorId id = add_tensor(name, TensorRole::kInput, DETENT_LAYOUT_PLAIN, std::move(dims), dtype);
  model_.inputs.push_back(id);
  return id;
}

TensorId Builder::buffer(const std::string& name, std::vector<std::int32_t> dims) {
  return activation(name, DETENT_LAYOUT_PLAIN, std::move(dims));
}

TensorId Builder::constant(const std::string& name, std::vector<std::int32_t> dims, const std::vector<float>& values) {
  if (dense_bytes(DETENT_F32, DETENT_LAYOUT_PLAIN, dims) != values.size() * sizeof(float)) {
    fail(name, "the values do not fill the dims");
  }
  WeightInit init;
  init.kind = WeightInit::Kind::kBytes;
  init.bytes.resize(values.size() * sizeof(float));
  std::memcpy(init.bytes.data(), values.data(), init.bytes.size());
  return weight(name, std::move(dims), std::move(init));
}

TensorId Builder::view(const std::string& name, TensorId base, const ViewOptions& o) {
  const ByteSet set = bytes_of(model_, base);
  const std::uint64_t extent = (o.block_count - 1) * o.stride_bytes + o.block_bytes;
  if (o.block_count == 0 || o.block_bytes == 0 || o.offset_bytes + extent > model_.tensors.at(base).size_bytes) {
    fail(name, "the view lies outside its base");
  }
  if (!is_dense(model_.tensors[base])) fail(name, "a view of a strided view; take it of the base instead");
  Tensor tensor;
  tensor.name = name;
  tensor.dtype = model_.tensors[base].dtype;
  tensor.layout = model_.tensors[base].layout;
  tensor.dims = o.dims;
  tensor.size_bytes = extent;
  tensor.block_bytes = o.block_bytes;
  tensor.stride_bytes = o.block_count > 1 ? o.stride_bytes : 0;
  tensor.block_count = o.block_count;
  tensor.alias_of = set.root;
  tensor.alias_offset_bytes = set.first + o.offset_bytes;
  tensor.align_bytes = view_alignment(tensor.alias_offset_bytes, tensor.stride_bytes);
  model_.tensors.push_back(std::move(tensor));
  return static_cast<std::uint32_t>(model_.tensors.size() - 1);
}

TensorId Builder::reshape(const std::string& name, TensorId x, std::vector<std::int32_t> dims) {
  const Tensor in = model_.tensors.at(x);
  if (!is_dense(in) || dense_bytes(in.dtype, DETENT_LAYOUT_PLAIN, dims) != in.size_bytes) {
    fail(name, "reshape must keep the number of elements of a dense tensor");
  }
  if (in.layout == DETENT_LAYOUT_C16 && in.dims[1] % 16 != 0) fail(name, "padding channels would become elements");
  const TensorId id = view(name, x, {.dims = std::move(dims), .block_bytes = in.size_bytes});
  model_.tensors[id].layout = DETENT_LAYOUT_PLAIN;
  return id;
}

void Builder::embed(TensorId root, TensorId base, std::uint64_t offset_bytes) {
  for (TensorId id = 0; id < model_.tensors.size(); ++id) {
    Tensor& tensor = model_.tensors[id];
    if (id != root && tensor.alias_of != root) continue;
    tensor.alias_of = base;
    tensor.alias_offset_bytes += offset_bytes;
    tensor.align_bytes = view_alignment(tensor.alias_offset_bytes, tensor.stride_bytes);
  }
}

TensorId Builder::copy(const std::string& name, TensorId x, TensorId into) {
  const Tensor in = model_.tensors.at(x);
  const TensorId y = target(name, in.layout, in.dims, into);
  detent_elementwise_config config{};
  config.elements = stored_elements(in);
  op(name, "copy_f32", {x}, y).config = config_bytes(config);
  return y;
}

void Builder::begin_branch(TensorId condition, bool value) {
  const Tensor& tensor = model_.tensors.at(condition);
  if (!is_condition(tensor)) {
    fail(tensor.name, "a condition is a BOOL of one element and no view");
  }
  const auto decides = [&](const Op& op) { return std::ranges::find(op.outputs, condition) != op.outputs.end(); };
  const auto decider = std::ranges::find_if(model_.ops, decides);
  if (!branches_.empty() && decider < model_.ops.begin() + static_cast<std::ptrdiff_t>(branches_.back().first_op)) {
    fail(tensor.name, "decided outside of the branch that it divides further; decide it inside");
  }
  if (branches_.size() == DETENT_MAX_GUARD_DEPTH) {
    fail(tensor.name, "nested deeper than " + std::to_string(DETENT_MAX_GUARD_DEPTH) + " conditions");
  }
  branches_.push_back({condition, value ? Guarded::kIfTrue : Guarded::kIfFalse, model_.ops.size()});
}

TensorId Builder::let_fail() {
  Op& op = last_op();
  if (op.is_fallible) fail(op.name, "may fail already");
  const TensorId failed = activation(op.name + ".failed", DETENT_LAYOUT_PLAIN, {1}, DETENT_BOOL);
  op.is_fallible = true;
  op.outputs.push_back(failed);
  return failed;
}

void Builder::end_branch() {
  if (branches_.empty()) fail("end_branch", "no branch is open");
  const Branch branch = branches_.back();
  branches_.pop_back();
  for (std::size_t i = branch.first_op; i < model_.ops.size(); ++i) {
    Op& op = model_.ops[i];
    if (op.guarded != Guarded::kNo) continue;  // of a branch within this one
    op.guarded = branch.guarded;
    op.inputs.push_back(branch.condition);
  }
}

void Builder::output(TensorId x) {
  TensorId root = bytes_of(model_, x).root;
  if (model_.tensors[root].role == TensorRole::kInput) {
    x = copy(model_.tensors[x].name + ".copy", x);
    root = x;
  }
  model_.tensors[root].role = TensorRole::kOutput;
  model_.outputs.push_back(x);
}

Model Builder::finish() {
  if (model_.ops.empty()) fail("finish", "the model has no ops; add at least one");
  if (!branches_.empty()) fail("finish", "a branch is open; end it");
  model_.edges = derive_edges(model_);
  return std::move(model_);
}

}  // namespace detent::models
