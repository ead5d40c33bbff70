#include "tests/models/import/tvm/artifact/random_artifact.hpp"

#include "tests/models/import/tvm/artifact/random_network.hpp"

namespace detent::models::tvm {
namespace {

class ArtifactWriter : ArtifactNetwork {
 public:
  using ArtifactNetwork::ArtifactNetwork;

  RandomArtifact run() {
    draw();
    out_.variant = "0." + std::to_string(version_) + (usmp_ ? " usmp" : "") + (pools_constants_ ? " constants" : "");
    write_operators();
    write_glue();
    write_metadata();
    find_truth(out_);
    return out_;
  }

 private:
  [[nodiscard]] std::string pools(const std::string& kind, int number) const {
    std::string text;
    if (!usmp_) return text;
    if (has_constants()) text += ", " + kind + "global_const_workspace_" + std::to_string(number++) + "_var";
    if (pool_bytes_ != 0) text += ", " + kind + "global_workspace_" + std::to_string(number) + "_var";
    return text;
  }
  [[nodiscard]] bool has_constants() const { return pools_constants_ && constant_bytes_ != 0; }
  [[nodiscard]] int pool_count() const { return (has_constants() ? 1 : 0) + (usmp_ && pool_bytes_ != 0 ? 1 : 0); }

  static std::string c_guarded(const std::string& text) {
    return "#ifdef __cplusplus\nextern \"C\" {\n#endif\n" + text + "#ifdef __cplusplus\n}  // extern \"C\"\n#endif\n";
  }
  [[nodiscard]] std::string parameter_name(std::size_t k) const {
    if (version_ > 9) return "p" + std::to_string(k);
    return k == 0 ? "placeholder" : "placeholder" + std::to_string(k);
  }
  static std::string output_name(std::size_t k) { return k == 0 ? "T_add" : "T_add_" + std::to_string(k); }

  std::string signature(const NetworkCall& call, int rank) const {
    std::string text = "TVM_DLL int32_t " + call.function + "(";
    for (std::size_t k = 0; k < call.inputs.size(); ++k)
      text += (k == 0 ? "" : ", ") + tensors_[call.inputs[k]].type + "* " + parameter_name(k);
    for (std::size_t k = 0; k < call.outputs.size(); ++k)
      text += ", " + tensors_[call.outputs[k]].type + "* " + output_name(k);
    return text + pools("uint8_t* ", pool_count() * (rank + 1)) + ")";
  }

  std::string operator_text(const NetworkCall& call, int rank) const {
    const std::string count = std::to_string(elements_), scratch_count = std::to_string(call.scratch / 4);
    const int first_pool = pool_count() * (rank + 1);
    std::string text = signature(call, rank) + " {\n", end;
    std::string value = "(float)" + parameter_name(0) + "[ax0]";
    for (std::size_t k = 1; k < call.inputs.size(); ++k)
      value = "(" + value + " + " + std::to_string(k + 1) + ".000000e+00f * (float)" + parameter_name(k) + "[ax0])";
    if (call.constant_at != kUnplaced) {
      std::string constant = constant_name(call);
      if (has_constants()) {
        text += "  void* " + constant + "_let = (&(global_const_workspace_" + std::to_string(first_pool) + "_var[" +
                std::to_string(call.constant_at) + "]));\n";
        constant = "((float*)" + constant + "_let)";
      }
      value = "(" + value + " * " + constant + "[ax0])";
    }
    if (call.has_exp) value = "expf(-fabsf(" + value + "))";
    if (call.scratch != 0) text += scratch_text(call, first_pool, scratch_count, end);
    if (call.scratch != 0) value = "(" + value + " + ((float*)auto_scheduler_scratch)[(ax0 % " + scratch_count + ")])";
    text += "  for (int32_t ax0 = 0; ax0 < " + count + "; ++ax0) {\n    float cse_var_1 = " + value + ";\n";
    for (std::size_t k = 0; k < call.outputs.size(); ++k) {
      const std::string& type = tensors_[call.outputs[k]].type;
      const std::string scaled = "cse_var_1 * 5.000000e-01f - " + std::to_string(k) + ".000000e+00f";
      text += "    " + output_name(k) + "[ax0] = " +
              (type == "float" ? scaled : "(" + type + ")(int32_t)(fmodf(" + scaled + ", 1.000000e+02f))") + ";\n";
    }
    return c_guarded(text + "  }\n" + end + "  return 0;\n}\n");
  }

  std::string scratch_text(const NetworkCall& call, int first_pool, const std::string& count, std::string& end) const {
    const std::string name = "auto_scheduler_scratch";
    const std::string fill = "  for (int32_t i = 0; i < " + count + "; ++i) {\n    ((float*)" + name +
                             ")[i] = (float)(i % 7) * 2.500000e-01f;\n  }\n";
    if (usmp_) {
      const int pool = first_pool + (has_constants() ? 1 : 0);
      return "  void* " + name + " = (&(global_workspace_" + std::to_string(pool) + "_var[" +
             std::to_string(call.scratch_at) + "]));\n" + fill;
    }
    if (call.scratch < 1024) return "  float " + name + "[" + count + "];\n" + fill;
    end = "  if (TVMBackendFreeWorkspace(1, 0, " + name + ") != 0) {\n    return -1;\n  }\n";
    return "  void* " + name + " = TVMBackendAllocWorkspace(1, 0, (uint64_t)" + std::to_string(call.scratch) +
           ", 2, 32);\n  if (" + name + " == NULL) {\n    return -1;\n  }\n" + fill;
  }

  static std::string constant_name(const NetworkCall& call) {
    return "fused_constant_" + std::to_string(call.constant_at / 16);
  }
  [[nodiscard]] std::string constant_values() const {
    std::string text;
    for (std::uint64_t i = 0; i < elements_; ++i)
      text += (i == 0 ? "" : ", ") + std::string(i % 3 == 0 ? "-" : "") + "0x1." + std::to_string(i % 8) + "p-" +
              std::to_string(i % 4);
    return text;
  }

  void write_operators() {
    std::string text =
        "// tvm target: c -keys=cpu \n#define TVM_EXPORTS\n#include \"tvm/runtime/c_runtime_api.h\"\n"
        "#include \"tvm/runtime/c_backend_api.h\"\n#include <math.h>\n";
    if (version_ >= 12) text += "#include <stdbool.h>\n";
    if (version_ >= 13) text += c_guarded("TVM_DLL float expf(float);\n");
    std::vector<const NetworkCall*> operators;
    for (const NetworkCall& call : calls_) {
      if (!call.is_copy) operators.push_back(&call);
      if (call.constant_at == kUnplaced || has_constants()) continue;
      text +=
          c_guarded("static const float __attribute__((section(\".rodata.tvm\"), aligned(16))) " + constant_name(call) +
                    "[" + std::to_string(elements_) + "] = {\n    " + constant_values() + "\n};\n");
    }
    for (std::size_t i = 0; version_ >= 11 && i < operators.size(); ++i)
      text += c_guarded(signature(*operators[i], static_cast<int>(i)) + ";\n");
    for (std::size_t i = 0; i < operators.size(); ++i) text += operator_text(*operators[i], static_cast<int>(i));
    out_.files["codegen/host/src/" + module_ + "_lib1.c"] = text + c_guarded(main_text());
  }

  std::string main_text() const {
    std::string text = "TVM_DLL int32_t " + main_name() + "(", end;
    for (const NetworkTensor& tensor : tensors_) {
      if (tensor.is_input) text += (text.ends_with("(") ? "" : ", ") + tensor.type + "* " + tensor.name;
    }
    for (const std::size_t output : outputs_) text += ", " + tensors_[output].type + "* " + tensors_[output].name;
    text += pools("uint8_t* ", 0) + ") {\n";
    for (std::size_t i = tensors_.size(); usmp_ && i > 0; --i) {
      if (!is_internal(i - 1)) continue;
      text += "  void* " + tensors_[i - 1].name + " = (&(global_workspace_" + (has_constants() ? "1" : "0") + "_var[" +
              std::to_string(tensors_[i - 1].offset) + "]));\n";
    }
    for (const Storage& one : storage_) {
      text += "  void* " + one.name + " = TVMBackendAllocWorkspace(1, 0, (uint64_t)" + std::to_string(one.bytes) +
              ", 0, 8);\n  if (" + one.name + " == NULL) {\n    return -1;\n  }\n";
      end = "  if (TVMBackendFreeWorkspace(1, 0, " + one.name + ") != 0) {\n    return -1;\n  }\n" + end;
    }
    for (const NetworkCall& call : calls_) text += call_text(call);
    return text + end + "  return 0;\n}\n";
  }
  [[nodiscard]] std::string main_name() const { return "tvmgen_" + module_ + "___tvm_main__"; }

  [[nodiscard]] std::string call_text(const NetworkCall& call) const {
    if (call.is_copy)
      return "  for (int32_t i = 0; i < " + std::to_string(tensors_[0].bytes) + "; ++i) {\n    ((uint8_t*)" +
             tensors_[call.outputs[0]].name + ")[i] = ((uint8_t*)" + tensors_[0].name + ")[i];\n  }\n";
    std::string text = "  if (" + call.function + "(";
    for (const std::size_t input : call.inputs) text += (text.ends_with("(") ? "" : ", ") + tensors_[input].name;
    for (const std::size_t output : call.outputs) text += ", " + tensors_[output].name;
    return text + pools("", 0) + ") != 0 ) return -1;\n";
  }

  void write_glue() {
    std::string text = "#include \"tvm/runtime/c_runtime_api.h\"\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    if (has_constants()) text += constants_text();
    if (usmp_ && pool_bytes_ != 0)
      text += "__attribute__((section(\".bss.noinit.tvm\"), aligned(16)))\nstatic uint8_t global_workspace[" +
              std::to_string(pool_bytes_) + "];\n";
    std::string header, outputs, parameters, arguments;
    std::size_t inputs = 0;
    for (const NetworkTensor& tensor : tensors_) {
      if (!tensor.is_input) continue;
      const std::string name = "x" + std::to_string(inputs++);
      header += "  void* " + name + ";\n";
      parameters += (parameters.empty() ? "void* " : ",void* ") + name;
      arguments += (arguments.empty() ? "inputs->" : ",inputs->") + name;
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const std::string name = outputs_.size() == 1 ? "output" : "output" + std::to_string(i);
      outputs += "  void* " + name + ";\n";
      parameters += ",void* output" + std::to_string(i);
      arguments += ",outputs->" + name;
    }
    const std::string pool = version_ >= 15 ? ",((uint8_t*)&" : ",&", close = version_ >= 15 ? ")" : "";
    if (has_constants()) arguments += pool + "global_const_workspace" + close;
    if (usmp_ && pool_bytes_ != 0) arguments += pool + "global_workspace" + close;
    const std::string prefix = "tvmgen_" + module_;
    const std::string run =
        "int32_t " + prefix + "_run(struct " + prefix + "_inputs* inputs,struct " + prefix + "_outputs* outputs)";
    text += "#include <" + prefix + ".h>\nTVM_DLL int32_t " + main_name() + "(" + parameters + pools_of_prototype() +
            ");\n" + run + " {return " + main_name() + "(" + arguments + ");\n}\n#ifdef __cplusplus\n}\n#endif\n;\n";
    out_.files["codegen/host/src/" + module_ + "_lib0.c"] = text;
    out_.files["codegen/host/include/" + prefix + ".h"] = "#include <stdint.h>\nstruct " + prefix + "_inputs {\n" +
                                                          header + "};\nstruct " + prefix + "_outputs {\n" + outputs +
                                                          "};\n" + run + ";\n";
  }
  [[nodiscard]] std::string pools_of_prototype() const {
    std::string text = pools("uint8_t* ", 0);
    for (std::size_t at = 0; (at = text.find(", ", at)) != std::string::npos;) text.erase(at + 1, 1);
    return text;
  }

  [[nodiscard]] std::string constants_text() const {
    std::string fields, values;
    for (const NetworkCall& call : calls_) {
      if (call.constant_at == kUnplaced) continue;
      const std::string name = constant_name(call) + "_let";
      fields += "  float " + name + "[" + std::to_string(elements_) + "] __attribute__((packed, aligned(16))); // " +
                std::to_string(4 * elements_) + " bytes, aligned offset: " + std::to_string(call.constant_at) + "\n";
      values += "  ." + name + " = {\n    " + constant_values() + "\n  },\n";
    }
    return "__attribute__((section(\".rodata.tvm\"), ))\nstatic " + std::string(version_ >= 17 ? "const " : "") +
           "struct global_const_workspace {\n" + fields + "} global_const_workspace = {\n" + values +
           "};// of total size " + std::to_string(constant_bytes_) + " bytes\n";
  }

  void write_metadata() {
    const auto sized = [&](const NetworkTensor& tensor) {
      const std::string type = tensor.type == "float" ? "float32" : tensor.type.substr(0, tensor.type.size() - 2);
      return "{\"dtype\":\"" + type + "\",\"size\":" + std::to_string(tensor.bytes) + "}";
    };
    std::string inputs, outputs;
    std::size_t count = 0;
    for (const NetworkTensor& tensor : tensors_) {
      if (!tensor.is_input) continue;
      inputs += (inputs.empty() ? "\"x" : ",\"x") + std::to_string(count++) + "\":" + sized(tensor);
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      outputs += (i == 0 ? "\"output" : ",\"output") + (outputs_.size() == 1 ? "" : std::to_string(i)) +
                 "\":" + sized(tensors_[outputs_[i]]);
    const std::string io = version_ >= 11 ? ",\"inputs\":{" + inputs + "},\"outputs\":{" + outputs + "}" : "";
    out_.files["metadata.json"] =
        "{\"version\":7,\"modules\":{\"" + module_ + "\":{\"model_name\":\"" + module_ +
        "\",\"style\":\"full-model\",\"executors\":[\"aot\"],\"export_datetime\":\"2026-01-01 00:00:00Z\",\"target\":"
        "[\"c -keys=cpu\"],\"external_dependencies\":[{\"short_name\":\"tvm_standalone_crt\",\"url\":\"./runtime\","
        "\"url_type\":\"mlf_path\",\"version_spec\":\"0." +
        std::to_string(version_) +
        ".0\"}],\"memory\":{\"functions\":{\"main\":[{\"device\":1,\"constants_size_bytes\":" +
        std::to_string(constant_bytes_) +
        ",\"io_size_bytes\":0,\"workspace_size_bytes\":" + std::to_string(pool_bytes_) + io +
        "}],\"operator_functions\":[]}}}}}\n";
  }

  RandomArtifact out_;
};

}  // namespace

RandomArtifact random_artifact(std::uint64_t seed) { return ArtifactWriter(seed).run(); }

}  // namespace detent::models::tvm
