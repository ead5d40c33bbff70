// The leak check read wild memory, one time in 64, where a library loaded at run time has thread-local words: the
// address sanitizer took the block's extent from words that were not about it (cmake/sanitizer_options.cpp).
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/build.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace {

namespace fs = std::filesystem;

/// Load one more copy of the library and touch its word. The copies stay loaded.
[[maybe_unused]] std::uintptr_t touch_copy(const fs::path& folder, int number) {
  const fs::path copy = folder / (std::to_string(number) + ".so");
  fs::copy_file(std::string(detent::kBuildFolder) + "/modules/loaded_tls_module.so", copy);
  void* const library = dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return 0;
  const auto touch = reinterpret_cast<char* (*)()>(dlsym(library, "detent_test_touch"));
  return touch == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(touch());
}

TEST(LoadedTls, LeaksAreCheckedWhereverTheBlocksLie) {
#if !defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "a build without the address sanitizer";
#else
  std::string folder = (fs::temp_directory_path() / "detent_loaded_tls_XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  int suspects = 0;
  // Where blocks come to lie changes from process to process.
  for (int number = 0; number < 200 || (suspects == 0 && number < 5000); ++number) {
    const std::uintptr_t block = touch_copy(folder, number);
    ASSERT_NE(block, 0U) << number;
    if (block % 4096 == 16) ++suspects;
  }
  fs::remove_all(folder);
  EXPECT_EQ(__lsan_do_recoverable_leak_check(), 0);
  if (suspects == 0) GTEST_SKIP() << "in this process no block lies where the guess was wrong";
#endif
}

}  // namespace
