// The trace files of simulate and check on real runs: each keeps the rules of its format and agrees with the answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "tests/e2e/program.hpp"
#include "tests/reports/trace/btf_check.hpp"

namespace detent::e2e {
namespace {

namespace fs = std::filesystem;
using reports::BtfFile;
using reports::BtfRecord;

/// A chip with work of higher priority on two cores.
const char* const kLoads =
    "\n[[load]]\nname = \"control_loop\"\nclass = \"cpu\"\ncore = 0\nperiod_ps = 50_000_000\nduration_ps = 5_000_000\n"
    "\n[[load]]\nname = \"tick\"\nclass = \"cpu\"\ncore = 1\nperiod_ps = 10_000_000\nduration_ps = 700_000\n";

std::string first_violations(const BtfFile& file) {
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(file.violations.size(), 5); ++i) out += file.violations[i] + "\n";
  return out;
}

/// The last time stamp of a VCD.
std::string last_time(const std::string& vcd) {
  const std::size_t at = vcd.rfind("\n#");
  return vcd.substr(at + 2, vcd.find('\n', at + 2) - at - 2);
}

TEST(TraceFiles, SimulateWritesFilesThatAgreeWithItsAnswer) {
  const std::string directory = scratch("traces");
  for (const char* arguments :
       {"yolov8n:64 --platform quad_npu --runs 5", "branchnet --platform am62a", "diamond --cores 2",
        "yolov8n:64 --platform imx93", "random:3:200 --cores cpu=3,npu=1", "wide --platform rk3588 --workers 3",
        "random:8:60 --platform quad_npu --mode layered", "random:8:60 --platform quad_npu --scheduler thread"}) {
    const Answer answer = run_detent(std::string("simulate ") + arguments + " --json - --out " + directory + "/t");
    ASSERT_EQ(answer.exit_code, 0) << arguments << answer.error;
    const nlohmann::json json = parse(answer);
    const BtfFile btf = reports::check_btf(read_file(directory + "/t/trace.btf"));
    EXPECT_EQ(first_violations(btf), "") << arguments;
    std::set<std::string> ops;
    for (const BtfRecord& r : btf.records) {
      if (r.type == "R" && r.target.starts_with("op")) ops.insert(r.target);
    }
    std::set<std::uint64_t> executed;
    for (const auto& op : json["ops"]) {
      if (op["core"] != "delays" && op["core"] != "delay") executed.insert(op["op"].get<std::uint64_t>());
    }
    EXPECT_EQ(ops.size(), executed.size()) << arguments;
    const std::string vcd = read_file(directory + "/t/trace.vcd");
    EXPECT_EQ(last_time(vcd), std::to_string(json["makespan_ps"]["max"].get<std::uint64_t>())) << arguments;
    EXPECT_GT(read_file(directory + "/t/trace.pftrace").size(), 500U) << arguments;
    for (const auto& account : json["accounts"]) {
      std::uint64_t sum = 0;
      for (const char* part : {"compute_ps", "memory_ps", "overhead_ps", "load_ps", "idle_ps"}) {
        sum += account[part].get<std::uint64_t>();
      }
      EXPECT_EQ(sum, json["makespan_ps"]["max"]) << arguments << account;
    }
  }
}

TEST(TraceFiles, LoadsPreemptWorkersInEveryFile) {
  const std::string directory = scratch("traces_loads");
  std::string platform = read_file(std::string(DETENT_SOURCE_DIR) + "/sim/platforms/quad_npu.toml");
  platform.insert(platform.find("[provenance]"), std::string(kLoads) + "\n");
  write_file(directory + "/loaded.toml", platform);
  const Answer answer =
      run_detent("simulate yolov8n:64 --platform " + directory + "/loaded.toml --json - --out " + directory + "/t");
  ASSERT_EQ(answer.exit_code, 0) << answer.error;
  const BtfFile btf = reports::check_btf(read_file(directory + "/t/trace.btf"));
  EXPECT_EQ(first_violations(btf), "");
  std::set<std::string> tasks;
  std::size_t preemptions = 0;
  for (const BtfRecord& r : btf.records) {
    if (r.type != "T") continue;
    tasks.insert(r.target);
    preemptions += r.event == "preempt" ? 1U : 0U;
  }
  EXPECT_TRUE(tasks.contains("TASK_load_0_control_loop"));
  EXPECT_TRUE(tasks.contains("TASK_load_1_tick"));
  EXPECT_GT(preemptions, 0U);
  EXPECT_NE(read_file(directory + "/t/trace.vcd").find(" load"), std::string::npos);
  EXPECT_NE(read_file(directory + "/t/trace.pftrace").find("load control_loop"), std::string::npos);
  EXPECT_GT(parse(answer)["accounts"][0]["load_ps"].get<std::uint64_t>(), 0U);
}

TEST(TraceFiles, EqualInputsGiveEqualBytes) {
  const std::string directory = scratch("traces_twice");
  for (const char* run : {"a", "b"}) {
    const Answer answer =
        run_detent("simulate yolov8n:64 --platform quad_npu --runs 3 --timing-only --out " + directory + "/" + run);
    ASSERT_EQ(answer.exit_code, 0) << answer.error;
  }
  for (const char* file : {"trace.pftrace", "trace.btf", "trace.vcd"}) {
    EXPECT_EQ(read_file(directory + "/a/" + file), read_file(directory + "/b/" + file)) << file;
  }
}

TEST(TraceFiles, WithoutOutNothingIsWritten) {
  const std::string directory = scratch("traces_none");
  ASSERT_EQ(run_detent("simulate diamond --cores 2").exit_code, 0);
  EXPECT_TRUE(fs::is_empty(directory));
}

TEST(TraceFiles, B74_ExistingFilesAndDirectoriesAreRefusedAndKept) {
  const std::string directory = scratch("traces_refused");
  write_file(directory + "/file", "kept");
  EXPECT_EQ(run_detent("simulate diamond --cores 2 --out " + directory + "/file").exit_code, 2);
  EXPECT_EQ(read_file(directory + "/file"), "kept");
  fs::create_directories(directory + "/out/trace.btf");
  const Answer answer = run_detent("simulate diamond --cores 2 --out " + directory + "/out");
  EXPECT_EQ(answer.exit_code, 2) << answer.output;
  EXPECT_NE(answer.error.find("trace.btf"), std::string::npos) << answer.error;
}

TEST(TraceFiles, B74_ALinkInDirDoesNotLeadOut) {
  const std::string directory = scratch("traces_link");
  write_file(directory + "/outside", "kept");
  fs::create_directories(directory + "/out");
  fs::create_symlink(directory + "/outside", directory + "/out/trace.vcd");
  run_detent("simulate diamond --cores 2 --out " + directory + "/out");
  EXPECT_EQ(read_file(directory + "/outside"), "kept");
}

}  // namespace
}  // namespace detent::e2e
