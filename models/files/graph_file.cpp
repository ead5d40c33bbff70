#include "models/files/graph_file.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <detent/op_config.h>

#include "base/io.hpp"
#include "base/json.hpp"
#include "base/wanted_file.hpp"
#include "base/words/near.hpp"
#include "base/words/quantity.hpp"
#include "models/core/core_class.hpp"
#include "models/core/dtypes.hpp"
#include "models/files/graph_buffers.hpp"
#include "models/files/graph_demands.hpp"
#include "models/files/graph_kernels.hpp"
#include "models/files/graph_operator.hpp"
#include "models/files/graph_order.hpp"
#include "models/files/graph_values.hpp"
#include "models/files/op_table.hpp"

namespace detent::models {
namespace {

constexpr std::string_view kSchema1 = "detent.graph/1";
constexpr std::string_view kSchema2 = "detent.graph/2";

struct RangeKey {
  RegionId region;
  std::uint64_t offset, size;
  std::uint32_t set;   ///< of values
  detent_dtype dtype;  ///< of elements; bytes where no kernel says more
  bool operator==(const RangeKey&) const = default;
};

struct RangeHash {
  std::size_t operator()(const RangeKey& key) const {
    std::uint64_t h = key.offset * 0x9E3779B97F4A7C15ULL ^ key.size;
    h = (h ^ (h >> 29U)) * 0xBF58476D1CE4E5B9ULL + key.region + (std::uint64_t{key.set} << 20U) +
        (static_cast<std::uint64_t>(key.dtype) << 60U);
    return h ^ (h >> 32U);
  }
};

using Span = std::pair<std::uint64_t, std::uint64_t>;

class GraphReader {
 public:
  explicit GraphReader(const JsonDocument& document)
      : document_(document), values_(model_), buffers_(model_), kernels_(model_, document.file()) {}

  Model read() {
    JsonObject root(document_.root());
    const JsonValue schema = root.require("schema");
    has_values_ = schema.as_string() == kSchema2;
    if (!has_values_ && schema.as_string() != kSchema1) refuse_schema(schema);
    const auto name = root.find("name");
    model_.name = name ? std::string(name->as_name()) : "graph";
    model_.demands = read_demands(root);
    const auto regions = root.find("regions");
    const auto buffers = root.find("buffers");
    const auto sources = root.find("sources");
    const auto inputs = has_values_ ? root.find("inputs") : std::nullopt;
    const auto outputs = has_values_ ? root.find("outputs") : std::nullopt;
    const JsonValue ops = root.require("ops");
    const auto edges = root.find("edges");
    root.finish();
    if (regions) read_regions(*regions);
    if (buffers) buffers_.read(*buffers);
    if (sources) kernels_.read_sources(*sources);
    if (inputs) read_ends(*inputs, Role::kInput, model_.inputs);
    read_ops(ops);
    dtype_ = DETENT_U8;
    if (outputs) read_ends(*outputs, Role::kOutput, model_.outputs);
    values_.finish();
    buffers_.finish();
    kernels_.finish();
    if (edges) read_edges(*edges);
    check_order(model_, document_.file());
    return std::move(model_);
  }

 private:
  [[noreturn]] static void refuse_schema(const JsonValue& schema) {
    const std::string given(schema.as_string().substr(0, kMaxNameBytes));
    if (given.starts_with("detent.check/")) {
      schema.fail(
          "is the answer of detent check, not a graph; detent report DIR shows it, detent replay FILE repeats it");
    }
    if (given.starts_with("detent.") && !given.starts_with("detent.graph/")) {
      schema.fail("is \"" + given + "\", not a graph; a graph has \"detent.graph/1\" or \"detent.graph/2\"");
    }
    schema.fail("must be \"detent.graph/1\" or \"detent.graph/2\"");
  }

  /// Of bytes; a text with a unit is answered by the number to write.
  static std::uint64_t read_size(const JsonValue& value) {
    if (value.kind() == JsonKind::kReal && value.as_number() != std::floor(value.as_number())) {
      value.fail("is not a whole number of bytes; write a whole number");
    }
    if (value.kind() == JsonKind::kString) {
      const std::string text(value.as_string().substr(0, kMaxNameBytes));
      if (const auto number = read_bytes(text)) {
        value.fail("\"" + text + "\" is a text; write " + std::to_string(*number) + ", a number of bytes");
      }
      if (const std::string why = refuse_bytes(text); why.starts_with("is ")) {
        value.fail("\"" + text + "\" " + why.substr(0, why.find(';')) + "; write a whole number of them");
      }
    }
    return value.as_u64(kMaxGraphBytes);
  }

  /// What a range is to its value.
  enum class Role : std::uint8_t { kInput, kWrite, kRead, kOutput };

  void read_regions(const JsonValue& list) {
    const JsonValue::Children regions = list.elements();
    if (list.size() > DETENT_MAX_REGIONS) {
      list.fail(std::to_string(list.size()) + " regions; at most " + std::to_string(DETENT_MAX_REGIONS) +
                " are possible");
    }
    for (const JsonValue value : regions) {
      JsonObject object(value);
      Region region;
      const JsonValue name = object.require("name");
      region.name = name.as_name();
      region.size_bytes = positive(object.require("size"));
      object.finish();
      const auto id = static_cast<std::uint32_t>(model_.regions.size());
      if (!region_ids_.try_emplace(region.name, id).second) name.fail("a region of this name exists already");
      model_.regions.push_back(std::move(region));
    }
  }

  void read_ops(const JsonValue& list) {
    const std::vector<JsonValue> ops = sort_by_id(list);
    model_.ops.resize(ops.size());
    for (std::size_t id = 0; id < ops.size(); ++id) {
      JsonObject object(ops[id]);
      (void)object.require("id");
      read_op(object, model_.ops[id], id);
      object.finish();
    }
  }

  /// In id order whatever the file's order, so that equal graphs give equal Models.
  static std::vector<JsonValue> sort_by_id(const JsonValue& list) {
    const JsonValue::Children ops = list.elements();
    const std::size_t count = list.size();
    if (count == 0) list.fail("a graph needs at least one op");
    if (count > kMaxGraphOps) {
      list.fail(std::to_string(count) + " ops; at most " + std::to_string(kMaxGraphOps) + " are possible");
    }
    std::vector<JsonValue> by_id(count, list);
    std::vector<bool> seen(count);
    for (const JsonValue value : ops) {
      const JsonValue id_value = JsonObject(value).require("id");
      const std::uint64_t id = id_value.as_u64();
      if (id >= count) {
        id_value.fail("id " + std::to_string(id) + " among " + std::to_string(count) + " ops; ids are dense from 0");
      }
      if (seen[id]) id_value.fail("duplicate id " + std::to_string(id));
      seen[id] = true;
      by_id[id] = value;
    }
    return by_id;
  }

  void read_op(JsonObject& object, Op& op, std::uint64_t id) {
    const auto name = object.find("name");
    op.name = name ? std::string(name->as_name()) : "op" + std::to_string(id);
    if (const auto core = object.find("core")) read_core(*core, op);
    const auto time = object.find("time_ps");
    if (time) read_times(*time, op);
    if (const auto release = object.find("release_ps")) op.release_ps = read_span(*release);
    if (const auto priority = object.find("priority")) {
      op.priority = static_cast<std::int32_t>(priority->as_i64(INT32_MIN, INT32_MAX));
    }
    if (const auto workers = object.find("workers")) read_workers(*workers, op);
    if (const auto mutex = object.find("mutex")) read_mutexes(*mutex, op);
    if (const auto group = object.find("commutes")) op.commutes = group->as_name();
    if (const auto footprint = object.find("footprint")) read_footprint(*footprint, op);
    const std::optional<GraphKernel> own = kernels_.read(object);
    const std::optional<GraphOperator> kernel = own ? std::nullopt : read_operator(object);
    dtype_ = own ? own->dtype->number : kernel ? static_cast<detent_dtype>(kernel->descriptor.dtype) : DETENT_U8;
    if (!time && !own) op.time_ps = {0, 0};  // nobody knows how long a function of one's own takes
    if (const auto reads = object.find("reads")) read_ranges(*reads, Role::kRead, id, op.inputs);
    if (const auto writes = object.find("writes")) read_ranges(*writes, Role::kWrite, id, op.outputs);
    if (has_values_) {
      if (const auto guard = object.find("guard")) values_.read_guards(*guard, static_cast<std::uint32_t>(id));
    }
    if (op.release_ps) add_time(op.release_ps->second, object.value());
    if (op.time_ps) add_time(longest_time(op), object.value());
    op.kernel = "mix";
    op.in_place = true;
    op.config.resize(sizeof(detent_mix_config));
    if (own) return kernels_.apply(*own, op);
    if (!kernel) return;
    if (touches_buffer(op))
      kernel->place.fail("operators take byte ranges; leave \"kernel\" out, or give the op's buffers places");
    apply_operator(*kernel, model_, op);
  }

  [[nodiscard]] bool touches_buffer(const Op& op) const {
    const auto is_buffer = [&](TensorId id) { return model_.tensors[id].role != TensorRole::kRange; };
    return std::ranges::any_of(op.inputs, is_buffer) || std::ranges::any_of(op.outputs, is_buffer);
  }

  void read_core(const JsonValue& value, Op& op) {
    op.core_class = value.as_name();
    note_class(op.core_class, value);
  }

  void note_class(const std::string& core_class, const JsonValue& value) {
    if (core_class == "cpu") return;
    if (core_class == kDelayClass) {
      value.fail("\"delay\" is the class of transfer delays; give the op a class of the platform");
    }
    // "cpu" and "delay" always have a place in the Desc.
    if (classes_.insert(core_class).second && classes_.size() > DETENT_MAX_CLASSES - 2) {
      value.fail("more than " + std::to_string(DETENT_MAX_CLASSES - 2) + " classes of cores besides \"cpu\"");
    }
  }

  /// One time, or one for each class of cores that may execute the op.
  void read_times(const JsonValue& value, Op& op) {
    if (value.kind() != JsonKind::kObject) {
      op.time_ps = read_time(value);
      return;
    }
    for (const JsonValue time : value.members()) {
      const std::string core_class(time.key());
      if (const char* const fault = name_fault(core_class)) time.fail(fault);
      note_class(core_class, time);
      op.times_by_class[core_class] = read_time(time);
    }
    const auto own = op.times_by_class.find(op.core_class);
    if (own == op.times_by_class.end()) {
      value.fail("no time on class \"" + op.core_class +
                 "\", of which the op is; add one, or say another with \"core\"");
    }
    op.time_ps = own->second;
  }

  /// On the class where it takes longest.
  static std::uint64_t longest_time(const Op& op) {
    std::uint64_t longest = op.time_ps->second;
    for (const auto& [core_class, time] : op.times_by_class) longest = std::max(longest, time.second);
    return longest;
  }

  static Span read_time(const JsonValue& value) {
    if (value.kind() == JsonKind::kArray) return read_span(value);
    const std::uint64_t time = read_graph_time(value);
    return {time, time};
  }

  /// [least, most].
  static Span read_span(const JsonValue& value) {
    std::uint64_t ends[2] = {0, 0};
    std::size_t count = 0;
    for (const JsonValue end : value.elements()) {
      if (count == 2) break;
      ends[count++] = read_graph_time(end);
    }
    if (value.size() != 2) value.fail("expected a list of two times");
    if (ends[0] > ends[1]) {
      value.fail("the first time, " + std::to_string(ends[0]) + ", is above the second, " + std::to_string(ends[1]));
    }
    return {ends[0], ends[1]};
  }

  /// Numbers of the workers that may execute it.
  static void read_workers(const JsonValue& value, Op& op) {
    for (const JsonValue worker : value.elements()) {
      const std::uint32_t bit = std::uint32_t{1} << static_cast<std::uint32_t>(worker.as_u64(31));
      if ((op.workers & bit) != 0) worker.fail("a worker is named twice");
      op.workers |= bit;
    }
    if (op.workers == 0) value.fail("name a worker, or leave it out: every worker of the op's class may execute it");
  }

  static void read_mutexes(const JsonValue& value, Op& op) {
    if (value.kind() == JsonKind::kString) {
      op.mutexes.emplace_back(value.as_name());
      return;
    }
    for (const JsonValue name : value.elements()) op.mutexes.emplace_back(name.as_name());
  }

  static void read_footprint(const JsonValue& value, Op& op) {
    if (value.as_string() != "unknown")
      value.fail("must be \"unknown\"; leave it out where the ranges are all that the op touches");
    op.footprint = Footprint::kUnknown;
  }

  void read_ranges(const JsonValue& list, Role role, std::uint64_t op, std::vector<std::uint32_t>& tensors) {
    const JsonValue::Children ranges = list.elements();
    if (list.size() > DETENT_MAX_OP_TENSORS) {
      list.fail(std::to_string(list.size()) + " ranges; at most " + std::to_string(DETENT_MAX_OP_TENSORS) +
                " are possible");
    }
    tensors.reserve(list.size());
    for (const JsonValue value : ranges) {
      tensors.push_back(read_range(value, role, static_cast<std::uint32_t>(op)));
    }
  }

  /// Inputs and outputs of the graph.
  void read_ends(const JsonValue& list, Role role, std::vector<std::uint32_t>& tensors) {
    for (const JsonValue value : list.elements()) tensors.push_back(read_range(value, role, DETENT_NONE));
  }

  std::uint32_t read_range(const JsonValue& value, Role role, std::uint32_t op) {
    JsonObject object(value);
    if (const auto buffer = find_buffer(object, role)) {
      object.finish();
      return buffers_.find(*buffer);
    }
    const JsonValue name = object.require("region");
    const JsonValue offset_value = object.require("offset");
    const std::uint64_t offset = offset_value.as_u64(kMaxGraphBytes);
    const std::uint64_t size = positive(object.require("size"));
    const auto wanted = find_value(object, role);
    object.finish();
    const std::uint32_t id = region_id(name);
    const Region& region = model_.regions[id];
    // Both are at most 2^40, so the sum cannot wrap (B41).
    if (offset + size > region.size_bytes) {
      value.fail("bytes [" + std::to_string(offset) + "," + std::to_string(offset + size) + ") lie outside region \"" +
                 region.name + "\" of " + std::to_string(region.size_bytes) + " bytes");
    }
    std::uint32_t set = GraphValues::kNoSet;
    if (wanted) {
      set = values_.read_set(*wanted, role == Role::kRead || role == Role::kOutput);
      note_value(set, role, op, {id, offset, size, *wanted});
    }
    return range_tensor({id, offset, size, set, dtype_});
  }

  /// Inputs and outputs of the graph are places; a buffer has a role instead.
  static std::optional<JsonValue> find_buffer(JsonObject& object, Role role) {
    if (role == Role::kInput || role == Role::kOutput) return std::nullopt;
    return object.find("buffer");
  }

  [[nodiscard]] std::optional<JsonValue> find_value(JsonObject& object, Role role) const {
    if (!has_values_) return std::nullopt;
    if (role == Role::kInput || role == Role::kOutput) return object.require("value");
    return object.find("value");
  }

  void note_value(std::uint32_t set, Role role, std::uint32_t op, const GraphValues::Place& place) {
    if (role == Role::kInput) return values_.add_input(set, place);
    if (role == Role::kWrite) return values_.add_write(set, op, place);
    values_.add_read(set, place);
  }

  std::uint32_t region_id(const JsonValue& name) {
    const std::string_view text = name.as_name();
    if (last_region_ < model_.regions.size() && model_.regions[last_region_].name == text) return last_region_;
    const auto it = region_ids_.find(std::string(text));
    if (it == region_ids_.end()) refuse_region(name, std::string(text));
    last_region_ = it->second;
    return last_region_;
  }

  [[noreturn]] void refuse_region(const JsonValue& name, const std::string& text) const {
    std::vector<std::string> names;
    for (const Region& region : model_.regions) names.push_back(region.name);
    const std::string near = did_you_mean(text, names);
    const std::string known = names.empty() ? "add it to \"regions\"" : "the regions are " + choices_text(names, 8);
    name.fail("no region of the name \"" + text + "\"" + (near.empty() ? "; " + known : near));
  }

  std::uint32_t range_tensor(const RangeKey& key) {
    const auto [it, is_new] = ranges_.try_emplace(key, static_cast<std::uint32_t>(model_.tensors.size()));
    if (!is_new) return it->second;
    Tensor& tensor = model_.tensors.emplace_back();
    tensor.name = model_.regions[key.region].name + "[" + std::to_string(key.offset) + "," +
                  std::to_string(key.offset + key.size) + ")";
    tensor.values = values_.values_of(key.set);
    if (key.set != GraphValues::kNoSet) add_value_to_name(values_.text_of(key.set), tensor.name);
    tensor.role = TensorRole::kRange;
    tensor.dtype = key.dtype;
    tensor.size_bytes = key.size;
    tensor.block_bytes = key.size;
    tensor.align_bytes = static_cast<std::uint32_t>(dtype_of(key.dtype).bytes);
    tensor.region = key.region;
    tensor.offset_bytes = key.offset;
    return it->second;
  }

  /// "x in ws[0,64)", unless that is too long for a name.
  static void add_value_to_name(const std::string& value, std::string& name) {
    const std::string text = value + " in " + name;
    if (name_fault(text) == nullptr) name = text;
  }

  void read_edges(const JsonValue& list) {
    const JsonValue::Children edges = list.elements();
    model_.edges.reserve(list.size());
    for (const JsonValue value : edges) {
      std::uint64_t numbers[4] = {0, 0, 0, 0};
      std::size_t count = 0;
      for (const JsonValue number : value.elements()) {
        if (count == 4) break;
        numbers[count] = count < 2 ? op_id(number) : read_graph_time(number);
        ++count;
      }
      if (value.size() != 2 && value.size() != 4) value.fail("expected [from, to] or [from, to, min_ps, max_ps]");
      if (numbers[2] > numbers[3]) value.fail("the least delay is above the greatest");
      add_time(numbers[3], value);
      model_.edges.push_back(
          {static_cast<std::uint32_t>(numbers[0]), static_cast<std::uint32_t>(numbers[1]), numbers[2], numbers[3]});
    }
  }

  [[nodiscard]] std::uint64_t op_id(const JsonValue& value) const {
    const std::uint64_t id = value.as_u64();
    if (id < model_.ops.size()) return id;
    value.fail("op " + std::to_string(id) + " does not exist; ids end at " + std::to_string(model_.ops.size() - 1));
  }

  static std::uint64_t positive(const JsonValue& value) {
    const std::uint64_t size = read_size(value);
    if (size == 0) value.fail("a size of 0; leave the range out or give it bytes");
    return size;
  }

  void add_time(std::uint64_t time, const JsonValue& value) {
    total_ps_ += time;  // both are at most 2^62
    if (total_ps_ > kMaxGraphTimePs) {
      value.fail("with this one the times of the graph add up to more than " + std::to_string(kMaxGraphTimePs) + " ps");
    }
  }

  const JsonDocument& document_;
  Model model_;
  GraphValues values_;
  GraphBuffers buffers_;
  GraphKernels kernels_;
  bool has_values_ = false;         ///< detent.graph/2
  detent_dtype dtype_ = DETENT_U8;  ///< of the ranges of the op that is read
  std::unordered_map<std::string, std::uint32_t> region_ids_;
  std::set<std::string> classes_;
  std::unordered_map<RangeKey, std::uint32_t, RangeHash> ranges_;
  std::uint32_t last_region_ = 0;
  std::uint64_t total_ps_ = 0;
};

}  // namespace

Model read_graph(const std::string& path) {
  static const WantedFile kGraphFile = {"an op graph",
                                        {FileKind::kGraph, FileKind::kJson, FileKind::kCsv},
                                        "give a detent.graph/1 or /2 file; detent graph MODEL -o FILE writes one"};
  std::string text = read_wanted_file(path, JsonLimits{}.max_bytes, kGraphFile);
  if (kind_of_file(path, text) == FileKind::kCsv) return parse_op_table(text, path);
  return parse_graph(std::move(text), path);
}

Model parse_graph(std::string text, const std::string& file) {
  const JsonDocument document = JsonDocument::parse(text, file);
  std::string().swap(text);
  return GraphReader(document).read();
}

}  // namespace detent::models
