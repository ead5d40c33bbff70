// OpCase: one kernel call on guarded tensors. Runs it on every instruction set this machine has and watches every byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <detent/kernel.h>

#include "base/random.hpp"
#include "runtime/kernels/variants.h"

namespace detent::ops_test {

/// Seeded random numbers of the kernels' tests.
class Random : public RandomSource {
 public:
  using RandomSource::RandomSource;
  int between(int low, int high);  ///< both included
  bool one_in(int n) { return between(1, n) == 1; }
  float real(float limit);  ///< in (-limit, limit)
};

/// Configs hold int32_t, containers want size_t.
inline std::size_t size(std::int64_t value) { return static_cast<std::size_t>(value); }

/// A tensor in memory of its own, with guard bytes around it and between its blocks.
class TestTensor {
 public:
  static TestTensor plain(std::vector<std::int32_t> dims);
  static TestTensor c16(std::int32_t channels, std::int32_t h, std::int32_t w);

  /// Split into `blocks` equal blocks with `gap` more floats between their starts than they hold.
  TestTensor& strided(std::uint32_t blocks, std::uint64_t gap_floats);
  /// One block per 16 channels, one time in two, with a random gap.
  TestTensor& maybe_strided(Random& random);

  void set_random(Random& random, float limit);      ///< padding channels stay 0
  void set_values(const std::vector<float>& dense);  ///< as stored, without gaps
  [[nodiscard]] std::vector<float> values() const;   ///< as stored, without gaps
  /// C16: logical [C][H][W]; PLAIN: as stored.
  [[nodiscard]] std::vector<double> logical() const;
  [[nodiscard]] bool padding_is_zero() const;

  /// Write the pattern into every byte outside the blocks (and inside too, with `whole`).
  void paint(std::uint32_t pattern, bool whole);
  [[nodiscard]] bool painted_outside(std::uint32_t pattern) const;

  detent_tensor tensor{};
  [[nodiscard]] detent_buffer buffer();
  [[nodiscard]] std::size_t stored_count() const;

 private:
  template <typename Visit>
  void for_stored(Visit visit) const;
  void place();
  std::vector<float> memory_;
};

/// What is passed to a kernel.
struct OpCase {
  std::string kernel;
  std::vector<TestTensor> inputs, outputs, weights, scratch{};
  std::vector<std::uint8_t> config;

  template <typename Config>
  void set_config(const Config& value) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
    config.assign(bytes, bytes + sizeof value);
  }
  /// Status of the kernel's check.
  [[nodiscard]] detent_status check();
  /// Check and run on every instruction set here, each twice with other bytes around the tensors. Expects (GoogleTest):
  /// inputs untouched, nothing written outside outputs, all of the outputs written, the same bits each time.
  void run_everywhere();
  /// The same over given implementations of one kernel.
  void run_watched(const std::vector<detent_kernel>& kernels);
};

/// Instruction sets this machine can execute, and "standard": the kernels in ISO C++ alone; on x86 also "quads": what
/// multiplies bytes as for VNNI, in plain C++.
std::vector<ops::Variant> variants_here();
/// Of those, one for each function that the kernel has: instruction sets may share it.
std::vector<ops::Variant> variants_with(const std::string& kernel);
/// The kernel `name` of one instruction set.
const detent_kernel& kernel_of(const ops::Variant& variant, const std::string& name);

}  // namespace detent::ops_test
