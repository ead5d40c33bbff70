#include "models/files/graph_buffers.hpp"

#include <bit>
#include <vector>

#include "base/words/near.hpp"

namespace detent::models {
namespace {

constexpr std::uint32_t kUsualAlign = 64;  // of Tensor

TensorRole read_role(const JsonValue& value) {
  if (value.as_string() == "input") return TensorRole::kInput;
  if (value.as_string() != "output")
    value.fail("must be \"input\" or \"output\"; leave it out where ops write and read the buffer");
  return TensorRole::kOutput;
}

std::uint32_t read_align(const JsonValue& value) {
  const std::uint64_t align = value.as_u64(kMaxBufferAlign);
  if (!std::has_single_bit(align)) value.fail("must be a power of two");
  return static_cast<std::uint32_t>(align);
}

}  // namespace

void GraphBuffers::read(const JsonValue& list) {
  if (list.size() > kMaxGraphBuffers) {
    list.fail(std::to_string(list.size()) + " buffers; at most " + std::to_string(kMaxGraphBuffers) + " are possible");
  }
  for (const JsonValue value : list.elements()) read_one(value);
}

void GraphBuffers::read_one(const JsonValue& value) {
  JsonObject object(value);
  const JsonValue name = object.require("name");
  const JsonValue size = object.require("size");
  const auto align = object.find("align");
  const auto role = object.find("role");
  object.finish();
  const auto id = static_cast<std::uint32_t>(model_.tensors.size());
  Tensor& tensor = model_.tensors.emplace_back();
  tensor.name = name.as_name();
  if (!ids_.try_emplace(tensor.name, id).second) name.fail("a buffer of this name exists already");
  tensor.dtype = DETENT_U8;
  tensor.size_bytes = size.as_u64(kMaxBufferBytes);
  if (tensor.size_bytes == 0) size.fail("a size of 0; leave the buffer out or give it bytes");
  tensor.block_bytes = tensor.size_bytes;
  tensor.dims = {static_cast<std::int32_t>(tensor.size_bytes)};
  if (align) tensor.align_bytes = read_align(*align);
  if (role) tensor.role = read_role(*role);
  if (tensor.role == TensorRole::kInput) model_.inputs.push_back(id);
  if (tensor.role == TensorRole::kOutput) model_.outputs.push_back(id);
  places_.push_back(value);
}

TensorId GraphBuffers::find(const JsonValue& name) const {
  const std::string text(name.as_name());
  if (const auto it = ids_.find(text); it != ids_.end()) return it->second;
  std::vector<std::string> names;
  for (std::size_t id = 0; id < places_.size(); ++id) names.push_back(model_.tensors[id].name);
  const std::string near = did_you_mean(text, names);
  const std::string known = names.empty() ? "add it to \"buffers\"" : "the buffers are " + choices_text(names, 8);
  name.fail("no buffer of the name \"" + text + "\"" + (near.empty() ? "; " + known : near));
}

void GraphBuffers::finish() const {
  std::vector<bool> is_read(places_.size()), is_written(places_.size());
  for (const Op& op : model_.ops) {
    for (const TensorId id : op.inputs) {
      if (id < places_.size()) is_read[id] = true;
    }
    for (const TensorId id : op.outputs) {
      if (id < places_.size()) is_written[id] = true;
    }
  }
  for (std::size_t id = 0; id < places_.size(); ++id) {
    const Tensor& tensor = model_.tensors[id];
    const std::string name = "buffer \"" + tensor.name + "\" ";
    if (tensor.role == TensorRole::kInput && is_written[id]) {
      places_[id].fail(name +
                       "is an input, and an op writes it; leave \"role\" out, or give the op a buffer of its own");
    }
    if (tensor.role == TensorRole::kInput || is_written[id]) continue;
    if (is_read[id]) places_[id].fail(name + "is read, and no op writes it; give it \"role\": \"input\", or a writer");
    if (tensor.role == TensorRole::kOutput) places_[id].fail(name + "is an output, and no op writes it");
  }
}

bool is_unplaced_buffer(const Tensor& tensor) {
  const bool is_role =
      tensor.role == TensorRole::kInput || tensor.role == TensorRole::kOutput || tensor.role == TensorRole::kActivation;
  const bool is_plain = tensor.dtype == DETENT_U8 || (tensor.dtype == DETENT_I64 && tensor.size_bytes == 8);
  return is_role && is_plain && tensor.region == kNone && tensor.alias_of == kNone && tensor.dims.size() == 1 &&
         tensor.block_count == 1;
}

std::string buffer_text(const Tensor& tensor) {
  std::string text = "\"size\": " + std::to_string(tensor.size_bytes);
  if (tensor.align_bytes != kUsualAlign) text += ", \"align\": " + std::to_string(tensor.align_bytes);
  if (tensor.role == TensorRole::kInput) text += ", \"role\": \"input\"";
  if (tensor.role == TensorRole::kOutput) text += ", \"role\": \"output\"";
  return text;
}

}  // namespace detent::models
