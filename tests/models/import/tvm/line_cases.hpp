// Files of cases, one text a line -> golden files that have the result below each.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/input_error.hpp"
#include "tests/golden.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"

namespace detent::models::tvm {

/// What '@' and a letter stand for in a line of cases, so that every text is one printable line.
inline const std::vector<std::pair<char, std::string>>& case_escapes() {
  static const std::vector<std::pair<char, std::string>> kEscapes = {
      {'n', "\n"},           {'r', "\r"},       {'t', "\t"},   {'v', "\v"},  {'f', "\f"}, {'0', std::string(1, '\0')},
      {'b', "\xEF\xBB\xBF"}, {'u', "\xC3\xA9"}, {'x', "\x7f"}, {'c', "\x01"}};
  return kEscapes;
}

/// "@n" is a newline; "@[3|ab@]" is "ababab".
inline std::string text_of_case(const std::string& line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '@' || i + 1 == line.size()) {
      text += line[i];
      continue;
    }
    const char what = line[++i];
    if (what == '[') {
      const std::size_t bar = line.find('|', i), end = line.find("@]", bar);
      const std::string piece = text_of_case(line.substr(bar + 1, end - bar - 1));
      for (std::size_t count = std::stoul(line.substr(i + 1)); count > 0; --count) text += piece;
      i = end + 1;
      continue;
    }
    for (const auto& [letter, meant] : case_escapes()) text += letter == what ? meant : "";
  }
  return text;
}

/// One printable line; of a long one the beginning, the length and a digest.
inline std::string line_of_text(const std::string& text) {
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t before = i;
    for (const auto& [letter, meant] : case_escapes()) {
      if (i == before && text.compare(i, meant.size(), meant) == 0) {
        line += std::string("@") + letter;
        i += meant.size();
      }
    }
    if (i == before) line += text[i++];
  }
  if (line.size() <= 2000) return line;
  return line.substr(0, 100) + "... " + std::to_string(text.size()) + " bytes #" + std::to_string(fnv_of(text));
}

/// Every line of cases/NAME.txt by `result_of`; an InputError is a result, too. A line that begins with "== " is a
/// heading.
inline void expect_lines(const std::string& name, const std::function<std::string(const std::string&)>& result_of) {
  std::istringstream in(read_text(std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/cases/" + name + ".txt"));
  std::string results;
  for (std::string line; std::getline(in, line);) {
    results += line + "\n";
    if (line.starts_with("== ")) continue;
    try {
      results += "  " + line_of_text(result_of(text_of_case(line))) + "\n";
    } catch (const InputError& error) {
      results += "  refused: " + line_of_text(error.what()) + "\n";
    }
  }
  ASSERT_NE(results, "") << name;
  expect_golden(results, "models/import/tvm/golden/cases_" + name + ".txt");
}

}  // namespace detent::models::tvm
