#include "bench/networks/onnx/protobuf.hpp"

#include <bit>

namespace detent::bench {
namespace {

enum WireType : std::uint32_t { kVarint = 0, kLengthDelimited = 2, kFixed32 = 5 };

std::uint64_t key(std::uint32_t field, WireType type) { return std::uint64_t{field} << 3U | type; }

}  // namespace

void ProtobufMessage::append_varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<char>(value | 0x80U));
  bytes_.push_back(static_cast<char>(value));
}

void ProtobufMessage::add_integer(std::uint32_t field, std::int64_t value) {
  append_varint(key(field, kVarint));
  append_varint(static_cast<std::uint64_t>(value));
}

void ProtobufMessage::add_float(std::uint32_t field, float value) {
  append_varint(key(field, kFixed32));
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (std::uint32_t shift = 0; shift < 32; shift += 8) bytes_.push_back(static_cast<char>(bits >> shift));
}

void ProtobufMessage::add_bytes(std::uint32_t field, std::string_view value) {
  append_varint(key(field, kLengthDelimited));
  append_varint(value.size());
  bytes_.append(value);
}

}  // namespace detent::bench
