#include "base/wanted_file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/input_error.hpp"
#include "base/io.hpp"

namespace detent {
namespace {

/// As the sentence behind a full stop.
std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

bool takes(const WantedFile& wanted, FileKind kind) { return std::ranges::count(wanted.kinds, kind) != 0; }

}  // namespace

void refuse_kind(const std::string& path, FileKind kind, const WantedFile& wanted) {
  if (kind == FileKind::kEmpty) throw InputError(path, "", "is empty; " + wanted.advice);
  const std::string what = std::string("is ") + kind_text(kind) + ", not " + wanted.text + "; ";
  const std::string taker = taker_of(kind, path);
  throw InputError(path, "", what + (taker.empty() ? wanted.advice : taker + ". " + sentence(wanted.advice)));
}

void require_kind(const std::string& path, std::string_view bytes, const WantedFile& wanted) {
  const FileKind kind = kind_of_file(path, bytes);
  if (!takes(wanted, kind)) refuse_kind(path, kind, wanted);
}

void require_kind_at(const std::string& path, const WantedFile& wanted) {
  std::error_code error;
  const bool is_there = std::filesystem::is_directory(path, error) || std::filesystem::is_regular_file(path, error);
  if (!is_there) return;
  const FileKind kind = kind_at(path);
  if (!takes(wanted, kind)) refuse_kind(path, kind, wanted);
}

std::string read_wanted_file(const std::string& path, std::uint64_t max_bytes, const WantedFile& wanted) {
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(path, error);
  const bool is_file = std::filesystem::is_regular_file(path, error);
  const bool is_too_long = is_file && std::filesystem::file_size(path, error) > max_bytes;
  // Of bytes that nothing is known of their number says more.
  if (is_folder || (is_too_long && kind_at(path) != FileKind::kBinary)) require_kind_at(path, wanted);
  std::string bytes = read_regular_file(path, max_bytes);
  require_kind(path, bytes, wanted);
  return bytes;
}

}  // namespace detent
