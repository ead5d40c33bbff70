// Program: main as read, then inputs told from outputs and sizes filled in.
#include "models/import/tvm/program/program.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "base/input_error.hpp"
#include "models/import/tvm/artifact/roles.hpp"
#include "models/import/tvm/files/names.hpp"
#include "models/import/tvm/program/link.hpp"
#include "models/import/tvm/program/main_reader.hpp"

namespace detent::models::tvm {
namespace {

using Kind = MemoryObject::Kind;

std::uint64_t dtype_bytes(const std::string& dtype) {
  const std::size_t digits = dtype.find_first_of("0123456789");
  if (dtype == "bool") return 1;
  return digits == dtype.npos ? 0 : std::stoull(dtype.substr(digits, 3)) / 8;
}

std::uint64_t shape_bytes(const std::vector<std::int64_t>& shape, const std::string& dtype) {
  std::uint64_t bytes = dtype_bytes(dtype);
  for (const std::int64_t extent : shape) {
    if (extent <= 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes)) return 0;
  }
  return bytes;
}

/// Packed calls tell shape and type of every tensor; the largest wins where a buffer is seen in several shapes.
void take_sizes_of_packed_calls(Program& program) {
  for (const Call& call : program.calls) {
    for (const Argument& argument : call.arguments) {
      if (argument.shape.empty()) continue;
      const std::uint64_t bytes = shape_bytes(argument.shape, argument.dtype);
      if (argument.kind == Argument::Kind::kPool) {
        MemoryObject& pool = program.objects[argument.index];
        pool.size_bytes = std::max(pool.size_bytes, bytes);
      } else if (argument.kind == Argument::Kind::kBuffer) {
        Buffer& buffer = program.buffers[argument.index];
        if (bytes > buffer.size_bytes) buffer.dtype = argument.dtype;
        buffer.size_bytes = std::max(buffer.size_bytes, bytes);
        MemoryObject& object = program.objects[buffer.object];
        const bool is_whole = object.kind == Kind::kInput || object.kind == Kind::kOutput;
        if (is_whole && object.shape.empty()) {
          object.shape = argument.shape;
          object.dtype = argument.dtype;
          object.size_bytes = std::max(object.size_bytes, bytes);
        }
      }
    }
  }
}

void take_sizes_of_constants(const Artifact& artifact, Program& program) {
  for (MemoryObject& object : program.objects) {
    if (object.kind == Kind::kConstPool) {
      for (const PooledConstant& constant : artifact.constants)
        object.size_bytes = std::max<std::uint64_t>(object.size_bytes, constant.offset_bytes + constant.bytes.size());
    }
    for (const NamedArray& array : artifact.parameters) {
      if (object.kind == Kind::kConstant && "__tvm_param__" + array.name == object.name)
        object.size_bytes = std::max<std::uint64_t>(object.size_bytes, array.bytes.size());
    }
  }
}

std::vector<std::uint32_t> interface_objects(const Program& program) {
  std::vector<std::uint32_t> objects;
  for (const MainParameter& parameter : program.parameters) {
    if (parameter.kind == MainParameter::Kind::kObject && program.objects[parameter.index].kind == Kind::kInput) {
      objects.push_back(parameter.index);
    }
  }
  return objects;
}

std::vector<bool> written_objects(const Program& program, const Footprints& footprints) {
  std::vector<bool> written(program.objects.size());
  const auto directions = argument_directions(program, footprints);
  for (std::size_t i = 0; i < program.calls.size(); ++i) {
    for (std::size_t k = 0; k < directions[i].size(); ++k) {
      if (directions[i][k].writes) written[program.buffers[program.calls[i].arguments[k].index].object] = true;
    }
  }
  return written;
}

void take_info(MemoryObject& object, const IoInfo& info) {
  object.name = info.name;
  if (!info.shape.empty()) object.shape = info.shape;
  if (!info.dtype.empty()) object.dtype = info.dtype;
  object.size_bytes = std::max({object.size_bytes, info.size_bytes, shape_bytes(info.shape, info.dtype)});
}

/// "float" -> "float32"; "" for what TVM has no type for.
std::string dtype_of_element(std::string element) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kTypes = {
      {{"float", "float32"},   {"double", "float64"},        {"int8_t", "int8"},   {"signed char", "int8"},
       {"uint8_t", "uint8"},   {"unsigned char", "uint8"},   {"int16_t", "int16"}, {"short", "int16"},
       {"uint16_t", "uint16"}, {"unsigned short", "uint16"}, {"int32_t", "int32"}, {"int", "int32"},
       {"uint32_t", "uint32"}, {"unsigned int", "uint32"},   {"int64_t", "int64"}, {"long", "int64"},
       {"uint64_t", "uint64"}, {"unsigned long", "uint64"},  {"_Bool", "bool"},    {"bool", "bool"}}};
  while (!element.empty() && (element.back() == '*' || element.back() == ' ')) element.pop_back();
  const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& row) { return row.first == element; });
  return found != kTypes.end() ? std::string(found->second) : std::string{};
}

/// Types of inputs and outputs that nothing tells: main's parameter, else how the operators access them.
void infer_types(const Footprints& footprints, Program& program) {
  const auto take = [&](std::uint32_t object, const std::string& element) {
    const Kind kind = program.objects[object].kind;
    if ((kind == Kind::kInput || kind == Kind::kOutput) && program.objects[object].dtype.empty()) {
      program.objects[object].dtype = dtype_of_element(element);
    }
  };
  for (const MainParameter& parameter : program.parameters) {
    if (parameter.kind == MainParameter::Kind::kObject) take(parameter.index, parameter.type);
  }
  for (const Call& call : program.calls) {
    const auto found = footprints.find(call.function);
    for (std::size_t k = 0; found != footprints.end() && k < call.arguments.size(); ++k) {
      if (call.arguments[k].kind != Argument::Kind::kBuffer || k >= found->second.param_elements.size()) continue;
      const Buffer& buffer = program.buffers[call.arguments[k].index];
      if (buffer.offset_bytes == 0) take(buffer.object, found->second.param_elements[k]);
    }
  }
}

void split_interface(const Artifact& artifact, const Footprints& footprints, Program& program) {
  const std::vector<std::uint32_t> objects = interface_objects(program);
  const bool told =
      artifact.inputs && artifact.outputs && artifact.inputs->size() + artifact.outputs->size() == objects.size();
  if (artifact.inputs && artifact.outputs && !told) {
    program.notes.push_back("main takes " + std::to_string(objects.size()) + " tensors where header or metadata tell " +
                            std::to_string(artifact.inputs->size() + artifact.outputs->size()) +
                            "; inputs and outputs are told apart by what operators write");
  }
  const std::vector<bool> written = told ? std::vector<bool>{} : written_objects(program, footprints);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    MemoryObject& object = program.objects[objects[i]];
    const bool is_output = told ? i >= artifact.inputs->size() : static_cast<bool>(written[objects[i]]);
    auto& list = is_output ? program.outputs : program.inputs;
    object.kind = is_output ? Kind::kOutput : Kind::kInput;
    object.position = static_cast<std::uint32_t>(list.size());
    list.push_back(objects[i]);
    if (told) take_info(object, is_output ? (*artifact.outputs)[object.position] : (*artifact.inputs)[object.position]);
  }
  if (program.outputs.empty())
    throw InputError(program.file, std::to_string(artifact.operators.find(artifact.main_symbol)->line),
                     artifact.main_symbol + ": no operator writes a parameter of main");
}

/// By names and position, where no body tells.
Direction guess(const Program& program, const Call& call, std::size_t k, const std::string& name,
                const std::vector<bool>& mentioned) {
  const Buffer& buffer = program.buffers[call.arguments[k].index];
  const Kind kind = program.objects[buffer.object].kind;
  if (kind == Kind::kConstant || kind == Kind::kConstPool) return {.reads = true};
  if (is_input_name(name)) return {.reads = true};
  if (is_output_name(name)) return {.writes = true};
  const auto is_buffer = [](const Argument& a) { return a.kind == Argument::Kind::kBuffer; };
  const bool is_last =
      std::none_of(call.arguments.begin() + static_cast<std::ptrdiff_t>(k) + 1, call.arguments.end(), is_buffer);
  if (kind == Kind::kOutput) return {.reads = !is_last, .writes = is_last};
  const bool is_interface = kind == Kind::kInput;
  if (!is_interface && !mentioned[call.arguments[k].index]) return {.writes = true};
  return {.reads = !is_last, .writes = is_last};
}

/// Constants have no place in an order of calls: nothing may write them.
void refuse_written_constants(const Program& program, const Footprints& footprints) {
  const auto is_constant = [&](std::uint32_t object) {
    const Kind kind = program.objects[object].kind;
    return kind == Kind::kConstant || kind == Kind::kConstPool;
  };
  const auto directions = argument_directions(program, footprints);
  for (std::size_t i = 0; i < program.calls.size(); ++i) {
    const Call& call = program.calls[i];
    const auto found = footprints.find(call.function);
    const auto refuse = [&](std::uint32_t object) {
      throw InputError(program.file, std::to_string(call.line),
                       call.function + " writes " + program.objects[object].name + ", a constant");
    };
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      const Argument& argument = call.arguments[k];
      if (argument.kind == Argument::Kind::kBuffer) {
        const std::uint32_t object = program.buffers[argument.index].object;
        if (directions[i][k].writes && is_constant(object)) refuse(object);
      }
      if (argument.kind != Argument::Kind::kPool || found == footprints.end() || !is_constant(argument.index)) continue;
      for (const PoolUse& use : found->second.pool_uses) {
        if (use.param == k && !use.access.writes.empty()) refuse(argument.index);
      }
      if (k < found->second.params.size() && !found->second.params[k].writes.empty()) refuse(argument.index);
    }
  }
}

/// Ranges in the text of all files together -> in the text of the file that defines the function.
void move_to_own_text(const Artifact& artifact, const Function& function, FunctionFootprint& footprint) {
  std::uint64_t base = 0;
  std::uint64_t end = artifact.operators.text.size();
  for (const CUnit& unit : artifact.externals) {
    if (function.range.begin < end) break;
    base = end;
    end += unit.text.size();
  }
  for (PoolUse& use : footprint.pool_uses) {
    for (SourceRange* range : {&use.declaration, &use.literal}) {
      if (range->end == 0) continue;
      range->begin -= base;
      range->end -= base;
    }
  }
}

/// Empty without main.
std::set<std::string> names_in_main(const Artifact& artifact) {
  std::set<std::string> names;
  const Function* main = artifact.operators.find(artifact.main_symbol);
  if (main == nullptr) return names;
  for (const Expr& expr : artifact.operators.exprs) {
    const bool is_inside = main->body_range.begin <= expr.range.begin && expr.range.end <= main->body_range.end;
    if (is_inside && (expr.kind == ExprKind::kName || expr.kind == ExprKind::kString)) names.insert(expr.text);
  }
  return names;
}

}  // namespace

Footprints analyse_functions(const Artifact& artifact) {
  Footprints footprints;
  const std::set<std::string> called = names_in_main(artifact);
  const auto analyse = [&](const CUnit& unit) {
    for (const Function& function : unit.functions) {
      if (function.body == kNoNode || function.is_static || function.name == artifact.main_symbol ||
          function.name == artifact.run_symbol || footprints.contains(function.name)) {
        continue;
      }
      const bool is_own = artifact.operators.find(function.name) != nullptr;
      if (!is_own && !called.empty() && !called.contains(function.name)) continue;  // what a vendor adds for others
      FunctionFootprint footprint =
          analyse_function(unit, function, {.packed = artifact.packed && is_packed(function)});
      move_to_own_text(artifact, function, footprint);
      footprints.emplace(function.name, std::move(footprint));
    }
  };
  analyse(artifact.externals.empty() ? artifact.operators : linked(artifact.operators, artifact.externals));
  return footprints;
}

std::vector<std::vector<Direction>> argument_directions(const Program& program, const Footprints& footprints) {
  std::vector<std::vector<Direction>> directions(program.calls.size());
  std::vector<bool> mentioned(program.buffers.size());
  for (std::size_t i = 0; i < program.calls.size(); ++i) {
    const Call& call = program.calls[i];
    directions[i].resize(call.arguments.size());
    const auto found = footprints.find(call.function);
    const FunctionFootprint* footprint = found != footprints.end() ? &found->second : nullptr;
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      if (call.arguments[k].kind != Argument::Kind::kBuffer) continue;
      Direction& direction = directions[i][k];
      if (call.kind == Call::Kind::kCopy) {
        direction = {.reads = k == 1, .writes = k == 0};
      } else if (footprint != nullptr && footprint->understood && k < footprint->params.size()) {
        const AccessSets& sets = footprint->params[k];
        direction = {.reads = sets.reads_unbounded || !sets.reads.empty(),
                     .writes = sets.writes_unbounded || !sets.writes.empty()};
        if (sets.reads_unbounded && sets.writes_unbounded) {
          direction =
              guess(program, call, k, footprint->param_names.size() > k ? footprint->param_names[k] : "", mentioned);
        }
      } else {
        const bool has_name = footprint != nullptr && k < footprint->param_names.size();
        direction = guess(program, call, k, has_name ? footprint->param_names[k] : "", mentioned);
      }
    }
    for (const Argument& argument : call.arguments) {
      if (argument.kind == Argument::Kind::kBuffer) mentioned[argument.index] = true;
    }
  }
  return directions;
}

Program read_program(const Artifact& artifact, const Footprints& footprints) {
  Program program;
  program.notes = artifact.notes;
  MainReader(artifact, program).read();
  take_sizes_of_constants(artifact, program);
  take_sizes_of_packed_calls(program);
  split_interface(artifact, footprints, program);
  refuse_written_constants(program, footprints);
  infer_types(footprints, program);
  for (Buffer& buffer : program.buffers) {
    const MemoryObject& object = program.objects[buffer.object];
    if (object.kind == Kind::kInput || object.kind == Kind::kOutput) {
      buffer.size_bytes = std::max(buffer.size_bytes, object.size_bytes);
      if (buffer.dtype.empty()) buffer.dtype = object.dtype;
    }
  }
  return program;
}

}  // namespace detent::models::tvm
