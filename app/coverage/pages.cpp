// One call of gcovr; its JSON -> figures.
#include "app/coverage/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "app/answer/answer.hpp"
#include "base/io.hpp"
#include "base/subprocess.hpp"
#include "base/temp_directory.hpp"
#include "base/words/quote.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

constexpr const char *kFigures = "figures.json", *kLines = "lines.json";
constexpr std::uint64_t kMaxPageBytes = std::uint64_t{1} << 30U;

/// A name as a regular expression that nothing else matches.
std::string exactly(const std::string& name) {
  std::string pattern;
  for (const char c : name) {
    if (std::string_view(".+").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern + "$";
}

std::string words_of(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text += (text.empty() ? "" : " ") + quote_word(word);
  return text;
}

std::vector<std::string> gcovr_command(const CoverageTools& tools, const fs::path& out,
                                       const std::vector<std::string>& files, const std::string& title) {
  const auto in = [&out](const char* name) { return (out / name).string(); };
  // A source may be called gcovr.cfg: no configuration is read but an empty one.
  std::vector<std::string> command = {
      tools.gcovr,         "--config",           "/dev/null",    "--root",      ".",
      "--gcov-executable", words_of(tools.gcov), "--timestamp",  "0",           "--json",
      in(kLines),          "--json-summary",     in(kFigures),   "--cobertura", in("coverage.xml"),
      "--html-details",    in("coverage.html"),  "--html-title", title};
  for (const std::string& file : files) {
    command.emplace_back("--filter");
    command.push_back(exactly(file));
  }
  command.emplace_back(".");
  return command;
}

void run_gcovr(const std::vector<std::string>& command, const fs::path& code) {
  const ProcessResult result = run_processes({command}, {.directory = code.string()})[0];
  if (result.succeeded()) return;
  std::string said = result.output.substr(0, 400);
  std::ranges::replace(said, '\n', ' ');
  throw std::invalid_argument(fmt::format("--coverage: {} failed{}; it must be gcovr 5.1 or newer", command.front(),
                                          said.empty() ? "" : ": " + said));
}

reports::CoveredCount count_of_key(const Json& file, const std::string& key) {
  return {.covered = file.at(key + "_covered"), .total = file.at(key + "_total")};
}

std::vector<reports::UncoveredFunction> uncovered_of(const Json& functions) {
  std::vector<reports::UncoveredFunction> uncovered;
  for (const Json& one : functions) {
    if (one.at("execution_count") == 0) uncovered.push_back({.name = one.at("name"), .line = one.at("lineno")});
  }
  std::ranges::sort(uncovered,
                    [](const auto& a, const auto& b) { return std::pair(a.line, a.name) < std::pair(b.line, b.name); });
  return uncovered;
}

reports::CodeCoverage figures_of(const Json& figures, const Json& lines) {
  reports::CodeCoverage code;
  for (const Json& file : figures.at("files")) {
    code.files.push_back({.name = file.at("filename"),
                          .lines = count_of_key(file, "line"),
                          .branches = count_of_key(file, "branch"),
                          .functions = count_of_key(file, "function")});
  }
  std::ranges::sort(code.files, {}, &reports::FileCoverage::name);
  for (const Json& file : lines.at("files")) {
    const auto own = std::ranges::find(code.files, file.at("file").get<std::string>(), &reports::FileCoverage::name);
    if (own != code.files.end()) own->uncovered = uncovered_of(file.at("functions"));
  }
  return code;
}

Json json_in(const fs::path& file) {
  return parse_answer(file.filename().string(), read_regular_file(file.string(), kMaxAnswerBytes));
}

reports::CodeCoverage read_figures(const CoverageTools& tools, const fs::path& out) {
  try {
    return figures_of(json_in(out / kFigures), json_in(out / kLines));
  } catch (const Json::exception& error) {
    throw std::invalid_argument(fmt::format("--coverage: {} writes what is not known here ({}); take gcovr 5.1 to 8",
                                            tools.gcovr, error.what()));
  }
}

/// gcovr prints the date that it was given for none.
std::string without_date(std::string page) {
  constexpr std::string_view kNone = "1970-01-01 00:00:00";
  for (std::size_t at = page.find(kNone); at != std::string::npos; at = page.find(kNone, at)) {
    const std::size_t end = page.find('<', at);
    page.replace(at, end == std::string::npos ? kNone.size() : end - at, "not recorded");
  }
  return page;
}

std::vector<CoveragePage> read_pages(const fs::path& out) {
  std::vector<CoveragePage> pages;
  for (const fs::directory_entry& entry : fs::directory_iterator(out)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".json")) {
      pages.push_back({name, without_date(read_regular_file(entry.path().string(), kMaxPageBytes))});
    }
  }
  std::ranges::sort(pages, {}, &CoveragePage::name);
  return pages;
}

}  // namespace

CoveragePages coverage_pages(const CoverageTools& tools, const fs::path& code, const std::vector<std::string>& files,
                             const std::string& title) {
  const TempDirectory out;
  run_gcovr(gcovr_command(tools, out.path(), files, title), code);
  CoveragePages made{.pages = read_pages(out.path()), .figures = read_figures(tools, out.path())};
  if (made.figures.files.empty()) {
    throw std::invalid_argument("--coverage: no counter was found of any source of the model; is there code in it?");
  }
  return made;
}

}  // namespace detent::app
