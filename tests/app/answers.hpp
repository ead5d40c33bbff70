// What tests of answers share: refusals as text, answers as bytes, files that do not outlive a test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "app/answer/verdicts.hpp"

namespace detent::app {

/// The message with which `call` refuses its arguments; "" when it takes them.
template <typename Call>
std::string refusal_of(const Call& call) {
  try {
    static_cast<void>(call());
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

/// JSON, lines and outcome of two answers, byte by byte.
inline void expect_same_answer(const Answer& left, const Answer& right) {
  EXPECT_EQ(left.json.dump(), right.json.dump());
  EXPECT_EQ(left.lines, right.lines);
  EXPECT_EQ(left.outcome, right.outcome);
}

/// Outcome, lines and JSON of an answer as one text, without the version of the program.
inline std::string text_of(Answer answer) {
  answer.json["detent_version"] = "*";
  std::string text = std::string(verify::outcome_name(answer.outcome)) + "\n";
  for (const std::string& line : answer.lines) text += line + "\n";
  return text + answer.json.dump(2) + "\n";
}

/// The same with `name` in place of a path that is another in each run.
inline std::string text_of(const Answer& answer, const std::string& path, const std::string& name) {
  std::string text = text_of(answer);
  for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at + name.size())) {
    text.replace(at, path.size(), name);
  }
  return text;
}

/// An empty directory, removed with all that is in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            (std::string("detent_") + test->test_suite_name() + "_" + test->name() + "_" + std::to_string(getpid()));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  /// Write a file. @return  its path
  [[nodiscard]] std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return file(name);
  }
  [[nodiscard]] std::size_t file_count() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace detent::app
