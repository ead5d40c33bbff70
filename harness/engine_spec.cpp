#include "harness/engine_spec.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "base/words/near.hpp"

namespace detent::harness {
namespace {

template <typename Value>
struct Name {
  const char* text;
  Value value;
};

constexpr Name<detent_mode> kModes[] = {{"serial", DETENT_MODE_SERIAL},
                                        {"layered", DETENT_MODE_LAYERED},
                                        {"closed-loop", DETENT_MODE_CLOSED_LOOP},
                                        {"static", DETENT_MODE_STATIC}};
constexpr Name<detent_scheduler> kSchedulers[] = {{"role", DETENT_SCHEDULER_ROLE}, {"thread", DETENT_SCHEDULER_THREAD}};

template <typename Value, std::size_t kCount>
const char* text_of(const Name<Value> (&names)[kCount], Value value) {
  for (const auto& name : names) {
    if (name.value == value) return name.text;
  }
  return "?";
}

template <typename Value, std::size_t kCount>
Value value_of(const Name<Value> (&names)[kCount], const std::string& text) {
  std::vector<std::string> choices;
  for (const auto& name : names) {
    if (text == name.text) return name.value;
    choices.emplace_back(name.text);
  }
  throw std::invalid_argument("must be " + choices_text(choices) + did_you_mean(text, choices));
}

std::uint32_t number_of(const std::string& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument("must be a whole number, 0 to " +
                                std::to_string(std::numeric_limits<std::uint32_t>::max()));
  }
  return number;
}

std::vector<std::uint32_t> ids_of(const std::string& text) {
  if (text.ends_with(',')) throw std::invalid_argument("ends with a comma; leave it out");
  std::vector<std::uint32_t> ids;
  std::istringstream stream(text);
  std::string item;
  while (std::getline(stream, item, ',')) ids.push_back(number_of(item));
  return ids;
}

std::string text_of(const std::vector<std::uint32_t>& ids) {
  std::string text;
  for (const std::uint32_t id : ids) text += (text.empty() ? "" : ",") + std::to_string(id);
  return text;
}

const std::string& known_policy(const std::string& name) {
  if (std::ranges::count(policy_names(), name) != 0) return name;
  throw std::invalid_argument("must be " + choices_text(policy_names()) + did_you_mean(name, policy_names()));
}

constexpr std::array kFields{
    EngineField{"workers", nullptr, nullptr, true,
                [](EngineSpec& spec, const std::string& text) { spec.workers = number_of(text); },
                [](const EngineSpec& spec) { return std::to_string(spec.workers); }},
    EngineField{"mode", "MODE", "Engine mode: serial, layered, closed-loop, static", true,
                [](EngineSpec& spec, const std::string& text) { spec.mode = value_of(kModes, text); },
                [](const EngineSpec& spec) { return std::string(mode_name(spec.mode)); }},
    EngineField{"scheduler", "role|thread", "Closed loop: role (the finisher schedules) or thread", true,
                [](EngineSpec& spec, const std::string& text) { spec.scheduler = value_of(kSchedulers, text); },
                [](const EngineSpec& spec) { return std::string(scheduler_name(spec.scheduler)); }},
    EngineField{"policy", "POLICY",
                "Which ready op is next: id, priority, critical-path, random (from --seed), given (--order)", true,
                [](EngineSpec& spec, const std::string& text) { spec.policy = known_policy(text); },
                [](const EngineSpec& spec) { return spec.policy; }},
    EngineField{"order", nullptr, nullptr, true,
                [](EngineSpec& spec, const std::string& text) { spec.order = ids_of(text); },
                [](const EngineSpec& spec) { return text_of(spec.order); }},
    EngineField{"spin", "N", "Pauses before a thread that waits goes to sleep; default: as measured", false,
                [](EngineSpec& spec, const std::string& text) { spec.spin_limit = number_of(text); },
                [](const EngineSpec& spec) { return spec.spin_limit ? std::to_string(*spec.spin_limit) : ""; }},
};

}  // namespace

const char* mode_name(detent_mode mode) { return text_of(kModes, mode); }

detent_mode native_mode(const EngineSpec& spec) { return spec.workers == 0 ? DETENT_MODE_SERIAL : spec.mode; }

bool has_affinity(const detent_desc& desc) {
  return std::any_of(desc.ops, desc.ops + desc.op_count, [](const detent_op& op) { return op.workers != 0; });
}

bool has_workers_for(const EngineSpec& spec, const detent_desc& desc) {
  const detent_mode mode = native_mode(spec);
  if (mode == DETENT_MODE_SERIAL) return true;
  if (mode == DETENT_MODE_LAYERED) return !has_affinity(desc);
  const std::uint32_t there = spec.workers >= 32 ? UINT32_MAX : (std::uint32_t{1} << spec.workers) - 1;
  return std::all_of(desc.ops, desc.ops + desc.op_count,
                     [&](const detent_op& op) { return op.workers == 0 || (op.workers & there) != 0; });
}

const char* scheduler_name(detent_scheduler scheduler) { return text_of(kSchedulers, scheduler); }

const std::vector<std::string>& policy_names() {
  static const std::vector<std::string> kNames{"id", "priority", "critical-path", "fifo", "random", "given"};
  return kNames;
}

std::span<const EngineField> engine_fields() { return kFields; }

const EngineField& engine_field(const std::string& key) {
  for (const EngineField& field : kFields) {
    if (key == field.key) return field;
  }
  throw std::out_of_range("engine: no field " + key);
}

void set_engine(const EngineSpec& spec, InstanceOptions& options) {
  options.mode = spec.mode;
  options.scheduler = spec.scheduler;
  options.worker_count = spec.workers;
}

void set_port(const EngineSpec& spec, detent_port& port) {
  if (!spec.spin_limit) return;
  port.spin_limit = *spec.spin_limit;
  port.active_spin_limit = 0;
}

}  // namespace detent::harness
