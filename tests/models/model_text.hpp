// A Model, whole, as lines of text: for golden files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/core/model.hpp"
#include "tests/golden.hpp"

namespace detent::models {

template <typename Numbers>
std::string list_text(const Numbers& numbers) {
  std::string text;
  for (const auto number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return "[" + text + "]";
}

inline std::string bytes_text(const std::vector<std::uint8_t>& bytes) {
  if (bytes.size() <= 96) return list_text(bytes);
  return std::to_string(bytes.size()) + " bytes #" +
         std::to_string(fnv_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
}

inline std::string tensor_text(const Tensor& t) {
  std::string text = "'" + t.name + "' role " + std::to_string(static_cast<int>(t.role)) + " dtype " +
                     std::to_string(t.dtype) + " layout " + std::to_string(t.layout) + " " + list_text(t.dims) +
                     " size " + std::to_string(t.size_bytes) + " = " + std::to_string(t.block_count) + " x " +
                     std::to_string(t.block_bytes) + " every " + std::to_string(t.stride_bytes) + " align " +
                     std::to_string(t.align_bytes) + " at " + std::to_string(static_cast<std::int32_t>(t.region)) +
                     ":" + std::to_string(t.offset_bytes);
  if (t.alias_of != kNone) text += " of " + std::to_string(t.alias_of) + "+" + std::to_string(t.alias_offset_bytes);
  if (t.init == WeightInit{}) return text;
  return text + " init " + std::to_string(static_cast<int>(t.init.kind)) + " " + std::to_string(t.init.stream) + " " +
         std::to_string(t.init.scale) + " " + bytes_text(t.init.bytes) + " " + list_text(t.init.unpadded_dims) + " " +
         std::to_string(t.init.groups);
}

inline std::string op_text(const Op& op) {
  std::string text = "'" + op.name + "' " + op.kernel + " on " + op.core_class + " in " + list_text(op.inputs) +
                     " out " + list_text(op.outputs) + " weights " + list_text(op.weights) + " scratch " +
                     list_text(op.scratch) + " config " + bytes_text(op.config) + " flops " + std::to_string(op.flops);
  if (op.in_place) text += " in place";
  if (op.footprint != Footprint::kDeclared) text += " footprint " + std::to_string(static_cast<int>(op.footprint));
  if (op.priority != 0) text += " priority " + std::to_string(op.priority);
  if (op.time_ps) text += " time " + std::to_string(op.time_ps->first) + ".." + std::to_string(op.time_ps->second);
  if (op.release_ps)
    text += " release " + std::to_string(op.release_ps->first) + ".." + std::to_string(op.release_ps->second);
  for (const std::string& mutex : op.mutexes) text += " mutex " + mutex;
  return text + (op.commutes.empty() ? "" : " commutes " + op.commutes);
}

/// Everything but the texts of the sources, of which length and digest are given.
inline std::string model_text(const Model& model) {
  std::string text = "model '" + model.name + "' seed " + std::to_string(model.weight_seed) + "\n";
  for (const Region& region : model.regions) {
    text += "region '" + region.name + "' kind " + std::to_string(region.kind) + " size " +
            std::to_string(region.size_bytes) + " align " + std::to_string(region.align_bytes) + "\n";
  }
  for (std::size_t i = 0; i < model.tensors.size(); ++i)
    text += "tensor " + std::to_string(i) + " " + tensor_text(model.tensors[i]) + "\n";
  for (std::size_t i = 0; i < model.ops.size(); ++i)
    text += "op " + std::to_string(i) + " " + op_text(model.ops[i]) + "\n";
  text += "edges";
  for (const Edge& edge : model.edges) {
    text += " " + std::to_string(edge.from) + "-" + std::to_string(edge.to);
    if (edge.max_ps != 0) text += "(" + std::to_string(edge.min_ps) + ".." + std::to_string(edge.max_ps) + ")";
  }
  text += "\ninputs " + list_text(model.inputs) + " outputs " + list_text(model.outputs) + "\n";
  for (const SourceFile& file : model.sources) {
    text += "source " + file.name + " " + std::to_string(file.text.size()) + " bytes #" +
            std::to_string(fnv_of(file.text)) + "\n";
  }
  for (const std::string& flag : model.compile_flags) text += "flag " + flag + "\n";
  return text;
}

}  // namespace detent::models
