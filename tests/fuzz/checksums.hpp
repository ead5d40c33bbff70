// Checksums of files made to fit what stands there, without which no changed byte would get past them.
#pragma once

#include <fmt/format.h>
#include <xxhash.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "models/files/package_layout.hpp"

namespace detent::fuzz {

template <typename T>
T number_at(std::string_view bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

inline void put_number(std::string& bytes, std::size_t at, std::uint64_t value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// Of a package: the size and every checksum of the header, where sections lie inside the file.
inline std::string repaired_package(std::string_view input) {
  namespace package = models::package;
  std::string bytes(input);
  if (bytes.size() < package::kHeaderBytes) return bytes;
  const bool has_demands = number_at<std::uint32_t>(bytes, 12) != package::section_count(false);
  const std::size_t sections = package::section_count(has_demands);
  const std::size_t table_end = package::kHeaderBytes + sections * package::kSectionEntryBytes;
  if (bytes.size() < table_end) return bytes;
  put_number(bytes, 16, bytes.size());
  for (std::size_t i = 0; i < sections; ++i) {
    const std::size_t entry = package::kHeaderBytes + i * package::kSectionEntryBytes;
    const auto record_bytes = number_at<std::uint32_t>(bytes, entry + 4);
    const auto count = number_at<std::uint64_t>(bytes, entry + 8);
    const auto offset = number_at<std::uint64_t>(bytes, entry + 16);
    if (offset > bytes.size() || record_bytes == 0 || count > (bytes.size() - offset) / record_bytes) continue;
    put_number(bytes, entry + 24, XXH3_64bits(bytes.data() + offset, count * record_bytes));
  }
  std::string summed = bytes.substr(0, package::kHeaderSummedBytes);
  summed += bytes.substr(package::kHeaderBytes, table_end - package::kHeaderBytes);
  put_number(bytes, package::kHeaderSummedBytes, XXH3_64bits(summed.data(), summed.size()));
  return bytes;
}

inline void put_sum(std::string& bytes, std::size_t begin, std::size_t end, std::uint64_t seed) {
  const std::uint64_t sum = XXH3_64bits_withSeed(bytes.data() + begin, end - begin, seed);
  std::memcpy(bytes.data() + end, &sum, sizeof sum);
}

/// Of a campaign: of header and blocks, as far as their sizes lie inside the file.
inline std::string repaired_campaign(std::string_view input) {
  constexpr std::size_t kFixedHeaderBytes = 40, kFixedBlockBytes = 24, kChecksumBytes = 8;
  std::string bytes(input);
  if (bytes.size() < kFixedHeaderBytes) return bytes;
  std::size_t end = kFixedHeaderBytes + std::size_t{number_at<std::uint32_t>(bytes, 32)};
  if (end > bytes.size() || bytes.size() - end < kChecksumBytes) return bytes;
  put_sum(bytes, 0, end, 0);
  const auto seed = number_at<std::uint64_t>(bytes, end);
  for (std::size_t at = end + kChecksumBytes; bytes.size() - at >= kFixedBlockBytes; at = end + kChecksumBytes) {
    const std::size_t words =
        std::size_t{number_at<std::uint32_t>(bytes, at + 4)} + number_at<std::uint32_t>(bytes, at + 16);
    end = at + kFixedBlockBytes + 8 * words;
    if (end > bytes.size() || bytes.size() - end < kChecksumBytes) break;
    put_sum(bytes, at, end, seed);
  }
  return bytes;
}

/// Of a part of an exploration: the last eight bytes.
inline std::string repaired_part(std::string_view input) {
  constexpr std::size_t kChecksumBytes = 8;
  std::string bytes(input);
  if (bytes.size() < kChecksumBytes) return bytes;
  const std::size_t end = bytes.size() - kChecksumBytes;
  const std::uint64_t sum = XXH3_64bits(bytes.data(), end);
  std::memcpy(bytes.data() + end, &sum, sizeof sum);
  return bytes;
}

/// Of a failure file: the last row.
inline std::string repaired_failure(std::string_view input) {
  const std::size_t row = input.rfind("checksum ");
  if (row == std::string_view::npos) return std::string(input);
  const std::string_view text = input.substr(0, row);
  return fmt::format("{}checksum {:016x}\n", text, XXH3_64bits(text.data(), text.size()));
}

}  // namespace detent::fuzz
