// Thunks as C text. Layout of a thunk: pointers from the exec config, then one call.
#include "models/import/tvm/module/module_text.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/core/thunks.hpp"
#include "models/import/tvm/artifact/roles.hpp"
#include "models/import/tvm/clang/prelude.hpp"
#include "models/import/tvm/files/module_support.hpp"
#include "models/import/tvm/module/allocator.hpp"

namespace detent::models::tvm {
namespace {

void put_little_endian(std::vector<std::uint8_t>& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

/// The name in `#include "x"` or <x>; "" for other lines.
std::string included(const std::string& line) {
  std::size_t at = line.find_first_not_of(" \t");
  if (at == line.npos || line[at] != '#') return {};
  at = line.find_first_not_of(" \t", at + 1);
  if (at == line.npos || line.compare(at, 7, "include") != 0) return {};
  const std::size_t open = line.find_first_of("\"<", at + 7);
  const std::size_t close = open == line.npos ? open : line.find_first_of("\">", open + 1);
  return close == line.npos ? std::string{} : line.substr(open + 1, close - open - 1);
}

int dtype_code(const std::string& dtype) {
  if (dtype.starts_with("float")) return 2;
  if (dtype.starts_with("uint") || dtype == "bool") return 1;
  return dtype.starts_with("bfloat") ? 4 : 0;
}

std::string dtype_bits(const std::string& dtype) {
  const std::size_t digits = dtype.find_first_of("0123456789");
  return dtype == "bool" ? "1" : digits == dtype.npos ? "8" : dtype.substr(digits);
}

/// A name that no kernel has, built-in ones included.
std::string undefined_kernel(const Call& call) {
  return call.function.starts_with("tvmgen_") ? call.function : "undefined:" + call.function;
}

}  // namespace

std::string apply_edits(const std::string& text, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    const auto key = [](const SourceRange& range) { return std::pair(range.begin, range.begin < range.end); };
    return key(a.range) != key(b.range) ? key(a.range) < key(b.range) : b.range.end < a.range.end;
  });
  std::string result;
  std::uint64_t begin = 0, at = 0;
  for (const Edit& edit : edits) {
    const bool is_insertion = edit.range.begin == edit.range.end;
    const bool is_gone = is_insertion
                             ? begin < edit.range.begin && edit.range.end < at
                             : begin <= edit.range.begin && edit.range.begin < edit.range.end && edit.range.end <= at;
    if (is_gone) continue;  // with what is left out
    begin = edit.range.begin;
    if (edit.range.begin < at || edit.range.end < edit.range.begin || edit.range.end > text.size()) {
      throw std::logic_error("overlapping edits at byte " + std::to_string(edit.range.begin));
    }
    result.append(text, at, edit.range.begin - at);
    result += edit.text;
    at = edit.range.end;
  }
  return result.append(text, at, text.size() - at);
}

Edit without_main(const Artifact& artifact) {
  const Function* main = artifact.operators.find(artifact.main_symbol);
  return {main != nullptr ? main->range : SourceRange{},
          "/* main is gone: the runtime calls the operators by their dependencies */"};
}

std::vector<std::uint8_t> thunk_config(const std::vector<ThunkArgument>& arguments) {
  std::vector<std::uint8_t> bytes;
  for (const ThunkArgument& argument : arguments) {
    put_little_endian(bytes, argument.list, 4);
    put_little_endian(bytes, argument.index, 4);
    put_little_endian(bytes, static_cast<std::uint64_t>(argument.delta), 8);
  }
  return bytes;
}

ModuleText::ModuleText(const Artifact& artifact, const Program& program, const Footprints& footprints)
    : artifact_(artifact), program_(program), footprints_(footprints), definitions_(artifact) {}

/// Edits that make a file compile by itself: headers that nobody has are left out, and so is every unusable function.
std::vector<Edit> ModuleText::self_contained(const CUnit& unit) const {
  std::vector<Edit> edits;
  for (std::size_t begin = 0; begin < unit.text.size();) {
    const std::size_t end = std::min(unit.text.find('\n', begin), unit.text.size());
    const std::string name = included(unit.text.substr(begin, std::min<std::size_t>(end - begin, 512)));
    const std::string known = known_header(name);
    if (!name.empty() && known != name) {
      edits.push_back({{begin, end}, known.empty() ? "/* left out: " + name + " */" : "#include \"" + known + "\""});
    }
    begin = end + 1;
  }
  for (const Function& function : unit.functions) {
    if (function.body == kNoNode || definitions_.is_usable(unit, function)) continue;
    edits.push_back({function.range, "/* left out, does not compile: " + function.name + " */"});
  }
  return edits;
}

const Function* ModuleText::signature(const std::string& function) const {
  const Function* declared = nullptr;
  const auto search = [&](const CUnit& unit) {
    for (const Function& candidate : unit.functions) {
      if (candidate.name == function && (declared == nullptr || candidate.body != kNoNode)) declared = &candidate;
    }
  };
  search(artifact_.operators);
  for (const CUnit& unit : artifact_.externals) search(unit);
  return declared;
}

bool ModuleText::is_defined(const std::string& function) const { return definitions_.is_usable(function); }

std::string ModuleText::argument_text(const Call& call, const Function* function, std::size_t k) const {
  const Argument& argument = call.arguments[k];
  if (argument.kind == Argument::Kind::kBuffer) {
    const Buffer& buffer = program_.buffers[argument.index];
    const MemoryObject& object = program_.objects[buffer.object];
    const bool is_static = object.kind == MemoryObject::Kind::kConstant &&
                           std::any_of(artifact_.operators.globals.begin(), artifact_.operators.globals.end(),
                                       [&](const Global& global) { return global.variable.name == object.name; });
    if (is_static) return "(void *)((uint8_t *)" + object.name + " + " + std::to_string(buffer.offset_bytes) + ")";
  }
  const std::string pointer = "detent_tvm_pointer(args, " + std::to_string(k) + ")";
  if (function == nullptr || k >= function->params.size() || function->params[k].type.pointers == 0) return pointer;
  return "(" + function->params[k].type.spelling + ")" + pointer;
}

/// TVMValue and DLTensor arrays on the stack, shapes and types as main gives them.
std::string ModuleText::packed_text(const Call& call) const {
  const std::string count = std::to_string(call.arguments.size());
  std::string text = "  DLTensor tensors[" + count + "];\n  TVMValue values[" + count + "], result;\n  int32_t codes[" +
                     count + "], result_code = 0;\n";
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const Argument& argument = call.arguments[k];
    const std::string n = std::to_string(k);
    const std::string dtype = argument.dtype.empty() ? "uint8" : argument.dtype;
    std::vector<std::int64_t> shape = argument.shape;
    if (shape.empty()) shape.push_back(1);
    text += "  static int64_t shape_" + n + "[] = {";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    text += "};\n  tensors[" + n + "] = (DLTensor){" + argument_text(call, nullptr, k) + ", {kDLCPU, 0}, " +
            std::to_string(shape.size()) + ", {" + std::to_string(dtype_code(dtype)) + ", " + dtype_bits(dtype) +
            ", 1}, shape_" + n + ", NULL, 0};\n  values[" + n + "].v_handle = &tensors[" + n + "];\n  codes[" + n +
            "] = kTVMDLTensorHandle;\n";
  }
  return text + "  return " + call.function + kPackedArguments + count + ", (void *)&result, &result_code, NULL);\n";
}

std::string ModuleText::call_text(const Call& call, std::uint64_t workspace_bytes) const {
  std::string text;
  if (workspace_bytes > 0) {
    text += "  detent_tvm_workspace.base = (uint8_t *)detent_tvm_pointer(args, " +
            std::to_string(call.arguments.size()) +
            ");\n  detent_tvm_workspace.size = " + std::to_string(workspace_bytes) +
            "u;\n  detent_tvm_workspace.used = 0;\n";
  }
  if (call.kind == Call::Kind::kCopy) {
    return text + kCopyStatement + argument_text(call, nullptr, 0) + ", " + argument_text(call, nullptr, 1) + ", " +
           std::to_string(call.copy_bytes) + "u);\n  return 0;\n";
  }
  const Function* function = signature(call.function);
  const bool takes_values = function != nullptr ? is_packed(*function) : program_.packed;
  if (takes_values) return text + packed_text(call);
  std::string arguments;
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    arguments += (k == 0 ? "" : ",\n      ") + argument_text(call, function, k);
  }
  const std::string device = "NULL";
  if (call.before.empty() && call.after.empty()) return text + "  return " + call.function + "(" + arguments + ");\n";
  text += "  int32_t result;\n";
  if (!call.before.empty()) text += "  if (" + call.before + "(" + device + ") != 0) return -1;\n";
  text += "  result = " + call.function + "(" + arguments + ");\n";
  if (!call.after.empty()) text += "  if (" + call.after + "(" + device + ") != 0) return -1;\n";
  return text + "  return result;\n";
}

std::string ModuleText::kernel_of(const Call& call, std::uint64_t workspace_bytes) {
  for (const std::string* symbol : {&call.function, &call.before, &call.after}) {
    const bool is_symbol = !symbol->empty() && !(call.kind == Call::Kind::kCopy && symbol == &call.function);
    if (is_symbol && !is_defined(*symbol)) {
      missing_.insert(*symbol);
      return undefined_kernel(call);
    }
  }
  const std::string body = call_text(call, workspace_bytes);
  if (const auto found = by_body_.find(body); found != by_body_.end()) return kernels_[found->second].name;
  const std::size_t twin = names_[call.function]++;
  Kernel kernel{.name = twin == 0 ? call.function : call.function + "#" + std::to_string(twin + 1),
                .symbol = "detent_thunk_" + std::to_string(kernels_.size()),
                .body = body,
                .arguments = call.arguments.size() + (workspace_bytes > 0 ? 1 : 0)};
  by_body_[body] = kernels_.size();
  kernels_.push_back(kernel);
  return kernel.name;
}

std::string ModuleText::without_kernel(const Call& call) {
  missing_.insert(call.function);
  return undefined_kernel(call);
}

std::uint64_t ModuleText::workspace_of(const std::string& function) const {
  constexpr std::uint64_t kBlock = 64;  // of the allocator in kAllocatorText
  const auto found = footprints_.find(function);
  if (found == footprints_.end() || found->second.workspace_bytes == 0) return 0;
  const std::uint64_t blocks = std::max<std::uint64_t>(allocations_of(function), 1);
  return (found->second.workspace_bytes + (blocks - 1) * (kBlock - 1) + kBlock - 1) / kBlock * kBlock;
}

/// Places in the text at which a function, or what it calls, takes workspace.
std::size_t ModuleText::allocations_of(const std::string& function) const {
  std::set<std::string> reached = {function};
  std::vector<std::string> open = {function};
  std::size_t count = 0;
  const auto walk = [&](const CUnit& unit, const Function& caller) {
    for (const Expr& e : unit.exprs) {
      if (e.kind != ExprKind::kCall || e.range.begin < caller.body_range.begin || caller.body_range.end < e.range.end)
        continue;
      const std::string& name = unit.expr(e.args[0]).text;
      if (name == "TVMBackendAllocWorkspace") ++count;
      if (reached.insert(name).second) open.push_back(name);
    }
  };
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    if (const Function* own = artifact_.operators.find(name)) walk(artifact_.operators, *own);
    for (const CUnit& unit : artifact_.externals) {
      if (const Function* own = unit.find(name)) walk(unit, *own);
    }
  }
  return count;
}

bool ModuleText::calls_runtime() const {
  const auto calls = [](const CUnit& unit) {
    return std::any_of(unit.exprs.begin(), unit.exprs.end(), [&](const Expr& e) {
      return e.kind == ExprKind::kCall && !e.args.empty() && is_runtime_function(unit.expr(e.args[0]).text);
    });
  };
  return calls(artifact_.operators) || std::any_of(artifact_.externals.begin(), artifact_.externals.end(), calls);
}

/// Of functions in other files that calls name, where the operators' file does not declare them.
std::string ModuleText::prototypes() const {
  std::set<std::string> called, declared;
  for (const Call& call : program_.calls) {
    for (const std::string* symbol : {&call.function, &call.before, &call.after}) called.insert(*symbol);
  }
  for (const Function& function : artifact_.operators.functions) declared.insert(function.name);
  std::string text;
  for (const CUnit& unit : artifact_.externals) {
    for (const Function& function : unit.functions) {
      const bool is_wanted = function.body != kNoNode && !function.is_static && called.contains(function.name) &&
                             !declared.contains(function.name) && definitions_.is_usable(unit, function);
      if (!is_wanted) continue;
      text += function.result.spelling + " " + function.name + "(";
      for (std::size_t i = 0; i < function.params.size(); ++i) {
        text += (i == 0 ? "" : ", ") + function.params[i].type.spelling;
      }
      text += function.params.empty() ? "void);\n" : ");\n";
    }
  }
  return text;
}

std::vector<SourceFile> ModuleText::sources(std::vector<Edit> edits) const {
  std::vector<Edit> all = self_contained(artifact_.operators);
  for (Edit& edit : edits) all.push_back(std::move(edit));
  std::string text = apply_edits(artifact_.operators.text, std::move(all));
  text += "\n" + std::string(kThunksBegin) +
          "#include <string.h>\n#include \"tvm/runtime/c_backend_api.h\"\n#include \"detent_tvm.h\"\n";
  text += type_assertion(artifact_.types);
  if (calls_runtime()) text += kAllocatorText;
  text += prototypes();
  std::string rows;
  for (const Kernel& kernel : kernels_) {
    text += "\n/* " + kernel.name + " */\n" + thunk_head(kernel.symbol) + kernel.body + "}\nstatic detent_status " +
            kernel.symbol + "_check(const detent_kernel_args *args) {\n  return detent_tvm_check(args, " +
            std::to_string(kernel.arguments) + ");\n}\n";
    rows += "    {\"" + kernel.name + "\", " + kernel.symbol + ", " + kernel.symbol + "_check},\n";
  }
  text += thunk_table(rows, kernels_.size());
  if (const MissingCode missing = find_missing(artifact_, program_); !missing.empty())
    text += missing_comment(missing.text());
  const auto needs_arm = [](const CUnit& unit) {
    return unit.has_headers ? unit.text.find("#include \"arm_acle.h\"") != std::string::npos : uses_arm(unit.text);
  };
  const auto with_arm = [&](const CUnit& unit, std::string code) {
    return needs_arm(unit) && !unit.has_headers ? "#include \"arm_acle.h\"\n" + std::move(code) : std::move(code);
  };
  const bool any_arm =
      needs_arm(artifact_.operators) || std::any_of(artifact_.externals.begin(), artifact_.externals.end(), needs_arm);
  std::vector<SourceFile> files = support_headers(any_arm);
  files.push_back({"operators.c", with_arm(artifact_.operators, std::move(text))});
  for (std::size_t i = 0; i < artifact_.externals.size(); ++i) {
    const CUnit& unit = artifact_.externals[i];
    files.push_back(
        {"external_" + std::to_string(i) + ".c", with_arm(unit, apply_edits(unit.text, self_contained(unit)))});
  }
  return files;
}

}  // namespace detent::models::tvm
