// ModuleCache: one file per key, sealed by a footer.
#include "harness/module/module_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>

namespace detent::harness {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSeal = "detent-module-1\n";

std::string to_hex(XXH128_hash_t hash) {
  static constexpr char kDigits[] = "0123456789abcdef";
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

/// What stands behind the object: seal, length, hash.
std::string footer_of(std::string_view object) {
  return std::string(kSeal) + std::to_string(object.size()) + " " + to_hex(XXH3_128bits(object.data(), object.size())) +
         "\n";
}

bool is_sealed(std::string_view entry) {
  const std::size_t at = entry.rfind(kSeal);
  return at != std::string_view::npos && entry.substr(at) == footer_of(entry.substr(0, at));
}

fs::path default_directory() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && fs::path(cache).is_absolute()) return fs::path(cache) / "detent";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && fs::path(home).is_absolute()) return fs::path(home) / ".cache" / "detent";
  return {};
}

bool make_directory(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  return ::mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST;
}

/// What lies in the directory is loaded and run, so nobody else may be able to put anything there.
void require_private(const fs::path& path) {
  struct stat info {};
  const bool is_directory = ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
  if (!is_directory) {
    throw std::invalid_argument(path.string() + ": the cache is not a directory; name another one or turn it off");
  }
  if (info.st_uid != ::geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    throw std::invalid_argument(path.string() +
                                ": others can write to the cache of compiled modules; chmod 700, or turn it off");
  }
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

ContentKey::ContentKey() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(static_cast<XXH3_state_t*>(state_));
}

ContentKey::~ContentKey() { XXH3_freeState(static_cast<XXH3_state_t*>(state_)); }

void ContentKey::add(std::string_view text) {
  const std::uint64_t size = text.size();
  XXH3_128bits_update(static_cast<XXH3_state_t*>(state_), &size, sizeof size);
  XXH3_128bits_update(static_cast<XXH3_state_t*>(state_), text.data(), text.size());
}

std::string ContentKey::hex() const { return to_hex(XXH3_128bits_digest(static_cast<const XXH3_state_t*>(state_))); }

ModuleCache::ModuleCache(const std::string& directory) {
  const fs::path path = directory.empty() ? default_directory() : fs::absolute(directory).lexically_normal();
  if (path.empty() || !make_directory(path)) return;
  require_private(path);
  directory_ = path;
}

std::optional<fs::path> ModuleCache::find(const std::string& key) const {
  if (directory_.empty()) return std::nullopt;
  const fs::path path = directory_ / (key + ".so");
  const std::optional<std::string> entry = read_file(path);
  if (!entry || !is_sealed(*entry)) return std::nullopt;
  return path;
}

std::optional<fs::path> ModuleCache::store(const std::string& key, const fs::path& object) const {
  if (directory_.empty()) return std::nullopt;
  const std::optional<std::string> bytes = read_file(object);
  return bytes ? put(key + ".so", *bytes) : std::nullopt;
}

std::optional<std::string> ModuleCache::find_text(const std::string& key) const {
  if (directory_.empty()) return std::nullopt;
  std::optional<std::string> entry = read_file(directory_ / (key + ".txt"));
  if (!entry || !is_sealed(*entry)) return std::nullopt;
  entry->resize(entry->rfind(kSeal));
  return entry;
}

void ModuleCache::store_text(const std::string& key, std::string_view text) const {
  if (!directory_.empty()) static_cast<void>(put(key + ".txt", text));
}

std::optional<fs::path> ModuleCache::put(const std::string& name, std::string_view bytes) const {
  std::string draft = (directory_ / (name + ".XXXXXX")).string();
  const int file = ::mkostemp(draft.data(), O_CLOEXEC);
  if (file < 0) return std::nullopt;
  const bool written = write_all(file, bytes) && write_all(file, footer_of(bytes));
  const bool closed = ::close(file) == 0;
  fs::path path = directory_ / name;
  if (written && closed && ::rename(draft.c_str(), path.c_str()) == 0) return path;
  ::unlink(draft.c_str());
  return std::nullopt;
}

void add_this_program(ContentKey& key) { key.add(read_file("/proc/self/exe").value_or("")); }

std::optional<std::string> read_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(fs::file_size(path, error), '\0');
  if (error || !file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return std::nullopt;
  return bytes;
}

}  // namespace detent::harness
