#include "base/words/quantity.hpp"

#include <limits>
#include <span>
#include <utility>

namespace detent {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t scale;
};

constexpr Unit kTimeUnits[] = {{"", 1},
                               {"ps", 1},
                               {"ns", 1000},
                               {"us", 1'000'000},
                               {"\xC2\xB5s", 1'000'000},
                               {"\xCE\xBCs", 1'000'000},
                               {"ms", 1'000'000'000},
                               {"s", 1'000'000'000'000}};
constexpr Unit kByteUnits[] = {{"", 1},
                               {"B", 1},
                               {"KiB", 1ULL << 10U},
                               {"MiB", 1ULL << 20U},
                               {"GiB", 1ULL << 30U},
                               {"TiB", 1ULL << 40U},
                               {"kB", 1000},
                               {"MB", 1'000'000},
                               {"GB", 1'000'000'000},
                               {"TB", 1'000'000'000'000}};
constexpr Unit kNoUnit[] = {{"", 1}};

/// More digits than any number of 64 bits with a scale has.
constexpr int kMaxDigits = 60;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// digits * 10^power, as far as it was read.
struct Decimal {
  std::string_view digits;    ///< before the point
  std::string_view fraction;  ///< behind it
  int power = 0;
};

std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

/// Leaves the unit in `text`.
std::optional<Decimal> take_decimal(std::string_view& text) {
  Decimal decimal;
  decimal.digits = take_digits(text);
  if (decimal.digits.empty()) return std::nullopt;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    decimal.fraction = take_digits(text);
    if (decimal.fraction.empty()) return std::nullopt;
  }
  const bool has_exponent = text.size() > 1 && (text[0] == 'e' || text[0] == 'E') &&
                            (is_digit(text[1]) || ((text[1] == '+' || text[1] == '-') && text.size() > 2));
  if (!has_exponent) return decimal;
  const bool is_negative = text[1] == '-';
  text.remove_prefix(is_digit(text[1]) ? 1 : 2);
  const std::string_view exponent = take_digits(text);
  if (exponent.empty() || exponent.size() > 3) return std::nullopt;
  for (const char c : exponent) decimal.power = decimal.power * 10 + (c - '0');
  if (is_negative) decimal.power = -decimal.power;
  return decimal;
}

__extension__ using Wide = unsigned __int128;

/// Why a text is no quantity.
enum class Fault : std::uint8_t { kNone, kForm, kFraction, kTooLarge };
using Reading = std::pair<Fault, std::uint64_t>;

/// decimal * scale where it is whole and fits.
Reading scaled(const Decimal& decimal, std::uint64_t scale) {
  constexpr Wide kMost = std::numeric_limits<std::uint64_t>::max();
  if (decimal.digits.size() + decimal.fraction.size() > kMaxDigits) return {Fault::kTooLarge, 0};
  int power = decimal.power - static_cast<int>(decimal.fraction.size());
  Wide value = 0;
  std::size_t trailing = 0;  // zeros that are not multiplied in yet
  for (const std::string_view part : {decimal.digits, decimal.fraction}) {
    for (const char c : part) {
      ++trailing;
      if (c == '0') continue;
      for (; trailing > 0; --trailing) {
        value *= 10;
        if (value > kMost) return {Fault::kTooLarge, 0};
      }
      value += static_cast<unsigned>(c - '0');
    }
  }
  power += static_cast<int>(trailing);
  if (value == 0) return {Fault::kNone, 0};
  value *= scale;  // below 2^104
  for (; power > 0; --power) {
    if (value > kMost) return {Fault::kTooLarge, 0};
    value *= 10;
  }
  for (; power < 0; ++power) {
    if (value % 10 != 0) return {Fault::kFraction, 0};
    value /= 10;
  }
  if (value > kMost) return {Fault::kTooLarge, 0};
  return {Fault::kNone, static_cast<std::uint64_t>(value)};
}

Reading read(std::string_view text, std::span<const Unit> units) {
  const std::optional<Decimal> decimal = take_decimal(text);
  if (!decimal) return {Fault::kForm, 0};
  if (text.size() > 1 && text.front() == ' ') text.remove_prefix(1);
  for (const Unit& unit : units) {
    if (text == unit.name) return scaled(*decimal, unit.scale);
  }
  return {Fault::kForm, 0};
}

std::optional<std::uint64_t> value_of(const Reading& reading) {
  return reading.first == Fault::kNone ? std::optional(reading.second) : std::nullopt;
}

std::string refuse(Fault fault, const std::string& form, const std::string& unit) {
  switch (fault) {
    case Fault::kFraction:
      return "is not a whole number of " + unit + "; write " + form;
    case Fault::kTooLarge:
      return "is above 2^64 - 1 " + unit + " or has too many digits; write " + form;
    case Fault::kNone:
    case Fault::kForm:
      break;
  }
  return "must be " + form;
}

}  // namespace

std::optional<std::uint64_t> read_time_ps(std::string_view text) { return value_of(read(text, kTimeUnits)); }
std::optional<std::uint64_t> read_bytes(std::string_view text) { return value_of(read(text, kByteUnits)); }
std::optional<std::uint64_t> read_count(std::string_view text) { return value_of(read(text, kNoUnit)); }

std::string refuse_time(std::string_view text) {
  return refuse(read(text, kTimeUnits).first, "a time such as 5ms, 250us, 1.5s or 900ps (bare numbers are picoseconds)",
                "picoseconds");
}

std::string refuse_bytes(std::string_view text) {
  return refuse(read(text, kByteUnits).first, "a size such as 64KiB, 1.5MiB or 65536 (bare numbers are bytes)",
                "bytes");
}

}  // namespace detent
