// What every answer begins with, and how answers are read back.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/engine_spec.hpp"

namespace detent::app {

using Json = nlohmann::ordered_json;

/// Text of an answer, a line each, as a terminal may show it.
using Lines = std::vector<std::string>;
void append(Lines& lines, Lines more);

/// Called now and then while something long goes on: `done` of `total`. May be empty.
using OnProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;
/// Called where something long begins its next step, such as "compiles the operators". May be empty.
using OnStep = std::function<void(const std::string& step)>;

/// What is asked of every command.
struct Request {
  std::string model;  ///< zoo name, package or op graph file
  harness::Seeds seeds{};
  bool reproducible = false;  ///< leave out everything that was measured on the host
};

/// {"schema": "detent.<command>/1", "detent_version", "model", "seed"}: what every answer starts with.
Json json_header(const std::string& command, const Request& request);

/// Largest answer file that is read back.
inline constexpr std::uint64_t kMaxAnswerBytes = std::uint64_t{1} << 30U;

/// JSON that is read back as a whole, after the strict reader (base/json.hpp) has seen it: nesting, duplicate keys and
/// numbers of values are bounded, so that neither memory nor stack is at the mercy of the file.
/// @throws InputError  "FILE:LINE: what"
Json parse_answer(const std::string& file, std::string_view text);

/// The value of the key "replay" at the top of a JSON answer; none where it is no object or has no such text. Nothing
/// else of the answer is kept.
/// @throws InputError  no JSON
std::optional<std::string> replay_line_of(const std::string& file, std::string_view text);

}  // namespace detent::app
