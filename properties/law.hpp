// Laws: a value drawn by RapidCheck -> a check of it. What fails says how to repeat it, in one line.
#pragma once

#include <rapidcheck.h>

#include <functional>
#include <string>
#include <type_traits>

#include "properties/graph_case.hpp"

namespace detent::laws {

/// The command that repeats what a law checked, from its value and the file that holds it: `detent verify 'FILE'`.
template <typename Value>
using Repeat = std::string (*)(const Value& value, const std::string& file);

/// Run `body`. Where it fails, "replay: " and what `replay` answers stand on a line of their own in the failure that is
/// passed on. A value that was discarded, and one that RapidCheck could not draw, are no failures.
void check_law(const std::function<void()>& body, const std::function<std::string()>& replay);

/// Where the law of the running test leaves the value that fails: build directory, "failures", "Suite.Law". Each step
/// of the shrinking that still fails overwrites it, so the smallest value stays.
std::string failure_path(const std::string& extension);

/// A law over models. Draws one value; writes it where it fails, in a form that the detent program reads.
///
///     RC_GTEST_PROP(RaceLaw, EqualsByteMaps, ()) {
///       law_of(graphs({.graph = {.mutexes = true}}), verify_command, [](const GraphCase& g) { RC_ASSERT(...); });
///     }
template <typename Value, typename Body>
void law_of(const rc::Gen<Value>& gen, std::type_identity_t<Repeat<Value>> repeat, const Body& body) {
  const Value value = *gen;
  check_law([&] { body(value); }, [&] { return repeat(value, save_case(value, failure_path("json"))); });
}

/// A law over values that are no models (queues, logs, bytes): the line repeats the same random values.
void law_of_values(const std::function<void()>& body);

/// The same, the value drawn here.
template <typename Value, typename Body>
void law_of_values(const rc::Gen<Value>& gen, const Body& body) {
  const Value value = *gen;
  law_of_values([&] { body(value); });
}

}  // namespace detent::laws
