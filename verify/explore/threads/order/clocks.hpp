// ClockTable: rows of one count per thread, only ever appended and taken back. Four counts at a time.
#pragma once

#include <cstdint>
#include <vector>

namespace detent::verify::explore {

class ClockTable {
 public:
  explicit ClockTable(std::uint32_t thread_count) : width_((thread_count + 3) / 4) {}
  [[nodiscard]] std::uint32_t rows() const { return rows_; }
  void truncate(std::uint32_t rows) { rows_ = rows; }
  std::uint32_t push_zeros() {
    const std::uint32_t row = make_row();
    for (std::size_t i = 0; i < width_; ++i) part(row, i) = Lanes{};
    return row;
  }
  std::uint32_t push_copy(std::uint32_t of) {
    const std::uint32_t row = make_row();
    part(row, 0) = part(of, 0);  // rarely more than four threads
    for (std::size_t i = 1; i < width_; ++i) part(row, i) = part(of, i);
    return row;
  }
  /// The greater one of each count.
  void join(std::uint32_t into, std::uint32_t row) {
    part(into, 0) = greater_of(part(into, 0), part(row, 0));
    for (std::size_t i = 1; i < width_; ++i) part(into, i) = greater_of(part(into, i), part(row, i));
  }
  [[nodiscard]] std::uint32_t at(std::uint32_t row, std::uint32_t thread) const {
    return static_cast<std::uint32_t>(parts_[row * width_ + thread / 4].lanes[thread % 4]);
  }
  std::uint32_t advance(std::uint32_t row, std::uint32_t thread) {
    return static_cast<std::uint32_t>(++parts_[row * width_ + thread / 4].lanes[thread % 4]);
  }
  /// The row, two counts at a time, to a hash.
  template <typename Mix>
  [[nodiscard]] std::uint64_t mix(std::uint32_t row, std::uint64_t hash, const Mix& mix_value) const {
    for (std::size_t i = 0; i < width_; ++i) {
      const auto pairs = reinterpret_cast<Pairs>(parts_[row * width_ + i].lanes);
      hash = mix_value(mix_value(hash, pairs[0]), pairs[1]);
    }
    return hash;
  }

 private:
  using Lanes = std::int32_t __attribute__((vector_size(16)));
  using Pairs = std::uint64_t __attribute__((vector_size(16)));
  struct Part {
    Lanes lanes{};
  };
  static Lanes greater_of(Lanes a, Lanes b) {
    const Lanes greater = a > b;
    return (a & greater) | (b & ~greater);
  }
  Lanes& part(std::size_t row, std::size_t i) { return parts_[row * width_ + i].lanes; }
  std::uint32_t make_row() {
    if ((rows_ + std::size_t{1}) * width_ > parts_.size()) [[unlikely]]
      parts_.resize(parts_.size() * 2 + 64 * width_);
    return rows_++;
  }

  std::size_t width_;
  std::uint32_t rows_ = 0;
  std::vector<Part> parts_;  // more than there are rows
};

}  // namespace detent::verify::explore
