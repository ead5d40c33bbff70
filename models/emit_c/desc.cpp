// desc.c: the tables of a Desc, one line an element.
#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <utility>

#include "models/emit_c/emit_c.hpp"
#include "models/emit_c/table.hpp"

namespace detent::models {
namespace {

constexpr std::uint32_t kListedInComment = 6;

/// Every bit of detent_op.flags.
constexpr std::pair<std::uint32_t, const char*> kOpFlagNames[] = {
    {DETENT_OP_DELAY, "DETENT_OP_DELAY"},       {DETENT_OP_IN_PLACE, "DETENT_OP_IN_PLACE"},
    {DETENT_OP_GUARDED, "DETENT_OP_GUARDED"},   {DETENT_OP_IF_FALSE, "DETENT_OP_IF_FALSE"},
    {DETENT_OP_FALLIBLE, "DETENT_OP_FALLIBLE"}, {DETENT_OP_REPLACES, "DETENT_OP_REPLACES"},
    {DETENT_OP_SIZED, "DETENT_OP_SIZED"}};

const char* region_kind_name(detent_region_kind kind) {
  switch (kind) {
    case DETENT_REGION_WORKSPACE:
      return "DETENT_REGION_WORKSPACE";
    case DETENT_REGION_INPUT:
      return "DETENT_REGION_INPUT";
    case DETENT_REGION_OUTPUT:
      return "DETENT_REGION_OUTPUT";
    case DETENT_REGION_WEIGHTS:
      return "DETENT_REGION_WEIGHTS";
  }
  return "DETENT_REGION_WORKSPACE";
}

const char* dtype_name(std::uint8_t dtype) {
  static constexpr const char* kNames[] = {"DETENT_U8",  "DETENT_I8",  "DETENT_I32", "DETENT_F32", "DETENT_BOOL",
                                           "DETENT_F16", "DETENT_I64", "DETENT_F64", "DETENT_BF16"};
  return kNames[dtype % std::size(kNames)];
}

/// "static const TYPE NAME[] = {...};", element by element; nothing for an empty table.
std::string table(const std::string& head, std::uint32_t count, const std::function<std::string(std::uint32_t)>& line) {
  if (count == 0) return "";
  std::string out = "static const " + head + "[] = {\n";
  for (std::uint32_t i = 0; i < count; ++i) out += "    " + line(i) + ",\n";
  return out + "};\n\n";
}

std::string name_table(const std::string& name, const char* const* names, std::uint32_t count) {
  return table("char *const " + name, count,
               [&](std::uint32_t i) { return "/* " + std::to_string(i) + " */ \"" + c_escaped(names[i]) + "\""; });
}

std::string comment(const std::string& text) { return "/* " + text + " */ "; }

class DescWriter {
 public:
  explicit DescWriter(const detent_desc& desc) : desc_(desc), predecessors_(desc.op_count) {
    for (OpId op = 0; op < desc.op_count; ++op) {
      const detent_slice next = desc.ops[op].successors;
      for (std::uint32_t i = 0; i < next.count; ++i) {
        predecessors_[desc.successors[next.first + i]].push_back(op);
      }
    }
  }

  [[nodiscard]] std::string write() const { return head() + memory() + graph() + schedules() + root(); }

 private:
  [[nodiscard]] std::string head() const {
    return "/* The network \"" + c_comment(desc_.name) +
           "\" as const tables: runtime/include/detent/desc.h says what each field means.\n"
           " * Written by `detent emit c`; change the network, not this file. */\n"
           "#include \"desc.h\"\n\n#include <stddef.h>\n\n"
           "#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__\n"
           "#error \"configs and weights are little-endian\"\n#endif\n\n";
  }

  // ---- Memory: regions and the map of tensors.

  [[nodiscard]] std::string memory() const {
    return "/* ---- Regions. */\n" +
           table("detent_region regions", desc_.region_count, [&](auto i) { return region(i); }) +
           "/* ---- Tensors: which bytes of which region, and while which ops (by id) they hold them. */\n" +
           table("detent_tensor tensors", desc_.tensor_count, [&](auto i) { return tensor(i); }) +
           number_table("inputs", desc_.inputs, desc_.input_count, tensor_marks(desc_.inputs, desc_.input_count)) +
           number_table("outputs", desc_.outputs, desc_.output_count, tensor_marks(desc_.outputs, desc_.output_count));
  }

  [[nodiscard]] std::string region(std::uint32_t index) const {
    const detent_region& r = desc_.regions[index];
    const bool has_data = r.kind == DETENT_REGION_WEIGHTS;
    return comment(std::to_string(index)) +
           FieldList()
               .quoted("name", r.name)
               .text("kind", region_kind_name(r.kind))
               .number("size_bytes", r.size_bytes)
               .number("align_bytes", r.align_bytes)
               .text("data", has_data ? "detent_weights_" + std::to_string(index) : "NULL")
               .str();
  }

  [[nodiscard]] std::string tensor(std::uint32_t index) const {
    const detent_tensor& t = desc_.tensors[index];
    const std::string place = std::string(c_comment(desc_.regions[t.region].name)) + " [" +
                              std::to_string(t.offset_bytes) + ", " + std::to_string(t.offset_bytes + t.size_bytes) +
                              ")";
    std::string dims;
    for (std::uint32_t i = 0; i < t.rank; ++i) dims += (i == 0 ? "" : ", ") + std::to_string(t.dims[i]);
    return comment(std::to_string(index) + ": " + place) +
           FieldList()
               .quoted("name", t.name)
               .number("region", t.region)
               .text("flags", t.flags == DETENT_TENSOR_RANGE ? "DETENT_TENSOR_RANGE" : "0")
               .number("offset_bytes", t.offset_bytes)
               .number("size_bytes", t.size_bytes)
               .number("block_bytes", t.block_bytes)
               .number("stride_bytes", t.stride_bytes)
               .number("block_count", t.block_count)
               .number("align_bytes", t.align_bytes)
               .index("alias_of", t.alias_of)
               .index("live_begin", t.live_begin)
               .index("live_end", t.live_end)
               .text("dtype", dtype_name(t.dtype))
               .text("layout", t.layout == DETENT_LAYOUT_C16 ? "DETENT_LAYOUT_C16" : "DETENT_LAYOUT_PLAIN")
               .text("rank", std::to_string(t.rank))
               .text("dims", "{" + (dims.empty() ? "0" : dims) + "}")
               .str();
  }

  [[nodiscard]] std::vector<Mark> tensor_marks(const std::uint32_t* ids, std::uint32_t count) const {
    std::vector<Mark> marks;
    for (std::uint32_t i = 0; i < count; ++i) marks.push_back({i, numbered(ids[i], desc_.tensors[ids[i]].name)});
    return marks;
  }

  // ---- The graph: ops and what they refer to.

  [[nodiscard]] std::string graph() const {
    return "/* ---- Core classes and kernels. */\n" +
           table("detent_class classes", desc_.class_count, [&](auto i) { return core_class(i); }) +
           name_table("kernels", desc_.kernels, desc_.kernel_count) +
           name_table("mutex_names", desc_.mutex_names, desc_.mutex_count) +
           "/* ---- What ops refer to: tensors, successors, mutexes, exec configs as words. */\n" +
           number_table("tensor_refs", desc_.tensor_refs, desc_.tensor_ref_count, ref_marks()) +
           number_table("successors", desc_.successors, desc_.successor_count, op_marks(&detent_op::successors)) +
           number_table("mutex_refs", desc_.mutex_refs, desc_.mutex_ref_count, op_marks(&detent_op::mutexes)) +
           configs() + "/* ---- Ops: the schedulable entities. entry_count is the initial indegree. */\n" +
           table("detent_op ops", desc_.op_count, [&](auto i) { return op(i); }) +
           "/* ---- Times and work; UINT64_MAX: unknown. */\n" +
           table("detent_op_cost costs", desc_.costs == nullptr ? 0 : desc_.op_count, [&](auto i) { return cost(i); });
  }

  [[nodiscard]] std::string core_class(std::uint32_t index) const {
    const detent_class& c = desc_.classes[index];
    return comment(std::to_string(index)) +
           FieldList()
               .quoted("name", c.name)
               .text("kind", c.kind == DETENT_CLASS_ASYNC ? "DETENT_CLASS_ASYNC" : "DETENT_CLASS_WORKERS")
               .str();
  }

  [[nodiscard]] std::vector<Mark> ref_marks() const {
    std::vector<Mark> marks;
    for (std::uint32_t i = 0; i < desc_.op_count; ++i) {
      const detent_op& o = desc_.ops[i];
      const std::string id = std::to_string(i);
      add_mark(marks, o.inputs, id + " reads");
      add_mark(marks, o.outputs, id + " writes");
      add_mark(marks, o.weights, id + " weights");
      add_mark(marks, o.scratch, id + " scratch");
    }
    return marks;
  }

  static void add_mark(std::vector<Mark>& marks, const detent_slice& slice, const std::string& text) {
    if (slice.count != 0) marks.push_back({slice.first, text});
  }

  [[nodiscard]] std::vector<Mark> op_marks(detent_slice detent_op::*member) const {
    std::vector<Mark> marks;
    for (std::uint32_t i = 0; i < desc_.op_count; ++i) {
      add_mark(marks, desc_.ops[i].*member, numbered(i, desc_.ops[i].name));
    }
    return marks;
  }

  [[nodiscard]] std::string configs() const {
    std::vector<std::uint32_t> words((desc_.config_byte_count + 3) / 4);
    if (!words.empty()) std::memcpy(words.data(), desc_.config_bytes, desc_.config_byte_count);
    std::vector<Mark> marks;
    for (std::uint32_t i = 0; i < desc_.op_count; ++i) {
      const detent_op& o = desc_.ops[i];
      if (o.config_size != 0) marks.push_back({o.config_offset / 4, numbered(i, desc_.kernels[o.kernel])});
    }
    const std::string text =
        number_table("config_words", words.data(), static_cast<std::uint32_t>(words.size()), std::move(marks));
    return text.empty() ? text : "_Alignas(8) " + text;
  }

  [[nodiscard]] std::string op(std::uint32_t index) const {
    const detent_op& o = desc_.ops[index];
    std::string flags;
    std::uint32_t unnamed = o.flags;
    for (const auto& [bit, name] : kOpFlagNames) {
      if ((o.flags & bit) != 0) flags += std::string(" | ") + name;
      unnamed &= ~bit;
    }
    if (unnamed != 0) throw std::logic_error("emit_c: an op has a flag without a name");

    FieldList fields;
    fields.quoted("name", o.name)
        .number("id", o.id)
        .number("kernel", o.kernel)
        .number("core_class", o.core_class)
        .text("flags", "0" + flags)
        .slice("inputs", o.inputs)
        .slice("outputs", o.outputs)
        .slice("weights", o.weights)
        .slice("scratch", o.scratch)
        .number("config_offset", o.config_offset)
        .number("config_size", o.config_size)
        .number("entry_count", o.entry_count)
        .slice("successors", o.successors)
        .slice("mutexes", o.mutexes)
        .index("commute_group", o.commute_group)
        .text("priority", std::to_string(o.priority));
    if (o.workers != 0) fields.number("workers", o.workers);
    return op_comment(index) + "\n    " + fields.str();
  }

  [[nodiscard]] std::string op_comment(std::uint32_t index) const {
    const detent_op& o = desc_.ops[index];
    std::string text = std::to_string(index) + ": " + c_comment(desc_.kernels[o.kernel]) + " on " +
                       c_comment(desc_.classes[o.core_class].name);
    text += tensors_of(", reads", o.inputs) + tensors_of(", writes", o.outputs) + tensors_of(", weights", o.weights) +
            tensors_of(", scratch", o.scratch);
    const std::vector<std::uint32_t>& before = predecessors_[index];
    text += ids_of(", after", before.data(), static_cast<std::uint32_t>(before.size()));
    text += ids_of(", then", desc_.successors + o.successors.first, o.successors.count);
    return "/* " + text + " */";
  }

  [[nodiscard]] std::string tensors_of(const char* role, const detent_slice& slice) const {
    if (slice.count == 0) return "";
    std::string text = role;
    for (std::uint32_t i = 0; i < std::min(slice.count, kListedInComment); ++i) {
      const std::uint32_t id = desc_.tensor_refs[slice.first + i];
      text += " " + numbered(id, desc_.tensors[id].name);
    }
    return slice.count > kListedInComment ? text + " ..." : text;
  }

  static std::string ids_of(const char* role, const std::uint32_t* ids, std::uint32_t count) {
    if (count == 0) return "";
    std::string text = role;
    for (std::uint32_t i = 0; i < std::min(count, 2 * kListedInComment); ++i) text += " " + std::to_string(ids[i]);
    return count > 2 * kListedInComment ? text + " ..." : text;
  }

  [[nodiscard]] std::string cost(std::uint32_t index) const {
    const detent_op_cost& c = desc_.costs[index];
    return comment(std::to_string(index)) + FieldList()
                                                .number("best_ps", c.best_ps)
                                                .number("worst_ps", c.worst_ps)
                                                .number("flops", c.flops)
                                                .number("read_bytes", c.read_bytes)
                                                .number("write_bytes", c.write_bytes)
                                                .str();
  }

  // ---- Static schedules: the list of each worker.

  [[nodiscard]] std::string schedules() const {
    std::string out =
        desc_.schedule_count == 0 ? "" : "/* ---- Static schedules: which ops each worker runs, in order. */\n";
    for (std::uint32_t i = 0; i < desc_.schedule_count; ++i) out += schedule(i);
    return out + table("detent_static_schedule schedules", desc_.schedule_count, [&](auto i) {
             const std::string number = std::to_string(i);
             return FieldList()
                 .number("worker_count", desc_.schedules[i].worker_count)
                 .text("lists", "lists_" + number)
                 .text("list_ops", "list_ops_" + number)
                 .str();
           });
  }

  [[nodiscard]] std::string schedule(std::uint32_t index) const {
    const detent_static_schedule& s = desc_.schedules[index];
    std::vector<Mark> marks;
    for (std::uint32_t w = 0; w < s.worker_count; ++w) {
      add_mark(marks, s.lists[w], "worker " + std::to_string(w) + ", " + std::to_string(s.lists[w].count) + " ops");
    }
    const std::string number = std::to_string(index);
    return number_table("list_ops_" + number, s.list_ops, desc_.op_count, std::move(marks)) +
           table("detent_slice lists_" + number, s.worker_count, [&](auto w) {
             return FieldList().number("first", s.lists[w].first).number("count", s.lists[w].count).str();
           });
  }

  // ---- The root that names all tables.

  [[nodiscard]] std::string root() const {
    std::string out = "const detent_desc detent_model_desc = {\n    .name = \"" + c_escaped(desc_.name) + "\",\n";
    const auto counted = [&](const std::string& name, const std::string& count_name, std::uint32_t count) {
      out += "    ." + name + " = " + table_or_null(name, count) + ",\n    ." + count_name + " = " +
             std::to_string(count) + "u,\n";
    };
    counted("regions", "region_count", desc_.region_count);
    counted("tensors", "tensor_count", desc_.tensor_count);
    counted("ops", "op_count", desc_.op_count);
    counted("tensor_refs", "tensor_ref_count", desc_.tensor_ref_count);
    counted("successors", "successor_count", desc_.successor_count);
    counted("mutex_refs", "mutex_ref_count", desc_.mutex_ref_count);
    counted("mutex_names", "mutex_count", desc_.mutex_count);
    counted("kernels", "kernel_count", desc_.kernel_count);
    counted("classes", "class_count", desc_.class_count);
    const bool has_config = desc_.config_byte_count != 0;
    out += std::string("    .config_bytes = ") + (has_config ? "(const uint8_t *)config_words" : "NULL") +
           ",\n    .config_byte_count = " + std::to_string(desc_.config_byte_count) + "u,\n";
    counted("inputs", "input_count", desc_.input_count);
    counted("outputs", "output_count", desc_.output_count);
    out += "    .costs = " + table_or_null("costs", desc_.costs == nullptr ? 0 : desc_.op_count) + ",\n";
    counted("schedules", "schedule_count", desc_.schedule_count);
    return out + "};\n";
  }

  const detent_desc& desc_;
  std::vector<std::vector<std::uint32_t>> predecessors_;
};

}  // namespace

std::string emit_desc_tables(const detent_desc& desc) { return DescWriter(desc).write(); }

}  // namespace detent::models
