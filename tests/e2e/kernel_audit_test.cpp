// The audit that run, check, emit and import --measure make before kernels of C are executed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "models/files/package.hpp"
#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

namespace fs = std::filesystem;

/// The package of a fixture in a directory of its own.
std::string package_of(const std::string& fixture, const std::string& name) {
  std::string path = scratch(name) + "/m.pkg";
  const Answer import = run_detent("import tvm " + std::string(DETENT_SOURCE_DIR) +
                                   "/tests/models/import/tvm/fixtures/" + fixture + " -o " + path);
  EXPECT_EQ(import.exit_code, 0) << import.error;
  return path;
}

/// Half of the bytes of the first range that an op writes are declared no more.
void declare_less(const std::string& path) {
  models::Model model = models::read_package(path);
  for (const models::Op& op : model.ops) {
    for (const std::uint32_t id : op.outputs) {
      models::Tensor& tensor = model.tensors[id];
      if (tensor.role != models::TensorRole::kRange || tensor.block_count != 1 || tensor.size_bytes < 2) continue;
      tensor.size_bytes /= 2;
      tensor.block_bytes = tensor.size_bytes;
      tensor.dims.clear();
      models::write_package(model, path);
      return;
    }
  }
  FAIL() << "no op writes a range";
}

void set_footprint(const std::string& path, const std::string& kernel, models::Footprint footprint) {
  models::Model model = models::read_package(path);
  const auto op =
      std::ranges::find_if(model.ops, [&](const models::Op& one) { return one.kernel.find(kernel) != kernel.npos; });
  ASSERT_NE(op, model.ops.end());
  op->footprint = footprint;
  models::write_package(model, path);
}

nlohmann::json verdict(const nlohmann::json& answer, const std::string& property) {
  for (const auto& one : answer["verdicts"]) {
    if (one["property"] == property) return one;
  }
  return nullptr;
}

TEST(KernelAudit, ComesBeforeEveryExecution) {
  const std::string package = package_of("usmp", "audit_holds");
  const auto run = parse(run_detent("run " + package + " --json -"));
  EXPECT_EQ(run["access_audit"]["outcome"], "holds") << run;
  const std::string firmware = fs::path(package).parent_path() / "firmware";
  EXPECT_EQ(parse(run_detent("emit c " + package + " -o " + firmware + " --json -"))["access_audit"]["outcome"],
            "holds");
  const std::string report = fs::path(package).parent_path() / "report";
  const auto check = parse(run_detent("check " + package + " --runs 3 --out " + report + " --json -"));
  EXPECT_EQ(verdict(check, "access_audit")["outcome"], "holds");
  const std::string races = verdict(check, "buffer_races")["summary"];
  EXPECT_TRUE(races.ends_with("; footprints by text analysis and audit")) << races;
  const Answer without = run_detent("run " + package + " --no-audit --json -");
  EXPECT_FALSE(parse(without).contains("access_audit"));
}

TEST(KernelAudit, WithoutAnAuditVerdictsNameTextAnalysisAlone) {
  const std::string package = package_of("usmp", "audit_none");
  const std::string report = fs::path(package).parent_path() / "report";
  const auto check = parse(run_detent("check " + package + " --no-audit --runs 3 --out " + report + " --json -"));
  EXPECT_EQ(verdict(check, "access_audit"), nullptr);
  for (const auto& answer : {check, parse(run_detent("verify " + package + " --json -"))}) {
    const std::string races = verdict(answer, "buffer_races")["summary"];
    EXPECT_TRUE(races.ends_with("; footprints by text analysis")) << races;
  }
  EXPECT_NE(read_file(report + "/report.html").find("footprints by text analysis"), std::string::npos);
}

TEST(KernelAudit, BytesThatAreNotDeclaredEndTheCommand) {
  const std::string package = package_of("usmp", "audit_violated");
  declare_less(package);
  const Answer run = run_detent("run " + package);
  EXPECT_EQ(run.exit_code, 1) << run.output << run.error;
  EXPECT_NE(run.output.find("writes undeclared bytes"), std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("digest"), std::string::npos) << "its kernels were run all the same";
  const std::string firmware = fs::path(package).parent_path() / "firmware";
  EXPECT_EQ(run_detent("emit c " + package + " -o " + firmware).exit_code, 1);
  EXPECT_FALSE(fs::exists(firmware));
  const std::string report = fs::path(package).parent_path() / "report";
  const Answer check = run_detent("check " + package + " --runs 3 --out " + report + " --json -");
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_EQ(verdict(parse(check), "access_audit")["outcome"], "violated");
  EXPECT_NE(verdict(parse(check), "buffer_races")["outcome"], "holds") << "what was proved is not of the real bytes";
  EXPECT_NE(verdict(parse(check), "determinism")["outcome"], "holds");
}

TEST(KernelAudit, ExactFootprintThatTheIrContradictsIsUnknown) {
  const std::string package = package_of("gather", "audit_disagrees");
  const Answer inexact = run_detent("run " + package);
  EXPECT_EQ(inexact.exit_code, 0) << inexact.output << inexact.error;
  EXPECT_NE(inexact.output.find("for this input only: line "), std::string::npos) << inexact.output;
  set_footprint(package, "_take", models::Footprint::kExact);
  const Answer run = run_detent("run " + package);
  EXPECT_EQ(run.exit_code, 3) << run.output;
  EXPECT_NE(run.output.find("exact by text analysis, but LLVM IR says: line "), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("digest"), std::string::npos) << run.output;
  const std::string firmware = fs::path(package).parent_path() / "firmware";
  EXPECT_EQ(run_detent("emit c " + package + " -o " + firmware).exit_code, 3);
}

TEST(KernelAudit, IsMadeWithMeasurementsUnlessToldOtherwise) {
  const std::string artifact = std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/fixtures/no_usmp";
  const std::string package = scratch("audit_measure") + "/m.pkg";
  const auto measured = parse(run_detent("import tvm " + artifact + " --measure --json - -o " + package));
  EXPECT_EQ(measured["audit"]["text_analysis"]["outcome"], "holds") << measured["audit"];
  const auto bare = parse(run_detent("import tvm " + artifact + " --measure --no-audit --json - -o " + package));
  EXPECT_FALSE(bare.contains("audit"));
  EXPECT_EQ(run_detent("import tvm " + artifact + " --audit --no-audit -o " + package).exit_code, 2);
}

TEST(KernelAudit, PackagesRefuseCompilersWithOtherTypes) {
  const std::string fixture = std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/fixtures/usmp";
  const std::string package = package_of("usmp", "audit_types");
  models::Model model = models::read_package(package);
  model.compile_flags.emplace_back("-funsigned-char");
  models::write_package(model, package);
  const Answer run = run_detent("run " + package);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.error.find("analysed for compilers with other types"), std::string::npos) << run.error;
  ASSERT_EQ(run_detent("import tvm " + fixture + " --cflags '-O2 -funsigned-char' -o " + package).exit_code, 0);
  EXPECT_EQ(run_detent("run " + package).exit_code, 0);
}

TEST(KernelAudit, FlagsThatChangeArithmeticAreRefused) {
  const std::string import = "import tvm " + std::string(DETENT_SOURCE_DIR) +
                             "/tests/models/import/tvm/fixtures/usmp -o " + scratch("audit_arithmetic") +
                             "/m.pkg --cflags ";
  const Answer loose = run_detent(import + "'-O2 -ffast-math'");
  EXPECT_EQ(loose.exit_code, 2);
  EXPECT_NE(loose.error.find("--cflags: -ffast-math changes what the operators compute"), std::string::npos)
      << loose.error;
  EXPECT_EQ(run_detent(import + "'-O3 -march=native'").exit_code, 0);
}

TEST(KernelAudit, TargetWithOtherBytesIsNotExecutableHere) {
  const std::string directory = scratch("audit_target");
  const std::string fixture = std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/fixtures/packed_usmp";
  const auto both = parse(run_detent("import tvm " + fixture + " --target-triple armv7m-none-eabi --replan parallel " +
                                     "--audit --json - -o " + directory + "/both.pkg"));
  EXPECT_EQ(both["targets"].size(), 2U);
  EXPECT_EQ(both["executable_here"], true);
  EXPECT_EQ(both["audit"]["results"], "holds");
  write_file(directory + "/ops.c",
             "#include <stdint.h>\nint32_t f(float* p0, float* T_out) {\n"
             "  for (int32_t i = 0; i < sizeof(long); ++i) T_out[i] = p0[i];\n  return 0;\n}\n"
             "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var) {\n"
             "  if (f(x_buffer_var, output_buffer_var) != 0 ) return -1;\n  return 0;\n}\n");
  const std::string import =
      "import tvm " + directory + "/ops.c --target-triple armv7m-none-eabi -o " + directory + "/m.pkg";
  const auto foreign = parse(run_detent(import + " --json -"));
  EXPECT_EQ(foreign["targets"], nlohmann::json::array({"armv7m-none-eabi"}));
  EXPECT_EQ(foreign["executable_here"], false);
  EXPECT_NE(foreign["notes"].dump().find("f (line 7) touches other bytes"), std::string::npos) << foreign["notes"];
  EXPECT_EQ(run_detent("verify " + directory + "/m.pkg").exit_code, 0);
  const Answer run = run_detent("run " + directory + "/m.pkg");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.error.find("armv7m-none-eabi"), std::string::npos) << run.error;
  const Answer audit = run_detent(import + " --audit");
  EXPECT_EQ(audit.exit_code, 2);
  EXPECT_NE(audit.error.find("leave out --target-triple"), std::string::npos) << audit.error;
  EXPECT_EQ(run_detent("import tvm " + fixture + " --target-triple nonsense -o " + directory + "/m.pkg").exit_code, 2);
}

/// A directory of programs with the C compiler and without clang-19.
std::string path_without_clang() {
  std::string directory = scratch("audit_path");
  for (const char* const program : {"cc", "gcc", "as", "ld", "sh"}) {
    for (const char* const place : {"/usr/bin/", "/bin/"}) {
      if (!fs::exists(std::string(place) + program)) continue;
      fs::create_symlink(std::string(place) + program, directory + "/" + program);
      break;
    }
  }
  return directory;
}

TEST(KernelAudit, WithoutClangTheAuditIsOfOneInputOnly) {
  const std::string package = package_of("usmp", "audit_no_clang");
  const std::string before = std::getenv("PATH");
  ASSERT_EQ(::setenv("PATH", path_without_clang().c_str(), 1), 0);
  const Answer run = run_detent("run " + package);
  ASSERT_EQ(::setenv("PATH", before.c_str(), 1), 0);
  EXPECT_EQ(run.exit_code, 0) << run.output << run.error;
  EXPECT_NE(run.output.find("for this input only: clang-19 is not on PATH; install the package clang-19"),
            std::string::npos)
      << run.output;
}

}  // namespace
}  // namespace detent::e2e
