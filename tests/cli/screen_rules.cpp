#include "tests/cli/screen_rules.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "reports/text/wrap.hpp"

namespace detent::e2e {
namespace {

/// A number at the end of a line whose unit or noun begins the next one.
bool is_parted(const std::string& line, const std::string& next) {
  static const std::regex number(R"((^|[ (])[0-9]+([.][0-9]+)?$)");
  static const std::regex unit(R"(^ *(ps|ns|µs|ms|s|B|KiB|MiB|GiB|%|bytes?|ops?|runs?|cycles?)\b)");
  return std::regex_search(line, number) && std::regex_search(next, unit);
}

/// One word, or a command to copy, which must stay on its line.
bool is_unbreakable(const std::string& line) {
  return line.find("detent-replay/1") != std::string::npos ||
         line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
}

}  // namespace

std::vector<std::string> screen_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void expect_screen(const std::vector<std::string>& lines, std::size_t width, const std::string& command) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.rfind("detent: ", 0) == 0) continue;  // errors are wrapped on terminals only
    EXPECT_TRUE(is_unbreakable(line) || reports::columns_of(line) <= width) << command << "\n" << line;
    EXPECT_FALSE(i > 0 && is_parted(lines[i - 1], line)) << command << "\n" << line;
  }
}

}  // namespace detent::e2e
