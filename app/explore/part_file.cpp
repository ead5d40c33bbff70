// Part file <-> bytes; nothing that was read is trusted.
#include "app/explore/part_file.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <stdexcept>

#include "base/io.hpp"
#include "base/wanted_file.hpp"

namespace detent::app {
namespace {

constexpr std::string_view kPartMagic = "DETXPLOR";
constexpr std::uint32_t kPartVersion = 1;
constexpr std::size_t kFixedPartBytes = 72;
constexpr std::uint64_t kMaxPartIdentity = 1U << 20U;
constexpr std::uint64_t kMaxPartFile = std::uint64_t{1} << 36U;

template <typename Integer>
void put_part(std::string& bytes, Integer value) {
  for (std::size_t i = 0; i < sizeof(Integer); ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xFFU);
}

/// Bytes from front to back, never beyond their end.
class PartReader {
 public:
  PartReader(std::string_view bytes, std::string path) : bytes_(bytes), path_(std::move(path)) {}

  template <typename Integer>
  Integer take() {
    const std::string_view part = take_bytes(sizeof(Integer));
    Integer value = 0;
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
      value |= static_cast<Integer>(static_cast<Integer>(static_cast<unsigned char>(part[i])) << (8 * i));
    }
    return value;
  }
  std::string_view take_bytes(std::uint64_t count) {
    if (count > bytes_.size() - at_) refuse("the file ends too early; explore this shard again");
    const std::string_view part = bytes_.substr(at_, count);
    at_ += count;
    return part;
  }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  [[noreturn]] void refuse(const std::string& what) const {
    throw std::invalid_argument(fmt::format("{}: byte {}: {}", path_, at_, what));
  }

 private:
  std::string_view bytes_;
  std::string path_;
  std::size_t at_ = 0;
};

std::uint64_t sum_of_part(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::vector<std::uint8_t> take_flags(PartReader& reader, std::uint64_t count, std::uint8_t largest) {
  const std::string_view bytes = reader.take_bytes(count);
  std::vector<std::uint8_t> flags(bytes.begin(), bytes.end());
  if (std::any_of(flags.begin(), flags.end(), [&](std::uint8_t flag) { return flag > largest; })) {
    reader.refuse(fmt::format("a flag above {} before this byte; explore this shard again", largest));
  }
  return flags;
}

void take_executions(PartReader& reader, std::uint64_t executed, verify::explore::OpPart& part) {
  if (executed > part.count || executed > reader.left() / (part.weighted ? 17 : 9)) {
    reader.refuse("more executions than the shard or the file has; explore this shard again");
  }
  part.traces.resize(executed);
  for (std::uint64_t& trace : part.traces) trace = reader.take<std::uint64_t>();
  part.differs = take_flags(reader, executed, 3);
  if (!part.weighted) return;
  part.log_weights.resize(executed);
  for (double& weight : part.log_weights) weight = std::bit_cast<double>(reader.take<std::uint64_t>());
}

void take_orders(PartReader& reader, verify::explore::PairOrders& orders) {
  orders.open = take_flags(reader, reader.take<std::uint32_t>(), 3);
  const auto ops = reader.take<std::uint32_t>();
  if (ops > verify::explore::kMaxDenseOps) reader.refuse("more ops than have a bit matrix; explore this shard again");
  if (reader.left() != std::uint64_t{ops} * ((ops + 63) / 64) * 8) {
    reader.refuse("not as many bits as that many ops have; explore this shard again");
  }
  orders.after = verify::explore::BitMatrix(ops);
  for (std::uint32_t op = 0; op < ops; ++op) {
    for (std::uint32_t w = 0; w < orders.after.words(); ++w) orders.after.row(op)[w] = reader.take<std::uint64_t>();
  }
}

}  // namespace

std::string encode_explore_part(const ExplorePartFile& file) {
  const verify::explore::OpPart& part = file.part;
  std::string bytes(kPartMagic);
  bytes.reserve(kFixedPartBytes + file.identity.size() + part.traces.size() * 17 + 64);
  put_part(bytes, kPartVersion);
  put_part(bytes, static_cast<std::uint32_t>(file.identity.size()));
  put_part(bytes, part.first);
  put_part(bytes, part.count);
  put_part(bytes, static_cast<std::uint64_t>(part.traces.size()));
  put_part(bytes, part.serial_digest);
  put_part(bytes, static_cast<std::uint32_t>(part.status));
  put_part(bytes, static_cast<std::uint32_t>(part.weighted ? 1 : 0));
  bytes += file.identity;
  for (const std::uint64_t trace : part.traces) put_part(bytes, trace);
  for (const std::uint8_t differs : part.differs) bytes += static_cast<char>(differs);
  for (const double weight : part.log_weights) put_part(bytes, std::bit_cast<std::uint64_t>(weight));
  put_part(bytes, static_cast<std::uint32_t>(part.orders.open.size()));
  for (const std::uint8_t order : part.orders.open) bytes += static_cast<char>(order);
  put_part(bytes, part.orders.after.size());
  for (std::uint32_t op = 0; op < part.orders.after.size(); ++op) {
    for (std::uint32_t w = 0; w < part.orders.after.words(); ++w) put_part(bytes, part.orders.after.row(op)[w]);
  }
  put_part(bytes, sum_of_part(bytes));
  return bytes;
}

ExplorePartFile decode_explore_part(std::string_view bytes, const std::string& path) {
  if (!bytes.starts_with(kPartMagic)) {
    refuse_kind(path, kind_of_file(path, bytes),
                {"a campaign file of detent explore", {}, "write one with detent explore MODEL --campaign FILE"});
  }
  if (bytes.size() < kPartMagic.size() + 8 + sizeof(std::uint64_t)) {
    throw std::invalid_argument(
        fmt::format("{}: byte {}: the file ends too early; explore this shard again", path, bytes.size()));
  }
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(std::uint64_t));
  const auto sum = PartReader(bytes.substr(body.size()), path).take<std::uint64_t>();
  PartReader reader(body, path);
  reader.take_bytes(kPartMagic.size());
  if (const auto version = reader.take<std::uint32_t>(); version != kPartVersion) {
    reader.refuse(
        fmt::format("version {} is not {}; explore this shard again with this program", version, kPartVersion));
  }
  if (sum != sum_of_part(body)) {
    throw std::invalid_argument(
        fmt::format("{}: byte {}: the checksum is not that of the bytes before it; explore this "
                    "shard again",
                    path, body.size()));
  }
  ExplorePartFile file;
  const auto identity_bytes = reader.take<std::uint32_t>();
  if (identity_bytes > kMaxPartIdentity) reader.refuse("an identity above 1 MiB; explore this shard again");
  file.part.first = reader.take<std::uint64_t>();
  file.part.count = reader.take<std::uint64_t>();
  const auto executed = reader.take<std::uint64_t>();
  file.part.serial_digest = reader.take<std::uint64_t>();
  const auto status = reader.take<std::uint32_t>();
  const auto weighted = reader.take<std::uint32_t>();
  if (weighted > 1) reader.refuse("whether weights follow must be 0 or 1; explore this shard again");
  file.part.status = static_cast<detent_status>(status);
  file.part.weighted = weighted == 1;
  file.identity = reader.take_bytes(identity_bytes);
  take_executions(reader, executed, file.part);
  if (!file.part.finished()) reader.refuse("fewer executions than the shard has; explore this shard again");
  take_orders(reader, file.part.orders);
  return file;
}

void write_explore_part(const std::string& path, const ExplorePartFile& file) {
  write_file_atomically(path, encode_explore_part(file));
}

ExplorePartFile read_explore_part(const std::string& path) {
  return decode_explore_part(read_regular_file(path, kMaxPartFile), path);
}

bool is_explore_part(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string head(kPartMagic.size(), '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  return stream && head == kPartMagic;
}

}  // namespace detent::app
