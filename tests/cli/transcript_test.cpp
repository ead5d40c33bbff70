// Whole answers of commands: each file of transcripts/ is a session in a shell, played again and compared to the byte.
//
// A line "$ LINE" is run in a fresh directory (DIR) that holds transcripts/inputs/ and, as tvm/, the artifacts of
// tests/models/import/tvm/fixtures. What it prints follows, standard error too, and "exit N" where N is not 0; JSON
// with one line per member of the whole. To take over what is printed now, set DETENT_WRITE_GOLDEN and read the
// difference before it is committed.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

namespace fs = std::filesystem;

const fs::path& transcripts() {
  static const fs::path path = fs::path(DETENT_SOURCE_DIR) / "tests" / "cli" / "transcripts";
  return path;
}

std::vector<std::string> session_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(transcripts()))
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// JSON as one line per member; any other text as it is.
std::string folded(const std::string& text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!json.is_object()) return text;
  std::string lines = "{";
  for (const auto& [key, value] : json.items())
    lines += (lines.size() > 1 ? ",\n " : "") + nlohmann::json(key).dump() + ": " + value.dump();
  return lines + "}\n";
}

/// Without what changes with every release, and without the place where the test runs.
std::string without_chance(const std::string& text, const std::string& directory) {
  static const std::regex version(R"re(("detent_version": ?)"[^"]*")re");
  std::string kept = std::regex_replace(text, version, "$1\"*\"");
  for (std::size_t at = kept.find(directory); at != std::string::npos; at = kept.find(directory, at))
    kept.replace(at, directory.size(), "DIR");
  return kept;
}

std::string run_line(const std::string& directory, const std::string& line) {
  const std::string output = directory + ".out";
  const std::string script = "unset TVMRT_NUM_WORKERS COLUMNS NO_COLOR; cd '" + directory + "'; detent() { '" +
                             program_under_test() + "' \"$@\"; }; { " + line + "\n} >'" + output + "' 2>&1 </dev/null";
  const int status = std::system(script.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  std::string text = without_chance(folded(read_file(output)), directory);
  if (!text.empty() && text.back() != '\n') text += "\n(no line end)\n";
  return code == 0 ? text : text + "exit " + std::to_string(code) + "\n";
}

class Transcript : public testing::TestWithParam<std::string> {};

TEST_P(Transcript, SessionPrintsWhatTheFileHolds) {
  const fs::path file = transcripts() / (GetParam() + ".txt");
  const std::string directory = scratch("transcript_" + GetParam());
  fs::copy(transcripts() / "inputs", directory);
  fs::create_directory_symlink(fs::path(DETENT_SOURCE_DIR) / "tests/models/import/tvm/fixtures", directory + "/tvm");
  const std::string expected = read_file(file.string());
  std::istringstream lines(expected);
  std::string printed;
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("$ ", 0) == 0) printed += line + "\n" + run_line(directory, line.substr(2));
  if (std::getenv("DETENT_WRITE_GOLDEN") != nullptr) write_file(file.string(), printed);
  EXPECT_EQ(printed, read_file(file.string()));
}

INSTANTIATE_TEST_SUITE_P(Commands, Transcript, testing::ValuesIn(session_names()),
                         [](const auto& session) { return session.param; });

}  // namespace
}  // namespace detent::e2e
