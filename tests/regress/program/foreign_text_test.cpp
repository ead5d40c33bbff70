// B14: text of files reaches the terminal, pages and findings only as characters that are seen: control characters,
// directions and separators of lines in names and values are written as escapes.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstdio>

#include "app/replay/failure_file.hpp"
#include "reports/text/text.hpp"
#include "tests/e2e/program.hpp"

namespace detent {
namespace {

const std::string kTurned =
    "a\u202Eb\u2028c\u2066d\u200Be\u009Bf\u00ADg";  // right-to-left, line end, isolate, zero width
/// The same as a name may be: readers of models refuse control characters.
const std::string kTurnedName = "a\u202Eb\u2028c\u2066d\u200Be\u00ADg";
const std::string kColoured = "\x1B[31mred\x1B[0m\x07\x7F\xFF";

void expect_printable(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    EXPECT_TRUE((byte >= 0x20 && byte != 0x7F) || byte == '\n') << static_cast<int>(byte) << " in " << text;
  }
  for (const char* hidden : {"\u202E", "\u2028", "\u2066", "\u200B", "\u009B", "\u00AD", "\xFF"}) {
    EXPECT_EQ(text.find(hidden), std::string::npos) << reports::printable_text(text);
  }
}

/// What the program says on both streams, which must be printable.
e2e::Answer run_printable(const std::string& arguments) {
  e2e::Answer answer = e2e::run_detent(arguments);
  expect_printable(answer.output);
  expect_printable(answer.error);
  return answer;
}

std::string graph_with(const std::string& name) {
  return R"({"schema": "detent.graph/1", "name": ")" + name + R"(", "regions": [{"name": ")" + name +
         R"(", "size": 64}], "ops": [{"id": 0, "name": ")" + name + R"(", "time_ps": 5, "writes": [{"region": ")" +
         name + R"(", "offset": 0, "size": 8}]}, {"id": 1, "name": "b", "time_ps": 5, "reads": [{"region": ")" + name +
         R"(", "offset": 0, "size": 8}]}], "edges": []})";
}

TEST(Regress, B14_NamesThatTurnTextAreEscapedInEveryAnswer) {
  const std::string directory = e2e::scratch("foreign_names");
  const std::string path = directory + "/g.json";
  e2e::write_file(path, graph_with(kTurnedName));
  for (const char* command : {"verify ", "bound --cores 2 ", "run --workers 0 ", "simulate --cores 2 --runs 2 ",
                              "plan ", "explore ", "graph ", "verify --json - ", "bound --cores 2 --json - "}) {
    const e2e::Answer answer = run_printable(command + path);
    EXPECT_NE(answer.exit_code, 2) << command << answer.error;
  }
  EXPECT_NE(run_printable("verify " + path).output.find("a\\u{202e}b\\u{2028}c\\u{2066}d"), std::string::npos);
  const nlohmann::json answer = e2e::parse(e2e::run_detent("verify --json - " + path));
  EXPECT_NE(answer.dump().find("\u202E"), std::string::npos) << "JSON says the name as it is, escaped as JSON does";
}

TEST(Regress, B14_NamesThatTurnTextAreEscapedInReports) {
  const std::string directory = e2e::scratch("foreign_report");
  e2e::write_file(directory + "/g.json", graph_with(kTurnedName));
  run_printable("check " + directory + "/g.json --cores 2 --runs 2 --out " + directory + "/out");
  run_printable("report " + directory + "/out");
  for (const char* file :
       {"/out/report.html", "/out/report.json", "/out/findings.sarif", "/out/trace.btf", "/out/trace.vcd"}) {
    const std::string text = e2e::read_file(directory + file);
    for (const char* hidden : {"\u202E", "\u2028", "\u2066", "\u200B", "\u009B", "\u00AD"}) {
      EXPECT_EQ(text.find(hidden), std::string::npos) << file;
    }
  }
  const auto sarif = nlohmann::json::parse(e2e::read_file(directory + "/out/findings.sarif"));
  EXPECT_EQ(sarif.dump().find("\u202E"), std::string::npos) << "viewers show what the escape stands for";
}

TEST(Regress, B14_OrderFilesAreRefusedWithoutTheirControlCharacters) {
  const std::string path = e2e::scratch("foreign_order") + "/order.txt";
  for (const std::string& word : {kColoured, kTurned}) {
    e2e::write_file(path, word + " 1 2 3");
    EXPECT_EQ(run_printable("run diamond --workers 0 --policy given --order " + path).exit_code, 2);
  }
  e2e::write_file(path, std::string(1U << 20U, 'x'));
  EXPECT_LT(run_printable("run diamond --workers 0 --policy given --order " + path).error.size(), 1000U);
}

TEST(Regress, B14_LayerFilesAreRefusedWithoutTheirControlCharacters) {
  const std::string path = e2e::scratch("foreign_layers") + "/l.csv";
  e2e::write_file(path, "name,M,N,K\nx,1," + kColoured + ",3\n");
  EXPECT_EQ(run_printable("npu --array 4,4 --dataflow ws --layers " + path).exit_code, 2);
  e2e::write_file(path, kColoured + ",1,2,3\n" + kTurned + ",1,2,3\n");
  EXPECT_EQ(run_printable("npu --array 4,4 --dataflow ws --layers " + path).exit_code, 0);
}

TEST(Regress, B14_ReplayLinesAreToldWithoutTheirControlCharacters) {
  const std::string directory = e2e::scratch("foreign_replay");
  const std::string path = directory + "/line.txt";
  for (const char* line : {"detent-replay/1 model=%1b[31mred%0adetent:%20all%20is%20well",
                           "detent-replay/1 model=diamond \x1B[31m=1", "detent-replay/1 model=diamond mode=%1b[31m"}) {
    e2e::write_file(path, line);
    EXPECT_EQ(run_printable("replay " + path).exit_code, 2) << line;
  }
  e2e::write_file(path, "detent-replay/1 model=%1b[31mred%0adetent:%20all%20is%20well");
  EXPECT_EQ(run_printable("replay " + path).error.find("\ndetent: all is well"), std::string::npos)
      << "a line break in a value must not begin a line of ours";
}

TEST(Regress, B14_FailureFilesAreToldWithoutTheirControlCharacters) {
  const std::string path = e2e::scratch("foreign_failure") + "/f.txt";
  app::FailureRecord record;
  record.program_version = kColoured;
  record.engine_hash = kTurned;
  record.model_hash = kColoured;
  record.law = kColoured;
  record.text = kTurned + "\n" + kColoured;
  record.line.model = "diamond";
  record.schedule = {0, 1, 2, 3};
  e2e::write_file(path, app::format_failure(record));
  EXPECT_EQ(run_printable("replay " + path).exit_code, 2);
  run_printable("replay --force " + path);
  std::string text = app::format_failure(record);
  text.insert(text.find("law ") + 4, kColoured);
  e2e::write_file(path, text);
  EXPECT_EQ(run_printable("replay " + path).exit_code, 2);
}

TEST(Regress, B14_ReportsOfOthersAreShownWithoutTheirControlCharacters) {
  const std::string directory = e2e::scratch("foreign_answer");
  e2e::run_detent("check diamond --platform quad_npu --runs 2 --out " + directory);
  const std::string text = e2e::read_file(directory + "/report.json");
  for (const char* value : {"\\u001b[31mred", "a\\u202eb", "x\\ndetent: all is well"}) {
    nlohmann::ordered_json answer = nlohmann::ordered_json::parse(text);
    answer["model"] = nlohmann::json::parse("\"" + std::string(value) + "\"");
    answer["verdicts"][0]["summary"] = answer["model"];
    e2e::write_file(directory + "/report.json", answer.dump());
    const e2e::Answer said = run_printable("report " + directory);
    EXPECT_EQ(said.output.find("\ndetent: all is well"), std::string::npos) << said.output;
  }
}

/// B15, B16: what a report lacks is bad input, not undefined behaviour; nesting is bounded by the reader.
TEST(Regress, B15_ReportsOfOthersThatLackKeysOrNestDeeplyAreRefused) {
  const std::string directory = e2e::scratch("foreign_keys");
  const std::string path = directory + "/report.json";
  for (const std::string& text :
       {std::string(R"({"schema": "detent.check/1"})"), std::string(R"({"schema": "detent.check/1", "verdicts": 3})"),
        R"({"schema": "detent.check/1", "model": )" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}",
        std::string(R"({"schema": "detent.check/1", "schema": 1})"), std::string("{"), std::string()}) {
    e2e::write_file(path, text);
    const e2e::Answer answer = e2e::run_detent("report " + directory);
    EXPECT_EQ(answer.exit_code, 2) << text.substr(0, 80) << answer.output << answer.error;
    EXPECT_NE(answer.error.find("report.json"), std::string::npos) << answer.error;
    EXPECT_EQ(e2e::run_detent("replay " + path).exit_code, 2) << text.substr(0, 80);
  }
}

}  // namespace
}  // namespace detent
