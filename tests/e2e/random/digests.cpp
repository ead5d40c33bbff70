#include "tests/e2e/random/digests.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tests/e2e/program.hpp"
#include "tests/golden.hpp"

namespace detent::e2e {
namespace {

namespace fs = std::filesystem;

std::string digest_of(const std::string& text) {
  std::ostringstream digits;
  digits << std::hex << fnv_of(text);
  return digits.str().substr(0, 8);
}

std::string content_of(const std::string& output) {
  std::set<fs::path> files;
  if (fs::is_directory(output)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(output)) {
      if (entry.is_regular_file()) files.insert(entry.path());
    }
  } else if (fs::exists(output)) {
    files.insert(output);
  }
  std::string text;
  for (const fs::path& file : files) text += file.string() + "\n" + read_file(file);
  return text;
}

}  // namespace

std::string whole_answer(const std::string& arguments, const std::vector<std::string>& outputs) {
  for (const std::string& output : outputs) fs::remove_all(output);
  const Answer answer = run_detent(arguments);
  std::string text = std::to_string(answer.exit_code) + "\n" + answer.output + answer.error;
  for (const std::string& output : outputs) text += content_of(output);
  return text;
}

void expect_digests(const std::string& file, const std::vector<Digested>& answers) {
  const std::string path = std::string(DETENT_SOURCE_DIR) + "/tests/e2e/random/golden/" + file;
  const bool writes = std::getenv("DETENT_WRITE_GOLDEN") != nullptr;
  std::map<std::string, std::string> known;
  std::ifstream golden(path);
  for (std::string digest, name; golden >> digest >> std::ws && std::getline(golden, name);) known[name] = digest;
  std::string lines;
  for (const Digested& answer : answers) {
    const std::string digest = digest_of(answer.said);
    lines += digest + " " + answer.name + "\n";
    if (!writes && known[answer.name] != digest) {
      ADD_FAILURE() << path << ": " << answer.name << " is not " << known[answer.name] << " but " << digest
                    << ": detent " << answer.arguments << "\n"
                    << answer.said.substr(0, 3000);
    }
  }
  if (writes) write_file(path, lines);
}

}  // namespace detent::e2e
