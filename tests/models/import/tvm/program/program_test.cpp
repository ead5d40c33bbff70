// Main as read: objects, buffers, calls; what is refused, with file and line.
#include "models/import/tvm/program/program.hpp"

#include <gtest/gtest.h>

#include "base/input_error.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"
#include "tests/models/import/tvm/import_text.hpp"
#include "tests/support/error_text.hpp"

namespace detent::models::tvm {
namespace {

using Kind = MemoryObject::Kind;

Program program_of(const std::string& text) { return import_of(artifact_of(text)).program; }

TEST(Program, PooledMain) {
  const Program program = program_of(diamond_text(0, 64, 128));
  ASSERT_EQ(program.calls.size(), 4U);
  EXPECT_EQ(program.calls[1].function, "tvmgen_default_fused_b");
  ASSERT_EQ(program.inputs.size(), 1U);
  ASSERT_EQ(program.outputs.size(), 1U);
  EXPECT_EQ(program.objects[program.inputs[0]].name, "x");
  EXPECT_EQ(program.objects[program.outputs[0]].name, "output");
  const Buffer& sid = program.buffers[program.calls[3].arguments[1].index];
  EXPECT_EQ(sid.name, "sid_3_let");
  EXPECT_EQ(sid.offset_bytes, 128U);
  EXPECT_EQ(program.objects[sid.object].kind, Kind::kWorkspacePool);
  EXPECT_EQ(program.calls[3].arguments[3].kind, Argument::Kind::kPool);
}

TEST(Program, WorkspaceFromTheBackEnd) {
  const Program program = program_of(
      "int32_t tvmgen_default_f(float* p0, float* T_out) { for (int32_t i = 0; i < 4; ++i) { T_out[i] = p0[i]; } "
      "return 0; }\n"
      "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var) {\n"
      "  void* sid_1 = TVMBackendAllocWorkspace(1, 0, (uint64_t)16, 0, 8);\n"
      "  if (sid_1 == NULL) {\n    return -1;\n  }\n"
      "  if (tvmgen_default_f(x_buffer_var, sid_1) != 0 ) return -1;\n"
      "  if (tvmgen_default_f(sid_1, output_buffer_var) != 0 ) return -1;\n"
      "  if (TVMBackendFreeWorkspace(1, 0, sid_1) != 0) {\n    return -1;\n  }\n  return 0;\n}\n");
  ASSERT_EQ(program.calls.size(), 2U);
  const Buffer& sid = program.buffers[program.calls[0].arguments[1].index];
  EXPECT_EQ(sid.size_bytes, 16U);
  EXPECT_EQ(program.objects[sid.object].kind, Kind::kWorkspace);
}

TEST(Program, CopyLoopsAndVoidCalls) {
  const Program program = program_of(
      "int32_t tvmgen_default_f(void* placeholder, void* T_out) { for (int32_t i = 0; i < 4; ++i) { ((float*)T_out)[i] "
      "= "
      "((float*)placeholder)[i]; } return 0; }\n"
      "int32_t tvmgen_default_run_model(void* x, void* output, void* output2) {\n"
      "  (void)tvmgen_default_f(x, output);\n"
      "  for (int32_t i = 0; i < 64; ++i) {\n    ((uint8_t*)output2)[i] = ((uint8_t*)x)[i];\n  }\n  return 0;\n}\n"
      "int32_t tvmgen_default___tvm_main__(void* x, void* output, void* output2) { return tvmgen_default_run_model(x, "
      "output, "
      "output2); }\n");
  EXPECT_EQ(program.calls.size(), 1U);  // main here only forwards
  Artifact artifact = artifact_of(
      "int32_t tvmgen_default_f(void* placeholder, void* T_out) { for (int32_t i = 0; i < 4; ++i) { ((float*)T_out)[i] "
      "= "
      "((float*)placeholder)[i]; } return 0; }\n"
      "int32_t tvmgen_default_run_model(void* x, void* output, void* output2) {\n"
      "  (void)tvmgen_default_f(x, output);\n"
      "  for (int32_t i = 0; i < 64; ++i) {\n    ((uint8_t*)output2)[i] = ((uint8_t*)x)[i];\n  }\n  return 0;\n}\n",
      "tvmgen_default_run_model");
  const Program old = import_of(std::move(artifact)).program;
  ASSERT_EQ(old.calls.size(), 2U);
  EXPECT_EQ(old.calls[1].kind, Call::Kind::kCopy);
  EXPECT_EQ(old.calls[1].copy_bytes, 64U);
  EXPECT_EQ(old.outputs.size(), 2U);
}

TEST(Program, DeviceHooksBracketTheirCall) {
  const Program program = program_of(
      "int32_t TVMDeviceNpuActivate(void* c);\nint32_t TVMDeviceNpuOpen(void* c);\nint32_t TVMDeviceNpuClose(void* "
      "c);\n"
      "int32_t TVMDeviceNpuDeactivate(void* c);\n"
      "int32_t tvmgen_default_npu_main_0(float* input_0, float* output_0, void* ctx);\n"
      "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var, void* device_context_npu) {\n"
      "  if (TVMDeviceNpuActivate(device_context_npu) != 0 ) return -1;\n"
      "  if (TVMDeviceNpuOpen(device_context_npu) != 0 ) return -1;\n"
      "  if (tvmgen_default_npu_main_0(x_buffer_var, output_buffer_var, device_context_npu) != 0 ) return -1;\n"
      "  if (TVMDeviceNpuClose(device_context_npu) != 0 ) return -1;\n"
      "  if (TVMDeviceNpuDeactivate(device_context_npu) != 0 ) return -1;\n  return 0;\n}\n");
  ASSERT_EQ(program.calls.size(), 1U);
  EXPECT_EQ(program.calls[0].before, "TVMDeviceNpuOpen");
  EXPECT_EQ(program.calls[0].after, "TVMDeviceNpuClose");
  EXPECT_EQ(program.calls[0].device, 0U);
  ASSERT_EQ(program.devices.size(), 1U);
  EXPECT_EQ(program.devices[0].activate, "TVMDeviceNpuActivate");
  EXPECT_EQ(program.objects[program.outputs.at(0)].name, "output");
}

TEST(Program, NumbersBeforePointersStepOverTheirElements) {
  const Program program = program_of(
      copy_operator("f", 4) +
      "int32_t tvmgen_default___tvm_main__(float* x, float* output, uint8_t* global_workspace_1_var) {\n"
      "  if (tvmgen_default_f(2L + x, (float*)(40 + global_workspace_1_var), global_workspace_1_var) != 0) return -1;\n"
      "  if (tvmgen_default_f((float*)(global_workspace_1_var + 40), (float*)(1 + (char*)output), "
      "global_workspace_1_var) != 0) return -1;\n"
      "  return 0;\n}\n");
  const auto offset = [&](std::size_t call, std::size_t argument) {
    return program.buffers[program.calls.at(call).arguments.at(argument).index].offset_bytes;
  };
  EXPECT_EQ(offset(0, 0), 8U);
  EXPECT_EQ(offset(0, 1), 40U);
  EXPECT_EQ(offset(1, 0), 40U);
  EXPECT_EQ(offset(1, 1), 1U);
}

struct Refused {
  const char* statement;
  const char* expected;
};

class ProgramRefuses : public testing::TestWithParam<Refused> {};

TEST_P(ProgramRefuses, WithFileAndLine) {
  const std::string text =
      copy_operator("f", 4) +
      "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var, uint8_t* "
      "global_workspace_1_var) {\n" +
      std::string(GetParam().statement) +
      "\n  if (tvmgen_default_f(x_buffer_var, output_buffer_var, global_workspace_1_var) != 0 ) return -1;\n"
      "  return 0;\n}\n";
  const std::string error = error_text([&] { program_of(text); });
  EXPECT_NE(error.find("ops.c:8"), std::string::npos) << error;
  EXPECT_NE(error.find(GetParam().expected), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(
    Statements, ProgramRefuses,
    testing::Values(
        Refused{"  while (1) {}", "a statement that main does not have in any known version"},
        Refused{"  if (x_buffer_var == output_buffer_var) { x_buffer_var = 0; }", "branches on something"},
        Refused{"  for (int32_t i = 0; i < 4; ++i) { output_buffer_var[i] = x_buffer_var[i] * 2; }",
                "does not just copy"},
        Refused{"  int32_t (*g)(float*) = 0; g(x_buffer_var);", "call through a pointer"},
        Refused{"  tvmgen_default_f((float*)17, output_buffer_var, global_workspace_1_var);", "bytes are not known"},
        Refused{"  void* sid_1 = TVMBackendAllocWorkspace(1, 0, (uint64_t)0, 0, 8);", "workspace of unknown size"},
        Refused{"  TVMBackendAllocWorkspace(1, 0, (uint64_t)16, 0, 8);", "workspace that no variable holds"},
        Refused{"  int64_t n = (int64_t)x_buffer_var;", "main takes an address as a number"},
        Refused{"  int32_t* p; { int32_t a = 3; p = &a; } int32_t b = *p;", "main uses a variable that is gone"},
        Refused{"  int64_t a[2]; a[2] = 1;", "main uses memory outside of a"},
        Refused{"  int64_t a[2]; a[-1] = 1;", "main uses memory outside of a"},
        Refused{"  int32_t n[2] = {1, 2};", "an array with values in main: "},
        Refused{"  if (x_buffer_var == 0) { return -1; TVMAPISetLastError(\"late\"); }", "comes after a return: "}));

struct RefusedMain {
  const char *parameters, *expected;
};

TEST(Program, ParametersOfMainAreNamedPointers) {
  for (const auto& [parameters, expected] :
       {RefusedMain{"float* x, float*", "ops.c:7: a parameter of main without a name"},
        RefusedMain{"float*, float* output", "ops.c:7: a parameter of main without a name"},
        RefusedMain{"float* x, float* output, int32_t n", "ops.c:7: main takes n, which is not a pointer"}}) {
    const std::string error = error_text([&] {
      program_of(copy_operator("f", 4) + "int32_t tvmgen_default___tvm_main__(" + parameters + ") { return 0; }\n");
    });
    EXPECT_NE(error.find(expected), std::string::npos) << error;
  }
}

/// What a main is refused for that calls these hooks of its device; "run" is the operator.
std::string refusal_of_hooks(const std::vector<std::string>& hooks) {
  std::string text;
  for (const char* hook : {"Activate", "Open", "Close", "Deactivate"}) {
    text += std::string("int32_t TVMDeviceNpu") + hook + "(void* c);\n";
  }
  text +=
      "int32_t tvmgen_default_npu_main_0(float* input_0, float* output_0, void* ctx);\n"
      "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var, void* device_context_npu) "
      "{\n";
  for (const std::string& hook : hooks) {
    text += hook == "run"
                ? "  if (tvmgen_default_npu_main_0(x_buffer_var, output_buffer_var, device_context_npu) != 0 ) "
                  "return -1;\n"
                : "  if (TVMDeviceNpu" + hook + "(device_context_npu) != 0 ) return -1;\n";
  }
  return error_text([&] { program_of(text + "  return 0;\n}\n"); });
}

TEST(Program, DeviceHooksComeInTheirOrder) {
  EXPECT_EQ(refusal_of_hooks({"Activate", "Open", "run", "Close", "Deactivate"}), "");
  const std::string hook = "TVMDeviceNpu";
  for (const auto& [hooks, expected] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"Activate", "Activate", "run", "Deactivate"}, "ops.c:8: " + hook + "Activate on a device that is in use"},
           {{"run", "Activate", "Deactivate"}, "ops.c:8: " + hook + "Activate on a device that is in use"},
           {{"Activate", "run", "Deactivate", "Open"},
            "ops.c:10: " + hook + "Open on a device that is no longer active"},
           {{"Activate", "run", "Deactivate", "run"}, "npu is no longer active"},
           {{"Open", "Open", "run", "Close"}, "ops.c:8: " + hook + "Open opens a device while another one is open"},
           {{"Open", "Close", "run"}, "ops.c:8: " + hook + "Close closes a device on which nothing was called"},
           {{"Open", "run", "Close", "Close"},
            "ops.c:10: " + hook + "Close closes a device on which nothing was called"},
           {{"run", "Open"}, "ops.c:8: " + hook + "Open opens a device on which nothing is called"}}) {
    const std::string error = refusal_of_hooks(hooks);
    EXPECT_NE(error.find(expected), std::string::npos) << expected << "\n" << error;
  }
}

/// What a main with these statements, and nothing else, is refused for.
std::string refusal_of(const std::string& statements) {
  return error_text([&] {
    program_of(copy_operator("f", 4) +
               "int32_t tvmgen_default___tvm_main__(float* x, float* output, uint8_t* global_workspace_1_var) {\n" +
               statements + "}\n");
  });
}

TEST(Program, TensorsOfPackedCallsAreWhollyKnown) {
  struct Edit {
    std::string from, to, expected;
  };
  EXPECT_EQ(error_text([&] { return analyse_artifact(read_artifact(kFixtures + "packed_usmp")); }), "");
  const std::string relu = "tvmgen_default_fused_nn_relu", data = "[0].data) = x_buffer_var;";
  for (const auto& [from, to, expected] : std::vector<Edit>{
           {"[0].byte_offset) = (uint64_t)0", "[0].byte_offset) = (uint64_t)4",
            relu + ", argument 0: a tensor with strides or an offset"},
           {"(int64_t*)(*(void* *)(&(v__1)))", "(int64_t*)stack_shape",
            relu + ", argument 0: not a number that is known"},
           {"[0].ndim) = (uint32_t)2", "[0].ndim) = (uint32_t)65", relu + ", argument 0: its shape is not known"},
           {"[0].ndim) = (uint32_t)2", "[0].ndim) = (uint32_t)9",
            relu + ", argument 0: its shape was not set before the call"},
           {"[0].shape) = (&(((int64_t*)stack_shape)[0]))", "[0].shape) = 0",
            relu + ", argument 0: its shape is not known"},
           {data, "[0].data) = x;", "an argument whose bytes are not known: " + relu + ", argument 0"},
           {"(((DLTensor*)stack_array)" + data, "", "an argument whose bytes are not known: " + relu + ", argument 0"},
           {"[1].v_handle) = (((DLTensor*)stack_array) + 1)", "[1].v_handle) = x",
            "an argument whose bytes are not known: " + relu + ", argument 1"},
           {"stack_tcode, 4,", "stack_tcode, 5,", "argument 4 of " + relu + " was not set before the call"},
           {"stack_tcode, 4,", "stack_tcode, num_args,", "a packed call with an unknown number of arguments: " + relu},
           {"stack_tcode, 4,", "stack_tcode, -1,", "a packed call with an unknown number of arguments: " + relu}}) {
    const Scratch scratch;
    const fs::path folder = scratch.copy("packed_usmp"), file = folder / (kSources + "default_lib2.c");
    std::string text = read_text(file);
    const std::size_t at = text.find(from, text.find("int32_t tvmgen_default___tvm_main__("));
    ASSERT_NE(at, std::string::npos) << from;
    write_text(file, text.replace(at, from.size(), to));
    const std::string error = error_text([&] { return analyse_artifact(read_artifact(folder.string())); });
    EXPECT_NE(error.find("default_lib2.c:"), std::string::npos) << error;
    EXPECT_NE(error.find(expected), std::string::npos) << expected << "\n" << error;
  }
}

TEST(Program, ACallUnderAConditionOnDataIsRefused) {
  const std::string call = "if (tvmgen_default_f(x, output, global_workspace_1_var) != 0) return -1;\n";
  const std::string error = refusal_of(call + "if (x[0] > 0) { " + call + "}\nreturn 0;\n");
  EXPECT_NE(error.find("ops.c:9"), std::string::npos) << error;
  EXPECT_EQ(refusal_of(call + "return 0;\n"), "");
}

TEST(Program, CallsAfterAReturnAreRefused) {
  const std::string call = "if (tvmgen_default_f(x, output, global_workspace_1_var) != 0) return -1;\n";
  const std::string error = refusal_of(call + "return 0;\n" + call + "return 0;\n");
  EXPECT_NE(error.find("ops.c:10: comes after the return of main in line 9"), std::string::npos) << error;
}

TEST(Program, AFileWithoutMainSaysWhichFileIsNeeded) {
  const std::string error = error_text([&] { program_of(copy_operator("f", 4)); });
  EXPECT_NE(error.find("ops.c: defines no main"), std::string::npos) << error;
}

}  // namespace
}  // namespace detent::models::tvm
