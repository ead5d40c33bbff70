// Model -> op graph file: one region, op or edge a line, keys in the order of the schema.
#include <algorithm>
#include <string>
#include <vector>

#include "base/input_error.hpp"
#include "base/io.hpp"
#include "models/core/model_tables.hpp"
#include "models/files/graph_buffers.hpp"
#include "models/files/graph_demands.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/graph_kernels.hpp"
#include "models/files/graph_operator.hpp"

namespace detent::models {
namespace {

class GraphWriter {
 public:
  explicit GraphWriter(const Model& model) : model_(model) {}

  std::string write() {
    check_model_tables(model_, model_.name);
    check_is_graph();
    const char* const schema = is_second() ? "detent.graph/2" : "detent.graph/1";
    text_ = std::string("{\"schema\": \"") + schema + "\", \"name\": " + quote(model_.name) +
            demands_text(model_.demands) + ",\n \"regions\": [";
    for (const Region& region : model_.regions) {
      next_line();
      text_ += "{\"name\": " + quote(region.name) + ", \"size\": " + std::to_string(region.size_bytes) + "}";
    }
    text_ += "]";
    add_buffers();
    text_ += sources_text(model_);
    add_ends("inputs", model_.inputs);
    add_ends("outputs", model_.outputs);
    text_ += ",\n \"ops\": [";
    is_first_ = true;
    for (std::size_t id = 0; id < model_.ops.size(); ++id) {
      next_line();
      add_op(id, model_.ops[id]);
    }
    text_ += "],\n \"edges\": [";
    is_first_ = true;
    for (const Edge& edge : model_.edges) {
      next_line();
      add_edge(edge);
    }
    text_ += "]}\n";
    return std::move(text_);
  }

 private:
  [[nodiscard]] bool is_second() const {
    return !model_.value_names.empty() || !model_.decisions.empty() || !places_of(model_.inputs).empty() ||
           !places_of(model_.outputs).empty();
  }

  void check_is_graph() const {
    for (const Region& region : model_.regions) {
      if (region.kind != DETENT_REGION_WORKSPACE) fail("region \"" + region.name + "\" is not a workspace");
    }
    for (const Tensor& tensor : model_.tensors) {
      if (is_unplaced_buffer(tensor)) continue;
      if (tensor.role != TensorRole::kRange || tensor.region == kNone || tensor.block_count != 1) {
        fail("tensor \"" + tensor.name + "\" is not a byte range");
      }
    }
    for (const std::vector<std::uint32_t>* ends : {&model_.inputs, &model_.outputs}) {
      for (const std::uint32_t id : places_of(*ends)) {
        if (model_.tensors[id].values.empty()) {
          fail("input or output \"" + model_.tensors[id].name + "\" names no value");
        }
      }
    }
    for (const Op& op : model_.ops) {
      if (!op.weights.empty() || !op.scratch.empty()) fail("op \"" + op.name + "\" has weights or scratch");
    }
  }

  /// Without buffers, whose roles say what they are.
  [[nodiscard]] std::vector<std::uint32_t> places_of(const std::vector<std::uint32_t>& ends) const {
    std::vector<std::uint32_t> places;
    for (const std::uint32_t id : ends) {
      if (!is_unplaced_buffer(model_.tensors[id])) places.push_back(id);
    }
    return places;
  }

  void add_buffers() {
    const bool has_buffers = std::ranges::any_of(model_.tensors, is_unplaced_buffer);
    if (!has_buffers) return;
    text_ += ",\n \"buffers\": [";
    is_first_ = true;
    for (const Tensor& tensor : model_.tensors) {
      if (!is_unplaced_buffer(tensor)) continue;
      next_line();
      text_ += "{\"name\": " + quote(tensor.name) + ", " + buffer_text(tensor) + "}";
    }
    text_ += "]";
  }

  void add_ends(const char* key, const std::vector<std::uint32_t>& ends) {
    const std::vector<std::uint32_t> places = places_of(ends);
    if (!places.empty()) text_ += std::string(",\n \"") + key + "\": " + range_list(places);
  }

  void add_op(std::size_t id, const Op& op) {
    text_ += "{\"id\": " + std::to_string(id) + ", \"name\": " + quote(op.name) + ", \"core\": " + quote(op.core_class);
    if (op.time_ps) text_ += ", \"time_ps\": " + times_text(op);
    if (op.release_ps) text_ += ", \"release_ps\": " + span(*op.release_ps);
    if (op.priority != 0) text_ += ", \"priority\": " + std::to_string(op.priority);
    if (op.workers != 0) text_ += ", \"workers\": [" + worker_list(op.workers) + "]";
    if (!op.mutexes.empty()) text_ += ", \"mutex\": " + name_list(op.mutexes);
    if (!op.commutes.empty()) text_ += ", \"commutes\": " + quote(op.commutes);
    if (op.footprint == Footprint::kUnknown) text_ += ", \"footprint\": \"unknown\"";
    if (!op.guards.empty()) text_ += ", \"guard\": " + name_list(guard_texts(op));
    text_ += operator_text(op) + kernel_text(model_, op);
    text_ += ", \"reads\": " + range_list(op.inputs) + ", \"writes\": " + range_list(op.outputs) + "}";
  }

  void add_edge(const Edge& edge) {
    text_ += "[" + std::to_string(edge.from) + ", " + std::to_string(edge.to);
    if (edge.max_ps != 0) text_ += ", " + std::to_string(edge.min_ps) + ", " + std::to_string(edge.max_ps);
    text_ += "]";
  }

  [[nodiscard]] std::string times_text(const Op& op) const {
    if (op.times_by_class.empty()) return span(*op.time_ps);
    std::string text;
    for (const auto& [core_class, time] : op.times_by_class) {
      text += (text.empty() ? "{" : ", ") + quote(core_class) + ": " + span(time);
    }
    return text + "}";
  }

  static std::string span(const std::pair<std::uint64_t, std::uint64_t>& ends) {
    return "[" + std::to_string(ends.first) + ", " + std::to_string(ends.second) + "]";
  }

  std::string name_list(const std::vector<std::string>& names) const {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "[" : ", ") + quote(name);
    return out + "]";
  }

  std::string range_list(const std::vector<std::uint32_t>& tensors) const {
    std::string out = "[";
    for (const std::uint32_t id : tensors) {
      const Tensor& tensor = model_.tensors[id];
      if (out.size() > 1) out += ", ";
      if (is_unplaced_buffer(tensor)) {
        out += "{\"buffer\": " + quote(tensor.name) + "}";
        continue;
      }
      out += "{\"region\": " + quote(model_.regions[tensor.region].name) +
             ", \"offset\": " + std::to_string(tensor.offset_bytes) +
             ", \"size\": " + std::to_string(tensor.size_bytes) + value_text(tensor) + "}";
    }
    return out + "]";
  }

  [[nodiscard]] std::string value_text(const Tensor& tensor) const {
    if (tensor.values.empty()) return "";
    std::vector<std::string> names;
    for (const std::uint32_t value : tensor.values) names.push_back(model_.value_names.at(value));
    return ", \"value\": " + (names.size() == 1 ? quote(names[0]) : name_list(names));
  }

  [[nodiscard]] std::vector<std::string> guard_texts(const Op& op) const {
    std::vector<std::string> texts;
    for (const Guard& guard : op.guards) {
      const Decision& decision = model_.decisions.at(guard.decision);
      texts.push_back(decision.name + "=" + decision.outcomes.at(guard.outcome));
    }
    return texts;
  }

  std::string quote(const std::string& name) const {
    if (const char* fault = name_fault(name)) fail(fault);
    std::string out = "\"";
    for (const char c : name) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out + "\"";
  }

  void next_line() {
    text_ += is_first_ ? "\n   " : ",\n   ";
    is_first_ = false;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(model_.name, "", what + "; the model cannot be written as an op graph");
  }

  const Model& model_;
  std::string text_;
  bool is_first_ = true;
};

}  // namespace

std::string format_graph(const Model& model) { return GraphWriter(model).write(); }

void write_graph(const Model& model, const std::string& path) { write_file_atomically(path, format_graph(model)); }

}  // namespace detent::models
