// Coverage of a package's C: figures and pages of runs that count, and what is said where they differ or crash.
#include "app/coverage/code_coverage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "app/check/check.hpp"
#include "app/import/tvm_runs.hpp"
#include "models/core/thunks.hpp"
#include "tests/app/answers.hpp"
#include "tests/models/import/tvm/import_text.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;
namespace tvm = models::tvm;
using verify::Outcome;

/// The diamond a -> {b, c} -> d with `text` in place of what operator a adds to each of its 16 values.
models::Model counted_diamond(const std::string& text = "", const std::string& before = "") {
  models::Model model = tvm::imported_model(
      tvm::import_of(tvm::artifact_of("#include <stdint.h>\n" + tvm::diamond_text(0, 64, 128, 192))));
  for (models::SourceFile& file : model.sources) {
    if (file.name != models::kThunkFile) continue;
    const std::string added = "T_out[i] = (p0[i] + 1.000000e+00f);";
    if (!text.empty()) file.text.replace(file.text.find(added), added.size(), text);
    file.text.insert(file.text.find("int32_t tvmgen_default_fused_a"), before);
  }
  return model;
}

CheckOptions counting_options(const std::string& name) {
  CheckOptions options;
  options.request = {.model = name, .seeds = {.schedule = 1}, .reproducible = true};
  options.simulation.cores = "2";
  options.simulation.runs = 3;
  options.schedule.engine.workers = 2;
  options.coverage = find_coverage_tools("");
  return options;
}

CheckResult check_counted(const models::Model& model, const CheckOptions& options) {
  return check(options, load_imported(model, ""), simulated_platform(options.simulation), {});
}

const verify::Verdict& verdict_on(const CheckResult& result, verify::Property property) {
  const auto place = std::ranges::find(result.verdicts, property, &verify::Verdict::property);
  if (place == result.verdicts.end()) throw std::logic_error("no such verdict");
  return *place;
}

std::string file_counts(const reports::FileCoverage& file) {
  const auto text = [](const reports::CoveredCount& count) {
    return std::to_string(count.covered) + "/" + std::to_string(count.total);
  };
  return file.name + " " + text(file.lines) + " " + text(file.branches) + " " + text(file.functions);
}

const CoveragePage* page_of(const CheckResult& result, const std::string& name) {
  const auto page = std::ranges::find(result.code_pages, name, &CoveragePage::name);
  return page == result.code_pages.end() ? nullptr : &*page;
}

constexpr const char* kUncalled = "int32_t never_called(int32_t x) {\n  return x + 1;\n}\n";
constexpr const char* kBranch =
    "if (p0[i] > 5.0f) {\n      T_out[i] = 5.0f;\n    } else {\n      T_out[i] = (p0[i] + 1.0f);\n    }";

TEST(CodeCoverage, CountsTheUsersLinesBranchesAndFunctions) {
  const CheckResult result = check_counted(counted_diamond(kBranch, kUncalled), counting_options("net.pkg"));
  const verify::Verdict& verdict = verdict_on(result, verify::Property::kCoverageRuns);
  EXPECT_EQ(verdict.outcome, Outcome::kHolds) << verdict.summary;
  ASSERT_TRUE(result.code);
  const reports::CodeCoverage& code = *result.code;
  ASSERT_EQ(code.files.size(), 1U) << "neither thunks nor headers of the import";
  // Of six functions TVM's main is not called, which the graph replaces, nor is never_called; of a's lines one is left.
  EXPECT_EQ(file_counts(code.files[0]), "operators.c 20/32 11/20 4/6");
  ASSERT_EQ(code.files[0].uncovered.size(), 2U);
  EXPECT_EQ(code.files[0].uncovered[0].name, "never_called");
  EXPECT_EQ(code.files[0].uncovered[0].line, 2U);
  EXPECT_EQ(code.files[0].uncovered[1].name, "tvmgen_default___tvm_main__");
  EXPECT_EQ(code.note, "");
  EXPECT_EQ(code.native_runs, 3 + result.determinism->runs.size());
  EXPECT_EQ(code.schedules, result.schedules.ops->executions);
  EXPECT_EQ(verdict.summary, std::to_string(code.native_runs) + " native runs and " + std::to_string(code.schedules) +
                                 " order" + (code.schedules == 1 ? "" : "s") +
                                 " of ops counted; digest and verdicts as without counters");
}

TEST(CodeCoverage, PagesAreTheSameBytesWithoutDateOrPlace) {
  const CheckOptions options = counting_options("net.pkg");
  const CheckResult first = check_counted(counted_diamond(), options);
  const char* const given = std::getenv("GCOV_PREFIX");
  const std::string before = given == nullptr ? "" : given;
  ::setenv("GCOV_PREFIX", "nowhere", 1);  // that of a caller that is measured itself changes nothing
  const CheckResult second = check_counted(counted_diamond(), options);
  before.empty() ? ::unsetenv("GCOV_PREFIX") : ::setenv("GCOV_PREFIX", before.c_str(), 1);
  EXPECT_FALSE(fs::exists("nowhere"));
  ASSERT_EQ(first.code_pages.size(), second.code_pages.size());
  const std::vector<std::string> never = {"1970", "detent-", fs::current_path().string()};
  for (std::size_t i = 0; i < first.code_pages.size(); ++i) {
    EXPECT_EQ(first.code_pages[i].name, second.code_pages[i].name);
    EXPECT_TRUE(first.code_pages[i].bytes == second.code_pages[i].bytes) << first.code_pages[i].name;
    for (const std::string& word : never) {
      EXPECT_EQ(first.code_pages[i].bytes.find(word), std::string::npos)
          << first.code_pages[i].name << " says " << word;
    }
  }
  ASSERT_NE(page_of(first, "coverage.html"), nullptr);
  EXPECT_NE(page_of(first, "coverage.html")->bytes.find("Kernels of net.pkg"), std::string::npos);
  ASSERT_NE(page_of(first, "coverage.xml"), nullptr);
  EXPECT_NE(page_of(first, "coverage.xml")->bytes.find("filename=\"operators.c\""), std::string::npos);
  EXPECT_EQ(page_of(first, "coverage.xml")->bytes.find("thunk"), std::string::npos);
  const auto is_detail = [](const CoveragePage& page) { return page.name.starts_with("coverage.operators.c."); };
  EXPECT_EQ(std::ranges::count_if(first.code_pages, is_detail), 1);
}

TEST(CodeCoverage, ClangCountsWithItsLlvmCov) {
  CheckOptions options = counting_options("net.pkg");
  options.coverage = find_coverage_tools("clang");
  const CheckResult result = check_counted(counted_diamond("", kUncalled), options);
  EXPECT_EQ(verdict_on(result, verify::Property::kCoverageRuns).outcome, Outcome::kHolds);
  ASSERT_EQ(result.code->files.size(), 1U);
  EXPECT_EQ(result.code->files[0].functions.covered, 4U);
  EXPECT_EQ(result.code->files[0].functions.total, 6U);
  EXPECT_EQ(result.code->files[0].uncovered.at(0).name, "never_called");
}

TEST(CodeCoverage, ResultsThatDependOnTheCompilerAreAFinding) {
  const std::string text =
      "\n#ifdef __OPTIMIZE__\n    T_out[i] = (p0[i] + 1.0f);\n#else\n    T_out[i] = (p0[i] + 2.0f);\n#endif\n";
  const CheckResult result = check_counted(counted_diamond(text), counting_options("net.pkg"));
  const verify::Verdict& verdict = verdict_on(result, verify::Property::kCoverageRuns);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  ASSERT_EQ(verdict.witnesses.size(), 1U);
  EXPECT_TRUE(verdict.witnesses[0].text.starts_with("serial digest ")) << verdict.witnesses[0].text;
  EXPECT_TRUE(verdict.summary.ends_with("results differ from those without counters")) << verdict.summary;
  EXPECT_EQ(verdict_on(result, verify::Property::kDeterminism).outcome, Outcome::kHolds);
}

TEST(CodeCoverage, AKernelThatCrashesIsNamedAndWhatWasCountedIsKept) {
  // b is executed after a, in every run.
  models::Model model = counted_diamond("T_out[i] = (p0[i] + 1.0f);\n    if (i == 15) *(volatile int*)0 = 1;");
  CheckOptions options = counting_options("net.pkg");
  const CheckResult result = check_counted(model, options);
  const verify::Verdict& verdict = verdict_on(result, verify::Property::kCoverageRuns);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(verdict.summary, "op 0 (tvmgen_default_fused_a) ended the process of the runs with counters by SIGSEGV");
  ASSERT_EQ(verdict.witnesses.size(), 1U);
  EXPECT_EQ(verdict.witnesses[0].ops, std::vector<std::uint32_t>{0});
  EXPECT_EQ(result.code->note, verdict.summary + ": counted until then");
  EXPECT_EQ(result.code->files.at(0).functions.covered, 1U);
  EXPECT_EQ(result.code->files.at(0).functions.total, 5U);
  EXPECT_NE(page_of(result, "coverage.html"), nullptr);
  EXPECT_FALSE(result.native) << "no kernel that crashes is executed in this process";
  EXPECT_FALSE(result.simulated->failure) << "it is simulated all the same";
  EXPECT_EQ(result.simulated->executed_runs, 0U);
}

TEST(CodeCoverage, AKernelThatEndsTheProcessIsTold) {
  const CheckResult result =
      check_counted(counted_diamond("exit(7);", "void exit(int code);\n"), counting_options("net.pkg"));
  const verify::Verdict& verdict = verdict_on(result, verify::Property::kCoverageRuns);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(verdict.summary, "a kernel ended the process of the runs with counters by exit(7)");
}

TEST(CodeCoverage, KernelsThatDoNotCompileEndWithTheFirstError) {
  LoadedModel loaded = load_imported(counted_diamond(), "");
  loaded.model.compile_flags = {"-DNDEBUG", "-std=gnu11"};
  for (models::SourceFile& file : loaded.model.sources) {
    if (file.name == models::kThunkFile) file.text = "\nthis is no C\n" + file.text;
  }
  const CheckOptions options = counting_options("net.pkg");
  const std::string refusal =
      refusal_of([&] { return check(options, loaded, simulated_platform(options.simulation), {}); });
  EXPECT_TRUE(refusal.starts_with("--coverage: operators.c:2: ")) << refusal;
}

TEST(CodeCoverage, KernelsThatTouchMoreAreMeasuredButNotCompared) {
  models::Model model = counted_diamond();
  models::Tensor& tensor = model.tensors[model.ops[0].outputs.front()];
  tensor.block_bytes = tensor.size_bytes = 60;
  const CheckResult result = check_counted(model, counting_options("net.pkg"));
  EXPECT_EQ(verdict_on(result, verify::Property::kAccessAudit).outcome, Outcome::kViolated);
  const verify::Verdict& verdict = verdict_on(result, verify::Property::kCoverageRuns);
  EXPECT_EQ(verdict.outcome, Outcome::kUnknown);
  EXPECT_TRUE(verdict.summary.ends_with("not compared: the check executes no kernel")) << verdict.summary;
  EXPECT_EQ(result.code->files.at(0).functions.covered, 4U);
}

TEST(CodeCoverage, WhatHasNoCodeIsRefused) {
  const std::string refusal = refusal_of([] {
    require_coverable("diamond", load("diamond", {}));
    return 0;
  });
  EXPECT_EQ(refusal,
            "diamond: --coverage: has no C of its own, only built-in kernels; leave it out, or import C: detent import "
            "tvm DIR -o PACKAGE");
  LoadedModel loaded = load_imported(counted_diamond(), "");
  EXPECT_NO_THROW(require_coverable("net.pkg", loaded));
  loaded.missing_code = "f has no definition";
  EXPECT_NE(refusal_of([&] {
              require_coverable("net.pkg", loaded);
              return 0;
            }).find("net.pkg: cannot be executed: f has no definition"),
            std::string::npos);
}

CodeMeasurement measurement_of(const RunResults& runs) {
  CodeMeasurement made;
  made.runs = runs;
  made.end.returned = true;
  return made;
}

TEST(CodeCoverage, EachResultIsCompared) {
  const LoadedModel loaded = load("diamond", {});
  const RunResults plain{.serial_digest = "0a",
                         .determinism = Outcome::kHolds,
                         .op_schedules = Outcome::kHolds,
                         .native_runs = 4,
                         .schedules = 1};
  EXPECT_EQ(judge_coverage_runs(loaded, measurement_of(plain), plain).outcome, Outcome::kHolds);
  RunResults digest = plain, determinism = plain, orders = plain, stopped = plain;
  digest.serial_digest = "0b";
  determinism.determinism = Outcome::kViolated;
  orders.op_schedules = std::nullopt;
  stopped.is_stopped = true;
  const auto said = [&](const RunResults& with) {
    const verify::Verdict verdict = judge_coverage_runs(loaded, measurement_of(with), plain);
    EXPECT_EQ(verdict.outcome, Outcome::kViolated);
    return verdict.witnesses.at(0).text;
  };
  EXPECT_EQ(said(digest), "serial digest 0b with counters and -O0, 0a without");
  EXPECT_EQ(said(determinism), "determinism violated with counters and -O0, holds without");
  EXPECT_EQ(said(orders), "op_schedules is not known with counters and -O0, holds without");
  EXPECT_EQ(judge_coverage_runs(loaded, measurement_of(stopped), plain).outcome, Outcome::kUnknown);
  EXPECT_EQ(judge_coverage_runs(loaded, measurement_of(plain), stopped).outcome, Outcome::kUnknown);
  CodeMeasurement failed;
  failed.end.failed = true;
  failed.end.answer = "F01 KERNEL_FAILED";
  EXPECT_FALSE(failed.crashed());
  const verify::Verdict verdict = judge_coverage_runs(loaded, failed, plain);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(verdict.summary, "the runs with counters failed: F01 KERNEL_FAILED");
}

TEST(CodeCoverage, ResultsSurviveTheirText) {
  const RunResults results{.serial_digest = "0a",
                           .determinism = Outcome::kUnknown,
                           .op_schedules = std::nullopt,
                           .native_runs = 4,
                           .schedules = 9,
                           .is_stopped = true};
  const RunResults again = decode_results(encode_results(results));
  EXPECT_EQ(encode_results(again), encode_results(results));
  EXPECT_EQ(again.determinism, Outcome::kUnknown);
  EXPECT_FALSE(again.op_schedules);
  EXPECT_TRUE(again.is_stopped);
  EXPECT_EQ(again.schedules, 9U);
  for (const char* const text :
       {"", "{}",
        R"({"serial_digest":"","determinism":"maybe","op_schedules":null,"native_runs":1,"schedules":1,)"
        R"("is_stopped":false})"}) {
    EXPECT_NE(refusal_of([&] { return decode_results(text); }), "") << text;
  }
}

}  // namespace
}  // namespace detent::app
