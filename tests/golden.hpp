// Golden files: complete results, compared line by line with what a file beside the tests says.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace detent {

/// FNV-1a, for contents that are too long to be spelled out.
inline std::uint64_t fnv_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

/// Expect `text` to be the file `path` (from tests/). With DETENT_WRITE_GOLDEN set, the file is written instead: read
/// the difference before it is committed.
inline void expect_golden(const std::string& text, const std::string& path) {
  const std::string file = std::string(DETENT_SOURCE_DIR) + "/tests/" + path;
  if (std::getenv("DETENT_WRITE_GOLDEN") != nullptr) {
    std::ofstream(file, std::ios::binary) << text;
    return;
  }
  std::ifstream expected(file, std::ios::binary);
  ASSERT_TRUE(expected.is_open()) << file;
  std::istringstream got(text);
  std::string want_line, got_line;
  for (std::size_t line = 1;; ++line) {
    const bool wants = static_cast<bool>(std::getline(expected, want_line));
    const bool gets = static_cast<bool>(std::getline(got, got_line));
    ASSERT_EQ(gets, wants) << path << ":" << line << ": " << (wants ? "missing: " + want_line : "new: " + got_line);
    if (!wants) return;
    ASSERT_EQ(got_line, want_line) << path << ":" << line;
  }
}

}  // namespace detent
