// What an answer leaves open, kind by kind.
#include "app/bundle/risks.hpp"

#include <gtest/gtest.h>

namespace detent::app {
namespace {

using verify::Outcome;

Json quiet_report() {
  return Json::parse(R"({"schedules": {"note": "", "traces": {"exact": true, "seen": 1, "total": 1}, "engine": null},
    "simulated": {"runs": 4, "executed_runs": 4, "makespan_ps": null}, "native": {"digest": "ab"}, "op_times": null})");
}

std::string text_of_risks(const Json& report, const BundleFile& bundle = {}) {
  std::string text;
  for (const ResidualRisk& risk : residual_risks(report, bundle)) {
    text += risk.kind + " " + risk.subject + ": " + risk.text + "\n";
  }
  return text;
}

TEST(ResidualRisks, NothingOpenIsNothingListed) { EXPECT_EQ(text_of_risks(quiet_report()), ""); }

TEST(ResidualRisks, VerdictsThatDoNotHold) {
  BundleFile bundle;
  bundle.verdicts = {{"a", Outcome::kHolds, true, "fine", ""},
                     {"b", Outcome::kViolated, true, "broken", ""},
                     {"c", Outcome::kUnknown, true, "a limit", ""},
                     {"d", Outcome::kUnknown, false, "nothing to check", ""}};
  EXPECT_EQ(text_of_risks(quiet_report(), bundle),
            "violated b: broken\nunknown c: a limit\nnot_checked d: nothing to check\n");
}

TEST(ResidualRisks, SchedulesAndRunsThatWereSampled) {
  Json report = quiet_report();
  report["schedules"] = Json::parse(R"({"note": "left out", "traces": {"exact": false, "seen": 3, "total": "99"},
    "engine": {"programs": [{"program": "p", "complete": true},
      {"program": "q", "complete": false, "executions": 20, "distinct": 10, "unseen_mass": 0.25}]}})");
  report["simulated"] = Json::parse(R"({"runs": 4, "executed_runs": 1, "makespan_ps": {"max": 2000000}})");
  report["native"]["digest"] = "";
  report["outcomes"] = {{"text", "of outcomes d=then"}};
  report["code_coverage"] = {{"lines", {{"covered", 1}, {"total", 2}}}};
  EXPECT_EQ(text_of_risks(report),
            "unknown schedules: left out\n"
            "sampled op_schedules: 3 of more than 99 orders of conflicting ops were run\n"
            "sampled engine_schedules: q: 20 schedules of the engine's threads were run, 10 different; the share that "
            "was not seen is about 0.25\n"
            "sampled simulation: the longest of 4 simulated runs is 2.00 \xC2\xB5s; the true worst case may lie above "
            "it\n"
            "sampled kernels: executed in 1 of 4 simulated runs; the others are timing only\n"
            "not_checked native runs: none was made: no output of threads was compared\n"
            "sampled outcomes: of outcomes d=then\n"
            "sampled code: 1 of 2 lines of the kernels were executed\n");
  report = quiet_report();
  report["schedules"] = nullptr;
  EXPECT_EQ(text_of_risks(report), "unknown schedules: no schedules beyond those of the runs were explored\n");
}

TEST(ResidualRisks, WhatADeviceTouchesIsItsWord) {
  Json report = quiet_report();
  report["device"] = {{"name", "npu 2"}, {"model_ops", 3}};
  EXPECT_EQ(text_of_risks(report),
            "not_checked device: that npu 2 touches no memory but that of its ops is its word\n");
  report["device"]["model_ops"] = 0;
  EXPECT_EQ(text_of_risks(report), "") << "it executed nothing";
}

TEST(ResidualRisks, GuessesAndWhatIsNotModelled) {
  Json report = quiet_report();
  report["op_times"] = {{"sources", Json::array({{{"source", "given"}, {"ops", 1}, {"why", "x"}},
                                                 {{"source", "assumed"}, {"ops", 2}, {"why", "a guess"}}})}};
  BundleFile bundle;
  bundle.assumed = {{"a", std::uint64_t{1}, "", "guess", "memory"},
                    {"b", std::uint64_t{1}, "", "default", "format"},
                    {"c", std::uint64_t{1}, "", "seen", "seen"}};
  bundle.options = {{"--no-contention", "true", true}, {"--no-audit", "", false}};
  bundle.assumptions = {{"kernels", "pure"}, {"no graham bound", "cores queue ops"}, {"cores", "4"}};
  EXPECT_EQ(text_of_risks(report, bundle),
            "guessed platform: 1 number of the platform: guessed, without a source\n"
            "guessed platform: 1 number that the platform leaves to the format's default\n"
            "guessed op times: 2 ops: a guess\n"
            "not_modelled --no-contention: cores and NPUs do not delay each other at the DRAM\n"
            "assumed kernels: pure\n"
            "not_modelled no graham bound: cores queue ops\n");
  bundle.verdicts = {{"access_audit", Outcome::kHolds, true, "", ""}};
  EXPECT_EQ(text_of_risks(report, bundle).find("assumed kernels"), std::string::npos) << "an audit has looked";
}

}  // namespace
}  // namespace detent::app
