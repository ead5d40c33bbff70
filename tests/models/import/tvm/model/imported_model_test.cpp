// Models of artifacts: ranges, thunks, device hooks, calls through TVMFuncCall, weights of main's parameters.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "models/core/thunks.hpp"
#include "models/import/tvm/model/import.hpp"
#include "models/import/tvm/model/model_parts.hpp"
#include "models/import/tvm/module/module_text.hpp"
#include "tests/models/import/tvm/import_text.hpp"

namespace detent::models::tvm {
namespace {

const std::string& operators_of(const Model& model) {
  const auto found = std::find_if(model.sources.begin(), model.sources.end(),
                                  [](const SourceFile& file) { return file.name == "operators.c"; });
  return found->text;
}

TEST(ModelParts, SetsOfManyIntervalsAreFilledWhereTheGapsAreSmallest) {
  const ByteSet bytes = ByteSet::of({{0, 4}, {5, 8}, {20, 24}, {25, 28}});
  EXPECT_EQ(coarsened(bytes, 2), ByteSet::of({{0, 8}, {20, 28}}));
  EXPECT_EQ(coarsened(bytes, 1), ByteSet({0, 28}));
  EXPECT_EQ(coarsened(bytes, 4), bytes);
}

TEST(ModelParts, EqualBlocksAtEqualDistancesAreOneTensor) {
  const std::vector<ByteSet> blocks = as_blocks(ByteSet::of({{0, 4}, {8, 12}, {16, 20}, {30, 40}}));
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0], ByteSet::of({{0, 4}, {8, 12}, {16, 20}}));
  EXPECT_EQ(blocks[1], ByteSet({30, 40}));
}

/// Two readings of an artifact, for different targets say, are one where they agree in everything that is known of each
/// call.
TEST(ImportedModel, ReadingsDifferInEachFieldOfAnAccess) {
  Import import;
  import.program.calls = {{.function = "f", .arguments = {}, .line = 3, .before = {}, .after = {} }};
  import.accesses = {{ {.what = "x", .reads = ByteSet({0, 4}), .writes = ByteSet({4, 8}) } }};
  EXPECT_EQ(first_difference(import, import), "");
  const std::vector<void (*)(Import&)> changes = {
      [](Import& i) { ++i.accesses[0][0].object; },
      [](Import& i) { i.accesses[0][0].buffer = 0; },
      [](Import& i) { ++i.accesses[0][0].argument; },
      [](Import& i) {
        i.accesses[0][0].reads = ByteSet({0, 5});
      },
      [](Import& i) {
        i.accesses[0][0].writes = ByteSet({3, 8});
      },
      [](Import& i) { i.accesses[0][0].exact = false; },
      [](Import& i) { i.accesses[0][0].unknown_end = true; },
      [](Import& i) { i.accesses[0].push_back(i.accesses[0][0]); },
      [](Import& i) { i.program.calls[0].function = "g"; },
      [](Import& i) { ++i.program.calls[0].line; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Import other = import;
    changes[i](other);
    EXPECT_EQ(first_difference(import, other), "f (line 3) touches other bytes") << "change " << i;
  }
  Import longer = import;
  longer.program.calls.push_back(longer.program.calls[0]);
  longer.accesses.push_back(longer.accesses[0]);
  EXPECT_EQ(first_difference(import, longer), "main makes other calls");
  EXPECT_EQ(first_difference(longer, import), "main makes other calls");
}

TEST(ImportedModel, CallsThroughTheEnvironmentAreNamed) {
  const Import import = import_of(artifact_of(
      "int32_t f(void* args, int32_t* arg_type_ids, int32_t num_args, void* out_ret_value, int32_t* out_ret_tcode, "
      "void* "
      "resource_handle) {\n"
      "  void* p0 = (((TVMValue*)args)[0].v_handle);\n  void* T_out = (((TVMValue*)args)[1].v_handle);\n"
      "  void* p0_1 = (((DLTensor*)p0)[0].data);\n  void* T_out_1 = (((DLTensor*)T_out)[0].data);\n"
      "  for (int32_t i = 0; i < 4; ++i) {\n    ((float*)T_out_1)[i] = ((float*)p0_1)[i];\n  }\n  return 0;\n}\n"
      "int32_t tvmgen_default___tvm_main__(void* args, int32_t* arg_type_ids, int32_t num_args, void* out_ret_value, "
      "int32_t* "
      "out_ret_tcode, void* resource_handle) {\n"
      "  TVMValue stack[2];\n  void* stack_value = stack;\n  TVMValue stack_1[14];\n  void* stack_array = stack_1;\n"
      "  TVMValue stack_2[1];\n  void* stack_tcode = stack_2;\n  void* f_packed = NULL;\n"
      "  void* x = (((TVMValue*)args)[0].v_handle);\n  void* output = (((TVMValue*)args)[1].v_handle);\n"
      "  void* x_buffer_var = (((DLTensor*)x)[0].data);\n  void* output_buffer_var = (((DLTensor*)output)[0].data);\n"
      "  (((DLTensor*)stack_array)[0].data) = x_buffer_var;\n  (((DLTensor*)stack_array)[1].data) = "
      "output_buffer_var;\n"
      "  (((TVMValue*)stack_value)[0].v_handle) = (((DLTensor*)stack_array) + 0);\n"
      "  (((TVMValue*)stack_value)[1].v_handle) = (((DLTensor*)stack_array) + 1);\n"
      "  if (TVMBackendGetFuncFromEnv(resource_handle, \"f\", &f_packed) != 0) {\n    return -1;\n  }\n"
      "  TVMValue ret_val;\n  int ret_type_code;\n"
      "  if (TVMFuncCall(f_packed, (TVMValue*) stack_value, (int*) stack_tcode, 2, &ret_val, &ret_type_code) != 0) {\n"
      "    return -1;\n  }\n  return 0;\n}\n"));
  ASSERT_EQ(import.program.calls.size(), 1U);
  EXPECT_EQ(import.program.calls[0].function, "f");
  EXPECT_EQ(import.program.outputs.size(), 1U);
}

/// x -> npu -> add -> npu -> output on one device, hooks and all defined in the file.
const std::string& device_text() {
  static const std::string text =
      "int32_t TVMDeviceNpuActivate(void* c) { return 0; }\nint32_t TVMDeviceNpuOpen(void* c) { return 0; }\n"
      "int32_t TVMDeviceNpuClose(void* c) { return 0; }\nint32_t TVMDeviceNpuDeactivate(void* c) { return 0; }\n"
      "int32_t tvmgen_default_npu_main_0(float* p0, float* T_out, void* ctx) {\n"
      "  for (int32_t i = 0; i < 4; ++i) {\n    T_out[i] = p0[i];\n  }\n  return 0;\n}\n"
      "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* y_buffer_var, float* output_buffer_var, float* "
      "output2_buffer_var, void* device_context_npu) {\n"
      "  if (TVMDeviceNpuActivate(device_context_npu) != 0 ) return -1;\n"
      "  if (TVMDeviceNpuOpen(device_context_npu) != 0 ) return -1;\n"
      "  if (tvmgen_default_npu_main_0(x_buffer_var, output_buffer_var, device_context_npu) != 0 ) return -1;\n"
      "  if (TVMDeviceNpuClose(device_context_npu) != 0 ) return -1;\n"
      "  if (TVMDeviceNpuOpen(device_context_npu) != 0 ) return -1;\n"
      "  if (tvmgen_default_npu_main_0(y_buffer_var, output2_buffer_var, device_context_npu) != 0 ) return -1;\n"
      "  if (TVMDeviceNpuClose(device_context_npu) != 0 ) return -1;\n"
      "  if (TVMDeviceNpuDeactivate(device_context_npu) != 0 ) return -1;\n  return 0;\n}\n";
  return text;
}

TEST(ImportedModel, DeviceCallsKeepTheirOrderAndTheirHooks) {
  const Import import = import_of(artifact_of(device_text()));
  const Model models[] = {imported_model(import), replan_parallel(import).model};
  for (const Model& model : models) {
    ASSERT_EQ(model.ops.size(), 2U);
    EXPECT_EQ(model.ops[0].core_class, "npu");
    ASSERT_EQ(model.edges.size(), 1U);
    EXPECT_EQ(model.edges[0].from, 0U);
    EXPECT_EQ(model.edges[0].to, 1U);
    const std::string& text = operators_of(model);
    EXPECT_NE(text.find("if (TVMDeviceNpuOpen(NULL) != 0) return -1;"), std::string::npos);
    EXPECT_NE(text.find("if (TVMDeviceNpuClose(NULL) != 0) return -1;"), std::string::npos);
  }
}

/// One operator with this head and body, called once on x and output.
Import import_of_operator(const std::string& head, const std::string& body) {
  return import_of(artifact_of(
      head + "int32_t tvmgen_default_f(float* p0, float* T_out) {\n" + body +
      "  return 0;\n}\nint32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var) {\n"
      "  if (tvmgen_default_f(x_buffer_var, output_buffer_var) != 0 ) return -1;\n  return 0;\n}\n"));
}

TEST(ImportedModel, OwnPrototypesOfLibraryFunctionsNeedNoDefinition) {
  const std::string body = "  for (int32_t i = 0; i < 4; ++i) {\n    T_out[i] = expf(p0[i]);\n  }\n";
  const Import import = import_of_operator("TVM_DLL float expf(float);\n", body);
  EXPECT_EQ(missing_code(imported_model(import)), "");
  EXPECT_EQ(missing_code(replan_parallel(import).model), "");
  const Import other = import_of_operator("TVM_DLL float vendor_expf(float);\n",
                                          "  T_out[0] = vendor_expf(p0[0]);\n  T_out[1] = p0[1];\n");
  EXPECT_EQ(
      missing_code(imported_model(other)),
      "no definition of vendor_expf (op 0); give a vendor's headers with --include DIR and its C files, or your own "
      "in their place, with --source FILE");
}

TEST(ImportedModel, EachBlockOfWorkspaceIsRoundedByItself) {
  const Import import = import_of_operator(
      "",
      "  void* one = TVMBackendAllocWorkspace(1, 0, (uint64_t)5336, 2, 32);\n"
      "  void* two = TVMBackendAllocWorkspace(1, 0, (uint64_t)4, 2, 32);\n"
      "  ((float*)one)[0] = p0[0];\n  ((float*)two)[0] = p0[1];\n  T_out[0] = ((float*)one)[0] + ((float*)two)[0];\n"
      "  TVMBackendFreeWorkspace(1, 0, two);\n  TVMBackendFreeWorkspace(1, 0, one);\n");
  for (const Model& model : {imported_model(import), replan_parallel(import).model, reference_model(import)}) {
    ASSERT_EQ(model.ops[0].scratch.size(), 1U);
    EXPECT_EQ(model.tensors[model.ops[0].scratch[0]].size_bytes, 5376U + 64U);
  }
}

TEST(ImportedModel, OpThatReadsToAnUnknownEndHasNoKernel) {
  const Import import =
      import_of_operator("", "  int32_t k = 0;\n  while (p0[k] != 0.0f) {\n    ++k;\n  }\n  T_out[0] = p0[k];\n");
  EXPECT_TRUE(has_unknown_end(import.accesses[0]));
  const std::string text =
      "tvmgen_default_f has no definition in the package that can be executed: none that compiles, or none whose "
      "arguments have known lengths";
  EXPECT_EQ(missing_code(imported_model(import)), text);
  EXPECT_EQ(missing_code(replan_parallel(import).model), text);
  EXPECT_TRUE(reference_model(import).ops.empty());
}

TEST(ImportedModel, WeightsThatMainTakesComeFromTheParameters) {
  Artifact artifact = artifact_of(
      "int32_t tvmgen_default_f(void* placeholder, void* placeholder1, void* T_out) {\n"
      "  for (int32_t i = 0; i < 2; ++i) {\n"
      "    ((uint8_t*)T_out)[i] = (((uint8_t*)placeholder)[i] + ((uint8_t*)placeholder1)[i]);\n  }\n  return 0;\n}\n"
      "int32_t tvmgen_default_run_model(void* x, void* __tvm_param__p0, void* output) {\n"
      "  (void)tvmgen_default_f(x, __tvm_param__p0, output);\n  return 0;\n}\n",
      "tvmgen_default_run_model");
  artifact.parameters.push_back({"p0", "uint8", {2}, std::string("\x07\x09", 2)});
  const Model model = imported_model(import_of(std::move(artifact)));
  const auto weight = std::find_if(model.tensors.begin(), model.tensors.end(),
                                   [](const Tensor& tensor) { return tensor.role == TensorRole::kWeight; });
  ASSERT_NE(weight, model.tensors.end());
  EXPECT_EQ(weight->init.bytes, (std::vector<std::uint8_t>{7, 9}));
  EXPECT_EQ(model.ops[0].weights.size(), 1U);
}

TEST(ImportedModel, AnOperatorThatWritesAnInputIsRefused) {
  Artifact artifact = artifact_of(diamond_text(0, 64, 128));
  artifact.inputs = std::vector<IoInfo>(2);
  artifact.outputs = std::vector<IoInfo>();
  EXPECT_THROW(imported_model(import_of(std::move(artifact))), std::invalid_argument);
}

}  // namespace
}  // namespace detent::models::tvm
