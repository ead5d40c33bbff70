#include "models/files/graph_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "models/core/thunks.hpp"
#include "models/files/graph_operator.hpp"

namespace detent::models {
namespace {

constexpr const char* kDeclarations =
    "\n/* From here on: Detent's declarations. A kernel of another type does not compile. */\n"
    "#include <detent/kernel.h>\n";

std::string declaration(const std::string& function) {
  return "int32_t " + function + "(const detent_kernel_args *args);\n";
}

bool is_identifier(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  constexpr std::string_view kAll = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return !text.empty() && kLetters.find(text[0]) != kLetters.npos && text.find_first_not_of(kAll) == text.npos;
}

const Dtype* read_dtype(const JsonValue& value) {
  const Dtype* const found = find_dtype(value.as_string());
  if (found != nullptr) return found;
  std::string names;
  for (const Dtype& dtype : kDtypes) names += (names.empty() ? "" : ", ") + std::string(dtype.name);
  value.fail("must be one of " + names);
}

std::vector<double> read_params(const JsonValue& list) {
  if (list.size() > kMaxGraphParams) list.fail(fmt::format("at most {} numbers are possible", kMaxGraphParams));
  std::vector<double> params;
  for (const JsonValue param : list.elements()) {
    if (!std::isfinite(param.as_number())) param.fail("must be a finite number");
    params.push_back(param.as_number());
  }
  if (params.empty()) list.fail("no numbers; leave it out");
  return params;
}

void require_file(const std::string& file, const JsonValue& place) {
  if (const char* const fault = graph_source_fault(file)) {
    place.fail("\"" + file + "\": " + fault + "; the file stands in the folder of the graph or below it");
  }
  if (!file.ends_with(".c")) place.fail("\"" + file + "\" is no C file; its name ends in .c");
}

bool share_bytes(const Tensor& a, const Tensor& b) {
  return a.region != kNone && a.region == b.region && a.offset_bytes < b.offset_bytes + b.size_bytes &&
         b.offset_bytes < a.offset_bytes + a.size_bytes;
}

bool writes_over_inputs(const Model& model, const Op& op) {
  return std::ranges::any_of(op.outputs, [&](TensorId output) {
    return std::ranges::any_of(op.inputs, [&](TensorId input) {
      return input == output || share_bytes(model.tensors[input], model.tensors[output]);
    });
  });
}

}  // namespace

void GraphKernels::read_sources(const JsonValue& list) {
  for (const JsonValue value : list.elements()) {
    const std::string file(value.as_name());
    require_file(file, value);
    if (functions_.contains(file)) value.fail("\"" + file + "\" is named twice");
    add_file(file, "of \"sources\"", value);
  }
}

std::optional<GraphKernel> GraphKernels::read(JsonObject& op) {
  const auto kernel = op.find("kernel");
  if (!kernel || kernel->kind() != JsonKind::kString) return std::nullopt;
  const std::string name(kernel->as_name());
  const std::size_t colon = name.find(':');
  if (colon == name.npos && name.ends_with(".c")) {
    kernel->fail("names no function; write \"" + name + ":FUNCTION\"");
  }
  if (colon == name.npos) return std::nullopt;
  const std::string file = name.substr(0, colon), function = name.substr(colon + 1);
  require_file(file, *kernel);
  if (!is_identifier(function)) kernel->fail("\"" + function + "\" is no name of a C function");
  const auto [known, is_new] = files_.try_emplace(function, file);
  if (known->second != file) {
    kernel->fail("\"" + known->second + "\" has a kernel " + function +
                 ", too, and both are linked into one program; rename one");
  }
  if (is_new) add_file(file, "for the kernel " + function, *kernel);
  functions_[file].insert(function);
  const auto dtype = op.find("dtype");
  const auto params = op.find("params");
  const auto sized = op.find("sized");
  return GraphKernel{.name = name,
                     .dtype = dtype ? read_dtype(*dtype) : &dtype_of(DETENT_U8),
                     .params = params ? read_params(*params) : std::vector<double>{},
                     .is_sized = sized && sized->as_bool(),
                     .place = *kernel};
}

void GraphKernels::add_file(const std::string& file, const std::string& why, const JsonValue& place) {
  functions_.try_emplace(file);
  if (sources_.add_unit(file) || !missing_.empty()) return;
  missing_ =
      fmt::format("there is no file {} ({}, {}) in the folder of the graph; write it there", file, why, place.path());
}

/// The last buffer that the op writes is an int64 then: the bytes of its first output that a run has.
void GraphKernels::make_extent(const GraphKernel& wanted, Op& op) const {
  constexpr std::uint32_t kExtentBytes = 8;
  if (op.outputs.size() < 2) {
    wanted.place.fail(
        "\"sized\" needs two writes: what has a size of its own in each run, and a buffer of 8 bytes for it");
  }
  Tensor& extent = model_.tensors[op.outputs.back()];
  const bool fits = extent.role != TensorRole::kRange && extent.size_bytes == kExtentBytes &&
                    extent.align_bytes >= kExtentBytes && op.outputs.front() != op.outputs.back();
  if (!fits) {
    wanted.place.fail("\"" + extent.name +
                      "\", the last write of a sized op, must be a buffer of 8 bytes, aligned to 8");
  }
  extent.dtype = DETENT_I64;
  extent.dims = {1};
  op.is_sized = true;
}

void GraphKernels::apply(const GraphKernel& wanted, Op& op) const {
  if (wanted.is_sized) make_extent(wanted, op);
  const std::uint64_t bytes = wanted.dtype->bytes;
  for (const auto* const tensors : {&op.inputs, &op.outputs}) {
    for (const TensorId id : *tensors) {
      const Tensor& tensor = model_.tensors[id];
      const std::string shown = "\"" + tensor.name + "\" ";
      if (tensor.size_bytes % bytes != 0)
        wanted.place.fail(fmt::format("{}holds no whole number of elements of {} bytes", shown, bytes));
      if (tensor.align_bytes < bytes || (tensor.region != kNone && tensor.offset_bytes % bytes != 0))
        wanted.place.fail(fmt::format("{}may begin within an element of {} bytes", shown, bytes));
    }
  }
  op.kernel = wanted.name;
  op.in_place = writes_over_inputs(model_, op);
  op.config.resize(wanted.params.size() * sizeof(double));
  if (!wanted.params.empty()) std::memcpy(op.config.data(), wanted.params.data(), op.config.size());
}

void GraphKernels::finish() {
  if (functions_.empty()) return;
  model_.sources = sources_.files();
  for (SourceFile& source : model_.sources) {
    const auto kernels = functions_.find(source.name);
    if (kernels == functions_.end() || kernels->second.empty()) continue;
    source.text += kDeclarations;
    for (const std::string& function : kernels->second) source.text += declaration(function);
  }
  model_.sources.push_back({kThunkFile, thunks()});
  std::ranges::sort(model_.sources, {}, &SourceFile::name);
  model_.compile_flags = {"-O2"};
}

/// Without a table of kernels where a file is missing: nothing is to be compiled then.
std::string GraphKernels::thunks() const {
  std::string text = std::string(kThunksBegin) + "#include <detent/backend.h>\n";
  std::string rows;
  std::size_t count = 0;
  for (const auto& [file, functions] : functions_) {
    for (const std::string& function : functions) {
      const std::string symbol = fmt::format("detent_thunk_{}", count);
      text += "\n" + declaration(function) + thunk_head(symbol) + "  return " + function + kKernelArguments + "\n}\n";
      if (!missing_.empty()) continue;
      rows += "    {\"" + file + ":" + function + "\", " + symbol + ", 0},\n";
      ++count;
    }
  }
  text += thunk_table(rows, count);
  if (!missing_.empty()) text += missing_comment(missing_);
  return text;
}

std::string kernel_text(const Model& model, const Op& op) {
  if (!names_c_function(op.kernel)) return "";
  std::string text = ", \"kernel\": \"" + op.kernel + "\"";
  if (op.is_sized) text += ", \"sized\": true";
  const auto is_typed = [&](TensorId id) {
    return model.tensors[id].role == TensorRole::kRange && model.tensors[id].dtype != DETENT_U8;
  };
  for (const auto* const tensors : {&op.inputs, &op.outputs}) {
    const auto typed = std::ranges::find_if(*tensors, is_typed);
    if (typed == tensors->end()) continue;
    text += ", \"dtype\": \"" + std::string(dtype_of(model.tensors[*typed].dtype).name) + "\"";
    break;
  }
  std::vector<double> params(op.config.size() / sizeof(double));
  if (!params.empty()) std::memcpy(params.data(), op.config.data(), params.size() * sizeof(double));
  std::string numbers;
  for (const double param : params) numbers += (numbers.empty() ? "" : ", ") + real_text(param);
  return text + (numbers.empty() ? "" : ", \"params\": [" + numbers + "]");
}

std::string sources_text(const Model& model) {
  std::set<std::string> named;
  for (const Op& op : model.ops) {
    if (names_c_function(op.kernel)) named.insert(op.kernel.substr(0, op.kernel.find(':')));
  }
  std::string names;
  for (const SourceFile& source : model.sources) {
    const bool is_further = source.name.ends_with(".c") && source.name != kThunkFile && !named.contains(source.name);
    if (is_further) names += (names.empty() ? "\"" : ", \"") + source.name + "\"";
  }
  const SourceFile* const file = thunk_file(model);
  const bool is_of_graph = file != nullptr && file->text.starts_with(kThunksBegin);
  return names.empty() || !is_of_graph ? "" : ",\n \"sources\": [" + names + "]";
}

}  // namespace detent::models
