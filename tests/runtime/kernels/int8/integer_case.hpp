// IntegerCase: one call of an int8 kernel on guarded tensors of any dtype, run on every instruction set; and the
// meaning of requantisation, written from <detent/op_config.h> with divisions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <detent/kernel.h>
#include <detent/op_config.h>

#include "tests/runtime/kernels/op_case.hpp"

namespace detent::ops_test::int8 {

/// A tensor of I8, I32 or F32 in memory of its own, with guard bytes around it and between its blocks.
class IntegerTensor {
 public:
  static IntegerTensor plain(detent_dtype dtype, std::vector<std::int32_t> dims);
  static IntegerTensor c16(detent_dtype dtype, std::int32_t channels, std::int32_t h, std::int32_t w);

  /// C16: one block per 16 channels, one time in two, with a random gap.
  IntegerTensor& maybe_strided(Random& random);
  /// Blocks of equal size with a gap of whole elements between them.
  IntegerTensor& strided(std::uint32_t blocks, std::uint64_t gap_elements);

  /// As stored, without gaps; each value is one of the dtype.
  void set_values(const std::vector<double>& values);
  [[nodiscard]] std::vector<double> values() const;
  /// Integers from low to high; padding channels 0.
  void set_random(Random& random, std::int64_t low, std::int64_t high);
  /// C16: logical [C][H][W]; PLAIN: as stored.
  [[nodiscard]] std::vector<double> logical() const;

  [[nodiscard]] std::size_t stored_count() const;
  /// Does a channel pad at this place among the stored elements?
  [[nodiscard]] bool pads(std::size_t index) const;

  /// Every byte outside of the blocks, inside too with `whole`.
  void paint(std::uint8_t byte, bool whole);
  [[nodiscard]] bool painted_outside(std::uint8_t byte) const;
  /// All bytes, those around the blocks too.
  [[nodiscard]] const std::vector<std::uint8_t>& memory() const { return memory_; }
  [[nodiscard]] detent_buffer buffer();

  detent_tensor tensor{};

 private:
  void place();
  template <typename Visit>
  void for_stored(Visit visit) const;

  std::vector<std::uint8_t> memory_;
  std::vector<std::uint8_t> is_inside_;  ///< by byte of memory_: of a block
  std::size_t first_ = 0;
};

struct IntegerCase {
  std::string kernel;
  std::vector<IntegerTensor> inputs, outputs, weights;
  std::vector<std::uint8_t> config;

  template <typename Config>
  void set_config(const Config& value) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
    config.assign(bytes, bytes + sizeof value);
  }
  [[nodiscard]] detent_status check();
  /// On every instruction set, each twice with other bytes around and in the outputs. Expects (GoogleTest): inputs and
  /// weights untouched, nothing written outside of the outputs, all of them written, padding 0, the same bytes.
  void run_everywhere();
};

/// The nearest integer to p / 2^shift, the even one of two; 0 <= shift <= 62.
std::int64_t rounded_reference(std::int64_t p, std::int32_t shift);

/// A sum as the I32 that it is modulo 2^32.
std::int32_t wrapped_reference(std::int64_t sum);

/// What an output channel's sum becomes. @param table  empty, or 256 elements
std::int64_t requantised_reference(std::int64_t sum, std::int64_t multiplier, const detent_requantisation& result,
                                   const std::vector<double>& table);

/// One time in two a table; the range full, of a RELU, or any.
detent_requantisation random_requantisation(Random& random, std::int32_t least_shift, std::int32_t greatest_shift);

/// Bias and multipliers for `channels` padded to `padded`, and a table where `result` has one, behind the first weight.
void add_requantising_weights(Random& random, IntegerCase& op, const detent_requantisation& result, int padded,
                              std::int64_t bias_limit);

}  // namespace detent::ops_test::int8
