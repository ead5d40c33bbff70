// --sarif, --junit and --baseline of verify, from files and back.
#include "app/ci/ci_outputs.hpp"

#include <gtest/gtest.h>

#include <string>

#include "app/ci/source_places.hpp"
#include "app/import/tvm_runs.hpp"
#include "app/static/verify_model.hpp"
#include "base/input_error.hpp"
#include "base/io.hpp"
#include "base/temp_directory.hpp"
#include "reports/text/text.hpp"
#include "tests/models/import/tvm/import_text.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

constexpr const char* kRacy = R"({"schema": "detent.graph/1", "regions": [{"name": "ws", "size": 64}],
 "ops": [
  {"id": 0, "name": "a", "writes": [{"region": "ws", "offset": 0, "size": 8}]},
  {"id": 1, "name": "b", "writes": [{"region": "ws", "offset": 0, "size": 8}]}],
 "edges": []}
)";

/// The same ops in another order, on other lines and at another place, and one more race.
constexpr const char* kRacier = R"({"schema": "detent.graph/1",
 "regions": [{"name": "ws", "size": 64}],

 "ops": [
  {"id": 0, "name": "c", "writes": [{"region": "ws", "offset": 32, "size": 8}]},
  {"id": 1, "name": "b", "writes": [{"region": "ws", "offset": 16, "size": 8}]},
  {"id": 2, "name": "a", "writes": [{"region": "ws", "offset": 16, "size": 8}]},
  {"id": 3, "name": "d", "writes": [{"region": "ws", "offset": 32, "size": 8}]}],
 "edges": []}
)";

class CiOutputs : public ::testing::Test {
 protected:
  std::string file(const std::string& name) { return (place_.path() / name).string(); }
  std::string write(const std::string& name, const std::string& text) {
    write_file_atomically(file(name), text);
    return file(name);
  }
  static Answer verified(const std::string& model, const CiOptions& ci) {
    VerifyRequest request;
    request.request.model = model;
    request.request.reproducible = true;
    request.ci = ci;
    return verify_model(request, {});
  }
  std::string written(const std::string& name) { return read_regular_file(file(name), 1U << 24U); }

  TempDirectory place_;
};

TEST_F(CiOutputs, EveryFindingStandsOnTheLineOfItsOp) {
  const std::string model = write("racy.json", kRacy);
  EXPECT_EQ(verified(model, {.sarif = file("out.sarif")}).outcome, Outcome::kViolated);
  const Json results = Json::parse(written("out.sarif"))["runs"][0]["results"];
  ASSERT_GE(results.size(), 2U);
  for (const Json& result : results) {
    const Json& place = result["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], "file://" + model);
    EXPECT_EQ(place["region"]["startLine"], 3);
    EXPECT_EQ(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 4);
  }
}

TEST_F(CiOutputs, ModelsOfTheZooStandInTheirName) {
  EXPECT_EQ(verified("bad_reuse_war", {.sarif = file("out.sarif"), .junit = file("out.xml")}).outcome,
            Outcome::kViolated);
  const Json result = Json::parse(written("out.sarif"))["runs"][0]["results"][0];
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "bad_reuse_war");
  EXPECT_NE(written("out.xml").find("name=\"buffer_races\""), std::string::npos);
}

TEST_F(CiOutputs, AgainstItsOwnAnswerNothingIsNew) {
  const std::string model = write("racy.json", kRacy);
  const Answer first = verified(model, {.sarif = file("out.sarif")});
  write("out.json", reports::file_json(first.json));
  for (const char* name : {"out.sarif", "out.json"}) {
    const Answer again = verified(model, {.junit = file("out.xml"), .baseline = file(name)});
    EXPECT_EQ(again.outcome, Outcome::kHolds) << name;
    EXPECT_EQ(again.json["baseline"]["new"], Json::array()) << name;
    EXPECT_EQ(again.json["baseline"]["gone"], 0) << name;
    EXPECT_GT(again.json["baseline"]["known"], 1) << name;
    EXPECT_NE(written("out.xml").find("failures=\"0\""), std::string::npos);
  }
}

TEST_F(CiOutputs, OtherIdsLinesAndPlacesAreNotNewButAnotherRaceIs) {
  const std::string before = write("racy.json", kRacy);
  write("out.json", reports::file_json(verified(before, {}).json));
  const Answer answer =
      verified(write("racier.json", kRacier), {.sarif = file("out.sarif"), .baseline = file("out.json")});
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  const Json& fresh = answer.json["baseline"]["new"];
  ASSERT_EQ(fresh.size(), 1U);
  EXPECT_EQ(fresh[0].get<std::string>(),
            "waw: op 0 (c) writes and op 3 (d) writes bytes [32, 40) of ws (tensor 0 (ws[32,40)), tensor 0 "
            "(ws[32,40))), and no path orders them");
  EXPECT_EQ(answer.json["baseline"]["known"], 2);
  EXPECT_EQ(answer.json["baseline"]["gone"], 0);
  const Json back = verified(before, {.baseline = file("out.sarif")}).json["baseline"];
  EXPECT_EQ(back["new"].size(), 0U);
  EXPECT_EQ(back["gone"], 1);
}

TEST_F(CiOutputs, ABaselineThatIsNoneIsRefusedBeforeAnythingIsWritten) {
  for (const char* text : {"", "[]", "{}", "{\"verdicts\": 3}", "{\"runs\": []}", "no JSON"}) {
    const std::string baseline = write("bad.json", text);
    EXPECT_THROW((void)verified("diamond", {.sarif = file("never.sarif"), .baseline = baseline}), InputError) << text;
  }
  EXPECT_THROW((void)verified("diamond", {.baseline = file("absent.json")}), InputError);
  EXPECT_THROW((void)written("never.sarif"), InputError);
}

TEST_F(CiOutputs, OddBaselinesAreReadWithoutHarm) {
  for (const char* text :
       {R"({"verdicts": [3, {}, {"property": "buffer_races", "outcome": 1, "witnesses": [1, {"text": 2}]}]})",
        R"({"verdicts": [{"property": "of_tomorrow", "outcome": "violated"}]})",
        R"({"runs": [1, {"results": [2, {}, {"partialFingerprints": []}]}]})"}) {
    EXPECT_EQ(verified("bad_reuse_war", {.baseline = write("odd.json", text)}).outcome, Outcome::kViolated) << text;
  }
}

TEST_F(CiOutputs, FilesThatCannotBeWrittenAreErrors) {
  EXPECT_THROW((void)verified("diamond", {.sarif = file("no/such/place.sarif")}), InputError);
  EXPECT_THROW((void)verified("diamond", {.junit = file("no/such/place.xml")}), InputError);
}

TEST(SourcePlaces, EveryOperatorStandsWhereItsFunctionIsDefined) {
  namespace tvm = models::tvm;
  const tvm::Import import =
      tvm::import_of(tvm::artifact_of("#include <stdint.h>\n" + tvm::diamond_text(64, 128, 192, 256)));
  std::vector<tvm::ObjectPlace> objects;
  const LoadedModel loaded = load_imported(tvm::imported_model(import, tvm::ModelOptions{}, &objects), "");
  const reports::SourcePlaces places = source_places("net.pkg", loaded);
  ASSERT_EQ(places.ops.size(), loaded.model.ops.size());
  for (std::size_t op = 0; op < places.ops.size(); ++op) {
    const reports::SourcePlace& place = places.ops[op];
    ASSERT_GT(place.file, 0U) << loaded.model.ops[op].name;
    const std::string& text = loaded.model.sources[place.file - 1].text;
    std::size_t begin = 0;
    for (std::uint32_t line = 1; line < place.line; ++line) begin = text.find('\n', begin) + 1;
    const std::string line = text.substr(begin, text.find('\n', begin) - begin);
    EXPECT_NE(line.find('('), std::string::npos) << line;
    EXPECT_EQ(line.find(';'), std::string::npos) << line << ": a call or a declaration";
  }
}

TEST_F(CiOutputs, OpsOfAGraphStandInItWhateverComputesThem) {
  write_file_atomically(file("mine.c"),
                        "#include <detent/kernel.h>\nint32_t f(const detent_kernel_args *args) { return 0; }\n");
  write_file_atomically(file("own.json"), R"({"schema": "detent.graph/1", "ops": [
    {"id": 0, "kernel": "mine.c:f"},
    {"id": 1}]})");
  const LoadedModel loaded = load(file("own.json"), {.weights = false});
  const reports::SourcePlaces places = source_places(file("own.json"), loaded);
  EXPECT_EQ(places.files, std::vector<std::string>{file("own.json")});
  ASSERT_EQ(places.ops.size(), 2U);
  EXPECT_EQ(places.ops[0].line, 2U);
  EXPECT_EQ(places.ops[1].line, 3U);
}

TEST(SourcePlaces, WhatNoThunkCallsStandsInTheFirstLineOfThePackage) {
  LoadedModel loaded = load("diamond", {.weights = false});
  loaded.model.sources = {
      {"lib.c", "int f(void);\n// f(\nint g(int a) { return f(); }\nint\nf(void)\n{\n return 0; }\n"},
      {"operators.c", "f("}};
  const reports::SourcePlaces places = source_places("net.pkg", loaded);
  ASSERT_EQ(places.files, (std::vector<std::string>{"net.pkg", "lib.c", "operators.c"}));
  ASSERT_EQ(places.ops.size(), loaded.model.ops.size());
  EXPECT_EQ(places.ops[0].file, 0U) << "no thunk calls f";
  EXPECT_EQ(places.ops[0].line, 1U);
}

}  // namespace
}  // namespace detent::app
