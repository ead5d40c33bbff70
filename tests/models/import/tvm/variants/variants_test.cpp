// Neighbours of every case, by small changes drawn from its title: what the importer says of each, whole, against a
// golden file of digests. Cases say what is right; their neighbours notice when anything else becomes different.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/import/tvm/model/import.hpp"
#include "tests/build.hpp"
#include "tests/golden.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"
#include "tests/models/import/tvm/case_answers.hpp"
#include "tests/models/import/tvm/import_dump.hpp"
#include "tests/models/import/tvm/line_answers.hpp"
#include "tests/models/import/tvm/line_cases.hpp"
#include "tests/models/import/tvm/variants/changed_text.hpp"
#include "tests/models/model_text.hpp"

namespace detent::models::tvm {
namespace {

/// What is said of a source.
using Answer = std::function<std::string(const std::string& source)>;

/// Sanitizers see faults that no answer shows; slower builds look at one neighbour of several.
const std::size_t kStride = kIsInstrumented ? 8 : 1;

std::string digest_of(const std::string& text) {
  static const char* const kDigits = "0123456789abcdef";
  std::uint64_t value = fnv_of(text);
  std::string digest;
  for (int i = 0; i < 8; ++i, value >>= 4U) digest += kDigits[value & 15U];
  return digest;
}

/// Lines "TITLE | digest digest ...".
class Digests {
 public:
  explicit Digests(const std::string& name)
      : path_(std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/golden/variants_" + name + ".txt") {
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      const std::size_t bar = line.rfind(" | ");
      if (bar != std::string::npos) known_[line.substr(0, bar)] = line.substr(bar + 3);
    }
  }

  /// Digests of `count` neighbours of a source, those drawn by the numbers from `first` on: as they are now or, of
  /// those that are not looked at, as they were.
  void expect(const std::string& title, const std::string& source, std::size_t count, const Answer& answer,
              std::size_t first = 0) {
    const std::string known = known_[title];
    std::string now;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string old = known.size() >= 9 * i + 8 ? known.substr(9 * i, 8) : "";
      if (count_++ % kStride != 0) {
        now += (i == 0 ? "" : " ") + old;
        continue;
      }
      const std::string changed = changed_text(source, fnv_of(title + std::to_string(first + i)));
      const std::string said = or_refusal([&] { return answer(changed); });
      now += (i == 0 ? "" : " ") + digest_of(said);
      if (!writes() && digest_of(said) != old) {
        ADD_FAILURE() << path_ << ": " << title << ", number " << i << " is not " << old << " any more:\n"
                      << changed << "\nis read as\n"
                      << said.substr(0, 4000);
      }
    }
    lines_ += title + " | " + now + "\n";
  }

  void finish() const {
    if (writes()) std::ofstream(path_, std::ios::binary) << lines_;
    EXPECT_GT(count_, 0U);
  }

 private:
  static bool writes() { return !kIsInstrumented && std::getenv("DETENT_WRITE_GOLDEN") != nullptr; }

  std::string path_, lines_;
  std::map<std::string, std::string> known_;
  std::size_t count_ = 0;
};

std::string footprint_of_packed(const std::string& source) { return footprint_answer(source, true); }
std::string footprint_of_plain(const std::string& source) { return footprint_answer(source, false); }
std::string as_it_is(const std::string& body) { return body; }

/// A file of cases: how a body becomes a source, how many neighbours each has, what is said of them.
struct CaseFile {
  const char* name;
  std::size_t neighbours;
  std::string (*source_of)(const std::string& body);
  std::string (*answer)(const std::string& source);
};
std::string main_of(const std::string& body) { return main_source(body); }
const std::vector<CaseFile> kCaseFiles = {{"expressions", 12, footprint_source, footprint_of_plain},
                                          {"statements", 12, footprint_source, footprint_of_plain},
                                          {"calls", 12, footprint_source, footprint_of_plain},
                                          {"packed", 12, footprint_source, footprint_of_packed},
                                          {"mains", 6, main_of, main_answer},
                                          {"sources", 8, as_it_is, unit_answer},
                                          {"entities", 6, entities_source, entities_answer}};
constexpr std::size_t kCasesOfPart = 18;

class CaseVariants : public testing::TestWithParam<std::pair<std::size_t, std::size_t>> {};

/// @param first  number of the first neighbour
void expect_neighbours(const CaseFile& file, std::size_t part, const std::string& kind, std::size_t count,
                       std::size_t first) {
  const std::vector<NamedCase> cases = read_cases(file.name);
  Digests digests(kind + file.name + "_" + std::to_string(part));
  for (std::size_t i = part * kCasesOfPart; i < std::min(cases.size(), (part + 1) * kCasesOfPart); ++i)
    digests.expect(cases[i].title, file.source_of(cases[i].body), count, file.answer, first);
  digests.finish();
}

TEST_P(CaseVariants, AreReadAsBefore) {
  const CaseFile& file = kCaseFiles[GetParam().first];
  expect_neighbours(file, GetParam().second, "", file.neighbours, 0);
}

/// In a test of their own, so that none takes long.
TEST_P(CaseVariants, FurtherOnesAreReadAsBefore) {
  const CaseFile& file = kCaseFiles[GetParam().first];
  expect_neighbours(file, GetParam().second, "further_", file.neighbours * 2 / 3, 100);
}

std::vector<std::pair<std::size_t, std::size_t>> parts() {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t file = 0; file < kCaseFiles.size(); ++file) {
    const std::size_t cases = read_cases(kCaseFiles[file].name).size();
    for (std::size_t part = 0; part * kCasesOfPart < cases; ++part) found.emplace_back(file, part);
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(Cases, CaseVariants, testing::ValuesIn(parts()), [](const auto& part) {
  return std::string(kCaseFiles[part.param.first].name) + "_" + std::to_string(part.param.second);
});

/// A file of lines, each a text, and what is said of one.
struct LineFile {
  const char* name;
  std::size_t neighbours;
  std::string (*text_of)(const std::string& line);
  std::string (*answer)(const std::string& text);
};
std::string preprocess_of(const std::string& text) {
  static const HeadersOfCases headers;
  return headers.preprocess_answer(text);
}
const std::vector<LineFile> kLineFiles = {{"scan_lines", 10, text_of_case, scan_answer},
                                          {"preprocess_lines", 10, text_of_case, preprocess_of},
                                          {"values", 10, as_it_is, value_answer}};
constexpr std::size_t kLinesOfPart = 60;

/// Without headings.
std::vector<std::string> lines_of(const std::string& name) {
  std::ifstream in(std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/cases/" + name + ".txt");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("==")) lines.push_back(line);
  }
  return lines;
}

class LineVariants : public testing::TestWithParam<std::pair<std::size_t, std::size_t>> {};

/// The type in front of an initial value stays.
TEST_P(LineVariants, AreReadAsBefore) {
  const LineFile& file = kLineFiles[GetParam().first];
  const std::size_t part = GetParam().second;
  const std::vector<std::string> lines = lines_of(file.name);
  Digests digests(std::string(file.name) + "_" + std::to_string(part));
  for (std::size_t i = part * kLinesOfPart; i < std::min(lines.size(), (part + 1) * kLinesOfPart); ++i) {
    const std::size_t begin = file.answer == value_answer ? lines[i].find(": ") + 2 : 0;
    const std::string type = lines[i].substr(0, begin);
    digests.expect("line " + std::to_string(i + 1), file.text_of(lines[i].substr(begin)), file.neighbours,
                   [&](const std::string& changed) { return file.answer(type + changed); });
  }
  digests.finish();
}

std::vector<std::pair<std::size_t, std::size_t>> line_parts() {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t file = 0; file < kLineFiles.size(); ++file) {
    const std::size_t lines = lines_of(kLineFiles[file].name).size();
    for (std::size_t part = 0; part * kLinesOfPart < lines; ++part) found.emplace_back(file, part);
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(Lines, LineVariants, testing::ValuesIn(line_parts()), [](const auto& part) {
  return std::string(kLineFiles[part.param.first].name) + "_" + std::to_string(part.param.second);
});

std::string without(std::string text, const std::string& root) {
  for (std::size_t at = text.find(root); at != std::string::npos; at = text.find(root, at)) text.erase(at, root.size());
  return text;
}

/// All that an import of a directory finds out, and what can be made of it.
std::string import_answer(const std::string& path) {
  const Import import = import_artifact(path);
  std::string text = artifact_text(import.artifact);
  for (const auto& [name, footprint] : import.footprints) text += footprint_text(footprint);
  return text + program_text(import.program, import.footprints) + hazards_text(import) +
         or_refusal([&] { return "== as it is\n" + model_text(imported_model(import)); }) +
         or_refusal([&] { return "== main\n" + model_text(reference_model(import)); }) +
         or_refusal([&] { return "== anew\n" + model_text(replan_parallel(import).model); });
}

class ArtifactVariants : public testing::TestWithParam<const char*> {};

/// One file of it is changed, each in turn.
TEST_P(ArtifactVariants, AreReadAsBefore) {
  const Scratch scratch;
  const fs::path path = scratch.copy(GetParam());
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    const std::string end = entry.path().extension();
    if (end == ".c" || end == ".cc" || end == ".h") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  Digests digests(std::string("of_") + GetParam());
  for (const fs::path& file : files) {
    const std::string text = read_text(file);
    digests.expect(fs::relative(file, path), text, 4, [&](const std::string& changed) {
      write_text(file, changed);
      return without(or_refusal([&] { return import_answer(path); }), path);
    });
    write_text(file, text);
  }
  digests.finish();
}

INSTANTIATE_TEST_SUITE_P(Fixtures, ArtifactVariants,
                         testing::Values("usmp", "packed_usmp", "packed_no_usmp", "v08", "external_pools",
                                         "outputs_no_usmp", "const_struct_int8", "cpp_runtime", "in_place_scratch",
                                         "gather", "vectorised", "byoc_cmsis", "byoc_c_source", "ethos_u"),
                         [](const auto& fixture) { return std::string(fixture.param); });

}  // namespace
}  // namespace detent::models::tvm
