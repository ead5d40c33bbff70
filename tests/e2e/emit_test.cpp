// detent emit c: the directory builds with nothing but a compiler, and its program gives the bytes of `detent run`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <vector>

#include "models/core/model.hpp"
#include "models/files/package.hpp"
#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

namespace fs = std::filesystem;

int shell(const std::string& command) { return std::system((command + " </dev/null").c_str()); }

/// Run a command that must succeed; what it printed.
std::string output_of(const std::string& directory, const std::string& command) {
  const std::string log = directory + ".log";
  const int status = shell(fmt::format("cd {} && ({}) > {} 2>&1", directory, command, log));
  EXPECT_EQ(status, 0) << command << "\n" << read_file(log);
  return read_file(log);
}

std::map<std::string, std::string> tree(const std::string& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) {
      files[fs::relative(entry.path(), directory).generic_string()] = read_file(entry.path().string());
    }
  }
  return files;
}

/// An emitted directory and where its program was built.
struct Firmware {
  std::string directory, build;

  [[nodiscard]] std::string run(const std::string& arguments) const {
    return output_of(directory, "./model " + arguments);
  }
  [[nodiscard]] std::string digest(const std::string& arguments) const {
    const std::string text = run(arguments);
    const std::size_t at = text.find("digest ");
    return at == text.npos ? text : text.substr(at + 7, 16);
  }
};

Firmware emit_and_build(const std::string& name, const std::string& emit, const std::string& cc,
                        const std::string& make = "") {
  const std::string directory = scratch(name) + "/fw";
  const Answer answer = run_detent(fmt::format("emit c {} -o {}", emit, directory));
  EXPECT_EQ(answer.exit_code, 0) << answer.error;
  output_of(directory, fmt::format("make -j2 V=1 BUILD=build/it CC={} {}", compiler_word(cc), make));
  return {directory, directory + "/build/it"};
}

/// Target code needs no heap, exceptions or C++ library: the gate of the runtime library, on what was emitted.
void expect_clean_symbols(const Firmware& firmware) {
  output_of(firmware.directory, fmt::format("cmake -D NM=nm -D LIBRARY={}/network.a -P {}/symbols_gate.cmake",
                                            firmware.build, std::string(DETENT_SOURCE_DIR) + "/tests/runtime/gates"));
}

std::string digest_of(const std::string& arguments) {
  return parse(run_detent("run " + arguments + " --json -")).value("digest", "none");
}

/// Outputs as raw bytes, from seeded inputs and from a file of inputs.
void expect_equal_bytes(const Firmware& firmware, const std::string& model, std::size_t input_bytes) {
  const std::string scratch_directory = fs::path(firmware.directory).parent_path().string();
  std::string input(input_bytes, '\0');
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 37 % 61);
  write_file(scratch_directory + "/in", input);
  for (const std::string& inputs : {std::string("--input-seed 7"), "--input " + scratch_directory + "/in"}) {
    const std::string expected = scratch_directory + "/expected";
    ASSERT_EQ(run_detent(fmt::format("run {} {} --output {}", model, inputs, expected)).exit_code, 0);
    EXPECT_EQ(firmware.digest(inputs + " --output ../out"), digest_of(model + " " + inputs));
    EXPECT_FALSE(read_file(expected).empty());
    EXPECT_EQ(read_file(scratch_directory + "/out"), read_file(expected)) << inputs;
  }
}

/// "time   min A ms   median B ms   p99 C ms   max D ms   (N runs after W of warm-up, F per second)", ascending.
void expect_times(const std::string& text, const std::string& runs) {
  double least = 0, middle = 0, most = 0, tail = 0, rate = 0;
  const std::size_t at = text.find("\ntime ");
  ASSERT_NE(at, text.npos) << text;
  ASSERT_EQ(std::sscanf(text.c_str() + at, "\ntime min %lf ms median %lf ms p99 %lf ms max %lf ms", &least, &middle,
                        &tail, &most),
            4);
  EXPECT_TRUE(0 <= least && least <= middle && middle <= tail && tail <= most) << text;
  const std::size_t count = text.find("(" + runs + " of warm-up, ", at);
  ASSERT_NE(count, text.npos) << text;
  ASSERT_EQ(std::sscanf(text.c_str() + text.find("up, ", count), "up, %lf per second)", &rate), 1) << text;
  EXPECT_GT(rate, 0) << text;
}

/// --log: one begin and one end of every op, in the order that the edges ask for; all within the run.
void expect_log(const Firmware& firmware, const std::string& arguments) {
  static_cast<void>(firmware.run(arguments + " --log ../log.json"));
  const auto log = nlohmann::json::parse(read_file(fs::path(firmware.directory).parent_path().string() + "/log.json"));
  EXPECT_EQ(log["schema"], "detent.log/1");
  EXPECT_EQ(log["model"], "branchnet");
  EXPECT_EQ(log["dropped"], 0);
  std::map<std::uint32_t, std::uint64_t> begin, end;
  std::uint64_t last = 0;
  for (const nlohmann::json& record : log["records"]) {
    const std::uint64_t time = record["time_ps"];
    EXPECT_LE(last, time);
    last = time;
    const std::string event = record["event"];
    if (event == "op_begin" || event == "op_end") {
      EXPECT_TRUE((event == "op_begin" ? begin : end).emplace(record["op"], time).second) << record;
    }
    const bool is_within = log["begin_ps"] <= time && time <= log["end_ps"];
    EXPECT_TRUE(is_within || !record.contains("op")) << record;
  }
  const nlohmann::json graph = parse(run_detent("graph branchnet"));
  EXPECT_EQ(begin.size(), graph["ops"].size()) << arguments;
  EXPECT_EQ(end.size(), graph["ops"].size()) << arguments;
  for (const nlohmann::json& edge : graph["edges"]) EXPECT_LE(end[edge[0]], begin[edge[1]]) << edge;
}

/// Ops by begin, as `detent log` tells them of a file.
std::vector<std::uint32_t> logged_ops(const std::string& file) {
  const nlohmann::json log = parse(run_detent("log " + file + " --json -"));
  EXPECT_EQ(log["status"], "OK");
  EXPECT_EQ(log["whole"], true);
  std::vector<std::uint32_t> ops;
  for (const nlohmann::json& record : log["records"]) {
    if (record["event"] == "op_begin") ops.push_back(record["op"]);
  }
  return ops;
}

/// --log FILE: op by op what the log of a native run says.
void expect_log_file(const Firmware& firmware) {
  const std::string place = fs::path(firmware.directory).parent_path().string();
  static_cast<void>(firmware.run("--mode serial --workers 0 --log ../firmware.log"));
  ASSERT_EQ(run_detent("run branchnet --workers 0 --quiet --log " + place + "/native.log").exit_code, 0);
  const std::vector<std::uint32_t> ops = logged_ops(place + "/firmware.log");
  EXPECT_EQ(ops.size(), 25U);
  EXPECT_EQ(ops, logged_ops(place + "/native.log"));
  static_cast<void>(firmware.run("--workers 3 --repeat 3 --log ../firmware.log"));
  std::vector<std::uint32_t> parallel = logged_ops(place + "/firmware.log");
  std::ranges::sort(parallel);
  std::vector<std::uint32_t> each = ops;
  std::ranges::sort(each);
  EXPECT_EQ(parallel, each);
}

TEST(Emit, GccWithThreadsGivesTheBytesOfDetentRun) {
  const Firmware firmware = emit_and_build("emit_gcc", "branchnet --workers 2,3", "gcc", "CFLAGS=-Wextra");
  expect_clean_symbols(firmware);
  const std::string digest = digest_of("branchnet");
  for (const char* mode : {"serial", "layered", "closed-loop", "static"}) {
    for (const int workers : {0, 1, 2, 3, 8}) {
      EXPECT_EQ(firmware.digest(fmt::format("--mode {} --workers {}", mode, workers)), digest) << mode << workers;
    }
  }
  EXPECT_EQ(firmware.digest("--policy critical-path --repeat 3"), digest);
  EXPECT_TRUE(firmware.run("").starts_with("branchnet: 25 ops on 3 workers\n")) << "the most of --workers";
  const std::string environment = output_of(firmware.directory, "TVMRT_NUM_WORKERS=0 ./model");
  EXPECT_TRUE(environment.starts_with("branchnet: 25 ops on 0 workers (serial)\n")) << environment;
  static_cast<void>(output_of(firmware.directory, "TVMRT_NUM_WORKERS=two ./model --log ignored.log"));
  const std::string told = output_of(firmware.directory, program_under_test() + " log ignored.log");
  EXPECT_NE(told.find("variable_ignored"), std::string::npos) << told;
  expect_log_file(firmware);
  expect_times(firmware.run("--repeat 5"), "5 runs after 1");
  expect_log(firmware, "--workers 3 --repeat 4");
  expect_log(firmware, "--workers 0");
  expect_equal_bytes(firmware, "branchnet", 49152);
}

TEST(Emit, TheLogIsTailoredWhenItIsCompiled) {
  const std::string flags = "OPT=-O1 OPT_KERNELS=-O1 ISA=base TVMRT_LOG=";
  const Firmware ops = emit_and_build("emit_log_ops", "diamond", "gcc", flags + "ops");
  EXPECT_EQ(ops.digest("--workers 2 --log ops.log"), digest_of("diamond"));
  const nlohmann::json log = parse(run_detent("log " + ops.directory + "/ops.log --json -"));
  EXPECT_EQ(log["whole"], true);
  ASSERT_EQ(log["records"].size(), 10U);
  for (const nlohmann::json& record : log["records"]) {
    const std::string event = record["event"];
    EXPECT_TRUE(event == "run_begin" || event == "run_end" || event == "op_begin" || event == "op_end") << event;
  }
  const Firmware none = emit_and_build("emit_log_none", "diamond", "gcc", flags + "none");
  EXPECT_EQ(none.digest("--workers 2"), digest_of("diamond"));
  EXPECT_TRUE(none.run("--log x; test $? = 2").starts_with("no room for a log"));
  const std::string bad = output_of(none.directory, "make TVMRT_LOG=some 2>&1; test $? = 2");
  EXPECT_NE(bad.find("TVMRT_LOG is none, ops or all"), std::string::npos) << bad;
}

TEST(Emit, WithoutThreadsNothingOfPthreadIsBuilt) {
  // TVMRT_PORT as a define: what a build system of its own would pass.
  const std::string flags = "OPT=-O1 OPT_KERNELS=-O1 ISA=base CPPFLAGS=-DTVMRT_PORT=single";
  const Firmware firmware = emit_and_build("emit_single", "diamond", "gcc", flags);
  expect_clean_symbols(firmware);
  EXPECT_EQ(output_of(firmware.directory, "nm build/it/model | grep -c pthread || true"), "0\n");
  EXPECT_FALSE(fs::exists(firmware.build + "/runtime/ports/posix.cpp.o"));
  for (const char* mode : {"serial", "layered", "closed-loop", "static"}) {
    EXPECT_EQ(firmware.digest(fmt::format("--mode {}", mode)), digest_of("diamond")) << mode;
  }
  EXPECT_TRUE(firmware.run("--workers 2; test $? = 2").starts_with("unknown option or bad value: --workers"));
  expect_equal_bytes(firmware, "diamond", 256);
  EXPECT_TRUE(firmware.run("").starts_with("diamond: 4 ops on 0 workers (serial)\n"));
  expect_times(firmware.run(""), "1 run after 0");
  EXPECT_TRUE(firmware.run("--log x; test $? = 2").starts_with("no room for a log"));
}

// As a compiler would that is neither gcc nor clang: with threads, atomics and kernels of ISO C++ alone.
TEST(Emit, InTheLanguagesStandardAloneItGivesTheSameBytes) {
  const std::string flags = "OPT=-O1 OPT_KERNELS=-O2 ISA=base CPPFLAGS='-DDETENT_STANDARD_ONLY -pedantic-errors'";
  const Firmware firmware = emit_and_build("emit_standard", "branchnet", "gcc", flags);
  expect_clean_symbols(firmware);
  const std::string digest = digest_of("branchnet");
  for (const char* mode : {"serial", "layered", "closed-loop", "static"}) {
    for (const int workers : {0, 1, 3}) {
      EXPECT_EQ(firmware.digest(fmt::format("--mode {} --workers {}", mode, workers)), digest) << mode << workers;
    }
  }
}

/// Integers alone between the image and the logits: each of the int8 kernels, with vectors and without.
TEST(Emit, AnInt8NetworkGivesTheSameBytes) {
  const std::string digest = digest_of("branchnet_int8:3");
  const Firmware firmware = emit_and_build("emit_int8", "branchnet_int8:3 --workers 2", "gcc", "OPT=-O1");
  expect_clean_symbols(firmware);
  EXPECT_EQ(firmware.digest("--workers 0"), digest);
  EXPECT_EQ(firmware.digest("--workers 2"), digest);
  const std::string flags = "OPT=-O1 OPT_KERNELS=-O2 ISA=base CPPFLAGS='-DDETENT_STANDARD_ONLY -pedantic-errors'";
  EXPECT_EQ(emit_and_build("emit_int8_standard", "branchnet_int8:3", "gcc", flags).digest("--workers 0"), digest);
}

/// Branches, loops, ops that may fail and what stands in for them: every flag of an op is in the tables.
TEST(Emit, ControlFlowAndFallbacksGiveTheSameBytes) {
  const std::string set = scratch("emit_control") + "/fallbacks.toml";
  write_file(set, "schema = \"detent.set/1\"\n[[fallbacks]]\nfrom = \"npu\"\n");
  int number = 0;
  for (const std::string& model :
       {std::string("cascade:32"), std::string("refine"), std::string("fallback:16"), "branchnet --set " + set}) {
    const Firmware firmware = emit_and_build(fmt::format("emit_control_{}", number++), model + " --workers 2", "gcc",
                                             "OPT=-O1 OPT_KERNELS=-O2 ISA=base");
    const std::string digest = digest_of(model);
    for (const int workers : {0, 2}) {
      EXPECT_EQ(firmware.digest(fmt::format("--workers {}", workers)), digest) << model << " " << workers;
    }
  }
}

TEST(Emit, ClangTakesItAsItIs) {
  if (!has_program("clang")) GTEST_SKIP() << "clang is not installed";
  const Firmware firmware =
      emit_and_build("emit_clang", "diamond --workers 2", "clang", "CFLAGS=-Wextra OPT=-O1 OPT_KERNELS=-O1");
  expect_clean_symbols(firmware);
  EXPECT_EQ(firmware.digest("--workers 2 --mode static"), digest_of("diamond"));
}

/// One op of a kernel that only the model's own source defines: y[i] = x[i] + w[i % 3] over bytes.
models::Model own_kernel_model() {
  const auto tensor = [](const char* name, models::TensorRole role, std::uint64_t bytes, std::uint32_t region) {
    models::Tensor t;
    t.name = name;
    t.role = role;
    t.dtype = DETENT_U8;
    t.dims = {static_cast<std::int32_t>(bytes)};
    t.size_bytes = t.block_bytes = bytes;
    t.region = region;
    return t;
  };
  models::Model model;
  model.name = "own \"kernel\" */";
  model.regions = {
      {"in", DETENT_REGION_INPUT, 100}, {"w", DETENT_REGION_WEIGHTS, 3}, {"out", DETENT_REGION_OUTPUT, 100}};
  model.tensors = {tensor("x", models::TensorRole::kInput, 100, 0), tensor("w", models::TensorRole::kWeight, 3, 1),
                   tensor("y", models::TensorRole::kOutput, 100, 2)};
  model.tensors[1].init.kind = models::WeightInit::Kind::kBytes;
  model.tensors[1].init.bytes = {1, 0, 255};
  models::Op op;
  op.name = "add";
  op.kernel = "own_add";
  op.inputs = {0};
  op.weights = {1};
  op.outputs = {2};
  model.ops = {op};
  model.inputs = {0};
  model.outputs = {2};
  model.sources = {{"own/add.c", R"(#include "own/add.h"
static int32_t run(const detent_kernel_args *args) {
  const uint8_t *x = args->inputs[0].data, *w = args->weights[0].data;
  uint8_t *y = args->outputs[0].data;
  for (int i = 0; i < COUNT; ++i) y[i] = (uint8_t)(x[i] + w[i % 3]);
  return 0;
}
static const detent_kernel kernels[] = {{.name = "own_add", .run = run}};
static const detent_kernel_table table = {.kernels = kernels, .count = 1};
const detent_kernel_table *detent_module_kernels(void) { return &table; }
)"},
                   {"own/add.h", R"(#include <detent/backend.h>
const detent_kernel_table *detent_module_kernels(void);
)"}};
  model.compile_flags = {"-O2", "-DCOUNT=100"};
  return model;
}

TEST(Emit, KernelsOfTheModelsOwnGoAlongInsteadOfTheBuiltInOnes) {
  const std::string package = scratch("emit_own_package") + "/own.pkg";
  models::write_package(own_kernel_model(), package);
  const Firmware firmware = emit_and_build("emit_own", package, "gcc");
  expect_clean_symbols(firmware);
  EXPECT_FALSE(fs::exists(firmware.directory + "/runtime/kernels"));
  EXPECT_TRUE(fs::exists(firmware.directory + "/runtime/include/detent/op_config.h"));  // part of the interface
  expect_equal_bytes(firmware, package, 100);
}

/// A package of one of the hand-written artifacts.
std::string import_fixture(const std::string& name, const std::string& options = "") {
  const std::string package = scratch("emit_tvm_" + name) + "/tvm.pkg";
  const Answer answer = run_detent(fmt::format("import tvm {}/tests/models/import/tvm/fixtures/{} -o {} {}",
                                               DETENT_SOURCE_DIR, name, package, options));
  EXPECT_EQ(answer.exit_code, 0) << answer.error;
  return package;
}

class EmitTvmFixture : public testing::TestWithParam<const char*> {};

TEST_P(EmitTvmFixture, BuildsWithItsOperatorsAndGivesTheBytesOfDetentRun) {
  const std::string package = import_fixture(GetParam());
  for (const char* cc : {"gcc", "clang"}) {
    if (!has_program(cc)) continue;
    const Firmware firmware = emit_and_build(std::string("emit_tvm_fw_") + GetParam() + cc, package, cc);
    EXPECT_EQ(firmware.digest("--workers 3"), digest_of(package)) << cc;
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, EmitTvmFixture,
                         testing::Values("packed_usmp", "external_pools", "byoc_c_source", "v08"));

/// An application written for TVM's own run function.
constexpr const char* kApplication = R"(#include <stdio.h>
#include "tvmgen_default.h"
static unsigned char x[TVMGEN_DEFAULT_X_SIZE], output[TVMGEN_DEFAULT_OUTPUT_SIZE];
int main(void) {
  struct tvmgen_default_inputs inputs = {x};
  struct tvmgen_default_outputs outputs = {output};
  FILE *in = fopen("../in", "rb"), *out = fopen("../app_out", "wb");
  if (in == NULL || out == NULL || fread(x, 1, sizeof x, in) != sizeof x) return 1;
  for (int i = 0; i < 2; ++i) {
    if (tvmgen_default_run(&inputs, &outputs) != 0) return 2;
  }
  return fwrite(output, 1, sizeof output, out) == sizeof output && fclose(out) == 0 ? 0 : 3;
}
)";

TEST(EmitTvm, AnApplicationOfTvmsRunFunctionNeedsNoChange) {
  const std::string package = import_fixture("usmp", "--replan parallel");
  const Firmware firmware = emit_and_build("emit_tvm_app", package + " --workers 2", "gcc");
  expect_equal_bytes(firmware, package, 256);
  write_file(firmware.directory + "/app.c", kApplication);
  output_of(firmware.directory,
            "gcc -Wall -Werror -Ioperators/api app.c build/it/network.a -pthread -lm -o app && ./app");
  const std::string outside = fs::path(firmware.directory).parent_path().string();
  EXPECT_EQ(read_file(outside + "/app_out"), read_file(outside + "/expected"));
}

/// An application that looks where the network reads and writes, gives it memory in turns, memory that cannot take a
/// region's place, and an operator that fails.
constexpr const char* kBindingApplication = R"(#include <stdio.h>
#include <string.h>
#include "model.h"
#include "tvmgen_default.h"
static _Alignas(16) unsigned char x[2][TVMGEN_DEFAULT_X_SIZE], y[3][TVMGEN_DEFAULT_OUTPUT_SIZE + 8];
static int run(void *input, void *output) {
  struct tvmgen_default_inputs inputs = {input};
  struct tvmgen_default_outputs outputs = {output};
  return tvmgen_default_run(&inputs, &outputs);
}
static int stands_at(const void *input, const void *output) {
  return detent_tensor_data(detent_model_context(), detent_model_desc.inputs[0]) == input &&
         detent_tensor_data(detent_model_context(), detent_model_desc.outputs[0]) == output;
}
int main(void) {
  for (unsigned i = 0; i < sizeof x[0]; ++i) x[0][i] = x[1][i] = (unsigned char)(i * 37);
  if (run(x[0], y[0]) != 0 || !stands_at(x[0], y[0])) return 1;      /* bound: nothing was copied */
  if (run(x[1], y[1]) != 0 || !stands_at(x[1], y[1])) return 2;      /* another pair of buffers */
  if (run(x[0], y[2] + 1) != 0 || stands_at(x[0], y[2] + 1)) return 3; /* not aligned: copied */
  if (memcmp(y[0], y[1], TVMGEN_DEFAULT_OUTPUT_SIZE) != 0) return 4;
  if (memcmp(y[0], y[2] + 1, TVMGEN_DEFAULT_OUTPUT_SIZE) != 0) return 5;
  puts("bound");
  return 0;
}
)";

TEST(EmitTvm, RunBindsTheApplicationsMemoryAndReturnsTheOperatorsCode) {
  const std::string package = import_fixture("usmp", "--replan parallel");
  const Firmware firmware = emit_and_build("emit_tvm_bind", package + " --workers 2", "gcc");
  const std::string build = "gcc -Wall -Wextra -Werror -Ioperators/api -I. -Iruntime/include app.c ";
  write_file(firmware.directory + "/app.c", kBindingApplication);
  EXPECT_EQ(output_of(firmware.directory, build + "build/it/network.a -pthread -lm -o app && ./app"), "bound\n");
  // One operator that answers 7 in place of 0: `run` says so, and can be called again.
  const std::string failing =
      "sed -i '0,/return 0;/s//return 7;/' operators/operators.c && make -s CC=gcc BUILD=build/fails network > "
      "../fails.log && "
      "printf '#include \"tvmgen_default.h\"\\nint main(void) { static long long x[999], y[999]; "
      "struct tvmgen_default_inputs in = {x}; struct tvmgen_default_outputs out = {y}; "
      "return tvmgen_default_run(&in, &out) != 7 || tvmgen_default_run(&in, &out) != 7; }' > fails.c && "
      "gcc -Ioperators/api fails.c build/fails/network.a -pthread -lm -o fails && ./fails && echo seven";
  EXPECT_EQ(output_of(firmware.directory, failing), "seven\n");
}

constexpr const char* kSeveralTensors = R"(#include <stdio.h>
#include <string.h>
#include "detent/detent.h"
#include "desc.h"
#include "model.h"
#include "tvmgen_default.h"
static _Alignas(16) unsigned char memory[16][4096];
int main(void) {
  void *in[sizeof(struct tvmgen_default_inputs) / sizeof(void *)], *out[sizeof(struct tvmgen_default_outputs) / sizeof(void *)];
  const unsigned inputs = sizeof in / sizeof *in, outputs = sizeof out / sizeof *out;
  for (unsigned i = 0; i < inputs; ++i) in[i] = memory[i];
  for (unsigned i = 0; i < outputs; ++i) out[i] = memory[inputs + i];
  struct tvmgen_default_inputs given;
  struct tvmgen_default_outputs wanted;
  memcpy(&given, in, sizeof in);
  memcpy(&wanted, out, sizeof out);
  if (tvmgen_default_run(&given, &wanted) != 0) return 1;
  for (unsigned i = 0; i < inputs; ++i) {
    if (detent_tensor_data(detent_model_context(), detent_model_desc.inputs[i]) != in[i]) return 2;
  }
  for (unsigned i = 0; i < outputs; ++i) {
    if (detent_tensor_data(detent_model_context(), detent_model_desc.outputs[i]) != out[i]) return 3;
  }
  printf("%u in, %u out, all bound\n", inputs, outputs);
  return 0;
}
)";

TEST(EmitTvm, EachOfSeveralInputsAndOutputsIsBound) {
  for (const auto& [fixture, said] :
       {std::pair("gather", "2 in, 1 out, all bound\n"), std::pair("outputs_no_usmp", "1 in, 4 out, all bound\n")}) {
    const Firmware firmware = emit_and_build(std::string("emit_bound_") + fixture, import_fixture(fixture), "gcc");
    write_file(firmware.directory + "/app.c", kSeveralTensors);
    const std::string build = "gcc -Wall -Wextra -Werror -Ioperators/api -I. -Iruntime/include app.c ";
    EXPECT_EQ(output_of(firmware.directory, build + "build/it/network.a -pthread -lm -o app && ./app"), said);
  }
}

/// The C program in the section "In your program" of the directory's README.
std::string program_of_readme(const std::string& directory) {
  const std::string text = read_file(directory + "/README.md");
  const std::size_t begin = text.find("```c\n") + 5;
  return text.substr(begin, text.find("```", begin) - begin);
}

TEST(EmitCMake, ADirectoryInAProjectIsALibraryOfItAndTheReadmesProgramRuns) {
  const std::string place = scratch("emit_cmake");
  ASSERT_EQ(run_detent("emit c diamond --workers 2 -o " + place + "/firmware").exit_code, 0);
  std::string program = program_of_readme(place + "/firmware");
  const std::size_t declarations = program.find("detent_error");
  ASSERT_NE(declarations, program.npos);
  program.insert(declarations,
                 "#include <stdio.h>\n#include <string.h>\n"
                 "static float image[64 * 48], answer[1 << 16];\n"
                 "int main(void) {\n"
                 "size_t image_bytes = detent_model_desc.tensors[detent_model_desc.inputs[0]].size_bytes;\n"
                 "size_t answer_bytes = detent_model_desc.tensors[detent_model_desc.outputs[0]].size_bytes;\n"
                 "if (image_bytes > sizeof image || answer_bytes > sizeof answer) return 9;\n");
  program += "printf(\"%u ops\\n\", result.ops_run);\nreturn detent_model_close() != DETENT_OK;\n}\n";
  write_file(place + "/app.c", program);
  write_file(place + "/CMakeLists.txt",
             "cmake_minimum_required(VERSION 3.16)\nproject(app C CXX)\nadd_subdirectory(firmware)\n"
             "add_executable(app app.c)\nset_target_properties(app PROPERTIES LINKER_LANGUAGE C)\n"
             "target_link_libraries(app detent_network m)\n");
  const std::string launcher = has_program("ccache") ? "-DCMAKE_C_COMPILER_LAUNCHER=ccache "
                                                       "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"
                                                     : "";
  output_of(place, "cmake -S . -B build " + launcher + " && cmake --build build -j2");
  EXPECT_EQ(output_of(place, "./build/app"), "4 ops\n");
  EXPECT_FALSE(fs::exists(place + "/build/model")) << "the example belongs to the directory alone";
}

TEST(EmitCMake, ByItselfADirectoryIsTheProgram) {
  const std::string place = scratch("emit_cmake_alone");
  const std::string package = import_fixture("usmp", "--replan parallel");
  ASSERT_EQ(run_detent("emit c " + package + " -o " + place + "/firmware").exit_code, 0);
  output_of(place, "cmake -S firmware -B build -DTVMRT_PORT=single && cmake --build build -j2");
  EXPECT_TRUE(output_of(place, "./build/model").find("digest " + digest_of(package)) != std::string::npos);
  EXPECT_EQ(output_of(place, "nm build/model | grep -c pthread || true"), "0\n");
}

TEST(Emit, EqualInputsGiveEqualBytesAndTheListOfFiles) {
  const std::string directory = scratch("emit_twice");
  const Answer answer = run_detent("emit c branchnet --workers 2,4 --json - -o " + directory + "/a");
  ASSERT_EQ(answer.exit_code, 0) << answer.error;
  ASSERT_EQ(run_detent("emit c branchnet --workers 4,2,4 -o " + directory + "/b").exit_code, 0);
  const std::map<std::string, std::string> files = tree(directory + "/a");
  EXPECT_EQ(files, tree(directory + "/b"));
  const nlohmann::json json = parse(answer);
  EXPECT_EQ(json["schema"], "detent.emit/1");
  EXPECT_EQ(json["racing_pairs"], 0);
  EXPECT_EQ(json["files"].size(), files.size());
  for (const nlohmann::json& file : json["files"]) {
    ASSERT_TRUE(files.contains(file["path"])) << file;
    EXPECT_EQ(files.at(file["path"]).size(), file["bytes"]) << file;
  }
}

TEST(Emit, BadModelsAndOccupiedDirectoriesWriteNothing) {
  const std::string directory = scratch("emit_bad");
  for (const char* model : {"bad_cycle", "bad_overlap", "bad_out_of_arena", "bad_duplicate_edge", "no_such_model"}) {
    const Answer answer = run_detent(fmt::format("emit c {} -o {}/fw", model, directory));
    EXPECT_EQ(answer.exit_code, 2) << model;
    EXPECT_TRUE(answer.error.find(model) != std::string::npos) << answer.error;
  }
  EXPECT_TRUE(fs::is_empty(directory));
  write_file(directory + "/mine", "mine");
  EXPECT_EQ(run_detent("emit c diamond -o " + directory).exit_code, 2);
  EXPECT_EQ(tree(directory).size(), 1U);
  EXPECT_EQ(run_detent("emit c diamond --force -o " + directory).exit_code, 0);
  EXPECT_EQ(tree(directory).at("mine"), "mine");
}

TEST(Emit, RacingPairsGiveAWarning) {
  const std::string directory = scratch("emit_racy");
  const Answer answer = run_detent("emit c bad_reuse_war -o " + directory + "/fw");
  EXPECT_EQ(answer.exit_code, 0) << answer.error;
  EXPECT_TRUE(answer.output.find("warning: 1 pair of ops races") != std::string::npos) << answer.output;
}

}  // namespace
}  // namespace detent::e2e
