#include "models/import/tvm/module/api_text.hpp"

#include <algorithm>
#include <cctype>

#include "models/import/tvm/files/names.hpp"

namespace detent::models::tvm {
namespace {

constexpr const char* kPrefix = "api/";

/// Before `run`: the application's memory and the network's.
constexpr const char* kHelpers = R"(static uint32_t tensor_of(uint32_t i) {
  return i < INPUTS ? detent_model_desc.inputs[i] : detent_model_desc.outputs[i - INPUTS];
}

/* Is the tensor all of its region? Then memory of the application can take the region's place. */
static int fills_region(const detent_tensor *tensor) {
  return tensor->size_bytes == detent_model_desc.regions[tensor->region].size_bytes;
}

static detent_status bind_region(detent_context *context, uint32_t region, void *data, uint64_t size_bytes) {
  const detent_binding binding = {.region = region, .data = data, .size_bytes = size_bytes};
  return detent_bind_regions(context, &binding, 1, NULL);
}

/* Let the network read and write the application's memory wherever that is aligned and shares no byte; the other
 * tensors stay in the network's memory and are copied. */
static detent_status bind_all(detent_context *context, void *const *data) {
  uint32_t moved = 0;
  for (uint32_t i = 0; i < TENSORS; ++i) moved += detent_tensor_data(context, tensor_of(i)) != data[i];
  if (moved == 0) return DETENT_OK;
  for (uint32_t i = 0; i < TENSORS; ++i) {
    const detent_status status = bind_region(context, detent_model_desc.tensors[tensor_of(i)].region, NULL, 0);
    if (status != DETENT_OK) return status;
  }
  for (uint32_t i = 0; i < TENSORS; ++i) {
    const detent_tensor *tensor = &detent_model_desc.tensors[tensor_of(i)];
    if (!fills_region(tensor)) continue;
    const detent_status status = bind_region(context, tensor->region, data[i], tensor->size_bytes);
    if (status == DETENT_BUSY) return status;
  }
  return DETENT_OK;
}

static void copy_inputs(detent_context *context, void *const *data) {
  for (uint32_t i = 0; i < INPUTS; ++i) {
    void *to = detent_tensor_data(context, tensor_of(i));
    if (to != data[i]) memcpy(to, data[i], sizes[i]);
  }
}

static void copy_outputs(detent_context *context, void *const *data) {
  for (uint32_t i = INPUTS; i < TENSORS; ++i) {
    const void *from = detent_tensor_data(context, tensor_of(i));
    if (from != data[i]) memcpy(data[i], from, sizes[i]);
  }
}

)";

/// The end of `run`, after `context` and `data`.
constexpr const char* kRun = R"(  if (bind_all(context, data) != DETENT_OK) return -1;
  copy_inputs(context, data);
  detent_result result;
  if (detent_run(context, &result) != DETENT_OK) {
    if (detent_reset(context) != DETENT_OK) return -2;
    return result.error.status == DETENT_KERNEL_FAILED ? result.error.code : -1;
  }
  copy_outputs(context, data);
  return 0;
}
)";

std::string identifier(const std::string& name) {
  std::string text = name;
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) text.insert(0, "t");
  return text;
}

class ApiText {
 public:
  ApiText(const Artifact& artifact, const Program& program, const std::vector<std::uint64_t>& sizes)
      : artifact_(artifact), program_(program), sizes_(sizes), module_(identifier(artifact.module_name)) {}

  std::vector<SourceFile> files() const {
    const std::string base = kPrefix + ("tvmgen_" + module_);
    return {{base + ".h", header()}, {base + ".c", code()}};
  }

 private:
  [[nodiscard]] bool has_c_header() const {
    return !artifact_.header_text.empty() &&
           artifact_.header_text.find("tvmgen_" + module_ + "_run") != std::string::npos;
  }
  /// Does the artifact's own `run` take this struct?
  [[nodiscard]] bool takes(const std::string& what) const {
    return has_c_header() &&
           artifact_.header_text.find("struct tvmgen_" + module_ + "_" + what + "*") != std::string::npos;
  }

  [[nodiscard]] std::vector<std::string> fields(const std::vector<std::uint32_t>& objects) const {
    std::vector<std::string> names;
    for (const std::uint32_t object : objects) {
      std::string name = identifier(program_.objects[object].name);
      while (std::find(names.begin(), names.end(), name) != names.end()) name += "_";
      names.push_back(std::move(name));
    }
    return names;
  }

  [[nodiscard]] std::string struct_text(const std::string& what, const std::vector<std::uint32_t>& objects) const {
    std::string text = "struct tvmgen_" + module_ + "_" + what + " {\n";
    for (const std::string& field : fields(objects)) text += "  void *" + field + ";\n";
    return text + "};\n\n";
  }

  [[nodiscard]] std::string size_macros(const std::vector<std::uint32_t>& objects) const {
    const std::vector<std::string> names = fields(objects);
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
      text += "#define TVMGEN_" + upper_case(module_) + "_" + upper_case(names[i]) + "_SIZE " +
              std::to_string(sizes_[objects[i]]) + "\n";
    }
    return text;
  }

  [[nodiscard]] std::string packed_signature() const {
    return "int32_t tvmgen_" + module_ +
           "_run(TVMValue *args, int *type_code, int num_args, TVMValue *out_value, int *out_type_code, void "
           "*resource_handle)";
  }

  [[nodiscard]] std::string signature() const {
    if (program_.packed && !has_c_header()) return packed_signature();
    std::string text = "int32_t tvmgen_" + module_ + "_run(struct tvmgen_" + module_ +
                       "_inputs *inputs, struct tvmgen_" + module_ + "_outputs *outputs";
    if (takes("workspace_pools")) text += ", struct tvmgen_" + module_ + "_workspace_pools *workspace_pools";
    if (takes("devices")) text += ", struct tvmgen_" + module_ + "_devices *devices";
    return text + ")";
  }

  [[nodiscard]] std::string header() const {
    if (has_c_header()) return artifact_.header_text;
    const std::string guard = "TVMGEN_" + upper_case(module_) + "_H_";
    std::string text = "/* Inputs and outputs of module " + module_ + ", and its entry point. */\n#ifndef " + guard +
                       "\n#define " + guard + "\n#include <stdint.h>\n";
    if (program_.packed) text += "#include \"tvm/runtime/c_runtime_api.h\"\n";
    text += "\n" + size_macros(program_.inputs) + size_macros(program_.outputs) + "\n";
    if (!program_.packed) text += struct_text("inputs", program_.inputs) + struct_text("outputs", program_.outputs);
    return text +
           "/* 0; the code of the operator that failed; -1 when the network could not be opened or run otherwise, -2 "
           "when it\n"
           " * cannot be run again. */\n" +
           signature() + ";\n#endif\n";
  }

  /// How many tensors there are, and their bytes.
  [[nodiscard]] std::string tables() const {
    const std::size_t inputs = program_.inputs.size(), all = inputs + program_.outputs.size();
    std::string text = "enum { INPUTS = " + std::to_string(inputs) + ", TENSORS = " + std::to_string(all) + " };\n" +
                       "static const size_t sizes[TENSORS] = {";
    for (std::size_t i = 0; i < all; ++i) {
      text +=
          (i == 0 ? "" : ", ") + std::to_string(sizes_[i < inputs ? program_.inputs[i] : program_.outputs[i - inputs]]);
    }
    return text + "};\n\n";
  }

  /// C expression of the application's pointer.
  [[nodiscard]] std::string pointer(bool is_input, std::size_t i) const {
    if (program_.packed && !has_c_header()) {
      const std::size_t at = is_input ? i : program_.inputs.size() + i;
      return "((DLTensor *)args[" + std::to_string(at) + "].v_handle)->data";
    }
    return (is_input ? "inputs->" : "outputs->") + fields(is_input ? program_.inputs : program_.outputs)[i];
  }

  [[nodiscard]] std::string code() const {
    std::string text =
        "/* The entry point that the application knows, over the network's runtime. */\n#include <string.h>\n\n"
        "#include \"model.h\"\n#include \"tvmgen_" +
        module_ + ".h\"\n\n" + tables() + kHelpers + signature() + " {\n";
    if (program_.packed && !has_c_header()) {
      text += "  (void)type_code, (void)out_value, (void)out_type_code, (void)resource_handle;\n  if (num_args < " +
              std::to_string(program_.inputs.size() + program_.outputs.size()) + ") return -1;\n";
    }
    if (takes("workspace_pools")) text += "  (void)workspace_pools; /* the network has its own memory */\n";
    if (takes("devices")) text += "  (void)devices;\n";
    text +=
        "  if (detent_model_context() == NULL && detent_model_open(NULL, NULL) != DETENT_OK) return -1;\n"
        "  detent_context *context = detent_model_context();\n";
    text += "  void *const data[TENSORS] = {";
    const std::size_t count = program_.inputs.size() + program_.outputs.size();
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_input = i < program_.inputs.size();
      text += (i == 0 ? "" : ", ") + pointer(is_input, is_input ? i : i - program_.inputs.size());
    }
    return text + "};\n" + kRun;
  }

  const Artifact& artifact_;
  const Program& program_;
  const std::vector<std::uint64_t>& sizes_;
  std::string module_;
};

}  // namespace

std::vector<SourceFile> api_sources(const Artifact& artifact, const Program& program,
                                    const std::vector<std::uint64_t>& sizes) {
  return ApiText(artifact, program, sizes).files();
}

bool is_api_source(const std::string& name) { return name.starts_with(kPrefix); }

}  // namespace detent::models::tvm
