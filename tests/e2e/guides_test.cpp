// The guides of docs/guides: every command that a guide shows is run, in order, in an empty directory, and must print
// what the guide shows.
//
// A command is a line "    $ COMMAND"; lines "    > MORE" go on with it. What stands below it, indented as well, is
// what it prints, standard error too; a line "..." stands for any number of lines. Commands must end with exit code 0.
// /usr/share/doc/detent/examples is the examples of this tree, $(pkg-config --cflags detent) its headers. With
// DETENT_WRITE_GOLDEN, outputs that differ are written into the guides: what "..." left out stays out as far as the
// lines around it are found again.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

constexpr const char* kIndent = "    ";
constexpr const char* kElided = "...";

fs::path guides() { return fs::path(DETENT_SOURCE_DIR) / "docs" / "guides"; }

std::vector<std::string> guide_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(guides())) {
    if (entry.path().extension() == ".md" && entry.path().stem() != "README") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

/// A part of a guide: text as it stands, or a command with what it prints.
struct Part {
  Lines text;           ///< of a command: its lines with "$ " and "> "
  std::string command;  ///< empty: text
  Lines output;         ///< without the indent
};

bool is_command(const std::string& line) { return line.starts_with("    $ "); }

/// Does the line at `at` belong to the output above it? An empty line does where an indented one follows.
bool is_output(const Lines& lines, std::size_t at) {
  while (at < lines.size() && lines[at].empty()) ++at;
  return at < lines.size() && lines[at].starts_with(kIndent) && !is_command(lines[at]);
}

Part command_part(const Lines& lines, std::size_t& at) {
  Part part;
  part.command = lines[at].substr(6);
  part.text.push_back(lines[at++]);
  for (; at < lines.size() && lines[at].starts_with("    > "); ++at) {
    part.command += "\n" + lines[at].substr(6);
    part.text.push_back(lines[at]);
  }
  for (; is_output(lines, at); ++at) part.output.push_back(lines[at].empty() ? "" : lines[at].substr(4));
  return part;
}

std::vector<Part> parts_of(const std::string& text) {
  const Lines lines = lines_of(text);
  std::vector<Part> parts;
  for (std::size_t at = 0; at < lines.size();) {
    if (is_command(lines[at])) {
      parts.push_back(command_part(lines, at));
    } else {
      parts.push_back({{lines[at++]}, "", {}});
    }
  }
  return parts;
}

std::string text_of(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    for (const std::string& line : part.text) text += line + "\n";
    for (const std::string& line : part.output) text += line.empty() ? "\n" : kIndent + line + "\n";
  }
  return text;
}

/// Does `printed` from `at` on match `shown` from `from` on, where "..." stands for any lines?
bool matches(const Lines& shown, const Lines& printed, std::size_t from = 0, std::size_t at = 0) {
  for (; from < shown.size() && shown[from] != kElided; ++from, ++at) {
    if (at >= printed.size() || shown[from] != printed[at]) return false;
  }
  if (from == shown.size()) return at == printed.size();
  for (; at <= printed.size(); ++at) {
    if (matches(shown, printed, from + 1, at)) return true;
  }
  return false;
}

std::string first_word(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  return word;
}

/// What a guide shows instead: as many lines around each "..." as before, found by the first words of lines that
/// follow.
Lines rewritten(const Lines& shown, const Lines& printed) {
  Lines out;
  std::size_t at = 0;
  for (std::size_t i = 0; i < shown.size() && at <= printed.size(); ++i) {
    if (shown[i] != kElided) {
      if (at < printed.size()) out.push_back(printed[at++]);
      continue;
    }
    out.emplace_back(kElided);
    const auto next_mark = std::find(shown.begin() + static_cast<std::ptrdiff_t>(i) + 1, shown.end(), kElided);
    const auto below = static_cast<std::size_t>(next_mark - shown.begin()) - i - 1;
    if (next_mark == shown.end()) {
      at = std::max(at, printed.size() - std::min(below, printed.size()));
    } else {
      while (at < printed.size() && first_word(printed[at]) != first_word(shown[i + 1])) ++at;
    }
  }
  const bool is_cut = std::find(shown.begin(), shown.end(), kElided) != shown.end();
  return is_cut ? out : printed;
}

/// The examples of the package: what cmake/install.cmake installs.
std::string examples() {
  static const std::string place = [] {
    const std::string directory = scratch("guide_examples");
    const fs::path root(DETENT_SOURCE_DIR);
    fs::copy(root / "docs/examples", directory, fs::copy_options::recursive);
    fs::copy(root / "tests/models/import/tvm/fixtures/usmp", directory + "/tvm", fs::copy_options::recursive);
    fs::copy(root / "tests/runtime/c_example.c", directory + "/runtime.c");
    return directory;
  }();
  return place;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

Lines printed_by(std::string command, const std::string& directory) {
  const std::string output = directory + ".out";
  replace_all(command, "/usr/share/doc/detent/examples", examples());
  replace_all(command, "$(pkg-config --cflags detent)", std::string("-I") + DETENT_SOURCE_DIR + "/runtime/include");
  const std::string script = directory + ".sh";
  write_file(script, "unset TVMRT_NUM_WORKERS; cd '" + directory + "'\ndetent() { '" + program_under_test() +
                         "' \"$@\"; }\n" + command + "\n");
  const int status = std::system(("bash '" + script + "' >'" + output + "' 2>&1 </dev/null").c_str());
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << command << "\n" << read_file(output);
  return lines_of(read_file(output));
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

class Guide : public testing::TestWithParam<std::string> {};

TEST_P(Guide, PrintsWhatItShows) {
  const bool write = std::getenv("DETENT_WRITE_GOLDEN") != nullptr;
  const std::string file = (guides() / (GetParam() + ".md")).string();
  const std::string directory = scratch("guide_" + GetParam());
  std::vector<Part> parts = parts_of(read_file(file));
  ASSERT_EQ(text_of(parts), read_file(file)) << "the guide is read and written as it stands";
  std::size_t commands = 0;
  for (Part& part : parts) {
    if (part.command.empty()) continue;
    ++commands;
    const Lines printed = printed_by(part.command, directory);
    if (matches(part.output, printed)) continue;
    if (write) {
      part.output = rewritten(part.output, printed);
    } else {
      ADD_FAILURE() << file << ": $ " << part.command << "\nprints\n"
                    << joined(printed) << "but the guide shows\n"
                    << joined(part.output);
    }
  }
  EXPECT_GE(commands, 3U) << "a guide goes from start to end";
  if (write) write_file(file, text_of(parts));
}

/// The one screen of README.md, below "The first one ends with:".
TEST(Readme, ShowsWhatItsFirstCommandPrints) {
  const std::string file = std::string(DETENT_SOURCE_DIR) + "/README.md";
  const std::string command = "detent check yolov8n --platform quad_npu --runs 200 --out build/demo";
  std::string text = read_file(file);
  ASSERT_NE(text.find(command), std::string::npos);
  const std::size_t begin = text.find("    yolov8n on quad_npu: ");
  const std::size_t end = text.find("\n\nand `build/demo/report.html`", begin);
  ASSERT_NE(end, std::string::npos);
  std::string screen;
  for (const std::string& line : printed_by(command, scratch("readme")))
    screen += line.empty() ? "\n" : kIndent + line + "\n";
  screen.pop_back();
  EXPECT_EQ(text.substr(begin, end - begin), screen);
  if (std::getenv("DETENT_WRITE_GOLDEN") != nullptr) write_file(file, text.replace(begin, end - begin, screen));
}

INSTANTIATE_TEST_SUITE_P(Docs, Guide, testing::ValuesIn(guide_names()), [](const auto& name) { return name.param; });

TEST(GuideText, ElidedLinesMatchAnyNumberOfLines) {
  EXPECT_TRUE(matches({"a", "...", "c"}, {"a", "c"}));
  EXPECT_TRUE(matches({"a", "...", "c"}, {"a", "b", "b", "c"}));
  EXPECT_TRUE(matches({"..."}, {}));
  EXPECT_TRUE(matches({"...", "c", "..."}, {"a", "c", "c", "d"}));
  EXPECT_FALSE(matches({"a", "...", "c"}, {"a", "b"}));
  EXPECT_FALSE(matches({"a"}, {"a", "b"}));
  EXPECT_FALSE(matches({"a", "b"}, {"a"}));
}

TEST(GuideText, RewritingKeepsWhatIsElided) {
  EXPECT_EQ(rewritten({"a"}, {"x", "y"}), (Lines{"x", "y"}));
  EXPECT_EQ(rewritten({"a 1", "...", "z 1"}, {"a 2", "b", "z 2"}), (Lines{"a 2", "...", "z 2"}));
  EXPECT_EQ(rewritten({"a 1", "...", "k 1", "...", "z 1"}, {"a 2", "b", "k 2", "c", "z 2"}),
            (Lines{"a 2", "...", "k 2", "...", "z 2"}));
}

TEST(GuideText, EveryGuideIsLinkedFromTheReadme) {
  const std::string readme = read_file((fs::path(DETENT_SOURCE_DIR) / "README.md").string());
  EXPECT_GE(guide_names().size(), 5U);
  for (const std::string& name : guide_names())
    EXPECT_NE(readme.find("docs/guides/" + name + ".md"), std::string::npos) << name;
}

}  // namespace
}  // namespace detent::e2e
