// Artifacts in every variant of the format: imported, audited, checked, re-planned, emitted, as a user would.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "tests/build.hpp"
#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

/// One row of fixtures/expected.tsv: measured by instrumented runs of the fixtures.
struct Expected {
  std::string name;
  std::uint64_t calls = 0, raw_edges = 0, racing_pairs = 0, conflicting_pairs = 0;
};

void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.name; }

/// Every fixture is compiled several times: a few stand for all where instrumentation makes that slow.
const std::size_t kMostFixtures = kIsInstrumented ? 1 : SIZE_MAX;

const std::string& fixtures() {
  static const std::string path = std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/fixtures";
  return path;
}

std::vector<Expected> expected_rows() {
  std::ifstream file(fixtures() + "/expected.tsv");
  std::vector<Expected> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream words(line);
    Expected row;
    words >> row.name >> row.calls >> row.raw_edges >> row.racing_pairs >> row.conflicting_pairs;
    if (!row.name.empty() && rows.size() < kMostFixtures) rows.push_back(row);
  }
  return rows;
}

class ImportTvm : public testing::TestWithParam<Expected> {
 protected:
  static std::string artifact() { return fixtures() + "/" + GetParam().name; }
  /// Vendors' code stands beside some artifacts; without it their operators cannot be executed.
  static bool can_execute() {
    return GetParam().name.find("byoc_cmsis") == std::string::npos && GetParam().name != "ethos_u";
  }
  /// Only an index that is loaded (take) makes accesses that hold for one input alone.
  static void expect_opinions(const nlohmann::json& audit) {
    std::uint64_t all = 0;
    for (const auto& one : audit["opinions"]) {
      const bool takes = one["function"].get<std::string>().find("_take") != std::string::npos;
      EXPECT_EQ(one["inputs"], takes ? "this" : "all") << one;
      EXPECT_EQ(one["ir"], takes ? "depends" : "independent") << one;
      EXPECT_EQ(one["disagrees"], false) << one;
      EXPECT_EQ(one.contains("why"), takes) << one;
      all += takes ? 0 : 1;
    }
    EXPECT_EQ(audit["opinions"].size(), GetParam().calls);
    EXPECT_EQ(audit["all_inputs_ops"], all);
  }
};

TEST_P(ImportTvm, CountsAreTheMeasuredOnes) {
  const std::string directory = scratch("tvm_" + GetParam().name);
  const auto answer = parse(run_detent("import tvm " + artifact() + " -o " + directory + "/m.pkg --json -"));
  EXPECT_EQ(answer["ops"], GetParam().calls);
  EXPECT_EQ(answer["edges"], GetParam().raw_edges);
  EXPECT_EQ(answer["racing_pairs"], GetParam().racing_pairs);
  EXPECT_EQ(answer["conflicting_pairs"], GetParam().conflicting_pairs);
}

TEST_P(ImportTvm, PackageIsSafeAndEdgesByNamesRaceAsCounted) {
  const std::string directory = scratch("tvm_edges_" + GetParam().name);
  ASSERT_EQ(run_detent("import tvm " + artifact() + " -o " + directory + "/safe.pkg").exit_code, 0);
  const Answer safe = run_detent("verify " + directory + "/safe.pkg");
  EXPECT_EQ(safe.exit_code, 0) << safe.output << safe.error;
  ASSERT_EQ(run_detent("import tvm " + artifact() + " --edges names -o " + directory + "/names.pkg").exit_code, 0);
  const auto racy = parse(run_detent("verify " + directory + "/names.pkg --json -"));
  EXPECT_EQ(racy["racing_pairs"], GetParam().racing_pairs);
}

TEST_P(ImportTvm, FootprintsAndResultsStandUpToExecution) {
  if (!can_execute()) GTEST_SKIP() << "needs the vendor's library";
  const std::string directory = scratch("tvm_audit_" + GetParam().name);
  const Answer as_is = run_detent("import tvm " + artifact() + " --audit -o " + directory + "/m.pkg --json -");
  EXPECT_EQ(as_is.exit_code, 0) << as_is.output << as_is.error;
  const auto audit = parse(as_is)["audit"];
  EXPECT_EQ(audit["reference_digest"], audit["serial_digest"]);
  for (const char* verdict : {"accesses", "determinism", "results"}) EXPECT_EQ(audit[verdict], "holds") << verdict;
  EXPECT_EQ(audit["findings"], nlohmann::json::array());
  for (const auto& slack : audit.at("declared_untouched")) {
    EXPECT_GT(slack.at("read_bytes").get<std::uint64_t>() + slack.at("scratch_bytes").get<std::uint64_t>(), 0U);
  }
  expect_opinions(audit);
  const Answer replanned =
      run_detent("import tvm " + artifact() + " --replan parallel --audit -o " + directory + "/p.pkg --json -");
  EXPECT_EQ(replanned.exit_code, 0) << replanned.output << replanned.error;
  EXPECT_EQ(parse(replanned)["audit"]["serial_digest"], audit["serial_digest"]);
  expect_opinions(parse(replanned)["audit"]);
  const Answer moved = run_detent("import tvm " + artifact() + " --replan parallel --scratch-limit 0 --audit -o " +
                                  directory + "/q.pkg --json -");
  EXPECT_EQ(moved.exit_code, 0) << moved.output << moved.error;
  EXPECT_EQ(parse(moved)["audit"]["serial_digest"], audit["serial_digest"]);
  const Answer small =
      run_detent("import tvm " + artifact() + " --replan parallel --scratch-limit 64 --arena-limit tvm" +
                 " --audit -o " + directory + "/s.pkg --json -");
  EXPECT_EQ(small.exit_code, 0) << small.output << small.error;
  EXPECT_EQ(parse(small)["audit"]["serial_digest"], audit["serial_digest"]);
  EXPECT_LE(parse(small)["replan"]["arena_bytes"], parse(small)["replan"]["tvm_bytes"]);
  EXPECT_EQ(run_detent("verify " + directory + "/s.pkg").exit_code, 0);
  const Answer check = run_detent("check " + directory + "/p.pkg --runs 3 --out " + directory + "/report");
  EXPECT_EQ(check.exit_code, 0) << check.output << check.error;
}

INSTANTIATE_TEST_SUITE_P(Fixtures, ImportTvm, testing::ValuesIn(expected_rows()),
                         [](const auto& row) { return row.param.name; });

TEST(ImportTvmFirmware, EntryPointOfTheApplicationGivesTheSameBytes) {
  const std::string directory = scratch("tvm_firmware");
  ASSERT_EQ(run_detent("import tvm " + fixtures() + "/usmp --replan parallel -o " + directory + "/m.pkg").exit_code, 0);
  const auto run =
      parse(run_detent("run " + directory + "/m.pkg --workers 2 --output " + directory + "/expected.bin --json -"));
  const Answer emitted = run_detent("emit c " + directory + "/m.pkg -o " + directory + "/firmware");
  ASSERT_EQ(emitted.exit_code, 0) << emitted.error;
  for (const char* port : {"posix", "single"}) {
    const std::string command = "make -s CC=" + compiler_word("cc") + " -C " + directory +
                                "/firmware TVMRT_PORT=" + port + " >/dev/null && " + directory +
                                "/firmware/model --output " + directory + "/" + port + ".bin >/dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0) << port;
    EXPECT_EQ(read_file(directory + "/" + port + ".bin"), read_file(directory + "/expected.bin")) << port;
  }
}

const std::string& vendors() {
  static const std::string path = std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/vendor";
  return path;
}

TEST(ImportTvmVendor, PackageWithoutItsCodeIsCheckedAndNotExecuted) {
  const std::string directory = scratch("tvm_missing");
  const Answer import = run_detent("import tvm " + vendors() + "/cmsis_nn/ops.c -o " + directory + "/m.pkg --json -");
  ASSERT_EQ(import.exit_code, 0);
  const auto missing = parse(import)["missing"];
  EXPECT_EQ(missing["functions"][0]["function"], "arm_convolve_wrapper_s8");
  EXPECT_EQ(missing["functions"][0]["ops"], (std::vector<int>{2, 3}));
  EXPECT_EQ(missing["headers"][0]["header"], "arm_nnfunctions.h");
  EXPECT_EQ(missing["headers"][0]["line"], 8);
  const Answer check = run_detent("check " + directory + "/m.pkg --runs 3 --out " + directory + "/report");
  EXPECT_EQ(check.exit_code, 0) << check.output << check.error;
  const std::string text = missing["text"].get<std::string>();
  for (const char* const command : {"run ", "emit c -o /nowhere "}) {
    const Answer refused = run_detent(command + directory + "/m.pkg");
    EXPECT_EQ(refused.exit_code, 2) << command;
    EXPECT_NE(refused.error.find("cannot be executed: " + text), std::string::npos) << refused.error;
  }
  const Answer audit = run_detent("import tvm " + vendors() + "/cmsis_nn/ops.c --audit -o " + directory + "/n.pkg");
  EXPECT_EQ(audit.exit_code, 2);
  EXPECT_NE(audit.error.find(text), std::string::npos) << audit.error;
}

/// Package, re-planned package and emitted program give the bytes of the artifact's own main.
TEST(ImportTvmVendor, RunsAuditedReplannedAndEmitted) {
  struct Row {
    std::string name, options, digest;
  };
  std::vector<Row> rows = {Row{"cmsis_nn", " --include {}/lib/Include --source {}/lib/Source", "b4146997c071d77e"},
                           {"microkernel", " --include {}/lib", "f91269f2947d389b"},
                           {"muriscv_nn", " --include {}/lib/Include --source {}/lib/Source", "9d15bb4a805ef3b7"},
                           {"esp_nn", " --include {}/lib/include --source {}/lib/src", "b0699b79a22a09ca"},
                           {"c_source", " --include {}/lib", "46d5689f30f14271"}};
  rows.resize(std::min(rows.size(), kMostFixtures));
  for (const Row& row : rows) {
    const std::string directory = scratch("tvm_vendor_" + row.name);
    std::string options = row.options;
    for (std::size_t at = options.find("{}"); at != std::string::npos; at = options.find("{}"))
      options.replace(at, 2, vendors() + "/" + row.name);
    for (const char* const plan : {"none", "parallel"}) {
      const std::string package = directory + "/" + plan + ".pkg";
      const Answer import = run_detent("import tvm " + vendors() + "/" + row.name + "/ops.c" + options + " --replan " +
                                       plan + " --audit -o " + package + " --json -");
      ASSERT_LE(import.exit_code, 1) << row.name << import.error;
      const auto audit = parse(import)["audit"];
      EXPECT_EQ(audit["accesses"], "holds") << row.name << plan;
      EXPECT_EQ(audit["results"], "holds") << row.name << plan;
      EXPECT_EQ(audit["serial_digest"], row.digest) << row.name << plan;
      EXPECT_EQ(audit["reference_digest"], row.digest) << row.name << plan;
    }
    const std::string firmware = directory + "/firmware";
    const Answer emit = run_detent("emit c " + directory + "/parallel.pkg -o " + firmware);
    EXPECT_NE(emit.exit_code, 2) << emit.error;
    ASSERT_EQ(std::system(("make -s CC=" + compiler_word("cc") + " -C " + firmware + " >/dev/null && " + firmware +
                           "/model >" + directory + "/out.txt")
                              .c_str()),
              0)
        << row.name;
    EXPECT_NE(read_file(directory + "/out.txt").find("digest " + row.digest), std::string::npos) << row.name;
  }
}

TEST(ImportTvmErrors, NameFileAndPlace) {
  const std::string directory = scratch("tvm_errors");
  EXPECT_EQ(run_detent("import tvm " + directory + "/none -o " + directory + "/m.pkg").exit_code, 2);
  write_file(
      directory + "/ops.c",
      "int f(float* p0) { return 0; }\nint tvmgen_default___tvm_main__(float* x_buffer_var) {\n  while (1) {}\n}\n");
  const Answer loop = run_detent("import tvm " + directory + "/ops.c -o " + directory + "/m.pkg");
  EXPECT_EQ(loop.exit_code, 2);
  EXPECT_NE(loop.error.find("ops.c:3"), std::string::npos) << loop.error;
}

}  // namespace
}  // namespace detent::e2e
