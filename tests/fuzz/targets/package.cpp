// Packages, as they are and with checksums made to fit, without which no changed byte would get past them.
#include "models/files/package.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "models/files/package_layout.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

namespace package = models::package;

template <typename T>
T get(std::string_view bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void put(std::string& bytes, std::size_t at, std::uint64_t value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// The size and every checksum of the header made to fit what stands there, where sections lie inside the file.
std::string repaired(std::string_view input) {
  std::string bytes(input);
  const std::size_t table_end = package::kHeaderBytes + package::kSections.size() * package::kSectionEntryBytes;
  if (bytes.size() < table_end) return bytes;
  put(bytes, 16, bytes.size());
  for (std::size_t i = 0; i < package::kSections.size(); ++i) {
    const std::size_t entry = package::kHeaderBytes + i * package::kSectionEntryBytes;
    const auto record_bytes = get<std::uint32_t>(bytes, entry + 4);
    const auto count = get<std::uint64_t>(bytes, entry + 8);
    const auto offset = get<std::uint64_t>(bytes, entry + 16);
    if (offset > bytes.size() || record_bytes == 0 || count > (bytes.size() - offset) / record_bytes) continue;
    put(bytes, entry + 24, XXH3_64bits(bytes.data() + offset, count * record_bytes));
  }
  std::string summed = bytes.substr(0, package::kHeaderSummedBytes);
  summed += bytes.substr(package::kHeaderBytes, table_end - package::kHeaderBytes);
  put(bytes, package::kHeaderSummedBytes, XXH3_64bits(summed.data(), summed.size()));
  return bytes;
}

void read(const std::string& bytes) {
  static_cast<void>(models::is_package(bytes));
  models::Model model;
  if (!accepts([&] { model = models::decode_package(bytes, kInputName); })) return;
  const std::string text = models::encode_package(model);
  require(models::encode_package(models::decode_package(text, "again")) == text,
          "a package that was written reads alike");
}

}  // namespace

void package_target(std::string_view input) {
  read(std::string(input));
  read(repaired(input));
}

}  // namespace detent::fuzz
