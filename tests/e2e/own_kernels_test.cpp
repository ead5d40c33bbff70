// An op graph whose ops are functions of C files: run, simulated, explored, packaged and emitted it gives the same
// bytes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

namespace fs = std::filesystem;

/// The example of the guide in a directory of its own.
std::string example(const std::string& name) {
  const std::string place = scratch(name);
  for (const char* const file : {"filter.json", "filter.c"}) {
    fs::copy_file(std::string(DETENT_SOURCE_DIR) + "/docs/examples/" + file, place + "/" + file);
  }
  return place;
}

std::string digest_of(const std::string& arguments) {
  return parse(run_detent(arguments + " --json -")).value("digest", "none");
}

void replace(const std::string& path, const std::string& from, const std::string& to) {
  std::string text = read_file(path);
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  write_file(path, text.replace(at, from.size(), to));
}

TEST(OwnKernels, GiveTheSameBytesHoweverTheyAreExecuted) {
  const std::string place = example("own_kernels");
  const std::string graph = place + "/filter.json";
  const std::string digest = digest_of("run " + graph);
  EXPECT_NE(digest, "none");
  EXPECT_EQ(digest_of("run " + graph + " --workers 0"), digest);
  EXPECT_EQ(digest_of("simulate " + graph), digest);
  EXPECT_EQ(parse(run_detent("explore " + graph + " --json -"))["verdicts"][0]["outcome"], "holds");
  const std::string package = place + "/filter.pkg";
  EXPECT_EQ(run_detent("import graph " + graph + " -o " + package).exit_code, 0);
  EXPECT_EQ(run_detent("import graph " + graph + " -o " + package + "2").exit_code, 0);
  EXPECT_EQ(read_file(package), read_file(package + "2"));
  fs::remove(place + "/filter.c");
  EXPECT_EQ(digest_of("run " + package), digest) << "the package holds the sources";
  const auto audit = parse(run_detent("run " + package + " --json -"))["access_audit"];
  EXPECT_EQ(audit["outcome"], "holds");
  EXPECT_NE(audit["summary"].get<std::string>().find("4 of 4 touch the same bytes for all inputs"), std::string::npos);
}

TEST(OwnKernels, AreEmittedAsTheyStand) {
  const std::string place = example("own_kernels_emitted");
  for (const char* const directory : {"/fw", "/fw2"}) {
    const Answer answer = run_detent("emit c " + place + "/filter.json -o " + place + directory);
    ASSERT_EQ(answer.exit_code, 0) << answer.error;
  }
  EXPECT_TRUE(read_file(place + "/fw/operators/filter.c").starts_with(read_file(place + "/filter.c")));
  EXPECT_EQ(std::system(("diff -r " + place + "/fw " + place + "/fw2").c_str()), 0);
  if (!has_program("make") || !has_program("gcc")) GTEST_SKIP() << "no make or gcc";
  const std::string output = place + "/out.txt";
  ASSERT_EQ(std::system(("make -s -C " + place + "/fw CC=" + compiler_word("gcc") + " run > " + output).c_str()), 0);
  EXPECT_NE(read_file(output).find("digest " + digest_of("run " + place + "/filter.json")), std::string::npos)
      << read_file(output);
}

TEST(OwnKernels, F01_ErrorOfAKernelEndsTheRun) {
  const std::string place = example("own_kernels_error");
  replace(place + "/filter.c", "out[i] = left[i] + right[i];\n  return 0;",
          "out[i] = left[i] + right[i];\n  return 7;");
  const Answer run = run_detent("run " + place + "/filter.json");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.error.find("KERNEL_FAILED: a kernel returned an error (op 3 \"sum\", code 7)"), std::string::npos)
      << run.error;
}

TEST(OwnKernels, AreAuditedBeforeTheyRun) {
  const std::string place = example("own_kernels_audit");
  replace(place + "/filter.c", "out[i] = (float)i;", "out[i + 1] = (float)i;");
  const Answer run = run_detent("run " + place + "/filter.json --json -");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(parse(run)["access_audit"]["outcome"], "violated") << run.output;
  const Answer emit = run_detent("emit c " + place + "/filter.json -o " + place + "/fw");
  EXPECT_EQ(emit.exit_code, 1);
  EXPECT_FALSE(fs::exists(place + "/fw"));
  const auto verify = parse(run_detent("verify " + place + "/filter.json --json -"));
  for (const auto& verdict : verify["verdicts"]) {
    if (verdict["property"] != "buffer_races") continue;
    EXPECT_TRUE(verdict["summary"].get<std::string>().ends_with("; footprints as the graph states them")) << verdict;
  }
}

/// It changes no output of the runs that are made: only the audit knows.
TEST(OwnKernels, AStaticVariableTakesTheGreenFromWhatRestsOnTheFunctions) {
  const std::string place = example("own_kernels_static");
  const std::string graph = place + "/filter.json";
  const auto outcome_in = [](const Answer& answer, const char* property) {
    const auto json = parse(answer);
    for (const auto& verdict : json["verdicts"]) {
      if (verdict["property"] == property) return verdict["outcome"].get<std::string>();
    }
    return std::string("none");
  };
  const Answer sound = run_detent("explore " + graph + " --json -");
  EXPECT_EQ(sound.exit_code, 0) << sound.error;
  EXPECT_EQ(outcome_in(sound, "op_schedules"), "holds");
  const Answer unaudited = run_detent("check " + graph + " --no-audit --runs 2 --out " + place + "/out --json -");
  EXPECT_EQ(unaudited.exit_code, 3) << unaudited.error;
  EXPECT_EQ(outcome_in(unaudited, "determinism"), "unknown");
  EXPECT_EQ(outcome_in(unaudited, "op_schedules"), "unknown");
  replace(place + "/filter.c", "int32_t add(const", "static int calls;\nint32_t add(const");
  replace(place + "/filter.c", "  const float *left", "  if (++calls > 1000000) return 1;\n  const float *left");
  const Answer explored = run_detent("explore " + graph + " --json -");
  EXPECT_EQ(explored.exit_code, 3);
  EXPECT_EQ(outcome_in(explored, "op_schedules"), "unknown");
  EXPECT_EQ(run_detent("run " + graph).exit_code, 1);
  const Answer checked = run_detent("check " + graph + " --runs 2 --out " + place + "/out --json -");
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_EQ(outcome_in(checked, "access_audit"), "violated");
  EXPECT_EQ(outcome_in(checked, "determinism"), "unknown");
  EXPECT_EQ(outcome_in(checked, "buffer_races"), "unknown");
}

TEST(OwnKernels, WhereTheBytesDependOnDataTheAnswerIsOfTheInputThatWasAudited) {
  const std::string place = example("own_kernels_gather");
  const std::string graph = place + "/filter.json";
  const auto field_of = [](const Answer& answer, const char* property, const char* field) {
    const auto json = parse(answer);
    for (const auto& verdict : json["verdicts"]) {
      if (verdict["property"] == property) return verdict.value(field, "none");
    }
    return std::string("no verdict");
  };
  const auto check = [&] { return run_detent("check " + graph + " --runs 2 --out " + place + "/out --json -"); };
  constexpr const char* kResting[] = {"determinism", "buffer_races", "op_schedules"};
  const Answer exact = check();
  for (const char* const property : kResting) EXPECT_EQ(field_of(exact, property, "assumes"), "none") << property;
  EXPECT_TRUE(field_of(exact, "buffer_races", "summary").ends_with("and audit"));
  replace(place + "/filter.c", "left[i] + right[i];", "left[(int)right[i] & 15] + right[i];");
  const Answer of_input = check();
  const std::string assumed = "no other input makes op 3 (filter.c:add) touch bytes that the model does not list";
  for (const char* const property : kResting) EXPECT_EQ(field_of(of_input, property, "assumes"), assumed) << property;
  EXPECT_EQ(field_of(of_input, "access_audit", "assumes"), assumed);
  EXPECT_EQ(field_of(of_input, "memory_plan", "assumes"), "none") << "it is about the places that the graph gives";
  EXPECT_TRUE(field_of(of_input, "buffer_races", "summary").ends_with("and audit, of some ops for this input only"));
  for (int question = 0; question < 2; ++question) {
    const auto answer = parse(of_input)["answers"][static_cast<std::size_t>(question)];
    EXPECT_EQ(answer["answer"], question == 0 ? "Yes, on assumed bytes" : "Not by a race, on assumed bytes");
    EXPECT_EQ(answer["outcome"], "unknown");
  }
  EXPECT_EQ(field_of(run_detent("explore " + graph + " --json -"), "op_schedules", "assumes"), assumed);
  EXPECT_EQ(field_of(run_detent("verify " + graph + " --json -"), "buffer_races", "assumes"),
            "C functions touch no bytes but those that the graph lists");
}

TEST(OwnKernels, WhatDoesNotBuildIsSaidWithFileAndFunction) {
  const std::string place = example("own_kernels_broken");
  const std::string graph = place + "/filter.json", file = place + "/filter.c";
  const std::string good = read_file(file);
  const auto expect = [&](const char* from, const char* to, const char* wanted) {
    write_file(file, good);
    replace(file, from, to);
    const Answer run = run_detent("run " + graph);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.error.find(wanted), std::string::npos) << run.error;
    EXPECT_EQ(run_detent("verify " + graph + " --quiet").exit_code, 3) << "nothing is compiled for it";
  };
  expect("int32_t add(", "int32_t sum(", "filter.c defines no function add that can be linked; define int32_t add(");
  expect("int32_t add(", "static int32_t add(", "filter.c defines no function add that can be linked");
  expect("(float)i;\n  return 0;", "(float)i;\n  return 0", "filter.c:10: expected ';'");
  expect("int32_t add(const detent_kernel_args *args)", "int32_t add(const detent_kernel_args *args, int n)",
         "conflicting types for 'add'");
}

TEST(OwnKernels, AGraphWithoutItsFileIsJudgedAndNotExecuted) {
  const std::string place = example("own_kernels_missing");
  const std::string graph = place + "/filter.json";
  fs::remove(place + "/filter.c");
  EXPECT_EQ(run_detent("verify " + graph + " --quiet").exit_code, 3) << "what the functions do is not known";
  for (const char* const command : {"bound ", "simulate --timing-only "}) {
    EXPECT_EQ(run_detent(command + graph + " --quiet").exit_code, 0) << command;
  }
  for (const std::string& command :
       {"run " + graph, "simulate " + graph, "calibrate " + graph + " -o " + place + "/c.toml",
        "emit c " + graph + " -o " + place + "/fw"}) {
    const Answer answer = run_detent(command);
    EXPECT_EQ(answer.exit_code, 2) << command;
    EXPECT_NE(answer.error.find("there is no file filter.c (for the kernel ramp, ops[0].kernel) in the folder"),
              std::string::npos)
        << answer.error;
  }
}

TEST(OwnKernels, ABundleHoldsTheirFiles) {
  const std::string place = example("own_kernels_bundle");
  const std::string bundle = place + "/bundle";
  const Answer check = run_detent("check " + place + "/filter.json --runs 3 --schedules 3 --bundle " + bundle);
  ASSERT_EQ(check.exit_code, 0) << check.error << check.output;
  EXPECT_EQ(read_file(bundle + "/inputs/model/filter.c"), read_file(place + "/filter.c"));
  fs::remove(place + "/filter.c");
  EXPECT_EQ(run_detent("verify-bundle " + bundle).exit_code, 0);
  write_file(bundle + "/inputs/model/filter.c", "int x;\n");
  EXPECT_EQ(run_detent("verify-bundle " + bundle).exit_code, 1);
}

}  // namespace
}  // namespace detent::e2e
