// SharedWords: the shared words of a program, each with its stores in modification order.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/explore/threads/order/object_numbers.hpp"
#include "verify/explore/threads/order/step.hpp"

namespace detent::verify::explore {

/// One store of a word.
struct WordStore {
  static constexpr std::uint32_t kNoMessage = UINT32_MAX;
  std::uint64_t value = 0;
  std::uint32_t time = 0;              ///< place in the modification order
  std::uint32_t message = kNoMessage;  ///< row of the view that an acquire joins
  ThreadId thread = 0;
  std::uint32_t number = 0;  ///< access of its thread
  bool updated = false;      ///< an update has read it
};

struct SharedWord {
  ObjectId object = 0;
  void* address = nullptr;
  std::uint32_t epoch = 0;         ///< of the execution that touched it last
  std::uint32_t seq_cst_time = 0;  ///< newest store that seq_cst accesses have seen
  std::uint64_t users = 0;         ///< threads that access it, in any execution
  std::uint64_t weak = 0;          ///< those of them that do so other than seq_cst
  bool wide = false;
  std::vector<WordStore> stores;  ///< in modification order

  /// What is in the program's memory now.
  [[nodiscard]] std::uint64_t value() const;
  void set_value(std::uint64_t value) const;
};

class SharedWords {
 public:
  /// What has been stored is forgotten: a word has its value as its only store when it is touched next.
  void begin_epoch() { ++epoch_; }
  /// The number of the word that the step is about, which is the newest one if it has not been met.
  std::uint32_t touch(const Step& step);
  /// A word that has been touched in this epoch; null: it has not.
  [[nodiscard]] const SharedWord* find(ObjectId object) const;
  [[nodiscard]] bool is_current(const SharedWord& word) const { return word.epoch == epoch_; }

  /// Of all executions.
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(words_.size()); }
  [[nodiscard]] SharedWord& operator[](std::uint32_t number) { return words_[number]; }
  [[nodiscard]] const SharedWord& operator[](std::uint32_t number) const { return words_[number]; }
  [[nodiscard]] auto begin() const { return words_.begin(); }
  [[nodiscard]] auto end() const { return words_.end(); }

 private:
  void renew(SharedWord& word, const Step& step) const;

  std::uint32_t epoch_ = 1;
  std::vector<SharedWord> words_;
  ObjectNumbers numbers_;
};

}  // namespace detent::verify::explore
