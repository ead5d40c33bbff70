// detent check --bundle: what is in it, that it is the same when made again, and that there is never half of one.
#include "app/bundle/make_bundle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "app/bundle/assumed.hpp"
#include "app/bundle/requirements.hpp"
#include "app/bundle/working_directory.hpp"
#include "base/hash/sha256.hpp"
#include "base/interrupt.hpp"
#include "tests/app/bundle/small_bundle.hpp"
#include "tests/build.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;
using verify::Outcome;

Json bundle_json(const std::string& directory) { return Json::parse(bytes_of(directory + "/bundle.json")); }

std::string all_bytes(const std::string& directory) {
  std::string bytes;
  for (const std::string& path : list_folder(directory).files) {
    bytes += path + "\n" + bytes_of(directory + "/" + path);
  }
  return bytes;
}

class MakeBundle : public ::testing::Test {
 protected:
  MakeBundle() {
    static_cast<void>(place_.write("net.json", kSmallGraph));
    static_cast<void>(place_.write("req.toml", kSmallRequirements));
  }
  [[nodiscard]] std::string at(const std::string& name) const { return place_.file(name); }
  [[nodiscard]] std::vector<std::string> line(const std::string& out, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"check", at("net.json"), "--bundle=" + at(out)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  [[nodiscard]] std::string refused(const std::string& out, const std::vector<std::string>& more = {}) const {
    return refusal_of([&] { return bundled(line(out, more)).lines.size(); });
  }

  TemporaryDirectory place_;
};

TEST_F(MakeBundle, HoldsTheCFilesOfAGraph) {
  static_cast<void>(place_.write("net.json", R"({"schema": "detent.graph/1", "name": "g", "ops": [
    {"id": 0, "time_ps": 1000, "kernel": "mine.c:f"}]})"));
  static_cast<void>(place_.write("mine.h", "#include <detent/kernel.h>\n"));
  const std::string code =
      "#include \"mine.h\"\nint32_t f(const detent_kernel_args *args) { return 0 * (int)args->op; }\n";
  static_cast<void>(place_.write("mine.c", code));
  EXPECT_EQ(bundled(line("b")).outcome, Outcome::kHolds);
  EXPECT_EQ(bytes_of(at("b/inputs/model/mine.c")), code);
  EXPECT_EQ(bytes_of(at("b/inputs/model/mine.h")), "#include <detent/kernel.h>\n");
  EXPECT_EQ(verified(at("b")).outcome, Outcome::kHolds);
}

TEST_F(MakeBundle, HoldsTheCFilesOfAGraphHoweverTheyAreSpelt) {
  static_cast<void>(place_.write("net.json", R"({"schema": "detent.graph/1", "name": "g", "ops": [
    {"id": 0, "time_ps": 1000, "kernel": "mine\u002ec:f"}]})"));
  const std::string code =
      "#include <detent/kernel.h>\nint32_t f(const detent_kernel_args *args) { return 0 * (int)args->op; }\n";
  static_cast<void>(place_.write("mine.c", code));
  EXPECT_EQ(bundled(line("b")).outcome, Outcome::kHolds);
  EXPECT_EQ(bytes_of(at("b/inputs/model/mine.c")), code);
}

/// The module's code decides the answer: it is an input, whatever memory it was given.
TEST_F(MakeBundle, HoldsTheModuleOfADevice) {
  const std::string module = std::string(kBuildFolder) + "/tests/harness/device/device.so";
  static_cast<void>(bundled(line("b", {"--device=" + module + ":4KiB"})));
  const Json bundle = bundle_json(at("b"));
  EXPECT_EQ(bytes_of(at("b/inputs/device/device.so")), bytes_of(module));
  EXPECT_EQ(bundle["command"][3], "--device=inputs/device/device.so:4096");
  EXPECT_EQ(bundle["inputs"][2]["role"], "device");
  EXPECT_EQ(bundle["inputs"][2]["sha256"], sha256_of(bytes_of(module)));
  EXPECT_EQ(verified(at("b"), "", true).outcome, Outcome::kHolds);
  static_cast<void>(bundled(line("linked", {"--device=software"})));
  EXPECT_EQ(bundle_json(at("linked"))["command"][3], "--device=software");
  EXPECT_FALSE(fs::exists(at("linked/inputs/device")));
}

TEST_F(MakeBundle, HoldsReportInputsAndEverythingTheyRestOn) {
  const Answer answer = bundled(line("b", {"--platform=quad_npu", "--requirements=" + at("req.toml")}));
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  const Json bundle = bundle_json(at("b"));
  std::vector<std::string> paths;
  for (const Json& file : bundle["files"]) {
    const auto path = file["path"].get<std::string>();
    const std::string bytes = bytes_of(at("b/") + path);
    EXPECT_EQ(file["sha256"], sha256_of(bytes)) << path;
    EXPECT_EQ(file["bytes"], bytes.size()) << path;
    paths.push_back(path);
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"findings.sarif", "inputs/model/net.json", "inputs/platform/quad_npu.toml",
                                             "inputs/requirements/req.toml", "report.html", "report.json", "trace.btf",
                                             "trace.pftrace", "trace.vcd"}));
  EXPECT_EQ(bundle["command"],
            (Json{"detent", "check", "inputs/model/net.json", "--platform=quad_npu",
                  "--requirements=inputs/requirements/req.toml", "--runs=4", "--schedules=0", "--workers=2"}));
  EXPECT_EQ(bundle["inputs"][0]["sha256"], sha256_of(kSmallGraph));
  EXPECT_EQ(bundle["inputs"][1]["path"], "inputs/platform/quad_npu.toml");
  EXPECT_EQ(bundle["environment"][0]["value"], "") << "--workers says it";
  EXPECT_EQ(bundle["requirements"][0]["state"], "satisfied");
  EXPECT_EQ(bundle["requirements"][1]["state"], "unknown") << "check does not judge threads";
  EXPECT_EQ(answer.json["bundle"]["root_sha256"], bundle["root_sha256"]);
  EXPECT_EQ(bytes_of(at("b/inputs/model/net.json")), kSmallGraph);
  EXPECT_NE(answer.lines.front().find("cd " + at("b") + " && detent replay report.json"), std::string::npos);
  EXPECT_EQ(Json::parse(bytes_of(at("b/report.json")))["model"], "inputs/model/net.json");
}

TEST_F(MakeBundle, EveryAssumedValueHasANumberAndASource) {
  static_cast<void>(bundled(line("b", {"--platform=quad_npu", "--no-overheads"})));
  const Json bundle = bundle_json(at("b"));
  const auto value_of = [&](const std::string& subject) {
    const auto& values = bundle["assumed_values"];
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const Json& v) { return v["subject"] == subject; });
    return found == values.end() ? Json() : *found;
  };
  EXPECT_EQ(value_of("op 1 (b): longest time")["value"], 3000);
  EXPECT_EQ(value_of("op 1 (b): longest time")["ground"], "given");
  EXPECT_EQ(value_of("platform quad_npu: cpu.clock_hz")["unit"], "Hz");
  EXPECT_EQ(value_of("platform quad_npu: cpu.clock_hz")["ground"], "guess");
  EXPECT_EQ(value_of("platform quad_npu: cpu.flops_per_cycle")["ground"], "derived");
  EXPECT_EQ(value_of("platform quad_npu: cpu.l2_bytes")["ground"], "default");
  EXPECT_EQ(value_of("platform quad_npu: overheads.lock_ps")["value"], 0);
  EXPECT_EQ(value_of("platform quad_npu: overheads.lock_ps")["source"], "--no-overheads");
  EXPECT_EQ(value_of("op times: how simulated runs draw them")["value"], "uniform:0.1");
  for (const Json& value : bundle["assumed_values"]) EXPECT_NE(value["source"], "") << value["subject"];
}

TEST_F(MakeBundle, ARequirementRestsOnADeadline) {
  static_cast<void>(place_.write("time.toml",
                                 "schema = \"detent.requirements/1\"\n[requirements]\nT1 = { properties = "
                                 "[\"deadline\"] }\n"));
  const auto state_with = [&](const std::string& deadline) {
    static_cast<void>(bundled(line("b", {"--requirements=" + at("time.toml"), "--deadline=" + deadline})));
    return bundle_json(at("b"))["requirements"][0]["state"].get<std::string>();
  };
  EXPECT_EQ(state_with("1s"), "satisfied");
  const Json bundle = bundle_json(at("b"));
  for (const Json& verdict : bundle["verdicts"]) {
    if (verdict["property"] != "deadline") continue;
    EXPECT_EQ(verdict["assumed_times"], false);
    EXPECT_NE(verdict["condition"], "");
  }
  EXPECT_EQ(state_with("1ps"), "violated");
}

TEST_F(MakeBundle, ADeadlineOnAssumedTimesLeavesARequirementOpen) {
  const auto verdicts = bundled_verdicts(Json::parse(
      R"({"op_times": {"weakest": "assumed", "condition": "if"}, "verdicts": [{"property": "deadline",
          "outcome": "holds", "summary": "no run is longer"}]})"));
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_TRUE(verdicts[0].has_assumed_times);
  EXPECT_EQ(state_of({"deadline"}, verdicts), "unknown");
}

TEST_F(MakeBundle, AVerdictOnAssumedBytesLeavesARequirementOpenAndIsARisk) {
  const auto verdicts = bundled_verdicts(Json::parse(
      R"({"op_times": null, "verdicts": [{"property": "determinism", "outcome": "holds", "summary": "one digest"},
          {"property": "buffer_races", "outcome": "holds", "summary": "none", "assumes": "it is so"}]})"));
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_FALSE(verdicts[0].has_assumed_bytes);
  EXPECT_TRUE(verdicts[1].has_assumed_bytes);
  EXPECT_EQ(verdicts[1].condition, "it is so");
  EXPECT_EQ(state_of({"determinism"}, verdicts), "satisfied");
  EXPECT_EQ(state_of({"determinism", "buffer_races"}, verdicts), "unknown");
}

TEST_F(MakeBundle, IsTheSameElsewhereAndLater) {
  static_cast<void>(bundled(line("b", {"--requirements=" + at("req.toml")})));
  fs::create_directories(at("else/where"));
  fs::copy_file(at("net.json"), at("else/net.json"));
  fs::copy_file(at("req.toml"), at("else/req.toml"));
  fs::last_write_time(at("else/net.json"), fs::file_time_type() + std::chrono::hours(1));
  {
    const WorkingDirectory inside(at("else/where"));
    static_cast<void>(bundled({"check", "../net.json", "--requirements=../req.toml", "--bundle=c/", "--junit=j.xml"}));
    EXPECT_TRUE(fs::exists("j.xml"));
  }
  EXPECT_EQ(all_bytes(at("b")), all_bytes(at("else/where/c")));
  EXPECT_EQ(all_bytes(at("b")).find(place_.file("")), std::string::npos) << "no path of this machine";
}

TEST_F(MakeBundle, IsTheSameWhereOpsRace) {
  for (const char* out : {"b", "c", "d"}) {
    EXPECT_EQ(bundled({"check", "bad_reuse_war", "--cores=2", "--bundle=" + at(out)}).outcome, Outcome::kViolated);
    EXPECT_EQ(all_bytes(at("b")), all_bytes(at(out)));
  }
  const Json bundle = bundle_json(at("b"));
  EXPECT_EQ(bundle["outcome"], "violated");
  EXPECT_EQ(bundle["inputs"][0]["path"], nullptr) << "the zoo is part of the program";
  EXPECT_NE(bundle["verdicts"][0]["summary"].get<std::string>().find("no native runs: ops race"), std::string::npos);
}

TEST_F(MakeBundle, ABundleIsReplacedAndNothingElseIs) {
  static_cast<void>(bundled(line("b")));
  const std::string before = all_bytes(at("b"));
  static_cast<void>(bundled(line("b", {"--runs=5"})));
  EXPECT_NE(all_bytes(at("b")), before);
  fs::create_directories(at("empty"));
  EXPECT_EQ(refused("empty"), "");
  fs::create_directories(at("own"));
  static_cast<void>(place_.write("own/notes.txt", "mine"));
  EXPECT_NE(refused("own").find("is no bundle and not empty; choose another directory"), std::string::npos);
  EXPECT_EQ(bytes_of(at("own/notes.txt")), "mine");
  static_cast<void>(place_.write("own/bundle.json", "{}"));
  EXPECT_NE(refused("own").find("has a bundle.json that is none of detent check"), std::string::npos);
  static_cast<void>(place_.write("b/notes.txt", "mine"));
  EXPECT_NE(refused("b").find("is a bundle in which notes.txt is"), std::string::npos);
  fs::remove(at("b/notes.txt"));
  fs::create_directories(at("b/more"));
  EXPECT_NE(refused("b").find("is a bundle in which more is"), std::string::npos);
  fs::remove(at("b/more"));
  fs::create_symlink("/etc", at("b/link"));
  EXPECT_NE(refused("b").find("is a bundle in which link is"), std::string::npos);
}

TEST_F(MakeBundle, RefusalsNameWhatWasTypedAndLeaveNothing) {
  static_cast<void>(place_.write("bad.json", "{\"schema\": "));
  const std::size_t before = place_.file_count();
  EXPECT_NE(refusal_of([&] {
              return bundled({"check", at("bad.json"), "--bundle=" + at("b")}).lines.size();
            }).find(at("bad.json")),
            std::string::npos);
  EXPECT_NE(refused("b", {"--requirements=" + at("net.json")}).find(at("net.json")), std::string::npos);
  EXPECT_NE(refused("b", {"--out=" + at("b/report")}).find("--out " + at("b/report") + ": lies in the bundle"),
            std::string::npos);
  static_cast<void>(place_.write("line\nbreak.json", kSmallGraph));
  EXPECT_NE(refusal_of([&] {
              return bundled({"check", at("line\nbreak.json"), "--bundle=" + at("b")}).lines.size();
            }).find("cannot be the name of a file in a bundle"),
            std::string::npos);
  EXPECT_EQ(place_.file_count(), before + 1);
}

/// In a process of its own: what was asked to stop stays so.
TEST_F(MakeBundle, AnInterruptedCheckLeavesNoBundle) {
  static_cast<void>(bundled(line("b")));
  const std::string before = all_bytes(at("b"));
  const std::size_t files = place_.file_count();
  const auto interrupted = [&] {
    request_stop();
    const Answer answer = bundled(line("b", {"--runs=5"}));
    static_cast<void>(bundled(line("c")));
    std::_Exit(answer.lines.back().find("none: the check was interrupted") != std::string::npos ? 0 : 1);
  };
  EXPECT_EXIT(interrupted(), testing::ExitedWithCode(0), "");
  EXPECT_EQ(all_bytes(at("b")), before);
  EXPECT_FALSE(fs::exists(at("c")));
  EXPECT_EQ(place_.file_count(), files);
}

TEST_F(MakeBundle, TheReportGoesWhereOutSaysToo) {
  static_cast<void>(bundled(line("b", {"--out=" + at("o")})));
  EXPECT_EQ(bytes_of(at("o/report.json")), bytes_of(at("b/report.json")));
  EXPECT_EQ(list_folder(at("o")).files.size(), 6U) << "no inputs, no bundle.json";
}

TEST_F(MakeBundle, ThirdFilesAreAmongTheInputs) {
  static_cast<void>(place_.write("s.toml", "schema = \"detent.set/1\"\n[ops]\na = { priority = 1 }\n"));
  static_cast<void>(bundled(line("b", {"--set=" + at("s.toml"), "--out=" + at("o")})));
  static_cast<void>(bundled(line("c", {"--baseline=" + at("o/report.json"), "--cores=2"})));
  EXPECT_TRUE(fs::exists(at("b/inputs/settings/s.toml")));
  EXPECT_TRUE(fs::exists(at("c/inputs/baseline/report.json")));
  const Json bundle = bundle_json(at("c"));
  EXPECT_EQ(bundle["inputs"][1]["name"], "cores:2");
  EXPECT_EQ(bundle["inputs"][2]["role"], "baseline");
}

}  // namespace
}  // namespace detent::app
