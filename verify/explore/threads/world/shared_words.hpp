// SharedWords: the shared words of an execution, each with its stores in modification order.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/explore/threads/world/step.hpp"

namespace detent::verify::explore {

/// A store as it stands in the modification order of its word.
struct Store {
  static constexpr std::uint32_t kNoMessage = UINT32_MAX;
  std::uint64_t value = 0;
  std::uint32_t time = 0;              ///< place in the modification order
  std::uint32_t message = kNoMessage;  ///< row of the Views that an acquire joins
  ThreadId thread = 0;
  std::uint32_t number = 0;  ///< access of its thread
  bool updated = false;      ///< an update has read it
};

struct SharedWord {
  ObjectId object = 0;
  void* address = nullptr;
  std::uint32_t epoch = 0;        ///< of the execution that touched it last
  std::uint32_t fenced_time = 0;  ///< newest store that seq_cst accesses have seen
  std::uint64_t users = 0;        ///< threads that access it, in any execution
  std::uint64_t weak = 0;         ///< those of them that do so other than seq_cst
  bool wide = false;              ///< 8 bytes, not 4
  std::vector<Store> stores;      ///< in modification order; never empty

  /// What lies at the address now.
  [[nodiscard]] std::uint64_t value() const;
  void set_value(std::uint64_t value) const;
};

class SharedWords {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// A new execution: no word is current until it is accessed.
  void reset() { ++epoch_; }
  /// Number of the word that the step accesses, or kNone: it was never accessed.
  [[nodiscard]] std::uint32_t find(const Step& step) const {
    const std::uint32_t id = step.object - kWordObjects;
    return id < number_of_.size() ? number_of_[id] : kNone;
  }
  /// The same with a number for each.
  std::uint32_t number(const Step& step);
  /// Make it current: what lies at the address is its first store.
  void renew(std::uint32_t number, const Step& step);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(words_.size()); }
  [[nodiscard]] SharedWord& operator[](std::uint32_t number) { return words_[number]; }
  [[nodiscard]] const SharedWord& operator[](std::uint32_t number) const { return words_[number]; }
  /// Has this execution accessed it?
  [[nodiscard]] bool is_current(const SharedWord& word) const { return word.epoch == epoch_; }

 private:
  std::uint32_t epoch_ = 0;
  std::vector<SharedWord> words_;
  std::vector<std::uint32_t> number_of_;  // dense number of each word's ObjectId, or kNone
};

}  // namespace detent::verify::explore
