// Fixture of tests that compile C: a directory of their own for cache and temporary files, and sources to compile.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/temp_directory.hpp"
#include "harness/module/c_module.hpp"

namespace detent::harness::testing {

/// Points TMPDIR, XDG_CACHE_HOME and CC at what a test wants, and back again.
class ModuleTest : public ::testing::Test {
 protected:
  ModuleTest() {
    set("XDG_CACHE_HOME", (directory_.path() / "cache").string());
    set("TMPDIR", (directory_.path() / "tmp").string());
    std::filesystem::create_directory(directory_.path() / "tmp");
    ::unsetenv("CC");
  }
  ~ModuleTest() override {
    for (const auto& [name, value] : before_) {
      value.empty() ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  ModuleTest(const ModuleTest&) = delete;
  ModuleTest& operator=(const ModuleTest&) = delete;

  void set(const std::string& name, const std::string& value) {
    const char* const old = std::getenv(name.c_str());
    before_.insert(before_.begin(), {name, old == nullptr ? "" : old});
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  [[nodiscard]] std::filesystem::path cache() const { return directory_.path() / "cache" / "detent"; }
  [[nodiscard]] std::filesystem::path directory() const { return directory_.path(); }
  /// Nothing is left in TMPDIR.
  [[nodiscard]] bool temporary_is_empty() const { return std::filesystem::is_empty(directory_.path() / "tmp"); }

 private:
  TempDirectory directory_;
  std::vector<std::pair<std::string, std::string>> before_{{"CC", std::getenv("CC") ? std::getenv("CC") : ""}};
};

/// A kernel table over functions of the same names, to stand at the end of a source.
inline std::string kernel_table(const std::vector<std::string>& names) {
  std::string text = "static const detent_kernel kernels[] = {\n";
  for (const std::string& name : names) text += "  {.name = \"" + name + "\", .run = " + name + "},\n";
  return text +
         "};\nstatic const detent_kernel_table table = {.kernels = kernels, .count = " + std::to_string(names.size()) +
         "};\nconst detent_kernel_table *detent_module_kernels(void) { return &table; }\n";
}

/// "add_one": output[i] = input[i] + 1 over bytes.
inline std::vector<CSource> good_sources() {
  return {{"ops/add.c",
           "#include <detent/backend.h>\n"
           "static int32_t add_one(const detent_kernel_args *args) {\n"
           "  const unsigned char *x = args->inputs[0].data;\n"
           "  unsigned char *y = args->outputs[0].data;\n"
           "  for (uint64_t i = 0; i < args->outputs[0].tensor->size_bytes; ++i) y[i] = x[i] + 1;\n"
           "  return 0;\n"
           "}\n" +
               kernel_table({"add_one"})}};
}

/// What the constructor throws, "" when nothing.
inline std::string module_error(const std::vector<CSource>& sources, const CModuleOptions& options = {}) {
  try {
    const CModule module(sources, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace detent::harness::testing
