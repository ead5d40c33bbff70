#include "harness/engine_names.hpp"

#include <iterator>
#include <stdexcept>

namespace detent::harness {
namespace {

template <typename Value>
struct Name {
  const char* word;
  Value value;
};

constexpr Name<detent_mode> kModes[] = {{"serial", DETENT_MODE_SERIAL},
                                        {"layered", DETENT_MODE_LAYERED},
                                        {"closed-loop", DETENT_MODE_CLOSED_LOOP},
                                        {"static", DETENT_MODE_STATIC}};
constexpr Name<detent_scheduler> kSchedulers[] = {{"role", DETENT_SCHEDULER_ROLE}, {"thread", DETENT_SCHEDULER_THREAD}};

template <typename Value, std::size_t kCount>
const char* word_of(const Name<Value> (&names)[kCount], Value value) {
  for (const auto& name : names) {
    if (name.value == value) return name.word;
  }
  return "?";
}

template <typename Value, std::size_t kCount>
Value value_of(const Name<Value> (&names)[kCount], const std::string& option, const std::string& word) {
  std::string choices;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (word == names[i].word) return names[i].value;
    choices += std::string(i == 0 ? "" : i + 1 == kCount ? " or " : ", ") + names[i].word;
  }
  throw std::invalid_argument(option + " " + word + ": choose " + choices);
}

}  // namespace

const char* mode_name(detent_mode mode) { return word_of(kModes, mode); }
detent_mode parse_mode(const std::string& name) { return value_of(kModes, "--mode", name); }
const char* scheduler_name(detent_scheduler scheduler) { return word_of(kSchedulers, scheduler); }
detent_scheduler parse_scheduler(const std::string& name) { return value_of(kSchedulers, "--scheduler", name); }

}  // namespace detent::harness
