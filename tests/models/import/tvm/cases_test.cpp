// Texts of cases/ -> what each of them becomes, against golden files. A case begins with a line "=== what it shows".
#include <gtest/gtest.h>

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/golden.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"
#include "tests/models/import/tvm/case_answers.hpp"
#include "tests/models/import/tvm/import_dump.hpp"
#include "tests/models/import/tvm/line_answers.hpp"

namespace detent::models::tvm {
namespace {

/// Every case of a file by `result_of`; an InputError is a result, too.
void expect_cases(const std::string& name, const std::function<std::string(const std::string&)>& result_of) {
  std::string results;
  for (const NamedCase& one : read_cases(name))
    results += one.title + "\n" + or_refusal([&] { return result_of(one.body); });
  ASSERT_NE(results, "") << name;
  expect_golden(results, "models/import/tvm/golden/cases_" + name + ".txt");
}

TEST(Cases, FootprintsOfExpressions) {
  expect_cases("expressions", [](const std::string& body) { return footprint_answer(footprint_source(body), false); });
}

TEST(Cases, FootprintsOfStatements) {
  expect_cases("statements", [](const std::string& body) { return footprint_answer(footprint_source(body), false); });
}

TEST(Cases, FootprintsOfCallsAndMemory) {
  expect_cases("calls", [](const std::string& body) { return footprint_answer(footprint_source(body), false); });
}

TEST(Cases, FootprintsOfPackedFunctions) {
  expect_cases("packed", [](const std::string& body) { return footprint_answer(footprint_source(body), true); });
}

TEST(Cases, Mains) {
  expect_cases("mains", [](const std::string& body) { return main_answer(main_source(body)); });
}

/// A refusal says where: golden files hold none without its line, but of a file that has no main at all.
TEST(Cases, RefusalsOfMainsNameTheirLine) {
  std::istringstream in(read_text(std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/golden/cases_mains.txt"));
  std::string line;
  std::size_t refusals = 0;
  while (std::getline(in, line)) {
    if (!line.starts_with("refused: ") || line.find("defines no main") != std::string::npos) continue;
    ++refusals;
    const std::size_t digits = line.find_first_not_of("0123456789", std::string("refused: ops.c:").size());
    EXPECT_TRUE(line.starts_with("refused: ops.c:") && digits > 15 && line[digits] == ':') << line;
  }
  EXPECT_GT(refusals, 80U);
}

TEST(Cases, Sources) { expect_cases("sources", unit_answer); }

TEST(Cases, Entities) {
  expect_cases("entities", [](const std::string& body) { return entities_answer(entities_source(body)); });
}

TEST(Cases, Values) {
  expect_cases("values", [](const std::string& body) {
    std::istringstream in(body);
    std::string line, text;
    while (std::getline(in, line)) text += line + " -> " + or_refusal([&] { return value_answer(line) + "\n"; });
    return text;
  });
}

std::vector<std::string> cut(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  std::string part;
  while (std::getline(in, part, at)) parts.push_back(part);
  return parts;
}

void replace_all(std::string& text, const std::string& old, const std::string& with) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
}

/// "fixture NAME", then edits of a copy of it: remove PATH, write PATH|TEXT, append PATH|FILE, replace PATH|OLD|NEW,
/// strip PATH|END|BEGIN (what stands between BEGIN and END goes, "  .name = {" becomes "{").
std::string edited_artifact(const std::string& body) {
  const Scratch scratch;
  fs::path path;
  for (const std::string& line : cut(body, '\n')) {
    const std::size_t space = line.find(' ');
    const std::string what = line.substr(0, space);
    std::string rest = line.substr(space + 1);
    replace_all(rest, "\\n", "\n");
    const std::vector<std::string> words = cut(rest, '|');
    if (what == "fixture") path = scratch.copy(rest);
    if (what == "remove") {
      EXPECT_NE(fs::remove_all(path / rest), 0U) << line;
    }
    if (what == "write") write_text(path / words[0], rest.substr(words[0].size() + 1) + "\n");
    if (what == "append") write_text(path / words[0], read_text(path / words[0]) + read_text(path / words[1]));
    if (what == "replace") {
      std::string text = read_text(path / words[0]);
      EXPECT_NE(text.find(words[1]), std::string::npos) << line;
      replace_all(text, words[1], words[2]);
      write_text(path / words[0], text);
    }
    if (what == "strip") {
      std::string text = read_text(path / words[0]);
      for (std::size_t at = text.find(words[2]); at != std::string::npos; at = text.find(words[2], at + 1)) {
        const std::size_t end = text.find(words[1], at);
        if (end != std::string::npos) text.replace(at, end + words[1].size() - at, "{\n");
      }
      write_text(path / words[0], text);
    }
  }
  std::string text = or_refusal([&] {
    const Artifact artifact = read_artifact(path.string());
    return artifact_text(artifact) + or_refusal([&] {
             const Footprints footprints = analyse_functions(artifact);
             const Program program = read_program(artifact, footprints);
             std::string notes;
             for (const std::string& note : program.notes) notes += "note " + note + "\n";
             return program_text(program, footprints) + notes;
           });
  });
  replace_all(text, path.string(), "ARTIFACT");
  return text;
}

class EditedArtifact : public testing::TestWithParam<const char*> {};

TEST_P(EditedArtifact, IsReadAsTheGoldenFileSays) { expect_cases(GetParam(), edited_artifact); }

INSTANTIATE_TEST_SUITE_P(Cases, EditedArtifact,
                         testing::Values("edits_1", "edits_2", "edits_3", "edits_4", "edits_5", "edits_6", "edits_7",
                                         "edits_8"));

}  // namespace
}  // namespace detent::models::tvm
