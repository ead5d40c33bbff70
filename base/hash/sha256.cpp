#include "base/hash/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace detent {
namespace {

/// FIPS 180-4, 4.2.2: the fractions of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98U, 0x71374491U, 0xb5c0fbcfU, 0xe9b5dba5U, 0x3956c25bU, 0x59f111f1U, 0x923f82a4U, 0xab1c5ed5U,
    0xd807aa98U, 0x12835b01U, 0x243185beU, 0x550c7dc3U, 0x72be5d74U, 0x80deb1feU, 0x9bdc06a7U, 0xc19bf174U,
    0xe49b69c1U, 0xefbe4786U, 0x0fc19dc6U, 0x240ca1ccU, 0x2de92c6fU, 0x4a7484aaU, 0x5cb0a9dcU, 0x76f988daU,
    0x983e5152U, 0xa831c66dU, 0xb00327c8U, 0xbf597fc7U, 0xc6e00bf3U, 0xd5a79147U, 0x06ca6351U, 0x14292967U,
    0x27b70a85U, 0x2e1b2138U, 0x4d2c6dfcU, 0x53380d13U, 0x650a7354U, 0x766a0abbU, 0x81c2c92eU, 0x92722c85U,
    0xa2bfe8a1U, 0xa81a664bU, 0xc24b8b70U, 0xc76c51a3U, 0xd192e819U, 0xd6990624U, 0xf40e3585U, 0x106aa070U,
    0x19a4c116U, 0x1e376c08U, 0x2748774cU, 0x34b0bcb5U, 0x391c0cb3U, 0x4ed8aa4aU, 0x5b9cca4fU, 0x682e6ff3U,
    0x748f82eeU, 0x78a5636fU, 0x84c87814U, 0x8cc70208U, 0x90befffaU, 0xa4506cebU, 0xbef9a3f7U, 0xc67178f2U};

constexpr std::size_t kBlock = 64;

std::uint32_t turned(std::uint32_t word, int by) { return std::rotr(word, by); }

}  // namespace

void Sha256::take_block(const unsigned char* block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = std::uint32_t{block[4 * i]} << 24U | std::uint32_t{block[4 * i + 1]} << 16U |
           std::uint32_t{block[4 * i + 2]} << 8U | std::uint32_t{block[4 * i + 3]};
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t low = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3U;
    const std::uint32_t high = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10U;
    w[i] = w[i - 16] + low + w[i - 7] + high;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t of_e = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const std::uint32_t first = h + of_e + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
    const std::uint32_t of_a = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const std::uint32_t second = of_a + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const std::array<std::uint32_t, 8> mixed = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < mixed.size(); ++i) state_[i] += mixed[i];
}

void Sha256::add(std::string_view bytes) {
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  const std::size_t held = total_bytes_ % kBlock;
  total_bytes_ += left;
  if (held != 0) {
    const std::size_t taken = std::min(left, kBlock - held);
    std::copy_n(at, taken, rest_.begin() + static_cast<std::ptrdiff_t>(held));
    at += taken;
    left -= taken;
    if (held + taken < kBlock) return;
    take_block(rest_.data());
  }
  for (; left >= kBlock; left -= kBlock, at += kBlock) take_block(at);
  std::copy_n(at, left, rest_.begin());
}

std::string Sha256::hex() const {
  Sha256 padded = *this;
  const std::size_t held = total_bytes_ % kBlock;
  std::string end(1, '\x80');
  end.append((held < kBlock - 8 ? kBlock : 2 * kBlock) - held - 9, '\0');
  for (int shift = 56; shift >= 0; shift -= 8) end += static_cast<char>(total_bytes_ * 8 >> shift & 0xFFU);
  padded.add(end);
  std::string text;
  for (const std::uint32_t word : padded.state_) {
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 0xFU];
  }
  return text;
}

std::string sha256_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace detent
