// ModuleCache: key -> compiled shared object, kept between processes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace detent::harness {

/// XXH3-128 over a list of texts; each is hashed with its length, so that no two lists collide by concatenation.
class ContentKey {
 public:
  ContentKey();
  ~ContentKey();
  ContentKey(const ContentKey&) = delete;
  ContentKey& operator=(const ContentKey&) = delete;
  void add(std::string_view text);
  /// 32 lower-case hex digits.
  [[nodiscard]] std::string hex() const;

 private:
  void* state_;
};

/// A directory of shared objects, and of texts that were found out about them, named by their key. Every entry ends
/// with its own length and XXH3-128, so that a damaged one is found and built again (bytes after the last section are
/// no part of an ELF file). Entries appear by rename, so any number of processes may use one directory at once. Entries
/// may be deleted at any time.
class ModuleCache {
 public:
  /// @param directory  "" for $XDG_CACHE_HOME/detent or ~/.cache/detent. Made with mode 0700 where it does not exist;
  ///                   where it cannot be made, nothing is cached.
  /// @throws std::invalid_argument  it belongs to somebody else or others may write to it: what is loaded from it runs
  explicit ModuleCache(const std::string& directory);

  /// Path of a sound entry.
  [[nodiscard]] std::optional<std::filesystem::path> find(const std::string& key) const;
  /// Put a copy of `object` there. Returns its path, or nothing when the directory cannot take it.
  [[nodiscard]] std::optional<std::filesystem::path> store(const std::string& key,
                                                           const std::filesystem::path& object) const;

  /// The text that was stored under the key.
  [[nodiscard]] std::optional<std::string> find_text(const std::string& key) const;
  void store_text(const std::string& key, std::string_view text) const;

 private:
  [[nodiscard]] std::optional<std::filesystem::path> put(const std::string& name, std::string_view bytes) const;
  std::filesystem::path directory_;  ///< empty: nothing is cached
};

/// A key for what this very program finds out: the content of its executable.
void add_this_program(ContentKey& key);

/// All bytes of a file; nothing when it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

}  // namespace detent::harness
