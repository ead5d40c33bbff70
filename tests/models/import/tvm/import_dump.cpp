#include "tests/models/import/tvm/import_dump.hpp"

#include <cstdio>
#include <utility>

#include "tests/golden.hpp"

namespace detent::models::tvm {
namespace {

std::string num(std::uint64_t value) { return std::to_string(value); }

std::string id(std::uint32_t value) { return value == UINT32_MAX ? "-" : num(value); }

std::string range_text(const SourceRange& range) { return num(range.begin) + "-" + num(range.end); }

std::string extents_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "" : ",") + std::to_string(extent);
  return "[" + text + "]";
}

std::string type_text(const CType& type) {
  std::string text = "<" + type.spelling + " s" + num(static_cast<std::uint64_t>(type.scalar)) + " b" +
                     num(type.scalar_bytes) + " p" + num(type.pointers) + (type.is_const ? " const" : "") +
                     (type.is_vector ? " vector" : "") + (type.is_variable_length ? " variable length" : "") +
                     (type.pointer_bytes != 8 ? " pointers of " + num(type.pointer_bytes) : "");
  for (const std::uint64_t extent : type.extents) text += " [" + num(extent) + "]";
  return text + ">";
}

/// Long sets by their beginning and a digest.
std::string set_text(const ByteSet& set) {
  std::string text, all;
  std::size_t count = 0;
  for (const ByteInterval& part : set.intervals()) {
    const std::string one = " " + std::to_string(part.begin) + ".." + std::to_string(part.end);
    all += one;
    if (++count <= 6) text += one;
  }
  if (count > 6) text += " (" + num(count) + " #" + num(fnv_of(all)) + ")";
  return "{" + text + " }";
}

std::string sets_text(const AccessSets& sets) {
  return "reads " + set_text(sets.reads) + (sets.reads_exact ? "" : " superset") +
         (sets.reads_unbounded ? " unbounded" : "") + " writes " + set_text(sets.writes) +
         (sets.writes_exact ? "" : " superset") + (sets.writes_unbounded ? " unbounded" : "");
}

/// An assignment has the number of a binary expression.
std::uint64_t kind_number(ExprKind kind) {
  return static_cast<std::uint64_t>(kind) - (kind > ExprKind::kBinary ? 1 : 0);
}

/// The text or the operator.
std::string expr_text(const Expr& expr) {
  if (expr.kind == ExprKind::kUnary) return std::string(spelling(expr.unary));
  if (expr.kind == ExprKind::kBinary) return std::string(spelling(expr.binary));
  if (expr.kind == ExprKind::kAssign) return std::string(spelling(expr.binary)) + "=";
  return expr.text;
}

class Trees {
 public:
  explicit Trees(const CUnit& unit) : unit_(unit) {}

  std::string variable(const Variable& v, std::size_t depth) {
    std::string out = line(depth, "var " + v.name + " " + type_text(v.type) + (v.outlives ? " outlives" : "") +
                                      (v.is_thread_local ? " thread local" : "") +
                                      (v.strange.empty() ? "" : " strange: " + v.strange) + " @" + range_text(v.range) +
                                      " line " + num(v.line));
    if (v.init != kNoNode) out += expr(v.init, depth + 1);
    return out;
  }

  std::string expr(ExprId which, std::size_t depth) {
    if (which == kNoNode) return line(depth, "none");
    const Expr& e = unit_.expr(which);
    char number[40];
    std::snprintf(number, sizeof number, "%a", e.number);
    std::string out =
        line(depth, "expr " + num(kind_number(e.kind)) + " '" + expr_text(e) + "' " + std::to_string(e.value) + " " +
                        number + " " + type_text(e.type) + (e.designator.empty() ? "" : " sets " + e.designator) +
                        " @" + range_text(e.range) + " line " + num(e.line));
    for (const ExprId arg : e.args) out += expr(arg, depth + 1);
    return out;
  }

  std::string stmt(StmtId which, std::size_t depth) {
    if (which == kNoNode) return line(depth, "none");
    const Stmt& s = unit_.stmt(which);
    std::string out =
        line(depth, "stmt " + num(static_cast<std::uint64_t>(s.kind)) + (s.word.empty() ? "" : " '" + s.word + "'") +
                        (s.tests_last ? " tests last" : "") + " @" + range_text(s.range) + " line " + num(s.line));
    if (s.kind == StmtKind::kDeclare) out += variable(s.variable, depth + 1);
    if (s.init != kNoNode || s.step != kNoNode) out += stmt(s.init, depth + 1);
    if (s.expr != kNoNode) out += expr(s.expr, depth + 1);
    if (s.step != kNoNode) out += expr(s.step, depth + 1);
    for (const StmtId child : s.body) out += stmt(child, depth + 1);
    if (!s.else_body.empty()) out += line(depth, "else");
    for (const StmtId child : s.else_body) out += stmt(child, depth + 1);
    return out;
  }

 private:
  static std::string line(std::size_t depth, const std::string& text) {
    return std::string(2 * depth, ' ') + text + "\n";
  }

  const CUnit& unit_;
};

std::string io_text(const char* what, const std::optional<std::vector<IoInfo>>& list) {
  if (!list) return std::string(what) + "s not told\n";
  std::string text;
  for (const IoInfo& info : *list) {
    text += std::string(what) + " '" + info.name + "' " + num(info.size_bytes) + " bytes " + info.dtype + " " +
            extents_text(info.shape) + "\n";
  }
  return text;
}

std::string argument_text(const Argument& argument) {
  const char* const kinds[] = {"buffer", "pool", "device", "null"};
  std::string text = std::string(kinds[static_cast<std::size_t>(argument.kind)]) + " " + num(argument.index);
  if (!argument.shape.empty()) text += extents_text(argument.shape);
  return text + (argument.dtype.empty() ? "" : " " + argument.dtype);
}

std::string call_text(const Call& call, const std::vector<Direction>& directions) {
  std::string text = call.function + (call.kind == Call::Kind::kCopy ? " copies " + num(call.copy_bytes) : "") +
                     " device " + id(call.device) + " line " + num(call.line) + " before '" + call.before +
                     "' after '" + call.after + "'";
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    text += "; " + argument_text(call.arguments[k]) + (directions[k].reads ? " r" : "") +
            (directions[k].writes ? " w" : "");
  }
  return text;
}

std::string edges_text(const std::vector<CallEdge>& edges) {
  std::string text;
  for (const auto& [from, to] : edges) text += " " + num(from) + "-" + num(to);
  return text;
}

}  // namespace

std::string unit_text(const CUnit& unit) {
  std::string text = "unit " + unit.file + " " + num(unit.text.size()) + " bytes\n";
  Trees trees(unit);
  for (const Function& f : unit.functions) {
    text += "function " + f.name + " " + type_text(f.result) + (f.is_static ? " static" : "") +
            (f.damaged ? " damaged" : "") + " @" + range_text(f.range) + " body " + range_text(f.body_range) +
            " line " + num(f.line) + (f.file.empty() ? "" : " of " + f.file) +
            (f.doubt.empty() ? "" : " doubt: " + f.doubt) + "\n";
    for (const Variable& param : f.params) text += trees.variable(param, 1);
    if (f.body != kNoNode) text += trees.stmt(f.body, 1);
  }
  for (const Record& record : unit.records) {
    text += "record " + record.name + " " + num(record.size_bytes) + " bytes line " + num(record.line) + "\n";
    for (std::size_t i = 0; i < record.fields.size(); ++i)
      text += " +" + num(record.field_offsets[i]) + trees.variable(record.fields[i], 1);
  }
  for (const auto& [name, layout] : unit.layouts) {
    text += "layout " + name;
    for (const RecordLayout::Member& member : layout.members)
      text += " +" + num(member.offset) + " " + member.name + " " + type_text(member.type);
    text += "\n";
  }
  for (const Global& global : unit.globals) {
    text += "global" + std::string(global.is_static ? " static" : "") + (global.is_defined ? " defined" : "") +
            " initialiser " + range_text(global.initialiser) + "\n" + trees.variable(global.variable, 1);
  }
  for (const Macro& macro : unit.macros) text += "macro " + macro.name + " " + std::to_string(macro.value) + "\n";
  for (const Diagnostic& error : unit.errors) text += "error " + num(error.line) + ": " + error.text + "\n";
  const TensorLayout& tensor = unit.tensor;
  if (tensor.device != 8 || tensor.ndim != 16 || tensor.dtype != 20 || tensor.shape != 24 || tensor.strides != 32 ||
      tensor.byte_offset != 40 || tensor.pointer_bytes != 8) {
    text += "DLTensor: pointers of " + num(tensor.pointer_bytes);
    for (const std::int64_t at :
         {tensor.device, tensor.ndim, tensor.dtype, tensor.shape, tensor.strides, tensor.byte_offset})
      text += " +" + std::to_string(at);
    text += "\n";
  }
  return text;
}

std::string artifact_text(const Artifact& a) {
  std::string text = "module '" + a.module_name + "' tvm '" + a.tvm_version + "' main '" + a.main_symbol + "' run '" +
                     a.run_symbol + "'" + (a.packed ? " packed" : "") + (a.constants_complete ? " complete" : "") +
                     "\nglue '" + a.glue_file + "' #" + num(fnv_of(a.glue_text)) + " header '" + a.header_file + "' #" +
                     num(fnv_of(a.header_text)) + "\noperators " + a.operators.file;
  for (const Function& function : a.operators.functions) text += " " + function.name;
  text += "\n";
  for (const CUnit& unit : a.externals) {
    text += "external " + unit.file;
    for (const Function& function : unit.functions) text += " " + function.name;
    text += "\n";
  }
  text += io_text("input", a.inputs) + io_text("output", a.outputs);
  for (const PoolInfo& pool : a.pools) {
    text += "pool " + pool.name + " " + num(pool.size_bytes) + (pool.is_const ? " const" : "") +
            (pool.is_external ? " external" : "") + "\n";
  }
  for (const PooledConstant& constant : a.constants) {
    text += "constant " + constant.name + " at " + num(constant.offset_bytes) + " " + num(constant.bytes.size()) +
            " bytes #" + num(fnv_of(constant.bytes)) + "\n";
  }
  for (const NamedArray& array : a.parameters) {
    text += "parameter " + array.name + " " + array.dtype + " " + extents_text(array.shape) + " " +
            num(array.bytes.size()) + " bytes #" + num(fnv_of(array.bytes)) + "\n";
  }
  for (const std::string& device : a.device_contexts) text += "device " + device + "\n";
  for (const std::string& note : a.notes) text += "note " + note + "\n";
  return text;
}

std::string footprint_text(const FunctionFootprint& f) {
  std::string text = "footprint " + f.function + (f.understood ? "" : " opaque: " + f.why + " line " + num(f.line)) +
                     " stack " + num(f.stack_bytes) + " workspace " + num(f.workspace_bytes) + " flops " +
                     num(f.flops) + "\n";
  for (std::size_t i = 0; i < f.params.size(); ++i) {
    text += "  " + (i < f.param_names.size() ? f.param_names[i] : "?") + " of " +
            (i < f.param_elements.size() ? f.param_elements[i] : "?") + ": " + sets_text(f.params[i]) + "\n";
  }
  for (const PoolUse& use : f.pool_uses) {
    text += "  use " + use.name + " of " + num(use.param) + " + " + num(use.offset_bytes) + " as " + use.element +
            " size " + num(use.literal_size_bytes) + " @" + range_text(use.declaration) + " literal " +
            range_text(use.literal) + ": " + sets_text(use.access) + "\n";
  }
  return text;
}

std::string program_text(const Program& p, const Footprints& footprints) {
  std::string text = "program" + std::string(p.packed ? " packed" : "") + "\n";
  const char* const kinds[] = {"workspace pool", "const pool", "input", "output", "workspace", "constant", "state"};
  for (const MemoryObject& object : p.objects) {
    text += "object " + object.name + ": " + kinds[static_cast<std::size_t>(object.kind)] + " " + num(object.position) +
            " " + num(object.size_bytes) + " bytes " + object.dtype + " " + extents_text(object.shape) + "\n";
  }
  for (const Buffer& buffer : p.buffers) {
    text += "buffer " + buffer.name + ": " + num(buffer.object) + " + " + num(buffer.offset_bytes) + " " +
            num(buffer.size_bytes) + " bytes " + buffer.dtype + " line " + num(buffer.line) + "\n";
  }
  const auto directions = argument_directions(p, footprints);
  for (std::size_t i = 0; i < p.calls.size(); ++i) text += "call " + call_text(p.calls[i], directions[i]) + "\n";
  for (const Device& device : p.devices)
    text += "device " + device.name + " " + device.activate + " " + device.deactivate + "\n";
  for (const MainParameter& parameter : p.parameters) {
    text += "parameter " + parameter.name + " " + parameter.type +
            (parameter.kind == MainParameter::Kind::kDevice ? " device " : " object ") + num(parameter.index) + "\n";
  }
  text += "inputs";
  for (const std::uint32_t object : p.inputs) text += " " + num(object);
  text += " outputs";
  for (const std::uint32_t object : p.outputs) text += " " + num(object);
  return text + "\n";
}

std::string hazards_text(const Import& import) {
  std::string text;
  for (std::size_t i = 0; i < import.accesses.size(); ++i) {
    for (const CallAccess& access : import.accesses[i]) {
      text += "access " + num(i) + " " + access.what + ": object " + num(access.object) + " buffer " +
              id(access.buffer) + " argument " + num(access.argument) + " use " + id(access.pool_use) + " reads " +
              set_text(access.reads) + " writes " + set_text(access.writes) + (access.exact ? "" : " superset") + "\n";
    }
  }
  const HazardReport& report = import.hazards;
  for (const Conflict& conflict : report.conflicts) {
    text += "conflict " + num(conflict.a) + " " + num(conflict.b) + " kinds " + num(conflict.kinds) +
            (conflict.is_ordered ? " ordered" : " races") + "\n";
    for (const Overlap& overlap : conflict.overlaps) {
      text += "  " + num(overlap.kind) + " in " + num(overlap.object) + " " + overlap.what_a + " " + overlap.what_b +
              " " + set_text(overlap.bytes) + "\n";
    }
  }
  text += "by names" + edges_text(report.name_edges) + "\nby hazards" + edges_text(report.hazard_edges) +
          "\nunordered " + num(report.unordered_pairs) + " racing " + num(report.racing_pairs) + " raw " +
          num(report.raw) + " war " + num(report.war) + " waw " + num(report.waw) + "\n";
  std::vector<std::uint64_t> costs;
  for (std::size_t i = 0; i < import.program.calls.size(); ++i) costs.push_back(3 + 7 * i % 5);
  for (const auto* edges : {&report.name_edges, &report.hazard_edges}) {
    for (const auto& cost : {std::vector<std::uint64_t>{}, costs}) {
      const Parallelism p = parallelism(import.program.calls.size(), *edges, cost);
      text += "parallelism " + num(p.edges) + " edges width " + num(p.width) + " depth " + num(p.depth) + " path " +
              num(p.critical_path) + " work " + num(p.work) + "\n";
    }
  }
  for (const std::string& note : import.notes) text += "note " + note + "\n";
  return text;
}

}  // namespace detent::models::tvm
